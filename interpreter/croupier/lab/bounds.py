"""The bounds of measures: what the rules say that the figures of a game can be, before any is played.

    decisions    from 0 to the limit of decisions of the ruleset (`limits:`)
    margin       from what players are ranked or paid by: how far two of these can lie apart
    paid         from the types of what the rules pay (`finish pay`)
    an expression from its type, and from those of the numbers that it adds, subtracts and multiplies

A type of numbers holds in every game: whatever would leave it is a fault, and games with faults do not count.
Somebody who knows more may declare narrower bounds, or some where the rules say none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from croupier.kernel import types as t
from croupier.kernel.tree import FinishStmt, MapCompExpr, TypedExpr
from croupier.lab.workers import RunConfig, load_ruleset
from croupier.play.measure import Measure
from croupier.semantics.ranges import Ranges
from croupier.semantics.ranking import first_key
from croupier.semantics.walk import bodies

DECISIONS, MARGIN, PAID = "decisions", "margin", "paid"
_DECLARED = re.compile(r"(.+?)\s*=\s*(-?\d+)\s*\.\.\s*(-?\d+)", re.DOTALL)


@dataclass(frozen=True)
class Bounds:
    """The least and the greatest value of a figure."""

    low: float
    high: float

    def differences(self, other: Bounds) -> Bounds:
        """Return the bounds of a figure of these less a figure of the others."""
        return Bounds(self.low - other.high, self.high - other.low)


SHARE = Bounds(0.0, 1.0)


def declared_bounds(text: str) -> tuple[str, Bounds]:
    """Return the measure and the bounds that `decisions=0..40` means. Raises ValueError with words."""
    found = _DECLARED.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"`{text}` is no measure with bounds: write `decisions=0..40`")
    low, high = int(found[2]), int(found[3])
    if low >= high:
        raise ValueError(f"`{text}` has no room between its bounds: write the lower one first")
    return found[1], Bounds(low, high)


def bounds_of(run: RunConfig) -> Mapping[str, Bounds]:
    """Return the bounds of `decisions`, `margin`, `paid` and the expressions that a run measures, by name.

    What is not bounded is left out. Raises RulesetError for an impossible set-up or measure.
    """
    engine = load_ruleset(run.source).engine(run.setup.players, run.setup.parameters)
    program = engine.game.program
    ranges = Ranges(program)
    found = {DECISIONS: Bounds(0, program.limits["decisions"])}
    scores = _hull(_results(ranges, "rank", "pay"))
    if scores is not None:
        found[MARGIN] = Bounds(0, scores.high - scores.low)
    paid = _hull(_results(ranges, "pay"))
    if paid is not None:
        found[PAID] = paid
    for text in run.watch.measures:
        bounds = _of_expression(ranges, Measure(engine, text).tree)
        if bounds is not None:
            found[text] = bounds
    return found


def _of_expression(ranges: Ranges, x: TypedExpr) -> Bounds | None:
    """Return the bounds of a number, or of true and false; `None` if it lacks one."""
    if isinstance(x.type, t.Bool):
        return SHARE
    found = ranges.interval(x, {})
    return None if found.low is None or found.high is None else Bounds(found.low, found.high)


def _results(ranges: Ranges, *kinds: str) -> Iterator[Bounds | None]:
    """Yield the bounds of what players are ranked or paid by at each end of the game."""
    for _, statement in bodies(ranges.program):
        if isinstance(statement, FinishStmt) and statement.result in kinds and statement.values:
            yield _of_values(ranges, first_key(statement.args[0]))


def _of_values(ranges: Ranges, x: TypedExpr) -> Bounds | None:
    """Return the bounds of the values of a map; 0 is among them, for players that it leaves out."""
    kind = x.type.value if isinstance(x.type, t.Map) else None
    if not isinstance(kind, t.Int):
        return None
    known = ranges.interval(x.args[-1], {}) if isinstance(x, MapCompExpr) else t.INT
    low = known.low if kind.low is None else kind.low
    high = known.high if kind.high is None else kind.high
    return None if low is None or high is None else Bounds(min(low, 0), max(high, 0))


def _hull(found: Iterator[Bounds | None]) -> Bounds | None:
    """Return the bounds of all; `None` if there are none, or one has none."""
    every = list(found)
    known = [one for one in every if one is not None]
    if not known or len(known) < len(every):
        return None
    return Bounds(min(one.low for one in known), max(one.high for one in known))
