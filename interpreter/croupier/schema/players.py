"""The numbers of players a game is for: `2`, `2..6` or `[2, 4]`, or such numbers by the value of a parameter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span
from croupier.schema.findings import Findings, narrow
from croupier.schema.keydocs import BY
from croupier.schema.leaves import IDENTIFIER, Text
from croupier.schema.shapes import Shape
from croupier.source import Mapping, Node, Scalar, Sequence

MOST_PLAYERS = 64
RANGE = re.compile(r"([0-9]{1,9})\s*\.\.\s*([0-9]{1,9})\Z", re.ASCII)


@dataclass(frozen=True)
class Players:
    """The legal numbers of players, rising, and where they are declared; with the parameter `by`, the numbers at each of its values."""

    span: Span
    counts: tuple[int, ...]
    by: Text | None = None
    cases: tuple[tuple[Text, tuple[int, ...]], ...] = ()


def read_players(node: Node, findings: Findings) -> Players:
    """The declared numbers, or a refusal."""
    if not isinstance(node, Mapping):
        return Players(node.span, _numbers(node, findings))
    by: Text | None = None
    cases: list[tuple[Text, tuple[int, ...]]] = []
    for key, value in node.entries:
        findings.enter(key, value)
        if key.text == "by":
            by = IDENTIFIER.read(value, findings)
        else:
            cases.append((read_case(key, findings), _numbers(value, findings)))
    if by is None:
        findings.refuse("D002", findings.head(node), place=findings.place(node), key="by")
    if not cases:
        findings.refuse("D006", findings.head(node), place=findings.place(node), keys=f"numbers for each value of `{by.text}`")
    return Players(node.span, tuple(sorted({n for _, counts in cases for n in counts})), by, tuple(cases))


def read_case(key: Node, findings: Findings) -> Text:
    """The value of a parameter as a key: one of its words, `true` or `false`."""
    return Text(key) if isinstance(key, Scalar) and isinstance(key.value, bool) else IDENTIFIER.read(key, findings)


def _numbers(node: Node, findings: Findings) -> tuple[int, ...]:
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
    return tuple(sorted(first))


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
    plain = {"anyOf": [*one["anyOf"], {"type": "array", "items": one, "minItems": 1}]}
    parameter = {"description": BY, **dict(IDENTIFIER.schema)}
    by = {"type": "object", "properties": {"by": parameter}, "additionalProperties": plain, "required": ["by"]}
    return {"anyOf": [*plain["anyOf"], by]}


PlayerCounts: TypeAlias = Annotated[Players, Shape(read_players, players_schema)]
