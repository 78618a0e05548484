"""The values of parameters that are worth trying.

Every value of an enumeration or switch; of a number its default, both ends and one between; of a player the second; whatever the ruleset lists
under `tried:`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset


def tried_values(ruleset: Ruleset) -> dict[str, list[Any]]:
    """The values to try of each parameter as JSON, the default first. Raises `RulesetError` if the ruleset cannot be set up."""
    game = ruleset.game(None, None)
    found: dict[str, list[Any]] = {}
    for p in game.program.params.values():
        values: list[Any] = [game.to_json(game.parameters[p.name], p.type), *(game.to_json(game.evaluate(x), p.type) for x in p.tried)]
        if p.choices is not None:
            values += list(p.choices)
        elif isinstance(p.type, t.Enum):
            values += list(game.program.enums[p.type.name].values)
        elif isinstance(p.type, t.Bool):
            values += [False, True]
        elif isinstance(p.type, t.Int) and game.is_finite(p.type):
            low, high = game.int_bounds(p.type)
            assert low is not None and high is not None
            values += [low, (low + high) // 2, high]
        elif isinstance(p.type, t.Player):
            values += [1]
        elif isinstance(p.type, t.Optional) and isinstance(p.type.base, t.Enum):
            values += list(game.program.enums[p.type.base.name].values)
        found[p.name] = [v for i, v in enumerate(values) if v not in values[:i]]
    return found
