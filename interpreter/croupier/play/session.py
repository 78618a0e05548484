"""A game in which a person plays some seats.

Bots and chance play on until the person must decide. Bots and chance draw from the same streams as in a match, so that a game is decided by its
seed and the person's decisions; a saved game goes on as if it had not been interrupted, because what was drawn before is drawn again.

A decision may be taken back until there is a chance event, a choice of another seat that is made at the same time, or something that a seat of the
person's does not see in full, is shown or is told; until such a seat sees the face of a component that it did not see before; and where anything is
hidden from it, until the rules announce something or change what is kept track of. What happened openly meanwhile is taken back with it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from croupier.play.match import GameMatch, MatchConfig, never
from croupier.play.record import CHANCE_SEAT, OVER, SEVERAL_SEATS, GameRecord, RecordedChoice, stuck_seat
from croupier.runtime.visibility import sees_piece, sees_zone, variable_audience

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State

PERSON = "person"
"""What a record calls whoever decides for a seat that is no bot's."""
TOLD = ("show", "tell")
"""Kinds of events that tell a seat something."""
WORKED_OUT = ("say", "state", "end")
"""Kinds of events that hidden things may have gone into."""


def may_see(state: State, seat: int, zones: Iterable[int]) -> bool:
    """May a seat see what is in these zones, and all state?"""
    m = state._m
    seen = all(sees_zone(m, z, seat) for z in zones)
    return seen and all(v.of_class is not None or variable_audience(m, v.index, None)(seat) for v in m.game.program.vars.values())


def faces_of(state: State, seat: int) -> set[int]:
    """The components that a seat can tell."""
    m = state._m
    return {piece.number for piece in m.game.pieces if sees_piece(m, piece.number, seat)}


@dataclass(frozen=True)
class Snapshot:
    """What a decision that is taken back goes back to."""

    state: State
    steps: int
    agents: Any
    chance: Any
    sealed: dict[int, int]


class Session(GameMatch):
    """A game with a person at some seats, from 0. Raises what `GameMatch` raises."""

    def __init__(self, ruleset: Ruleset, setup: MatchConfig, persons: frozenset[int], game: int = 1) -> None:
        super().__init__(ruleset, setup, game)
        self.persons = persons
        self._sealed: dict[int, int] = {}
        self._undo: list[Snapshot] = []
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
            agents, chance = copy.deepcopy(self._agents), copy.copy(self._chance)
            self._undo.append(Snapshot(self.state.clone(), len(self.steps), agents, chance, dict(self._sealed)))
        self._sealed[seat] = action
        several = self.state.current_player() == SEVERAL_SEATS
        if several and any(p in self.persons and p not in self._sealed for p in self.state.pending_seats()):
            return
        self.step()
        self._sealed.clear()

    def _apply(self, choices: list[RecordedChoice], *, several: bool) -> None:
        chance = any(c.seat == CHANCE_SEAT or (several and c.seat not in self.persons) for c in choices)
        before = {p: (self._faces(p), len(self.state.events(p)), len(self.state.events(None))) for p in self.persons if self._undo and not chance}
        super()._apply(choices, several=several)
        if self._undo and (chance or any(self._learnt(p, *known) for p, known in before.items())):
            self._undo.clear()
            self.has_learnt = True

    def _learnt(self, seat: int, faces: set[int], told: int, happened: int) -> bool:
        """Does a seat see a new face, was it shown or told something, did something happen that its log does not tell in full? Or, where anything is
        hidden from it, did the rules announce or write anything, which what is hidden may have gone into?"""
        new = [e for e in self.state.events(seat)[told:] if not e.is_bookkeeping]
        in_full = [e.text for e in new] == [e.text for e in self.state.events(None)[happened:] if not e.is_bookkeeping]
        kinds = TOLD if self._sees_all(seat) else (*TOLD, *WORKED_OUT)
        return not in_full or any(e.kind in kinds for e in new) or not self._faces(seat) <= faces

    def _sees_all(self, seat: int) -> bool:
        """Is nothing hidden from a seat?"""
        m = self.state._m
        zones = [place.number for place in m.game.places if m.zones[place.number]]
        return may_see(self.state, seat, zones) and not any(type(i) is tuple for z in zones for i in m.zones[z])

    def _faces(self, seat: int) -> set[int]:
        return faces_of(self.state, seat)

    def _decide(self, seat: int, legal: Any) -> int:  # noqa: ANN401 - what an agent is given
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
        self._agents, self._chance, self._sealed = before.agents, before.chance, before.sealed

    # ------------------------------------------------------------ saving
    def record(self) -> GameRecord:
        """What was played so far; the person's seats are named so."""
        record = super().record()
        return replace(record, bots=tuple(PERSON if seat in self.persons else name for seat, name in enumerate(record.bots)))

    def catch_up(self, record: GameRecord) -> None:
        """Play a verified record again, its last action included; chance and bots draw what they drew then."""
        for step in record.steps:
            choices: list[RecordedChoice] = []
            for choice in step.choices:
                if choice.seat == CHANCE_SEAT:
                    self._chance.weighted([weight for _, weight in self.state.chance_outcomes()])
                elif choice.seat not in self.persons:
                    self._agents[choice.seat].choose(self.state, choice.seat, self.state.legal_actions(choice.seat))
                choices.append(self._note(choice.seat, choice.action))
            self._apply(choices, several=step.several)
