"""The document of a file (a ruleset, a variant or a module), and how it is read from a tree.

The sections of a ruleset, and `rows`, `values` and `powers`, name what a variant replaces. Under `add` the
same sections name what is new, under `remove` what is removed. Every mistake of shape is reported, the rest
is kept.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise
from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic import ValidationError
from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Diagnostic, Fix, Span, diagnose, did_you_mean
from croupier.limits import MAX_LIMIT_OF_EVENTS, MAX_LIMIT_OF_FUEL
from croupier.records import dataclass
from croupier.schema.declaration import LISTED, Declaration
from croupier.schema.findings import Dropped, Findings, describe, first_line
from croupier.schema.leaves import (
    FILE,
    IDENTIFIER,
    NAME,
    AttributeText,
    FileName,
    Identifier,
    Leaf,
    LongExpression,
    Rules,
    Text,
    Title,
    whole_number,
)
from croupier.schema.sections import (
    Board,
    Claim,
    Component,
    Definitions,
    Phase,
    Powers,
    StateVariable,
    TableLook,
    Zone,
)
from croupier.schema.shapes import ClauseGroup, Group, Located, Named, Names, Shape, ShapeList, refusals
from croupier.schema.values import (
    Parameter,
    PlayerCounts,
    Table,
    TypeForm,
    Value,
    read_table,
    read_values,
    table_schema,
    values_schema,
)
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

# ---------------------------------------------------------------- rulesets
VERSIONS = (1, 2)
"""The versions of the language that files may be written in."""
_WANTED = f"the number {' or '.join(map(str, VERSIONS))}"


def _version(node: YamlScalar, findings: Findings) -> None:
    if node.value is None:
        findings.wrong_kind(node, _WANTED)
    if not is_known_version(node.text):
        findings.refuse("D009", node.span, version=node.text, known=VERSIONS[-1])


def is_known_version(text: str) -> bool:
    """Tell whether files may be written in this version of the language."""
    return text in {str(v) for v in VERSIONS}


Version: TypeAlias = Annotated[Text, Leaf(_WANTED, _version, (("enum", [*VERSIONS]),))]
Events: TypeAlias = Annotated[Text, whole_number(1, MAX_LIMIT_OF_EVENTS)]
Fuel: TypeAlias = Annotated[Text, whole_number(1, MAX_LIMIT_OF_FUEL)]


Types: TypeAlias = Annotated[tuple[tuple[Text, TypeForm], ...], Group(section="types")]
Parameters: TypeAlias = Annotated[tuple[tuple[Text, Parameter], ...], Group(section="parameters")]
Components: TypeAlias = Annotated[tuple[tuple[Text, Component], ...], Group(section="components")]
Zones: TypeAlias = Annotated[tuple[tuple[Text, Zone], ...], Group(section="zones")]
Boards: TypeAlias = Annotated[tuple[tuple[Text, Board], ...], Group(section="boards")]
State: TypeAlias = Annotated[tuple[tuple[Text, StateVariable], ...], Group(section="state")]
Phases: TypeAlias = Annotated[tuple[tuple[Text, Phase], ...], Group(NAME, section="phases", least=1)]
Invariants: TypeAlias = Annotated[
    tuple[tuple[Text, LongExpression], ...], ClauseGroup(NAME, section="invariants")
]
Weights: TypeAlias = Annotated[tuple[tuple[Text, LongExpression], ...], Group(NAME, least=1)]
Policies: TypeAlias = Annotated[tuple[tuple[Text, Weights], ...], Group(section="policies")]
Measures: TypeAlias = Annotated[tuple[tuple[Text, LongExpression], ...], Group(section="measures")]


class Limits(Declaration):
    """The limits of a game, beyond which it ends as unfinished: decisions, chance events, units of work."""

    decisions: Events | None = None
    chance: Events | None = None
    fuel: Fuel | None = None


@dataclass(frozen=True)
class ModuleUse:
    """A module that a ruleset uses: the name of the use, and the arguments of the module by name."""

    name: Text
    arguments: tuple[tuple[Text, YamlNode], ...]


def _read_uses(node: YamlNode, findings: Findings) -> tuple[ModuleUse, ...]:
    """Modules by name, each with its arguments; or a list of names."""
    if isinstance(node, YamlSequence):
        names = [name for item in node.items if (name := findings.attempt(IDENTIFIER.read, item)) is not None]
        return tuple(ModuleUse(name, ()) for name in names)
    if not isinstance(node, YamlMapping):
        findings.wrong_kind(node, "a group of modules: `{name: {…}}`, or a list of their names")
    uses = []
    for key, value in node.entries:
        findings.enter(key, value)
        name = findings.attempt(IDENTIFIER.read, key)
        if not isinstance(value, YamlMapping):
            wanted = "a group of names: `{}` if nothing is given"
            findings.add(
                "D003", first_line(value), place=findings.place(value), wanted=wanted, found=describe(value)
            )
        elif name is not None:
            pairs = [
                (findings.attempt(IDENTIFIER.read, given), argument) for given, argument in value.entries
            ]
            uses.append(
                ModuleUse(name, tuple((given, argument) for given, argument in pairs if given is not None))
            )
    return tuple(uses)


def _uses_schema() -> JsonSchemaValue:
    name = dict(IDENTIFIER.schema)
    return {
        "anyOf": [
            {"type": "array", "items": name},
            {"type": "object", "additionalProperties": {"type": "object"}},
        ]
    }


Uses: TypeAlias = Annotated[tuple[ModuleUse, ...], Shape(_read_uses, _uses_schema)]


class Document(Declaration):
    """The sections that a ruleset and a variant have in common."""

    WANTED: ClassVar[str] = "a ruleset: a group of keys"
    KEY_HINTS: ClassVar[dict[str, str]] = {
        "params": "parameters", "options": "parameters", "rules": "definitions", "functions": "definitions",
        "records": "types",
        "enums": "types", "name": "ruleset", "cards": "components", "board": "boards", "variables": "state",
        "version": "croupier",
        "description": "doc", "turns": "phases", "score": "scoring", "settings": "set",
    }  # fmt: skip
    ELSEWHERE: ClassVar[dict[str, str]] = {
        "variant": "a variant has its name under `ruleset:` as well; `extends:` says what it changes",
        "replace": "a variant replaces what has the same name: write the section itself (`scoring:`, "
        "`phases:` …) beside `extends`",
    }
    NEEDED: ClassVar[tuple[str, ...]] = ("croupier",)
    SAMPLES: ClassVar[dict[str, str]] = {
        "croupier": "1",
        "ruleset": "name_of_the_game",
        "title": "Name of the Game",
        "players": "2..4",
    }

    croupier: Version | None = None
    ruleset: Identifier | None = None
    title: Title | None = None
    players: PlayerCounts | None = None
    rule_list: FileName | None = None
    limits: Limits | None = None
    uses: Uses = ()
    types: Types = ()
    parameters: Parameters = ()
    components: Components = ()
    zones: Zones = ()
    boards: Boards = ()
    state: State = ()
    definitions: Definitions = ()
    claims: Annotated[tuple[tuple[Text, Claim], ...], Group(section="claims")] = ()
    phases: Phases = ()
    scoring: Rules | None = None
    invariants: Invariants = ()
    policies: Policies = ()
    measures: Measures = ()
    table: TableLook | None = None


class RulesetDoc(Document):
    """A ruleset that extends nothing."""

    NEEDED: ClassVar[tuple[str, ...]] = ("croupier", "ruleset", "title", "players", "phases")
    ELSEWHERE: ClassVar[dict[str, str]] = {
        **Document.ELSEWHERE,
        "set": "only a variant sets parameters: add `extends: …`, or change the parameter's `default`",
        **dict.fromkeys(
            ("add", "remove"),
            "only a variant changes another ruleset: add `extends: …`, or write it in its section",
        ),
    }


# ---------------------------------------------------------------- modules


class Needs(Declaration):
    """The declarations that a module needs of the ruleset that uses it, as examples for the check of the
    module by itself.
    """

    WANTED: ClassVar[str] = "a group of sections"
    ELSEWHERE: ClassVar[dict[str, str]] = {
        "parameters": "a module has parameters of its own: write them under `parameters:` of the file; "
        "whoever uses it gives them values",
    }

    types: Types = ()
    components: Components = ()
    zones: Zones = ()
    boards: Boards = ()
    state: State = ()
    definitions: Definitions = ()


class ModuleExample(Declaration):
    """A small game that uses the module: it is played when the module is checked, tested or simulated by
    itself.
    """

    WANTED: ClassVar[str] = "a group of sections"
    NEEDED: ClassVar[tuple[str, ...]] = ("players", "phases")
    SAMPLES: ClassVar[dict[str, str]] = {"players": "2..4"}

    players: PlayerCounts | None = None
    zones: Zones = ()
    state: State = ()
    definitions: Definitions = ()
    phases: Phases = ()
    scoring: Rules | None = None


class ModuleDoc(Declaration):
    """A module: declarations that rulesets use under names of their own, what it needs of them, and a game to
    try it.
    """

    WANTED: ClassVar[str] = "a module: a group of keys"
    NEEDED: ClassVar[tuple[str, ...]] = ("croupier", "module", "title", "example")
    SAMPLES: ClassVar[dict[str, str]] = {"croupier": "1", "title": "What it is for"}
    ELSEWHERE: ClassVar[dict[str, str]] = {
        "uses": "a module uses no other module",
        **dict.fromkeys(
            ("phases", "scoring", "players"),
            "a module is no game: write it under `example:`, the game that tries it",
        ),
    }

    croupier: Version | None = None
    module: Identifier | None = None
    title: Title | None = None
    needs: Needs | None = None
    types: Types = ()
    parameters: Parameters = ()
    components: Components = ()
    zones: Zones = ()
    boards: Boards = ()
    state: State = ()
    definitions: Definitions = ()
    invariants: Invariants = ()
    example: ModuleExample | None = None


# ---------------------------------------------------------------- variants
RowChanges: TypeAlias = Annotated[
    tuple[tuple[Text, Annotated[Table, Shape(read_table, table_schema)]], ...], Group(section="rows")
]
ValueChanges: TypeAlias = Annotated[
    tuple[tuple[Text, Annotated[tuple[Value, ...], Shape(read_values, values_schema)]], ...],
    Group(section="values"),
]
AttributeChanges: TypeAlias = Annotated[
    tuple[tuple[Text, Named[AttributeText]], ...], Group(section="attributes")
]
PowerChanges: TypeAlias = Annotated[tuple[tuple[Text, Powers], ...], Group(section="powers")]
Parts: TypeAlias = Annotated[tuple[tuple[Text, Names], ...], Group()]
Titles: TypeAlias = Annotated[
    tuple[Annotated[Text, NAME], ...], ShapeList("a list of names", least=1, distinct=True)
]
Heads: TypeAlias = Annotated[tuple[Title, ...], ShapeList("a list of definitions", least=1, distinct=True)]
OptionalNames: TypeAlias = Names | None


class AddedPhase(Phase):
    """A phase with a position: `after` or `before` another one; without a position it is the last. `rules` is
    its rule text.
    """

    KEY_HINTS: ClassVar[dict[str, str]] = {**Phase.KEY_HINTS, "text": "rules"}

    rules: Rules | None = None
    after: Annotated[Text, NAME] | None = None
    before: Annotated[Text, NAME] | None = None

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if not isinstance(node, YamlMapping):
            return self
        after, before, rules = node.key("after"), node.key("before"), node.key("rules")
        if after is not None and before is not None:
            findings.excludes(before, after)
        if rules is None:
            return (
                super().examine(findings) if node.get("phases") is not None else self._neither(node, findings)
            )
        for name in ("for", "repeat", "repeat until", "phases"):
            other = node.key(name)
            if other is not None:
                findings.excludes(other, rules)
        return self.model_copy(update={"text": self.rules, "phases": ()})

    def _neither(self, node: YamlMapping, findings: Findings) -> Self:
        findings.refuse(
            "D006",
            findings.head(node),
            place=findings.place(node),
            keys="`rules` (for rule text) or `phases`",
        )


class Additions(Declaration):
    """The declarations, with new names, that a variant adds to the sections of the ruleset."""

    WANTED: ClassVar[str] = "a group of sections"
    ELSEWHERE: ClassVar[dict[str, str]] = {
        "definitions": "write them under `definitions:` of the file: `def` adds one there, `replace def` "
        "replaces one",
        "scoring": "write it in the file itself, not under `add`",
        "set": "write it in the file itself, not under `add`",
    }

    types: Types = ()
    values: ValueChanges = ()
    parameters: Parameters = ()
    components: Components = ()
    rows: RowChanges = ()
    powers: PowerChanges = ()
    zones: Zones = ()
    boards: Boards = ()
    state: State = ()
    claims: Annotated[tuple[tuple[Text, Claim], ...], Group(section="claims")] = ()
    phases: Annotated[tuple[tuple[Text, AddedPhase], ...], Group(NAME, section="phases")] = ()
    invariants: Invariants = ()
    policies: Policies = ()
    measures: Measures = ()


class Removals(Declaration):
    """The names of what a variant removes from the sections of the ruleset."""

    WANTED: ClassVar[str] = "a group of sections with names"
    types: OptionalNames = None
    values: Parts = ()
    parameters: OptionalNames = None
    components: OptionalNames = None
    rows: Parts = ()
    powers: Parts = ()
    zones: OptionalNames = None
    boards: OptionalNames = None
    state: OptionalNames = None
    definitions: Heads | None = None
    claims: OptionalNames = None
    phases: Titles | None = None
    invariants: Titles | None = None
    policies: OptionalNames = None
    measures: OptionalNames = None
    rule_list: Titles | None = None


IN_ORDER = "in_order"
"""The key under which the variants to combine stand where a later one is to win over an earlier one."""


def _read_bases(node: YamlNode, findings: Findings) -> tuple[Text, ...]:
    """One file, or a list of variants that are combined, perhaps in their order."""
    if isinstance(node, YamlMapping) and [key.text for key, _ in node.entries] == [IN_ORDER]:
        node = node.entries[0][1]
    if not isinstance(node, YamlSequence):
        return (FILE.read(node, findings),)
    first: dict[str, YamlNode] = {}
    names = []
    for item in node.items:
        name = FILE.read(item, findings)
        if name.text in first:
            findings.duplicate(item, first[name.text])
            continue
        first[name.text] = item
        names.append(name)
    if not names:
        findings.refuse("D004", node.span, place=findings.place(node))
    return tuple(names)


def _bases_schema() -> JsonSchemaValue:
    file = dict(FILE.schema)
    several: JsonSchemaValue = {"type": "array", "items": file, "minItems": 1, "uniqueItems": True}
    later_wins: JsonSchemaValue = {
        **several,
        "description": "variants to combine, of which a later one wins over an earlier one",
    }
    in_order: JsonSchemaValue = {
        "type": "object",
        "properties": {IN_ORDER: later_wins},
        "required": [IN_ORDER],
        "additionalProperties": False,
    }
    return {"anyOf": [file, several, in_order]}


class VariantDoc(Document):
    """A variant: what it `extends`, the parameters it `set`s, and what it replaces, adds and removes."""

    KEY_HINTS: ClassVar[dict[str, str]] = {
        **Document.KEY_HINTS,
        **dict.fromkeys(("delete", "drop", "without", "removes"), "remove"),
    }

    extends: Annotated[tuple[Text, ...], Shape(_read_bases, _bases_schema)]
    set: Annotated[tuple[tuple[Text, Located], ...], Group(section="set")] = ()
    attributes: AttributeChanges = ()
    rows: RowChanges = ()
    values: ValueChanges = ()
    powers: PowerChanges = ()
    add: Additions | None = None
    remove: Removals | None = None

    @property
    def in_order(self) -> bool:
        """Tell whether the variants that it combines are applied in the order of the list, so that a later
        one wins.
        """
        return isinstance(self.node, YamlMapping) and isinstance(self.node.get("extends"), YamlMapping)


# ---------------------------------------------------------------- reading
# what people write for `extends`
_MISSPELT_EXTENDS = ("inherits", "inherit", "base", "variant_of", "parent", "from")


AnyDoc: TypeAlias = RulesetDoc | VariantDoc | ModuleDoc


@dataclass(frozen=True)
class Parsed:
    """The result of `read_document`.

    `dropped` names declarations that could not be kept and need not be reported as unknown.

    `leaves` maps the offset of each scalar to the kind of text it was read as.
    """

    document: AnyDoc | None
    diagnostics: tuple[Diagnostic, ...]
    dropped: tuple[Dropped, ...] = ()
    leaves: dict[int, Leaf] = field(default_factory=dict)


def read_document(node: YamlNode) -> Parsed:
    """The document without the parts that were refused, and all diagnostics in the order of the file.

    A file for another version of the language gives that one diagnostic and no document.
    """
    findings = Findings(node)
    if not isinstance(node, YamlMapping):
        findings.add("D008", first_line(node), found=describe(node))
        return Parsed(None, tuple(findings.diagnostics))
    version = node.get("croupier")
    if isinstance(version, YamlScalar) and version.value is not None and not is_known_version(version.text):
        findings.add("D009", version.span, version=version.text, known=VERSIONS[-1])
        return Parsed(None, tuple(findings.diagnostics))
    extends = _nearly_extends(node)
    if extends is not None:
        fix = Fix(extends.span, "extends", "write `extends`", safe=False)
        findings.add(
            "D001",
            extends.span,
            help="did you mean `extends`?",
            fix=fix,
            what=f"unknown key `{extends.text}`",
        )
        return Parsed(None, tuple(findings.diagnostics))
    model: type[AnyDoc] = RulesetDoc
    if node.get("extends") is not None:
        model = VariantDoc
    elif node.get("module") is not None:
        model = ModuleDoc
    document: AnyDoc | None = None
    try:
        document = model.model_validate(node, context=findings)
    except ValidationError as error:
        refusals(error)
    displaced = _displaced_section(node, model, findings) or _entry_beside(node, model, findings)
    if displaced is not None:
        return Parsed(None, (displaced,))
    ordered = sorted(
        (_helped(node, finding) for finding in findings.diagnostics),
        key=lambda finding: (
            (finding.span.start, finding.code) if finding.span is not None else (0, finding.code)
        ),
    )
    ordered = _without_followers(node, ordered)
    return Parsed(document, tuple(ordered), tuple(dict.fromkeys(findings.dropped)), findings.leaves)


_TIGHT_COMMENT = re.compile(r"[^\s#]# ")
_ENTRIES: Mapping[str, type[Declaration]] = {"components": Component, "zones": Zone, "boards": Board}
_SECTIONS = frozenset(
    (
        "types",
        "parameters",
        "components",
        "zones",
        "boards",
        "state",
        "definitions",
        "claims",
        "phases",
        "scoring",
        "invariants",
        "policies",
        "measures",
    )
)


def _without_followers(node: YamlMapping, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The findings without those that follow from an unknown key of the same group: that a key is lacking,
    and the same help once more.
    """
    strange = [d for d in found if d.code == "D001" and d.span is not None]
    if not strange:
        return list(found)
    groups = [(key.span, value.span) for key, value in _entries_within(node)]
    followers: set[int] = set()
    for d in found:
        if d.code == "D006":
            whole = next((inner for key, inner in groups if key == d.span), None)
            if whole is not None and any(
                s.span is not None and whole.start <= s.span.start <= whole.end for s in strange
            ):
                followers.add(id(d))
    for first, second in pairwise(strange):
        assert first.span is not None and second.span is not None
        if (
            first.help == second.help
            and not (first.help or "").startswith(LISTED)
            and first.span.line == second.span.line
        ):
            followers.add(id(second))
    return [d for d in found if id(d) not in followers]


