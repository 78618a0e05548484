"""What a seat may have learnt through the locals of the rules.

The onlooker (`runtime/onlooker.py`) notices what is read of components, zones and state. What the rules keep in locals, and where they stand,
outlives the reading: a count of hidden choices that is announced three decisions later. A witness runs the whole game beside it, with the eyes
of one seat, and keeps what it cannot know:

    a local is veiled     written where something hidden was read, secretly before others, or by a choice or chance that the seat was not told
    a frame is dark       a condition, a list that is walked, options, … that decide where it goes on read something hidden or veiled

Then something was learnt if a veiled local is read while the seat perceives what happens, or if it perceives anything after a dark frame ran.
Both may be said of what the seat could have worked out by itself: a decision is rather not taken back than taken back knowingly. That a dark
frame is over is learnt once, from what the seat perceives next: what two places of the rules ask or say is taken to be told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from croupier.play.veils import Eyes, Facts, Locals, WitnessCode, facts
from croupier.runtime import lookahead
from croupier.runtime.chance import DrawOp, RollOp
from croupier.runtime.choices import ChanceOp, ChooseOp, EveryOp
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.game import Game
from croupier.runtime.machine import WAIT, Frame, Machine
from croupier.runtime.node import CHANCE
from croupier.runtime.onlooker import MOST_TRIED, Listener
from croupier.runtime.operations import CallOp, PlainOp
from croupier.runtime.sight import perceives, sees_piece
from croupier.runtime.state import State
from croupier.runtime.windows import OpenOp

if TYPE_CHECKING:
    from croupier.load import Ruleset

Choices = Sequence[tuple[int, int]]  # seats, -1 for chance, with their actions


def watched_game(ruleset: Ruleset, players: int, parameters: Mapping[str, Any]) -> Game:
    """A game that says what is read in it. Raises `RulesetError` as setting up does."""
    game = ruleset.set_up(players, parameters, watched=True, compiled=False)
    game.code = code = WitnessCode(game)
    code.masking = code.watched = True
    code.compile()
    return game


class Hearing(Listener):
    """Hears, too, that the game ended where nobody was to perceive anything."""

    def finished(self, m: Any) -> None:
        self.eyes.hidden = self.eyes.hidden or not perceives(m.viewer, self.who)
        super().finished(m)


class Witness:
    """One seat's, of a game from its beginning on."""

    def __init__(self, ruleset: Ruleset, game: Game, seat: int) -> None:
        self.ruleset, self.seat = ruleset, seat
        self._facts: Callable[[Any], Facts] = cache(lambda code: facts(game.program, code.proc))
        self._take(Machine(game))
        m = self.m
        m.refuel()
        self._pending = False  # has a dark frame run since the seat perceived something?
        try:
            m.seen_values = [w.value(m, [None] * w.slots) if w.kind == "watch" else None for w in game.code.watchers]
        except Fault:
            return
        main = game.code.main
        m.frames = [Frame(main, main.entry, Locals([None] * main.slots, set(), False, self), None)]
        self._hear()
        self._run()

    def _take(self, m: Machine) -> None:
        self.m = m
        self._learnt = False
        self._running: Locals | None = None
        self._secret = self._untold = False
        self.eyes = Eyes(m, self.seat)
        for frame in m.frames:
            if isinstance(frame.L, Locals):
                frame.L.notary = self

    def copy(self) -> Witness:
        """An independent one that knows the same."""
        other = Witness.__new__(Witness)
        other.ruleset, other.seat, other._facts, other._pending = self.ruleset, self.seat, self._facts, self._pending
        other._take(self.m.copy())
        return other

    # ------------------------------------------------------------ an action
    def learns(self, choices: Choices) -> bool:
        """Apply choices, with what follows from them; may the seat have learnt something through a local or from where the rules stand?"""
        m = self.m
        if not m.frames:
            return True
        self._learnt = False
        self._hear()
        after = State(self.ruleset, m.game, m)
        try:
            for seat, action in choices:
                self._resume(after, seat, action)
        except (Fault, GameOver):
            m.frames = []
        if self._pending and self._heard():
            self._learnt, self._pending = True, False
        self._run()
        return self._learnt

    def _hear(self) -> None:
        self.m.recorder = Hearing(self.eyes)

    def _heard(self) -> int:
        return len(self.m.recorder.events)

    def _resume(self, after: State, seat: int, action: int) -> None:
        m = self.m
        frame: Any = m.frames[-1]
        op, L = frame.pc, frame.L
        m.refuel()
        m.viewer, m.seen, self._secret, self._running = frame.viewer, self.eyes, not perceives(frame.viewer, self.seat), L
        told = seat == self.seat or self._told(op, frame, seat, action)
        after._record(m, op, frame, seat, action)
        m.refuel()
        self.eyes.forget()
        self._untold = not told
        op.resume(m, frame, seat, action)
        self._untold = False
        if not told and not self._secret and not isinstance(op, (DrawOp, EveryOp)):
            L.dark = L.dark or type(op) not in (ChooseOp, ChanceOp) or op.optional or op.has_other
        self._settle(frame, op, len(m.frames), False)

    def _told(self, op: Any, frame: Any, seat: int, action: int) -> bool:
        """Does the seat know what was chosen: does it know what there was to choose from, and do the words that it reads say which it was?"""
        if self._secret or isinstance(op, DrawOp):
            return False
        if isinstance(op, RollOp) or op.is_open_to_all(action):
            return True
        m, eyes = self.m, self.eyes
        offer, m.offer = m.offer, None
        eyes.forget()
        try:
            actions = [a for a, _ in op.outcomes(m, frame)] if seat == CHANCE else lookahead.allowed(m, op.actions(m, frame, seat), seat)
            if len(actions) > MOST_TRIED or any(op.discreet(a) for a in actions):
                return False
            words = {op.describe(m, frame, seat, a) for a in actions}
        except Fault:
            return False
        finally:
            m.offer = offer
        return len(words) == len(actions) and not eyes.hidden and not eyes.veiled

    # ------------------------------------------------------------ what follows
    def _run(self) -> None:
        """Run on to the next decision or chance."""
        m, eyes = self.m, self.eyes
        m.seen = eyes
        try:
            while m.frames:
                frame: Any = m.frames[-1]
                op, height, heard = frame.pc, len(m.frames), self._heard()
                eyes.forget()
                m.offer, self._running, self._secret = None, frame.L, not perceives(frame.viewer, self.seat)
                self._pending = self._pending or frame.L.dark
                if op is None:
                    m.leave(None)
                elif op.run(m, frame) is WAIT:
                    self._asked(op, frame)
                    return
                self._learnt = self._learnt or eyes.veiled or eyes.hidden and not m.frames
                self._settle(frame, op, height, eyes.hidden or eyes.veiled)
                if self._pending and self._heard() > heard:
                    self._learnt, self._pending = True, False
            self._learnt = self._learnt or self._pending
        except (Fault, GameOver):
            self._learnt = self._learnt or self._pending or eyes.hidden or eyes.veiled
            m.frames = []

    def _asked(self, op: Any, frame: Any) -> None:
        """Somebody must choose: if it is the seat, it perceives that, and what it may choose."""
        m, eyes = self.m, self.eyes
        mine = op.seats == "one" and op.chooser(m, frame) == self.seat or op.seats == "every" and self.seat in op.pending(m, frame)
        if not mine:
            return
        eyes.forget()
        offer, m.offer = m.offer, None
        op.actions(m, frame, self.seat)
        m.offer = offer
        self._learnt, self._pending = self._learnt or eyes.veiled or self._pending, False

    def wrote(self, locals_: Locals, slot: int) -> None:
        """A local was written: what it holds is known unless something that is not known went into it."""
        eyes, running = self.eyes, self._running
        secret = self._secret or not perceives(self.m.viewer, self.seat)
        eyes.secret = eyes.secret or secret
        foreign = locals_ is not running and running is not None and bool(running.veiled or running.dark)
        if secret or self._untold or eyes.hidden or eyes.veiled or foreign:
            locals_.veiled.add(slot)
        else:
            locals_.veiled.discard(slot)

    def _settle(self, frame: Any, op: Any, height: int, hidden: bool) -> None:
        """After an operation: what its frame, those that it began and the one that it went back to may now hold, and where they may stand."""
        m, L, said = self.m, frame.L, self._facts(frame.code)
        secret = self._secret or self.eyes.secret
        begins = isinstance(op, (CallOp, OpenOp))
        if isinstance(op, DrawOp) and op.drawn >= 0 and not all(sees_piece(m, p, self.seat) for p in L[op.drawn] or ()):
            L.veiled.add(op.drawn)
        if isinstance(op, PlainOp):
            if hidden:
                L.veiled |= said.changing
                L.dark = L.dark or m.game.code.leaving.get(op.do, True)
        elif hidden and not begins:
            L.dark = True
        if secret:
            L.veiled |= said.secret
            L.dark = L.dark or said.escapes
        for other in m.frames:
            if not isinstance(other.L, Locals):
                other.L = Locals(other.L, set(), L.dark or hidden, self)
        self._pending = self._pending or len(m.frames) < height and L.dark  # where it goes on is known; that it does so already, is not
