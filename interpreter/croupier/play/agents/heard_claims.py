"""The claims that a seat has heard, as values of the rule language.

A policy reads a claim by its name: `claim[p][a][b]` is true if `p` has made it with the values `a` and `b` of
its fields. In come a state and a seat, out come such maps, as the evaluator holds them: nested tuples with an
entry for each key. Who made a claim in a `secretly`, was heard by its players alone (`runtime/recorder.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.kernel.types import PLAYER, Type
from croupier.runtime.events import Deed, MadeClaim

if TYPE_CHECKING:
    from croupier.runtime.game import Game, Value
    from croupier.runtime.state import State
    from croupier.semantics.program import ClaimDef

Row = tuple["Value", ...]  # who made a claim, and the values of its fields


class HeardClaims:
    """What a seat has heard up to a state."""

    def __init__(self, state: State, seat: int) -> None:
        self._game = state.game
        self._rows: dict[str, list[Row]] = {}
        for event in state.events(seat):
            match event.shape:
                case Deed(seat=by, claim=MadeClaim(name, values)):
                    self._rows.setdefault(name, []).append((by, *values))
        self._maps: dict[str, Value] = {}

    def of(self, claim: ClaimDef) -> Value:
        """The map of a claim: whether it was made, by who made it and the values of its fields."""
        if claim.name not in self._maps:
            kinds = (PLAYER, *(kind for _, kind in claim.fields))
            self._maps[claim.name] = _map(self._game, kinds, self._rows.get(claim.name, ()))
        return self._maps[claim.name]


def _map(game: Game, kinds: Sequence[Type], rows: Sequence[Row]) -> Value:
    """A map by keys of these types that is true for each of the rows."""
    if not kinds:
        return bool(rows)
    first, count = game.domain(kinds[0])
    unsaid = _map(game, kinds[1:], ())
    under: dict[int, list[Row]] = {}
    for row in rows:
        under.setdefault(int(row[0]) - first, []).append(row[1:])
    return tuple(_map(game, kinds[1:], under[i]) if i in under else unsaid for i in range(count))
