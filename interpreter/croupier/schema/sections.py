"""The content of the sections of a ruleset: components, zones, boards, state, phases, definitions, claims,
looks.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, ClassVar, NamedTuple, Self, TypeAlias

from pydantic import Field
from pydantic.json_schema import JsonSchemaValue

from croupier.diagnostics import Span, did_you_mean
from croupier.limits import MAX_SYMBOL
from croupier.records import dataclass
from croupier.schema.declaration import BY, Declaration
from croupier.schema.findings import Findings, first_line, refuse, type_of
from croupier.schema.leaves import (
    AUDIENCE,
    IDENTIFIER,
    NAME,
    RULES,
    AttributeText,
    ClassesText,
    DeclarationText,
    Expression,
    Identifier,
    LabelText,
    Leaf,
    LongExpression,
    Prose,
    Rules,
    Switch,
    Template,
    Text,
    TypeText,
    word,
)
from croupier.schema.shapes import (
    Group,
    KeyedTexts,
    Located,
    Named,
    Names,
    Shape,
    ShapeChoice,
    Titled,
    keyed_texts,
)
from croupier.schema.values import Row, Table, least_cells, read_case, read_table, table_schema, with_rows
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

# ---------------------------------------------------------------- components, zones, boards, state
WORDS = ("everybody", "nobody", "owner", "others")
AUDIENCE_WORD = word(*WORDS)


# ---------------------------------------------------------------- who sees what
@dataclass(frozen=True)
class Audience:
    """An audience: a `word`, a `rule`, or, by the value of the parameter `by`, one of several `cases`."""

    span: Span
    word: Text | None = None
    rule: Text | None = None
    by: Text | None = None
    cases: "tuple[tuple[Text, Audience], ...]" = ()


def _read_seen(node: YamlNode, findings: Findings) -> Audience:
    if (
        not isinstance(node, YamlScalar)
        or node.text in WORDS
        or (node.text.isidentifier() and did_you_mean(node.text, WORDS))
    ):
        return _read_audience(node, findings)
    return Audience(node.span, rule=AUDIENCE.read(node, findings))


def _read_audience(node: YamlNode, findings: Findings) -> Audience:
    if isinstance(node, YamlScalar):
        return Audience(node.span, word=AUDIENCE_WORD.read(node, findings))
    if not isinstance(node, YamlMapping):
        findings.wrong_kind(node, AUDIENCE_WORD.wanted)
    by: Text | None = None
    cases = []
    for key, value in node.entries:
        findings.enter(key, value)
        if key.text == "by":
            by = IDENTIFIER.read(value, findings)
            continue
        name = findings.attempt(read_case, key)
        audience = findings.attempt(_read_audience, value)
        if name is not None and audience is not None:
            cases.append((name, audience))
    if by is None:
        help = "add `by:` with the name of the parameter that decides"
        findings.refuse("D002", findings.head(node), place=findings.place(node), key="by", help=help)
    if len(node.entries) == 1:
        findings.refuse(
            "D006",
            findings.head(node),
            place=findings.place(node),
            keys=f"an audience for each value of `{by.text}`",
        )
    return Audience(node.span, by=by, cases=tuple(cases))


def _audience_schema() -> JsonSchemaValue:
    by = {
        "type": "object",
        "properties": {"by": {"description": BY, **dict(IDENTIFIER.schema)}},
        "required": ["by"],
    }
    return {"anyOf": [dict(AUDIENCE_WORD.schema), by, {"type": "string"}]}


Seen: TypeAlias = Annotated[Audience, Shape(_read_seen, _audience_schema)]


# ---------------------------------------------------------------- components
Powers: TypeAlias = Annotated[KeyedTexts, keyed_texts(IDENTIFIER, RULES)]
"""Rule text by id, or under None for all components of a class."""


class Component(Declaration):
    """A class of components.

    Its components come from `each` (a product of attributes), `ids`, `table` or `count`. `powers` pairs ids
    with rule text; the id `None` means every component of the class.
    """

    KEY_HINTS: ClassVar[dict[str, str]] = {
        "from_table": "table",
        "rows": "table",
        "values": "ids",
        "n": "count",
    }

    attributes: Named[AttributeText] = ()
    mutable: Named[AttributeText] = ()
    each: Names | None = None
    ids: Names | None = None
    columns: Names | None = None
    table: Annotated[Table, Shape(read_table, table_schema)] | None = None
    copies: Expression | None = None
    count: Expression | None = None
    label: Template | None = None
    back: Template | None = None
    rolls: Identifier | None = None
    live: Annotated[Text, word("anywhere", "zones")] | None = None
    powers: Powers = ()

    @property
    def all_powers(self) -> tuple[tuple[Text | None, Text], ...]:
        """Rule text by id, from `powers` and from the rows of the table; under `None` for every component of
        the class.
        """
        return (*self.powers, *((row.id, row.powers) for row in self.rows if row.powers is not None))

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows of its table; none without one."""
        return () if self.table is None else self.table.rows

    @property
    def is_incomplete(self) -> bool:
        """Tell whether something of it was refused, or a key unknown, so that nobody knows all of its
        attributes.
        """
        node = self.node
        assert isinstance(node, YamlMapping)
        known = self.keys()
        if any(key.text not in known for key, _ in node.entries) or (
            node.get("rolls") is not None and self.rolls is None
        ):
            return True
        for written, kept in ((node.get("attributes"), self.attributes), (node.get("mutable"), self.mutable)):
            if written is not None and (
                not isinstance(written, YamlMapping) or len(written.entries) != len(kept)
            ):
                return True
        return False

    def examine(self, findings: Findings) -> Self:
        node = self.node
        assert isinstance(node, YamlMapping)
        origins = [key for key, _ in node.entries if key.text in ("each", "ids", "table")]
        for key in origins[1:]:
            findings.excludes(key, origins[0])
        columns, table = node.key("columns"), node.key("table")
        if columns is not None and table is None:
            findings.add("D007", columns.span, key="columns", other="table")
        if (
            columns is not None
            and table is not None
            and self.table is not None
            and self.table.file is not None
        ):
            findings.excludes(
                columns, table, notes=("a CSV file names its columns itself, in its first line",)
            )
        if self.table is None or self.table.file is not None:
            return self
        named = self.columns or ()
        return self.model_copy(
            update={"table": with_rows(self.table, named, findings, least_cells(named, self.attributes))}
        )


