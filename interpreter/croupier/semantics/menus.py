"""The check of menus: options, groups of them, and conditions that count only where something meets them.

A group gives its options what they share: what it walks, its condition, its names, its named conditions. What
a menu or choice asks of all its options together (is one of these possible?) is worked out once, before it.
"""

from __future__ import annotations

from dataclasses import field, replace

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    CompExpr,
    ConstExpr,
    LetStmt,
    LocalExpr,
    MenuData,
    MenuOption,
    MenuStmt,
    Named,
    OperationExpr,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import BOOL, INT, PLAYER
from croupier.records import dataclass
from croupier.semantics.calls import CallChecker
from croupier.semantics.context import CheckContext, Facts, Scope, known_if
from croupier.semantics.expressions import ExpressionChecker
from croupier.semantics.names import NameResolver
from croupier.semantics.procedures import Proc
from croupier.semantics.statements import StatementChecker
from croupier.semantics.walk import statements, with_locals
from croupier.syntax import nodes as n


def both(left: TypedExpr | None, right: TypedExpr | None) -> TypedExpr | None:
    """Both conditions, those that there are."""
    if left is None or right is None:
        return left if right is None else right
    return OperationExpr("and", BOOL, right.span, (left, right))


def is_any(
    proc: Proc,
    slots: tuple[int, ...],
    sources: tuple[TypedExpr, ...],
    conditions: list[TypedExpr],
    span: Span,
) -> TypedExpr:
    """Return the condition that anything that is walked meets all conditions.

    The walk has slots of its own.
    """
    own = {i: proc.slot("$x", proc.slot_types[i]) for i in slots}
    yes = ConstExpr(BOOL, span, value=True)
    asked: TypedExpr | None = None
    for c in conditions:
        asked = both(asked, c.in_slots(own))
    if not slots:
        return yes if asked is None else asked
    args = (*(x.in_slots(own) for x in sources), *(() if asked is None else (asked,)), yes)
    return CompExpr(
        BOOL,
        span,
        args,
        name="any",
        slots=tuple(own.values()),
        has_condition=asked is not None,
        has_key=False,
    )


def unless_none(condition: Named, some: TypedExpr) -> Named:
    """The condition where something meets it, else anything."""
    value = condition.value
    return replace(
        condition,
        value=OperationExpr("or", BOOL, value.span, (value, OperationExpr("not", BOOL, value.span, (some,)))),
        yields=True,
    )


class ConditionChecker:
    """Checks the named conditions of choices and options."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker, calls: CallChecker) -> None:
        self.ctx, self.expressions, self.calls = ctx, expressions, calls

    def named(self, node: n.Condition, scope: Scope) -> Named:
        return Named(
            node.text.raw,
            self.expressions.condition(node.value, scope),
            node.span,
            self.ctx.cites(node.cites),
        )

    def before(self, proc: Proc, x: TypedExpr) -> TypedExpr:
        """A condition that is worked out once, just before the statement that is being checked."""
        slot = proc.slot("$possible", BOOL)
        assert self.calls.prelude is not None
        self.calls.prelude.append(LetStmt(x.span, (x,), slot=slot))
        return LocalExpr(BOOL, x.span, slot=slot)

    def of_choice(
        self,
        nodes: tuple[n.Condition, ...],
        scope: Scope,
        item: int,
        source: TypedExpr,
        where: TypedExpr | None,
        once: bool,
    ) -> tuple[Named, ...]:
        """The conditions of a choice; `once`: what it offers is the same for all who are asked.

        A condition with `possible` counts only where something that meets all others, and those with
        `possible` before it, meets it.
        """
        found = [self.named(c, scope) for c in nodes]
        asked = ([] if where is None else [where]) + [
            c.value for node, c in zip(nodes, found, strict=True) if not node.possible
        ]
        for i, node in enumerate(nodes):
            if node.possible:
                value = found[i].value
                some = is_any(scope.proc, (item,), (source,), [*asked, value], value.span)
                found[i] = unless_none(
                    found[i],
                    self.before(scope.proc, some) if once and self.calls.prelude is not None else some,
                )
                asked.append(found[i].value)
        return tuple(found)


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


class MenuChecker:
    """Checks menus."""

    def __init__(
        self,
        ctx: CheckContext,
        names: NameResolver,
        expressions: ExpressionChecker,
        calls: CallChecker,
        statements: StatementChecker,
    ) -> None:
        self.ctx = ctx
        self.names = names
        self.expressions = expressions
        self.calls = calls
        self.statements = statements
        self.conditions = ConditionChecker(ctx, expressions, calls)
        statements.rules |= {n.Menu: self.menu}

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
        menu.read |= {y.slot for y in x.walk() if isinstance(y, LocalExpr)}
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
            c = self.conditions.named(node, scope)
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
        read = {
            y.slot for s in statements(body) for x in s.reads() for y in x.walk() if isinstance(y, LocalExpr)
        }
        kept: list[TypedStmt] = []
        for s in reversed(lets):
            if s.slot in read:
                kept.insert(0, replace(s))
                read |= {y.slot for y in s.args[0].walk() if isinstance(y, LocalExpr)}
        return kept

    def unread(self, menu: _Menu, lets: tuple[LetStmt, ...]) -> None:
        """A name of a group that nothing reads stands in one body, where the lint finds it."""
        for s in lets:
            written = any(isinstance(b, LetStmt) and b.slot == s.slot for block in menu.blocks for b in block)
            if s.slot not in menu.read and not written and menu.blocks:
                menu.blocks[-1].insert(0, replace(s))

    def settle(self, menu: _Menu, proc: Proc) -> None:
        """Work out before the menu what is possible at all, and ask for it where that counts."""
        possible = [id(c) for c in menu.possible]
        plain = [
            [
                *([] if o.condition is None else [o.condition]),
                *(c.value for c in o.conditions if id(c) not in possible),
            ]
            for o in menu.options
        ]
        changed: dict[int, Named] = {}
        asked = [list(x) for x in plain]
        for c in menu.possible:
            mine = [i for i, o in enumerate(menu.options) if any(c is other for other in o.conditions)]
            known = self.some(menu, proc, mine, [[*x, c.value] for x in asked], c.span)
            if known is not None:
                changed[id(c)] = unless_none(c, known)
                for i in mine:
                    asked[i].append(changed[id(c)].value)
        conditions = [[changed.get(id(c), c) for c in o.conditions] for o in menu.options]
        for k, (text, span, cites) in enumerate(menu.priorities):
            known = self.some(
                menu, proc, [i for i, mine in enumerate(menu.members) if k in mine], plain, span
            )
            for named, its in zip(conditions, menu.members, strict=True):
                if known is not None and all(j > k for j in its):
                    named.append(
                        Named(text, OperationExpr("not", BOOL, span, (known,)), span, cites, yields=True)
                    )
        menu.options = [
            replace(o, conditions=tuple(c)) for o, c in zip(menu.options, conditions, strict=True)
        ]

    def some(
        self, menu: _Menu, proc: Proc, members: list[int], asked: list[list[TypedExpr]], span: Span
    ) -> TypedExpr | None:
        """Return the condition that one of these options is possible; `None` if there are none."""
        found: TypedExpr | None = None
        for i in members:
            o = menu.options[i]
            one = is_any(proc, o.slots, o.sources, asked[i], span)
            found = one if found is None else OperationExpr("or", BOOL, span, (found, one))
        return None if found is None else self.conditions.before(proc, found)
