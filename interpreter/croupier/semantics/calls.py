"""Checking calls: built-in functions, aggregates, record constructors and the ruleset's own definitions."""

from __future__ import annotations

import re
from dataclasses import replace

from croupier.diagnostics import Fix, Label, Span
from croupier.kernel import types as t
from croupier.kernel.folds import FOLDS, FoldKind, Gives, Key
from croupier.kernel.tree import (
    CallExpr,
    CellExpr,
    CompExpr,
    ComponentExpr,
    ConstExpr,
    EnumExpr,
    LocalExpr,
    OperationExpr,
    OriginalExpr,
    RecordExpr,
    StateExpr,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import BOOL, INT, PLAYER, Type
from croupier.semantics.builder import TreeBuilder, values_of
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS
from croupier.semantics.context import Scope, path
from croupier.semantics.expressions import CheckerPart, ExpressionChecker, not_optional
from croupier.semantics.members import MemberChecker, arguments, leaving_out, name_of, numbers_of
from croupier.semantics.procedures import Param, Proc
from croupier.semantics.suggestions import record_meant
from croupier.semantics.type_words import described
from croupier.syntax import nodes as n

PLAYERS = t.list_of(PLAYER)
MEANT_CALLS = {
    "range": "the first and the last number with two dots between them, such as `1..13`",
    "len": "`xs.size`", "length": "`xs.size`", "print": '`announce "…"`', "append": "`add x to xs`",
    "random": "`choose … by chance`", "randint": "`choose … by chance`", "filter": "`[x for x in xs if …]`",
    "map": "`[… for x in xs]`",
    "input": "`choose … by p`", "shuffled": "`shuffle xs`",
    "left": "`next(p)`", "right": "`previous(p)`", "size": "`xs.size`",
    "subsets":
        "`choose 2 cs … such that …` if a player picks them; all pairs are `[… for a in xs for b in xs]`",
    "combinations":
        "`choose 2 cs … such that …` if a player picks them; all pairs are `[… for a in xs for b in xs]`",
    "pairs": "`[… for a in xs for b in xs]`",
    "permutations": "`shuffle` for a random order; all pairs are `[… for a in xs for b in xs]`",
    "product":
        "a loop: `var n = 1`, then `for x in xs: n = n * x`; all pairs are `[… for a in xs for b in ys]`",
    "average": "`sum(… for x in xs) // xs.size`", "mean": "`sum(… for x in xs) // xs.size`",
    "roll": "`roll dice`", "int": "`//` for a division", "str": '`"{x}"`', "enumerate": "`1..xs.size`",
}  # fmt: skip
SAME_CALLS = {
    "minimum": "min",
    "maximum": "max",
    "total": "sum",
    "sort": "sorted",
    "every": "all",
    "some": "any",
    "following": "next",
}
"""Functions that are called otherwise here, and take the same values."""


class CallChecker(CheckerPart):
    """Checks calls and aggregates."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        super().__init__(expressions)
        self.members = MemberChecker(expressions)
        self.original: Proc | None = None  # what `original(…)` calls, inside `instead of`
        # the call that is a statement of its own: it may be without a result
        self.alone: n.Expr | None = None
        # what runs just before the statement that is being checked (none: it stands in no block)
        self.prelude: list[TypedStmt] | None = None
        expressions.rules |= {n.Call: self.call, n.Aggregate: self.aggregate}

    def aggregate(self, node: n.Aggregate, scope: Scope, wanted: Type | None) -> TypedExpr:
        aim = not_optional(wanted)
        name = node.target.name if isinstance(node.target, n.Name) else ""
        if name not in AGGREGATES:
            near = self.ctx.suggest(name, AGGREGATES) or self.foreign_call_help(name)
            return self.ctx.report("N006", node.target.span, name=name or "this", **near)
        fold = FOLDS[name]
        inner, args, slots, sure = self.expressions.fors(node.fors, node.condition, scope)
        base_aim = None
        if isinstance(aim, t.Collection):
            base_aim = aim.base
        elif fold.gives is Gives.ONE:
            base_aim = aim
        element = self.expressions.check(node.element, inner, base_aim)
        key = None if node.by is None else self.key(node.by, inner)
        if key is None and fold.key is Key.MUST:
            return self.ctx.report("T025", node.target.span, name=name, notes=(AGGREGATES[name][0],))
        if key is not None and fold.key is Key.NEVER:
            other = {"max": "best", "min": "worst", "first": "best", "last": "worst"}.get(name)
            most = "most" if other == "best" else "least"
            more = (
                {}
                if other is None
                else {"help": f"`{other}(… by …)` picks what has the {most}; else leave out `by …`"}
            )
            return self.ctx.report("T026", key.span, name=name, **more)
        tail = (element,) if key is None else (element, key)
        return self.total(
            name, element, sure, node.span, (*args, *tail), slots, node.condition is not None, key is not None
        )

    def key(self, node: n.Expr, scope: Scope) -> TypedExpr:
        x = self.expressions.check(node, scope)
        base = x.type.base if isinstance(x.type, t.Collection) else x.type
        allowed = (
            (t.Int, t.Never, t.Unknown)
            if isinstance(x.type, t.Collection)
            else (t.Int, t.Bool, t.Unknown, t.Enum)
        )
        return x if isinstance(base, allowed) else self.ctx.report("T027", node.span, given=x.type)

    def aggregate_values(self, node: n.Call, name: str, scope: Scope, wanted: Type | None) -> TypedExpr:
        """`max(a, b)`, or an aggregate of one list."""
        if any(a.name for a in node.args) or not node.args:
            return self.ctx.report("T028", node.span, name=name, notes=(AGGREGATES[name][0],))
        if len(node.args) > 1:
            if FOLDS[name].kind is not FoldKind.EXTREME:
                return self.ctx.report("T028", node.span, name=name, notes=(AGGREGATES[name][0],))
            values = [self.expressions.check(a.value, scope, INT) for a in node.args]
            kind: Type = values[0].type
            for v in values[1:]:
                kind = t.join(kind, v.type) or INT
            return OperationExpr(f"{name}_of", kind, node.span, tuple(values))
        value = node.args[0].value
        aim = (
            t.list_of(wanted.base)
            if isinstance(wanted, t.Collection) and isinstance(value, n.ListLit)
            else None
        )
        before = len(self.ctx.found)
        given = self.expressions.check(value, scope, aim)
        if not isinstance(value, n.Name) and self.lacks_source(name, value, given, before):
            return OperationExpr("unknown", t.UNKNOWN, node.span)
        amounts = self.expressions.amounts
        if amounts.is_amount(given.type) and name in ("sum", "max", "min"):
            build = TreeBuilder(scope.proc, value.span)
            key = amounts.key(given.type, build)
            args = (values_of(key.type, build.span), amounts.entry(given, key, build))
            return self.total(name, args[1], True, node.span, args, (key.slot,), False, False)
        source = self.expressions.as_list(given)
        if not isinstance(source.type, t.Collection):
            return source
        if FOLDS[name].key is Key.MUST:
            return self.ctx.report("T028", node.span, name=name, notes=(AGGREGATES[name][0],))
        slot = scope.proc.slot("$x", source.type.base)
        element = LocalExpr(source.type.base, value.span, slot=slot)
        return self.total(
            name, element, source.type.nonempty, node.span, (source, element), (slot,), False, False
        )

    def lacks_source(self, name: str, value: n.Expr, given: TypedExpr, before: int) -> bool:
        """Report an aggregate whose value speaks of one of several without the `for` that goes through them
        (`count(c.value > 2)`).

        Returns whether that was so.
        """
        unknown = [
            i
            for i in range(before, len(self.ctx.found))
            if self.ctx.found[i].code == "N001" and self.ctx.found[i].help is None
        ]
        if not unknown:
            return isinstance(given.type, t.Unknown)
        found = self.ctx.found[unknown[0]]
        one, text = found.span.text if found.span is not None else "", value.span.text
        parts = re.fullmatch(r"(.+?) in (.+)", text)
        if parts is not None and one and one not in re.findall(r"\w+", parts[2]):
            text, source = parts[1], parts[2]
        else:
            source = "…"
        help = f"say what `{one}` goes through: `{name}({text} for {one} in {source})`"
        self.ctx.found[before:] = [replace(found, help=help)]
        return True

    def total(
        self,
        name: str,
        element: TypedExpr,
        sure: bool,
        span: Span,
        args: tuple[TypedExpr, ...],
        slots: tuple[int, ...],
        has_condition: bool,
        has_key: bool,
    ) -> TypedExpr:
        kind, base = self.total_type(name, element, sure)
        if kind is None:
            numbers = numbers_of(self.program, element.type) if base is INT else []
            help = (
                f"add up a number that each has: `{name}(x.{numbers[0]} for x in {element.span.text})`"
                if numbers
                else None
            )
            return self.ctx.report(
                "T006" if base is INT else "T001",
                element.span,
                op=name,
                given=element.type,
                wanted=base,
                help=help,
            )
        return CompExpr(
            kind, span, args, name=name, slots=slots, has_condition=has_condition, has_key=has_key
        )

    def total_type(self, name: str, element: TypedExpr, sure: bool) -> tuple[Type | None, Type]:
        kind = element.type
        unknown = isinstance(kind, (t.Unknown, t.Never))
        match name:
            case "count":
                return t.Int(0, None), INT
            case "any" | "all":
                return (BOOL if unknown or isinstance(kind, t.Bool) else None), BOOL
            case "sum":
                if not unknown and not isinstance(kind, t.Int):
                    return None, INT
                low = 0 if isinstance(kind, t.Int) and kind.low is not None and kind.low >= 0 else None
                high = 0 if isinstance(kind, t.Int) and kind.high is not None and kind.high <= 0 else None
                return t.Int(low, high), INT
            case "max" | "min":
                if not unknown and not isinstance(kind, t.Int):
                    return None, INT
                return (kind if sure else t.Optional(kind)), INT
            case "first" | "last" | "best" | "worst":
                return (kind if sure else t.Optional(kind)), kind
            case "only":
                return t.Optional(kind), kind
            case "set" | "bag":
                return t.Collection(name, kind, sure), kind
        return t.list_of(kind, sure), kind

    def call(self, node: n.Call, scope: Scope, wanted: Type | None) -> TypedExpr:
        p = self.program
        if isinstance(node.target, n.Attr):
            return self.members.method(node, node.target, scope)
        if not isinstance(node.target, n.Name):
            return self.ctx.report("T015", node.target.span)
        name = node.target.name
        if name == "original" and self.original is not None:
            return self.own_call(node, self.original, scope, OriginalExpr)
        if name in self.ctx.ambiguous:
            for a in node.args:
                self.expressions.check(a.value, scope, t.UNKNOWN)
            return OperationExpr("unknown", t.UNKNOWN, node.span)
        if name in p.defs:
            return self.own_call(node, p.defs[name], scope)
        if name in p.records:
            return self.construct(node, name, scope)
        if name in AGGREGATES:
            return self.aggregate_values(node, name, scope, wanted)
        if name in FUNCTIONS:
            return self.function(node, name, scope)
        if name in p.windows:
            return self.ctx.report("N012", node.target.span, name=name)
        if name in self.ctx.defined_later:
            return self.ctx.report("G020", node.span)
        near = record_meant(p, name, len(node.args)) or self.ctx.suggest(
            name, [*p.defs, *AGGREGATES, *FUNCTIONS]
        )
        for a in node.args:
            self.expressions.check(a.value, scope, t.UNKNOWN)
        local = scope.find(name)
        value = (
            self.names.global_name(name, node.target.span)
            if local is None
            else self.names.local(local, node.target.span)
        )
        if value is not None:
            if isinstance(value.type, t.Unknown):
                return value
            brackets = Span(node.span.source, node.target.span.end, node.span.end)
            fix = Fix(brackets, "", f"write `{name}`") if brackets.text == "()" else None
            return self.ctx.report(
                "T015", node.target.span, help=self.not_called(name, value.type, node), fix=fix
            )
        if self.names.is_glued(name, node.target.span, {*FUNCTIONS, *AGGREGATES, *p.defs}):
            return OperationExpr("unknown", t.UNKNOWN, node.span)
        if name == "original":
            near = {"help": "it is known inside `instead of`"}
        return self.ctx.report(
            "N006", node.target.span, name=name, **(near or self.foreign_call_help(name, node))
        )

    def not_called(self, name: str, kind: Type, node: n.Call) -> str:
        """Say how to read what is called like a function but is none: with a key in square brackets, or
        alone.
        """
        match kind:
            case t.Zone():
                what = "a zone"
            case t.Family():
                what = "one zone of several"
            case _:
                what = f"a value of type `{kind}`"
        if isinstance(kind, (t.Family, t.Map, t.Collection)) and len(node.args) == 1:
            return f"`{name}` is {what}: write `{name}[{node.args[0].span.text}]`"
        return f"`{name}` is {what}: write `{name}`, without brackets"

    def foreign_call_help(self, name: str, node: n.Call | None = None) -> dict[str, str]:
        """Help for the name of a function of other languages, and for its call."""
        numbers = [] if node is None else [argument.span.text for argument in node.args]
        if name == "range" and len(numbers) == 2 and all(map(str.isdecimal, numbers)):
            return {"help": f"write `{numbers[0]}..{int(numbers[1]) - 1}`: the last number counts, too"}
        if name in SAME_CALLS:
            return {"help": f"did you mean `{SAME_CALLS[name]}`?", "near": SAME_CALLS[name]}
        return {"help": f"write {MEANT_CALLS[name]}"} if name in MEANT_CALLS else {}

    # ------------------------------------------------------------ the ruleset's own definitions
    def own_call(self, node: n.Call, proc: Proc, scope: Scope, form: type[CallExpr] = CallExpr) -> TypedExpr:
        args = self.arguments(node.args, proc.params, scope, node.span, proc.name, proc.span)
        self.ctx.used.add(("definition", proc.name))
        if form is CallExpr:
            scope.proc.calls.add(proc.index)
        if (
            isinstance(proc.returns, t.Nothing)
            and node is not self.alone
            and proc.name in self.ctx.without_type
        ):
            return OperationExpr("unknown", t.UNKNOWN, node.span)
        if isinstance(proc.returns, t.Nothing) and node is not self.alone:
            return self.ctx.report("T012", node.span, name=proc.name)
        x = form(proc.returns, node.span, args, proc=proc.index)
        self.ctx.expression_calls.append(x)
        return x

    def arguments(
        self,
        given: tuple[n.Arg, ...],
        params: list[Param],
        scope: Scope,
        span: Span,
        name: str,
        declared: Span,
    ) -> tuple[TypedExpr, ...]:
        """Arguments by position and by name, in the order of the parameters; `declared` is where these can be
        read.
        """
        labels = (Label(declared, "declared here"),)
        values: dict[str, TypedExpr] = {}
        positional = [a for a in given if a.name is None]
        before = len(self.ctx.found)
        if len(positional) > len(params):
            more = positional[len(params) :]
            wanted, help = arguments(len(params)), leaving_out(more)
            self.ctx.report(
                "T005", more[0].span, name=name, wanted=wanted, given=len(given), labels=labels, help=help
            )
        for a in positional[len(params) :]:
            self.expressions.check(a.value, scope, t.UNKNOWN)
        mistaken = len(self.ctx.found) > before
        for a, param in zip(positional, params, strict=False):
            values[param.name] = self.argument_of(name, declared, a, param, scope)
        self.explain_exchanged(name, positional, params, scope, before)
        by_name = {q.name: q for q in params}
        for a in (a for a in given if a.name is not None):
            if a.name not in by_name:
                mistaken = True
                self.expressions.check(a.value, scope, t.UNKNOWN)
                self.ctx.report_unknown("N009", name_of(a), a.name or "", by_name, of=name, labels=labels)
            elif a.name in values:
                self.ctx.report("N021", name_of(a), name=a.name)
            else:
                values[a.name or ""] = self.argument_of(name, declared, a, by_name[a.name or ""], scope)
        missing = [q.name for q in params if q.name not in values and q.default is None]
        if missing and not mistaken:
            self.ctx.report(
                "T007", span, name=name, missing=" and ".join(f"`{m}`" for m in missing), labels=labels
            )
        self.aliases(given, params)
        unknown = OperationExpr("unknown", t.UNKNOWN, span)
        return tuple(values.get(q.name) or self.own_default(q, scope) or unknown for q in params)

    def explain_exchanged(
        self, name: str, given: list[n.Arg], params: list[Param], scope: Scope, before: int
    ) -> None:
        """Report two arguments that stand in each other's place as one finding instead of two."""
        found = self.ctx.found[before:]
        wrong = [
            i
            for i, a in enumerate(given[: len(params)])
            if any(d.code == "T001" and d.span == a.value.span for d in found)
        ]
        if len(wrong) != 2 or len(found) != 2:
            return
        first, second = wrong
        kinds = [self.expressions.infer(given[i].value, scope, None).type for i in wrong]
        del self.ctx.found[before + 2 :]
        if not t.is_assignable(kinds[0], params[second].type) or not t.is_assignable(
            kinds[1], params[first].type
        ):
            return
        written = [a.value.span.text for a in given]
        written[first], written[second] = written[second], written[first]
        help = f"the two stand in each other's place: write `{name}({', '.join(written)})`"
        self.ctx.found[before:] = [replace(found[0], help=help)]

    def own_default(self, param: Param, scope: Scope) -> TypedExpr | None:
        """The default of a parameter at one call: what it binds lies in the caller's slots."""
        static = self.program.static
        if param.default is None or static is None:
            return param.default
        slots = {
            i: scope.proc.slot(static.slots[i], static.slot_types[i])
            for y in param.default.walk()
            for i in y.binds()
        }
        return param.default.in_slots(slots) if slots else param.default

    def argument_of(self, name: str, declared: Span, a: n.Arg, param: Param, scope: Scope) -> TypedExpr:
        """One argument; where it is refused, the message shows for which parameter of what it was given."""
        before = len(self.ctx.found)
        x = self.argument(a, param, scope)
        for i, d in enumerate(self.ctx.found[before:], before):
            if d.code in ("T001", "T002", "T017") and d.span == a.value.span:
                help = d.help or f"here `{name}` needs its `{param.name}`: {described(param.type)}"
                label = Label(declared, f"it is given as `{param.name}` of `{name}`")
                self.ctx.found[i] = replace(d, help=help, labels=(*d.labels, label))
        return x

    def argument(self, a: n.Arg, param: Param, scope: Scope) -> TypedExpr:
        """One argument: a value of the parameter's type or, for a `var` parameter, something that can be
        written.
        """
        if not param.var:
            x = self.expressions.check(a.value, scope, param.type)
            return self.expressions.guard(
                x if isinstance(param.type, t.Zone) else self.expressions.zones_as_list(x), param.type
            )
        before = len(self.ctx.found)
        x = self.expressions.target(a.value, scope)
        place = x.op in ("local", "state", "unknown") or (
            x.op == "index" and isinstance(x.args[0], StateExpr)
        )
        if not place or any(d.code == "T035" for d in self.ctx.found[before:]):
            del self.ctx.found[before:]
            return self.ctx.report("T023", a.value.span, name=param.name)
        if isinstance(x.type, t.Unknown):
            return x
        return self.expressions.guard(
            self.expressions.fit(self.settled(x, scope), param.type, a.value.span), param.type
        )

    def settled(self, x: TypedExpr, scope: Scope) -> TypedExpr:
        """A place whose key is worked out once, before the call: it is the same place when the call has
        ended.
        """
        if (
            self.prelude is None
            or x.op != "index"
            or isinstance(x.args[1], (ConstExpr, EnumExpr, ComponentExpr, CellExpr))
        ):
            return x
        target, key = x.args
        return OperationExpr(x.op, x.type, x.span, (target, self.before("$key", key, scope.proc)))

    def before(self, name: str, x: TypedExpr, proc: Proc) -> TypedExpr:
        """A value that is worked out once, just before the statement that is being checked."""
        build = TreeBuilder(proc, x.span)
        assert self.prelude is not None
        self.prelude.append(s := build.new(name, x))
        return build.local(s.slot)

    def aliases(self, given: tuple[n.Arg, ...], params: list[Param]) -> None:
        """Report a variable that is given to two `var` parameters, or to one of them as a whole and to
        another in part.
        """
        positions = {q.name: i for i, q in enumerate(params) if q.var}
        seen: list[tuple[str, Span]] = []
        for i, a in enumerate(given):
            position = i if a.name is None else positions.get(a.name)
            where = path(a.value) if position in positions.values() else None
            if where is not None:
                twice = next(
                    (
                        s
                        for other, s in seen
                        if f"{where}[".startswith(f"{other}[") or f"{other}[".startswith(f"{where}[")
                    ),
                    None,
                )
                if twice is not None:
                    self.ctx.report("T064", a.value.span, labels=(Label(twice, "the same variable"),))
                seen.append((where, a.value.span))

    def construct(self, node: n.Call, name: str, scope: Scope) -> TypedExpr:
        record = self.program.records[name]
        fields = record.fields
        params = [Param(f, kind, i, False) for i, (f, kind) in enumerate(fields.items())]
        self.ctx.used.add(("type", name))
        args = self.arguments(node.args, params, scope, node.span, name, record.span)
        return RecordExpr(t.Record(name), node.span, args, name=name)

    # ------------------------------------------------------------ functions
    def function(self, node: n.Call, name: str, scope: Scope) -> TypedExpr:
        span, args = node.span, [a.value for a in node.args]
        of = FUNCTIONS[name]
        if not of.least <= len(args) <= of.most or any(a.name for a in node.args):
            return self.members.number_of_arguments(node, name, of.least, of.most, of.signature)
        if name == "abs":
            value = self.expressions.check(args[0], scope, INT)
            high = None
            if isinstance(value.type, t.Int) and value.type.low is not None and value.type.high is not None:
                high = max(abs(value.type.low), abs(value.type.high))
            return OperationExpr("abs", t.Int(0, high), span, (value,))
        if name == "turns":
            if not args:
                return OperationExpr("turns", t.Endless(), span)
            x = self.expressions.zones_as_list(self.expressions.check(args[0], scope))
            op, kind = ("turns_of", PLAYERS) if isinstance(x.type, t.Collection) else ("turns", PLAYER)
            return OperationExpr(op, t.Endless(), span, (self.expressions.fit(x, kind, args[0].span),))
        values = [self.expressions.check(args[0], scope, PLAYER)]
        if len(args) == 2:
            values.append(
                self.expressions.fit(
                    self.expressions.as_list(self.expressions.check(args[1], scope)), PLAYERS, args[1].span
                )
            )
        sure = name == "clockwise" and len(args) == 1
        given = PLAYER if name in ("next", "previous") else t.list_of(PLAYER, sure)
        return OperationExpr(name, given, span, tuple(values))
