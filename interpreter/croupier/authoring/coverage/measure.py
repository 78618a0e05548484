"""Measure the coverage of a ruleset in random games and in its scenarios.

What comes in is the name of a ruleset and a plan; what comes out is everything that can happen, with how
often it did: rules, places, and values of parameters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from croupier.authoring.coverage.games import (
    Collector,
    CoveragePlan,
    GamePlayer,
    Progress,
    play_games,
    value_text,
)
from croupier.authoring.coverage.results import CLAUSES, Counted, Coverage, RuleCount, StoppedGame, ValueCount
from croupier.authoring.matrix import allowed_counts, is_never_allowed, tried_values
from croupier.authoring.rulebook.places import Places, places_of
from croupier.diagnostics import Source, Span
from croupier.kernel.tree import OpenStmt
from croupier.pipeline import load
from croupier.play.match import never
from croupier.resources import find
from croupier.ruleset import Ruleset
from croupier.runtime.trace import Trace
from croupier.scenarios import LoadedRulesets, ScenarioResult, each_scenario
from croupier.semantics.program import Program
from croupier.semantics.walk import never_run, statements


def measure(
    name: str | Path,
    plan: CoveragePlan,
    should_stop: Callable[[], bool] = never,
    progress: Progress | None = None,
    *,
    jobs: int | None = None,
) -> Coverage:
    """Count what is executed in random games of a ruleset and in its scenarios, until `should_stop`.

    Raises `RulesetError`.

    `progress` is told how many games and scenarios of how many are over. `jobs` processes play the games;
    without it as many as pay off.
    """
    ruleset, rulesets = load(name), LoadedRulesets()
    place, _ = find(name)
    if place is not None and not place.parts:  # its scenarios need not load it again
        rulesets.keep(ruleset)
    report = progress or (lambda done, of: None)

    collector = Collector()
    statuses: Counter[str] = Counter()
    stopped: dict[tuple[str, str | None], StoppedGame] = {}
    results: list[ScenarioResult] = []
    try:
        player = GamePlayer(ruleset, plan, collector)
        for played in play_games(name, player, plan, should_stop, jobs):
            player.collect(played)
            game = played.ended
            statuses[game.status] += 1
            if game.status != "finished":
                first = stopped.get((game.status, game.reason))
                stopped[game.status, game.reason] = (
                    game if first is None else replace(first, count=first.count + 1)
                )
            report(statuses.total(), plan.games)
        if plan.scenarios and not should_stop():

            def observe(result: ScenarioResult, traces: Sequence[Trace]) -> None:
                for trace in traces:
                    collector.add(trace, "scenarios")

            games = statuses.total()
            for result in each_scenario(
                name, observe, lambda done, of: report(games + done, games + of), rulesets=rulesets
            ):
                results.append(result)
                if should_stop():
                    break
    except KeyboardInterrupt:  # a step that does not end
        if not should_stop():
            raise
    return _report(ruleset, plan, collector, statuses, tuple(stopped.values()), results)


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
    # they have scenarios themselves
    of_modules = {source for p in programs for used in p.resolved.modules for source in used.loaded.sources}
    sources = tuple(
        dict.fromkeys(source for p in programs for source in p.resolved.sources if source not in of_modules)
    )
    places = _places(programs, sources, collector, places_of(ruleset))
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
        rules=tuple(_rules(programs, places, collector)),
        places=places,
        values=tuple(_values(ruleset, plan, collector)),
        sources=sources,
    )


def _rules(
    programs: Sequence[Program], places: Sequence[Counted], collector: Collector
) -> Iterator[RuleCount]:
    """The rules of the rule list, but for those that nothing cites except what is always replaced."""
    program, replaced = programs[0], _replaced(programs)
    asked = {id for place in places for id in place.rules}
    elsewhere = {
        id for key, spot in collector.spots.items() if key[1:3] in replaced for id in spot.rules
    } - asked
    for id, (tag, text) in program.rule_ids.items():
        counted = RuleCount(
            id,
            tag,
            text,
            collector.rules["games"][id],
            collector.rules["scenarios"][id],
            tuple(program.cited.get(id, ())),
        )
        if counted.count or id not in elsewhere:
            yield counted


def _places(
    programs: Sequence[Program], sources: Sequence[Source], collector: Collector, told: Places
) -> tuple[Counted, ...]:
    """Every place in the order of files and lines, of the rules and of the variants that parameters switched
    on; `told` has the places in the rulebook.

    A way out of a clause, or a clause of a procedure, that never ran is inside of it.
    """
    games, scenarios = collector.counts["games"], collector.counts["scenarios"]
    order = {source.name: i for i, source in enumerate(sources)}
    invariants = {
        (x.span.source.name, x.span.start) for program in programs for _, x, _, _ in program.invariants
    }
    ran = {key[1:3] for key in collector.spots if key[0] in CLAUSES and games[key] + scenarios[key]}
    ran |= {key[1:3] for key in collector.spots if key[0] == "branch" and games[key] + scenarios[key]}
    outer = {place: start for program in programs for place, start in _outer(program).items()}
    menus = {place for program in programs for place in _only_in_menus(program)}
    replaced = _replaced(programs)
    found = []
    for key, spot in collector.spots.items():
        if (
            spot.kind in ("set-up", "label")
            or (spot.span.source.name, spot.span.start) in invariants
            or spot.span.source.name not in order
        ):
            continue
        if spot.kind == "procedure" and key[1:3] in menus:
            continue
        if key[1:3] in replaced and not games[key] + scenarios[key]:
            continue
        around = outer.get(key[1:3])
        idle = around is not None and around not in ran and spot.kind not in ("procedure", "power")
        inside = idle or (spot.kind not in CLAUSES and spot.kind != "option" and key[1:3] not in ran)
        counts = games[key], scenarios[key]
        page = str(told.at(spot.span) or "")
        found.append(Counted(spot.kind, spot.span, spot.words, spot.rules, *counts, inside, page))

    def position(p: Counted) -> tuple[int, int, int, str]:
        clause = CLAUSES.index(p.kind) if p.kind in CLAUSES else len(CLAUSES)
        return order[p.span.source.name], p.span.start, clause, p.words

    return tuple(sorted(found, key=position))


def _replaced(programs: Sequence[Program]) -> set[tuple[str, int]]:
    """Return the file and offset of each procedure, and of what is in it, that none of these rules runs,
    because something always takes its place.
    """
    idle: set[tuple[str, int]] = set()
    running: set[tuple[str, int]] = set()
    for program in programs:
        never = never_run(program)
        for proc in program.procs:
            (idle if proc.index in never else running).add((proc.span.source.name, proc.span.start))
    replaced = idle - running
    return replaced | {
        place for program in programs for place, start in _outer(program).items() if start in replaced
    }


def _outer(program: Program) -> dict[tuple[str, int], tuple[str, int]]:
    """Of the start of each statement and of what it evaluates: the start of the procedure that it stands
    in.
    """
    found: dict[tuple[str, int], tuple[str, int]] = {}
    for proc in program.procs:
        start = (proc.span.source.name, proc.span.start)
        if proc.kind == "main":
            continue
        for s in statements(proc.body):
            found[s.span.source.name, s.span.start] = start
            for x in s.reads():
                for y in x.walk():
                    found.setdefault((y.span.source.name, y.span.start), start)
    return found


def _only_in_menus(program: Program) -> set[tuple[str, int]]:
    """Return the file and offset of each window that nobody opens: its reactions are options of menus, and it
    is never run itself.
    """
    opened = {s.window for proc in program.procs for s in statements(proc.body) if isinstance(s, OpenStmt)}
    return {(w.span.source.name, w.span.start) for w in program.windows.values() if w.index not in opened}


def _values(ruleset: Ruleset, plan: CoveragePlan, collector: Collector) -> Iterator[ValueCount]:
    """The numbers of players and the values of parameters, but for those that the ruleset refuses, with the
    parameters as they are set.
    """
    games, scenarios = collector.values["games"], collector.values["scenarios"]
    allowed = allowed_counts(ruleset, plan.parameters)
    for players in ruleset.players:
        key: tuple[str | None, str] = (None, str(players))
        if players in allowed or scenarios[key]:
            yield ValueCount(None, players, games[key], scenarios[key], None)
    tried: dict[str, dict[str, object]] = {}
    for players in ruleset.players:
        for name, values in tried_values(ruleset, players).items():
            tried.setdefault(name, {}).update((value_text(value), value) for value in values)
    for name, named in tried.items():
        span: Span = ruleset.program.params[name].span
        for value in named.values():
            key = (name, value_text(value))
            happened = games[key] + scenarios[key]
            if happened or not is_never_allowed(ruleset, name, value):
                yield ValueCount(name, value, games[key], scenarios[key], span)
