"""One text into the canonical layout, if it can be read, and the proof that its meaning stays."""

from __future__ import annotations

import collections.abc
import dataclasses
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from croupier.authoring.fmt.layout import YamlLayout
from croupier.authoring.fmt.rules import format_rules
from croupier.diagnostics import Diagnostic, Source, Span
from croupier.resolve import open_ruleset
from croupier.resolve.documents import check_kind, check_not_csv
from croupier.resolve.loader import variant_files
from croupier.resources import MAIN_FILE, SUFFIXES, find, shipped
from croupier.scenarios.document import FACT, confined_to, files_in, is_scenario_file, read_scenarios
from croupier.schema import Findings, Text, read_document
from croupier.schema.leaves import (
    ATTRIBUTE,
    AUDIENCE,
    DECLARATION,
    EXPRESSION,
    LONG_EXPRESSION,
    RULES,
    TYPE,
    Leaf,
)
from croupier.schema.values import read_table, with_rows
from croupier.source import RuleText, YamlMapping, YamlNode, YamlScalar, YamlSequence, read, read_file
from croupier.source.ruletext import whole
from croupier.syntax import (
    parse_audience,
    parse_binding,
    parse_block,
    parse_declaration,
    parse_expression,
    parse_module,
)
from croupier.syntax.lines import ITEMS

# ---------------------------------------------------------------- meaning
# What a file is made of: which of its scalars are rule text and of which kind, their mistakes, and whether
# two versions of a file mean the same.
STARTS: dict[Leaf, tuple[str, ...]] = {
    RULES: ("module", "block"),
    EXPRESSION: ("expression", "binding"),
    LONG_EXPRESSION: ("expression",),
    TYPE: ("declaration",),
    DECLARATION: ("declaration",),
    ATTRIBUTE: ("declaration",),
    FACT: ("expression",),
    AUDIENCE: ("audience",),
}


_FIRST = re.compile(r"(?:\s|#[^\n]*\n)*(\w+)")


@dataclass(frozen=True)
class Kinds:
    """The kinds of the scalars of a file, and the diagnostics of its shape."""

    leaves: collections.abc.Mapping[int, Leaf]
    diagnostics: tuple[Diagnostic, ...]

    def starts(self, node: YamlScalar) -> tuple[str, ...]:
        """Return the kinds of rule text that a scalar may be; no kinds for other texts."""
        leaf = self.leaves.get(node.span.start)
        starts = STARTS.get(leaf, ()) if leaf is not None else ()
        # the likelier one first
        return starts if leaf is not RULES or first_word(node.text) in ITEMS else starts[::-1]


def first_word(text: str) -> str:
    """The first word of a rule text that is no comment."""
    found = _FIRST.match(text)
    return found.group(1) if found else ""


def is_scenarios(root: YamlNode) -> bool:
    """Tell whether a file holds scenarios and not a ruleset."""
    return isinstance(root, YamlMapping) and root.get("scenarios") is not None and root.get("phases") is None


def _columns(root: YamlSequence) -> tuple[Text, ...]:
    """Stand-ins for the columns of rows that are lists: the ruleset names them, and their number is all that
    counts here.
    """
    lists = [item for item in root.items if isinstance(item, YamlSequence)]
    first = lists[0].items if lists else ()
    return tuple(
        Text(replace(item, text=f"c{k}", value=f"c{k}"))
        for k, item in enumerate(first)
        if isinstance(item, YamlScalar)
    )


def kinds_of(root: YamlNode) -> Kinds:
    """The kinds of a file's scalars."""
    if isinstance(root, YamlSequence):  # the rows of a table in a file of its own
        rows = Findings(root)
        table = rows.attempt(read_table, root)
        if table is not None:
            with_rows(table, _columns(root), rows)
        return Kinds(rows.leaves, tuple(rows.diagnostics))
    if is_scenarios(root):
        _, findings = read_scenarios(root)
        return Kinds(findings.leaves, tuple(findings.diagnostics))
    parsed = read_document(root)
    return Kinds(parsed.leaves, parsed.diagnostics)


# ---------------------------------------------------------------- meaning
PARSERS: dict[str, Callable[[Any], tuple[Any, list[Diagnostic]]]] = {
    "module": parse_module, "block": parse_block, "expression": parse_expression,
    "declaration": parse_declaration, "binding": parse_binding,
    "audience": parse_audience,
}  # fmt: skip
_TRIVIA = re.compile(r'"[^"\n]*"|(#[^\n]*)')

Starts = Callable[[YamlScalar], tuple[str, ...]]
"""The kinds of rule text that a scalar may be; none for other texts."""


def is_rule_text(text: RuleText, start: str) -> bool:
    """Tell whether a text can be read as rule text of this kind."""
    return _parse(text.text, start) is not None


@lru_cache(maxsize=4096)
def _parse(text: str, start: str) -> object:
    """The tree of a rule text; None if there are mistakes in it."""
    tree, found = PARSERS[start](whole(Source("text", text)))
    return None if found else tree


@lru_cache(maxsize=4096)
def _meaning(text: str, start: str) -> object:
    """The tree of a rule text without its places, with its comments; None if there are mistakes in it."""
    tree = _parse(text, start)
    if tree is None:
        return None
    comments = [m.group(1).lstrip("#").strip() for m in _TRIVIA.finditer(text) if m.group(1) is not None]
    return (_plain(tree), tuple(comments))


def _plain(value: object) -> object:
    if isinstance(value, Span):
        return None
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (type(value).__name__, *(_plain(getattr(value, f.name)) for f in dataclasses.fields(value)))
    return value


