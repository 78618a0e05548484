"""Checking expressions: from nodes to typed nodes, with what is wanted flowing down and what is given flowing
up.

Enumeration literals are bare names: what is wanted decides between two enumerations with the same value. An
optional never turns into its value silently; it does where the text itself has shown that there is one
(`is not none`, `scope.known_if`).

Each class of nodes has a row in `ExpressionChecker.rules`; those of attributes and calls come from `members`
and `calls`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from croupier.diagnostics import Fix, Label, Span, did_you_mean
from croupier.kernel import types as t
from croupier.kernel.tree import (
    CompExpr,
    ComponentExpr,
    ConstExpr,
    DomainExpr,
    EnumExpr,
    IsKindExpr,
    LabelledExpr,
    LocalExpr,
    MapCompExpr,
    OperationExpr,
    TextExpr,
    TypedExpr,
)
from croupier.kernel.types import BOOL, INT, NOTHING, PLAYER, UNKNOWN, Type, interval
from croupier.limits import MAX_NUMBER
from croupier.semantics.amounts import Amounts
from croupier.semantics.assignable import is_variable, local_refusal, refusal, root_of
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.context import LocalName, Scope, known_if, path
from croupier.semantics.names import (
    NAME_HINTS,
    NameResolver,
    comparison_help,
    finite_help,
    fixed_help,
    membership_help,
    number_help,
    one_kind_help,
    value_help,
    walking_help,
)
from croupier.semantics.type_words import described
from croupier.syntax import nodes as n

SINGULAR_PLURAL = re.compile(r"(?P<space> )(?P<one>[^\W\d_]+)\|(?P<many>[^\W\d_]+)")
"""Behind a number in a text: `{n} coin|coins`."""
AROUND = (
    "the player after p is `next(p)`, the one before `previous(p)`; the number of a player's seat is `p.seat`"
)
COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}


Rule = Callable[[Any, Scope, Type | None], TypedExpr]
"""Checks one class of nodes in a scope; the type is what its place asks for."""


def not_optional(wanted: Type | None) -> Type | None:
    """Return the type that is wanted of a value that is there: the base of an optional."""
    return wanted.base if isinstance(wanted, t.Optional) else wanted


class ExpressionChecker:
    """Checks expressions against a program whose declarations are known."""

    def __init__(self, names: NameResolver) -> None:
        self.ctx, self.program, self.names = names.ctx, names.program, names
        self.amounts = Amounts()
        self.rules: dict[type[n.Expr], Rule] = {
            n.Int: self.integer, n.Bool: self.boolean, n.NoneLit: self.none, n.Template: self.text,
            n.Name: self.name, n.Certain: self.certain,
            n.Unary: self.unary, n.Binary: self.binary, n.IsNone: self.is_none, n.IsKind: self.is_kind,
            n.IfElse: self.if_else,
            n.ListLit: self.list_literal, n.ListComp: self.list_literal, n.MapLit: self.map_literal,
            n.MapComp: self.map_literal,
        }  # fmt: skip

    # ------------------------------------------------------------ entry points
    def check(self, node: n.Expr, scope: Scope, wanted: Type | None = None) -> TypedExpr:
        """Type an expression; with `wanted`, report it when it cannot stand there."""
        x = self.infer(node, scope, wanted)
        if wanted is None or isinstance(x.type, t.Unknown):
            return x
        before = len(self.ctx.found)
        x = self.fit(x, wanted, node.span)
        local = scope.find(node.name) if isinstance(node, n.Name) and len(self.ctx.found) > before else None
        if local is not None and local.span != node.span:  # what it holds was said where it was declared
            declared = Label(local.span, f"`{local.name}` is declared here")
            self.ctx.found[before:] = [
                replace(d, labels=(*d.labels, declared)) for d in self.ctx.found[before:]
            ]
        return x

    def fit(self, x: TypedExpr, wanted: Type, span: Span) -> TypedExpr:
        if isinstance(x.type, (t.Zone, t.Family)) and isinstance(wanted, t.Collection):
            x = self.as_list(x)
        if (
            isinstance(x.type, t.Collection)
            and isinstance(wanted, t.Collection)
            and x.type.kind != wanted.kind
            and x.op == "list"
            and not x.args
        ):
            x = OperationExpr("list", t.Collection(wanted.kind, t.NEVER), x.span)
        if t.is_assignable(x.type, wanted):
            return x
        if isinstance(x.type, t.Optional) and t.is_assignable(x.type.base, wanted):
            return self.ctx.report("T002", span, given=x.type, wanted=wanted)
        if isinstance(x.type, t.Int) and isinstance(wanted, t.Int):
            help = (
                "counting begins with 1, which is the first"
                if (x.type.high, wanted.low, wanted.high) == (0, 1, None)
                else None
            )
            return self.ctx.report(
                "T017", span, given=t.in_words(x.type), wanted=t.in_words(wanted), help=help
            )
        if str(x.type) == str(wanted):
            help = "maps have the same keys only if their bounds are written with the same parameters"
            return self.ctx.report(
                "T001", span, given=f"`{t.in_full(x.type)}`", wanted=f"`{t.in_full(wanted)}`", help=help
            )
        return self.ctx.report("T001", span, given=x.type, wanted=wanted, help=value_help(x, wanted))

    def condition(self, node: n.Expr, scope: Scope) -> TypedExpr:
        return self.check(node, scope, BOOL)

    def infer(self, node: n.Expr, scope: Scope, wanted: Type | None) -> TypedExpr:
        x = self.rules[type(node)](node, scope, wanted)
        if isinstance(node, (n.Name, n.Attr, n.Index)):
            x = self.narrow(node, x, scope)
        self.ctx.observer.expression(node, scope, wanted, x)
        return x

    def integer(self, node: n.Int, scope: Scope, wanted: Type | None) -> TypedExpr:
        if abs(node.value) > MAX_NUMBER:
            return self.ctx.report("T018", node.span)
        return ConstExpr(t.Int(node.value, node.value), node.span, value=node.value)

    def boolean(self, node: n.Bool, scope: Scope, wanted: Type | None) -> TypedExpr:
        return ConstExpr(BOOL, node.span, value=node.value)

    def none(self, node: n.NoneLit, scope: Scope, wanted: Type | None) -> TypedExpr:
        aim = not_optional(wanted)
        if isinstance(aim, t.Enum) and "none" in self.program.enums[aim.name].values:
            return EnumExpr(aim, node.span, enum=aim.name, name="none")
        return ConstExpr(NOTHING, node.span, value=None)

    def name(self, node: n.Name, scope: Scope, wanted: Type | None) -> TypedExpr:
        return self.names.name(node, scope, not_optional(wanted))

    def certain(self, node: n.Certain, scope: Scope, wanted: Type | None) -> TypedExpr:
        span, x = node.span, self.check(node.value, scope)
        if isinstance(x.type, t.Unknown):
            return x
        if not isinstance(x.type, t.Optional):
            if x.op == "certain":
                return x
            return self.ctx.report(
                "T009",
                span,
                given=x.type,
                fix=self.ctx.leaving_out(Span(span.source, span.end - 1, span.end)),
            )
        return OperationExpr("certain", x.type.base, span, (x,))

    def unary(self, node: n.Unary, scope: Scope, wanted: Type | None) -> TypedExpr:
        if node.op == "not":
            return OperationExpr("not", BOOL, node.span, (self.condition(node.value, scope),))
        value = self.check(node.value, scope, INT)
        return (
            value
            if node.op == "+"
            else OperationExpr("neg", interval("neg", value.type), node.span, (value,))
        )

    def is_none(self, node: n.IsNone, scope: Scope, wanted: Type | None) -> TypedExpr:
        x = self.check(node.value, scope.child())
        if x.op == "certain" and not isinstance(node.value, n.Certain):
            x = x.args[0]
        if not isinstance(x.type, (t.Optional, t.Unknown, t.Nothing)):
            return self.ctx.report("T010", node.span, given=x.type)
        return OperationExpr("is_some" if node.negated else "is_none", BOOL, node.span, (x,))

    def if_else(self, node: n.IfElse, scope: Scope, wanted: Type | None) -> TypedExpr:
        c = self.condition(node.condition, scope)
        a = self.check(node.then, scope.child(known_if(node.condition, True)), wanted)
        b = self.check(node.other, scope.child(known_if(node.condition, False)), wanted)
        kind = t.join(a.type, b.type)
        if kind is None:
            a, b = self.zones_as_list(a), self.zones_as_list(b)
            kind = t.join(a.type, b.type)
        if kind is None:
            return self.no_common_type(node.span, (a, b))
        return OperationExpr("if", kind, node.span, (c, a, b))

    def no_common_type(self, span: Span, sides: tuple[TypedExpr, TypedExpr]) -> TypedExpr:
        """Report two values of different kinds where one kind is needed, with what each of them is."""
        first, second = (t.widened(x.type) for x in sides)
        labels = [Label(x.span, described(kind)) for x, kind in zip(sides, (first, second), strict=True)]
        return self.ctx.report(
            "T014",
            span,
            first=first,
            second=second,
            labels=labels,
            help=one_kind_help(sides[0].type, sides[1].type),
        )

    def narrow(self, node: n.Expr, x: TypedExpr, scope: Scope) -> TypedExpr:
        """A value as what the text has shown it to be: there, and of which kinds."""
        known = scope.known(path(node))
        if isinstance(x.type, t.Optional) and any(f.kind is None for f in known):
            x = OperationExpr("certain", x.type.base, x.span, (x,))
        elif isinstance(x.type, t.Optional):
            changed = scope.ended_by(path(node))
            if changed is not None:
                self.ctx.none_again[x.span.start, x.span.end] = changed
        if isinstance(x.type, t.Component) and len(x.type.kinds) > 1:
            kinds = x.type.kinds
            for f in known:
                if f.kind in kinds:
                    kinds = frozenset([f.kind]) if f.holds else kinds - {f.kind}
            if kinds != x.type.kinds:
                x = OperationExpr("narrow", t.Component(kinds), x.span, (x,))
        return x

    def is_kind(self, node: n.IsKind, scope: Scope, wanted: Type | None) -> TypedExpr:
        """`x is Kind`."""
        x = self.check(node.value, scope)
        while x.op == "narrow":
            x = x.args[0]
        if node.kind not in self.program.classes:
            if node.kind in NAME_HINTS and NAME_HINTS[node.kind] == "none":
                fix = Fix(node.kind_span, "none", "write `none`")
                return self.ctx.report(
                    "N001", node.kind_span, name=node.kind, kind="value", help="write `none`", fix=fix
                )
            if NAME_HINTS.get(node.kind) in ("true", "false"):
                return self.compared_by_is(node, NAME_HINTS[node.kind])
            near = self.ctx.suggest(node.kind, list(self.program.classes))
            if near or node.kind[:1].isupper():
                return self.ctx.report(
                    "N001", node.kind_span, name=node.kind, kind="kind of component", **near
                )
            return self.compared_by_is(node)
        if isinstance(x.type, t.Optional) and isinstance(x.type.base, t.Component):
            return self.ctx.report("T002", node.value.span, given=x.type, wanted=x.type.base)
        if isinstance(x.type, t.Unknown):
            return OperationExpr("unknown", BOOL, node.span)
        if not isinstance(x.type, t.Component) or node.kind not in x.type.kinds or len(x.type.kinds) == 1:
            always = isinstance(x.type, t.Component) and node.kind in x.type.kinds
            help = f"leave the question out: everything here is a `{node.kind}`" if always else None
            if not always and isinstance(x.type, t.Component):
                help = f"this is of the kind {' or '.join(f'`{kind}`' for kind in sorted(x.type.kinds))}"
            elif not always:
                help = "`is` asks of which kind a component is; values are compared with `==`"
            return self.ctx.report(
                "T061",
                node.span,
                given=node.value.span.text,
                how="always" if always else "never",
                kind=node.kind,
                help=help,
            )
        self.ctx.used.add(("component", node.kind))
        op = "is_other" if node.negated else "is_kind"
        return IsKindExpr(BOOL, node.span, (x,), op=op, kind=node.kind)

    def compared_by_is(self, node: n.IsKind, meant: str | None = None) -> TypedExpr:
        """Report `x is y` where `y` is a value, or where a value is `meant`."""
        sign, meaning = ("!=", "is another one") if node.negated else ("==", "is the same")
        between = Span(node.span.source, node.value.span.end, node.kind_span.start)
        words = between.text.strip()
        start = between.start + between.text.index(words)
        at = Span(node.span.source, start, start + len(words) if meant is None else node.kind_span.end)
        change = sign if meant is None else f"{sign} {meant}"
        fix = Fix(at, change, f"write `{change}`", safe=False)
        whole = f"{node.value.span.text} {sign} {meant or node.kind}"
        help = f"write `{whole}` (`{sign}` means: {meaning})"
        return self.ctx.report("P031", fix.span, word="is not" if node.negated else "is", help=help, fix=fix)

    def text(self, node: n.Template, scope: Scope, wanted: Type | None) -> TypedExpr:
        aim = not_optional(wanted)
        if isinstance(aim, t.Component) and all(isinstance(p, str) for p in node.parts):
            return LabelledExpr(aim, node.span, label=node.raw)
        args: list[TypedExpr] = []
        data: list[str | None] = []
        for p in node.parts:
            if not isinstance(p, str):
                data.append(None)
                args.append(self.zones_as_list(self.check(p, scope)))
                continue
            forms = SINGULAR_PLURAL.match(p) if args and isinstance(args[-1].type, t.Int) else None
            if forms is not None:
                data += [forms["space"], None]
                build = TreeBuilder(scope.proc, node.span)
                is_one = build.operation("==", BOOL, args[-1], build.number(1))
                words = (build.text(forms["one"]), build.text(forms["many"]))
                args.append(build.operation("if", t.TEXT, is_one, *words))
                p = p[forms.end() :]
            if p:
                data.append(p)
        return TextExpr(t.TEXT, node.span, tuple(args), parts=tuple(data))

    # ------------------------------------------------------------ collections
    def as_list(self, x: TypedExpr) -> TypedExpr:
        """A value that can be walked, as a list; reports what cannot."""
        match x.type:
            case t.Collection() | t.Unknown():
                return x
            case t.Zone():
                return OperationExpr("zone_list", t.list_of(t.Component(x.type.kinds)), x.span, (x,))
            case t.Family():
                return OperationExpr("family_list", t.list_of(t.Component(x.type.kinds)), x.span, (x,))
            case t.Optional():
                return OperationExpr("optional_list", t.list_of(x.type.base), x.span, (x,))
            case t.Board():
                cells = t.list_of(t.Cell(x.type.name, self.program.boards[x.type.name].cell), True)
                return DomainExpr(cells, x.span, op="board_cells", name=x.type.name)
        return self.ctx.report("T004", x.span, given=x.type, help=walking_help(x))

    def zones_as_list(self, x: TypedExpr) -> TypedExpr:
        """Return what lies in a zone or in the zones of a family as a list; any other value as it is."""
        return self.as_list(x) if isinstance(x.type, (t.Zone, t.Family)) else x

    def list_literal(self, node: n.ListLit | n.ListComp, scope: Scope, wanted: Type | None) -> TypedExpr:
        aim = not_optional(wanted)
        if isinstance(node, n.ListComp):
            inner, args, slots, sure = self.fors(node.fors, node.condition, scope)
            element = self.check(node.element, inner, aim.base if isinstance(aim, t.Collection) else None)
            kind, condition = t.list_of(element.type, sure), node.condition is not None
            return CompExpr(
                kind,
                node.span,
                (*args, element),
                name="list",
                slots=slots,
                has_condition=condition,
                has_key=False,
            )
        if not node.items:
            word = aim.kind if isinstance(aim, t.Collection) else "list"
            return OperationExpr("list", t.Collection(word, t.NEVER), node.span)
        items = self.check_together(
            list(node.items), scope, aim.base if isinstance(aim, t.Collection) else None
        )
        joined = self.join_types(items)
        if joined is None:
            return OperationExpr("unknown", UNKNOWN, node.span)
        word = aim.kind if isinstance(aim, t.Collection) else "list"
        return OperationExpr("list", t.Collection(word, joined, True), node.span, tuple(items))

    def join_types(self, xs: list[TypedExpr]) -> Type | None:
        """The one type that all of these have; `None`, and reported at the first that differs, if there is
        none.
        """
        kind: Type = t.NEVER
        for x in xs:
            joined = t.join(kind, x.type)
            if joined is None:
                self.no_common_type(x.span, (next(y for y in xs if not isinstance(y.type, t.Unknown)), x))
                return None
            kind = joined
        return kind

    def check_together(self, items: list[n.Expr], scope: Scope, wanted: Type | None) -> list[TypedExpr]:
        """Check expressions that must have one type: those with a type of their own first, bare literals by
        what those are.
        """
        first = [i for i in items if not self.literal(i, scope)]
        done = {id(i): self.check(i, scope, wanted) for i in first}
        if wanted is None:
            wanted = next(
                (x.type for x in done.values() if not isinstance(x.type, (t.Unknown, t.Nothing, t.Int))), None
            )
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

    def map_literal(self, node: n.MapLit | n.MapComp, scope: Scope, wanted: Type | None) -> TypedExpr:
        aim = not_optional(wanted)
        key_aim, value_aim = (aim.key, aim.value) if isinstance(aim, t.Map) else (None, None)
        if isinstance(node, n.MapComp):
            inner, args, slots, _ = self.fors(node.fors, node.condition, scope)
            key, value = self.check(node.key, inner, key_aim), self.check(node.value, inner, value_aim)
            kind = t.Map(self.keys_of([key], key.type, key_aim), value.type)
            return MapCompExpr(
                kind, node.span, (*args, key, value), slots=slots, has_condition=node.condition is not None
            )
        keys = self.check_together([k for k, _ in node.entries], scope, key_aim)
        values = self.check_together([v for _, v in node.entries], scope, value_aim)
        found = self.join_types(keys)
        value_kind = None if found is None else self.join_types(values)
        if found is None or value_kind is None:
            return OperationExpr("unknown", UNKNOWN, node.span)
        key_kind = self.keys_of(keys, found, key_aim)
        return OperationExpr(
            "map",
            t.Map(key_kind, value_kind),
            node.span,
            tuple(x for pair in zip(keys, values, strict=True) for x in pair),
        )

    def keys_of(self, keys: list[TypedExpr], found: Type, aim: Type | None) -> Type:
        """The keys of a map: those that are wanted, if what is written may be among them, or those that are
        written.
        """
        if (
            aim is not None
            and not isinstance(aim, t.Unknown)
            and all(t.is_assignable(k.type, aim) for k in keys)
        ):
            return aim
        if not isinstance(found, (t.Never, t.Unknown)) and not t.is_scalar(found):
            self.ctx.report("T031", keys[0].span, given=found, instead=finite_help(found))
            return UNKNOWN
        return found

    def fors(
        self, fors: tuple[n.For, ...], condition: n.Expr | None, scope: Scope
    ) -> tuple[Scope, tuple[TypedExpr, ...], tuple[int, ...], bool]:
        """The `for … if …` of a comprehension: its scope, sources and condition, slots, and whether it surely
        yields something.
        """
        inner, args, slots, sure = scope.child(), [], [], condition is None
        for f in fors:
            inner, source, local = self.walk_for(f, inner)
            sure = sure and isinstance(source.type, t.Collection) and source.type.nonempty
            args.append(source)
            slots.append(local.slot)
        if condition is not None:
            args.append(self.condition(condition, inner))
            inner = inner.child(known_if(condition, True))
        return inner, tuple(args), tuple(slots), sure

    def walk_for(self, f: n.For, scope: Scope) -> tuple[Scope, TypedExpr, LocalName]:
        """One `for`: the scope behind it, what is walked, and its local.

        With a condition, only what passes is walked.
        """
        source = self.as_list(self.check(f.source, scope))
        base = source.type.base if isinstance(source.type, t.Collection) else UNKNOWN
        self.names.check_new_name(f.name, f.span, scope)
        local = scope.declare(f.name, base, f.span)
        if f.condition is None:
            return scope, source, local
        condition = self.condition(f.condition, scope)
        build = TreeBuilder(scope.proc, f.span)
        element = build.local(local.slot)
        passing = build.aggregate("list", t.list_of(base), {local.slot: source}, element, condition)
        return scope.child(known_if(f.condition, True)), passing, local

    def binary(self, node: n.Binary, scope: Scope, wanted: Type | None) -> TypedExpr:
        aim = not_optional(wanted)
        op, span = node.op, node.span
        if op in ("and", "or"):
            left = self.condition(node.left, scope)
            right = self.condition(node.right, scope.child(known_if(node.left, op == "and")))
            return OperationExpr(op, BOOL, span, (left, right))
        if op in COMPARISONS:
            return self.comparison(node, scope)
        if op in ("in", "not in"):
            return self.membership(node, scope)
        if op == "otherwise":
            return self.otherwise(node, scope, aim)
        if op == "..":
            return self.range(node, scope)
        return self.arithmetic(node, scope)

    def otherwise(self, node: n.Binary, scope: Scope, aim: Type | None) -> TypedExpr:
        """`x otherwise y`: y where x is `none`, or an empty list."""
        span = node.span
        any_aim = aim is None or isinstance(node.left, (n.ListLit, n.ListComp))
        left = self.check(node.left, scope, None if aim is None or any_aim else t.Optional(aim))
        if isinstance(left.type, (t.Collection, t.Zone, t.Family)):
            left = self.as_list(left)
            right = self.as_list(self.check(node.right, scope, self.aim_of_list(left.type, node.right)))
            kind = t.join(left.type, right.type)
            if kind is None:
                return self.no_common_type(span, (left, right))
            return OperationExpr("otherwise_list", kind, span, (left, right))
        if not isinstance(left.type, (t.Optional, t.Unknown, t.Nothing)):
            return self.ctx.report(
                "T011",
                node.left.span,
                given=left.type,
                fix=self.ctx.leaving_out(Span(span.source, node.left.span.end, span.end)),
            )
        base = left.type.base if isinstance(left.type, t.Optional) else left.type
        right = self.check(
            node.right, scope, None if isinstance(base, (t.Unknown, t.Nothing, t.Int)) else t.Optional(base)
        )
        kind = t.join(base, right.type)
        if kind is None:
            return self.no_common_type(span, (left, right))
        return OperationExpr("otherwise", kind, span, (left, right))

    def range(self, node: n.Binary, scope: Scope) -> TypedExpr:
        """`a..b` as a list of numbers."""
        a, b = self.check(node.left, scope, INT), self.check(node.right, scope, INT)
        if isinstance(a.type, t.Unknown) or isinstance(b.type, t.Unknown):
            return OperationExpr("unknown", t.UNKNOWN, node.span)
        ia, ib = (x.type if isinstance(x.type, t.Int) else INT for x in (a, b))
        sure = ia.high is not None and ib.low is not None and ia.high <= ib.low
        return OperationExpr("range", t.list_of(t.Int(ia.low, ib.high), sure), node.span, (a, b))

    def arithmetic(self, node: n.Binary, scope: Scope) -> TypedExpr:
        """`+ - * // mod` of numbers; `+` and `-` of lists."""
        op, span = node.op, node.span
        left = self.zones_as_list(self.check(node.left, scope))
        if (
            isinstance(left.type, t.Collection)
            and op == "//"
            and re.fullmatch(r"[\w\s]+", node.right.span.text)
        ):
            between = Span(span.source, node.left.span.end, node.right.span.start)
            start = between.start + between.text.index("//")
            help = f"write `{node.left.span.text} # {node.right.span.text}` (between numbers, `//` divides)"
            return self.ctx.report("P073", Span(span.source, start, start + 2), word="//", help=help)
        if isinstance(left.type, t.Collection) and op in ("+", "-"):
            right = self.zones_as_list(self.check(node.right, scope, self.aim_of_list(left.type, node.right)))
            if isinstance(right.type, t.Unknown):
                return right
            kind = t.join(left.type, right.type)
            if kind is None or not isinstance(kind, t.Collection):
                return self.no_common_type(span, (left, right))
            if op == "-":
                return OperationExpr(
                    "without", t.Collection(left.type.kind, left.type.base), span, (left, right)
                )
            sure = left.type.nonempty or (isinstance(right.type, t.Collection) and right.type.nonempty)
            return OperationExpr("join", t.Collection(kind.kind, kind.base, sure), span, (left, right))
        if isinstance(left.type, t.Unknown):
            self.check(node.right, scope, t.UNKNOWN)
            return left
        if isinstance(left.type, t.Text):
            self.check(node.right, scope)
            return self.ctx.report("T066", span)
        if self.amounts.is_amount(left.type):
            return self.of_amount(op, span, left, node.right, scope)
        if isinstance(left.type, t.Player) and op in ("+", "-"):
            left = self.ctx.report("T001", node.left.span, given=left.type, wanted=INT, help=AROUND)
        else:
            left = self.fit(left, INT, node.left.span)
        right = self.check(node.right, scope, INT)
        if isinstance(left.type, t.Unknown):  # one mistake: what comes of it has no type
            return left
        if op in ("//", "mod") and isinstance(right.type, t.Int) and right.type.low == right.type.high == 0:
            return self.ctx.report("T021", node.right.span)
        return OperationExpr(op, interval(op, left.type, right.type), span, (left, right))

    def of_amount(
        self, op: str, span: Span, left: TypedExpr, node: n.Expr, scope: Scope, sign: str = ""
    ) -> TypedExpr:
        """`+ -` of two maps of numbers with the same keys, `* //` of one and a number."""
        assert isinstance(left.type, t.Map)
        wanted = t.Map(left.type.key, INT) if op in ("+", "-") else INT
        right = self.check(
            node, scope, wanted if op in ("*", "//") or isinstance(node, (n.MapLit, n.MapComp)) else None
        )
        if isinstance(right.type, t.Unknown):
            return right
        if op == "mod" or (op in ("+", "-") and isinstance(right.type, t.Int)):
            key = "p" if left.type.key == PLAYER else "k"
            help = f"there is one for each; say which: `{left.span.text}[{key}]`"
            return self.ctx.report("T006", left.span, op=sign or op, given=left.type, help=help)
        return self.amounts.combined(
            op, TreeBuilder(scope.proc, span), left, self.fit(right, wanted, node.span)
        )

    def aim_of_list(self, beside: Type, node: n.Expr) -> Type | None:
        """Return the type wanted of a list that is written beside another, by which bare names are read.

        `None` for lists of numbers, which need no help and may be any.
        """
        return (
            beside
            if isinstance(node, n.ListLit)
            and isinstance(beside, t.Collection)
            and not isinstance(beside.base, t.Int)
            else None
        )

    def comparison(self, node: n.Binary, scope: Scope) -> TypedExpr:
        left, right = self.check_pair(node.left, node.right, scope)
        if isinstance(left.type, t.Unknown) or isinstance(right.type, t.Unknown):
            return OperationExpr("unknown", BOOL, node.span)
        left, right = self.zones_as_list(left), self.zones_as_list(right)
        is_equality, is_comparable = node.op in ("==", "!="), t.comparable(left.type, right.type)
        if is_equality and (isinstance(left.type, t.Text) or isinstance(right.type, t.Text)):
            return self.ctx.report("T022", node.span, **self.in_quotes(node, left.type, right.type))
        if node.op in ("<=", ">=") and self.amounts.is_amount(left.type) and is_comparable:
            return self.amounts.compared(node.op, TreeBuilder(scope.proc, node.span), left, right)
        for x, where in () if is_equality else ((left, node.left), (right, node.right)):
            if isinstance(x.type, t.Optional):
                return self.ctx.report("T002", where.span, given=x.type, wanted=x.type.base)
            if not isinstance(x.type, (t.Int, t.Enum)):
                return self.ctx.report(
                    "T006", where.span, op=node.op, given=x.type, help=number_help(self.program, x)
                )
        if not is_comparable:
            help = comparison_help(self.program, (left.type, right.type), (node.left, node.right))
            how = "equal" if is_equality else "compared"
            return self.ctx.report("T003", node.span, left=left.type, right=right.type, how=how, help=help)
        if is_equality:
            return self.any_copy(node.op, node.span, left, right)
        return OperationExpr(node.op, BOOL, node.span, (left, right))

    def in_quotes(self, node: n.Binary, left: Type, right: Type) -> dict[str, object]:
        """Help where a value of an enumeration stands in quotes beside one that does not."""
        kind, text = (right, node.left) if isinstance(left, t.Text) else (left, node.right)
        kind = kind.base if isinstance(kind, t.Optional) else kind
        if not isinstance(text, n.Template) or not isinstance(kind, t.Enum):
            return {}
        values = list(self.program.enums[kind.name].values)
        if text.raw in values:
            return {
                "help": f"write `{text.raw}`, without quotes",
                "fix": Fix(text.span, text.raw, f"write `{text.raw}`"),
            }
        near = did_you_mean(text.raw, values) or values[0]
        return {"help": f"values are written without quotes, like `{near}`"}

    def check_pair(self, a: n.Expr, b: n.Expr, scope: Scope) -> tuple[TypedExpr, TypedExpr]:
        """Two operands of one type; a bare literal is what the other side is."""
        if self.literal(a, scope) and not self.literal(b, scope):
            right = self.check(b, scope)
            return self.infer(a, scope, self.aim_of(right)), right
        left = self.check(a, scope)
        if isinstance(left.type, t.Unknown):
            before, self.ctx.quiet = self.ctx.quiet, self.literal(b, scope)
            right = self.check(b, scope)
            self.ctx.quiet = before
            return left, right
        return left, self.infer(
            b,
            scope,
            self.aim_of(left)
            if self.literal(b, scope) or isinstance(b, (n.ListLit, n.IfElse, n.MapLit))
            else None,
        )

    def aim_of(self, x: TypedExpr) -> Type | None:
        return None if isinstance(x.type, (t.Unknown, t.Int, t.Nothing)) else x.type

    def membership(self, node: n.Binary, scope: Scope) -> TypedExpr:
        if self.literal(node.left, scope):
            source = self.as_list(self.check(node.right, scope))
            base = source.type.base if isinstance(source.type, t.Collection) else None
            item = self.infer(node.left, scope, base)
        else:
            item = self.check(node.left, scope)
            kind = item.type.base if isinstance(item.type, t.Optional) else item.type
            wanted = None if isinstance(item.type, t.Unknown) else t.list_of(kind)
            source = self.as_list(
                self.check(
                    node.right, scope, None if wanted is None else self.aim_of_list(wanted, node.right)
                )
            )
        if isinstance(item.type, t.Unknown) or not isinstance(source.type, t.Collection):
            return OperationExpr("unknown", BOOL, node.span)
        if not t.comparable(item.type, source.type.base):
            help = membership_help(self.program, (item.type, source.type.base), (node.left, node.right))
            return self.ctx.report(
                "T003", node.span, left=item.type, right=source.type.base, how="equal", help=help
            )
        if self.has_copies(item):
            copies = self.copies(item)
            left_over = OperationExpr("without", t.list_of(item.type), node.span, (copies, source))
            sizes = tuple(OperationExpr("list.size", INT, node.span, (x,)) for x in (left_over, copies))
            return OperationExpr("!=" if node.op == "in" else "==", BOOL, node.span, sizes)
        return OperationExpr("in" if node.op == "in" else "not in", BOOL, node.span, (item, source))

    # ------------------------------------------------------------ components of which there are several
    def has_copies(self, x: TypedExpr) -> bool:
        """Tell whether an expression names, by id or label, a component of which there may be copies."""
        if not isinstance(x, (ComponentExpr, LabelledExpr)) or not isinstance(x.type, t.Component):
            return False
        return any(self.program.classes[k].copies is not None for k in x.type.kinds)

    def copies(self, x: TypedExpr) -> TypedExpr:
        """All that are called so."""
        return OperationExpr("copies", t.list_of(x.type, True), x.span, (x,))

    def any_copy(self, op: str, span: Span, left: TypedExpr, right: TypedExpr) -> TypedExpr:
        """`==` and `!=`; a component is compared with all that are called as one is that the rules name."""
        if self.has_copies(left) and not self.has_copies(right):
            left, right = right, left
        if not self.has_copies(right):
            return OperationExpr(op, BOOL, span, (left, right))
        return OperationExpr("in" if op == "==" else "not in", BOOL, span, (left, self.copies(right)))

    def guard(self, x: TypedExpr, wanted: Type) -> TypedExpr:
        """A value on its way into a declared place: what the checker could not prove is tested when the rule
        runs.
        """
        if isinstance(x.type, t.Unknown) or t.within(x.type, wanted):
            return x
        return OperationExpr("bound", wanted, x.span, (x,))

    def target(self, node: n.Expr, scope: Scope) -> TypedExpr:
        """Something that can be written."""
        x = self.infer(node, scope.child(), None)
        while x.op == "narrow" or (x.op == "certain" and not isinstance(node, n.Certain)):
            x = x.args[0]
        root = root_of(x)
        if isinstance(root, LocalExpr) and isinstance(node, (n.Name, n.Index)):
            name = node
            while isinstance(name, n.Index):
                name = name.target  # type: ignore[assignment]
            local = scope.find(name.name) if isinstance(name, n.Name) else None
            if local is not None and not local.mutable:
                labels, fix, help = local_refusal(
                    local, scope, fixed_help(local.name, local.span, node.span, scope.visible())
                )
                self.ctx.report("T034", node.span, name=local.name, labels=labels, help=help, fix=fix)
        elif not is_variable(root):
            why = refusal(self.program, root)
            return self.ctx.report(
                "T035", node.span, name=node.span.text, why=why.why, help=why.help, labels=why.labels
            )
        return x

    def audience(self, node: n.Expr, scope: Scope) -> TypedExpr:
        x = self.check(node, scope)
        if isinstance(x.type, t.Player):
            return TreeBuilder(scope.proc, node.span).alone(x)
        return self.fit(x, t.list_of(PLAYER), node.span)


class CheckerPart:
    """A part of the checker that calls the one for expressions, and shares what that works on."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        self.expressions = expressions
        self.ctx, self.program, self.names = expressions.ctx, expressions.program, expressions.names
