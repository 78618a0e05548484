"""The verifier: invariants of every core program.

Arrays, functions and states that are named exist; calls match parameters and results; a local is set on some
path before it is read; `Break` and `Continue` are in loops; functions that do not wait contain no wait, nor
do counted loops. Constant indices are within their arrays, initial contents fit, and words fit in 64 bits.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import STATEMENTS, Body, Expression, Statement
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import bodies, expressions, loop_statements, statements

BITS = ("and", "or", "xor", "shl", "shr")


class Malformed(Exception):
    """A program that breaks an invariant: which one, and in which function."""


def verify(program: CoreProgram) -> None:
    """Raise `Malformed` unless all invariants hold."""
    _memory(program)
    for name in (program.main, *([] if program.start is None else [program.start])):
        if name not in program.functions:
            raise Malformed(f"there is no function `{name}` to begin with")
        if program.functions[name].parameters:
            raise Malformed(f"`{name}` takes something, and the program begins with it")
    for name, number in program.entries.items():
        if number not in program.states or name not in program.functions:
            raise Malformed(f"`{name}` is entered in a state {number} that is not there")
    for f in program.functions.values():
        names = [*(p.name for p in f.parameters), *(m.name for m in f.memories)]
        if len(set(names)) < len(names):
            raise Malformed(f"two parameters or arrays have one name, in `{f.name}`")
        if f.body:
            _Checker(program, f).run(f.body)
    for state in program.states.values():
        if state.function not in program.functions:
            raise Malformed(f"state {state.number} is of no function")
        _Checker(program, program.functions[state.function], cut=True).run(state.body)
        if not _ends(state.body):
            raise Malformed(f"state {state.number} of `{state.function}` goes on nowhere")


def _memory(program: CoreProgram) -> None:
    """Check that the initial contents of arrays and zones fit."""
    for m in program.memories.values():
        if m.size < 1 or len(m.initial) > m.size or (m.constant and len(m.initial) < m.size):
            raise Malformed(f"`{m.name}` holds {m.size} words and begins with {len(m.initial)}")
    zones = program.zones
    if not len(zones.capacities) == len(zones.contents) == len(zones.loose):
        raise Malformed("zones without a capacity, or without contents")
    for z, (most, items) in enumerate(zip(zones.capacities, zones.contents, strict=True)):
        if len(items) > most:
            raise Malformed(f"zone {z} begins with {len(items)} components and has room for {most}")


class _Checker:
    """Verifies one body."""

    def __init__(self, program: CoreProgram, function: Function, cut: bool = False) -> None:
        self.program, self.function, self.cut = program, function, cut
        self.arrays = function.arrays
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
            case op.Sort(memory, stride=stride, keys=keys):
                self.array(memory, written=True)
                if not 0 < keys <= stride:
                    raise self.wrong(f"rows of {stride} words are sorted by {keys}")
            case op.Store(memory, index):
                self.array(memory, written=True)
                self.inside(memory, index)
            case op.Append(memory):
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
                if name not in self.program.functions:
                    raise self.wrong(f"there is no function `{name}`")
                if not self.cut:
                    self.call(name, arguments, results, waits=True)
                    self.taken(name, s.arrays)
            case op.Return(values) if self.cut or len(values) != self.function.results:
                raise self.wrong(f"it returns {len(values)} words instead of {self.function.results}")
            case op.Switch(_, cases):
                words = [word for case in cases for word in case.values]
                if len(set(words)) < len(words):
                    raise self.wrong("two cases of a switch are for one word")
            case op.Try(keeps=kept) if not self.arrays.keys() >= set(kept):
                raise self.wrong("an array is kept that is not the function's own")
            case op.DeadEnd() | op.Reached() if not self.function.waits:
                raise self.wrong("a look-ahead ends where none can begin")
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
        match e:
            case op.Const(value) if abs(value) >= 1 << 63:
                raise self.wrong(f"{value} is no word of 64 bits")
            case op.Load(memory, index):
                self.array(memory)
                self.inside(memory, index)
            case op.Holds(memory):
                self.array(memory)
            case op.Bits(kind) if kind not in BITS:
                raise self.wrong(f"there is no operation `{kind}` on bits")
            case op.Div(b=op.Const(0)) | op.Mod(b=op.Const(0)):
                raise self.wrong("something is divided by 0")
            case op.Local(name) if not self.cut and name not in self.set:
                raise self.wrong(f"`{name}` is never set")

    def array(self, name: str, written: bool = False) -> None:
        if name in self.arrays:
            return
        found = self.program.memories.get(name)
        if found is None:
            raise self.wrong(f"there is no array `{name}`")
        if written and found.constant:
            raise self.wrong(f"`{name}` is a table")

    def inside(self, name: str, index: Expression) -> None:
        """Check that a constant index is within its array."""
        found = self.program.memories.get(name)
        size = 0 if found is None else found.size
        if name in self.arrays:
            size = self.arrays[name]
        if isinstance(index, op.Const) and not 0 <= index.value < size:
            raise self.wrong(f"`{name}` has no place {index.value}")

    def taken(self, name: str, arrays: tuple[str, ...]) -> None:
        """Check that the arrays for results are large enough."""
        sizes = [p.size or 0 for p in self.program.functions[name].parameters if p.gives]
        if len(sizes) != len(arrays) or any(
            self.arrays.get(to, 0) < size for to, size in zip(arrays, sizes, strict=True)
        ):
            raise self.wrong(f"what `{name}` gives back is not taken")

    def call(
        self, name: str, arguments: tuple[Expression | op.Array, ...], results: tuple[str, ...], waits: bool
    ) -> None:
        f = self.program.functions.get(name)
        if f is None:
            raise self.wrong(f"there is no function `{name}`")
        if f.waits != waits:
            raise self.wrong(f"`{name}` is called in the wrong way")
        takes = [p for p in f.parameters if not (waits and p.gives)]
        if [p.size is not None for p in takes] != [isinstance(a, op.Array) for a in arguments] or len(
            results
        ) != f.results:
            raise self.wrong(f"`{name}` takes and gives something else")
        for a in arguments:
            if isinstance(a, op.Array):
                self.array(a.memory)


def _sets(s: Statement) -> tuple[str, ...]:
    """The locals that a statement sets; that a look-ahead is over has to be set besides."""
    match s:
        case op.Set(name) | op.For(name) | op.Each(name) | op.Try(name) | op.Ahead(name) | op.Explore(name):
            return (name,)
        case op.Call(results=results) | op.Enter(results=results):
            return results
    return ()


def _ends(body: Body) -> bool:
    """Return whether control never reaches the end of a body."""
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
            return not any(isinstance(s, op.Break) for s in loop_statements(inner))
    return False
