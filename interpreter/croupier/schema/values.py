"""Numbers of players, rows under named columns, types and parameters.

The numbers of players a game is for are `2`, `2..6` or `[2, 4]`, or such numbers by the value of a parameter.
A row is a group of keys (`{id: a1, colour: red}`) or, where the columns are known, a list of cells in their
order.  The columns `id`, `doc` and `cites` have a meaning of their own; so has the key `powers` of a row that
is a group of keys.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Self, TypeAlias

from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span, did_you_mean
from croupier.limits import MAX_PLAYERS
from croupier.records import dataclass
from croupier.schema.declaration import BY, PLAYERS_DEFAULT, PLAYERS_RANGE, Declaration, read_cites
from croupier.schema.findings import Dropped, Findings, first_line, refuse, type_of
from croupier.schema.leaves import (
    FILE,
    IDENTIFIER,
    LONG_EXPRESSION,
    PROSE,
    RULES,
    TITLE,
    AttributeText,
    Template,
    Text,
    Title,
    TypeText,
)
from croupier.schema.shapes import (
    KeyedTexts,
    Located,
    Named,
    Names,
    Shape,
    ShapeChoice,
    ShapeList,
    keyed_texts,
)
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

# ---------------------------------------------------------------- players
_RANGE = re.compile(r"([0-9]{1,9})\s*\.\.\s*([0-9]{1,9})\Z", re.ASCII)


@dataclass(frozen=True)
class Players:
    """The legal numbers of players, rising, and where they are declared; with the parameter `by`, the numbers
    at each of its values.

    `default` is the number of players if the user gives none; without it, it is the least number.
    """

    span: Span
    counts: tuple[int, ...]
    by: Text | None = None
    cases: tuple[tuple[Text, tuple[int, ...]], ...] = ()
    default: int | None = None


def read_players(node: YamlNode, findings: Findings) -> Players:
    """The declared numbers, or a refusal."""
    if not isinstance(node, YamlMapping):
        return Players(node.span, _numbers(node, findings))
    by: Text | None = None
    default: YamlNode | None = None
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
                findings.refuse(
                    "D001",
                    key.span,
                    what=f"unknown key `{key.text}`",
                    help="beside `range` only `default` may stand",
                )
            cases.append((read_case(key, findings), _numbers(value, findings)))
    inner = node.get("range")
    if inner is not None:
        counts = _numbers(inner, findings)
        return Players(node.span, counts, default=_default(default, counts, findings))
    if by is None:
        keys = "`range` (for the numbers), or `by` (for a parameter)"
        least, most = node.get("min"), node.get("max")
        numbers = (
            f"{least.span.text}..{most.span.text}"
            if isinstance(least, YamlScalar) and isinstance(most, YamlScalar)
            else "2..4"
        )
        findings.refuse(
            "D006",
            findings.head(node),
            place=findings.place(node),
            keys=keys,
            help=f"write the numbers alone: `players: {numbers}`",
        )
    if not cases:
        findings.refuse(
            "D006",
            findings.head(node),
            place=findings.place(node),
            keys=f"numbers for each value of `{by.text}`",
        )
    counts = tuple(sorted({n for _, counts in cases for n in counts}))
    return Players(node.span, counts, by, tuple(cases), _default(default, counts, findings))


def _default(node: YamlNode | None, counts: tuple[int, ...], findings: Findings) -> int | None:
    """The default number; `None` if there is none, or a wrong one, which is reported."""
    if node is None:
        return None
    if not isinstance(node, YamlScalar) or not isinstance(node.value, int) or isinstance(node.value, bool):
        findings.wrong_kind(node, "a number of players")
    if node.value not in counts:
        findings.add("D111", node.span, number=node.text, counts=", ".join(map(str, counts)))
        return None
    return node.value


def read_case(key: YamlNode, findings: Findings) -> Text:
    """The value of a parameter as a key: one of its words, `true` or `false`."""
    return (
        Text(key)
        if isinstance(key, YamlScalar) and isinstance(key.value, bool)
        else IDENTIFIER.read(key, findings)
    )


def _numbers(node: YamlNode, findings: Findings) -> tuple[int, ...]:
    if isinstance(node, YamlMapping):
        findings.wrong_kind(node, "a number, a range `2..6` or a list of numbers")
    items = node.items if isinstance(node, YamlSequence) else (node,)
    first: dict[int, YamlNode] = {}
    for item in items:
        for count in _counts(item, findings):
            if count in first and isinstance(node, YamlSequence):
                findings.duplicate(item, first[count], str(count))
            first.setdefault(count, item)
    if not first:
        findings.refuse("D004", node.span, place=findings.place(node))
    return tuple(sorted(first))


def _counts(node: YamlNode, findings: Findings) -> range:
    if not isinstance(node, YamlScalar):
        findings.wrong_kind(node, "a number or a range `2..6`")
    match = _RANGE.match(node.text)
    if isinstance(node.value, int) and not isinstance(node.value, bool):
        low = high = node.value
    elif match and node.style == "plain":
        low, high = int(match.group(1)), int(match.group(2))
    else:
        findings.refuse("D108", first_line(node), text=node.text)
    if low > high:
        findings.refuse("D108", first_line(node), text=node.text)
    if not (1 <= low and high <= MAX_PLAYERS):
        findings.refuse(
            "D105", node.span, place="a number of players", number=node.text, least=1, most=MAX_PLAYERS
        )
    return range(low, high + 1)


def players_schema() -> JsonSchemaValue:
    """A number, a range or a list of them."""
    one = {
        "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": MAX_PLAYERS},
            {"type": "string", "pattern": r"^[0-9]+\s*\.\.\s*[0-9]+$"},
        ]
    }
    plain = {"anyOf": [*one["anyOf"], {"type": "array", "items": one, "minItems": 1}]}
    parameter = {"description": BY, **dict(IDENTIFIER.schema)}
    default = {"description": PLAYERS_DEFAULT, "type": "integer", "minimum": 1, "maximum": MAX_PLAYERS}
    by = {
        "type": "object",
        "properties": {"by": parameter, "default": default},
        "additionalProperties": plain,
        "required": ["by"],
    }
    numbers = {"description": PLAYERS_RANGE, **plain}
    whole = {
        "type": "object",
        "properties": {"range": numbers, "default": default},
        "additionalProperties": False,
        "required": ["range"],
    }
    return {"anyOf": [*plain["anyOf"], whole, by]}


PlayerCounts: TypeAlias = Annotated[Players, Shape(read_players, players_schema)]


# ---------------------------------------------------------------- rows
Cells = tuple[tuple[Text, YamlNode], ...]


@dataclass(frozen=True)
class Row:
    """One row.

    `cells` pairs columns with located values, without the columns that have a meaning of their own.
    """

    span: Span
    cells: Cells
    id: Text | None = None
    powers: Text | None = None
    doc: Text | None = None
    cites: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Table:
    """The rows of a component.

    `file` names the CSV file they are to be read from (`rows` is empty until then).
    """

    span: Span
    rows: tuple[Row, ...] = ()
    columns: tuple[Text, ...] = ()
    file: Text | None = None
    written: tuple[YamlNode, ...] = ()
    is_misread: bool = False  # was its head refused, so that nobody knows what the cells of the rows are?


def read_table(node: YamlNode, findings: Findings) -> Table:
    """The table as written; `with_rows` reads its rows once the columns are known."""
    if isinstance(node, YamlScalar):
        return Table(node.span, file=FILE.read(node, findings))
    if not isinstance(node, YamlSequence):
        findings.wrong_kind(node, "a list of rows or the name of a CSV or YAML file")
    if not node.items:
        findings.refuse("D004", node.span, place=findings.place(node))
    return Table(node.span, written=node.items)


def with_rows(table: Table, columns: Sequence[Text], findings: Findings, least: int | None = None) -> Table:
    """The table with its rows; rows that cannot be used are reported and left out, a second row of an id
    too.
    """
    lengths = {len(node.items) if isinstance(node, YamlSequence) else -1 for node in table.written}
    if (
        len(table.written) > 1
        and len(lengths) == 1
        and columns
        and -1 not in lengths
        and lengths.isdisjoint(range(least or 0, len(columns) + 1))
    ):
        findings.attempt(
            lambda node, findings: read_row(node, columns, findings, least=least), table.written[0]
        )
        # one mistake of the columns, not one of each row
        return Table(table.span, (), tuple(columns), table.file)
    rows = (
        findings.attempt(lambda node, findings: read_row(node, columns, findings, least=least), node)
        for node in table.written
    )
    return Table(table.span, without_duplicates(rows, findings), tuple(columns), table.file)


def without_duplicates(rows: Iterable[Row | None], findings: Findings) -> tuple[Row, ...]:
    """The rows without `None`; a second row of an id is reported and left out."""
    kept: list[Row] = []
    ids: dict[str, Text] = {}
    for row in rows:
        if row is None:
            continue
        if row.id is not None:
            first = ids.setdefault(row.id.text, row.id)
            if first is not row.id:
                findings.duplicate(row.id.node, first.node)
                continue
        kept.append(row)
    return tuple(kept)


OWN_KEYS = ("id", "doc", "cites", "powers")


def read_row(
    node: YamlNode,
    columns: Sequence[Text],
    findings: Findings,
    special: Sequence[str] = OWN_KEYS,
    least: int | None = None,
) -> Row:
    """One row.

    `special` names the keys with a meaning of their own in rows that are groups of keys; in lists `powers` is
    a column.

    `least` is how many cells a list must have, of as many as there are columns unless said.
    """
    if isinstance(node, YamlSequence) and not columns and "id" in special:
        findings.refuse("D203", first_line(node))
    if not isinstance(node, (YamlSequence, YamlMapping)):
        findings.wrong_kind(node, "a row: a list of cells or a group of keys")
    cells = match_cells(node, columns, findings, least)
    return row_of(
        node.span,
        cells,
        findings,
        special if isinstance(node, YamlMapping) else [name for name in special if name != "powers"],
    )


def least_cells(columns: Sequence[Text], attributes: Sequence[tuple[Text, Text]]) -> int:
    """Return the least number of cells of a row: the last columns may be left out where their attributes have
    a default.
    """
    filled = {name.text for name, written in attributes if "=" in written.text}
    return max((i for i, column in enumerate(columns, 1) if column.text not in filled), default=0)


def match_cells(
    node: YamlNode, columns: Sequence[Text], findings: Findings, least: int | None = None
) -> Cells:
    """Columns paired with values.

    A list must have as many cells as there are columns, or at least so many.
    """
    if isinstance(node, YamlMapping):
        cells = []
        for key, value in node.entries:
            findings.enter(key, value)
            name = findings.attempt(IDENTIFIER.read, key)
            if name is not None:
                cells.append((name, value))
        return tuple(cells)
    if not isinstance(node, YamlSequence):
        findings.wrong_kind(node, "a list of cells or a group of keys")
    if not (len(columns) if least is None else least) <= len(node.items) <= len(columns):
        listed = ", ".join(f"`{column.text}`" for column in columns) or "none"
        have, want = _count(len(node.items), "cell"), _count(len(columns), "column")
        findings.refuse(
            "D202",
            first_line(node),
            notes=(f"the columns are {listed}",),
            cells=have,
            columns=want,
            help=_length_help(node, columns),
        )
    for column, value in zip(columns, node.items, strict=False):
        findings.enter(column.node, value)
    return tuple(zip(columns, node.items, strict=False))


def row_of(
    span: Span, cells: Cells, findings: Findings, special: Sequence[str] = ("id", "doc", "cites")
) -> Row:
    """The row of some cells; the columns `id`, `doc` and `cites` become its fields."""
    own = {
        column.text: value
        for column, value in cells
        if column.text in special and (column.text == "id" or not is_empty(value))
    }
    rest = tuple((column, value) for column, value in cells if column.text not in special)
    id = IDENTIFIER.read(own["id"], findings) if "id" in own else None
    text = findings.attempt(RULES.read, own["powers"]) if "powers" in own else None
    if text is not None and id is None:
        findings.add("D007", findings.head(own["powers"]), key="powers", other="id")
        text = None
    doc = findings.attempt(PROSE.read, own["doc"]) if "doc" in own else None
    cites = findings.attempt(read_cites, own["cites"]) if "cites" in own else ()
    return Row(span, rest, id, text, doc, cites or ())


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def is_empty(node: YamlNode) -> bool:
    """Tell whether a node is empty."""
    return isinstance(node, YamlScalar) and node.value is None and not node.text


def table_schema() -> JsonSchemaValue:
    """A CSV file's name, or a list of rows."""
    return {
        "anyOf": [
            dict(FILE.schema),
            {"type": "array", "minItems": 1, "items": {"anyOf": [{"type": "object"}, {"type": "array"}]}},
        ]
    }


