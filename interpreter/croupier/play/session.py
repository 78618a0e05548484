"""One game with people in some seats: it waits for them, takes decisions back, and is saved."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from croupier.play.agents import is_timed
from croupier.play.compiled_twin import CompiledTwin
from croupier.play.match import GameMatch, MatchConfig, never
from croupier.play.outcome import stuck_seat
from croupier.play.record import CHANCE_SEAT, OVER, SEVERAL_SEATS, GameRecord, RecordedChoice
from croupier.play.table_bots import Advice, advise
from croupier.records import dataclass
from croupier.runtime.streams import Stream
from croupier.runtime.visibility import counts_zone, sees_component, sees_zone, variable_audience

if TYPE_CHECKING:
    from croupier.play.agents.agent import Agent
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


PERSON = "person"
"""The name in records of whoever decides for a seat that is no bot's."""
TOLD = ("show", "tell")
"""Kinds of events that tell a seat something."""
WORKED_OUT = ("say", "state", "end")
"""Kinds of events that hidden things may have gone into."""


def may_see(state: State, seat: int, zones: Iterable[int]) -> bool:
    """Tell whether a seat sees the contents of these zones, and all state."""
    m = state._m
    seen = all(sees_zone(m, z, seat) for z in zones)
    return seen and all(
        v.of_class is not None or variable_audience(m, v.index, None)(seat)
        for v in m.game.program.vars.values()
    )


def faces_of(state: State, seat: int) -> set[int]:
    """The components that a seat can tell."""
    m = state._m
    return {component.number for component in m.game.components if sees_component(m, component.number, seat)}


@dataclass(frozen=True)
class Snapshot:
    """The state of a session before a decision, to which it goes back if that is taken back."""

    state: State
    steps: int
    agents: list[Agent]
    chance: Stream
    sealed: dict[int, int]


class Session(GameMatch):
    """A game with a person at some seats, from 0. Raises what `GameMatch` raises."""

    def __init__(self, ruleset: Ruleset, setup: MatchConfig, persons: frozenset[int], game: int = 1) -> None:
        super().__init__(ruleset, setup, game)
        self.persons = persons
        self._sealed: dict[int, int] = {}
        self._undo: list[Snapshot] = []
        self.is_resumed = False  # does it go on with a saved game?
        # did a seat of the person's learn something after a decision that was made in this sitting?
        self.has_learnt = False
        self._twin = CompiledTwin()

    # ------------------------------------------------------------ going on
    def advance(self, should_stop: Callable[[], bool] = never) -> int | None:
        """Let chance and bots play on; return the seat of the person that must decide, or `None` at the end
        (or where it was told to stop).
        """
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
        """A decision of a seat that `advance` gave, one of its legal actions; one that was `forced`, and not
        asked for, is taken back with the last that was not.
        """
        if not forced:
            agents, chance = copy.deepcopy(self._agents), copy.copy(self._chance)
            self._undo.append(
                Snapshot(self.state.clone(), len(self.steps), agents, chance, dict(self._sealed))
            )
        self._sealed[seat] = action
        several = self.state.current_player() == SEVERAL_SEATS
        if several and any(p in self.persons and p not in self._sealed for p in self.state.pending_seats()):
            return
        self.step()
        self._sealed.clear()

    def _apply(self, choices: list[RecordedChoice], *, several: bool) -> None:
        is_perceived = any(self.state.is_open_to(p) or p in self.state.pending_seats() for p in self.persons)
        chance = is_perceived and any(
            c.seat == CHANCE_SEAT or (several and (len(choices) > 1 or c.seat not in self.persons))
            for c in choices
        )
        before = {
            p: (self._faces(p), len(self.state.events(p)), len(self.state.events(None)))
            for p in self.persons
            if self._undo and not chance
        }
        super()._apply(choices, several=several)
        if self._undo and (chance or any(self._learnt(p, *known) for p, known in before.items())):
            self._undo.clear()
            self.has_learnt = True

    def _learnt(self, seat: int, faces: set[int], told: int, happened: int) -> bool:
        """Tell whether a seat may have learnt something hidden: it sees a new face, was shown or told
        something, or its log is not in full. Where anything is hidden from it, anything that the rules
        announce or write counts, too: what is hidden may have gone into it.

        It follows from what the seat perceives: what happens unseen neither keeps a decision from being taken
        back nor is told by that.
        """
        new = [e for e in self.state.events(seat)[told:] if not e.is_bookkeeping]
        in_full = {e.text for e in new} <= {e.text for e in self.state.events(None)[happened:]}
        kinds = TOLD if self._sees_all(seat) else (*TOLD, *WORKED_OUT)
        return not in_full or any(e.kind in kinds for e in new) or not self._faces(seat) <= faces

    def _sees_all(self, seat: int) -> bool:
        """Tell whether nothing is hidden from a seat."""
        m = self.state._m
        zones = [
            zone.number
            for zone in m.game.zones
            if m.zones[zone.number] or not counts_zone(m, zone.number, seat)
        ]
        return may_see(self.state, seat, zones) and not any(
            type(i) is tuple for z in zones for i in m.zones[z]
        )

    def _faces(self, seat: int) -> set[int]:
        return faces_of(self.state, seat)

    def _decide(self, seat: int, legal: Sequence[int]) -> int:
        if seat in self._sealed:
            return self._sealed[seat]
        return super()._decide(seat, legal)

    # ------------------------------------------------------------ bots
    def _state_for(self, seat: int) -> State:
        return self._twin.for_agent(self._agents[seat], self.state)

    def advice(self, seat: int, bot: str | None = None) -> Advice:
        """Return what a bot would do for a seat that decides, with its figures; it knows what the seat knows.

        `bot`: its name; without one it thinks for about a second. Raises ValueError for a bot that does not
        search, or that would see more.
        """
        return advise(self._twin.of(self.state), seat, bot)

    # ------------------------------------------------------------ going back
    @property
    def can_undo(self) -> bool:
        """Tell whether the last decision can be taken back."""
        return bool(self._undo)

    def undo(self) -> None:
        """Take the last decision of the person back. Raises `IndexError` if that is not possible."""
        before = self._undo.pop()
        self.state = before.state
        del self.steps[before.steps :]
        self._agents, self._chance, self._sealed = before.agents, before.chance, before.sealed

    # ------------------------------------------------------------ saving
    def record(self) -> GameRecord:
        """Return the record of what was played so far; the person's seats are named so."""
        record = super().record()
        return replace(
            record,
            bots=tuple(PERSON if seat in self.persons else name for seat, name in enumerate(record.bots)),
        )

    def catch_up(self, record: GameRecord) -> None:
        """Play a verified record again, its last action included; chance and bots draw what they drew then,
        but for bots that think for a time: what they drew depends on the machine.
        """
        self.is_resumed = True
        timed = {seat for seat, agent in enumerate(self._agents) if is_timed(agent.name())}
        for step in record.steps:
            choices: list[RecordedChoice] = []
            for choice in step.choices:
                if choice.seat == CHANCE_SEAT:
                    self._chance.weighted([weight for _, weight in self.state.chance_outcomes()])
                elif choice.seat not in self.persons and choice.seat not in timed:
                    super()._decide(choice.seat, self.state.legal_actions(choice.seat))
                choices.append(self._note(choice.seat, choice.action))
            self._apply(choices, several=step.several)
