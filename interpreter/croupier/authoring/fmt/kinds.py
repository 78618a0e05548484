"""The kinds of the scalars of a file: which of them are rule text, and of which kind."""

from __future__ import annotations

import collections.abc
import re
from dataclasses import dataclass, replace

from croupier.diagnostics import Diagnostic
from croupier.scenarios.document import FACT
from croupier.scenarios.files import read_scenarios
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
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence
from croupier.syntax.lines import ITEMS

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
