"""A file of another kind where a ruleset is expected: what it is, and what is done with such files instead."""

from __future__ import annotations

import os
from pathlib import Path

from croupier.diagnostics import Diagnostic, Source, Span, diagnose
from croupier.resolve.paths import shown
from croupier.resources import MAIN_FILE
from croupier.schema.findings import narrow
from croupier.source import Mapping, Node, Sequence

_RULES = {"ruleset", "title", "phases", "extends"}  # keys of rulesets and variants: of these a scenario file may have only the first
_RULE_LIST = "id,tag,text"


def csv_file(path: Path, source: Source) -> Diagnostic | None:
    """What is said of a CSV file; none for a file with another ending."""
    if path.suffix.lower() != ".csv":
        return None
    head = source.text.split("\n", 1)[0].strip()
    found = _row_file("a rule list", "rule_list", path) if head == _RULE_LIST else _row_file("a table", "table", path)
    return _said(found, source.span(0, len(head)))


def another_kind(path: Path, node: Node) -> Diagnostic | None:
    """What is said of a file that holds scenarios, the rows of a table, a saved game, or actions; none where it may be a ruleset."""
    found = _kind(path, node)
    return None if found is None else _said(found, narrow(node))


def _said(found: tuple[str, str], span: Span) -> Diagnostic:
    return diagnose("V003", span, what=found[0], help=found[1])


def _kind(path: Path, node: Node) -> tuple[str, str] | None:
    if isinstance(node, Sequence):
        rows = bool(node.items) and all(isinstance(row, Mapping | Sequence) for row in node.items)
        return _row_file("a table", "table", path) if rows else None
    if not isinstance(node, Mapping):
        return None
    name, keys = shown(path).as_posix(), {key.text for key, _ in node.entries}
    if "scenarios" in keys and not keys & (_RULES - {"ruleset"}):
        return "a scenario file", f"`croupier test {name}` plays its scenarios{_instead(path)}"
    if {"ruleset_hash", "actions"} <= keys:
        return "a saved game", f"`croupier replay {name}` plays it again, `croupier play --from {name}` goes on with it"
    if "actions" in keys and not keys & _RULES:
        return "a list of actions", f"`croupier run {_ruleset(path) or 'NAME'} --actions {name}` plays a game with them"
    return None


def _row_file(what: str, key: str, path: Path) -> tuple[str, str]:
    return what, f"a ruleset reads it where it says `{key}: {path.name}`{_instead(path)}"


def _instead(path: Path) -> str:
    """The ruleset in whose folder a file lies, as it is named on the command line, in words."""
    name = _ruleset(path)
    return "" if name is None else f"; the ruleset beside it is `{name}`"


def _ruleset(path: Path) -> str | None:
    for folder in list(path.parents)[:2]:
        if os.path.isfile(folder / MAIN_FILE):
            return shown(folder).as_posix()
    return None
