"""The reference evaluator, windows: those who may react are asked in order."""

from __future__ import annotations

from functools import partial

from croupier.runtime.asking import AskOp, OneSeat
from croupier.runtime.candidates import Candidate, ReactionSource, Refusal
from croupier.runtime.disclosure import DisclosedTo, Disclosure
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import WAIT, Frame, Locals, Machine, Op, Run, Setter, put_back, write_back
from croupier.semantics.procedures import Proc
from croupier.text import Text, listed


class OpenOp(Op):
    """`open window(…) to ps`: pushes the window's frame."""

    def __init__(self, to: Run, target: int, args: list[Run], back: list[Setter]) -> None:
        self.to, self.target, self.args, self.back = to, target, args, back

    def run(self, m: Machine, fr: Frame) -> None:
        m.burn(self.span)
        if m.recorder is not None:
            m.cites = self.cites or m.cites
        frame = m.enter(self.target, [f(m, fr.L) for f in self.args], fr.event_audience, self.span)
        window, L = frame.code.points[0], frame.L
        assert isinstance(window, WindowOp)
        L[window.asked_slot], L[window.cursor], L[window.used] = tuple(self.to(m, fr.L)), 0, ()

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        write_back(self.back, m, fr.L)
        fr.pc = self.next


class WindowOp(AskOp):
    """The body of every window: those listed are asked in order; each gets the live reactions that fit, and
    "no".

    Only those who could react are asked. That a player was asked and said no is known to that player alone:
    it would show what they hold.
    """

    point = 0

    def __init__(self, game: Game, window: Proc) -> None:
        self.asked_slot, self.cursor, self.used = map(window.slots.index, ("$asked", "$cursor", "$used"))
        params = len(window.params)
        reactions = ReactionSource(window.index, lambda m, fr: fr.L[:params])
        refusal = None if window.all_react else Refusal(lambda: {"use": None})
        super().__init__(game, OneSeat(self.asked_one), (), refusal, reactions)
        self.reactions_from = reactions.first = 1
        self.span, self.proc = window.span, window.index

    def asked_one(self, m: Machine, L: Locals) -> int:
        return L[self.asked_slot][L[self.cursor]]  # type: ignore[no-any-return]

    def used_in(self, fr: Frame) -> tuple[int, ...]:
        return fr.L[self.used]  # type: ignore[no-any-return]

    def question(self, m: Machine) -> str:
        return f"react in {m.game.program.procs[self.proc].name}"

    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        L = fr.L
        while L[self.cursor] < len(L[self.asked_slot]):
            if self.reacting(m, fr):
                return WAIT
            self.ask_next(fr)
        m.leave(None)
        return None

    def ask_next(self, fr: Frame) -> None:
        fr.L[self.cursor] += 1
        fr.L[self.used] = ()

    def go_on(self, m: Machine, fr: Frame, c: Candidate) -> None:
        if c.reaction is None:
            self.ask_next(fr)
        else:
            fr.L[self.used] = (*fr.L[self.used], c.reaction.number)
            super().go_on(m, fr, c)

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        """The reaction has run: its `var` parameters are the window's."""
        put_back(fr.code.var_slots, m, fr.L)

    # ------------------------------------------------------------ what is told of saying no
    def is_asked_openly(self, m: Machine, fr: Frame, who: int) -> bool:
        return False

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        """A no is nobody else's business; whoever says it reads what they did not do."""
        if action == 0:
            return Disclosure(DisclosedTo.NOBODY, partial(self.refused, m, fr), is_refusal=True)
        return super().disclosure(m, fr, seat, action)

    def refused(self, m: Machine, fr: Frame) -> Text:
        """The words of a no: what might have been done."""
        declined = [Text.of("“", c.words(m, fr), "”") for c in self.reacting(m, fr)]
        return Text.of("decline ", listed(declined))
