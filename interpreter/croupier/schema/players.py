"""The numbers of players a game is for: `2`, `2..6` or `[2, 4]`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span
from croupier.schema.findings import Findings, narrow
from croupier.schema.shapes import Shape
from croupier.source import Mapping, Node, Scalar, Sequence

MOST_PLAYERS = 64
RANGE = re.compile(r"([0-9]{1,9})\s*\.\.\s*([0-9]{1,9})\Z", re.ASCII)


@dataclass(frozen=True)
class Players:
    """The legal numbers of players, rising, and where they are declared."""

    span: Span
    counts: tuple[int, ...]


def read_players(node: Node, findings: Findings) -> Players:
    """The declared numbers, or a refusal."""
    if isinstance(node, Mapping):
        findings.wrong_kind(node, "a number, a range `2..6` or a list of numbers")
    items = node.items if isinstance(node, Sequence) else (node,)
    first: dict[int, Node] = {}
    for item in items:
        for count in _counts(item, findings):
            if count in first and isinstance(node, Sequence):
                findings.twice(item, first[count], str(count))
            first.setdefault(count, item)
    if not first:
        findings.refuse("D004", node.span, place=findings.place(node))
    return Players(node.span, tuple(sorted(first)))


def _counts(node: Node, findings: Findings) -> range:
    if not isinstance(node, Scalar):
        findings.wrong_kind(node, "a number or a range `2..6`")
    match = RANGE.match(node.text)
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        low = high = node.value
    elif match and node.style == "plain":
        low, high = int(match.group(1)), int(match.group(2))
    else:
        findings.refuse("D108", narrow(node), text=node.text)
    if low > high:
        findings.refuse("D108", narrow(node), text=node.text)
    if not (1 <= low and high <= MOST_PLAYERS):
        findings.refuse("D105", node.span, place="a number of players", number=node.text, least=1, most=MOST_PLAYERS)
    return range(low, high + 1)


def players_schema() -> JsonSchemaValue:
    """A number, a range or a list of them."""
    one = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": MOST_PLAYERS}, {"type": "string", "pattern": r"^[0-9]+\s*\.\.\s*[0-9]+$"}]}
    return {"anyOf": [*one["anyOf"], {"type": "array", "items": one, "minItems": 1}]}


PlayerCounts: TypeAlias = Annotated[Players, Shape(read_players, players_schema)]
