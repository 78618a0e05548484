"""Names in expressions: locals, what is declared, values of enumerations; and help for those who know other
languages.

A bare name is, in this order: a local, a value of what is wanted, something declared, a value of the one type
that has it.

Some words of the language are names of nothing, because the name could never be used as it is meant. Most
words of the grammar may be names: where a name is needed, they are read as one. A test compares the
exceptions with the grammar.

The tables of help hold what people write who know other languages, and what says it here.
"""

from __future__ import annotations

import re
from collections.abc import Container

from croupier.diagnostics import Fix, Label, Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    BoardExpr,
    CellExpr,
    ComponentExpr,
    DomainExpr,
    EnumExpr,
    LocalExpr,
    OperationExpr,
    ParamExpr,
    StateExpr,
    TextExpr,
    TypedExpr,
    ZoneExpr,
)
from croupier.kernel.types import PLAYER, UNKNOWN, Type
from croupier.semantics import type_words
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS
from croupier.semantics.context import CheckContext, LocalName, Scope
from croupier.semantics.procedures import Proc
from croupier.semantics.program import EnumDef, Program
from croupier.semantics.suggestions import Args, known_names, value_meant
from croupier.semantics.type_words import NUMBER_WORDS
from croupier.source.statement_words import STATEMENT_WORDS, YOUNG_LINES
from croupier.syntax import nodes as n
from croupier.syntax.lines import SOFT_KEYWORDS

FAR_BELOW = 30  # lines below a name in which its declaration is looked for
# ------------------------------------------------------------ help
MEMBER_HINTS = {  # attributes and methods of lists and zones elsewhere
    "filter": "[x for x in xs if …]", "where": "[x for x in xs if …]", "map": "[… for x in xs]",
    "select": "[… for x in xs]",
    "push": "add x to xs", "append": "add x to xs", "add": "add x to xs", "insert": "add x to xs",
    "extend": "xs + ys",
    "pop": "remove x from xs", "remove": "remove x from xs", "delete": "remove x from xs",
    "discard": "remove x from xs",
    "contains": "x in xs", "includes": "x in xs", "has": "x in xs", "exists": "any(… for x in xs)",
    "some": "any(… for x in xs)",
    "any": "any(… for x in xs)", "all": "all(… for x in xs)", "every": "all(… for x in xs)",
    "find": "first(x for x in xs if …)",
    "sort": "sorted(x for x in xs by …)", "sorted": "sorted(x for x in xs by …)", "sum": "sum(… for x in xs)",
    "max": "max(… for x in xs)",
    "min": "min(… for x in xs)", "shuffle": "shuffle xs", "draw": "draw 1 from xs to …", "next": "next(p)",
    "name": '"{x}" in a text',
    "count": "count(… for x in xs)", "hand": "hand[p]", "score": "score[p]", "cards": "[c for c in xs]",
    "join": "xs + ys",
}  # fmt: skip
ZONE_HINTS = {
    "push": "move x to z",
    "append": "move x to z",
    "add": "move x to z",
    "insert": "move x to z",
    "pop": "move z.top! to …",
    # fmt: skip
    "remove": "move x to …",
    "discard": "move x to …",
    "delete": "move x to …",
    "extend": "move … to z",
}
NAME_HINTS = {
    "None": "none", "null": "none", "nil": "none", "undefined": "none", "True": "true", "TRUE": "true",
    "yes": "true", "False": "false",
    "FALSE": "false", "no": "false",
}  # fmt: skip
IDEA_HINTS = {
    "current_player": "say who it is: `for p in turns():` calls the player `p`",
    "player": "say who it is: `for p in players:` calls the player `p`",
    "active_player": "say who it is: `for p in turns():` calls the player `p`",
    "self": "a player is known by the name that a loop gives, like `p`",
    "all": "who sees everything is `everybody`; whether all of several are so is `all(… for x in xs)`",
    "everyone": "write `everybody`",
    "num_players": "write `players.size`", "n_players": "write `players.size`",
    "nplayers": "write `players.size`",
}  # fmt: skip


def member_help(name: str, kind: Type) -> str | None:
    """Say what to write here for what a member does elsewhere."""
    if isinstance(kind, (t.Zone, t.Family)) and name in ZONE_HINTS:
        return f"write `{ZONE_HINTS[name]}`"
    if isinstance(kind, (t.Zone, t.Family, t.Collection)) and name.casefold() in MEMBER_HINTS:
        return f"write `{MEMBER_HINTS[name.casefold()]}`"
    if isinstance(kind, t.Player) and name.casefold() in ("hand", "score", "name", "next", "cards"):
        return (
            f"what belongs to a player is indexed by that player: `{name.casefold()}[p]`"
            if name.casefold() != "next"
            else "write `next(p)`"
        )
    return None


