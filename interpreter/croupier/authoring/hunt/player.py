"""A game by a plan: what comes in is a set-up, a plan and a number, what goes out is how it ended and what it
showed.

The games are played by the evaluator, which traces what it executes: a plan reads the words of options, and
the numbers that they change.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.authoring.hunt.plans import Chooser, Plan, Setup, kind_of
from croupier.authoring.hunt.quantities import Quantity, quantities_of
from croupier.diagnostics import Diagnostic, RulesetError
from croupier.runtime.state import State
from croupier.runtime.state_view import CHANCE, TERMINAL
from croupier.runtime.streams import CHANCE as CHANCE_PURPOSE
from croupier.runtime.streams import Stream, seat_purpose
from croupier.runtime.trace import Trace
from croupier.text import Seat

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.engine import Engine

ENDLESS = "endless"  # the status of a game that had the most actions of the hunt
REFUSED = "refused"  # of a set-up that the ruleset refuses
CRASHED = "crashed"  # of a game that a mistake of croupier ended
NO_FAULT = ("finished", ENDLESS, REFUSED)
READ = 8  # of so many games one is read from all seats at its end
MAX_GAMES_KEPT = 24  # set-ups that are kept ready

Moves = tuple[tuple[int, int], ...]
"""The actions of a game: seats, -1 for chance, and actions. Seats that choose at once follow each other."""


@dataclass(frozen=True)
class Task:
    """A game to play. `measures`: it is noted what decisions change."""

    number: int
    setup: Setup
    plan: Plan
    measures: bool = False


@dataclass(frozen=True)
class Trouble:
    """The reason why a game went wrong: a code, words, and the file and the line if there are any."""

    status: str
    code: str
    message: str
    file: str = ""
    line: int = 0

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Return what is the same for all games that went wrong in the same place for the same reason; the
        words may name players and numbers.
        """
        return self.status, self.code, self.file, self.line


@dataclass(frozen=True)
class Played:
    """A game that was played.

    `moves` are kept where something went wrong or for the first time ran; `executed` are places of rules.
    """

    task: Task
    status: str
    trouble: Trouble | None
    moves: Moves
    kinds: dict[str, int] = field(default_factory=dict)  # how often options of a kind were taken
    last_kind: str = ""  # of the last decision
    # of a quantity and a kind: by how much together, how often
    effects: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    executed: frozenset[tuple[str, str, int, int, str]] = frozenset()


def trouble_of(state: State, broken: Sequence[Diagnostic] = ()) -> Trouble | None:
    """Return what is wrong with the position at the end of a game; `None` if nothing is, or it goes on."""
    found = broken[0] if broken else state.fault
    outcome = state.outcome()
    if found is not None:
        span = found.span
        status = "faulted" if broken else str(outcome["status"])
        return Trouble(
            status,
            found.code,
            found.message,
            "" if span is None else Path(span.source.name).name,
            0 if span is None else span.line,
        )
    if outcome["status"] == "unfinished":
        return Trouble("unfinished", "", str(outcome["reason"]))
    stuck = next((seat for seat in state.pending_seats() if not state.legal_actions(seat)), None)
    return None if stuck is None else Trouble("stuck", "", f"{Seat(stuck)} must act and has no legal action")


class GamePlayer:
    """Plays games of one ruleset, with the set-ups that it has made."""

    def __init__(self, ruleset: Ruleset, seed: int, most_actions: int) -> None:
        self.ruleset, self.seed, self.most_actions = ruleset, seed, most_actions
        self._engines: dict[str, Engine] = {}  # by the words of their set-ups

    def initial(self, setup: Setup) -> State:
        """The position before the first event, traced. Raises RulesetError for a set-up that is refused."""
        engine = self._engines.pop(setup.words, None)
        if engine is None:
            parameters = dict(setup.parameters)
            trace = Trace(self.ruleset.program_for(parameters))
            engine = self.ruleset.set_up(setup.players, parameters, trace)
        self._engines[setup.words] = engine
        if len(self._engines) > MAX_GAMES_KEPT:
            del self._engines[next(iter(self._engines))]
        return State(self.ruleset, engine)

    def refusal(self, setup: Setup) -> Diagnostic | None:
        """Return why the ruleset refuses a set-up; `None` if it does not."""
        try:
            self.initial(setup)
        except RulesetError as refused:
            return refused.diagnostics[0]
        return None

    def play(self, task: Task, should_stop: Callable[[], bool]) -> Played | None:
        """The game of a task; `None` if it was told to stop in the middle of it."""
        refused = self.refusal(task.setup)
        if refused is not None:
            return Played(task, REFUSED, Trouble(REFUSED, refused.code, refused.message), ())
        game = _OneGame(task, self.initial(task.setup), self)
        return game.played() if game.play(should_stop) else None

    def broken(self, state: State) -> Sequence[Diagnostic]:
        """The invariants that do not hold."""
        has_any = bool(state.game.program.invariants)
        return state.check_invariants() if has_any and state.fault is None else ()


