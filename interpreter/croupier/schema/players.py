"""The numbers of players a game is for: `2`, `2..6` or `[2, 4]`, or such numbers by the value of a parameter; and how many play unless said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span
from croupier.limits import MAX_PLAYERS
from croupier.schema.findings import Findings, narrow, refuse
from croupier.schema.keydocs import BY, PLAYERS_DEFAULT, PLAYERS_RANGE
from croupier.schema.leaves import IDENTIFIER, Text
from croupier.schema.shapes import Shape
from croupier.source import Mapping, Node, Scalar, Sequence

RANGE = re.compile(r"([0-9]{1,9})\s*\.\.\s*([0-9]{1,9})\Z", re.ASCII)


@dataclass(frozen=True)
class Players:
    """The legal numbers of players, rising, and where they are declared; with the parameter `by`, the numbers at each of its values.

    `default` is how many play where nobody says a number; without it the fewest do.
    """

    span: Span
    counts: tuple[int, ...]
    by: Text | None = None
    cases: tuple[tuple[Text, tuple[int, ...]], ...] = ()
    default: int | None = None


def read_players(node: Node, findings: Findings) -> Players:
    """The declared numbers, or a refusal."""
    if not isinstance(node, Mapping):
        return Players(node.span, _numbers(node, findings))
    by: Text | None = None
    default: Node | None = None
    cases: list[tuple[Text, tuple[int, ...]]] = []
    ranges = node.key("range")
    for key, value in node.entries:
        findings.enter(key, value)
        if key.text == "default":
            default = value
        elif key.text == "by":
            by = IDENTIFIER.read(value, findings)
            if ranges is not None:
                findings.excludes(ranges, key)
                refuse()
        elif key is not ranges:
            if ranges is not None:
                findings.refuse("D001", key.span, key=key.text, help="beside `range` only `default` may stand")
            cases.append((read_case(key, findings), _numbers(value, findings)))
    inner = node.get("range")
    if inner is not None:
        counts = _numbers(inner, findings)
        return Players(node.span, counts, default=_default(default, counts, findings))
    if by is None:
        findings.refuse("D006", findings.head(node), place=findings.place(node), keys="`range` (for the numbers), or `by` (for a parameter)")
    if not cases:
        findings.refuse("D006", findings.head(node), place=findings.place(node), keys=f"numbers for each value of `{by.text}`")
    counts = tuple(sorted({n for _, counts in cases for n in counts}))
    return Players(node.span, counts, by, tuple(cases), _default(default, counts, findings))


def _default(node: Node | None, counts: tuple[int, ...], findings: Findings) -> int | None:
    """One of the numbers; none where nothing is said, or something wrong, which is reported."""
    if node is None:
        return None
    if not isinstance(node, Scalar) or not isinstance(node.value, int) or isinstance(node.value, bool):
        findings.wrong_kind(node, "a number of players")
    if node.value not in counts:
        findings.add("D111", node.span, number=node.text, counts=", ".join(map(str, counts)))
        return None
    return node.value


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
    if not (1 <= low and high <= MAX_PLAYERS):
        findings.refuse("D105", node.span, place="a number of players", number=node.text, least=1, most=MAX_PLAYERS)
    return range(low, high + 1)


def players_schema() -> JsonSchemaValue:
    """A number, a range or a list of them."""
    one = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": MAX_PLAYERS}, {"type": "string", "pattern": r"^[0-9]+\s*\.\.\s*[0-9]+$"}]}
    plain = {"anyOf": [*one["anyOf"], {"type": "array", "items": one, "minItems": 1}]}
    parameter = {"description": BY, **dict(IDENTIFIER.schema)}
    default = {"description": PLAYERS_DEFAULT, "type": "integer", "minimum": 1, "maximum": MAX_PLAYERS}
    by = {"type": "object", "properties": {"by": parameter, "default": default}, "additionalProperties": plain, "required": ["by"]}
    numbers = {"description": PLAYERS_RANGE, **plain}
    whole = {"type": "object", "properties": {"range": numbers, "default": default}, "additionalProperties": False, "required": ["range"]}
    return {"anyOf": [*plain["anyOf"], whole, by]}


PlayerCounts: TypeAlias = Annotated[Players, Shape(read_players, players_schema)]
