"""Whether two versions of a file say the same: every scalar, every rule text as a tree, every comment."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from croupier.diagnostics import Diagnostic, Source, Span
from croupier.source import Mapping, Node, RuleText, Scalar, Sequence
from croupier.source.ruletext import whole
from croupier.syntax import parse_binding, parse_block, parse_declaration, parse_expression, parse_module

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


def says(node: Node, starts: Starts) -> Any:
    """All that a tree says, without its layout."""
    if isinstance(node, Mapping):
        return tuple((key.text, key.value, says(value, starts)) for key, value in node.entries)
    if isinstance(node, Sequence):
        return ["list", *(says(item, starts) for item in node.items)]
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
