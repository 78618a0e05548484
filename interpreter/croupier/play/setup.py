"""What it takes to play a game: everything but the ruleset and the number of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from croupier import resources

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset
    from croupier.runtime.state import State


@dataclass(frozen=True)
class Setup:
    """Players, parameters, bots and seed of one game or many; picklable.

    `players` is None for the ruleset's own default; `parameters` are JSON values, or strings as typed on a command line;
    `bots` is one name, or one a seat; `seed` is from 0 to 2**64 - 1; `invariants` asks for a check after every action;
    `backend` says what plays: one of `backends.choice.BACKENDS`; `turn_order` asks for the order of first decisions, so for games step by step.
    """

    players: int | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    bots: tuple[str, ...] = ("random",)
    invariants: bool = False
    backend: str = "reference"
    turn_order: bool = False

    def initial_state(self, ruleset: Ruleset) -> State:
        """The position before the first event.  Raises RulesetError for players or parameters that the ruleset refuses."""
        return ruleset.new_initial_state(self.players, self.parameters, backend=self.backend)


def known_name(ruleset: Ruleset) -> str:
    """What a record calls a ruleset: NAME, NAME/VARIANT or NAME/ONE+OTHER of a shipped one, the name that it gives itself of any other."""
    return resources.name_of(Path(ruleset.path)) or ruleset.name