# ---------------------------------------------------------------- zones, boards, state
class StackOptions(Declaration):
    """The options that zones and stacks of boards share."""

    holds: ClassesText
    order: Annotated[Text, word("pile", "sequence", "set", "bag")] | None = None
    capacity: Expression | None = None
    seen_by: Seen | None = None
    counted_by: Seen | None = None
    live: Switch | None = None
    label: Template | None = None
    start: Expression | None = None


class Zone(StackOptions):
    """A zone, in which components lie: one, or one `per` player, team, cell or other value."""

    KEY_HINTS: ClassVar[dict[str, str]] = {
        "visible_to": "seen_by",
        "max": "capacity",
        "size": "capacity",
        "type": "holds",
        "contains": "holds",
    }

    per: TypeText | None = None

    @property
    def may_be_several(self) -> bool:
        """Tell whether a key was refused that may have said per what there is one, so that nobody knows
        whether there are several.
        """
        node = self.node
        assert isinstance(node, YamlMapping)
        known = self.keys()
        return self.per is None and any(key.text not in known or key.text == "per" for key, _ in node.entries)


class BoardLink(NamedTuple):
    """Two cells that are neighbours, the kind of the link, and the values of its attributes, in their
    order.
    """

    first: Text
    second: Text
    kind: Text | None = None
    values: tuple[YamlNode, ...] = ()


Links: TypeAlias = tuple[BoardLink, ...]


def _read_links(node: YamlNode, findings: Findings) -> Links:
    """Pairs of names of cells, or such pairs by their kind."""
    if isinstance(node, YamlMapping):
        kinds = ((findings.attempt(IDENTIFIER.read, key), pairs) for key, pairs in node.entries)
        return tuple(
            link._replace(kind=kind)
            for kind, pairs in kinds
            for link in findings.attempt(_read_links, pairs) or ()
        )
    if not isinstance(node, YamlSequence):
        findings.wrong_kind(node, "a list of pairs of cells")
    links: list[BoardLink] = []
    for pair in node.items:
        if not isinstance(pair, YamlSequence) or len(pair.items) < 2:
            findings.add(
                "D204",
                first_line(pair),
                help="write two cells in each pair: `[a, b]`" if isinstance(pair, YamlSequence) else None,
            )
            continue
        first, second = (findings.attempt(IDENTIFIER.read, cell) for cell in pair.items[:2])
        if first is None or second is None:
            continue
        if first.text == second.text:
            findings.add("D205", second.span, name=first.text)
        links.append(BoardLink(first, second, None, tuple(pair.items[2:])))
    return tuple(links)