class _OneGame:
    """A game that is being played, and what it has shown so far."""

    def __init__(self, task: Task, state: State, player: GamePlayer) -> None:
        self.task, self.state, self._player = task, state, player
        self._moves: list[tuple[int, int]] = []
        self._kinds = Counter[str]()
        self._effects: dict[tuple[str, str], tuple[int, int]] = {}
        self._last_kind = ""
        self._quantities: dict[str, Quantity] = quantities_of(state.game)
        self._measured: dict[str, int] = {}
        self._trouble: Trouble | None = None
        self._is_cut = False
        self._chance = Stream(player.seed, task.number, CHANCE_PURPOSE)
        self._choosers = [
            Chooser(task.plan, self._quantities, Stream(player.seed, task.number, seat_purpose(p)))
            for p in range(state.players)
        ]

    def play(self, should_stop: Callable[[], bool]) -> bool:
        """Play until nothing is left to do. False if it was told to stop before that."""
        try:
            self._begin()
            while not self._is_over():
                if should_stop():
                    return False
                self._step()
            if self.task.number % READ == 1:
                self._read()
        except KeyboardInterrupt:
            if should_stop():
                return False
            raise
        except Exception as error:  # noqa: BLE001 - a mistake of croupier is what a hunt finds, too
            place = traceback.extract_tb(error.__traceback__)[-1]
            self._trouble = Trouble(
                CRASHED, type(error).__name__, str(error), Path(place.filename).name, place.lineno or 0
            )
        return True

    def _read(self) -> None:
        """Ask for what everybody sees of the game: what cannot be told is a mistake of croupier, too."""
        state = self.state.clone()
        for seat in (None, *range(state.players)):
            state.information_state(seat)
            state.observation(seat)

    def played(self) -> Played:
        """The game so far."""
        trouble = self._trouble
        if trouble is not None:
            status = trouble.status
        else:
            status = ENDLESS if self._is_cut else "finished"
        trace = self.state.engine.trace
        assert trace is not None  # `initial` sets games up with one
        executed = frozenset[tuple[str, str, int, int, str]]()
        is_clear = not self.task.plan.tries  # what was tried on a copy is traced, too
        if is_clear:
            executed = frozenset(
                (s.kind, Path(s.span.source.name).name, s.span.start, s.span.end, s.words)
                for s in trace.executed()
            )
        trace.clear()
        return Played(
            self.task,
            status,
            trouble,
            tuple(self._moves),
            dict(self._kinds),
            self._last_kind,
            self._effects,
            executed,
        )

    def _begin(self) -> None:
        """Play the beginning of the plan, as far as it is possible."""
        for seat, action in self.task.plan.beginning:
            if self._is_over() or not is_possible(self.state, seat, action):
                return
            self._apply(seat, action)

    def _is_over(self) -> bool:
        state = self.state
        if self._trouble is not None:
            return True
        if state.is_terminal():
            self._trouble = trouble_of(state)
            return True
        self._is_cut = len(self._moves) >= self._player.most_actions
        return self._is_cut

    def _step(self) -> None:
        """One event of chance, or the decision of one seat."""
        state = self.state
        acting = state.current_player()
        if acting == CHANCE:
            outcomes = state.chance_outcomes()
            if outcomes:
                self._apply(CHANCE, outcomes[self._chance.weighted([weight for _, weight in outcomes])][0])
            return
        if acting == TERMINAL:
            return
        seat = state.pending_seats()[0]
        options = state.legal_actions(seat)
        if not options:
            self._trouble = trouble_of(state)
            return
        action = self._choosers[seat].choose(state, seat, options)
        if len(options) > 1:
            self._note(kind_of(state, seat, action))
        self._apply(seat, action)

    def _apply(self, seat: int, action: int) -> None:
        self._moves.append((seat, action))
        self.state.apply_action(action, seat)
        broken = self._player.broken(self.state)
        if broken:
            self._trouble = trouble_of(self.state, broken)

    def _note(self, kind: str) -> None:
        """A decision for an option of a kind follows; what changed since the last one is laid to that."""
        self._kinds[kind] += 1
        if self.task.measures:
            now = {name: quantity.measure(self.state).total for name, quantity in self._quantities.items()}
            if self._last_kind:
                for name, value in now.items():
                    change = value - self._measured[name]
                    if change:
                        total, count = self._effects.get((name, self._last_kind), (0, 0))
                        self._effects[name, self._last_kind] = (total + change, count + 1)
            self._measured = now
        self._last_kind = kind


def is_possible(state: State, seat: int, action: int) -> bool:
    """Tell whether a seat, or chance, may take this action now."""
    if state.is_terminal():
        return False
    if seat == CHANCE:
        return state.is_chance_node() and action in state.legal_actions()
    return seat in state.pending_seats() and action in state.legal_actions(seat)