# ---------------------------------------------------------------- types and parameters
@dataclass(frozen=True)
class Value:
    """A value of an enumeration; `cells` holds its columns by name (empty in a plain enumeration)."""

    name: Text
    cells: Cells = ()
    doc: Text | None = None
    cites: tuple[Text, ...] = ()
    written: YamlNode | None = None

    @property
    def span(self) -> Span:
        """The span of the name."""
        return self.name.span


def _default_help(type: YamlNode | None) -> str:
    """Say what to write for the value of a parameter where nobody sets it, made of its type."""
    written = type.text if isinstance(type, YamlScalar) else ""
    numbers = re.match(r"(-?\d+)\s*\.\.", written)
    if numbers is not None:
        return f"add `default: {numbers[1]}`, or another number of its type"
    return (
        "add `default: true` or `default: false`"
        if written == "bool"
        else "add `default:` with the value that it has unless another is chosen"
    )


def read_values(node: YamlNode, findings: Findings) -> tuple[Value, ...]:
    """The values with their columns as written: the attributes are needed to understand them."""
    pairs: tuple[tuple[YamlNode, YamlNode | None], ...]
    if isinstance(node, YamlSequence):
        pairs = tuple((item, None) for item in node.items)
    elif isinstance(node, YamlMapping):
        pairs = node.entries
    else:
        findings.wrong_kind(node, "a list of names")
    if not pairs:
        findings.refuse("D004", node.span, place=findings.place(node))
    values: dict[str, Value] = {}
    for name, cells in pairs:
        text = findings.attempt(IDENTIFIER.read, name)
        if text is not None and text.text in values:
            findings.duplicate(name, values[text.text].name.node)
            # another value was meant: nobody knows which
            findings.dropped += (Dropped("types", "", name.span),)
        elif text is not None:
            values[text.text] = Value(text, written=cells)
    if not values:
        refuse()
    return tuple(values.values())


