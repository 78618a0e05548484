"""The reasons why something cannot be given a new value: what it is, where that was declared, and what is
written instead.

What comes in: the typed expression that stands where only a variable may stand, or the local that is no
variable. What goes out: the parts of a message. Who finds the mistake is `ExpressionChecker.target`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from croupier.diagnostics import Fix, Label, Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AttributeExpr,
    BoardExpr,
    CallExpr,
    CellExpr,
    ColumnExpr,
    CompExpr,
    ComponentExpr,
    ConstExpr,
    DomainExpr,
    EnumExpr,
    FieldExpr,
    LocalExpr,
    ParamExpr,
    StateExpr,
    TextExpr,
    TypedExpr,
    ZoneExpr,
)
from croupier.records import dataclass
from croupier.semantics.context import LocalName, Scope
from croupier.semantics.program import Program
from croupier.semantics.walk import statements

KEPT_IN_STATE = "what changes during the game is declared under `state:`"
MOVED = "components go from zone to zone: `move` what goes there `to` the zone, as in `move c to hand[p]`"
MOST_SOURCES = 3  # so many things are named that a result is worked out from
SIZES = ("zone.size", "list.size", "family.size", "set.size", "bag.size")
BEFORE_NAME = re.compile(r"\b(let|for|choose|choices)\b[^\n:]*$")


@dataclass(frozen=True)
class Refusal:
    """The reason why something cannot be given a new value (a clause), what helps, and labels at what
    declares it.
    """

    why: str
    help: str | None = None
    labels: tuple[Label, ...] = ()


def refusal(program: Program, x: TypedExpr) -> Refusal:
    """Return the reason why this expression, which is no variable, cannot be given a new value."""
    match x:
        case AttributeExpr():
            return _of_attribute(program, x)
        case ColumnExpr():
            return Refusal(f"`{x.name}` of `{x.enum}` is fixed, the same in every game", KEPT_IN_STATE)
        case FieldExpr():
            fields = ", ".join(f"{field}: …" for field in program.records[x.record].fields)
            return Refusal(
                "a record gets a value as a whole",
                f"write all its fields: `{x.args[0].span.text} = {x.record}({fields})`",
            )
        case ParamExpr():
            declared = Label(program.params[x.name].span, "declared here")
            return Refusal("it is a parameter, chosen before the game begins", KEPT_IN_STATE, (declared,))
        case EnumExpr():
            return Refusal(
                f"it is a value of `{x.enum}`",
                "a variable stands on the left of `=`, its new value on the right",
            )
        case ConstExpr() | TextExpr():
            return Refusal(
                "it is a value, not a variable",
                "a variable stands on the left of `=`, its new value on the right",
            )
        case CallExpr():
            return _of_call(program, x)
        case ComponentExpr():
            return Refusal("it is a component", MOVED)
        case DomainExpr(op="class"):
            return Refusal(
                "it is a class of components",
                f"a name for one of them is given by `let c: {x.name} = …` or `choose c from …`",
            )
        case BoardExpr() | DomainExpr(op="board_cells") | CellExpr():
            return Refusal(
                "a board and its cells stay as they are",
                "what stands on a cell is kept in a map: `mark[cell] = …`",
            )
        case DomainExpr():
            return Refusal("it is a type", "a variable stands on the left of `=`, its new value on the right")
        case CompExpr():
            return Refusal(
                "it is worked out anew each time it is read",
                "change what it is worked out from" + _sources([x]),
            )
    return _of_operation(x)


def _of_call(program: Program, x: CallExpr) -> Refusal:
    """The result of a definition: what that works it out from is changed instead."""
    proc = program.procs[x.proc]
    bodies = [y for s in statements(proc.body) for y in s.reads()]
    label = Label(proc.span, "this works it out")
    sources = _sources(bodies)
    help = f"change what it is worked out from{sources}" if sources else KEPT_IN_STATE
    return Refusal(f"the definition `{proc.name}` works it out anew each time", help, (label,))


def _sources(parts: Iterable[TypedExpr]) -> str:
    """Name what expressions read of the state and of zones (`: `card``); empty if they read none."""
    read = (y.name for x in parts for y in x.walk() if isinstance(y, (StateExpr, ZoneExpr)))
    names = [f"`{name}`" for name in dict.fromkeys(read)]
    return f": {', '.join(names[:MOST_SOURCES])}" if names else ""


def _of_attribute(program: Program, x: AttributeExpr) -> Refusal:
    """An attribute of a component that is declared under `attributes`."""
    kinds = x.args[0].type.kinds if isinstance(x.args[0].type, t.Component) else frozenset[str]()
    components = () if program.resolved is None else program.resolved.components
    declared = [
        a.span for name, c in components if name.text in kinds for a, _ in c.attributes if a.text == x.name
    ]
    labels = tuple(Label(span, "declared here, under `attributes:`") for span in declared)
    help = f"an attribute that changes stands under `mutable:` of `{x.args[0].type}`, not under `attributes:`"
    return Refusal(f"`{x.name}` of `{x.args[0].type}` is fixed", help, labels)


def _of_operation(x: TypedExpr) -> Refusal:
    """Return the refusal for the result of an operation: a zone, what lies in it, a size, or any other value
    that is worked out.
    """
    if isinstance(x.type, (t.Zone, t.Family)):
        return Refusal(
            "it is a zone, and stays the same place"
            if isinstance(x.type, t.Zone)
            else "these are zones, and stay the same places",
            MOVED,
        )
    if x.op in ("zone_item", "zone.top", "zone.bottom", "zone.first", "zone.last"):
        return Refusal("it is what lies in a zone", MOVED)
    if x.op in SIZES:
        help = (
            MOVED
            if isinstance(x.args[0].type, (t.Zone, t.Family))
            else "a list grows by `add x to xs` and shrinks by `remove x from xs`"
        )
        return Refusal("a size follows from what is there", help)
    if x.op == "certain":
        return Refusal("the sign `!` asks for a value", "leave out the `!`")
    if x.op == "players":
        return Refusal("it is the list of all players", KEPT_IN_STATE)
    return Refusal("it is worked out anew each time it is read", None)


def local_refusal(
    local: LocalName, scope: Scope, instead: str | None
) -> tuple[tuple[Label, ...], Fix | None, str | None]:
    """Return a label where a local that is no variable gets its value, the fix that makes it a variable, and
    help (`None`: the usual).
    """
    span = local.span
    before = span.source.text[: span.start]
    word = BEFORE_NAME.search(before)
    if word is None:
        is_parameter = any(q.name == local.name for q in scope.proc.params)
        return (Label(span, "a parameter" if is_parameter else "it gets its value here"),), None, instead
    if word[1] == "let":
        place = Span(span.source, word.start(1), word.end(1))
        return (Label(span, "declared with `let` here"),), Fix(place, "var", "write `var`", safe=False), None
    labels = {
        "for": "the `for` gives it a value each time around",
        "choose": "it is what was chosen here",
        "choices": "it is what was chosen here",
    }
    return (Label(span, labels[word[1]]),), None, instead


def root_of(x: TypedExpr) -> TypedExpr:
    """Return the whole that a place belongs to: for an entry, its map or list."""
    while x.op == "index" or (x.op == "item" and x.args[0].type == t.list_of(x.type)):
        x = x.args[0]
    return x


def is_variable(x: TypedExpr) -> bool:
    """Tell whether a place with this root may be written; of locals, only variables may."""
    return isinstance(x, LocalExpr) or x.op in ("state", "mutable", "unknown")
