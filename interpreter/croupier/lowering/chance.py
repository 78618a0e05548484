"""Chance: components drawn one by one, dice that are rolled."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, eq, le, lt, not_, select, sub
from croupier.core.operations import CHANCE, Expression, Local
from croupier.core.operations import NONE as NONE_WORD
from croupier.core.types import Memory
from croupier.kernel import types as t
from croupier.kernel.tree import DrawStmt, RollStmt, TypedExpr, ZoneAtExpr, ZoneExpr
from croupier.lowering.assignment import wrote_variable
from croupier.lowering.context import Context, Ref
from croupier.lowering.costs import pay, pay_for
from croupier.lowering.merging import first_of
from croupier.lowering.operands import word
from croupier.lowering.positions import InArray
from croupier.lowering.shapes import WORD, Items, NotLowered, width
from croupier.lowering.sources import walk
from croupier.lowering.statements import form
from croupier.runtime.game import Zone
from croupier.runtime.zone_contents import GRAIN


def frame_list(c: Context, slot: int, most: int) -> Ref:
    """A hidden local with a list of words."""
    name = f"s{slot}"
    shape = Items("list", most, WORD)
    c.w.memories[name] = Memory(name, width(shape))
    c.body.where[slot] = InArray(name, shape)
    c.body.env[slot] = found = Ref(name, FALSE, shape)
    return found


def wait(c: Context, seat: Expression, point: int | None) -> None:
    """End the action and wait for a choice."""
    c.w.emit(op.Wait(seat, *c.frame_map(point)))
    pay(c, 3)


@form(DrawStmt)
def _draw(c: Context, s: DrawStmt) -> None:
    w, (slot, drawn) = c.w, (s.left, s.drawn)
    count, source, to = s.args[:3]
    n = w.temp(word(c, count))
    left = c.hidden(slot, select(lt(n, FALSE), FALSE, n))
    list_ = frame_list(c, drawn, len(c.game.components)) if drawn >= 0 else None
    if list_ is not None:
        c.clear(list_)

    def take(component: Expression, at: tuple[Expression, Expression] | None = None) -> None:
        """Draw a component. `at`: its zone and index, if known."""
        w.set(left.name, sub(left, TRUE))
        if list_ is not None:
            c.push(component, list_)
        if at is None:
            w.emit(op.Call("deal", (component, word(c, source), word(c, to))))
        else:
            w.emit(op.Call("take", (*at, word(c, to))))

    def round_() -> None:
        w.leave_if(le(left, FALSE))
        pay_for(c, [source, source, to], 2)
        z = w.temp(word(c, source))
        size = w.temp(op.Length(z), "n")
        w.leave_if(eq(size, FALSE))
        orders = {p.order for p in zones_of(c, source)}
        if "bag" in orders and len(orders) > 1:
            raise NotLowered("drawing from what may be a bag", s.span)
        several: Expression = FALSE
        if "bag" in orders:
            several = _differ(c, z, size)
        elif c.shuffles:
            several = op.And(
                lt(TRUE, size), eq(op.Loose(z, FALSE if s.from_bottom else sub(size, const(2))), TRUE)
            )

        def ask() -> None:
            w.emit(op.NoOffers())
            if orders == {"bag"}:
                _offer_bag(c, z, size)
            elif s.from_bottom:
                _offer_bottom(c, z, size)
            else:
                _offer_top(c, z, size)
            wait(c, const(CHANCE), s.suspension_point)
            if orders == {"bag"}:
                take(_out_of_bag(c, w.temp(word(c, source)), w.temp(op.Chosen())))
            else:
                take(w.temp(op.Chosen()))

        def top() -> None:
            at = FALSE if "bag" in orders or s.from_bottom else sub(size, TRUE)
            take(op.Element(z, at), (z, at))

        w.when(several, ask, top)

    w.forever(round_)


def _offer_top(c: Context, z: Expression, size: Expression) -> None:
    """Offer the components of the unordered part on top."""
    w = c.w
    w.count(
        w.temp(op.PartBegin(z, sub(size, TRUE))), size, lambda i: w.emit(op.Offer(op.Element(z, i), TRUE))
    )


def _offer_bottom(c: Context, z: Expression, size: Expression) -> None:
    """Offer the components of the unordered part at the bottom."""
    w = c.w

    def offer(i: Expression) -> None:
        w.emit(op.Offer(op.Element(z, i), TRUE))
        w.when(eq(op.Loose(z, i), FALSE), lambda: w.emit(op.Break()))

    w.count(FALSE, size, offer)


def _differ(c: Context, z: Expression, size: Expression) -> Expression:
    """1 if a bag holds components with different labels."""
    if not c.game.alike.members:
        return lt(TRUE, size)
    w, name = c.w, c.w.fresh()
    w.set(name, FALSE)

    def look(i: Expression) -> None:
        def yes() -> None:
            w.set(name, TRUE)
            w.emit(op.Break())

        w.when(
            not_(eq(first_of(c, w.temp(op.Element(z, i))), first_of(c, w.temp(op.Element(z, FALSE))))), yes
        )

    w.count(TRUE, size, look)
    return eq(Local(name), TRUE)


def _offer_bag(c: Context, z: Expression, size: Expression) -> None:
    """Offer the first component of each label in a bag, weighted by their number."""
    w = c.w
    if not c.game.alike.members:
        w.each(z, lambda component: w.emit(op.Offer(component, TRUE)))
        return
    counts = w.array(len(c.game.components), "m")
    w.count(FALSE, const(len(c.game.components)), lambda i: w.store(counts, i, FALSE))

    def note(component: Expression) -> None:
        first = w.temp(first_of(c, component))
        w.store(counts, first, add(op.Load(counts, first), TRUE))

    w.each(z, note)
    w.count(
        FALSE,
        const(len(c.game.components)),
        lambda i: w.when(lt(FALSE, op.Load(counts, i)), lambda: w.emit(op.Offer(i, op.Load(counts, i)))),
    )


def _out_of_bag(c: Context, z: Expression, first: Expression) -> Expression:
    """The component that is drawn from a bag when its label was chosen."""
    if not c.game.alike.members:
        return first
    w, name = c.w, c.w.fresh()
    w.set(name, const(NONE_WORD))

    def look(component: Expression) -> None:
        def yes() -> None:
            w.set(name, component)
            w.emit(op.Break())

        w.when(eq(first_of(c, component), first), yes)

    w.each(z, look)
    return Local(name)


def zones_of(c: Context, x: TypedExpr) -> list[Zone]:
    """The zones that an expression may denote."""
    if isinstance(x, (ZoneExpr, ZoneAtExpr)):
        first, count = c.game.zone_ranges[x.name]
        return c.game.zones[first : first + count]
    return c.game.zones


@form(RollStmt)
def _roll(c: Context, s: RollStmt) -> None:
    w, (name, slot) = c.w, (s.attribute, s.left)
    v = c.game.program.vars[name]
    assert isinstance(v.type, t.Map)
    kind = v.type.value
    values = c.game.values(kind.base if isinstance(kind, t.Optional) else kind)
    first, count = c.game.kinds[name.split(".")[0]]
    left = frame_list(c, slot, max(count, 1))
    c.clear(left)

    def put(p: object) -> None:
        c.push(p, left)  # type: ignore[arg-type]

    walk(c, s.args[0], put)
    w.emit(op.Sort(left.memory, TRUE, c.length(left), 1, 1))

    def round_() -> None:
        w.leave_if(eq(c.length(left), FALSE))
        pay(c, 2 + count // GRAIN)
        face: Expression = const(int(values[0]))
        if len(values) > 1:
            w.emit(op.NoOffers())
            w.count(FALSE, const(len(values)), lambda i: w.emit(op.Offer(i, TRUE)))
            wait(c, const(CHANCE), s.suspension_point)
            found = c.rows(list(values), WORD, op.Chosen())
            assert not isinstance(found, Ref)
            face = w.temp(found)
        die = w.temp(op.Load(left.memory, TRUE))
        n = w.temp(sub(c.length(left), TRUE), "n")
        w.emit(op.Copy(left.memory, TRUE, left.memory, const(2), n))
        w.store(left.memory, FALSE, n)
        w.store(f"v{v.index}", sub(die, const(first)), face)
        wrote_variable(c, v.index)

    w.forever(round_)
