"""Statements: a function for each form, first those that write, then control, what is told, the end.

Forms that ask have a module of their own, `asks`, and so have those that look ahead, `lookahead`.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, const, eq, le, lt, mod, not_, or_
from croupier.core.operations import Expression, Local
from croupier.kernel import types as t
from croupier.kernel.facts import Leaves, Tells
from croupier.kernel.tree import (
    AddStmt,
    AssignStmt,
    DoStmt,
    EmitStmt,
    FinishStmt,
    ForEachStmt,
    ForSecondsStmt,
    IfStmt,
    LeaveStmt,
    LetStmt,
    LocalExpr,
    MatchStmt,
    MoveStmt,
    PassStmt,
    PlaceStmt,
    RemoveStmt,
    RepeatStmt,
    SecretlyStmt,
    ShuffleStmt,
    SwapStmt,
    TypedExpr,
    TypedStmt,
    zone_name,
)
from croupier.lowering import prelude, results
from croupier.lowering.assignment import add_to, assign, remove_from
from croupier.lowering.calls import statement_call
from croupier.lowering.compare import equal
from croupier.lowering.context import MARK, Context, MarkedStatement, Operand, Ref, Trial, as_word
from croupier.lowering.costs import of_statement, pay, pay_for
from croupier.lowering.expressions import test_type
from croupier.lowering.operands import RuleTable, ref, value, word
from croupier.lowering.shapes import MOST_WORDS, Items, NotLowered, Shape, Word, width
from croupier.lowering.sources import elements, gathered, held_source, is_fixed, is_nested, walk
from croupier.lowering.telling import tell
from croupier.semantics import walk as typed_tree

STATEMENTS = RuleTable[TypedStmt, None]()
rule, form = STATEMENTS.rule, STATEMENTS.form


def block(c: Context, body: list[TypedStmt]) -> None:
    """A sequence of statements; unreachable ones are left out."""
    for s in body:
        statement(c, s)
        if c.w.is_left:
            return


def statement(c: Context, s: TypedStmt) -> None:
    """Lower one statement. Raises `NotLowered`."""
    if c.marks is not None and c.body.proc is not None:
        c.w.set(MARK, const(len(c.marks)))
        c.marks.append(MarkedStatement(c.body.proc.name, s.span))
    pay(c, of_statement(c, s))
    STATEMENTS.lower(c, s)


# ---------------------------------------------------------------- values and places
@form(LetStmt)
def _let(c: Context, s: LetStmt) -> None:
    found = right_side(c, s)
    assert found is not None
    c.bind(s.slot, found, _room_for(c, s.slot, found))


@form(AssignStmt)
def _assign(c: Context, s: AssignStmt) -> None:
    found = right_side(c, s)
    assert found is not None
    assign(c, s.args[0], found)


form(AddStmt)(add_to)
form(RemoveStmt)(remove_from)


# ---------------------------------------------------------------- components and zones
@form(MoveStmt)
def _move(c: Context, s: MoveStmt) -> None:
    what, w = s.args[0], c.w
    bottom = const(s.place == "bottom")
    if what.op == "zone_all":
        source, to = w.temp(word(c, what.args[0])), w.temp(word(c, s.args[1]))
        w.emit(op.Call("move_all", (source, to, bottom)))
        return
    if not isinstance(what.type, (t.Collection, t.Component)):
        raise NotLowered(f"moving {what.type}", s.span)
    to = w.temp(word(c, s.args[1]))
    is_alone = what.op == "list" and len(what.args) == 1
    if is_alone or isinstance(what.type, t.Component):
        w.emit(op.Call("move", (word(c, what.args[0] if is_alone else what), to, bottom)))
        return
    list_ = gathered(c, what)
    n = w.temp(c.length(list_), "n")
    with w.count(FALSE, n) as i:
        at = i if s.place != "bottom" else op.Sub(op.Sub(n, TRUE), i)
        w.emit(op.Call("move", (as_word(c.element(list_, at)), to, bottom)))


@form(ShuffleStmt)
def _shuffle(c: Context, s: ShuffleStmt) -> None:
    c.w.emit(op.Call("shuffle", (word(c, s.args[0]),)))


@form(SwapStmt)
def _swap(c: Context, s: SwapStmt) -> None:
    if s.what in ("next", "previous"):
        first, count = c.game.zone_ranges[zone_name(s.args[0])]
        order = [const(first + i) for i in range(count)][:: 1 if s.what == "next" else -1]
        for z in order[1:]:
            c.w.emit(op.Call("trade_zones", (order[0], z)))
        for z in order:
            prelude.tell(c, c.w, z)
        return
    c.w.emit(op.Call("swap_zones" if s.what == "zones" else "swap", (word(c, s.args[0]), word(c, s.args[1]))))


# ---------------------------------------------------------------- control
@form(PassStmt)
def _pass(c: Context, s: PassStmt) -> None:
    """Write no code."""


@form(IfStmt)
def _if(c: Context, s: IfStmt) -> None:
    c.w.when(word(c, s.args[0]), lambda: block(c, s.blocks[0]), lambda: block(c, s.blocks[1]))


@form(MatchStmt)
def _match(c: Context, s: MatchStmt) -> None:
    v = c.once(value(c, s.args[0]))

    def case(i: int) -> None:
        if i == len(s.rows):
            if s.has_other:
                block(c, s.blocks[-1])
            return
        test: Expression = FALSE
        for x in s.rows[i]:
            test = or_(test, equal(c, v, value(c, x)))
        c.w.when(test, lambda: block(c, s.blocks[i]), lambda: case(i + 1))

    case(0)


@form(RepeatStmt)
def _repeat(c: Context, s: RepeatStmt) -> None:
    with c.w.forever():
        pay_for(c, s.args, 1)
        if s.args:
            c.w.leave_if(word(c, s.args[0]))
        inner(c, s)


@form(ForEachStmt)
def _for(c: Context, s: ForEachStmt) -> None:
    if s.suspends:
        waiting_for(c, s)
        return
    w, slot, source = c.w, s.slot, s.args[0]

    def each(v: Operand) -> None:
        pay_for(c, s.args[1:], 1)
        if isinstance(v, Ref):
            with c.alias(slot, v):
                guarded()
        else:
            c.bind(slot, v, Word())
            guarded()

    def guarded() -> None:
        if len(s.args) > 1:
            w.when(word(c, s.args[1]), lambda: inner(c, s))
        else:
            inner(c, s)

    if s.endless:
        list_ = gathered(c, source) if source.op != "players" else ref(c, source)
        at, n = w.fresh(), w.temp(c.length(list_), "n")
        w.guard(lt(FALSE, n))
        w.set(at, const(-1))
        with w.forever():
            w.set(at, mod(add(Local(at), TRUE), n))
            each(w.temp(as_word(c.element(list_, Local(at)))))
    elif is_fixed(source) or (is_quiet(c, s.blocks[0], source) and not is_nested(source)):
        walk(c, source, each)
    else:
        elements(c, gathered(c, source), each)


@form(DoStmt)
def _do(c: Context, s: DoStmt) -> None:
    right_side(c, s)


@form(LeaveStmt)
def _leave(c: Context, s: LeaveStmt) -> None:
    if s.facts.leaves is not Leaves.PROCEDURE:
        jump(c, op.Break() if s.facts.leaves is Leaves.LOOP else op.Continue())
        return
    found = None
    if s.args:
        found = right_side(c, s)
        if (c.body.exits or c.body.trial) and found is not None:
            found = c.held(found)
    give_back(c, found)


# ---------------------------------------------------------------- what is told, and who perceives it
@form(EmitStmt)
def _emit(c: Context, s: EmitStmt) -> None:
    if s.facts.tells is not Tells.CHOICES:  # telling what was chosen in secret is left to the reference
        tell(c, s)


@form(SecretlyStmt)
def _secretly(c: Context, s: SecretlyStmt) -> None:
    w = c.w
    if not s.suspends:
        walk(c, s.args[0], lambda p: None)  # who they are may fail
        block(c, s.blocks[0])
        return
    bits = w.variable(FALSE)
    walk(c, s.args[0], lambda p: w.set(bits, op.Bits("or", Local(bits), op.Bits("shl", TRUE, as_word(p)))))
    before = c.hidden(s.slot, Local("viewer"))
    # as the evaluator stores it: -1 for everybody
    w.set(before.name, op.Select(eq(Local("viewer"), NONE), const(-1), Local("viewer")))
    w.when(eq(Local("viewer"), NONE), lambda: w.set("viewer", Local(bits)))

    def show() -> None:
        w.set("viewer", before)
        w.when(eq(before, const(-1)), lambda: w.set("viewer", NONE))
        w.set(before.name, NONE)

    guarded_block(c, s.blocks[0], show)


@form(ForSecondsStmt)
def _for_seconds(c: Context, s: ForSecondsStmt) -> None:
    block(c, s.blocks[0])  # compiled code plays at no table: time is nothing to it


# ---------------------------------------------------------------- the end
@form(FinishStmt)
def _finish(c: Context, s: FinishStmt) -> None:
    results.finish(c, s)


# ---------------------------------------------------------------- values of statements
def right_side(c: Context, s: TypedStmt) -> Operand | None:
    """The value of a statement; a call that is the whole value updates its `var` arguments."""
    call = typed_tree.statement_call(s)
    if call is None:
        return value(c, s.args[-1])
    found = statement_call(c, call, s.suspension_point)
    outer = s.args[-1]
    if outer.op == "bound" and found is not None:
        found = c.once(found)
        test_type(c, found, outer.type)
    return found


def _room_for(c: Context, slot: int, first: Operand) -> Shape | None:
    """Return the shape of a local whose first value has more elements than its type makes room for.

    `None` if the shape of the type will do.
    """
    assert c.body.proc is not None
    kind = c.body.proc.slot_types[slot]
    if (
        not isinstance(first, Ref)
        or not isinstance(first.shape, Items)
        or not isinstance(kind, t.Collection)
        or kind.capacity is not None
    ):
        return None
    usual = c.shape(kind)
    if not isinstance(usual, Items) or first.shape.most <= usual.most:
        return None
    roomy = Items(usual.kind, first.shape.most, usual.element)
    return roomy if width(roomy) <= MOST_WORDS else None


# ---------------------------------------------------------------- loops
def inner(c: Context, s: TypedStmt) -> None:
    """The body of a loop."""
    c.body.loops.append(len(c.body.exits))
    block(c, s.blocks[0])
    c.body.loops.pop()


def waiting_for(c: Context, s: ForEachStmt) -> None:
    """A `for` that may wait: its counter is in the frame, and so are its elements unless they are
    constant.
    """
    w, slot, items, at, source = c.w, s.slot, s.items, s.cursor, s.args[0]
    n, pick = held_source(c, source, items)
    place = c.hidden(at, FALSE)
    with w.forever():
        if s.endless:
            w.guard(lt(FALSE, n))
            w.when(le(n, place), lambda: w.set(place.name, FALSE))
        else:
            w.leave_if(le(n, place))
        pay_for(c, s.args[1:], 1)
        v = pick(place)
        c.bind(slot, c.once(v))
        w.set(place.name, add(place, TRUE))
        if len(s.args) > 1:
            w.when(not_(word(c, s.args[1])), lambda: w.emit(op.Continue()))
        inner(c, s)


def is_quiet(c: Context, body: list[TypedStmt], source: TypedExpr) -> bool:
    """Return whether a body changes nothing that a source reads."""
    read = {x.slot for x in source.walk() if isinstance(x, LocalExpr)}
    for s in typed_tree.statements(body):
        call = typed_tree.statement_call(s)
        if call is not None and c.game.program.procs[call.proc].effect != "pure":
            return False
        if call is not None and any(q.var for q in c.game.program.procs[call.proc].params):
            return False
        if not s.FACTS.is_quiet or isinstance(s, DoStmt) and call is None:
            return False
        if isinstance(s, PlaceStmt) and (not isinstance(s.root, LocalExpr) or s.root.slot in read):
            return False
    return True


# ---------------------------------------------------------------- leaving
def wait(c: Context, seat: Expression, point: int | None) -> None:
    """End the action and wait for a choice by a seat."""
    c.w.emit(op.Wait(seat, *c.frame_map(point)))
    pay(c, 3)


def jump(c: Context, s: op.Break | op.Continue) -> None:
    """Leave the innermost loop of the rules, or go to its next iteration."""
    if c.body.trial is not None and c.body.trial.loops == len(c.body.loops):
        end_trial(c, c.body.trial, lambda: jump(c, s))
        return
    leave_blocks(c, c.body.loops[-1])
    c.w.emit(s)


def give_back(c: Context, found: Operand | None) -> None:
    """Return a value from the procedure."""
    if c.body.trial is not None:
        end_trial(c, c.body.trial, lambda: give_back(c, found), found)
        return
    leave_blocks(c, 0)
    assert c.body.leave is not None
    c.body.leave(found)


def end_trial(c: Context, trial: Trial, way: Callable[[], None], found: Operand | None = None) -> None:
    """Leave a `so that` block early: its caller continues in a given `way`, with a value."""
    leave_blocks(c, trial.exits)
    trial.ways.append((way, found))
    c.w.set(trial.left, const(len(trial.ways)))
    c.w.emit(op.Return())


def guarded_block(c: Context, body: list[TypedStmt], leave: Callable[[], None]) -> None:
    """A block, and what is done whenever it is left, early or at its end."""
    c.body.exits.append(leave)
    block(c, body)
    c.body.exits.pop()
    if not c.w.is_left:
        leave()


def leave_blocks(c: Context, inside: int) -> None:
    """Emit the exits of the blocks around a statement that is left early, but for the outermost `inside`."""
    for leave in reversed(c.body.exits[inside:]):
        leave()
