"""Inlining of short functions, and of functions with a single call."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import not_
from croupier.core.operations import Array, Body, Const, Statement
from croupier.core.rewriting import rename, rewrite_bodies
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import bodies, called, sets, statements

SHORT = 10  # statements of a function that is always inlined


def inline_calls(program: CoreProgram, copied: int = 0) -> CoreProgram:
    """The program with short functions inlined, and without functions that are never called.

    `copied`: the most statements that all calls of a longer function may become.
    """
    calls = Counter(
        s.function for f in program.functions.values() for s in statements(f.body) if isinstance(s, op.Call)
    )
    fit: dict[str, Function] = {}
    for f in program.functions.values():
        body = None if f.waits else _single_exit(f.body)
        size = sum(1 for _ in statements(f.body))
        if (
            body is None
            or f.name == program.start
            or f.name in program.exports
            or any(p.size is not None for p in f.parameters)
        ):
            continue
        if size > SHORT and calls[f.name] > 1 and size * calls[f.name] > copied:
            continue
        if any(isinstance(s, op.Call) and s.function == f.name for s in statements(body)) or any(
            isinstance(s, op.Try) for s in statements(body)
        ):
            continue
        if not any(isinstance(s, op.Call) and s.function in fit for s in statements(body)):
            fit[f.name] = replace(f, body=body)
    inliner = _Inliner(fit, {name for f in program.functions.values() for name in _names(f)})
    functions = {n: inliner.function(f) for n, f in program.functions.items()}
    used = {program.start, program.main, *program.exports}
    used |= {name for f in functions.values() for name in called(f.body)}
    return replace(program, functions={n: f for n, f in functions.items() if f.waits or n in used})


def _single_exit(body: Body) -> Body | None:
    """A body with a single exit: early returns without values become conditions.

    None if it has other early returns.
    """
    if not body:
        return body
    for k, s in enumerate(body):
        if isinstance(s, op.Return) and k < len(body) - 1:
            return None
        if any(isinstance(t, op.Return) for inner in bodies(s) for t in statements(inner)):
            match s:
                case op.If(test, (*before, op.Return(())), ()) if not any(
                    isinstance(t, op.Return) for t in statements(tuple(before))
                ):
                    rest = _single_exit(body[k + 1 :])
                    if rest is None or any(isinstance(t, op.Return) and t.values for t in rest):
                        return None
                    rest = tuple(t for t in rest if not isinstance(t, op.Return))
                    return (
                        *body[:k],
                        op.If(test, tuple(before), rest) if before else op.If(not_(test), rest),
                    )
            return None
    return body


def _names(f: Function) -> set[str]:
    """The names of locals, parameters and arrays of a function."""
    return {
        *(n for s in statements(f.body) for n in sets(s)),
        *(p.name for p in f.parameters),
        *(m.name for m in f.memories),
    }


class _Inliner:
    """Replaces calls by function bodies with fresh names."""

    def __init__(self, fit: dict[str, Function], names: set[str]) -> None:
        self.fit, self.names, self.count = fit, names, 0

    def function(self, f: Function) -> Function:
        memories = list(f.memories)
        return replace(f, body=self.body(f.body, memories, f.name), memories=tuple(memories))

    def body(self, body: Body, memories: list[Memory], name: str) -> Body:
        out: list[Statement] = []
        for s in body:
            if not isinstance(s, op.Try):
                s = rewrite_bodies(s, lambda inner: self.body(inner, memories, name))
            if isinstance(s, op.Call) and s.function in self.fit and s.function != name:
                out += self.call(s, memories)
            else:
                out.append(s)
        return tuple(out)

    def call(self, s: op.Call, memories: list[Memory]) -> list[Statement]:
        f = self.fit[s.function]
        self.count += 1
        inside = _names(f)
        while any(f"{n}_f{self.count}" in self.names for n in inside):
            self.count += 1
        names = {n: f"{n}_f{self.count}" for n in inside}
        memories += [replace(m, name=names[m.name]) for m in f.memories]
        body = rename(f.body, names)
        out: list[Statement] = []
        for p, a in zip(f.parameters, s.arguments, strict=True):
            assert not isinstance(a, Array)
            out.append(op.Set(names[p.name], a))
        if body and isinstance(body[-1], op.Return):
            *rest, last = body
            out += rest
            assert isinstance(last, op.Return)
            out += [op.Set(name, v) for name, v in zip(s.results, last.values, strict=True)]
            return out
        return [*out, *body, *(op.Set(name, Const(0)) for name in s.results)]


__all__ = ["inline_calls"]
