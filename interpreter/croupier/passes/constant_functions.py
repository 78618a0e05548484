"""Functions that always return the same array are run at compile time; their callers read a table.

A caller that only reads the array uses the table itself; others copy it.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.operations import Array, Body, Const, Expression, Statement
from croupier.core.rewriting import rename, replace_statements
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import bodies, called, expressions, statements
from croupier.passes.constants import value_of

MOST_STEPS = 20_000  # statements that are run to find out what a function returns
Arrays = dict[str, list[int]]


def tabulate_constant_functions(program: CoreProgram) -> CoreProgram:
    """The program in which tables replace the calls of constant functions."""
    memories = dict(program.memories)
    # by function: the table, its number of words, the fuel that a call pays
    known: dict[str, tuple[str, int, int]] = {}
    for f in program.functions.values():
        if not f.waits and not f.results and [p.gives for p in f.parameters] == [True]:
            found = _Evaluator(program, f).words()
            if found is not None:
                words, paid = found
                name = f"G{len(known)}"
                memories[name] = Memory(name, len(words), words, constant=True)
                known[f.name] = name, len(words), paid
    if not known:
        return program
    functions = {}
    for name, f in program.functions.items():
        body = replace_statements(f.body, lambda s: _with_table(s, known))
        if body != f.body:
            functions[name] = _without_copies(
                replace(f, body=body), {table for table, _, _ in known.values()}
            )
        else:
            functions[name] = f
    used = {name for f in functions.values() for name in called(f.body)}
    functions = {n: f for n, f in functions.items() if n in used or n not in known}
    return replace(program, memories=memories, functions=functions)


class _Unknown(Exception):
    """A value that is not known at compile time."""


class _Exit(Exception):
    """The function returns."""


class _Evaluator:
    """Evaluates a function that reads nothing but tables."""

    def __init__(self, program: CoreProgram, f: Function) -> None:
        self.tables = {m.name: m.initial for m in program.memories.values() if m.constant}
        self.f, self.out = f, f.parameters[0].name
        self.locals: dict[str, int] = {}
        self.arrays: Arrays = {m.name: [0] * m.size for m in f.memories} | {
            p.name: [0] * p.size for p in f.parameters if p.size is not None
        }
        self.steps = self.paid = self.most = 0

    def words(self) -> tuple[tuple[int, ...], int] | None:
        """Return the words that the function returns, as far as it writes them, and the fuel that it pays.

        `None` if these are not constant.
        """
        try:
            self.body(self.f.body)
        except _Exit:
            pass
        except (_Unknown, IndexError):
            return None
        return tuple(self.arrays[self.out][: self.most]), self.paid

    def x(self, e: Expression) -> int:
        found = value_of(e, self.locals, lambda memory: self.arrays.get(memory) or self.tables.get(memory))
        if found is None:
            raise _Unknown
        return found

    def store(self, memory: str, at: int, words: list[int]) -> None:
        if memory not in self.arrays or at < 0 or at + len(words) > len(self.arrays[memory]):
            raise _Unknown
        self.arrays[memory][at : at + len(words)] = words
        if memory == self.out:
            self.most = max(self.most, at + len(words))

    def body(self, body: Body) -> None:
        for s in body:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise _Unknown
            self.statement(s)

    def statement(self, s: Statement) -> None:
        x = self.x
        match s:
            case op.Set(name, value):
                self.locals[name] = x(value)
            case op.Store(memory, index, value):
                self.store(memory, x(index), [x(value)])
            case op.Copy(target, at, source, begin, count):
                first, many = x(begin), x(count)
                words = self.arrays.get(source, list(self.tables.get(source, ())))[first : first + many]
                if first < 0 or len(words) != max(0, many):
                    raise _Unknown
                self.store(target, x(at), words)
            case op.Append(memory, values, most):
                n = self.arrays[memory][0] if memory in self.arrays else most
                if n >= most:
                    raise _Unknown
                self.store(memory, n * len(values) + 1, [x(v) for v in values])
                self.store(memory, 0, [n + 1])
            case op.If(test, then, otherwise):
                self.body(then if x(test) else otherwise)
            case op.For(name, low, high, inner) if not any(
                isinstance(t, (op.Break, op.Continue)) for t in statements(inner)
            ):
                for k in range(x(low), x(high)):
                    self.locals[name] = k
                    self.body(inner)
            case op.Guard(test) if x(test):
                pass
            case op.Pay(steps):
                self.paid += x(steps)
            case op.Return(()):
                raise _Exit
            case _:
                raise _Unknown


def _with_table(s: Statement, known: dict[str, tuple[str, int, int]]) -> Body:
    """The copy of a table instead of a call."""
    match s:
        case op.Call(function, (Array(memory, at),)) if function in known:
            table, words, paid = known[function]
            pay = (op.Pay(Const(paid)),) if paid else ()
            return (*pay, op.Copy(memory, at, table, Const(0), Const(words)))
    return (s,)


def _without_copies(f: Function, tables: set[str]) -> Function:
    """The function without arrays that only copy a table."""
    body = f.body
    gone: set[str] = set()
    for m in f.memories:
        sources = {
            s.source
            for s in statements(body)
            if isinstance(s, op.Copy) and s.target == m.name and s.at == s.begin == Const(0)
        }
        if (
            len(sources) == 1
            and sources <= tables
            and "_" in m.name
            and _filled_first(body, m.name, False) is not None
        ):
            (table,) = sources
            body, gone = rename(_without_copies_to(body, m.name), {m.name: table}), gone | {m.name}
    return replace(f, body=body, memories=tuple(m for m in f.memories if m.name not in gone))


def _without_copies_to(body: Body, name: str) -> Body:
    return replace_statements(body, lambda s: () if isinstance(s, op.Copy) and s.target == name else (s,))


def _filled_first(body: Body, name: str, made: bool) -> bool | None:
    """Return whether an array is filled after a body.

    `None` if the body reads it before it is filled, or changes it.
    """
    for s in body:
        match s:
            case op.Copy(target, Const(0), _, Const(0)) if target == name:
                made = True
                continue
            case op.Copy(target, _, source) if target == name or source == name and not made:
                return None
            case op.Store(memory) | op.Sort(memory) | op.Append(memory) if memory == name:
                return None
            case op.Call(arguments=arguments) | op.Enter(arguments=arguments) if any(
                isinstance(a, Array) and a.memory == name for a in arguments
            ):
                return None
            case op.Enter(arrays=arrays) if name in arrays:
                return None
        if not made and any(isinstance(e, (op.Load, op.Holds)) and e.memory == name for e in expressions(s)):
            return None
        for inner in bodies(s):
            if _filled_first(inner, name, made) is None:
                return None
    return made


__all__ = ["tabulate_constant_functions"]