def mismatch_help(x: TypedExpr, wanted: Type) -> str | None:
    """Say how a value becomes one of another type, where that is what was meant."""
    given, name = x.type, short_text(x)
    if isinstance(wanted, t.Bool):
        return _question_help(given, name)
    if isinstance(given, t.Nothing) and isinstance(
        wanted, (t.Player, t.Enum, t.Component, t.Cell, t.Record, t.Int)
    ):
        return f"what may be missing has a type with a question mark: `{wanted}?`"
    if isinstance(wanted, t.Map) and t.is_assignable(given, wanted.value):
        many = "{p: … for p in players}" if isinstance(wanted.key, t.Player) else "{k: … for k in …}"
        return (
            f"the whole of it is a value for each: `{many}`; one of them alone is "
            f"`m[{'p' if isinstance(wanted.key, t.Player) else 'k'}]`"
        )
    if wanted == t.AUDIENCE:
        return (
            "an audience is one of "
            + ", ".join(f"`{word}`" for word in t.AUDIENCES)
            + ", or players: `leader`, `q if spy[q]`"
        )
    if isinstance(wanted, t.Player) and isinstance(given, t.Int):
        return f"the player of a seat is `players[{name or 'n'}]`"
    if given == t.AUDIENCE and isinstance(wanted, t.Collection) and isinstance(wanted.base, t.Player):
        return "players are `players`, `[p]`, `others(p)`; the word alone is for `seen_by`"
    if isinstance(wanted, t.Int) and isinstance(given, (t.Zone, t.Family, t.Collection)):
        return f"the number of things in it is `{name or 'xs'}.size`"
    if isinstance(wanted, t.Player) and isinstance(given, t.Collection) and isinstance(given.base, t.Player):
        these = "these are several" if name is None else f"`{name}` are several"
        each = f"`for one in {name or '…'}:` takes each in turn"
        return f"{these}; one of them is, for example, `next(p)`; {each}"
    if isinstance(wanted, t.Int) and isinstance(given, t.Player):
        return f"the number of a player's seat is `{name or 'p'}.seat`"
    if isinstance(wanted, t.Collection) and t.is_assignable(given, wanted.base):
        return f"a list of one is written in brackets: `[{name or 'x'}]`"
    if isinstance(wanted, t.Collection) and isinstance(wanted.base, t.Player):
        return "say which players: `p`, `others(p)`, `players`, or a list of some: `[p, q]`"
    if isinstance(given, t.Map) and t.is_assignable(given.value, wanted):
        return (
            f"there is one for each; say which: "
            f"`{name or 'm'}[{'p' if isinstance(given.key, t.Player) else '…'}]`"
        )
    if isinstance(given, t.Nothing):
        return "`none` stands for nothing at all: write a value"
    return None


def _question_help(given: Type, name: str | None) -> str | None:
    """Say how a value becomes a question that is answered by yes or no."""
    match given:
        case t.Zone() | t.Family() | t.Collection():
            return f"ask whether there is something in it: `not {name or 'xs'}.empty`"
        case t.Optional():
            return f"ask whether it is there: `{name or 'x'} is not none`"
        case t.Int() if name in ("0", "1"):
            return "write `true`" if name == "1" else "write `false`"
        case t.Int():
            return f"compare it: `{name or 'n'} > 0`, `{name or 'n'} == 3`"
        case t.Enum() | t.Player() | t.Component() | t.Cell():
            return f"compare it: `{name or 'x'} == …`; with several at once: `{name or 'x'} in [a, b]`"
        case t.Text():
            return "compare two values, as in `n > 0`; a text is neither true nor false"
    return None


def short_text(x: TypedExpr) -> str | None:
    """Return the text that an author has written for a value, if it can stand in an example as it is."""
    text = x.span.text
    return text if len(text) <= 30 and re.fullmatch(r"[\w.\[\](), ]+", text) and text[:1].isalnum() else None


