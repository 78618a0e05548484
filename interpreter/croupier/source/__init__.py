"""From a file to a located tree.

A file is read once, within limits (`read_file`); a policy on the stream of YAML events refuses what
rulesets do without and what could exhaust the machine; then it becomes a tree whose every part knows its place
(`read`).  Rule text inside the tree keeps a map back to the file (`RuleText`).  Tables beside a ruleset are read by `read_csv`.

    files.py         a file's text, and texts that stand for files, characters that no text may hold
    yaml_policy.py   what YAML a ruleset may use; yaml_errors.py what a YAML parser's error means
    yaml_tree.py     the located tree and how it is read; ruletext.py rule text and its places
    renaming.py      a tree with other names in it     csv.py           tables
"""

from croupier.source.csv import CsvCell, CsvTable, read_csv
from croupier.source.files import decode, read_file
from croupier.source.ruletext import RuleText, whole
from croupier.source.yaml_tree import Style, YamlMapping, YamlNode, YamlScalar, YamlSequence, read

__all__ = [
    "CsvCell",
    "CsvTable",
    "YamlMapping",
    "YamlNode",
    "RuleText",
    "YamlScalar",
    "YamlSequence",
    "Style",
    "decode",
    "read",
    "read_csv",
    "read_file",
    "whole",
]
