"""Checking calls: built-in functions, methods, record constructors and the ruleset's own definitions."""

from __future__ import annotations

from abc import abstractmethod

from croupier.diagnostics import Label, Span
from croupier.semantics import types as t
from croupier.semantics.access import kind_of
from croupier.semantics.aggregates import Aggregates
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS, MEMBERS
from croupier.semantics.scope import Scope, path
from croupier.semantics.tree import Param, Proc, S, X
from croupier.semantics.types import INT, PLAYER, Type
from croupier.syntax import nodes as n

RANK = {"pure": 0, "acts": 1, "suspends": 2}
PLAYERS = t.list_of(PLAYER)
HABITS = {
    "len": "`xs.size`", "length": "`xs.size`", "print": '`announce "…"`', "range": "`1..n`", "append": "`add x to xs`",
    "random": "`choose … by chance`", "randint": "`choose … by chance`", "filter": "`[x for x in xs if …]`", "map": "`[… for x in xs]`",
    "input": "`choose … by p`", "shuffled": "`shuffle xs`",
    "roll": "`roll dice`", "int": "`//` for a division", "str": '`"{x}"`', "enumerate": "`1..xs.size`",
}  # fmt: skip


def arguments(count: int, word: str = "argument") -> str:
    """A number of arguments in words."""
    return "no arguments" if count == 0 else f"{count} {word}{'s' * (count != 1)}"


def name_of(a: n.Arg) -> Span:
    """The place of the name of a named argument."""
    return Span(a.span.source, a.span.start, a.span.start + len(a.name or "x"))


