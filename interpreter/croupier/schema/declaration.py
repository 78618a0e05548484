"""The base class of all declarations with keys; and citations, which every declaration may have.

Unknown and missing keys are reported before pydantic sees the values.  A value that is refused is left out; a
declaration is refused as a whole only if it needs that value. Citations: `cites: [WB-1, WB-4..6]` or
`cites: WB-1, WB-4..6`, and `WB-34,35` for `WB-34, WB-35`.

`KEYS` describes each key in one line, for the JSON Schema (editors show it), the reference and the language
server.

Modules with models have no `from __future__ import annotations`: pydantic would evaluate the texts of all
annotations again, those of a base for each class, which took a quarter of the time of importing them.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError, ValidationInfo, model_validator
from pydantic.functional_validators import ModelWrapValidatorHandler
from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Fix, Span, did_you_mean
from croupier.schema.findings import Dropped, Findings, findings_of, refuse
from croupier.schema.leaves import Prose, Text
from croupier.schema.shapes import Shape, refusals
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

# ---------------------------------------------------------------- citations
_NUMBER = r"[A-Z]*[0-9]+[a-z]?"
_ONE = rf"[A-Z]{{1,8}}-{_NUMBER}(?:\.\.(?:[A-Z]{{1,8}}-)?{_NUMBER})?"
_MANY = rf"{_ONE}(?:\s*,\s*(?:{_ONE}|{_NUMBER}(?:\.\.{_NUMBER})?))*"
_PART = re.compile(r"[^,]+")


def read_cites(node: YamlNode, findings: Findings) -> tuple[Text, ...]:
    """Each cited id or range of ids as a text with its own span; a number without a prefix takes the prefix
    before it.
    """
    items = node.items if isinstance(node, YamlSequence) else (node,)
    cites: list[Text] = []
    for item in items:
        if not isinstance(item, YamlScalar):
            findings.wrong_kind(item, "a list of rule ids")
        cites += _split(item, findings)
    return tuple(cites)


def _split(node: YamlScalar, findings: Findings) -> list[Text]:
    raw = node.span.text
    inner = raw[1:-1] if node.style in ("single", "double") else raw
    if node.style in ("literal", "folded") or inner != node.text or not re.fullmatch(_MANY, inner):
        findings.add("D109", node.span, text=node.text)
        return []
    base = node.span.start + (1 if inner != raw else 0)
    prefix, cites = "", []
    for match in _PART.finditer(inner):
        text = match.group().strip()
        start = base + match.start() + len(match.group()) - len(match.group().lstrip())
        if "-" in text:
            prefix = text[: text.index("-") + 1]
        else:
            text = prefix + text
        span = Span(
            node.span.source, start, base + match.end() - len(match.group()) + len(match.group().rstrip())
        )
        cites.append(Text(replace(node, span=span, text=text, style="plain", value=text)))
    return cites


def _cites_schema() -> JsonSchemaValue:
    one = {"type": "string", "pattern": f"^{_MANY}$"}
    return {"anyOf": [one, {"type": "array", "items": one}]}


Cites: TypeAlias = Annotated[tuple[Text, ...], Shape(read_cites, _cites_schema)]


# ---------------------------------------------------------------- declarations
class Declaration(BaseModel):
    """A group of keys.

    Every declaration may be explained (`doc`) and say which rules it implements (`cites`).
    """

    # What validates a model is built when it is used: a ruleset uses few of them by themselves, and most
    # files are no variants and no modules.
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True, defer_build=True)

    doc: Prose | None = None
    cites: Cites = ()
    _node: YamlNode = PrivateAttr()

    WANTED: ClassVar[str] = "a group of keys"
    SHORT: ClassVar[str | None] = None  # the field that takes the whole value when it is no group of keys
    HIDDEN: ClassVar[bool] = True  # whether the short field cannot be written as a key
    KEY_HINTS: ClassVar[dict[str, str]] = {}  # keys that people write, and what to write instead
    # keys that belong elsewhere, and the help for whoever writes them here
    ELSEWHERE: ClassVar[dict[str, str]] = {}
    SAMPLES: ClassVar[dict[str, str]] = {}  # what to write for a missing key
    NEEDED: ClassVar[tuple[str, ...]] = ()  # keys whose absence is reported without refusing the declaration

    @property
    def node(self) -> YamlNode:
        """The located value."""
        return self._node

    @property
    def span(self) -> Span:
        """The span of the whole value."""
        return self._node.span

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """The keys an author can write, `doc` and `cites` last."""
        names = [
            field.alias or name
            for name, field in cls.model_fields.items()
            if not (cls.HIDDEN and name == cls.SHORT)
        ]
        return tuple(sorted(names, key=lambda name: name in ("doc", "cites")))

    @classmethod
    def required(cls) -> tuple[str, ...]:
        """The keys that must be there."""
        return (
            *(field.alias or name for name, field in cls.model_fields.items() if field.is_required()),
            *cls.NEEDED,
        )

    @classmethod
    def takes_short(cls, node: YamlNode) -> bool:
        """Tell whether a value is the short form of the declaration."""
        return isinstance(node, YamlScalar)

    @classmethod
    def advice(cls, node: YamlNode, findings: Findings) -> str | None:
        """Help for a value of another shape; `None` if there is none."""
        return None

    def examine(self, findings: Findings) -> Self:
        """Check keys against each other and report; call `refuse` if the declaration cannot be used; return
        the declaration to keep.
        """
        return self

    @model_validator(mode="wrap")
    @classmethod
    def _validate(
        cls, node: YamlNode, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        # pydantic calls the validator of a model that contains itself once more, on the way to its fields
        if isinstance(node, dict):
            return handler(node)
        findings = findings_of(info)
        return findings.once(cls, node, lambda: cls._make(node, handler, findings))

    @classmethod
    def _make(cls, node: YamlNode, handler: ModelWrapValidatorHandler[Self], findings: Findings) -> Self:
        if cls.SHORT is not None and cls.takes_short(node):
            values = {cls.SHORT: node}
        elif isinstance(node, YamlMapping):
            values = cls._read_keys(node, findings)
        else:
            findings.wrong_kind(node, cls.WANTED, cls.advice(node, findings))
        try:
            made = handler(values)
        except ValidationError as error:
            lost = {detail["loc"][0] for detail in refusals(error)}
            if lost & {*cls.required(), cls.SHORT} - set(cls.NEEDED):
                refuse()
            made = handler({key: value for key, value in values.items() if key not in lost})
            if node is findings.root:  # a whole section: nobody knows what it declares
                findings.dropped += (Dropped(str(key), "", values[key].span) for key in lost if key in values)
        made._node = node
        return made.examine(findings)

    @classmethod
    def _read_keys(cls, node: YamlMapping, findings: Findings) -> dict[str, YamlNode]:
        """The values of the known keys; unknown and missing keys are reported."""
        known = cls.keys()
        purposes = {**COMMON, **KEYS.get(cls.__name__, {})}
        values: dict[str, YamlNode] = {}
        excused: set[str] = set()
        for key, value in node.entries:
            if key.text in known:
                findings.enter(key, value, purposes.get(key.text))
                values[key.text] = value
            else:
                meant = cls._unknown(key, known, node, findings)
                # a section of another name
                if meant is None and node is findings.root and isinstance(value, YamlMapping):
                    findings.dropped += (Dropped(key.text, name.text, name.span) for name, _ in value.entries)
                if meant is not None and meant not in excused:
                    excused.add(meant)
                    if isinstance(value, YamlMapping) or key.text not in cls.KEY_HINTS:
                        findings.enter(key, value)
                        values[meant] = value
        for name in cls.required():
            if name not in values and name not in excused:
                sample = cls.SAMPLES.get(name) or _sample(name, findings.root)
                help = f"add `{name}: {sample}`" if sample is not None else None
                if name == "phases":
                    help = "add `phases:`, and below it, indented, a line `play: |` with rules below that"
                if _replaces(node, findings.root):
                    help = f"{help or f'add `{name}: …`'}; what a variant replaces is written whole"
                findings.add("D002", findings.head(node), help=help, place=findings.place(node), key=name)
        return values

    @classmethod
    def _unknown(
        cls, key: YamlScalar, known: tuple[str, ...], node: YamlMapping, findings: Findings
    ) -> str | None:
        """Report an unknown key; return the key that was meant if that is absent, so that its value is read
        all the same.
        """
        unknown = f"unknown key `{key.text}`"
        if key.text in cls.ELSEWHERE:
            group = findings.place(node)
            where = f"under {group}" if group.startswith("`") else "here"
            findings.add(
                "D001", key.span, help=cls.ELSEWHERE[key.text], what=f"`{key.text}` cannot stand {where}"
            )
            return None
        if key.text.startswith(("def ", "replace ")):
            findings.add(
                "D001", key.span, help="it is rule text: write it under `definitions: |`", what=unknown
            )
            return None
        if key.in_flow and key.text.count(")") > key.text.count("("):
            findings.add(
                "D001",
                key.span,
                help="between braces a comma begins the next key: put the text around it in quotes",
                what=unknown,
            )
            return None
        before = _prose_before(key, node)
        if before is not None:
            findings.add("D001", key.span, help=before.comma_advice(), what=unknown)
            return None
        nearest = cls.KEY_HINTS.get(key.text) or did_you_mean(key.text, known)
        help = f"did you mean `{nearest}`?" if nearest else cls._listed(known)
        meant = nearest if nearest is not None and node.get(nearest) is None else None
        fix = Fix(key.span, meant, f"write `{meant}`", safe=False) if meant is not None else None
        findings.add("D001", key.span, help=help, fix=fix, what=unknown)
        return meant

    @classmethod
    def _listed(cls, known: tuple[str, ...]) -> str:
        """All keys of a group, with what each is for where they are few."""
        purposes = KEYS.get(cls.__name__, {})
        if len(known) > MOST_EXPLAINED:
            return f"{LISTED} " + ", ".join(f"`{name}`" for name in known)
        return f"{LISTED} " + ", ".join(
            f"`{name}` ({purposes[name]})" if name in purposes else f"`{name}`" for name in known
        )


def _prose_before(key: YamlScalar, node: YamlMapping) -> YamlScalar | None:
    """The key before one without a value between braces, if its text has several words: what looks like a key
    may be a part of that text.
    """
    before: tuple[YamlScalar, YamlNode] | None = None
    for entry, value in node.entries:
        if entry is key:
            is_bare = node.flow and not value.span.text
            has_prose = before is not None and isinstance(before[1], YamlScalar) and before[1].is_open_prose
            return before[0] if is_bare and has_prose and before is not None else None
        before = (entry, value)
    return None


_SAMPLES: MappingProxyType[str, str] = MappingProxyType(
    {
        "values": "[first, second]", "record": "{name: text, number: int}", "type": "1..9", "shape": "grid",
        "says": '"I have {n}"',
        "extends": "ruleset.yaml", "module": "name_of_the_module",
    }
)  # fmt: skip
"""What can be written for a key that is required, by key, where a group does not say another."""


def _sample(name: str, root: YamlNode | None) -> str | None:
    """Return what can be written for a required key, in the author's own words where the file has them."""
    if name == "holds":
        components = root.get("components") if isinstance(root, YamlMapping) else None
        names = [key.text for key, _ in components.entries] if isinstance(components, YamlMapping) else []
        return names[0] if names else "Card"
    return _SAMPLES.get(name)


