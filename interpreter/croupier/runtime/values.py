"""The reference evaluator, expressions: each typed node becomes a function of the machine and the locals of a
frame.

This is the meaning of the language's expressions, one row an operation. Everything is checked: what the type
checker could not prove is tested here and faults at the author's line.
"""

from __future__ import annotations

from croupier.kernel import types as t
from croupier.kernel.tree import (
    MOVED,
    AttributeExpr,
    BoardExpr,
    CellExpr,
    ColumnExpr,
    ComponentExpr,
    ConstExpr,
    DomainExpr,
    EnumExpr,
    FieldExpr,
    IsKindExpr,
    LabelledExpr,
    LocalExpr,
    MutableExpr,
    ParamExpr,
    StateEntryExpr,
    StateExpr,
    TextExpr,
    TypedExpr,
    ZoneExpr,
    of_form,
)
from croupier.runtime.compiler import Compiler, ExpressionRow
from croupier.runtime.faults import Fault, Redacted
from croupier.runtime.game import Value
from croupier.runtime.machine import Locals, Machine, Run
from croupier.runtime.wording import counted
from croupier.runtime.zone_contents import GRAIN, flat, known_at, size
from croupier.semantics.call_effects import is_state
from croupier.text import HIDDEN, Part, Text, listed


def _expr_is_kind(ctx: Compiler, x: IsKindExpr) -> Run:
    target = ctx.expr(x.args[0])
    table = [(p.kind == x.kind) == x.wanted for p in ctx.game.components]
    return lambda m, L: table[target(m, L)]


# ------------------------------------------------------------ values


def fixed(value: Value) -> Run:
    """Return a function that gives a value known beforehand."""
    return lambda m, L: value


def _expr_labelled(ctx: Compiler, x: LabelledExpr) -> Run:
    found = [
        i
        for i in ctx.game.by_label.get(x.label, [])
        if isinstance(x.type, t.Component) and ctx.game.components[i].kind in x.type.kinds
    ]
    if not found:
        raise Fault("R022", x.span, label=x.label)
    return fixed(found[0])


def _expr_copies(ctx: Compiler, x: TypedExpr) -> Run:
    one, game = ctx.expr(x.args[0]), ctx.game
    return lambda m, L: game.alike.copies[one(m, L)]


def _expr_cell(ctx: Compiler, x: CellExpr) -> Run:
    board = ctx.game.boards[x.board]
    return fixed(board.names.index(x.name))


def _expr_domain(ctx: Compiler, x: TypedExpr) -> Run:
    """All values of a type."""
    assert isinstance(x.type, t.Collection)
    first, count = ctx.game.domain(x.type.base)
    return fixed(tuple(range(first, first + count)))


def _expr_local(ctx: Compiler, x: LocalExpr) -> Run:
    slot = x.slot
    return lambda m, L: L[slot]


def _expr_state(ctx: Compiler, x: StateExpr) -> Run:
    """The value of a state variable."""
    i = ctx.game.program.vars[x.name].index
    return lambda m, L: m.vars[i]


def _expr_text(ctx: Compiler, x: TextExpr) -> Run:
    parts, game = x.parts, ctx.game
    runs = [
        (ctx.expr(a), ctx.redacted_expr(a), a.type, is_state(a), isinstance(a, LocalExpr) and a.slot == MOVED)
        for a in x.args
    ]

    def part(m: Machine, L: Locals, run: Run, redacted: Run, kind: t.Type, told: bool, moved: bool) -> Part:
        observer = m.observer
        try:
            value = (run if observer is None else redacted)(m, L)
            # whoever may read the state knows which component it names
            m.observer = None if told else observer
            if moved and isinstance(kind, t.Collection):
                return listed(counted([game.show(v, kind.base, m) for v in value]))
            return game.show(value, kind, m)
        except Redacted:
            return HIDDEN
        finally:
            m.observer = observer

    def run(m: Machine, L: Locals) -> Value:
        fresh = iter(runs)
        return Text.of(*[part(m, L, *next(fresh)) if p is None else p for p in parts])

    return run


# ------------------------------------------------------------ zones


def _expr_zone(ctx: Compiler, x: ZoneExpr) -> Run:
    first, _ = ctx.game.zone_ranges[x.name]
    return fixed(x.name if isinstance(x.type, t.Family) else first)


def _expr_zone_at(ctx: Compiler, x: ZoneExpr) -> Run:
    first, _ = ctx.game.zone_ranges[x.name]
    kind = ctx.game.program.zones[x.name].key
    assert kind is not None
    low, _ = ctx.game.domain(kind)
    key, span = ctx.expr(x.args[0]), x.span
    shift, count = first - low, ctx.game.zone_ranges[x.name][1]

    def run(m: Machine, L: Locals) -> Value:
        k = key(m, L)
        if not 0 <= k - low < count:
            raise Fault("R002", span, value=k, type=kind)
        return shift + k

    return run


