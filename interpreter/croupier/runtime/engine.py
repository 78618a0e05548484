"""What plays a game: its compiled rules, and what packages above the evaluator keep of it.

A game never changes. Its engine is made once, and belongs to all states of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from croupier.runtime.compiled_rules import CompiledRules
from croupier.runtime.game import Game
from croupier.runtime.trace import Trace

T = TypeVar("T")


class Engine:
    """What plays one game. With a `trace` its rules count what they execute."""

    def __init__(self, game: Game, trace: Trace | None = None) -> None:
        self.game, self.trace = game, trace
        self.rules = CompiledRules(game, trace=trace)
        self._kept: dict[object, object] = {}

    def kept(self, make: Callable[[Engine], T]) -> T:
        """Return what a package above keeps of this game: `make(engine)`, made when first asked for."""
        found = self._kept.get(make)
        if found is None:
            found = self._kept.setdefault(make, make(self))
        return cast(T, found)
