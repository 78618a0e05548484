"""The base of every hand-written class, and random games of it."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

CHANCE, OVER = -1, -4


class Yardstick(ABC):
    """One game for so many `players`; `current_player` is -1 at chance, -4 at the end."""

    def __init__(self, players: int = 2) -> None:
        self.players = players
        self.current_player = 0
        self.returns = [0] * players

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """Actions of whoever acts, ascending; at chance its outcomes, all alike."""

    @abstractmethod
    def apply_action(self, action: int) -> None:
        """Do an action of `legal_actions`."""


def play_out(game: Yardstick, rng: random.Random) -> int:
    """Play at random to the end; the number of steps."""
    steps = 0
    choice = rng.choice
    while game.current_player != -4:
        game.apply_action(choice(game.legal_actions()))
        steps += 1
    return steps
