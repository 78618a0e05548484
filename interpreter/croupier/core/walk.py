"""Walking the core: the parts of an operation, whatever it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

from croupier.core.operations import EXPRESSIONS, Array, Body, Case, Const, Expression, Local, Statement


def _kind(node: object) -> Any:
    return type(node)


@cache
def _holding(kind: Hashable) -> tuple[str, ...]:
    """The fields of a statement that are bodies or cases."""
    return tuple(f.name for f in fields(kind) if f.type in ("Body", "tuple[Case, ...]"))  # type: ignore[arg-type]


@cache
def _asker(kind: Hashable) -> Callable[[object], Sequence[Expression]]:
    """What gives the expressions that an operation of a class asks for."""
    found = fields(kind)  # type: ignore[arg-type]
    one = [f.name for f in found if f.type == "Expression"]
    several = [f.name for f in found if f.type.startswith("tuple[Expression")]
    if several:
        return lambda node: [*(getattr(node, name) for name in one), *(e for name in several for e in _expressions(getattr(node, name)))]
    if len(one) > 1:
        return attrgetter(*one)
    return (lambda node: (getattr(node, one[0]),)) if one else lambda node: ()


def operands(node: Statement | Expression | Array | Case) -> Sequence[Expression]:
    """The expressions that an operation itself asks for, not those of the bodies in it."""
    return _asker(_kind(node))(node)


def _expressions(value: object) -> Iterator[Expression]:
    if isinstance(value, EXPRESSIONS):
        yield value  # type: ignore[misc]
    elif isinstance(value, Array):
        yield value.at
    elif isinstance(value, tuple):
        for part in value:
            if isinstance(part, (*EXPRESSIONS, Array)):
                yield from _expressions(part)


def expressions(node: Statement | Expression) -> list[Expression]:
    """The same with all of their parts."""
    found: list[Expression] = []
    _collect(node, found)
    return found


def _collect(node: Statement | Expression, found: list[Expression]) -> None:
    for e in _asker(_kind(node))(node):
        found.append(e)
        if not isinstance(e, (Local, Const)):
            _collect(e, found)


def bodies(node: Statement) -> Iterator[Body]:
    """The bodies that stand in a statement."""
    for name in _holding(_kind(node)):
        value = getattr(node, name)
        if isinstance(value, tuple) and value:
            if isinstance(value[0], Case):
                yield from (case.body for case in value)
            elif not isinstance(value[0], (*EXPRESSIONS, Array, str, int)):
                yield value


def statements(body: Body) -> list[Statement]:
    """Every statement of a body, those in others too."""
    found: list[Statement] = []
    _gather(body, found)
    return found


def _gather(body: Body, found: list[Statement]) -> None:
    for s in body:
        found.append(s)
        if _holding(_kind(s)):
            for inner in bodies(s):
                _gather(inner, found)


def mentioned(body: Body) -> Iterator[Expression]:
    """Every expression of a body with all of its parts."""
    for s in statements(body):
        yield from expressions(s)


def locals_of(e: Expression) -> Iterator[str]:
    """The locals that an expression reads."""
    if isinstance(e, Local):
        yield e.name
        return
    for part in expressions(e):
        if isinstance(part, Local):
            yield part.name
