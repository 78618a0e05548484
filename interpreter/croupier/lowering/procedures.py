"""Procedures as functions of the core: signatures, bodies and calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, Writer, add, const, le, sub
from croupier.core.operations import Expression, Local
from croupier.core.types import Function, FunctionParameter
from croupier.kernel import types as t
from croupier.lowering.context import Body, Context, Operand, Ref
from croupier.lowering.positions import Stored
from croupier.lowering.progress import mark_phase
from croupier.lowering.shapes import Items, Shape, Word, width
from croupier.lowering.sources import most_returned
from croupier.records import dataclass
from croupier.semantics.procedures import Proc


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a procedure: the shapes of its parameters, of its value, and of the `var` parameters
    that it returns.
    """

    takes: tuple[tuple[int, Shape], ...]  # slot, shape
    value: Shape | None
    back: tuple[tuple[int, Shape], ...]


def signature(c: Context, proc: Proc) -> Signature:
    """The signature of a procedure."""
    takes = tuple((q.slot, c.shape(q.type)) for q in proc.params)
    result = None if isinstance(proc.returns, t.Nothing) else c.shape(proc.returns)
    if isinstance(result, Items) and isinstance(proc.returns, t.Collection) and proc.returns.capacity is None:
        most = most_returned(c, proc.index)
        if most is not None and most * width(result.element) < 20_000:
            result = Items(result.kind, most, result.element)
    return Signature(takes, result, tuple((q.slot, c.shape(q.type)) for q in proc.params if q.var))


def parameters(s: Signature, secret: bool, waits: bool) -> tuple[FunctionParameter, ...]:
    """The parameters of its function, in order."""
    found = [
        FunctionParameter(f"s{slot}", None if isinstance(shape, Word) else width(shape))
        for slot, shape in s.takes
    ]
    if secret and waits:
        found.append(FunctionParameter("viewer"))
    if s.value is not None and not isinstance(s.value, Word):
        found.append(FunctionParameter("out", width(s.value), gives=True))
    found += [
        FunctionParameter(f"o{slot}", width(shape), gives=True)
        for slot, shape in s.back
        if not isinstance(shape, Word)
    ]
    return tuple(found)


def may_wait(c: Context, proc: Proc) -> bool:
    """Return whether a procedure may wait."""
    return proc.effect == "suspends" or proc.kind in ("main", "window")


def function_of(c: Context, index: int) -> str:
    """The function of a procedure, written on first use."""
    name, proc = f"p{index}", c.game.program.procs[index]
    s = signature(c, proc)
    return declared(c, name, s, may_wait(c, proc), lambda: write_function(c, proc, name, s))


def declared(c: Context, name: str, s: Signature, waits: bool, write: Callable[[], None]) -> str:
    """Declare a function on first use; `write` adds the body."""
    if name not in c.core.functions:
        results = int(isinstance(s.value, Word)) + sum(isinstance(shape, Word) for _, shape in s.back)
        c.core.functions[name] = Function(name, parameters(s, c.secret, waits), results, (), (), waits)
        c.wanted.append(write)
    return name


def write_function(c: Context, proc: Proc, name: str, s: Signature) -> None:
    """Write the body of a procedure with a signature."""
    body = Body(Writer(), proc, waits=may_wait(c, proc))
    with c.function(body):
        begin(c, s, body.env)
        left = mark_phase(c, proc)

        def leave_it(v: Operand | None) -> None:
            left()
            leave(c, s, v)

        body.leave = leave_it
        c.block(c, proc.body)
        end(c, name, lambda: leave_it(None))


def begin(c: Context, s: Signature, env: dict[int, Operand], copies: bool = False) -> None:
    """Bind the parameters in `env`; those that are handed back, or with `copies` all, have arrays of their
    own.
    """
    w = c.w
    for slot, shape in s.takes:
        if isinstance(shape, Word):
            env[slot] = Local(f"s{slot}")
            continue
        env[slot] = Ref(f"s{slot}", FALSE, shape)
        if copies or slot in dict(s.back):
            env[slot] = c.array(f"w{slot}", shape)
            w.emit(op.Copy(f"w{slot}", FALSE, f"s{slot}", FALSE, const(width(shape))))


