"""Checking statements: each becomes one typed statement; locals become slots, targets of assignments are what
may be written.

Each class of nodes has a row in `StatementChecker.rules`; those of zones and decisions come from
`zone_statements` and `decisions`. Some statements are written as others first (`expansions`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from croupier.diagnostics import Fix, Label, Span, diagnose
from croupier.kernel import types as t
from croupier.kernel.tree import (
    MOVED,
    AssignStmt,
    CallExpr,
    CellExpr,
    ComponentExpr,
    ConstExpr,
    DoStmt,
    EmitStmt,
    EnumExpr,
    ForEachStmt,
    ForSecondsStmt,
    IfStmt,
    LeaveStmt,
    LetStmt,
    LocalExpr,
    MatchStmt,
    OperationExpr,
    PassStmt,
    RepeatStmt,
    SecretlyStmt,
    SoThatStmt,
    SupposeStmt,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import BOOL, INT, PLAYER, Type
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.calls import CallChecker
from croupier.semantics.context import Fact, Facts, LocalName, Scope, known_if, path
from croupier.semantics.declaration_parts import TypeExpressions
from croupier.semantics.expansions import Expansions
from croupier.semantics.expressions import CheckerPart
from croupier.semantics.names import leaving_help, no_result_help
from croupier.semantics.narrowing import asks, facts_ended, facts_kept, leaves, names_in
from croupier.semantics.procedures import Param, Proc
from croupier.semantics.rewrites import AtOnceStmt
from croupier.semantics.walk import writes_state
from croupier.syntax import nodes as n
from croupier.syntax.spelling import FOREIGN, is_near

Rule = Callable[[Any, Scope], TypedStmt]
"""Checks one class of statements in a scope."""


ONE_WORD = ("pass", *LeaveStmt.WORDS)  # statements of one word

MOST_CASES = 4  # values without a case that help names


class StatementChecker(CheckerPart):
    """Checks blocks; `returns` is what the procedure promised, `loops` how many loops are around."""

    def __init__(self, calls: CallChecker, types: TypeExpressions) -> None:
        super().__init__(calls.expressions)
        self.calls, self.types = calls, types
        self.expansions = Expansions(calls.expressions)
        self.returns: Type = t.NOTHING
        self.mistyped: set[str] = set()  # definitions that give another type than they declare
        self.declared_type: Span | None = None  # the type that the procedure is declared to give
        self.loops = 0
        self.learnt: Facts = frozenset()
        self.rules: dict[type[n.Stmt], Rule] = {
            n.Let: self.let, n.Assign: self.assign, n.CallStmt: self.call_statement, n.Return: self.return_,
            n.Simple: self.simple, n.If: self.if_,
            n.ForStmt: self.for_, n.Repeat: self.repeat, n.Match: self.match_, n.Tell: self.tell,
            n.SoThat: self.so_that, n.Secretly: self.secretly,
            n.ForSeconds: self.for_seconds,
            n.Broken: self.broken,
        }  # fmt: skip

    def block(self, body: n.Block, scope: Scope) -> list[TypedStmt]:
        """A block: its locals end with it; what a condition has shown holds until the end when the other way
        leaves the block.
        """
        return self.in_scope(body, scope.child())

    def in_scope(self, body: n.Block, inner: Scope) -> list[TypedStmt]:
        """A block whose locals are known in a scope of its own."""
        out: list[TypedStmt] = []
        outer = self.calls.prelude
        for node in (part for whole in body for part in self.expansions.of(whole, inner)):
            self.learnt = frozenset()
            self.calls.prelude = []
            s = self.statement(node, inner)
            out += [replace(before, cites=s.cites) for before in self.calls.prelude]
            out.append(s)
            self.keep_facts(inner, inner.certain, (node,), inner)
            if isinstance(node, n.If) and not node.other and leaves(node.then):
                inner.certain |= known_if(node.condition, False)
            if isinstance(node, n.Assign):
                inner.certain |= self.learnt
        for a, b in zip(body, body[1:], strict=False):
            if leaves((a,)) and not isinstance(b, n.Broken):
                ends = Label(a.span, "what is done here ends with this")
                self.ctx.report("F001", b.span, labels=[ends])
                break
        self.calls.prelude = outer
        return out

    def statement(self, node: n.Stmt, scope: Scope) -> TypedStmt:
        cites = self.ctx.cites(node.cites)
        s = self.rules[type(node)](node, scope)
        s.cites = cites
        words: n.Template | None = getattr(node, "words", None)
        if words is not None and not isinstance(s, PassStmt):
            s.words = self.wording(words, s, scope)
        return s

    def wording(self, words: n.Template, s: TypedStmt, scope: Scope) -> TypedExpr:
        """Check the words of the story for a statement that changes something."""
        target = s.target
        if target is not None and not writes_state(s) and not isinstance(target.type, t.Unknown):
            self.ctx.report("F016", words.span, name=target.span.text)
        if len(s.FACTS.into) != 1:  # nothing goes from zone to zone
            return self.expressions.check(words, scope)
        kind = s.args[s.FACTS.zones[0]].type
        kinds = (
            kind.base.kinds
            if isinstance(kind, t.Collection) and isinstance(kind.base, t.Component)
            else getattr(kind, "kinds", frozenset())
        )
        inner = scope.child()
        inner.names["moved"] = LocalName("moved", MOVED, t.list_of(t.Component(kinds)), False, words.span)
        return self.expressions.check(words, inner)

    def let(self, node: n.Let, scope: Scope) -> TypedStmt:
        wanted = None if node.type is None else self.types.type(node.type, scope)
        return self.declared(node, scope, wanted, self.value(node.value, scope, wanted))

    def declared(self, node: n.Let, scope: Scope, wanted: Type | None, value: TypedExpr) -> LetStmt:
        """A name for a value that is checked already; `wanted` is the type that is written."""
        how = (
            t.unsaid(value.type)
            if wanted is None and (node.mutable or isinstance(value.type, t.Nothing))
            else None
        )
        if how is not None:
            write = f"write `{'var' if node.mutable else 'let'} {node.name}: {t.outline(value.type)} = …`"
            value = self.ctx.report("T033", node.value.span, name=node.name, how=how, help=write)
        if isinstance(value.type, t.Endless):
            value = self.ctx.report("T068", node.value.span)
        kind = wanted or self.storable(value, node.mutable)
        self.names.check_new_name(node.name, node.name_span, scope, node.mutable)
        local = scope.declare(node.name, kind, node.name_span, node.mutable)
        local.by_value = node.mutable and wanted is None
        return LetStmt(
            node.span, (self.expressions.guard(self.expressions.zones_as_list(value), kind),), slot=local.slot
        )

    def call_statement(self, node: n.CallStmt, scope: Scope) -> TypedStmt:
        if not isinstance(node.call, n.Call):
            if isinstance(node.call, n.Name) and self.is_misspelt_word(node.call, scope):
                return PassStmt(node.span)
            if not isinstance(self.expressions.check(node.call, scope).type, t.Unknown):
                name = node.call.span.text
                help = (
                    f"give its value to something (`x = {name}`), or leave it out"
                    if name.isidentifier()
                    else None
                )
                self.ctx.report("F002", node.span, help=help)
            return PassStmt(node.span)
        x = self.value(node.call, scope, None, alone=True)
        if x.op not in ("call", "original", "unknown"):
            self.ctx.report("F002", node.span)
        return DoStmt(node.span, (x,))

    def is_misspelt_word(self, node: n.Name, scope: Scope) -> bool:
        """Report a line with one unknown name that is a misspelt statement of one word (`brake`).

        Returns whether it is one.
        """
        small = node.name.casefold()
        near = [
            word
            for word in ONE_WORD
            if small == word or is_near(small, word) or word in FOREIGN.get(small, ())
        ]
        meant = near[0] if near else None
        if (
            meant is None
            or scope.find(node.name) is not None
            or self.names.global_name(node.name, node.span) is not None
        ):
            return False
        self.ctx.report(
            "P011",
            node.span,
            word=node.name,
            help=f"did you mean `{meant}`?",
            fix=Fix(node.span, meant, f"write `{meant}`"),
        )
        return True

    def simple(self, node: n.Simple, scope: Scope) -> TypedStmt:
        if node.word == "pass":
            return PassStmt(node.span)
        if not self.loops:
            self.ctx.report("F003", node.span, word=node.word, help=leaving_help(scope.proc.kind))
        return LeaveStmt(node.span, op=node.word)

    def if_(self, node: n.If, scope: Scope) -> TypedStmt:
        c = self.expressions.condition(node.condition, scope)
        if asks(node.condition, self.expressions.program):  # what it does comes before both blocks
            outer, scope = scope, scope.child()
            self.keep_facts(scope, outer.certain, (replace(node, then=(), other=()),), outer)
        then = self.block(node.then, scope.child(known_if(node.condition, True)))
        other = self.block(node.other, scope.child(known_if(node.condition, False)))
        return IfStmt(node.span, (c,), (then, other))

    def repeat(self, node: n.Repeat, scope: Scope) -> TypedStmt:
        asked = () if node.until is None else (n.If(node.span, node.cites, node.until, (), ()),)
        inner = self.loop_scope(scope, (*asked, *node.body))
        until = () if node.until is None else (self.expressions.condition(node.until, inner),)
        return RepeatStmt(node.span, until, (self.loop(node.body, inner),))

    def loop(self, body: n.Block, scope: Scope) -> list[TypedStmt]:
        """The block of a loop, where `break` and `continue` may stand."""
        self.loops += 1
        checked = self.block(body, scope)
        self.loops -= 1
        return checked

    def tell(self, node: n.Tell, scope: Scope) -> TypedStmt:
        args = (self.expressions.check(node.text, scope),)
        to = () if node.to is None else (self.expressions.audience(node.to, scope),)
        return EmitStmt(node.span, (*args, *to), op="tell")

    def so_that(self, node: n.SoThat, scope: Scope) -> TypedStmt:
        self.ctx.check_bounds(node.within, node.within_span)
        self.ctx.allow_leak(node.span, node.leaks)
        body = self.block(node.body, scope)
        other = self.block(node.other or (), scope)
        condition = self.expressions.condition(node.condition, scope)
        slot = scope.proc.slot("$so", BOOL)  # after those of the blocks inside
        return SoThatStmt(
            node.span,
            (condition,),
            (body, other),
            has_other=node.other is not None,
            within=node.within,
            slot=slot,
        )

    def secretly(self, node: n.Secretly, scope: Scope) -> TypedStmt:
        players = self.expressions.audience(node.player, scope)
        return SecretlyStmt(
            node.span, (players,), (self.block(node.body, scope),), slot=scope.proc.slot("$viewer", INT)
        )

    def for_seconds(self, node: n.ForSeconds, scope: Scope) -> TypedStmt:
        seconds = self.expressions.check(node.seconds, scope)
        if not isinstance(seconds.type, (t.Int, t.Unknown)):
            seconds = self.ctx.report("T001", node.seconds.span, expected="int", found=str(seconds.type))
        return ForSecondsStmt(
            node.span, (seconds,), (self.block(node.body, scope),), otherwise=node.otherwise or ""
        )

    def broken(self, node: n.Broken, scope: Scope) -> TypedStmt:
        self.ctx.dropped |= node.words
        before = len(self.ctx.found)
        self.loop(node.body, scope)
        # branches of what is lost follow one another
        self.ctx.found[before:] = [d for d in self.ctx.found[before:] if d.code != "F001"]
        return PassStmt(node.span)

    # ------------------------------------------------------------ values of statements
    def value(self, node: n.Expr, scope: Scope, wanted: Type | None, alone: bool = False) -> TypedExpr:
        """The right side of a statement, or a call `alone`: here, and only here, a call may act or
        suspend.
        """
        before = len(self.ctx.expression_calls)
        self.calls.alone = node if alone else None
        x = self.expressions.check(node, scope, wanted)
        if len(self.ctx.expression_calls) > before and self.ctx.expression_calls[-1] is x:
            self.ctx.expression_calls.pop()
        return x

    def storable(self, x: TypedExpr, mutable: bool) -> Type:
        """The type a local without a written type gets: numbers in a `var` are not held to the bounds of the
        first value.
        """
        kind = x.type
        if isinstance(kind, (t.Zone, t.Family)):
            return t.list_of(t.Component(kind.kinds))
        return t.widened(kind) if mutable else kind

    def assign(self, node: n.Assign, scope: Scope) -> TypedStmt:
        target = self.expressions.target(node.target, scope)
        last = self.ctx.found[-1] if self.ctx.found else None
        of_target = (
            last is not None
            and (last.code, last.span) == ("N001", node.target.span)
            and last.fix is None
            and last.help is None
        )
        is_glued = (
            isinstance(node.target, n.Name)
            and node.target.name[:3] in ("let", "var")
            and node.target.name[3:].isidentifier()
        )
        if of_target and is_glued and isinstance(node.target, n.Name):
            word, name = node.target.name[:3], node.target.name[3:]
            fix = Fix(node.target.span, f"{word} {name}", f"write `{word} {name}`")
            self.ctx.found[-1] = diagnose("P070", node.target.span, first=word, second=name, fix=fix)
            self.ctx.dropped.add(name)
        elif (
            isinstance(node.target, n.Name)
            and last is not None
            and (last.code, last.span, last.help) == ("N001", node.target.span, None)
        ):
            name = node.target.name
            kept = "what outlasts this rule stands under `state:`"
            help = (
                f"a name for a value begins with `let {name} = …`, or `var {name} = …` if it changes; {kept}"
            )
            self.ctx.found[-1] = replace(last, help=help)
        wanted = target.type
        if node.op != "=" and self.expressions.amounts.is_amount(wanted):
            value = self.expressions.of_amount(node.op[0], node.span, target, node.value, scope, node.op)
        elif node.op != "=":
            if isinstance(wanted, t.Collection):
                self.ctx.report("T006", node.target.span, op=node.op, given=wanted, help=self.grown(node))
                return PassStmt(node.span)
            if not isinstance(wanted, (t.Int, t.Unknown)):
                key = "p" if isinstance(wanted, t.Map) and wanted.key == PLAYER else "k"
                which = (
                    f"say which: `{node.target.span.text}[{key}] {node.op} …`"
                    if isinstance(wanted, t.Map)
                    else None
                )
                self.ctx.report("T006", node.target.span, op=node.op, given=wanted, help=which)
            value = self.expressions.check(node.value, scope, INT)
            value = OperationExpr(node.op[0], INT, node.span, (target, value))
        else:
            before = len(self.ctx.found)
            value = self.value(node.value, scope, None if isinstance(wanted, t.Unknown) else wanted)
            self.explain_none(node, wanted, before, scope)
        where = path(node.target)
        if where is not None and node.op == "=":
            self.learnt = self.facts_shown(where, value.type, wanted)
        return AssignStmt(
            node.span,
            (target, self.expressions.guard(self.expressions.zones_as_list(value), wanted)),
        )

    def grown(self, node: n.Assign) -> str:
        """Say how a list gets or loses what `xs += [x]` says."""
        word, way = ("add", "to") if node.op == "+=" else ("remove", "from")
        if isinstance(node.value, n.ListLit) and len(node.value.items) == 1:
            return f"write `{word} {node.value.items[0].span.text} {way} {node.target.span.text}`"
        one = node.value.span.text if not isinstance(node.value, (n.ListLit, n.ListComp)) else "…"
        return (
            f"one thing: `{word} x {way} {node.target.span.text}`; several: `for x in {one}: {word} x "
            f"{way} {node.target.span.text}`"
        )

    def explain_none(self, node: n.Assign, wanted: Type, before: int, scope: Scope) -> None:
        """Say how to declare a `var` without a written type that is given what may be `none`, so that it can
        hold that.
        """
        local = scope.find(node.target.name) if isinstance(node.target, n.Name) else None
        refused = [
            i
            for i, d in enumerate(self.ctx.found)
            if i >= before and d.code in ("T001", "T002") and d.span == node.value.span
        ]
        if (
            local is None
            or not local.by_value
            or not refused
            or not (isinstance(node.value, n.NoneLit) or self.ctx.found[refused[0]].code == "T002")
        ):
            return
        d = self.ctx.found[refused[0]]
        usual = "" if d.help is None else f"{d.help}; "
        declare = f"to let `{local.name}` hold none, write its type: `var {local.name}: {wanted}? = …`"
        self.ctx.found[refused[0]] = replace(
            d, help=usual + declare, labels=(*d.labels, Label(local.span, f"a {wanted}, as its first value"))
        )

    def facts_shown(self, where: str, given: Type, wanted: Type) -> Facts:
        """Return the facts that an assignment shows about the place at `where`: that there is a value, and of
        which kinds it is not.
        """
        facts: list[Fact] = []
        if isinstance(wanted, t.Optional) and not isinstance(given, (t.Optional, t.Nothing, t.Unknown)):
            facts.append(Fact(where))
            wanted = wanted.base
        if isinstance(wanted, t.Component) and isinstance(given, t.Component):
            facts += [Fact(where, k, False) for k in wanted.kinds - given.kinds]
        return frozenset(facts)

    def return_(self, node: n.Return, scope: Scope) -> TypedStmt:
        wanted = self.returns
        if node.value is None:
            if not isinstance(wanted, (t.Nothing, t.Unknown)):
                self.ctx.report("T036", node.span, wanted=wanted)
            return LeaveStmt(node.span, op="return")
        if isinstance(wanted, t.Nothing):
            given = self.expressions.check(node.value, scope)
            self.ctx.report("T037", node.value.span, instead=no_result_help(scope.proc, given.type))
            return LeaveStmt(node.span, op="return")
        before = len(self.ctx.found)
        value = self.expressions.zones_as_list(self.value(node.value, scope, wanted))
        self.of_another_type(node.value.span, before, scope)
        return LeaveStmt(node.span, (self.expressions.guard(value, wanted),), op="return")

    def of_another_type(self, value: Span, before: int, scope: Scope) -> None:
        """Show the type that a definition is declared with where a result is refused.

        Of its calls nothing is said then, as the declared type may be the mistake (`DefinitionChecker`).
        """
        declared = self.declared_type
        for i, d in enumerate(self.ctx.found[before:], before):
            if declared is None or d.code not in ("T001", "T017") or d.span != value:
                continue
            label = Label(declared, f"`{scope.proc.name}` is declared to give this")
            help = d.help or "change the type behind `->`, or give a value of that type behind `return`"
            self.ctx.found[i] = replace(d, labels=(*d.labels, label), help=help)
            if d.code == "T001":
                self.mistyped.add(scope.proc.name)

    # ------------------------------------------------------------ loops and cases
    def loop_scope(self, scope: Scope, body: n.Block) -> Scope:
        """The scope inside a loop: of what is known before it, what holds each time around."""
        inner = scope.child()
        self.keep_facts(inner, scope.certain, body, scope)
        return inner

    def keep_facts(self, inner: Scope, facts: Facts, body: n.Block, scope: Scope) -> None:
        """Keep in `inner` those of these facts that still hold after some statements; note for the others
        where they ended.
        """
        inner.certain = facts_kept(facts, body, scope, self.program)
        if inner.certain != facts:
            inner.ended |= facts_ended(facts, inner.certain, body, scope, self.program)

    def at_once(self, node: n.ForStmt, scope: Scope) -> TypedStmt:
        """A block for several players at once; `for … if c` is read as `for … in [those with c]`."""
        players = self.expressions.as_list(self.expressions.check(node.source, scope))
        players = self.expressions.fit(players, t.list_of(PLAYER), node.source.span)
        inner = self.loop_scope(scope, node.body)
        self.names.check_new_name(node.name, node.name_span, scope)
        slot = inner.declare(node.name, PLAYER, node.name_span).slot
        if node.condition is not None:
            condition, item = self.expressions.condition(node.condition, inner), scope.proc.slot("$p", PLAYER)
            build, condition = TreeBuilder(scope.proc, node.span), condition.in_slots({slot: item})
            players = build.aggregate(
                "list", t.list_of(PLAYER), {item: players}, build.local(item), condition
            )
            inner = inner.child(known_if(node.condition, True))
        first, outer, self.loops = len(scope.proc.slots), self.loops, 0
        body = self.block(node.body, inner)
        self.loops = outer
        return AtOnceStmt(node.span, (players,), (body,), slot=slot, first=first, end=len(scope.proc.slots))

    def for_(self, node: n.ForStmt, scope: Scope) -> TypedStmt:
        if node.at_once:
            return self.at_once(node, scope)
        inner = self.loop_scope(scope, node.body)
        _, s = self.head(node, node.name_span, scope, inner)
        inner = inner.child(known_if(node.condition, True)) if node.condition is not None else inner
        s.blocks = (self.loop(node.body, inner),)
        return s

    def head(
        self, node: n.ForStmt | n.Binding, name: Span, scope: Scope, inner: Scope
    ) -> tuple[LocalName, ForEachStmt]:
        """The local of a loop, which is declared in an inner scope, and the loop, without its block."""
        source = self.expressions.check(node.source, scope)
        base: Type = PLAYER
        if not isinstance(source.type, t.Endless):
            source = self.expressions.as_list(source)
            base = source.type.base if isinstance(source.type, t.Collection) else t.UNKNOWN
        self.names.check_new_name(node.name, name, scope)
        local = inner.declare(node.name, base, name)
        condition = None if node.condition is None else self.expressions.condition(node.condition, inner)
        return local, TreeBuilder(scope.proc, node.span).each(local.slot, source, [], condition)

    def match_(self, node: n.Match, scope: Scope) -> TypedStmt:
        value = self.expressions.check(node.value, scope)
        values: list[tuple[TypedExpr, ...]] = []
        blocks: list[list[TypedStmt]] = []
        seen: dict[object, Span] = {}
        twice: list[tuple[Span, Span]] = []
        unknown = False  # one of the values: it may be any that is missing
        for case in node.cases:
            row: list[TypedExpr] = []
            for v in case.values:
                before = len(self.ctx.found)
                x = self.expressions.check(v, scope, value.type)
                if isinstance(v, n.Binary) and v.op == "or" and len(self.ctx.found) > before:
                    del self.ctx.found[before + 1 :]  # `case 1 or 5:` is one mistake
                    x = OperationExpr("unknown", t.UNKNOWN, v.span)
                constant = self.constant(x)
                unknown = unknown or isinstance(x.type, t.Unknown)
                if constant is None and not isinstance(x.type, t.Unknown):
                    self.ctx.report("T038", v.span)
                elif constant in seen:
                    twice.append((v.span, seen[constant]))
                    unknown = True
                elif constant is not None:
                    seen[constant] = v.span
                row.append(x)
            values.append(tuple(row))
            blocks.append(self.block(case.body, scope))
        for again, first in twice:
            self.covered_twice(again, first, value.type, set(seen))
        if node.other is not None:
            blocks.append(self.block(node.other, scope))
        elif not unknown:
            self.exhaustive(node, value.type, set(seen))
        return MatchStmt(
            node.span, (value,), tuple(blocks), rows=tuple(values), has_other=node.other is not None
        )

    def covered_twice(self, again: Span, first: Span, kind: Type, seen: set[object]) -> None:
        """A second case for a value, and the values that have none."""
        base = kind.base if isinstance(kind, t.Optional) else kind
        cases = self.cases_of(base) if isinstance(base, t.Enum) else ()
        left = [value for value, constant in cases if constant not in seen][:MOST_CASES]
        help = None
        if left:
            have = "have no case yet" if len(left) > 1 else "has no case yet"
            help = (
                f"write another value, {', '.join(f'`{value}`' for value in left)} {have}; or remove this "
                f"case"
            )
        self.ctx.report("F004", again, value=again.text, help=help, labels=(Label(first, "here"),))

    def constant(self, x: TypedExpr) -> object:
        return (x.op, x.details) if isinstance(x, (ConstExpr, EnumExpr, ComponentExpr, CellExpr)) else None

    def cases_of(self, kind: Type) -> list[tuple[str, object]]:
        """The values of a type by their words, as constants; empty for types of which a `match` cannot name
        them all.
        """
        match kind:
            case t.Enum():
                return [(v, ("enum", (kind.name, v))) for v in self.program.enums[kind.name].values]
            case t.Bool():
                return [("true", ("const", True)), ("false", ("const", False))]
            case t.Cell():
                return [(c, ("cell", (kind.board, c))) for c in self.program.boards[kind.board].cells]
        return []

    def exhaustive(self, node: n.Match, kind: Type, seen: set[object]) -> None:
        base = kind.base if isinstance(kind, t.Optional) else kind
        wanted = self.cases_of(base)
        if not wanted and not isinstance(base, (t.Enum, t.Unknown)):
            self.ctx.report("T039", node.value.span, given=base)
            return
        none = [("none", ("const", None))] if isinstance(kind, t.Optional) else []
        missing = [f"`{word}`" for word, key in (*wanted, *none) if key not in seen]
        if missing:
            self.ctx.report("F005", node.value.span, missing=", ".join(missing))


# ---------------------------------------------------------------- suppositions
class SuppositionChecker(CheckerPart):
    """Checks `suppose`: a procedure without a name takes the locals that are mentioned, runs the statements
    on a copy, and returns the value.
    """

    def __init__(self, statements: StatementChecker) -> None:
        super().__init__(statements.expressions)
        self.statements = statements
        self.expressions.rules |= {n.Suppose: self.suppose}

    def suppose(self, node: n.Suppose, scope: Scope, wanted: Type | None) -> TypedExpr:
        if self.ctx.is_finished or self.ctx.defined_later or scope.proc.kind == "static":
            return self.ctx.report("T071", node.span, name="suppose … gives …")
        span, checker = node.span, self.statements
        proc = Proc(len(self.program.procs), "$suppose", "def", span, supposes=True)
        self.program.procs.append(proc)
        inner = Scope(proc, certain=scope.certain)
        given, copies = self.taken(node, scope, inner)
        kept = checker.loops, checker.returns, checker.learnt
        checker.loops, checker.returns = 0, t.UNKNOWN
        body = checker.in_scope(node.body, inner)
        checker.loops, checker.returns, checker.learnt = kept
        value = self.expressions.zones_as_list(self.expressions.check(node.value, inner, wanted))
        if isinstance(value.type, (t.Endless, t.Unknown)):
            return self.ctx.report("T068", node.value.span) if isinstance(value.type, t.Endless) else value
        kind = value.type if wanted is None or t.unsaid(value.type) is None else wanted
        if t.unsaid(kind) is not None:
            return self.ctx.report(
                "T033",
                node.value.span,
                name="gives",
                how=t.unsaid(kind),
                help="say what the value may be besides",
            )
        slot = proc.slot("$supposed", kind)
        result = LocalExpr(kind, span, slot=slot)
        proc.body = [
            *copies,
            SupposeStmt(span, (value,), (body,), slot=slot),
            LeaveStmt(span, (result,), op="return"),
        ]
        proc.returns = kind
        scope.proc.calls.add(proc.index)
        return CallExpr(kind, span, given, proc=proc.index)

    def taken(
        self, node: n.Suppose, scope: Scope, inner: Scope
    ) -> tuple[tuple[TypedExpr, ...], list[TypedStmt]]:
        """The locals that are mentioned, and copies of those that may be changed: what is supposed changes
        none of them.
        """
        found = [(name, local) for name in sorted(names_in(node)) if (local := scope.find(name)) is not None]
        inner.proc.params = [
            Param(name, local.type, inner.proc.slot(name, local.type), False) for name, local in found
        ]
        copies: list[TypedStmt] = []
        for (name, local), q in zip(found, inner.proc.params, strict=True):
            slot = inner.proc.slot(name, local.type) if local.mutable else q.slot
            if local.mutable:
                copies.append(LetStmt(node.span, (LocalExpr(local.type, node.span, slot=q.slot),), slot=slot))
            inner.names[name] = replace(local, slot=slot)
        return tuple(LocalExpr(local.type, node.span, slot=local.slot) for _, local in found), copies
