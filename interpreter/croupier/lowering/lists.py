"""Lists, sets, bags and maps as values: what is walked with an accumulator, and what has to be written down."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, eq, le, lt, mul, not_, or_, select, sub
from croupier.core.operations import Const, Expression, Local
from croupier.lowering.compare import equal, key_width, less, put_key
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.expressions import surely, within_limit
from croupier.lowering.operands import ref, rule, value, word
from croupier.lowering.refusal import NotLowered
from croupier.lowering.shapes import Items, Maybe, Shape, Word, optional, width
from croupier.lowering.sources import combinations, gathered, most_elements, walk
from croupier.semantics import types as t
from croupier.semantics.tree import X


# ---------------------------------------------------------------- one of what is walked, or none
class Optional:
    """A value that is filled in while a source is walked: none until then."""

    def __init__(self, c: Context, shape: Shape) -> None:
        self.c, self.shape = c, shape
        if isinstance(shape, Word):
            self.name = c.w.fresh()
        else:
            self.into = c.room(optional(shape))
        self.clear()

    def clear(self) -> None:
        if isinstance(self.shape, Word):
            self.c.w.set(self.name, NONE)
        else:
            self.c.w.store(self.into.memory, const(0), FALSE)

    def take(self, v: Operand) -> None:
        if isinstance(self.shape, Word):
            assert not isinstance(v, Ref)
            self.c.w.set(self.name, v)
        else:
            self.c.put(v, self.into)

    @property
    def found(self) -> Operand:
        return Local(self.name) if isinstance(self.shape, Word) else self.into


def as_type(c: Context, v: Operand, kind: t.Type) -> Operand:
    """A value that may be none, as its type says: where it cannot be none, what is there."""
    return v if isinstance(kind, t.Optional) else c.certain(v)


# ---------------------------------------------------------------- aggregates
@rule("comp")
def _comp(c: Context, x: X) -> Operand:
    name, slots, has_condition, has_key = x.data
    args = list(x.args)
    key = args.pop() if has_key else None
    element = args.pop()
    condition = args[len(slots)] if has_condition else None
    sources = x.args[: len(slots)]
    w = c.w

    def each(body: Callable[[], None], stop: str | None = None) -> None:
        combinations(c, slots, sources, condition, body, stop)

    match name:
        case "any" | "all":
            return _search(c, element, name == "any", each, nested=len(slots) > 1 or _nested(sources[0]))
        case "count":
            total = w.fresh()
            w.set(total, FALSE)

            def one() -> None:
                w.set(total, add(Local(total), TRUE))

            each((lambda: w.when(word(c, element), one)) if isinstance(element.type, t.Bool) else one)
            return Local(total)
        case "sum":
            total = w.fresh()
            w.set(total, FALSE)
            bounded = isinstance(element.type, t.Int) and element.type.low is not None and element.type.high is not None

            def plus() -> None:
                e = add(Local(total), word(c, element))
                w.set(total, e if bounded else within_limit(c, e))

            each(plus)
            return within_limit(c, Local(total)) if bounded and (most_elements(c, x.args[0]) or 10**6) > 10**4 else Local(total)
        case "max" | "min":
            found = w.fresh()
            w.set(found, NONE)

            def better() -> None:
                e = w.temp(word(c, element))
                w.when(or_(eq(Local(found), NONE), lt(Local(found), e) if name == "max" else lt(e, Local(found))), lambda: w.set(found, e))

            each(better)
            return Local(found)
        case "first" | "last":
            taken = Optional(c, c.shape(element.type))
            stop = w.fresh() if name == "first" else None
            if stop is not None:
                w.set(stop, FALSE)

            def take() -> None:
                taken.take(value(c, element))
                if stop is not None:
                    w.set(stop, TRUE)
                    w.emit(op.Break())

            each(take, stop)
            return as_type(c, taken.found, x.type)
        case "only":
            taken, count = Optional(c, c.shape(element.type)), w.fresh()
            w.set(count, FALSE)

            def take_one() -> None:
                taken.take(value(c, element))
                w.set(count, add(Local(count), TRUE))

            each(take_one)
            w.when(not_(eq(Local(count), TRUE)), taken.clear)
            return taken.found
        case "best" | "worst":
            assert key is not None
            return as_type(c, _best(c, element, key, name == "best", each), x.type)
        case "ties":
            assert key is not None
            return _ties(c, x, element, key, each)
        case "sorted":
            return _sorted(c, x, element, key or element, each)
        case "list" | "set" | "bag":
            shape = c.shape(x.type)
            assert isinstance(shape, Items)
            most = most_elements(c, x)
            into = c.room(Items(shape.kind, shape.most if most is None else min(most, 100_000), c.shape(element.type)), "l")
            c.clear(into)
            each(lambda: c.push(value(c, element), into))
            return canonical(c, into, name)
    raise NotLowered(f"`{name}`", x.span)


def _nested(x: X) -> bool:
    return isinstance(x.type, t.Family) or x.op in ("family_list", "family.list", "comp")


def _search(c: Context, element: X, wanted: bool, each: Callable[..., None], nested: bool) -> Expression:
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


def _best(c: Context, element: X, key: X, greatest: bool, each: Callable[..., None]) -> Operand:
    w, taken, shape = c.w, Optional(c, c.shape(element.type)), c.shape(key.type)
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

            w.when(or_(not_(eq(Local(any_), TRUE)), lt(Local(top), k) if greatest else lt(k, Local(top))), take)

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


def _list_room(c: Context, x: X, element: X) -> Ref:
    shape = c.shape(x.type)
    assert isinstance(shape, Items)
    most = most_elements(c, x)
    return c.room(Items("list", shape.most if most is None else min(most, 100_000), c.shape(element.type)), "l")


def _ties(c: Context, x: X, element: X, key: X, each: Callable[..., None]) -> Operand:
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


def _sorted(c: Context, x: X, element: X, key: X, each: Callable[..., None]) -> Operand:
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
    w.count(const(0), Local(n), lambda i: c.put(c.load(Ref(rows, add(mul(i, const(stride)), const(keys)), row.element)), c.place(into, i)))
    return into


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


# ---------------------------------------------------------------- written out, joined, taken apart
@rule("list")
def _list(c: Context, x: X) -> Operand:
    shape = c.shape(x.type)
    if not isinstance(shape, Items):
        raise NotLowered("a list", x.span)
    if not x.args:
        return c.known((), Items("list", 0, shape.element))
    into = c.room(Items(shape.kind, len(x.args), shape.element), "l")
    for i, a in enumerate(x.args):
        c.put(value(c, a), c.place(into, const(i)))
    c.w.store(into.memory, const(0), const(len(x.args)))
    return canonical(c, into, shape.kind)


@rule("join")
def _join(c: Context, x: X) -> Operand:
    shape = c.shape(x.type)
    assert isinstance(shape, Items)
    most = most_elements(c, x)
    into = c.room(Items(shape.kind, shape.most if most is None else most, shape.element), "l")
    c.clear(into)
    for a in x.args:
        walk(c, a, lambda v: c.push(v, into))
    return canonical(c, into, shape.kind)


@rule("without")
def _without(c: Context, x: X) -> Operand:
    shape = c.shape(x.type)
    assert isinstance(shape, Items)
    most = most_elements(c, x.args[0])
    into = c.room(Items(shape.kind, shape.most if most is None else most, shape.element), "l")
    c.clear(into)
    test = tester(c, x.args[1])
    walk(c, x.args[0], lambda v: c.w.when(not_(test(v)), lambda: c.push(v, into)))
    return into


def tester(c: Context, x: X) -> Callable[[Operand], Expression]:
    """A test whether a value is among those of a source, for many values."""
    kind = x.type
    base = kind.base if isinstance(kind, t.Collection) else t.Component(kind.kinds) if isinstance(kind, (t.Zone, t.Family)) else None
    if base is not None and c.game.is_finite(base) and c.game.domain(base)[1] <= 4096:
        low, count = c.game.domain(base)
        from croupier.lowering.sources import marked

        memory = marked(c, x, low, count)

        def test(v: Operand) -> Expression:
            assert not isinstance(v, Ref)
            v = c.w.temp(v)
            return and_(and_(le(const(low), v), lt(v, const(low + count))), eq(op.Load(memory, sub(v, const(low))), TRUE))

        return test
    held = gathered(c, x)
    return lambda v: among(c, v, held)


def among(c: Context, v: Operand, list_: Ref) -> Expression:
    """1 if a value is an element of a list."""
    w, name = c.w, c.w.fresh()
    v = v if isinstance(v, Ref) else w.temp(v)
    w.set(name, FALSE)
    found = v

    def look(i: Expression) -> None:
        def yes() -> None:
            w.set(name, TRUE)
            w.emit(op.Break())

        w.when(equal(c, found, c.element(list_, i)), yes)

    list_ = c.fixed(list_)
    w.count(const(0), c.length(list_), look)
    return Local(name)


@rule("in", "not in")
def _in(c: Context, x: X) -> Operand:
    found = _member(c, x)
    return found if x.op == "in" else not_(found)


def _member(c: Context, x: X) -> Expression:
    item, source = x.args
    w = c.w
    v = value(c, item)
    v = v if isinstance(v, Ref) else w.temp(v)
    if isinstance(source.type, t.Map):
        list_ = c.fixed(ref(c, source))
        name = w.fresh()
        w.set(name, FALSE)
        w.count(const(0), const(c.entries(list_.shape)), lambda i: w.when(equal(c, v, c.load(c.entry(list_, i))), lambda: w.set(name, TRUE)))
        return Local(name)
    if not isinstance(v, Ref):
        if source.op in ("zone_list", "zone_all", "zone.list") or isinstance(source.type, t.Zone):
            zone = word(c, source.args[0] if source.op in ("zone_list", "zone_all", "zone.list") else source)
            return select(eq(v, NONE), FALSE, eq(op.Load("where", v), zone)) if isinstance(item.type, t.Optional) else eq(op.Load("where", v), zone)
        if source.op == "list" and len(source.args) <= 8:
            tests = [value(c, a) for a in source.args]
            found: Expression = FALSE
            for e in tests:
                assert not isinstance(e, Ref)
                found = or_(found, eq(v, e))
            return found
        if source.op in ("players", "enum_values", "board_cells", "class") and not isinstance(item.type, t.Optional) and surely(c, item, 0, 10**9):
            low, count = c.game.domain(item.type)
            first, most = {"class": lambda: c.game.kinds[source.data]}.get(source.op, lambda: (0, most_elements(c, source) or 0))()
            if first <= low and low + count <= first + most:
                return TRUE
    name, stop = w.fresh(), w.fresh()
    w.set(name, FALSE)
    w.set(stop, FALSE)

    def look(e: Operand) -> None:
        def yes() -> None:
            w.set(name, TRUE)
            w.set(stop, TRUE)
            w.emit(op.Break())

        w.when(equal(c, v, e), yes)

    walk(c, source, look, stop if _nested(source) else None)
    return Local(name)


@rule("item")
def _item(c: Context, x: X) -> Operand:
    return c.load(item_place(c, x))


def item_place(c: Context, x: X) -> Ref:
    """Where an element of a list lies that is asked for by its number."""
    list_ = c.certain(value(c, x.args[0]))
    assert isinstance(list_, Ref)
    list_ = c.fixed(list_)
    i = c.w.temp(word(c, x.args[1]))
    c.w.guard(and_(le(TRUE, i), le(i, c.length(list_))))
    return c.place(list_, sub(i, TRUE))


@rule("otherwise_list")
def _otherwise_list(c: Context, x: X) -> Operand:
    a = ref(c, x.args[0])
    into = c.room(c.shape(x.type))
    c.w.when(
        lt(const(0), c.length(a)),
        lambda: c.put(a, into),
        lambda: c.put(ref(c, x.args[1]), into),
    )
    return into


@rule("map_comp")
def _map_comp(c: Context, x: X) -> Operand:
    kind = x.type
    assert isinstance(kind, t.Map)
    slots, has_condition = x.data
    low, count = c.game.domain(kind.key)
    into = c.room(c.shape(kind))
    w = c.w
    w.count(const(0), const(count), lambda i: c.put(NONE, c.entry(into, i)))
    key, v = x.args[-2:]

    def one() -> None:
        k = w.temp(word(c, key))
        if not surely(c, key, low, low + count):
            w.guard(and_(le(const(low), k), lt(k, const(low + count))))
        c.put(value(c, v), c.entry(into, sub(k, const(low))))

    combinations(c, slots, x.args[: len(slots)], x.args[len(slots)] if has_condition else None, one, None)
    return into


# ---------------------------------------------------------------- members
def _list_of(c: Context, x: X) -> Ref:
    """A list that a member is asked of, where it lies, or written down."""
    if isinstance(x.type, t.Collection):
        found = c.certain(value(c, x))
        assert isinstance(found, Ref)
        return c.fixed(found)
    return gathered(c, x)


def members(*names: str) -> tuple[str, ...]:
    return tuple(f"{kind}.{name}" for name in names for kind in ("list", "set", "bag"))


@rule(*members("list"))
def _same(c: Context, x: X) -> Operand:
    return value(c, x.args[0])


@rule(*members("size", "empty"))
def _size(c: Context, x: X) -> Operand:
    source = x.args[0]
    if source.op == "comp" and source.data[0] == "list":
        w, total = c.w, c.w.fresh()
        w.set(total, FALSE)
        walk(c, source, lambda _: w.set(total, add(Local(total), TRUE)))
        n: Expression = Local(total)
    else:
        n = c.length(_list_of(c, source))
    return n if x.op.endswith("size") else eq(n, const(0))


@rule(*members("first", "last"))
def _end(c: Context, x: X) -> Operand:
    list_ = _list_of(c, x.args[0])
    taken = Optional(c, list_.shape.element)  # type: ignore[union-attr]
    n = c.length(list_)
    c.w.when(lt(const(0), n), lambda: taken.take(c.element(list_, const(0) if x.op.endswith("first") else sub(n, TRUE))))
    return as_type(c, taken.found, x.type)


@rule(*members("reversed", "take", "drop", "distinct"), "zone.reversed", "zone.take", "zone.drop", "zone.distinct", "family.take", "family.drop",
      "family.reversed", "family.distinct")  # fmt: skip
def _part(c: Context, x: X) -> Operand:
    from croupier.lowering.zones import in_order

    if x.op.split(".")[0] in ("zone", "family") and not x.op.endswith("distinct"):
        in_order(c, x.args[0])
    list_, w = _list_of(c, x.args[0]), c.w
    assert isinstance(list_.shape, Items)
    name = x.op.split(".")[1]
    into = c.room(Items("list", list_.shape.most, list_.shape.element), "l")
    c.clear(into)
    n = w.temp(c.length(list_), "n")
    if name == "reversed":
        w.count(const(0), n, lambda i: c.push(c.element(list_, sub(sub(n, TRUE), i)), into))
    elif name == "distinct":
        w.count(const(0), n, lambda i: w.when(not_(among(c, c.element(list_, i), into)), lambda: c.push(c.element(list_, i), into)))
    else:
        k = w.temp(word(c, x.args[1]))
        k = w.temp(select(lt(k, const(0)), const(0), select(lt(n, k), n, k)))
        low, high = (const(0), k) if name == "take" else (k, n)
        w.count(low, high, lambda i: c.push(c.element(list_, i), into))
    return into


@rule(*members("all_equal", "all_different"), "zone.all_equal", "zone.all_different", "family.all_equal", "family.all_different")
def _alike(c: Context, x: X) -> Operand:
    list_, w, name = _list_of(c, x.args[0]), c.w, c.w.fresh()
    w.set(name, TRUE)
    n = w.temp(c.length(list_), "n")
    wanted = x.op.endswith("all_equal")

    def no() -> None:
        w.set(name, FALSE)
        w.emit(op.Break())

    def against_first(i: Expression) -> None:
        w.when(not_(equal(c, c.element(list_, i), c.element(list_, const(0)))), no)

    def against_others(i: Expression) -> None:
        w.count(const(0), i, lambda j: w.when(equal(c, c.element(list_, i), c.element(list_, j)), no))
        w.leave_if(not_(eq(Local(name), TRUE)))

    w.count(const(1), n, against_first if wanted else against_others)
    return Local(name)


@rule(*members("times", "position"), "zone.times", "zone.position", "family.times", "family.position")
def _occurs(c: Context, x: X) -> Operand:
    from croupier.lowering.zones import in_order

    name = x.op.split(".")[1]
    if x.op.split(".")[0] in ("zone", "family") and name == "position":
        in_order(c, x.args[0])
    list_, w, found = _list_of(c, x.args[0]), c.w, c.w.fresh()
    v = value(c, x.args[1])
    v = v if isinstance(v, Ref) else w.temp(v)
    w.set(found, NONE if name == "position" else FALSE)

    def look(i: Expression) -> None:
        def yes() -> None:
            if name == "times":
                w.set(found, add(Local(found), TRUE))
            else:
                w.set(found, add(i, TRUE))
                w.emit(op.Break())

        w.when(equal(c, v, c.element(list_, i)), yes)

    w.count(const(0), c.length(list_), look)
    return Local(found)




__all__ = ["Const", "among", "canonical", "item_place", "tester"]
