"""Coverage of rules: what of a ruleset happened in random games and in its scenarios, and what never did.

A game that is compiled with a trace (`runtime/trace.py`) counts what it executes; without one nothing is
added to it. Random games are played in turn at every number of players (or at one), with the parameters as
they are set, or each with tried values of its own; many of them in several processes. What a game or scenario
executed is read off the trace of its set-up, which is then cleared. What comes out is everything that can
happen, with how often it did, in words and as a page of the coloured source.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from weakref import WeakKeyDictionary

from croupier.authoring.matrix import allowed_counts, is_never_allowed, tried_values
from croupier.diagnostics import JsonObject, RulesetError, Source, Span
from croupier.diagnostics.markup import escaped, page
from croupier.diagnostics.render import short_place
from croupier.lab import workers
from croupier.pipeline import load
from croupier.play.match import GameMatch, MatchConfig, never
from croupier.play.record import reason_of
from croupier.resources import find
from croupier.ruleset import Ruleset
from croupier.runtime.game import Game
from croupier.runtime.state import State
from croupier.runtime.streams import Stream
from croupier.runtime.trace import Trace, TracedPlace
from croupier.scenarios import LoadedRulesets, ScenarioResult, each_scenario
from croupier.semantics.names import RESERVED_STATEMENTS
from croupier.semantics.program import Program
from croupier.semantics.tree import OpenStmt
from croupier.semantics.walk import never_run, operands, statements

# ------------------------------------------------------------ what coverage comes to
CLAUSES = ("statement", "condition", "procedure", "power")
"""Kinds of places that a rule can be executed at; the rest is how it went there."""

TITLES = {
    "rule": "rules",
    "procedure": "definitions and phases",
    "statement": "statements",
    "condition": "conditions",
    "branch": "branches",
    "power": "powers of components",
    "option": "options",
    "value": "values chosen",
    "parameter": "parameter values",
    "players": "numbers of players",
}


@dataclass(frozen=True)
class Counted:
    """A place of the ruleset and how often it was executed in games and in scenarios; `kind` and `words` as
    in `runtime.trace.TracedPlace`.

    `inside` says that the clause it belongs to was never executed either, so that it is nothing to report of
    its own.
    """

    kind: str
    span: Span
    words: str
    rules: tuple[str, ...]
    games: int
    scenarios: int
    inside: bool = False

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class RuleCount:
    """A rule of the rule list: in how many games and scenarios something that cites it was executed, and
    where it is cited.
    """

    id: str
    tag: str
    text: str
    games: int
    scenarios: int
    cited: tuple[Span, ...]

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class ValueCount:
    """A value of a parameter (or a number of players, `name` none), and in how many games and scenarios it
    held.
    """

    name: str | None
    value: object
    games: int
    scenarios: int
    span: Span | None

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class StoppedGame:
    """The first random game that ended before it was over for some reason, how it was set up, and how many
    did for the same.
    """

    status: str
    reason: str | None
    game: int
    players: int
    parameters: dict[str, str]
    count: int = 1

    def __str__(self) -> str:
        set_up = ", ".join(
            [f"{self.players} players", *(f"{name} = {value}" for name, value in self.parameters.items())]
        )
        others = f", and {self.count - 1} more" if self.count > 1 else ""
        return (
            f"{self.status}: game {self.game} with "
            f"{set_up}{others}{f' ({self.reason})' if self.reason else ''}"
        )


@dataclass(frozen=True)
class Coverage:
    """Everything that was counted.

    `statuses` says how many games ended how, `failed` which scenarios did not pass.
    """

    ruleset: str
    title: str
    ruleset_hash: str
    seed: int
    games: int
    statuses: dict[str, int]
    stopped: tuple[StoppedGame, ...]
    scenarios: int
    failed: tuple[str, ...]
    rules: tuple[RuleCount, ...]
    places: tuple[Counted, ...]
    values: tuple[ValueCount, ...]
    sources: Sequence[Source]

    def totals(self) -> Iterator[tuple[str, int, int]]:
        """Of each kind of thing: its title, how many of them happened, how many there are."""
        yield TITLES["rule"], sum(1 for r in self.rules if r.count), len(self.rules)
        for kind in ("procedure", "statement", "condition", "branch", "power", "option", "value"):
            found = [p for p in self.places if p.kind == kind]
            yield TITLES[kind], sum(1 for p in found if p.count), len(found)
        for title, wanted in (("parameter", True), ("players", False)):
            values = [v for v in self.values if (v.name is not None) == wanted]
            yield TITLES[title], sum(1 for v in values if v.count), len(values)

    def never(self) -> list[Counted]:
        """The places where nothing happened, but for those inside of others."""
        return [p for p in self.places if not p.count and not p.inside]

    @property
    def complete(self) -> bool:
        """Did everything happen?"""
        return all(have == of for _, have, of in self.totals())

    def to_json(self) -> JsonObject:
        """The report as a JSON value, without its header; positions count from 1."""
        return {
            "seed": self.seed,
            "statuses": self.statuses,
            "stopped": [asdict(game) for game in self.stopped],
            "scenarios": self.scenarios,
            "failed": list(self.failed),
            "complete": self.complete,
            "totals": {title: {"happened": have, "of": of} for title, have, of in self.totals()},
            "rules": [
                {
                    "id": r.id,
                    "tag": r.tag,
                    "text": r.text,
                    "games": r.games,
                    "scenarios": r.scenarios,
                    "cited": [short_place(s) for s in r.cited],
                }
                for r in self.rules
            ],
            "places": [
                {
                    "kind": p.kind,
                    "words": p.words,
                    "place": short_place(p.span),
                    "text": _one_line(p.span.text),
                    "rules": list(p.rules),
                    "games": p.games,
                    "scenarios": p.scenarios,
                }
                for p in self.places
            ],
            "values": [
                {
                    "parameter": v.name,
                    "value": v.value,
                    "games": v.games,
                    "scenarios": v.scenarios,
                    "place": short_place(v.span),
                }
                for v in self.values
            ],
        }


def _one_line(text: str) -> str:
    """The first line of a text, which may have been written over several."""
    return text.strip().split("\n")[0].rstrip()


# ---------------------------------------------------------------- wording
_WIDEST = 90


def place_words(p: Counted) -> str:
    """A place in words: the text that stands there, and which way or option of it is meant."""
    text = p.span.text.strip().split("\n")[0].rstrip()
    text = text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
    match p.kind:
        case "procedure" | "power":
            return f"`{p.words}` is never run"
        case "branch":
            return f"`{text}`: {p.words}"
        case "option":
            return f"option “{p.words}”"
        case "value":
            return f"`{text}`: {p.words}"
    return f"`{text}`"


def value_words(v: ValueCount) -> str:
    """A parameter's value, or a number of players."""
    if v.name is None:
        return f"{v.value} players"
    return f"{v.name} = {v.value if isinstance(v.value, str) else json.dumps(v.value, ensure_ascii=False)}"


