"""Checking decisions: `choose` in all its forms, menus, windows, and how a game ends.

A group gives its options what they share: what it walks, its condition, its names, its named conditions. What
a menu or choice asks of all its options together (is one of these possible?) is worked out once, before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from functools import reduce

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    Choice,
    ChooseStmt,
    ConstExpr,
    EmitStmt,
    FinishStmt,
    LetStmt,
    MenuData,
    MenuOption,
    MenuStmt,
    Named,
    OpenStmt,
    OperationExpr,
    PassStmt,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import BOOL, INT, PLAYER, Type
from croupier.records import dataclass
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.context import Facts, Scope, known_if
from croupier.semantics.expressions import CheckerPart
from croupier.semantics.members import attributes_of, merging_names
from croupier.semantics.narrowing import leaves
from croupier.semantics.procedures import Proc
from croupier.semantics.statements import StatementChecker
from croupier.semantics.walk import given, locals_in, parts, statements, with_locals
from croupier.syntax import nodes as n

MOST_NAMED = 4  # attributes that options can be merged by, in a help


def both(left: TypedExpr | None, right: TypedExpr | None) -> TypedExpr | None:
    """Both conditions, those that there are."""
    if left is None or right is None:
        return left if right is None else right
    return OperationExpr("and", BOOL, right.span, (left, right))


@dataclass
class Offer:
    """What is offered for all values of some locals: what these walk, and what is asked of the values."""

    walked: dict[int, TypedExpr]
    asked: list[TypedExpr]

    def in_slots(self, slots: dict[int, int]) -> Offer:
        """The offer with other numbers for some slots."""
        walked = {slots.get(i, i): x.in_slots(slots) for i, x in self.walked.items()}
        return Offer(walked, [x.in_slots(slots) for x in self.asked])


def offer_of(option: MenuOption, but: Iterable[Named] = ()) -> Offer:
    """What an option offers, without some of its conditions."""
    left_out = {id(c) for c in but}
    named = [c.value for c in option.conditions if id(c) not in left_out]
    return Offer(dict(zip(option.slots, option.sources, strict=True)), [*given(option.condition), *named])


def is_any(offers: Iterable[Offer], build: TreeBuilder) -> TypedExpr | None:
    """Return the condition that something is offered; `None` if there are no offers.

    Its walks have slots of their own.
    """
    found: TypedExpr | None = None
    for offer in offers:
        proc = build.proc
        own = offer.in_slots({i: proc.slot("$x", proc.slot_types[i]) for i in offer.walked})
        asked = reduce(both, own.asked, None)
        one = build.truth(True) if asked is None else asked
        if own.walked:
            one = build.aggregate("any", BOOL, own.walked, build.truth(True), asked)
        found = one if found is None else build.operation("or", BOOL, found, one)
    return found


def unless_none(condition: Named, some: TypedExpr) -> Named:
    """The condition where something meets it, else anything."""
    value = condition.value
    nothing = OperationExpr("not", BOOL, value.span, (some,))
    return replace(condition, value=OperationExpr("or", BOOL, value.span, (value, nothing)), yields=True)


@dataclass
class GroupParts:
    """The parts that the options of a group share; `values` are those of its names, `priorities` the places
    of its own in the menu.
    """

    scope: Scope
    slots: tuple[int, ...] = ()
    sources: tuple[TypedExpr, ...] = ()
    condition: TypedExpr | None = None
    known: Facts = frozenset()
    lets: tuple[LetStmt, ...] = ()
    values: dict[int, TypedExpr] = field(default_factory=dict)
    conditions: tuple[Named, ...] = ()
    priorities: tuple[int, ...] = ()
    cites: tuple[str, ...] = ()


@dataclass
class _Menu:
    """A menu while it is checked."""

    options: list[MenuOption] = field(default_factory=list)
    blocks: list[list[TypedStmt]] = field(default_factory=list)
    read: set[int] = field(default_factory=set)  # slots that conditions, sources and labels read
    possible: list[Named] = field(default_factory=list)  # the conditions with `possible`
    priorities: list[tuple[str, Span, tuple[str, ...]]] = field(default_factory=list)
    # by option, the priorities that it belongs to
    members: list[tuple[int, ...]] = field(default_factory=list)


class DecisionChecker(CheckerPart):
    """Checks choices, menus, windows and ends."""

    def __init__(self, statements: StatementChecker) -> None:
        super().__init__(statements.expressions)
        self.statements, self.calls = statements, statements.calls
        statements.rules |= {
            n.Choose: self.choose, n.Menu: self.menu, n.Open: self.open_, n.Finish: self.finish,
        }  # fmt: skip

    # ------------------------------------------------------------ choose
    def choose(self, node: n.Choose, scope: Scope) -> TypedStmt:
        pick, span = node.pick, node.span
        self.ctx.allow_leak(span, pick.leaks)
        inner = scope.child()
        by, every = self.chooser(pick, inner)
        around = inner if pick.chooser == "every" else scope
        source = self.expressions.as_list(self.expressions.check(pick.source, around))
        base = source.type.base if isinstance(source.type, t.Collection) else t.UNKNOWN
        many = pick.how_many is not None
        low, high = self.how_many(pick, span, scope)
        if not many and not isinstance(base, t.Unknown) and not self.choosable(base):
            self.ctx.report("T040", pick.source.span, given=base)
        item_scope = inner.child()
        self.names.check_new_name(pick.name, pick.name_span, scope)
        item = item_scope.declare(pick.name, base, pick.name_span)
        where = None if pick.where is None else self.expressions.condition(pick.where, item_scope)
        conditions = self.conditions(pick, item_scope, Offer({item.slot: source}, given(where)))
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
        if many:  # the whole set is tested in its own slot
            choice.cursor = whole.slot
        other = self.statements.block(node.other or (), scope.child())
        if without:
            build = TreeBuilder(scope.proc, span)
            other.insert(0, build.let(chosen.slot, build.no_list() if many else build.nothing()))
        body = self.statements.block(node.body, target.child() if not conditions else target)
        s = ChooseStmt(span, (), (body, other), choice=choice, has_other=node.other is not None)
        if many and every is not None and by is not None:
            return self.each_several(s, scope, chosen.slot, kind)
        return s

    def conditions(self, pick: n.Pick, scope: Scope, offer: Offer) -> tuple[Named, ...]:
        """The named conditions of a choice, of what it offers without them."""
        found = tuple(self.named_condition(c, scope) for c in pick.conditions)
        pairs = list(zip(pick.conditions, found, strict=True))
        offer.asked += [c.value for node, c in pairs if not node.possible]
        possible = [(c, c.value.span) for node, c in pairs if node.possible]
        return self.settled(scope.proc, [offer], [found], possible, once=pick.chooser != "every")[0]

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
            self.ctx.report_unknown("N002", span, name, merged, type=base)
            return
        words = " or ".join(f"`{word}`" for word in merged[:MOST_NAMED])
        help = f"merge by {words}" if merged else "leave out `merging`"
        self.ctx.report("T084", span, name=name, help=help)

    def each_several(self, s: ChooseStmt, scope: Scope, slot: int, kind: Type) -> TypedStmt:
        """Several things by everybody: each chooses secretly, the local at `slot` is the map of what they
        chose, and then all are told.
        """
        choice, build = s.choice, TreeBuilder(scope.proc, s.span)
        assert choice.by is not None and choice.every is not None
        whole = scope.proc.slot_types[slot]
        assert isinstance(whole, t.Map)
        who = build.new("$who", build.operation("list.distinct", t.list_of(PLAYER), choice.by))
        own, p = build.local(scope.proc.slot("$chosen", kind)), build.local(choice.every)
        nothing = build.nothing() if isinstance(whole.value, t.Optional) else build.no_list()
        start = build.let(slot, build.by_player(whole, nothing))
        keep = build.assign(build.operation("index", whole.value, build.local(slot), p), own)
        s.choice = replace(choice, chooser="one", by=p, every=None, slot=own.slot)
        assert self.calls.prelude is not None
        alone = build.operation("list", t.list_of(PLAYER), p)
        self.calls.prelude += [who, start, build.in_secret(p.slot, alone, build.local(who.slot), [s, keep])]
        return EmitStmt(s.span, (build.local(slot), build.local(who.slot)), op="disclose")

    def repeated(self, source: TypedExpr, base: Type, scope: Scope) -> tuple[str, ...]:
        """Return what options are merged by if they come from the list of an amount: the value itself."""
        if not self.expressions.amounts.is_listed(source, scope.proc):
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
            players = self.expressions.as_list(self.expressions.check(pick.by, inner))
            players = self.expressions.fit(players, t.list_of(PLAYER), pick.by.span)
            local = inner.declare(pick.every or "_", PLAYER, pick.by.span)
            return players, local.slot
        return self.expressions.check(pick.by, inner, PLAYER), None

    # ------------------------------------------------------------ menus
    def menu(self, node: n.Menu, scope: Scope) -> TypedStmt:
        by = self.expressions.check(node.by, scope, PLAYER)
        self.ctx.allow_leak(node.span, node.leaks)
        menu = _Menu()
        self.collect(menu, node.options, GroupParts(scope))
        self.settle(menu, scope.proc)
        window: int | None = None
        args: tuple[TypedExpr, ...] = ()
        if node.window is not None:
            proc = self.names.window(node.window, node.span)
            if proc is not None:
                window = proc.index
                args = self.calls.arguments(
                    node.window_args, proc.params, scope, node.span, proc.name, proc.span
                )
                scope.proc.opens.add(proc.index)
        menu.blocks.append(self.statements.block(node.other or (), scope))
        data = MenuData(
            tuple(menu.options), window, args, node.other is not None, scope.proc.slot("$used", INT)
        )
        return MenuStmt(node.span, (by,), tuple(menu.blocks), menu=data)

    def collect(self, menu: _Menu, nodes: tuple[n.Option | n.OptionGroup, ...], shared: GroupParts) -> None:
        for node in nodes:
            if isinstance(node, n.OptionGroup):
                inner = self.group(menu, node, shared)
                self.collect(menu, node.options, inner)
                self.unread(menu, inner.lets[len(shared.lets) :])
            else:
                self.option(menu, node, shared)

    def with_values(self, menu: _Menu, x: TypedExpr, shared: GroupParts) -> TypedExpr:
        """An expression with the values of the names of its group, which are worked out where they are asked
        for.
        """
        menu.read |= locals_in(x.walk())
        return with_locals(x, shared.values)

    def walked(
        self, menu: _Menu, fors: tuple[n.For, ...], shared: GroupParts
    ) -> tuple[Scope, tuple[int, ...], tuple[TypedExpr, ...]]:
        """The scope behind the `for`s of an option or a group, their slots and sources."""
        inner = shared.scope.child()
        slots, sources = [], []
        for f in fors:
            inner, source, local = self.expressions.walk_for(f, inner)
            source = self.with_values(menu, source, shared)
            # what it walks may count on the condition of the group
            if shared.condition is not None and shared.known:
                nothing = OperationExpr("list", t.list_of(t.NEVER), source.span)
                source = OperationExpr("if", source.type, source.span, (shared.condition, source, nothing))
            sources.append(source)
            slots.append(local.slot)
        return inner, (*shared.slots, *slots), (*shared.sources, *sources)

    def named(
        self, menu: _Menu, nodes: tuple[n.Condition, ...], scope: Scope, shared: GroupParts
    ) -> tuple[Named, ...]:
        found = []
        for node in nodes:
            c = self.named_condition(node, scope)
            found.append(replace(c, value=self.with_values(menu, c.value, shared)))
            if node.possible:
                menu.possible.append(found[-1])
        return (*shared.conditions, *found)

    def preferred(self, menu: _Menu, nodes: tuple[n.Priority, ...], shared: GroupParts) -> tuple[int, ...]:
        first = len(menu.priorities)
        menu.priorities += [(p.text.raw, p.span, self.ctx.cites(p.cites)) for p in nodes]
        return (*shared.priorities, *range(first, len(menu.priorities)))

    def group(self, menu: _Menu, node: n.OptionGroup, shared: GroupParts) -> GroupParts:
        fors, condition, known = node.fors, shared.condition, shared.known
        if fors and node.condition is not None:
            fors = (*fors[:-1], replace(fors[-1], condition=node.condition))
        cites = (*shared.cites, *self.ctx.cites(node.cites))
        inner, slots, sources = self.walked(menu, fors, shared)
        if not fors and node.condition is not None:
            condition = both(
                condition, self.with_values(menu, self.expressions.condition(node.condition, inner), shared)
            )
            known = known | known_if(node.condition, True)
            inner = inner.child(known)
        values, lets = dict(shared.values), list(shared.lets)
        for let in node.lets:
            wanted = None if let.type is None else self.statements.types.type(let.type, inner)
            s = self.statements.declared(let, inner, wanted, self.expressions.check(let.value, inner, wanted))
            lets.append(replace(s, cites=self.ctx.cites(let.cites)))
            values[s.slot] = with_locals(s.args[0], values)
        result = GroupParts(
            inner, slots, sources, condition, known, tuple(lets), values, shared.conditions, cites=cites
        )
        result.conditions = self.named(menu, node.conditions, inner, result)
        result.priorities = self.preferred(menu, node.priorities, shared)
        return result

    def option(self, menu: _Menu, node: n.Option, shared: GroupParts) -> None:
        inner, slots, sources = self.walked(menu, node.fors, shared)
        own = (
            None
            if node.condition is None
            else self.with_values(menu, self.expressions.condition(node.condition, inner), shared)
        )
        conditions = self.named(menu, node.conditions, inner, shared)
        label = self.with_values(menu, self.expressions.check(node.label, inner), shared)
        told = None
        if node.told is not None:
            told = self.with_values(menu, self.expressions.check(node.told, inner), shared)
        known = known_if(node.condition, True) if node.condition is not None else frozenset()
        menu.members.append(self.preferred(menu, node.priorities, shared))
        body = self.statements.block(node.body, inner.child(known))
        menu.blocks.append([*self.needed(shared.lets, body), *body])
        cites = tuple(dict.fromkeys((*shared.cites, *self.ctx.cites(node.cites))))
        menu.options.append(
            MenuOption(
                label,
                slots,
                sources,
                both(shared.condition, own),
                conditions,
                node.span,
                cites,
                told=told,
            )
        )

    def needed(self, lets: tuple[LetStmt, ...], body: list[TypedStmt]) -> list[TypedStmt]:
        """Return those of the names of a group that the body of an option reads."""
        read = locals_in(parts(statements(body)))
        kept: list[TypedStmt] = []
        for s in reversed(lets):
            if s.slot in read:
                kept.insert(0, replace(s))
                read |= locals_in(s.args[0].walk())
        return kept

    def unread(self, menu: _Menu, lets: tuple[LetStmt, ...]) -> None:
        """A name of a group that nothing reads stands in one body, where the lint finds it."""
        for s in lets:
            written = any(isinstance(b, LetStmt) and b.slot == s.slot for block in menu.blocks for b in block)
            if s.slot not in menu.read and not written and menu.blocks:
                menu.blocks[-1].insert(0, replace(s))

    def settle(self, menu: _Menu, proc: Proc) -> None:
        """Work out before the menu what is possible at all, and ask for it where that counts."""
        named = self.settled(
            proc,
            [offer_of(o, menu.possible) for o in menu.options],
            [o.conditions for o in menu.options],
            [(c, c.span) for c in menu.possible],
        )
        for k, (text, span, cites) in enumerate(menu.priorities):
            first = [o for o, its in zip(menu.options, menu.members, strict=True) if k in its]
            some = is_any((offer_of(o, menu.possible) for o in first), TreeBuilder(proc, span))
            if some is None:
                continue
            known = self.calls.before("$possible", some, proc)
            yields = Named(text, OperationExpr("not", BOOL, span, (known,)), span, cites, yields=True)
            for i, its in enumerate(menu.members):
                if all(j > k for j in its):
                    named[i] = (*named[i], yields)
        menu.options = [replace(o, conditions=c) for o, c in zip(menu.options, named, strict=True)]

    # ------------------------------------------------------------ conditions
    def named_condition(self, node: n.Condition, scope: Scope) -> Named:
        value = self.expressions.condition(node.value, scope)
        return Named(node.text.raw, value, node.span, self.ctx.cites(node.cites))

    def settled(
        self,
        proc: Proc,
        offers: list[Offer],
        named: list[tuple[Named, ...]],
        possible: list[tuple[Named, Span]],
        once: bool = True,
    ) -> list[tuple[Named, ...]]:
        """The named conditions of what is offered together; `once`: it is the same for all who are asked.

        A condition with `possible` counts only where something that meets all others, and those with
        `possible` before it, meets it.
        """
        changed: dict[int, Named] = {}
        for c, span in possible:
            mine = [o for o, its in zip(offers, named, strict=True) if any(c is other for other in its)]
            meeting = (Offer(o.walked, [*o.asked, c.value]) for o in mine)
            some = is_any(meeting, TreeBuilder(proc, span))
            if some is not None:
                changed[id(c)] = unless_none(c, self.calls.before("$possible", some, proc) if once else some)
                for o in mine:
                    o.asked.append(changed[id(c)].value)
        return [tuple(changed.get(id(c), c) for c in its) for its in named]

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
        x = self.expressions.check(node, scope)
        if isinstance(x.type, t.Player):
            return TreeBuilder(scope.proc, node.span).alone(x)
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
