"""Two rulesets, variants, parameters or bots, on matched seeds; and so what a variant is worth.

Rules against rules: game k is played twice with the same seed, once by each side's rules, and each measure
gives a difference B - A. Bots against bots: under one set of rules, one bot of side B sits among bots of side
A, in every seat in turn with the same seed, and its share of the wins is compared with what an equal would
win, 1 / players; a game that nobody wins is shared by all. Where the rules pay (`finish pay`), so is what it
is paid, with what all are paid on average: where stakes vary, who wins most hands may lose most. What a game,
or its turn, gives is one observation.

A comparison is *watched* or *planned*. One that is watched may be stopped at any time: each measure has a
confidence sequence (`sequences.py`). That of a mean needs bounds (`bounds.py`); what is no share of games has
another one, of how much more often B has more than A, which needs none. The error is divided by the number of
measures (Bonferroni), and by two where a measure has two sequences. So the whole table errs in at most 5 % of
all comparisons, however often it is looked at. One that is planned has a number of games that is known before
it begins, and tests for paired data when they are over (`planned.py`).

What a variant is worth: each that comes with the ruleset is compared with it. Intervals are those above,
with the error divided by how many are asked about.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import methodcaller

from croupier.diagnostics import JsonObject
from croupier.lab.bounds import DECISIONS, MARGIN, PAID, SHARE, Bounds, bounds_of
from croupier.lab.names import for_programs, of_player
from croupier.lab.planned import Tested, holm, mean_test, share_test, turn_test
from croupier.lab.rows import Row
from croupier.lab.sequences import Need, bounded_mean, more_often, needed, signs, unbounded_mean
from croupier.lab.statistics import Estimate, Moments
from croupier.lab.workers import RunConfig, has_payments, last_of, players_of, rows
from croupier.play.match import never
from croupier.play.processes import with_shared_pool
from croupier.play.statistics import CONFIDENCE

WINS, SAME = "wins", "the same in every pair of games"
WATCHED, PLANNED = "watched", "planned"
TOO_FEW = "too few to say"
# games of each side before the other side plays: at first, and at most; seconds that they may take
FEW, CHUNK, LONG = 4, 100, 5.0
NOTHING_DECLARED: Mapping[str, Bounds] = {}


@dataclass
class Line:
    """One measure of a comparison: the values of both sides in each pair of games, and what they say."""

    name: str
    bounds: Bounds | None  # of a difference B - A
    confidence: float  # of all that is said of this measure
    is_share: bool = False  # is it a share of games?
    pairs: Counter[tuple[float, float]] = field(default_factory=Counter)
    a: Moments = field(default_factory=Moments)
    b: Moments = field(default_factory=Moments)
    is_planned: bool = False
    # of a planned comparison that is over: its test, and the probability, corrected for all measures
    tested: Tested | None = None
    probability: float | None = None
    _known: tuple[int, Estimate] | None = field(default=None, repr=False)

    def add(self, a: float, b: float) -> None:
        """Add the values of one more pair."""
        self.a.add(a)
        self.b.add(b)
        self.pairs[a, b] += 1

    @property
    def differences(self) -> Counter[float]:
        """The differences B - A, and how often each occurred."""
        found = Counter[float]()
        for (a, b), times in self.pairs.items():
            found[b - a] += times
        return found

    @property
    def difference(self) -> Estimate:
        """The mean of B - A; its interval holds at all times, or for the planned number of games."""
        if self.tested is not None:
            return self.tested.difference
        if self._known is None or self._known[0] != self.a.n:
            self._known = self.a.n, self._sequence()
        return self._known[1]

    def _sequence(self) -> Estimate:
        if self.bounds is None or self.is_planned:
            return unbounded_mean(self.differences, self.confidence)
        return bounded_mean(self.differences, self.bounds.low, self.bounds.high, self.confidence_of_each)

    @property
    def confidence_of_each(self) -> float:
        """The confidence of each of its sequences: of a mean, and of how often B has more."""
        has_two = self.bounds is not None and not self.is_share
        return 1 - (1 - self.confidence) / (2 if has_two else 1)

    @property
    def is_of_pairs(self) -> bool:
        """True if it is the difference of two shares of games, not what a bot wins in turns of games."""
        return self.is_share and self.bounds == SHARE.differences(SHARE)

    @property
    def more_often(self) -> Estimate | None:
        """How much more often B has more than A, as a share of all pairs; `None` of a share of games, and in
        a planned comparison.
        """
        if self.is_share or self.is_planned:
            return None
        return more_often(self.differences, self.confidence_of_each)

    @property
    def is_found(self) -> bool:
        """True if the mean was found to differ."""
        if self.is_planned:
            return self.probability is not None and self.probability < 1 - CONFIDENCE
        return self.difference.excludes_zero

    @property
    def says_nothing(self) -> bool:
        """True if half or more of what is possible still is."""
        found = self.difference
        if self.bounds is None:
            return True
        return found.high - found.low >= (self.bounds.high - self.bounds.low) / 2

    def verdict(self, b: str = "B") -> str:
        """The verdict in words; `b` is what side B is called."""
        found = self.difference
        if not found.n:
            return "too few yet: no pair of games is over"
        if self.is_found:
            return f"{b} has {'more' if found.value > 0 else 'less'}"
        if all(one == two for one, two in self.pairs):
            return SAME
        if self.is_planned:
            return self._planned_verdict()
        often = self.more_often
        if often is not None and often.excludes_zero:
            return f"{b} more often has {'more' if often.value > 0 else 'less'}; of the mean {TOO_FEW}"
        if self.bounds is None:
            return f"{TOO_FEW}: nothing bounds it"
        if self.says_nothing:
            return TOO_FEW
        largest = max(abs(found.low), abs(found.high))
        return (
            f"no difference larger than {f'{largest:.1%}' if self.is_share else f'{largest:.3g}'} was found"
        )

    def _planned_verdict(self) -> str:
        if self.probability is None:
            return f"{TOO_FEW}: {self.tested.reason}" if self.tested is not None else TOO_FEW
        return "no difference was found"

    def needed(self) -> Need | None:
        """The number of further pairs that would show a difference about as large as the one that is seen:
        of the mean, or, where nothing bounds it, of how often B has more.

        `None` if it shows already, or cannot be told, or the comparison is planned.
        """
        if self.is_planned:
            return None
        if self.bounds is None:
            return needed(signs(self.differences), -1.0, 1.0, self.confidence_of_each)
        return needed(self.differences, self.bounds.low, self.bounds.high, self.confidence_of_each)

    def test(self) -> None:
        """Test a planned number of pairs, which are all over. Raises ImportError without SciPy."""
        if self.is_of_pairs:
            self.tested = share_test(self.pairs, self.confidence)
        elif self.is_share and self.bounds is not None:
            self.tested = turn_test(self.pairs, self.bounds.low, self.confidence)
        else:
            self.tested = mean_test(self.pairs, self.confidence)

    def to_json(self) -> JsonObject:
        need, often = self.needed(), self.more_often
        return {
            "measure": for_programs(self.name),
            "a": round(self.a.mean, 6),
            "b": round(self.b.mean, 6),
            "difference": self.difference.to_json(),
            "more_often": None if often is None else often.to_json(),
            "probability": None if self.probability is None else float(f"{self.probability:.4g}"),
            "found": self.is_found,
            "verdict": self.verdict(),
            "pairs_needed": None if need is None else need.numbers,
            "difference_shown": None if need is None else round(need.difference, 6),
        }


@dataclass
class Comparison:
    """A comparison of two sides, as far as it has been played."""

    kind: str
    players: int
    lines: list[Line]
    pairs: int = 0
    skipped: int = 0  # pairs in which a game did not finish
    is_planned: bool = False

    def test(self) -> None:
        """Test all measures of a planned comparison together. Raises ImportError without SciPy."""
        for line in self.lines:
            line.test()
        able = [
            line for line in self.lines if line.tested is not None and line.tested.probability is not None
        ]
        raw = [line.tested.probability or 0.0 for line in able if line.tested is not None]
        for line, probability in zip(able, holm(raw), strict=True):
            line.probability = probability

    def to_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "method": PLANNED if self.is_planned else WATCHED,
            "pairs": self.pairs,
            "skipped": self.skipped,
            "lines": [line.to_json() for line in self.lines],
        }


Figure = Callable[[Row], float | None]


def measures_of(players: int, measures: tuple[str, ...]) -> dict[str, tuple[Figure, bool]]:
    """The measures by name: a figure of a row, and whether it lies from 0 to 1."""
    found: dict[str, tuple[Figure, bool]] = {}
    for seat in range(players):
        found[of_player(WINS, seat)] = (methodcaller("share", seat), True)
    found["ties and games without a winner"] = (lambda row: float(len(row.winners) != 1), True)
    found[DECISIONS] = (lambda row: float(row.decisions), False)
    found[MARGIN] = (lambda row: row.margin, False)
    for text in measures:
        found[text] = (partial(_figure_of, text), False)
    return found


def _figure_of(text: str, row: Row) -> float | None:
    """A measure at the end; of one that says `me`, that of player 1."""
    return row.figures.get(text, row.figures.get(of_player(text, 0)))


@with_shared_pool
def compare_rules(
    a: RunConfig,
    b: RunConfig,
    games: int,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
    confidence: float = CONFIDENCE,
    planned: bool = False,
    declared: Mapping[str, Bounds] = NOTHING_DECLARED,
) -> Iterator[Comparison]:
    """Two sets of rules; yields the comparison again and again while it grows, a planned one once, when it is
    over: `Comparison.test` tests it then.

    `declared` are bounds of measures by name, which count instead of those that the rules give.

    Raises RulesetError and UnknownAgent as `rows` does; ValueError if the sides have different numbers of
    players, a figure is outside of its declared bounds, or those are of no measure.
    """
    players, other = players_of(a), players_of(b)
    if players != other:
        raise ValueError(f"side A has {players} players, side B {other}: say --players")
    wanted = measures_of(players, tuple(dict.fromkeys((*a.watch.measures, *b.watch.measures))))
    _check_declared(declared, [name for name, (_, is_share) in wanted.items() if not is_share])
    known_a, known_b = {**bounds_of(a), **declared}, {**bounds_of(b), **declared}
    confidence = 1 - (1 - confidence) / len(wanted)
    lines = {}
    for name, (_, is_share) in wanted.items():
        one, two = (SHARE, SHARE) if is_share else (known_a.get(name), known_b.get(name))
        bounds = None if one is None or two is None else two.differences(one)
        lines[name] = Line(name, bounds, confidence, is_share, is_planned=planned)
    found = Comparison("rules", players, list(lines.values()), is_planned=planned)
    for some in _played(found, (a, b), games, CHUNK, games, jobs, should_stop):
        for first, second in some:
            for name, (figure, _) in wanted.items():
                x, y = figure(first), figure(second)
                if x is not None and y is not None:
                    _check_figures(name, declared, (x, y), first.game)
                    lines[name].add(x, y)
                    of_first = of_player(name, 0)
                    if of_first in first.figures:
                        lines[name].name = of_first
        found.lines = [line for line in lines.values() if line.a.n]
        if not planned:
            yield found
    if planned:
        yield found


def _played(
    found: Comparison,
    sides: Sequence[RunConfig],
    games: int,
    most: int,
    of: int,
    jobs: int | None,
    should_stop: Callable[[], bool],
) -> Iterator[list[tuple[Row, ...]]]:
    """Play all games on each side, at most so many at a time, and yield the rows of those that finished on
    all sides; these, and those that did not, are counted in `found`.

    `of` is how many games have the same rules. It ends behind the games that were over when it is told to
    stop.
    """
    for numbers in chunks(games, most):
        played = [list(rows(run, numbers, jobs=jobs, should_stop=should_stop, of=of)) for run in sides]
        every = list(zip(*played, strict=False))
        whole = [together for together in every if all(row.status == "finished" for row in together)]
        found.pairs += len(whole)
        found.skipped += len(every) - len(whole)
        yield whole
        if should_stop():
            return


def _check_declared(declared: Mapping[str, Bounds], names: list[str]) -> None:
    """Refuse bounds of what is not measured. Raises ValueError."""
    for name in declared:
        if name not in names:
            raise ValueError(
                f"there is no measure `{name}` to bound; there are {', '.join(f'`{one}`' for one in names)}"
            )


def _check_figures(name: str, declared: Mapping[str, Bounds], figures: tuple[float, ...], game: int) -> None:
    """Refuse figures outside of their declared bounds. Raises ValueError."""
    bounds = declared.get(name)
    if bounds is None:
        return
    for figure in figures:
        if not bounds.low <= figure <= bounds.high:
            raise ValueError(
                f"`{name}` is {figure:g} in game {game}, but its bounds are {bounds.low:g}..{bounds.high:g}"
            )


@with_shared_pool
def compare_bots(
    run: RunConfig,
    a: str,
    b: str,
    games: int,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
    confidence: float = CONFIDENCE,
    planned: bool = False,
    declared: Mapping[str, Bounds] = NOTHING_DECLARED,
) -> Iterator[Comparison]:
    """A bot B among bots A, in every seat in turn; yields the comparison again and again while it grows, a
    planned one once, when it is over. `declared` may have bounds of what is paid.

    Raises what `rows` does; ValueError as `compare_rules` does.
    """
    players = players_of(run.with_bots((a,)))
    turns = [
        run.with_bots(tuple(b if seat == place else a for seat in range(players))) for place in range(players)
    ]
    pays = has_payments(run.source)
    _check_declared(declared, [PAID] if pays else [])
    confidence = 1 - (1 - confidence) / (2 if pays else 1)
    of_wins = Bounds(-1 / players, 1 - 1 / players)
    line = Line(
        "share of the wins of B, less that of an equal", of_wins, confidence, True, is_planned=planned
    )
    paid = Line(
        "paid to B, less what all are paid on average",
        _of_payments({**bounds_of(run), **declared}.get(PAID), players),
        confidence,
        is_planned=planned,
    )
    found = Comparison("bots", players, [paid, line] if pays else [line], is_planned=planned)
    most = max(1, CHUNK // players)
    for some in _played(found, turns, games, most, games * players, jobs, should_stop):
        for together in some:
            line.add(1 / players, sum(row.part(seat, players) for seat, row in enumerate(together)) / players)
            for row in together:
                _check_figures(PAID, declared, row.returns, row.game)
            paid.add(
                sum(sum(row.returns) for row in together) / players**2,
                sum(row.returns[seat] for seat, row in enumerate(together)) / players,
            )
        if not planned:
            yield found
    if planned:
        yield found


def _of_payments(bounds: Bounds | None, players: int) -> Bounds | None:
    """Return the bounds of what one player is paid, less what all are paid on average."""
    if bounds is None:
        return None
    most = (bounds.high - bounds.low) * (1 - 1 / players)
    return Bounds(-most, most)


def chunks(games: int, most: int) -> Iterator[range]:
    """Yield all games in turn, some at a time, and more each time while they are quick.

    So early results are told soon, and later ones seldom.
    """
    first, size = 1, min(FEW, most)
    while first <= games:
        stop, started = min(games, first + size - 1) + 1, time.monotonic()
        yield range(first, stop)
        if time.monotonic() - started < LONG:
            size = max(min(most, 2 * size), (first - 1) // 4)
        first = stop


# ------------------------------------------------------------ with and without an option


@with_shared_pool
def compare_variants(
    run: RunConfig,
    names: list[str],
    games: int,
    *,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
) -> Iterator[tuple[str, Comparison]]:
    """Yield the comparison of each variant with the ruleset itself. Raises what `rows` does."""
    confidence = 1 - (1 - CONFIDENCE) / max(1, len(names))
    for name in names:
        other = replace(run, source=name)
        last = last_of(
            compare_rules(run, other, games, jobs=jobs, should_stop=should_stop, confidence=confidence)
        )
        if last is None or (should_stop() and not last.pairs):
            return
        yield name, last
        if should_stop():
            return
