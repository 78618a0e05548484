"""When candidates are one option: they are equal in the `merging` attributes, or components of equal label in
one set or bag.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, and_, const, eq, le, lt, mul, select, sub
from croupier.core.operations import Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import Choice
from croupier.lowering.compare import equal
from croupier.lowering.context import Context, Operand, Ref, as_word
from croupier.lowering.shapes import NotLowered, Word, optional


def attribute(c: Context, base: t.Type, name: str, v: Operand) -> Operand:
    """The value of a `merging` attribute: a field, a column, an attribute of a component."""
    if isinstance(base, t.Record):
        assert isinstance(v, Ref)
        return c.load(c.parts(v)[list(c.game.program.records[base.name].fields).index(name)])
    v = as_word(v)
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


def equal_in(c: Context, merging: tuple[str, ...], base: t.Type, a: Operand, b: Operand) -> Expression:
    """1 if two candidates are equal in the attributes of `merging`."""
    test: Expression = TRUE
    for name in merging:
        test = and_(test, equal(c, attribute(c, base, name, a), attribute(c, base, name, b)))
    return test


def alike(c: Context, choice: Choice, a: Operand, b: Operand) -> Expression:
    """1 if two candidates are one option."""
    if choice.merging:
        return equal_in(c, choice.merging, choice.base, a, b)
    return eq(location_key(c, as_word(a)), location_key(c, as_word(b)))


def location_key(c: Context, component: Expression) -> Expression:
    """A number that components share if they have equal labels and are in one set or bag, or both in no
    zone.
    """
    w, zones = c.w, c.game.zones
    component = w.temp(component)
    z = w.temp(op.Load("where", component))
    ordered = c.words([p.order not in ("set", "bag") for p in zones], z)
    alone = and_(op.Le(FALSE, z), eq(ordered, TRUE))
    shared = add(mul(first_of(c, component), const(len(zones) + 1)), add(z, TRUE))
    return w.temp(select(alone, sub(const(-1), component), shared))


def first_of(c: Context, component: Expression) -> Expression:
    """The lowest index among the components with the label of a component."""
    return c.words(c.game.alike.first, component)


def numbered(c: Context, taken: str, component: Expression) -> Expression:
    """The index that represents a component after others; `taken` counts those of equal label."""
    w = c.w
    members = c.game.alike.members
    rows = [members.get(i, (i,)) for i in range(len(c.game.components))]
    starts = [sum(map(len, rows[:i])) for i in range(len(rows))]
    first = w.temp(first_of(c, component))
    place = w.temp(add(c.words(starts, first), op.Load(taken, first)))
    number = w.temp(c.words([n for row in rows for n in row], place))
    w.store(taken, first, add(op.Load(taken, first), TRUE))
    return number