def values_schema() -> JsonSchemaValue:
    """The JSON Schema of the values of an enumeration: names, or names with columns."""
    names = {"type": "array", "items": dict(IDENTIFIER.schema), "minItems": 1, "uniqueItems": True}
    rows = {
        "type": "object",
        "additionalProperties": {"anyOf": [{"type": "array"}, {"type": "object"}]},
        "minProperties": 1,
    }
    return {"anyOf": [names, rows]}


class Enumeration(Declaration):
    """A type with named values, in order."""

    WANTED: ClassVar[str] = "a list of values, or a type with `values` or `record`"
    SHORT: ClassVar[str | None] = "values"
    HIDDEN: ClassVar[bool] = False
    KEY_HINTS: ClassVar[dict[str, str]] = {"columns": "attributes"}

    attributes: Named[AttributeText] = ()
    labels: Named[Title] = ()
    values: Annotated[tuple[Value, ...], Shape(read_values, values_schema)]

    @classmethod
    def takes_short(cls, node: YamlNode) -> bool:
        return isinstance(node, YamlSequence)

    def examine(self, findings: Findings) -> Self:
        columns = tuple(name for name, _ in self.attributes)
        least, values = least_cells(columns, self.attributes), []
        for value in self.values:
            row: Row | None = None
            if value.written is not None:
                row = findings.attempt(
                    lambda node, findings: read_row(node, columns, findings, ("doc", "cites"), least),
                    value.written,
                )
            if row is not None:
                value = replace(value, cells=row.cells, doc=row.doc, cites=row.cites)
            values.append(replace(value, written=None))
        called = {
            value.name.text: value.name
            for value in values
            if value.name.text not in {name.text for name, _ in self.labels}
        }
        for _, label in self.labels:
            first = called.setdefault(label.text, label)
            if first is not label:
                findings.duplicate(label.node, first.node)
        return self.model_copy(update={"values": tuple(values)})