def meaning_of(node: YamlNode, starts: Starts) -> object:
    """All that a tree says, without its layout."""
    if isinstance(node, YamlMapping):
        return tuple((key.text, key.value, meaning_of(value, starts)) for key, value in node.entries)
    if isinstance(node, YamlSequence):
        return ["list", *(meaning_of(item, starts) for item in node.items)]
    assert isinstance(node, YamlScalar)
    if node.style in ("plain", "literal"):
        for start in starts(node):
            tree = _meaning(rule_text(node).text, start)
            if tree is not None:
                return (start, tree)
    return (node.text, node.value)


def rule_text(node: YamlScalar) -> RuleText:
    """A scalar as rule text; between brackets, where some places allow more signs than others, it is what it
    says.
    """
    return dataclasses.replace(node, in_flow=False).rule_text()


# ---------------------------------------------------------------- mistakes
def rule_mistakes(node: YamlNode, kinds: Kinds) -> list[Diagnostic]:
    """Every mistake in a rule text; where a text may be of several kinds, those of the kind that has the
    fewest.
    """
    if isinstance(node, YamlMapping):
        return [d for _, value in node.entries for d in rule_mistakes(value, kinds)]
    if isinstance(node, YamlSequence):
        return [d for item in node.items for d in rule_mistakes(item, kinds)]
    assert isinstance(node, YamlScalar)
    if node.style not in ("plain", "literal"):
        return []
    if any(is_rule_text(rule_text(node), start) for start in kinds.starts(node)):
        return []
    found = [PARSERS[start](rule_text(node))[1] for start in kinds.starts(node)]
    return min(found, key=lambda some: len(some), default=[])


# ---------------------------------------------------------------- format
# One text into the canonical layout, if it can be read; and the files that belong to a name.
@dataclass(frozen=True)
class Formatted:
    """The text in the canonical layout, or None and what is wrong with the file."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...] = ()


class FormatError(RuntimeError):
    """The layout would have changed what a file says: a mistake of the formatter."""


def format_source(source: Source) -> Formatted:
    """The canonical layout of a ruleset, a variant or a file of scenarios.

    A file that cannot be read (YAML, keys, rule text) has none; unknown names and wrong types do not matter.
    Raises `FormatError` instead of giving a text that says something else.
    """
    path = Path(source.name)
    table = check_not_csv(path, source)
    if table is not None:
        return Formatted(None, (table,))
    root, found = read(source)
    if root is None or _errors(found):
        return Formatted(None, tuple(found))
    other = None if isinstance(root, YamlSequence) or is_scenarios(root) else check_kind(path, root)
    if other is not None:
        return Formatted(None, (other,))
    kinds = kinds_of(root)
    wrong = _errors([*kinds.diagnostics, *rule_mistakes(root, kinds)])
    if wrong:
        return Formatted(None, wrong)
    text = YamlLayout(root, lambda node, column: _rules(node, kinds, column)).write()
    if text == source.text:
        return Formatted(text)
    again, _ = read(Source(source.name, text))
    if (
        again is None
        or meaning_of(root, kinds.starts) != meaning_of(again, kinds_of(again).starts)
        or _comments(source.text) != _comments(text)
    ):
        raise FormatError(f"the layout of {source.name} says something else")
    return Formatted(text)


def _errors(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(d for d in found if d.is_error)


def _comments(text: str) -> list[str]:
    """Return the text behind each `#`, also of one inside of a text: that has to stay the same as well."""
    return [
        line.split("#", 1)[1].replace(" ", "")
        for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if "#" in line
    ]


def _rules(node: YamlScalar, kinds: Kinds, column: int) -> list[str] | None:
    """The lines of a scalar that is rule text."""
    if node.style not in ("plain", "literal"):
        return None
    for start in kinds.starts(node):
        if is_rule_text(rule_text(node), start):
            lines = format_rules(node.text, start, column)
            return None if lines is None or (node.style == "plain" and _spoils(lines)) else lines
    return None


def _spoils(lines: list[str]) -> bool:
    """Tell whether a text cannot be a plain scalar: YAML reads `: ` and ` #` as signs of its own."""
    return len(lines) != 1 or ": " in lines[0] or " #" in lines[0]


def yaml_files(path_or_name: str) -> tuple[dict[Path, Path], list[Diagnostic]]:
    """The files of a name, each with the folder that it has to lie in, links followed.

    They are those of a ruleset with its tables, variants and scenarios, or the one file that a path or
    NAME/VARIANT names.

    Of a folder nothing else is touched, and nothing at all if no ruleset lies in it.
    """
    place, found = find(path_or_name)
    if place is None:
        return {}, found
    if place.parts:
        return {part.path: part.root for part in place.parts}, []
    if not os.path.isfile(place.path):
        return {}, read_file(place.path, place.root)[1]
    whole = path_or_name in shipped() or os.path.isdir(path_or_name)
    if not whole or place.path.name != MAIN_FILE:
        return {place.path: confined_to(place.path) if is_scenario_file(place.path) else place.root}, []
    variants, problems = variant_files(place.root)
    scenarios, more = files_in(place.root)
    root = os.path.abspath(place.root)
    own = {os.path.abspath(path) for path in (place.path, *variants)}
    named = (name for path in (place.path, *variants) for name in _read(path))
    tables = {
        Path(name): None
        for name in named
        if os.path.abspath(name) not in own and Path(os.path.abspath(name)).is_relative_to(root)
    }
    return dict.fromkeys([place.path, *sorted(tables), *variants, *scenarios], place.root), [*problems, *more]


def _read(path: Path) -> list[str]:
    """The YAML files that a ruleset or variant is made of."""
    doc, _ = open_ruleset(path)
    return (
        [source.name for source in doc.sources if source.name.endswith(SUFFIXES)] if doc is not None else []
    )
