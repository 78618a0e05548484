"""A whole file: the sections that a ruleset and a variant (`variants.py`) have in common, and the ruleset."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

from croupier.limits import MAX_LIMIT_OF_EVENTS, MAX_LIMIT_OF_FUEL
from croupier.schema.declaration import Declaration
from croupier.schema.findings import Findings
from croupier.schema.kinds import Parameter, TypeForm
from croupier.schema.leaves import NAME, FileName, Identifier, Leaf, LongExpression, Rules, Text, Title, whole_number
from croupier.schema.players import PlayerCounts
from croupier.schema.rules import Claim, Definitions, Phase
from croupier.schema.shapes import Group
from croupier.schema.things import Board, Component, StateVariable, Zone
from croupier.source import Scalar

VERSION = 1


def _version(node: Scalar, findings: Findings) -> None:
    if node.value is None:
        findings.wrong_kind(node, f"the number {VERSION}")
    if node.text != str(VERSION):
        findings.refuse("D009", node.span, version=node.text, known=VERSION)


Version: TypeAlias = Annotated[Text, Leaf(f"the number {VERSION}", _version, (("const", VERSION),))]
Events: TypeAlias = Annotated[Text, whole_number(1, MAX_LIMIT_OF_EVENTS)]
Fuel: TypeAlias = Annotated[Text, whole_number(1, MAX_LIMIT_OF_FUEL)]


class Limits(Declaration):
    """What a game may use before it ends as unfinished: decisions, chance events, units of work."""

    decisions: Events | None = None
    chance: Events | None = None
    fuel: Fuel | None = None


class Document(Declaration):
    """The sections that a ruleset and a variant have in common."""

    WANTED: ClassVar[str] = "a ruleset: a group of keys"
    HABITS: ClassVar[dict[str, str]] = {
        "params": "parameters", "options": "parameters", "rules": "definitions", "functions": "definitions", "records": "types",
        "enums": "types", "name": "ruleset", "cards": "components", "board": "boards", "variables": "state", "version": "croupier",
        "description": "doc", "turns": "phases", "score": "scoring", "settings": "set",
    }  # fmt: skip
    ELSEWHERE: ClassVar[dict[str, str]] = {
        "replace": "a variant replaces what has the same name: write the section itself (`scoring:`, `phases:` …) beside `extends`",
    }
    NEEDED: ClassVar[tuple[str, ...]] = ("croupier",)
    SAMPLES: ClassVar[dict[str, str]] = {"croupier": "1", "ruleset": "name_of_the_game", "title": "Name of the Game", "players": "2..4"}

    croupier: Version | None = None
    ruleset: Identifier | None = None
    title: Title | None = None
    players: PlayerCounts | None = None
    rule_list: FileName | None = None
    limits: Limits | None = None
    types: Annotated[tuple[tuple[Text, TypeForm], ...], Group(section="types")] = ()
    parameters: Annotated[tuple[tuple[Text, Parameter], ...], Group(section="parameters")] = ()
    components: Annotated[tuple[tuple[Text, Component], ...], Group(section="components")] = ()
    zones: Annotated[tuple[tuple[Text, Zone], ...], Group(section="zones")] = ()
    boards: Annotated[tuple[tuple[Text, Board], ...], Group(section="boards")] = ()
    state: Annotated[tuple[tuple[Text, StateVariable], ...], Group(section="state")] = ()
    definitions: Definitions = ()
    claims: Annotated[tuple[tuple[Text, Claim], ...], Group(section="claims")] = ()
    phases: Annotated[tuple[tuple[Text, Phase], ...], Group(NAME, section="phases", least=1)] = ()
    scoring: Rules | None = None
    invariants: Annotated[tuple[tuple[Text, LongExpression], ...], Group(NAME, section="invariants")] = ()


class RulesetDoc(Document):
    """A ruleset that stands on its own."""

    NEEDED: ClassVar[tuple[str, ...]] = ("croupier", "ruleset", "title", "players", "phases")
    ELSEWHERE: ClassVar[dict[str, str]] = {
        **Document.ELSEWHERE,
        "set": "only a variant sets parameters: add `extends: …`, or change the parameter's `default`",
        **dict.fromkeys(("add", "remove"), "only a variant changes another ruleset: add `extends: …`, or write it in its section"),
    }