# ---------------------------------------------------------------- page
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 78em; padding: 0 1em; color: #222; background: #fff }
code { font-family: ui-monospace, monospace; font-size: .9em }
table { border-collapse: collapse } td, th { padding: 0 .8em 0 0; text-align: left; vertical-align: top }
h2 { margin-top: 2em; font-size: 1.1em } .file { font-family: ui-monospace, monospace }
pre { font: 13px/1.45 ui-monospace, monospace; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
.source td { padding: 0 .6em } .source td:nth-child(-n+2) { text-align: right; color: #777; white-space: nowrap }
.happened { background: #e6f6e6 } .never { background: #fbdcdc } .partly { background: #fff2cc }
.comment { color: #777; font-style: italic } .text { color: #0a6 } .cite { color: #85c } .word { color: #05a }
.note { color: #a33; font-size: .85em } a { color: inherit }
@media (prefers-color-scheme: dark) {
 body { background: #1b1b1b; color: #ddd } .happened { background: #173a17 } .never { background: #5a1d1d } .partly { background: #4d4012 }
 .text { color: #6d9 } .cite { color: #c9f } .word { color: #7bf } .note { color: #f99 }
}
""".strip()  # noqa: E501 the text as it is read
_WORDS = (
    "def window elif else until where such that by every chance weighing merging as win rank pay lose "
    "before after instead of adjust watch end when"
    " suppose within and or not in is none true false otherwise"
)
_TOKEN = re.compile(
    r'(?P<comment>(?:^|(?<=\s))\#.*)|(?P<text>"[^"]*")|(?P<cite>@[\w.,;-]+)|(?P<word>\b(?:'
    + "|".join([*_WORDS.split(), *sorted(RESERVED_STATEMENTS)])
    + r")\b)"
)

_PROSE = re.compile(r"\s*(?:doc|title):")


def html_page(coverage: Coverage, *, is_whole: bool = True) -> str:
    """The whole page; one that is not whole says at its head that it was interrupted."""
    title = f"coverage of {coverage.title}"
    return page(
        title,
        _STYLE,
        [
            f"<h1>{escaped(coverage.title)}</h1>",
            f"<p>{_count(coverage.games, 'random game')} (seed {coverage.seed}) and "
            f"{_count(coverage.scenarios, 'scenario')} of "
            f"{escaped(coverage.ruleset)}, rules {escaped(coverage.ruleset_hash[:12])}.</p>",
            *(
                []
                if is_whole
                else [
                    "<p><strong>Interrupted: this is about the games and scenarios that were "
                    "over.</strong></p>"
                ]
            ),
            "<table><tr><th>what</th><th>happened</th><th>of</th></tr>",
            *(
                f'<tr class="{"happened" if have == of else "partly"}">'
                f"<td>{escaped(what)}</td><td>{have:,}</td><td>{of:,}</td></tr>"
                for what, have, of in coverage.totals()
                if of
            ),
            "</table>",
            *_never(coverage),
            *(
                line
                for number, source in enumerate(coverage.sources)
                for line in _source(coverage, source, number)
            ),
        ],
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _marked(words: str) -> str:
    """Words with what stands between back-ticks as code."""
    return re.sub(r"`(.+)`", r"<code>\1</code>", escaped(words))


def _short(name: str) -> str:
    """The end of a path, enough to tell the files of a ruleset apart."""
    return "/".join(name.replace("\\", "/").split("/")[-2:])


def _never(coverage: Coverage) -> Iterator[str]:
    """Everything that never happened, with links to where it stands."""
    numbers = {source.name: i for i, source in enumerate(coverage.sources)}
    rules = [r for r in coverage.rules if not r.count]
    values = [v for v in coverage.values if not v.count]
    places = coverage.never()
    if not (rules or values or places):
        return
    yield "<h2>Never happened</h2><table>"
    for r in rules:
        cited = ", ".join(
            f'<a href="#s{numbers[s.source.name]}-{s.line}">{s.line}</a>'
            for s in r.cited
            if s.source.name in numbers
        )
        where = f"cited in line {cited}" if cited else "cited nowhere"
        yield f"<tr><td>rule {escaped(r.id)}</td><td>{escaped(r.text)}</td><td>{where}</td></tr>"
    for p in places:
        what, link = place_words(p), f"#s{numbers[p.span.source.name]}-{p.span.line}"
        place = escaped(f"{_short(p.span.source.name)}:{p.span.line}")
        yield (
            f"<tr><td>{escaped(p.kind)}</td><td>{_marked(what)}</td><td><a "
            f'href="{link}">{place}</a></td></tr>'
        )
    for v in values:
        yield f"<tr><td>value</td><td>{escaped(value_words(v))}</td><td></td></tr>"
    yield "</table>"


def _line_class(places: Sequence[Counted]) -> str:
    """The CSS class of a line with these places; empty without any."""
    if not places:
        return ""
    if all(p.count for p in places):
        return "happened"
    return "partly" if any(p.count for p in places) else "never"


def _source(coverage: Coverage, source: Source, number: int) -> Iterator[str]:
    """The text of a file, line by line; a file in which nothing can happen is left out."""
    lines: dict[int, list[Counted]] = defaultdict(list)
    for p in coverage.places:
        if p.span.source.name == source.name:
            lines[p.span.line].append(p)
    if not lines:
        return
    yield f'<h2 class="file">{escaped(_short(source.name))}</h2><table class="source">'
    for at, text in enumerate(source.text.splitlines(), 1):
        found = lines.get(at, [])
        clauses = [p.count for p in found if p.kind in CLAUSES] or [p.count for p in found]
        missing = [p for p in found if not p.count]
        kind = _line_class(found)
        notes = "; ".join(
            f"never: {place_words(p)}" for p in missing if not p.inside and p.count != max(clauses)
        )
        count = f"{max(clauses):,}" if clauses else ""
        note = f'<span class="note">{_marked(notes)}</span>' if notes else ""
        yield (
            f'<tr id="s{number}-{at}" '
            f'class="{kind}"><td>{at}</td><td>{count}</td><td><pre>{coloured(text)}</pre>{note}</td></tr>'
        )
    yield "</table>"


def coloured(line: str) -> str:
    """A line of a ruleset with its words, texts, citations and comments marked."""
    if _PROSE.match(line):
        return escaped(line)
    out, at = [], 0
    for match in _TOKEN.finditer(line):
        out += [
            escaped(line[at : match.start()]),
            f'<span class="{match.lastgroup}">{escaped(match.group())}</span>',
        ]
        at = match.end()
    return "".join([*out, escaped(line[at:])])


# ------------------------------------------------------------ measuring
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

    def meet(self, game: Game) -> None:
        """Learn all places of the rules that a game is played by, those that it never comes to too: other
        games by these rules have no others.
        """
        if game.code is not None and game.code.is_ready and not self.knows(game.program):
            self._whole.add(id(game.program))
            game.code.compile_rest()
            if game.trace is not None:
                self._known(game.trace)

    def add(self, trace: Trace, where: str) -> None:
        """Count the trace of one game or scenario; the trace is not cleared."""
        if trace.game is not None:
            self.programs[id(trace.game.program)] = trace.game.program
            self.meet(trace.game)
        self.add_counts(self.counts_of(trace), where)

    def add_counts(self, executed: Executed, where: str) -> None:
        """The same, of a game whose rules are known."""
        self.counts[where].update(executed.counts)
        self.rules[where].update(executed.rules)
        self.values[where].update(executed.values)

    def counts_of(self, trace: Trace) -> Executed:
        """Return the trace of one game or scenario as plain values."""
        game: Game | None = trace.game
        values: list[tuple[str | None, str]] = []
        if game is not None and game.code is not None:
            values.append((None, str(game.players)))
            for p in game.program.params.values():
                if p.name in game.parameters:
                    values.append((p.name, _text(game.to_json(game.parameters[p.name], p.type))))
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


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


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
        for played in _games(name, player, plan, should_stop, jobs):
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
    except (KeyboardInterrupt, BrokenProcessPool):  # a step that does not end
        if not should_stop():
            raise
    return _report(ruleset, plan, collector, statuses, tuple(stopped.values()), results)


# ---------------------------------------------------------------- random games
# seconds of playing before more processes are considered, of the processor: others may keep it busy
MEASURED = 1.0
WORTH_PROCESSES = 20.0  # seconds that are left: each process loads the ruleset and sets its games up first
AT_ONCE = 0.5  # seconds of the games that a process is given at once
MOST_AT_ONCE = 20  # and how many these are at most


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
        self._made: dict[str, Game] = {}
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
        """One game; None if it was told to stop in the middle of it."""
        ruleset, plan = self.ruleset, self._plan
        players = self._counts[(number - 1) % len(self._counts)]
        game, parameters = _set_up(ruleset, self._made, players, plan, self._tried[players], number)
        assert isinstance(game.trace, Trace)
        self._collector.meet(game)
        match = GameMatch(
            ruleset, MatchConfig(players, {}, plan.seed), number, initial=State(ruleset, game), light=True
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
            name: _text(value).strip('"')
            for name, value in values.items()
            if name not in usual or value != usual[name]
        }
        ended = StoppedGame(record.status, reason_of(record.outcome), number, players, given)
        executed = self._collector.counts_of(game.trace)
        game.trace.clear()
        return TracedGame(ended, executed, parameters)

    def collect(self, played: TracedGame) -> None:
        """Add up what a game executed, which may have been played in another process, by rules that are new
        here.
        """
        program = self.ruleset.program_for(played.parameters)
        self._collector.programs[id(program)] = program
        if not self._collector.knows(program):
            self._collector.meet(self.ruleset.set_up(played.ended.players, played.parameters, Trace(program)))
        self._collector.add_counts(played.executed, "games")


def _games(
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
    for some in workers.in_processes(_play_some, pieces, jobs or 1, should_stop):
        yield from some


class _InWorker:
    """The state of another process, kept from one piece of its work to the next."""

    plan: tuple[str | Path, CoveragePlan] | None = None
    player: GamePlayer


def _play_some(source: str | Path, plan: CoveragePlan, numbers: range) -> list[TracedGame]:
    """In another process: some of the games, as many as there is time for."""
    if _InWorker.plan != (source, plan):
        _InWorker.player = GamePlayer(load(source), plan, Collector())
        _InWorker.plan = source, plan
    found = []
    for number in numbers:
        played = None if workers.is_told_to_stop() else _InWorker.player.play(number, workers.is_told_to_stop)
        if played is None:
            break
        found.append(played)
    return found


def _set_up(
    ruleset: Ruleset,
    made: dict[str, Game],
    players: int,
    plan: CoveragePlan,
    tried: Mapping[str, Sequence[object]],
    number: int,
) -> tuple[Game, dict[str, object]]:
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
        return made[key], parameters
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
    # they have scenarios themselves
    of_modules = {source for p in programs for used in p.resolved.modules for source in used.loaded.sources}
    sources = tuple(
        dict.fromkeys(source for p in programs for source in p.resolved.sources if source not in of_modules)
    )
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
    programs: Sequence[Program], sources: Sequence[Source], collector: Collector
) -> tuple[Counted, ...]:
    """Every place in the order of files and lines, of the rules and of the variants that parameters switched
    on.

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
        found.append(
            Counted(spot.kind, spot.span, spot.words, spot.rules, games[key], scenarios[key], inside)
        )

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
            for x in operands(s):
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
            tried.setdefault(name, {}).update((_text(value), value) for value in values)
    for name, named in tried.items():
        span: Span = ruleset.program.params[name].span
        for value in named.values():
            key = (name, _text(value))
            happened = games[key] + scenarios[key]
            if happened or not is_never_allowed(ruleset, name, value):
                yield ValueCount(name, value, games[key], scenarios[key], span)
