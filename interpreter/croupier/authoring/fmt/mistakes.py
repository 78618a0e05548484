"""The mistakes in the rule texts of one file: found without knowing what any name means."""

from __future__ import annotations

from croupier.authoring.fmt.kinds import Kinds
from croupier.authoring.fmt.meaning import PARSERS, rule_text, rule_tree
from croupier.diagnostics import Diagnostic
from croupier.source import Mapping, Node, Scalar, Sequence


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
