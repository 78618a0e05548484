"""Declarations of components, boards and zones, and of who sees them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.kernel import types as t
from croupier.kernel.tree import (
    BoardExpr,
    ConstExpr,
    EnumExpr,
    LocalExpr,
    MapRowsExpr,
    OperationExpr,
    ParamExpr,
    TextExpr,
    TypedExpr,
)
from croupier.kernel.types import UNKNOWN, Type
from croupier.schema import Audience, Board, CellLabels, Component, Players, StackOptions, Text, Zone
from croupier.schema.values import Row, is_empty
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.builtins import MEMBERS
from croupier.semantics.context import LocalName, Scope, known_if
from croupier.semantics.declaration_parts import DeclarationParts, names_key, plain_text
from croupier.semantics.expressions import CheckerPart, ExpressionChecker
from croupier.semantics.infoflow.store import always
from croupier.semantics.names import finite_help, start_example
from croupier.semantics.procedures import Proc
from croupier.semantics.program import (
    KEY,
    BoardDef,
    ClassDef,
    Program,
    Sight,
    VarDef,
    ZoneDef,
    key_type,
    part_of,
)
from croupier.semantics.walk import given, inside
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration

VALUES_OF_PLACES = {
    "edges": "an edge is `(1,1)-(1,2)`, or at the rim `(1,1) up`",
    "corners": "a corner is `(1,1) right/down`",
}
VALUES_OF_CELLS = "write `ATTRIBUTE: [[…], […]]` for all cells, row by row, or `CELL: [values]` for each"
RESERVED_ATTRIBUTES = ("id", "owner")
PLACES = ("edge", "edge_attributes", "edge_values", "corner", "corner_attributes", "corner_values")
# sizes that a shape needs, and other keys that it may have
SHAPES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "rectangle": (("rows", "columns"), ("adjacency", *PLACES)), "hex": (("rows", "columns"), PLACES),
    "ring": (("size",), ()), "hub": (("size",), ()),
    "graph": (("cells",), ("links", "link", "link_attributes", "kind")),
}  # fmt: skip
GROWING = ("rectangle", "hex")  # shapes of boards that may grow from one cell


def place_called(text: str, shape: str, *, is_hex: bool) -> tuple[tuple[int, ...], int, t.Virtual] | None:
    """Return the place that a text names: its cell (row and column), the number of the edge or corner from 1
    at the top, and the cells that meet there.

    `None` if no place is called so.
    """
    words = t.HEX if is_hex else t.ORTHOGONAL
    cell = r"\((-?\d{1,4}),(-?\d{1,4})\)"
    found = re.fullmatch(rf"{cell}(?:-{cell}| (\w+)(?:/(\w+))?)", text)
    if found is None:
        return None
    row, column = int(found[1]), int(found[2])
    for i, (edge, corner) in enumerate(t.meetings(row, column, is_hex=is_hex)):
        if shape == "edges" and (
            found[6] is None
            and found[5] == words[i]
            or found[3]
            and edge == {(row, column), (int(found[3]), int(found[4]))}
        ):
            return (row, column), i + 1, edge
        if shape == "corners" and (found[5], found[6]) == (words[i], words[(i + 1) % len(words)]):
            return (row, column), i + 1, corner
    return None


def is_beyond(at: int, most: Text | None) -> bool:
    """Tell whether a row or column lies outside a board with `most` of them.

    Where a parameter says how many there are, set-up checks that.
    """
    return most is not None and most.text.isdecimal() and not 1 <= at <= int(most.text)


def none_of(kind: Type, span: Span) -> TypedExpr | None:
    """What an attribute of this type has without a value: `none`, if that may be."""
    return ConstExpr(t.NOTHING, span, value=None) if isinstance(kind, t.Optional) else None


class ComponentDeclarations(CheckerPart):
    """Declares components, boards and zones."""

    def __init__(self, parts: DeclarationParts) -> None:
        super().__init__(parts.expressions)
        self.parts, self.types = parts, parts.types
        # by class and attribute, what a row without a value has
        self.fallbacks: dict[str, dict[str, n.Expr]] = {}

    # ------------------------------------------------------------ components and boards
    def component(self, name: Text, c: Component) -> None:
        p = self.program
        k = p.classes.get(name.text)
        if k is None or k.span != name.span:
            return
        self.fallbacks[k.name] = {}
        if c.is_incomplete:
            self.ctx.incomplete.add(k.name)
        for a, leaf in c.attributes:
            k.attributes[a.text], fallback = self.parts.attribute(leaf)
            if fallback is not None:
                self.fallbacks[k.name][a.text] = fallback
        names = {a.text: a for a, _ in c.attributes}
        for a, _ in (*c.attributes, *c.mutable):
            if a.text in RESERVED_ATTRIBUTES:
                self.ctx.report("N014", a.span, name=a.text)
            elif a.text in names and names[a.text] is not a:
                self.ctx.report(
                    "N004",
                    a.span,
                    name=a.text,
                    kind="fixed attribute",
                    labels=(Label(names[a.text].span, "here"),),
                )
        k.live_anywhere = c.live is not None and c.live.text == "anywhere"
        for a, leaf in c.mutable:
            decl = self.ctx.read(parse_declaration, leaf.rule, None)
            if decl is None:
                self.ctx.incomplete.add(k.name)
                continue
            kind = self.parts.storable_type(
                self.types.type(decl.type, self.parts.static_scope()), decl.type.span
            )
            start = None if decl.start is None else self.parts.start_value(decl.start, kind, by_key=False)
            if start is None and not self.parts.has_default(kind):
                self.ctx.report(
                    "G005", a.span, name=a.text, type=kind, example=start_example(self.program, kind)
                )
            if decl.seen_by is not None:
                self.ctx.report("T057", decl.seen_by.span, what="audience")
            whole = t.Map(t.Component(frozenset([k.name])), kind)
            seen = EnumExpr(t.AUDIENCE, a.span, enum="Audience", name="everybody")
            full = f"{k.name}.{a.text}"
            k.mutable[a.text] = len(p.vars)
            p.vars[full] = VarDef(len(p.vars), full, a.span, whole, start, seen, of_class=k.name)
            self.parts.add_label(p.vars[full], decl.label)
        if c.rolls is not None and c.rolls.text not in k.mutable:
            if not any(a.text == c.rolls.text for a, _ in c.mutable):
                of = f"`{name.text}`"
                self.ctx.report_unknown("N002", c.rolls.span, c.rolls.text, k.mutable, type=of)
        if c.rolls is not None:
            k.rolls = c.rolls.text
        else:
            k.rolls = next(iter(k.mutable)) if len(k.mutable) == 1 else None
        k.each = tuple(e.text for e in c.each or ())
        for e in c.each or ():
            if e.text not in k.attributes and k.name in self.ctx.incomplete:
                continue  # it may be one of those that were refused
            if e.text not in k.attributes:
                known = (
                    {
                        "help": "its attributes are "
                        + ", ".join(f"`{attribute}`" for attribute in k.attributes)
                    }
                    if k.attributes
                    else {}
                )
                self.ctx.report(
                    "N002",
                    e.span,
                    name=e.text,
                    type=f"`{name.text}`",
                    **(self.ctx.suggest(e.text, list(k.attributes)) or known),
                )
            elif not t.is_scalar(k.attributes[e.text]) and not isinstance(k.attributes[e.text], t.Unknown):
                self.ctx.report("G002", e.span, name=e.text, given=k.attributes[e.text])
        self.ctx.cite_always(c)

    def component_rows(self, name: Text, c: Component) -> None:
        p, scope = self.program, self.parts.static_scope()
        k = p.classes.get(name.text)
        if k is None or k.span != name.span:
            return
        k.frame = Proc(-1, f"label of {k.name}", "static", k.span)
        own = Scope(k.frame)
        for a, kind in k.attributes.items():
            own.declare(a, kind, k.span)
        for a in k.mutable:
            variable = p.vars[f"{k.name}.{a}"].type
            own.declare(a, variable.value if isinstance(variable, t.Map) else UNKNOWN, k.span)
        own.declare("id", t.TEXT, k.span)
        count = c.copies or c.count
        if count is not None:
            k.copies = self.parts.parse_static(count, t.Int(0), own)
        elif not (c.each or c.ids or c.table is not None):
            self.ctx.report("G007", name.span, name=k.name)
        if c.label is not None:
            template = self.parts.template(c.label)
            # a name in it may be one of the attributes that were refused
            before, self.ctx.quiet = self.ctx.quiet, k.name in self.ctx.incomplete
            k.label = self.parts.static_only(self.expressions.check(template, own))
            self.ctx.quiet = before
        if c.back is not None:
            lasting = Scope(k.frame)
            for a, kind in k.attributes.items():
                lasting.declare(a, kind, k.span)
            back = self.expressions.check(self.parts.template(c.back), lasting)
            k.back = self.parts.static_only(back)
        fallbacks = self.fallback_values(k.name, k.attributes)
        # one of them has to go: what is missing follows from that
        is_told = sum(given is not None for given in (c.each, c.ids, c.table)) > 1
        is_told = is_told or (c.table is not None and not c.table.rows)  # all of its rows were refused
        rows: list[tuple[str | None, dict[str, TypedExpr], Span]] = [
            (i.text, dict(fallbacks), i.span) for i in c.ids or () if fallbacks
        ]
        strange: dict[Span, Text] = {}
        lacking: list[tuple[Row, list[str]]] = []
        for row in c.table.rows if c.table is not None else ():
            cells: dict[str, TypedExpr] = {}
            if row.powers is not None and row.id is not None:
                p.row_cites[k.name, row.id.text] = self.ctx.cites_of(row)
            else:
                self.ctx.cite_always(row)
            if c.table is not None and c.table.is_misread:
                unread: dict[str, TypedExpr] = {
                    a: OperationExpr("unknown", UNKNOWN, row.span) for a in k.attributes
                }
                rows.append((None if row.id is None else row.id.text, unread, row.span))
                continue
            for a, node in self.parts.columns(
                row.cells, k.attributes, strange, lambda name: self.column_help(name, k), k.name
            ):
                if a not in fallbacks or not is_empty(node):
                    cells[a] = self.parts.literal(node, k.attributes[a], scope)
            cells |= {a: x for a, x in fallbacks.items() if a not in cells}
            without = [a for a in k.attributes if a not in cells]
            # one of these columns may be what is missing
            if any(column.span in strange for column, _ in row.cells):
                cells |= {a: OperationExpr("unknown", UNKNOWN, row.span) for a in without}
            elif without and not is_told:
                lacking.append((row, without))
            rows.append((None if row.id is None else row.id.text, cells, row.span))
        self.missing_values(lacking, len(rows))
        if rows:
            k.rows = tuple(rows)
        unknown = any(e not in k.attributes for e in k.each)
        missing = (
            [a for a in k.attributes if a not in k.each]
            if (k.each and not unknown) or not (rows or k.each)
            else []
        )
        if missing and not is_told and (k.each or k.rows or count is not None):
            self.ctx.report("G003", name.span, name=k.name, missing=", ".join(f"`{a}`" for a in missing))

    def missing_values(self, lacking: Sequence[tuple[Row, list[str]]], count: int) -> None:
        """Report the attributes that rows of a table have no value for: once, what none of its `count` rows
        has.
        """
        first = lacking[0] if lacking else None
        nowhere = (
            [a for a in first[1] if len(lacking) == count > 1 and all(a in without for _, without in lacking)]
            if first is not None
            else []
        )
        if first is not None and nowhere:
            row = first[0]
            header = row.cells[-1][0].span if row.cells else row.span
            is_shared = all(other.cells and other.cells[-1][0].span == header for other, _ in lacking)
            self.ctx.report(
                "G001", header if is_shared else row.span, name="the table", column="`, `".join(nowhere)
            )
        for row, without in lacking:
            columns = [a for a in without if a not in nowhere]
            if columns:
                self.ctx.report(
                    "G001", row.span, name=row.id.text if row.id else "this row", column="`, `".join(columns)
                )

    def column_help(self, name: str, k: ClassDef) -> dict[str, str]:
        """Return the help for a row with a column that is not declared."""
        near = self.ctx.suggest(name, k.attributes)
        if name in ("copies", "count"):
            return {
                "help": f"declare it, `attributes: {{{name}: 1..9}}`, and say what it is for: `copies: "
                f"{name}` beside `attributes`"
            }
        return near or {"help": f"declare it: `attributes: {{{name}: …}}`"}

    def sizes(self, board: BoardDef, b: Board) -> None:
        """The shape of a board says which of its sizes are needed and which mean nothing."""
        (needed, allowed), shape = SHAPES[board.shape], board.shape
        if board.is_growing:
            needed, shape = ("grows",), f"growing {shape}"
        elif board.shape == "hex" and b.size is not None:
            needed, allowed = ("size",), PLACES
        refused_keys = isinstance(b.node, YamlMapping) and any(
            key.text not in b.keys() for key, _ in b.node.entries
        )
        for field in needed if not refused_keys else ():  # one of those may be what is missing
            given = b.cell_names or None if field == "cells" else getattr(b, field)
            if given is None and not (b.cell_names and field == "size"):
                example = "[north, south]" if field == "cells" else "8"
                self.lacks(board, field, example)
        if (
            not b.links
            and (b.link is not None or b.link_attributes or b.kind is not None)
            and "links" in allowed
        ):
            self.lacks(board, "links", "[[north, south]]")
        if board.cell_labels and board.shape == "rectangle" and not board.is_growing:
            allowed = (*allowed, "cells")
        refused = ("cells",) * (board.is_growing or bool(board.cell_labels))
        for field in (
            "rows",
            "columns",
            "size",
            "grows",
            "adjacency",
            "links",
            *PLACES,
            "link",
            "link_attributes",
            "kind",
            *refused,
        ):
            given = b.node.key(field) if isinstance(b.node, YamlMapping) else None
            if given is not None and field not in needed + allowed:
                self.ctx.report("G008", given.span, name=board.name, shape=shape, key=field)

    def lacks(self, board: BoardDef, key: str, example: str) -> None:
        """Report a key that a board of this shape needs."""
        self.ctx.report("G004", board.span, name=board.name, shape=board.shape, missing=key, example=example)

    def board_values(self, name: Text, b: Board) -> None:
        """How large a board is, what lies on it, and the attributes of its cells, edges, corners and
        links.
        """
        board = self.program.boards.get(name.text)
        if board is None or board.span != name.span:
            return
        self.cell_values(board, b)
        self.link_values(board, b)
        self.part_values(board, b, "edges", b.edge_attributes, b.edge_values)
        self.part_values(board, b, "corners", b.corner_attributes, b.corner_values)
        for field in ("rows", "columns", "size", "grows"):
            leaf = getattr(b, field)
            if leaf is not None:
                setattr(board, field, self.parts.parse_static(leaf, t.Int(1)))
        self.sizes(board, b)
        for link in b.links or ():
            for c in link[:2]:
                if c.text not in board.cells:
                    self.ctx.report_unknown("N001", c.span, c.text, board.cells, kind="cell")
        if b.stack is not None:
            self.add_zone(name, b.stack, t.Cell(board.name, board.cell))
        self.ctx.cite_always(b)
        if isinstance(b.cells, CellLabels):
            self.ctx.cite_always(b.cells)

    # ------------------------------------------------------------ attributes of cells
    def cell_attributes(self, name: Text, b: Board) -> None:
        """Declare the fixed attributes of each cell, edge, corner and link of a board."""
        board = self.program.boards.get(name.text)
        if board is None or board.span != name.span:
            return
        edges, corners, links = (
            self.program.boards.get(part_of(name.text, shape)) for shape in ("edges", "corners", "links")
        )
        given = (
            (board, "cell", b.attributes),
            (edges, "edge", b.edge_attributes),
            (corners, "corner", b.corner_attributes),
        )
        for part, word, attributes in (*given, (links, "link", b.link_attributes)):
            if part is None:
                continue
            for a, leaf in attributes:
                if a.text in MEMBERS[word]:
                    self.ctx.report("N014", a.span, name=a.text)
                part.cell_attributes[a.text], fallback = self.parts.attribute(leaf)
                if fallback is not None:
                    self.fallbacks.setdefault(part.name, {})[a.text] = fallback

    def fallback_values(self, owner: str, kinds: Mapping[str, Type]) -> dict[str, TypedExpr]:
        """By attribute, what stands behind its type: it holds for whatever has no value of its own."""
        named = self.fallbacks.get(owner, {})
        return {a: self.parts.static_value(node, kinds[a]) for a, node in named.items()}

    def set_column(
        self, board: BoardDef, a: str, values: Iterable[TypedExpr], filled: TypedExpr | None
    ) -> None:
        """The values of an attribute, each behind its cell, and what all other cells have."""
        kind = t.Map(t.Cell(board.name, board.cell), board.cell_attributes[a])
        board.cell_values[a] = OperationExpr("map", kind, board.span, tuple(given(*values, filled)))

    def cell_values(self, board: BoardDef, b: Board) -> None:
        """The attributes of the cells: by attribute for all cells, or by cell."""
        if not (b.attributes or b.values is not None):
            return
        scope, cell = self.parts.static_scope(), t.Cell(board.name, board.cell)
        kinds, by_cell = board.cell_attributes, dict[str, list[TypedExpr]]()
        fallbacks = self.fallback_values(board.name, kinds)
        if b.values is not None and not isinstance(b.values, YamlMapping):
            wanted = "a list or a table of cells with their attributes"
            self.ctx.report(
                "T030", b.values.span, problem="this cannot be a value", wanted=wanted, help=VALUES_OF_CELLS
            )
            return
        for key, value in b.values.entries if b.values is not None else ():
            if key.text in kinds:
                board.cell_values[key.text] = self.column_of_cells(
                    value, t.Map(cell, kinds[key.text]), fallbacks.get(key.text), scope
                )
            elif key.text not in board.cells:
                known = [*kinds, *board.cells]
                self.ctx.report_unknown("N001", key.span, key.text, known, kind="cell or attribute")
            else:
                at = self.parts.literal(key, cell, scope)
                for a, node in self.row_of_cell(value, board):
                    by_cell.setdefault(a, []).extend((at, self.parts.literal(node, kinds[a], scope)))
        for a, kind in kinds.items():
            if a in board.cell_values:
                continue
            args, filled = by_cell.get(a, []), fallbacks.get(a) or none_of(kind, board.span)
            if filled is None and (not args or len(args) < 2 * len(board.cells)):
                self.ctx.report("G001", board.span, name=board.name, column=a)
            self.set_column(board, a, args, filled)

    def link_values(self, board: BoardDef, b: Board) -> None:
        """The attributes of the links, which stand behind their cells."""
        part = self.program.boards.get(part_of(board.name, "links"))
        kinds = {} if part is None else part.cell_attributes
        scope, columns = self.parts.static_scope(), dict[str, list[TypedExpr]]()
        fallbacks = self.fallback_values(part_of(board.name, "links"), kinds)
        for link in b.links or ():
            for extra in link.values[len(kinds) :]:
                self.ctx.report("D204", extra.span)
            for a, node in zip_longest(kinds, link.values[: len(kinds)]):
                filled = fallbacks.get(a) or none_of(kinds[a], link.first.span)
                if node is not None:
                    filled = self.parts.literal(node, kinds[a], scope)
                if filled is None:
                    self.ctx.report(
                        "G001", link.first.span, name=f"{link.first.text}-{link.second.text}", column=a
                    )
                columns.setdefault(a, []).extend(() if filled is None else (filled,))
        for a, kind in kinds.items():
            assert part is not None
            part.cell_values[a] = MapRowsExpr(
                t.Map(t.Cell(part.name, part.cell), kind), board.span, tuple(columns.get(a, ()))
            )

    def part_values(
        self,
        board: BoardDef,
        b: Board,
        shape: str,
        attributes: tuple[tuple[Text, Text], ...],
        values: YamlNode | None,
    ) -> None:
        """The attributes of edges or corners: of those that are named, and of all others what stands behind
        the type.
        """
        part = self.program.boards.get(part_of(board.name, shape))
        if values is not None and not attributes and b.shape.text in GROWING:
            self.lacks(board, f"{shape.removesuffix('s')}_attributes", "{toll: 0..9 = 1}")
        if part is None or not attributes:
            return
        if values is not None and not isinstance(values, YamlMapping):
            wanted = f"a list of {shape} with their attributes"
            self.ctx.report(
                "T030",
                values.span,
                problem="this cannot be a value",
                wanted=wanted,
                help=VALUES_OF_PLACES[shape],
            )
            return
        kinds, scope, place = part.cell_attributes, self.parts.static_scope(), t.Cell(part.name, part.cell)
        named: dict[str, list[TypedExpr]] = {a: [] for a in kinds}
        seen = set[t.Virtual]()
        for key, value in values.entries if values is not None else ():
            place_found = place_called(key.text, shape, is_hex=board.shape == "hex")
            if place_found is None or place_found[2] in seen:
                word = f"{'further ' * (place_found is not None)}{shape.removesuffix('s')}"
                self.ctx.report("N001", key.span, name=key.text, kind=word, help=VALUES_OF_PLACES[shape])
                continue
            of_cell, number, meet = place_found
            if board.shape == "rectangle" and any(map(is_beyond, of_cell, (b.rows, b.columns))):
                beyond = f"`{board.name}` has no cell ({of_cell[0]},{of_cell[1]})"
                self.ctx.report("N001", key.span, name=key.text, kind=shape.removesuffix("s"), help=beyond)
                continue
            seen.add(meet)
            whole = BoardExpr(t.Board(board.name), key.span, name=board.name)
            cell, build = t.Cell(board.name, board.cell), TreeBuilder(scope.proc, key.span)
            at = build.operation("board.at", t.Optional(cell), whole, *map(build.number, of_cell))
            certain = build.operation("certain", cell, at)
            around = build.operation(f"cell.{shape}", t.list_of(place, True), certain)
            one = build.operation("item", place, around, build.number(number))
            for a, node in self.row_of_cell(value, part):
                named[a] += (one, self.parts.literal(node, kinds[a], scope))
        fallbacks = self.fallback_values(part.name, kinds)
        for attribute, _ in attributes:
            a = attribute.text
            filled = fallbacks.get(a) or none_of(kinds[a], board.span)
            if filled is None:
                self.ctx.report("G001", attribute.span, name=part.name, column=a)
            self.set_column(part, a, named[a], filled)

    def row_of_cell(self, node: YamlNode, board: BoardDef) -> list[tuple[str, YamlNode]]:
        """The attributes of one cell: in their order, by name, or the one that there is."""
        kinds = list(board.cell_attributes)
        if isinstance(node, YamlMapping):
            for key, _ in node.entries:
                if key.text not in kinds:
                    self.ctx.report_unknown("N002", key.span, key.text, kinds, type=f"`{board.cell}`")
            return [(key.text, value) for key, value in node.entries if key.text in kinds]
        items = node.items if isinstance(node, YamlSequence) else (node,)
        if len(items) > len(kinds):
            wanted = "a value for each attribute of the cell"
            self.ctx.report(
                "T030", node.span, problem="this cannot be a value", wanted=wanted, help=VALUES_OF_CELLS
            )
        return list(zip(kinds, items, strict=False))

    def column_of_cells(
        self, node: YamlNode, kind: t.Map, fallback: TypedExpr | None, scope: Scope
    ) -> TypedExpr:
        """One attribute of all cells: a map, a list, rows, or a picture of words, where a dot stands for what
        cells without a value have.
        """
        if isinstance(node, YamlScalar) and node.style in ("literal", "folded"):
            text, cells, rows = plain_text(node), list[TypedExpr](), list[int]()
            for line in re.finditer(r"[^\n]*\S[^\n]*", text.text):
                words = list(re.finditer(r"\S+", line[0]))
                rows.append(len(words))
                for found in words:
                    span = text.span(line.start() + found.start(), line.start() + found.end())
                    word = YamlScalar(span, found[0], "plain", found[0], False)
                    if found[0] == "." and (fallback is not None or isinstance(kind.value, t.Optional)):
                        cells.append(fallback or ConstExpr(t.NOTHING, span, value=None))
                    else:
                        cells.append(self.parts.literal(word, kind.value, scope))
            return MapRowsExpr(kind, node.span, tuple(cells), rows=tuple(rows))
        x = self.parts.literal(node, kind, scope)
        if (
            fallback is not None
            and isinstance(node, YamlMapping)
            and x.op == "map"
            and node.get("else") is None
        ):
            return OperationExpr("map", kind, node.span, (*x.args[: 2 * len(node.entries)], fallback))
        return x

    # ------------------------------------------------------------ zones
    def zone_declaration(self, name: Text, z: Zone) -> None:
        if self.parts.is_taken(name.text, name.span, "zone"):
            return
        key = None if z.per is None else self.parts.parse_type(z.per)
        if z.may_be_several:
            key = UNKNOWN
        if (
            z.per is not None
            and key is not None
            and not isinstance(key, t.Unknown)
            and not self.types.finite(key)
        ):
            self.ctx.report("T031", z.per.span, given=key, instead=finite_help(key))
        self.add_zone(name, z, key)

    def add_zone(self, name: Text, z: StackOptions, key: Type | None) -> None:
        p, start = self.program, z.start
        kinds = self.classes_held(z.holds)
        # reported already: a pile can do most
        refused = z.order is None and isinstance(z.node, YamlMapping) and z.node.get("order") is not None
        if z.order is not None:
            order = z.order.text
        else:
            order = "pile" if refused else "set"
        capacity = (
            None
            if z.capacity is None
            else self.parts.parse_static(
                z.capacity, t.Int(0), self.parts.keyed_scope(name.text, name.span, key)
            )
        )
        seen = self.visibility(z.seen_by, "nobody", name.span)
        counted = self.visibility(z.counted_by, "everybody", name.span)
        begin: TypedExpr | str | None = None
        if start is not None and start.text == "all":
            begin = "all"
        elif start is not None:
            begin = self.parts.parse_static(
                start, None, self.parts.keyed_scope(name.text, name.span, key, always=True)
            )
            if begin is not None:
                one = isinstance(begin.type, t.Component)
                listed = self.expressions.as_list(
                    OperationExpr("list", t.list_of(begin.type), begin.span, (begin,)) if one else begin
                )
                begin = (
                    self.expressions.fit(listed, t.list_of(t.Component(kinds)), start.span) if kinds else None
                )
        if start is not None and key is not None and key is not UNKNOWN and begin is not None:
            if begin == "all" or not names_key(begin):  # type: ignore[arg-type]
                self.ctx.report("G025", start.span, name=name.text, key=key)
        live = z.live is not None and bool(z.live.value)
        if name.text in p.boards and z.order is None:
            order = "pile"
        p.zones[name.text] = ZoneDef(
            len(p.zones),
            name.text,
            name.span,
            kinds,
            key,
            order,
            capacity,
            seen,
            counted,
            begin,
            live,
            self.ctx.cites_of(z),
        )
        self.parts.add_label(p.zones[name.text], self.parts.parse_label(z.label))
        self.parts.add_audience(p.zones[name.text], self.parts.parse_audience(z.seen_by))
        self.parts.add_audience(p.zones[name.text], self.parts.parse_audience(z.counted_by), counts=True)

    def classes_held(self, leaf: Text) -> frozenset[str]:
        """`Card`, or several kinds: `Spell or Token`. Empty if one of them is unknown."""
        known, lost = [], False
        start = 0
        for part in leaf.text.split(" or "):
            w, at = part.strip(), start + len(part) - len(part.lstrip())
            span = leaf.rule.span(at, at + len(w))
            start += len(part) + len(" or ")
            if w in self.program.classes:
                known.append(w)
                self.ctx.observer.component(w, span)
                self.ctx.used.add(("component", w))
                continue
            lost = True
            if w not in self.ctx.ambiguous:
                help = self.ctx.suggest(w, self.program.classes)
                if w in self.program.enums or w in self.program.records or w in self.ctx.named_types:
                    help = {
                        "help": f"`{w}` is a type of values; what lies in a zone is declared under "
                        f"`components:`"
                    }
                self.ctx.report("N001", span, name=w, kind="component", **help)
        return frozenset(() if lost else known)

    def visibility(self, audience: Audience | None, default: str, span: Span) -> TypedExpr:
        if audience is None or audience.rule is not None:
            return EnumExpr(t.AUDIENCE, span, enum="Audience", name=default)
        self.ctx.observer.audience(audience)
        if audience.word is not None:
            return EnumExpr(t.AUDIENCE, audience.span, enum="Audience", name=audience.word.text)
        assert audience.by is not None
        cases = {k.text: self.visibility(a, default, span) for k, a in audience.cases}
        words = self.values_of(audience.by, [k for k, _ in audience.cases], audience.span)
        if words is None:
            return OperationExpr("unknown", UNKNOWN, audience.span)
        parameter = self.program.params[audience.by.text]
        value = ParamExpr(parameter.type, audience.span, name=parameter.name)
        out = cases[words[-1]]
        for c in reversed(words[:-1]):
            named = EnumExpr(parameter.type, audience.span, enum=parameter.name, name=c)
            test = (
                value
                if parameter.choices is None
                else OperationExpr("==", t.BOOL, audience.span, (value, named))
            )
            out = OperationExpr("if", t.AUDIENCE, audience.span, (test, cases[c], out))
        return out

    def values_of(self, by: Text, keys: list[Text], span: Span) -> tuple[str, ...] | None:
        """The values of the parameter `by`, of which each has one of the keys; `None` where something is
        wrong.
        """
        p = self.program
        choices = {q.name: ("true", "false") if q.type == t.BOOL else q.choices for q in p.params.values()}
        words = choices.get(by.text)
        if words is None:
            known = [name for name, found in choices.items() if found is not None]
            self.ctx.report_unknown(
                "N001", by.span, by.text, known, kind="parameter with `one_of`, or a switch"
            )
            return None
        self.ctx.used.add(("parameter", by.text))
        strange = [k for k in keys if k.text not in words]
        for k in strange:
            self.ctx.report_unknown("N001", k.span, k.text, words, kind="value of this parameter")
        missing = [f"`{c}`" for c in words if c not in {k.text for k in keys}]
        if missing and not strange:
            self.ctx.report("F005", span, missing=", ".join(missing))
        return None if strange or missing else words

    def numbers_of_players(self, players: Players) -> None:
        """Note the default number of players, and the numbers that the game is for at each value of a
        parameter.
        """
        self.program.players_default = players.default
        if (
            players.by is not None
            and self.values_of(players.by, [k for k, _ in players.cases], players.span) is not None
        ):
            self.program.players_by = (players.by.text, {k.text: counts for k, counts in players.cases})


# ---------------------------------------------------------------- audiences
# An audience is one of four words, players (`leader`, `teams[key]`), several of these with `or`, one of two
# (`everybody if open else owner`), or one under a condition, which may name whoever looks: `q if spy[q]`. It
# may use everything in the position, `key`, and in a zone `self`, the component. What needs no position is
# worked out at set-up. Anything else is made a condition on whoever looks, and is asked whenever somebody
# looks.
class AudienceChecker(CheckerPart):
    """Checks the audiences that more than a word says, after all declarations."""

    def __init__(self, parts: DeclarationParts) -> None:
        super().__init__(parts.expressions)
        self.parts = parts

    def check(self) -> None:
        """All of them."""
        for thing, node, counts in self.parts.audiences:
            if isinstance(thing, VarDef) and not isinstance(node, n.SeenIf) and self.is_fixed(node):
                thing.seen_by = self.parts.static_only(
                    self.expressions.check(node, self.parts.static_scope(), t.AUDIENCE)
                )
            else:
                self.by_position(thing, node, counts)

    def is_fixed(self, node: n.Expr) -> bool:
        """Tell whether an audience is known at set-up: it is made of words, and of conditions on
        parameters.
        """
        match node:
            case n.Name():
                return self.names.describe(node.name) is None
            case n.IfElse():
                changing = {*self.program.vars, *self.program.zones, *self.program.defs, "key"}
                named = set(re.findall(r"[^\W\d]\w*", node.condition.span.text))
                return not named & changing and self.is_fixed(node.then) and self.is_fixed(node.other)
        return False

    def by_position(self, thing: ZoneDef | VarDef, node: n.Audience, counts: bool) -> None:
        frame = Proc(-1, f"audience of {thing.name}", "label", node.span)
        scope = Scope(frame)
        key = key_type(thing)
        looker = scope.declare("$reader", t.PLAYER, node.span)
        scope.declare("key" if key is not None else "$key", key or t.NOTHING, node.span)
        itself = (
            scope.declare("self", t.Component(thing.kinds), node.span)
            if isinstance(thing, ZoneDef) and thing.kinds and not counts
            else None
        )
        reader = LocalExpr(t.PLAYER, node.span, slot=looker.slot)
        owner = (
            None
            if not isinstance(key, t.Player)
            else OperationExpr("==", t.BOOL, node.span, (reader, LocalExpr(key, node.span, slot=KEY)))
        )
        condition = Audiences(self.expressions, reader, owner).condition(node, scope)
        if any(x.op == "unknown" for x in condition.walk()):
            return
        each = itself is not None and any(
            isinstance(x, LocalExpr) and x.slot == itself.slot for x in condition.walk()
        )
        sight, certain = Sight(condition, frame, each), always(condition)
        word = next((w for w in ("everybody", "owner", "others") if w in certain), "nobody")
        named = EnumExpr(t.AUDIENCE, node.span, enum="Audience", name=word)
        if counts and isinstance(thing, ZoneDef):
            thing.count_sight, thing.counted_by = sight, named
        else:
            thing.sight, thing.seen_by = sight, named


class Audiences(CheckerPart):
    """One audience as a condition on whoever looks; `owner` asks whether they are the owner, if there is
    one.
    """

    def __init__(self, expressions: ExpressionChecker, reader: LocalExpr, owner: TypedExpr | None) -> None:
        super().__init__(expressions)
        self.reader, self.owner = reader, owner

    def operation(self, op: str, node: n.Node, *args: TypedExpr) -> TypedExpr:
        return OperationExpr(op, t.BOOL, node.span, args)

    def condition(self, node: n.Audience, scope: Scope) -> TypedExpr:
        """Return the condition that whoever looks belongs to an audience."""
        match node:
            case n.SeenIf(who=n.Name() as who) if (
                who.name not in t.AUDIENCES
                and self.names.describe(who.name) is None
                and not scope.find(who.name)
            ):
                self.names.check_new_name(who.name, who.span, scope)
                inner = scope.child()
                inner.names[who.name] = LocalName(who.name, self.reader.slot, t.PLAYER, False, who.span)
                return self.expressions.condition(node.condition, inner)
            case n.SeenIf():
                asked = self.expressions.condition(node.condition, scope)
                return self.operation(
                    "and", node, asked, self.condition(node.who, scope.child(known_if(node.condition, True)))
                )
            case n.IfElse():
                asked = self.expressions.condition(node.condition, scope)
                ways = ((node.then, True), (node.other, False))
                return self.operation(
                    "if",
                    node,
                    asked,
                    *(self.condition(way, scope.child(known_if(node.condition, so))) for way, so in ways),
                )
            case n.Binary(op="or"):
                return self.operation(
                    "or", node, self.condition(node.left, scope), self.condition(node.right, scope)
                )
            case n.Name(name="all"):
                words = ", ".join(f"`{word}`" for word in t.AUDIENCES if word != "everybody")
                help = f"who sees everything is `everybody`; others are {words}"
                return self.ctx.report("N001", node.span, name=node.name, kind="value", help=help)
            case n.Name() if node.name in t.AUDIENCES:
                return self.word(node)
        x = self.expressions.zones_as_list(self.expressions.check(node, scope, None))
        if isinstance(x.type, (t.Player, t.Unknown)) or (
            isinstance(x.type, t.Optional) and isinstance(x.type.base, t.Player)
        ):
            return self.operation("==", node, self.reader, x)
        if not t.is_assignable(x.type, t.list_of(t.PLAYER)):
            return self.expressions.fit(x, t.AUDIENCE, node.span)
        return self.operation("in", node, self.reader, x)

    def word(self, node: n.Name) -> TypedExpr:
        if node.name in ("owner", "others"):
            if self.owner is None:
                return ConstExpr(t.BOOL, node.span, value=False)
            return self.owner if node.name == "owner" else self.operation("not", node, self.owner)
        return ConstExpr(t.BOOL, node.span, value=node.name == "everybody")


# ---------------------------------------------------------------- labels in a circle
def check_label_circles(program: Program) -> Iterator[Diagnostic]:
    """Diagnostics for labels that show one another: `{id} on {on}` of a card that may lie on a card has no
    end. One for each circle.

    What matters is the class that an attribute may hold, not what it holds in a game: a label must have an
    end in every position.
    """
    shown = {k.name: list(_shown_classes(k, program)) for k in program.classes.values()}
    told: set[str] = set()
    for name in shown:
        circle = [] if name in told else _circle_of_labels(name, shown)
        if not circle:
            continue
        told.update(kind for kind, _ in circle)
        (_, place), *others = circle
        labels = [Label(span, f"the label of `{kind}` shows the next one") for kind, span in others]
        if not others:
            labels = [Label(program.classes[name].span, f"`{name}` is declared here")]
        yield diagnose("G031", place, name=name, labels=tuple(labels))


def _shown_classes(k: ClassDef, program: Program) -> Iterator[tuple[str, Span]]:
    """The classes whose labels stand in the label of a class, each with the place in it."""
    if k.label is None:
        return
    for text in k.label.walk():
        for part in _shown_in(text):
            if part is not None:
                for kind in _classes_in(part.type, program):
                    yield kind, part.span


def _classes_in(kind: t.Type, program: Program) -> frozenset[str]:
    """The classes of the components that a value of this type shows when it is put into words."""
    found = frozenset[str]()
    for part in inside(kind):
        if isinstance(part, t.Component):
            found |= part.kinds
        elif isinstance(part, t.Record):
            record = program.records[part.name]
            types = list(record.fields.values())
            if record.shown_as is not None:
                types = [shown.type for x in record.shown_as.text.walk() for shown in _shown_in(x)]
            found = found.union(*(_classes_in(of, program) for of in types))
    return found


def _shown_in(x: TypedExpr) -> tuple[TypedExpr, ...]:
    """What a text puts into words."""
    return x.args if isinstance(x, TextExpr) else ()


def _circle_of_labels(start: str, shown: Mapping[str, Sequence[tuple[str, Span]]]) -> list[tuple[str, Span]]:
    """The shortest way from a label back to itself: the classes on it, each with the place in its label;
    empty if there is none.
    """
    seen: set[str] = set()
    waiting: list[tuple[str, list[tuple[str, Span]]]] = [(start, [])]
    while waiting:
        kind, way = waiting.pop(0)
        for following, span in shown.get(kind, ()):
            longer = [*way, (kind, span)]
            if following == start:
                return longer
            if following not in seen:
                seen.add(following)
                waiting.append((following, longer))
    return []
