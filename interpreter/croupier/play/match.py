"""One game: what it takes to play it, and the loop that asks agents, draws chance and applies until the game
is over; and a game in which a person plays some seats.

In such a session bots and chance play on until the person must decide. Bots and chance draw from the same
streams as in a match, so that a game is decided by its seed and the person's decisions; a saved game goes on
as if it had not been interrupted, because what was drawn before is drawn again.

A decision may be taken back until a seat of the person's perceives a chance event, a choice of another seat
that is made at the same time, or something that it does not see in full, is shown or is told; until such a
seat sees the face of a component that it did not see before; and where anything is hidden from it, until the
rules announce something or change what is kept track of. What happened openly or unseen meanwhile is taken
back with it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from croupier import resources
from croupier.execution.backends import load_native, new_state
from croupier.play.agents import agent_names, rolls_out, seat_agents
from croupier.play.record import (
    CHANCE_SEAT,
    OVER,
    SEVERAL_SEATS,
    GameRecord,
    RecordedChoice,
    RecordedStep,
    count_decisions,
    outcome_of,
    plain,
    stuck_seat,
)
from croupier.records import dataclass
from croupier.runtime.streams import CHANCE, Stream
from croupier.runtime.visibility import counts_zone, sees_component, sees_zone, variable_audience

if TYPE_CHECKING:
    from croupier.diagnostics import Diagnostic
    from croupier.play.agents.agent import Agent
    from croupier.play.decisions import DecisionLog
    from croupier.play.script import Script
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


# ---------------------------------------------------------------- setup
# What it takes to play a game: everything but the ruleset and the number of the game.


@dataclass(frozen=True)
class MatchConfig:
    """Players, parameters, bots and seed of one game or many; picklable.

    `players` is None for the ruleset's own default; `parameters` are JSON values, or strings as typed on a
    command line; `bots` is one name, or one a seat; `seed` is from 0 to 2**64 - 1; `invariants` asks for a
    check after every action; `backend` says what plays: one of `execution.backends.BACKENDS`; `turn_order`
    asks for the order of first decisions, `by` is an expression that games are grouped by; `verify` puts
    final positions into the digest, too.
    """

    players: int | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    bots: tuple[str, ...] = ("random",)
    invariants: bool = False
    backend: str = "reference"
    turn_order: bool = False
    by: str = ""
    verify: bool = False

    def initial_state(self, ruleset: Ruleset) -> State:
        """The position before the first event; `auto` is native code for bots that play games out.

        Raises RulesetError for players or parameters that the ruleset refuses.
        """
        if self.backend == "auto" and any(map(rolls_out, self.bots)):
            game = ruleset.game(self.players, self.parameters)
            if load_native(ruleset, game) is not None:
                return new_state(ruleset, game, "native")
        return ruleset.new_initial_state(self.players, self.parameters, backend=self.backend)


def ruleset_label(ruleset: Ruleset) -> str:
    """Return the name of a ruleset in records: NAME, NAME/VARIANT or NAME/ONE+OTHER of a shipped one, the
    name that it gives itself of any other.
    """
    return resources.name_of(Path(ruleset.path)) or ruleset.name


# ---------------------------------------------------------------- match
# One game, from its first event to its result.
#
# ask the state who acts:  chance -> draw from the stream `chance`;  a seat -> ask its agent;  several seats
# -> ask each,
#     none knows what the others chose;  then apply, and note the step.
#
# The match stops when the state is over, when a seat must act and has no legal action, when an invariant that
# it was asked to check does not hold, or when it is told to stop between two steps.  It never stops in the
# middle of an action, so that what it has is always a position that can be shown and saved.


def never() -> bool:
    """The usual answer to "should the match stop here?"."""
    return False


class GameMatch:
    """A game that is being played.

    `game` is its number, from 1.  `initial` saves setting the game up again: a state that nobody else applies
    actions to. `script` decides first, for as long as it has entries.  `log` of the match, where somebody
    sets it, takes down what is decided.  `light` leaves out the readable choices and the hashes of the
    positions between, for simulations.  Raises RulesetError for an impossible set-up, UnknownAgent for
    impossible bots.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        setup: MatchConfig,
        game: int = 1,
        *,
        initial: State | None = None,
        script: Script | None = None,
        light: bool = False,
    ) -> None:
        self.ruleset = ruleset
        self.setup = setup
        self.game = game
        self.state = initial if initial is not None else setup.initial_state(ruleset)
        self.players = self.state.players
        self.steps: list[RecordedStep] = []
        self.findings: Sequence[Diagnostic] = ()
        self._start_hash = self.state.hash()
        self._name = ruleset.name if light else ruleset_label(ruleset)
        self._agents = seat_agents(setup.bots, self.players, setup.seed, game)
        self._chance = Stream(setup.seed, game, CHANCE)
        self._script = script
        self.log: DecisionLog | None = None
        self._light = light
        self._is_told = False

    def play(self, should_stop: Callable[[], bool] = never) -> GameRecord:
        """Play until the game is over or `should_stop`, asked before every step, says so, or a step is
        interrupted after that; return the record.
        """
        try:
            while not should_stop() and self.step():
                pass
        except KeyboardInterrupt:
            if not should_stop():
                raise
        return self.record()

    def step(self) -> bool:
        """Apply one action (or those of several seats at once).  False if there is nothing to apply any more.

        Where it is interrupted, the match stands as it did before, unless it is `light`.
        """
        before = None if self._light else self.state.clone()
        try:
            return self._step()
        except KeyboardInterrupt:
            self.state = before if before is not None else self.state
            raise

    def _step(self) -> bool:
        state = self.state
        player = state.current_player()
        if self.findings or player == OVER:
            self._end()
            return False
        if player == CHANCE_SEAT:
            outcome = self._draw()
            if self.log is not None:
                self.log.note(state, CHANCE_SEAT, outcome, len(state.legal_actions()))
            self._apply([self._note(CHANCE_SEAT, outcome)], several=False)
        else:
            seats = state.pending_seats() if player == SEVERAL_SEATS else [player]
            options = {seat: state.legal_actions(seat) for seat in seats}
            if not all(options.values()):
                return False
            choices = [self._note(seat, self._decide(seat, legal)) for seat, legal in options.items()]
            if self.log is not None:
                for choice in choices:
                    self.log.note(state, choice.seat, choice.action, len(options[choice.seat]))
            self._apply(choices, several=player == SEVERAL_SEATS)
        if self.setup.invariants:
            self.findings = state.check_invariants()
        return True

    def _end(self) -> None:
        """Tell the agents, once, that the game is over."""
        if not self._is_told:
            self._is_told = True
            for seat, agent in enumerate(self._agents):
                agent.end(self.state, seat)

    def record(self) -> GameRecord:
        """Return the record of what was played so far."""
        return GameRecord(
            ruleset=self._name,
            ruleset_hash=self.ruleset.ruleset_hash,
            meaning_hash=self.ruleset.meaning_hash,
            players=self.players,
            parameters=plain(self.state.parameters),
            seed=self.setup.seed,
            game=self.game,
            bots=tuple(agent_names(self.setup.bots, self.players)),
            outcome=outcome_of(self.state, self.findings),
            decisions=count_decisions(self.steps),
            chance_events=sum(step.is_chance for step in self.steps),
            start_hash=self._start_hash,
            final_hash=self.state.hash(),
            steps=tuple(self.steps),
        )

    def _draw(self) -> int:
        scripted = self._script.chance(self.state) if self._script else None
        if scripted is not None:
            return scripted
        outcomes = self.state.chance_outcomes()
        return outcomes[self._chance.weighted([weight for _, weight in outcomes])][0]

    def _decide(self, seat: int, legal: Sequence[int]) -> int:
        scripted = self._script.decision(self.state, seat, legal) if self._script else None
        return scripted if scripted is not None else self._agents[seat].choose(self.state, seat, legal)

    def _note(self, seat: int, action: int) -> RecordedChoice:
        return RecordedChoice(
            seat, action, None if self._light else plain(self.state.action_to_struct(seat, action))
        )

    def _apply(self, choices: list[RecordedChoice], *, several: bool) -> None:
        if several:
            self.state.apply_actions([choice.action for choice in choices])
        else:
            self.state.apply_action(choices[0].action)
        self.steps.append(RecordedStep(tuple(choices), several, "" if self._light else self.state.hash()))


# ------------------------------------------------------------ with people in some seats
PERSON = "person"
"""What a record calls whoever decides for a seat that is no bot's."""
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
        """Play a verified record again, its last action included; chance and bots draw what they drew
        then.
        """
        self.is_resumed = True
        for step in record.steps:
            choices: list[RecordedChoice] = []
            for choice in step.choices:
                if choice.seat == CHANCE_SEAT:
                    self._chance.weighted([weight for _, weight in self.state.chance_outcomes()])
                elif choice.seat not in self.persons:
                    self._agents[choice.seat].choose(
                        self.state, choice.seat, self.state.legal_actions(choice.seat)
                    )
                choices.append(self._note(choice.seat, choice.action))
            self._apply(choices, several=step.several)
