"""The symbol index: what every name means and which type every expression has; what editors and readers of
rules ask for.

It observes the checker and changes nothing; a use is a place where a name stands, a symbol what it stands
for.  A name that an author is still writing is marked by `HOLE`; what is known at its place is noted too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from croupier.diagnostics import Diagnostic, Span
from croupier.kernel import types as t
from croupier.kernel.tree import CellExpr, ComponentExpr, EnumExpr, StateExpr, TypedExpr
from croupier.kernel.types import Type
from croupier.resolve import ResolvedRuleset, attribute_modules
from croupier.schema import Audience
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS, MEMBERS
from croupier.semantics.check import Checker, raw_findings
from croupier.semantics.context import CheckContext, LocalName, Observer, Reader, Scope, parsed
from croupier.semantics.declaration_parts import PLAIN
from croupier.semantics.infoflow.incremental import AnalysisMemory
from croupier.semantics.members import kind_of
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.syntax import nodes as n

HOLE = "zzholezz"
_TABLES = {
    "param": "parameter", "zone": "zone", "zone_at": "zone", "board": "board", "class": "component",
    "enum_values": "type", "board_cells": "cells",
}  # fmt: skip
_WRAPPED = ("certain", "narrow", "zone_list", "family_list")


@dataclass(frozen=True, slots=True)
class Symbol:
    """The thing that a name stands for.

    `owner`: the type of a value, the class of an attribute, the place of a local, the table of a built-in
    word.
    """

    # parameter state zone board component type cells value id attribute column field definition window local
    # builtin phase claim rule
    kind: str
    name: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """A place where a name stands for a symbol; `defines` where it is declared there."""

    span: Span
    symbol: Symbol
    defines: bool = False


@dataclass
class SymbolIndex:
    """An index of what the names of a ruleset mean, and of the types of its expressions."""

    uses: list[Use] = field(default_factory=list)
    # of every expression, by file, start and end
    types: dict[tuple[str, int, int], Type] = field(default_factory=dict)
    locals: dict[Symbol, LocalName] = field(default_factory=dict)
    procs: dict[Symbol, Proc] = field(default_factory=dict)
    hole: dict[str, LocalName] | None = None  # the local names at the hole
    wanted: Type | None = None  # the type that is wanted there


def place_of(local: LocalName) -> Span:
    """The place of a local's name: its declaration may be noted with more around it."""
    span = local.span
    found = re.search(rf"\b{re.escape(local.name)}\b", span.text)
    return Span(span.source, span.start + found.start(), span.start + found.end()) if found else span


