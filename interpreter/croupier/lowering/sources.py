"""Loops over sources: a source becomes loops instead of a list wherever its elements can be enumerated."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, eq, lt, mod, not_, select, sub
from croupier.core.operations import Const, Expression, Local
from croupier.kernel import types as t
from croupier.kernel.folds import Gives
from croupier.kernel.tree import (
    CallExpr,
    CompExpr,
    DomainExpr,
    LeaveStmt,
    LocalExpr,
    OriginalExpr,
    ParamExpr,
    TypedExpr,
    ZoneExpr,
    zone_name,
)
from croupier.limits import MAX_LIST
from croupier.lowering.context import Context, Operand, Ref, as_word
from croupier.lowering.operands import ref, rule, value, word
from croupier.lowering.positions import KnownValue, Rotation, Stored
from croupier.lowering.shapes import Items, NotLowered, Word, decoded, width
from croupier.runtime.boards import Topology
from croupier.runtime.zone_contents import GRAIN
from croupier.semantics.walk import statements

Each = Callable[[Operand], None]
TABLES = tuple(
    "cell.adjacent cell.edges cell.corners cell.links edge.cells edge.corners edge.adjacent".split()
)
# lists in tables, no cell twice
TABLES += ("corner.cells", "corner.edges", "corner.adjacent", "link.cells", "link.adjacent")
# sources that have no element twice
DISTINCT = {
    *TABLES,
    *DomainExpr.WORDS,
    *"players board.cells clockwise turns others range".split(),
    *"zone_list zone_all zone.list zone.above family_list family.list".split(),
    *"optional.list optional_list cell.ray cell.linked".split(),
}
# elements that a list may have which are told apart by marks, and paid for when it is known how many there
# are
MUCH = 64
MOST_OF_SEVERAL = 4096  # elements of a comprehension over several sources for which there is room


def walk(c: Context, x: TypedExpr, body: Each, stop: str | None = None) -> None:
    """Loop over the elements of a source.

    A `body` that breaks the innermost loop sets the local `stop`, which ends the outer ones.
    """
    w = c.w
    match x:
        case DomainExpr() | TypedExpr(op="players" | "board.cells"):
            first, count = domain_of(c, x)
            with w.count(const(first), const(first + count)) as i:
                body(i)
        case _ if is_rotation(x):
            _around(c, w.temp(word(c, x.args[0])), int(x.op == "others"), body)
        case TypedExpr(op="clockwise"):
            start = w.temp(word(c, x.args[0]))
            among = marked(c, x.args[1], 0, c.game.players)
            _around(c, start, 0, lambda p: w.when(eq(op.Load(among, as_word(p)), TRUE), lambda: body(p)))
        case TypedExpr(op="range"):
            low, high = w.temp(word(c, x.args[0])), word(c, x.args[1])
            if not (isinstance(low, Const) and isinstance(high, Const)):
                high = w.temp(high)
                w.guard(op.Lt(sub(high, low), const(MAX_LIST)))
                if isinstance(x.type, t.Collection) and not c.game.is_finite(x.type.base):
                    w.emit(op.Pay(select(lt(low, high), op.Div(sub(high, low), const(GRAIN)), FALSE)))
            with w.count(low, add(high, const(1))) as i:
                body(i)
        case TypedExpr(op="zone_list" | "zone_all" | "zone.list" | "family_list" | "family.list"):
            walk(c, x.args[0], body, stop)
        case TypedExpr(op="optional.list" | "optional_list"):
            found = c.once(value(c, x.args[0]))
            with w.where(not_(c.missing(found))), w.count(const(0), TRUE):
                body(c.certain(found))
        case CompExpr(name="list"):
            element = x.element
            combinations(
                c, x.slots, x.sources, x.condition, lambda: body(c.once(value(c, element))), stop, (element,)
            )
        case TypedExpr(op="narrow" | "turns_of" | "list.list" | "set.list" | "bag.list"):
            walk(c, x.args[0], body, stop)
        case _ if isinstance(x.type, t.Zone):
            with w.each(word(c, x)) as component:
                body(component)
        case _ if isinstance(x.type, t.Family):
            _family(c, x, body, stop)
        case _:
            found = c.certain(value(c, x))
            if not isinstance(found, Ref) or not isinstance(found.shape, Items):
                raise NotLowered("what is walked", x.span)
            elements(c, found, body)


def elements(c: Context, list_: Ref, body: Each) -> None:
    """Loop over a list in place."""
    assert isinstance(list_.shape, Items)
    if not list_.shape.most:
        return
    list_ = c.fixed(list_)
    with c.w.count(const(0), c.length(list_)) as i:
        body(c.once(c.element(list_, i)))


def _around(c: Context, start: Expression, skip: int, body: Each) -> None:
    n = const(c.game.players)
    with c.w.count(const(skip), n) as i:
        body(c.w.temp(mod(add(start, i), n)))


def _family(c: Context, x: TypedExpr, body: Each, stop: str | None) -> None:
    first, count = c.game.zone_ranges[zone_name(x)]
    w = c.w
    with w.count(const(first), const(first + count)) as z:
        with w.each(z) as component:
            body(component)
        if stop is not None:
            w.leave_if(eq(Local(stop), TRUE))


def combinations(
    c: Context,
    slots: tuple[int, ...],
    sources: tuple[TypedExpr, ...],
    condition: TypedExpr | None,
    body: Callable[[], None],
    stop: str | None,
    inner: tuple[TypedExpr, ...] = (),
    early: bool = False,
) -> None:
    """Loop over the combinations of elements that meet the conditions, with the slots bound.

    `inner`: what is worked out for each. `early`: the body may leave the loops.
    """
    w = c.w

    def pay(*xs: TypedExpr, more: int = 0) -> None:
        steps = more + sum(c.cost(c, x) for x in xs)
        if steps:
            w.emit(op.Pay(const(steps)))

    def passing() -> None:
        pay(*inner)
        body()

    def at(depth: int) -> None:
        if depth == len(slots):
            if condition is None:
                passing()
            else:
                pay(condition)
                w.when(word(c, condition), passing)
            return

        def one(v: Operand) -> None:
            with c.alias(slots[depth], v):
                pay(*sources[depth + 1 : depth + 2], more=int(not early))
                at(depth + 1)
            if stop is not None and depth < len(slots) - 1:
                w.leave_if(eq(Local(stop), TRUE))

        if early:
            c.pay_ahead(c, sources[depth])
        walk(c, sources[depth], one, stop)

    at(0)


def marked(c: Context, x: TypedExpr, low: int, count: int) -> str:
    """An array with 1 at each value of a source, relative to `low`."""
    w = c.w
    memory = cleared(c, count)
    walk(c, x, lambda v: w.store(memory, sub(as_word(v), const(low)), TRUE))
    return memory


def cleared(c: Context, count: int) -> str:
    """A new array of zeros."""
    memory = c.w.array(count, "m")
    with c.w.count(const(0), const(count)) as i:
        c.w.store(memory, i, FALSE)
    return memory


def is_distinct(c: Context, x: TypedExpr) -> bool:
    """Return whether the elements of a source are certainly distinct."""
    match x:
        case TypedExpr(op=name) if name in DISTINCT:
            return True
        case TypedExpr(op="narrow"):
            return is_distinct(c, x.args[0])
        case CompExpr(name="list") if len(x.slots) == 1:
            element = x.element
            is_itself = isinstance(element, LocalExpr) and element.slot == x.slots[0]
            return is_itself and is_distinct(c, x.args[0])
    return isinstance(x.type, (t.Zone, t.Family)) or isinstance(x.type, t.Collection) and x.type.kind == "set"


def is_fixed(x: TypedExpr) -> bool:
    """Return whether a source is one loop that nothing changes while it runs."""
    return isinstance(x, DomainExpr) or x.op in ("players", "range") or is_rotation(x)


def is_rotation(x: TypedExpr) -> bool:
    """Return whether a source is all players in order of play from one of them on, perhaps without that
    one.
    """
    return x.op in ("clockwise", "turns", "others") and len(x.args) == 1


def domain_of(c: Context, x: TypedExpr) -> tuple[int, int]:
    """The first value, and the number of values, of a source that is all values of a type."""
    assert isinstance(x.type, t.Collection)
    return c.game.domain(x.type.base)


def board_of(c: Context, x: TypedExpr) -> Topology:
    """The board that an expression is a part of, or that of a cell, a link, an edge or a corner."""
    kind = x.args[0].type
    kind = kind.base if isinstance(kind, t.Optional) else kind
    if isinstance(kind, t.Cell):
        return c.game.boards[kind.board]
    name = getattr(kind, "name", None)
    return c.game.boards[name if name in c.game.boards else str(x.args[0].details)]


def relation_of(board: Topology, name: str) -> list[tuple[int, ...]] | None:
    """Return what stands beside each part of a board, by the name of an operation; `None` if it has none."""
    word = name.split(".")[1]
    if word == "adjacent":
        return board.adjacent
    return board.relations.get("" if word == "cells" else word)


def is_nested(x: TypedExpr) -> bool:
    """Return whether a source may become more than one loop."""
    return isinstance(x.type, t.Family) or x.op in ("family_list", "family.list", "comp")


def listed(c: Context, x: TypedExpr) -> Ref:
    """A source as a list that is valid until something changes: in place for results and variables, else as a
    copy.
    """
    if x.op in ("call", "local", "state", "param") and isinstance(x.type, t.Collection):
        found = c.certain(value(c, x))
        if isinstance(found, Ref) and isinstance(found.shape, Items):
            return c.fixed(found)
    return gathered(c, x)


def gathered(c: Context, x: TypedExpr) -> Ref:
    """A source as a new list."""
    kind = x.type
    if isinstance(kind, (t.Collection, t.Endless)):
        shape = c.shape(kind)
    else:
        shape = Items("list", len(c.game.components), Word())
    assert isinstance(shape, Items)
    known = most_elements(c, x)
    room = min(known, 100_000) if known is not None else shape.most
    into = c.empty_list(Items("list", room, shape.element))
    walk(c, x, lambda v: c.push(v, into))
    return into


def held_source(
    c: Context, source: TypedExpr, items: int
) -> tuple[Expression, Callable[[Expression], Operand]]:
    """The number of elements of a source, and access by index; `items` is the evaluator's slot for them."""
    w, players, where = c.w, c.game.players, c.body.where
    while source.op in ("turns_of", "narrow"):
        source = source.args[0]
    if source.op == "players" or source.op == "turns" and not source.args:
        where[items] = KnownValue(tuple(range(players)))
        return const(players), lambda i: i
    if is_rotation(source):
        first = f"f{items}"
        w.set(first, word(c, source.args[0]))
        skip = int(source.op == "others")
        where[items] = Rotation(first, skip)
        return const(players - skip), lambda i: mod(add(add(i, const(skip)), Local(first)), const(players))
    if isinstance(source, DomainExpr) or source.op in ("board.cells", "param"):
        found = ref(c, source)
        words = c.core.memories[found.memory].initial
        where[items] = KnownValue(decoded(words, 0, found.shape))
        return const(words[0]), lambda i: c.element(found, i)
    list_ = gathered(c, source)
    assert isinstance(list_.shape, Items)
    kept = w.memories.pop(list_.memory)
    name = f"i{items}"
    w.memories[name] = type(kept)(name, max(kept.size, w.memories[name].size if name in w.memories else 0))
    w.emit(op.Copy(name, FALSE, list_.memory, FALSE, const(kept.size)))
    w.memories[list_.memory] = kept
    held = Ref(name, const(0), list_.shape)
    where[items] = Stored(name, list_.shape)
    return op.Load(name, FALSE), lambda i: c.element(held, i)


