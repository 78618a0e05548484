"""Comparing values of several words: whether they are equal, and which comes first."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, all_of, const, eq, lt, mul, not_, sub
from croupier.core.operations import Expression, Local
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.shapes import Fields, Items, Maybe, NotLowered, Shape, Table, Word, width


def equal(c: Context, a: Operand, b: Operand) -> Expression:
    """1 if two values are equal."""
    if not isinstance(a, Ref) and not isinstance(b, Ref):
        return eq(a, b)
    if not isinstance(a, Ref):
        a, b = b, a
    assert isinstance(a, Ref)
    if not isinstance(b, Ref):
        return c.missing(a)  # a word is no value of several: it is none
    if isinstance(a.shape, Fields) and isinstance(b.shape, Fields) and all(isinstance(p, Word) for p in (*a.shape.parts, *b.shape.parts)):
        a, b = c.fixed(a), c.fixed(b)
        return all_of([eq(op.Load(x.memory, x.at), op.Load(y.memory, y.at)) for x, y in zip(c.parts(a), c.parts(b), strict=True)])
    name = c.w.fresh()
    c.w.set(name, TRUE)
    _differs(c, c.fixed(a), c.fixed(b), name)
    return Local(name)


def _differs(c: Context, a: Operand, b: Operand, name: str) -> None:
    """Sets a local to 0 if two values differ."""
    w = c.w

    def no() -> None:
        w.set(name, FALSE)

    if not isinstance(a, Ref) or not isinstance(b, Ref):
        w.when(not_(equal(c, a, b)), no)
        return
    match a.shape, b.shape:
        case Maybe(x), Maybe(y):
            there, here = op.Load(a.memory, a.at), op.Load(b.memory, b.at)
            inner_a, inner_b = Ref(a.memory, add(a.at, const(1)), x), Ref(b.memory, add(b.at, const(1)), y)
            w.when(not_(eq(there, here)), no, lambda: w.when(eq(there, const(1)), lambda: _differs(c, c.load(inner_a), c.load(inner_b), name)))
        case Maybe(), _:
            first = a
            w.when(c.missing(a), no, lambda: _differs(c, c.certain(first), b, name))
        case _, Maybe():
            _differs(c, b, a, name)
        case Items(), Items():
            one, two = c.fixed(a), c.fixed(b)
            n = w.temp(c.length(one), "n")

            def each(i: Expression) -> None:
                _differs(c, c.element(one, i), c.element(two, i), name)
                w.leave_if(eq(Local(name), const(0)))

            w.when(not_(eq(n, c.length(two))), no, lambda: w.count(const(0), n, each))
        case Fields(), Fields():
            for p, q in zip(c.parts(a), c.parts(b), strict=True):
                _differs(c, c.load(p), c.load(q), name)
        case Table(), Table():
            first, second = c.fixed(a), c.fixed(b)

            def one_key(i: Expression) -> None:
                _differs(c, c.load(c.entry(first, i)), c.load(c.entry(second, i)), name)
                w.leave_if(eq(Local(name), const(0)))

            w.count(const(0), const(c.entries(a.shape)), one_key)
        case _:
            raise NotLowered(f"{a.shape} compared with {b.shape}")


def key_width(shape: Shape) -> int:
    """How many words a value takes that is made to be sorted by."""
    match shape:
        case Items(_, most, element):
            return most * key_width(element)
        case Fields(parts):
            return sum(map(key_width, parts))
        case Table(_, count, inner):
            return count * key_width(inner)
    return width(shape)


def put_key(c: Context, v: Operand, memory: str, at: Expression, shape: Shape) -> None:
    """Writes a value so that its words, one after another, sort as it does: what is over in a list is less than everything."""
    w = c.w
    if not isinstance(v, Ref):
        w.store(memory, at, v)
        return
    match v.shape:
        case Items() if isinstance(shape, Items):
            step, list_ = key_width(shape.element), c.fixed(v)
            n, at = w.temp(c.length(list_), "n"), w.temp(at)
            w.count(const(0), const(shape.most * step), lambda i: w.store(memory, add(at, i), NONE))
            w.guard(op.Le(n, const(shape.most)))
            w.count(const(0), n, lambda i: put_key(c, c.element(list_, i), memory, add(at, mul(i, const(step))), shape.element))
        case Fields() if isinstance(shape, Fields):
            for place, part in zip(c.parts(v), shape.parts, strict=True):
                put_key(c, c.load(place), memory, at, part)
                at = add(at, const(key_width(part)))
        case _:
            raise NotLowered(f"sorting by {shape}")


def less(c: Context, a: str, b: str, at: Expression, other: Expression, count: int) -> Expression:
    """1 if words of one array from a place on come before those of another."""
    if count == 1:
        return lt(op.Load(a, at), op.Load(b, other))
    w, name = c.w, c.w.fresh()
    w.set(name, FALSE)

    def look(i: Expression) -> None:
        x, y = w.temp(op.Load(a, add(at, i))), w.temp(op.Load(b, add(other, i)))

        def decide() -> None:
            w.set(name, lt(x, y))
            w.emit(op.Break())

        w.when(not_(eq(x, y)), decide)

    w.count(const(0), const(count), look)
    return Local(name)


def canonical(c: Context, list_: Ref, kind: str) -> Ref:
    """A list made the one way to write down a set or a bag, in place."""
    if kind == "list":
        return list_
    w, shape = c.w, list_.shape
    assert isinstance(shape, Items)
    size = width(shape.element)
    if key_width(shape.element) != size or isinstance(shape.element, Maybe):
        raise NotLowered("a set of lists")
    w.emit(op.Sort(list_.memory, add(list_.at, const(1)), c.length(list_), size, size))
    if kind == "bag":
        return list_
    n, last = w.temp(c.length(list_), "n"), w.fresh()
    w.set(last, FALSE)

    def keep(i: Expression) -> None:
        name = w.fresh()
        w.when(
            eq(Local(last), FALSE),
            lambda: w.set(name, TRUE),
            lambda: w.set(name, not_(equal(c, c.element(list_, i), c.element(list_, sub(Local(last), TRUE))))),
        )

        def take() -> None:
            c.put(c.element(list_, i), c.place(list_, Local(last)))
            w.set(last, add(Local(last), TRUE))

        w.when(eq(Local(name), TRUE), take)

    w.count(const(0), n, keep)
    w.store(list_.memory, list_.at, Local(last))
    return list_
