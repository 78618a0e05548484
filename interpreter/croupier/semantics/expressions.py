"""Checking expressions: from nodes to typed nodes, with what is wanted flowing down and what is given flowing up.

Enumeration literals are bare names: what is wanted decides between two enumerations with the same value. An optional never turns into its
value silently; it does where the text itself has shown that there is one (`is not none`, `scope.known_if`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from croupier.diagnostics import Span
from croupier.semantics import types as t
from croupier.semantics.arithmetic import interval
from croupier.semantics.habits import mismatch_help, walking_help
from croupier.semantics.names import Names
from croupier.semantics.scope import Scope, known_if, path
from croupier.semantics.tree import X
from croupier.semantics.types import BOOL, INT, NOTHING, Type
from croupier.syntax import nodes as n

COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}


class Expressions(Names, ABC):
    """Checks expressions against a program whose declarations are known."""

    # ------------------------------------------------------------ entry points
    def check(self, node: n.Expr, scope: Scope, wanted: Type | None = None) -> X:
        """Type an expression; with `wanted`, report it when it cannot stand there."""
        x = self.infer(node, scope, wanted)
        if wanted is None or isinstance(x.type, t.Unknown):
            return x
        return self.fit(x, wanted, node.span)

    def fit(self, x: X, wanted: Type, span: Span, why: str | None = None) -> X:
        if isinstance(x.type, (t.Zone, t.Family)) and isinstance(wanted, t.Collection):
            x = self.as_list(x)
        if isinstance(x.type, t.Collection) and isinstance(wanted, t.Collection) and x.type.kind != wanted.kind and x.op == "list" and not x.args:
            x = X("list", t.Collection(wanted.kind, t.NEVER), x.span)
        if t.fits(x.type, wanted):
            return x
        if isinstance(x.type, t.Optional) and t.fits(x.type.base, wanted):
            return self.wrong("T002", span, given=x.type, wanted=wanted)
        if isinstance(x.type, t.Int) and isinstance(wanted, t.Int):
            return self.wrong("T017", span, given=x.type, wanted=wanted)
        if str(x.type) == str(wanted):
            help = "maps have the same keys only if their bounds are written with the same parameters"
            return self.wrong("T001", span, given=t.in_full(x.type), wanted=t.in_full(wanted), help=help)
        return self.wrong("T001", span, given=x.type, wanted=wanted, help=mismatch_help(x.type, wanted))

    def condition(self, node: n.Expr, scope: Scope) -> X:
        return self.check(node, scope, BOOL)

    # ------------------------------------------------------------ the table of nodes
    def infer(self, node: n.Expr, scope: Scope, wanted: Type | None) -> X:
        span = node.span
        aim = wanted.base if isinstance(wanted, t.Optional) else wanted
        match node:
            case n.Int():
                if abs(node.value) > 2**53:
                    return self.wrong("T018", span)
                return X("const", t.Int(node.value, node.value), span, (), node.value)
            case n.Bool():
                return X("const", BOOL, span, (), node.value)
            case n.NoneLit():
                if isinstance(aim, t.Enum) and "none" in self.program.enums[aim.name].values:
                    return X("enum", aim, span, (), (aim.name, "none"))
                return X("const", NOTHING, span, (), None)
            case n.Template():
                return self.text(node, scope, aim)
            case n.Name():
                return self.narrowed(node, self.name(node, scope, aim), scope)
            case n.Attr():
                return self.narrowed(node, self.attribute(node, scope), scope)
            case n.Index():
                return self.narrowed(node, self.index(node, scope), scope)
            case n.Call():
                return self.call(node, scope, wanted)
            case n.Aggregate():
                return self.aggregate(node, scope, aim)
            case n.Certain():
                x = self.check(node.value, scope)
                if isinstance(x.type, t.Unknown):
                    return x
                if not isinstance(x.type, t.Optional):
                    if x.op == "certain":
                        return x
                    return self.wrong("T009", span, given=x.type, fix=self.without(Span(span.source, span.end - 1, span.end)))
                return X("certain", x.type.base, span, (x,))
            case n.Unary(op="not"):
                return X("not", BOOL, span, (self.condition(node.value, scope),))
            case n.Unary():
                value = self.check(node.value, scope, INT)
                if node.op == "+":
                    return value
                return X("neg", interval("neg", value.type), span, (value,))
            case n.Binary():
                return self.binary(node, scope, aim)
            case n.IsNone():
                x = self.check(node.value, scope.child())
                if x.op == "certain" and not isinstance(node.value, n.Certain):
                    x = x.args[0]
                if not isinstance(x.type, (t.Optional, t.Unknown, t.Nothing)):
                    return self.wrong("T010", span, given=x.type)
                return X("is_some" if node.negated else "is_none", BOOL, span, (x,))
            case n.IsKind():
                return self.is_kind(node, scope)
            case n.IfElse():
                c = self.condition(node.condition, scope)
                a = self.check(node.then, scope.child(known_if(node.condition, True)), wanted)
                b = self.check(node.other, scope.child(known_if(node.condition, False)), wanted)
                kind = t.join(a.type, b.type)
                if kind is None:
                    a, b = self.listed(a), self.listed(b)
                    kind = t.join(a.type, b.type)
                if kind is None:
                    return self.wrong("T014", span, first=a.type, second=b.type)
                return X("if", kind, span, (c, a, b))
            case n.ListLit() | n.ListComp():
                return self.list_literal(node, scope, aim)
            case n.MapLit() | n.MapComp():
                return self.map_literal(node, scope, aim)
        raise AssertionError(node)

    def narrowed(self, node: n.Expr, x: X, scope: Scope) -> X:
        """A value as what the text has shown it to be: there, and of which kinds."""
        known = scope.known(path(node))
        if isinstance(x.type, t.Optional) and any(f.kind is None for f in known):
            x = X("certain", x.type.base, x.span, (x,))
        elif isinstance(x.type, t.Optional):
            changed = scope.ended_by(path(node))
            if changed is not None:
                self.forgotten[x.span.start, x.span.end] = changed
        if isinstance(x.type, t.Component) and len(x.type.kinds) > 1:
            kinds = x.type.kinds
            for f in known:
                if f.kind in kinds:
                    kinds = frozenset([f.kind]) if f.holds else kinds - {f.kind}
            if kinds != x.type.kinds:
                x = X("narrow", t.Component(kinds), x.span, (x,))
        return x

    def is_kind(self, node: n.IsKind, scope: Scope) -> X:
        """`x is Kind`."""
        x = self.check(node.value, scope)
        while x.op == "narrow":
            x = x.args[0]
        if node.kind not in self.program.classes:
            habit = {"help": "`is` asks for `none` or a kind of component; write `==` to compare"}
            near = self.suggest(node.kind, list(self.program.classes)) or habit
            return self.wrong("N001", node.kind_span, name=node.kind, kind="kind of component", **near)
        if isinstance(x.type, t.Optional) and isinstance(x.type.base, t.Component):
            return self.wrong("T002", node.value.span, given=x.type, wanted=x.type.base)
        if isinstance(x.type, t.Unknown):
            return X("unknown", BOOL, node.span)
        if not isinstance(x.type, t.Component) or node.kind not in x.type.kinds or len(x.type.kinds) == 1:
            always = isinstance(x.type, t.Component) and node.kind in x.type.kinds
            help = f"leave the question out: everything here is a `{node.kind}`" if always else None
            if not always and isinstance(x.type, t.Component):
                help = f"this is of the kind {' or '.join(f'`{kind}`' for kind in sorted(x.type.kinds))}"
            elif not always:
                help = "`is` asks of which kind a component is; values are compared with `==`"
            return self.wrong("T061", node.span, given=node.value.span.text, how="always" if always else "never", kind=node.kind, help=help)
        self.used.add(("component", node.kind))
        return X("is_other" if node.negated else "is_kind", BOOL, node.span, (x,), node.kind)

    def text(self, node: n.Template, scope: Scope, aim: Type | None) -> X:
        if isinstance(aim, t.Component) and all(isinstance(p, str) for p in node.parts):
            return X("labelled", aim, node.span, (), node.raw)
        args: list[X] = []
        data: list[str | None] = []
        for p in node.parts:
            if isinstance(p, str):
                data.append(p)
            else:
                data.append(None)
                args.append(self.listed(self.check(p, scope)))
        return X("text", t.TEXT, node.span, tuple(args), tuple(data))

    # ------------------------------------------------------------ collections
    def as_list(self, x: X) -> X:
        """A value that can be walked, as a list; reports what cannot."""
        match x.type:
            case t.Collection() | t.Unknown():
                return x
            case t.Zone():
                return X("zone_list", t.list_of(t.Component(x.type.kinds)), x.span, (x,))
            case t.Family():
                return X("family_list", t.list_of(t.Component(x.type.kinds)), x.span, (x,))
            case t.Optional():
                return X("optional_list", t.list_of(x.type.base), x.span, (x,))
            case t.Board():
                return X("board_cells", t.list_of(t.Cell(x.type.name, self.program.boards[x.type.name].cell), True), x.span, (), x.type.name)
        return self.wrong("T004", x.span, given=x.type, help=walking_help(x.type))

    def listed(self, x: X) -> X:
        """What lies in a zone or in the zones of a family, as a list; any other value as it is."""
        return self.as_list(x) if isinstance(x.type, (t.Zone, t.Family)) else x

    # ------------------------------------------------------------ what subclasses add
    @abstractmethod
    def attribute(self, node: n.Attr, scope: Scope) -> X: ...

    @abstractmethod
    def index(self, node: n.Index, scope: Scope) -> X: ...

    @abstractmethod
    def call(self, node: n.Call, scope: Scope, wanted: Type | None) -> X: ...

    @abstractmethod
    def aggregate(self, node: n.Aggregate, scope: Scope, aim: Type | None) -> X: ...

    @abstractmethod
    def binary(self, node: n.Binary, scope: Scope, aim: Type | None) -> X: ...

    @abstractmethod
    def list_literal(self, node: n.ListLit | n.ListComp, scope: Scope, aim: Type | None) -> X: ...

    @abstractmethod
    def map_literal(self, node: n.MapLit | n.MapComp, scope: Scope, aim: Type | None) -> X: ...
