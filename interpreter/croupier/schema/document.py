"""A whole file, a ruleset or a variant, and how it is read from a located tree.

The sections of a ruleset, and `rows`, `values` and `powers`, name what a variant replaces. Under `add` the same sections name what is new, under
`remove` what goes. Everything that is wrong with the shape is reported, everything that is fine is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic import ConfigDict, ValidationError
from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Diagnostic, Fix, did_you_mean
from croupier.limits import MAX_LIMIT_OF_EVENTS, MAX_LIMIT_OF_FUEL
from croupier.schema.declaration import Declaration
from croupier.schema.findings import Dropped, Findings, describe, narrow
from croupier.schema.leaves import FILE, NAME, FileName, Identifier, Leaf, LongExpression, Rules, Text, Title, whole_number
from croupier.schema.sections import Board, Claim, Component, Definitions, Phase, Powers, StateVariable, TableLook, Zone
from croupier.schema.shapes import Group, Located, Names, Shape, ShapeList, refusals
from croupier.schema.values import Parameter, PlayerCounts, Table, TypeForm, Value, read_table, read_values, table_schema, values_schema
from croupier.source import Mapping, Node, Scalar, Sequence

# ---------------------------------------------------------------- rulesets
VERSION = 1


def _version(node: Scalar, findings: Findings) -> None:
    if node.value is None:
        findings.wrong_kind(node, f"the number {VERSION}")
    if node.text != str(VERSION):
        findings.refuse("D009", node.span, version=node.text, known=VERSION)


Version: TypeAlias = Annotated[Text, Leaf(f"the number {VERSION}", _version, (("const", VERSION),))]
Events: TypeAlias = Annotated[Text, whole_number(1, MAX_LIMIT_OF_EVENTS)]
Fuel: TypeAlias = Annotated[Text, whole_number(1, MAX_LIMIT_OF_FUEL)]


Weights: TypeAlias = Annotated[tuple[tuple[Text, LongExpression], ...], Group(NAME, least=1)]
Policies: TypeAlias = Annotated[tuple[tuple[Text, Weights], ...], Group(section="policies")]
Measures: TypeAlias = Annotated[tuple[tuple[Text, LongExpression], ...], Group(section="measures")]


class Limits(Declaration):
    """What a game may use before it ends as unfinished: decisions, chance events, units of work."""

    decisions: Events | None = None
    chance: Events | None = None
    fuel: Fuel | None = None


class Document(Declaration):
    """The sections that a ruleset and a variant have in common."""

    WANTED: ClassVar[str] = "a ruleset: a group of keys"
    KEY_HINTS: ClassVar[dict[str, str]] = {
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
    policies: Policies = ()
    measures: Measures = ()
    table: TableLook | None = None


class RulesetDoc(Document):
    """A ruleset that stands on its own."""

    NEEDED: ClassVar[tuple[str, ...]] = ("croupier", "ruleset", "title", "players", "phases")
    ELSEWHERE: ClassVar[dict[str, str]] = {
        **Document.ELSEWHERE,
        "set": "only a variant sets parameters: add `extends: …`, or change the parameter's `default`",
        **dict.fromkeys(("add", "remove"), "only a variant changes another ruleset: add `extends: …`, or write it in its section"),
    }


# ---------------------------------------------------------------- variants
RowChanges: TypeAlias = Annotated[tuple[tuple[Text, Annotated[Table, Shape(read_table, table_schema)]], ...], Group(section="rows")]
ValueChanges: TypeAlias = Annotated[tuple[tuple[Text, Annotated[tuple[Value, ...], Shape(read_values, values_schema)]], ...], Group(section="values")]
PowerChanges: TypeAlias = Annotated[tuple[tuple[Text, Powers], ...], Group(section="powers")]
Parts: TypeAlias = Annotated[tuple[tuple[Text, Names], ...], Group()]
Titles: TypeAlias = Annotated[tuple[Annotated[Text, NAME], ...], ShapeList("a list of names", least=1, distinct=True)]
OptionalNames: TypeAlias = Names | None
WHEN_USED = ConfigDict(defer_build=True)  # most files are no variants, and building these models takes a sixth of the time of all


class AddedPhase(Phase):
    """A phase with a place: `after` or `before` another one; without, it is the last. `rules` is its rule text."""

    model_config = WHEN_USED

    rules: Rules | None = None
    after: Annotated[Text, NAME] | None = None
    before: Annotated[Text, NAME] | None = None

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if not isinstance(node, Mapping):
            return self
        after, before, rules = node.key("after"), node.key("before"), node.key("rules")
        if after is not None and before is not None:
            findings.excludes(before, after)
        if rules is None:
            return super().examine(findings) if node.get("phases") is not None else self._neither(node, findings)
        for name in ("for", "repeat", "repeat until", "phases"):
            other = node.key(name)
            if other is not None:
                findings.excludes(other, rules)
        return self.model_copy(update={"text": self.rules, "phases": ()})

    def _neither(self, node: Mapping, findings: Findings) -> Self:
        findings.refuse("D006", findings.head(node), place=findings.place(node), keys="`rules` (for rule text) or `phases`")


class Additions(Declaration):
    """What a variant adds to the sections of the ruleset: names that are not there yet."""

    model_config = WHEN_USED

    WANTED: ClassVar[str] = "a group of sections"
    ELSEWHERE: ClassVar[dict[str, str]] = {
        "definitions": "write them under `definitions:` of the file: `def` adds one there, `replace def` replaces one",
        "scoring": "write it in the file itself, not under `add`",
        "set": "write it in the file itself, not under `add`",
    }

    types: Annotated[tuple[tuple[Text, TypeForm], ...], Group(section="types")] = ()
    values: ValueChanges = ()
    parameters: Annotated[tuple[tuple[Text, Parameter], ...], Group(section="parameters")] = ()
    components: Annotated[tuple[tuple[Text, Component], ...], Group(section="components")] = ()
    rows: RowChanges = ()
    powers: PowerChanges = ()
    zones: Annotated[tuple[tuple[Text, Zone], ...], Group(section="zones")] = ()
    boards: Annotated[tuple[tuple[Text, Board], ...], Group(section="boards")] = ()
    state: Annotated[tuple[tuple[Text, StateVariable], ...], Group(section="state")] = ()
    claims: Annotated[tuple[tuple[Text, Claim], ...], Group(section="claims")] = ()
    phases: Annotated[tuple[tuple[Text, AddedPhase], ...], Group(NAME, section="phases")] = ()
    invariants: Annotated[tuple[tuple[Text, LongExpression], ...], Group(NAME, section="invariants")] = ()
    policies: Policies = ()
    measures: Measures = ()


class Removals(Declaration):
    """What a variant takes out of the sections of the ruleset, by name."""

    model_config = WHEN_USED

    WANTED: ClassVar[str] = "a group of sections with names"
    ELSEWHERE: ClassVar[dict[str, str]] = {"definitions": "a definition is replaced (`replace def`), not removed"}

    types: OptionalNames = None
    values: Parts = ()
    parameters: OptionalNames = None
    components: OptionalNames = None
    rows: Parts = ()
    powers: Parts = ()
    zones: OptionalNames = None
    boards: OptionalNames = None
    state: OptionalNames = None
    claims: OptionalNames = None
    phases: Titles | None = None
    invariants: Titles | None = None
    policies: OptionalNames = None
    measures: OptionalNames = None


def _read_bases(node: Node, findings: Findings) -> tuple[Text, ...]:
    """One file, or a list of variants that are combined."""
    if not isinstance(node, Sequence):
        return (FILE.read(node, findings),)
    first: dict[str, Node] = {}
    names = []
    for item in node.items:
        name = FILE.read(item, findings)
        if name.text in first:
            findings.twice(item, first[name.text])
            continue
        first[name.text] = item
        names.append(name)
    if not names:
        findings.refuse("D004", node.span, place=findings.place(node))
    return tuple(names)


def _bases_schema() -> JsonSchemaValue:
    file = dict(FILE.schema)
    return {"anyOf": [file, {"type": "array", "items": file, "minItems": 1, "uniqueItems": True}]}


class VariantDoc(Document):
    """A variant: what it `extends`, the parameters it `set`s, and what it replaces, adds and removes."""

    model_config = WHEN_USED

    extends: Annotated[tuple[Text, ...], Shape(_read_bases, _bases_schema)]
    set: Annotated[tuple[tuple[Text, Located], ...], Group(section="set")] = ()
    rows: RowChanges = ()
    values: ValueChanges = ()
    powers: PowerChanges = ()
    add: Additions | None = None
    remove: Removals | None = None


# ---------------------------------------------------------------- reading
_MEANT_EXTENDS = ("inherits", "inherit", "base", "variant_of", "parent", "from")  # what people write for `extends`


@dataclass(frozen=True)
class Parsed:
    """What `read_document` found.  `dropped` names declarations that could not be kept and need not be reported as unknown.

    `leaves` tells as what each scalar was read, by its offset in the file.
    """

    document: RulesetDoc | VariantDoc | None
    diagnostics: tuple[Diagnostic, ...]
    dropped: tuple[Dropped, ...] = ()
    leaves: dict[int, Leaf] = field(default_factory=dict)


def read_document(node: Node) -> Parsed:
    """The document, as far as it can be used, with every diagnostic in the order of the file.

    A file for another version of the language gives that one diagnostic and no document.
    """
    findings = Findings(node)
    if not isinstance(node, Mapping):
        findings.add("D008", narrow(node), found=describe(node))
        return Parsed(None, tuple(findings.diagnostics))
    version = node.get("croupier")
    if isinstance(version, Scalar) and version.value is not None and version.text != str(VERSION):
        findings.add("D009", version.span, version=version.text, known=VERSION)
        return Parsed(None, tuple(findings.diagnostics))
    extends = _nearly_extends(node)
    if extends is not None:
        fix = Fix(extends.span, "extends", "write `extends`", safe=False)
        findings.add("D001", extends.span, help="did you mean `extends`?", fix=fix, key=extends.text)
        return Parsed(None, tuple(findings.diagnostics))
    model = RulesetDoc if node.get("extends") is None else VariantDoc
    document: RulesetDoc | VariantDoc | None = None
    try:
        document = model.model_validate(node, context=findings)
    except ValidationError as error:
        refusals(error)
    ordered = sorted(findings.diagnostics, key=lambda finding: (finding.span.start, finding.code) if finding.span is not None else (0, finding.code))
    return Parsed(document, tuple(ordered), tuple(dict.fromkeys(findings.dropped)), findings.leaves)


def _nearly_extends(node: Mapping) -> Scalar | None:
    """The key that was meant to be `extends`: without it a variant reads like a ruleset that lacks almost everything."""
    if any(node.get(name) is not None for name in ("extends", "ruleset")):
        return None
    known = ("extends", *RulesetDoc.keys(), *RulesetDoc.KEY_HINTS)
    strange = (key for key, _ in node.entries if key.text not in known)
    return next((key for key in strange if key.text in _MEANT_EXTENDS or did_you_mean(key.text, known) == "extends"), None)


def parse(node: Node) -> tuple[RulesetDoc | VariantDoc | None, list[Diagnostic]]:
    """The document, as far as it can be used, and every diagnostic."""
    parsed = read_document(node)
    return parsed.document, list(parsed.diagnostics)
