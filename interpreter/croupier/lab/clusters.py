"""Estimates of shares and ratios of what a game has several of: `play/clusters.py` makes the sums.

share   Wilson's interval, with the game as the unit
ratio   the normal interval, from `FEWEST` games on
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

from croupier.lab.statistics import FEWEST, Estimate
from croupier.play.clusters import GameSums
from croupier.play.statistics import CONFIDENCE


@dataclass
class Clusters(GameSums):
    """Sums over games, with estimates."""

    @classmethod
    def of(cls, games: Iterable[tuple[float, float]], unit: str = "game") -> Clusters:
        """The sums of games, each with how many were counted and the hits among them."""
        found = cls(unit)
        for counted, hits in games:
            found.add(counted, hits)
        return found

    def share(self, confidence: float = CONFIDENCE) -> Estimate:
        """The share of hits, from 0 to 1; `n` is how many were counted."""
        low, high = self.interval(confidence)
        method = f"Wilson, clustered by {self.unit}"
        return Estimate(min(self.value, 1.0), low, high, round(self.counted), method, confidence)

    def ratio(self, confidence: float = CONFIDENCE) -> Estimate:
        """The hits for each that was counted, any number; unknown of fewer than `FEWEST` games."""
        n, method = round(self.counted), f"normal, clustered by {self.unit}"
        if self.games < FEWEST:
            return Estimate(self.value, -inf, inf, n, method, confidence)
        half = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(self.variance)
        return Estimate(self.value, self.value - half, self.value + half, n, method, confidence)
