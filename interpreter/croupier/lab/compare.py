"""Two rulesets, variants, parameters or bots, on matched seeds; and so what a variant is worth.

Rules against rules: game k is played twice with the same seed, once by each side's rules, and each measure
gives a difference B - A. Bots against bots: under one set of rules, one bot of side B sits among bots of side
A, in every seat in turn with the same seed, and its share of the wins is compared with what an equal would
win, 1 / players; a game that nobody wins is shared by all. Where the rules pay (`finish pay`), so is what it
is paid, with what all are paid on average: where stakes vary, who wins most hands may lose most. What a game,
or its turn, gives is one observation.

Each measure has a confidence sequence, with the error divided by the number of measures (Bonferroni), so that
the whole table errs in at most 5 % of all comparisons, however often it is looked at.

What a variant is worth: each that comes with the ruleset is compared with it. Intervals are those above,
with the error divided by how many are asked about.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from croupier.diagnostics import JsonObject
from croupier.lab.names import for_programs, of_player
from croupier.lab.rows import Row
from croupier.lab.statistics import (
    FIRST,
    BoundedSequence,
    ConfidenceSequence,
    Estimate,
    Moments,
    NormalSequence,
)
from croupier.lab.workers import RunConfig, has_payments, players_of, rows, with_shared_pool
from croupier.play.match import never
from croupier.play.statistics import CONFIDENCE

WINS, SAME = "wins", "the same in every pair of games"
# games of each side before the other side plays: at first, and at most; seconds that they may take
FEW, CHUNK, LONG = 4, 100, 5.0


@dataclass
class Line:
    """One measure of a comparison: what each side has on average, and the difference B - A with its
    sequence.
    """

    name: str
    sequence: ConfidenceSequence
    spread: NormalSequence
    a: Moments = field(default_factory=Moments)
    b: Moments = field(default_factory=Moments)

    def add(self, a: float, b: float) -> None:
        """Add the values of one more pair."""
        self.a.add(a)
        self.b.add(b)
        self.sequence.add(b - a)
        self.spread.add(b - a)

    @property
    def difference(self) -> Estimate:
        """B - A."""
        return self.sequence.estimate()

    @property
    def is_share(self) -> bool:
        """True if it is a share of games."""
        return isinstance(self.sequence, BoundedSequence)

    def verdict(self, b: str = "B") -> str:
        """The verdict in words; `b` is what side B is called."""
        found = self.difference
        if not found.n:
            return "too few yet: no pair of games is over"
        if found.excludes_zero:
            return f"{b} has {'more' if found.value > 0 else 'less'}"
        if self.spread.deviation == 0 and found.value == 0:
            return SAME
        if max(abs(found.low), abs(found.high)) == float("inf"):
            return f"too few yet: nothing can be said before {FIRST} pairs of games"
        if isinstance(self.sequence, BoundedSequence) and self.sequence.says_nothing:
            return f"too few yet: {found.n:,} pairs say nothing"
        largest = max(abs(found.low), abs(found.high))
        return (
            f"no difference larger than {f'{largest:.1%}' if self.is_share else f'{largest:.3g}'} was found"
        )

    def needed(self) -> int | None:
        """The number of further pairs that would show a difference as large as the one that is seen.

        `None` if it shows already, or cannot be told.
        """
        return None if self.difference.excludes_zero else self.spread.needed(self.difference.value)

    def to_json(self) -> JsonObject:
        return {
            "measure": for_programs(self.name),
            "a": round(self.a.mean, 6),
            "b": round(self.b.mean, 6),
            "difference": self.difference.to_json(),
            "verdict": self.verdict(),
            "pairs_needed": self.needed(),
        }


@dataclass
class Comparison:
    """A comparison of two sides, as far as it has been played."""

    kind: str
    players: int
    lines: list[Line]
    pairs: int = 0
    skipped: int = 0  # pairs in which a game did not finish

    def to_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "pairs": self.pairs,
            "skipped": self.skipped,
            "lines": [line.to_json() for line in self.lines],
        }


Figure = Callable[[Row], float | None]


def measures_of(players: int, measures: tuple[str, ...]) -> dict[str, tuple[Figure, bool]]:
    """The measures by name: a figure of a row, and whether it lies from 0 to 1."""
    found: dict[str, tuple[Figure, bool]] = {}
    for seat in range(players):
        found[of_player(WINS, seat)] = (partial(_share_of, seat), True)
    found["ties and games without a winner"] = (lambda row: float(len(row.winners) != 1), True)
    found["decisions"] = (lambda row: float(row.decisions), False)
    found["margin"] = (lambda row: row.margin, False)
    for text in measures:
        found[text] = (partial(_figure_of, text), False)
    return found


def _share_of(seat: int, row: Row) -> float:
    return row.share(seat)


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
    matched: bool = True,
) -> Iterator[Comparison]:
    """Two sets of rules; yields the comparison again and again while it grows.

    Without `matched` the games of B have other numbers than those of A.

    Raises RulesetError and UnknownAgent as `rows` does; ValueError if the sides have different numbers of
    players.
    """
    players, other = players_of(a), players_of(b)
    if players != other:
        raise ValueError(f"side A has {players} players, side B {other}: say --players")
    wanted = measures_of(players, tuple(dict.fromkeys((*a.watch.measures, *b.watch.measures))))
    error = (1 - confidence) / len(wanted)
    lines = {name: _line(name, -1.0, 1.0, 1 - error, bounded) for name, (_, bounded) in wanted.items()}
    found = Comparison("rules", players, list(lines.values()))
    shift = 0 if matched else games
    for numbers in chunks(games, CHUNK):
        mine = list(rows(a, numbers, jobs=jobs, should_stop=should_stop, of=games))
        theirs = list(
            rows(
                b,
                range(numbers.start + shift, numbers.stop + shift),
                jobs=jobs,
                should_stop=should_stop,
                of=games,
            )
        )
        for one, two in zip(mine, theirs, strict=False):
            if one.status != "finished" or two.status != "finished":
                found.skipped += 1
                continue
            found.pairs += 1
            for name, (figure, _) in wanted.items():
                x, y = figure(one), figure(two)
                if x is not None and y is not None:
                    lines[name].add(x, y)
                    first = of_player(name, 0)
                    if first in one.figures:
                        lines[name].name = first
        found.lines = [line for line in lines.values() if line.a.n]
        yield found
        if should_stop():
            return


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
) -> Iterator[Comparison]:
    """A bot B among bots A, in every seat in turn; yields the comparison again and again while it grows.

    Raises what `rows` does.
    """
    players = players_of(run.with_bots((a,)))
    turns = [
        run.with_bots(tuple(b if seat == place else a for seat in range(players))) for place in range(players)
    ]
    pays = has_payments(run.source)
    confidence = 1 - (1 - confidence) / (2 if pays else 1)
    line = _line(
        "share of the wins of B, less that of an equal", -1 / players, 1 - 1 / players, confidence, True
    )
    paid = _line("paid to B, less what all are paid on average", 0, 0, confidence, False)
    found = Comparison("bots", players, [paid, line] if pays else [line])
    for numbers in chunks(games, max(1, CHUNK // players)):
        played = [
            list(rows(turn, numbers, jobs=jobs, should_stop=should_stop, of=games * players))
            for turn in turns
        ]
        for together in zip(*played, strict=False):
            if any(row.status != "finished" for row in together):
                found.skipped += 1
                continue
            found.pairs += 1
            line.add(1 / players, sum(row.part(seat, players) for seat, row in enumerate(together)) / players)
            paid.add(
                sum(sum(row.returns) for row in together) / players**2,
                sum(row.returns[seat] for seat, row in enumerate(together)) / players,
            )
        yield found
        if should_stop():
            return


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


def _line(name: str, low: float, high: float, confidence: float, bounded: bool) -> Line:
    return Line(
        name,
        BoundedSequence(low, high, confidence) if bounded else NormalSequence(confidence),
        NormalSequence(confidence),
    )


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
        last = deque(
            compare_rules(run, other, games, jobs=jobs, should_stop=should_stop, confidence=confidence),
            maxlen=1,
        )
        if not last or (should_stop() and not last[0].pairs):
            return
        yield name, last[0]
        if should_stop():
            return


__all__ = ["Comparison", "Line", "compare_bots", "compare_rules", "compare_variants", "measures_of"]
