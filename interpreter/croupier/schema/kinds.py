"""Types and parameters.

An enumeration is a list of names (`[blue, yellow]`), or names with columns:
`{attributes: {worth: 0..10, high: bool}, values: {ten: [10, false], king: {worth: 4, high: true}}}`.
A record is `{record: {number: 0..30, face: 1..6}}`. Any other type gets a name by writing it: `Amount: 0..99`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span, did_you_mean
from croupier.schema.declaration import Declaration
from croupier.schema.findings import Findings, refuse
from croupier.schema.leaves import IDENTIFIER, LONG_EXPRESSION, TITLE, Text, TypeText
from croupier.schema.players import read_case
from croupier.schema.shapes import Choice, Items, KeyedTexts, Located, Named, Names, Shape, keyed_texts
from croupier.schema.tables import Cells, Row, read_row
from croupier.source import Mapping, Node, Scalar, Sequence


@dataclass(frozen=True)
class Value:
    """A value of an enumeration; `cells` holds its columns by name (empty in a plain enumeration)."""

    name: Text
    cells: Cells = ()
    doc: Text | None = None
    cites: tuple[Text, ...] = ()
    written: Node | None = None

    @property
    def span(self) -> Span:
        """The place of the name."""
        return self.name.span


def read_values(node: Node, findings: Findings) -> tuple[Value, ...]:
    """The values with their columns as written: the attributes are needed to understand them."""
    pairs: tuple[tuple[Node, Node | None], ...]
    if isinstance(node, Sequence):
        pairs = tuple((item, None) for item in node.items)
    elif isinstance(node, Mapping):
        pairs = node.entries
    else:
        findings.wrong_kind(node, "a list of names")
    if not pairs:
        findings.refuse("D004", node.span, place=findings.place(node))
    values: dict[str, Value] = {}
    for name, cells in pairs:
        text = findings.attempt(IDENTIFIER.read, name)
        if text is not None and text.text in values:
            findings.twice(name, values[text.text].name.node)
        elif text is not None:
            values[text.text] = Value(text, written=cells)
    if not values:
        refuse()
    return tuple(values.values())


def values_schema() -> JsonSchemaValue:
    """The JSON Schema of the values of an enumeration: names, or names with columns."""
    names = {"type": "array", "items": dict(IDENTIFIER.schema), "minItems": 1, "uniqueItems": True}
    rows = {"type": "object", "additionalProperties": {"anyOf": [{"type": "array"}, {"type": "object"}]}, "minProperties": 1}
    return {"anyOf": [names, rows]}


class Enumeration(Declaration):
    """A type with named values, in order."""

    WANTED: ClassVar[str] = "a list of values, or a type with `values` or `record`"
    SHORT: ClassVar[str | None] = "values"
    HIDDEN: ClassVar[bool] = False
    HABITS: ClassVar[dict[str, str]] = {"columns": "attributes"}

    attributes: Named[TypeText] = ()
    values: Annotated[tuple[Value, ...], Shape(read_values, values_schema)]

    @classmethod
    def takes_short(cls, node: Node) -> bool:
        return isinstance(node, Sequence)

    def examine(self, findings: Findings) -> Self:
        columns = tuple(name for name, _ in self.attributes)
        values = []
        for value in self.values:
            row: Row | None = None
            if value.written is not None:
                row = findings.attempt(lambda node, findings: read_row(node, columns, findings, ("doc", "cites")), value.written)
            if row is not None:
                value = replace(value, cells=row.cells, doc=row.doc, cites=row.cites)
            values.append(replace(value, written=None))
        return self.model_copy(update={"values": tuple(values)})


class RecordType(Declaration):
    """A type with named fields."""

    record: Named[TypeText]


class Alias(Declaration):
    """A name for a type that is written out: `Amount: 0..99`."""

    SHORT: ClassVar[str | None] = "type"
    HIDDEN: ClassVar[bool] = False
    WANTED: ClassVar[str] = "a type"

    type: TypeText


def _pick_type(node: Node) -> int | None:
    if isinstance(node, Sequence):
        return 0
    if isinstance(node, Scalar) or (isinstance(node, Mapping) and node.get("type") is not None):
        return 2
    return (1 if node.get("record") is not None else 0) if isinstance(node, Mapping) else None


def _check_type(node: Node, findings: Findings) -> None:
    """A group of keys has to say which kind of type it is; names written straight into it would each be an unknown key."""
    if isinstance(node, Mapping):
        kinds = ("values", "record", "type")
        keys = [key.text for key, _ in node.entries]
        if not any(key in kinds or did_you_mean(key, kinds) for key in keys):
            findings.refuse("D006", findings.head(node), place=findings.place(node), keys="`values` (for a choice of names) or `record` (for fields)")


TypeForm: TypeAlias = Annotated[
    Enumeration | RecordType | Alias, Choice(_pick_type, "a list of values, a type with `values` or `record`, or another type", _check_type)
]


Conditions: TypeAlias = Annotated[KeyedTexts, keyed_texts(TITLE, LONG_EXPRESSION, least=1)]
"""Conditions by their words; one without words stands under None."""


def _read_switches(node: Node, findings: Findings) -> Switches:
    """By a value the names of variants: one, or a list."""
    if not isinstance(node, Mapping):
        findings.wrong_kind(node, "for values the names of variants: `{true: short_game}`")
    switches = []
    for key, value in node.entries:
        findings.enter(key, value)
        case = findings.attempt(read_case, key)
        items = value.items if isinstance(value, Sequence) else (value,)
        names = [name for item in items if (name := findings.attempt(IDENTIFIER.read, item)) is not None]
        if case is not None and names:
            switches.append((case, tuple(names)))
    if not node.entries:
        findings.refuse("D004", node.span, place=findings.place(node))
    return tuple(switches)


def _switches_schema() -> JsonSchemaValue:
    names = {"anyOf": [dict(IDENTIFIER.schema), {"type": "array", "items": dict(IDENTIFIER.schema), "minItems": 1, "uniqueItems": True}]}
    return {"type": "object", "additionalProperties": names, "minProperties": 1}


Switches: TypeAlias = tuple[tuple[Text, tuple[Text, ...]], ...]
"""By the value of a parameter the names of the variants that it switches on."""


class Parameter(Declaration):
    """A value that is chosen when a game is set up: of a `type`, or `one_of` some words (the first is the default).

    A value may switch variants on: `variants` names them.
    """

    HABITS: ClassVar[dict[str, str]] = {"values": "one_of", "choices": "one_of", "options": "one_of", "variant": "variants"}

    type: TypeText | None = None
    one_of: Names | None = None
    default: Located | None = None
    valid: Conditions = ()
    tried: Annotated[tuple[Located, ...], Items("a list of values", least=1)] | None = None
    variants: Annotated[Switches, Shape(_read_switches, _switches_schema)] = ()

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if not isinstance(node, Mapping):
            return self
        type, one_of = node.key("type"), node.key("one_of")
        if type is not None and one_of is not None:
            findings.excludes(one_of, type)
        elif type is None and one_of is None:
            findings.refuse("D006", findings.head(node), place=findings.place(node), keys="`type` or `one_of`")
        elif type is not None and self.type is None or one_of is not None and self.one_of is None:
            refuse()
        if type is not None and self.default is None:
            findings.add("D002", findings.head(node), place=findings.place(node), key="default")
        return self
