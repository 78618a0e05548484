"""A game as a row of figures.

What every game has: number, status, winners, scores, decisions, chance events. A game that is *watched* has
besides: how many decisions were forced (one option), how many options there were, how many turns (decisions
of one player in a row are one), how many decisions each phase had, how many minutes it takes at some pace
(seconds for a decision that is not forced; players who decide at once take their time together), its options
(below), and own measures: expressions of the rule language, which may say `me` for a player, taken at the end
and, if asked for, along the way: after each step in which somebody decided, or whenever another expression
changes its value.

Of measures with `me` that are taken along the way follows who leads, and when it is decided (`course.py`).

An option is known by its words (`action_to_string`). Of each option a game counts how often it was offered
and taken, not counting forced decisions, and the share of the win that fell to whoever was offered it and
took it, or did not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from croupier.diagnostics import JsonObject
from croupier.lab.course import COURSE, counts, course_figures
from croupier.lab.logs import GameLog, log_of, play_logged, table_of
from croupier.lab.names import for_people, for_programs, of_player
from croupier.limits import MAX_SAMPLES
from croupier.play.decisions import DecisionLog
from croupier.play.digest import digest_line
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.measure import Measure
from croupier.play.one_game import play_one, turn_order
from croupier.play.plain import exact
from croupier.play.results import GameResult, result_of
from croupier.play.watching import CourseCounts, WatchedTail, probing_of

if TYPE_CHECKING:
    from croupier.lowering.probes import Probing
    from croupier.ruleset import Ruleset
    from croupier.runtime.engine import Engine
    from croupier.runtime.state import State

EVERY_DECISION = "decision"
PHASE = "decisions in "  # before the name of a phase
TAKEN_OF_ALL = ("forced", "options", "turns", "minutes")


@dataclass(frozen=True)
class Watch:
    """The figures that are recorded of a game beyond those of every row.

    `lead` is the measure that says who leads.
    """

    measures: tuple[str, ...] = ()
    every: str | None = None
    options: bool = False
    steps: bool = False
    pace: int = 20  # seconds a decision
    decisions: bool = False  # rows of all decisions
    events: bool = False  # rows of all events

    @property
    def is_logged(self) -> bool:
        """True if rows of decisions or events are recorded."""
        return self.decisions or self.events

    @property
    def is_needed(self) -> bool:
        """True if anything is recorded beyond the figures of every row."""
        return bool(self.measures or self.options or self.steps or self.is_logged)

    @property
    def is_compiled(self) -> bool:
        """True if compiled code can record all of it while it plays whole games.

        It cannot put options into words, nor log decisions.
        """
        return not (self.options or self.is_logged)

    def probing(self, engine: Engine) -> Probing | None:
        """Return the expressions that compiled code measures for this; `None` if it records nothing.

        Raises RulesetError for measures that the ruleset does not know.
        """
        if not self.is_needed or not self.is_compiled:
            return None
        pace = None if self.every == EVERY_DECISION else self.every
        return probing_of(
            engine, self.measures, samples=self.every is not None and bool(self.measures), pace=pace
        )


@dataclass(frozen=True)
class Row:
    """The figures of one game; winners are seats from 0.

    `options`: by option offered, taken, and the wins of those who took it and who did not.
    """

    game: int
    status: str
    winners: tuple[int, ...]
    scores: tuple[float, ...] | None
    decisions: int
    chance_events: int
    order: tuple[int, ...] | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, tuple[int, int, float, float]] = field(default_factory=dict)
    line: str = ""  # of the run's digest
    returns: tuple[float, ...] = ()  # what each seat is paid; nothing of a game that did not finish
    # rows of decisions and events, which stand in files of their own
    log: GameLog = field(default=GameLog(), compare=False)
    # of a game that was watched, where it was played: it is not written down
    result: GameResult | None = field(default=None, compare=False)

    def share(self, seat: int) -> float:
        """A seat's part of the win: 1, or a part of it where several win."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    def part(self, seat: int, players: int) -> float:
        """A seat's part of the win; what nobody wins is shared by all."""
        return self.share(seat) if self.winners else 1 / players

    @property
    def margin(self) -> float | None:
        """The distance of the best score from the next one; `None` without scores."""
        if self.scores is None or len(self.scores) < 2:
            return None
        best, second = sorted(self.scores, reverse=True)[:2]
        return best - second

    def to_json(self) -> JsonObject:
        """The row as JSON, which `row_from` reads."""
        return {
            "game": self.game,
            "status": self.status,
            "winners": list(self.winners),
            "scores": None if self.scores is None else list(self.scores),
            "decisions": self.decisions,
            "chance_events": self.chance_events,
            "order": None if self.order is None else list(self.order),
            "figures": {for_programs(name): value for name, value in self.figures.items()},
            "options": {key: list(found) for key, found in self.options.items()},
            "line": self.line,
            "returns": list(self.returns),
        }


