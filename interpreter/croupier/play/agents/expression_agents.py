"""Agents that decide by expressions of the rule language.

    greedy              the option after which the game pays most
    greedy:EXPRESSION   the option after which an expression is highest, in which `me` is the seat
    policy:NAME         an option drawn by the weights of a policy that the ruleset declares

`greedy` looks one step ahead; what its seat does not see is drawn (`State.resample`), and ties are broken at
random. A policy looks at the position before the decision, and at the claims that its seat has heard; the
checker has made sure that it reads nothing but what its seat sees (`semantics/lints/leaks.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError, diagnose, did_you_mean
from croupier.play.agents.heard_claims import HeardClaims
from croupier.play.agents.possible_states import PossibleStates
from croupier.play.measure import Measure, value_of

if TYPE_CHECKING:
    from croupier.kernel.types import Type
    from croupier.runtime.game import Game, Value
    from croupier.runtime.machine import Run
    from croupier.runtime.state import State
    from croupier.runtime.streams import Stream
    from croupier.semantics.program import WeightDef

UNWEIGHED = 1  # the weight of what a policy says nothing about


class GreedyAgent:
    """Takes the option after which its measure is highest."""

    _stream: Stream
    _possible: PossibleStates

    def __init__(self, expression: str = "") -> None:
        self._expression = expression
        self._measure: Measure | None = None

    def name(self) -> str:
        """`greedy`, with its expression."""
        return f"greedy:{self._expression}" if self._expression else "greedy"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream, self._measure, self._possible = stream, None, PossibleStates(stream)

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """The option after which the measure is highest.

        Raises RulesetError for an expression that the ruleset does not know.
        """
        if len(options) == 1:
            return options[0]
        self._possible.stand(state, seat)
        possible = self._possible.draw()
        worth = [self._worth(possible, seat, option) for option in options]
        most = max(worth)
        best = [option for option, value in zip(options, worth, strict=True) if value == most]
        return best[self._stream.uniform(len(best))]

    def _worth(self, state: State, seat: int, option: int) -> float:
        after = state.clone()
        after.apply_action(option, seat)
        if not self._expression:
            return float(after.returns()[seat])
        if self._measure is None:
            self._measure = Measure(state.engine, self._expression)
        return self._measure.value(after, seat)

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""


class PolicyAgent:
    """Draws options by the weights of a policy; a weight below 0 counts as 0, and if all are 0 every option
    is alike.
    """

    _stream: Stream

    def __init__(self, policy: str) -> None:
        if not policy:
            raise ValueError("wants the name of a policy of the ruleset, as in `policy:careful`")
        self._policy = policy
        self._weights: dict[tuple[str, tuple[Type, ...]], tuple[Run, WeightDef]] | None = None
        self._heard: HeardClaims | None = None

    def name(self) -> str:
        """`policy:NAME`."""
        return f"policy:{self._policy}"

    def begin(self, seat: int, players: int, stream: Stream) -> None:
        """Draws from this stream."""
        self._stream, self._weights = stream, None

    def choose(self, state: State, seat: int, options: Sequence[int]) -> int:
        """An option by its weight.

        Raises RulesetError for a policy that the ruleset does not have, and where a weight faults.
        """
        if len(options) == 1:
            return options[0]
        self._heard = None
        weights = [self._weight(state, seat, option) for option in options]
        return options[self._stream.weighted(weights) if any(weights) else self._stream.uniform(len(options))]

    def _weight(self, state: State, seat: int, option: int) -> int:
        if self._weights is None:
            self._weights = {
                (w.key, w.given): (state.engine.rules.expr(w.value), w)
                for w in policy_weights(state.game, self._policy)
            }
        called = state.called(seat, option)
        if called is None:
            return UNWEIGHED
        names, kinds, values = called
        found = next(
            (found for name in names if (found := self._weights.get((name, kinds))) is not None), None
        )
        if found is None:
            return UNWEIGHED
        run, weight = found
        read = (*values, *self._claims(state, seat, weight))
        return max(0, value_of(state, run, len(weight.frame.slots), seat, read))

    def _claims(self, state: State, seat: int, weight: WeightDef) -> list[Value]:
        """What a weight reads of the claims that the seat has heard."""
        if not any(weight.heard):
            return []
        if self._heard is None:
            self._heard = HeardClaims(state, seat)
        return [None if claim is None else self._heard.of(claim) for claim in weight.heard]

    def end(self, state: State, seat: int) -> None:
        """There is nothing to learn."""


def policy_weights(game: Game, name: str) -> list[WeightDef]:
    """The weights of a policy. Raises RulesetError if the ruleset has none of this name."""
    policies = game.program.policies
    if name in policies:
        return policies[name].weights
    near = did_you_mean(name, policies)
    there = ", ".join(f"`{other}`" for other in policies)
    if near:
        help = f"did you mean `{near}`?"
    elif policies:
        help = f"there are {there}"
    else:
        help = "the ruleset has none: it declares them under `policies:`"
    raise RulesetError([diagnose("X551", None, name=name, ruleset=game.program.name, help=help)])
