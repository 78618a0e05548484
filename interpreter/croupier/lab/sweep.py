"""A parameter over its values: how a measure follows it, and where it meets a target.

Each value of a parameter (or each combination of several) plays the same games, with the same seeds. A share
has Wilson's interval, anything else the normal one; the ribbon that they make is of one point at a time.
Where one parameter is swept and a target given, the crossing is where the straight line between two
neighbouring estimates meets it, and the values whose intervals hold the target are named with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product

from croupier.diagnostics import JsonObject
from croupier.lab.compare import WINS, measures_of
from croupier.lab.names import for_programs, of_player
from croupier.lab.rows import Row
from croupier.lab.statistics import Estimate, mean, share
from croupier.lab.workers import RunConfig, players_of, rows, with_shared_pool
from croupier.limits import MAX_PLAYERS
from croupier.play.match import never

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
    """One combination of values, as they are typed, and what it gives."""

    values: tuple[str, ...]
    estimate: Estimate
    games: int = 0

    def to_json(self) -> JsonObject:
        return {"values": list(self.values), "games": self.games, **self.estimate.to_json()}


@dataclass
class Sweep:
    """The points so far, in order."""

    names: tuple[str, ...]
    measure: str
    target: Target | None = None
    points: list[Point] = field(default_factory=list)
    is_share: bool = False  # is the measure a share of games?

    @property
    def crossings(self) -> list[float]:
        """The places where the line between neighbouring points meets the target.

        The list is empty if values are no numbers, or several parameters are swept.
        """
        try:
            places = [float(point.values[0]) for point in self.points]
        except ValueError:
            return []
        if self.target is None or len(self.names) != 1:
            return []
        aim, found = self.target.value, []
        heights = [point.estimate.value - aim for point in self.points]
        for (x, y), (u, v) in zip(
            zip(places, heights, strict=True), zip(places[1:], heights[1:], strict=True), strict=False
        ):
            if y == 0:
                found.append(x)
            elif y * v < 0:
                found.append(x + (u - x) * y / (y - v))
        return [*found, *(places[-1:] if heights and heights[-1] == 0 else [])]

    @property
    def fitting(self) -> list[Point]:
        """The points whose intervals hold the target."""
        aim = self.target
        if aim is None:
            return []
        return [point for point in self.points if point.estimate.low <= aim.value <= point.estimate.high]

    @property
    def is_met(self) -> bool:
        """True if a value meets the target, as far as this tells. Without a target there is nothing to
        meet.
        """
        return self.target is None or bool(self.crossings or self.fitting)

    def to_json(self) -> JsonObject:
        if self.target is None:
            target = None
        else:
            target = {"measure": for_programs(self.target.measure), "value": self.target.value}
        return {
            "swept": list(self.names),
            "measure": for_programs(self.measure),
            "target": target,
            "points": [point.to_json() for point in self.points],
            "crossings": [round(x, 4) for x in self.crossings],
            "fitting": [list(point.values) for point in self.fitting],
        }


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
    for values in product(*grid.values()):
        setup = replace(
            run.setup, parameters={**run.setup.parameters, **dict(zip(grid, values, strict=True))}
        )
        here = replace(run, setup=setup)
        wanted = measures_of(players_of(here), run.watch.measures)
        if measure not in wanted:
            raise ValueError(
                f"there is no measure `{measure}`; there are {', '.join(f'`{name}`' for name in wanted)}"
            )
        figure, found.is_share = wanted[measure]
        played = [
            row
            for row in rows(here, range(1, games + 1), jobs=jobs, should_stop=should_stop)
            if row.status == "finished"
        ]
        if should_stop() and not played:
            return
        found.points.append(Point(values, _estimate(played, figure, found.is_share), len(played)))
        yield found
        if should_stop():
            return


def _estimate(played: list[Row], figure: Callable[[Row], float | None], is_share: bool) -> Estimate:
    values = [value for value in map(figure, played) if value is not None]
    return share(sum(values), len(values)) if is_share else mean(values)


__all__ = ["Point", "Sweep", "Target", "built_in", "sweep", "target_of", "values_of"]
