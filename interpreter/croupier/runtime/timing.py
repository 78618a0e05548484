"""`for 10 seconds`: the two ends of a block that takes its time at a table.

Nothing happens at either end, unless the machine `is_timed`: then it stops there until whoever runs the table
lets it go on (`State.pass_time`). A copy of a machine is not timed, so nothing that is tried or sampled ever
stops here. An end is no suspension point: it is in no position, and no count of actions knows of it.
"""

from __future__ import annotations

from croupier.runtime.machine import WAIT, Frame, Machine, Op, Run

TIME = "time"
"""Who acts where a timed machine stops."""


class TimeOp(Op):
    """One end of a block; `seconds` follow from the parameters alone, and are the same at both ends.

    `otherwise` says what is chosen for whoever has not decided in time: `first`, `random`, or nothing.
    """

    seats = TIME

    def __init__(self, seconds: Run, otherwise: str, *, is_end: bool) -> None:
        self.seconds, self.otherwise, self.is_end = seconds, otherwise, is_end

    def run(self, m: Machine, fr: Frame) -> object:
        if m.is_timed and self.seconds(m, fr.L) > 0:
            return WAIT
        fr.pc = self.next
        return None

    def lasts(self, m: Machine) -> int:
        """Return how many seconds the block takes in a machine that stands here."""
        return int(self.seconds(m, m.frames[-1].L))


def leave_end(m: Machine) -> None:
    """Let a machine go on that stopped at an end of a block."""
    op = m.waiting
    assert isinstance(op, TimeOp)
    m.refuel()
    m.frames[-1].pc = op.next
    m.advance()
