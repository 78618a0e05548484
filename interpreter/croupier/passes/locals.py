"""Fewer locals: what is read once is worked out where it is read, what nobody reads is not worked out, and a test that sets a mark is the mark.

And less work for those of which nobody asks but whether they are there: a loop that looks for the last thing of a kind ends with the first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import may_fail, not_
from croupier.core.change import mapped, with_bodies, with_values
from croupier.core.operations import Body, Const, Expression, Local, Statement
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import arrays, bodies, expressions, mentioned, operands, reads, sets, statements
from croupier.passes.effects import effects, mentions
from croupier.passes.effects import reads as read_by
from croupier.passes.liveness import NOTHING, Names, live

TESTS = (op.Eq, op.Lt, op.Le, op.Not, op.Loose, op.Holds, op.Offered)
ROUNDS = 3  # at most: what is shorter lets more be moved
NO_ROUNDS = ((), (op.Break(),), (op.Continue(),))  # bodies of loops that do nothing
LARGEST = 40  # parts of an expression that another one is put into


def with_fewer_locals(program: CoreProgram) -> CoreProgram:
    """The program without locals that it can do without."""
    tables = frozenset(m.name for m in program.memories.values() if m.constant)
    return replace(program, functions={name: _Shortener(f, tables).function() for name, f in program.functions.items()})


class _Shortener:
    """Works on one function."""

    def __init__(self, f: Function, tables: Names) -> None:
        self.f = f
        self.own = frozenset({m.name for m in f.memories} | {n for s in statements(f.body) for n in sets(s)}) | tables
        self.own |= {p.name for p in f.parameters}
        self.set_in: Counter[str] = Counter()
        self.read_in: Counter[str] = Counter()
        self.kept: set[str] = set()

    def function(self) -> Function:
        body = self.f.body
        for _ in range(ROUNDS):
            before = body
            self.count(body)
            body = pruned(self.body(body))
            if body == before:
                break
        return replace(self.f, body=body, memories=tuple(self.memories(body)))

    def memories(self, body: Body) -> list[Memory]:
        used = arrays(body)
        return [m for m in self.f.memories if m.name in used or not m.name.partition("_")[2]]

    def count(self, body: Body) -> None:
        self.set_in, self.read_in = Counter(p.name for p in self.f.parameters), Counter()
        self.kept = set()
        for s in statements(body):
            for name in sets(s):
                self.set_in[name] += 1
            for e in expressions(s):
                if isinstance(e, Local):
                    self.read_in[e.name] += 1
            if isinstance(s, (op.Wait, op.Enter)):
                self.kept |= set(s.keeps)

    def body(self, body: Body) -> Body:
        out = [with_bodies(s, self.body) for s in body]
        out = self.marked(out)
        i = 0
        while i < len(out):
            s = out[i]
            if isinstance(s, op.Set) and self.set_in[s.name] == 1 and s.name not in self.kept and self.read_in[s.name] == 1:
                moved = self.moved(s, out[i + 1 :])
                if moved is not None:
                    out[i:] = moved
                    i = max(0, i - 1)
                    continue
            i += 1
        return tuple(out)

    # ------------------------------------------------------------ marks
    def marked(self, body: list[Statement]) -> list[Statement]:
        """A mark that is taken back if a test holds (or set) is that test."""
        out = list(body)
        i = 0
        while i < len(out):
            s = out[i]
            if isinstance(s, op.Set) and isinstance(s.value, Const) and s.value.value in (0, 1):
                for j in range(i + 1, len(out)):
                    t = out[j]
                    if isinstance(t, op.If) and self.sets_mark(t, s):
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
                    if s.name in sets(t) or not isinstance(t, op.Set) or mentions(t, s.name):
                        break
            i += 1
        return out

    def sets_mark(self, t: op.If, s: op.Set) -> bool:
        """Does a conditional statement turn a mark over, and do nothing else with it?"""
        if t.otherwise or not t.then or not isinstance(t.test, (*TESTS, op.And, op.Or)) or not is_test(t.test) or mentions(t, s.name):
            return False
        turned = [m for m in t.then if isinstance(m, op.Set) and m.name == s.name]
        if len(turned) != 1 or turned[0].value != Const(int(s.value == Const(0))):
            return False
        others = [m for m in t.then if m is not turned[0]]
        if any(s.name in sets(m) or mentions(m, s.name) for m in statements(tuple(others))):
            return False
        return all(isinstance(m, op.Set) and isinstance(m.value, Const) for m in others)

    # ------------------------------------------------------------ words that are read once
    def moved(self, s: op.Set, rest: list[Statement]) -> list[Statement] | None:
        """The statements behind, with a word put where it is read; none if it cannot be."""
        depends = read_by(s.value)
        for k, t in enumerate(rest):
            if mentions(t, s.name):
                if isinstance(t, (op.Loop, op.Try, op.Ahead)) or may_fail(s.value) and not isinstance(t, (op.Set, op.Store)):
                    return None
                if sum(1 for _ in expressions(op.Guard(s.value))) > LARGEST:
                    return None
                if may_fail(s.value) and any(isinstance(e, (op.And, op.Or, op.Select)) for e in expressions(t)):
                    return None
                new = mapped(t, lambda e: with_values(e, {s.name: s.value}))
                return [*rest[:k], new, *rest[k + 1 :]]
            inside = [inner for inner in bodies(t) if any(mentions(u, s.name) for u in statements(inner))]
            if inside:
                return self.sunk(s, t, rest, k)
            if effects((t,)).touch(depends, self.own):
                return None
        return None

    def sunk(self, s: op.Set, t: Statement, rest: list[Statement], k: int) -> list[Statement] | None:
        """A word that only one branch reads is worked out there."""
        if not isinstance(t, op.If) or may_fail(s.value):
            return None
        if any(mentions(u, s.name) for u in statements(t.then)):
            new: Statement = op.If(t.test, self.body((s, *t.then)), t.otherwise)
        else:
            new = op.If(t.test, t.then, self.body((s, *t.otherwise)))
        return [*rest[:k], new, *rest[k + 1 :]]


# ---------------------------------------------------------------- is anything there?
def leaving_early(program: CoreProgram) -> CoreProgram:
    """The program whose loops end when they have found that something is there. They pay before they begin, or nothing."""
    tables = frozenset(m.name for m in program.memories.values() if m.constant and op.NONE not in m.initial)
    functions = {}
    for name, f in program.functions.items():
        of_value: set[str] = set()
        for s in statements(f.body):
            for e in operands(s):
                _read_for_value(e, of_value)
            match s:
                case op.Wait(keeps=names) | op.Enter(keeps=names) | op.Memo(words=names):
                    of_value |= {*names}
                case op.Recall(target, source):
                    of_value |= {target, source}
        functions[name] = replace(f, body=_left_early(f.body, Counter(n for e in mentioned(f.body) for n in _named(e)), of_value, tables))
    return replace(program, functions=functions)


def _named(e: Expression) -> tuple[str, ...]:
    return (e.name,) if isinstance(e, Local) else ()


def _read_for_value(e: Expression, found: set[str]) -> None:
    """The locals of an expression of which more is asked than whether they are none."""
    match e:
        case op.Eq(Local(), Const(op.NONE)) | op.Eq(Const(op.NONE), Local()):
            return
        case Local(name):
            found.add(name)
    for part in operands(e):
        _read_for_value(part, found)


def _left_early(body: Body, read: Counter[str], of_value: set[str], tables: Names) -> Body:
    out = []
    for s in body:
        s = with_bodies(s, lambda inner: _left_early(inner, read, of_value, tables))
        if isinstance(s, (op.For, op.Each)):
            s = replace(s, body=_until_found(s, read, of_value, tables))
        out.append(s)
    return tuple(out)


def _until_found(loop: op.For | op.Each, read: Counter[str], of_value: set[str], tables: Names) -> Body:
    """The body of a loop that only looks for something ends the loop where it finds that; else as it is."""
    inside = statements(loop.body)
    if not all(isinstance(s, (op.Set, op.If)) for s in inside):
        return loop.body
    here = Counter(n for e in mentioned(loop.body) for n in _named(e))
    outside = {s.name for s in inside if isinstance(s, op.Set) and read[s.name] > here[s.name]}
    there = {loop.name}
    for s in inside:
        if isinstance(s, op.Set) and is_there(s.value, there, tables):
            there.add(s.name)
    sought = min(outside, default="")
    sure = all(is_there(s.value, there, tables) for s in inside if isinstance(s, op.Set))
    if len(outside) != 1 or sought in of_value or here[sought] or not sure:
        return loop.body

    def ended(body: Body) -> Body:
        found: list[Statement] = []
        for s in body:
            found.append(with_bodies(s, ended))
            if isinstance(s, op.Set) and s.name == sought:
                return (*found, op.Break())
        return tuple(found)

    return ended(loop.body)


def is_there(e: Expression, there: set[str], tables: Names) -> bool:
    """Is it sure that an expression is not none?"""
    match e:
        case Local(name):
            return name in there
        case op.Load(memory):
            return memory in tables
        case Const(value):
            return value != op.NONE
    return isinstance(e, (op.Add, op.Sub, op.Mul, op.Element))


def is_test(e: Expression) -> bool:
    """Is an expression surely 0 or 1?"""
    return isinstance(e, TESTS) or isinstance(e, (op.And, op.Or)) and is_test(e.a) and is_test(e.b)


# ---------------------------------------------------------------- what nobody reads
def pruned(body: Body) -> Body:
    """A function's body without words that nobody reads, and without arrays that nobody does."""
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
                s = op.Switch(value, tuple(op.Case(c.values, m) for c, (m, _) in zip(cases, made, strict=True)), two)
                out = b.union(*(a for _, a in made)) | reads(s)
                found.append(s)
                continue
            case op.Loop(inner):
                head = live((s,), out, {}, leave, again)
                s = op.Loop(_pruned(inner, head, out, head, unread)[0])
                out = head
                found.append(s)
                continue
            case op.For(name, low, high, inner):
                head = live((s,), out, {}, leave, again)
                new = _pruned(inner, head | out, out, head | out, unread)[0]
                if new in NO_ROUNDS and name not in out:
                    continue
                out = head
                found.append(op.For(name, low, high, new))
                continue
            case op.Each(name, zone, inner):
                head = live((s,), out, {}, leave, again)
                new = _pruned(inner, head | out, out, head | out, unread)[0]
                if new in NO_ROUNDS and name not in out:
                    continue
                out = head
                found.append(op.Each(name, zone, new))
                continue
        out = live((s,), out, {}, leave, again)
        found.append(s)
    return tuple(reversed(found)), out


__all__ = ["is_test", "is_there", "pruned", "with_fewer_locals"]