def most_elements(c: Context, x: TypedExpr) -> int | None:
    """Return the most elements of a source; `None` if unknown.

    It is worked out once for each source, except while definitions are measured, as these may change.
    """
    found = c.most_elements.get(id(x))
    if found is not None:
        return found[1]
    most = _most_elements(c, x)
    if not c.measured:
        c.most_elements[id(x)] = x, most
    return most


def _most_elements(c: Context, x: TypedExpr) -> int | None:
    match x:
        case TypedExpr(op="players" | "clockwise" | "turns" | "others"):
            return c.game.players
        case DomainExpr() | TypedExpr(op="board.cells"):
            return domain_of(c, x)[1]
        case TypedExpr(op="zone.above"):
            return len(c.game.components)
        case TypedExpr(op="optional.list" | "optional_list"):
            return 1
        case TypedExpr(op="narrow" | "turns_of" | "zone_list" | "zone_all" | "family_list"):
            return most_elements(c, x.args[0])
        case TypedExpr(op="zone.list" | "family.list" | "list.list" | "set.list"):
            return most_elements(c, x.args[0])
        case CompExpr() if x.fold.gives is Gives.SEVERAL:
            found = 1
            for source in x.sources:
                n = most_elements(c, source)
                if (
                    n is None
                    and len(x.slots) > 1
                    and isinstance(source, (CallExpr, LocalExpr))
                    and isinstance(source.type, t.Collection)
                ):
                    n = width(c.shape(source.type)) - 1 if c.game.is_finite(source.type.base) else None
                if n is None:
                    return None
                found *= n
            return found if len(x.slots) < 2 or found <= MOST_OF_SEVERAL else None
        case TypedExpr(op="list.distinct"):
            found_here, kind = most_elements(c, x.args[0]), x.type
            if found_here is None or not isinstance(kind, t.Collection) or not c.game.is_finite(kind.base):
                return found_here
            return min(found_here, c.game.domain(kind.base)[1])
        case TypedExpr(op="join"):
            a, b = most_elements(c, x.args[0]), most_elements(c, x.args[1])
            return None if a is None or b is None else a + b
        case TypedExpr(op="without" | "list.take" | "list.drop" | "list.reversed"):
            return most_elements(c, x.args[0])
        case TypedExpr(op="list"):
            return len(x.args)
        case TypedExpr(op="if" | "otherwise" | "otherwise_list"):
            found_both = [most_elements(c, a) for a in x.args[-2:]]
            return None if None in found_both else max(n for n in found_both if n is not None)
        case CallExpr() if not isinstance(x, OriginalExpr):
            return most_returned(c, x.proc)
        case ParamExpr():
            return len(c.game.parameters[x.name])
        case TypedExpr(op=name) if name in (*TABLES, "cell.ray", "cell.linked"):
            board = board_of(c, x)
            rows = relation_of(board, name)
            return board.size if rows is None else max(map(len, rows), default=0)
    if isinstance(x.type, t.Zone):
        return capacity_of(c, x)
    if isinstance(x.type, t.Family):
        return len(c.game.components)
    return None


