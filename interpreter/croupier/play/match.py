"""One game: players, parameters, seed and agents; who decides is asked until the game is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from croupier import resources
from croupier.execution.backends import load_native, new_state
from croupier.play.agents import agent_names, looks_ahead, seat_agents
from croupier.play.outcome import outcome_of
from croupier.play.plain import plain
from croupier.play.record import (
    CHANCE_SEAT,
    OVER,
    SEVERAL_SEATS,
    GameRecord,
    RecordedChoice,
    RecordedStep,
    count_decisions,
)
from croupier.records import dataclass
from croupier.runtime.streams import CHANCE, Stream

if TYPE_CHECKING:
    from croupier.diagnostics import Diagnostic
    from croupier.play.decisions import DecisionLog
    from croupier.play.script import Script
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


@dataclass(frozen=True)
class MatchConfig:
    """Players, parameters, bots and seed of one game or many; picklable.

    `players` is `None` for the ruleset's own default; `parameters` are JSON values, or strings as typed on a
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
        """The position before the first event; `auto` is native code for bots that look ahead.

        Raises RulesetError for players or parameters that the ruleset refuses.
        """
        if self.backend == "auto" and any(map(looks_ahead, self.bots)):
            engine = ruleset.engine(self.players, self.parameters)
            if load_native(ruleset, engine) is not None:
                return new_state(ruleset, engine, "native")
        return ruleset.new_initial_state(self.players, self.parameters, backend=self.backend)


def ruleset_label(ruleset: Ruleset) -> str:
    """Return the name of a ruleset in records: NAME, NAME/VARIANT or NAME/ONE+OTHER of a shipped one, the
    name that it gives itself of any other.
    """
    return resources.name_of(Path(ruleset.path)) or ruleset.name


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
        self._agents = seat_agents(setup.bots, self.state.game, setup.seed, game)
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
        if scripted is not None:
            return scripted
        return self._agents[seat].choose(self._state_for(seat), seat, legal)

    def _state_for(self, seat: int) -> State:
        """The position for the agent of a seat."""
        return self.state

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