def number_help(program: Program, x: TypedExpr) -> str | None:
    """Say which number was probably meant by a value that is none."""
    name = short_text(x)
    match x.type:
        case t.Zone() | t.Family() | t.Collection():
            return f"how many there are is `{name or 'xs'}.size`"
        case t.Component():
            numbers = [
                a
                for k in sorted(x.type.kinds)
                for a, of in program.classes[k].attributes.items()
                if isinstance(of, t.Int)
            ]
            return f"write which number of it is meant: `{name or 'c'}.{numbers[0]}`" if numbers else None
        case t.Player():
            return f"the number of a player's seat is `{name or 'p'}.seat`"
        case t.Map():
            return (
                f"there is one for each; say which: "
                f"`{name or 'm'}[{'p' if isinstance(x.type.key, t.Player) else '…'}]`"
            )
    return None


def value_help(x: TypedExpr, wanted: Type) -> str | None:
    """Say how a value becomes one of the type that is needed, by what is written."""
    aim = wanted.base if isinstance(wanted, t.Optional) else wanted
    written = "".join(part or "" for part in x.parts) if isinstance(x, TextExpr) and not x.args else None
    if written is not None and isinstance(aim, t.Int):
        digits = (
            written.strip()
            if written.strip().lstrip("-").isdecimal()
            else NUMBER_WORDS.get(written.strip().casefold())
        )
        return "a number stands without quotation marks" + ("" if digits is None else f": write `{digits}`")
    if isinstance(aim, t.Text) and x.span.text.isidentifier():
        return (
            f'a text stands in quotation marks: `"{x.span.text}"`, or as the value of a name '
            f'`"{{{x.span.text}}}"`'
        )
    line = x.span.source.line(x.span.line).strip()
    alternatives = re.match(r"(case\b[^:\"]*\bor\b[^:\"]*):", line)
    if isinstance(aim, t.Bool) and alternatives is not None:
        with_commas = re.sub(r"\s+or\s+", ", ", alternatives[1])
        return f"several values stand with commas: `{with_commas}:`"
    return mismatch_help(x, wanted)


def one_kind_help(first: Type, second: Type) -> str:
    """Say what to write where two values are of different kinds and must be of one."""
    kinds = [kind.base if isinstance(kind, t.Optional) else kind for kind in (first, second)]
    if any(isinstance(kind, t.Text) for kind in kinds) and any(isinstance(kind, t.Int) for kind in kinds):
        return 'write both as numbers, without quotation marks (`5`), or both as texts (`"five"`)'
    if any(isinstance(kind, t.Collection) for kind in kinds) and not all(
        isinstance(kind, t.Collection) for kind in kinds
    ):
        return "one value alone becomes a list in brackets: `[x]`"
    return (
        f"write {type_words.described(first)} in both places, or "
        f"{type_words.described(t.widened(second))} in both"
    )


def start_example(program: Program, kind: Type) -> str:
    """A value with which state of a type may begin, as it is written."""
    match kind:
        case t.Int():
            return str(0 if kind.low is None else kind.low)
        case t.Bool():
            return "false"
        case t.Enum() if program.enums[kind.name].values:
            return program.enums[kind.name].values[0]
        case t.Text():
            return '""'
        case t.Player():
            return "players[1]"
        case t.Collection():
            return "[]"
        case t.Map():
            return start_example(program, kind.value)
    return "none"


def finite_help(kind: Type) -> str:
    """Say what can be a key where values of this type cannot."""
    if isinstance(kind, t.Int):
        low = 1 if kind.low is None else kind.low
        high = 9 if kind.high is None else kind.high
        return f"say from where to where the numbers go: `{low}..{max(low, high)}`"
    if isinstance(kind, t.Optional):
        return f"a key is always there: `{kind.base}`"
    return (
        "keys are players, values of an enumeration, cells, components, `bool`, or a range of numbers "
        "such as `1..9`"
    )


def shape_help(kind: Type) -> str | None:
    """Say how a value of this type is written in YAML; `None` where that is a single word or number."""
    if isinstance(kind, t.Collection):
        return "write a list: `[…, …]`"
    if isinstance(kind, t.Map):
        return "write a value for each key: `{…: …, else: …}`"
    if isinstance(kind, t.Record):
        return "write its fields: `{…: …}`"
    return None if isinstance(kind, t.Text) else "write a single value, without brackets or braces"


