"""Scalar replacement of arrays, and copy elision, within a function.

A small array that is only read and written at constant indices becomes locals. An array that is only filled
to be copied is filled at its target.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import add, const
from croupier.core.operations import Array, Body, Const, Expression, Local, Statement
from croupier.core.rewriting import rename, replace_statements, rewrite, rewrite_body, rewrite_statement
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.walk import arrays_of, bodies, expressions, statements
from croupier.passes.effects import Locations, effects
from croupier.passes.liveness import NOTHING, live

LARGEST = 16  # words of an array that becomes locals
Known = dict[tuple[str, int], int]


def scalarize_arrays(program: CoreProgram) -> CoreProgram:
    """The program with fewer arrays.

    In functions that wait, arrays that frame maps name (those without `_`) stay.
    """
    return replace(program, functions={name: _function(f) for name, f in program.functions.items()})


def _function(f: Function) -> Function:
    kept = any(s.keeps or s.map >= 0 for s in statements(f.body) if isinstance(s, (op.Wait, op.Enter)))
    own = {m.name: m for m in f.memories if not kept or "_" in m.name}
    if not own:
        return f
    body = _Forward(frozenset(own)).body(f.body, {})
    body, merged = _merged(body, own)
    own = {n: m for n, m in own.items() if n not in merged}
    small = _small(body, own)
    started = live(_scalar(body, small), NOTHING, {}, NOTHING, NOTHING)
    # an array begins with zeros, a local does not
    small = [m for m in small if not any(_name(m, k) in started for k in range(own[m].size))]
    return replace(
        f,
        body=_scalar(body, small),
        memories=tuple(m for m in f.memories if m.name not in small and m.name not in merged),
    )


# ---------------------------------------------------------------- store-to-load forwarding
class _Forward:
    """Replaces loads at constant indices by the constants that were stored there last."""

    def __init__(self, own: frozenset[str]) -> None:
        self.own = own

    def body(self, body: Body, known: Known) -> Body:
        out: list[Statement] = []
        for s in body:
            inside = list(bodies(s))
            if inside:
                change = effects((s,)).changes
                repeated = isinstance(s, (op.Loop, op.For, op.Each))
                own = {k: v for k, v in known.items() if not repeated or k[0] not in change}
                asked = own if isinstance(s, (op.Loop, op.Try, op.Ahead)) else known
                s = rewrite_statement(
                    s,
                    lambda e, asked=asked: self.x(e, asked),  # type: ignore[misc]
                    lambda inner, own=own: self.body(inner, dict(own)),  # type: ignore[misc]
                )
                _forget(known, change)
            else:
                s = rewrite_statement(s, lambda e: self.x(e, known))
                self.record(s, known)
            out.append(s)
        return tuple(out)

    def x(self, e: Expression, known: Known) -> Expression:
        def change(part: Expression) -> Expression:
            match part:
                case op.Load(memory, Const(i)) if (memory, i) in known:
                    return Const(known[memory, i])
            return part

        return rewrite(e, change) if known else e

    def record(self, s: Statement, known: Known) -> None:
        match s:
            case op.Store(memory, Const(i), Const(value)) if memory in self.own:
                known[memory, i] = value
            case op.Store(memory, Const(i)):
                known.pop((memory, i), None)
            case op.Copy(target, Const(at), source, Const(begin), Const(count)) if (
                target in self.own and target != source
            ):
                for k in range(count):
                    found = known.get((source, begin + k))
                    if found is None:
                        known.pop((target, at + k), None)
                    else:
                        known[target, at + k] = found
            case _:
                _forget(known, effects((s,)).changes)


def _forget(known: Known, changed: Locations) -> None:
    """Drop what is known of arrays that are changed."""
    for place in [k for k in known if k[0] in changed]:
        del known[place]


# ---------------------------------------------------------------- copy elision
def _merged(body: Body, own: dict[str, Memory]) -> tuple[Body, set[str]]:
    """Fill an array at the target of its only copy. Returns the body and the names that are gone."""
    gone: set[str] = set()
    while True:
        found = _copies(body, own, gone)
        if not found:
            return body, gone
        gone |= found.keys()
        body = _without_copies(rename(body, found), set(found.values()))


def _without_copies(body: Body, names: set[str]) -> Body:
    """Return a body in which none of these arrays is copied to itself."""

    def kept(s: Statement) -> Body:
        match s:
            case op.Copy(target, at, source, begin) if target in names and (target, at) == (source, begin):
                return ()
        return (s,)

    return replace_statements(body, kept)


def _copies(body: Body, own: dict[str, Memory], gone: set[str]) -> dict[str, str]:
    """Pairs of an array and the array that it is copied to, where the target is not used before.

    No array stands in two pairs.
    """
    everywhere = Counter(name for s in statements(body) for name in arrays_of(s))
    lists = {s.memory for s in statements(body) if isinstance(s, op.Append)}
    # may be a record or list of lists
    composite = {s.memory for s in statements(body) if isinstance(s, op.Store) and s.index != Const(0)}
    composite |= {s.target for s in statements(body) if isinstance(s, op.Copy) and s.at != Const(0)}
    found: dict[str, str] = {}
    taken: set[str] = set()

    def look(body: Body) -> None:
        for k, s in enumerate(body):
            match s:
                case op.Copy(target, Const(0), source, Const(0), _) if (
                    source != target and {source, target} <= own.keys() - gone - taken
                ):
                    if own[source].size <= own[target].size and not (source in lists and target in composite):
                        first = next(
                            (
                                j
                                for j in range(k)
                                if any(source in arrays_of(t) for t in statements((body[j],)))
                            ),
                            None,
                        )
                        if first is not None and _begins(body[first], source):
                            part = [arrays_of(t) for t in statements(body[first:k])]
                            here = 1 + sum(source in names for names in part)
                            if here == everywhere[source] and not any(target in names for names in part):
                                found[source] = target
                                taken.update((source, target))
            for inner in bodies(s):
                look(inner)

    look(body)
    return found


def _begins(s: Statement, name: str) -> bool:
    """Return whether a statement overwrites an array from its beginning."""
    return (
        isinstance(s, op.Store)
        and s.memory == name
        or isinstance(s, op.Copy)
        and s.target == name
        and s.at == Const(0)
    )


# ---------------------------------------------------------------- scalar replacement
def _small(body: Body, own: dict[str, Memory]) -> list[str]:
    """Small arrays that are only used at constant indices."""
    fine = {n for n, m in own.items() if m.size <= LARGEST}
    for s in statements(body):
        match s:
            case op.Store(memory, index) if not isinstance(index, Const):
                fine.discard(memory)
            case op.Copy(target, at, source, begin, count):
                known = isinstance(count, Const) and count.value <= LARGEST
                if not (known and isinstance(at, Const)):
                    fine.discard(target)
                if not (known and isinstance(begin, Const)):
                    fine.discard(source)
                if not known or source == target:
                    fine -= {source, target}
            case op.Sort(memory) | op.Append(memory):
                fine.discard(memory)
            case op.Call(arguments=arguments):
                fine -= {a.memory for a in arguments if isinstance(a, Array)}
            case op.Enter(arguments=arguments, arrays=arrays):
                fine -= {*arrays, *(a.memory for a in arguments if isinstance(a, Array))}
            case op.Try(body=inner):
                fine -= {n for t in statements(inner) for n in arrays_of(t)}
        for e in expressions(s):
            match e:
                case op.Load(memory, index) if not isinstance(index, Const):
                    fine.discard(memory)
                case op.Holds(memory):
                    fine.discard(memory)
    return [n for n in own if n in fine]


def _name(memory: str, k: int) -> str:
    return f"{memory}w{k}"


def _scalar(body: Body, small: list[str]) -> Body:
    """The body with locals instead of small arrays."""
    if not small:
        return body

    def change(e: Expression) -> Expression:
        match e:
            case op.Load(memory, Const(k)) if memory in small:
                return Local(_name(memory, k))
        return e

    def word(memory: str, at: Expression) -> Expression:
        return change(op.Load(memory, at))

    def by_word(s: Statement) -> Iterator[Statement]:
        match s:
            case op.Store(memory, Const(k), value) if memory in small:
                yield op.Set(_name(memory, k), value)
            case op.Copy(target, at, source, begin, Const(count)) if target in small or source in small:
                for k in range(count):
                    value, to = word(source, add(begin, const(k))), add(at, const(k))
                    if target in small:
                        assert isinstance(to, Const)
                        yield op.Set(_name(target, to.value), value)
                    else:
                        yield op.Store(target, to, value)
            case _:
                yield s

    return replace_statements(rewrite_body(body, change), by_word)


__all__ = ["scalarize_arrays"]
