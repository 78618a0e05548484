"""Declarations of state and of claims."""

from __future__ import annotations

from typing import Any

from croupier.semantics import types as t
from croupier.semantics.literals import plain_text
from croupier.semantics.program import ClaimDef, VarDef
from croupier.semantics.scope import Scope
from croupier.semantics.things import Things
from croupier.semantics.tree import Proc, X
from croupier.semantics.types import PLAYER, UNKNOWN, Type
from croupier.source import Node, Scalar
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration, parse_expression, parse_template


class StateAndClaims(Things):
    """Declares state variables and claims."""

    def state_variable(self, name: Any, v: Any) -> None:
        p, scope = self.program, self.static_scope()
        if self.taken(name.text, name.span, "state"):
            return
        start: X | None = None
        seen: X = X("enum", t.AUDIENCE, name.span, (), ("Audience", "nobody"))
        kind: Type = UNKNOWN
        label: n.Template | None = None
        if v.declaration is not None:
            decl = self.read(parse_declaration, v.declaration.rule, None)
            if decl is not None:
                kind = self.kept(self.type(decl.type, scope), decl.type.span)
                start = None if decl.start is None else self.start_value(self.check_start(decl.start, scope, kind), kind)
                if decl.seen_by is not None:
                    seen = self.static_only(self.check(decl.seen_by, scope, t.AUDIENCE))
                label = decl.label
        else:
            kind = self.text_type(v.type)
            start = None if v.start is None else self.start_value(self.literal_start(v.start, kind, scope), kind)
            seen = self.seen(v.seen_by, "nobody", name.span)
            label = self.written_label(v.label)
        self.no_direction(name, kind)
        if start is None and not self.has_default(kind):
            self.wrong("G005", name.span, name=name.text, type=kind)
        if isinstance(kind, t.Collection) and kind.kind != "set" and kind.capacity is None:
            self.wrong("G006", name.span, name=name.text, type=kind)
        p.vars[name.text] = VarDef(len(p.vars), name.text, name.span, kind, start, seen, cites=self.cited(v))
        self.worded(p.vars[name.text], label)

    def check_start(self, node: n.Expr, scope: Scope, kind: Type) -> X:
        """A start value: of the declared type, or of the value of a map (then for every key)."""
        parameter = self.program.params.get(node.name) if isinstance(node, n.Name) else None
        whole = isinstance(node, (n.MapLit, n.MapComp)) or parameter is not None and self.is_as_deep(parameter.type, kind)
        if isinstance(kind, t.Map) and not whole:
            return self.check(node, scope, kind.value if not isinstance(kind.value, t.Map) else self.inner(kind))
        return self.check(node, scope, kind)

    def literal_start(self, node: Node, kind: Type, scope: Scope) -> X:
        """The same, as a value of YAML."""
        if isinstance(kind, t.Map) and isinstance(node, Scalar):
            expr = self.read(parse_expression, plain_text(node), None)
            return X("unknown", UNKNOWN, node.span) if expr is None else self.check_start(expr, scope, kind)
        return self.literal_value(node, kind, scope, "start value")

    def is_as_deep(self, given: Type, kind: Type) -> bool:
        """Is a parameter a map of as many keys as what begins with it, so that it is the whole of that?"""
        while isinstance(given, t.Map) and isinstance(kind, t.Map):
            given, kind = given.value, kind.value
        return not isinstance(given, t.Map) and not isinstance(kind, t.Map)

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
            if c.leaks is not None:
                self.program.leaks[name.span] = c.leaks.span
            if c.only_if is not None:
                expr = self.read(parse_expression, c.only_if.rule, None)
                condition = None if expr is None else self.condition(expr, scope)
            template = self.read(parse_template, plain_text(c.says.node), n.Template(c.says.span, (), ""))
            says = self.check(template, scope)
            self.program.claims.append(ClaimDef(name.text, name.span, says, tuple(slots), tuple(fields), condition, self.cited(c), proc))