class IndexBuilder(Observer):
    """Fills a symbol index with what the checker finds out."""

    def __init__(self) -> None:
        self.index = SymbolIndex()
        self.ctx = CheckContext(Program("", "", "", (), {}))
        self._seen: set[tuple[str, int, int, Symbol]] = set()
        # of locals that were noted, by their identity
        self._symbols: dict[int, tuple[LocalName, Symbol]] = {}

    def begin(self, ctx: CheckContext) -> None:
        self.ctx = ctx

    @property
    def program(self) -> Program:
        """The program that is checked."""
        return self.ctx.program

    # ------------------------------------------------------------ entries
    def note(self, span: Span, symbol: Symbol, defines: bool = False) -> None:
        key = (span.source.name, span.start, span.end, symbol)
        if key not in self._seen:
            self._seen.add(key)
            self.index.uses.append(Use(span, symbol, defines))

    def note_local(self, local: LocalName) -> Symbol:
        if id(local) not in self._symbols:
            self._symbols[id(local)] = local, self._local_symbol(local)
        return self._symbols[id(local)][1]

    def _local_symbol(self, local: LocalName) -> Symbol:
        # in a label, a component's own attributes are its local names, and a record's fields are
        for record in self.program.records.values():
            if local.span == record.span and local.name in record.fields:
                return Symbol("field", local.name, record.name)
        for kind in self.program.classes.values():
            if local.span == kind.span and (local.name in kind.attributes or local.name in kind.mutable):
                return Symbol("attribute", local.name, kind.name)
        place = place_of(local)
        symbol = Symbol("local", local.name, f"{place.source.name}:{place.start}")
        if symbol not in self.index.locals:
            self.index.locals[symbol] = local
            if place.text == local.name:
                self.note(place, symbol, True)
        return symbol

    def _note_scope(self, scope: Scope) -> None:
        for at in scope.around():
            for local in at.names.values():
                self.note_local(local)

    # ------------------------------------------------------------ expressions
    def expression(self, node: n.Expr, scope: Scope, wanted: Type | None, x: TypedExpr) -> None:
        if isinstance(node, n.Name) and HOLE in node.name and self.index.hole is None:
            self._note_hole(scope, wanted)
        span = node.span
        if span.start == span.end:  # nobody wrote it
            return
        key = (span.source.name, span.start, span.end)
        if not isinstance(x.type, t.Unknown) or key not in self.index.types:
            self.index.types[key] = x.type
        match node:
            case n.Name():
                self._note_scope(scope)
                self.note_name(node.name, span, x, scope)
            case n.Attr():
                self.note_attribute(node, x)
            case n.Call(target=n.Name() as target):
                self.note_call(target)
            case n.Call(target=n.Attr() as method):
                self.note_member(method)
            case n.Aggregate(target=n.Name() as target):
                self.note(target.span, Symbol("builtin", target.name, "aggregate"))
            case n.IsKind():
                self.note(node.kind_span, Symbol("component", node.kind))

    def _note_hole(self, scope: Scope, wanted: Type | None) -> None:
        names: dict[str, LocalName] = {}
        for at in scope.around():
            names = {**at.names, **names}
        self.index.hole, self.index.wanted = names, wanted

    def note_name(self, name: str, span: Span, x: TypedExpr, scope: Scope) -> None:
        local = scope.find(name)
        if local is not None:
            self.note(span, self.note_local(local))
            return
        while x.op in _WRAPPED and x.args and x.details is None:
            x = x.args[0]
        if x.op in _TABLES:
            self.note(span, Symbol(_TABLES[x.op], name))
        elif isinstance(x, StateExpr):
            self.note(span, Symbol("state", name))
        elif x.op == "players":
            self.note(span, Symbol("builtin", name, "value"))
        elif isinstance(x, EnumExpr) and x.name == name:
            self.note(span, Symbol("value", name, x.enum))
        elif isinstance(x, ComponentExpr) and x.name == name:
            self.note(span, Symbol("id", name, x.kind))
        elif isinstance(x, CellExpr) and x.name == name:
            self.note(span, Symbol("value", name, x.board))

    def note_attribute(self, node: n.Attr, x: TypedExpr) -> None:
        if isinstance(x, EnumExpr) and isinstance(node.target, n.Name) and node.target.name == x.enum:
            self.note(node.target.span, Symbol("type", x.enum))
            self.note(node.name_span, Symbol("value", node.name, x.enum))
            return
        self.note_member(node)

    def note_member(self, node: n.Attr) -> None:
        """Note the name behind a dot, by the type of what stands before it."""
        span = node.target.span
        kind = self.index.types.get((span.source.name, span.start, span.end))
        p, name = self.program, node.name
        if isinstance(kind, t.Component):
            owners = [
                k
                for k in sorted(kind.kinds)
                if k in p.classes and (name in p.classes[k].attributes or name in p.classes[k].mutable)
            ]
            for owner in owners:
                self.note(node.name_span, Symbol("attribute", name, owner))
            if owners:
                return
        if isinstance(kind, t.Record) and name in p.records[kind.name].fields:
            self.note(node.name_span, Symbol("field", name, kind.name))
        elif isinstance(kind, t.Enum) and kind.name in p.enums and name in p.enums[kind.name].columns:
            self.note(node.name_span, Symbol("column", name, kind.name))
        elif kind is not None:
            table = "family" if isinstance(kind, t.Board) and name not in MEMBERS["board"] else kind_of(kind)
            if name in MEMBERS.get(table, {}):
                self.note(node.name_span, Symbol("builtin", name, table))

    def note_call(self, target: n.Name) -> None:
        p, name = self.program, target.name
        if name in p.defs:
            self.note(target.span, Symbol("definition", name))
        elif name in p.records:
            self.note(target.span, Symbol("type", name))
        elif name in AGGREGATES:
            self.note(target.span, Symbol("builtin", name, "aggregate"))
        elif name in FUNCTIONS:
            self.note(target.span, Symbol("builtin", name, "function"))

    # ------------------------------------------------------------ types, windows, hooks, definitions
    def type_name(self, node: n.TypeName, kind: Type) -> None:
        p, name = self.program, node.name
        if name in PLAIN:
            self.note(node.span, Symbol("builtin", name, "type"))
        elif name in p.classes:
            self.note(node.span, Symbol("component", name))
        elif name in p.enums or name in p.records or name in self.ctx.named_types:
            self.note(node.span, Symbol("type", name))
        elif isinstance(kind, t.Cell):
            self.note(node.span, Symbol("cells", name))

    def window(self, name: str, span: Span) -> None:
        if name in self.program.windows:
            self.note(span, Symbol("window", name))

    def window_declaration(self, node: n.Window) -> None:
        self._note_proc(Symbol("window", node.name), node.name_span, self.program.windows.get(node.name))

    def definition(self, node: n.Def) -> None:
        self._note_proc(Symbol("definition", node.name), node.name_span, self.program.defs.get(node.name))

    def revision(self, node: n.Revision) -> None:
        if node.place == "def" and node.name in self.program.defs:
            self.note(node.name_span, Symbol("definition", node.name))

    def _note_proc(self, symbol: Symbol, span: Span, proc: Proc | None) -> None:
        if proc is not None:
            self.note(span, symbol, True)
            self.index.procs[symbol] = proc

    def scope(self, scope: Scope) -> None:
        self._note_scope(scope)

    def hook(self, node: n.Hook) -> None:
        kind = "window" if node.kind == "reaction" else "definition"
        table = self.program.windows if node.kind == "reaction" else self.program.defs
        if node.pattern.name in table:
            self.note(node.pattern.name_span, Symbol(kind, node.pattern.name))

    def component(self, name: str, span: Span) -> None:
        self.note(span, Symbol("component", name))

    def audience(self, audience: Audience) -> None:
        if audience.by is not None:
            parameter = self.program.params.get(audience.by.text)
            if parameter is not None:
                self.note(audience.by.span, Symbol("parameter", parameter.name))
                for key, _ in audience.cases:
                    if parameter.choices and key.text in parameter.choices:
                        self.note(key.span, Symbol("value", key.text, parameter.name))


def check_with_index(
    doc: ResolvedRuleset, memory: AnalysisMemory | None = None, reader: Reader = parsed
) -> tuple[Program, list[Diagnostic], SymbolIndex]:
    """Check a resolved ruleset and index what its names mean.

    The program is complete only if no diagnostic is an error.

    `memory` is what was found out about former texts of the ruleset, and `reader` may know their nodes; both
    change nothing but how long this takes.
    """
    builder = IndexBuilder()
    checker = Checker(doc, builder)
    checker.memory, checker.ctx.reader = memory, reader
    program = checker.run()
    checker.lint()
    return program, attribute_modules(checker.found, doc, raw_findings), builder.index
