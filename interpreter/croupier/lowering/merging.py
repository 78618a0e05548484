"""Merging of candidates into one option, represented by the first of them.

They are equal in the `merging` attributes, or components of equal label in one zone. At chance their weights
add up.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, eq, le, lt, mul, select, sub
from croupier.core.operations import Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import Choice
from croupier.lowering.candidates import Candidates
from croupier.lowering.compare import equal
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.shapes import WORD, NotLowered, Word, optional
from croupier.lowering.sources import gathered, most_elements


def attribute(c: Context, base: t.Type, name: str, v: Operand) -> Operand:
    """The value of a `merging` attribute: a field, a column, an attribute of a component."""
    if isinstance(base, t.Record):
        assert isinstance(v, Ref)
        return c.load(c.parts(v)[list(c.game.program.records[base.name].fields).index(name)])
    assert not isinstance(v, Ref)
    if (isinstance(base, t.Enum) and name == "rank") or (isinstance(base, t.Player) and name == "seat"):
        return v
    if isinstance(base, t.Enum):
        return c.rows(
            list(c.game.columns[base.name, name]), c.shape(c.game.program.enums[base.name].columns[name]), v
        )
    if isinstance(base, t.Component):
        if all(c.game.program.vars.get(f"{k}.{name}") is None for k in base.kinds):
            kinds = [c.game.program.classes[k].attributes[name] for k in base.kinds]
            shape = c.shape(kinds[0])
            values = [p.attributes.get(name) for p in c.game.components]
            return c.rows(values, optional(shape) if None in values else shape, v)
        if len(base.kinds) == 1:
            return _of_kind(c, next(iter(base.kinds)), name, v)
        return _of_kinds(c, sorted(base.kinds), name, c.w.temp(v))
    raise AssertionError(base)


def _of_kind(c: Context, kind: str, name: str, component: Expression) -> Operand:
    """The value of an attribute of a component of a kind."""
    variable = c.game.program.vars.get(f"{kind}.{name}")
    if variable is None:
        shape = c.shape(c.game.program.classes[kind].attributes[name])
        values = [p.attributes.get(name) if p.kind == kind else None for p in c.game.components]
        return c.rows(values, optional(shape), component)
    whole = Ref(f"v{variable.index}", FALSE, c.shape(variable.type))
    return c.load(c.entry(whole, c.w.temp(sub(component, const(c.game.kinds[kind][0])))))


def _of_kinds(c: Context, kinds: list[str], name: str, component: Expression) -> Operand:
    """The value of an attribute, which may change in some of these kinds, of a component of one of them."""
    shapes = {optional(c.shape(_attribute_type(c, kind, name))) for kind in kinds}
    if len(shapes) > 1:
        raise NotLowered("`merging` by an attribute that has another type in each kind of components")
    shape = shapes.pop()
    into: Ref | Local = Local(c.w.fresh()) if isinstance(shape, Word) else c.room(shape)
    for kind in kinds:
        first, count = c.game.kinds[kind]
        is_of_kind = and_(le(const(first), component), lt(component, const(first + count)))
        c.w.when(is_of_kind, lambda kind=kind: c.assign(_of_kind(c, kind, name, component), into))  # type: ignore[misc]
    return into


def _attribute_type(c: Context, kind: str, name: str) -> t.Type:
    variable = c.game.program.vars.get(f"{kind}.{name}")
    if variable is None:
        return c.game.program.classes[kind].attributes[name]
    return variable.type.value if isinstance(variable.type, t.Map) else variable.type


def alike(c: Context, choice: Choice, a: Operand, b: Operand) -> Expression:
    """1 if two candidates are one option: equal in the `merging` attributes, or components of equal label in
    one set or bag.
    """
    test: Expression = TRUE
    if not choice.merging:
        assert not isinstance(a, Ref) and not isinstance(b, Ref)
        return eq(location_key(c, a), location_key(c, b))
    for name in choice.merging:
        test = and_(test, equal(c, attribute(c, choice.base, name, a), attribute(c, choice.base, name, b)))
    return test


def location_key(c: Context, component: Expression) -> Expression:
    """A number that components share if they have equal labels and are in one set or bag, or both in no
    zone.
    """
    w, zones = c.w, c.game.zones
    component = w.temp(component)
    z = w.temp(op.Load("where", component))
    ordered = c.rows([int(p.order not in ("set", "bag")) for p in zones], WORD, z)
    assert not isinstance(ordered, Ref)
    alone = and_(op.Le(FALSE, z), eq(ordered, TRUE))
    shared = add(mul(first_of(c, component), const(len(zones) + 1)), add(z, TRUE))
    return w.temp(select(alone, sub(const(-1), component), shared))


def first_of(c: Context, component: Expression) -> Expression:
    """The lowest index among the components with the label of a component."""
    found = c.rows(list(c.game.alike.first), WORD, component)
    assert not isinstance(found, Ref)
    return found


def numbered(c: Context, taken: str, component: Expression) -> Expression:
    """The index that represents a component after others; `taken` counts those of equal label."""
    w = c.w
    members = c.game.alike.members
    rows = [members.get(i, (i,)) for i in range(len(c.game.components))]
    starts = [sum(map(len, rows[:i])) for i in range(len(rows))]
    first = w.temp(first_of(c, component))
    start = c.rows(list(starts), WORD, first)
    assert not isinstance(start, Ref)
    found = c.rows([n for row in rows for n in row], WORD, w.temp(add(start, op.Load(taken, first))))
    assert not isinstance(found, Ref)
    number = w.temp(found)
    w.store(taken, first, add(op.Load(taken, first), TRUE))
    return number


Put = Callable[[Expression, Expression, Operand], None]
KEY, VALUE, WEIGHT, STRIDE = range(4)


def groups(
    c: Context,
    choice: Choice,
    found: Candidates,
    offer: Put,
    weigh: Callable[[Operand], Expression] | None = None,
) -> None:
    """Offer the first candidate of each option with weight and value; at chance weights add up."""
    w = c.w
    domain = c.game.domain(choice.base)[1] if found.finite else 0
    most = domain or most_elements(c, choice.source) or 256
    rows, leads, n = w.array(STRIDE * most), w.array(most), w.fresh()
    w.set(n, FALSE)
    seen = w.array(domain, "m")
    w.count(FALSE, const(domain), lambda i: w.store(seen, i, FALSE))
    taken = w.array(len(c.game.components), "m")
    if found.alike:
        w.count(FALSE, const(len(c.game.components)), lambda i: w.store(taken, i, FALSE))

    def at(i: Expression, part: int) -> Expression:
        return add(mul(i, const(STRIDE)), const(part))

    def note(action: Expression, v: Operand) -> None:
        def keep() -> None:
            w.guard(lt(Local(n), const(most)))
            key = action
            if found.alike:
                assert not isinstance(v, Ref)
                key = first_of(c, v)
            w.store(rows, at(Local(n), KEY), key)
            w.store(rows, at(Local(n), VALUE), action)
            w.store(rows, at(Local(n), WEIGHT), TRUE if weigh is None else weigh(v))
            w.set(n, add(Local(n), TRUE))

        def once() -> None:
            w.store(seen, index, TRUE)
            keep()

        if not found.finite:
            keep()
            return
        index = w.temp(sub(action, const(found.shift)))
        w.when(eq(op.Load(seen, index), FALSE), once)

    found.each(note)
    w.emit(op.Sort(rows, FALSE, Local(n), STRIDE, 1))
    w.count(FALSE, Local(n), lambda i: w.store(leads, i, TRUE))
    list_ = None if found.finite else gathered(c, choice.source)

    def value_at(i: Expression) -> Operand:
        action = op.Load(rows, at(i, VALUE))
        if list_ is None:
            return w.temp(add(action, const(found.low - found.shift)))
        return c.element(list_, w.temp(sub(action, const(found.shift))))

    def compare(i: Expression) -> None:
        a, total = value_at(i), w.fresh()
        w.set(total, op.Load(rows, at(i, WEIGHT)))

        def others(j: Expression) -> None:
            def same() -> None:
                w.store(leads, j, FALSE)
                w.set(total, add(Local(total), op.Load(rows, at(j, WEIGHT))))

            w.when(eq(op.Load(leads, j), TRUE), lambda: w.when(alike(c, choice, a, value_at(j)), same))

        def lead() -> None:
            w.count(add(i, TRUE), Local(n), others)
            action: Expression = op.Load(rows, at(i, VALUE))
            if found.alike:
                assert not isinstance(a, Ref)
                action = add(numbered(c, taken, a), const(found.shift - found.low))
            offer(w.temp(action), Local(total), a)

        w.when(eq(op.Load(leads, i), TRUE), lead)

    w.count(FALSE, Local(n), compare)


def options(c: Context, choice: Choice, found: Candidates, offer: Put) -> None:
    """Offer each option once."""
    if choice.merging or found.alike:
        groups(c, choice, found, offer)
    else:
        found.each(lambda action, v: offer(action, TRUE, v))


def decoded(c: Context, choice: Choice, found: Candidates, action: Expression) -> Operand:
    """The value of an action."""
    if not found.alike:
        return found.decode(action)
    w, action = c.w, c.w.temp(action)
    name = w.fresh()
    w.set(name, NONE)

    def is_it(number: Expression, _: Expression, v: Operand) -> None:
        assert not isinstance(v, Ref)
        w.when(eq(number, action), lambda: w.set(name, v))

    groups(c, choice, found, is_it)
    return Local(name)
