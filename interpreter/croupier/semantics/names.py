"""Names in expressions: locals, what is declared, values of enumerations.

A bare name is, in this order: a local, a value of what is wanted, something declared, a value of the one type that has it.

Some words of the language are names of nothing, because the name could never be used as it is meant. Most words of the grammar may be names: where
a name is needed, they are read as one. A test compares the exceptions with the grammar.
"""

from __future__ import annotations

from collections.abc import Container

from croupier.diagnostics import Fix, Label, Span
from croupier.semantics import types as t
from croupier.semantics.context import CheckContext
from croupier.semantics.hints import IDEA_HINTS, NAME_HINTS
from croupier.semantics.procedures import Proc
from croupier.semantics.scope import LocalName, Scope
from croupier.semantics.tree import (
    BoardCellsExpr,
    BoardExpr,
    CellExpr,
    ClassExpr,
    ComponentExpr,
    EnumExpr,
    EnumValuesExpr,
    LocalExpr,
    OperationExpr,
    ParamExpr,
    StateExpr,
    X,
    ZoneExpr,
)
from croupier.semantics.types import PLAYER, UNKNOWN, Type
from croupier.syntax import nodes as n

# ---------------------------------------------------------------- reserved words
RESERVED_VALUES = frozenset({"false", "none", "not", "suppose", "true"})
"""What stands for a value, or before one: in an expression they are never read as a name."""
RESERVED_TYPES = RESERVED_VALUES | {"Audience", "Direction", "Player", "bag", "bool", "int", "list", "set", "text", "zone"}
"""What begins a type: nothing else is read where a type stands."""
RESERVED_STATEMENTS = frozenset(
    "add announce break case choose claim continue draw finish for gives if let match may move only open option pass remove repeat return reveal"
    " roll secretly show shuffle so swap tell var".split()
)
"""What begins a statement: a line that begins so is never read as an assignment or a call of that name."""
RESERVED_EVERYWHERE = RESERVED_VALUES | {"players", "bool", "int", "Player", "text"}


