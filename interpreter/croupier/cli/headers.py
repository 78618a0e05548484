"""The headers of outputs: of a ruleset, of a game's record, and of a saved game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from croupier.play.record import GameRecord
    from croupier.ruleset import Ruleset


def rules_of(ruleset: Ruleset, players: int | None, parameters: Mapping[str, object]) -> JsonObject:
    """A ruleset, its hash, and all its parameters; those that are given as they are where no game can be set
    up with them.
    """
    from croupier.play.match import ruleset_label

    return {
        "ruleset": ruleset_label(ruleset),
        "hash": ruleset.ruleset_hash,
        "parameters": parameters_of(ruleset, players, parameters),
    }


def parameters_of(ruleset: Ruleset, players: int | None, parameters: Mapping[str, object]) -> JsonObject:
    """All parameters as JSON values, some of which are given as they are typed; these as they are where no
    game can be set up with them.
    """
    from croupier.diagnostics import RulesetError
    from croupier.play.plain import plain

    try:
        game = ruleset.game(players, parameters)
        values = {p.name: game.to_json(game.parameters[p.name], p.type) for p in game.program.params.values()}
    except RulesetError:
        values = {**ruleset.defaults(ruleset.default_players), **parameters}
    found: JsonObject = plain(values)
    return found


def given_parameters(ruleset: Ruleset, players: int | None, parameters: Mapping[str, object]) -> JsonObject:
    """The parameters that are given as JSON values."""
    values = parameters_of(ruleset, players, parameters)
    return {name: values[name] for name in parameters}


def game_of(record: GameRecord, seat: int | None) -> JsonObject:
    """Return the header of a game; if it is shown to a seat, without the seed, which would tell more than
    that seat sees.
    """
    from croupier.play.agents import clock_note
    from croupier.play.outcome import INTERRUPTED

    return {
        "ruleset": record.ruleset,
        "hash": record.ruleset_hash,
        "parameters": record.parameters,
        "players": record.players,
        "bots": list(record.bots),
        "seed": record.seed if seat is None else None,
        **clock_note(record.bots),
        "games": {"wanted": 1, "played": 1},
        "interrupted": record.outcome.get("reason") == INTERRUPTED,
    }
