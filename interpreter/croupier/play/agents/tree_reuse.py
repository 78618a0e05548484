"""What a search keeps of the search before, in one game: the part of its tree behind the moves made since.

The way from one root to the next is what was applied in between. Where the bot looks at nothing but what its
seat knows, the way is read off states that the seat cannot tell from the true one, and only if all of those
that were looked at (`LOOKED_AT`) went the same way: where something on the way was hidden from the seat, they
do not agree, and nothing is kept. The true history is never looked at then.

A tree is bounded: what would be more than MOST_KEPT times the rounds of a search is thrown away as a whole,
and so is a tree in which as many play-outs were counted as no sum may exceed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.core.search_tree import CHANCE_STEP, MOST_ROUNDS, ROOT_FIRST, ROOT_SECOND, SCORED
from croupier.execution.search import find_branch, keep_branches, next_keys, root_keys
from croupier.play.agents.tree_settings import TreeSettings

if TYPE_CHECKING:
    from croupier.runtime.event_cache import Entry
    from croupier.runtime.state import State

LOOKED_AT = 8  # possible states
MOST_KEPT = 3  # times the rounds of a search


class KeptTree:
    """The tree of a search, for the next one of the same seat. A copy of it is empty."""

    def __init__(self, settings: TreeSettings) -> None:
        self._settings = settings
        self._tree: memoryview[int] | None = None
        self._steps = 0  # the length of the history at its root
        self._branches = 0

    def __deepcopy__(self, memo: dict[int, object]) -> KeptTree:
        return KeptTree(self._settings)

    def hold(self, tree: memoryview[int], state: State, branches: int) -> None:
        """Keep a tree that was searched from a state; it has so many branches at most."""
        self._tree, self._steps, self._branches = tree, len(state._history), branches

    def following(self, state: State, seat: int, possible: Sequence[State]) -> tuple[memoryview[int], int]:
        """The tree that a search from a state begins with, and how many branches it has: what was held below
        the moves made since, or an empty tree. `possible`: states that tell which moves these were.
        """
        tree, self._tree = self._tree, None
        steps = len(state._history) - self._steps
        ways = [one._history[len(one._history) - steps :] for one in possible]
        is_known = tree is not None and steps > 0 and all(way == ways[0] for way in ways)
        if tree is None or not is_known or tree[SCORED] + self._settings.budget.rounds > MOST_ROUNDS:
            return self._settings.new_tree(1), 0
        keys, last = root_keys(tree), 0
        for step in _in_order(ways[0], seat):
            is_chance = isinstance(step, tuple)
            action = step if isinstance(step, int) else step[-1]
            keys = next_keys(keys, action + CHANCE_STEP if is_chance else action)
            last = (0 if is_chance else find_branch(tree, keys)) or last
        options = state.legal_actions(seat)
        if not last or not any(find_branch(tree, next_keys(keys, action)) for action in options):
            return self._settings.new_tree(1), 0
        kept = self._settings.new_tree(self._branches)
        count = keep_branches(state, tree, kept, last)
        if count > MOST_KEPT * self._settings.budget.rounds or count > MOST_ROUNDS // 2:
            return self._settings.new_tree(1), 0
        kept[ROOT_FIRST], kept[ROOT_SECOND] = keys
        return kept, count


def _in_order(way: Sequence[Entry], seat: int) -> list[Entry]:
    """The steps as a search takes them: where several choose at once, the seat that searches is first."""
    steps = list(way)
    at = 0
    while at < len(steps) and isinstance(step := steps[at], list):
        if step[0] == seat:
            steps.insert(0, steps.pop(at))
            break
        at += 1
    return steps