MOST_EXPLAINED = 9  # keys of a group that help explains
LISTED = "the keys here are"
"""How the help begins that lists all keys of a group."""


# ------------------------------------------------------------ what each key is for
COMMON: MappingProxyType[str, str] = MappingProxyType(
    {
        "doc": "an explanation for readers",
        "cites": "the rules that this implements: `[AB-1, AB-4..6]`",
    }
)

BY = "the parameter that decides; the other keys are its values"
PLAYERS_RANGE = "the numbers of players: `2`, `2..6` or `[2, 4]`"
PLAYERS_DEFAULT = "how many play where nobody says a number; the fewest unless said"

_DOCUMENT = {
    "croupier": "the version of the language that the file is written in: 1 or 2",
    "ruleset": "the ruleset's name in programs: letters, digits and `_`",
    "title": "the game's name for people",
    "players": "the numbers of players: `2`, `2..6` or `[2, 4]`, perhaps with how many play unless said",
    "rule_list": "a CSV file `id,tag,text` with the rules that may be cited",
    "limits": "what one game may use before it ends as unfinished",
    "uses": "modules, each with what it is given: `{drafting: {hand: hand}}`",
    "types": "enumerations and records",
    "parameters": "values that are chosen when a game is set up",
    "components": "the kinds of cards, dice, tokens and other components",
    "zones": "where components lie",
    "boards": "cells and their neighbourhood",
    "state": "values that change during the game",
    "definitions": "functions, hooks and watchers in the rule language, in one text or by section",
    "claims": "what players may say",
    "phases": "the course of the game, in order",
    "scoring": "who wins, in the rule language",
    "invariants": "conditions that hold at every decision, every chance event and the end",
    "policies": "how bots weigh options, by name: what is chosen, and its weight",
    "measures": "numbers that the lab takes of games, by name",
    "table": "how the game looks on a screen, on a page and in the rulebook",
}
_SECTIONS = (
    "types",
    "parameters",
    "components",
    "zones",
    "boards",
    "state",
    "claims",
    "phases",
    "invariants",
    "policies",
    "measures",
)
_OF_MODULES = ("types", "components", "zones", "boards", "state", "definitions")
_PHASE = {
    "for": "once for each: `p in players`",
    "repeat": "again and again until the game is finished",
    "repeat until": "again and again until this holds",
    "phases": "the parts, in order",
}
_PARTS = {
    "rows": "rows of component tables by id: the cells that change",
    "values": "values of enumerations: the columns that change",
    "powers": "rule text of components, by class and id",
    "attributes": "types of attributes, by component or type: other bounds of what stands there",
}
_STACK = {
    "holds": "the kind of component that lies here",
    "order": "`pile` (top and bottom), `sequence`, `set` or `bag` (alike components are not told apart)",
    "capacity": "how many fit",
    "seen_by": "who sees what lies here: everybody, nobody, owner, others, players, or by a condition or the "
    "value of a parameter",
    "counted_by": "who knows how many lie here, as in `seen_by`",
    "live": "whether the powers of what lies here are in force",
    "label": 'what the story calls it: `"the hand of {key}"`',
    "start": "what lies here at the start: `all`, or an expression",
}