def row_from(data: JsonObject) -> Row:
    """The row that `to_json` wrote. Raises KeyError, TypeError or ValueError for anything else."""
    scores, order = data["scores"], data["order"]
    return Row(
        int(data["game"]),
        str(data["status"]),
        tuple(map(int, data["winners"])),
        None if scores is None else tuple(map(float, scores)),
        int(data["decisions"]),
        int(data["chance_events"]),
        None if order is None else tuple(map(int, order)),
        {for_people(str(name)): float(value) for name, value in data["figures"].items()},
        {str(key): (int(a), int(b), float(c), float(d)) for key, (a, b, c, d) in data["options"].items()},
        str(data["line"]),
        tuple(map(float, data["returns"])),
    )


def row_of(game: GameResult, **more: Any) -> Row:  # noqa: ANN401 - the fields of a row
    """The row of a game that was played."""
    scores = None if game.scores is None else tuple(map(_as_float, game.scores))
    paid = tuple(map(_as_float, game.returns))
    line = digest_line(game)
    return Row(
        game.game,
        game.status,
        game.winners,
        scores,
        game.decisions,
        game.chance_events,
        game.order,
        line=line,
        returns=paid,
        **more,
    )


def _as_float(value: int | str) -> float:
    """A number of a result, which is a text where it is a fraction."""
    return float(value) if isinstance(value, int) else float(exact(value))


def play_row(
    ruleset: Ruleset,
    setup: MatchConfig,
    initial: State,
    watch: Watch,
    number: int,
    should_stop: Callable[[], bool],
) -> Row | None:
    """Play one game; return it as a row, `None` if it was told to stop before its end.

    Raises RulesetError for measures that the ruleset does not know.
    """
    if not watch.is_needed:
        game = play_one(ruleset, setup, initial, number, should_stop)
        return None if game is None else row_of(game)
    if watch == Watch(decisions=watch.decisions, events=watch.events) and not setup.invariants:
        played = play_logged(setup, initial, number, events=watch.events, should_stop=should_stop)
        return None if played is None else row_of(played[0], log=played[1])
    watcher = Watcher(watch, initial)
    match = WatchedMatch(ruleset, setup, number, initial.clone(), watcher)
    match.log = DecisionLog(table_of(initial.game), number) if watch.is_logged else None
    while match.step():
        watcher.stepped(match.state)
        if should_stop():
            return None
    record = match.record()
    game = replace(
        result_of(number, record.outcome, record.decisions, record.chance_events),
        order=turn_order(match.steps, match.players),
    )
    if match.log is None:
        log = GameLog()
    else:
        log = log_of(match.log, record.outcome, match.state, number, events=watch.events)
    return row_of(
        game,
        figures=TailFigures(watch, match.players).of(game, watcher.counted(match.state, game.winners)),
        options=watcher.options(game.winners),
        log=log,
        result=game,
    )


@dataclass(frozen=True)
class WatchedGame:
    """What was counted of a game while it was played step by step: as in the tail of a row of native code."""

    forced: int
    offered: int
    turns: int
    moments: int
    phases: list[tuple[str, int]]
    values: list[list[int]]
    courses: list[CourseCounts | None]


class TailFigures:
    """Makes figures of what was counted of games that were watched."""

    def __init__(self, watch: Watch, players: int) -> None:
        self._pace = watch.pace
        self._names = [(value_names(text, 1), value_names(text, players)) for text in watch.measures]
        self._courses = [{name: f"{name}: {text}" for name in COURSE} for text in watch.measures]

    def row(self, game: GameResult, tail: WatchedTail) -> Row:
        """The row of a game that compiled code played."""
        return row_of(game, figures=self.of(game, tail), result=game)

    def of(self, game: GameResult, tail: WatchedTail | WatchedGame) -> dict[str, float]:
        """The figures of a game."""
        decided = game.decisions
        found: dict[str, float] = {
            "forced": tail.forced,
            "options": tail.offered / decided if decided else 0.0,
            "turns": tail.turns,
            "minutes": tail.moments * self._pace / 60,
        }
        found |= {f"{PHASE}{name}": count for name, count in tail.phases if name}
        for (one, several), course_names, values, counted in zip(
            self._names, self._courses, tail.values, tail.courses, strict=True
        ):
            found.update(zip(one if len(values) == 1 else several, values, strict=True))
            if counted is not None:
                figures = course_figures(counted, len(values), len(game.winners) == 1)
                found.update((course_names[name], value) for name, value in figures.items())
        return found