def room_for(c: Context, x: TypedExpr) -> int:
    """The capacity needed to collect a list, set or bag, duplicates included."""
    most, shape = most_elements(c, x), c.shape(x.type)
    assert isinstance(shape, Items)
    if most is not None:
        return min(most, 100_000)
    return max(4 * shape.most, 128) if shape.kind == "set" else shape.most


def most_returned(c: Context, index: int) -> int | None:
    """Return the most elements that a definition returns; `None` if unknown."""
    if index in c.returned:
        return c.returned[index]
    c.returned[index] = None  # while it is asked for: one that calls itself is not known
    c.measured += 1
    found = 0
    for s in statements(c.game.program.procs[index].body):
        if isinstance(s, LeaveStmt) and s.args:
            n = most_elements(c, s.args[-1])
            if n is None or index in c.hooked:
                found = -1
                break
            found = max(found, n)
    c.measured -= 1
    c.returned[index] = None if found < 0 else found
    return c.returned[index]


def capacity_of(c: Context, x: TypedExpr) -> int:
    """The capacity of a zone."""
    kinds = x.type.kinds if isinstance(x.type, t.Zone) else frozenset()
    most = sum(c.game.kinds[k][1] for k in kinds) if kinds else len(c.game.components)
    if isinstance(x, ZoneExpr):
        first, count = c.game.zone_ranges[x.name]
        found = [c.game.zones[z].capacity for z in range(first, first + count)]
        if None not in found:
            most = min(most, max((n for n in found if n is not None), default=0))
    return most


@rule("range", "clockwise", "others", "turns", "optional.list", "optional_list")
@rule("zone_list", "zone_all", "zone.list", "family_list", "family.list")
def _as_list(c: Context, x: TypedExpr) -> Operand:
    if x.op == "turns" and not x.args:
        return c.known(tuple(range(c.game.players)), Items("list", c.game.players, Word()))
    if x.op == "range":
        low, high = word(c, x.args[0]), word(c, x.args[1])
        if isinstance(low, Const) and isinstance(high, Const):
            return c.known(tuple(range(low.value, high.value + 1)), Items("list", 0, Word()))
    return gathered(c, x)


def as_type(c: Context, v: Operand, kind: t.Type) -> Operand:
    """An optional, unwrapped if its type is not optional."""
    return v if isinstance(kind, t.Optional) else c.certain(v)
