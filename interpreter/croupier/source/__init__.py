"""From a file to a located tree.

`read_file` reads a file once, within limits.  `read` parses it: a policy on the stream of YAML events refuses
what rulesets do without and what could exhaust the machine; the events become a tree of which each node has
its span.  Rule text in the tree maps its offsets to the file (`RuleText`).  `read_csv` reads tables.

    files.py        the text of a file, texts used instead of files, forbidden characters
    lookalikes.py   characters that look like those of the language; indentation.py what a line is indented
                    beside, in numbers
    yaml_policy.py  what YAML a ruleset may use; yaml_errors.py what a YAML parser's error means;
                    yaml_trials.py changes, tried
    yaml_tree.py    the located tree and how it is read; ruletext.py rule text and its offsets
    renaming.py     a tree with names replaced
    statement_words.py  how statements are written
    csv.py          tables
    splicing.py     rule text of pieces of several texts
"""

from croupier.source.csv import CsvCell, CsvTable, read_csv
from croupier.source.files import decode, read_file
from croupier.source.ruletext import RuleText, whole
from croupier.source.yaml_tree import Style, YamlMapping, YamlNode, YamlScalar, YamlSequence, as_json, read

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
    "as_json",
    "read",
    "read_csv",
    "read_file",
    "whole",
]
