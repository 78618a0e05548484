"""How long a bot searches at each decision: a number of rounds, or a time by the clock.

`100` is a number of rounds, `200ms` and `1.5s` are times. A search by the clock plays rounds in batches, each
up to twice as large as the one before and no larger than what seems to fit in the time that is left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from croupier.core.search_tree import MOST_ROUNDS
from croupier.records import dataclass

Clock = Callable[[], float]
"""Tells the time in seconds, from any beginning, as `time.monotonic` does."""

MOST_SECONDS = 3_600
TIME = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Budget:
    """A number of rounds, or a time in seconds, which is 0 if rounds are counted."""

    text: str
    rounds: int
    seconds: float = 0.0

    @classmethod
    def of(cls, text: str) -> Budget:
        """The budget that a specification means. Raises ValueError with words."""
        if text.isascii() and text.isdecimal() and 1 <= int(text) <= MOST_ROUNDS:
            return cls(str(int(text)), int(text))
        found = TIME.fullmatch(text)
        if found is not None:
            seconds = float(found[1]) / (1_000 if found[2] == "ms" else 1)
            if 0.001 <= seconds <= MOST_SECONDS:
                return cls(text, MOST_ROUNDS, seconds)
        raise ValueError(
            f"wants a number of roll-outs from 1 to {MOST_ROUNDS}, or a time from 1ms to {MOST_SECONDS}s, as "
            f"in `:100` or `:200ms`, not `{text}`"
        )

    @property
    def is_timed(self) -> bool:
        """Tell whether it is a time: then how many rounds are played is not known before."""
        return self.seconds > 0

    def batches(self, clock: Clock, begun: float) -> Iterator[int]:
        """How many rounds to play before the clock is looked at again, until the budget is used up; of a
        search that has begun at this time. At least one round is played, and `MOST_ROUNDS` at most.
        """
        if not self.is_timed:
            yield self.rounds
            return
        played, batch, end = 0, 1, begun + self.seconds
        while True:
            yield batch
            played += batch
            now = clock()
            if now >= end or played >= self.rounds:
                return
            took = now - begun
            fitting = int(played * (end - now) / took) if took > 0 else 2 * batch
            batch = max(1, min(2 * batch, fitting, self.rounds - played))
