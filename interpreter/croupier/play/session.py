"""A game in which a person plays some seats.

Bots and chance play on until the person must decide. Bots and chance draw from the same streams as in a match, so that a game is decided by its
seed and the person's decisions; a saved game goes on as if it had not been interrupted, because what was drawn before is drawn again.

A decision may be taken back as long as none of the person's seats learnt anything since that was hidden from that seat (`runtime/onlooker.py`):
no outcome of chance that it could see, no choice made at the same time, nothing read, shown or told that it could not see, nor anything that such
a thing went into and that the rules kept in a local (`witness.py`). What bots chose among options that everybody knows, and what nobody of the
person's seats noticed, is taken back with it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from croupier.play.match import Match, never
from croupier.play.outcome import stuck_seat
from croupier.play.record import CHANCE_SEAT, OVER, SEVERAL_SEATS, Choice, Record
from croupier.play.setup import Setup
from croupier.play.witness import Witness, watched_game
from croupier.runtime.onlooker import reveals

if TYPE_CHECKING:
    from croupier.load import Ruleset
    from croupier.runtime.state import State

PERSON = "person"
"""What a record calls whoever decides for a seat that is no bot's."""


@dataclass(frozen=True)
class Snapshot:
    """What a decision that is taken back goes back to."""

    state: State
    steps: int
    agents: Any
    chance: Any
    sealed: dict[int, int]
    witnesses: list[Witness]


class Session(Match):
    """A game with a person at some seats, from 0. Raises what `Match` raises."""

    def __init__(self, ruleset: Ruleset, setup: Setup, persons: frozenset[int], game: int = 1) -> None:
        super().__init__(ruleset, setup, game)
        self.persons = persons
        self._sealed: dict[int, int] = {}
        self._undo: list[Snapshot] = []
        self._watched = watched_game(ruleset, self.players, self.state.parameters)
        self._witnesses = [Witness(ruleset, self._watched, p) for p in sorted(persons)]
        self.has_learnt = False  # did a seat of the person's learn something after a decision that was made in this sitting?

    # ------------------------------------------------------------ going on
    def advance(self, should_stop: Callable[[], bool] = never) -> int | None:
        """Let chance and bots play on; the seat of the person that must decide, or none at the end (or where it was told to stop)."""
        while not should_stop():
            player = self.state.current_player()
            if player == OVER or stuck_seat(self.state) is not None:
                return None
            waiting = [p for p in self.state.pending_seats() if p in self.persons and p not in self._sealed]
            if waiting:
                return waiting[0]
            self.step()
            self._sealed.clear()
        return None

    def choose(self, seat: int, action: int, *, forced: bool = False) -> None:
        """A decision of a seat that `advance` gave, one of its legal actions; one that was `forced`, and not asked for, is taken back with the last
        that was not."""
        if not forced:
            agents, witnesses = copy.deepcopy(self._agents), [w.copy() for w in self._witnesses]
            self._undo.append(Snapshot(self.state.clone(), len(self.steps), agents, copy.copy(self._chance), dict(self._sealed), witnesses))
        self._sealed[seat] = action
        several = self.state.current_player() == SEVERAL_SEATS
        if several and any(p in self.persons and p not in self._sealed for p in self.state.pending_seats()):
            return
        self.step()
        self._sealed.clear()

    def _apply(self, choices: list[Choice], *, several: bool) -> None:
        made = [(c.seat, c.action) for c in choices]
        learnt = [w.learns(made) for w in self._witnesses]  # each of them must keep up with the game
        if self._undo and (any(learnt) or reveals(self.state, self._watched, made, self.persons)):
            self._undo.clear()
            self.has_learnt = True
        super()._apply(choices, several=several)

    def _decide(self, seat: int, legal: Any) -> int:
        if seat in self._sealed:
            return self._sealed[seat]
        return super()._decide(seat, legal)

    # ------------------------------------------------------------ going back
    @property
    def can_undo(self) -> bool:
        """Can the last decision be taken back?"""
        return bool(self._undo)

    def undo(self) -> None:
        """Take the last decision of the person back. Raises `IndexError` if that is not possible."""
        before = self._undo.pop()
        self.state = before.state
        del self.steps[before.steps :]
        self._agents, self._chance, self._sealed, self._witnesses = before.agents, before.chance, before.sealed, before.witnesses

    # ------------------------------------------------------------ saving
    def record(self) -> Record:
        """What was played so far; the person's seats are named so."""
        record = super().record()
        return replace(record, bots=tuple(PERSON if seat in self.persons else name for seat, name in enumerate(record.bots)))

    def catch_up(self, record: Record) -> None:
        """Play a verified record again, its last action included; chance and bots draw what they drew then."""
        for step in record.steps:
            choices: list[Choice] = []
            for choice in step.choices:
                if choice.seat == CHANCE_SEAT:
                    self._chance.weighted([weight for _, weight in self.state.chance_outcomes()])
                elif choice.seat not in self.persons:
                    self._agents[choice.seat].choose(self.state, choice.seat, self.state.legal_actions(choice.seat))
                choices.append(self._note(choice.seat, choice.action))
            self._apply(choices, several=step.several)
