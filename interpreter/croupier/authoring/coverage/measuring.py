"""Playing traced games and scenarios, and adding up what they counted.

Random games are played in turn at every number of players (or at one), with the parameters as they are set, or each with tried values of its
own. What a game or scenario executed is read off the trace of its set-up, which is then cleared.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from croupier.authoring.coverage.report import CLAUSES, Counted, Coverage, RuleCount, StoppedGame, ValueCount
from croupier.authoring.matrix import tried_values
from croupier.diagnostics import RulesetError, Source, Span
from croupier.pipeline import load
from croupier.play.match import GameMatch, MatchConfig, never
from croupier.play.record import reason_of
from croupier.ruleset import Ruleset
from croupier.runtime.game import Game
from croupier.runtime.state import State
from croupier.runtime.streams import Stream
from croupier.runtime.trace import Spot, Trace
from croupier.scenarios import ScenarioResult, each_scenario
from croupier.semantics.program import Program
from croupier.semantics.tree import OpenStmt
from croupier.semantics.walk import operands, statements

ATTEMPTS = 20  # at a combination of parameters that the ruleset does not refuse
Progress = Callable[[int, int], None]
Key = tuple[str, str, int, int, str]


@dataclass(frozen=True)
class CoveragePlan:
    """What to play: `players` none for all numbers in turn; `vary` gives each game tried values of its own instead of the defaults."""

    games: int = 100
    players: int | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    vary: bool = False
    scenarios: bool = True


class Collector:
    """Adds up what traces counted: by place, by rule, by value of parameters."""

    def __init__(self) -> None:
        self.spots: dict[Key, Spot] = {}
        self.programs: dict[int, Program] = {}  # those that were played, by identity
        self.counts: dict[str, Counter[Key]] = {"games": Counter(), "scenarios": Counter()}
        self.rules: dict[str, Counter[str]] = {"games": Counter(), "scenarios": Counter()}
        self.values: dict[str, Counter[tuple[str | None, str]]] = {"games": Counter(), "scenarios": Counter()}

    def add(self, trace: Trace, where: str) -> None:
        """What one game or scenario executed; the trace is not cleared."""
        counts = self.counts[where]
        for spot, n in zip(trace.spots, trace.counts, strict=True):
            key = (spot.kind, spot.span.source.name, spot.span.start, spot.span.end, spot.words)
            self.spots.setdefault(key, spot)
            counts[key] += n
        self.rules[where].update(trace.rules())
        game: Game | None = trace.game
        if game is not None:
            self.programs[id(game.program)] = game.program
        if game is not None and game.code is not None:
            self.values[where][None, str(game.players)] += 1
            for p in game.program.params.values():
                if p.name in game.parameters:
                    self.values[where][p.name, _text(game.to_json(game.parameters[p.name], p.type))] += 1


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def measure(name: str | Path, plan: CoveragePlan, should_stop: Callable[[], bool] = never, progress: Progress | None = None) -> Coverage:
    """What happens in random games of a ruleset and in its scenarios; stops if told to. Raises `RulesetError`.

    `progress` is told how many games and scenarios of how many are over.
    """
    ruleset = load(name)
    report = progress or (lambda done, of: None)

    collector = Collector()
    statuses: Counter[str] = Counter()
    stopped: dict[tuple[str, str | None], StoppedGame] = {}
    results: list[ScenarioResult] = []
    try:
        for game in _games(ruleset, plan, collector, should_stop):
            statuses[game.status] += 1
            if game.status != "finished":
                first = stopped.get((game.status, game.reason))
                stopped[game.status, game.reason] = game if first is None else replace(first, count=first.count + 1)
            report(statuses.total(), plan.games)
        if plan.scenarios and not should_stop():

            def observe(result: ScenarioResult, traces: Sequence[Trace]) -> None:
                for trace in traces:
                    collector.add(trace, "scenarios")

            games = statuses.total()
            for result in each_scenario(name, observe, lambda done, of: report(games + done, games + of)):
                results.append(result)
                if should_stop():
                    break
    except KeyboardInterrupt:  # a step that does not end
        if not should_stop():
            raise
    return _report(ruleset, plan, collector, statuses, tuple(stopped.values()), results)


# ---------------------------------------------------------------- random games
def _games(ruleset: Ruleset, plan: CoveragePlan, collector: Collector, should_stop: Callable[[], bool]) -> Iterator[StoppedGame]:
    """Plays the games and says how each ended."""
    counts = ruleset.players if plan.players is None else (plan.players,)
    made: dict[str, Game] = {}
    tried = tried_values(ruleset) if plan.vary else {}
    ruleset.game(counts[0], plan.parameters)
    for number in range(1, plan.games + 1):
        if should_stop():
            return
        players = counts[(number - 1) % len(counts)]
        game = _set_up(ruleset, made, players, plan, tried, number)
        assert isinstance(game.trace, Trace)
        setup = MatchConfig(players, {}, plan.seed)
        match = GameMatch(ruleset, setup, number, initial=State(ruleset, game), light=True)
        record = match.play(should_stop)
        if record.status == "unfinished" and should_stop():  # half a game is none
            return
        values = {p.name: game.to_json(game.parameters[p.name], p.type) for p in game.program.params.values() if p.name in game.parameters}
        usual = {} if record.status == "finished" else ruleset.defaults(players)
        given = {name: _text(value).strip('"') for name, value in values.items() if name not in usual or value != usual[name]}
        yield StoppedGame(record.status, reason_of(record.outcome), number, players, given)
        collector.add(game.trace, "games")
        game.trace.clear()


def _set_up(ruleset: Ruleset, made: dict[str, Game], players: int, plan: CoveragePlan, tried: Mapping[str, Sequence[object]], number: int) -> Game:
    """The traced game of a number; with varied parameters the first combination that is not refused, or the defaults."""
    stream = Stream(plan.seed, number, "parameters")
    for attempt in range(ATTEMPTS + 1):
        varied = attempt < ATTEMPTS and any(tried.values())
        drawn = {name: values[stream.uniform(len(values))] for name, values in tried.items() if values} if varied else {}
        parameters = {**drawn, **plan.parameters}
        key = _text([players, sorted((k, str(v)) for k, v in parameters.items())])
        if key not in made:
            if len(made) > 32:
                made.clear()
            try:
                made[key] = ruleset.set_up(players, parameters, Trace(ruleset.program_for(parameters)))
            except RulesetError:
                if not varied:
                    raise
                continue
        return made[key]
    raise AssertionError("the last attempt varies nothing")


# ---------------------------------------------------------------- the report
def _report(
    ruleset: Ruleset,
    plan: CoveragePlan,
    collector: Collector,
    statuses: Counter[str],
    stopped: tuple[StoppedGame, ...],
    results: list[ScenarioResult],
) -> Coverage:
    program = ruleset.program
    programs = [program, *(p for p in collector.programs.values() if p is not program)]
    of_modules = {source for p in programs for used in p.resolved.modules for source in used.loaded.sources}  # they have scenarios themselves
    sources = tuple(dict.fromkeys(source for p in programs for source in p.resolved.sources if source not in of_modules))
    places = _places(programs, sources, collector)
    return Coverage(
        ruleset=ruleset.name,
        title=ruleset.title,
        ruleset_hash=ruleset.ruleset_hash,
        seed=plan.seed,
        games=statuses.total(),
        statuses=dict(sorted(statuses.items())),
        stopped=stopped,
        scenarios=len(results),
        failed=tuple(r.id for r in results if not r.passed),
        rules=tuple(
            RuleCount(id, tag, text, collector.rules["games"][id], collector.rules["scenarios"][id], tuple(program.cited.get(id, ())))
            for id, (tag, text) in program.rule_ids.items()
        ),
        places=places,
        values=tuple(_values(ruleset, collector)),
        sources=sources,
    )


def _places(programs: Sequence[Program], sources: Sequence[Source], collector: Collector) -> tuple[Counted, ...]:
    """Every place in the order of files and lines, of the rules and of the variants that parameters switched on.

    A way out of a clause, or a clause of a procedure, that never ran is inside of it."""
    games, scenarios = collector.counts["games"], collector.counts["scenarios"]
    order = {source.name: i for i, source in enumerate(sources)}
    invariants = {(x.span.source.name, x.span.start) for program in programs for _, x, _, _ in program.invariants}
    ran = {key[1:3] for key in collector.spots if key[0] in CLAUSES and games[key] + scenarios[key]}
    ran |= {key[1:3] for key in collector.spots if key[0] == "branch" and games[key] + scenarios[key]}
    outer = {place: start for program in programs for place, start in _outer(program).items()}
    menus = {place for program in programs for place in _only_in_menus(program)}
    found = []
    for key, spot in collector.spots.items():
        if spot.kind in ("set-up", "label") or (spot.span.source.name, spot.span.start) in invariants or spot.span.source.name not in order:
            continue
        if spot.kind == "procedure" and key[1:3] in menus:
            continue
        around = outer.get(key[1:3])
        idle = around is not None and around not in ran and spot.kind not in ("procedure", "power")
        inside = idle or (spot.kind not in CLAUSES and spot.kind != "option" and key[1:3] not in ran)
        found.append(Counted(spot.kind, spot.span, spot.words, spot.rules, games[key], scenarios[key], inside))
    return tuple(sorted(found, key=lambda p: (order[p.span.source.name], p.span.start, CLAUSES.index(p.kind) if p.kind in CLAUSES else 9, p.words)))


def _outer(program: Program) -> dict[tuple[str, int], tuple[str, int]]:
    """Of the start of each statement and of what it evaluates: the start of the procedure that it stands in."""
    found: dict[tuple[str, int], tuple[str, int]] = {}
    for proc in program.procs:
        start = (proc.span.source.name, proc.span.start)
        if proc.kind == "main":
            continue
        for s in statements(proc.body):
            found[s.span.source.name, s.span.start] = start
            for x in operands(s):
                for y in x.walk():
                    found.setdefault((y.span.source.name, y.span.start), start)
    return found


def _only_in_menus(program: Program) -> set[tuple[str, int]]:
    """Where the windows stand that nobody opens: their reactions are options of menus, and they are never run themselves."""
    opened = {s.window for proc in program.procs for s in statements(proc.body) if isinstance(s, OpenStmt)}
    return {(w.span.source.name, w.span.start) for w in program.windows.values() if w.index not in opened}


def _values(ruleset: Ruleset, collector: Collector) -> Iterator[ValueCount]:
    games, scenarios = collector.values["games"], collector.values["scenarios"]
    for players in ruleset.players:
        key: tuple[str | None, str] = (None, str(players))
        yield ValueCount(None, players, games[key], scenarios[key], None)
    for name, values in tried_values(ruleset).items():
        span: Span = ruleset.program.params[name].span
        for value in values:
            key = (name, _text(value))
            yield ValueCount(name, value, games[key], scenarios[key], span)
