"""Statements: blocks, control flow, immediate effects. Statements that wait have modules of their own."""

from __future__ import annotations

from collections.abc import Callable

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, eq, le, lt, mod, not_, or_
from croupier.core.operations import Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import (
    BreakStmt,
    CallExpr,
    ConstExpr,
    DoStmt,
    FinishStmt,
    ForEachStmt,
    ForSecondsStmt,
    LetStmt,
    LocalExpr,
    MatchStmt,
    MoveStmt,
    OriginalExpr,
    PlaceStmt,
    SecretlyStmt,
    SwapStmt,
    TextExpr,
    TypedExpr,
    TypedStmt,
    zone_name,
)
from croupier.lowering import prelude, results
from croupier.lowering.assignment import add_to, assign, remove_from
from croupier.lowering.calls import inlined_expression, short_call, statement_call
from croupier.lowering.compare import equal
from croupier.lowering.context import MARK, Context, MarkedStatement, Operand, Ref, Trial
from croupier.lowering.costs import of_statement, pay, pay_for
from croupier.lowering.expressions import test_type
from croupier.lowering.operands import RuleTable, ref, value, word
from croupier.lowering.positions import InArray, KnownValue, Rotation
from croupier.lowering.shapes import MOST_WORDS, Items, NotLowered, Shape, Word, decoded, width
from croupier.lowering.sources import elements, gathered, is_nested, walk
from croupier.lowering.telling import Telling
from croupier.semantics import walk as typed_tree

STATEMENTS = RuleTable[TypedStmt, None]()
rule, form = STATEMENTS.rule, STATEMENTS.form


def block(c: Context, body: list[TypedStmt]) -> None:
    """A sequence of statements; unreachable ones are left out."""
    for s in body:
        statement(c, s)
        if c.w.out and isinstance(c.w.out[-1], (op.Break, op.Continue, op.Return, op.Finish, op.Fail)):
            return


def statement(c: Context, s: TypedStmt) -> None:
    """Lower one statement. Raises `NotLowered`."""
    found = STATEMENTS.rules.get(s.op)
    if found is None:
        raise NotLowered(f"`{s.op}`", s.span)
    if c.marks is not None and c.body.proc is not None:
        c.w.set(MARK, const(len(c.marks)))
        c.marks.append(MarkedStatement(c.body.proc.name, s.span))
    pay(c, of_statement(c, s))
    try:
        found(c, s)
    except NotLowered as refused:
        refused.span = refused.span or s.span
        raise


@rule("pass")
def _nothing(c: Context, s: TypedStmt) -> None:
    """Write no code."""


@rule("disclose")
def _disclose(c: Context, s: TypedStmt) -> None:
    """Telling the revealed choices is left to the reference."""


@rule("tell", "show")
def _tell(c: Context, s: TypedStmt) -> None:
    """Telling is left to the reference; only the parts of a text that may fault are evaluated, and folded
    into a number for whoever listens.
    """
    telling = Telling(c, s) if c.is_telling else None
    what, *readers = s.args
    told(c, what, telling)
    for x in readers:
        told(c, x, None)


def told(c: Context, x: TypedExpr, telling: Telling | None) -> None:
    """Evaluate the parts of a text, for their faults."""
    if isinstance(x, TextExpr):
        for a in x.args:
            told(c, a, telling)
    elif x.op == "if" and isinstance(x.type, t.Text):
        c.w.when(
            word(c, x.args[0]),
            lambda: told(c, x.args[1], telling),
            lambda: told(c, x.args[2], telling),
        )
    elif (
        isinstance(x, CallExpr)
        and not isinstance(x, OriginalExpr)
        and isinstance(x.type, t.Text)
        and inlined_expression(c, x.proc) is not None
    ):
        with short_call(c, x) as inside:
            told(c, inside, telling)
    elif x.op == "zone_all":
        told(c, x.args[0], telling)
    elif not isinstance(x, ConstExpr) and not isinstance(x.type, t.Family):
        found = value(c, x)
        if telling is not None:
            telling.fold(found)


