"""Walking the core: the parts of an operation, whatever it is."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from croupier.core.operations import EXPRESSIONS, Array, Body, Case, Expression, Local, Statement


def _kind(node: object) -> Any:
    return type(node)


@cache
def _holding(kind: Hashable) -> tuple[str, ...]:
    """The fields of a statement that are bodies or cases."""
    return tuple(f.name for f in fields(kind) if f.type in ("Body", "tuple[Case, ...]"))  # type: ignore[arg-type]


@cache
def _asked(kind: Hashable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of an operation that are expressions, and those that are several."""
    found = fields(kind)  # type: ignore[arg-type]
    one = tuple(f.name for f in found if f.type == "Expression")
    return one, tuple(f.name for f in found if f.type.startswith("tuple[Expression"))


def operands(node: Statement | Expression | Array | Case) -> Iterator[Expression]:
    """The expressions that an operation itself asks for, not those of the bodies in it."""
    one, several = _asked(_kind(node))
    for name in one:
        yield getattr(node, name)
    for name in several:
        yield from _expressions(getattr(node, name))


def _expressions(value: object) -> Iterator[Expression]:
    if isinstance(value, EXPRESSIONS):
        yield value  # type: ignore[misc]
    elif isinstance(value, Array):
        yield value.at
    elif isinstance(value, tuple):
        for part in value:
            if isinstance(part, (*EXPRESSIONS, Array)):
                yield from _expressions(part)


def expressions(node: Statement | Expression) -> Iterator[Expression]:
    """The same with all of their parts."""
    for e in operands(node):
        yield e
        yield from expressions(e)


def bodies(node: Statement) -> Iterator[Body]:
    """The bodies that stand in a statement."""
    for name in _holding(_kind(node)):
        value = getattr(node, name)
        if isinstance(value, tuple) and value:
            if isinstance(value[0], Case):
                yield from (case.body for case in value)
            elif not isinstance(value[0], (*EXPRESSIONS, Array, str, int)):
                yield value


def statements(body: Body) -> Iterator[Statement]:
    """Every statement of a body, those in others too."""
    for s in body:
        yield s
        for inner in bodies(s):
            yield from statements(inner)


def mentioned(body: Body) -> Iterator[Expression]:
    """Every expression of a body with all of its parts."""
    for s in statements(body):
        yield from expressions(s)


def locals_of(e: Expression) -> Iterator[str]:
    """The locals that an expression reads."""
    if isinstance(e, Local):
        yield e.name
    for part in expressions(e):
        if isinstance(part, Local):
            yield part.name
