"""Traversal of the core: the parts of any operation.

Results are cached in the operations, which are immutable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

from croupier.core import operations as op
from croupier.core.operations import Array, Body, Case, Const, Expression, Local, Statement
from croupier.core.types import CoreProgram
from croupier.records import dataclass

Node = Statement | Expression | Array | Case
Found = TypeVar("Found")
# what a field holds: an expression, expressions and arrays, statements, cases of a switch
ONE, SEVERAL, BODY, CASES, OTHER = range(5)
HOLDS = {
    "Expression": ONE,
    "tuple[Expression, ...]": SEVERAL,
    "tuple[Expression | Array, ...]": SEVERAL,
    "Body": BODY,
    "tuple[Case, ...]": CASES,
}


@dataclass(frozen=True, slots=True)
class Kind:
    """The shape of a class of operations: its fields by what they hold, those that are bodies, and a getter
    of its operands.
    """

    fields: tuple[tuple[str, int], ...]
    bodies: tuple[tuple[str, bool], ...]  # with: are they the bodies of cases?
    operands: Callable[[Node], Sequence[Expression]]


class _Kinds(dict[type, Kind]):
    """The `Kind` of each class of nodes, computed on first use."""

    def __missing__(self, kind: type) -> Kind:
        found = tuple((f.name, HOLDS.get(str(f.type), OTHER)) for f in fields(kind))
        held = tuple((name, what == CASES) for name, what in found if what in (BODY, CASES))
        made = self[kind] = Kind(
            found,
            held,
            _operand_getter(
                [n for n, what in found if what == ONE], [n for n, what in found if what == SEVERAL]
            ),
        )
        return made


def _operand_getter(one: list[str], several: list[str]) -> Callable[[Node], Sequence[Expression]]:
    """A function from an operation of a class to its operands."""
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
    """The operands of an operation, without those of its bodies."""
    return KINDS[node.__class__].operands(node)


def expressions(node: Statement | Expression) -> tuple[Expression, ...]:
    """All expressions of a node and their subexpressions, without those of its bodies."""
    try:
        return node._parts  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        found: list[Expression] = []
        _collect(node, found)
        return cached(node, "_parts", tuple(found))


def _collect(node: Statement | Expression, found: list[Expression]) -> None:
    for e in KINDS[node.__class__].operands(node):
        found.append(e)
        kind = e.__class__
        if kind is not Local and kind is not Const:
            _collect(e, found)


def cached(node: Statement | Expression, name: str, found: Found) -> Found:
    """Cache a result in an operation."""
    object.__setattr__(node, name, found)
    return found


def bodies(node: Statement) -> Iterator[Body]:
    """The bodies of a statement."""
    for name, of_cases in KINDS[node.__class__].bodies:
        value = getattr(node, name)
        if of_cases:
            yield from (case.body for case in value)
        elif value:
            yield value


def statements(body: Body) -> list[Statement]:
    """All statements of a body, nested ones included."""
    found: list[Statement] = []
    for s in body:
        found.append(s)
        if KINDS[s.__class__].bodies:
            found += inside(s)
    return found


def loop_statements(body: Body) -> list[Statement]:
    """The statements of a loop body that are in no inner loop: a `Break` among them leaves this loop."""
    found: list[Statement] = []
    for s in body:
        found.append(s)
        if not isinstance(s, (op.Loop, op.For, op.Each)):
            for inner in bodies(s):
                found.extend(loop_statements(inner))
    return found


def inside(s: Statement) -> tuple[Statement, ...]:
    """All statements nested in a statement."""
    try:
        return s._inside  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return cached(s, "_inside", tuple([t for body in bodies(s) for t in statements(body)]))


def kinds(s: Statement) -> frozenset[type]:
    """The classes of a statement and of all nested in it."""
    try:
        return s._kinds  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return cached(s, "_kinds", frozenset([s.__class__, *[t.__class__ for t in inside(s)]]))


def mentioned(body: Body) -> Iterator[Expression]:
    """All expressions of a body and their subexpressions."""
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


# ---------------------------------------------------------------- calls
def called(body: Body) -> list[str]:
    """The functions that a body calls or enters, once for each call."""
    return [s.function for s in statements(body) if isinstance(s, (op.Call, op.Enter))]


def reached(program: CoreProgram, roots: Iterable[str]) -> set[str]:
    """The functions that are called from these, and these."""
    found: set[str] = set()
    todo = list(roots)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += called(program.functions[name].body)
    return found


def looks_ahead(program: CoreProgram) -> bool:
    """Return whether a program that is not cut into states has a look-ahead."""
    ahead = (op.Ahead, op.DeadEnd, op.Reached)
    return any(isinstance(s, ahead) for f in program.functions.values() for s in statements(f.body))


def lookahead_blocks(program: CoreProgram) -> dict[str, list[op.Explore]]:
    """The blocks with a look-ahead of a program that is cut into states, by function, outer before inner."""
    found: dict[str, dict[int, op.Explore]] = {}
    for state in program.states.values():
        for s in statements(state.body):
            if isinstance(s, op.Explore):
                found.setdefault(state.function, {})[s.number] = s
    return {name: sorted(those.values(), key=lambda b: -b.number) for name, those in found.items()}


# ---------------------------------------------------------------- names
def reads(s: Statement) -> frozenset[str]:
    """The locals that a statement itself reads."""
    try:
        return s._reads  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return cached(s, "_reads", frozenset([e.name for e in expressions(s) if e.__class__ is Local]))


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


def names_read(s: Statement) -> frozenset[str]:
    """The locals that a statement itself reads, those of frame maps included."""
    return reads(s) | frozenset(s.keeps) if isinstance(s, (op.Wait, op.Enter)) else reads(s)


def times_set(body: Body, given: Iterable[str] = ()) -> Counter[str]:
    """Return the number of statements of a body that set a local, by its name; `given`: those set before."""
    found = Counter(given)
    for s in statements(body):
        found.update(sets(s))
    return found


def times_read(body: Body) -> Counter[str]:
    """Return the number of times that expressions of a body read a local, by its name."""
    return Counter(e.name for e in mentioned(body) if isinstance(e, Local))


def kept_locals(body: Body) -> set[str]:
    """The locals of a body that frame maps name."""
    return {n for s in statements(body) if isinstance(s, (op.Wait, op.Enter)) for n in s.keeps}


def mentions(body: Body) -> Counter[str]:
    """Return the number of statements of a body, nested ones included, that set or read a local, by its
    name.
    """
    found: Counter[str] = Counter()
    for s in body:
        found.update(_mentions_of(s) if KINDS[s.__class__].bodies else names_read(s).union(sets(s)))
    return found


def _mentions_of(s: Statement) -> Counter[str]:
    """The same of a statement with bodies: it asks those within it once, however often and from wherever it
    is asked itself.
    """
    try:
        return s._mentions  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        found = Counter(names_read(s).union(sets(s)))
        for body in bodies(s):
            found.update(mentions(body))
        return cached(s, "_mentions", found)


def count_mentions(body: Body, name: str) -> int:
    """Return the number of statements of a body, nested ones included, that set or read a local."""
    return sum(
        _mentions_of(s)[name] if KINDS[s.__class__].bodies else name in sets(s) or name in names_read(s)
        for s in body
    )


def arrays_of(s: Statement) -> frozenset[str]:
    """The arrays that a statement itself reads or writes."""
    try:
        return s._arrays  # type: ignore[union-attr, no-any-return]
    except AttributeError:
        return cached(s, "_arrays", frozenset(array_uses(s)))


def array_uses(s: Statement) -> Iterator[str]:
    """The arrays that a statement itself reads or writes, once for each use."""
    yield from (e.memory for e in expressions(s) if isinstance(e, (op.Load, op.Holds)))
    match s:
        case op.Store(memory) | op.Sort(memory) | op.Append(memory):
            yield memory
        case op.Copy(target, _, source) | op.Recall(target, source):
            yield from (target, source)
        case op.Call(arguments=arguments):
            yield from (a.memory for a in arguments if isinstance(a, Array))
        case op.Try(keeps=kept) | op.Memo(arrays=kept):
            yield from kept
        case op.Enter(arguments=arguments, arrays=given):
            yield from (*given, *(a.memory for a in arguments if isinstance(a, Array)))


def writes(s: Statement, program: CoreProgram) -> set[str]:
    """The arrays that a statement itself writes."""
    match s:
        case op.Store(memory) | op.Sort(memory) | op.Append(memory) | op.Copy(memory):
            return {memory}
        case op.Call(function, arguments):
            takes = program.functions[function].parameters
            return {
                a.memory for a, p in zip(arguments, takes, strict=True) if isinstance(a, Array) and p.gives
            }
    return set()


def arrays(body: Body) -> set[str]:
    """The arrays that a body reads or writes."""
    return {name for s in statements(body) for name in arrays_of(s)}
