"""Declarations: from the resolved document to the names and types of a program, before any rule is read.

Order matters and is fixed: type names, parameters, the columns and fields of types, components, boards, zones, state. A declaration that is
wrong leaves a name with an unknown type behind, so that one mistake is reported once.
"""

from __future__ import annotations

from typing import Any

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.literals import Literals, plain_text
from croupier.semantics.program import BoardDef, ClaimDef, ClassDef, EnumDef, ParamDef, RecordDef, VarDef, ZoneDef
from croupier.semantics.scope import Scope
from croupier.semantics.tree import Proc, X
from croupier.semantics.types import INT, PLAYER, UNKNOWN, Type
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration, parse_expression, parse_template

SETUP_ONLY = {"state", "zone", "zone_at", "mutable"}
Row = tuple[str | None, dict[str, X], Span]


class Declarations(Literals):
    # ------------------------------------------------------------ helpers
    def static_scope(self) -> Scope:
        assert self.program.static is not None
        return Scope(self.program.static)

    def taken(self, name: str, span: Span, kind: str) -> bool:
        p = self.program
        tables: tuple[tuple[str, Any], ...] = (
            ("type", p.enums), ("type", p.records), ("component", p.classes), ("board", p.boards), ("parameter", p.params), ("zone", p.zones),
            ("state", p.vars), ("definition", p.defs), ("window", p.windows),
        )  # fmt: skip
        if name == "players" or name in ("bool", "int", "Player", "text"):
            self.wrong("N014", span, name=name)
            return True
        for word, table in tables:
            if name in table and not (word == "type" and name in p.params and kind == "parameter"):
                self.wrong("N004", span, name=name, kind=word)
                return True
        return False

    def text_type(self, leaf: Any) -> Type:
        decl, bad = parse_declaration(leaf.rule)
        self.found.extend(bad)
        if decl is None:
            return UNKNOWN
        if decl.start is not None:
            self.wrong("T057", decl.start.span)
        return self.type(decl.type, self.static_scope())

    def text_expression(self, leaf: Any, wanted: Type | None, scope: Scope | None = None, where: str = "set-up") -> X | None:
        expr, bad = parse_expression(leaf.rule)
        self.found.extend(bad)
        if expr is None:
            return None
        return self.static_only(self.check(expr, scope or self.static_scope(), wanted), where)

    def static_only(self, x: X, where: str = "set-up") -> X:
        bad = next((y for y in x.walk() if y.op in SETUP_ONLY), None)
        if bad is not None:
            self.wrong("T058", bad.span, where=where)
        return x

    # ------------------------------------------------------------ everything, in order
    def declare_all(self, doc: Any) -> None:
        self.program.static = Proc(-1, "set-up", "static", self.whole(doc))
        self.type_names(doc)
        for name, p in doc.parameters:
            self.parameter(name, p)
        self.type_columns(doc)
        for name, c in doc.components:
            self.component(name, c)
        for name, b in doc.boards:
            self.board_stack(name, b)
        for name, z in doc.zones:
            self.zone_declaration(name, z)
        for name, v in doc.state:
            self.state_variable(name, v)
        for name, c in doc.components:
            self.component_rows(name, c)
        for p in self.program.params.values():
            self.parameter_values(p)

    def whole(self, doc: Any) -> Span:
        source = doc.sources[0]
        return Span(source, 0, 0)

    def type_names(self, doc: Any) -> None:
        p = self.program
        for name, form in doc.types:
            if self.taken(name.text, name.span, "type"):
                continue
            if hasattr(form, "record"):
                p.records[name.text] = RecordDef(name.text, {}, name.span)
            else:
                p.enums[name.text] = EnumDef(name.text, tuple(v.name.text for v in form.values), name.span)
            self.cited(form)
        for name, c in doc.components:
            if not self.taken(name.text, name.span, "component"):
                ids: list[Row] = [(i.text, {}, i.span) for i in c.ids or ()]
                rows: list[Row] = [(None if r.id is None else r.id.text, {}, r.span) for r in (c.table.rows if c.table is not None else ())]
                p.classes[name.text] = ClassDef(name.text, name.span, rows=tuple(ids or rows))
        for name, b in doc.boards:
            if not self.taken(name.text, name.span, "board"):
                cell = b.cell.text if b.cell is not None else "Cell" if len(doc.boards) == 1 else f"{name.text}_cell"
                p.boards[name.text] = BoardDef(
                    name.text, name.span, cell, b.shape.text, adjacency=b.adjacency.text if b.adjacency else "orthogonal",
                    cells=tuple(c.text for c in b.cells or ()), links=tuple((x.text, y.text) for x, y in b.links or ()),
                )  # fmt: skip

    def cited(self, declaration: Any) -> tuple[str, ...]:
        cites = tuple(n.Cite(c.span, *self.ends(c.text)) for c in declaration.cites)
        return self.cites(cites)

    def ends(self, text: str) -> tuple[str, str | None]:
        first, _, last = text.partition("..")
        prefix = first.rsplit("-", 1)[0] + "-" if "-" in first else ""
        return first, (last if not last or "-" in last else prefix + last) or None

    # ------------------------------------------------------------ parameters
    def parameter(self, name: Any, p: Any) -> None:
        program = self.program
        if self.taken(name.text, name.span, "parameter"):
            return
        choices: tuple[str, ...] | None = None
        if p.one_of is not None:
            choices = tuple(c.text for c in p.one_of)
            program.enums[name.text] = EnumDef(name.text, choices, None)
            kind: Type = t.Enum(name.text)
        else:
            kind = self.text_type(p.type)
        doc = p.doc.text if p.doc else ""
        program.params[name.text] = ParamDef(len(program.params), name.text, kind, name.span, None, None, doc, choices, node=p)
        self.cited(p)

    def parameter_values(self, p: ParamDef) -> None:
        scope = self.static_scope()
        node = p.node
        if node.default is not None:
            p.default = self.literal_value(node.default, p.type, scope)
        elif p.choices:
            p.default = X("enum", p.type, p.span, (), (p.name, p.choices[0]))
        if node.valid is not None:
            p.valid = self.text_expression(node.valid, t.BOOL)
        p.tried = tuple(self.literal_value(v, p.type, scope) for v in node.tried or ())

    # ------------------------------------------------------------ types
    def type_columns(self, doc: Any) -> None:
        p, scope = self.program, self.static_scope()
        for name, form in doc.types:
            if hasattr(form, "record"):
                if name.text in p.records:
                    p.records[name.text].fields = {f.text: self.text_type(k) for f, k in form.record}
                continue
            enum = p.enums.get(name.text)
            if enum is None or enum.span != name.span:
                continue
            enum.columns = {c.text: self.text_type(k) for c, k in form.attributes}
            for v in form.values:
                cells = {c.text: self.literal_value(x, enum.columns[c.text], scope) for c, x in v.cells if c.text in enum.columns}
                for c, _ in v.cells:
                    if c.text not in enum.columns:
                        self.wrong("N002", c.span, name=c.text, type=t.Enum(enum.name), **self.suggest(c.text, list(enum.columns)))
                for column in enum.columns:
                    if column not in cells:
                        self.wrong("G001", v.span, name=v.name.text, column=column)
                enum.rows[v.name.text] = cells

    # ------------------------------------------------------------ components and boards
    def component(self, name: Any, c: Any) -> None:
        p = self.program
        k = p.classes.get(name.text)
        if k is None or k.span != name.span:
            return
        k.attributes = {a.text: self.text_type(kind) for a, kind in c.attributes}
        k.live_anywhere = c.live is not None and c.live.text == "anywhere"
        for a, leaf in c.mutable:
            decl, bad = parse_declaration(leaf.rule)
            self.found.extend(bad)
            if decl is None:
                continue
            kind = self.type(decl.type, self.static_scope())
            start = None if decl.start is None else self.guard(self.check(decl.start, self.static_scope(), kind), kind)
            whole = t.Map(t.Component(frozenset([k.name])), kind)
            seen = X("enum", t.AUDIENCE, a.span, (), ("Audience", "everybody"))
            full = f"{k.name}.{a.text}"
            k.mutable[a.text] = len(p.vars)
            p.vars[full] = VarDef(len(p.vars), full, a.span, whole, start, seen, of_class=k.name)
        if c.rolls is not None and c.rolls.text not in k.mutable:
            self.wrong("N002", c.rolls.span, name=c.rolls.text, type=name.text, **self.suggest(c.rolls.text, list(k.mutable)))
        k.rolls = c.rolls.text if c.rolls is not None else next(iter(k.mutable)) if len(k.mutable) == 1 else None
        k.each = tuple(e.text for e in c.each or ())
        for e in c.each or ():
            if e.text not in k.attributes:
                self.wrong("N002", e.span, name=e.text, type=name.text, **self.suggest(e.text, list(k.attributes)))
            elif not t.is_scalar(k.attributes[e.text]) and not isinstance(k.attributes[e.text], t.Unknown):
                self.wrong("G002", e.span, name=e.text, given=k.attributes[e.text])
        self.cited(c)

    def component_rows(self, name: Any, c: Any) -> None:
        p, scope = self.program, self.static_scope()
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
            k.copies = self.text_expression(count, INT, own)
        if c.label is not None:
            template, bad = parse_template(plain_text(c.label.node))
            self.found.extend(bad)
            k.label = self.check(template, own)
        rows = []
        for row in c.table.rows if c.table is not None else ():
            cells: dict[str, X] = {}
            for column, node in row.cells:
                if column.text not in k.attributes:
                    self.wrong("N002", column.span, name=column.text, type=k.name, **self.suggest(column.text, list(k.attributes)))
                else:
                    cells[column.text] = self.literal_value(node, k.attributes[column.text], scope)
            for a in k.attributes:
                if a not in cells:
                    self.wrong("G001", row.span, name=row.id.text if row.id else "this row", column=a)
            rows.append((None if row.id is None else row.id.text, cells, row.span))
        if rows:
            k.rows = tuple(rows)
        missing = [a for a in k.attributes if a not in k.each] if k.each or not rows else []
        if missing and (k.each or k.rows or count is not None):
            self.wrong("G003", name.span, name=k.name, missing=", ".join(f"`{a}`" for a in missing))

    def board_stack(self, name: Any, b: Any) -> None:
        p = self.program
        board = p.boards.get(name.text)
        if board is None or board.span != name.span:
            return
        for field in ("rows", "columns", "size"):
            leaf = getattr(b, field)
            if leaf is not None:
                setattr(board, field, self.text_expression(leaf, INT))
        needed = {"rectangle": ("rows", "columns"), "hex": ("rows", "columns"), "ring": ("size",), "hub": ("size",), "graph": ()}[board.shape]
        for field in needed:
            if getattr(b, field) is None and not board.cells:
                self.wrong("G004", name.span, name=name.text, shape=board.shape, missing=field)
        for x, y in b.links or ():
            for c in (x, y):
                if c.text not in board.cells:
                    self.wrong("N001", c.span, name=c.text, kind="cell", **self.suggest(c.text, list(board.cells)))
        if b.stack is not None:
            self.add_zone(name, b.stack, t.Cell(board.name, board.cell), None)
        self.cited(b)

    # ------------------------------------------------------------ zones and state
    def zone_declaration(self, name: Any, z: Any) -> None:
        if self.taken(name.text, name.span, "zone"):
            return
        key = None if z.per is None else self.text_type(z.per)
        if key is not None and not isinstance(key, t.Unknown) and not self.finite(key):
            self.wrong("T031", z.per.span, given=key)
        self.add_zone(name, z, key, z.start)

    def add_zone(self, name: Any, z: Any, key: Type | None, start: Any) -> None:
        p = self.program
        kinds = self.held(z.holds)
        order = z.order.text if z.order is not None else "set"
        capacity = None if z.capacity is None else self.text_expression(z.capacity, INT)
        seen = self.seen(z.seen_by, "nobody", name.span)
        counted = self.seen(z.counted_by, "everybody", name.span)
        begin: X | str | None = None
        if start is not None and start.text == "all":
            begin = "all"
        elif start is not None:
            begin = self.text_expression(start, None)
            if begin is not None:
                listed = self.as_list(X("list", t.list_of(begin.type), begin.span, (begin,)) if isinstance(begin.type, t.Component) else begin)
                begin = self.fit(listed, t.list_of(t.Component(kinds)), start.span)
        live = z.live is not None and bool(z.live.value)
        if name.text in p.boards and z.order is None:
            order = "pile"
        p.zones[name.text] = ZoneDef(len(p.zones), name.text, name.span, kinds, key, order, capacity, seen, counted, begin, live, self.cited(z))

    def held(self, leaf: Any) -> frozenset[str]:
        """`Card`, or several kinds: `Curse or Token`."""
        names = [w.strip() for w in leaf.text.split(" or ")]
        known = []
        for w in names:
            if w in self.program.classes:
                known.append(w)
                self.used.add(("component", w))
            else:
                self.wrong("N001", leaf.span, name=w, kind="component", **self.suggest(w, list(self.program.classes)))
        return frozenset(known)

    def seen(self, audience: Any, default: str, span: Span) -> X:
        if audience is None:
            return X("enum", t.AUDIENCE, span, (), ("Audience", default))
        if audience.word is not None:
            return X("enum", t.AUDIENCE, audience.span, (), ("Audience", audience.word.text))
        p = self.program
        parameter = p.params.get(audience.by.text)
        if parameter is None or parameter.choices is None:
            near = self.suggest(audience.by.text, [q.name for q in p.params.values() if q.choices is not None])
            return self.wrong("N001", audience.by.span, name=audience.by.text, kind="parameter with `one_of`", **near)
        self.used.add(("parameter", parameter.name))
        cases = {k.text: self.seen(a, default, span) for k, a in audience.cases}
        for k, _ in audience.cases:
            if k.text not in parameter.choices:
                self.wrong("N001", k.span, name=k.text, kind="value of this parameter", **self.suggest(k.text, list(parameter.choices)))
        missing = [c for c in parameter.choices if c not in cases]
        if missing:
            self.wrong("F005", audience.span, missing=", ".join(f"`{m}`" for m in missing))
            return X("unknown", UNKNOWN, audience.span)
        args = [X("param", parameter.type, audience.span, (), parameter.name)]
        out = cases[parameter.choices[-1]]
        for c in reversed(parameter.choices[:-1]):
            test = X("==", t.BOOL, audience.span, (args[0], X("enum", parameter.type, audience.span, (), (parameter.name, c))))
            out = X("if", t.AUDIENCE, audience.span, (test, cases[c], out))
        return out

    def state_variable(self, name: Any, v: Any) -> None:
        p, scope = self.program, self.static_scope()
        if self.taken(name.text, name.span, "state"):
            return
        start: X | None = None
        seen: X = X("enum", t.AUDIENCE, name.span, (), ("Audience", "nobody"))
        kind: Type = UNKNOWN
        if v.declaration is not None:
            decl, bad = parse_declaration(v.declaration.rule)
            self.found.extend(bad)
            if decl is not None:
                kind = self.type(decl.type, scope)
                start = None if decl.start is None else self.start_value(self.check_start(decl.start, scope, kind), kind)
                if decl.seen_by is not None:
                    seen = self.static_only(self.check(decl.seen_by, scope, t.AUDIENCE))
        else:
            kind = self.text_type(v.type)
            start = None if v.start is None else self.start_value(self.literal_value(v.start, kind, scope), kind)
            seen = self.seen(v.seen_by, "nobody", name.span)
        if start is None and not self.has_default(kind):
            self.wrong("G005", name.span, name=name.text, type=kind)
        if isinstance(kind, t.Collection) and kind.kind != "set" and kind.capacity is None:
            self.wrong("G006", name.span, name=name.text, type=kind)
        p.vars[name.text] = VarDef(len(p.vars), name.text, name.span, kind, start, seen, cites=self.cited(v))

    def check_start(self, node: n.Expr, scope: Scope, kind: Type) -> X:
        """A start value: of the declared type, or of the value of a map (then for every key)."""
        if isinstance(kind, t.Map) and not isinstance(node, (n.MapLit, n.MapComp)):
            return self.check(node, scope, kind.value if not isinstance(kind.value, t.Map) else self.inner(kind))
        return self.check(node, scope, kind)

    def inner(self, kind: Type) -> Type:
        while isinstance(kind, t.Map):
            kind = kind.value
        return kind

    def start_value(self, x: X, kind: Type) -> X:
        x = self.static_only(self.listed(x))
        if isinstance(kind, t.Map) and not isinstance(x.type, (t.Map, t.Unknown)):
            return self.filled(self.guard(x, self.inner(kind)), kind)
        return self.guard(x, kind)

    def filled(self, x: X, kind: Type) -> X:
        """A map with one value for every key: an operand without a key of its own is the value of all keys not named."""
        return X("map", kind, x.span, (self.filled(x, kind.value),)) if isinstance(kind, t.Map) else x

    def has_default(self, kind: Type) -> bool:
        if isinstance(kind, t.Map):
            return self.has_default(kind.value)
        return isinstance(kind, (t.Optional, t.Collection, t.Bool, t.Unknown)) or (isinstance(kind, t.Int) and kind.low is not None and kind.low <= 0)

    def claims(self, doc: Any) -> None:
        for name, c in doc.claims:
            proc = Proc(-1, name.text, "claim", name.span)
            scope = Scope(proc)
            by = scope.declare("claimant", PLAYER, name.span)
            fields, slots = [], [by.slot]
            for f, leaf in c.fields:
                kind = self.text_type(leaf)
                if not t.is_scalar(kind) and not isinstance(kind, t.Unknown):
                    self.wrong("G002", leaf.span, name=f.text, given=kind)
                slots.append(scope.declare(f.text, kind, f.span).slot)
                fields.append((f.text, kind))
            condition = None
            if c.only_if is not None:
                expr, bad = parse_expression(c.only_if.rule)
                self.found.extend(bad)
                condition = None if expr is None else self.condition(expr, scope)
            template, bad = parse_template(plain_text(c.says.node))
            self.found.extend(bad)
            says = self.check(template, scope)
            self.program.claims.append(ClaimDef(name.text, name.span, says, tuple(slots), tuple(fields), condition, self.cited(c)))
