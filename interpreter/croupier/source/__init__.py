"""From a file to a located tree.

A file is read once, within limits (`locate`, `read_file`); its text passes a guard on the stream of YAML events, which refuses what
rulesets do without and what could exhaust the machine; then it becomes a tree whose every part knows its place
(`read`).  Rule text inside the tree keeps a map back to the file (`RuleText`).  Tables beside a ruleset are read by `read_csv`.

    files.py       a file's text; limits.py how much of it; buffers.py texts that stand for files
    reading.py     from a text to a tree: characters.py and guard.py refuse, tree.py builds it of nodes.py, scalars.py says what a scalar is
    ruletext.py    rule text and its places; forgotten.py rule text whose `|` was forgotten
    csv.py         tables; references.py the files that a tree names
    wording.py     what a YAML parser's error (trouble.py) means: wording_layout.py, wording_signs.py
"""

from croupier.source.csv import Cell, Table, read_csv
from croupier.source.files import decode, read_file
from croupier.source.nodes import Mapping, Node, Scalar, Sequence, Style
from croupier.source.reading import read
from croupier.source.references import locate
from croupier.source.ruletext import RuleText, whole

__all__ = [
    "Cell",
    "Mapping",
    "Node",
    "RuleText",
    "Scalar",
    "Sequence",
    "Style",
    "Table",
    "decode",
    "locate",
    "read",
    "read_csv",
    "read_file",
    "whole",
]
