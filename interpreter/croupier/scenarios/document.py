"""The form of a scenario file: what may be written, as pydantic models over the located YAML tree, the steps,
and the JSON Schema for editors.

And the files: where they are, which ruleset they are for, and what they say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self, TypeAlias

from pydantic import Field, ValidationError
from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span
from croupier.records import dataclass
from croupier.schema import Findings, Text
from croupier.schema.declaration import Declaration, describe_key
from croupier.schema.document import Version
from croupier.schema.export import DRAFT, REFERENCE, definitions_of
from croupier.schema.findings import refuse
from croupier.schema.leaves import NAME, TITLE, FileName, Leaf, Switch, Title, word
from croupier.schema.shapes import Group, Located, Shape, ShapeList, refusals
from croupier.source import RuleText, YamlMapping, YamlNode, YamlScalar, YamlSequence
from croupier.source.ruletext import plain

WORDS = ("chance", "all", "refused", "forced", "until", "expect")
_FORCED = word("all")


@dataclass(frozen=True)
class ScenarioStep:
    """One step. `kind` is `act` or one of `WORDS`; `choices` are seats (as written) with what they choose."""

    kind: str
    span: Span
    choices: tuple[tuple[Text, YamlNode], ...] = ()
    outcomes: tuple[YamlNode, ...] = ()
    because: Text | None = None
    expect: Any = None
    until: Text | None = None
    phase: Text | None = None  # until the game is in it


ReadExpectation = Callable[[YamlNode, Findings], object]
ReadFact = Callable[[YamlNode, Findings], Text]


def read_steps(
    node: YamlNode, findings: Findings, expectation: ReadExpectation, fact: ReadFact
) -> tuple[ScenarioStep, ...]:
    """The steps of a list; what cannot be read is reported and left out."""
    if not isinstance(node, YamlSequence):
        findings.wrong_kind(node, "a list of steps")
    steps = (
        findings.attempt(lambda item, found: _step(item, found, expectation, fact), item)
        for item in node.items
    )
    return tuple(step for step in steps if step is not None)


def _step(node: YamlNode, findings: Findings, expectation: ReadExpectation, fact: ReadFact) -> ScenarioStep:
    if not isinstance(node, YamlMapping):
        findings.refuse("K006", node.span)
    if len(node.entries) != 1:
        second = node.entries[1][0].span if node.entries else node.span
        findings.refuse("K006", second)
    key, value = node.entries[0]
    findings.enter(key, value)
    span = key.span.to(value.span)
    match key.text:
        case "chance":
            return ScenarioStep(
                "chance", span, outcomes=value.items if isinstance(value, YamlSequence) else (value,)
            )
        case "all":
            return ScenarioStep("all", span, choices=_choices(value, findings))
        case "refused":
            return _refused(value, span, findings)
        case "forced":
            _FORCED.read(value, findings)
            return ScenarioStep("forced", span)
        case "until":
            if isinstance(value, YamlScalar) and value.style == "plain" and value.text.startswith("phase "):
                name = value.text.removeprefix("phase ").strip()
                place = Span(value.span.source, value.span.end - len(name), value.span.end)
                return ScenarioStep(
                    "until", span, phase=Text(replace(value, text=name, value=name, span=place))
                )
            return ScenarioStep("until", span, until=fact(value, findings))
        case "expect":
            return ScenarioStep("expect", key.span, expect=expectation(value, findings))
    return ScenarioStep("act", span, choices=((Text(key), value),))


def _choices(node: YamlNode, findings: Findings) -> tuple[tuple[Text, YamlNode], ...]:
    if not isinstance(node, YamlMapping) or not node.entries:
        findings.wrong_kind(node, "seats with what they choose")
    return tuple((Text(key), value) for key, value in node.entries)


def _refused(node: YamlNode, span: Span, findings: Findings) -> ScenarioStep:
    choices = _choices(node, findings)
    because: Text | None = None
    for key, value in choices:
        if key.text == "because":
            because = TITLE.read(value, findings)
    rest = tuple((key, value) for key, value in choices if key.text != "because")
    if len(rest) != 1:
        findings.refuse("K006", rest[1][0].span if rest else span, help=_comma(rest))
    return ScenarioStep("refused", span, choices=rest, because=because)


def _comma(entries: tuple[tuple[Text, YamlNode], ...]) -> str | None:
    """Help for a comma between braces that was meant to belong to a choice: `{Pack: argo to (1,3), …}`."""
    parted = any(
        isinstance(value, YamlScalar) and value.in_flow and value.text.count("(") > value.text.count(")")
        for _, value in entries
    )
    return "between braces a comma begins the next key: put the choice in quotes" if parted else None


def steps_schema(expectation: str) -> JsonSchemaValue:
    """A list of mappings with one key."""
    special: dict[str, object] = {
        "chance": {"description": "the outcome of a chance event, several in a list, or `any`"},
        "all": {"type": "object", "description": "what each seat chooses that decides at once"},
        "refused": {
            "type": "object",
            "description": "a seat with an action that must not be legal, and the words of the condition "
            "that forbids it",
        },
        "forced": {"enum": ["all"], "description": "apply everything that leaves no choice"},
        "until": {
            "type": "string",
            "description": "first options and outcomes until this expression holds, in `phase NAME`, or to "
            "the `end`",
        },
        "expect": {"allOf": [{"$ref": expectation}], "description": "checks at this point"},
    }
    return {
        "type": "array",
        "items": {"type": "object", "minProperties": 1, "maxProperties": 1, "properties": special},
    }


def is_word(node: YamlNode, text: str) -> bool:
    """Tell whether a node is this plain word."""
    return isinstance(node, YamlScalar) and node.style == "plain" and node.text == text


IN_FLOW = re.compile(r"[\w .?+*=<>!()/-]*\Z")


def _check_fact(node: YamlScalar, findings: Findings) -> None:
    if node.value is None:
        findings.wrong_kind(node, "an expression of the rule language")
    problem = node.rule_problem()
    if problem is not None and not (node.style in ("single", "double") and node.span.text[1:-1] == node.text):
        findings.report(problem)
        refuse()


def question(text: Text) -> RuleText:
    """An expression that a scenario asks, with its place.

    Quotes around it are allowed: it often begins with one itself.
    """
    if text.style in ("single", "double"):
        return plain(text.span.source, text.span.start + 1, text.text)
    return text.rule


class _Fact(Leaf):
    """Between brackets a fact may hold comparisons and parentheses too, but no comma and no brackets:
    `[leader == Anna, deck.empty]`.
    """

    def read(self, node: YamlNode, findings: Findings) -> Text:
        if (
            isinstance(node, YamlScalar)
            and node.in_flow
            and node.style == "plain"
            and IN_FLOW.match(node.text)
        ):
            key = findings.key(node)
            node = replace(node, in_flow=False)
            if key is not None:
                findings.enter(key, node)
        return Leaf.read(self, node, findings)


FACT = _Fact("an expression of the rule language", _check_fact, (("type", ["string", "boolean"]),))
Fact: TypeAlias = Annotated[Text, FACT]
NamedNodes: TypeAlias = Annotated[tuple[tuple[Text, Located], ...], Group(NAME)]


class PlainGroup(Declaration):
    """A group of keys that cites nothing: citations belong to the scenario."""

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        return tuple(key for key in super().keys() if key != "cites")


class Outcome(PlainGroup):
    """The outcome of the game; what is not named is not checked."""

    status: (
        Annotated[Text, word("running", "finished", "unfinished", "stuck", "faulted", "refused")] | None
    ) = None
    winners: Located | None = None
    scores: Located | None = None
    returns: Located | None = None
    grade: Title | None = None
    reason: Title | None = None


class Expectation(PlainGroup):
    """The checks: facts, contents, legal actions, what seats see, events, the outcome."""

    WANTED: ClassVar[str] = "a list of facts, or a group of checks"
    SHORT: ClassVar[str | None] = "facts"
    HIDDEN: ClassVar[bool] = False
    KEY_HINTS: ClassVar[dict[str, str]] = {
        "fact": "facts", "turn": "acts", "result": "outcome", "event": "events", "not sees": "hidden",
        "does not see": "hidden", "actions": "legal",
    }  # fmt: skip

    facts: Annotated[tuple[Fact, ...], ShapeList("a list of facts")] = ()
    zones: NamedNodes = ()
    state: NamedNodes = ()
    acts: Located | None = None
    legal: NamedNodes = ()
    sees: NamedNodes = ()
    hidden: NamedNodes = ()
    events: Located | None = None
    no_events: Located | None = Field(None, alias="no events")
    outcome: Outcome | None = None

    @classmethod
    def takes_short(cls, node: YamlNode) -> bool:
        return isinstance(node, YamlSequence)

    @property
    def checks(self) -> bool:
        """Tell whether anything is checked."""
        outcome = (
            self.outcome is not None
            and isinstance(self.outcome.node, YamlMapping)
            and bool(self.outcome.node.entries)
        )
        some = (self.facts, self.zones, self.state, self.legal, self.sees, self.hidden)
        return (
            any(some)
            or outcome
            or any(not _is_empty(node) for node in (self.acts, self.events, self.no_events))
        )

    @property
    def refusal(self) -> Outcome | None:
        """The outcome, if it says that the game cannot be set up."""
        status = None if self.outcome is None else self.outcome.status
        return self.outcome if status is not None and status.text == "refused" else None


def _is_empty(node: YamlNode | None) -> bool:
    return (
        node is None
        or (isinstance(node, YamlSequence) and not node.items)
        or (isinstance(node, YamlMapping) and not node.entries)
    )


def _expectation(node: YamlNode, findings: Findings) -> Expectation:
    try:
        return Expectation.model_validate(node, context=findings)
    except ValidationError as error:
        refusals(error)
        refuse()


def _steps(node: YamlNode, findings: Findings) -> tuple[ScenarioStep, ...]:
    return read_steps(node, findings, _expectation, FACT.read)


Steps: TypeAlias = Annotated[
    tuple[ScenarioStep, ...], Shape(_steps, lambda: steps_schema("#/definitions/Expectation"))
]


WAYS = ("play", "at", "call", "after")


def _calls(node: YamlNode, findings: Findings) -> tuple[Text, ...]:
    """One call, or several in order."""
    return tuple(
        FACT.read(item, findings) for item in (node.items if isinstance(node, YamlSequence) else (node,))
    )


def _calls_schema() -> JsonSchemaValue:
    return {"anyOf": [dict(FACT.schema), {"type": "array", "items": dict(FACT.schema), "minItems": 1}]}


class Given(PlainGroup):
    """The beginning of a scenario: the set-up, steps played from there, or a declared position."""

    KEY_HINTS: ClassVar[dict[str, str]] = {
        "set": "parameters",
        "actions": "play",
        "phase": "at",
        "from": "after",
        "seats": "players",
    }

    players: Located | None = None
    parameters: NamedNodes = ()
    play: Steps = ()
    at: Annotated[Text, NAME] | None = None
    bound: NamedNodes = Field((), alias="with")
    zones: NamedNodes = ()
    state: NamedNodes = ()
    rest: Located | None = None
    call: Annotated[tuple[Text, ...], Shape(_calls, _calls_schema)] = ()
    after: Annotated[Text, NAME] | None = None

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if isinstance(node, YamlMapping):
            self._together(node, findings)
        return self

    @property
    def begins(self) -> bool:
        """Tell whether it says where the game begins. `play: []` does: at the set-up."""
        return (
            any(self.node.key(key) is not None for key in WAYS)
            if isinstance(self.node, YamlMapping)
            else False
        )

    def _together(self, node: YamlMapping, findings: Findings) -> None:
        ways = [key for key, _ in node.entries if key.text in WAYS]
        built = {key.text for key in ways} == {"at", "call"}  # calls that change the position before a phase
        for key in ways[1:] if not built else ():
            findings.excludes(key, ways[0])
        calls = node.get("call")
        if isinstance(calls, YamlSequence) and not built:
            alone = "without `at` the position stands before one call: name it without brackets"
            findings.add("D007", calls.span, key="call", other="at", help=alone)
        after = node.key("after")
        if after is not None:
            for key, _ in node.entries:
                if key.text in ("players", "parameters", "zones", "state", "rest", "with"):
                    findings.excludes(key, after, ("the other scenario says where it begins",))


class Scenario(Declaration):
    """One scenario: where it begins (`given`), what happens (`do`), what must then be true (`then`)."""

    KEY_HINTS: ClassVar[dict[str, str]] = {
        "name": "title",
        "when": "do",
        "steps": "do",
        "expect": "then",
        "setup": "given",
        "rules": "cites",
    }
    SAMPLES: ClassVar[dict[str, str]] = {"id": "ONE"}

    id: Annotated[Text, NAME]
    title: Title | None = None
    example: Switch | None = None
    given: Given | None = None
    chance: Annotated[Text, word("first")] | None = None
    do: Steps = ()
    then: Expectation | None = None


class ScenarioFile(PlainGroup):
    """A file of scenarios for one ruleset, with what they have in common."""

    WANTED: ClassVar[str] = "a scenario file: a group of keys"
    NEEDED: ClassVar[tuple[str, ...]] = ("croupier",)
    SAMPLES: ClassVar[dict[str, str]] = {"croupier": "1"}
    KEY_HINTS: ClassVar[dict[str, str]] = {
        "scenario": "scenarios",
        "tests": "scenarios",
        "version": "croupier",
        "defaults": "given",
    }

    croupier: Version | None = None
    ruleset: FileName | None = None
    given: Given | None = None
    chance: Annotated[Text, word("first")] | None = None
    scenarios: Annotated[tuple[Scenario, ...], ShapeList("a list of scenarios", least=1)]


_GIVEN = "where it begins: players, parameters, and a position or the steps that lead to one"

KEYS: MappingProxyType[str, dict[str, str]] = MappingProxyType(
    {
        "ScenarioFile": {
            "croupier": "the version of the language that the file is written in: 1",
            "ruleset": "the ruleset that is tested: the name of a shipped one, or a path; otherwise the only "
            "one beside the folder `scenarios`",
            "given": "what every scenario of the file begins with",
            "chance": "`first`: chance that no step names takes its first outcome",
            "scenarios": "the scenarios",
        },
        "Scenario": {
            "id": "the scenario's name",
            "title": "one line for people",
            "example": "`true`: a worked example of a rulebook, which may cite more than 8 rules",
            "given": _GIVEN,
            "chance": "`first`: chance that no step names takes its first outcome",
            "do": "what happens, step by step",
            "then": "what must be true at the end",
        },
        "Given": {
            "players": "the number of players, or their names in the order of play",
            "parameters": "parameters of the ruleset and their values",
            "play": "steps from the set-up",
            "at": "the phase that the declared position stands before",
            "with": "the values of the variables of loops around that phase",
            "zones": "what lies in zones, bottom to top",
            "state": "values of state",
            "rest": "where the components lie that no zone names",
            "call": "the call of one definition that runs instead of a phase; facts may use its `result`; "
            "beside `at` calls that change the position",
            "after": "another scenario above in this file, whose end is the beginning of this one",
        },
        "Expectation": {
            "facts": "expressions of the rule language that must be true",
            "zones": "what lies in zones, or how many components",
            "state": "values of state",
            "acts": "who is to act: seats, `chance` or `nobody`",
            "legal": "the legal actions of a seat: all of them, or `exactly`, `includes`, `excludes`",
            "sees": "what a seat sees: faces, zones, state",
            "hidden": "what a seat does not see",
            "events": "texts that occur among the events, in this order; for everybody or by seat",
            "no events": "texts that do not occur among the events",
            "outcome": "how the game stands",
        },
        "Outcome": {
            "status": "running, finished, unfinished, stuck or faulted; or refused: it cannot be set up",
            "winners": "the seats that win",
            "scores": "a score for each seat",
            "returns": "a number for each seat, as programs get it",
            "grade": "the word that the result is given",
            "reason": "why the game could not go on or be set up, or a part of it",
        },
    }
)


def json_schema() -> dict[str, object]:
    """The whole schema of a scenario file."""
    return {
        "$schema": DRAFT,
        "title": "croupier scenarios",
        "description": "scenarios of a ruleset for croupier",
        "allOf": [{"$ref": REFERENCE.format(model="ScenarioFile")}],
        "definitions": definitions_of((ScenarioFile,), partial(describe_key, keys=KEYS)),
    }


def schema_text() -> str:
    """The schema as it stands in `grammar/scenarios.schema.json`."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
