"""Checking decisions and chance: `choose` in all its forms, windows, and how a game ends. Menus have a module
of their own.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    AssignStmt,
    Choice,
    ChooseStmt,
    CompExpr,
    ConstExpr,
    EmitStmt,
    FinishStmt,
    ForEachStmt,
    LetStmt,
    LocalExpr,
    MapCompExpr,
    OpenStmt,
    OperationExpr,
    PassStmt,
    SecretlyStmt,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import INT, PLAYER, Type
from croupier.semantics.amounts import KEY
from croupier.semantics.calls import CallChecker
from croupier.semantics.context import CheckContext, Scope
from croupier.semantics.expressions import ExpressionChecker
from croupier.semantics.members import attributes_of, merging_names
from croupier.semantics.menus import ConditionChecker
from croupier.semantics.names import NameResolver
from croupier.semantics.narrowing import leaves
from croupier.semantics.statements import StatementChecker
from croupier.syntax import nodes as n

MOST_NAMED = 4  # attributes that options can be merged by, in a help


class DecisionChecker:
    """Checks decisions, windows and ends."""

    def __init__(
        self,
        ctx: CheckContext,
        names: NameResolver,
        expressions: ExpressionChecker,
        calls: CallChecker,
        statements: StatementChecker,
    ) -> None:
        self.ctx, self.program = ctx, ctx.program
        self.names = names
        self.expressions = expressions
        self.calls = calls
        self.statements = statements
        self.conditions = ConditionChecker(ctx, expressions, calls)
        statements.rules |= {n.Choose: self.choose, n.Open: self.open_, n.Finish: self.finish}

    # ------------------------------------------------------------ choose
    def choose(self, node: n.Choose, scope: Scope) -> TypedStmt:
        pick, span = node.pick, node.span
        self.ctx.allow_leak(span, pick.leaks)
        inner = scope.child()
        by, every = self.chooser(pick, inner)
        source = self.expressions.as_list(
            self.expressions.zones_as_list(
                self.expressions.check(pick.source, inner if pick.chooser == "every" else scope)
            )
        )
        base = source.type.base if isinstance(source.type, t.Collection) else t.UNKNOWN
        many = pick.how_many is not None
        low, high = self.how_many(pick, span, scope)
        if not many and not isinstance(base, t.Unknown) and not self.choosable(base):
            self.ctx.report("T040", pick.source.span, given=base)
        item_scope = inner.child()
        self.names.check_new_name(pick.name, pick.name_span, scope)
        item = item_scope.declare(pick.name, base, pick.name_span)
        where = None if pick.where is None else self.expressions.condition(pick.where, item_scope)
        conditions = self.conditions.of_choice(
            pick.conditions, item_scope, item.slot, source, where, pick.chooser != "every"
        )
        weight = None
        if pick.chooser == "chance" and pick.by is not None:
            weight = self.expressions.check(pick.by, item_scope, t.Int(0))
        kind: Type = t.list_of(base) if many else base
        set_scope = inner.child()
        such_that, label = None, None
        whole = set_scope.declare(pick.name, kind, pick.name_span) if many else item
        if pick.such_that is not None and many:
            such_that = self.expressions.condition(pick.such_that, set_scope)
        if pick.label is not None:
            label = self.expressions.check(pick.label, item_scope)
        told = None if pick.told is None else self.expressions.check(pick.told, item_scope)
        told_decline = None if pick.told_decline is None else self.expressions.check(pick.told_decline, inner)
        self.check_clauses(node, base)
        result: Type = kind
        if pick.chooser == "every":
            everybody = by is not None and by.op == "players"
            result = t.Map(PLAYER, kind if everybody else t.Optional(kind))
        choice = Choice(
            slot=whole.slot, item=item.slot, source=source, where=where, conditions=conditions,
            chooser=pick.chooser,
            by=weight if pick.chooser == "chance" else by, every=every, many=many, low=low, high=high,
            such_that=such_that,
            merging=pick.merging or self.repeated(source, base, scope), label=label,
            optional=node.optional, base=base, name=pick.name, decline=pick.decline,
            told=told, told_decline=told_decline,
        )  # fmt: skip
        if many or pick.chooser == "every":
            choice.picked = scope.proc.slot("$picked", kind)
        target = scope.child() if node.optional else scope
        # the rules go on, and nothing was chosen
        without = node.other is not None and not node.optional and not leaves(node.other)
        if without and not many:
            result = t.Optional(result) if not isinstance(result, t.Optional) else result
        chosen = target.declare(pick.name, result, pick.name_span)
        choice.slot = chosen.slot
        if pick.such_that is not None and many:  # the whole set is tested in its own slot
            choice.cursor = whole.slot
        elif many:
            choice.cursor = whole.slot
        other = self.statements.block(node.other or (), scope.child())
        if without:
            nothing = (
                OperationExpr("list", t.list_of(t.NEVER), span)
                if many
                else ConstExpr(t.NOTHING, span, value=None)
            )
            other.insert(0, LetStmt(span, (nothing,), slot=chosen.slot))
        body = self.statements.block(node.body, target.child() if not conditions else target)
        s = ChooseStmt(span, (), (body, other), choice=choice, has_other=node.other is not None)
        return (
            self.each_several(s, scope, chosen.slot, kind)
            if many and every is not None and by is not None
            else s
        )

    def how_many(self, pick: n.Pick, span: Span, scope: Scope) -> tuple[TypedExpr | None, TypedExpr | None]:
        """The least and the most that are chosen; nothing for a choice of one thing."""
        how = pick.how_many
        if how is None:
            return None, None
        low = (
            ConstExpr(INT, span, value=0)
            if how.low is None
            else self.expressions.check(how.low, scope, t.Int(0))
        )
        if how.high is None or how.high is how.low:  # `choose 2` has one number for both
            return low, None if how.high is None else low
        return low, self.expressions.check(how.high, scope, t.Int(0))

    def check_clauses(self, node: n.Choose, base: Type) -> None:
        """Report the clauses of a choice that do not go together."""
        pick, report = node.pick, self.ctx.report
        many = pick.how_many is not None
        by_chance = pick.chooser == "chance"
        by_every = pick.chooser == "every"
        if many and (pick.where is not None or pick.conditions):
            report("T041", (pick.where or pick.conditions[0]).span)
        if by_chance and pick.conditions:
            report("T042", pick.conditions[0].span)
        if pick.such_that is not None and not many:
            report("T043", pick.such_that.span)
        for name, at in zip(pick.merging, pick.merging_spans, strict=True):
            self.check_merging(name, at, base)
        if by_every and node.other is not None and not node.optional and pick.by is not None:
            report("T045", pick.by.span)
        if many and by_chance and pick.by is not None:
            report("T063", pick.by.span, what="weighing")
        if by_every and node.optional:
            report("T045", Span(node.span.source, node.span.start, node.span.start + len("may")))

    def check_merging(self, name: str, span: Span, base: Type) -> None:
        """Report what options of a type cannot be merged by."""
        if isinstance(base, t.Unknown):
            return
        merged = merging_names(self.program, base)
        if name in merged:
            return
        if name not in attributes_of(self.program, base):
            self.ctx.report("N002", span, name=name, type=base, **self.ctx.suggest(name, merged))
            return
        words = " or ".join(f"`{word}`" for word in merged[:MOST_NAMED])
        help = f"merge by {words}" if merged else "leave out `merging`"
        self.ctx.report("T084", span, name=name, help=help)

    def each_several(self, s: ChooseStmt, scope: Scope, slot: int, kind: Type) -> TypedStmt:
        """Several things by everybody: each chooses secretly, the local at `slot` is the map of what they
        chose, and then all are told.
        """
        span, choice, proc = s.span, s.choice, scope.proc
        assert choice.by is not None and choice.every is not None
        whole, players = proc.slot_types[slot], t.list_of(PLAYER)
        assert isinstance(whole, t.Map)
        p = LocalExpr(PLAYER, span, slot=choice.every)
        who, own, item = proc.slot("$who", players), proc.slot("$chosen", kind), proc.slot("$p", PLAYER)
        nothing = (
            ConstExpr(t.NOTHING, span, value=None)
            if isinstance(whole.value, t.Optional)
            else OperationExpr("list", t.list_of(t.NEVER), span)
        )
        everybody = OperationExpr("players", t.list_of(PLAYER, True), span)
        start = MapCompExpr(
            whole,
            span,
            (everybody, LocalExpr(PLAYER, span, slot=item), nothing),
            slots=(item,),
            has_condition=False,
        )
        entry = OperationExpr("index", whole.value, span, (LocalExpr(whole, span, slot=slot), p))
        keep = AssignStmt(span, (entry, LocalExpr(kind, span, slot=own)))
        asked = OperationExpr("list.distinct", players, span, (choice.by,))
        s.choice = replace(choice, chooser="one", by=p, every=None, slot=own)
        secretly = SecretlyStmt(
            span,
            (OperationExpr("list", players, span, (p,)),),
            ([s, keep],),
            slot=proc.slot("$viewer", INT),
            is_at_once=True,
        )
        listed = LocalExpr(players, span, slot=who)
        items, cursor = proc.slot("$items", players), proc.slot("$at", INT)
        loop = ForEachStmt(span, (listed,), ([secretly],), slot=p.slot, items=items, cursor=cursor)
        assert self.calls.prelude is not None
        self.calls.prelude += [LetStmt(span, (asked,), slot=who), LetStmt(span, (start,), slot=slot), loop]
        return EmitStmt(span, (LocalExpr(whole, span, slot=slot), listed), op="disclose")

    def repeated(self, source: TypedExpr, base: Type, scope: Scope) -> tuple[str, ...]:
        """Return what options are merged by if they come from the list of an amount: the value itself."""
        listed = (
            isinstance(source, CompExpr)
            and len(source.slots) == 2
            and scope.proc.slots[source.slots[0]] == KEY
        )
        if not listed:
            return ()
        return ("seat",) if isinstance(base, t.Player) else ("rank",)

    def choosable(self, base: Type) -> bool:
        if isinstance(base, t.Int):
            return True
        if isinstance(base, (t.Record, t.Collection, t.Map, t.Optional)):
            return True  # options are numbered by their place in the list
        return isinstance(base, (t.Bool, t.Enum, t.Player, t.Cell, t.Component))

    def chooser(self, pick: n.Pick, inner: Scope) -> tuple[TypedExpr | None, int | None]:
        if pick.chooser == "chance":
            return None, None
        if pick.by is None:
            self.ctx.report("F006", pick.span)
            return OperationExpr("unknown", PLAYER, pick.span), None
        if pick.chooser == "every":
            players = self.expressions.zones_as_list(self.expressions.check(pick.by, inner))
            players = self.expressions.fit(self.expressions.as_list(players), t.list_of(PLAYER), pick.by.span)
            local = inner.declare(pick.every or "_", PLAYER, pick.by.span)
            return players, local.slot
        return self.expressions.check(pick.by, inner, PLAYER), None

    # ------------------------------------------------------------ windows
    def open_(self, node: n.Open, scope: Scope) -> TypedStmt:
        to = self.players_of(node.to, scope)
        proc = self.names.window(node.window, node.window_span)
        if proc is None:
            for a in node.args:
                self.expressions.check(a.value, scope)
            return PassStmt(node.span)
        args = self.calls.arguments(node.args, proc.params, scope, node.span, proc.name, proc.span)
        scope.proc.opens.add(proc.index)
        return OpenStmt(node.span, (to, *args), window=proc.index)

    def players_of(self, node: n.Expr, scope: Scope) -> TypedExpr:
        """One player or several, as a list."""
        x = self.expressions.zones_as_list(self.expressions.check(node, scope))
        if isinstance(x.type, t.Player):
            return OperationExpr("list", t.list_of(PLAYER, True), node.span, (x,))
        if isinstance(x.type, t.Optional):
            x = self.expressions.as_list(x)
        return self.expressions.fit(x, t.list_of(PLAYER), node.span)

    # ------------------------------------------------------------ ends
    def finish(self, node: n.Finish, scope: Scope) -> TypedStmt:
        args: tuple[TypedExpr, ...] = ()
        if node.value is not None and node.result == "win":
            args = (self.players_of(node.value, scope),)
        elif node.value is not None:
            value = self.expressions.check(node.value, scope, None)
            if isinstance(value.type, t.Map) and t.is_assignable(value.type.key, PLAYER):
                ok = isinstance(value.type.value, (t.Int, t.Unknown)) or (
                    node.result == "rank"
                    and isinstance(value.type.value, t.Collection)
                    and t.is_assignable(value.type.value.base, INT)
                )
            else:
                ok = isinstance(value.type, t.Unknown)
            if not ok:
                wanted = (
                    "a number for each player"
                    if node.result == "pay"
                    else "a number or a list of numbers for each player"
                )
                value = self.ctx.report(
                    "T046", node.value.span, result=node.result, wanted=wanted, given=value.type
                )
            args = (value,)
        grade = None if node.grade is None else self.expressions.check(node.grade, scope)
        return FinishStmt(
            node.span,
            (*args, *(() if grade is None else (grade,))),
            result=node.result,
            values=len(args),
            has_grade=grade is not None,
        )
