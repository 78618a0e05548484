"""Assignment: the locations of targets, and the watchers to run afterwards."""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, lt, mul, not_, sub
from croupier.core.operations import Local
from croupier.kernel.tree import LocalExpr, MutableExpr, StateExpr, TypedExpr, TypedStmt
from croupier.lowering.compare import canonical, equal, is_plain
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.expressions import index_location, mutable_location
from croupier.lowering.lists import among, item_location
from croupier.lowering.operands import value
from croupier.lowering.shapes import Items, NotLowered, width


def assign(c: Context, target: TypedExpr, v: Operand) -> None:
    """Assign a target; run watchers if it is part of the state."""
    while target.op == "certain":
        target = target.args[0]
    if isinstance(target, LocalExpr):
        c.bind(target.slot, v)
        return
    c.put(v, location_of(c, target))
    wrote(c, target)


def location_of(c: Context, target: TypedExpr) -> Ref:
    """The location of a target."""
    match target:
        case LocalExpr():
            found = c.slot(target.slot)
            if isinstance(found, Ref):
                return found
        case StateExpr():
            return c.variable(target.name)
        case MutableExpr():
            return mutable_location(c, target)
        case TypedExpr(op="index"):
            return index_location(c, target)
        case TypedExpr(op="item"):
            return item_location(c, target)
        case TypedExpr(op="certain"):
            return location_of(c, target.args[0])
    raise NotLowered(f"writing to `{target.op}`", target.span)


def wrote(c: Context, target: TypedExpr) -> None:
    """Run the watchers of the variable of the state that a target is part of, if it is part of one."""
    while target.op in ("index", "item", "certain"):
        target = target.args[0]
    if isinstance(target, (StateExpr, MutableExpr)):
        wrote_variable(c, target.name)


def wrote_variable(c: Context, name: str) -> None:
    """Run the watchers of a variable."""
    watchers = c.watch_vars.get(c.game.program.vars[name].index, ())
    for i in watchers:
        c.w.store("dirty", const(i), TRUE)
    if watchers:
        c.w.emit(op.Call("notice", ()))


def add_to(c: Context, s: TypedStmt) -> None:
    """`add v to xs`."""
    w = c.w
    v, whole, shape = element_and_list(c, s)
    with w.where(not_(among(c, v, whole)) if shape.kind == "set" else TRUE):
        c.push(v, whole)
    if shape.kind != "list":
        if width(shape.element) == 1 and is_plain(shape.element):
            w.emit(op.Sort(whole.memory, add(whole.at, TRUE), c.length(whole), 1, 1))
        else:
            canonical(c, whole, shape.kind)
    wrote(c, s.args[1])


def element_and_list(c: Context, s: TypedStmt) -> tuple[Operand, Ref, Items]:
    """The element that is added or removed, and the list that is changed, which fails if a map lacks it."""
    v = c.held(value(c, s.args[0]))
    found = location_of(c, s.args[1])
    c.w.guard(not_(c.missing(found)))
    inside = c.certain(found)
    assert isinstance(inside, Ref) and isinstance(inside.shape, Items)
    return v, c.fixed(inside), inside.shape


def remove_from(c: Context, s: TypedStmt) -> None:
    """`remove v from xs`: the first equal element, if there is one."""
    w = c.w
    v, whole, shape = element_and_list(c, s)
    found, step = w.fresh(), width(shape.element)
    w.set(found, const(-1))
    n = w.temp(c.length(whole), "n")
    with w.count(const(0), n) as i:
        w.leave_if(equal(c, v, c.element(whole, i)), lambda: w.set(found, i))
    with w.where(not_(lt(Local(found), FALSE))):
        at = c.location(whole, Local(found))
        behind = mul(sub(n, add(Local(found), TRUE)), const(step))
        w.emit(op.Copy(whole.memory, at.at, whole.memory, add(at.at, const(step)), behind))
        w.store(whole.memory, whole.at, sub(n, TRUE))
        wrote(c, s.args[1])