def places(s: Signature, env: dict[int, Operand]) -> list[tuple[int, Stored]]:
    """Where the parameters are stored that are bound in `env`."""
    found = [(slot, env[slot], shape) for slot, shape in s.takes]
    return [(i, Stored(v.memory if isinstance(v, Ref) else f"s{i}", shape)) for i, v, shape in found]


def end(c: Context, name: str, leave: Callable[[], None]) -> None:
    """Put what is written into a function, which is left at its end if control comes there."""
    if not c.w.is_left:
        leave()
    memories = tuple(c.w.memories.values())
    c.core.functions[name] = replace(c.core.functions[name], memories=memories, body=tuple(c.w.out))


def leave(c: Context, s: Signature, v: Operand | None) -> None:
    """Return from the current procedure."""
    words: list[Expression] = []
    if s.value is not None:
        if isinstance(s.value, Word):
            assert not isinstance(v, Ref)
            words.append(const(op.NONE) if v is None else v)
        elif v is not None:
            c.put(v, Ref("out", const(0), s.value))
    for slot, shape in s.back:
        found = c.body.env[slot]
        if isinstance(found, Ref):
            c.put(found, Ref(f"o{slot}", const(0), shape))
        else:
            words.append(found)
    c.w.emit(op.Return(tuple(words)))


# ---------------------------------------------------------------- calling
@dataclass(frozen=True, slots=True)
class Called:
    """The results of a call: its value, and the final values of its `var` parameters."""

    value: Operand | None
    back: tuple[Operand, ...]


def arguments(c: Context, s: Signature, values: list[Operand]) -> list[Expression | op.Array]:
    """The arguments of a call, from operands."""
    found: list[Expression | op.Array] = []
    for (_, shape), v in zip(s.takes, values, strict=True):
        if isinstance(shape, Word):
            assert not isinstance(v, Ref), v
            found.append(v)
        elif isinstance(v, Ref) and v.shape == shape:
            found.append(op.Array(v.memory, v.at))
        else:
            into = c.room(shape)
            c.put(v, into)
            found.append(op.Array(into.memory, const(0)))
    return found


ResumePoint = tuple[int, tuple[str, ...]]  # the number of a frame map, and the locals that it needs


def call_procedure(
    c: Context, name: str, index: int, values: list[Operand], resume: ResumePoint | None
) -> Called:
    """Call a procedure, or the function that runs the hooks around it.

    The call counts until the end of that. `resume` is needed if it may wait.
    """
    proc = c.game.program.procs[index]
    is_outermost = index not in c.hooked or name != f"p{index}"
    counted = proc.nested is not None and is_outermost
    with one_deeper(c, proc) if counted else nullcontext():
        return call_function(c, name, signature(c, proc), values, resume)


def call_function(
    c: Context, name: str, s: Signature, values: list[Operand], resume: ResumePoint | None
) -> Called:
    """Call a function by its signature."""
    w = c.w
    args = arguments(c, s, values)
    waits = c.core.functions[name].waits
    base = "f" if waits else "t"
    out = None if s.value is None else c.place(s.value, base)
    back = [c.place(shape, base) for _, shape in s.back]
    results = [v.name for v in (out, *back) if isinstance(v, Local)]
    given = [r.memory for r in (out, *back) if isinstance(r, Ref)]
    if waits:
        assert resume is not None
        if c.secret:
            args.append(Local("viewer"))
        w.emit(op.Enter(name, tuple(args), tuple(results), tuple(given), *resume))
    else:
        w.emit(op.Call(name, (*args, *(op.Array(m, FALSE) for m in given)), tuple(results)))
    return Called(out, tuple(back))


@contextmanager
def one_deeper(c: Context, proc: Proc) -> Iterator[None]:
    """A context in which a recursive definition is called: its depth is counted, and the action fails beyond
    its limit.
    """
    depth = c.scalar(f"depth{proc.index}")
    assert proc.nested is not None
    before = c.w.temp(op.Load(depth, FALSE))
    c.w.guard(le(before, const(proc.nested)))
    c.w.store(depth, FALSE, add(before, TRUE))
    yield
    if may_wait(c, proc):  # a position in between says nothing about that local
        c.w.store(depth, FALSE, sub(op.Load(depth, FALSE), TRUE))
    else:
        c.w.store(depth, FALSE, before)
