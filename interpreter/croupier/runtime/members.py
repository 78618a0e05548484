"""The reference evaluator: attributes and methods of collections and zones."""

from __future__ import annotations

from functools import partial

from croupier.kernel import types as t
from croupier.kernel.tree import OperationExpr, TypedExpr, zone_name
from croupier.runtime.compiler import Compiler, ExpressionRow, Operation, of_operands
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import Locals, Machine, Run
from croupier.runtime.operators import charged
from croupier.runtime.values import expr_family_list, expr_zone_list, fixed
from croupier.runtime.zone_contents import GRAIN, flat, size

SEQUENCES = ("list", "set", "bag", "zone", "family")
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
        zones: Run = fixed(tuple(range(first, first + count)))
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


def _end(items: Run, at: int) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        v = items(m, L)
        return v[at] if v else None

    return run


def _all_different(items: Run) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        v = items(m, L)
        return len(set(v)) == len(v)

    return run


def _position(items: Run, value: Run) -> Run:
    def run(m: Machine, L: Locals) -> Value:
        xs, wanted = items(m, L), value(m, L)
        return xs.index(wanted) + 1 if wanted in xs else None

    return run


# What a member is of the items, and of its arguments.
MEMBERS: dict[str, Operation] = {
    "size": lambda items: lambda m, L: len(items(m, L)),
    "empty": lambda items: lambda m, L: not items(m, L),
    "first": partial(_end, at=0),
    "last": partial(_end, at=-1),
    "reversed": lambda items: lambda m, L: items(m, L)[::-1],
    "all_equal": lambda items: lambda m, L: len(set(items(m, L))) <= 1,
    "all_different": _all_different,
    "distinct": lambda items: lambda m, L: tuple(dict.fromkeys(items(m, L))),
    "take": lambda items, n: lambda m, L: items(m, L)[: max(0, n(m, L))],
    "drop": lambda items, n: lambda m, L: items(m, L)[max(0, n(m, L)) :],
    "times": lambda items, value: lambda m, L: items(m, L).count(value(m, L)),
    "position": _position,
}


# ------------------------------------------------------------ zones


def _expr_zone_size(ctx: Compiler, x: TypedExpr) -> Run:
    zone, span = ctx.expr(x.args[0]), x.span

    def run(m: Machine, L: Locals) -> Value:
        items = m.zones[zone(m, L)]
        if len(items) >= GRAIN:
            m.spend(len(items) // GRAIN, span)
        return size(items)

    return run


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


def _member(ctx: Compiler, x: TypedExpr, head: str, name: str) -> Run:
    """A member of a sequence by the values that the sequence holds."""
    source = x.args[0]
    if head in ("zone", "family"):
        items = sequence_in_order(ctx, source) if name in IN_ORDER else sequence(ctx, source)
    elif name in ("size", "empty", "first", "last"):
        items = sequence(ctx, source)
    else:
        items = charged(ctx.expr(source), x)
    return MEMBERS[name](items, *ctx.exprs(x.args[1:]))


EXPRESSIONS: dict[str, ExpressionRow] = {
    **{f"{head}.{name}": partial(_member, head=head, name=name) for head in SEQUENCES for name in MEMBERS},
    "zone.list": expr_zone_list,
    "family.list": expr_family_list,
    "zone.size": _expr_zone_size,
    "zone.empty": of_operands(lambda zone: lambda m, L: not m.zones[zone(m, L)]),
    "zone.above": _expr_zone_above,
    "zone.room": _expr_zone_room,
    "zone.shuffled": of_operands(
        lambda zone: lambda m, L: any(type(i) is tuple for i in m.zones[zone(m, L)])
    ),
    "family.key": _expr_family_key,
    "component.owner": _expr_component_owner,
    **dict.fromkeys(("zone.top", "zone.last"), partial(_end_of_zone, at=-1)),
    **dict.fromkeys(("zone.bottom", "zone.first"), partial(_end_of_zone, at=0)),
}
