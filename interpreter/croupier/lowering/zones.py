"""Zones: their contents, and who holds a component."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, eq, le, lt, not_, select, sub
from croupier.core.operations import Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import TypedExpr, ZoneExpr, zone_name
from croupier.lowering.context import Context, Operand, as_word
from croupier.lowering.expressions import index_of_key
from croupier.lowering.operands import form, rule, word
from croupier.lowering.shapes import Items, NotLowered, Word


def may_be_loose(c: Context, x: TypedExpr) -> bool:
    """Return whether a zone, or one of a family, may have an unordered part."""
    if not c.shuffles:
        return False
    if isinstance(x, ZoneExpr):
        first, _ = c.game.zone_ranges[x.name]
        return c.game.zones[first].order not in ("set", "bag")
    return True


@form(ZoneExpr)
def _zone(c: Context, x: ZoneExpr) -> Operand:
    if isinstance(x.type, t.Family):
        raise NotLowered("a family of zones as a value", x.span)
    first, _ = c.game.zone_ranges[x.name]
    if x.key is None:
        return const(first)
    kind = c.game.program.zones[x.name].key
    assert kind is not None
    return add(index_of_key(c, x.key, kind), const(first))


def in_order(c: Context, x: TypedExpr) -> None:
    """Guard that the order of a zone, or of a family, is known."""
    if not may_be_loose(c, x):
        return
    w = c.w

    def test(z: Expression) -> None:
        with w.count(const(0), op.Length(z)) as i:
            w.guard(eq(op.Loose(z, i), FALSE))

    if isinstance(x.type, t.Family):
        first, count = c.game.zone_ranges[zone_name(x)]
        with w.count(const(first), const(first + count)) as z:
            test(z)
    else:
        test(w.temp(word(c, x)))


def total(c: Context, x: TypedExpr) -> Expression:
    """The number of components in a zone or family."""
    if not isinstance(x.type, t.Family):
        return op.Length(word(c, x))
    first, count = c.game.zone_ranges[zone_name(x)]
    if count <= 6:
        found: Expression = FALSE
        for z in range(first, first + count):
            found = add(found, op.Length(const(z)))
        return found
    name = c.w.variable(FALSE)
    with c.w.count(const(first), const(first + count)) as zone:
        c.w.set(name, add(Local(name), op.Length(zone)))
    return Local(name)


@rule("zone.size", "family.size")
def _size(c: Context, x: TypedExpr) -> Operand:
    return total(c, x.args[0])


@rule("zone.empty", "family.empty")
def _empty(c: Context, x: TypedExpr) -> Operand:
    return eq(total(c, x.args[0]), const(0))


@rule("zone.top", "zone.last", "zone.bottom", "zone.first")
def _end(c: Context, x: TypedExpr) -> Operand:
    w, top = c.w, x.op in ("zone.top", "zone.last")
    z = w.temp(word(c, x.args[0]))
    n = w.temp(op.Length(z), "n")
    at = sub(n, TRUE) if top else const(0)
    if may_be_loose(c, x.args[0]):
        beside = sub(n, const(2)) if top else const(0)
        w.when(lt(TRUE, n), lambda: w.guard(eq(op.Loose(z, beside), FALSE)))
    found = w.temp(select(eq(n, FALSE), NONE, op.Element(z, at)))
    if not isinstance(x.type, t.Optional):
        w.guard(not_(eq(found, NONE)))
    return found


@rule("family.first", "family.last")
def _family_end(c: Context, x: TypedExpr) -> Operand:
    in_order(c, x.args[0])
    first, count = c.game.zone_ranges[zone_name(x.args[0])]
    w, found = c.w, c.w.variable(NONE)
    from_first = x.op == "family.first"
    with w.count(const(first), const(first + count)) as i:
        z = i if from_first else sub(const(2 * first + count - 1), i)
        end = op.Element(z, FALSE if from_first else sub(op.Length(z), TRUE))
        w.leave_if(lt(FALSE, op.Length(z)), lambda: w.set(found, end))
    return Local(found)


@rule("zone_item")
def _zone_item(c: Context, x: TypedExpr) -> Operand:
    w = c.w
    z, i = w.temp(word(c, x.args[0])), w.temp(word(c, x.args[1]))
    w.guard(and_(le(TRUE, i), le(i, op.Length(z))))
    if may_be_loose(c, x.args[0]):
        w.guard(not_(eq(op.Loose(z, sub(i, TRUE)), TRUE)))
        w.when(lt(TRUE, i), lambda: w.guard(eq(op.Loose(z, sub(i, const(2))), FALSE)))
    return op.Element(z, sub(i, TRUE))


@rule("zone.above")
def _above(c: Context, x: TypedExpr) -> Operand:
    w = c.w
    z, n = w.temp(word(c, x.args[0])), w.temp(word(c, x.args[1]))
    least = w.temp(select(lt(n, FALSE), FALSE, n))
    size = w.temp(op.Length(z), "n")
    into = c.empty_list(Items("list", len(c.game.components), Word()))
    if may_be_loose(c, x.args[0]):  # no unordered part may reach above the lowest n
        with w.count(FALSE, size) as i:
            w.guard(not_(and_(eq(op.Loose(z, i), TRUE), le(least, add(i, TRUE)))))
    with w.count(least, size) as i:
        c.push(op.Element(z, i), into)
    return into


@rule("zone.room")
def _room(c: Context, x: TypedExpr) -> Operand:
    z = c.w.temp(word(c, x.args[0]))
    everything = len(c.game.components)
    capacity = c.words([everything if p.capacity is None else p.capacity for p in c.game.zones], z)
    left = c.w.temp(sub(capacity, op.Length(z)))
    return select(lt(left, FALSE), FALSE, left)


@rule("zone.shuffled")
def _shuffled(c: Context, x: TypedExpr) -> Operand:
    w, z, found = c.w, c.w.temp(word(c, x.args[0])), c.w.variable(FALSE)
    if may_be_loose(c, x.args[0]):
        with w.count(TRUE, op.Length(z)) as i:
            w.leave_if(eq(op.Loose(z, sub(i, TRUE)), TRUE), lambda: w.set(found, TRUE))
    return Local(found)


@rule("family.key")
def _key(c: Context, x: TypedExpr) -> Operand:
    first, count = c.game.zone_ranges[zone_name(x.args[0])]
    z = c.w.temp(op.Load("where", word(c, x.args[1])))
    keys = [zone.key for zone in c.game.zones[first : first + count]]
    inside = and_(le(const(first), z), lt(z, const(first + count)))
    found = c.w.temp(select(inside, as_word(c.rows(keys, Word(), sub(z, const(first)))), NONE))
    if not isinstance(x.type, t.Optional):
        c.w.guard(not_(eq(found, NONE)))
    return found


@rule("component.owner")
def _owner(c: Context, x: TypedExpr) -> Operand:
    z = c.w.temp(op.Load("where", word(c, x.args[0])))
    return select(lt(z, FALSE), NONE, c.words([p.owner for p in c.game.zones], z))
