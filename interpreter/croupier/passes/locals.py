"""Forward substitution, dead store elimination, and flags that become tests.

A local that is read once is evaluated where it is read; one that is never read is not evaluated; a flag that
a condition sets becomes that condition. `exit_searches_early`: a search of which only success matters ends at
its first hit.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import may_fail, not_
from croupier.core.operations import Body, Const, Expression, Local, Statement
from croupier.core.rewriting import (
    replace_bodies,
    replace_statements,
    rewrite_bodies,
    rewrite_statement,
    substitute,
)
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import (
    arrays,
    expressions,
    inside,
    kept_locals,
    operands,
    reads,
    sets,
    statements,
    times_read,
    times_set,
)
from croupier.passes.effects import effects
from croupier.passes.effects import reads as read_by
from croupier.passes.liveness import NOTHING, Names, live

TESTS = (op.Eq, op.Lt, op.Le, op.Not, op.Loose, op.Holds, op.Offered)
ROUNDS = 3  # repetitions at most: shorter code lets more be moved
EMPTY = ((), (op.Break(),), (op.Continue(),))  # bodies of loops that do nothing
LARGEST = 40  # nodes of an expression that is moved


def eliminate_locals(program: CoreProgram) -> CoreProgram:
    """The program with fewer locals."""
    tables = frozenset(m.name for m in program.memories.values() if m.constant)
    return replace(
        program, functions={name: _Shortener(f, tables).function() for name, f in program.functions.items()}
    )


class _Shortener:
    """Shortens one function."""

    def __init__(self, f: Function, tables: Names) -> None:
        self.f = f
        self.own = tables.union(
            (m.name for m in f.memories), (p.name for p in f.parameters), times_set(f.body)
        )
        self.set_in: Counter[str] = Counter()
        self.read_in: Counter[str] = Counter()
        self.kept: set[str] = set()

    def function(self) -> Function:
        body = self.f.body
        for _ in range(ROUNDS):
            before = body
            self.set_in = times_set(body, (p.name for p in self.f.parameters))
            self.read_in, self.kept = times_read(body), kept_locals(body)
            body = eliminate_dead_stores(self.body(body))
            if body == before:
                break
        return replace(self.f, body=body, memories=tuple(self.memories(body)))

    def memories(self, body: Body) -> list[Memory]:
        used = arrays(body)
        return [m for m in self.f.memories if m.name in used or not m.name.partition("_")[2]]

    def body(self, body: Body) -> Body:
        out = [rewrite_bodies(s, self.body) for s in body]
        out = self.flags_as_tests(out)
        i = 0
        while i < len(out):
            s = out[i]
            if (
                isinstance(s, op.Set)
                and self.set_in[s.name] == 1
                and s.name not in self.kept
                and self.read_in[s.name] == 1
            ):
                moved = self.moved(s, out[i + 1 :])
                if moved is not None:
                    out[i:] = moved
                    i = max(0, i - 1)
                    continue
            i += 1
        return tuple(out)

    # ------------------------------------------------------------ flags
    def flags_as_tests(self, body: list[Statement]) -> list[Statement]:
        """A flag that one condition sets, or clears, becomes that condition."""
        out = list(body)
        i = 0
        while i < len(out):
            s = out[i]
            if isinstance(s, op.Set) and isinstance(s.value, Const) and s.value.value in (0, 1):
                for j in range(i + 1, len(out)):
                    t = out[j]
                    if isinstance(t, op.If) and self.toggles(t, s):
                        (*others,) = (m for m in t.then if not (isinstance(m, op.Set) and m.name == s.name))
                        test = t.test if s.value.value == 0 else not_(t.test)
                        new: list[Statement] = [op.Set(s.name, test)]
                        if others:
                            again = op.Local(s.name) if s.value.value == 0 else not_(op.Local(s.name))
                            new.append(op.If(again, tuple(others)))
                        out[i : j + 1] = [*out[i + 1 : j], *new]
                        self.set_in[s.name] -= 1
                        self.read_in[s.name] += 1 if others else 0
                        break
                    if s.name in sets(t) or not isinstance(t, op.Set) or s.name in reads(t):
                        break
            i += 1
        return out

    def toggles(self, t: op.If, s: op.Set) -> bool:
        """Return whether a conditional statement toggles a flag, and uses it in no other way."""
        if (
            t.otherwise
            or not t.then
            or not isinstance(t.test, (*TESTS, op.And, op.Or))
            or not is_boolean(t.test)
            or s.name in reads(t)
        ):
            return False
        turned = [m for m in t.then if isinstance(m, op.Set) and m.name == s.name]
        if len(turned) != 1 or turned[0].value != Const(int(s.value == Const(0))):
            return False
        others = [m for m in t.then if m is not turned[0]]
        if any(s.name in sets(m) or s.name in reads(m) for m in statements(tuple(others))):
            return False
        return all(isinstance(m, op.Set) and isinstance(m.value, Const) for m in others)

    # ------------------------------------------------------------ locals that are read once
    def moved(self, s: op.Set, rest: list[Statement]) -> list[Statement] | None:
        """Return the following statements with a value moved to its only read; `None` if it cannot move."""
        depends = read_by(s.value)
        for k, t in enumerate(rest):
            if s.name in reads(t):
                if (
                    isinstance(t, (op.Loop, op.Try, op.Ahead))
                    or may_fail(s.value)
                    and not isinstance(t, (op.Set, op.Store))
                ):
                    return None
                if sum(1 for _ in expressions(op.Guard(s.value))) > LARGEST:
                    return None
                if may_fail(s.value) and any(
                    isinstance(e, (op.And, op.Or, op.Select)) for e in expressions(t)
                ):
                    return None
                new = rewrite_statement(t, lambda e: substitute(e, {s.name: s.value}))
                return [*rest[:k], new, *rest[k + 1 :]]
            if any(s.name in reads(u) for u in inside(t)):
                return self.sunk(s, t, rest, k)
            if effects((t,)).touch(depends, self.own):
                return None
        return None

    def sunk(self, s: op.Set, t: Statement, rest: list[Statement], k: int) -> list[Statement] | None:
        """Sink a value into the only branch that reads it."""
        if not isinstance(t, op.If) or may_fail(s.value):
            return None
        if any(s.name in reads(u) for u in statements(t.then)):
            new: Statement = op.If(t.test, self.body((s, *t.then)), t.otherwise)
        else:
            new = op.If(t.test, t.then, self.body((s, *t.otherwise)))
        return [*rest[:k], new, *rest[k + 1 :]]


# ---------------------------------------------------------------- searches
def exit_searches_early(program: CoreProgram) -> CoreProgram:
    """The program whose searches end at the first hit where only success matters.

    They pay before they begin, or nothing.
    """
    tables = frozenset(m.name for m in program.memories.values() if m.constant and op.NONE not in m.initial)
    return replace_bodies(program, lambda body, _: _exiting_early(body, tables))


def _exiting_early(body: Body, tables: Names) -> Body:
    read, of_value = times_read(body), set[str]()
    for s in statements(body):
        for e in operands(s):
            _read_for_value(e, of_value)
        match s:
            case op.Wait(keeps=names) | op.Enter(keeps=names) | op.Memo(words=names):
                of_value |= {*names}
            case op.Recall(target, source):
                of_value |= {target, source}

    def ending(s: Statement) -> tuple[Statement]:
        if isinstance(s, (op.For, op.Each)):
            s = replace(s, body=_until_found(s, read, of_value, tables))
        return (s,)

    return replace_statements(body, ending)


def _read_for_value(e: Expression, found: set[str]) -> None:
    """Collect the locals whose value an expression uses, beyond a test for `NONE`."""
    match e:
        case op.Eq(Local(), Const(op.NONE)) | op.Eq(Const(op.NONE), Local()):
            return
        case Local(name):
            found.add(name)
    for part in operands(e):
        _read_for_value(part, found)


def _until_found(loop: op.For | op.Each, read: Counter[str], of_value: set[str], tables: Names) -> Body:
    """The body of a loop that only searches, with a `Break` at the hit; any other body as it is."""
    if not all(isinstance(s, (op.Set, op.If)) for s in inside(loop)):
        return loop.body
    values = [s for s in inside(loop) if isinstance(s, op.Set)]
    here = times_read(loop.body)
    outside = {s.name for s in values if read[s.name] > here[s.name]}
    there = {loop.name}
    for s in values:
        if is_never_none(s.value, there, tables):
            there.add(s.name)
    sought = min(outside, default="")
    sure = all(is_never_none(s.value, there, tables) for s in values)
    if len(outside) != 1 or sought in of_value or here[sought] or not sure:
        return loop.body

    def ended(body: Body) -> Body:
        found: list[Statement] = []
        for s in body:
            found.append(rewrite_bodies(s, ended))
            if isinstance(s, op.Set) and s.name == sought:
                return (*found, op.Break())
        return tuple(found)

    return ended(loop.body)


def is_never_none(e: Expression, there: set[str], tables: Names) -> bool:
    """Return whether an expression is certainly not `NONE`."""
    match e:
        case Local(name):
            return name in there
        case op.Load(memory):
            return memory in tables
        case Const(value):
            return value != op.NONE
    return isinstance(e, (op.Add, op.Sub, op.Mul, op.Element))


def is_boolean(e: Expression) -> bool:
    """Return whether an expression is certainly 0 or 1."""
    return isinstance(e, TESTS) or isinstance(e, (op.And, op.Or)) and is_boolean(e.a) and is_boolean(e.b)


# ---------------------------------------------------------------- dead stores
def eliminate_dead_stores(body: Body) -> Body:
    """A function body without stores to locals and arrays that are never read."""
    read = {e.memory for s in statements(body) for e in expressions(s) if isinstance(e, (op.Load, op.Holds))}
    written: set[str] = set()
    for s in statements(body):
        match s:
            case op.Copy(_, _, source):
                read.add(source)
            case op.Sort(memory) | op.Append(memory):
                read.add(memory)
            case op.Try(keeps=kept):
                read |= set(kept)
            case op.Call(arguments=arguments) | op.Enter(arguments=arguments):
                read |= {a.memory for a in arguments if isinstance(a, op.Array)}
        if isinstance(s, op.Store):
            written.add(s.memory)
    return _pruned(body, NOTHING, NOTHING, NOTHING, frozenset(n for n in written - read if "_" in n))[0]


def _pruned(body: Body, out: Names, leave: Names, again: Names, unread: Names) -> tuple[Body, Names]:
    found: list[Statement] = []
    for s in reversed(body):
        match s:
            case op.Set(name, value) if name not in out and not may_fail(value):
                continue
            case op.Set(name, Local(other)) if name == other:
                continue
            case op.Store(memory, _, value) if memory in unread and not may_fail(value):
                continue
            case op.If(test, then, otherwise):
                one, a = _pruned(then, out, leave, again, unread)
                two, b = _pruned(otherwise, out, leave, again, unread)
                if not one and not two and not may_fail(test):
                    continue
                s = op.If(test, one, two) if one or not two else op.If(not_(test), two)
                out = a | b | reads(s)
                found.append(s)
                continue
            case op.Switch(value, cases, otherwise):
                made = [_pruned(c.body, out, leave, again, unread) for c in cases]
                two, b = _pruned(otherwise, out, leave, again, unread)
                s = op.Switch(
                    value, tuple(op.Case(c.values, m) for c, (m, _) in zip(cases, made, strict=True)), two
                )
                out = b.union(*(a for _, a in made)) | reads(s)
                found.append(s)
                continue
            case op.Loop(inner) | op.For(body=inner) | op.Each(body=inner):
                head = live((s,), out, {}, leave, again)
                around = head if isinstance(s, op.Loop) else head | out
                inner = _pruned(inner, around, out, around, unread)[0]
                if not isinstance(s, op.Loop) and inner in EMPTY and s.name not in out:
                    continue
                out = head
                found.append(replace(s, body=inner))
                continue
        out = live((s,), out, {}, leave, again)
        found.append(s)
    return tuple(reversed(found)), out


__all__ = ["is_boolean", "is_never_none", "eliminate_dead_stores", "eliminate_locals"]
