"""The reference evaluator, expressions: each typed node becomes a function of the machine and the locals of a frame.

This is the meaning of the language's expressions, one row an operation. Everything is checked: what the type checker could not prove is
tested here and faults at the author's line.
"""

from __future__ import annotations

from croupier.runtime.callables import Locals, Run
from croupier.runtime.compiler import Compiler, ExpressionRow
from croupier.runtime.contents import GRAIN, flat, known_at, size
from croupier.runtime.faults import Fault, Unseen
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine
from croupier.runtime.wording import counted, listed
from croupier.semantics import types as t
from croupier.semantics.flow import is_state
from croupier.semantics.tree import MOVED, X


def _expr_narrow(ctx: Compiler, x: X) -> Run:
    return ctx.expr(x.args[0])


def _of_kind(ctx: Compiler, x: X, wanted: bool) -> Run:
    target = ctx.expr(x.args[0])
    table = [(p.kind == x.data) == wanted for p in ctx.game.pieces]
    return lambda m, L: table[target(m, L)]


def _expr_is_kind(ctx: Compiler, x: X) -> Run:
    return _of_kind(ctx, x, True)


def _expr_is_other(ctx: Compiler, x: X) -> Run:
    return _of_kind(ctx, x, False)


# ------------------------------------------------------------ values


def fixed(ctx: Compiler, value: Value) -> Run:
    """What is known beforehand."""
    return lambda m, L: value


def _expr_const(ctx: Compiler, x: X) -> Run:
    return fixed(ctx, x.data)


def _expr_enum(ctx: Compiler, x: X) -> Run:
    return fixed(ctx, ctx.game.enum_values[x.data[0]][x.data[1]])


def _expr_component(ctx: Compiler, x: X) -> Run:
    return fixed(ctx, ctx.game.by_id[x.data])


def _expr_labelled(ctx: Compiler, x: X) -> Run:
    found = [i for i in ctx.game.by_label.get(x.data, []) if isinstance(x.type, t.Component) and ctx.game.pieces[i].kind in x.type.kinds]
    if not found:
        raise Fault("R022", x.span, label=x.data)
    return fixed(ctx, found[0])


def _expr_copies(ctx: Compiler, x: X) -> Run:
    one, game = ctx.expr(x.args[0]), ctx.game
    return lambda m, L: game.alike.copies[one(m, L)]


def _expr_cell(ctx: Compiler, x: X) -> Run:
    board = ctx.game.boards[x.data[0]]
    return fixed(ctx, board.names.index(x.data[1]))


def _expr_param(ctx: Compiler, x: X) -> Run:
    return fixed(ctx, ctx.game.parameters[x.data])


def _expr_players(ctx: Compiler, x: X) -> Run:
    return fixed(ctx, tuple(range(ctx.game.players)))


def _expr_enum_values(ctx: Compiler, x: X) -> Run:
    return fixed(ctx, tuple(range(len(ctx.game.program.enums[x.data].values))))


def _expr_class(ctx: Compiler, x: X) -> Run:
    first, count = ctx.game.kinds[x.data]
    return fixed(ctx, tuple(range(first, first + count)))


def _expr_board(ctx: Compiler, x: X) -> Run:
    return fixed(ctx, x.data)


def _expr_local(ctx: Compiler, x: X) -> Run:
    slot = x.data
    return lambda m, L: L[slot]


def expr_state(ctx: Compiler, x: X) -> Run:
    """The value of a state variable."""
    i = ctx.game.program.vars[x.data].index
    return lambda m, L: m.vars[i]


def _expr_text(ctx: Compiler, x: X) -> Run:
    parts, game = x.data, ctx.game
    runs = [(ctx.expr(a), ctx.masked(a), a.type, is_state(a), a.op == "local" and a.data == MOVED) for a in x.args]

    def part(m: Machine, L: Locals, plain: Run, masked: Run, kind: t.Type, told: bool, moved: bool) -> str:
        eyes = m.seen
        try:
            value = (plain if eyes is None else masked)(m, L)
            m.seen = None if told else eyes  # whoever may read the state knows which component it names
            if moved and isinstance(kind, t.Collection):
                return listed(counted([game.show(v, kind.base, m) for v in value]))
            return str(value) if isinstance(kind, t.Text) else game.show(value, kind, m)
        except Unseen:
            return "…"
        finally:
            m.seen = eyes

    def run(m: Machine, L: Locals) -> Value:
        fresh = iter(runs)
        return "".join([part(m, L, *next(fresh)) if p is None else p for p in parts])

    return run


