"""The reference evaluator, windows: those who may react are asked in order."""

from __future__ import annotations

from functools import partial

from croupier.diagnostics import JsonObject
from croupier.runtime.disclosure import DisclosedTo, Disclosure
from croupier.runtime.game import KEPT, Value
from croupier.runtime.hooks import HookMatch, hooks_of
from croupier.runtime.machine import WAIT, Frame, Machine, Op, Run, Setter, write_back
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
        asked, cursor, used = frame.code.window_slots
        frame.L[asked], frame.L[cursor], frame.L[used] = tuple(self.to(m, fr.L)), 0, ()

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        write_back(self.back, m, fr.L)
        fr.pc = self.next


class WindowOp(Op):
    """The body of every window: those listed are asked in order; each gets the live reactions that fit, and
    "no".

    Only those who could react are asked. That a player was asked and said no is known to that player alone:
    it would show what they hold.
    """

    seats = "one"
    point = 0

    def __init__(self, window: int, asked: int, cursor: int, used: int, params: int, all_react: bool) -> None:
        self.window, self.asked, self.cursor, self.used, self.params = window, asked, cursor, used, params
        self.all_react = all_react  # nobody may say no

    def chooser(self, m: Machine, fr: Frame) -> int:
        return fr.L[self.asked][fr.L[self.cursor]]  # type: ignore[no-any-return]

    def reactions(self, m: Machine, fr: Frame) -> list[HookMatch]:
        return hooks_of(m).reactions(
            m, self.window, fr.L[: self.params], self.chooser(m, fr), fr.L[self.used]
        )

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        return [*(() if self.all_react else (0,)), *sorted(r.number + 1 for r in self.reactions(m, fr))]

    def is_asked_openly(self, m: Machine, fr: Frame, who: int) -> bool:
        return False

    def question(self, m: Machine) -> str:
        return f"react in {m.game.program.procs[self.window].name}"

    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        L = fr.L
        while L[self.cursor] < len(L[self.asked]):
            if self.reactions(m, fr):
                return WAIT
            L[self.cursor] += 1
            L[self.used] = ()
        m.leave(None)
        return None

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        L = fr.L
        if action == 0:
            L[self.cursor] += 1
            L[self.used] = ()
            return
        reaction = next(r for r in self.reactions(m, fr) if r.number == action - 1)
        L[self.used] = (*L[self.used], reaction.number)
        hooks_of(m).push_reaction(m, reaction, fr.event_audience, self.span)

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        """The reaction has run: its `var` parameters are the window's."""
        for slot, v in zip(fr.code.var_slots, m.retval_vars, strict=True):
            if slot is not None and v is not KEPT:
                fr.L[slot] = v

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        if action == 0:
            return "no"
        return next(r.describe(m) for r in self.reactions(m, fr) if r.number == action - 1)

    def sentence(self, m: Machine, fr: Frame, seat: int, action: int) -> Text | None:
        if action == 0:
            return None
        return next(r.sentence(m) for r in self.reactions(m, fr) if r.number == action - 1)

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        """A no is nobody else's business; whoever says it reads what they did not do."""
        if action == 0:
            return Disclosure(DisclosedTo.NOBODY, partial(self.refused, m, fr), is_refusal=True)
        used = next(r.bare(m) for r in self.reactions(m, fr) if r.number == action - 1)
        return Disclosure(component=used, is_used=True)

    def refused(self, m: Machine, fr: Frame) -> Text:
        """The words of a no: what might have been done."""
        declined = [Text.of("“", r.describe(m), "”") for r in self.reactions(m, fr)]
        return Text.of("decline ", listed(declined))

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> JsonObject:
        return {"use": None if action == 0 else self.describe(m, fr, seat, action)}
