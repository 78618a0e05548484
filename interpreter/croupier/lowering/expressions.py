"""Expressions: constants, conditions, optionals, state variables, attributes, records and maps."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, add, and_, const, eq, le, lt, not_, or_, select, sub
from croupier.core.operations import Const, Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AttributeExpr,
    CellExpr,
    ColumnExpr,
    ComponentExpr,
    ConstExpr,
    DomainExpr,
    EnumExpr,
    FieldExpr,
    IsKindExpr,
    LabelledExpr,
    LocalExpr,
    MutableExpr,
    ParamExpr,
    RecordExpr,
    StateExpr,
    TypedExpr,
)
from croupier.limits import MAX_NUMBER
from croupier.lowering.compare import equal
from croupier.lowering.context import Context, Operand, Ref, as_word
from croupier.lowering.operands import form, ref, rule, value, word
from croupier.lowering.shapes import Items, NotLowered, Word, optional


# ---------------------------------------------------------------- what is known
@form(ConstExpr)
def _const(c: Context, x: ConstExpr) -> Operand:
    if isinstance(x.value, str):
        return c.known(x.value, c.shape(t.Text()))
    return NONE if x.value is None else const(x.value)


@form(EnumExpr)
def _enum(c: Context, x: EnumExpr) -> Operand:
    return const(c.game.enum_values[x.enum][x.name])


@form(ComponentExpr)
def _component(c: Context, x: ComponentExpr) -> Operand:
    return const(c.game.by_id[(x.kind, x.name)])


@form(LabelledExpr)
def _labelled(c: Context, x: LabelledExpr) -> Operand:
    kinds = x.type.kinds if isinstance(x.type, t.Component) else frozenset()
    found = [i for i in c.game.by_label.get(x.label, []) if c.game.components[i].kind in kinds]
    return const(found[0])


@rule("copies")
def _copies(c: Context, x: TypedExpr) -> Operand:
    found = [c.game.alike.copies[i] for i in range(len(c.game.components))]
    return c.rows(list(found), Items("list", 0, Word()), word(c, x.args[0]))


@form(CellExpr)
def _cell(c: Context, x: CellExpr) -> Operand:
    return const(c.game.boards[x.board].names.index(x.name))


@form(ParamExpr)
def _param(c: Context, x: ParamExpr) -> Operand:
    return c.constant(c.game.parameters[x.name], x.type)


@rule("players", "board.cells", *DomainExpr.WORDS)
def _domain(c: Context, x: TypedExpr) -> Operand:
    """All values of a type."""
    assert isinstance(x.type, t.Collection)
    first, count = c.game.domain(x.type.base)
    return c.constant(tuple(range(first, first + count)), x.type)


# ---------------------------------------------------------------- what is held
@form(LocalExpr)
def _local(c: Context, x: LocalExpr) -> Operand:
    found = c.body.env.get(x.slot)
    if found is None:
        raise NotLowered(f"slot {x.slot}", x.span)
    return found


@rule("narrow", "turns_of", "list.list", "set.list", "bag.list")
def _same(c: Context, x: TypedExpr) -> Operand:
    return value(c, x.args[0])


@form(StateExpr)
def _state(c: Context, x: StateExpr) -> Operand:
    return c.load(c.variable(x.name))


@form(MutableExpr)
def _mutable(c: Context, x: MutableExpr) -> Operand:
    return c.load(mutable_location(c, x))


def mutable_location(c: Context, x: MutableExpr) -> Ref:
    """The location of a mutable attribute of a component."""
    return mutable_of(c, x.name, word(c, x.args[0]))


def mutable_of(c: Context, name: str, component: Expression) -> Ref:
    """The location of a mutable attribute, whose name is that of a variable."""
    first, _ = c.game.kinds[name.split(".")[0]]
    return c.entry(c.variable(name), c.w.temp(sub(component, const(first))))


@form(AttributeExpr)
def _attr(c: Context, x: AttributeExpr) -> Operand:
    return attribute_of(c, x.name, x.type, word(c, x.args[0]))


def attribute_of(c: Context, name: str, kind: t.Type, component: Expression) -> Operand:
    """An attribute that never changes, of a component of any kind that has it."""
    values = [p.attributes.get(name) for p in c.game.components]
    return c.rows(values, optional(c.shape(kind)) if None in values else c.shape(kind), component)


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
            kind = next(iter(base.kinds))
            return attribute_of(c, name, c.game.program.classes[kind].attributes[name], v)
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
    return c.load(mutable_of(c, variable.name, component))


def _of_kinds(c: Context, kinds: list[str], name: str, component: Expression) -> Operand:
    """The value of an attribute, which may change in some of these kinds, of a component of one of them."""
    shapes = {optional(c.shape(_attribute_type(c, kind, name))) for kind in kinds}
    if len(shapes) > 1:
        raise NotLowered("`merging` by an attribute that has another type in each kind of components")
    shape = shapes.pop()
    into = c.place(shape, "t")
    for kind in kinds:
        first, count = c.game.kinds[kind]
        with c.w.where(and_(le(const(first), component), lt(component, const(first + count)))):
            c.assign(_of_kind(c, kind, name, component), into)
    return into


def _attribute_type(c: Context, kind: str, name: str) -> t.Type:
    variable = c.game.program.vars.get(f"{kind}.{name}")
    if variable is None:
        return c.game.program.classes[kind].attributes[name]
    return variable.type.value if isinstance(variable.type, t.Map) else variable.type


@form(ColumnExpr)
def _column(c: Context, x: ColumnExpr) -> Operand:
    return c.rows(list(c.game.columns[(x.enum, x.name)]), c.shape(x.type), word(c, x.args[0]))


@form(FieldExpr)
def _field(c: Context, x: FieldExpr) -> Operand:
    i = list(c.game.program.records[x.record].fields).index(x.name)
    whole = c.certain(ref(c, x.args[0]))
    assert isinstance(whole, Ref)
    return c.load(c.parts(whole)[i])


@form(RecordExpr)
def _record(c: Context, x: RecordExpr) -> Operand:
    fields = list(c.game.program.records[x.name].fields.values())
    shape = c.shape(x.type)
    into = c.room(shape)
    for a, kind, location in zip(x.args, fields, c.parts(into), strict=True):
        v = value(c, a)
        if not (t.within(a.type, kind) or a.op == "bound"):
            test_type(c, v, kind)
        c.put(v, location)
    return into


@rule("index")
def _index(c: Context, x: TypedExpr) -> Operand:
    kind = x.args[0].type
    assert isinstance(kind, t.Map)
    location = index_location(c, x)
    found = c.load(location)
    if isinstance(kind.value, (t.Optional, t.Nothing)):
        return found
    if isinstance(found, Ref):
        c.w.guard(not_(c.missing(found)))
        return c.certain(found)
    if may_lack(c, x.args[0]):
        found = c.w.temp(found)
        c.w.guard(not_(eq(found, NONE)))
    return found


def may_lack(c: Context, x: TypedExpr) -> bool:
    """Return whether a map may lack a value at some key.

    A map of the state that began complete never does, unless something may put none into it.
    """
    if isinstance(x, StateExpr):
        v = c.game.program.vars[x.name]
        start = c.game.start_vars[v.index]
        return not isinstance(start, tuple) or None in start or v.index in c.lacking
    return not (isinstance(x, ParamExpr))


def index_location(c: Context, x: TypedExpr) -> Ref:
    """The location of the value of a map at a key."""
    kind = x.args[0].type
    assert isinstance(kind, t.Map)
    whole = c.certain(value(c, x.args[0]))
    assert isinstance(whole, Ref)
    return c.entry(whole, index_of_key(c, x.args[1], kind.key))


def index_of_key(c: Context, x: TypedExpr, kind: t.Type, *, held: bool = False) -> Expression:
    """The index of a key among the values of a type, guarded to be one of them.

    `held`: it is evaluated here, before what is written next.
    """
    low, count = c.game.domain(kind)
    key, is_sure = word(c, x), surely(c, x, low, low + count)
    if held or not is_sure:
        key = c.w.temp(key)
    if not is_sure:
        c.w.guard(and_(le(const(low), key), lt(key, const(low + count))))
    return sub(key, const(low))


def surely(c: Context, x: TypedExpr, low: int, high: int) -> bool:
    """Return whether all values of the type of an expression are from `low` to below `high`."""
    if isinstance(x.type, t.Optional) or not c.game.is_finite(x.type):
        return False
    first, count = c.game.domain(x.type)
    return low <= first and first + count <= high


@rule("map")
def _map(c: Context, x: TypedExpr) -> Operand:
    kind = x.type
    assert isinstance(kind, t.Map)
    shape = c.shape(kind)
    into = c.room(shape)
    if isinstance(kind.key, t.Never):
        return into
    _, count = c.game.domain(kind.key)
    pairs = list(x.args)
    other = pairs.pop() if len(pairs) % 2 else None
    otherwise: Operand = NONE if other is None else c.held(value(c, other))
    with c.w.count(const(0), const(count)) as i:
        c.put(otherwise, c.entry(into, i))
    for k, v in zip(pairs[::2], pairs[1::2], strict=True):
        key = index_of_key(c, k, kind.key, held=True)
        c.put(value(c, v), c.entry(into, key))
    return into


# ---------------------------------------------------------------- none and bounds
@rule("certain")
def _certain(c: Context, x: TypedExpr) -> Operand:
    found = c.once(value(c, x.args[0]))
    c.w.guard(not_(c.missing(found)))
    return c.certain(found)


@rule("is_none", "is_some")
def _is_none(c: Context, x: TypedExpr) -> Operand:
    test = c.missing(value(c, x.args[0]))
    return test if x.op == "is_none" else not_(test)


@rule("otherwise")
def _otherwise(c: Context, x: TypedExpr) -> Operand:
    a = c.once(value(c, x.args[0]))
    return branches(c, x, not_(c.missing(a)), lambda: c.certain(a), lambda: value(c, x.args[1]))


@rule("if")
def _if(c: Context, x: TypedExpr) -> Operand:
    return branches(c, x, word(c, x.args[0]), lambda: value(c, x.args[1]), lambda: value(c, x.args[2]))


def branches(
    c: Context, x: TypedExpr, test: Expression, one: Callable[[], Operand], two: Callable[[], Operand]
) -> Operand:
    """One of two values; only that one is evaluated."""
    w = c.w
    if isinstance(test, Const):
        found = one() if test.value else two()
        if not isinstance(found, Ref) or found.shape == (shape := c.shape(x.type)):
            return found
        into = c.room(shape)  # its own type may be narrower: a map to nothing but none
        c.put(found, into)
        return into
    with w.inside() as then:
        a = one()
    with w.inside() as other:
        b = two()
    if not isinstance(a, Ref) and not isinstance(b, Ref):
        if not then and not other:
            return select(test, a, b)
        name = w.fresh()
        w.emit(op.If(test, (*then, op.Set(name, a)), (*other, op.Set(name, b))))
        return Local(name)
    into = c.room(c.shape(x.type))
    with w.inside() as more:
        c.put(a, into)
    with w.inside() as rest:
        c.put(b, into)
    w.emit(op.If(test, (*then, *more), (*other, *rest)))
    return into


@rule("bound")
def _bound(c: Context, x: TypedExpr) -> Operand:
    found = c.once(value(c, x.args[0]))
    test_type(c, found, x.type)
    return found


def test_type(c: Context, v: Operand, kind: t.Type) -> None:
    """Guard that a value is within its type, where the checker could not prove it."""
    w = c.w
    match kind:
        case t.Int():
            v = w.temp(as_word(v))
            low, high = c.game.int_bounds(kind)
            low = max(-MAX_NUMBER, -MAX_NUMBER if low is None else low)
            high = min(MAX_NUMBER, MAX_NUMBER if high is None else high)
            w.guard(and_(le(const(low), v), le(v, const(high))))
        case t.Component():
            is_of_kind = c.words([p.kind in kind.kinds for p in c.game.components], as_word(v))
            w.guard(not_(eq(is_of_kind, FALSE)))
        case t.Optional():
            v = c.once(v)
            with w.where(not_(c.missing(v))):
                test_type(c, c.certain(v), kind.base)
        case t.Collection():
            whole = c.certain(v)
            assert isinstance(whole, Ref) and isinstance(whole.shape, Items)
            list_ = c.fixed(whole)
            n = w.temp(c.length(list_), "n")
            if kind.capacity is not None:
                w.guard(le(n, const(c.game.constant(kind.capacity))))
            if needs_test(kind.base) and whole.shape.most:
                with w.count(const(0), n) as i:
                    test_type(c, c.element(list_, i), kind.base)
        case t.Map():
            whole = c.certain(v)
            assert isinstance(whole, Ref)
            if c.entries(whole.shape) and (
                needs_test(kind.value) or not isinstance(kind.value, (t.Optional, t.Nothing))
            ):
                table = c.fixed(whole)
                with w.count(const(0), const(c.entries(whole.shape))) as i:
                    found = c.once(c.load(c.entry(table, i)))
                    if not isinstance(kind.value, t.Optional):
                        w.guard(not_(c.missing(found)))
                        found = c.certain(found)
                    test_type(c, found, kind.value)


def needs_test(kind: t.Type) -> bool:
    """Return whether a value of a type needs a range check."""
    match kind:
        case t.Optional(base):
            return needs_test(base)
        case t.Int() | t.Component() | t.Collection() | t.Map():
            return True
    return False


# ---------------------------------------------------------------- conditions
@rule("and", "or")
def _lazily(c: Context, x: TypedExpr) -> Operand:
    """Short-circuit evaluation."""
    a, both = word(c, x.args[0]), x.op == "and"
    if isinstance(a, Const):
        return word(c, x.args[1]) if bool(a.value) == both else a
    with c.w.inside() as more:
        b = word(c, x.args[1])
    if not more:
        return and_(a, b) if both else or_(a, b)
    name = c.w.fresh()
    c.w.emit(op.Set(name, a))
    c.w.emit(op.If(Local(name) if both else not_(Local(name)), (*more, op.Set(name, b))))
    return Local(name)


@rule("not")
def _not(c: Context, x: TypedExpr) -> Operand:
    return not_(word(c, x.args[0]))


@rule("==", "!=")
def _equals(c: Context, x: TypedExpr) -> Operand:
    test = equal(c, value(c, x.args[0]), value(c, x.args[1]))
    return test if x.op == "==" else not_(test)


@rule("<", "<=", ">", ">=")
def _orders(c: Context, x: TypedExpr) -> Operand:
    low, high = x.args if x.op in ("<", "<=") else reversed(x.args)
    test = lt if x.op in ("<", ">") else le
    return test(word(c, low), word(c, high))


# ---------------------------------------------------------------- kinds of things
@form(IsKindExpr)
def _is_kind(c: Context, x: IsKindExpr) -> Operand:
    values = [(p.kind == x.kind) == x.wanted for p in c.game.components]
    return not_(eq(c.words(values, word(c, x.args[0])), FALSE))


@rule("player.seat", "enum.rank")
def _rank(c: Context, x: TypedExpr) -> Operand:
    return add(word(c, x.args[0]), const(1))
