"""Aggregates as folds: what each says of the elements that a comprehension comes to, a row each.

Evaluator and lowering have one function for each kind of fold; what else is known of an aggregate follows
from its row.
"""

from __future__ import annotations

from enum import Enum

from croupier.records import dataclass


class FoldKind(Enum):
    """How the elements become one value."""

    COLLECT = "collect"  # all of them, in a collection
    COUNT = "count"  # how many there are; of truth values, how many hold
    SUM = "sum"
    SEARCH = "search"  # whether one is as it is looked for; the first that is so ends the walk
    EXTREME = "extreme"  # the greatest or smallest number
    END = "end"  # the first, which ends the walk, or the last
    ONLY = "only"  # the one, if there are no others
    BEST = "best"  # the first with the greatest or smallest key
    TIES = "ties"  # all with the greatest key
    SORT = "sort"  # all, by ascending key


class Gives(Enum):
    """What of the elements is in the value."""

    NONE = "none"  # a number or a truth value
    ONE = "one"
    SEVERAL = "several"


class Key(Enum):
    """Whether a key stands behind `by`."""

    NEVER = "never"
    MAY = "may"
    MUST = "must"


@dataclass(frozen=True, slots=True)
class Fold:
    """One aggregate. `up`: it looks for what is true, the greatest or the first; else for what is false, the
    smallest or the last.
    """

    kind: FoldKind
    gives: Gives = Gives.NONE
    up: bool = True
    key: Key = Key.NEVER
    orders: bool = False  # it puts its elements in order, once it has them

    @property
    def stops_early(self) -> bool:
        """Tell whether an element may end the walk."""
        return self.kind is FoldKind.SEARCH or (self.kind is FoldKind.END and self.up)


FOLDS = {
    "list": Fold(FoldKind.COLLECT, Gives.SEVERAL),
    "set": Fold(FoldKind.COLLECT, Gives.SEVERAL, orders=True),
    "bag": Fold(FoldKind.COLLECT, Gives.SEVERAL, orders=True),
    "count": Fold(FoldKind.COUNT),
    "sum": Fold(FoldKind.SUM),
    "any": Fold(FoldKind.SEARCH),
    "all": Fold(FoldKind.SEARCH, up=False),
    "max": Fold(FoldKind.EXTREME),
    "min": Fold(FoldKind.EXTREME, up=False),
    "first": Fold(FoldKind.END, Gives.ONE),
    "last": Fold(FoldKind.END, Gives.ONE, up=False),
    "only": Fold(FoldKind.ONLY, Gives.ONE),
    "best": Fold(FoldKind.BEST, Gives.ONE, key=Key.MUST),
    "worst": Fold(FoldKind.BEST, Gives.ONE, up=False, key=Key.MUST),
    "ties": Fold(FoldKind.TIES, Gives.SEVERAL, key=Key.MUST),
    "sorted": Fold(FoldKind.SORT, Gives.SEVERAL, key=Key.MAY, orders=True),
}
