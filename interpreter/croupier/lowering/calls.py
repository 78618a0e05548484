"""Calls of definitions, in expressions and as statements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeGuard

from croupier.kernel import types as t
from croupier.kernel.tree import CallExpr, LeaveStmt, OriginalExpr, TypedExpr
from croupier.lowering import hooks
from croupier.lowering.assignment import assign
from croupier.lowering.context import Context, Operand, Ref
from croupier.lowering.expressions import test_type
from croupier.lowering.operands import form, value
from croupier.lowering.procedures import Called, call_procedure
from croupier.lowering.shapes import Items, NotLowered

MAX_SHORT = 40  # nodes of an expression that is inlined
MAX_INLINED = 160  # nodes of one together with all expressions that are inlined in it


def call(c: Context, index: int, values: list[Operand], point: int | None) -> Called:
    """Calls a procedure with its hooks; `point` is the suspension point, if it may wait."""
    name = hooks.entry_of(c, index)
    return call_procedure(
        c, name, index, values, c.frame_map(point) if c.core.functions[name].waits else None
    )


def inlined_expression(c: Context, x: TypedExpr) -> TypedExpr | None:
    """Return the single expression of a definition whose call is inlined; `None` of anything else.

    What it calls may be inlined in turn: it must stay short with all that, or the code of definitions that
    call each other twice would double with each of them.
    """
    if not is_plain_call(x):
        return None
    if x.proc not in c.inlined_sizes:
        _measure(c, x.proc)
    return _single_expression(c, x.proc) if c.inlined_sizes[x.proc] else None


def is_plain_call(x: TypedExpr) -> TypeGuard[CallExpr]:
    """Return whether an expression calls a definition, and not what a hook stands instead of."""
    return isinstance(x, CallExpr) and not isinstance(x, OriginalExpr)


def _measure(c: Context, index: int) -> None:
    """Find the size with which a definition is inlined, and that of all it calls, innermost first; 0 if it is
    not inlined.
    """
    todo = [index]
    while todo:
        short = _single_expression(c, todo[-1])
        called = [] if short is None else [x.proc for x in short.walk() if is_plain_call(x)]
        unknown = [i for i in called if i not in c.inlined_sizes]
        if unknown:
            todo += unknown
            continue
        size = 0 if short is None else sum(1 for _ in short.walk()) + sum(c.inlined_sizes[i] for i in called)
        c.inlined_sizes[todo.pop()] = size if size <= MAX_INLINED else 0


def _single_expression(c: Context, index: int) -> TypedExpr | None:
    """Return the expression of a definition that is nothing but a short one, which is no call itself; else
    `None`.
    """
    proc = c.game.program.procs[index]
    if index in c.hooked or proc.nested is not None or any(q.var for q in proc.params) or len(proc.body) != 1:
        return None
    s = proc.body[0]
    if not isinstance(s, LeaveStmt) or len(s.args) != 1 or sum(1 for _ in s.args[0].walk()) > MAX_SHORT:
        return None
    return s.args[0]


@contextmanager
def short_call(c: Context, x: CallExpr) -> Iterator[TypedExpr]:
    """A context that yields the expression of an inlined definition, with the arguments of a call bound."""
    proc = c.game.program.procs[x.proc]
    short = inlined_expression(c, x)
    assert short is not None
    values = [value(c, a) for a in x.args]
    held: dict[int, Operand] = {q.slot: c.once(v) for q, v in zip(proc.params, values, strict=True)}
    with c.within(held, proc):
        yield short


@form(CallExpr)
def _call(c: Context, x: CallExpr) -> Operand:
    short = inlined_expression(c, x)
    if short is not None and not isinstance(short, CallExpr):
        with short_call(c, x) as inside:
            found = value(c, inside)
        # nobody knows what a list without elements is of
        if isinstance(found, Ref) and isinstance(found.shape, Items) and not found.shape.most:
            whole = c.shape(x.type)
            assert isinstance(whole, Items)
            return Ref(found.memory, found.at, Items(whole.kind, 0, whole.element))
        return found
    values = [value(c, a) for a in x.args]
    result = call(c, x.proc, values, None).value
    if result is None:
        raise NotLowered("a call without a value", x.span)
    return result


def statement_call(c: Context, x: CallExpr, point: int | None) -> Operand | None:
    """A call that is a whole statement, or its whole value; its `var` arguments are updated."""
    if isinstance(x, OriginalExpr):
        called = hooks.original(c, x.proc, [c.held(value(c, a)) for a in x.args], point)
    else:
        called = call(c, x.proc, [c.held(value(c, a)) for a in x.args], point)
    hand_back(c, x.proc, x.args, called.back)
    return called.value


def hand_back(c: Context, index: int, args: tuple[TypedExpr, ...], back: tuple[Operand | None, ...]) -> None:
    """Assign the final values of `var` parameters to the arguments of a call.

    A value of `None` means that the parameter was not written.
    """
    given = iter(back)
    for q, a in zip(c.game.program.procs[index].params, args, strict=True):
        if q.var:
            target, v = a.args[0] if a.op == "bound" else a, next(given)
            if v is None:
                continue
            if not t.within(q.type, target.type):
                test_type(c, v, target.type)
            assign(c, target, v)


@form(OriginalExpr)
def _original(c: Context, x: OriginalExpr) -> Operand:
    found = hooks.original(c, x.proc, [value(c, a) for a in x.args], None).value
    if found is None:
        raise NotLowered("an `original` without a value", x.span)
    return found
