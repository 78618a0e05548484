"""The steps of a scenario: decisions, chance outcomes, refusals and checks in between, in order.

- Anna: yellow-2                                  a decision, in the words or the structure of one of its options; `any` for the first
- Anna: {alike: white 1, number: 2}               the second of several options that read so
- chance: blue-3                                  the outcome of a chance event; a list for several; `any` for the first
- all: {Anna: yes, Brian: no}                     several seats that decide at once
- refused: {Anna: yellow-9, because: the words}   an action that must not be legal
- forced: all                                     everything that leaves no choice, up to the next decision with several options
- until: deck.empty                               first options and first outcomes, whoever acts, until this holds; `end`: to the end
- expect: {…}                                     checks, as under `then`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span
from croupier.schema import Findings, Text
from croupier.schema.leaves import TITLE, word
from croupier.source import Mapping, Node, Scalar, Sequence

WORDS = ("chance", "all", "refused", "forced", "until", "expect")
_FORCED = word("all")


@dataclass(frozen=True)
class Step:
    """One step. `kind` is `act` or one of `WORDS`; `choices` are seats (as written) with what they choose."""

    kind: str
    span: Span
    choices: tuple[tuple[Text, Node], ...] = ()
    outcomes: tuple[Node, ...] = ()
    because: Text | None = None
    expect: Any = None
    until: Text | None = None


ReadExpectation = Callable[[Node, Findings], Any]
ReadFact = Callable[[Node, Findings], Text]


def read_steps(node: Node, findings: Findings, expectation: ReadExpectation, fact: ReadFact) -> tuple[Step, ...]:
    """The steps of a list; what cannot be read is reported and left out."""
    if not isinstance(node, Sequence):
        findings.wrong_kind(node, "a list of steps")
    steps = (findings.attempt(lambda item, found: _step(item, found, expectation, fact), item) for item in node.items)
    return tuple(step for step in steps if step is not None)


def _step(node: Node, findings: Findings, expectation: ReadExpectation, fact: ReadFact) -> Step:
    if not isinstance(node, Mapping):
        findings.refuse("K006", node.span)
    if len(node.entries) != 1:
        second = node.entries[1][0].span if node.entries else node.span
        findings.refuse("K006", second)
    key, value = node.entries[0]
    findings.enter(key, value)
    span = key.span.to(value.span)
    match key.text:
        case "chance":
            return Step("chance", span, outcomes=value.items if isinstance(value, Sequence) else (value,))
        case "all":
            return Step("all", span, choices=_choices(value, findings))
        case "refused":
            return _refused(value, span, findings)
        case "forced":
            _FORCED.read(value, findings)
            return Step("forced", span)
        case "until":
            return Step("until", span, until=fact(value, findings))
        case "expect":
            return Step("expect", key.span, expect=expectation(value, findings))
    return Step("act", span, choices=((Text(key), value),))


def _choices(node: Node, findings: Findings) -> tuple[tuple[Text, Node], ...]:
    if not isinstance(node, Mapping) or not node.entries:
        findings.wrong_kind(node, "seats with what they choose")
    return tuple((Text(key), value) for key, value in node.entries)


def _refused(node: Node, span: Span, findings: Findings) -> Step:
    choices = _choices(node, findings)
    because: Text | None = None
    for key, value in choices:
        if key.text == "because":
            because = TITLE.read(value, findings)
    rest = tuple((key, value) for key, value in choices if key.text != "because")
    if len(rest) != 1:
        findings.refuse("K006", rest[1][0].span if rest else span, help=_comma(rest))
    return Step("refused", span, choices=rest, because=because)


def _comma(entries: tuple[tuple[Text, Node], ...]) -> str | None:
    """Help for a comma between braces that was meant to belong to a choice: `{Pack: argo to (1,3), …}`."""
    parted = any(isinstance(value, Scalar) and value.in_flow and value.text.count("(") > value.text.count(")") for _, value in entries)
    return "between braces a comma begins the next key: put the choice in quotes" if parted else None


def steps_schema(expectation: str) -> JsonSchemaValue:
    """A list of mappings with one key."""
    special: dict[str, Any] = {
        "chance": {"description": "the outcome of a chance event, several in a list, or `any`"},
        "all": {"type": "object", "description": "what each seat chooses that decides at once"},
        "refused": {"type": "object", "description": "a seat with an action that must not be legal, and the words of the condition that forbids it"},
        "forced": {"enum": ["all"], "description": "apply everything that leaves no choice"},
        "until": {"type": "string", "description": "first options and outcomes, whoever acts, until this expression holds"},
        "expect": {"allOf": [{"$ref": expectation}], "description": "checks at this point"},
    }
    return {"type": "array", "items": {"type": "object", "minProperties": 1, "maxProperties": 1, "properties": special}}


def is_word(node: Node, text: str) -> bool:
    """Whether a node is this plain word."""
    return isinstance(node, Scalar) and node.style == "plain" and node.text == text
