"""What must hold of every program of the core, whoever made it.

Names are there: arrays, functions, states; calls give what functions take; locals are set before they are read on some way at least; loops hold
what leaves them; nobody waits in a function that does not wait, nor in a loop that counts.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import STATEMENTS, Body, Expression, Statement
from croupier.core.types import Function, Program
from croupier.core.walk import bodies, expressions, locals_of, statements


class Malformed(Exception):
    """A program that is none: what is wrong, and in which function."""


def verify(program: Program) -> None:
    """Raises `Malformed` unless everything holds."""
    if program.main not in program.functions:
        raise Malformed(f"there is no function `{program.main}` to begin with")
    for f in program.functions.values():
        if f.body:
            _Checker(program, f).run(f.body)
    for state in program.states.values():
        _Checker(program, program.functions[state.function], cut=True).run(state.body)
        if not _ends(state.body):
            raise Malformed(f"state {state.number} of `{state.function}` goes on nowhere")


class _Checker:
    """Looks at one body."""

    def __init__(self, program: Program, function: Function, cut: bool = False) -> None:
        self.program, self.function, self.cut = program, function, cut
        self.arrays = {m.name for m in function.memories} | {p.name for p in function.parameters if p.size is not None}
        self.set = {p.name for p in function.parameters if p.size is None}

    def wrong(self, what: str) -> Malformed:
        return Malformed(f"{what}, in `{self.function.name}`")

    def run(self, body: Body) -> None:
        for s in statements(body):
            self.set.update(_sets(s))
        self.body(body, in_loop=False, may_wait=self.function.waits)

    def body(self, body: Body, in_loop: bool, may_wait: bool) -> None:
        for s in body:
            self.statement(s, in_loop, may_wait)

    def statement(self, s: Statement, in_loop: bool, may_wait: bool) -> None:
        if not isinstance(s, STATEMENTS):
            raise self.wrong(f"{s!r} is no statement")
        for e in expressions(s):
            self.expression(e)
        match s:
            case op.Store(memory) | op.Sort(memory) | op.Append(memory):
                self.array(memory, written=True)
            case op.Recall(target, source):
                self.array(target, written=True)
                self.array(source)
            case op.Copy(target, _, source):
                self.array(target, written=True)
                self.array(source)
            case op.Call(name, arguments, results):
                self.call(name, arguments, results, waits=False)
            case op.Enter(name, arguments, results):
                if not may_wait:
                    raise self.wrong(f"`{name}` is entered where nobody may wait")
                if not self.cut:
                    self.call(name, arguments, results, waits=True)
            case op.Wait() if not may_wait:
                raise self.wrong("somebody waits where nobody may")
            case op.Break() | op.Continue() if not in_loop:
                raise self.wrong("a loop is left where there is none")
            case op.Goto(state) if state not in self.program.states:
                raise self.wrong(f"there is no state {state}")
            case op.Wait(next=state) | op.Enter(next=state) if self.cut and state not in self.program.states:
                raise self.wrong(f"there is no state {state}")
            case op.Explore(state=state) if state not in self.program.states:
                raise self.wrong(f"there is no state {state}")
            case op.Ahead() if not may_wait:
                raise self.wrong("a look-ahead where nobody may wait")
            case op.Goto() | op.Leave() | op.Explore() if not self.cut:
                raise self.wrong("states before there are any")
        loop = isinstance(s, (op.Loop, op.For, op.Each))
        counts = isinstance(s, (op.For, op.Each, op.Try))
        for inner in bodies(s):
            self.body(inner, in_loop or loop, may_wait and not counts)

    def expression(self, e: Expression) -> None:
        if isinstance(e, (op.Load, op.Holds)):
            self.array(e.memory)
        for name in locals_of(e) if isinstance(e, op.Local) else ():
            if name not in self.set and not self.cut:
                raise self.wrong(f"`{name}` is never set")

    def array(self, name: str, written: bool = False) -> None:
        if name in self.arrays:
            return
        found = self.program.memories.get(name)
        if found is None:
            raise self.wrong(f"there is no array `{name}`")
        if written and found.constant:
            raise self.wrong(f"`{name}` is a table")

    def call(self, name: str, arguments: tuple[Expression | op.Array, ...], results: tuple[str, ...], waits: bool) -> None:
        f = self.program.functions.get(name)
        if f is None:
            raise self.wrong(f"there is no function `{name}`")
        if f.waits != waits:
            raise self.wrong(f"`{name}` is called in the wrong way")
        takes = [p for p in f.parameters if not (waits and p.gives)]
        if [p.size is not None for p in takes] != [isinstance(a, op.Array) for a in arguments] or len(results) != f.results:
            raise self.wrong(f"`{name}` takes and gives something else")
        for a in arguments:
            if isinstance(a, op.Array):
                self.array(a.memory)


def _sets(s: Statement) -> tuple[str, ...]:
    """The locals that a statement sets."""
    match s:
        case op.Set(name) | op.For(name) | op.Each(name) | op.Try(name) | op.Ahead(name) | op.Explore(name):
            return (name,)
        case op.Call(results=results) | op.Enter(results=results):
            return results
    return ()


def _ends(body: Body) -> bool:
    """Does control never come out at the end?"""
    if not body:
        return False
    match body[-1]:
        case op.Goto() | op.Wait() | op.Enter() | op.Leave() | op.Finish() | op.Fail() | op.DeadEnd():
            return True
        case op.If(_, then, otherwise):
            return _ends(then) and _ends(otherwise)
        case op.Switch(_, cases, otherwise):
            return all(_ends(case.body) for case in cases) and _ends(otherwise)
        case op.Loop(inner):
            return not any(isinstance(s, op.Break) for s in _own(inner))
    return False


def _own(body: Body) -> list[Statement]:
    """The statements of a loop's body that belong to no loop inside."""
    found: list[Statement] = []
    for s in body:
        found.append(s)
        if not isinstance(s, (op.Loop, op.For, op.Each)):
            for inner in bodies(s):
                found.extend(_own(inner))
    return found
