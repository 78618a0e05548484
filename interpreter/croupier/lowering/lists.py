"""Lists, sets, bags and maps as values: construction, members, membership."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, eq, le, lt, not_, or_, select, sub
from croupier.core.operations import Const, Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import CompExpr, DomainExpr, MapCompExpr, TypedExpr
from croupier.lowering.compare import canonical, equal
from croupier.lowering.context import Context, Operand, Ref, as_word
from croupier.lowering.costs import pay_ahead
from croupier.lowering.expressions import index_of_key, surely
from croupier.lowering.operands import form, ref, rule, value, word
from croupier.lowering.shapes import Items, Maybe, NotLowered, Shape, TableShape
from croupier.lowering.sources import (
    MUCH,
    as_type,
    combinations,
    domain_of,
    gathered,
    is_nested,
    marked,
    most_elements,
    room_for,
    walk,
)
from croupier.lowering.zones import in_order

MOST_MARKED = 4096  # values that have a mark each


@rule("list")
def _list(c: Context, x: TypedExpr) -> Operand:
    shape = c.shape(x.type)
    if not isinstance(shape, Items):
        raise NotLowered("a list", x.span)
    if not x.args:
        return c.known((), Items("list", 0, shape.element))
    into = c.room(Items(shape.kind, len(x.args), shape.element), "l")
    for i, a in enumerate(x.args):
        c.put(value(c, a), c.location(into, const(i)))
    c.w.store(into.memory, const(0), const(len(x.args)))
    return canonical(c, into, shape.kind)


@rule("join")
def _join(c: Context, x: TypedExpr) -> Operand:
    shape = c.shape(x.type)
    assert isinstance(shape, Items)
    into = c.empty_list(Items(shape.kind, room_for(c, x), shape.element))
    for a in x.args:
        walk(c, a, lambda v: c.push(v, into))
    return canonical(c, into, shape.kind)


@rule("without")
def _without(c: Context, x: TypedExpr) -> Operand:
    shape = c.shape(x.type)
    assert isinstance(shape, Items)
    most = most_elements(c, x.args[0])
    into = c.empty_list(Items(shape.kind, shape.most if most is None else most, shape.element))
    test = tester(c, x.args[1])
    walk(c, x.args[0], lambda v: c.w.when(not_(test(v)), lambda: c.push(v, into)))
    return into


def tester(c: Context, x: TypedExpr) -> Callable[[Operand], Expression]:
    """A membership test in a source, for many values."""
    base: t.Type | None = None
    match x.type:
        case t.Collection(base=element):
            base = element
        case t.Zone(kinds=kinds) | t.Family(kinds=kinds):
            base = t.Component(kinds)
    if base is not None and c.game.is_finite(base) and c.game.domain(base)[1] <= MOST_MARKED:
        low, count = c.game.domain(base)
        memory = marked(c, x, low, count)

        def test(v: Operand) -> Expression:
            v = c.w.temp(as_word(v))
            return and_(
                and_(le(const(low), v), lt(v, const(low + count))),
                eq(op.Load(memory, sub(v, const(low))), TRUE),
            )

        return test
    held = gathered(c, x)
    return lambda v: among(c, v, held)


def among(c: Context, v: Operand, list_: Ref) -> Expression:
    """1 if a value is an element of a list."""
    w, name = c.w, c.w.fresh()
    v = c.once(v)
    w.set(name, FALSE)
    list_ = c.fixed(list_)
    with w.count(const(0), c.length(list_)) as i:
        w.leave_if(equal(c, v, c.element(list_, i)), lambda: w.set(name, TRUE))
    return Local(name)


@rule("in", "not in")
def _in(c: Context, x: TypedExpr) -> Operand:
    found = _member(c, x)
    return found if x.op == "in" else not_(found)


def _member(c: Context, x: TypedExpr) -> Expression:
    item, source = x.args
    w = c.w
    v = c.once(value(c, item))
    if isinstance(source.type, t.Map):
        list_ = c.fixed(ref(c, source))
        name = w.variable(FALSE)
        with w.count(const(0), const(c.entries(list_.shape))) as i:
            w.when(equal(c, v, c.load(c.entry(list_, i))), lambda: w.set(name, TRUE))
        return Local(name)
    if not isinstance(v, Ref):
        if source.op in ("zone_list", "zone_all", "zone.list") or isinstance(source.type, t.Zone):
            zone = word(c, source.args[0] if source.op in ("zone_list", "zone_all", "zone.list") else source)
            if isinstance(item.type, t.Optional):
                return select(eq(v, NONE), FALSE, eq(op.Load("where", v), zone))
            return eq(op.Load("where", v), zone)
        if source.op == "list" and len(source.args) <= 8:
            tests = [value(c, a) for a in source.args]
            found: Expression = FALSE
            for e in tests:
                found = or_(found, equal(c, v, e))
            return found
        if (
            (isinstance(source, DomainExpr) or source.op == "players")
            and not isinstance(item.type, t.Optional)
            and surely(c, item, 0, 10**9)
        ):
            low, count = c.game.domain(item.type)
            first, most = domain_of(c, source)
            if first <= low and low + count <= first + most:
                return TRUE
    name, stop = w.variable(FALSE), w.variable(FALSE)

    def look(e: Operand) -> None:
        with w.where(equal(c, v, e)):
            w.set(name, TRUE)
            w.set(stop, TRUE)
            w.emit(op.Break())

    pay_ahead(c, source, elements=False)
    walk(c, source, look, stop if is_nested(source) else None)
    return Local(name)


@rule("item")
def _item(c: Context, x: TypedExpr) -> Operand:
    return c.load(item_location(c, x))


def item_location(c: Context, x: TypedExpr) -> Ref:
    """The location of an element of a list, by number."""
    list_ = c.certain(value(c, x.args[0]))
    assert isinstance(list_, Ref)
    list_ = c.fixed(list_)
    i = c.w.temp(word(c, x.args[1]))
    assert isinstance(list_.shape, Items)
    if isinstance(i, Const) and not 1 <= i.value <= list_.shape.most:  # no list of that kind has it
        c.w.guard(FALSE)
        return c.room(list_.shape.element)
    c.w.guard(and_(le(TRUE, i), le(i, c.length(list_))))
    return c.location(list_, sub(i, TRUE))


@rule("otherwise_list")
def _otherwise_list(c: Context, x: TypedExpr) -> Operand:
    a = ref(c, x.args[0])
    into = c.room(c.shape(x.type))
    c.w.when(lt(const(0), c.length(a)), lambda: c.put(a, into), lambda: c.put(ref(c, x.args[1]), into))
    return into


def _bounded(c: Context, shape: Shape, v: TypedExpr) -> Shape:
    """The shape of a map of lists, with no more room than these need."""
    match shape:
        case TableShape(first, count, Maybe(Items(kind, room, element))):
            most = most_elements(c, v)
            if most is None or most >= room:
                return shape
            return TableShape(first, count, Maybe(Items(kind, most, element)))
    return shape


@form(MapCompExpr)
def _map_comp(c: Context, x: MapCompExpr) -> Operand:
    kind = x.type
    assert isinstance(kind, t.Map)
    slots, has_condition = x.slots, x.has_condition
    key, v = x.args[-2:]
    into = c.room(_bounded(c, c.shape(kind), v))
    with c.w.count(const(0), const(c.entries(into.shape))) as i:
        c.put(NONE, c.entry(into, i))

    def one() -> None:
        k = index_of_key(c, key, kind.key, held=True)
        c.put(value(c, v), c.entry(into, k))

    combinations(
        c, slots, x.args[: len(slots)], x.args[len(slots)] if has_condition else None, one, None, (key, v)
    )
    return into


# ---------------------------------------------------------------- members
def _list_of(c: Context, x: TypedExpr) -> Ref:
    """Return a list whose member is read: in place, or as a copy."""
    if isinstance(x.type, t.Collection):
        found = c.certain(value(c, x))
        assert isinstance(found, Ref)
        return c.fixed(found)
    return gathered(c, x)


def members(*names: str, zones: bool = False) -> tuple[str, ...]:
    """The names of members of lists, sets and bags, and of zones and families of these."""
    kinds = ("list", "set", "bag", "zone", "family") if zones else ("list", "set", "bag")
    return tuple(f"{kind}.{name}" for name in names for kind in kinds)


@rule(*members("size", "empty"))
def _size(c: Context, x: TypedExpr) -> Operand:
    source = x.args[0]
    if isinstance(source, CompExpr) and source.name == "list":
        w, total = c.w, c.w.variable(FALSE)
        walk(c, source, lambda _: w.set(total, add(Local(total), TRUE)))
        n: Expression = Local(total)
    else:
        n = c.length(_list_of(c, source))
    return n if x.op.endswith("size") else eq(n, const(0))


@rule(*members("first", "last"))
def _end(c: Context, x: TypedExpr) -> Operand:
    list_ = _list_of(c, x.args[0])
    assert isinstance(list_.shape, Items)
    taken = c.unfilled(list_.shape.element)
    n = c.length(list_)
    with c.w.where(lt(const(0), n)):
        c.assign(c.element(list_, const(0) if x.op.endswith("first") else sub(n, TRUE)), taken)
    return as_type(c, taken, x.type)


@rule(*members("reversed", "take", "drop", "distinct", zones=True))
def _part(c: Context, x: TypedExpr) -> Operand:
    if x.op.split(".")[0] in ("zone", "family") and not x.op.endswith("distinct"):
        in_order(c, x.args[0])
    list_, w = _list_of(c, x.args[0]), c.w
    assert isinstance(list_.shape, Items)
    name = x.op.split(".")[1]
    most = most_elements(c, x) if name == "distinct" else None
    room = list_.shape.most if most is None else min(most, list_.shape.most)
    into = c.empty_list(Items("list", room, list_.shape.element))
    n = w.temp(c.length(list_), "n")
    if name == "reversed":
        with w.count(const(0), n) as i:
            c.push(c.element(list_, sub(sub(n, TRUE), i)), into)
    elif name == "distinct":
        _distinct(c, list_, n, into, x.type)
    else:
        k = w.temp(word(c, x.args[1]))
        k = w.temp(select(lt(k, const(0)), const(0), select(lt(n, k), n, k)))
        low, high = (const(0), k) if name == "take" else (k, n)
        with w.count(low, high) as i:
            c.push(c.element(list_, i), into)
    return into


def _distinct(c: Context, list_: Ref, n: Expression, into: Ref, kind: t.Type) -> None:
    """The distinct elements of a list, which are found with an array of marks if it is long and they have few
    values.
    """
    w = c.w
    assert isinstance(list_.shape, Items)
    base = kind.base if isinstance(kind, t.Collection) else kind
    is_long = list_.shape.most > MUCH
    if is_long:
        n = w.temp(c.length(list_), "n")
        w.emit(op.Pay(add(n, n)))
    if not is_long or not c.game.is_finite(base) or c.game.domain(base)[1] > MOST_MARKED:
        with w.count(const(0), n) as i, w.where(not_(among(c, c.element(list_, i), into))):
            c.push(c.element(list_, i), into)
        return
    low, count = c.game.domain(base)
    seen = w.array(count, "m")
    with w.count(const(0), const(count)) as i:
        w.store(seen, i, FALSE)
    with w.count(const(0), n) as i:
        v = w.temp(as_word(c.element(list_, i)))
        with w.where(eq(op.Load(seen, sub(v, const(low))), FALSE)):
            w.store(seen, sub(v, const(low)), TRUE)
            c.push(v, into)


@rule(*members("all_equal", "all_different", zones=True))
def _alike(c: Context, x: TypedExpr) -> Operand:
    list_, w, name = _list_of(c, x.args[0]), c.w, c.w.variable(TRUE)
    n = w.temp(c.length(list_), "n")
    with w.count(const(1), n) as i:
        if x.op.endswith("all_equal"):
            differs = not_(equal(c, c.element(list_, i), c.element(list_, const(0))))
            w.leave_if(differs, lambda: w.set(name, FALSE))
        else:
            with w.count(const(0), i) as j:
                w.leave_if(equal(c, c.element(list_, i), c.element(list_, j)), lambda: w.set(name, FALSE))
            w.leave_if(not_(eq(Local(name), TRUE)))
    return Local(name)


@rule(*members("times", "position", zones=True))
def _occurs(c: Context, x: TypedExpr) -> Operand:
    name = x.op.split(".")[1]
    if x.op.split(".")[0] in ("zone", "family") and name == "position":
        in_order(c, x.args[0])
    list_, w, found = _list_of(c, x.args[0]), c.w, c.w.fresh()
    v = c.once(value(c, x.args[1]))
    w.set(found, NONE if name == "position" else FALSE)
    with w.count(const(0), c.length(list_)) as i:
        is_equal = equal(c, v, c.element(list_, i))
        if name == "times":
            w.when(is_equal, lambda: w.set(found, add(Local(found), TRUE)))
        else:
            w.leave_if(is_equal, lambda: w.set(found, add(i, TRUE)))
    return Local(found)