class RecordType(Declaration):
    """A type with named fields, and what its values are called."""

    record: Named[TypeText]
    label: Template | None = None
    symbol: Template | None = None


class Alias(Declaration):
    """A name for a type that is written out: `Amount: 0..99`."""

    SHORT: ClassVar[str | None] = "type"
    HIDDEN: ClassVar[bool] = False
    WANTED: ClassVar[str] = "a type"

    type: TypeText


def _pick_type(node: YamlNode) -> int | None:
    if isinstance(node, YamlSequence):
        return 0
    if isinstance(node, YamlScalar):
        return 2
    if not isinstance(node, YamlMapping):
        return None
    if node.get("type") is not None:
        return 2
    return 1 if node.get("record") is not None else 0


def _length_help(node: YamlSequence, columns: Sequence[Text]) -> str | None:
    """Say what to change in a row with too many cells, or in the list of columns; `None` for too few: each
    column needs one.
    """
    if len(node.items) <= len(columns):
        return None
    return f"leave out what is too much, here `{node.items[-1].span.text}`, or add a column to `columns`"


def _check_type(node: YamlNode, findings: Findings) -> None:
    """A group of keys must say which kind of type it is; otherwise each of its names would be an unknown
    key.
    """
    if isinstance(node, YamlMapping):
        kinds = ("values", "record", "type")
        keys = [key.text for key, _ in node.entries]
        if not any(key in kinds or did_you_mean(key, kinds) for key in keys):
            help = None
            if "attributes" in keys:
                name = findings.place(node).strip("`")
                help = f"a variant changes attributes in a section of that name: `attributes: {{{name}: …}}`"
            findings.refuse(
                "D006",
                findings.head(node),
                place=findings.place(node),
                keys="`values` (for a choice of names) or `record` (for fields)",
                help=help,
            )


