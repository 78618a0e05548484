"""Upper bounds of the fuel that rules take: a payment is emitted wherever the reference evaluator takes
steps, and a pass merges them.

A statement costs a step, as does an iteration of a loop; walking a collection costs its elements, copying or
comparing one a `GRAIN`th of them. The cost of an expression follows from the maximal lengths in it; only
comprehensions pay in each iteration.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, lt, select, sub
from croupier.core.operations import Expression
from croupier.kernel import types as t
from croupier.kernel.facts import Tells
from croupier.kernel.tree import (
    AddStmt,
    AssignStmt,
    CallExpr,
    CompExpr,
    ConstExpr,
    DoStmt,
    LocalExpr,
    MatchStmt,
    MutableExpr,
    ParamExpr,
    PlaceStmt,
    StateExpr,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.limits import MAX_CELLS_EXAMINED
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.operands import value, word
from croupier.lowering.shapes import WORD, Items
from croupier.lowering.sources import MUCH, board_of, capacity_of, most_elements
from croupier.runtime.zone_contents import GRAIN
from croupier.semantics.walk import statement_call

COMPREHENSIONS = ("comp", "map_comp")
# copy nothing
AT_PLACE = (
    "item",
    "index",
    *(f"{kind}.{word}" for kind in ("list", "set", "bag") for word in ("size", "empty", "first", "last")),
)
FEW = 16  # elements of a list that are paid for without a look at how many there are
# values that exist already
TAKEN_AS_THEY_ARE = (
    "local",
    "state",
    "param",
    "const",
    "zone",
    "players",
    "class",
    "enum_values",
    "board_cells",
)
# a step for each element; what else copies or compares takes one for a `GRAIN` of them
BY_ELEMENT = ("without", "join", "set", "bag", "bound")


def pay(c: Context, steps: int) -> None:
    """Pay for steps."""
    if steps > 0:
        c.w.emit(op.Pay(const(steps)))


def pay_for(c: Context, xs: Iterable[TypedExpr], more: int = 0) -> None:
    """Pay for the evaluation of expressions, and `more` steps."""
    pay(c, more + sum(cost(c, x) for x in xs))


def pay_ahead(c: Context, source: TypedExpr, elements: bool = True) -> None:
    """Pay for a whole source that a loop may leave early, and with `elements` a step for each element."""
    if source.op == "range" and not c.game.is_finite(
        source.type.base if isinstance(source.type, t.Collection) else source.type
    ):
        n = c.w.temp(add(sub(word(c, source.args[1]), word(c, source.args[0])), TRUE))
        c.w.emit(op.Pay(select(lt(FALSE, n), n, FALSE)))
        return
    pay(c, cost(c, source, True) if source.op in COMPREHENSIONS else 0)
    if not elements:
        return
    most = length(c, source)
    known = _stored(c, source) if most > FEW else None
    if known is None:
        pay(c, most)
    else:
        c.w.emit(op.Pay(op.Load(known.memory, known.at)))


def _stored(c: Context, source: TypedExpr) -> Ref | None:
    """Return the list that a local or a variable of the state holds, whose length is a word; `None` for any
    other source.
    """
    if not isinstance(source, (LocalExpr, StateExpr)) or not isinstance(source.type, t.Collection):
        return None
    found = value(c, source)
    if isinstance(found, Ref) and isinstance(found.shape, Items) and found.shape.most:
        return c.fixed(found)
    return None


def pay_share(c: Context, length: Expression) -> None:
    """Pay for a copy of this many elements."""
    c.w.emit(op.Pay(op.Div(length, const(GRAIN))))


def length(c: Context, x: TypedExpr) -> int:
    """The most elements that a value of an expression has; 0 if it is no collection."""
    kind = x.type.base if isinstance(x.type, t.Optional) else x.type
    match kind:
        case t.Zone():
            return capacity_of(c, x)
        case t.Family():
            if isinstance(x, ZoneExpr):
                return len(c.game.components) + c.game.zone_ranges[x.name][1]
            return len(c.game.components)
        case t.Map(key=t.Never()):
            return 0
        case t.Map():
            return c.game.domain(kind.key)[1]
        case t.Collection() if x.op == "range":
            return c.game.domain(kind.base)[1] if c.game.is_finite(kind.base) else 0  # who walks it pays
        case t.Collection():
            most, shape = _most(c, x), c.shape(kind)
            assert isinstance(shape, Items)
            return shape.most if most is None else most
        case t.Endless():
            return c.game.players
    return 0


def _most(c: Context, x: TypedExpr) -> int | None:
    """Return the most elements of a list, from its place or its parts; `None` if unknown."""
    if isinstance(x, LocalExpr):
        found = c.body.env.get(x.slot)
        return found.shape.most if isinstance(found, Ref) and isinstance(found.shape, Items) else None
    if x.op.startswith("board."):
        b = board_of(c, x)
        if x.op == "board.lines":
            n = x.args[1].value if isinstance(x.args[1], ConstExpr) else None
            assert n is None or isinstance(n, int)
            # there are fewer of all longer ones
            counts = [b.lines(length, MAX_CELLS_EXAMINED) for length in ((1, 2) if n is None else (n,))]
            return max((len(found) for found in counts if found is not None), default=None)
        if x.op in ("board.cells", "board.between"):
            return b.size
        return max(len(b.rows), len(b.columns), len(b.directions))
    return most_elements(c, x)


def cost(c: Context, x: TypedExpr, rounds: bool = False) -> int:
    """The most steps of an expression, apart from iterations of comprehensions, which pay for themselves, and
    called definitions.

    `rounds`: with those, because not all of them may come round.
    """
    if x.op in TAKEN_AS_THEY_ARE:
        return 0
    if x.op in COMPREHENSIONS:
        total = length(c, x) // GRAIN
        if isinstance(x, CompExpr) and x.fold.orders:
            total += 2 * length(c, x)
        if not rounds:
            return total + cost(c, x.args[0])
        slots, times = x.binds(), 1
        for source in x.args[: len(slots)]:
            total += times * (cost(c, source, True) + length(c, source))
            times *= length(c, source)
        return total + times * sum(cost(c, a, True) for a in x.args[len(slots) :])
    if x.op in AT_PLACE and isinstance(x.args[0], (LocalExpr, StateExpr, ParamExpr)):
        return sum(cost(c, a, rounds) for a in x.args[1:]) + length(c, x) // GRAIN
    total = sum(cost(c, a, rounds) for a in x.args) + _own_steps(c, x)
    short = c.short(c, x)
    if isinstance(x, CallExpr) and short is not None and not isinstance(short, CallExpr):
        with c.within(_room_of_arguments(c, x), c.body.proc):
            total += 1 + cost(c, short, rounds)  # the statement `return`, which is not written here
    return total


def _own_steps(c: Context, x: TypedExpr) -> int:
    """The most steps that an operation takes for itself, apart from its operands."""
    made, taken = length(c, x), [length(c, a) for a in x.args]
    is_list = isinstance(x.type, t.Collection) and x.type.kind == "list"
    match x.op:
        case "call":
            return 0
        case "list" if is_list:
            return 0
        case "join" if is_list:
            return made // GRAIN
        case "list.distinct" if taken[0] > MUCH:
            return made // GRAIN  # pays by its length when that is known
        case _ if x.op in BY_ELEMENT:
            return sum(taken) + made // GRAIN
    return (1 if x.op == "original" else 0) + sum(n // GRAIN for n in taken) + made // GRAIN


def _room_of_arguments(c: Context, x: CallExpr) -> dict[int, Operand]:
    """The locals of an inlined definition, which have room for what the arguments of a call have room for."""
    room: dict[int, Operand] = {}
    for parameter, argument in zip(c.game.program.procs[x.proc].params, x.args, strict=True):
        kind = parameter.type.base if isinstance(parameter.type, t.Optional) else parameter.type
        if isinstance(kind, t.Collection):
            room[parameter.slot] = Ref("", FALSE, Items(kind.kind, length(c, argument), WORD))
    return room


def of_statement(c: Context, s: TypedStmt) -> int:
    """The steps that a statement takes when it begins, apart from iterations."""
    only_begins = s.FACTS.is_quiet and s.facts.tells is Tells.NOTHING and not isinstance(s, DoStmt)
    total = (1 if only_begins else 2) + sum(cost(c, a) for a in s.args)
    if isinstance(s, PlaceStmt):
        total += _of_writing(c, s.target)
        if not isinstance(s, AssignStmt):
            kind = s.target.type
            sorted_in = isinstance(s, AddStmt) and isinstance(kind, t.Collection) and kind.kind != "list"
            total += length(c, s.target) // (1 if sorted_in else GRAIN)
    elif isinstance(s, MatchStmt):
        total += sum(cost(c, x) for x in s.held())
    call = statement_call(s)
    if call is not None:
        parameters = c.game.program.procs[call.proc].params
        total += sum(_of_writing(c, a) for q, a in zip(parameters, call.args, strict=True) if q.var)
    return total


def _of_writing(c: Context, target: TypedExpr) -> int:
    """The steps that it takes to write to a place in something: each list or map around it is copied."""
    total = 0
    while target.args:
        if isinstance(target, MutableExpr):
            return total + c.game.kinds[target.name.split(".")[0]][1] // GRAIN
        target = target.args[0]
        total += length(c, target) // GRAIN
    return total