# ---------------------------------------------------------------- values
def right_side(c: Context, s: TypedStmt) -> Operand | None:
    """The value of a statement; a call that is the whole value updates its `var` arguments."""
    call = typed_tree.statement_call(s)
    if call is None:
        return value(c, s.args[-1])
    found = statement_call(c, call, s.suspension_point)
    outer = s.args[-1]
    if outer.op == "bound" and found is not None:
        if not isinstance(found, Ref):
            found = c.w.temp(found)
        test_type(c, found, outer.type)
    return found


@form(LetStmt)
def _let(c: Context, s: LetStmt) -> None:
    found = right_side(c, s)
    assert found is not None
    c.bind(s.slot, found, _room_for(c, s.slot, found))


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


@rule("assign")
def _assign(c: Context, s: TypedStmt) -> None:
    found = right_side(c, s)
    assert found is not None
    assign(c, s.args[0], found)


@rule("do")
def _do(c: Context, s: TypedStmt) -> None:
    right_side(c, s)


@rule("return")
def _return(c: Context, s: TypedStmt) -> None:
    found = None
    if s.args:
        found = right_side(c, s)
        if (c.body.exits or c.body.trial) and found is not None:
            found = c.held(found)
    give_back(c, found)


@rule("add")
def _add(c: Context, s: TypedStmt) -> None:
    add_to(c, s)


@rule("remove")
def _remove(c: Context, s: TypedStmt) -> None:
    remove_from(c, s)


# ---------------------------------------------------------------- control
def wait(c: Context, seat: Expression, point: int | None) -> None:
    """End the action and wait for a choice by a seat."""
    c.w.emit(op.Wait(seat, *c.frame_map(point)))
    pay(c, 3)


def leave_blocks(c: Context, inside: int) -> None:
    """Emit the exits of the blocks around a statement that is left early, but for the outermost `inside`."""
    for leave in reversed(c.body.exits[inside:]):
        leave()


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


@rule("break", "continue")
def _jump(c: Context, s: TypedStmt) -> None:
    jump(c, op.Break() if isinstance(s, BreakStmt) else op.Continue())


def jump(c: Context, s: op.Break | op.Continue) -> None:
    """Leave the innermost loop of the rules, or go to its next iteration."""
    if c.body.trial is not None and c.body.trial.loops == len(c.body.loops):
        end_trial(c, c.body.trial, lambda: jump(c, s))
        return
    leave_blocks(c, c.body.loops[-1])
    c.w.emit(s)


@rule("if")
def _if(c: Context, s: TypedStmt) -> None:
    c.w.when(word(c, s.args[0]), lambda: block(c, s.blocks[0]), lambda: block(c, s.blocks[1]))


@form(MatchStmt)
def _match(c: Context, s: MatchStmt) -> None:
    v = value(c, s.args[0])
    v = v if isinstance(v, Ref) else c.w.temp(v)
    rows: list[tuple[TypedExpr, ...]] = [tuple(row) for row in s.rows]

    def case(i: int) -> None:
        if i == len(rows):
            if s.has_other:
                block(c, s.blocks[-1])
            return
        test: Expression = FALSE
        for x in rows[i]:
            test = or_(test, equal(c, v, value(c, x)))
        c.w.when(test, lambda: block(c, s.blocks[i]), lambda: case(i + 1))

    case(0)


@rule("repeat")
def _repeat(c: Context, s: TypedStmt) -> None:
    w = c.w

    def round_() -> None:
        if s.args:
            pay_for(c, s.args, 1)
            w.leave_if(word(c, s.args[0]))
        else:
            pay(c, 1)
        inner(c, s)

    w.forever(round_)


def inner(c: Context, s: TypedStmt) -> None:
    """The body of a loop."""
    c.body.loops.append(len(c.body.exits))
    block(c, s.blocks[0])
    c.body.loops.pop()


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

        def turn() -> None:
            w.set(at, mod(add(Local(at), TRUE), n))
            each(w.temp(c.element(list_, Local(at))))  # type: ignore[arg-type]

        w.forever(turn)
    elif is_fixed(source) or (is_quiet(c, s.blocks[0], source) and not is_nested(source)):
        walk(c, source, each)
    else:
        elements(c, gathered(c, source), each)