def is_reserved(name: str, kind: str) -> bool:
    """May nothing of this kind be called so? Kinds: those of declarations; `value` an id, a cell, a value of an enumeration; `changing` a local or a
    definition whose name begins a line."""
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
    def name(self, node: n.Name, scope: Scope, aim: Type | None) -> X:
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
        everywhere = [e for e in p.enums.values() if name in e.values]
        tiers = ([e for e in everywhere if e.name not in p.params and e.span is not None], [e for e in everywhere if e.name in p.params], everywhere)
        enums = next((tier for tier in tiers if tier), [])
        if name in p.defs and all(e.span is None for e in enums):
            return self.ctx.report("N011", span, name=name)  # a value of a type of the language's own, of which nothing is wanted here
        if len(enums) == 1:
            self.ctx.used.add(("type", enums[0].name))
            return EnumExpr(t.Enum(enums[0].name), span, enum=enums[0].name, name=name)
        if enums and aim is not None and not isinstance(aim, (t.Enum, t.Unknown)):
            return EnumExpr(t.Enum(enums[0].name), span, enum=enums[0].name, name=name)  # of no use here: the caller says so
        if isinstance(aim, t.Unknown):
            return OperationExpr("unknown", UNKNOWN, span)
        if enums:
            return self.ctx.report("N007", span, name=name, help="write " + " or ".join(f"`{e.name}.{name}`" for e in enums))
        if name in self.ctx.declared_below:
            return self.ctx.report("G024", span, name=name)
        if name in self.ctx.known_in_play:
            return self.ctx.report("T058", span)
        if name in self.ctx.dropped:
            return OperationExpr("unknown", UNKNOWN, span)
        if name in p.defs or name in p.windows:
            return self.ctx.report("N011" if name in p.defs else "N012", span, name=name)
        if name in self.ctx.named_types or name in p.records:
            return self.ctx.report("N001", span, name=name, kind="value", help=f"`{name}` is a type: {self.describe_type(name)}")
        if name in POWERS_ONLY:
            help = "it is known in the powers of a component" + (", in a zone that is one of several" if name == "here" else "")
            return self.ctx.report("N001", span, name=name, kind="value", help=help)
        ended = scope.outermost().declared.get(name)
        if ended is not None:
            labels = (Label(ended, "known to the end of the block around this only"),)
            help = "declare it with `var` before that block, and give it its value there"
            return self.ctx.report("N001", span, name=name, kind="value", labels=labels, help=help)
        if name in NAME_HINTS:
            write = f"write `{NAME_HINTS[name]}`"
            return self.ctx.report("N001", span, name=name, kind="value", help=write, fix=Fix(span, NAME_HINTS[name], write))
        if name in IDEA_HINTS:
            return self.ctx.report("N001", span, name=name, kind="value", help=IDEA_HINTS[name])
        of = next((c for c in p.classes.values() if name in c.attributes or name in c.mutable), None)
        if of is not None:
            locals_of = ((x, scope.find(x)) for x in scope.visible())
            held = next((x for x, at in locals_of if at is not None and isinstance(at.type, t.Component) and of.name in at.type.kinds), None)
            behind = f"{of.name[:1].lower()}.{name}" if held is None else f"{held}.{name}"
            return self.ctx.report("N001", span, name=name, kind="value", help=f"it is an attribute of a `{of.name}`: write `{behind}`")
        return self.ctx.report("N001", span, name=name, kind="value", **self.ctx.suggest(name, self.all_names(scope)))

    def describe_type(self, name: str) -> str:
        """How the values of a type that no name stands for are written."""
        if name in self.program.records:
            return f"a value of it is `{name}({', '.join(self.program.records[name].fields)})`"
        kind = self.ctx.known_types.get(name)
        return f"write its values, `{kind}`" if isinstance(kind, t.Int) else f"only types are called so; it stands for `{kind}`"

    def local(self, local: LocalName, span: Span) -> X:
        return LocalExpr(local.type, span, slot=local.slot)

    def ids_of(self, kind: str) -> list[str]:
        return [i for i, _, _ in self.program.classes[kind].rows if i is not None]

    def global_name(self, name: str, span: Span) -> X | None:
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
            return EnumValuesExpr(t.list_of(t.Enum(name), True), span, enum=name)
        if name in p.classes:
            self.ctx.used.add(("component", name))
            return ClassExpr(t.list_of(t.Component(frozenset([name])), False), span, kind=name)
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
                return BoardCellsExpr(t.list_of(t.Cell(b.name, b.cell), True), span, board=b.name)
        return None

    def zone_named(self, name: str, span: Span) -> X:
        """A zone, or all zones of a name that is declared `per` something."""
        self.ctx.used.add(("zone", name))
        z = self.program.zones[name]
        if not z.kinds:  # what it holds is unknown, which is reported already
            return OperationExpr("unknown", UNKNOWN, span)
        return ZoneExpr(t.Zone(z.kinds, z.order) if z.key is None else t.Family(name, z.key, z.kinds), span, name=name)

    def stacks(self, x: X) -> X | None:
        """The stacks on the cells of a board, or none if it has none: `b[c]` is one of them, `b` alone the board."""
        if isinstance(x.type, t.Board) and x.type.name in self.program.zones:
            return self.zone_named(x.type.name, x.span)
        return None

    def all_names(self, scope: Scope) -> list[str]:
        p = self.program
        names = [*scope.visible(), *p.params, *p.vars, *p.zones, *p.boards, "players", *p.enums, *p.classes, *p.defs]
        names += [v for e in p.enums.values() for v in e.values] + [i for k in p.classes for i in self.ids_of(k)]
        return names

    # ------------------------------------------------------------ new names
    def check_new_name(self, name: str, span: Span, scope: Scope, changing: bool = False) -> None:
        """A local may not hide anything: whoever reads the text would think of the other. One that is `changing` begins lines."""
        if is_reserved(name, "changing" if changing else "value"):
            self.ctx.report("N014", span, name=name)
            return
        other = None if name == "_" else "a local" if scope.find(name) else self.describe(name)
        if other is not None:
            self.ctx.report("N005", span, name=name, other=other)

    def describe(self, name: str) -> str | None:
        """What a name stands for everywhere, in words."""
        p = self.program
        tables: tuple[tuple[str, Container[str]], ...] = (
            ("a parameter", p.params), ("state", p.vars), ("a zone", p.zones), ("a board", p.boards), ("a definition", p.defs),
            ("a window", p.windows), ("a component", p.classes), ("a type", p.enums), ("a type", p.records),
            ("the list of all players", ("players",)),
        )  # fmt: skip
        return next((words for words, table in tables if name in table), None)

    def window(self, name: str, span: Span) -> Proc | None:
        p = self.program
        self.ctx.observer.window(name, span)
        if name not in p.windows:
            self.ctx.report("N013", span, name=name, **self.ctx.suggest(name, list(p.windows)))
            return None
        self.ctx.used.add(("window", name))
        return p.windows[name]
