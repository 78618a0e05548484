"""Operations that some targets have of their own, as loops and stores for those that do not.

`Append` is a test, stores and a count; `Rank` and `PartBegin`, as the value of a local, are loops. `Holds`, `Offered` and `Times` come of passes that
only such targets run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, mul, sub
from croupier.core.change import renamed, with_bodies
from croupier.core.operations import Body, Local, Statement
from croupier.core.types import CoreProgram
from croupier.core.walk import statements


def expanded(program: CoreProgram, stay: tuple[type, ...] = ()) -> CoreProgram:
    """The program without these operations, but for those that `stay` because the target has them."""
    return replace(program, functions={n: replace(f, body=_body(f.body, stay)) for n, f in program.functions.items()})


def worked_out_again(program: CoreProgram) -> CoreProgram:
    """The program in which nobody keeps what offers were made of."""
    return replace(program, functions={n: replace(f, body=_again(f.body)) for n, f in program.functions.items()})


def _again(body: Body) -> Body:
    return tuple(t for s in body for t in (_again(s.body) if isinstance(s, op.Recall) else (with_bodies(s, _again),)))


def kept(program: CoreProgram) -> CoreProgram:
    """The program in which what offers were made of is still there afterwards."""
    functions = {}
    for name, f in program.functions.items():
        names = {s.target: s.source for s in statements(f.body) if isinstance(s, op.Recall)}
        functions[name] = replace(f, body=renamed(_recalled(f.body), names)) if names else f
    return replace(program, functions=functions)


def _recalled(body: Body) -> Body:
    return tuple(with_bodies(s, _recalled) for s in body if not isinstance(s, op.Recall))


def _body(body: Body, stay: tuple[type, ...]) -> Body:
    return tuple(new for s in body for new in _statement(with_bodies(s, lambda inner: _body(inner, stay)), stay))


def _statement(s: Statement, stay: tuple[type, ...]) -> Iterator[Statement]:
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
            yield op.Loop((op.If(op.Eq(at, FALSE), leave), op.If(op.Lt(op.Element(zone, sub(at, TRUE)), value), leave), down))
        case op.Set(name, op.PartBegin(zone, index)):
            at = Local(name)
            yield op.Set(name, index)
            leave = (op.Break(),)
            below = op.Eq(op.Loose(zone, sub(at, TRUE)), FALSE)
            yield op.Loop((op.If(op.Eq(at, FALSE), leave), op.If(below, leave), op.Set(name, sub(at, TRUE))))
        case _:
            yield s


__all__ = ["expanded", "kept", "worked_out_again"]
