"""What a file is made of: which of its scalars are rule text and of which kind, their mistakes, and whether two versions of a file mean the same."""

from __future__ import annotations

import collections.abc
import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from croupier.diagnostics import Diagnostic, Source, Span
from croupier.scenarios.document import FACT
from croupier.scenarios.files import read_scenarios
from croupier.schema import Findings, Text, read_document
from croupier.schema.leaves import DECLARATION, EXPRESSION, LONG_EXPRESSION, RULES, TYPE, Leaf
from croupier.schema.values import read_table, understand
from croupier.source import Mapping, Node, RuleText, Scalar, Sequence
from croupier.source.ruletext import whole
from croupier.syntax import parse_binding, parse_block, parse_declaration, parse_expression, parse_module
from croupier.syntax.lines import ITEMS

STARTS: dict[Leaf, tuple[str, ...]] = {
    RULES: ("module", "block"),
    EXPRESSION: ("expression", "binding"),
    LONG_EXPRESSION: ("expression",),
    TYPE: ("declaration",),
    DECLARATION: ("declaration",),
    FACT: ("expression",),
}


_FIRST = re.compile(r"(?:\s|#[^\n]*\n)*(\w+)")


@dataclass(frozen=True)
class Kinds:
    """What was found out about the scalars of a file, and what is wrong with its shape."""

    leaves: collections.abc.Mapping[int, Leaf]
    diagnostics: tuple[Diagnostic, ...]

    def starts(self, node: Scalar) -> tuple[str, ...]:
        """The kinds of rule text that a scalar may be; none for other texts."""
        leaf = self.leaves.get(node.span.start)
        starts = STARTS.get(leaf, ()) if leaf is not None else ()
        return starts if leaf is not RULES or first_word(node.text) in ITEMS else starts[::-1]  # the likelier one first


def first_word(text: str) -> str:
    """The first word of a rule text that is no comment."""
    found = _FIRST.match(text)
    return found.group(1) if found else ""


def is_scenarios(root: Node) -> bool:
    """Whether a file holds scenarios and not a ruleset."""
    return isinstance(root, Mapping) and root.get("scenarios") is not None and root.get("phases") is None


def _columns(root: Sequence) -> tuple[Text, ...]:
    """Stand-ins for the columns of rows that are lists: the ruleset names them, and their number is all that counts here."""
    lists = [item for item in root.items if isinstance(item, Sequence)]
    first = lists[0].items if lists else ()
    return tuple(Text(replace(item, text=f"c{k}", value=f"c{k}")) for k, item in enumerate(first) if isinstance(item, Scalar))


def kinds_of(root: Node) -> Kinds:
    """The kinds of a file's scalars."""
    if isinstance(root, Sequence):  # the rows of a table in a file of its own
        rows = Findings(root)
        table = rows.attempt(read_table, root)
        if table is not None:
            understand(table, _columns(root), rows)
        return Kinds(rows.leaves, tuple(rows.diagnostics))
    if is_scenarios(root):
        _, findings = read_scenarios(root)
        return Kinds(findings.leaves, tuple(findings.diagnostics))
    parsed = read_document(root)
    return Kinds(parsed.leaves, parsed.diagnostics)


# ---------------------------------------------------------------- meaning
PARSERS: dict[str, Callable[[Any], tuple[Any, list[Diagnostic]]]] = {
    "module": parse_module, "block": parse_block, "expression": parse_expression, "declaration": parse_declaration, "binding": parse_binding,
}  # fmt: skip
_TRIVIA = re.compile(r'"[^"\n]*"|(#[^\n]*)')

Starts = Callable[[Scalar], tuple[str, ...]]
"""The kinds of rule text that a scalar may be; none for other texts."""


def rule_tree(text: RuleText, start: str) -> Any:
    """The tree of a rule text without its places, with its comments; None if there are mistakes in it."""
    return _tree(text.text, start)


@lru_cache(maxsize=4096)
def _tree(text: str, start: str) -> Any:
    tree, found = PARSERS[start](whole(Source("text", text)))
    if found:
        return None
    comments = [m.group(1).lstrip("#").strip() for m in _TRIVIA.finditer(text) if m.group(1) is not None]
    return (_plain(tree), tuple(comments))


def _plain(value: Any) -> Any:
    if isinstance(value, Span):
        return None
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (type(value).__name__, *(_plain(getattr(value, f.name)) for f in dataclasses.fields(value)))
    return value


def meaning_of(node: Node, starts: Starts) -> Any:
    """All that a tree says, without its layout."""
    if isinstance(node, Mapping):
        return tuple((key.text, key.value, meaning_of(value, starts)) for key, value in node.entries)
    if isinstance(node, Sequence):
        return ["list", *(meaning_of(item, starts) for item in node.items)]
    assert isinstance(node, Scalar)
    if node.style in ("plain", "literal"):
        for start in starts(node):
            tree = rule_tree(rule_text(node), start)
            if tree is not None:
                return (start, tree)
    return (node.text, node.value)


def rule_text(node: Scalar) -> RuleText:
    """A scalar as rule text; between brackets, where some places allow more signs than others, it is what it says."""
    return dataclasses.replace(node, in_flow=False).rule_text()


# ---------------------------------------------------------------- mistakes
def rule_mistakes(node: Node, kinds: Kinds) -> list[Diagnostic]:
    """Every mistake in a rule text; where a text may be of several kinds, those of the kind that has the fewest."""
    if isinstance(node, Mapping):
        return [d for _, value in node.entries for d in rule_mistakes(value, kinds)]
    if isinstance(node, Sequence):
        return [d for item in node.items for d in rule_mistakes(item, kinds)]
    assert isinstance(node, Scalar)
    if node.style not in ("plain", "literal"):
        return []
    if any(rule_tree(rule_text(node), start) is not None for start in kinds.starts(node)):
        return []
    found = [PARSERS[start](rule_text(node))[1] for start in kinds.starts(node)]
    return min(found, key=lambda some: len(some), default=[])
