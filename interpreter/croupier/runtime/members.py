"""The reference evaluator: attributes and methods of collections and zones."""

from __future__ import annotations

from croupier.kernel import types as t
from croupier.kernel.tree import OperationExpr, TypedExpr, zone_name
from croupier.runtime.compiler import Compiler, ExpressionRow, MemberRow
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import Locals, Machine, Run
from croupier.runtime.operators import charged
from croupier.runtime.values import expr_family_list, expr_zone_list, fixed
from croupier.runtime.zone_contents import GRAIN, flat, size

IN_ORDER = ("first", "last", "take", "drop", "position", "reversed")


# ------------------------------------------------------------ members of collections


def sequence(ctx: Compiler, x: TypedExpr) -> Run:
    """The walked value, whatever kind it is."""
    kind = x.type
    if isinstance(kind, t.Zone):
        return expr_zone_list(ctx, OperationExpr("zone_list", kind, x.span, (x,)))
    if isinstance(kind, t.Family):
        return expr_family_list(ctx, OperationExpr("family_list", kind, x.span, (x,)))
    return ctx.expr(x)


def sequence_in_order(ctx: Compiler, x: TypedExpr) -> Run:
    """The contents of a zone or of a family, where their order matters: a fault if it is not known."""
    kind, game, span = x.type, ctx.game, x.span
    if isinstance(kind, t.Family):
        first, count = game.zone_ranges[zone_name(x)]
        zones: Run = fixed(ctx, tuple(range(first, first + count)))
    else:
        zone = ctx.expr(x)
        zones = lambda m, L: (zone(m, L),)  # noqa: E731

    def run(m: Machine, L: Locals) -> Value:
        out: list[int] = []
        for z in zones(m, L):
            items = m.zones[z]
            if any(type(i) is tuple for i in items):
                raise Fault("R008", span, zone=game.zones[z].family)
            out.extend(items)
        if len(out) >= GRAIN:
            m.spend(len(out) // GRAIN, span)
        return tuple(out)

    return run


def _member_size(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    return lambda m, L: len(items(m, L))


def _member_empty(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    return lambda m, L: not items(m, L)


def _member_first(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        v = items(m, L)
        return v[0] if v else None

    return run


def _member_last(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        v = items(m, L)
        return v[-1] if v else None

    return run


def _member_reversed(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    return lambda m, L: items(m, L)[::-1]


def _member_list(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    return items


def _member_all_equal(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    return lambda m, L: len(set(items(m, L))) <= 1


def _member_all_different(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        v = items(m, L)
        return len(set(v)) == len(v)

    return run


def _member_distinct(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    return lambda m, L: tuple(dict.fromkeys(items(m, L)))


def _member_take(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    n = ctx.expr(x.args[1])
    return lambda m, L: items(m, L)[: max(0, n(m, L))]


def _member_drop(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    n = ctx.expr(x.args[1])
    return lambda m, L: items(m, L)[max(0, n(m, L)) :]


def _member_times(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    v = ctx.expr(x.args[1])
    return lambda m, L: items(m, L).count(v(m, L))


def _member_position(ctx: Compiler, items: Run, x: TypedExpr) -> Run:
    v = ctx.expr(x.args[1])

    def run(m: Machine, L: Locals) -> Value:
        xs, wanted = items(m, L), v(m, L)
        return xs.index(wanted) + 1 if wanted in xs else None

    return run


# ------------------------------------------------------------ zones


def _expr_zone_size(ctx: Compiler, x: TypedExpr) -> Run:
    zone, span = ctx.expr(x.args[0]), x.span

    def run(m: Machine, L: Locals) -> Value:
        items = m.zones[zone(m, L)]
        if len(items) >= GRAIN:
            m.spend(len(items) // GRAIN, span)
        return size(items)

    return run


def _expr_zone_empty(ctx: Compiler, x: TypedExpr) -> Run:
    zone = ctx.expr(x.args[0])
    return lambda m, L: not m.zones[zone(m, L)]


def _end_of_zone(ctx: Compiler, x: TypedExpr, at: int) -> Run:
    zone, span, zones = ctx.expr(x.args[0]), x.span, ctx.game.zones

    def run(m: Machine, L: Locals) -> Value:
        z = zone(m, L)
        items = m.zones[z]
        if not items:
            return None
        if type(items[at]) is tuple:
            raise Fault("R008", span, zone=zones[z].family)
        return items[at]

    return run


def _expr_zone_top(ctx: Compiler, x: TypedExpr) -> Run:
    return _end_of_zone(ctx, x, -1)


def _expr_zone_bottom(ctx: Compiler, x: TypedExpr) -> Run:
    return _end_of_zone(ctx, x, 0)


def _expr_zone_above(ctx: Compiler, x: TypedExpr) -> Run:
    (zone, n), span, zones = ctx.exprs(x.args), x.span, ctx.game.zones

    def run(m: Machine, L: Locals) -> Value:
        z, least = zone(m, L), max(0, n(m, L))
        items = m.zones[z]
        m.spend(len(items) // GRAIN, span)
        at = 0
        for i in items:
            at += len(i) if type(i) is tuple else 1
            if type(i) is tuple and at > least:
                raise Fault("R008", span, zone=zones[z].family)
        return flat(items)[least:]

    return run


def _expr_zone_room(ctx: Compiler, x: TypedExpr) -> Run:
    zone, zones, everything = ctx.expr(x.args[0]), ctx.game.zones, len(ctx.game.components)

    def run(m: Machine, L: Locals) -> Value:
        z = zone(m, L)
        capacity = zones[z].capacity
        return max(0, (everything if capacity is None else capacity) - size(m.zones[z]))

    return run


def _expr_zone_shuffled(ctx: Compiler, x: TypedExpr) -> Run:
    zone = ctx.expr(x.args[0])
    return lambda m, L: any(type(i) is tuple for i in m.zones[zone(m, L)])


def _expr_family_key(ctx: Compiler, x: TypedExpr) -> Run:
    name = zone_name(x.args[0])
    (first, count), c, zones = ctx.game.zone_ranges[name], ctx.expr(x.args[1]), ctx.game.zones

    def run(m: Machine, L: Locals) -> Value:
        z = m.where[c(m, L)]
        return zones[z].key if first <= z < first + count else None

    return run


def _expr_component_owner(ctx: Compiler, x: TypedExpr) -> Run:
    c, zones = ctx.expr(x.args[0]), ctx.game.zones

    def run(m: Machine, L: Locals) -> Value:
        z = m.where[c(m, L)]
        return zones[z].owner if z >= 0 else None

    return run


def member(ctx: Compiler, x: TypedExpr, head: str, name: str) -> Run:
    """A member of a sequence: by its row for the kind of sequence, if there is one, else by that of the
    values that the sequence holds.
    """
    special = ctx.rows.expressions.get(f"{head}_{name}")
    stored = head in ("list", "set", "bag")
    if special is not None or (stored and name in ("size", "empty", "first", "last")):
        if special is not None:
            return ctx.rows.expressions[f"{head}_{name}"](ctx, x)
        return MEMBERS[name](ctx, sequence(ctx, x.args[0]), x)
    if stored:
        return MEMBERS[name](ctx, charged(ctx, ctx.expr(x.args[0]), x), x)
    walked = sequence_in_order if head in ("zone", "family") and name in IN_ORDER else sequence
    return MEMBERS[name](ctx, walked(ctx, x.args[0]), x)


EXPRESSIONS: dict[str, ExpressionRow] = {
    "zone_size": _expr_zone_size,
    "zone_empty": _expr_zone_empty,
    "zone_top": _expr_zone_top,
    "zone_bottom": _expr_zone_bottom,
    "zone_above": _expr_zone_above,
    "zone_room": _expr_zone_room,
    "zone_shuffled": _expr_zone_shuffled,
    "family_key": _expr_family_key,
    "component_owner": _expr_component_owner,
    "zone_last": _expr_zone_top,
    "zone_first": _expr_zone_bottom,
}


MEMBERS: dict[str, MemberRow] = {
    "size": _member_size,
    "empty": _member_empty,
    "first": _member_first,
    "last": _member_last,
    "reversed": _member_reversed,
    "list": _member_list,
    "all_equal": _member_all_equal,
    "all_different": _member_all_different,
    "distinct": _member_distinct,
    "take": _member_take,
    "drop": _member_drop,
    "times": _member_times,
    "position": _member_position,
}
