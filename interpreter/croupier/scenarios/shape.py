"""The shape of a scenario file: what may be written, in the same way as a ruleset's shape is described.

pydantic decides the shape, `Findings` words and places what is wrong, and nothing that nobody reads is accepted.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self, TypeAlias

from pydantic import Field, ValidationError

from croupier.scenarios.steps import Step, read_steps, steps_schema
from croupier.schema import Findings, Text
from croupier.schema.declaration import Declaration
from croupier.schema.document import Version
from croupier.schema.findings import refuse
from croupier.schema.leaves import NAME, FileName, Leaf, Switch, Title, word
from croupier.schema.shapes import Group, Items, Located, Shape, refusals
from croupier.source import Mapping, Node, RuleText, Scalar, Sequence
from croupier.source.ruletext import plain

IN_FLOW = re.compile(r"[\w .?+*=<>!()/-]*\Z")


# ---------------------------------------------------------------- facts
def _check_fact(node: Scalar, findings: Findings) -> None:
    if node.value is None:
        findings.wrong_kind(node, "an expression of the rule language")
    problem = node.rule_problem()
    if problem is not None and not (node.style in ("single", "double") and node.span.text[1:-1] == node.text):
        findings.report(problem)
        refuse()


def question(text: Text) -> RuleText:
    """An expression that a scenario asks, with its place. Quotes around it are allowed: it often begins with one itself."""
    if text.style in ("single", "double"):
        return plain(text.span.source, text.span.start + 1, text.text)
    return text.rule


class _Fact(Leaf):
    """Between brackets a fact may hold comparisons and parentheses too, but no comma and no brackets: `[leader == Anna, deck.empty]`."""

    def read(self, node: Node, findings: Findings) -> Text:
        if isinstance(node, Scalar) and node.in_flow and node.style == "plain" and IN_FLOW.match(node.text):
            key = findings.key(node)
            node = replace(node, in_flow=False)
            if key is not None:
                findings.enter(key, node)
        return Leaf.read(self, node, findings)


FACT = _Fact("an expression of the rule language", _check_fact, (("type", ["string", "boolean"]),))
Fact: TypeAlias = Annotated[Text, FACT]
NamedNodes: TypeAlias = Annotated[tuple[tuple[Text, Located], ...], Group(NAME)]


class Plain(Declaration):
    """A group of keys that cites nothing: citations belong to the scenario."""

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        return tuple(key for key in super().keys() if key != "cites")


# ---------------------------------------------------------------- what must be true
class Outcome(Plain):
    """How the game stands; what is not named is not checked."""

    status: Annotated[Text, word("running", "finished", "unfinished", "stuck", "faulted", "refused")] | None = None
    winners: Located | None = None
    scores: Located | None = None
    returns: Located | None = None
    grade: Title | None = None
    reason: Title | None = None


class Expectation(Plain):
    """What must be true: facts, contents, legal actions, what seats see, events, the outcome."""

    WANTED: ClassVar[str] = "a list of facts, or a group of checks"
    SHORT: ClassVar[str | None] = "facts"
    HIDDEN: ClassVar[bool] = False
    HABITS: ClassVar[dict[str, str]] = {
        "fact": "facts", "turn": "acts", "result": "outcome", "event": "events", "not sees": "hidden", "does not see": "hidden", "actions": "legal",
    }  # fmt: skip

    facts: Annotated[tuple[Fact, ...], Items("a list of facts")] = ()
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
    def takes_short(cls, node: Node) -> bool:
        return isinstance(node, Sequence)

    @property
    def checks(self) -> bool:
        """Whether anything is checked."""
        outcome = self.outcome is not None and isinstance(self.outcome.node, Mapping) and bool(self.outcome.node.entries)
        some = (self.facts, self.zones, self.state, self.legal, self.sees, self.hidden)
        return any(some) or outcome or any(not _is_empty(node) for node in (self.acts, self.events, self.no_events))

    @property
    def refusal(self) -> Outcome | None:
        """The outcome, if it says that the game cannot be set up."""
        return self.outcome if self.outcome is not None and self.outcome.status is not None and self.outcome.status.text == "refused" else None


def _is_empty(node: Node | None) -> bool:
    return node is None or (isinstance(node, Sequence) and not node.items) or (isinstance(node, Mapping) and not node.entries)


def _expectation(node: Node, findings: Findings) -> Expectation:
    try:
        return Expectation.model_validate(node, context=findings)
    except ValidationError as error:
        refusals(error)
        refuse()


def _steps(node: Node, findings: Any) -> tuple[Step, ...]:
    return read_steps(node, findings, _expectation, FACT.read)


Steps: TypeAlias = Annotated[tuple[Step, ...], Shape(_steps, lambda: steps_schema("#/definitions/Expectation"))]


# ---------------------------------------------------------------- where it begins
WAYS = ("play", "at", "call", "after")


class Given(Plain):
    """Where a scenario begins: at the set-up, with steps played from there, or in a declared position."""

    HABITS: ClassVar[dict[str, str]] = {"set": "parameters", "actions": "play", "phase": "at", "from": "after", "seats": "players"}

    players: Located | None = None
    parameters: NamedNodes = ()
    play: Steps = ()
    at: Annotated[Text, NAME] | None = None
    bound: NamedNodes = Field((), alias="with")
    zones: NamedNodes = ()
    state: NamedNodes = ()
    rest: Located | None = None
    call: Fact | None = None
    after: Annotated[Text, NAME] | None = None

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if isinstance(node, Mapping):
            self._together(node, findings)
        return self

    @property
    def begins(self) -> bool:
        """Does it say where the game begins? `play: []` does: at the set-up."""
        return any(self.node.key(key) is not None for key in WAYS) if isinstance(self.node, Mapping) else False

    def _together(self, node: Mapping, findings: Findings) -> None:
        ways = [key for key, _ in node.entries if key.text in WAYS]
        for key in ways[1:]:
            findings.excludes(key, ways[0])
        after = node.key("after")
        if after is not None:
            for key, _ in node.entries:
                if key.text in ("players", "parameters", "zones", "state", "rest", "with"):
                    findings.excludes(key, after, ("the other scenario says where it begins",))


class Scenario(Declaration):
    """One scenario: where it begins (`given`), what happens (`do`), what must then be true (`then`)."""

    HABITS: ClassVar[dict[str, str]] = {"name": "title", "when": "do", "steps": "do", "expect": "then", "setup": "given", "rules": "cites"}
    SAMPLES: ClassVar[dict[str, str]] = {"id": "ONE"}

    id: Annotated[Text, NAME]
    title: Title | None = None
    example: Switch | None = None
    given: Given | None = None
    chance: Annotated[Text, word("first")] | None = None
    do: Steps = ()
    then: Expectation | None = None


class ScenarioFile(Plain):
    """A file of scenarios for one ruleset, with what they have in common."""

    WANTED: ClassVar[str] = "a scenario file: a group of keys"
    NEEDED: ClassVar[tuple[str, ...]] = ("croupier",)
    SAMPLES: ClassVar[dict[str, str]] = {"croupier": "1"}
    HABITS: ClassVar[dict[str, str]] = {"scenario": "scenarios", "tests": "scenarios", "version": "croupier", "defaults": "given"}

    croupier: Version | None = None
    ruleset: FileName | None = None
    given: Given | None = None
    chance: Annotated[Text, word("first")] | None = None
    scenarios: Annotated[tuple[Scenario, ...], Items("a list of scenarios", least=1)]
