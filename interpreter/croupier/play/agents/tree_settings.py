"""What follows the name of a bot that searches a tree: `1000`, `200ms:reuse`, `1000:puct:urgency=0.4`.

N or TIME    how long it searches at each decision (`budget.py`)
puct         select by PUCT with the same prior for every option, in place of UCB1
urgency=W    what an option counts as that was not tried yet, a worth from 0 to 10; without it, UCB1 tries
             every option before any other twice, and PUCT takes the mean of those that were tried
reuse        begin with what the search before found behind the moves that were made since
"""

from __future__ import annotations

import re

from croupier.core.search_tree import LIKE_OTHERS, ONE, PUCT, TRIED_FIRST, UCB1
from croupier.execution.search import new_tree
from croupier.play.agents.budget import Budget
from croupier.records import dataclass

WORTH = re.compile(r"urgency=([0-9]+(?:\.[0-9]+)?)", re.ASCII)
LARGEST_WORTH = 10


@dataclass(frozen=True, slots=True)
class TreeSettings:
    """The budget of a search; how it selects; whether it keeps what the search before found."""

    budget: Budget
    is_puct: bool = False
    urgency: str = ""
    reuses: bool = False

    @classmethod
    def of(cls, text: str) -> TreeSettings:
        """The settings that a specification means. Raises ValueError with words."""
        length, *options = text.split(":")
        budget = Budget.of(length)
        is_puct = reuses = False
        urgency = ""
        for option in options:
            worth = WORTH.fullmatch(option)
            if option == "puct" and not is_puct:
                is_puct = True
            elif option == "reuse" and not reuses:
                reuses = True
            elif worth is not None and not urgency and float(worth[1]) <= LARGEST_WORTH:
                urgency = worth[1]
            else:
                raise ValueError(
                    f"takes `puct`, `urgency=WORTH` (from 0 to {LARGEST_WORTH}) and `reuse` after its "
                    f"budget, each once, as in `:{budget.text}:puct`, not `{option}`"
                )
        return cls(budget, is_puct, urgency, reuses)

    @property
    def text(self) -> str:
        """The settings as they are written."""
        given = [self.budget.text]
        if self.is_puct:
            given.append("puct")
        if self.urgency:
            given.append(f"urgency={self.urgency}")
        if self.reuses:
            given.append("reuse")
        return ":".join(given)

    def new_tree(self, rounds: int) -> memoryview[int]:
        """An empty tree for so many rounds that is searched by these settings."""
        urgency = LIKE_OTHERS if self.is_puct else TRIED_FIRST
        if self.urgency:
            urgency = round(float(self.urgency) * ONE)
        return new_tree(rounds, PUCT if self.is_puct else UCB1, urgency)
