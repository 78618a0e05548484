"""The formatter: one canonical layout for rulesets, variants and scenario files.

What comes in is the text of a file; what goes out is the text in the canonical layout, or what keeps it from
being read.  The formatter moves signs and changes none: the author's line breaks, quotes, order and comments
stay; indentation, spaces, blank lines and the column of citations are ours, the columns of a table only where
the author made none.  So the layout of a line depends on little more than the line, and a small change of a
ruleset is a small difference.

1. `kinds.py` reads the file as a ruleset or as scenarios and tells which of its scalars are rule text;
   `meaning.py` reports their mistakes.
2. `rules.py` lays out rule text by the tokens of the parser and a table of spaces.
3. `layout.py` does the same for the YAML around it, whose signs are in `atoms.py`, and `alignment.py` keeps
   the columns of a table that were aligned.
4. `format.py` does all of it for one text, compares every scalar, every tree of rule text (`meaning.py`) and
   every comment of both texts (a difference would be a mistake of ours), and says which files belong to a
   name.
5. `upgrade.py` makes files of the newest version of the language of older ones.
"""

from __future__ import annotations

from croupier.authoring.fmt.format import Formatted, format_source, yaml_files
from croupier.authoring.fmt.upgrade import Upgraded, upgraded

__all__ = ["Formatted", "Upgraded", "format_source", "upgraded", "yaml_files"]
