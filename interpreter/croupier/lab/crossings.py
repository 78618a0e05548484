"""Where a curve passes a target: between which of its points.

In come the values of a parameter that were played, each with the estimate of a measure; out come crossings.
Nothing is said of what lies between two values that were played: many parameters are whole numbers, and a
line between two points is drawn, not measured.

A crossing lies between two values at which the measure surely lies on different sides of the target: the
interval at one of them lies wholly below it, at the other wholly above. Intervals are taken at a confidence
that holds for all points of the curve at once (Bonferroni), so it holds for all crossings at once, too,
whatever the shape of the curve. It is the set of values at which a test does not reject the target, made from
the outside: inverse estimation by inverted tests, as by E. C. Fieller, "Some problems in interval
estimation", JRSS B 16, 1954.

A measure that is the same in every game has no interval (`statistics.mean`). A crossing beside such a value
is told of the games that were played, without a confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from croupier.lab.statistics import FEWEST, Estimate
from croupier.play.statistics import CONFIDENCE


@dataclass(frozen=True)
class Crossing:
    """Two points of a curve, by their positions, between which it passes the target.

    `confidence` is that of all crossings at once; `None` if at one end every game gave the same. `method` is
    that of the intervals of both ends.
    """

    first: int
    last: int
    rises: bool
    confidence: float | None
    method: str


def crossings(places: Sequence[float], estimates: Sequence[Estimate], target: float) -> list[Crossing]:
    """Return the crossings of a curve, from the lowest place on.

    The intervals of `estimates` hold together with 95 %. Points of which nothing is known count for nothing.
    """
    ordered = sorted(range(len(places)), key=lambda at: places[at])
    sided = [(at, side) for at in ordered if (side := _side(estimates[at], target))]
    return [
        _crossing(one, two, up > 0, (estimates[one], estimates[two]))
        for (one, down), (two, up) in pairwise(sided)
        if down != up
    ]


def _side(found: Estimate, target: float) -> int:
    """-1 if the measure surely lies below the target, 1 if above, 0 if that is not known."""
    if is_constant(found):
        return int(found.value > target) - int(found.value < target)
    if not found.is_known:
        return 0
    return int(found.low > target) - int(found.high < target)


def _crossing(first: int, last: int, rises: bool, ends: tuple[Estimate, Estimate]) -> Crossing:
    sure = None if any(map(is_constant, ends)) else CONFIDENCE
    methods = dict.fromkeys("the same in every game" if is_constant(end) else end.method for end in ends)
    return Crossing(first, last, rises, sure, ", ".join(methods))


def is_constant(found: Estimate) -> bool:
    """Return whether a figure was the same in every game, of which there were enough to say so."""
    return found.is_of_equals and found.n >= FEWEST


def holds(found: Estimate, target: float) -> bool:
    """Return whether a figure may be the target: its interval holds it, or it was the target in every game.

    Nothing that is not known holds anything.
    """
    if is_constant(found):
        return found.value == target
    return found.is_known and found.low <= target <= found.high
