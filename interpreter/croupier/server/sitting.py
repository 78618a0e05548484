"""A game that several people and bots play: it goes on until one of the people must decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from croupier.play.match import GameMatch, MatchConfig
from croupier.play.record import CHANCE_SEAT, OVER, SEVERAL_SEATS, RecordedChoice, stuck_seat

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset

MAX_STEPS_AT_ONCE = 5_000  # of bots and chance, before the people are shown how it stands

Row = tuple[int, int, int]
"""A choice that was made: the number of its step from 0, the seat (-1: chance), the action. A step below 0 is a choice that waits for others."""


class Sitting(GameMatch):
    """A game with people at some seats, from 0. Raises what `GameMatch` raises."""

    def __init__(self, ruleset: Ruleset, setup: MatchConfig, persons: frozenset[int]) -> None:
        super().__init__(ruleset, setup)
        self.persons = persons
        self.sealed: dict[int, int] = {}  # what people chose at the same time as others who have not

    @property
    def is_over(self) -> bool:
        """Is nobody to do anything more?"""
        return self.state.current_player() == OVER or stuck_seat(self.state) is not None

    def waiting(self) -> list[int]:
        """The people who must decide now."""
        return [] if self.is_over else [p for p in self.state.pending_seats() if p in self.persons and p not in self.sealed]

    def advance(self) -> list[Row]:
        """Let chance and bots play on; what was chosen."""
        first = len(self.steps)
        while len(self.steps) - first < MAX_STEPS_AT_ONCE and not self.is_over and not self.waiting():
            if not self.step():
                break
            self.sealed.clear()
        return self.rows(first)

    def choose(self, seat: int, action: int) -> list[Row]:
        """A decision of a person; what was chosen then. Raises ValueError for one that this seat may not make."""
        if seat not in self.waiting() or action not in self.state.legal_actions(seat):
            raise ValueError("this cannot be chosen now")
        self.sealed[seat] = action
        if self.waiting() and self.state.current_player() == SEVERAL_SEATS:
            return [(-1, seat, action)]
        first = len(self.steps)
        self.step()
        self.sealed.clear()
        return [*self.rows(first), *self.advance()]

    def rows(self, first: int = 0) -> list[Row]:
        """The choices of the steps from one on."""
        return [(n, choice.seat, choice.action) for n, step in enumerate(self.steps[first:], first) for choice in step.choices]

    def catch_up(self, rows: Iterable[Row]) -> None:
        """Play again what was chosen; chance and bots draw what they drew then."""
        steps: dict[int, list[tuple[int, int]]] = {}
        waiting: dict[int, int] = {}
        for n, seat, action in rows:
            if n < 0:
                waiting[seat] = action
            else:
                steps.setdefault(n, []).append((seat, action))
                waiting.clear()
        for n in sorted(steps):
            choices: list[RecordedChoice] = []
            for seat, action in steps[n]:
                if seat == CHANCE_SEAT:
                    self._chance.weighted([weight for _, weight in self.state.chance_outcomes()])
                elif seat not in self.persons:
                    self._agents[seat].choose(self.state, seat, self.state.legal_actions(seat))
                choices.append(self._note(seat, action))
            self._apply(choices, several=self.state.current_player() == SEVERAL_SEATS)
        self.sealed = waiting

    def _decide(self, seat: int, legal: Sequence[int]) -> Any:
        return self.sealed[seat] if seat in self.sealed else super()._decide(seat, legal)
