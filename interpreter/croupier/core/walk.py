"""Walking the core: the parts of an operation, whatever it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, TypeVar

from croupier.core import operations as op
from croupier.core.operations import Array, Body, Case, Const, Expression, Local, Statement
from croupier.core.types import CoreProgram

Node = Statement | Expression | Array | Case
Found = TypeVar("Found")
ONE, SEVERAL, BODY, CASES, OTHER = range(5)  # what a field holds: an expression, expressions and arrays, statements, cases of a switch
HOLDS = {
    "Expression": ONE, "tuple[Expression, ...]": SEVERAL, "tuple[Expression | Array, ...]": SEVERAL, "Body": BODY, "tuple[Case, ...]": CASES,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """What is known of a class of operations: its fields with what they hold, the bodies among them, what gives the expressions it asks for."""

    fields: tuple[tuple[str, int], ...]
    bodies: tuple[tuple[str, bool], ...]  # with: are they the bodies of cases?
    asks: Callable[[Node], Sequence[Expression]]


class _Kinds(dict[type, Kind]):
    """By class, worked out when it is first met."""

    def __missing__(self, kind: type) -> Kind:
        found = tuple((f.name, HOLDS.get(str(f.type), OTHER)) for f in fields(kind))
        held = tuple((name, what == CASES) for name, what in found if what in (BODY, CASES))
        made = self[kind] = Kind(found, held, _asker([n for n, what in found if what == ONE], [n for n, what in found if what == SEVERAL]))
        return made


def _asker(one: list[str], several: list[str]) -> Callable[[Node], Sequence[Expression]]:
    """What gives the expressions that an operation of a class asks for."""
    if several:
        return lambda node: [
            *(getattr(node, name) for name in one),
            *(e.at if isinstance(e, Array) else e for name in several for e in getattr(node, name)),
        ]
    if not one:
        return lambda node: ()
    found: Callable[[Node], Any] = attrgetter(*one)
    return found if len(one) > 1 else lambda node: (found(node),)


KINDS = _Kinds()


def operands(node: Node) -> Sequence[Expression]:
    """The expressions that an operation itself asks for, not those of the bodies in it."""
    return KINDS[node.__class__].asks(node)


def expressions(node: Statement | Expression) -> tuple[Expression, ...]:
    """The expressions of a node, with all of their parts."""
    try:
        return node._parts  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        found: list[Expression] = []
        _collect(node, found)
        return _kept(node, "_parts", tuple(found))


def _collect(node: Statement | Expression, found: list[Expression]) -> None:
    for e in KINDS[node.__class__].asks(node):
        found.append(e)
        kind = e.__class__
        if kind is not Local and kind is not Const:
            _collect(e, found)


def _kept(node: Statement | Expression, name: str, found: Found) -> Found:
    """What was found out about an operation, which is kept with it from now on."""
    object.__setattr__(node, name, found)
    return found


def bodies(node: Statement) -> Iterator[Body]:
    """The bodies that stand in a statement."""
    for name, of_cases in KINDS[node.__class__].bodies:
        value = getattr(node, name)
        if of_cases:
            yield from (case.body for case in value)
        elif value:
            yield value


def statements(body: Body) -> list[Statement]:
    """Every statement of a body, those in others too."""
    found: list[Statement] = []
    for s in body:
        found.append(s)
        if KINDS[s.__class__].bodies:
            found += inside(s)
    return found


def inside(s: Statement) -> tuple[Statement, ...]:
    """Every statement that stands in another one."""
    try:
        return s._inside  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return _kept(s, "_inside", tuple([t for body in bodies(s) for t in statements(body)]))


def kinds(s: Statement) -> frozenset[type]:
    """The classes of a statement, and of all that stand in it."""
    try:
        return s._kinds  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return _kept(s, "_kinds", frozenset([s.__class__, *[t.__class__ for t in inside(s)]]))


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


# ---------------------------------------------------------------- names
def reads(s: Statement) -> frozenset[str]:
    """The locals that a statement itself reads."""
    try:
        return s._reads  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return _kept(s, "_reads", frozenset([e.name for e in expressions(s) if e.__class__ is Local]))


def sets(s: Statement) -> tuple[str, ...]:
    """The locals that a statement itself sets."""
    match s:
        case op.Set(name) | op.For(name) | op.Each(name) | op.Try(name) | op.Explore(name):
            return (name,)
        case op.Ahead(name, active):
            return name, active
        case op.Call(results=results) | op.Enter(results=results):
            return results
    return ()


def arrays_of(s: Statement) -> frozenset[str]:
    """The arrays that a statement itself mentions."""
    try:
        return s._arrays  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return _kept(s, "_arrays", frozenset(_mentions(s)))


def _mentions(s: Statement) -> Iterator[str]:
    yield from (e.memory for e in expressions(s) if isinstance(e, (op.Load, op.Holds)))
    match s:
        case op.Store(memory) | op.Sort(memory) | op.Append(memory):
            yield memory
        case op.Copy(target, _, source):
            yield from (target, source)
        case op.Call(arguments=arguments):
            yield from (a.memory for a in arguments if isinstance(a, Array))
        case op.Try(keeps=kept):
            yield from kept
        case op.Enter(arguments=arguments, arrays=given):
            yield from (*given, *(a.memory for a in arguments if isinstance(a, Array)))


def writes(s: Statement, program: CoreProgram) -> set[str]:
    """The arrays that a statement itself changes."""
    match s:
        case op.Store(memory) | op.Sort(memory) | op.Append(memory) | op.Copy(memory):
            return {memory}
        case op.Call(function, arguments):
            takes = program.functions[function].parameters
            return {a.memory for a, p in zip(arguments, takes, strict=True) if isinstance(a, Array) and p.gives}
    return set()


def arrays(body: Body) -> set[str]:
    """The arrays that a body mentions."""
    return {name for s in statements(body) for name in arrays_of(s)}
