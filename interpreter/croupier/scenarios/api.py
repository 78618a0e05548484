"""The results of scenarios."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from pathlib import Path

from croupier.diagnostics import Diagnostic, RulesetError, Span, diagnose, did_you_mean
from croupier.diagnostics.render import render_human
from croupier.pipeline import load
from croupier.records import dataclass
from croupier.resources import SUFFIXES, find
from croupier.ruleset import Ruleset
from croupier.runtime.state import State
from croupier.runtime.trace import Trace
from croupier.scenarios.document import Scenario
from croupier.scenarios.files import FOLDER, Opened, files_in, is_scenario_file, open_file, rulesets_beside
from croupier.scenarios.loaded import LoadedRulesets
from croupier.scenarios.running import ScenarioRunner
from croupier.semantics.context import between

WHOLE_FILE = "(file)"
"""The id of the result that stands for what is wrong with a file itself."""


@dataclass(frozen=True)
class ScenarioResult:
    """One scenario, run.

    `message` says what differs (empty if it passed), `cites` are the rules that it lists, one by one,
    `executed` those that it executed or read, if its games are traced; `seconds` is its duration. Of one that
    failed, `story` are the last lines of what happened, and `moments` its states step by step, if they were
    asked for.
    """

    file: Path
    id: str
    title: str | None
    passed: bool
    message: str
    seconds: float
    cites: tuple[str, ...] = ()
    executed: frozenset[str] = frozenset()
    line: int = 1
    diagnostics: tuple[Diagnostic, ...] = ()
    story: tuple[str, ...] = ()
    moments: tuple[State, ...] = field(default=(), repr=False, compare=False)


def failed_file(file: Path, found: list[Diagnostic]) -> ScenarioResult:
    """The result that stands for what is wrong with a file."""
    return ScenarioResult(file, WHOLE_FILE, None, False, worded(found), 0.0, diagnostics=tuple(found))


def worded(found: list[Diagnostic]) -> str:
    """Diagnostics for people."""
    return render_human(found).rstrip("\n")


# ---------------------------------------------------------------- api
MOST_RULES = 8
EXAMPLE = "EX-"
OUTCOMES = ("K1", "R")  # codes about what happened, not about what is written
# of these those that say that a step cannot be played as it is written
UNPLAYABLE = ("K101", "K102", "K103", "K105")


Observer = Callable[[ScenarioResult, Sequence[Trace]], None]
"""Told of each scenario that was run, with the traces of the games that it was played with."""


def run_scenarios(
    path_or_name: str | Path,
    observe: Observer | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    rulesets: LoadedRulesets | None = None,
) -> list[ScenarioResult]:
    """Run the scenarios of a ruleset or variant (by name or path), or of one scenario file, in the order of
    files and lines.

    `progress` is told how many of how many were run. `rulesets` are those that one run of a command has
    loaded already; without them the games are traced.

    Whatever is wrong with a scenario or its file is a result that failed. Raises `RulesetError` for an
    unknown name.
    """
    return list(each_scenario(path_or_name, observe, progress, rulesets=rulesets))


def each_scenario(
    path_or_name: str | Path,
    observe: Observer | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    keep: bool = False,
    rulesets: LoadedRulesets | None = None,
) -> Iterator[ScenarioResult]:
    """The results of scenarios, each as soon as it is there; with the states of those that failed, if they
    are to be kept.
    """
    opened = scenarios_of(path_or_name)
    if all(o.path.suffix not in SUFFIXES for o in opened):  # no file at all, or a folder that cannot be read
        load(path_or_name)
    total, ran = sum(len(o.scenarios) for o in opened), 0

    def one_more() -> None:
        nonlocal ran
        ran += 1
        if progress is not None:
            progress(ran, total)

    runner = _FileRunner(rulesets or LoadedRulesets(), observe, one_more, keep)
    for o in opened:
        yield from runner.file(o)


def check_scenarios(path: Path, rulesets: LoadedRulesets | None = None) -> list[Diagnostic]:
    """Return the diagnostics of a scenario file and of the ruleset it is for: also a step that cannot be
    played, as an option that nobody has.

    Whether its facts hold, and what is refused, is not asked.
    """
    results = run_scenarios(path, rulesets=rulesets or LoadedRulesets(traced=False))
    return list(
        dict.fromkeys(d for result in results for d in result.diagnostics if _is_of_what_is_written(d))
    )


def _is_of_what_is_written(diagnostic: Diagnostic) -> bool:
    return diagnostic.code in UNPLAYABLE or not diagnostic.code.startswith(OUTCOMES)


def scenarios_of(path_or_name: str | Path) -> list[Opened]:
    """The scenario files of a ruleset or variant, or the one that this is, and whatever cannot be read where
    they lie.

    Raises `RulesetError` for an unknown name.
    """
    path = Path(path_or_name)
    if is_scenario_file(path):
        return [open_file(path)]
    place, found = find(path_or_name)
    if place is None:
        raise RulesetError(found)
    files, found = files_in(place.root)
    opened = [open_file(file) for file in files]
    if [os.path.realpath(file) for file in rulesets_beside(place.root)] != [os.path.realpath(place.path)]:
        lost = [o for o in opened if any(d.code == "K005" for d in o.found)]
        opened = [o for o in opened if o in lost or o.ruleset is not None and o.ruleset.is_file_of(place)]
    return opened + ([Opened(place.root / FOLDER, None, None, tuple(found))] if found else [])


def rulesets_of_others(path_or_name: str | Path) -> list[str]:
    """The rulesets that the scenario files beside a ruleset are for, as users name them: where none is for
    this one.
    """
    place, _ = find(path_or_name)
    opened = [] if place is None else [open_file(file) for file in files_in(place.root)[0]]
    return list(dict.fromkeys(o.ruleset.shown for o in opened if o.ruleset is not None))


def _inside(diagnostic: Diagnostic, scenario: Scenario) -> bool:
    return diagnostic.span is not None and scenario.span.start <= diagnostic.span.start < scenario.span.end


class _FileRunner:
    """Runs files one after the other, and knows the ids of their scenarios."""

    def __init__(
        self, rulesets: LoadedRulesets, observe: Observer | None, one_more: Callable[[], None], keep: bool
    ) -> None:
        self._rulesets, self._observe, self._one_more, self._keep = rulesets, observe, one_more, keep
        self._ids: dict[str, set[str]] = {}

    def file(self, opened: Opened) -> Iterator[ScenarioResult]:
        own = {
            s.id.text + str(s.id.span.start): [d for d in opened.found if _inside(d, s)]
            for s in opened.scenarios
        }
        theirs = {id(d) for found in own.values() for d in found}
        whole = [d for d in opened.found if id(d) not in theirs]
        if whole:
            yield failed_file(opened.path, whole)
        if opened.document is None or opened.ruleset is None:
            return
        try:
            loaded = self._rulesets.load(opened.ruleset.path)
        except RulesetError as error:
            yield failed_file(opened.path, list(error.diagnostics))
            return
        document = opened.document
        runner = ScenarioRunner(
            loaded.ruleset,
            loaded.games,
            document.given,
            document.chance is not None,
            tells=True,
            keeps=self._keep,
        )
        for scenario in document.scenarios:
            yield self._one(
                opened, loaded.ruleset, runner, scenario, own[scenario.id.text + str(scenario.id.span.start)]
            )
            runner.earlier[scenario.id.text] = scenario
            self._one_more()

    def _one(
        self,
        opened: Opened,
        ruleset: Ruleset,
        runner: ScenarioRunner,
        scenario: Scenario,
        wrong: list[Diagnostic],
    ) -> ScenarioResult:
        """Run a scenario; one that is `wrong` in its file lacks parts and is not run."""
        began = time.perf_counter()
        cites, found = _cited(scenario, ruleset)
        found = wrong + found
        of = ruleset.program.resolved.path if ruleset.program.resolved.is_module else opened.path.parent
        ids = self._ids.setdefault(str(of), set())
        if scenario.id.text in ids and not any(d.code == "K002" for d in wrong):
            found.append(diagnose("K002", scenario.id.span, id=scenario.id.text))
        ids.add(scenario.id.text)
        if not wrong:
            found += _asserts(scenario, cites)
            found += runner.run(scenario)
        used = runner.games.used()
        executed = frozenset(rule for trace in used for rule in trace.rules())
        title = scenario.title.text if scenario.title is not None else None
        seconds = time.perf_counter() - began
        message = worded(found) if found else ""
        line = scenario.id.span.line
        result = ScenarioResult(
            file=opened.path,
            id=scenario.id.text,
            title=title,
            passed=not found,
            message=message,
            seconds=seconds,
            cites=cites,
            executed=executed,
            line=line,
            diagnostics=tuple(found),
            story=() if wrong else runner.story,
            moments=() if wrong else runner.moments,
        )
        if self._observe is not None:
            self._observe(result, used)
        return result


def _cited(scenario: Scenario, ruleset: Ruleset) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """The rules a scenario lists, ranges spread out, and those that do not exist."""
    ids: list[str] = []
    found: list[Diagnostic] = []
    known = ruleset.rule_ids
    for text in scenario.cites:
        for name in _spread(text.text) or [text.text]:
            if name in known:
                ids.append(name)
            else:
                found.append(_unknown(name, text.span, list(known)))
    return tuple(dict.fromkeys(ids)), found


def _spread(text: str) -> list[str]:
    first, _, last = text.partition("..")
    prefix = first.rsplit("-", 1)[0] + "-"
    return between(first, (last if not last or "-" in last else prefix + last) or None)


def _unknown(name: str, span: Span, known: list[str]) -> Diagnostic:
    if not known:
        return diagnose("K003", span, name=name, help="the ruleset names no `rule_list`")
    near = did_you_mean(name, known)
    if near is not None and not _differs_in_digits(name, near):
        return diagnose("K003", span, name=name, help=f"did you mean `{near}`?")
    prefix = name.rsplit("-", 1)[0] + "-"
    like = [rule for rule in known if rule.startswith(prefix)] or known
    shown = f"`{like[0]}`" if len(like) == 1 else f"`{like[0]}` to `{like[-1]}`"
    return diagnose("K003", span, name=name, help=f"write an id of the rule list: it has {shown}")


def _differs_in_digits(name: str, other: str) -> bool:
    """Tell whether two ids are the same but for their digits; nobody can guess which number is meant."""
    return re.sub(r"\d+", "0", name) == re.sub(r"\d+", "0", other)


def _asserts(scenario: Scenario, cites: tuple[str, ...]) -> list[Diagnostic]:
    """A scenario has to check something, and not everything."""
    found = []
    steps = (*scenario.do, *(scenario.given.play if scenario.given is not None else ()))
    checked = any(s.kind == "refused" or (s.kind == "expect" and s.expect.checks) for s in steps)
    if not checked and (scenario.then is None or not scenario.then.checks):
        found.append(diagnose("K001", scenario.id.span, id=scenario.id.text))
    example = scenario.id.text.startswith(EXAMPLE) or (
        scenario.example is not None and bool(scenario.example.value)
    )
    if len(cites) > MOST_RULES and not example:
        span = (
            scenario.cites[MOST_RULES].span if len(scenario.cites) > MOST_RULES else scenario.cites[-1].span
        )
        found.append(diagnose("K004", span, id=scenario.id.text, count=len(cites), limit=MOST_RULES))
    return found
