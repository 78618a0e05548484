"""One text in the canonical layout, if it can be read; and the files that belong to a name."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from croupier.authoring.fmt.kinds import Kinds, is_scenarios, kinds_of
from croupier.authoring.fmt.layout import YamlLayout
from croupier.authoring.fmt.meaning import is_rule_text, meaning_of, rule_mistakes, rule_text
from croupier.authoring.fmt.rules import format_rules
from croupier.diagnostics import Diagnostic, Source
from croupier.resolve import open_ruleset
from croupier.resolve.documents import check_kind, check_not_csv
from croupier.resolve.loader import variant_files
from croupier.resources import MAIN_FILE, SUFFIXES, find, shipped
from croupier.scenarios.files import confined_to, files_in, is_scenario_file
from croupier.source import YamlScalar, YamlSequence, read, read_file


@dataclass(frozen=True)
class Formatted:
    """The text in the canonical layout, or `None` and what is wrong with the file."""

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