TypeForm: TypeAlias = Annotated[
    Enumeration | RecordType | Alias,
    ShapeChoice(
        _pick_type, "a list of values, a type with `values` or `record`, or another type", _check_type
    ),
]


Conditions: TypeAlias = Annotated[KeyedTexts, keyed_texts(TITLE, LONG_EXPRESSION, least=1)]
"""Conditions by their words; one without words stands under None."""


def _read_switches(node: YamlNode, findings: Findings) -> "Switches":
    """The names of variants by a value of the parameter: one, or a list."""
    if not isinstance(node, YamlMapping):
        findings.wrong_kind(node, "for values the names of variants: `{true: short_game}`")
    switches = []
    for key, value in node.entries:
        findings.enter(key, value)
        case = findings.attempt(read_case, key)
        items = value.items if isinstance(value, YamlSequence) else (value,)
        names = [name for item in items if (name := findings.attempt(IDENTIFIER.read, item)) is not None]
        if case is not None and names:
            switches.append((case, tuple(names)))
    if not node.entries:
        findings.refuse("D004", node.span, place=findings.place(node))
    return tuple(switches)


def _switches_schema() -> JsonSchemaValue:
    names = {
        "anyOf": [
            dict(IDENTIFIER.schema),
            {"type": "array", "items": dict(IDENTIFIER.schema), "minItems": 1, "uniqueItems": True},
        ]
    }
    return {"type": "object", "additionalProperties": names, "minProperties": 1}


Switches: TypeAlias = tuple[tuple[Text, tuple[Text, ...]], ...]
"""By the value of a parameter the names of the variants that it switches on."""


BOUNDS = "from where to where a number goes is said by its type, with two dots: `type: 1..10`"


class Parameter(Declaration):
    """A value that is chosen when a game is set up: of a `type`, or `one_of` some words (the first is the
    default).

    A value may switch variants on: `variants` names them.
    """

    ELSEWHERE: ClassVar[dict[str, str]] = dict.fromkeys(("min", "max", "low", "high"), BOUNDS)
    KEY_HINTS: ClassVar[dict[str, str]] = {
        "values": "one_of",
        "choices": "one_of",
        "options": "one_of",
        "variant": "variants",
    }

    type: TypeText | None = None
    one_of: Names | None = None
    default: Located | None = None
    valid: Conditions = ()
    tried: Annotated[tuple[Located, ...], ShapeList("a list of values", least=1)] | None = None
    variants: Annotated[Switches, Shape(_read_switches, _switches_schema)] = ()

    @classmethod
    def advice(cls, node: YamlNode, findings: Findings) -> str | None:
        kind, name = type_of(node), findings.place(node).strip("`")
        if kind is not None:
            return f"write its type and its default: `{name}: {{type: {kind}, default: {node.span.text}}}`"
        word = isinstance(node, YamlScalar) and isinstance(node.value, str) and node.text.isidentifier()
        return (
            f"list the words that it can be, the default first: `{name}: {{one_of: [{node.span.text}, …]}}`"
            if word
            else None
        )

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if not isinstance(node, YamlMapping):
            return self
        type, one_of = node.key("type"), node.key("one_of")
        if type is not None and one_of is not None:
            findings.excludes(one_of, type)
        elif type is None and one_of is None:
            help = "write `type: 1..10` for a number, or `one_of: [first, second]` for a choice of words"
            findings.refuse(
                "D006", findings.head(node), place=findings.place(node), keys="`type` or `one_of`", help=help
            )
        elif type is not None and self.type is None or one_of is not None and self.one_of is None:
            refuse()
        if type is not None and self.default is None:
            findings.add(
                "D002",
                findings.head(node),
                help=_default_help(node.get("type")),
                place=findings.place(node),
                key="default",
            )
        return self
