"""From written types to types."""

from __future__ import annotations

from croupier.semantics import types as t
from croupier.semantics.context import CheckContext
from croupier.semantics.expressions import ExpressionChecker
from croupier.semantics.hints import finite_help
from croupier.semantics.scope import Scope
from croupier.semantics.tree import ConstExpr, LocalExpr, X
from croupier.semantics.types import INT, UNKNOWN, Type
from croupier.syntax import nodes as n
from croupier.syntax import parse_declaration

PLAIN = {"bool": t.BOOL, "int": t.INT, "Player": t.PLAYER, "text": t.TEXT, "Direction": t.DIRECTION, "Audience": t.AUDIENCE}
MEANT_TYPES = {"integer": "int", "number": "int", "boolean": "bool", "string": "text", "str": "text", "player": "Player", "cell": "Cell"}
SETUP_ONLY = {"state", "zone", "zone_at", "mutable"}  # what does not exist yet when the game is set up


class TypeExpressions:
    """Checks written types."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker) -> None:
        self.ctx, self.program = ctx, ctx.program
        self.expressions = expressions

    def type(self, node: n.TypeExpr, scope: Scope) -> Type:
        p = self.program
        match node:
            case n.TypeName():
                return self.type_name(node)
            case n.KindsType():
                missing = [k for k in node.kinds if isinstance(k, n.TypeName) and k.name == "none"]
                if missing:  # `Colour or none`
                    return self.may_be_missing(missing[0], [k for k in node.kinds if k not in missing])
                kinds = [self.type(k, scope) for k in node.kinds]
                for k, written in zip(kinds, node.kinds, strict=True):
                    if not isinstance(k, (t.Component, t.Unknown)):
                        self.ctx.report("T062", written.span, given=k)
                known = [k.kinds for k in kinds if isinstance(k, t.Component)]
                return t.Component(frozenset().union(*known)) if len(known) == len(kinds) else UNKNOWN
            case n.RangeType():
                low, high = self.limit(node.low, scope), self.limit(node.high, scope)
                a, b = (x.type if isinstance(x.type, t.Int) else INT for x in (low, high))
                if a.low is not None and b.high is not None and a.low > b.high:
                    self.ctx.report("T029", node.span)
                    return UNKNOWN
                constant = isinstance(low, ConstExpr) and isinstance(high, ConstExpr)
                return t.Int(a.low, b.high, None if isinstance(low, ConstExpr) or constant else low, None if isinstance(high, ConstExpr) else high)
            case n.OptionalType():
                base = self.type(node.base, scope)
                return base if isinstance(base, t.Optional) else t.Optional(base)
            case n.CollectionType():
                base = self.type(node.base, scope)
                if node.kind == "zone":
                    if not isinstance(base, t.Component):
                        return UNKNOWN if isinstance(base, t.Unknown) else self.bad_type(node, "zone")
                    return t.Zone(base.kinds)
                capacity: X | None = None if node.capacity is None else self.limit(node.capacity, scope)
                return t.Collection(node.kind, base, False, capacity)
            case n.PerType():
                key, value = self.type(node.key, scope), self.type(node.value, scope)
                if not isinstance(key, t.Unknown) and not self.finite(key):
                    self.ctx.report("T031", node.key.span, given=key, instead=finite_help(key))
                    key = UNKNOWN
                return t.Map(key, value)
        del p
        raise AssertionError(node)

    def may_be_missing(self, none: n.TypeName, others: list[n.TypeExpr]) -> Type:
        """Report `none` among kinds of components: a value that may be missing has another type."""
        given = others[0].span.text if len(others) == 1 else "T"
        self.ctx.report("T062", none.span, given="none", help=f"what may be missing has a type with a question mark: `{given}?`")
        return UNKNOWN

    def named_type(self, name: str) -> Type:
        """What a name for a type stands for, worked out when it is first needed."""
        if name in self.ctx.known_types:
            known = self.ctx.known_types[name]
            if known is None:
                self.ctx.report("G009", self.ctx.named_types[name].span, name=name)
            return known or UNKNOWN
        self.ctx.known_types[name] = None
        decl = self.ctx.read(parse_declaration, self.ctx.named_types[name].rule, None)
        kind: Type = UNKNOWN
        if decl is not None:
            self.only_type(decl)
            assert self.program.static is not None
            before = len(self.ctx.found)
            kind = self.type(decl.type, Scope(self.program.static))
            if any(d.code == "G009" for d in self.ctx.found[before:]):
                kind = UNKNOWN
        self.ctx.known_types[name] = kind
        return kind

    def only_type(self, decl: n.Declaration) -> None:
        """A type and nothing else was to be written."""
        for extra, what in ((decl.start, "start value"), (decl.seen_by, "audience"), (decl.label, "label")):
            if extra is not None:
                self.ctx.report("T057", extra.span, what=what)

    def limit(self, node: n.Expr, scope: Scope) -> X:
        """A limit of a written type: known once the game is set up, so that nothing of a position may stand in it."""
        x = self.expressions.check(node, scope, INT)
        own = {slot for y in x.walk() for slot in y.binds()}
        bad = next((y for y in x.walk() if y.op in SETUP_ONLY or (isinstance(y, LocalExpr) and y.slot not in own)), None)
        return x if bad is None else self.ctx.report("T058", bad.span)

    def bad_type(self, node: n.TypeExpr, what: str) -> Type:
        self.ctx.report("T032", node.span, what=what)
        return UNKNOWN

    def finite(self, key: Type) -> bool:
        if isinstance(key, t.Int):
            return key.low is not None and key.high is not None
        return isinstance(key, (t.Bool, t.Enum, t.Player, t.Cell, t.Component))

    def type_name(self, node: n.TypeName) -> Type:
        kind = self.named(node)
        self.ctx.observer.type_name(node, kind)
        return kind

    def named(self, node: n.TypeName) -> Type:
        p, name = self.program, node.name
        if name in self.ctx.ambiguous:
            return UNKNOWN
        if name in PLAIN:
            return PLAIN[name]
        if name in p.enums:
            self.ctx.used.add(("type", name))
            return t.Enum(name)
        if name in p.records:
            self.ctx.used.add(("type", name))
            return t.Record(name)
        if name in p.classes:
            self.ctx.used.add(("component", name))
            return t.Component(frozenset([name]))
        for b in p.boards.values():
            if b.cell == name:
                self.ctx.used.add(("board", b.name))
                return t.Cell(b.name, b.cell)
        if name in self.ctx.named_types:
            self.ctx.used.add(("type", name))
            return self.named_type(name)
        candidates = [*PLAIN, *p.enums, *p.records, *self.ctx.named_types, *p.classes, *(b.cell for b in p.boards.values())]
        meant = MEANT_TYPES.get(name)
        help = {"help": f"did you mean `{meant}`?"} if meant in candidates else self.ctx.suggest(name, candidates)
        self.ctx.report("N003", node.span, name=name, **help)
        return UNKNOWN