def _links_schema() -> JsonSchemaValue:
    pairs: JsonSchemaValue = {"type": "array", "items": {"type": "array", "minItems": 2}}
    return {"anyOf": [pairs, {"type": "object", "additionalProperties": pairs}]}


class CellLabels(Declaration):
    """What players read instead of the rows and columns of cells."""

    labels: Annotated[Text, word("algebraic")]


def _pick_cells(node: YamlNode) -> int | None:
    if isinstance(node, YamlSequence):
        return 0
    return 1 if isinstance(node, YamlMapping) else None


class Board(Declaration):
    """Cells and their neighbourhood."""

    KEY_HINTS: ClassVar[dict[str, str]] = {
        "cols": "columns",
        "width": "columns",
        "height": "rows",
        "kind": "shape",
    }

    shape: Annotated[Text, word("rectangle", "hex", "ring", "hub", "graph")]
    rows: Expression | None = None
    columns: Expression | None = None
    size: Expression | None = None
    grows: Expression | None = None
    adjacency: Annotated[Text, word("orthogonal", "diagonal", "all")] | None = None
    cell: Identifier | None = None
    cells: (
        Annotated[
            Names | CellLabels,
            ShapeChoice(
                _pick_cells, "a list of names, or `{labels: algebraic}`", lambda node, findings: None
            ),
        ]
        | None
    ) = None
    attributes: Named[AttributeText] = ()
    values: Located | None = None
    edge: Identifier | None = None
    edge_attributes: Named[AttributeText] = ()
    edge_values: Located | None = None
    corner: Identifier | None = None
    corner_attributes: Named[AttributeText] = ()
    corner_values: Located | None = None
    links: Annotated[Links, Shape(_read_links, _links_schema)] | None = None
    link: Identifier | None = None
    link_attributes: Named[AttributeText] = ()
    kind: Identifier | None = None
    stack: StackOptions | None = None

    @property
    def cell_names(self) -> tuple[Text, ...]:
        """The names of the cells; empty if they are called by rows and columns."""
        return () if self.cells is None or isinstance(self.cells, CellLabels) else self.cells

    @property
    def cell_labels(self) -> str:
        """How the cells are called by rows and columns: `algebraic`, or empty."""
        return self.cells.labels.text if isinstance(self.cells, CellLabels) else ""


class StateVariable(Declaration):
    """A value that changes: `declaration` (`Player = first_seat seen by everybody`), or the keys `type`,
    `start`, `seen_by`, `label`.
    """

    SHORT: ClassVar[str | None] = "declaration"
    WANTED: ClassVar[str] = "a type and a start value"
    KEY_HINTS: ClassVar[dict[str, str]] = {"default": "start", "initial": "start", "value": "start"}

    declaration: DeclarationText | None = None
    type: TypeText | None = None
    start: Located | None = None
    seen_by: Seen | None = None
    label: LabelText | None = None

    @classmethod
    def advice(cls, node: YamlNode, findings: Findings) -> str | None:
        kind = type_of(node)
        return (
            None
            if kind is None
            else f"write its type first: {findings.place(node)[:-1]}: {kind} = {node.span.text} seen by "
            f"everybody`"
        )

    def examine(self, findings: Findings) -> Self:
        if self.declaration is not None and type(self.declaration.node.value) in (int, bool):
            findings.wrong_kind(
                self.declaration.node, self.WANTED, self.advice(self.declaration.node, findings)
            )
        if (
            self.declaration is None
            and self.type is None
            and isinstance(self.node, YamlMapping)
            and self.node.get("type") is None
        ):
            help = "add `type:` with what it is, such as `type: 0..9`"
            findings.refuse(
                "D002", findings.head(self.node), place=findings.place(self.node), key="type", help=help
            )
        if self.declaration is None and self.type is None:
            refuse()
        return self


# ---------------------------------------------------------------- phases, definitions, claims
PARTS_OF_A_PHASE = (
    "add `phases:` with the parts below it, each with its name; the rules of a phase alone "
    "stand behind its name and `|`"
)


