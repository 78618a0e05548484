"""Games that compiled code left to compiled Python or the evaluator: how many there are, and a line that says
why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from croupier.diagnostics import sanitise
from croupier.execution.bailouts import describe, find_reason
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.results import GameResult
from croupier.runtime.state import State

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset

MANY = 0.1  # the part of the games that may be left before it is worth a line
NATIVE_ONLY = (
    "native code has no room for the calls within calls or for the options of an action, of which it "
    "holds 16,384; `--backend python` plays without"
    " that attempt"
)
FAULTY = "they end in a fault or at a limit, which the evaluator words"


@dataclass(slots=True)
class LeftGames:
    """Counts games that one back end left to another."""

    backend: str  # in words
    tried: int = 0
    left: int = 0
    finished: int = 0  # of those left: had no fault, and no limit of the ruleset ended them
    first: int | None = None  # number of the first of these
    compiled: int = 0  # of those left: played by compiled Python alone

    def count(self, played: int) -> None:
        """Count games that compiled code played alone."""
        self.tried += played

    def add(self, game: GameResult, compiled: bool = False) -> None:
        """Count a game that was left. `compiled`: compiled Python has played it alone."""
        self.tried, self.left, self.compiled = self.tried + 1, self.left + 1, self.compiled + compiled
        if game.status == "finished":
            self.finished += 1
            self.first = game.game if self.first is None else min(self.first, game.game)

    @property
    def are_many(self) -> bool:
        """Tell whether so many games were left that compiled code is of little use."""
        return self.left > MANY * self.tried

    def note(self, ruleset: Ruleset, setup: MatchConfig) -> str:
        """A line that says how many games were left, and what the first of them used up, with the rule and
        its line.
        """
        how_many = f"{self.backend} left {self.left} of {self.tried} games to {self._stand_in}"
        return sanitise(f"{how_many}: {self._reason(ruleset, setup)}")

    @property
    def _stand_in(self) -> str:
        """Return the words for what has played the games that were left."""
        if self.compiled == 0:
            return "the evaluator, which plays the same games more slowly"
        if self.compiled == self.left:
            return "compiled Python, which plays the same games more slowly"
        return "compiled Python and the evaluator, which play the same games more slowly"

    def _reason(self, ruleset: Ruleset, setup: MatchConfig) -> str:
        if self.first is None:
            return FAULTY
        initial = replace(setup, backend="reference").initial_state(ruleset)
        match = GameMatch(ruleset, setup, self.first, initial=initial, light=True)
        match.play()
        found = find_reason(initial.game, match.state.history)
        return NATIVE_ONLY if found is None else describe(found, initial.game.program.limits["fuel"])


def counted(left: LeftGames | None, games: Iterable[GameResult]) -> Iterator[GameResult]:
    """The same games; `left`, if there is one, counts them."""
    for game in games:
        if left is not None and game.left_to_evaluator:
            left.add(game)
        elif left is not None:
            left.count(1)
        yield game


def left_by_python(initial: State) -> LeftGames | None:
    """Return a count for games that compiled Python plays; `None` if the evaluator plays them."""
    return (
        LeftGames("compiled Python") if isinstance(initial, State) and initial.backend == "python" else None
    )
