"""Comprehensions and aggregates: loops over a source with an accumulator; `any` and `all` leave them
early.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, const, eq, lt, mul, not_, or_
from croupier.core.operations import Expression, Local
from croupier.kernel import types as t
from croupier.kernel.folds import FoldKind
from croupier.kernel.tree import CompExpr, TypedExpr
from croupier.lowering.compare import canonical, key_width, less, put_key
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.numbers import within_limit
from croupier.lowering.operands import form, value, word
from croupier.lowering.shapes import Items, Word, width
from croupier.lowering.sources import (
    OptionalSource,
    as_type,
    combinations,
    is_nested,
    most_elements,
    room_for,
)


@form(CompExpr)
def _comp(c: Context, x: CompExpr) -> Operand:
    fold, slots = x.fold, x.slots
    args = list(x.args)
    key = args.pop() if x.has_key else None
    element = args.pop()
    condition = args[len(slots)] if x.has_condition else None
    sources = x.args[: len(slots)]

    def each(body: Callable[[], None], stop: str | None = None) -> None:
        read = (element,) if key is None else (element, key)
        combinations(c, slots, sources, condition, body, stop, read, fold.stops_early)

    match fold.kind:
        case FoldKind.SEARCH:
            return _search(c, element, fold.up, each, nested=len(slots) > 1 or is_nested(sources[0]))
        case FoldKind.COUNT:
            return _count(c, element, each)
        case FoldKind.SUM:
            return _sum(c, x, element, each)
        case FoldKind.EXTREME:
            return _extreme(c, element, fold.up, each)
        case FoldKind.END:
            return as_type(c, _at_an_end(c, element, fold.up, each), x.type)
        case FoldKind.ONLY:
            return _only(c, element, each)
        case FoldKind.BEST:
            assert key is not None
            return as_type(c, _best(c, element, key, fold.up, each), x.type)
        case FoldKind.TIES:
            assert key is not None
            return _ties(c, x, element, key, each)
        case FoldKind.SORT:
            return _sorted(c, x, element, key or element, each)
        case FoldKind.COLLECT:
            shape = c.shape(x.type)
            assert isinstance(shape, Items)
            into = c.room(Items(shape.kind, room_for(c, x), c.shape(element.type)), "l")
            c.clear(into)
            each(lambda: c.push(value(c, element), into))
            return canonical(c, into, x.name)


def _count(c: Context, element: TypedExpr, each: Callable[..., None]) -> Expression:
    w, total = c.w, c.w.fresh()
    w.set(total, FALSE)

    def one() -> None:
        w.set(total, add(Local(total), TRUE))

    each((lambda: w.when(word(c, element), one)) if isinstance(element.type, t.Bool) else one)
    return Local(total)


def _sum(c: Context, x: CompExpr, element: TypedExpr, each: Callable[..., None]) -> Expression:
    w, total = c.w, c.w.fresh()
    w.set(total, FALSE)
    bounded = (
        isinstance(element.type, t.Int) and element.type.low is not None and element.type.high is not None
    )

    def plus() -> None:
        e = add(Local(total), word(c, element))
        w.set(total, e if bounded else within_limit(c, e))

    each(plus)
    if bounded and (most_elements(c, x.args[0]) or 10**6) > 10**4:
        return within_limit(c, Local(total))
    return Local(total)


def _extreme(c: Context, element: TypedExpr, greatest: bool, each: Callable[..., None]) -> Expression:
    w, found = c.w, c.w.fresh()
    w.set(found, NONE)

    def better() -> None:
        e = w.temp(word(c, element))
        w.when(
            or_(eq(Local(found), NONE), lt(Local(found), e) if greatest else lt(e, Local(found))),
            lambda: w.set(found, e),
        )

    each(better)
    return Local(found)


def _at_an_end(c: Context, element: TypedExpr, first: bool, each: Callable[..., None]) -> Operand:
    """The first element, which ends the loop, or the last."""
    w, taken = c.w, OptionalSource(c, c.shape(element.type))
    stop = w.fresh() if first else None
    if stop is not None:
        w.set(stop, FALSE)

    def take() -> None:
        taken.take(value(c, element))
        if stop is not None:
            w.set(stop, TRUE)
            w.emit(op.Break())

    each(take, stop)
    return taken.found


def _only(c: Context, element: TypedExpr, each: Callable[..., None]) -> Operand:
    """Return the only element; `NONE` if there is no element or more than one."""
    w, taken, count = c.w, OptionalSource(c, c.shape(element.type)), c.w.fresh()
    w.set(count, FALSE)

    def take() -> None:
        taken.take(value(c, element))
        w.set(count, add(Local(count), TRUE))

    each(take)
    w.when(not_(eq(Local(count), TRUE)), taken.clear)
    return taken.found


def _search(
    c: Context, element: TypedExpr, wanted: bool, each: Callable[..., None], nested: bool
) -> Expression:
    w, name = c.w, c.w.fresh()
    w.set(name, const(not wanted))
    stop = None
    if nested:
        stop = w.fresh()
        w.set(stop, FALSE)

    def found() -> None:
        w.set(name, const(wanted))
        if stop is not None:
            w.set(stop, TRUE)
        w.emit(op.Break())

    def look() -> None:
        test = word(c, element)
        w.when(test if wanted else not_(test), found)

    each(look, stop)
    return Local(name)


def _best(
    c: Context, element: TypedExpr, key: TypedExpr, greatest: bool, each: Callable[..., None]
) -> Operand:
    w, taken, shape = c.w, OptionalSource(c, c.shape(element.type)), c.shape(key.type)
    if isinstance(shape, Word):
        top, any_ = w.fresh(), w.fresh()
        w.set(any_, FALSE)
        w.set(top, NONE)

        def look() -> None:
            k = w.temp(word(c, key))
            e = value(c, element)

            def take() -> None:
                w.set(top, k)
                w.set(any_, TRUE)
                taken.take(e)

            w.when(
                or_(not_(eq(Local(any_), TRUE)), lt(Local(top), k) if greatest else lt(k, Local(top))), take
            )

        each(look)
        return taken.found
    size = key_width(shape)
    best, now, some = w.array(size, "k"), w.array(size, "k"), w.fresh()
    w.set(some, FALSE)

    def look_at_several() -> None:
        put_key(c, value(c, key), now, const(0), shape)
        e = value(c, element)
        better = w.fresh()
        w.set(better, TRUE)

        def compare() -> None:
            a, b = (best, now) if greatest else (now, best)
            w.set(better, less(c, a, b, const(0), const(0), size))

        w.when(eq(Local(some), TRUE), compare)

        def take() -> None:
            w.emit(op.Copy(best, const(0), now, const(0), const(size)))
            w.set(some, TRUE)
            taken.take(e)

        w.when(eq(Local(better), TRUE), take)

    each(look_at_several)
    return taken.found


def _list_room(c: Context, x: TypedExpr, element: TypedExpr) -> Ref:
    return c.room(Items("list", room_for(c, x), c.shape(element.type)), "l")


def _ties(c: Context, x: TypedExpr, element: TypedExpr, key: TypedExpr, each: Callable[..., None]) -> Operand:
    w, into, shape = c.w, _list_room(c, x, element), c.shape(key.type)
    size = key_width(shape)
    best, now = w.array(size, "k"), w.array(size, "k")
    c.clear(into)

    def look() -> None:
        put_key(c, value(c, key), now, const(0), shape)
        e = value(c, element)
        better, worse = w.fresh(), w.fresh()
        w.set(better, TRUE)
        w.set(worse, FALSE)

        def compare() -> None:
            w.set(better, less(c, best, now, const(0), const(0), size))
            w.set(worse, less(c, now, best, const(0), const(0), size))

        w.when(lt(const(0), c.length(into)), compare)

        def begin() -> None:
            c.clear(into)
            w.emit(op.Copy(best, const(0), now, const(0), const(size)))

        w.when(eq(Local(better), TRUE), begin)
        w.when(not_(eq(Local(worse), TRUE)), lambda: c.push(e, into))

    each(look)
    return into


def _sorted(
    c: Context, x: TypedExpr, element: TypedExpr, key: TypedExpr, each: Callable[..., None]
) -> Operand:
    w, into, shape = c.w, _list_room(c, x, element), c.shape(key.type)
    assert isinstance(into.shape, Items)
    keys, size = key_width(shape), width(into.shape.element)
    stride, most = keys + size, into.shape.most
    rows, n = w.array(most * stride, "r"), w.fresh()
    w.set(n, FALSE)

    def look() -> None:
        w.guard(lt(Local(n), const(most)))
        at = w.temp(mul(Local(n), const(stride)))
        put_key(c, value(c, key), rows, at, shape)
        c.put(value(c, element), Ref(rows, add(at, const(keys)), c.shape(element.type)))
        w.set(n, add(Local(n), TRUE))

    each(look)
    w.emit(op.Sort(rows, const(0), Local(n), stride, keys))
    w.store(into.memory, const(0), Local(n))
    row = Items("list", most, into.shape.element)
    w.count(
        const(0),
        Local(n),
        lambda i: c.put(
            c.load(Ref(rows, add(mul(i, const(stride)), const(keys)), row.element)), c.location(into, i)
        ),
    )
    return into
