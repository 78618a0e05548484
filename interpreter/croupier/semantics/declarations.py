"""Declarations: from the resolved document to the names and types of a program, before any rule is read.

Order matters and is fixed: type names, parameters, the columns and fields of types, components, boards,
zones, state. A declaration that is wrong leaves a name with an unknown type behind, so that one mistake is
reported once.
"""

from __future__ import annotations

import re
from functools import partial

from croupier.diagnostics import Span
from croupier.diagnostics.diagnostic import edit_distance
from croupier.kernel import types as t
from croupier.kernel.tree import EnumExpr, OperationExpr, ParamExpr, TypedExpr
from croupier.kernel.types import PLAYER, UNKNOWN, Type
from croupier.resolve import ResolvedRuleset
from croupier.schema import Alias, Board, Enumeration, Parameter, RecordType, StateVariable, Text
from croupier.schema.values import is_empty
from croupier.semantics.components import GROWING, ComponentDeclarations
from croupier.semantics.context import Scope, here
from croupier.semantics.declaration_parts import (
    DeclarationParts,
    plain_text,
)
from croupier.semantics.expressions import CheckerPart
from croupier.semantics.names import is_reserved, start_example
from croupier.semantics.procedures import Proc
from croupier.semantics.program import (
    BoardDef,
    ClaimDef,
    ClassDef,
    EnumDef,
    EventWords,
    ParamDef,
    PartDef,
    RecordDef,
    VarDef,
    part_of,
)
from croupier.semantics.walk import closure, inside
from croupier.source import YamlNode, YamlScalar
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration, parse_expression

MOST_WORDS = 6  # so many words of `one_of` are named
DEFINED = re.compile(r"\bdef\s+(\w+)")
Row = tuple[str | None, dict[str, TypedExpr], Span]


