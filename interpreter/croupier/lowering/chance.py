"""Chance: components drawn one by one, dice that are rolled."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, const, eq, le, lt, select, sub
from croupier.core.operations import CHANCE, Expression, Local
from croupier.core.types import Memory
from croupier.lowering.context import Context, Ref
from croupier.lowering.operands import word
from croupier.lowering.positions import InArray
from croupier.lowering.shapes import WORD, Items, width
from croupier.lowering.sources import walk
from croupier.lowering.statements import rule
from croupier.lowering.writing import wrote_variable
from croupier.runtime.game import Place
from croupier.semantics import types as t
from croupier.semantics.tree import S, X


def frame_list(c: Context, slot: int, most: int) -> Ref:
    """A hidden local that holds a list of words."""
    name = f"s{slot}"
    shape = Items("list", most, WORD)
    c.w.memories[name] = Memory(name, width(shape))
    c.body.where[slot] = InArray(name, shape)
    c.body.env[slot] = found = Ref(name, FALSE, shape)
    return found


def wait(c: Context, seat: Expression, point: int | None) -> None:
    """The action ends here until somebody has chosen."""
    c.w.emit(op.Wait(seat, *c.frame_map(point)))


@rule("draw")
def _draw(c: Context, s: S) -> None:
    w, (slot, drawn) = c.w, s.data
    count, source, to = s.args
    n = w.temp(word(c, count))
    left = c.hidden(slot, select(lt(n, FALSE), FALSE, n))
    list_ = frame_list(c, drawn, len(c.game.pieces)) if drawn >= 0 else None
    if list_ is not None:
        c.clear(list_)

    def take(piece: Expression) -> None:
        w.set(left.name, sub(left, TRUE))
        if list_ is not None:
            c.push(piece, list_)
        w.emit(op.Call("move", (piece, word(c, to), FALSE)))

    def round_() -> None:
        w.leave_if(le(left, FALSE))
        z = w.temp(word(c, source))
        size = w.temp(op.Length(z), "n")
        w.leave_if(eq(size, FALSE))
        orders = {p.order for p in _places(c, source)}
        bag = eq(c.rows([int(p.order == "bag") for p in c.game.places], WORD, z), TRUE)  # type: ignore[arg-type]
        if "bag" not in orders:
            bag = FALSE
        several = select(bag, lt(TRUE, size), op.And(lt(TRUE, size), eq(op.Loose(z, sub(size, const(2))), TRUE)))
        if not c.shuffles:
            several = bag if bag == FALSE else op.And(bag, lt(TRUE, size))

        def ask() -> None:
            w.emit(op.NoOffers())
            at = w.fresh()
            w.set(at, sub(size, TRUE))

            def offer() -> None:
                w.emit(op.Offer(op.Element(z, Local(at)), TRUE))
                w.leave_if(eq(Local(at), FALSE))
                w.set(at, sub(Local(at), TRUE))
                w.when(eq(bag, FALSE), lambda: w.leave_if(eq(op.Loose(z, Local(at)), FALSE)))

            w.forever(offer)
            wait(c, const(CHANCE), s.point)
            take(w.temp(op.Chosen()))

        def top() -> None:
            take(w.temp(op.Element(z, select(bag, FALSE, sub(size, TRUE)))))

        w.when(several, ask, top)

    w.forever(round_)


def _places(c: Context, x: X) -> list[Place]:
    """The zones that an expression may be."""
    if x.op in ("zone", "zone_at"):
        first, count = c.game.family[x.data]
        return c.game.places[first : first + count]
    return c.game.places


@rule("roll")
def _roll(c: Context, s: S) -> None:
    w, (name, slot) = c.w, s.data
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
        face: Expression = const(int(values[0]))
        if len(values) > 1:
            w.emit(op.NoOffers())
            w.count(FALSE, const(len(values)), lambda i: w.emit(op.Offer(i, TRUE)))
            wait(c, const(CHANCE), s.point)
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
