"""The prelude: functions of every game that move components, shuffle and swap zones, and run watchers.

Each primitive is one write, after which watchers run. It is specialized to the set-up: cases that no zone
needs are left out.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, Writer, add, and_, const, eq, le, lt, not_, select, sub
from croupier.core.operations import Expression, Local
from croupier.core.types import FunctionParameter, Memory
from croupier.lowering.context import Context
from croupier.lowering.costs import pay_share
from croupier.runtime.zone_contents import GRAIN

ROOM = 1 << 40  # of a zone without capacity
FEW = 4  # steps that are paid whatever the length of zones


def function(c: Context, name: str, parameters: str, write: Callable[[Context, Writer], None]) -> None:
    """Write a function of the prelude, whose parameters are words."""
    with c.define(name, *map(FunctionParameter, parameters.split())):
        write(c, c.w)


def write_prelude(c: Context) -> None:
    """Write all functions of the prelude."""
    zones, components = c.game.zones, c.game.components
    where = [-1] * len(components)
    for z, items in enumerate(c.core.zones.contents):
        for component in items:
            where[component] = z
    c.core.memories["where"] = Memory("where", max(1, len(components)), tuple(where))
    if not zones:
        return
    function(c, "wrote", "z", _wrote)
    function(c, "move", "c z bottom", _move)
    function(c, "take", "a i z", _take)
    function(c, "deal", "c a z", _deal)
    function(c, "move_all", "a z bottom", _move_all)
    function(c, "shuffle", "z", _shuffle)
    function(c, "swap", "a b", _swap)
    function(c, "swap_zones", "a b", _swap_zones)
    function(c, "trade_zones", "a b", lambda c, w: _swap_zones(c, w, told=False))


def _ordered(c: Context, z: Expression) -> Expression:
    return eq(c.words([int(p.order in ("set", "bag")) for p in c.game.zones], z), TRUE)


def _room(c: Context, z: Expression) -> Expression:
    return c.words([ROOM if p.capacity is None else p.capacity for p in c.game.zones], z)


def _holds(c: Context, component: Expression, z: Expression) -> Expression:
    """1 if a zone may hold a component."""
    kinds = list(c.game.kinds)
    held = [c.game.program.zones[p.family].kinds for p in c.game.zones]
    if all(set(kinds) <= set(h) for h in held):
        return TRUE
    table = c.table(tuple(int(k in h) for h in held for k in kinds))
    kind = c.words([kinds.index(p.kind) for p in c.game.components], component)
    return eq(op.Load(table, add(op.Mul(z, const(len(kinds))), kind)), TRUE)


def _guard_kinds(c: Context, w: Writer, a: Expression, n: Expression, z: Expression) -> None:
    """Guard that `z` may hold each of the `n` components of zone `a`."""
    if _holds(c, FALSE, z) != TRUE:
        with w.count(FALSE, n) as i:
            w.guard(_holds(c, op.Element(a, i), z))


def _wrote(c: Context, w: Writer) -> None:
    """Run the watchers of a zone."""
    watched = sorted({i for rows in c.watch_zones.values() for i in rows})
    z = Local("z")
    if not watched:
        return
    for i in watched:
        flags = [int(i in c.watch_zones.get(p.number, ())) for p in c.game.zones]
        with w.where(eq(c.words(flags, z), TRUE)):
            w.store("dirty", const(i), TRUE)
    w.emit(op.Call("notice", ()))


def tell(c: Context, w: Writer, z: Expression) -> None:
    """Run the watchers of a zone, if there are any."""
    if any(c.watch_zones.values()):
        seen = [int(bool(c.watch_zones.get(p.number))) for p in c.game.zones]
        w.when(eq(c.words(seen, z), TRUE), lambda: w.emit(op.Call("wrote", (z,))))


def _put(c: Context, w: Writer, component: Expression, z: Expression, bottom: Expression) -> None:
    """Put a component into a zone, in its order."""

    def sorted_in() -> None:
        w.emit(op.Insert(z, w.temp(op.Rank(z, component), "i"), component))

    def laid() -> None:
        w.when(
            eq(bottom, TRUE),
            lambda: w.emit(op.Insert(z, FALSE, component)),
            lambda: w.emit(op.Push(z, component)),
        )

    w.when(_ordered(c, z), sorted_in, laid)
    w.store("where", component, z)


def _move(c: Context, w: Writer) -> None:
    component = Local("c")
    source = w.temp(op.Load("where", component))
    _moved(c, w, component, source, op.Find(source, component), Local("bottom"), le(FALSE, source))


def _take(c: Context, w: Writer) -> None:
    """Take the component at an index of a zone."""
    _moved(c, w, w.temp(op.Element(Local("a"), Local("i"))), Local("a"), Local("i"), FALSE, TRUE)


def _deal(c: Context, w: Writer) -> None:
    """Take a component from a known zone."""
    _moved(c, w, Local("c"), Local("a"), op.Find(Local("a"), Local("c")), FALSE, TRUE)


def _moved(
    c: Context,
    w: Writer,
    component: Expression,
    source: Expression,
    index: Expression,
    bottom: Expression,
    lies: Expression,
) -> None:
    """Move a component from its zone, if it is in any, to the zone `z`."""
    z = Local("z")
    w.guard(_holds(c, component, z))
    most = len(c.game.components) // GRAIN  # both zones together hold no more
    if most > FEW:
        pay_share(c, add(op.Length(z), select(lies, op.Length(source), FALSE)))
    elif most:
        w.emit(op.Pay(const(most)))
    w.when(lies, lambda: w.emit(op.Remove(source, index)))
    if any(p.capacity is not None for p in c.game.zones):
        w.guard(lt(op.Length(z), _room(c, z)))
    _put(c, w, component, z, bottom)
    if any(c.watch_zones.values()):
        w.when(lies, lambda: tell(c, w, source))
        w.when(not_(eq(source, z)), lambda: tell(c, w, z))


def _note(w: Writer, z: Expression, n: Expression, items: str, bits: str = "") -> None:
    """Copy the components of a zone to an array and, if wanted, the bits of its unordered parts."""
    with w.count(FALSE, n) as i:
        w.store(items, i, op.Element(z, i))
        if bits:
            w.store(bits, i, op.Loose(z, i))


def _is_loose(w: Writer, z: Expression) -> Expression:
    """1 if a zone has an unordered part."""
    name = w.variable(FALSE)
    with w.count(FALSE, op.Length(z)) as i:
        w.leave_if(eq(op.Loose(z, i), TRUE), lambda: w.set(name, TRUE))
    return eq(Local(name), TRUE)


def _move_all(c: Context, w: Writer) -> None:
    a, z, bottom = Local("a"), Local("z"), Local("bottom")
    n = w.temp(op.Length(a), "n")
    items = w.array(len(c.game.components))

    def note() -> None:
        _note(w, a, n, items)

    def in_order() -> None:
        with w.where(not_(eq(a, z))):
            note()
            with w.count(FALSE, n) as i:
                item = op.Load(items, select(eq(bottom, TRUE), sub(sub(n, TRUE), i), i))
                w.emit(op.Call("move", (item, z, bottom)))

    if not c.shuffles:
        in_order()
        return

    def flattened() -> None:
        note()
        with w.count(FALSE, n) as i:
            w.emit(op.Call("move", (op.Load(items, i), z, FALSE)))

    def whole() -> None:
        w.emit(op.Pay(n))
        _guard_kinds(c, w, a, n, z)
        w.guard(le(add(op.Length(z), n), _room(c, z)))
        bits = w.array(len(c.game.components))
        _note(w, a, n, items, bits)
        w.emit(op.Truncate(a, FALSE))
        m = w.temp(op.Length(z), "n")

        def on_top() -> None:
            with w.count(FALSE, n) as i:
                w.emit(op.Push(z, op.Load(items, i)))
                w.store("where", op.Load(items, i), z)

        def below() -> None:
            with w.count(FALSE, n) as i:
                w.emit(op.Insert(z, i, op.Load(items, i)))
                w.store("where", op.Load(items, i), z)

        w.when(eq(bottom, TRUE), below, on_top)
        first = w.temp(select(eq(bottom, TRUE), FALSE, m))
        with w.count(FALSE, n) as i:
            w.emit(op.Loosen(z, add(first, i), op.Load(bits, i)))
        tell(c, w, a)
        tell(c, w, z)

    loose = _is_loose(w, a)
    w.when(and_(loose, not_(eq(a, z))), lambda: w.when(_ordered(c, z), flattened, whole), in_order)


def _shuffle(c: Context, w: Writer) -> None:
    z = Local("z")
    n = w.temp(op.Length(z), "n")
    w.emit(op.Pay(n))
    items = w.array(len(c.game.components))
    _note(w, z, n, items)
    w.emit(op.Sort(items, FALSE, n, 1, 1))
    w.emit(op.Truncate(z, FALSE))
    with w.count(FALSE, n) as i:
        w.emit(op.Push(z, op.Load(items, i)))
    with w.count(FALSE, sub(n, TRUE)) as i:
        w.emit(op.Loosen(z, i, TRUE))
    tell(c, w, z)


def _replace(c: Context, w: Writer, z: Expression, at: Expression, component: Expression) -> None:
    """Replace a component by another; a set or bag is sorted again."""

    def sorted_() -> None:
        w.emit(op.Remove(z, at))
        _put(c, w, component, z, FALSE)

    def there() -> None:
        w.emit(op.Remove(z, at))
        w.emit(op.Insert(z, at, component))
        w.store("where", component, z)

    w.when(_ordered(c, z), sorted_, there)


def _swap(c: Context, w: Writer) -> None:
    a, b = Local("a"), Local("b")

    with w.where(not_(eq(a, b))):
        za, zb = w.temp(op.Load("where", a)), w.temp(op.Load("where", b))
        w.guard(and_(le(FALSE, za), le(FALSE, zb)))
        if len(c.game.components) >= GRAIN:
            pay_share(c, add(op.Length(za), op.Length(zb)))
        w.guard(and_(_holds(c, a, zb), _holds(c, b, za)))
        pa, pb = w.temp(op.Find(za, a)), w.temp(op.Find(zb, b))
        if c.shuffles:
            for z, at in ((za, pa), (zb, pb)):
                w.guard(eq(op.Loose(z, at), FALSE))
                with w.where(lt(FALSE, at)):
                    w.guard(eq(op.Loose(z, sub(at, TRUE)), FALSE))

        def within_one() -> None:
            with w.where(not_(_ordered(c, za))):
                low = w.temp(select(lt(pa, pb), pa, pb))
                high = w.temp(select(lt(pa, pb), pb, pa))
                lower, upper = w.temp(op.Element(za, low)), w.temp(op.Element(za, high))
                w.emit(op.Remove(za, high))
                w.emit(op.Insert(za, high, lower))
                w.emit(op.Remove(za, low))
                w.emit(op.Insert(za, low, upper))

        def between_two() -> None:
            _replace(c, w, za, pa, b)
            _replace(c, w, zb, pb, a)

        w.when(eq(za, zb), within_one, between_two)
        tell(c, w, za)
        w.when(not_(eq(za, zb)), lambda: tell(c, w, zb))


def _swap_zones(c: Context, w: Writer, told: bool = True) -> None:
    a, b = Local("a"), Local("b")
    size = len(c.game.components)

    with w.where(not_(eq(a, b))):
        n, m = w.temp(op.Length(a), "n"), w.temp(op.Length(b), "n")
        w.emit(op.Pay(add(n, m)))
        _guard_kinds(c, w, a, n, b)
        _guard_kinds(c, w, b, m, a)
        if any(p.capacity is not None for p in c.game.zones):
            w.guard(and_(le(m, _room(c, a)), le(n, _room(c, b))))
        arrays = [w.array(size) for _ in range(4)]
        for z, count, items, bits in ((a, n, arrays[0], arrays[1]), (b, m, arrays[2], arrays[3])):
            _note(w, z, count, items, bits)
            w.emit(op.Truncate(z, FALSE))
        _lay(c, w, b, n, arrays[0], arrays[1])
        _lay(c, w, a, m, arrays[2], arrays[3])
        for z in (a, b) if told else ():
            tell(c, w, z)


def _lay(c: Context, w: Writer, z: Expression, n: Expression, items: str, bits: str) -> None:
    """Lay components into an empty zone: sorted, or with the unordered parts that they had."""

    def push() -> None:
        with w.count(FALSE, n) as i:
            w.emit(op.Push(z, op.Load(items, i)))

    def lay() -> None:
        push()
        with w.count(FALSE, n) as i:
            w.emit(op.Loosen(z, i, op.Load(bits, i)))

    def sort() -> None:
        w.emit(op.Sort(items, FALSE, n, 1, 1))
        push()

    w.when(_ordered(c, z), sort, lay)
    with w.count(FALSE, n) as i:
        w.store("where", op.Load(items, i), z)