KEYS: MappingProxyType[str, dict[str, str]] = MappingProxyType(
    {
        "RulesetDoc": _DOCUMENT,
        "VariantDoc": {
            **_DOCUMENT,
            **_PARTS,
            "add": "what is new, section by section",
            "remove": "the names of what goes, section by section",
            "extends": "what this is a variant of: a file in the ruleset's folder, the name of a shipped "
            "ruleset, or a list of variants",
            "set": "parameters and the defaults that the variant gives them",
        },
        "ModuleDoc": {
            **{
                section: _DOCUMENT[section]
                for section in ("croupier", "title", *_OF_MODULES, "parameters", "invariants")
            },
            "module": "the module's name: what its file is called",
            "needs": "what the ruleset has to have, with what stands for it while the module is looked at "
            "alone",
            "example": "a small game that tries the module",
        },
        "Needs": {section: _DOCUMENT[section] for section in _OF_MODULES},
        "ModuleExample": {
            key: _DOCUMENT[key] for key in ("players", "zones", "state", "definitions", "phases", "scoring")
        },
        "Additions": {
            **{section: _DOCUMENT[section] for section in _SECTIONS},
            "phases": "phases, each `after` or `before` another one",
            "rows": "rows of component tables",
            "values": "values of enumerations",
            "powers": "rule text of components without any, by class and id",
        },
        "Removals": {
            **{section: f"names of {section}" for section in _SECTIONS},
            "rows": "ids of rows by component",
            "values": "values by enumeration",
            "powers": "ids of components by class",
            "definitions": "names of definitions; of hooks and watchers the words before the colon",
            "rule_list": "ids of rules whose sentences do not hold",
        },
        "AddedPhase": {
            **_PHASE,
            "rules": "the rule text of a phase that has a place",
            "after": "the phase that comes before it",
            "before": "the phase that comes after it",
        },
        "Limits": {
            "decisions": "the most decisions in one game, up to 100,000",
            "chance": "the most chance events in one game, up to 100,000",
            "fuel": "the most steps between two decisions or chance events, up to 10,000,000",
        },
        "Enumeration": {
            "attributes": "the columns of the values, each with its type: `{worth: 1..9}`",
            "values": "the names, in order; with columns, `name: [cells]` or `name: {column: cell}`",
            "labels": "what players read instead of a name: `hearts: ♥`",
        },
        "RecordType": {
            "record": "the fields, each with its type: `{first: Player, number: 1..6}`",
            "label": 'what players read instead of the fields: `"{first}\'s {number}"`',
            "symbol": 'a sign for the table, of at most 4 characters: `"{number}"`',
        },
        "Alias": {"type": "the type that the name stands for"},
        "Parameter": {
            "type": "the type of the value",
            "one_of": "the words to choose from; the first is the default",
            "default": "the value unless another is chosen",
            "valid": "a condition that has to hold, or conditions by the words that say them",
            "tried": "values that are tried when the ruleset is checked",
            "variants": "the variants that hold with a value: `{true: short_game}`",
        },
        "Component": {
            "attributes": "what every component has for good, each with its type: `{number: 1..6}`",
            "mutable": "what can change on a component, each with type and start value: `face: 1..6 = 1`",
            "each": "one component for every combination of these attributes",
            "ids": "one component of each name",
            "columns": "the columns of the rows in `table`",
            "table": "rows of attributes, or the CSV or YAML file that holds them",
            "copies": "how many there are of each component",
            "count": "how many there are, all alike",
            "label": 'how a component is called: `"{colour}-{number}"`',
            "back": 'what is seen of a component whose face is hidden: `"a {colour} card"`',
            "rolls": "the mutable attribute that rolling sets",
            "live": "where its powers are in force: `anywhere`, or in `zones` that are live",
            "powers": "rule text of all components, or by id",
        },
        "StackOptions": _STACK,
        "Zone": {
            **_STACK,
            "per": "one zone for each value: Player, Team, a board's cell",
        },
        "Board": {
            "shape": "rectangle, hex, ring, hub or graph",
            "rows": "the number of rows",
            "columns": "the number of columns",
            "size": "the number of cells along an edge of a hexagon, of a ring, or around a hub",
            "grows": "how many cells the board may grow in each direction from its first one, (0,0)",
            "adjacency": "which cells are neighbours: orthogonal, diagonal or all",
            "cell": "the name of the type of the cells",
            "cells": "the names of the cells; of a rectangle `{labels: algebraic}`",
            "attributes": "what each cell has for good, each with its type: `depth: 0..9 = 1`",
            "values": "the attributes of the cells: by attribute, for all cells, by cell, or a CSV file",
            "edge": "the name of the type of the edges of cells, if they are places",
            "edge_attributes": "what each edge has for good, each with its type and the value of all that "
            "are not named",
            "edge_values": "by edge the attributes of some: `{(1,1)-(1,2): [3], (1,1) up: [2]}`",
            "corner": "the name of the type of the corners of cells, if they are places",
            "corner_attributes": "what each corner has for good, as `edge_attributes`",
            "corner_values": "by corner the attributes of some: `{(1,1) right/down: [3]}`",
            "links": "pairs of cells that are neighbours, perhaps by their kind; behind them the attributes",
            "link": "the name of the type of the links, if they are places",
            "link_attributes": "what each link has for good, each with its type: `length: 1..9`",
            "kind": "the name of the type of the kinds of links",
            "stack": "what may lie on a cell, written like a zone",
        },
        "CellLabels": {
            "labels": "what players read of a cell: `algebraic` is `e4`, from the bottom row up",
        },
        "StateVariable": {
            "type": "the type of the value",
            "start": "the value at the start",
            "seen_by": "who sees it",
            "label": 'how the story tells a change: `"{key} has {value}"`; an empty text: bookkeeping',
        },
        "Phase": _PHASE,
        "TableLook": {
            "values": "values of enumerations: a colour, or `colour` and `symbol`",
            "large": "by component, the attributes that are written large",
            "together": "zones that are shown side by side, by a title",
            "details": "state and attributes left out unless somebody asks",
        },
        "ValueLook": {"colour": "a word (`blue`) or `#2f6fc4`", "symbol": "at most 4 characters"},
        "Claim": {
            "says": "the sentence, with fields in braces",
            "fields": "the fields, each with its type: `{number: 1..6}`",
            "only if": "when it may be said",
            "leaks": "why that may depend on what the claimant does not see",
        },
    }
)


def describe_key(model: str, key: str, keys: Mapping[str, dict[str, str]] = KEYS) -> str:
    """The line for a key of a model, in `keys` or common to all models.

    Raises KeyError for a key without one.
    """
    return COMMON[key] if key in COMMON else keys[model][key]


def _replaces(node: YamlMapping, root: YamlNode | None) -> bool:
    """Tell whether an entry of a variant stands for one of its base.

    It does not if it is to be added.
    """
    if node is root or not isinstance(root, YamlMapping) or root.get("extends") is None:
        return False
    return not is_added(node.span, root)


def is_added(at: Span, root: YamlNode | None) -> bool:
    """Tell whether a place of a variant stands under its `add`."""
    new = root.get("add") if isinstance(root, YamlMapping) else None
    return new is not None and new.span.start <= at.start < new.span.end