def expr_zone_list(ctx: Compiler, x: TypedExpr) -> Run:
    """The components of a zone, bottom to top."""
    zone, span = ctx.expr(x.args[0]), x.span

    def run(m: Machine, L: Locals) -> Value:
        items = flat(m.zones[zone(m, L)])
        if len(items) >= GRAIN:
            m.spend(len(items) // GRAIN, span)
        return items

    return run


def expr_family_list(ctx: Compiler, x: TypedExpr) -> Run:
    """The components of all zones of a family."""
    if not isinstance(x.args[0], ZoneExpr):
        raise AssertionError(x)
    (first, count), span = ctx.game.zone_ranges[x.args[0].name], x.span

    def run(m: Machine, L: Locals) -> Value:
        out: list[int] = []
        for z in m.zones[first : first + count]:
            out.extend(flat(z))
        if count + len(out) >= GRAIN:
            m.spend((count + len(out)) // GRAIN, span)
        return tuple(out)

    return run


def _expr_zone_item(ctx: Compiler, x: TypedExpr) -> Run:
    zone, index, span, game = ctx.expr(x.args[0]), ctx.expr(x.args[1]), x.span, ctx.game

    def run(m: Machine, L: Locals) -> Value:
        items, i = m.zones[zone(m, L)], index(m, L)
        if not 1 <= i <= size(items):
            raise Fault("R005", span, index=i, size=size(items))
        return known_at(items, i - 1, span, game.zones[zone(m, L)].family)

    return run


# ------------------------------------------------------------ attributes


def _expr_attr(ctx: Compiler, x: AttributeExpr) -> Run:
    target, name, components = ctx.expr(x.args[0]), x.name, ctx.game.components
    table = [p.attributes.get(name) for p in components]
    return lambda m, L: table[target(m, L)]


def _expr_mutable(ctx: Compiler, x: MutableExpr) -> Run:
    target, (first, _) = ctx.expr(x.args[0]), ctx.game.kinds[x.name.split(".")[0]]
    i = ctx.game.program.vars[x.name].index
    return lambda m, L: m.vars[i][target(m, L) - first]


def _expr_field(ctx: Compiler, x: FieldExpr) -> Run:
    target = ctx.expr(x.args[0])
    i = list(ctx.game.program.records[x.record].fields).index(x.name)
    return lambda m, L: target(m, L)[i]


def _expr_column(ctx: Compiler, x: ColumnExpr) -> Run:
    target, table = ctx.expr(x.args[0]), ctx.game.columns[(x.enum, x.name)]
    return lambda m, L: table[target(m, L)]


EXPRESSIONS: dict[str, ExpressionRow] = {
    "narrow": lambda ctx, x: ctx.expr(x.args[0]),
    **dict.fromkeys(IsKindExpr.WORDS, of_form(IsKindExpr, _expr_is_kind)),
    "const": of_form(ConstExpr, lambda ctx, x: fixed(x.value)),
    "enum": of_form(EnumExpr, lambda ctx, x: fixed(ctx.game.enum_values[x.enum][x.name])),
    "component": of_form(ComponentExpr, lambda ctx, x: fixed(ctx.game.by_id[x.kind, x.name])),
    "labelled": of_form(LabelledExpr, _expr_labelled),
    "copies": _expr_copies,
    "cell": of_form(CellExpr, _expr_cell),
    "param": of_form(ParamExpr, lambda ctx, x: fixed(ctx.game.parameters[x.name])),
    **dict.fromkeys(("players", "board.cells", *DomainExpr.WORDS), _expr_domain),
    "board": of_form(BoardExpr, lambda ctx, x: fixed(x.name)),
    "local": of_form(LocalExpr, _expr_local),
    "state": of_form(StateExpr, _expr_state),
    "state_entry": of_form(StateEntryExpr, _expr_state),  # of which one entry is read: that is what is tested
    "text": of_form(TextExpr, _expr_text),
    "zone": of_form(ZoneExpr, _expr_zone),
    "zone_at": of_form(ZoneExpr, _expr_zone_at),
    "zone_list": expr_zone_list,
    "family_list": expr_family_list,
    "zone_item": _expr_zone_item,
    "attr": of_form(AttributeExpr, _expr_attr),
    "mutable": of_form(MutableExpr, _expr_mutable),
    "field": of_form(FieldExpr, _expr_field),
    "column": of_form(ColumnExpr, _expr_column),
    "zone_all": expr_zone_list,
}
