"""New rulesets: a small game to begin with, or a copy of a ruleset under another name.

What comes in is a name; what goes out are files, path by text, that check, run and have a scenario.  `folders.py` writes them, all or none.
"""

from croupier.authoring.new.copying import copied
from croupier.authoring.new.folders import write_folder
from croupier.authoring.new.starting import Unfit, check_name, player_counts, started

__all__ = ["Unfit", "check_name", "copied", "player_counts", "started", "write_folder"]