class Phase(Declaration):
    """A part of the game: rule `text`, or `phases` in order, once, `for` each of some values, or again and
    again.
    """

    SHORT: ClassVar[str | None] = "text"
    WANTED: ClassVar[str] = "rule text, or a group with `phases`"
    KEY_HINTS: ClassVar[dict[str, str]] = {
        "until": "repeat until",
        "while": "repeat until",
        "loop": "repeat",
        "steps": "phases",
    }

    text: Rules | None = None
    for_each: Expression | None = Field(None, alias="for")
    repeat: Switch | None = None
    repeat_until: LongExpression | None = Field(None, alias="repeat until")
    phases: "Titled[Phase]" = ()

    def examine(self, findings: Findings) -> Self:
        node = self.node
        if not isinstance(node, YamlMapping):
            return self
        loops = [key for key, _ in node.entries if key.text in ("for", "repeat", "repeat until")]
        for key in loops[1:]:
            findings.excludes(key, loops[0])
        if node.get("phases") is None:
            findings.refuse(
                "D002", findings.head(node), place=findings.place(node), key="phases", help=PARTS_OF_A_PHASE
            )
        if not self.phases:
            refuse()
        return self


def each_phase(phases: Iterable[tuple[Text, Phase]]) -> Iterator[tuple[Text, Phase]]:
    """Yield phases and all within them, each before those within it."""
    for title, phase in phases:
        yield title, phase
        yield from each_phase(phase.phases)


class Claim(Declaration):
    """Something a player may say: without effect, seen by all, with fields of declared types."""

    says: Template
    fields: Named[TypeText] = ()
    only_if: Expression | None = Field(None, alias="only if")
    leaks: Prose | None = None


Definitions: TypeAlias = Annotated[KeyedTexts, keyed_texts(NAME, RULES)]
"""Rule text by section title, or under None where there are no sections."""


# ---------------------------------------------------------------- how a game looks
COLOURS = {
    "black": "#2e3436", "grey": "#888a85", "white": "#f6f5f4", "red": "#cc2222", "orange": "#e8790c",
    "gold": "#d4a514", "yellow": "#f2d330",
    "green": "#3c9a2f", "blue": "#2f6fc4", "purple": "#7d4a96", "pink": "#e887b5", "brown": "#8f5a1c",
}  # fmt: skip
_HEX = re.compile(r"#[0-9A-Fa-f]{6}\Z")


def _colour(node: YamlScalar, findings: Findings) -> None:
    if _HEX.match(node.text) or node.text in COLOURS:
        return
    nearest = did_you_mean(node.text, tuple(COLOURS))
    known = f"`#rrggbb`, or one of {', '.join(COLOURS)}"
    findings.refuse(
        "D112",
        first_line(node),
        word=node.text,
        help=f"did you mean `{nearest}`?" if nearest else f"write {known}",
    )


def _symbol(node: YamlScalar, findings: Findings) -> None:
    text = node.text
    if not text.strip() or len(text) > MAX_SYMBOL or not text.isprintable():
        findings.refuse("D113", first_line(node), limit=MAX_SYMBOL)


COLOUR = Leaf("a colour", _colour, (("type", "string"),))
SYMBOL = Leaf("a symbol", _symbol, (("type", ["string", "integer"]),))


class ValueLook(Declaration):
    """The look of a value of an enumeration: a `colour`, or the keys `colour` and `symbol`."""

    SHORT: ClassVar[str | None] = "colour"
    HIDDEN: ClassVar[bool] = False
    WANTED: ClassVar[str] = "a colour, or a group of keys"

    colour: Annotated[Text, COLOUR] | None = None
    symbol: Annotated[Text, SYMBOL] | None = None

    def examine(self, findings: Findings) -> Self:
        if self.colour is None and self.symbol is None and not findings.diagnostics:
            findings.refuse(
                "D006", findings.head(self.node), place=findings.place(self.node), keys="`colour` or `symbol`"
            )
        return self


class TableLook(Declaration):
    """The look of a game on a table: values of enumerations, attributes that are large, zones that belong
    together, what is a detail.
    """

    WANTED: ClassVar[str] = "a group of keys"
    KEY_HINTS: ClassVar[dict[str, str]] = {
        "colours": "values",
        "colors": "values",
        "symbols": "values",
        "groups": "together",
        "hidden": "details",
    }

    values: Annotated[
        tuple[tuple[Text, Annotated[tuple[tuple[Text, ValueLook], ...], Group(NAME, least=1)]], ...], Group()
    ] = ()
    large: Annotated[tuple[tuple[Text, Names], ...], Group()] = ()
    together: Annotated[tuple[tuple[Text, Names], ...], Group(NAME)] = ()
    details: Names | None = None
