"""The scenarios of a game that hold under a variant of it, and for those that do not, which change acted.

What comes in is a ruleset with its scenarios and a variant of it. Each scenario is played twice: by the rules
of the game, and by those of the variant. What goes out says of each whether it holds, differs or cannot be
set up, and which changes of the variant acted in it.

The changes are the differences of `diff.py`. A change *acts* in a scenario

- if a clause that stands in the text of the change was executed under the variant,
- if a clause that the change takes away was executed in the game, and was not under the variant although
  the scenario could be set up,
- if it is about an invariant that is false,
- if it is about something that is no rule text (a parameter, a row, a state), and a clause that was executed
  names it.

Several may act in one scenario. The one that most likely makes the difference acts in scenarios that differ
and in few of those that hold: it is ranked as statements are in spectrum-based fault localisation, by the
coefficient of Ochiai (Abreu, Zoeteweij and van Gemund 2006).
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from croupier.authoring.diff import Difference, diff_rulesets
from croupier.diagnostics import Diagnostic, RulesetError, Span
from croupier.resolve import ResolvedRuleset
from croupier.runtime.trace import WAYS, Trace, TracedPlace
from croupier.scenarios import LoadedRulesets
from croupier.scenarios.api import scenarios_of
from croupier.scenarios.document import Scenario
from croupier.scenarios.files import Opened
from croupier.scenarios.loaded import LoadedRuleset
from croupier.scenarios.running import ScenarioRunner

Outcome = Literal["holds", "differs", "not set up", "fails anyway"]
OUTCOMES: tuple[Outcome, ...] = ("holds", "differs", "not set up", "fails anyway")
MOST_PLACES = 3
"""The most clauses that are named for one scenario and one reason."""
FALSE_FACT, FALSE_INVARIANT = "K111", "K108"
_WORD = re.compile(r"[^\W\d]\w*")
_TEXTS = ("definition", "window", "hook", "watcher", "at any time", "phase", "powers", "scoring", "claim")
"""Sections of differences whose text is executed."""


@dataclass(frozen=True)
class UnderResult:
    """A scenario of the game, played by the rules of a variant.

    `acting` are the changes that acted in it, by their numbers in `changes`, the likeliest first. `ran` are
    the clauses that were executed and that the game does not have or, where there are none, those that name
    what the likeliest change is about. `gone` are the clauses of the game that the likeliest change is about
    and that were not executed under the variant. `diagnostics` say what is otherwise.
    """

    file: Path
    id: str
    title: str | None
    line: int
    outcome: Outcome
    diagnostics: tuple[Diagnostic, ...] = ()
    acting: tuple[int, ...] = ()
    ran: tuple[Span, ...] = ()
    gone: tuple[Span, ...] = ()

    @property
    def reason(self) -> str:
        """The first thing that is otherwise, in one line."""
        if not self.diagnostics:
            return ""
        first = self.diagnostics[0]
        if first.span is None:
            return first.message
        is_fact = first.code == FALSE_FACT and "\n" not in first.span.text
        return (
            f"{f'`{first.span.text}` does not hold' if is_fact else first.message} (line {first.span.line})"
        )


@dataclass(frozen=True)
class UnderVariant:
    """The scenarios of a game under a variant.

    `problems` are mistakes in the scenario files themselves, which are not played.
    """

    changes: tuple[Difference, ...]
    results: tuple[UnderResult, ...]
    problems: tuple[Diagnostic, ...] = ()

    def count(self, outcome: Outcome) -> int:
        """Return the number of scenarios with this outcome."""
        return sum(result.outcome == outcome for result in self.results)

    def grouped(self) -> list[tuple[Difference | None, list[UnderResult]]]:
        """The scenarios that do not hold, by the change that most likely makes the difference, the change
        with most of them first; `None`: no change is known to have acted.
        """
        groups: dict[int | None, list[UnderResult]] = {}
        for result in self.results:
            if result.outcome in ("differs", "not set up"):
                groups.setdefault(result.acting[0] if result.acting else None, []).append(result)
        by_size = sorted(groups.items(), key=lambda group: -len(group[1]))
        return [(None if number is None else self.changes[number], results) for number, results in by_size]


def scenarios_under(
    name: str | Path,
    variant: str | Path,
    progress: Callable[[int, int], None] = lambda done, of: None,
    rulesets: LoadedRulesets | None = None,
) -> UnderVariant:
    """Play the scenarios of a ruleset by the rules of a variant of it, and find what acts.

    `progress` is told how many of how many scenarios were played. Raises `RulesetError` for what cannot be
    loaded.
    """
    rulesets = rulesets or LoadedRulesets()
    game, changed = rulesets.load_named(name), rulesets.load_named(variant)
    opened = [
        o
        for o in scenarios_of(name)
        if o.ruleset is None or os.path.realpath(o.ruleset.path) == os.path.realpath(game.ruleset.path)
    ]
    changes = diff_rulesets(game.ruleset.program.resolved, changed.ruleset.program.resolved)
    total = sum(len(o.scenarios) for o in opened)
    played: list[_Played] = []
    for o in opened:
        for one in _of_file(o, game, changed):
            played.append(one)
            progress(len(played), total)
    causes = _Causes(changes, game.ruleset.program.resolved, changed.ruleset.program.resolved, played)
    return UnderVariant(changes, tuple(causes.results()), tuple(d for o in opened for d in o.found))


# ---------------------------------------------------------------- playing
@dataclass(frozen=True)
class _Run:
    """A scenario, played by some rules: what is wrong, whether it was set up, and the clauses that were
    executed, by their spans.
    """

    diagnostics: tuple[Diagnostic, ...]
    began: bool
    executed: Mapping[Span, TracedPlace]


@dataclass(frozen=True)
class _Played:
    """A scenario, played by the rules of the game and by those of the variant."""

    file: Path
    scenario: Scenario
    game: _Run
    variant: _Run

    @property
    def outcome(self) -> Outcome:
        if self.game.diagnostics:
            return "fails anyway"
        if not self.variant.diagnostics:
            return "holds"
        return "differs" if self.variant.began else "not set up"


def _of_file(opened: Opened, game: LoadedRuleset, variant: LoadedRuleset) -> Iterator[_Played]:
    """The scenarios of a file, each played twice."""
    document = opened.document
    if document is None or opened.ruleset is None:
        return
    runners = [
        ScenarioRunner(r.ruleset, r.games, document.given, document.chance is not None)
        for r in (game, variant)
    ]
    for scenario in document.scenarios:
        wrong = tuple(
            d
            for d in opened.found
            if d.span is not None and scenario.span.start <= d.span.start < scenario.span.end
        )
        runs = [_Run(wrong, False, {}) if wrong else _run(runner, scenario) for runner in runners]
        yield _Played(opened.path, scenario, *runs)


def _run(runner: ScenarioRunner, scenario: Scenario) -> _Run:
    runner.games.used()
    try:
        found = runner.run(scenario)
    except RulesetError as error:
        found = list(error.diagnostics)
    runner.earlier[scenario.id.text] = scenario
    return _Run(tuple(found), runner.has_begun, _executed(runner.games.used()))


def _executed(traces: Sequence[Trace]) -> dict[Span, TracedPlace]:
    return {
        spot.span: spot for trace in traces for spot in trace.executed() if spot.kind not in (*WAYS, "set-up")
    }


# ---------------------------------------------------------------- what acts
@dataclass
class _Causes:
    """Finds which changes act in which scenarios."""

    changes: tuple[Difference, ...]
    game: ResolvedRuleset
    variant: ResolvedRuleset
    played: Sequence[_Played]
    starts: dict[str, list[tuple[int, int]]] = field(init=False)
    old_lines: frozenset[str] = field(init=False)
    own_sources: frozenset[str] = field(init=False)
    invariants: frozenset[Span] = field(init=False)
    declared: dict[str, frozenset[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.starts = {}
        for number, change in enumerate(self.changes):
            if change.after_span is not None:
                self.starts.setdefault(change.after_span.source.name, []).append(
                    (change.after_span.start, number)
                )
        for starts in self.starts.values():
            starts.sort()
        self.old_lines = frozenset(
            _spaced(line) for source in self.game.sources for line in source.text.splitlines()
        )
        self.own_sources = frozenset(source.name for source in self.variant.sources) - {
            source.name for source in self.game.sources
        }
        self.invariants = frozenset(
            condition.span for _, condition in (*self.game.invariants, *self.variant.invariants)
        )
        self.declared = dict(_declared(self.game)) | dict(_declared(self.variant))

    def results(self) -> Iterator[UnderResult]:
        """The result of each scenario."""
        acting = [self._acting(one) for one in self.played]
        rank = self._ranked(acting)
        for one, found in zip(self.played, acting, strict=True):
            broken = self._broken_invariants(one)
            ordered = [*broken, *sorted(found - set(broken), key=rank)]
            has_clauses = one.outcome == "differs"
            yield UnderResult(
                one.file,
                one.scenario.id.text,
                one.scenario.title.text if one.scenario.title is not None else None,
                one.scenario.id.span.line,
                one.outcome,
                (one.game if one.outcome == "fails anyway" else one.variant).diagnostics,
                tuple(ordered),
                self._clauses_that_ran(one, ordered) if has_clauses else (),
                self._clauses_gone(one, ordered) if has_clauses else (),
            )

    def _clauses_that_ran(self, one: _Played, acting: Sequence[int]) -> tuple[Span, ...]:
        """Clauses of the variant that the game does not have; where there are none, those that name what the
        likeliest change is about.
        """
        hidden = self.invariants | {change.after_span for change in self.changes if change.section == "phase"}
        statements = [
            span
            for span, spot in one.variant.executed.items()
            if spot.kind != "procedure" and span not in hidden
        ]
        ran = [
            span
            for span in statements
            if span.source.name in self.own_sources and _spaced(_line(span)) not in self.old_lines
        ]
        if not ran and acting:
            names = _names(self.changes[acting[0]])
            ran = [span for span in statements if names & _words_of(_line(span))]
        return _first_places(ran)

    def _clauses_gone(self, one: _Played, acting: Sequence[int]) -> tuple[Span, ...]:
        """Clauses that ran in the game alone: those that the likeliest change takes away; where there are
        none, those that name what it is about.
        """
        gone = [
            span
            for span, spot in one.game.executed.items()
            if span not in one.variant.executed and spot.kind != "procedure"
        ]
        if acting:
            change = self.changes[acting[0]]
            names = _names(change)
            taken = [span for span in gone if _was_in(span, change)]
            gone = taken or [span for span in gone if names & _words_of(_line(span))]
        return _first_places(gone)

    def _acting(self, one: _Played) -> set[int]:
        """The changes that act in a scenario."""
        found = {number for span in one.variant.executed if (number := self._of_text(span)) is not None}
        lost = [span for span in one.game.executed if one.variant.began and span not in one.variant.executed]
        found |= {
            number
            for number, change in enumerate(self.changes)
            if any(_was_in(span, change) for span in lost)
        }
        found |= set(self._broken_invariants(one))
        words = self._words(one)
        return found | {
            number
            for number, change in enumerate(self.changes)
            if _is_about_data(change) and _names(change) & words
        }

    def _broken_invariants(self, one: _Played) -> list[int]:
        """The changes of invariants that are false in a scenario."""
        false = [d.message for d in one.variant.diagnostics if d.code == FALSE_INVARIANT]
        return [
            number
            for number, change in enumerate(self.changes)
            if change.section == "invariant" and any(f"`{change.name}`" in m for m in false)
        ]

    def _of_text(self, span: Span) -> int | None:
        """The change in whose text a clause of the variant stands: the one that begins last before it.

        A change that only leaves something out has no text of the variant's own: its text is that of the
        game, and ends before the next definition does.
        """
        before = [number for start, number in self.starts.get(span.source.name, ()) if start <= span.start]
        if not before or _is_about_data(self.changes[before[-1]]):
            return None
        change = self.changes[before[-1]]
        if span.source.name in self.own_sources or _is_within(span, change.after_span, change.after):
            return before[-1]
        return None

    def _words(self, one: _Played) -> set[str]:
        """The names in the clauses that were executed, with those in the declarations of what they name."""
        if not one.variant.began:
            spans = [d.span for d in one.variant.diagnostics if d.span is not None]
            return {word for span in spans for word in _WORD.findall(span.text)} | {
                word for d in one.variant.diagnostics for word in _WORD.findall(d.message)
            }
        words = {
            word
            for run in (one.game, one.variant)
            for span in run.executed
            for word in _words_of(_line(span))
        }
        return words.union(*(self.declared.get(word, frozenset()) for word in words))

    def _ranked(self, acting: Sequence[set[int]]) -> Callable[[int], tuple[float, bool, int]]:
        """A key that sorts changes: by the coefficient of Ochiai, then rule text before other things, then as
        they stand.
        """
        holding, differing = Counter[int](), Counter[int]()
        for one, found in zip(self.played, acting, strict=True):
            if one.outcome == "holds":
                holding.update(found)
            elif one.outcome != "fails anyway":
                differing.update(found)
        total = sum(one.outcome in ("differs", "not set up") for one in self.played)

        def key(number: int) -> tuple[float, bool, int]:
            with_it = differing[number]
            score = with_it / math.sqrt(total * (with_it + holding[number])) if with_it else 0.0
            return -score, _is_about_data(self.changes[number]), number

        return key


def _is_about_data(change: Difference) -> bool:
    """Tell whether a change is about something that is declared and not executed."""
    return change.section not in _TEXTS


def _was_in(span: Span, change: Difference) -> bool:
    """Tell whether a clause of the game stands in what a change takes the place of. The span of a definition
    is its head, its lines are in `before`.
    """
    text = change.before if change.section in _TEXTS else None
    return _is_within(span, change.before_span, text)


def _is_within(span: Span, outer: Span | None, text: str | None) -> bool:
    """Tell whether a clause stands in a text that begins at a place; without a text, in the place itself."""
    if outer is None or span.source.name != outer.source.name or span.start < outer.start:
        return False
    lines = 0 if text is None else len(text.splitlines())
    return span.start < outer.end or span.line < outer.line + lines


def _names(change: Difference) -> set[str]:
    """The names by which rule text means what a change is about: of a row or a value its own, if it has
    one.
    """
    part = change.part or ""
    if part.startswith(("row `", "value `")):
        return {part.split("`")[1], change.name}
    return {change.name or change.section}


def _declared(ruleset: ResolvedRuleset) -> Iterator[tuple[str, frozenset[str]]]:
    """The names in the first line of each declaration, by the name that it declares."""
    for group in (ruleset.zones, ruleset.boards, ruleset.state, ruleset.parameters, ruleset.components):
        for title, _ in group:
            yield title.text, frozenset(_words_of(_line(title.span)))


@lru_cache(maxsize=65536)
def _words_of(line: str) -> frozenset[str]:
    return frozenset(_WORD.findall(line.split("#", 1)[0]))


def _line(span: Span) -> str:
    return span.source.line(span.line)


@lru_cache(maxsize=65536)
def _spaced(line: str) -> str:
    return " ".join(line.split())


def _first_places(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The first clauses in the order of the text, one a line."""
    by_line = {
        (span.source.name, span.line): span
        for span in sorted(spans, key=lambda span: (span.source.name, span.start), reverse=True)
    }
    return tuple(list(reversed(by_line.values()))[:MOST_PLACES])
