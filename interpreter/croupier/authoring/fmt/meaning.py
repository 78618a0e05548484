"""The meaning of a file, to compare two versions of it, and the mistakes in its rule text."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from functools import lru_cache

from croupier.authoring.fmt.kinds import Kinds
from croupier.diagnostics import Diagnostic, Source
from croupier.semantics.texts import PARSERS, without_places
from croupier.source import RuleText, YamlMapping, YamlNode, YamlScalar, YamlSequence
from croupier.source.ruletext import whole

_TRIVIA = re.compile(r'"[^"\n]*"|(#[^\n]*)')

Starts = Callable[[YamlScalar], tuple[str, ...]]
"""The kinds of rule text that a scalar may be; none for other texts."""


def is_rule_text(text: RuleText, start: str) -> bool:
    """Tell whether a text can be read as rule text of this kind."""
    return _parse(text.text, start) is not None


@lru_cache(maxsize=4096)
def _parse(text: str, start: str) -> object:
    """The tree of a rule text; `None` if there are mistakes in it."""
    tree, found = PARSERS[start](whole(Source("text", text)))
    return None if found else tree


@lru_cache(maxsize=4096)
def _meaning(text: str, start: str) -> object:
    """The tree of a rule text without its places, with its comments; `None` if there are mistakes in it."""
    tree = _parse(text, start)
    if tree is None:
        return None
    comments = [m.group(1).lstrip("#").strip() for m in _TRIVIA.finditer(text) if m.group(1) is not None]
    return (without_places(tree), tuple(comments))


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
