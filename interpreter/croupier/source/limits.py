"""How much of a file is read.  The numbers are part of what the interpreter promises about untrusted files."""

from __future__ import annotations

MOST_BYTES = 1_000_000  # of a YAML file, in UTF-8
MOST_LINES = 20_000
LONGEST_LINE = 10_000  # code points
DEEPEST = 64  # lists and mappings within each other
MOST_NODES = 10_000  # keys, values, lists and mappings together

TABLE_BYTES = 1_000_000
TABLE_ROWS = 10_000  # without the row of names
TABLE_COLUMNS = 200
TABLE_CELLS = 100_000

LONGEST_PATH = 4_096  # code points
LONGEST_REFERENCE = 1_000  # code points of a path that a ruleset names
