"""A game that several people and bots play: it goes on until one of the people must decide."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any

from croupier.play.agents import is_timed, rolls_out
from croupier.play.compiled_twin import CompiledTwin
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.outcome import stuck_seat
from croupier.play.record import CHANCE_SEAT, OVER, SEVERAL_SEATS, GameRecord, RecordedChoice
from croupier.play.session import WORKED_OUT, Snapshot, faces_of, may_see
from croupier.runtime.state import SPECTATOR
from croupier.server.match_time import MatchTime
from croupier.server.page import TakenOption
from croupier.server.single_options import may_be_left_out
from croupier.text import Text

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State

MAX_STEPS_AT_ONCE = 5_000  # of bots and chance, before the people are shown how it stands
MAX_SECONDS_AT_ONCE = 1.0  # of bots that search, likewise

Row = tuple[int, int, int]
"""A choice that was made: the number of its step from 0, the seat (-1: chance), the action.

Step -1 is a choice that waits for others. Step -2 takes back: the steps from the number on that stands for
the action, or, if that is -1, what the seat chose and that waits for others. Step -3 says that the time of a
block was over (`match_time.py`) after so many steps as the action tells.
"""

WAITS, BACK, PASSED = -1, -2, -3
MAX_BACK = 20  # decisions of one seat
MAX_TAKEN = 4  # options that were taken for a seat, and that a page tells
SINGLE, LATE = "single", "time"  # why: there was no other, the time was over
LEARNT = "since your last decision you have seen something new, or may have"
SECRET = "the others would learn that you were asked"
TIMED = "it was decided while the time ran"
TIME_RUNS = "nothing is taken back while the time runs"
RESUMED = "your last decision was made before this table was opened"
TOO_MANY = f"at most {MAX_BACK} decisions can be taken back"
# kinds of events that tell a seat nothing that its own decision did not settle
OPEN = ("group", "phase", "move")


@dataclass(frozen=True)
class UndoPoint:
    """The point that taking a decision back goes back to: the state before it, how many events the seat had
    perceived, and which components it could tell apart.
    """

    before: Snapshot
    events: int
    faces: set[int]


class HostedMatch(GameMatch):
    """A game with people at some seats, from 0, who may take decisions back unless `may_undo` is false.

    Raises what `GameMatch` raises.
    """

    def __init__(
        self, ruleset: Ruleset, setup: MatchConfig, persons: frozenset[int], *, may_undo: bool = True
    ) -> None:
        super().__init__(ruleset, setup, light=True)
        self.may_undo = may_undo
        self.persons = persons
        self.time = MatchTime(persons)
        # what each did since their last decision without choosing it
        self.taken: dict[int, list[TakenOption]] = {p: [] for p in persons}
        self.state = self.state.beginning_in_time()
        self._follow()
        self.sealed: dict[int, int] = {}  # what people chose at the same time as others who have not
        # what each may take back, the last decision last
        self._decided: dict[int, list[UndoPoint]] = {p: [] for p in persons}
        self._lost: dict[int, str] = {}  # by seat, why the decisions before those cannot be taken back
        self._twin = CompiledTwin()
        thinks = any(rolls_out(agent.name()) for p, agent in enumerate(self._agents) if p not in persons)
        self._patience = MAX_SECONDS_AT_ONCE if thinks else inf

    @property
    def is_over(self) -> bool:
        """Tell whether nobody has to do anything more."""
        return self.state.current_player() == OVER or stuck_seat(self.state) is not None

    def waiting(self) -> list[int]:
        """The people who must decide now."""
        return (
            []
            if self.is_over
            else [p for p in self.state.pending_seats() if p in self.persons and p not in self.sealed]
        )

    @property
    def goes_on(self) -> bool:
        """Tell whether it is for bots or chance to go on: what `advance` left, because it took long."""
        return not (self.is_over or self.waiting() or self.time.is_awaited(self.state))

    def advance(self) -> list[Row]:
        """Let chance and bots play on, for a while; what was chosen."""
        first, end = len(self.steps), time.monotonic() + self._patience
        while len(self.steps) - first < MAX_STEPS_AT_ONCE and not self.is_over:
            if self.waiting():
                if not self._take_single_option():
                    break
                continue
            if self.time.pass_inner(self.state):
                continue
            if self.time.is_about_to_begin(self.state) and self.time.is_attended:
                self.time.begin(self.state)
            elif self.time.is_awaited(self.state) or not self.step():
                break
            else:
                self.sealed.clear()
                if time.monotonic() > end:
                    break
        if self.is_over:
            self.time.stop()
        self.time.note_asked(self.waiting())
        return self.rows(first)

    def _take_single_option(self) -> bool:
        """Take what somebody must decide now who has one option, unless that would tell others more than the
        question would; whether that was so.
        """
        seat, *others = self.waiting()
        legal = self.state.legal_actions(seat)
        is_alone = not others and self.state.current_player() != SEVERAL_SEATS
        if not is_alone or len(legal) != 1:
            return False
        if self.time.block is None and not may_be_left_out(self.state, seat):
            return False
        self.time.note_asked([seat])
        self._note_taken(seat, legal[0], SINGLE)
        self.sealed[seat] = legal[0]
        self.step()
        self.sealed.clear()
        return True

    def _state_for(self, seat: int) -> State:
        return self._twin.for_agent(self._agents[seat], self.state)

    def _note_taken(self, seat: int, action: int, why: str) -> None:
        """Note what a seat does that it has not chosen, for its page."""
        taken = TakenOption(why, Text.of(self.state.action_to_string(seat, action)))
        self.taken[seat] = [*self.taken[seat], taken][-MAX_TAKEN:]

    def choose(self, seat: int, action: int) -> list[Row]:
        """A decision of a person; what was chosen then.

        Raises ValueError for one that this seat may not make.
        """
        if seat not in self.waiting() or action not in self.state.legal_actions(seat):
            raise ValueError("this cannot be chosen now")
        if self.may_undo:
            self._remember(seat)
        self.taken[seat] = []
        self.sealed[seat] = action
        if self.waiting() and self.state.current_player() == SEVERAL_SEATS:
            return [(WAITS, seat, action)]
        first = len(self.steps)
        self.step()
        self.sealed.clear()
        return [*self.rows(first), *self.advance()]

    def end_time(self) -> list[Row]:
        """The time of the block that runs is over: those who have not decided are decided for; what was
        chosen until people must decide again, or time passes again.
        """
        first = len(self.steps)
        while not self.is_over and not self.time.is_at_end(self.state):
            for seat in self.waiting():
                self.sealed[seat] = self.time.chosen_for(self.state.legal_actions(seat))
                self._note_taken(seat, self.sealed[seat], LATE)
            if not self.step():
                break
            self.sealed.clear()
            self.advance()
        rows = self.rows(first)
        if self.is_over or not self.time.is_at_end(self.state):
            self.time.stop()
            return rows
        self.time.end(self.state)
        return [*rows, (PASSED, CHANCE_SEAT, len(self.steps)), *self.advance()]

    # ------------------------------------------------------------ taking back
    def _remember(self, seat: int) -> None:
        if self.time.block is not None:
            self._decided[seat].clear()
            self._lost[seat] = TIMED
            return
        if self._decided[seat] and not self.can_undo(seat):
            self._decided[seat].clear()
            self._lost[seat] = LEARNT
        if not all(self.state.is_open_to(p) for p in self.persons - {seat}):
            # the pages of the others would go back, and tell them that this seat was asked
            self._decided[seat].clear()
            self._lost[seat] = SECRET
            return
        agents = [
            agent if p in self.persons else copy.deepcopy(agent) for p, agent in enumerate(self._agents)
        ]
        chance = copy.copy(self._chance)
        before = Snapshot(_without_events(self.state), len(self.steps), agents, chance, dict(self.sealed))
        self._decided[seat].append(
            UndoPoint(before, len(self.state.events(seat)), faces_of(self.state, seat))
        )
        if len(self._decided[seat]) > MAX_BACK:
            del self._decided[seat][:-MAX_BACK]
            self._lost[seat] = TOO_MANY

    def can_undo(self, seat: int) -> bool:
        """Tell whether a person may take their last decision back, which they may not if they have perceived
        anything since that it did not settle alone.

        It depends on what this seat perceives alone: what others do unseen does not change it, so it gives
        nothing away.
        """
        if self.time.block is not None:
            return False
        if self.may_undo and seat in self.sealed:
            return True
        if not self._decided.get(seat):
            return False
        last = self._decided[seat][-1]
        new = [
            event for event in islice(self.state.events(seat), last.events, None) if not event.is_bookkeeping
        ]
        if not all(
            event.actor == seat if event.kind == "decision" else event.kind in (*OPEN, *WORKED_OUT)
            for event in new
        ):
            return False
        if any(event.kind in WORKED_OUT for event in new) and not may_see(
            self.state, seat, range(len(self.state._m.game.zones))
        ):
            return False
        return not self.is_over and faces_of(self.state, seat) <= last.faces

    def why_no_undo(self, seat: int) -> str:
        """Return why a person may not take their last decision back, in words for them, where `can_undo` is
        false.
        """
        if not self.may_undo:
            return "this server was started with --no-undo"
        if self.is_over:
            return "the game is over"
        if self.time.block is not None:
            return TIME_RUNS
        if self._decided.get(seat):
            return LEARNT
        return self._lost.get(seat, "there is no decision of yours")

    def undo(self, seat: int) -> list[Row]:
        """Take back the last decision of a person; the rows that say so.

        Raises ValueError where that is not possible.
        """
        if not self.can_undo(seat):
            raise ValueError(f"nothing can be taken back: {self.why_no_undo(seat)}")
        last = self._decided[seat].pop() if self._decided[seat] else None
        if seat in self.sealed:
            del self.sealed[seat]
            return [(BACK, seat, -1)]
        assert last is not None
        self.state = last.before.state
        self.taken[seat] = []
        self._agents = last.before.agents
        self._chance = last.before.chance
        self.sealed = {}
        self._follow()
        del self.steps[last.before.steps :]
        for others in self._decided.values():
            others[:] = [one for one in others if one.before.steps < last.before.steps]
        return [(BACK, seat, last.before.steps)]

    def _follow(self) -> None:
        """Keep time, and record what people and spectators perceive."""
        self.state.keep_time()
        self.state.follow([*sorted(self.persons), SPECTATOR])

    def record(self) -> GameRecord:
        """Return the record of what was played so far.

        Its readable choices and the hashes of the positions between are made by playing it again.
        """
        again = GameMatch(self.ruleset, self.setup)
        for step in self.steps:
            again._apply(
                [again._note(choice.seat, choice.action) for choice in step.choices], several=step.several
            )
        return again.record()

    def step(self) -> bool:
        """Apply one action.

        Nobody interrupts a thread of the server in the middle of one: nothing is kept to go back to.
        """
        return self._step()

    def rows(self, first: int = 0) -> list[Row]:
        """The choices of the steps from one on."""
        return [
            (n, choice.seat, choice.action)
            for n, step in enumerate(self.steps[first:], first)
            for choice in step.choices
        ]

    def catch_up(self, rows: Iterable[Row]) -> None:
        """Play again what was chosen; chance and bots draw what they drew then, but for bots that think for a
        time: what they drew depends on the machine.
        """
        timed = {seat for seat, agent in enumerate(self._agents) if is_timed(agent.name())}
        steps: dict[int, list[tuple[int, int]]] = {}
        waiting: dict[int, int] = {}
        passed: list[int] = []
        for n, seat, action in rows:
            if n == WAITS:
                waiting[seat] = action
            elif n == BACK and action < 0:
                waiting.pop(seat, None)
            elif n == BACK:
                steps = {k: made for k, made in steps.items() if k < action}
                passed = [k for k in passed if k <= action]
                waiting.clear()
            elif n == PASSED:
                passed.append(action)
            else:
                steps.setdefault(n, []).append((seat, action))
                waiting.clear()
        for n in sorted(steps):
            self._pass_time()
            choices: list[RecordedChoice] = []
            for seat, action in steps[n]:
                if seat == CHANCE_SEAT:
                    self._chance.weighted([weight for _, weight in self.state.chance_outcomes()])
                elif seat not in self.persons and seat not in timed:
                    self._decide(seat, self.state.legal_actions(seat))
                choices.append(self._note(seat, action))
            self._apply(choices, several=self.state.current_player() == SEVERAL_SEATS)
            self._lost.update((seat, RESUMED) for seat, _ in steps[n] if seat in self.persons)
            self.time.note_asked(seat for seat, _ in steps[n] if seat in self.persons)
        for _ in range(passed.count(len(self.steps))):
            self._pass_time(blocks=1)
        self.sealed = waiting

    def _pass_time(self, blocks: int | None = None) -> None:
        """Let time pass that had passed before: up to the next action, or through so many blocks."""
        left = -1 if blocks is None else blocks
        while left != 0 and self.state.time_end() is not None:
            if self.time.pass_inner(self.state):
                continue
            if self.time.is_about_to_begin(self.state):
                self.time.begin(self.state)
            else:
                self.time.end(self.state)
                left -= 1

    def _decide(self, seat: int, legal: Sequence[int]) -> Any:  # noqa: ANN401 - what an agent is given
        return self.sealed[seat] if seat in self.sealed else super()._decide(seat, legal)


def _without_events(state: State) -> State:
    """A copy without the cached events, which the state would have to copy with each action; they are made
    again if the copy is used.
    """
    caches, state._event_caches = state._event_caches, None
    try:
        return state.clone()
    finally:
        state._event_caches = caches
