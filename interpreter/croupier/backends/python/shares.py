"""Weighted draws: the place of a weight among several, by a word of a stream."""

from __future__ import annotations

from math import gcd
from typing import Protocol


class Uniform(Protocol):
    """A source of random numbers."""

    def uniform(self, n: int) -> int: ...


def weighted(source: Uniform, weights: list[int]) -> int:
    """The place of a weight, each as likely as it weighs: as shares of the whole in lowest terms."""
    scaled = shares(weights)
    drawn = source.uniform(sum(scaled))
    for place, weight in enumerate(scaled):
        drawn -= weight
        if drawn < 0:
            return place
    raise AssertionError("the weights add up to more than was drawn")


def shares(weights: list[int]) -> list[int]:
    """Weights without what all of them and their sum have in common."""
    common = gcd(*weights)
    return [w // common for w in weights]
