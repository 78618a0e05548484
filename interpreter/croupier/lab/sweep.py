"""A parameter over its values: how a measure follows it, and where it meets a target.

Each value of a parameter (or each combination of several) plays the same games, with the same seeds. A share
has Wilson's interval, anything else the normal one; the ribbon that they make is of one point at a time. An
expression of true and false is a share. Where a target is given, the values whose intervals hold it are
named; where one parameter is swept, also the values between which the measure passes it
(`lab/crossings.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from croupier.diagnostics import JsonObject
from croupier.lab.compare import WINS, measures_of
from croupier.lab.crossings import Crossing, crossings, holds, is_constant
from croupier.lab.names import for_programs, of_player
from croupier.lab.statistics import Estimate, mean, share
from croupier.lab.truths import truths_of
from croupier.lab.workers import RunConfig, players_of, rows
from croupier.limits import MAX_PLAYERS
from croupier.play.match import never
from croupier.play.processes import with_shared_pool
from croupier.play.statistics import CONFIDENCE

MAX_POINTS = 10_000
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?: by (\d+))?")
_TARGET = re.compile(r"(?:seat|player) (\d+) wins (\d+(?:\.\d+)?) ?%")
_OTHER = re.compile(r"(.+?) (?:= ?)?(-?\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Target:
    """A measure and the value that it should have. As text: `seat 1 wins 50 %`, `decisions 30`."""

    measure: str
    value: float


@dataclass(frozen=True)
class Point:
    """One combination of values, as they are typed, and what it gives.

    `wide` is the estimate with the interval that holds for all points at once. `games` finished; `skipped`
    did not, and are left out.
    """

    values: tuple[str, ...]
    estimate: Estimate
    wide: Estimate
    games: int = 0
    skipped: int = 0

    def to_json(self) -> JsonObject:
        return {
            "values": list(self.values),
            "games": self.games,
            "skipped": self.skipped,
            **self.estimate.to_json(),
        }


@dataclass
class Sweep:
    """The points so far, in order."""

    names: tuple[str, ...]
    measure: str
    target: Target | None = None
    points: list[Point] = field(default_factory=list)
    is_share: bool = False  # is the measure a share of games?

    @property
    def crossings(self) -> list[Crossing]:
        """The pairs of points between which the measure passes the target.

        The list is empty if values are no numbers, or several parameters are swept.
        """
        try:
            places = [float(point.values[0]) for point in self.points]
        except ValueError:
            return []
        if self.target is None or len(self.names) != 1:
            return []
        return crossings(places, [point.wide for point in self.points], self.target.value)

    def ends(self, crossing: Crossing) -> tuple[str, str]:
        """The values between which a crossing lies, as they are typed."""
        return self.points[crossing.first].values[0], self.points[crossing.last].values[0]

    def setting(self, point: Point) -> str:
        """The parameters of a point in words: `cards = 3, bids = shown`."""
        return ", ".join(f"{name} = {value}" for name, value in zip(self.names, point.values, strict=True))

    @property
    def fitting(self) -> list[Point]:
        """The points that may meet the target: their intervals hold it."""
        aim = self.target
        return [] if aim is None else [point for point in self.points if holds(point.estimate, aim.value)]

    @property
    def nearest(self) -> Point | None:
        """The point whose estimate is nearest to the target; `None` without one."""
        aim, told = self.target, [point for point in self.points if point.estimate.n]
        if aim is None or not told:
            return None
        return min(told, key=lambda point: abs(point.estimate.value - aim.value))

    @property
    def is_met(self) -> bool:
        """True if the interval of a value holds the target. Without a target there is nothing to meet."""
        return self.target is None or bool(self.fitting)

    def to_json(self) -> JsonObject:
        if self.target is None:
            target = None
        else:
            target = {"measure": for_programs(self.target.measure), "value": self.target.value}
        passes = [
            {
                "interval": list(self.ends(crossing)),
                "rises": crossing.rises,
                "confidence": crossing.confidence,
                "method": crossing.method,
            }
            for crossing in self.crossings
        ]
        return {
            "swept": list(self.names),
            "measure": for_programs(self.measure),
            "target": target,
            "points": [point.to_json() for point in self.points],
            "crossings": passes,
            "fitting": [list(point.values) for point in self.fitting],
        }


def target_words(found: Sweep, show: Callable[[float], str], *, is_whole: bool) -> Iterator[str]:
    """Yield in words what a sweep says of its target: between which values the measure passes it, of which
    values nothing is known, and which may meet it; if the sweep `is_whole`, that none does, too.

    `show` gives the text of a value of the measure.
    """
    if found.target is None:
        return
    aim = show(found.target.value)
    for crossing in found.crossings:
        first, last = found.ends(crossing)
        if crossing.confidence is None:
            sure = "in these games: what is the same in every game has no interval"
        else:
            sure = f"{crossing.confidence:.0%}, intervals {crossing.method}, all values at once"
        way = "rises above" if crossing.rises else "falls below"
        yield f"{found.measure} {way} {aim} between {found.names[0]} = {first} and {last} ({sure})"
    unknown = [
        point for point in found.points if not (point.estimate.is_known or is_constant(point.estimate))
    ]
    if unknown:
        yield f"nothing known yet of {_listed(unknown)}: too few games, or too skewed for so few"
    if found.fitting or not is_whole:
        yield f"values whose interval holds {aim}: {_listed(found.fitting) or 'none so far'}"
        return
    nearest = ""
    if found.nearest is not None:
        nearest = f": nearest is {found.setting(found.nearest)}, with {show(found.nearest.estimate.value)}"
    yield f"no value is known to meet {aim}{nearest}"


def _listed(points: Sequence[Point]) -> str:
    return "; ".join(", ".join(point.values) for point in points)


def values_of(text: str) -> list[str]:
    """The values of `2..11`, `2..20 by 3` or `low,middle,high`, as they are typed.

    Raises ValueError with words.
    """
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        return [value.strip() for value in text.split(",") if value.strip()]
    low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
    if low > high or step < 1:
        raise ValueError(
            f"`{text}` is no range of values: write the lower one first, as in `2..11` or `2..20 by 3`"
        )
    if (high - low) // step >= MAX_POINTS:
        raise ValueError(f"`{text}` has more than {MAX_POINTS:,} values: write `{low}..{high} by N`")
    return [str(value) for value in range(low, high + 1, step)]


def target_of(text: str) -> Target:
    """The target that `seat 1 wins 50 %` or `decisions 30` means. Raises ValueError with words."""
    found = _TARGET.fullmatch(text.strip())
    if found is not None:
        return Target(of_player(WINS, int(found[1]) - 1), float(found[2]) / 100)
    other = _OTHER.fullmatch(text.strip())
    if other is None:
        raise ValueError(f"`{text}` is no target: write `seat 1 wins 50 %` or `decisions 30`")
    return Target(other[1], float(other[2]))


def built_in(text: str) -> str | None:
    """A measure that needs no expression, as somebody types its name; `None` if there is none."""
    return next((name for name in measures_of(MAX_PLAYERS, ()) if name == text), None)


@with_shared_pool
def sweep(
    run: RunConfig,
    grid: dict[str, list[str]],
    measure: str,
    games: int,
    *,
    target: Target | None = None,
    jobs: int | None = None,
    should_stop: Callable[[], bool] = never,
) -> Iterator[Sweep]:
    """The sweep, again and again while it grows.

    Raises what `rows` does, ValueError for a measure that there is not.
    """
    found = Sweep(tuple(grid), measure, target)
    combinations = list(product(*grid.values()))
    confidence = 1 - (1 - CONFIDENCE) / len(combinations)  # of each point, so that all hold at once
    for values in combinations:
        setup = replace(
            run.setup, parameters={**run.setup.parameters, **dict(zip(grid, values, strict=True))}
        )
        here = replace(run, setup=setup)
        wanted = measures_of(players_of(here), run.watch.measures)
        if measure not in wanted:
            raise ValueError(
                f"there is no measure `{measure}`; there are {', '.join(f'`{name}`' for name in wanted)}"
            )
        figure, is_bounded = wanted[measure]
        found.is_share = is_bounded or measure in truths_of(here)
        played = list(rows(here, range(1, games + 1), jobs=jobs, should_stop=should_stop))
        if should_stop() and not played:
            return
        finished = [row for row in played if row.status == "finished"]
        figures = [value for row in finished if (value := figure(row)) is not None]
        here_alone = _estimate(figures, found.is_share, CONFIDENCE)
        with_all = _estimate(figures, found.is_share, confidence)
        found.points.append(Point(values, here_alone, with_all, len(finished), len(played) - len(finished)))
        yield found
        if should_stop():
            return


def _estimate(values: list[float], is_share: bool, confidence: float) -> Estimate:
    return share(sum(values), len(values), confidence) if is_share else mean(values, confidence)
