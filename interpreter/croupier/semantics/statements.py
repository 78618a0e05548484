"""Checking statements: each becomes one typed statement; locals become slots, targets of assignments are what may be written."""

from __future__ import annotations

from dataclasses import replace

from croupier.diagnostics import Label, Span
from croupier.semantics import types as t
from croupier.semantics.citations import cited_ids
from croupier.semantics.decisions import Decisions
from croupier.semantics.habits import fixed_help, leaving_help
from croupier.semantics.narrowing import ended, kept
from croupier.semantics.scope import Fact, Facts, Scope, known_if, path
from croupier.semantics.tree import S, X
from croupier.semantics.types import BOOL, INT, PLAYER, Type
from croupier.semantics.ways_out import leaves
from croupier.syntax import nodes as n

LISTS = ("list", "set", "bag")


class Statements(Decisions):
    """Checks blocks; `self.returns` is what the procedure promised."""

    returns: Type = t.NOTHING
    loops = 0

    def block(self, body: n.Block, scope: Scope) -> list[S]:
        """A block: its locals end with it; what a condition has shown holds until the end when the other way leaves the block."""
        inner, out = scope.child(), []
        outer = self.prelude
        for node in body:
            self.learnt: Facts = frozenset()
            self.prelude = []
            s = self.statement(node, inner)
            out += [replace(before, cites=s.cites) for before in self.prelude]
            out.append(s)
            self.keep(inner, inner.certain, (node,), inner)
            if isinstance(node, n.If) and not node.other and leaves(node.then):
                inner.certain |= known_if(node.condition, False)
            if isinstance(node, n.Assign):
                inner.certain |= self.learnt
        for a, b in zip(body, body[1:], strict=False):
            if leaves((a,)) and not isinstance(b, n.Broken):
                self.found_unreachable(b.span)
                break
        self.prelude = outer
        return out

    def found_unreachable(self, span: Span) -> None:
        self.wrong("F001", span)

    def statement(self, node: n.Stmt, scope: Scope) -> S:
        cites = self.cites(node.cites)
        s = self.dispatch(node, scope)
        s.cites = cites
        return s

    def cites(self, cites: tuple[n.Cite, ...]) -> tuple[str, ...]:
        return cited_ids(self, cites)

    def dispatch(self, node: n.Stmt, scope: Scope) -> S:
        span = node.span
        match node:
            case n.Let():
                wanted = None if node.type is None else self.type(node.type, scope)
                value = self.value(node.value, scope, wanted)
                how = t.unsaid(value.type) if wanted is None and (node.mutable or isinstance(value.type, t.Nothing)) else None
                if how is not None:
                    write = f"write `{'var' if node.mutable else 'let'} {node.name}: {t.outline(value.type)} = …`"
                    value = self.wrong("T033", node.value.span, name=node.name, how=how, help=write)
                if isinstance(value.type, t.Endless):
                    value = self.wrong("T068", node.value.span)
                kind = wanted or self.storable(value, node.mutable)
                self.check_new_name(node.name, node.name_span, scope, node.mutable)
                local = scope.declare(node.name, kind, node.name_span, node.mutable)
                local.by_value = node.mutable and wanted is None
                return S("let", span, (self.guard(self.listed(value), kind),), (), local.slot)
            case n.Assign():
                return self.assign(node, scope)
            case n.CallStmt():
                if not isinstance(node.call, n.Call):
                    if not isinstance(self.check(node.call, scope).type, t.Unknown):
                        self.wrong("F002", span)
                    return S("pass", span)
                x = self.value(node.call, scope, None, alone=True)
                if x.op not in ("call", "original", "unknown"):
                    self.wrong("F002", span)
                return S("do", span, (x,))
            case n.Return():
                return self.return_(node, scope)
            case n.Simple():
                if node.word in ("break", "continue") and not self.loops:
                    self.wrong("F003", span, word=node.word, help=leaving_help(scope.proc.kind))
                return S(node.word, span)
            case n.If():
                c = self.condition(node.condition, scope)
                then = self.block(node.then, scope.child(known_if(node.condition, True)))
                other = self.block(node.other, scope.child(known_if(node.condition, False)))
                return S("if", span, (c,), (then, other))
            case n.ForStmt():
                return self.for_(node, scope)
            case n.Repeat():
                inner = self.loop_scope(scope, node.body)
                until = () if node.until is None else (self.condition(node.until, inner),)
                self.loops += 1
                body = self.block(node.body, inner)
                self.loops -= 1
                return S("repeat", span, until, (body,))
            case n.Match():
                return self.match_(node, scope)
            case n.Move():
                return self.move(node, scope)
            case n.Draw():
                return self.draw(node, scope)
            case n.Verb():
                return self.verb(node, scope)
            case n.Tell():
                args = (self.check(node.text, scope),)
                to = () if node.to is None else (self.audience(node.to, scope),)
                return S("tell" if to else "announce", span, (*args, *to))
            case n.Open():
                return self.open_(node, scope)
            case n.Finish():
                return self.finish(node, scope)
            case n.Choose():
                return self.choose(node, scope)
            case n.Menu():
                return self.menu(node, scope)
            case n.SoThat():
                self.bounded(node.within, node.within_span)
                self.leaky(span, node.leaks)
                body = self.block(node.body, scope)
                other = self.block(node.other or (), scope)
                condition = self.condition(node.condition, scope)
                slot = scope.proc.slot("$so", BOOL)  # after those of the blocks inside
                return S("so_that", span, (condition,), (body, other), (node.other is not None, node.within, slot))
            case n.Secretly():
                players = self.audience(node.player, scope)
                return S("secretly", span, (players,), (self.block(node.body, scope),), scope.proc.slot("$viewer", INT))
            case n.Broken():
                self.dropped |= node.words
                self.loops += 1
                self.block(node.body, scope)
                self.loops -= 1
                return S("pass", span)
        raise AssertionError(node)

    # ------------------------------------------------------------ values of statements
    def value(self, node: n.Expr, scope: Scope, wanted: Type | None, alone: bool = False) -> X:
        """The right side of a statement, or a call `alone`: here, and only here, a call may act or suspend."""
        before = len(self.expression_calls)
        self.alone = node if alone else None
        x = self.check(node, scope, wanted)
        if x.op in ("call", "original") and len(self.expression_calls) > before:
            self.expression_calls.pop()
        return x

    def storable(self, x: X, mutable: bool) -> Type:
        """The type a local without a written type gets: numbers in a `var` are not held to the bounds of the first value."""
        kind = x.type
        if isinstance(kind, (t.Zone, t.Family)):
            return t.list_of(t.Component(kind.kinds))
        return t.widened(kind) if mutable else kind

    def guard(self, x: X, wanted: Type) -> X:
        """A value on its way into a declared place: what the checker could not prove is tested when the rule runs."""
        if isinstance(x.type, t.Unknown) or t.within(x.type, wanted):
            return x
        return X("bound", wanted, x.span, (x,))

    def target(self, node: n.Expr, scope: Scope) -> X:
        """Something that can be written."""
        x = self.infer(node, scope.child(), None)
        while x.op == "narrow" or (x.op == "certain" and not isinstance(node, n.Certain)):
            x = x.args[0]
        root = x
        while root.op == "index" or (root.op == "item" and root.args[0].type == t.list_of(root.type)):
            root = root.args[0]
        if root.op == "local" and isinstance(node, (n.Name, n.Index)):
            name = node
            while isinstance(name, n.Index):
                name = name.target  # type: ignore[assignment]
            local = scope.find(name.name) if isinstance(name, n.Name) else None
            if local is not None and not local.mutable:
                self.wrong("T034", node.span, name=local.name, labels=(), help=fixed_help(local.name, local.span))
        elif root.op not in ("state", "mutable", "unknown", "local"):
            zone = isinstance(x.type, (t.Zone, t.Family))
            return self.wrong("T035", node.span, help="components go from zone to zone: `move … to …`" if zone else None)
        return x

    def assign(self, node: n.Assign, scope: Scope) -> S:
        target = self.target(node.target, scope)
        wanted = target.type
        if node.op != "=":
            if not isinstance(wanted, (t.Int, t.Unknown)):
                self.wrong("T006", node.target.span, op=node.op, given=wanted)
            value = self.check(node.value, scope, INT)
            value = X(node.op[0], INT, node.span, (target, value))
        else:
            before = len(self.found)
            value = self.value(node.value, scope, None if isinstance(wanted, t.Unknown) else wanted)
            self.none_into(node, wanted, before, scope)
        where = path(node.target)
        if where is not None and node.op == "=":
            self.learnt = self.shown_by(where, value.type, wanted)
        return S("assign", node.span, (target, self.guard(self.listed(value), wanted)))

    def none_into(self, node: n.Assign, wanted: Type, before: int, scope: Scope) -> None:
        """Where a `var` without a written type is given what may be none: how it is declared, so that it can hold that."""
        local = scope.find(node.target.name) if isinstance(node.target, n.Name) else None
        refused = [i for i, d in enumerate(self.found) if i >= before and d.code in ("T001", "T002") and d.span == node.value.span]
        if local is None or not local.by_value or not refused or not (isinstance(node.value, n.NoneLit) or self.found[refused[0]].code == "T002"):
            return
        d = self.found[refused[0]]
        usual = "" if d.help is None else f"{d.help}; "
        declare = f"to let `{local.name}` hold none, write its type: `var {local.name}: {wanted}? = …`"
        self.found[refused[0]] = replace(d, help=usual + declare, labels=(*d.labels, Label(local.span, f"a {wanted}, as its first value")))

    def shown_by(self, where: str, given: Type, wanted: Type) -> Facts:
        """What an assignment shows about the place at `where`: that there is a value, and of which kinds it is not."""
        facts: list[Fact] = []
        if isinstance(wanted, t.Optional) and not isinstance(given, (t.Optional, t.Nothing, t.Unknown)):
            facts.append(Fact(where))
            wanted = wanted.base
        if isinstance(wanted, t.Component) and isinstance(given, t.Component):
            facts += [Fact(where, k, False) for k in wanted.kinds - given.kinds]
        return frozenset(facts)

    def return_(self, node: n.Return, scope: Scope) -> S:
        wanted = self.returns
        if node.value is None:
            if not isinstance(wanted, (t.Nothing, t.Unknown)):
                self.wrong("T036", node.span, wanted=wanted)
            return S("return", node.span)
        if isinstance(wanted, t.Nothing):
            self.check(node.value, scope)
            self.wrong("T037", node.value.span)
            return S("return", node.span)
        return S("return", node.span, (self.guard(self.listed(self.value(node.value, scope, wanted)), wanted),))

    # ------------------------------------------------------------ loops and cases
    def loop_scope(self, scope: Scope, body: n.Block) -> Scope:
        """The scope inside a loop: of what is known before it, what holds each time around."""
        inner = scope.child()
        self.keep(inner, scope.certain, body, scope)
        return inner

    def keep(self, inner: Scope, facts: Facts, body: n.Block, scope: Scope) -> None:
        """Of these facts, those that still hold after some statements are known in `inner`; of the others, where they ended."""
        inner.certain = kept(facts, body, scope, leaves, self.program)
        if inner.certain != facts:
            inner.ended |= ended(facts, inner.certain, body, scope, leaves, self.program)

    def for_(self, node: n.ForStmt, scope: Scope) -> S:
        source = self.listed(self.check(node.source, scope))
        endless = isinstance(source.type, t.Endless)
        if not endless:
            source = self.as_list(source)
        base = PLAYER if endless else source.type.base if isinstance(source.type, t.Collection) else t.UNKNOWN
        inner = self.loop_scope(scope, node.body)
        self.check_new_name(node.name, node.name_span, scope)
        local = inner.declare(node.name, base, node.name_span)
        args = (source,) if node.condition is None else (source, self.condition(node.condition, inner))
        inner = inner.child(known_if(node.condition, True)) if node.condition is not None else inner
        items, cursor = scope.proc.slot("$items", source.type), scope.proc.slot("$at", INT)
        self.loops += 1
        body = self.block(node.body, inner)
        self.loops -= 1
        return S("turns" if endless else "for", node.span, args, (body,), (local.slot, items, cursor))

    def match_(self, node: n.Match, scope: Scope) -> S:
        value = self.check(node.value, scope)
        values: list[list[X]] = []
        blocks: list[list[S]] = []
        seen: dict[object, Span] = {}
        for case in node.cases:
            row = []
            for v in case.values:
                x = self.check(v, scope, value.type)
                constant = self.constant(x)
                if constant is None and not isinstance(x.type, t.Unknown):
                    self.wrong("T038", v.span)
                elif constant in seen:
                    self.wrong("F004", v.span)
                elif constant is not None:
                    seen[constant] = v.span
                row.append(x)
            values.append(row)
            blocks.append(self.block(case.body, scope))
        if node.other is None:
            self.exhaustive(node, value.type, set(seen))
        else:
            blocks.append(self.block(node.other, scope))
        return S("match", node.span, (value,), tuple(blocks), (values, node.other is not None))

    def constant(self, x: X) -> object:
        return (x.op, x.data) if x.op in ("const", "enum", "component", "cell") else None

    def exhaustive(self, node: n.Match, kind: Type, seen: set[object]) -> None:
        base = kind.base if isinstance(kind, t.Optional) else kind
        wanted: list[tuple[str, object]] = []
        if isinstance(base, t.Enum):
            wanted = [(v, ("enum", (base.name, v))) for v in self.program.enums[base.name].values]
        elif isinstance(base, t.Bool):
            wanted = [("true", ("const", True)), ("false", ("const", False))]
        elif isinstance(base, t.Cell) and self.program.boards[base.board].cells:
            wanted = [(c, ("cell", (base.board, c))) for c in self.program.boards[base.board].cells]
        elif not isinstance(base, t.Unknown):
            self.wrong("T039", node.value.span, given=base)
            return
        if isinstance(kind, t.Optional):
            wanted.append(("none", ("const", None)))
        missing = [f"`{word}`" for word, key in wanted if key not in seen]
        if missing:
            self.wrong("F005", node.value.span, missing=", ".join(missing))