def walking_help(x: TypedExpr) -> str | None:
    """Say how a single value becomes something that can be gone through, or chosen from."""
    given, name = x.type, short_text(x)
    hyphen = re.fullmatch(r"(\d+)\s*-\s*(\d+)", x.span.text)
    if hyphen is not None:
        return f"the numbers from one to another are written with two dots: `{hyphen[1]}..{hyphen[2]}`"
    if isinstance(given, t.Int):
        return (
            f"the numbers up to it are `1..{name or 'n'}`; cards and the like come from a zone, such as "
            f"`hand[p]`"
        )
    if isinstance(given, t.Map):
        key = "p" if isinstance(given.key, t.Player) else "k"
        return (
            f"one of them is `{name or 'm'}[{key}]`; all are `[{name or 'm'}[{key}] for {key} in "
            f"{'players' if key == 'p' else '…'}]`"
        )
    if isinstance(given, t.Text):
        return "what is gone through is a list, a zone or numbers such as `1..3`, not a text"
    single = isinstance(given, (t.Bool, t.Player, t.Enum, t.Component, t.Cell, t.Record))
    return (
        f"it is one alone: use `{name or 'it'}` without `for`, or put it in brackets: `[{name or 'x'}]`"
        if single
        else None
    )


def no_result_help(proc: Proc, given: Type) -> str:
    """Say what to write where a result is given that is not declared."""
    if proc.kind in ("phase", "scoring"):
        return f"a {proc.kind} has no result: write `return` alone"
    if proc.kind == "def" and not t.is_lost(given):
        return (
            f"say what the result is: write `-> {t.widened(given)}` before the `:` of `{proc.name}`; or "
            f"leave out the value"
        )
    return "leave out the value, or say in the head of the definition what its result is, as in `-> int`"


def leaving_help(kind: str) -> str:
    """Say what leaves a procedure of a kind, where a word for loops stands in none."""
    if kind in ("phase", "scoring"):
        return "`return` ends the phase; a group of phases ends when its `repeat until:` holds"
    return "`return` leaves what stands outside loops"


LONGEST_TEXT = 40  # characters of what an author has written that help repeats
_GIVEN = re.compile(r"\s*(?P<sign>[-+]?=)\s*(?P<value>[^\n#@=][^\n#@]*)")


def fixed_help(name: str, declared: Span, changed: Span, taken: Container[str]) -> str | None:
    """Say how to change the value of a local that is no `var` and that no `let` declares: a parameter, a loop
    variable, what was chosen.

    `changed` is where it is given another value, `taken` the names that mean something there.
    """
    before = declared.source.text[: declared.start].rstrip()
    if before.endswith("let"):
        return None
    letters = "qrstuvwxyz" if len(name) == 1 else ""
    new = next((letter for letter in letters if letter not in taken), f"new_{name}")
    given = _GIVEN.match(changed.source.text, changed.end)
    if given is None or given["sign"] != "=" or len(given["value"].strip()) > LONGEST_TEXT:
        return (
            f"write `var {new} = {name}` on a line above this one, and `{new}` in place of `{name}` from "
            f"here on"
        )
    own = f"for another value, use a name of its own: `let {new} = {given['value'].strip()}`"
    return f"the `for` gives `{name}` its next value by itself; {own}" if before.endswith("for") else own


def comparison_help(program: Program, types: tuple[Type, Type], sides: tuple[n.Expr, n.Expr]) -> str | None:
    """Say how to compare what cannot be compared, given the types of both sides and the sides as they are
    written.
    """
    left, right = (kind.base if isinstance(kind, t.Optional) else kind for kind in types)
    for a, b, x, y in ((left, right, sides[0], sides[1]), (right, left, sides[1], sides[0])):
        if isinstance(a, t.Player) and isinstance(b, t.Int):
            seat = _behind(x, "seat", "p")
            if y.span.text.isdecimal():
                return (
                    f"write the player of that seat, `players[{y.span.text}]`, or compare the number of "
                    f"the seat: `{seat}`"
                )
            number = type_words.described(b)
            return (
                f"write {number} in place of `{_short(x, 'p')}`; if the number of the player's seat is "
                f"meant: `{seat}`"
            )
        if isinstance(a, t.Component) and isinstance(b, (t.Int, t.Enum, t.Player)):
            names = _attributes(program, a, b)
            if names:
                written = "c" if t.Optional in map(type, types) else _short(x, "c")
                return "compare an attribute of it: " + " or ".join(
                    f"`{written}.{name} == …`" for name in names
                )
            return "a component is equal to a component only; it has no attribute of that type"
        if isinstance(a, (t.Zone, t.Family, t.Collection)):
            if isinstance(b, t.Int):
                return f"compare how many there are: `{_behind(x, 'size', 'xs')}`"
            if (
                isinstance(a, t.Collection)
                and t.comparable(a.base, b)
                or isinstance(a, t.Zone)
                and isinstance(b, t.Component)
            ):
                return f"ask whether it is among them: `{_short(y, 'x')} in {_short(x, 'xs')}`"
        if (
            isinstance(a, t.Enum)
            and isinstance(b, (t.Int, t.Enum))
            and not (isinstance(x, n.Name) and x.name in program.enums[a.name].values)
        ):
            values = list(program.enums[a.name].values)
            return (
                f"compare it with a value of `{a}`: "
                + ", ".join(f"`{v}`" for v in values[:6])
                + (", …" if len(values) > 6 else "")
            )
        if isinstance(a, t.Bool) and not isinstance(b, t.Bool):
            return f"`{_short(x, 'c')}` is a condition already: it needs no comparison"
        if isinstance(a, t.Map) and t.comparable(a.value, b):
            return (
                f"compare one entry of it: `{_short(x, 'm')}[{'p' if isinstance(a.key, t.Player) else 'k'}]`"
            )
    return None