def _entries_within(node: YamlNode) -> Iterator[tuple[YamlScalar, YamlNode]]:
    """The keys of a mapping and of those within it, with their values."""
    if isinstance(node, YamlSequence):
        for item in node.items:
            yield from _entries_within(item)
    elif isinstance(node, YamlMapping):
        for key, value in node.entries:
            yield key, value
            yield from _entries_within(value)


def _displaced_section(node: YamlMapping, model: type[AnyDoc], findings: Findings) -> Diagnostic | None:
    """A section that is read as a part of another one, because it is indented; `None` where nothing is wrong
    with what is called so.

    Everything else that is said of the section around it follows from that.
    """
    at_fault = [
        d.span.start
        for d in findings.diagnostics
        if d.code in ("D001", "D003", "D004", "D106") and d.span is not None
    ]
    for section, value in node.entries:
        for key, inner, end in _keys_within(value) if section.text in _SECTIONS else ():
            known = key.text in _SECTIONS and key.text in model.keys() and node.get(key.text) is None
            if known and any(key.span.start <= start <= end for start in at_fault):
                line, _ = key.span.source.position(key.span.start)
                begin = key.span.source.line_start(line)
                empty = inner.span.start == inner.span.end
                follows = end > max(inner.span.end, key.span.end + 1)
                block = Span(key.span.source, begin, key.span.end if empty else inner.span.end)
                moved = re.sub(rf"(?m)^ {{{key.span.start - begin}}}", "", block.text)
                fix = Fix(block, moved, f"move `{key.text}` to the first column", safe=empty == follows)
                return diagnose("D010", key.span, name=key.text, section=section.text, fix=fix)
    return None


