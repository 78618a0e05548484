"""Random games that are counted: the plan, the traces of games and scenarios, and the games in several
processes.

A game that is compiled with a trace (`runtime/trace.py`) counts what it executes; without one nothing is
added to it. Games are played in turn at every number of players (or at one), with the parameters as they are
set, or each with tried values of its own. The trace of a set-up is read off after each game, and cleared.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakKeyDictionary

from croupier.authoring.coverage.results import StoppedGame
from croupier.authoring.matrix import allowed_counts, tried_values
from croupier.diagnostics import RulesetError
from croupier.pipeline import load
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.outcome import reason_of
from croupier.play.processes import in_processes, is_told_to_stop, kept_in_worker
from croupier.ruleset import Ruleset
from croupier.runtime.engine import Engine
from croupier.runtime.state import State
from croupier.runtime.streams import Stream
from croupier.runtime.trace import Trace, TracedPlace
from croupier.semantics.program import Program

# seconds of playing before more processes are considered, of the processor: others may keep it busy
MEASURED = 1.0
WORTH_PROCESSES = 20.0  # seconds that are left: each process loads the ruleset and sets its games up first
AT_ONCE = 0.5  # seconds of the games that a process is given at once
MOST_AT_ONCE = 20  # and how many these are at most
ATTEMPTS = 20  # at a combination of parameters that the ruleset does not refuse
Progress = Callable[[int, int], None]
Key = tuple[str, str, int, int, str]


@dataclass(frozen=True)
class CoveragePlan:
    """The games to play: `players` is `None` for all numbers in turn; `vary` gives each game tried values of
    its own instead of the defaults.
    """

    games: int = 100
    players: int | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    vary: bool = False
    scenarios: bool = True


@dataclass(frozen=True)
class Executed:
    """The trace of one game or scenario: how often each place was executed, which rules, and the values of
    parameters and the number of players.
    """

    counts: dict[Key, int]
    rules: frozenset[str]
    values: tuple[tuple[str | None, str], ...]


class Collector:
    """Adds up what traces counted: by place, by rule, by value of parameters."""

    def __init__(self) -> None:
        self.spots: dict[Key, TracedPlace] = {}
        self.programs: dict[int, Program] = {}  # those that were played, by identity
        self.counts: dict[str, Counter[Key]] = {"games": Counter(), "scenarios": Counter()}
        self.rules: dict[str, Counter[str]] = {"games": Counter(), "scenarios": Counter()}
        self.values: dict[str, Counter[tuple[str | None, str]]] = {"games": Counter(), "scenarios": Counter()}
        self._whole: set[int] = set()  # the programs all of whose places are known
        # of the places of a trace, as far as they are known
        self._keys: WeakKeyDictionary[Trace, list[Key]] = WeakKeyDictionary()

    def knows(self, program: Program) -> bool:
        """Tell whether all places of these rules are known."""
        return id(program) in self._whole

    def meet(self, trace: Trace) -> None:
        """Learn all places of the rules that a traced game is played by, those that it never comes to too:
        other games by these rules have no others.
        """
        rules = trace.traced
        if rules is not None and rules.is_ready and not self.knows(trace.program):
            self._whole.add(id(trace.program))
            rules.compile_rest()
            self._known(trace)

    def add(self, trace: Trace, where: str) -> None:
        """Count the trace of one game or scenario; the trace is not cleared."""
        self.programs[id(trace.program)] = trace.program
        self.meet(trace)
        self.add_counts(self.counts_of(trace), where)

    def add_counts(self, executed: Executed, where: str) -> None:
        """The same, of a game whose rules are known."""
        self.counts[where].update(executed.counts)
        self.rules[where].update(executed.rules)
        self.values[where].update(executed.values)

    def counts_of(self, trace: Trace) -> Executed:
        """Return the trace of one game or scenario as plain values."""
        values: list[tuple[str | None, str]] = []
        if trace.traced is not None:
            game = trace.traced.game
            values.append((None, str(game.players)))
            for p in game.program.params.values():
                if p.name in game.parameters:
                    values.append((p.name, value_text(game.to_json(game.parameters[p.name], p.type))))
        counts: dict[Key, int] = {}
        for key, n in zip(self._known(trace), trace.counts, strict=True):
            if n:
                counts[key] = counts.get(key, 0) + n
        return Executed(counts, trace.rules(), tuple(values))

    def _known(self, trace: Trace) -> list[Key]:
        """The keys of the places of a trace, in their order; new places become known."""
        keys = self._keys.setdefault(trace, [])
        for spot in trace.spots[len(keys) :]:
            key = (spot.kind, spot.span.source.name, spot.span.start, spot.span.end, spot.words)
            self.spots.setdefault(key, spot)
            keys.append(key)
        return keys


def value_text(value: object) -> str:
    """Return a value as JSON, the same text for equal values."""
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True)
class TracedGame:
    """A random game that was played: how it ended, what it executed, and the parameters that it was set up
    with.
    """

    ended: StoppedGame
    executed: Executed
    parameters: dict[str, object]


class GamePlayer:
    """Plays the random games of a plan by their numbers, with the games that are set up for them."""

    def __init__(self, ruleset: Ruleset, plan: CoveragePlan, collector: Collector) -> None:
        self.ruleset, self._plan, self._collector = ruleset, plan, collector
        self._made: dict[str, Engine] = {}
        self._counts = (
            (allowed_counts(ruleset, plan.parameters) or ruleset.players)
            if plan.players is None
            else (plan.players,)
        )
        self._tried = {
            players: tried_values(ruleset, players) if plan.vary else {} for players in self._counts
        }
        ruleset.game(self._counts[0], plan.parameters)

    def play(self, number: int, should_stop: Callable[[], bool]) -> TracedGame | None:
        """One game; `None` if it was told to stop in the middle of it."""
        ruleset, plan = self.ruleset, self._plan
        players = self._counts[(number - 1) % len(self._counts)]
        engine, parameters = _set_up(ruleset, self._made, players, plan, self._tried[players], number)
        game, trace = engine.game, engine.trace
        assert trace is not None  # `_set_up` gives each game one
        self._collector.meet(trace)
        match = GameMatch(
            ruleset, MatchConfig(players, {}, plan.seed), number, initial=State(ruleset, engine), light=True
        )
        record = match.play(should_stop)
        if record.status == "unfinished" and should_stop():  # half a game is none
            return None
        values = {
            p.name: game.to_json(game.parameters[p.name], p.type)
            for p in game.program.params.values()
            if p.name in game.parameters
        }
        usual = {} if record.status == "finished" else ruleset.defaults(players)
        given = {
            name: value_text(value).strip('"')
            for name, value in values.items()
            if name not in usual or value != usual[name]
        }
        ended = StoppedGame(record.status, reason_of(record.outcome), number, players, given)
        executed = self._collector.counts_of(trace)
        trace.clear()
        return TracedGame(ended, executed, parameters)

    def collect(self, played: TracedGame) -> None:
        """Add up what a game executed, which may have been played in another process, by rules that are new
        here.
        """
        program = self.ruleset.program_for(played.parameters)
        self._collector.programs[id(program)] = program
        if not self._collector.knows(program):
            trace = Trace(program)
            self.ruleset.set_up(played.ended.players, played.parameters, trace)
            self._collector.meet(trace)
        self._collector.add_counts(played.executed, "games")


def play_games(
    source: str | Path,
    player: GamePlayer,
    plan: CoveragePlan,
    should_stop: Callable[[], bool],
    jobs: int | None,
) -> Iterator[TracedGame]:
    """Plays the games, in order: here, and in several processes from where that pays off."""
    started, size, first = time.process_time(), 1, 1
    while first <= plan.games and (jobs is None or jobs == 1):
        played = None if should_stop() else player.play(first, should_stop)
        if played is None:
            return
        yield played
        seconds = time.process_time() - started
        if jobs is None and seconds >= MEASURED and seconds / first * (plan.games - first) > WORTH_PROCESSES:
            jobs, size = os.cpu_count() or 1, max(1, min(MOST_AT_ONCE, int(AT_ONCE * first / seconds)))
        first += 1
    pieces = (
        (source, plan, range(begin, min(begin + size, plan.games + 1)))
        for begin in range(first, plan.games + 1, size)
    )
    for some in in_processes(_play_some, pieces, jobs or 1, should_stop):
        yield from some


def _player(source: str | Path, plan: CoveragePlan) -> GamePlayer:
    return GamePlayer(load(source), plan, Collector())


def _play_some(source: str | Path, plan: CoveragePlan, numbers: range) -> list[TracedGame]:
    """In another process: some of the games, as many as there is time for."""
    player, found = kept_in_worker(_player, source, plan), []
    for number in numbers:
        played = None if is_told_to_stop() else player.play(number, is_told_to_stop)
        if played is None:
            break
        found.append(played)
    return found


def _set_up(
    ruleset: Ruleset,
    made: dict[str, Engine],
    players: int,
    plan: CoveragePlan,
    tried: Mapping[str, Sequence[object]],
    number: int,
) -> tuple[Engine, dict[str, object]]:
    """The traced game of a number, and its parameters; with varied parameters the first combination that is
    not refused, or the defaults.
    """
    stream = Stream(plan.seed, number, "parameters")
    for attempt in range(ATTEMPTS + 1):
        varied = attempt < ATTEMPTS and any(tried.values())
        drawn = (
            {name: values[stream.uniform(len(values))] for name, values in tried.items() if values}
            if varied
            else {}
        )
        parameters = {**drawn, **plan.parameters}
        key = value_text([players, sorted((k, str(v)) for k, v in parameters.items())])
        if key not in made:
            if len(made) > 32:
                made.clear()
            try:
                made[key] = ruleset.set_up(players, parameters, Trace(ruleset.program_for(parameters)))
            except RulesetError:
                if not varied:
                    raise
                continue
        return made[key], parameters
    raise AssertionError("the last attempt varies nothing")
