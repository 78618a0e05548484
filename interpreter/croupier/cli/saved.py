"""The rules of a saved game, and the command that goes on with it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.play.saved import SavedGame
    from croupier.ruleset import Ruleset


def rules_of(saved: SavedGame, name: str | None, option: str = "--ruleset FILE") -> Ruleset:
    """The ruleset that the user names, or the one that the file names: a shipped one, or one of that name in the working folder.

    A file never names a path: its name is one word. `option` is how a user names another. Raises `RulesetError`.
    """
    import croupier
    from croupier.diagnostics import RulesetError, diagnose
    from croupier.resources import MAIN_FILE, is_shipped
    from croupier.schema.leaves import IDENTIFIER_PATTERN

    if name is not None:
        return croupier.load(name)
    recorded = saved.record.ruleset
    if not is_shipped(recorded):  # nothing else: `load` would take other texts for paths
        beside = (Path(recorded, MAIN_FILE), Path(f"{recorded}.yaml")) if IDENTIFIER_PATTERN.match(recorded) else ()
        for path in beside:
            if os.path.isfile(path) and not os.path.islink(path):
                return croupier.load(path)
        raise RulesetError([diagnose("X540", saved.places["ruleset"], name=recorded, help=f"name its folder or file: `{option}`")])
    return croupier.load(recorded)


def going_on(ruleset: Ruleset, file: Path) -> str:
    """The command that goes on with a game of a ruleset that was saved in a file, as it can be typed in any folder."""
    from croupier.resources import name_of

    words = ["croupier", "play", *([] if name_of(ruleset.path) else [str(ruleset.path.resolve())]), "--from", str(file.resolve())]
    return shlex.join(words)
