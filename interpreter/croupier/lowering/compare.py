"""Equality and order of values of several words."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, all_of, const, eq, lt, mul, not_, select, sub
from croupier.core.operations import Expression, Local
from croupier.core.types import Memory
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.shapes import Fields, Items, Maybe, NotLowered, Shape, TableShape, Word, width

TEXT_RANKS = "text_ranks"  # a table: the place of each text in alphabetical order, by its number


def equal(c: Context, a: Operand, b: Operand) -> Expression:
    """1 if two values are equal."""
    if not isinstance(a, Ref) and not isinstance(b, Ref):
        return eq(a, b)
    if not isinstance(a, Ref):
        a, b = b, a
    assert isinstance(a, Ref)
    if not isinstance(b, Ref):
        return c.missing(a)  # a word is no value of several: it is none
    if (
        isinstance(a.shape, Fields)
        and isinstance(b.shape, Fields)
        and all(isinstance(p, Word) for p in (*a.shape.parts, *b.shape.parts))
    ):
        a, b = c.fixed(a), c.fixed(b)
        return all_of(
            [
                eq(op.Load(x.memory, x.at), op.Load(y.memory, y.at))
                for x, y in zip(c.parts(a), c.parts(b), strict=True)
            ]
        )
    name = c.w.variable(TRUE)
    _differs(c, c.fixed(a), c.fixed(b), name)
    return Local(name)


def _differs(c: Context, a: Operand, b: Operand, name: str) -> None:
    """Set a local to 0 if two values differ."""
    w = c.w

    def no() -> None:
        w.set(name, FALSE)

    if not isinstance(a, Ref) or not isinstance(b, Ref):
        w.when(not_(equal(c, a, b)), no)
        return
    match a.shape, b.shape:
        case Maybe(), Maybe():
            first, second, there = a, b, op.Load(a.memory, a.at)

            def content() -> None:
                _differs(c, c.certain(first), c.certain(second), name)

            is_like = eq(there, op.Load(b.memory, b.at))
            w.when(not_(is_like), no, lambda: w.when(eq(there, const(1)), content))
        case Maybe(), _:
            first = a
            w.when(c.missing(a), no, lambda: _differs(c, c.certain(first), b, name))
        case _, Maybe():
            _differs(c, b, a, name)
        case Items(), Items():
            one, two = c.fixed(a), c.fixed(b)
            n = w.temp(c.length(one), "n")

            def each() -> None:
                with w.count(const(0), n) as i:
                    _differs(c, c.element(one, i), c.element(two, i), name)
                    w.leave_if(eq(Local(name), const(0)))

            w.when(not_(eq(n, c.length(two))), no, each)
        case Fields(), Fields():
            for p, q in zip(c.parts(a), c.parts(b), strict=True):
                _differs(c, c.load(p), c.load(q), name)
        case TableShape(), TableShape():
            first, second = c.fixed(a), c.fixed(b)
            with w.count(const(0), const(c.entries(a.shape))) as i:
                _differs(c, c.load(c.entry(first, i)), c.load(c.entry(second, i)), name)
                w.leave_if(eq(Local(name), const(0)))
        case _:
            raise NotLowered(f"{a.shape} compared with {b.shape}")


def key_width(shape: Shape, whole: bool = False) -> int:
    """The number of words of a sort key.

    `whole`: lists that differ only in trailing nones have different keys.
    """
    match shape:
        case Items(_, most, element):
            return most * key_width(element, whole) + whole
        case Fields(parts):
            return sum(key_width(part, whole) for part in parts)
        case TableShape(_, count, inner):
            return count * key_width(inner, whole)
        case Maybe(inner):
            return 1 + key_width(inner, whole)
    return width(shape)


def put_key(c: Context, v: Operand, memory: str, at: Expression, shape: Shape, whole: bool = False) -> None:
    """Write the sort key of a value, whose words in sequence sort as the value does.

    Padding of a list is less than everything, like `NONE`.
    """
    w, size = c.w, key_width(shape, whole)
    if not isinstance(shape, Word):
        at = w.temp(at)

    def nothing() -> None:
        with w.count(const(0), const(size)) as i:
            w.store(memory, add(at, i), FALSE)

    match shape, v:
        case Word(texts=None), _:
            assert not isinstance(v, Ref), v
            w.store(memory, at, v)
        case Word(), _:
            assert not isinstance(v, Ref), v
            w.store(memory, at, _text_rank(c, v))
        case Maybe(inner), Ref(shape=Maybe()):
            there = c.fixed(v)

            def some() -> None:
                w.store(memory, at, TRUE)
                put_key(c, c.certain(there), memory, add(at, TRUE), inner, whole)

            w.when(c.missing(there), nothing, some)
        case Maybe(inner), Ref():
            w.store(memory, at, TRUE)
            put_key(c, v, memory, add(at, TRUE), inner, whole)
        case Maybe(), _:
            nothing()
        case Items(_, most, element), Ref(shape=Items()):
            step, list_ = key_width(element, whole), c.fixed(v)
            n = w.temp(c.length(list_), "n")
            with w.count(const(0), const(most * step)) as i:
                w.store(memory, add(at, i), NONE)
            w.guard(op.Le(n, const(most)))
            with w.count(const(0), n) as i:
                put_key(c, c.element(list_, i), memory, add(at, mul(i, const(step))), element, whole)
            if whole:
                w.store(memory, add(at, const(most * step)), n)
        case Fields(parts), Ref(shape=Fields()):
            for location, part in zip(c.parts(v), parts, strict=True):
                put_key(c, c.load(location), memory, at, part, whole)
                at = add(at, const(key_width(part, whole)))
        case TableShape(_, count, inner), Ref(shape=TableShape()):
            step, table = key_width(inner, whole), c.fixed(v)
            with w.count(const(0), const(count)) as i:
                put_key(c, c.load(c.entry(table, i)), memory, add(at, mul(i, const(step))), inner, whole)
        case _:
            raise NotLowered(f"sorting by {shape}")


def is_plain(shape: Shape) -> bool:
    """Return whether the words of a value are their own sort key."""
    match shape:
        case Fields(parts):
            return all(map(is_plain, parts))
        case TableShape(_, _, inner):
            return is_plain(inner)
    return isinstance(shape, Word) and shape.texts is None


# ---------------------------------------------------------------- texts
def _text_rank(c: Context, v: Expression) -> Expression:
    """Where the text of a number stands among all texts of the game in alphabetical order; none for none."""
    if TEXT_RANKS not in c.core.memories:
        c.core.memories[TEXT_RANKS] = Memory(TEXT_RANKS, 1, (0,), constant=True)
    number = c.w.temp(v)
    return select(eq(number, NONE), NONE, op.Load(TEXT_RANKS, number))


def write_text_ranks(c: Context) -> None:
    """Write the table of these places, which is known when all texts have their numbers."""
    if TEXT_RANKS in c.core.memories:
        in_order = {text: rank for rank, text in enumerate(sorted(c.texts.words))}
        ranks = tuple(in_order[text] for text in c.texts.words)
        c.core.memories[TEXT_RANKS] = Memory(TEXT_RANKS, max(1, len(ranks)), ranks or (0,), constant=True)


def less(c: Context, a: str, b: str, at: Expression, other: Expression, count: int) -> Expression:
    """1 if words of one array sort before those of another, from given indices on."""
    if count == 1:
        return lt(op.Load(a, at), op.Load(b, other))
    w, name = c.w, c.w.variable(FALSE)
    with w.count(const(0), const(count)) as i:
        x, y = w.temp(op.Load(a, add(at, i))), w.temp(op.Load(b, add(other, i)))
        w.leave_if(not_(eq(x, y)), lambda: w.set(name, lt(x, y)))
    return Local(name)


def canonical(c: Context, list_: Ref, kind: str) -> Ref:
    """Bring a list into the canonical order of a set or bag, in place."""
    if kind == "list":
        return list_
    w, shape = c.w, list_.shape
    assert isinstance(shape, Items)
    size = width(shape.element)
    if is_plain(shape.element):
        w.emit(op.Sort(list_.memory, add(list_.at, const(1)), c.length(list_), size, size))
    else:
        _sort(c, list_)
    if kind == "bag":
        return list_
    n, last = w.temp(c.length(list_), "n"), w.variable(FALSE)
    with w.count(const(0), n) as i:
        name = w.fresh()
        w.when(
            eq(Local(last), FALSE),
            lambda: w.set(name, TRUE),
            lambda: w.set(
                name, not_(equal(c, c.element(list_, i), c.element(list_, sub(Local(last), TRUE))))
            ),
        )

        def take() -> None:
            c.put(c.element(list_, i), c.location(list_, Local(last)))
            w.set(last, add(Local(last), TRUE))

        w.when(eq(Local(name), TRUE), take)
    w.store(list_.memory, list_.at, Local(last))
    return list_


def _sort(c: Context, list_: Ref) -> None:
    """Sort elements by separate sort keys."""
    w, shape = c.w, list_.shape
    assert isinstance(shape, Items)
    keys, size = key_width(shape.element, whole=True), width(shape.element)
    stride, n = keys + size, w.temp(c.length(list_), "n")
    rows = w.array(shape.most * stride, "r")

    def row(i: Expression) -> Ref:
        return Ref(rows, add(mul(i, const(stride)), const(keys)), shape.element)

    with w.count(const(0), n) as i:
        put_key(c, c.element(list_, i), rows, mul(i, const(stride)), shape.element, whole=True)
        c.put(c.element(list_, i), row(i))
    w.emit(op.Sort(rows, const(0), n, stride, keys))
    with w.count(const(0), n) as i:
        c.put(c.load(row(i)), c.location(list_, i))
