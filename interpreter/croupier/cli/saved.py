"""The rules of a saved game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.load import Ruleset
    from croupier.play.saved import SavedGame


def rules_of(saved: SavedGame, name: str | None) -> Ruleset:
    """The ruleset that the user names, or the shipped one that the file names; a file never names a path. Raises `RulesetError`."""
    import croupier
    from croupier.diagnostics import RulesetError, diagnose
    from croupier.resources import shipped

    if name is not None:
        return croupier.load(name)
    recorded = saved.record.ruleset
    if recorded not in shipped():  # nothing else: `load` would take other texts for paths
        raise RulesetError([diagnose("X540", saved.places["ruleset"], name=recorded)])
    return croupier.load(recorded)
