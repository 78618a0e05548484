"""The known name that a misspelt one was probably meant to be.

In order: the same letters in another case, singular for plural or the reverse, then the smallest edit distance (insertion,
deletion, substitution, swap of neighbours) up to a third of the longer name's length.  Ties go to the first candidate in
alphabetical order, so that the answer does not depend on the order of a set.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

LONGEST = 64
MOST_CANDIDATES = 1000


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """The nearest candidate, or None if none is near.  At most the first 1000 candidates of at most 64 letters are tried."""
    if not name or len(name) > LONGEST:
        return None
    folded = _fold(name)
    best: tuple[int, str] | None = None
    for candidate in islice(candidates, MOST_CANDIDATES):
        if not candidate or candidate == name or len(candidate) > LONGEST:
            continue
        limit = max(len(name), len(candidate)) // 3 if best is None else min(best[0], max(len(name), len(candidate)) // 3)
        rank = _rank(folded, _fold(candidate), limit)
        if rank is not None and (best is None or (rank, candidate) < best):
            best = (rank, candidate)
    return best[1] if best is not None else None


def _fold(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


def _rank(name: str, candidate: str, limit: int) -> int | None:
    if name == candidate:
        return -2
    if name in _plurals(candidate) or candidate in _plurals(name):
        return -1
    return edit_distance(name, candidate, limit)


def _plurals(name: str) -> tuple[str, ...]:
    return (f"{name}s", f"{name}es", f"{name[:-1]}ies" if name.endswith("y") else f"{name}s")


def edit_distance(first: str, second: str, limit: int) -> int | None:
    """Insertions, deletions, substitutions and swaps of neighbours between two names, or None if more than `limit`."""
    if abs(len(first) - len(second)) > limit:
        return None
    before: list[int] = []
    previous = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        current = [i]
        for j, right in enumerate(second, 1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (left != right))
            if i > 1 and j > 1 and left == second[j - 2] and first[i - 2] == right:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return None
        before, previous = previous, current
    return previous[-1] if previous[-1] <= limit else None