def _attributes(program: Program, a: t.Component, b: Type) -> list[str]:
    """The attributes of components of this type that can be compared with that one."""
    found: dict[str, None] = {}
    for kind in sorted(a.kinds):
        of = program.classes[kind]
        changing = {name: program.vars[f"{kind}.{name}"].type for name in of.mutable}
        every = {
            **of.attributes,
            **{name: whole.value if isinstance(whole, t.Map) else whole for name, whole in changing.items()},
        }
        found |= {name: None for name, type in every.items() if t.comparable(type, b)}
    return list(found)[:3]


def _short(node: n.Expr, otherwise: str) -> str:
    """Return the text of an expression, or `otherwise` (a letter) if it is long."""
    text = node.span.text
    return (
        text
        if len(text) <= 24 and "\n" not in text and not isinstance(node, (n.Binary, n.IfElse, n.Unary))
        else otherwise
    )


def _behind(node: n.Expr, attribute: str, otherwise: str) -> str:
    """An attribute of what is written."""
    written = _short(node, otherwise)
    return f"{otherwise if written[:1].isdigit() else written}.{attribute}"


def membership_help(program: Program, types: tuple[Type, Type], sides: tuple[n.Expr, n.Expr]) -> str | None:
    """Say how to ask whether something is among things of another type."""
    item, base = (kind.base if isinstance(kind, t.Optional) else kind for kind in types)
    if isinstance(base, t.Component) and isinstance(item, (t.Int, t.Enum, t.Player)):
        names = _attributes(program, base, item)
        if not names:
            return "a component is equal to a component only; these have no attribute of that type"
        return (
            f"compare an attribute of each: `any(c.{names[0]} == {_short(sides[0], '…')} for c in "
            f"{_short(sides[1], 'xs')})`"
        )
    if isinstance(base, t.Component) and isinstance(item, t.Component):
        return f"these are of the kind {' or '.join(f'`{kind}`' for kind in sorted(base.kinds))}"
    return None


# ---------------------------------------------------------------- reserved words
RESERVED_VALUES = frozenset({"false", "none", "not", "suppose", "true"})
"""What stands for a value, or before one: in an expression they are never read as a name."""
RESERVED_TYPES = RESERVED_VALUES | {
    "Audience",
    "Direction",
    "Player",
    "bag",
    "bool",
    "int",
    "list",
    "set",
    "text",
    "zone",
}
"""What begins a type: nothing else is read where a type stands."""
RESERVED_STATEMENTS = frozenset({*STATEMENT_WORDS, "case", "gives", "only", "option"} - YOUNG_LINES.keys())
"""What begins a statement: a line that begins so is never read as an assignment or a call of that name."""
RESERVED_EVERYWHERE = RESERVED_VALUES | {"players", "bool", "int", "Player", "text"}


_VERSION = re.compile(r"^croupier:[ \t]*([2-9])", re.MULTILINE)


