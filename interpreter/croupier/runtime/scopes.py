"""The reference evaluator, blocks that hold while control is in them: look-ahead and secrecy."""

from __future__ import annotations

from croupier.runtime.callables import Run
from croupier.runtime.faults import LookaheadFailed, LookaheadHolds
from croupier.runtime.machine import Frame, Machine
from croupier.runtime.operations import Op
from croupier.runtime.visibility import among


class SoThatOp(Op):
    """`so that`: enter the block only if some way through it ends with the condition true."""

    def __init__(self, condition: Run, slot: int, within: int | None) -> None:
        self.condition, self.slot, self.within = condition, slot, within
        self.body: object = None
        self.other: object = None

    def run(self, m: Machine, fr: Frame) -> None:
        from croupier.runtime.lookahead import can_end

        m.burn(self.span)
        if can_end(m, self):
            fr.L[self.slot] = True
            fr.pc = self.body
        else:
            fr.pc = self.other


class SoThatEnd(Op):
    """The end of the block of a `so that`: inside a look-ahead the condition is asked."""

    def __init__(self, begin: SoThatOp) -> None:
        self.begin = begin

    def run(self, m: Machine, fr: Frame) -> None:
        self.leave(m, fr)
        fr.pc = self.next

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
        fr.L[self.slot] = -1 if fr.viewer is None else fr.viewer
        those = among(self.players(m, fr.L))
        fr.viewer = those if fr.viewer is None else fr.viewer
        m.viewer = fr.viewer
        fr.pc = self.next


class SecretlyEnd(Op):
    """The end of a `secretly`: whoever saw before sees again."""

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def run(self, m: Machine, fr: Frame) -> None:
        self.leave(m, fr)
        fr.pc = self.next

    def leave(self, m: Machine, fr: Frame) -> None:
        before = fr.L[self.slot]
        fr.viewer = None if before == -1 else before
        m.viewer = fr.viewer
        fr.L[self.slot] = None
