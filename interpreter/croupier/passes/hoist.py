"""What a loop works out again and again, and always to the same, is worked out once, before it.

Only what cannot fail and changes nothing but words and arrays that are its own is moved; whether a round would have come to it does not matter then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from croupier.core import operations as op
from croupier.core.change import mapped
from croupier.core.operations import Body, Const, Statement
from croupier.core.types import Function, Program
from croupier.core.walk import bodies, expressions, statements
from croupier.passes.effects import Effects, effects, may_fail
from croupier.passes.effects import reads as read_by
from croupier.passes.values import names_read, sets

MOST = 40  # statements that are moved together


def with_hoisted(program: Program) -> Program:
    """The program with what does not depend on the rounds of loops before these."""
    tables = frozenset(m.name for m in program.memories.values() if m.constant)
    return replace(program, functions={n: _Hoister(f, tables).function() for n, f in program.functions.items()})


@dataclass(frozen=True, slots=True)
class _Facts:
    """A loop: how many of its statements mention and write each local and array, and what it changes."""

    loop: Statement
    mentioned: Counter[str]
    writes: Counter[str]
    effects: Effects

    @staticmethod
    def of(loop: Statement) -> _Facts:
        mentioned, writes = Counter[str](), Counter[str]()
        for t in statements((loop,)):
            mentioned.update(_mentions(t))
            writes.update(_writes(t))
        return _Facts(loop, mentioned, writes, effects((loop,)))


class _Hoister:
    """Works on one function."""

    def __init__(self, f: Function, tables: frozenset[str]) -> None:
        self.f = f
        self.arrays = {m.name for m in f.memories if "_" in m.name}
        self.own = frozenset(m.name for m in f.memories) | frozenset(p.name for p in f.parameters) | tables
        self.mentioned: Counter[str] = Counter()
        for s in statements(f.body):
            self.mentioned.update(_mentions(s))
        self.own |= frozenset(n for s in statements(f.body) for n in sets(s))

    def function(self) -> Function:
        return replace(self.f, body=self.body(self.f.body))

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        for s in body:
            s = mapped(s, lambda e: e, self.body)
            if isinstance(s, (op.For, op.Each, op.Loop)) and not any(isinstance(t, (op.Wait, op.Enter, op.Ahead)) for t in statements(s.body)):
                moved, inner = self.split(_Facts.of(s), s.body)
                if moved:
                    out += moved
                    s = replace(s, body=inner)
            out.append(s)
        return tuple(out)

    def split(self, loop: _Facts, body: Body) -> tuple[list[Statement], Body]:
        """The statements of a body in a loop that may stand before it, and the body without them."""
        moved: list[Statement] = []
        left: list[Statement] = []
        for s in body:
            if self.is_fixed(s, loop):
                moved.append(s)
                continue
            if isinstance(s, op.If):
                more, then = self.split(loop, s.then)
                others, otherwise = self.split(loop, s.otherwise)
                moved += [*more, *others]
                s = op.If(s.test, then, otherwise)
            left.append(s)
        return moved, tuple(left)

    def is_fixed(self, s: Statement, loop: _Facts) -> bool:
        """Does a statement of a loop always do the same, and nobody else does it?"""
        if isinstance(s, op.Set) and not any(True for _ in expressions(op.Guard(s.value))):
            return False
        part = list(statements((s,)))
        if len(part) > MOST or isinstance(s, op.Set) and isinstance(s.value, Const):
            return False
        asked: set[str] = set()
        for t in part:
            if not isinstance(t, (op.Set, op.Store, op.Copy, op.If, op.For)) or any(may_fail(e) for e in expressions(t)):
                return False
            for e in expressions(t):
                asked |= read_by(e)
            if isinstance(t, op.Copy):
                asked.add(t.source)
            if isinstance(t, op.Store) and t.memory not in self.arrays or isinstance(t, op.Copy) and t.target not in self.arrays:
                return False
        change = effects((s,)).changes
        here: Counter[str] = Counter()
        for t in part:
            here.update(_mentions(t))
        mine: Counter[str] = Counter()
        for t in part:
            mine.update(_writes(t))
        if any(loop.mentioned[n] != self.mentioned[n] or loop.writes[n] != mine[n] for n in change):
            return False
        outside = asked - change
        if any(loop.writes[n] for n in outside) or loop.effects.touch(frozenset(n for n in outside if n not in self.own), self.own):
            return False
        return not self.before(s, loop, change)

    def before(self, s: Statement, loop: _Facts, change: frozenset[str]) -> bool:
        """Is something that a statement changes asked for in the loop before it comes to it?"""
        for t in statements((loop.loop,)):
            if t is s:
                return False
            if not any(u is s for u in statements((t,))) and _mentions(t) & change:
                return True
        return False


def _writes(s: Statement) -> Iterable[str]:
    """What a statement itself changes."""
    return sets(s) if any(True for _ in bodies(s)) else effects((s,)).changes


def _mentions(s: Statement) -> set[str]:
    """The locals and arrays that a statement itself names."""
    found = set(names_read(s)) | set(sets(s))
    for e in expressions(s):
        if isinstance(e, (op.Load, op.Holds)):
            found.add(e.memory)
    match s:
        case op.Store(memory) | op.Sort(memory) | op.Append(memory):
            found.add(memory)
        case op.Copy(target, _, source):
            found |= {target, source}
        case op.Call(arguments=arguments) | op.Enter(arguments=arguments):
            found |= {a.memory for a in arguments if isinstance(a, op.Array)}
    if isinstance(s, op.Enter):
        found |= set(s.arrays)
    return found


__all__ = ["with_hoisted"]