def is_reserved(name: str, kind: str, span: Span) -> bool:
    """Tell whether nothing of this kind may have this name.

    Kinds: those of declarations; `value` an id, a cell, a value of an enumeration; `changing` a local or a
    definition whose name begins a line. `span` is where the name stands: words that came later are names in
    files of version 1.
    """
    if name in SOFT_KEYWORDS and _VERSION.search(span.source.text) is None:
        return False
    match kind:
        case "value":
            return name in RESERVED_VALUES
        case "changing" | "state":
            return name in RESERVED_STATEMENTS or name in RESERVED_EVERYWHERE
        case "type" | "component":
            return name in RESERVED_TYPES or name in RESERVED_EVERYWHERE
    return name in RESERVED_EVERYWHERE


# ---------------------------------------------------------------- names
POWERS_ONLY = ("self", "here")


class NameResolver:
    """Finds what names mean in a program whose declarations are known."""

    def __init__(self, ctx: CheckContext) -> None:
        self.ctx, self.program = ctx, ctx.program

    # ------------------------------------------------------------ names
    def name(self, node: n.Name, scope: Scope, aim: Type | None) -> TypedExpr:
        p, span, name = self.program, node.span, node.name
        local = scope.find(name)
        if local is not None:
            local.used = True
            return self.local(local, span)
        if name in self.ctx.ambiguous:
            return OperationExpr("unknown", UNKNOWN, span)
        if isinstance(aim, t.Enum) and name in p.enums[aim.name].values:
            return EnumExpr(aim, span, enum=aim.name, name=name)
        if isinstance(aim, t.Component):
            owner = next((k for k in sorted(aim.kinds) if k in p.classes and name in self.ids_of(k)), None)
            if owner is not None:
                return ComponentExpr(t.Component(frozenset([owner])), span, kind=owner, name=name)
        if isinstance(aim, t.Cell) and name in p.boards[aim.board].cells:
            return CellExpr(aim, span, board=aim.board, name=name)
        found = self.global_name(name, span)
        if found is not None:
            return found
        everywhere = [e for e in self.known_enums() if name in e.values]
        tiers = (
            [e for e in everywhere if e.name not in p.params and e.span is not None],
            [e for e in everywhere if e.name in p.params],
            everywhere,
        )
        enums = next((tier for tier in tiers if tier), [])
        if name in p.defs and all(e.span is None for e in enums):
            # a value of a type of the language's own, of which nothing is wanted here
            return self.uncalled(name, span)
        if name == "owner" and (aim == PLAYER or aim == t.list_of(PLAYER)):  # the audience is called so, too
            help = "it is known in the powers of a component: here there is none whose owner it could be"
            return self.ctx.report("N001", span, name=name, kind="player", help=help)
        if len(enums) == 1:
            self.ctx.used.add(("type", enums[0].name))
            return EnumExpr(t.Enum(enums[0].name), span, enum=enums[0].name, name=name)
        if enums and aim is not None and not isinstance(aim, (t.Enum, t.Unknown)):
            # of no use here: the caller says so
            return EnumExpr(t.Enum(enums[0].name), span, enum=enums[0].name, name=name)
        if isinstance(aim, t.Unknown):
            return OperationExpr("unknown", UNKNOWN, span)
        if enums:
            return self.ctx.report(
                "N007", span, name=name, help="write " + " or ".join(f"`{e.name}.{name}`" for e in enums)
            )
        return self.unknown(name, span, scope, aim)

    def uncalled(self, name: str, span: Span) -> TypedExpr:
        """Report the name of a definition without brackets."""
        parameters = ", ".join(parameter.name for parameter in self.program.defs[name].params)
        return self.ctx.report("N011", span, name=name, parameters=parameters)

    def unknown(self, name: str, span: Span, scope: Scope, aim: Type | None) -> TypedExpr:
        """Report a name that stands for no value here, where one of type `aim` is needed."""
        p = self.program
        if name in self.ctx.declared_below:
            return self.ctx.report("G024", span, name=name)
        if name in self.ctx.known_in_play:
            return self.ctx.report("T058", span)
        if name in self.ctx.dropped:
            return OperationExpr("unknown", UNKNOWN, span)
        if name in p.defs:
            return self.uncalled(name, span)
        if name in p.windows:
            return self.ctx.report("N012", span, name=name)
        known = {*scope.visible(), *p.vars, *p.zones, *p.boards, *p.params, *p.defs}
        if self.is_glued(name, span, known):
            return OperationExpr("unknown", UNKNOWN, span)
        help = self.help_for_unknown(name, span, scope, aim)
        return self.ctx.report("N001", span, name=name, kind="value", **help)

    def is_glued(self, name: str, span: Span, known: Container[str]) -> bool:
        """Report a name that is a word of the language and one of the names known, without a space between
        them (`returnn`).

        Returns whether it is one.
        """
        for word in ("return", "not", "if", "until"):
            inner = name.removeprefix(word)
            if inner != name and inner in known:
                fix = Fix(span, f"{word} {inner}", f"write `{word} {inner}`")
                self.ctx.report("P070", span, first=word, second=inner, fix=fix)
                return True
        return False

    def help_for_unknown(self, name: str, span: Span, scope: Scope, aim: Type | None) -> Args:
        """Say what a name that stands for no value was meant to be: parts of the message about it."""
        p = self.program
        if (name in FUNCTIONS or name in AGGREGATES) and name not in IDEA_HINTS:
            signature = FUNCTIONS[name].signature if name in FUNCTIONS else AGGREGATES[name][0]
            fix = Fix(span, f"{name}()", f"write `{name}()`") if f"{name}()" in signature else None
            write = f"`{name}` is a function: write `{signature.partition(' -> ')[0]}`"
            return {"help": write, "fix": fix}
        if name in self.ctx.named_types or name in p.records:
            return {"help": f"`{name}` is a type: {self.describe_type(name)}"}
        if name in POWERS_ONLY:
            of_several = ", in a zone that is one of several" if name == "here" else ""
            return {"help": f"it is known in the powers of a component{of_several}"}
        ended = scope.outermost().declared.get(name)
        if ended is not None:
            labels = (Label(ended, "known to the end of the block around this only"),)
            help = "declare it with `var` before that block, and give it its value there"
            return {"help": help, "labels": labels}
        if name in NAME_HINTS:
            write = f"write `{NAME_HINTS[name]}`"
            return {"help": write, "fix": Fix(span, NAME_HINTS[name], write)}
        if name.casefold() in NUMBER_WORDS:
            digits = NUMBER_WORDS[name.casefold()]
            fix = Fix(span, digits, f"write `{digits}`", safe=False)
            return {"help": f"numbers are written in digits: `{digits}`", "fix": fix}
        near = value_meant(p, name, scope, aim, ("players", *p.enums, *p.classes, *p.defs, *FUNCTIONS))
        if name in t.DIRECTIONS and "help" not in near:
            return {"help": self.direction_help(name)}
        if name in IDEA_HINTS and "near" not in near:
            return {"help": IDEA_HINTS[name]}
        of = next((c for c in p.classes.values() if name in c.attributes or name in c.mutable), None)
        if of is not None:
            locals_of = ((x, scope.find(x)) for x in scope.visible())
            held = next(
                (
                    x
                    for x, at in locals_of
                    if at is not None and isinstance(at.type, t.Component) and of.name in at.type.kinds
                ),
                of.name[:1].lower(),
            )
            return {"help": f"it is an attribute of a `{of.name}`: write `{held}.{name}`"}
        self.ctx.known_here.setdefault(name, self.known_here(name, span, scope, aim))
        return near

    def direction_help(self, name: str) -> str:
        """Say where a direction is a value."""
        for e in self.program.enums.values():
            if e.span is not None and any(value in t.DIRECTIONS for value in e.values):
                return f"if it is one of `{e.name}`, add it to the values of that type"
        return f"`{name}` is a direction only in a ruleset that declares a board"

    def known_here(self, name: str, span: Span, scope: Scope, aim: Type | None) -> str:
        """Return the help where no other is found: that the name gets its value further down, or which names
        there are.
        """
        below = re.compile(rf"\b(?:let|var)\s+{re.escape(name)}\b").search(span.source.text, span.end)
        line, _ = span.source.position(span.start)
        if below is not None and span.source.position(below.start())[0] <= line + FAR_BELOW:
            return (
                f"it gets its value in line {span.source.position(below.start())[0]} only: move that line "
                f"above this one"
            )
        return known_names(self.program, scope, aim)

    def known_enums(self) -> list[EnumDef]:
        """The enumerations whose values stand for themselves: directions only where there is a board."""
        return [e for e in self.program.enums.values() if self.program.boards or e.name != t.DIRECTION.name]

    def describe_type(self, name: str) -> str:
        """Say how the values of a type that no name stands for are written."""
        if name in self.program.records:
            return f"a value of it is `{name}({', '.join(self.program.records[name].fields)})`"
        kind = self.ctx.known_types.get(name)
        return (
            f"write its values, `{kind}`"
            if isinstance(kind, t.Int)
            else f"only types are called so; it stands for `{kind}`"
        )

    def local(self, local: LocalName, span: Span) -> TypedExpr:
        return LocalExpr(local.type, span, slot=local.slot)

    def ids_of(self, kind: str) -> list[str]:
        return [i for i, _, _ in self.program.classes[kind].rows if i is not None]

    def global_name(self, name: str, span: Span) -> TypedExpr | None:
        p = self.program
        if name in p.params:
            self.ctx.used.add(("parameter", name))
            return ParamExpr(p.params[name].type, span, name=name)
        if name in p.vars:
            self.ctx.used.add(("state", name))
            return StateExpr(p.vars[name].type, span, name=name)
        if name in p.boards:
            self.ctx.used.add(("board", name))
            return BoardExpr(t.Board(name), span, name=name)
        if name in p.zones:
            return self.zone_named(name, span)
        if name == "players":
            return OperationExpr("players", t.list_of(PLAYER, True), span)
        if name in p.enums:
            self.ctx.used.add(("type", name))
            return DomainExpr(t.list_of(t.Enum(name), True), span, op="enum_values", name=name)
        if name in p.classes:
            self.ctx.used.add(("component", name))
            listed = t.list_of(t.Component(frozenset([name])), False)
            return DomainExpr(listed, span, op="class", name=name)
        owners = [k for k in p.classes if name in self.ids_of(k)]
        if len(owners) > 1:
            return self.ctx.report("N007", span, name=name, help="give one of them another id")
        owner = owners[0] if owners else None
        if owner is not None:
            self.ctx.used.add(("component", owner))
            return ComponentExpr(t.Component(frozenset([owner])), span, kind=owner, name=name)
        for b in p.boards.values():
            if name in (*b.cells, b.cell):
                self.ctx.used.add(("board", b.name))
            if name in b.cells:
                return CellExpr(t.Cell(b.name, b.cell), span, board=b.name, name=name)
            if name == b.cell:
                cells = t.list_of(t.Cell(b.name, b.cell), True)
                return DomainExpr(cells, span, op="board_cells", name=b.name)
        return None

    def zone_named(self, name: str, span: Span) -> TypedExpr:
        """A zone, or all zones of a name that is declared `per` something."""
        self.ctx.used.add(("zone", name))
        z = self.program.zones[name]
        # what it holds or how many there are is unknown, which is reported already
        if not z.kinds or isinstance(z.key, t.Unknown):
            return OperationExpr("unknown", UNKNOWN, span)
        return ZoneExpr(
            t.Zone(z.kinds, z.order) if z.key is None else t.Family(name, z.key, z.kinds), span, name=name
        )

    def stacks(self, x: TypedExpr) -> TypedExpr | None:
        """The stacks on the cells of a board, or `None` if it has none: `b[c]` is one of them, `b` alone
        the board.
        """
        if isinstance(x.type, t.Board) and x.type.name in self.program.zones:
            return self.zone_named(x.type.name, x.span)
        return None

    # ------------------------------------------------------------ new names
    def check_new_name(self, name: str, span: Span, scope: Scope, changing: bool = False) -> None:
        """A local may not hide anything: whoever reads the text would think of the other.

        One that is `changing` begins lines.
        """
        if is_reserved(name, "changing" if changing else "value", span):
            self.ctx.report("N014", span, name=name)
            return
        if name == "_":
            return
        other = "a local" if scope.find(name) else self.describe(name)
        if other is not None:
            self.ctx.report("N005", span, name=name, other=other)

    def describe(self, name: str) -> str | None:
        """Say what a name stands for everywhere; `None` if nothing."""
        p = self.program
        tables: tuple[tuple[str, Container[str]], ...] = (
            ("a parameter", p.params), ("state", p.vars), ("a zone", p.zones), ("a board", p.boards),
            ("a definition", p.defs),
            ("a window", p.windows), ("a component", p.classes), ("a type", p.enums), ("a type", p.records),
            ("the list of all players", ("players",)),
        )  # fmt: skip
        return next((words for words, table in tables if name in table), None)

    def window(self, name: str, span: Span) -> Proc | None:
        p = self.program
        self.ctx.observer.window(name, span)
        if name not in p.windows:
            self.ctx.report_unknown("N013", span, name, p.windows)
            return None
        self.ctx.used.add(("window", name))
        return p.windows[name]
