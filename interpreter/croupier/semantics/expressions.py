"""Checking expressions: from nodes to typed nodes, with what is wanted flowing down and what is given flowing up.

Enumeration literals are bare names: what is wanted decides between two enumerations with the same value. An optional never turns into its
value silently; it does where the text itself has shown that there is one (`is not none`, `scope.known_if`).
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from croupier.diagnostics import Diagnostic, Span, diagnose, did_you_mean
from croupier.semantics import types as t
from croupier.semantics.arithmetic import interval
from croupier.semantics.program import Program
from croupier.semantics.scope import Local, Scope, known_if, path
from croupier.semantics.tree import Proc, X
from croupier.semantics.types import BOOL, INT, NOTHING, PLAYER, UNKNOWN, Type
from croupier.syntax import nodes as n

COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}


class Expressions:
    """Checks expressions against a program whose declarations are known."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found: list[Diagnostic] = []
        self.quiet = False  # inside a procedure with a syntax error: names may be missing
        self.used: set[tuple[str, str]] = set()
        self.dropped: set[str] = set()  # names whose declaration was refused: unknown, but not reported again
        self.expression_calls: list[tuple[X, Span]] = []  # calls inside expressions of the body being checked: they must be pure
        self.pending: list[tuple[Proc | None, X, Span]] = []
        self.calling: Proc | None = None

    # ------------------------------------------------------------ reporting
    def wrong(self, code: str, span: Span, **args: Any) -> X:
        if not (self.quiet and code.startswith("N")):
            self.found.append(diagnose(code, span, **args))
        return X("unknown", UNKNOWN, span)

    def suggest(self, name: str, candidates: list[str]) -> dict[str, Any]:
        near = did_you_mean(name, candidates)
        return {} if near is None else {"help": f"did you mean `{near}`?"}

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
        return self.wrong("T001", span, given=x.type, wanted=wanted)

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
                    return self.wrong("T009", span, given=x.type)
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
                if path(node.value) in scope.certain and x.op == "certain":
                    x = x.args[0]
                if not isinstance(x.type, (t.Optional, t.Unknown, t.Nothing)):
                    return self.wrong("T010", span, given=x.type)
                return X("is_some" if node.negated else "is_none", BOOL, span, (x,))
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
            case n.ListLit():
                return self.list_literal(node, scope, aim)
            case n.ListComp():
                inner, args, slots, sure = self.fors(node.fors, node.condition, scope)
                element = self.check(node.element, inner, aim.base if isinstance(aim, t.Collection) else None)
                return X("comp", t.list_of(element.type, sure), span, (*args, element), ("list", slots, node.condition is not None, False))
            case n.MapLit() | n.MapComp():
                return self.map_literal(node, scope, aim)
        raise AssertionError(node)

    def narrowed(self, node: n.Expr, x: X, scope: Scope) -> X:
        if isinstance(x.type, t.Optional) and path(node) in scope.certain:
            return X("certain", x.type.base, x.span, (x,))
        return x

    # ------------------------------------------------------------ names
    def name(self, node: n.Name, scope: Scope, aim: Type | None) -> X:
        p, span, name = self.program, node.span, node.name
        local = scope.find(name)
        if local is not None:
            local.used = True
            return self.local(local, span)
        if isinstance(aim, t.Enum) and name in p.enums[aim.name].values:
            return X("enum", aim, span, (), (aim.name, name))
        if isinstance(aim, t.Component):
            owner = next((k for k in sorted(aim.kinds) if k in p.classes and name in self.ids_of(k)), None)
            if owner is not None:
                return X("component", t.Component(frozenset([owner])), span, (), (owner, name))
        if isinstance(aim, t.Cell) and name in p.boards[aim.board].cells:
            return X("cell", aim, span, (), (aim.board, name))
        found = self.global_name(name, span)
        if found is not None:
            return found
        everywhere = [e for e in p.enums.values() if name in e.values]
        tiers = ([e for e in everywhere if e.name not in p.params and e.span is not None], [e for e in everywhere if e.name in p.params], everywhere)
        enums = next((tier for tier in tiers if tier), [])
        if len(enums) == 1:
            return X("enum", t.Enum(enums[0].name), span, (), (enums[0].name, name))
        if enums:
            return self.wrong("N007", span, name=name, help="write " + " or ".join(f"`{e.name}.{name}`" for e in enums))
        if name in self.dropped:
            return X("unknown", UNKNOWN, span)
        if name in p.defs or name in p.windows:
            return self.wrong("N011", span, name=name)
        return self.wrong("N001", span, name=name, kind="value", **self.suggest(name, self.all_names(scope)))

    def local(self, local: Local, span: Span) -> X:
        return X("local", local.type, span, (), local.slot)

    def ids_of(self, kind: str) -> list[str]:
        return [i for i, _, _ in self.program.classes[kind].rows if i is not None]

    def global_name(self, name: str, span: Span) -> X | None:
        p = self.program
        if name in p.params:
            self.used.add(("parameter", name))
            return X("param", p.params[name].type, span, (), name)
        if name in p.vars:
            self.used.add(("state", name))
            return X("state", p.vars[name].type, span, (), name)
        if name in p.zones:
            self.used.add(("zone", name))
            z = p.zones[name]
            return X("zone", t.Zone(z.kinds, z.order) if z.key is None else t.Family(name, z.key, z.kinds), span, (), name)
        if name in p.boards:
            self.used.add(("board", name))
            return X("board", t.Board(name), span, (), name)
        if name == "players":
            return X("players", t.list_of(PLAYER, True), span)
        if name in p.enums:
            return X("enum_values", t.list_of(t.Enum(name), True), span, (), name)
        if name in p.classes:
            return X("class", t.list_of(t.Component(frozenset([name])), False), span, (), name)
        owner = next((k for k in p.classes if name in self.ids_of(k)), None)
        if owner is not None:
            return X("component", t.Component(frozenset([owner])), span, (), (owner, name))
        for b in p.boards.values():
            if name in b.cells:
                return X("cell", t.Cell(b.name, b.cell), span, (), (b.name, name))
            if name == b.cell:
                return X("board_cells", t.list_of(t.Cell(b.name, b.cell), True), span, (), b.name)
        return None

    def all_names(self, scope: Scope) -> list[str]:
        p = self.program
        names = [*scope.visible(), *p.params, *p.vars, *p.zones, *p.boards, "players", *p.enums, *p.classes, *p.defs]
        names += [v for e in p.enums.values() for v in e.values] + [i for k in p.classes for i in self.ids_of(k)]
        return names

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
                args.append(self.shown(self.check(p, scope)))
        return X("text", t.TEXT, node.span, tuple(args), tuple(data))

    def shown(self, x: X) -> X:
        return self.as_list(x) if isinstance(x.type, (t.Zone, t.Family)) else x

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
        return self.wrong("T004", x.span, given=x.type)

    def listed(self, x: X) -> X:
        return self.as_list(x) if isinstance(x.type, (t.Zone, t.Family)) else x

    def list_literal(self, node: n.ListLit, scope: Scope, aim: Type | None) -> X:
        if not node.items:
            word = aim.kind if isinstance(aim, t.Collection) else "list"
            return X("list", t.Collection(word, t.NEVER), node.span)
        inner = aim.base if isinstance(aim, t.Collection) else None
        items = self.together(list(node.items), scope, inner)
        kind: Type = t.NEVER
        for x in items:
            joined = t.join(kind, x.type)
            if joined is None:
                return self.wrong("T014", x.span, first=kind, second=x.type)
            kind = joined
        return X("list", t.list_of(kind, True), node.span, tuple(items))

    def together(self, items: list[n.Expr], scope: Scope, wanted: Type | None) -> list[X]:
        """Check expressions that must have one type: those with a type of their own first, bare literals by what those are."""
        first = [i for i in items if not self.literal(i, scope)]
        done = {id(i): self.check(i, scope, wanted) for i in first}
        if wanted is None:
            wanted = next((x.type for x in done.values() if not isinstance(x.type, (t.Unknown, t.Nothing, t.Int))), None)
            wanted = None if not isinstance(wanted, (t.Enum, t.Component, t.Cell, t.Optional)) else wanted
        for i in items:
            if id(i) not in done:
                done[id(i)] = self.check(i, scope, None) if wanted is None else self.infer(i, scope, wanted)
        return [done[id(i)] for i in items]

    def literal(self, node: n.Expr, scope: Scope) -> bool:
        if isinstance(node, (n.NoneLit, n.Template)):
            return True
        if isinstance(node, n.ListLit):
            return bool(node.items) and all(self.literal(i, scope) for i in node.items)
        return isinstance(node, n.Name) and scope.find(node.name) is None and self.plain_literal(node.name)

    def plain_literal(self, name: str) -> bool:
        p = self.program
        known = name in p.params or name in p.vars or name in p.zones or name in p.boards or name == "players"
        return not known or any(name in e.values for e in p.enums.values())

    def map_literal(self, node: n.MapLit | n.MapComp, scope: Scope, aim: Type | None) -> X:
        key_aim, value_aim = (aim.key, aim.value) if isinstance(aim, t.Map) else (None, None)
        if isinstance(node, n.MapComp):
            inner, args, slots, _ = self.fors(node.fors, node.condition, scope)
            key, value = self.check(node.key, inner, key_aim), self.check(node.value, inner, value_aim)
            return X("map_comp", t.Map(key.type, value.type), node.span, (*args, key, value), (slots, node.condition is not None))
        keys = self.together([k for k, _ in node.entries], scope, key_aim)
        values = self.together([v for _, v in node.entries], scope, value_aim)
        kind: Type = t.NEVER
        value_kind: Type = t.NEVER
        for k in keys:
            kind = t.join(kind, k.type) or UNKNOWN
        for v in values:
            joined = t.join(value_kind, v.type)
            if joined is None:
                return self.wrong("T014", v.span, first=value_kind, second=v.type)
            value_kind = joined
        return X("map", t.Map(kind, value_kind), node.span, tuple(x for pair in zip(keys, values, strict=True) for x in pair))

    def fors(self, fors: tuple[n.For, ...], condition: n.Expr | None, scope: Scope) -> tuple[Scope, tuple[X, ...], tuple[int, ...], bool]:
        """The `for … if …` of a comprehension: its scope, sources and condition, slots, and whether it surely yields something."""
        inner, args, slots, sure = scope.child(), [], [], condition is None
        for f in fors:
            source = self.as_list(self.check(f.source, inner))
            base = source.type.base if isinstance(source.type, t.Collection) else UNKNOWN
            sure = sure and isinstance(source.type, t.Collection) and source.type.nonempty
            self.check_new_name(f.name, f.span, inner)
            local = inner.declare(f.name, base, f.span)
            args.append(source)
            slots.append(local.slot)
        if condition is not None:
            args.append(self.condition(condition, inner))
            inner = inner.child(known_if(condition, True))
        return inner, tuple(args), tuple(slots), sure

    def check_new_name(self, name: str, span: Span, scope: Scope) -> None:
        """A local may not hide anything: whoever reads the text would think of the other."""
        other = None if name == "_" else "a local" if scope.find(name) else self.meaning(name)
        if other is not None:
            self.wrong("N005", span, name=name, other=other)

    def meaning(self, name: str) -> str | None:
        """What a name stands for everywhere, in words."""
        p = self.program
        tables: tuple[tuple[str, Container[str]], ...] = (
            ("a parameter", p.params), ("state", p.vars), ("a zone", p.zones), ("a board", p.boards), ("a definition", p.defs), ("a window", p.windows),
            ("a component", p.classes), ("a type", p.enums), ("a type", p.records), ("the list of all players", ("players",)),
        )  # fmt: skip
        return next((words for words, table in tables if name in table), None)

    # supplied by the mix-ins
    def attribute(self, node: n.Attr, scope: Scope) -> X:
        raise AssertionError

    def index(self, node: n.Index, scope: Scope) -> X:
        raise AssertionError

    def call(self, node: n.Call, scope: Scope, wanted: Type | None) -> X:
        raise AssertionError

    def aggregate(self, node: n.Aggregate, scope: Scope, aim: Type | None) -> X:
        raise AssertionError

    def binary(self, node: n.Binary, scope: Scope, aim: Type | None) -> X:
        raise AssertionError
