"""Checking lists, sets, maps and comprehensions: what is written together must have one type."""

from __future__ import annotations

from croupier.semantics import types as t
from croupier.semantics.expressions import Expressions
from croupier.semantics.habits import finite_instead
from croupier.semantics.scope import Local, Scope, known_if
from croupier.semantics.tree import X
from croupier.semantics.types import UNKNOWN, Type
from croupier.syntax import nodes as n


class Collections(Expressions):
    """Checks what gathers values, and the `for` that walks them."""

    def list_literal(self, node: n.ListLit | n.ListComp, scope: Scope, aim: Type | None) -> X:
        if isinstance(node, n.ListComp):
            inner, args, slots, sure = self.fors(node.fors, node.condition, scope)
            element = self.check(node.element, inner, aim.base if isinstance(aim, t.Collection) else None)
            return X("comp", t.list_of(element.type, sure), node.span, (*args, element), ("list", slots, node.condition is not None, False))
        if not node.items:
            word = aim.kind if isinstance(aim, t.Collection) else "list"
            return X("list", t.Collection(word, t.NEVER), node.span)
        items = self.together(list(node.items), scope, aim.base if isinstance(aim, t.Collection) else None)
        kind = self.joined(items)
        if kind is None:
            return X("unknown", UNKNOWN, node.span)
        word = aim.kind if isinstance(aim, t.Collection) else "list"
        return X("list", t.Collection(word, kind, True), node.span, tuple(items))

    def joined(self, xs: list[X]) -> Type | None:
        """The one type that all of these have; None, and reported at the first that differs, if there is none."""
        kind: Type = t.NEVER
        for x in xs:
            joined = t.join(kind, x.type)
            if joined is None:
                self.wrong("T014", x.span, first=kind, second=x.type)
                return None
            kind = joined
        return kind

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
            kind = t.Map(self.keys_of([key], key.type, key_aim), value.type)
            return X("map_comp", kind, node.span, (*args, key, value), (slots, node.condition is not None))
        keys = self.together([k for k, _ in node.entries], scope, key_aim)
        values = self.together([v for _, v in node.entries], scope, value_aim)
        found = self.joined(keys)
        value_kind = None if found is None else self.joined(values)
        if found is None or value_kind is None:
            return X("unknown", UNKNOWN, node.span)
        key_kind = self.keys_of(keys, found, key_aim)
        return X("map", t.Map(key_kind, value_kind), node.span, tuple(x for pair in zip(keys, values, strict=True) for x in pair))

    def keys_of(self, keys: list[X], found: Type, aim: Type | None) -> Type:
        """The keys of a map: those that are wanted, if what is written may be among them, or those that are written."""
        if aim is not None and not isinstance(aim, t.Unknown) and all(t.fits(k.type, aim) for k in keys):
            return aim
        if not isinstance(found, (t.Never, t.Unknown)) and not t.is_scalar(found):
            self.wrong("T031", keys[0].span, given=found, instead=finite_instead(found))
            return UNKNOWN
        return found

    def fors(self, fors: tuple[n.For, ...], condition: n.Expr | None, scope: Scope) -> tuple[Scope, tuple[X, ...], tuple[int, ...], bool]:
        """The `for … if …` of a comprehension: its scope, sources and condition, slots, and whether it surely yields something."""
        inner, args, slots, sure = scope.child(), [], [], condition is None
        for f in fors:
            inner, source, local = self.walked(f, inner)
            sure = sure and isinstance(source.type, t.Collection) and source.type.nonempty
            args.append(source)
            slots.append(local.slot)
        if condition is not None:
            args.append(self.condition(condition, inner))
            inner = inner.child(known_if(condition, True))
        return inner, tuple(args), tuple(slots), sure

    def walked(self, f: n.For, scope: Scope) -> tuple[Scope, X, Local]:
        """One `for`: the scope behind it, what is walked, and its local. With a condition, only what passes is walked."""
        source = self.as_list(self.check(f.source, scope))
        base = source.type.base if isinstance(source.type, t.Collection) else UNKNOWN
        self.check_new_name(f.name, f.span, scope)
        local = scope.declare(f.name, base, f.span)
        if f.condition is None:
            return scope, source, local
        condition = self.condition(f.condition, scope)
        element = X("local", base, f.span, (), local.slot)
        passing = X("comp", t.list_of(base), f.span, (source, condition, element), ("list", (local.slot,), True, False))
        return scope.child(known_if(f.condition, True)), passing, local
