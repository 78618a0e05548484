"""Blocks that hold while control is in them, look-ahead and secrecy; and trying something out on a copy of
the machine, within limits of its own.

Trying takes no fuel of the action that tries. All that one action tries has, together, a number of positions
that may be examined, and as much fuel again as an action has. Past either, every back end gives the same
fault.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Span
from croupier.limits import MAX_LOOKAHEAD_DECISIONS, MAX_POSITIONS
from croupier.runtime.faults import Fault, GameOver, LookaheadFailed, LookaheadHolds
from croupier.runtime.machine import Frame, Machine, Op, Run
from croupier.runtime.operations import BlockEnd
from croupier.runtime.visibility import among


# ------------------------------------------------------------ blocks that hold while control is in them
class SoThatOp(Op):
    """`so that`: enter the block only if some way through it ends with the condition true."""

    def __init__(self, condition: Run, slot: int, within: int | None) -> None:
        self.condition, self.slot, self.within = condition, slot, within
        self.body: Op | None = None
        self.other: Op | None = None

    def run(self, m: Machine, fr: Frame) -> None:
        m.burn(self.span)
        if can_end(m, self):
            fr.L[self.slot] = True
            fr.pc = self.body
        else:
            fr.pc = self.other


class SoThatEnd(BlockEnd):
    """The end of the block of a `so that`: inside a look-ahead the condition is asked."""

    def __init__(self, begin: SoThatOp) -> None:
        self.begin = begin

    def leave(self, m: Machine, fr: Frame) -> None:
        if fr.L[self.begin.slot] is None:
            return
        fr.L[self.begin.slot] = None
        if m.search is not None:
            if not self.begin.condition(m, fr.L):
                raise LookaheadFailed
            if m.search == (len(m.frames), self.begin.slot):
                raise LookaheadHolds


class SecretlyOp(Op):
    """`secretly`, where the block may wait: from here on only some learn what happens."""

    def __init__(self, players: Run, slot: int) -> None:
        self.players, self.slot = players, slot

    def run(self, m: Machine, fr: Frame) -> None:
        fr.L[self.slot] = -1 if fr.event_audience is None else fr.event_audience
        those = among(self.players(m, fr.L))
        fr.event_audience = those if fr.event_audience is None else fr.event_audience
        m.event_audience = fr.event_audience
        fr.pc = self.next


class SecretlyEnd(BlockEnd):
    """The end of a `secretly`: whoever saw before sees again."""

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def leave(self, m: Machine, fr: Frame) -> None:
        before = fr.L[self.slot]
        fr.event_audience = None if before == -1 else before
        m.event_audience = fr.event_audience
        fr.L[self.slot] = None


# ------------------------------------------------------------ the search
def examine_machine(m: Machine, span: Span) -> Machine:
    """A copy of a machine to try something on, for the same reader.

    Raises `Fault` when too many positions were examined.
    """
    m.examined[0] += 1
    if m.examined[0] > MAX_POSITIONS:
        raise Fault("R018", span, limit=MAX_POSITIONS)
    trial = m.copy()
    trial.observer = m.observer
    if m.search is None:
        trial.search, trial.fuel = (0, -1), m.examined[1]
    return trial


def charge_trial(m: Machine, trial: Machine) -> None:
    """Charge the fuel of a trial that is over: it is gone for whatever is tried next."""
    if m.search is None:
        m.examined[1] = trial.fuel
    else:
        m.fuel = trial.fuel


# ---------------------------------------------------------------- lookahead
def can_end(m: Machine, op: SoThatOp) -> bool:
    """Return whether any way through the block of a `so that` ends with the condition true."""
    trial = examine_machine(m, op.span)
    frame = trial.frames[-1]
    frame.L[op.slot] = True
    frame.pc = op.body
    trial.search = (len(trial.frames), op.slot)
    found = _explore(
        trial, None, op.span, MAX_LOOKAHEAD_DECISIONS if op.within is None else op.within, op.within is None
    )
    charge_trial(m, trial)
    return found


def active(m: Machine) -> Iterator[tuple[int, int]]:
    """The blocks that are being looked ahead in, outermost first: the number of their frame and their
    slot.
    """
    for depth, frame in enumerate(m.frames):
        for slot in frame.code.so_slots:
            if frame.L[slot]:
                yield depth + 1, slot


def allowed(m: Machine, options: list[int], seat: int) -> list[int]:
    """Return those actions of a decision after which the look-ahead block that counts can still end as it
    must.
    """
    return counting(m, options, seat)[1]


def counting(m: Machine, options: list[int], seat: int) -> tuple[tuple[int, int] | None, list[int]]:
    """The look-ahead block that counts at a decision, and the actions after which it can still end as it
    must: the outermost one.

    One that has handed over to another player, in a block inside it, has found its way: if no action is left
    of it, the next block inside counts.
    """
    span = m.asking()[0].span
    for target in active(m):
        within = m.frames[target[0] - 1].code.so_slots[target[1]]
        left = (MAX_LOOKAHEAD_DECISIONS if within is None else within) - 1
        if kept := [
            action for action in options if _leads(m, target, seat, action, span, left, within is None)
        ]:
            return target, kept
    return None, options


def in_another(m: Machine) -> bool:
    """Return whether the search stands in a look-ahead that began inside the one whose end is looked for.

    In one body the slots of look-aheads that stand inside come before that of the one around them.
    """
    assert m.search is not None
    depth, around = m.search
    return any(
        frame.L[slot]
        for d, frame in enumerate(m.frames[depth - 1 :])
        for slot in frame.code.so_slots
        if d or slot < around
    )


def _explore(m: Machine, seat: int | None, span: Span, left: int, strict: bool) -> bool:
    """Run on; at each further decision, of which `left` may still come, try every option.

    `strict`: one decision more is a fault.

    `seat` is who decided last; nobody else may, except in a look-ahead of their own.
    """
    try:
        m.run()
    except LookaheadHolds:
        return True
    except (LookaheadFailed, GameOver):
        return False
    op, frame = m.asking()
    if op.seats == "chance":
        raise Fault("R019", op.span, what="chance falls")
    chooser = op.chooser(m, frame)
    if seat is not None and chooser != seat:
        if in_another(m):
            return True
        raise Fault("R019", op.span, what="another player decides")
    if left == 0:
        if strict:
            raise Fault("R025", span, limit=MAX_LOOKAHEAD_DECISIONS)
        return False
    assert m.search is not None
    return any(
        _leads(m, m.search, chooser, action, span, left - 1, strict)
        for action in op.actions(m, frame, chooser)
    )


def _leads(
    m: Machine, search: tuple[int, int], seat: int, action: int, span: Span, left: int, strict: bool
) -> bool:
    """Return whether an action leads to a way through the block that is searched for.

    It is taken in a copy, which runs on.
    """
    trial = examine_machine(m, span)
    trial.search = search
    op, frame = trial.asking()
    op.answer(trial, frame, seat, action)
    reached = _explore(trial, seat, span, left, strict)
    charge_trial(m, trial)
    return reached


__all__ = ["active", "allowed", "can_end", "counting", "in_another"]