# ------------------------------------------------------------ zones


def _expr_zone(ctx: Compiler, x: X) -> Run:
    first, _ = ctx.game.family[x.data]
    return fixed(ctx, x.data if isinstance(x.type, t.Family) else first)


def _expr_zone_at(ctx: Compiler, x: X) -> Run:
    first, _ = ctx.game.family[x.data]
    kind = ctx.game.program.zones[x.data].key
    assert kind is not None
    low, _ = ctx.game.domain(kind)
    key, span = ctx.expr(x.args[0]), x.span
    shift, count = first - low, ctx.game.family[x.data][1]

    def run(m: Machine, L: Locals) -> Value:
        k = key(m, L)
        if not 0 <= k - low < count:
            raise Fault("R002", span, value=k, type=kind)
        return shift + k

    return run


def expr_zone_list(ctx: Compiler, x: X) -> Run:
    """The components of a zone, bottom to top."""
    zone, span = ctx.expr(x.args[0]), x.span

    def run(m: Machine, L: Locals) -> Value:
        items = flat(m.zones[zone(m, L)])
        if len(items) >= GRAIN:
            m.spend(len(items) // GRAIN, span)
        return items

    return run


def expr_family_list(ctx: Compiler, x: X) -> Run:
    """The components of all zones of a family."""
    if x.args[0].op != "zone":
        raise AssertionError(x)
    (first, count), span = ctx.game.family[x.args[0].data], x.span

    def run(m: Machine, L: Locals) -> Value:
        out: list[int] = []
        for z in m.zones[first : first + count]:
            out.extend(flat(z))
        if count + len(out) >= GRAIN:
            m.spend((count + len(out)) // GRAIN, span)
        return tuple(out)

    return run


def _expr_zone_item(ctx: Compiler, x: X) -> Run:
    zone, index, span, game = ctx.expr(x.args[0]), ctx.expr(x.args[1]), x.span, ctx.game

    def run(m: Machine, L: Locals) -> Value:
        items, i = m.zones[zone(m, L)], index(m, L)
        if not 1 <= i <= size(items):
            raise Fault("R005", span, index=i, size=size(items))
        return known_at(items, i - 1, span, game.places[zone(m, L)].zone)

    return run


# ------------------------------------------------------------ attributes


def _expr_attr(ctx: Compiler, x: X) -> Run:
    target, name, pieces = ctx.expr(x.args[0]), x.data, ctx.game.pieces
    table = [p.attributes.get(name) for p in pieces]
    return lambda m, L: table[target(m, L)]


def _expr_mutable(ctx: Compiler, x: X) -> Run:
    target, (first, _) = ctx.expr(x.args[0]), ctx.game.kinds[x.data.split(".")[0]]
    i = ctx.game.program.vars[x.data].index
    return lambda m, L: m.vars[i][target(m, L) - first]


def _expr_field(ctx: Compiler, x: X) -> Run:
    target = ctx.expr(x.args[0])
    i = list(ctx.game.program.records[x.data[0]].fields).index(x.data[1])
    return lambda m, L: target(m, L)[i]


def _expr_column(ctx: Compiler, x: X) -> Run:
    target, table = ctx.expr(x.args[0]), ctx.game.columns[x.data]
    return lambda m, L: table[target(m, L)]


EXPRESSIONS: dict[str, ExpressionRow] = {
    "narrow": _expr_narrow,
    "is_kind": _expr_is_kind,
    "is_other": _expr_is_other,
    "const": _expr_const,
    "enum": _expr_enum,
    "component": _expr_component,
    "labelled": _expr_labelled,
    "copies": _expr_copies,
    "cell": _expr_cell,
    "param": _expr_param,
    "players": _expr_players,
    "enum_values": _expr_enum_values,
    "class": _expr_class,
    "board": _expr_board,
    "local": _expr_local,
    "state": expr_state,
    "text": _expr_text,
    "zone": _expr_zone,
    "zone_at": _expr_zone_at,
    "zone_list": expr_zone_list,
    "family_list": expr_family_list,
    "zone_item": _expr_zone_item,
    "attr": _expr_attr,
    "mutable": _expr_mutable,
    "field": _expr_field,
    "column": _expr_column,
    "zone_all": expr_zone_list,
}
