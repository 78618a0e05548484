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
    as_type,
    combinations,
    is_nested,
    most_elements,
    room_for,
)


@form(CompExpr)
def _comp(c: Context, x: CompExpr) -> Operand:
    fold, element = x.fold, x.element
    key = x.args[-1] if x.has_key else None

    def each(body: Callable[[], None], stop: str | None = None) -> None:
        read = (element,) if key is None else (element, key)
        combinations(c, x.slots, x.sources, x.condition, body, stop, read, fold.stops_early)

    match fold.kind:
        case FoldKind.SEARCH:
            return _search(c, element, fold.up, each, nested=len(x.slots) > 1 or is_nested(x.args[0]))
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
            into = c.empty_list(Items(shape.kind, room_for(c, x), c.shape(element.type)))
            each(lambda: c.push(value(c, element), into))
            return canonical(c, into, x.name)


def _count(c: Context, element: TypedExpr, each: Callable[..., None]) -> Expression:
    w, total = c.w, c.w.variable(FALSE)

    def one() -> None:
        w.set(total, add(Local(total), TRUE))

    each((lambda: w.when(word(c, element), one)) if isinstance(element.type, t.Bool) else one)
    return Local(total)


def _sum(c: Context, x: CompExpr, element: TypedExpr, each: Callable[..., None]) -> Expression:
    w, total = c.w, c.w.variable(FALSE)
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
    w, found = c.w, c.w.variable(NONE)

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
    w, taken = c.w, c.unfilled(c.shape(element.type))
    stop = w.variable(FALSE) if first else None

    def take() -> None:
        c.assign(value(c, element), taken)
        if stop is not None:
            w.set(stop, TRUE)
            w.emit(op.Break())

    each(take, stop)
    return taken


def _only(c: Context, element: TypedExpr, each: Callable[..., None]) -> Operand:
    """Return the only element; `NONE` if there is no element or more than one."""
    w, taken, count = c.w, c.unfilled(c.shape(element.type)), c.w.variable(FALSE)

    def take() -> None:
        c.assign(value(c, element), taken)
        w.set(count, add(Local(count), TRUE))

    each(take)
    w.when(not_(eq(Local(count), TRUE)), lambda: c.assign(NONE, taken))
    return taken


def _search(
    c: Context, element: TypedExpr, wanted: bool, each: Callable[..., None], nested: bool
) -> Expression:
    w, name = c.w, c.w.variable(const(not wanted))
    stop = w.variable(FALSE) if nested else None

    def look() -> None:
        test = word(c, element)
        with w.where(test if wanted else not_(test)):
            w.set(name, const(wanted))
            if stop is not None:
                w.set(stop, TRUE)
            w.emit(op.Break())

    each(look, stop)
    return Local(name)


def _best(
    c: Context, element: TypedExpr, key: TypedExpr, greatest: bool, each: Callable[..., None]
) -> Operand:
    w, taken, shape = c.w, c.unfilled(c.shape(element.type)), c.shape(key.type)
    if isinstance(shape, Word):
        top, any_ = w.fresh(), w.fresh()
        w.set(any_, FALSE)
        w.set(top, NONE)

        def look() -> None:
            k = w.temp(word(c, key))
            e = value(c, element)
            better = lt(Local(top), k) if greatest else lt(k, Local(top))
            with w.where(or_(not_(eq(Local(any_), TRUE)), better)):
                w.set(top, k)
                w.set(any_, TRUE)
                c.assign(e, taken)

        each(look)
        return taken
    size = key_width(shape)
    best, now, some = w.array(size, "k"), w.array(size, "k"), w.variable(FALSE)

    def look_at_several() -> None:
        put_key(c, value(c, key), now, const(0), shape)
        e = value(c, element)
        better = w.variable(TRUE)
        with w.where(eq(Local(some), TRUE)):
            a, b = (best, now) if greatest else (now, best)
            w.set(better, less(c, a, b, const(0), const(0), size))
        with w.where(eq(Local(better), TRUE)):
            w.emit(op.Copy(best, const(0), now, const(0), const(size)))
            w.set(some, TRUE)
            c.assign(e, taken)

    each(look_at_several)
    return taken


def _ties(c: Context, x: TypedExpr, element: TypedExpr, key: TypedExpr, each: Callable[..., None]) -> Operand:
    w, shape = c.w, c.shape(key.type)
    into = c.empty_list(Items("list", room_for(c, x), c.shape(element.type)))
    size = key_width(shape)
    best, now = w.array(size, "k"), w.array(size, "k")

    def look() -> None:
        put_key(c, value(c, key), now, const(0), shape)
        e = value(c, element)
        better, worse = w.variable(TRUE), w.variable(FALSE)
        with w.where(lt(const(0), c.length(into))):
            w.set(better, less(c, best, now, const(0), const(0), size))
            w.set(worse, less(c, now, best, const(0), const(0), size))
        with w.where(eq(Local(better), TRUE)):
            c.clear(into)
            w.emit(op.Copy(best, const(0), now, const(0), const(size)))
        w.when(not_(eq(Local(worse), TRUE)), lambda: c.push(e, into))

    each(look)
    return into


def _sorted(
    c: Context, x: TypedExpr, element: TypedExpr, key: TypedExpr, each: Callable[..., None]
) -> Operand:
    w, shape, made = c.w, c.shape(key.type), c.shape(element.type)
    keys, most = key_width(shape), room_for(c, x)
    into, stride = c.room(Items("list", most, made), "l"), keys + width(made)
    rows, n = w.array(most * stride, "r"), w.variable(FALSE)

    def look() -> None:
        w.guard(lt(Local(n), const(most)))
        at = w.temp(mul(Local(n), const(stride)))
        put_key(c, value(c, key), rows, at, shape)
        c.put(value(c, element), Ref(rows, add(at, const(keys)), made))
        w.set(n, add(Local(n), TRUE))

    each(look)
    w.emit(op.Sort(rows, const(0), Local(n), stride, keys))
    w.store(into.memory, const(0), Local(n))
    with w.count(const(0), Local(n)) as i:
        row = Ref(rows, add(mul(i, const(stride)), const(keys)), made)
        c.put(c.load(row), c.location(into, i))
    return into
