"""Rewriting of the core: copies of expressions and statements with other parts, folded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import is_
from typing import Any

from croupier.core import builder as b
from croupier.core import operations as op
from croupier.core.operations import Array, Body, Case, Const, Expression, Local, Statement
from croupier.core.types import CodeState, CoreProgram, Function
from croupier.core.walk import BODY, CASES, KINDS, ONE, SEVERAL

Change = Callable[[Expression], Expression]
FOLDED: dict[type, Callable[..., Expression]] = {
    op.Add: b.add,
    op.Sub: b.sub,
    op.Mul: b.mul,
    op.Times: b.times,
    op.Div: b.div,
    op.Mod: b.mod,
    op.Eq: b.eq,
    op.Lt: b.lt,
    op.Le: b.le,
    op.And: b.and_,
    op.Or: b.or_,
    op.Not: b.not_,
    op.Select: b.select,
}


def rewrite(e: Expression, change: Change) -> Expression:
    """Apply a change to each part of an expression, innermost first, and to itself; the result is folded."""
    kind = e.__class__
    if kind is Local or kind is Const:
        return change(e)
    made: list[Any] = []
    same = True
    for name, holds in KINDS[kind].fields:
        part: Any = getattr(e, name)
        new = rewrite(part, change) if holds == ONE else part
        same = same and new is part
        made.append(new)
    if same:
        return change(e)
    fold = FOLDED.get(kind)
    return change(kind(*made) if fold is None else fold(*made))


def substitute(e: Expression, values: Mapping[str, Expression]) -> Expression:
    """Substitute expressions for locals."""
    if not values:
        return e
    return rewrite(e, lambda part: values.get(part.name, part) if isinstance(part, Local) else part)


def rewrite_statement(
    s: Statement, change: Change, bodies: Callable[[Body], Body] | None = None
) -> Statement:
    """Apply a change to the operands of a statement, and `bodies` to its bodies; the same object where
    nothing changes.
    """
    made: list[Any] = []
    same = True
    for name, holds in KINDS[s.__class__].fields:
        part: Any = getattr(s, name)
        new: Any = part
        if holds == ONE:
            new = change(part)
            same = same and new is part
        elif part:
            if holds == SEVERAL:
                new = tuple(
                    [Array(p.memory, change(p.at)) if isinstance(p, Array) else change(p) for p in part]
                )
                same = same and new == part
            elif bodies is not None and holds == BODY:
                new = bodies(part)
                same = same and _is(new, part)
            elif bodies is not None and holds == CASES:
                held = [bodies(c.body) for c in part]
                if not all(_is(n, c.body) for n, c in zip(held, part, strict=True)):
                    new = tuple([Case(c.values, body) for c, body in zip(part, held, strict=True)])
                    same = False
        made.append(new)
    return s if same else s.__class__(*made)


def rewrite_bodies(s: Statement, bodies: Callable[[Body], Body]) -> Statement:
    """Apply a change to the bodies of a statement; the same object where nothing changes."""
    return rewrite_statement(s, _itself, bodies) if KINDS[s.__class__].bodies else s


def rewrite_body(body: Body, change: Change) -> Body:
    """`rewrite` the operands of all statements of a body, nested ones included."""
    return tuple(
        [
            rewrite_statement(s, lambda e: rewrite(e, change), lambda inner: rewrite_body(inner, change))
            for s in body
        ]
    )


def replace_statements(body: Body, change: Callable[[Statement], Iterable[Statement]]) -> Body:
    """Put what `change` returns in the place of each statement of a body, nested ones first."""
    return tuple(
        [
            new
            for s in body
            for new in change(rewrite_bodies(s, lambda inner: replace_statements(inner, change)))
        ]
    )


def replace_bodies(program: CoreProgram, change: Callable[[Body, Function], Body]) -> CoreProgram:
    """The program with other bodies: of its functions and, if it was cut at waits, of its states, each with
    the function that it is of.
    """
    functions = program.functions
    return replace(
        program,
        functions={n: replace(f, body=change(f.body, f)) for n, f in functions.items()},
        states={
            n: CodeState(n, s.function, change(s.body, functions[s.function]))
            for n, s in program.states.items()
        },
    )


def _itself(e: Expression) -> Expression:
    return e


def _is(one: Body, other: Body) -> bool:
    """Return whether two bodies hold the same objects."""
    return one is other or len(one) == len(other) and all(map(is_, one, other))


def rename(body: Body, names: Mapping[str, str]) -> Body:
    """Rename locals and arrays in a body."""

    def expression(e: Expression) -> Expression:
        match e:
            case Local(name) if name in names:
                return Local(names[name])
            case op.Load(memory, index) if memory in names:
                return op.Load(names[memory], index)
            case op.Holds(memory, begin, count, value) if memory in names:
                return op.Holds(names[memory], begin, count, value)
        return e

    def word(value: Any) -> object:
        if isinstance(value, str):
            return names.get(value, value)
        return tuple(names.get(v, v) if isinstance(v, str) else v for v in value)

    def statement(s: Statement) -> Statement:
        s = rewrite_statement(s, lambda e: rewrite(e, expression), lambda inner: rename(inner, names))
        out: dict[str, Any] = {}
        for field in ("name", "memory", "target", "source", "results", "arrays", "keeps", "active"):
            if hasattr(s, field):
                out[field] = word(getattr(s, field))
        if isinstance(s, (op.Call, op.Enter)):
            out["arguments"] = tuple(
                Array(names.get(a.memory, a.memory), a.at) if isinstance(a, Array) else a for a in s.arguments
            )
        return replace(s, **out) if out else s

    return tuple(statement(s) for s in body)


__all__ = [
    "Const",
    "rename",
    "replace_bodies",
    "replace_statements",
    "rewrite",
    "rewrite_bodies",
    "rewrite_body",
    "rewrite_statement",
    "substitute",
]
