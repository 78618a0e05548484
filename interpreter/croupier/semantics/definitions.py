"""Definitions, windows, hooks and watchers: their signatures first, then their bodies."""

from __future__ import annotations

from functools import reduce
from typing import Protocol

from croupier.diagnostics import Label, Span
from croupier.kernel import types as t
from croupier.kernel.tree import (
    DoStmt,
    LetStmt,
    LocalExpr,
    MenuOption,
    MenuStmt,
    TextExpr,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import NOTHING, PLAYER, Type
from croupier.semantics.any_time import OpenOptions
from croupier.semantics.builder import TreeBuilder, values_of
from croupier.semantics.context import LocalName, Scope, known_if
from croupier.semantics.declaration_parts import DeclarationParts
from croupier.semantics.expressions import CheckerPart
from croupier.semantics.members import arguments, leaving_out, name_of
from croupier.semantics.names import is_reserved
from croupier.semantics.narrowing import leaves, names_in
from croupier.semantics.procedures import ALL_REACT, Hook, Param, PatternArg, Proc, Watcher
from croupier.semantics.statements import StatementChecker
from croupier.semantics.texts import Listener, listener_head, same_event
from croupier.semantics.walk import called, statements
from croupier.source import RuleText
from croupier.syntax import nodes as n
from croupier.syntax import parse_module


def comes_out(body: n.Block) -> bool:
    """Tell whether control may come out at the end of a block, all of whose statements could be parsed."""
    return not leaves(body) and not any(isinstance(x, n.Broken) for x in n.walk(body, n.Expr))


def gives_value(body: n.Block) -> bool:
    """Tell whether a `return` with a value stands in a block."""
    return any(isinstance(x, n.Return) and x.value is not None for x in n.walk(body, n.Expr))


def _called(text: str) -> str | None:
    """The name of the definition, if a text is one call of it: `over()`."""
    name, opened, _ = text.partition("(")
    return name if opened and text.endswith(")") else None


def deepest(options: tuple[n.Option | n.OptionGroup, ...]) -> int:
    """Return the largest number of `for`s around the body of an option."""
    return max(
        (len(o.fors) + (deepest(o.options) if isinstance(o, n.OptionGroup) else 0) for o in options),
        default=0,
    )


Owner = tuple[str, str | None]
"""The component whose power an item is: its class, and its id; without an id, each of the class."""


class Spanned(Protocol):
    """Something with a place in the text."""

    @property
    def span(self) -> Span:
        """The place in the text."""


class DefinitionChecker(CheckerPart):
    """Collects the items of all rule texts in order, those of the ruleset first, then those of components;
    then checks their bodies.
    """

    def __init__(self, parts: DeclarationParts, statements: StatementChecker) -> None:
        super().__init__(parts.expressions)
        self.parts, self.types = parts, parts.types
        self.statements, self.calls = statements, statements.calls
        self.bodies: list[tuple[Proc, n.Def]] = []
        self.listeners: list[tuple[Listener, Owner | None]] = []
        self.open_nodes: list[tuple[n.AnyTime, Owner | None]] = []
        self.standing: list[OpenOptions] = []

    def new_proc(self, name: str, kind: str, node: Spanned, cites: tuple[str, ...] = ()) -> Proc:
        proc = Proc(len(self.program.procs), name, kind, node.span, cites=cites)
        self.program.procs.append(proc)
        return proc

    # ------------------------------------------------------------ collecting
    def module(self, text: RuleText, component: Owner | None, variant: bool = False) -> None:
        nothing: tuple[n.Item | n.Revision | n.Broken, ...] = ()
        found, unread = len(self.ctx.found), len(self.ctx.unread)
        items = self.ctx.read(parse_module, text, nothing)
        if len(self.ctx.unread) > unread:
            self.ctx.only_items_unread([item.span for item in items if not isinstance(item, n.Broken)], found)
        for item in items:
            match item:
                case n.Def():
                    if component is not None:
                        self.ctx.report("N015", item.name_span, kind="definition")
                        self.ctx.dropped.add(item.name)
                    else:
                        self.definition(item, variant)
                        self.ctx.observer.definition(item)
                case n.Window():
                    self.window_declaration(item)
                    self.ctx.observer.window_declaration(item)
                case n.Hook() | n.Watch() | n.EndWhen():
                    owner = component if isinstance(item, n.Hook) else None
                    at = self.replaced(item, variant and owner is None)
                    if at is None and item.replace is None:
                        self.listeners.append((item, owner))
                    elif at is not None:
                        self.listeners = [(item, None) if x[0] is at else x for x in self.listeners]
                case n.AnyTime():
                    self.open_nodes.append((item, component))
                    self.program.is_open_any_time = True
                case n.Revision():
                    if not variant or component is not None:
                        self.ctx.report("N026", item.span)
                    self.ctx.observer.revision(item)
                case n.Broken():
                    self.ctx.dropped |= item.words
                    self.ctx.lost_definitions = True

    def replaced(self, item: Listener, variant: bool) -> Listener | None:
        """Return the listener that a `replace` before a hook or a watcher takes the place of: the only one of
        its kind, or the one with the same head.
        """
        if item.replace is None:
            return None
        others = [other for other, owner in self.listeners if owner is None and same_event(other, item)]
        same = [other for other in others if listener_head(other) == listener_head(item)] or list(others)
        if not variant:
            self.ctx.report(
                "N019",
                item.replace,
                fix=self.ctx.leaving_out(Span(item.replace.source, item.replace.start, item.replace.end + 1)),
            )
        elif not same:
            self.ctx.report("N016", item.replace, what=f"`{listener_head(item)}`")
        elif len(same) > 1:
            self.ctx.report(
                "N022",
                item.replace,
                what=listener_head(item),
                labels=tuple(Label(other.span, "one of them") for other in same[:4]),
            )
        else:
            return same[0]
        return None

    def definition(self, d: n.Def, variant: bool) -> None:
        p = self.program
        old = p.defs.get(d.name)
        if d.replace:
            if not variant:
                word = len("replace ")
                fix = (
                    self.ctx.leaving_out(Span(d.span.source, d.span.start, d.span.start + word))
                    if d.span.text.startswith("replace ")
                    else None
                )
                self.ctx.report("N019", d.name_span, fix=fix)
            elif old is None and d.name in self.ctx.dropped:
                return
            elif old is None:
                near = self.ctx.suggest(d.name, p.defs)
                self.ctx.report("N016", d.name_span, what=f"definition `{d.name}`", **near)
            else:
                self.replacement(d, old)
                return
        elif old is not None and variant:
            self.ctx.report("N017", d.name_span, name=d.name, labels=(Label(old.span, "it is defined here"),))
            self.replacement(d, old)  # as if `replace` stood there: what is wrong inside is said at once
            return
        if d.returns is None and is_reserved(d.name, "changing", d.name_span):
            self.parts.reserved(d.name, d.name_span)
            return
        if self.parts.is_taken(d.name, d.name_span, "definition"):
            return
        proc = self.new_proc(d.name, "def", d, self.ctx.cites(d.cites))
        proc.doc = d.doc or ""
        p.defs[d.name] = proc
        self.signature(proc, d)
        proc.nested = d.nested
        self.ctx.check_bounds(d.nested, d.nested_span)
        self.bodies.append((proc, d))

    def replacement(self, d: n.Def, old: Proc) -> None:
        """The variant's definition takes the place of the base's, with the same parameters; whoever calls it
        must take what it gives.
        """
        new = Proc(
            old.index,
            old.name,
            "def",
            d.span,
            cites=self.ctx.cites(d.cites),
            nested=d.nested,
            doc=d.doc or old.doc,
        )
        self.signature(new, d)
        modules = self.program.resolved.modules if self.program.resolved is not None else ()
        # where locals may have got other names
        of_module = any(old.span.source in used.loaded.sources for used in modules)
        same = len(new.params) == len(old.params)
        for q, before in zip(new.params, old.params, strict=False):
            same = (
                same and (q.type, q.var) == (before.type, before.var) and (of_module or q.name == before.name)
            )
        same = same and (
            new.returns == old.returns
            or t.within(old.returns, new.returns)
            and not isinstance(old.returns, t.Nothing)
        )
        if not same:
            if d.replace:
                self.ctx.report(
                    "T059", d.name_span, name=d.name, labels=(Label(old.span, "the head to keep"),)
                )
            return
        self.program.procs[old.index] = new
        self.program.defs[d.name] = new
        self.bodies = [(new, d) if proc is old else (proc, node) for proc, node in self.bodies]

    def signature(self, proc: Proc, d: n.Def | n.Window) -> None:
        scope = self.parts.static_scope()
        seen: set[str] = set()
        for q in d.params:
            kind = self.types.type(q.type, scope)
            if q.name in seen:
                first = next(other for other in d.params if other.name == q.name)
                self.ctx.report(
                    "N004", q.span, name=q.name, kind="parameter", labels=(Label(first.span, "here"),)
                )
            seen.add(q.name)
            if q.var and q.default is not None:
                self.ctx.report("T057", q.default.span, what="default for what is changed")
            default = None if q.default is None else self.parts.static_value(q.default, kind)
            proc.params.append(Param(q.name, kind, proc.slot(q.name, kind), q.var, default))
        if isinstance(d, n.Def) and d.returns is not None:
            proc.returns = self.types.type(d.returns, scope)
        elif isinstance(d, n.Def) and gives_value(d.body):
            self.ctx.without_type.add(proc.name)

    def window_declaration(self, w: n.Window) -> None:
        if self.parts.is_taken(w.name, w.name_span, "window"):
            return
        proc = self.new_proc(w.name, "window", w, self.ctx.cites(w.cites))
        proc.nested = w.nested
        self.ctx.check_bounds(w.nested, w.nested_span)
        self.signature(proc, w)
        for name in ("$asked", "$cursor", "$used"):
            proc.slot(name, t.INT)
        if w.in_any_order:  # nobody may say no
            proc.slot(ALL_REACT, t.INT)
        self.program.windows[w.name] = proc

    # ------------------------------------------------------------ bodies
    def body_scope(self, proc: Proc, node: n.Def | n.Window) -> Scope:
        scope = Scope(proc)

        for q, written in zip(proc.params, node.params, strict=False):
            if q.name not in scope.names:
                self.names.check_new_name(q.name, written.span, scope, q.var)
            scope.names[q.name] = LocalName(q.name, q.slot, q.type, q.var, written.span)
        self.ctx.observer.scope(scope)
        return scope

    def check_bodies(self) -> None:
        for proc, d in self.bodies:
            before = len(self.ctx.found)
            self.statements.declared_type = d.returns.span if d.returns is not None else None
            self.check_body(proc, d.body, self.body_scope(proc, d), proc.returns)
            self.statements.declared_type = None
            # `returnn`, `returncut`: a result, perhaps
            misspelt = any(problem.code in ("P011", "P070") for problem in self.ctx.found[before:])
            gives = not isinstance(proc.returns, (t.Nothing, t.Unknown))
            if gives and not misspelt and comes_out(d.body):
                self.ctx.report("F008", d.name_span, name=proc.name, returns=proc.returns)
        self.drop_calls_of_mistyped()

    def drop_calls_of_mistyped(self) -> None:
        """Take back what was said of calls whose definition gives another type than it declares: the message
        there says it once.
        """
        names = self.statements.mistyped
        self.ctx.found[:] = [
            d
            for d in self.ctx.found
            if d.code != "T001" or d.span is None or _called(d.span.text) not in names
        ]

    def check_body(self, proc: Proc, body: n.Block, scope: Scope, returns: Type) -> None:
        self.statements.returns, self.statements.loops = returns, 0
        proc.body = self.statements.block(body, scope)

    # ------------------------------------------------------------ hooks
    def check_hooks(self) -> None:
        for node, component in self.listeners:
            if isinstance(node, n.Hook):
                self.ctx.observer.hook(node)
                self.hook(node, component)

    def hook(self, node: n.Hook, component: Owner | None) -> None:
        p = self.program
        table = p.windows if node.kind == "reaction" else p.defs
        target = table.get(node.pattern.name)
        if target is None:
            word = "window" if node.kind == "reaction" else "definition"
            self.ctx.report_unknown("N018", node.pattern.name_span, node.pattern.name, table, kind=word)
            return
        self.ctx.used.add((target.kind if target.kind == "window" else "definition", target.name))
        where = "" if component is None else f" of {component[1] or component[0]}"
        proc = self.new_proc(f"{node.kind} {target.name}{where}", "hook", node, self.ctx.cites(node.cites))
        scope = Scope(proc)
        hook = Hook(len(p.hooks), node.kind, target.index, [], None, proc, None, component, cites=proc.cites)
        self.ctx.allow_leak(proc.span, node.leaks)
        if component is not None:
            hook.self_slot = scope.declare("self", t.Component(frozenset([component[0]])), node.span).slot
            hook.owner_slot = scope.declare("owner", PLAYER, node.span).slot
            here = self.key_type(component[0])
            if here is not None:
                hook.here_slot = scope.declare("here", here, node.span).slot
        elif node.kind == "reaction":
            hook.owner_slot = scope.declare("owner", PLAYER, node.span).slot
        implicit, before = set(scope.names), len(self.ctx.found)
        bound = self.pattern(node, target, hook, scope)
        if node.result is not None:
            self.names.check_new_name(node.result, node.result_span or node.span, scope)
            hook.result_slot = scope.declare(node.result, target.returns, node.span).slot
        if node.kind == "adjust" and isinstance(target.returns, t.Nothing):
            self.ctx.report("F009", node.pattern.name_span, name=target.name)
        if node.guard is not None:
            hook.guard = self.expressions.condition(node.guard, scope)
        if node.label is not None:
            hook.label = self.expressions.check(node.label, scope)
        elif node.kind == "reaction":
            hook.label = self.own_words(node, component, hook)
        if node.told is not None:
            hook.told = self.expressions.check(node.told, scope)
        returns: Type = target.returns if node.kind in ("instead", "adjust") else NOTHING
        if node.kind == "adjust" and isinstance(returns, t.Nothing):
            returns = t.UNKNOWN
        proc.returns = returns
        self.calls.original = target if node.kind == "instead" else None
        inner = scope.child(known_if(node.guard, True)) if node.guard is not None else scope
        self.check_body(proc, node.body, inner, returns)
        self.calls.original = None
        hook.original_slot = proc.slot("$original", t.INT) if node.kind == "instead" else None
        hook.needs_owner = hook.owner_slot is not None and scope.names["owner"].used
        hook.needs_here = hook.here_slot is not None and scope.names["here"].used
        p.hooks.append(hook)
        if len(self.ctx.found) > before:  # what follows may be because of that
            return
        if not isinstance(returns, (t.Nothing, t.Unknown)) and comes_out(node.body):
            self.ctx.report("F008", node.span, name=proc.name, returns=returns)
            return
        for name in bound:
            local = scope.names[name]
            if not local.used and name not in implicit and not name.startswith("_"):
                self.ctx.report_unknown("N010", local.span, name, sorted(implicit))

    def own_words(self, node: n.Hook, component: Owner | None, hook: Hook) -> TypedExpr | None:
        """Return the words of a reaction without `as`: those of its component."""
        span = node.pattern.name_span
        if component is None or hook.self_slot is None:
            self.ctx.report("F015", span)
            return None
        itself = LocalExpr(t.Component(frozenset([component[0]])), span, slot=hook.self_slot)
        return TextExpr(t.TEXT, span, (itself,), parts=(None,))

    def pattern(self, node: n.Hook, target: Proc, hook: Hook, scope: Scope) -> list[str]:
        """Check the arguments of a pattern, which fixes some and binds others.

        Returns the names that are bound.
        """
        bound: list[str] = []
        names = [q.name for q in target.params]
        for i, a in enumerate(node.pattern.args):
            if a.name is not None:
                if a.name not in names:
                    self.ctx.report_unknown("N009", name_of(a), a.name, names, of=target.name)
                    continue
                at = names.index(a.name)
                hook.args.append(
                    PatternArg(at, self.expressions.check(a.value, scope, target.params[at].type), None)
                )
                continue
            if i >= len(names):
                wanted, help = arguments(len(names)), leaving_out(node.pattern.args[i:])
                self.ctx.report(
                    "T005", a.span, name=target.name, wanted=wanted, given=len(node.pattern.args), help=help
                )
                break
            q = target.params[i]
            if (
                isinstance(a.value, n.Name)
                and scope.find(a.value.name) is None
                and not self.known_value(a.value.name, q.type)
            ):
                if a.value.name == "_":
                    continue
                self.names.check_new_name(a.value.name, a.value.span, scope)
                local = scope.declare(a.value.name, q.type, a.value.span, q.var)
                bound.append(a.value.name)
                hook.args.append(PatternArg(i, None, local.slot))
            else:
                hook.args.append(PatternArg(i, self.expressions.check(a.value, scope, q.type), None))
        return bound

    def known_value(self, name: str, kind: Type) -> bool:
        """Tell whether a name stands for a value already.

        Such a name cannot be bound, as it would be hidden.
        """
        p = self.program
        base = kind.base if isinstance(kind, t.Optional) else kind
        if self.names.describe(name) is not None or (
            isinstance(base, t.Enum) and name in p.enums[base.name].values
        ):
            return True
        if isinstance(base, t.Cell):
            return name in p.boards[base.board].cells
        return isinstance(base, t.Component) and any(name in self.names.ids_of(k) for k in base.kinds)

    def key_type(self, kind: str) -> Type | None:
        anywhere = self.program.classes[kind].live_anywhere
        keys = {
            z.key
            for z in self.program.zones.values()
            if kind in z.kinds and z.key is not None and (z.live or anywhere)
        }
        return keys.pop() if len(keys) == 1 else None

    # ------------------------------------------------------------ what stands open
    def check_open(self) -> None:
        """The options of `at any time`, as those of a menu; what each does becomes a procedure, which takes
        the player and what its `for`s walk.
        """
        for node, component in self.open_nodes:
            cites = self.ctx.cites(node.cites)
            proc = Proc(-1, "at any time", "hook", node.span, cites=cites)
            scope = Scope(proc)
            self.names.check_new_name(node.player, node.player_span, scope)
            scope.declare(node.player, PLAYER, node.player_span)
            options = node.options
            if node.condition is not None:
                options = (n.OptionGroup(node.condition.span, (), (), node.condition, (), (), options, ()),)
            if component is not None:
                options = (self.of_power(node, *component, options),)
            for _ in range(deepest(options)):
                proc.slot("$given", t.INT)
            player = n.Name(node.player_span, node.player)
            self.statements.returns, self.statements.loops = NOTHING, 0
            *before, menu = self.statements.block(
                (n.Menu(node.span, node.cites, player, None, (), options, None, node.leaks),), scope
            )
            assert isinstance(menu, MenuStmt)
            bodies = [
                self.open_body(node, proc, o, block)
                for o, block in zip(menu.menu.options, menu.blocks, strict=False)
            ]
            if node.span not in self.program.silent:
                self.standing.append(
                    OpenOptions(proc, [s for s in before if isinstance(s, LetStmt)], menu, bodies)
                )

    def of_power(
        self, node: n.AnyTime, kind: str, id: str | None, options: tuple[n.Option | n.OptionGroup, ...]
    ) -> n.OptionGroup:
        """The options of the components whose power this is, while it is in force: a group that walks what
        lies in live zones. By `owner` only what is theirs.
        """
        # nobody wrote it: it is empty
        p, at = self.program, Span(node.player_span.source, node.player_span.start, node.player_span.start)
        live = [z for z in p.zones.values() if kind in z.kinds and (z.live or p.classes[kind].live_anywhere)]
        names = names_in(options)
        itself, lists, lets = n.Name(at, "self"), list[n.Expr](), list[n.Let]()
        of_owner = node.player == "owner"
        for z in live:
            of = n.Index(at, n.Name(at, z.name), n.Name(at, "owner")) if of_owner else n.Name(at, z.name)
            is_one = n.IsKind(at, itself, kind, at, False) if len(z.kinds) > 1 else None
            if isinstance(z.key, t.Player) or not of_owner:
                lists.append(n.ListComp(at, itself, (n.For(at, "self", of),), is_one))
        if not lists:
            p.silent[node.span] = kind
        lists = lists or [n.ListComp(at, itself, (n.For(at, "self", n.Name(at, kind)),), n.Bool(at, False))]
        source = reduce(lambda x, y: n.Binary(at, "+", x, y), lists)
        asked: list[n.Expr] = [] if id is None else [n.Binary(at, "==", itself, n.Name(at, id))]
        for name in ("owner", "here"):
            held = [z for z in live if isinstance(z.key, t.Player) or (z.key is not None and name == "here")]
            if (
                name in names
                and name != node.player
                and held
                and (name == "owner" or self.key_type(kind) is not None)
            ):
                keys: list[n.Expr] = [
                    n.Call(at, n.Attr(at, n.Name(at, z.name), "key", at), (n.Arg(at, None, itself),))
                    for z in held
                ]
                place = reduce(lambda x, y: n.Binary(at, "otherwise", x, y), keys)
                asked.append(n.IsNone(at, place, True))
                lets.append(n.Let(at, (), name, at, False, None, n.Certain(at, place)))
        condition = reduce(lambda x, y: n.Binary(at, "and", x, y), asked) if asked else None
        return n.OptionGroup(at, (), (n.For(at, "self", source),), condition, tuple(lets), (), options)

    def open_body(self, node: n.AnyTime, frame: Proc, option: MenuOption, block: list[TypedStmt]) -> Proc:
        """Return the procedure with the body of one option."""
        proc = self.new_proc("at any time", "def", option, option.cites)
        proc.slots, proc.slot_types = list(frame.slots), list(frame.slot_types)
        proc.params.append(Param(node.player, PLAYER, 0, False))
        for i, slot in enumerate(option.slots, 1):
            kind = proc.slot_types[i] = frame.slot_types[slot]
            proc.params.append(Param(frame.slots[slot], kind, i, False))
            proc.body.append(LetStmt(option.span, (LocalExpr(kind, option.span, slot=i),), slot=slot))
        proc.body += block
        proc.calls = set(called(x for s in statements(block) for x in s.reads()))
        proc.opens = {window for s in statements(block) if (window := s.opens) is not None}
        return proc

    # ------------------------------------------------------------ watchers
    def check_watchers(self) -> None:
        for node, _ in self.listeners:
            if isinstance(node, n.Hook):
                continue
            kind = "watch" if isinstance(node, n.Watch) else "end"
            proc = self.new_proc(kind, kind, node, self.ctx.cites(node.cites))
            scope = Scope(proc)
            slot = None
            if isinstance(node, n.Watch) and node.key is not None:
                self.watch_each(node, proc)
                continue
            if isinstance(node, n.Watch):
                value = self.expressions.zones_as_list(self.expressions.check(node.value, scope))
                if node.name is not None:
                    self.names.check_new_name(node.name, node.name_span or node.span, scope)
                    slot = scope.declare(node.name, value.type, node.span).slot
            else:
                value = self.expressions.condition(node.condition, scope)
            self.check_body(proc, node.body, scope, NOTHING)
            if isinstance(node, n.EndWhen) and comes_out(node.body):
                self.ctx.report("F010", node.span)
            self.program.watchers.append(Watcher(len(self.program.watchers), kind, value, proc, slot))

    def watch_each(self, node: n.Watch, proc: Proc) -> None:
        """`watch x[k] for k`: of a map of all these values, what runs for each key whose value has
        changed.
        """
        each = self.new_proc("$watch", "def", node, self.ctx.cites(node.cites))
        scope = Scope(each)
        key = self.key_watched(node)
        if isinstance(key, t.Unknown) or node.key is None or node.key_span is None:
            return
        self.names.check_new_name(node.key, node.key_span, scope)
        item = scope.declare(node.key, key, node.key_span)
        value = self.expressions.zones_as_list(self.expressions.check(node.value, scope))
        slots = {i: proc.slot(*slot) for i, slot in enumerate(zip(each.slots, each.slot_types, strict=True))}
        each.params.append(Param(node.key, key, item.slot, False))
        if node.name is not None:
            self.names.check_new_name(node.name, node.name_span or node.span, scope)
            new = scope.declare(node.name, value.type, node.span)
            each.params.append(Param(node.name, value.type, new.slot, False))
        self.check_body(each, node.body, scope, NOTHING)
        span, kind = node.span, t.Map(key, value.type)
        here, held, before = (
            proc.slot(word, of) for word, of in (("$key", key), ("$new", kind), ("$old", kind))
        )
        build, keys = TreeBuilder(proc, span), values_of(key, span)
        whole = build.map_over(kind, keys, build.local(slots[item.slot]), value.in_slots(slots))
        this = build.local(here)
        now, then = (build.operation("index", value.type, build.local(i), this) for i in (held, before))
        run = DoStmt(span, (build.call(each, *(this, now)[: len(each.params)]),))
        changed = build.operation("!=", t.BOOL, now, then)
        proc.body = [build.each(here, keys, [run], changed)]
        self.program.watchers.append(Watcher(len(self.program.watchers), "watch", whole, proc, held, before))

    def key_watched(self, node: n.Watch) -> Type:
        """Return the type of the key of a `watch` that names it between brackets in what is watched."""
        for part in n.walk(node.value):
            if isinstance(part, n.Index) and isinstance(part.key, n.Name) and part.key.name == node.key:
                target = self.expressions.check(part.target, Scope(Proc(-1, "watch", "watch", node.span)))
                kind = self.names.stacks(target) or target
                if isinstance(kind.type, (t.Map, t.Family)):
                    return kind.type.key
                if isinstance(kind.type, t.Unknown):
                    return t.UNKNOWN
        self.ctx.report("T081", node.key_span or node.span, name=node.key)
        return t.UNKNOWN