class Calls(Aggregates):
    """Checks calls."""

    def call(self, node: n.Call, scope: Scope, wanted: Type | None) -> X:
        p = self.program
        if isinstance(node.target, n.Attr):
            return self.method(node, node.target, scope)
        if not isinstance(node.target, n.Name):
            return self.wrong("T015", node.target.span)
        name = node.target.name
        if name == "original" and self.original is not None:
            return self.own_call(node, self.original, scope, "original")
        if name in self.twice:
            for a in node.args:
                self.check(a.value, scope, t.UNKNOWN)
            return X("unknown", t.UNKNOWN, node.span)
        if name in p.defs:
            return self.own_call(node, p.defs[name], scope, "call")
        if name in p.records:
            return self.construct(node, name, scope)
        if name in AGGREGATES:
            return self.aggregate_values(node, name, scope, wanted)
        if name in FUNCTIONS:
            return self.function(node, name, scope)
        if name in p.windows:
            return self.wrong("N012", node.target.span, name=name)
        if name in self.defined_later:
            return self.wrong("G020", node.span)
        near = self.suggest(name, [*p.defs, *p.records, *AGGREGATES, *FUNCTIONS])
        for a in node.args:
            self.check(a.value, scope, t.UNKNOWN)
        if scope.find(name) is not None or self.global_name(name, node.target.span) is not None:
            return self.wrong("T015", node.target.span)
        if name == "original":
            near = {"help": "it is known inside `instead of`"}
        return self.wrong("N006", node.target.span, name=name, **(near or self.habit(name)))

    original: Proc | None = None  # what `original(…)` calls, inside `instead of`
    alone: n.Expr | None = None  # the call that is a statement of its own: it may be without a result

    def habit(self, name: str) -> dict[str, str]:
        return {"help": f"write {HABITS[name]}"} if name in HABITS else {}

    # ------------------------------------------------------------ the ruleset's own definitions
    def own_call(self, node: n.Call, proc: Proc, scope: Scope, op: str) -> X:
        args = self.arguments(node.args, proc.params, scope, node.span, proc.name, proc.span)
        self.used.add(("definition", proc.name))
        if op == "call":
            scope.proc.calls.add(proc.index)
        if isinstance(proc.returns, t.Nothing) and node is not self.alone:
            return self.wrong("T012", node.span, name=proc.name)
        x = X(op, proc.returns, node.span, args, proc.index)
        self.expression_calls.append(x)
        return x

    def arguments(
        self, given: tuple[n.Arg, ...], params: list[Param], scope: Scope, span: Span, name: str, declared: Span | None = None
    ) -> tuple[X, ...]:
        """Arguments by position and by name, in the order of the parameters; `declared` is where these can be read."""
        labels = () if declared is None else (Label(declared, "declared here"),)
        values: dict[str, X] = {}
        positional = [a for a in given if a.name is None]
        before = len(self.found)
        if len(positional) > len(params):
            self.wrong("T005", positional[len(params)].span, name=name, wanted=arguments(len(params)), given=len(given), labels=labels)
        for a in positional[len(params) :]:
            self.check(a.value, scope, t.UNKNOWN)
        mistaken = len(self.found) > before
        for a, param in zip(positional, params, strict=False):
            values[param.name] = self.argument(a, param, scope)
        by_name = {q.name: q for q in params}
        for a in (a for a in given if a.name is not None):
            if a.name not in by_name:
                mistaken = True
                self.check(a.value, scope, t.UNKNOWN)
                self.wrong("N009", name_of(a), name=a.name, of=name, labels=labels, **self.suggest(a.name or "", list(by_name)))
            elif a.name in values:
                self.wrong("N021", name_of(a), name=a.name)
            else:
                values[a.name or ""] = self.argument(a, by_name[a.name or ""], scope)
        missing = [q.name for q in params if q.name not in values and q.default is None]
        if missing and not mistaken:
            self.wrong("T007", span, name=name, missing=" and ".join(f"`{m}`" for m in missing), labels=labels)
        self.aliases(given, params)
        unknown = X("unknown", t.UNKNOWN, span)
        return tuple(values.get(q.name) or self.own_default(q, scope) or unknown for q in params)

    def own_default(self, param: Param, scope: Scope) -> X | None:
        """The default of a parameter at one call: what it binds lies in the caller's slots."""
        static = self.program.static
        if param.default is None or static is None:
            return param.default
        slots = {i: scope.proc.slot(static.slots[i], static.slot_types[i]) for y in param.default.walk() for i in y.binds()}
        return param.default.in_slots(slots) if slots else param.default

    def argument(self, a: n.Arg, param: Param, scope: Scope) -> X:
        """One argument: a value of the parameter's type or, for a `var` parameter, something that can be written."""
        if not param.var:
            x = self.check(a.value, scope, param.type)
            return self.guard(x if isinstance(param.type, t.Zone) else self.listed(x), param.type)
        before = len(self.found)
        x = self.target(a.value, scope)
        place = x.op in ("local", "state", "unknown") or (x.op == "index" and x.args[0].op == "state")
        if not place or any(d.code == "T035" for d in self.found[before:]):
            del self.found[before:]
            return self.wrong("T023", a.value.span, name=param.name)
        return x if isinstance(x.type, t.Unknown) else self.guard(self.fit(self.settled(x, scope), param.type, a.value.span), param.type)

    prelude: list[S] | None = None  # what runs just before the statement that is being checked (none: it stands in no block)

    def settled(self, x: X, scope: Scope) -> X:
        """A place whose key is worked out once, before the call: it is the same place when the call has ended."""
        if self.prelude is None or x.op != "index" or x.args[1].op in ("const", "enum", "component", "cell"):
            return x
        target, key = x.args
        slot = scope.proc.slot("$key", key.type)
        self.prelude.append(S("let", key.span, (key,), (), slot))
        return X(x.op, x.type, x.span, (target, X("local", key.type, key.span, (), slot)), x.data)

    def aliases(self, given: tuple[n.Arg, ...], params: list[Param]) -> None:
        """Report a variable that is given to two `var` parameters, or to one of them as a whole and to another in part."""
        positions = {q.name: i for i, q in enumerate(params) if q.var}
        seen: list[tuple[str, Span]] = []
        for i, a in enumerate(given):
            where = path(a.value) if (i if a.name is None else positions.get(a.name)) in positions.values() else None
            if where is not None:
                twice = next((s for other, s in seen if f"{where}[".startswith(f"{other}[") or f"{other}[".startswith(f"{where}[")), None)
                if twice is not None:
                    self.wrong("T064", a.value.span, labels=(Label(twice, "the same variable"),))
                seen.append((where, a.value.span))

    @abstractmethod
    def target(self, node: n.Expr, scope: Scope) -> X:
        """Check a place that may be written."""

    @abstractmethod
    def guard(self, x: X, wanted: Type) -> X:
        """A value that is tested when the rule runs, where its type does not say that it fits."""

    def construct(self, node: n.Call, name: str, scope: Scope) -> X:
        record = self.program.records[name]
        fields = record.fields
        params = [Param(f, kind, i, False) for i, (f, kind) in enumerate(fields.items())]
        self.used.add(("type", name))
        args = self.arguments(node.args, params, scope, node.span, name, record.span)
        return X("record", t.Record(name), node.span, args, name)

    # ------------------------------------------------------------ methods
    def method(self, node: n.Call, target: n.Attr, scope: Scope) -> X:
        on = self.check(target.target, scope)
        if isinstance(on.type, t.Unknown):
            for a in node.args:
                self.check(a.value, scope, t.UNKNOWN)
            return on
        kind = kind_of(on.type)
        member = MEMBERS.get(kind, {}).get(target.name)
        stacks = self.stacks(on) if member is None else None
        if stacks is not None:
            on, kind = stacks, "family"
            member = MEMBERS["family"].get(target.name)
        if member is None and isinstance(on.type, t.Optional):
            return self.wrong("T002", target.target.span, given=on.type, wanted=on.type.base)
        if member is None:
            return self.no_attribute(target, on.type, bool(node.args))
        if member.args is None:
            fix = None if node.args else self.without(Span(node.span.source, target.span.end, node.span.end))
            return self.wrong("T024", target.name_span, name=target.name, fix=fix)
        if len(node.args) != len(member.args) or any(a.name for a in node.args):
            return self.number_of_arguments(node, target.name, len(member.args), len(member.args), member.signature)
        args = tuple(self.check(a.value, scope, self.named_cells(want(on.type))) for a, want in zip(node.args, member.args, strict=True))
        return X(f"{kind}.{target.name}", self.member_type(member, on.type), node.span, (on, *args))

    def number_of_arguments(self, node: n.Call, name: str, least: int, most: int, signature: str) -> X:
        """A built-in word called with too many, too few or named arguments."""
        named = next((a for a in node.args if a.name is not None), None)
        if named is not None:
            return self.wrong("N009", name_of(named), name=named.name, of=name, notes=(signature,), help="leave out the name")
        if len(node.args) > most:
            words = arguments(most) if least == most else f"{least} to {arguments(most)}"
            return self.wrong("T005", node.args[most].span, name=name, wanted=words, given=len(node.args), notes=(signature,))
        return self.wrong("T007", node.span, name=name, missing=arguments(least, "argument"), notes=(signature,))

    # ------------------------------------------------------------ functions
    def function(self, node: n.Call, name: str, scope: Scope) -> X:
        span, args = node.span, [a.value for a in node.args]
        limits = {"clockwise": (1, 2), "turns": (0, 1), "others": (1, 1), "next": (1, 2), "previous": (1, 2), "abs": (1, 1)}[name]
        if not limits[0] <= len(args) <= limits[1] or any(a.name for a in node.args):
            return self.number_of_arguments(node, name, *limits, FUNCTIONS[name].signature)
        if name == "abs":
            value = self.check(args[0], scope, INT)
            high = None
            if isinstance(value.type, t.Int) and value.type.low is not None and value.type.high is not None:
                high = max(abs(value.type.low), abs(value.type.high))
            return X("abs", t.Int(0, high), span, (value,))
        if name == "turns":
            if not args:
                return X("turns", t.Endless(), span)
            x = self.listed(self.check(args[0], scope))
            if isinstance(x.type, t.Collection):
                return X("turns_of", t.Endless(), span, (self.fit(x, PLAYERS, args[0].span),))
            return X("turns", t.Endless(), span, (self.fit(x, PLAYER, args[0].span),))
        values = [self.check(args[0], scope, PLAYER)]
        if len(args) == 2:
            values.append(self.fit(self.as_list(self.check(args[1], scope)), PLAYERS, args[1].span))
        kind: Type = PLAYER if name in ("next", "previous") else t.list_of(PLAYER, name == "clockwise" and len(args) == 1)
        return X(name, kind, span, tuple(values))
