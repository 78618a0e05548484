"""Where a tree search begins: a value that native code and the other back ends share."""

from __future__ import annotations

from croupier.records import dataclass
from croupier.runtime.streams import LARGEST_SEED


@dataclass(frozen=True, slots=True)
class SearchStart:
    """The seat that searches, from 0; the seed of its draws; the number of the first round, from 1; after how
    many decisions play-outs are cut (0: they are played to the end); the actions that each round tries one
    after the other, with the same draws for all, each with a play-out behind it (none: a round tries the one
    that the tree selects).
    """

    seat: int
    seed: int
    first: int = 1
    horizon: int = 0
    each: tuple[int, ...] = ()

    @property
    def seeds(self) -> tuple[int, int]:
        """The seeds of the draws in the tree, and of the play-outs behind it."""
        return self.seed, self.seed + 1 if self.seed < LARGEST_SEED else 0