def value_names(text: str, seats: int) -> list[str]:
    """Return the names of the values of a measure: one, or one for each player."""
    return [text] if seats == 1 else [of_player(text, seat) for seat in range(seats)]


class WatchedMatch(GameMatch):
    """A match that tells a watcher of every decision."""

    def __init__(
        self, ruleset: Ruleset, setup: MatchConfig, game: int, initial: State, watcher: Watcher
    ) -> None:
        super().__init__(ruleset, setup, game, initial=initial, light=True)
        self._watcher = watcher

    def _decide(self, seat: int, legal: Sequence[int]) -> int:
        chosen = super()._decide(seat, legal)
        self._watcher.decided(self.state, seat, legal, chosen)
        return chosen


class Watcher:
    """Takes down figures of a game while it is played.

    Raises RulesetError for measures that the ruleset does not know.
    """

    def __init__(self, watch: Watch, state: State) -> None:
        self._watch, self._players = watch, state.players
        self._measures = [Measure(state.engine, text) for text in watch.measures]
        self._every = (
            Measure(state.engine, watch.every) if watch.every not in (None, EVERY_DECISION) else None
        )
        self._forced = self._offered = self._turns = self._moments = 0
        self._seat = -1  # who decided last
        self._phases = Counter[str]()
        self._time: int | None = None  # of the last decision that took time: which step of the game it was
        self._steps = 0
        self._options: dict[str, list[list[int]]] = {}  # by option: offered and taken, of each seat
        self._samples: list[list[list[int]]] = []
        self._deciders: list[int] = []  # who decided last before each sample
        self._last: int | None = None

    def decided(self, state: State, seat: int, legal: Sequence[int], chosen: int) -> None:
        """A seat chose."""
        self._offered += len(legal)
        self._forced += len(legal) == 1
        self._turns += seat != self._seat
        self._seat = seat
        self._phases[state.phase()] += 1
        if len(legal) > 1 and self._time != self._steps:
            self._moments, self._time = self._moments + 1, self._steps
        if not self._watch.options or len(legal) == 1:
            return
        for action in legal:
            found = self._options.setdefault(
                state.action_to_string(seat, action), [[0, 0] for _ in range(self._players)]
            )[seat]
            found[0] += 1
            found[1] += action == chosen

    def stepped(self, state: State) -> None:
        """Count a step; take the measures if it is time."""
        self._steps += 1
        if self._watch.every is None or not self._measures or len(self._samples) >= MAX_SAMPLES:
            return
        if self._every is not None:
            now = self._every.value(state)
            if now == self._last:
                return
            self._last = now
        elif state.is_chance_node():
            return
        self._samples.append(self._taken(state))
        self._deciders.append(self._seat)

    def _taken(self, state: State) -> list[list[int]]:
        """The values of each measure now, one for each seat that it has."""
        seats = range(self._players)
        return [[m.value(state, seat) for seat in (seats if m.of_players else [0])] for m in self._measures]

    def counted(self, state: State, winners: Sequence[int]) -> WatchedGame:
        """What was watched, at the end of the game."""
        last = self._taken(state)
        courses = [
            counts([sample[at] for sample in self._samples], winners, self._deciders)
            if len(values) > 1 and self._samples
            else None
            for at, values in enumerate(last)
        ]
        phases = list(self._phases.items())
        return WatchedGame(self._forced, self._offered, self._turns, self._moments, phases, last, courses)

    def options(self, winners: Sequence[int]) -> dict[str, tuple[int, int, float, float]]:
        """Return of each option how often it was offered and taken, and the shares of wins.

        The shares are those of players who took it at least once, and of those who never did.
        """
        share = 1 / len(winners) if winners else 0.0
        found = {}
        for key, seats in self._options.items():
            offered, taken = sum(o > 0 for o, _ in seats), sum(t > 0 for _, t in seats)
            won = sum(share for seat, (_, t) in enumerate(seats) if t and seat in winners)
            lost = sum(share for seat, (o, t) in enumerate(seats) if o and not t and seat in winners)
            found[key] = (offered, taken, won, lost)
        return found