def _entry_beside(node: YamlMapping, model: type[AnyDoc], findings: Findings) -> Diagnostic | None:
    """An entry that is read as a section of its own, because it is not indented below its section, which is
    empty.
    """
    unknown = {d.span.start for d in findings.diagnostics if d.code == "D001" and d.span is not None}
    for (section, empty), (key, value) in pairwise(node.entries):
        is_empty = section.text in _SECTIONS and isinstance(empty, YamlScalar) and empty.value is None
        if is_empty and key.span.start in unknown and key.text not in model.KEY_HINTS:
            block = key.span.to(value.span)
            deeper = "  " + block.text.replace("\n", "\n  ")
            fix = Fix(block, deeper, "indent it", safe=False)
            return diagnose("D011", key.span, name=key.text, section=section.text, fix=fix)
    return None


def _helped(node: YamlMapping, diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic with the help that its place gives: a comment without a space before it, a key of an
    entry beside the entry.
    """
    span = diagnostic.span
    if span is None or not diagnostic.code.startswith("D"):
        return diagnostic
    if _TIGHT_COMMENT.search(span.text) and span.text[:1] not in "\"'":
        return replace(diagnostic, help="a comment begins with a space and `#`")
    if diagnostic.code != "D003":
        return diagnostic
    for section, value in node.entries:
        model = _ENTRIES.get(section.text)
        if model is None or not isinstance(value, YamlMapping) or value.flow:
            continue
        for (above, _), (key, inner) in pairwise(value.entries):
            if inner.span == span and key.text in model.keys():
                return replace(
                    diagnostic, help=f"if it belongs to `{above.text}`, indent it like the keys of that"
                )
    return diagnostic


def _keys_within(value: YamlNode) -> Iterator[tuple[YamlScalar, YamlNode, int]]:
    """The keys of a mapping on lines of their own and of those within it, with their values and the end of
    the mapping that holds them.
    """
    if not isinstance(value, YamlMapping) or value.flow:
        return
    for key, inner in value.entries:
        yield key, inner, value.span.end
        yield from _keys_within(inner)


def _nearly_extends(node: YamlMapping) -> YamlScalar | None:
    """The misspelt key `extends`, if there is one: without `extends` a variant is read as a ruleset that
    lacks most keys.
    """
    if any(node.get(name) is not None for name in ("extends", "ruleset", "module")):
        return None
    known = ("extends", *RulesetDoc.keys(), *RulesetDoc.KEY_HINTS)
    strange = (key for key, _ in node.entries if key.text not in known)
    return next(
        (
            key
            for key in strange
            if key.text in _MISSPELT_EXTENDS or did_you_mean(key.text, known) == "extends"
        ),
        None,
    )


def parse(node: YamlNode) -> tuple[AnyDoc | None, list[Diagnostic]]:
    """The document without the parts that were refused (`None` if nothing is left), and all diagnostics."""
    parsed = read_document(node)
    return parsed.document, list(parsed.diagnostics)