class DeclarationChecker(CheckerPart):
    """Declares everything that a ruleset declares."""

    def __init__(self, parts: DeclarationParts) -> None:
        super().__init__(parts.expressions)
        self.parts, self.types = parts, parts.types
        self.components = ComponentDeclarations(parts)

    def state_variable(self, name: Text, v: StateVariable) -> None:
        p, scope = self.program, self.parts.static_scope()
        if self.parts.is_taken(name.text, name.span, "state"):
            return
        start: TypedExpr | None = None
        seen: TypedExpr = EnumExpr(t.AUDIENCE, name.span, enum="Audience", name="nobody")
        kind: Type = UNKNOWN
        label: n.Template | None = None
        audience: n.Audience | None = None
        if v.declaration is not None:
            decl = self.ctx.read(parse_declaration, v.declaration.rule, None)
            if decl is not None:
                kind = self.parts.storable_type(self.types.type(decl.type, scope), decl.type.span)
                start = None if decl.start is None else self.parts.start_value(decl.start, kind)
                label, audience = decl.label, decl.seen_by
        else:
            assert v.type is not None
            kind = self.parts.parse_type(v.type)
            start = None if v.start is None else self.literal_start(v.start, kind)
            seen = self.components.visibility(v.seen_by, "nobody", name.span)
            audience = self.parts.parse_audience(v.seen_by)
            label = self.parts.parse_label(v.label)
        self.parts.check_not_direction(name, kind)
        if start is None and not self.parts.has_default(kind):
            self.ctx.report(
                "G005", name.span, name=name.text, type=kind, example=start_example(self.program, kind)
            )
        if isinstance(kind, t.Collection) and kind.kind != "set" and kind.capacity is None:
            self.ctx.report("G006", name.span, name=name.text, type=kind)
        p.vars[name.text] = VarDef(
            len(p.vars), name.text, name.span, kind, start, seen, cites=self.ctx.cites_of(v)
        )
        self.parts.add_label(p.vars[name.text], label)
        self.parts.add_audience(p.vars[name.text], audience)

    def literal_start(self, node: YamlNode, kind: Type) -> TypedExpr:
        """The start value of a variable, written as a value of YAML."""
        if not isinstance(kind, t.Map) or not isinstance(node, YamlScalar):
            literal = self.parts.literal(node, kind, self.parts.static_scope(), "start value")
            return self.parts.as_start(literal, kind)
        expr = self.ctx.read(parse_expression, plain_text(node), None)
        if expr is None:
            return OperationExpr("unknown", UNKNOWN, node.span)
        return self.parts.start_value(expr, kind)

    def claims(self, doc: ResolvedRuleset) -> None:
        for name, c in doc.claims:
            proc = Proc(-1, name.text, "claim", name.span)
            scope = Scope(proc)
            by = scope.declare("claimant", PLAYER, name.span)
            fields, slots = [], [by.slot]
            for f, leaf in c.fields:
                kind = self.parts.parse_type(leaf)
                if not t.is_scalar(kind) and not isinstance(kind, t.Unknown):
                    self.ctx.report("G002", leaf.span, name=f.text, given=kind)
                slots.append(scope.declare(f.text, kind, f.span).slot)
                fields.append((f.text, kind))
            condition = None
            if c.leaks is not None:
                self.program.leaks[name.span] = c.leaks.span
            if c.only_if is not None:
                expr = self.ctx.read(parse_expression, c.only_if.rule, None)
                condition = None if expr is None else self.expressions.condition(expr, scope)
            says = self.expressions.check(self.parts.template(c.says), scope)
            self.program.claims.append(
                ClaimDef(
                    name.text,
                    name.span,
                    says,
                    tuple(slots),
                    tuple(fields),
                    condition,
                    self.ctx.cites_of(c),
                    proc,
                )
            )

    # ------------------------------------------------------------ everything, in order
    def declare_all(self, doc: ResolvedRuleset) -> None:
        self.program.static = Proc(-1, "set-up", "static", self.parts.document_start(doc))
        self.ctx.known_in_play = {name.text for name, _ in (*doc.zones, *doc.state)}
        self.ctx.defined_later = {name for d in doc.definitions for name in DEFINED.findall(d.text.text)}
        self.type_names(doc)
        self.ctx.declared_below = {name.text for name, _ in doc.parameters}
        for name, p in doc.parameters:
            self.parameter(name, p)
            self.ctx.declared_below.discard(name.text)
        self.components.numbers_of_players(doc.players)
        self.type_columns(doc)
        self.endless_records()
        for name, b in doc.boards:
            self.components.cell_attributes(name, b)
        for name, c in doc.components:
            self.components.component(name, c)
        for name, b in doc.boards:
            self.components.board_values(name, b)
        for name, z in doc.zones:
            self.components.zone_declaration(name, z)
        for name, v in doc.state:
            self.state_variable(name, v)
        for name, c in doc.components:
            self.components.component_rows(name, c)
        for name, form in doc.types:
            if isinstance(form, RecordType):
                self.record_words(name, form)
        for declared in self.program.params.values():
            self.parameter_values(declared)
        self.ctx.known_in_play, self.ctx.defined_later = set(), set()

    def type_names(self, doc: ResolvedRuleset) -> None:
        p = self.program
        for name, form in doc.types:
            if self.parts.is_taken(name.text, name.span, "type"):
                continue
            if isinstance(form, Alias):
                self.ctx.named_types[name.text] = form.type
            elif hasattr(form, "record"):
                p.records[name.text] = RecordDef(name.text, {}, name.span)
            else:
                self.parts.check_value_names(v.name for v in form.values)
                p.enums[name.text] = EnumDef(name.text, tuple(v.name.text for v in form.values), name.span)
            self.ctx.cite_always(form)
            for value in getattr(form, "values", ()):
                self.ctx.cite_always(value)
        for name, c in doc.components:
            if not self.parts.is_taken(name.text, name.span, "component"):
                ids, table = c.ids or (), c.table.rows if c.table is not None else ()
                self.parts.check_value_names((*ids, *(r.id for r in table if r.id is not None)))
                rows: list[Row] = [(i.text, {}, i.span) for i in ids]
                rows = rows or [(None if r.id is None else r.id.text, {}, r.span) for r in table]
                p.classes[name.text] = ClassDef(name.text, name.span, rows=tuple(rows))
        for name, b in doc.boards:
            if not self.parts.is_taken(name.text, name.span, "board"):
                self.parts.check_value_names(b.cell_names)
                cell = f"{name.text}_cell"
                if b.cell is None:
                    cell = "Cell" if len(doc.boards) == 1 else cell
                elif not self.type_taken(b.cell.text, b.cell.span):
                    cell = b.cell.text
                p.boards[name.text] = BoardDef(
                    name.text, name.span, cell, b.shape.text,
                    is_growing=b.grows is not None and b.shape.text in GROWING,
                    adjacency=b.adjacency.text if b.adjacency else "orthogonal",
                    cells=tuple(c.text for c in b.cell_names), cell_labels=b.cell_labels,
                    links=tuple((link.first.text, link.second.text) for link in b.links or ()),
                )  # fmt: skip
                self.board_parts(p.boards[name.text], b)

    def board_parts(self, board: BoardDef, b: Board) -> None:
        """The edges, corners and links of a board that have a name, and the kinds of its links."""
        p = self.program
        named = [link.kind for link in b.links or () if link.kind is not None]
        kinds = tuple(dict.fromkeys(kind.text for kind in named))
        if b.kind is not None:
            enum: str | None = b.kind.text
        else:
            enum = f"{board.name}_kind" if kinds else None
        if enum is not None and not self.type_taken(enum, board.span if b.kind is None else b.kind.span):
            self.parts.check_value_names({kind.text: kind for kind in named}.values())
            p.enums[enum] = EnumDef(enum, kinds, None)
        for shape, name, has_attributes in (
            ("edges", b.edge, b.edge_attributes),
            ("corners", b.corner, b.corner_attributes),
            ("links", b.link, b.links and b.link_attributes),
        ):
            if name is None and not has_attributes and not (shape == "links" and kinds):
                continue
            called = name.text if name is not None else f"{board.name}_{shape.removesuffix('s')}"
            if self.type_taken(called, board.span if name is None else name.span):
                continue
            of_kind = tuple(kinds.index(kind.text) for kind in named) if shape == "links" else ()
            links = board.links if shape == "links" else ()
            p.boards[part_of(board.name, shape)] = PartDef(
                part_of(board.name, shape),
                board.span,
                called,
                shape,
                links=links,
                of=board.name,
                enum=enum if of_kind else None,
                kinds=of_kind,
            )

    def endless_records(self) -> None:
        """A record that holds itself, directly or through others, has no size."""
        records = self.program.records
        holds = {
            name: {f.name for kind in r.fields.values() for f in inside(kind) if isinstance(f, t.Record)}
            for name, r in records.items()
        }
        for name, record in records.items():
            if name in closure(holds[name], lambda at: holds.get(at, ())):
                self.ctx.report("G009", record.span, name=name)
                record.fields = dict.fromkeys(record.fields, UNKNOWN)

    def type_taken(self, name: str, span: Span) -> bool:
        """Report a name for the cells of a board that another type has.

        Returns whether it is taken.
        """
        if is_reserved(name, "type", span):
            self.parts.reserved(name, span)
            return True
        tables = [row for row in self.ctx.declared() if row[0] in ("type", "component")]
        for word, table in (*tables, ("type of cells", {b.cell: b for b in self.program.boards.values()})):
            if name in table:
                self.ctx.report("N004", span, name=name, kind=word, labels=here(table[name]))
                return True
        return False

    # ------------------------------------------------------------ parameters
    def parameter(self, name: Text, p: Parameter) -> None:
        program = self.program
        if self.parts.is_taken(name.text, name.span, "parameter"):
            return
        choices: tuple[str, ...] | None = None
        if p.one_of is not None:
            choices = tuple(c.text for c in p.one_of)
            # it is never none, so that the word can only be this value
            self.parts.check_value_names(c for c in p.one_of if c.text != "none")
            program.enums[name.text] = EnumDef(name.text, choices, None)
            kind: Type = t.Enum(name.text)
        else:
            assert p.type is not None
            kind = self.parts.parse_type(p.type)
        self.parts.check_not_direction(name, kind)
        doc = p.doc.text if p.doc else ""
        program.params[name.text] = ParamDef(
            len(program.params),
            name.text,
            kind,
            name.span,
            None,
            (),
            doc,
            choices,
            node=p,
            cites=self.ctx.cites_of(p),
        )

    def parameter_values(self, p: ParamDef) -> None:
        scope = self.parts.static_scope()
        node = p.node
        if node.default is not None and self.is_no_word(p, node.default):
            p.default = OperationExpr("unknown", t.UNKNOWN, node.default.span)
        elif node.default is not None:
            p.default = self.parts.literal(node.default, p.type, scope, "default")
            later = next(
                (
                    x
                    for x in p.default.walk()
                    if isinstance(x, ParamExpr) and self.program.params[x.name].index >= p.index
                ),
                None,
            )
            if later is not None:
                self.ctx.report("G024", later.span, name=later.name)
        elif p.choices:
            p.default = EnumExpr(p.type, p.span, enum=p.name, name=p.choices[0])
        conditions = [
            (None if words is None else words.text, self.parts.parse_static(text, t.BOOL))
            for words, text in node.valid
        ]
        p.valid = tuple((words, x) for words, x in conditions if x is not None)
        p.tried = tuple(self.parts.literal(v, p.type, scope) for v in node.tried or ())
        if node.variants:
            self.parameter_switches(p)

    def is_no_word(self, p: ParamDef, default: YamlNode) -> bool:
        """Report a default that is none of the words of `one_of`."""
        word = default.text if isinstance(default, YamlScalar) else ""
        if not p.choices or word in p.choices or not word.isidentifier():
            return False
        if any(edit_distance(word.casefold(), choice.casefold(), 1) is not None for choice in p.choices):
            return False  # it is misspelt
        choices = " or ".join(f"`{choice}`" for choice in p.choices[:MOST_WORDS])
        help = f"write {choices}; or add it: `one_of: [{', '.join((*p.choices, word))}]`"
        self.ctx.report("N001", default.span, name=word, kind=f"word of `{p.name}`", help=help)
        return True

    def parameter_switches(self, p: ParamDef) -> None:
        """The variants that hold with a value: of a switch, or of words, with a default that is written
        down.
        """
        self.ctx.used.add(("parameter", p.name))
        if isinstance(p.type, t.Enum):
            self.ctx.used.add(("type", p.type.name))
        words: tuple[str, ...] | None = None
        if p.type == t.BOOL:
            words = ("true", "false")
        elif isinstance(p.type, t.Enum):
            words = self.program.enums[p.type.name].values
        if words is None:
            first = p.node.variants[0][0].span
            self.ctx.report(
                "D007",
                first,
                key="variants",
                other="one_of",
                help="only a `bool`, or a choice of words, switches variants on",
            )
            return
        if p.default is not None and p.default.op not in ("const", "enum", "unknown"):
            wanted, found = f"one of {', '.join(f'`{word}`' for word in words)}", "an expression"
            self.ctx.report(
                "D003",
                p.default.span,
                place="the default of a parameter with `variants`",
                wanted=wanted,
                found=found,
            )
        for key, names in p.node.variants:
            if key.text in words:
                p.switches[key.text] = tuple(name.text for name in names)
            else:
                self.ctx.report_unknown("N001", key.span, key.text, words, kind="value of this parameter")

    # ------------------------------------------------------------ types
    def record_words(self, name: Text, form: RecordType) -> None:
        """What the values of a record are called. It may show their fields, and nothing of a position."""
        record = self.program.records.get(name.text)
        if record is not None and record.span == name.span:
            record.shown_as = self.words_of_fields(record, form.label, "label")
            record.sign = self.words_of_fields(record, form.symbol, "symbol")

    def words_of_fields(self, record: RecordDef, leaf: Text | None, what: str) -> EventWords | None:
        template = self.parts.parse_label(leaf)
        if template is None:
            return None
        frame = Proc(-1, f"{what} of {record.name}", "static", template.span)
        own = Scope(frame)
        for field, kind in record.fields.items():
            own.declare(field, kind, record.span)
        return EventWords(self.parts.static_only(self.expressions.check(template, own)), frame)

    def type_columns(self, doc: ResolvedRuleset) -> None:
        p, scope = self.program, self.parts.static_scope()
        for name, form in doc.types:
            if isinstance(form, Alias):
                self.types.named_type(name.text)
            elif hasattr(form, "record"):
                if name.text in p.records:
                    p.records[name.text].fields = {f.text: self.parts.parse_type(k) for f, k in form.record}
            if not isinstance(form, Enumeration):
                continue
            enum = p.enums.get(name.text)
            if enum is None or enum.span != name.span:
                continue
            for named, label in form.labels:
                enum.labels[named.text] = label.text
                if named.text not in enum.values:
                    self.ctx.report_unknown(
                        "N001", named.span, named.text, enum.values, kind="value of this type"
                    )
            for c, _ in form.attributes:
                if c.text == "rank":
                    self.ctx.report("N014", c.span, name=c.text)
            declared = {c.text: self.parts.attribute(k) for c, k in form.attributes}
            enum.columns = {c: kind for c, (kind, _) in declared.items()}
            fallbacks = {
                c: self.parts.static_value(node, kind)
                for c, (kind, node) in declared.items()
                if node is not None
            }
            strange: dict[Span, Text] = {}
            for v in form.values:
                suggest = partial(self.ctx.suggest, candidates=list(enum.columns))
                named_cells = self.parts.columns(v.cells, enum.columns, strange, suggest, t.Enum(enum.name))
                given = [
                    (column, x) for column, x in named_cells if not (column in fallbacks and is_empty(x))
                ]
                cells = fallbacks | {c: self.parts.literal(x, enum.columns[c], scope) for c, x in given}
                missing = [column for column in enum.columns if column not in cells]
                # one of these columns may be what is missing
                if missing and not any(c.span in strange for c, _ in v.cells):
                    self.ctx.report("G001", v.span, name=v.name.text, column="`, `".join(missing))
                enum.rows[v.name.text] = cells