def is_fixed(x: TypedExpr) -> bool:
    """Return whether a source is one loop that nothing changes while it runs."""
    return (
        x.op in ("players", "range", "class", "enum_values", "board_cells", "others")
        or x.op in ("clockwise", "turns")
        and len(x.args) == 1
    )


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


def waiting_for(c: Context, s: ForEachStmt) -> None:
    """A `for` that may wait: its counter is in the frame, and so are its elements unless they are
    constant.
    """
    w, slot, items, at, source = c.w, s.slot, s.items, s.cursor, s.args[0]
    n, pick = held_source(c, source, items)
    place = c.hidden(at, FALSE)

    def round_() -> None:
        if s.endless:
            w.guard(lt(FALSE, n))
            w.when(le(n, place), lambda: w.set(place.name, FALSE))
        else:
            w.leave_if(le(n, place))
        pay_for(c, s.args[1:], 1)
        v = pick(place)
        c.bind(slot, v if isinstance(v, Ref) else w.temp(v))
        w.set(place.name, add(place, TRUE))
        if len(s.args) > 1:
            w.when(not_(word(c, s.args[1])), lambda: w.emit(op.Continue()))
        inner(c, s)

    w.forever(round_)


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
    if source.op in ("clockwise", "turns", "others") and len(source.args) == 1:
        first = f"f{items}"
        w.set(first, word(c, source.args[0]))
        skip = int(source.op == "others")
        where[items] = Rotation(first, skip)
        return const(players - skip), lambda i: mod(add(add(i, const(skip)), Local(first)), const(players))
    if source.op in ("enum_values", "class", "board_cells", "board.cells", "param"):
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
    where[items] = InArray(name, list_.shape)
    return op.Load(name, FALSE), lambda i: c.element(held, i)


@form(ForSecondsStmt)
def _for_seconds(c: Context, s: ForSecondsStmt) -> None:
    block(c, s.blocks[0])  # compiled code plays at no table: time is nothing to it


@form(SecretlyStmt)
def _secretly(c: Context, s: SecretlyStmt) -> None:
    w = c.w
    if not s.suspends:
        walk(c, s.args[0], lambda p: None)  # who they are may fail
        block(c, s.blocks[0])
        return
    bits = w.fresh()
    w.set(bits, FALSE)
    walk(c, s.args[0], lambda p: w.set(bits, op.Bits("or", Local(bits), op.Bits("shl", TRUE, _plain(p)))))
    before = c.hidden(s.slot, Local("viewer"))
    w.set(before.name, or_none(Local("viewer")))

    def hide() -> None:
        w.set("viewer", Local(bits))

    w.when(eq(Local("viewer"), const(op.NONE)), hide)

    def show() -> None:
        w.set("viewer", before)
        w.when(eq(before, const(-1)), lambda: w.set("viewer", const(op.NONE)))
        w.set(before.name, const(op.NONE))

    c.body.exits.append(show)
    block(c, s.blocks[0])
    c.body.exits.pop()
    if not (w.out and isinstance(w.out[-1], (op.Break, op.Continue, op.Return, op.Finish, op.Fail))):
        show()


def or_none(viewer: Expression) -> Expression:
    """The previous audience as the evaluator stores it: -1 for everybody."""
    return op.Select(eq(viewer, const(op.NONE)), const(-1), viewer)


def _plain(v: Operand) -> Expression:
    assert not isinstance(v, Ref)
    return v


# ---------------------------------------------------------------- the table
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
    if what.op == "list" and len(what.args) == 1:
        w.emit(op.Call("move", (word(c, what.args[0]), to, bottom)))
        return
    if isinstance(what.type, t.Component):
        w.emit(op.Call("move", (word(c, what), to, bottom)))
        return
    list_ = gathered(c, what)
    n = w.temp(c.length(list_), "n")

    def one(i: Expression) -> None:
        at = i if s.place != "bottom" else op.Sub(op.Sub(n, TRUE), i)
        w.emit(op.Call("move", (_plain(c.element(list_, at)), to, bottom)))

    w.count(FALSE, n, one)


@rule("shuffle")
def _shuffle(c: Context, s: TypedStmt) -> None:
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


@form(FinishStmt)
def _finish(c: Context, s: FinishStmt) -> None:
    results.finish(c, s)
