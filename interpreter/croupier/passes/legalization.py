"""Legalization: operations that a target lacks, written as loops and stores.

`Append` becomes a test, stores and a count; `Rank` and `PartBegin`, as the value of a local, become loops.
`Holds`, `Offered` and `Times` are only made by passes that run for targets that have them. `Recall` either
evaluates its source again or shares the array that offers were made from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, mul, sub
from croupier.core.operations import Body, Local, Statement
from croupier.core.rewriting import rename, replace_bodies, replace_statements
from croupier.core.types import CoreProgram
from croupier.core.walk import statements


def legalize(program: CoreProgram, stay: tuple[type, ...] = ()) -> CoreProgram:
    """The program without these operations; those in `stay`, which the target has, are left."""
    return replace_bodies(program, lambda body, _: replace_statements(body, lambda s: _legal(s, stay)))


def recompute_recalls(program: CoreProgram) -> CoreProgram:
    """The program in which every `Recall` evaluates again what offers were made from."""
    return replace_bodies(
        program,
        lambda body, _: replace_statements(body, lambda s: s.body if isinstance(s, op.Recall) else (s,)),
    )


def share_recalls(program: CoreProgram) -> CoreProgram:
    """The program in which every `Recall` uses the array that offers were made from, which is still there."""
    functions = {}
    for name, f in program.functions.items():
        names = {s.target: s.source for s in statements(f.body) if isinstance(s, op.Recall)}
        body = replace_statements(f.body, lambda s: () if isinstance(s, op.Recall) else (s,))
        functions[name] = replace(f, body=rename(body, names)) if names else f
    return replace(program, functions=functions)


def _legal(s: Statement, stay: tuple[type, ...]) -> Iterator[Statement]:
    if isinstance(s, stay) or isinstance(s, op.Set) and isinstance(s.value, stay):
        yield s
        return
    match s:
        case op.Recall(body=body) | op.Memo(body=body):
            yield from body
        case op.Append(memory, values, most):
            count = f"count_{memory}"
            yield op.Set(count, op.Load(memory, FALSE))
            yield op.Guard(op.Lt(Local(count), const(most)))
            first = add(mul(Local(count), const(len(values))), TRUE)
            for k, v in enumerate(values):
                yield op.Store(memory, add(first, const(k)), v)
            yield op.Store(memory, FALSE, add(Local(count), TRUE))
        case op.Set(name, op.Rank(zone, value)):
            at = Local(name)
            yield op.Set(name, op.Length(zone))
            down = op.Set(name, sub(at, TRUE))
            leave: Body = (op.Break(),)
            yield op.Loop(
                (
                    op.If(op.Eq(at, FALSE), leave),
                    op.If(op.Lt(op.Element(zone, sub(at, TRUE)), value), leave),
                    down,
                )
            )
        case op.Set(name, op.PartBegin(zone, index)):
            at = Local(name)
            yield op.Set(name, index)
            leave = (op.Break(),)
            below = op.Eq(op.Loose(zone, sub(at, TRUE)), FALSE)
            yield op.Loop((op.If(op.Eq(at, FALSE), leave), op.If(below, leave), op.Set(name, sub(at, TRUE))))
        case _:
            yield s


__all__ = ["legalize", "share_recalls", "recompute_recalls"]
