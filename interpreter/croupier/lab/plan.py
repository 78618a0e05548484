"""How many games a comparison needs, and how long they take, before it is made.

A few games come first, of the same sides and with the same bots (`pilot`): how much differences vary, and how
long a pair takes, follows from them. The difference that is to be found is given: as a part of 1 of shares of
games, of any other measure as that part of its mean on side A.

    planned   n = (a sqrt(v + d²) + b sqrt(v))² / d² pairs, with d the difference, v the variance of the
              differences, a and b the normal quantiles of the error, divided by the number of measures, and
              of `POWER`; for shares this is R. J. Connor, Biometrics 43, 1987
    watched   the pairs until the confidence sequence leaves 0, if differences vary as they did and have the
              mean d

The wins of a bot vary at least as much as those of one that is little better than its equals: one that wins
all games before the plan would seem to need next to none.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil, comb, sqrt
from statistics import NormalDist

from croupier.diagnostics import JsonObject
from croupier.lab.compare import Comparison, Line
from croupier.lab.names import for_programs
from croupier.lab.planned import EFFECTIVE
from croupier.lab.sequences import numbers_to_show

POWER = 0.8  # the chance that a planned comparison finds a difference of the size that was planned for
SECONDS = 10.0  # that the games before the plan take, and one pair more
PAIRS = 400  # that are played before the plan at most
_SURELY = 4 / 3  # of the pairs without which a mean is not tested
_FINE = 1_000_000  # by which numbers are counted whose parts are known


@dataclass(frozen=True)
class PlannedLine:
    """How many pairs of games show a difference of one measure.

    `None` where the games before the plan do not tell.
    """

    name: str
    is_share: bool
    difference: float | None
    planned: int | None
    watched: int | None

    def to_json(self) -> JsonObject:
        return {
            "measure": for_programs(self.name),
            "difference": None if self.difference is None else round(self.difference, 6),
            "planned": self.planned,
            "watched": self.watched,
        }


@dataclass(frozen=True)
class Plan:
    """How many pairs of games a comparison needs, by measure, and how many seconds a pair takes."""

    part: float
    lines: tuple[PlannedLine, ...]
    pairs: int  # that were played before
    seconds: float  # that a pair takes

    def to_json(self) -> JsonObject:
        return {
            "part": self.part,
            "power": POWER,
            "pairs_before": self.pairs,
            "lines": [line.to_json() for line in self.lines],
            "seconds_a_pair": float(f"{self.seconds:.3g}"),
        }


def pilot(
    looks: Iterator[Comparison], clock: Callable[[], float] = time.monotonic
) -> tuple[Comparison | None, float]:
    """Play some games of a comparison that is watched; return it, and how many seconds a pair takes.

    Where it goes on after the first look, what came before it does not count: compilers and processes start.
    `None` if nothing was played.
    """
    started, last = clock(), None
    first: tuple[int, float] | None = None
    for last in looks:
        now, played = clock(), last.pairs + last.skipped
        if first is None:
            first = played, now
        if now - started >= SECONDS or played >= PAIRS:
            break
    if last is None or first is None or not last.pairs:
        return last, 0.0
    now, played = clock(), last.pairs + last.skipped
    if played == first[0]:
        return last, (now - started) / played
    return last, (now - first[1]) / (played - first[0])


def planned_lines(found: Comparison, part: float) -> tuple[PlannedLine, ...]:
    """Return how many pairs show a difference of each measure, by the games that were played."""
    error = min(1 - line.confidence for line in found.lines)
    return tuple(_planned_line(line, part, error) for line in found.lines)


def _planned_line(line: Line, part: float, error: float) -> PlannedLine:
    difference = part if line.is_share else part * abs(line.a.mean)
    differences, n = line.differences, line.a.n
    if not difference or n < 2:
        return PlannedLine(line.name, line.is_share, None, None, None)
    mean = sum(x * times for x, times in differences.items()) / n
    squares = [((x - mean) ** 2, times) for x, times in differences.items()]
    variance = sum(square * times for square, times in squares) / (n - 1)
    shifted: Counter[float] = _shifted(line, difference - mean)
    if line.is_share:
        rarest = _pair_of_shares(line, difference) if line.is_of_pairs else _turn(line, difference)
        least = sum(x * x * times for x, times in rarest.items()) / rarest.total() - difference**2
        if line.is_of_pairs or least > variance:
            shifted, variance = rarest, least
    if not variance:
        return PlannedLine(line.name, line.is_share, difference, None, None)
    planned = pairs_for(difference, variance, error)
    if not line.is_share:
        kurtosis = n * sum(square**2 * t for square, t in squares) / sum(s * t for s, t in squares) ** 2
        planned = max(planned, ceil(_SURELY * EFFECTIVE * kurtosis))
    watched = None
    if line.bounds is not None:
        confidence = line.confidence_of_each
        total = numbers_to_show(shifted, line.bounds.low, line.bounds.high, confidence)
        watched = None if total is None else ceil(total)
    return PlannedLine(line.name, line.is_share, difference, planned, watched)


def _pair_of_shares(line: Line, difference: float) -> Counter[float]:
    """Return differences of two shares whose mean is `difference`, with as many pairs that differ as there
    were, and one more, because what never happened may happen.
    """
    differ = (sum(times for x, times in line.differences.items() if x) + 1) / (line.a.n + 2)
    differ = max(difference, differ)
    return Counter(
        {
            1.0: round(_FINE * (differ + difference) / 2),
            -1.0: round(_FINE * (differ - difference) / 2),
            0.0: round(_FINE * (1 - differ)),
        }
    )


def _turn(line: Line, difference: float) -> Counter[float]:
    """Return what a bot wins of turns, less what an equal wins, if it wins each game with a chance that is
    larger by `difference`, whatever it won in the others.
    """
    equal = line.a.mean
    games = round(1 / equal)
    chance = min(1.0, equal + difference)
    return Counter(
        {
            won / games - equal: round(_FINE * comb(games, won) * chance**won * (1 - chance) ** (games - won))
            for won in range(games + 1)
        }
    )


def _shifted(line: Line, by: float) -> Counter[float]:
    """Return the differences of a measure moved by a number, within their bounds."""
    found = Counter[float]()
    for x, times in line.differences.items():
        moved = x + by
        if line.bounds is not None:
            moved = min(max(moved, line.bounds.low), line.bounds.high)
        found[moved] += times
    return found


def pairs_for(difference: float, variance: float, error: float) -> int:
    """Return how many pairs find a mean `difference` with the chance `POWER`, by a test with such an error,
    if differences vary by `variance`.
    """
    normal = NormalDist()
    missed, found = normal.inv_cdf(1 - error / 2), normal.inv_cdf(POWER)
    root = missed * sqrt(variance + difference**2) + found * sqrt(variance)
    return ceil((root / difference) ** 2)
