"""Zones that may ever have an unordered part: those that begin with one, and those in which something says
so.

A zone is known by its number, by what the calls of a function give for it, or by the bounds of its number. Of
every other zone the bits of unordered parts need not be asked for, nor kept.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.builder import FALSE
from croupier.core.operations import Body, Const, Expression, Local
from croupier.core.rewriting import rewrite, rewrite_statement
from croupier.core.types import CoreProgram, Function, FunctionParameter
from croupier.core.walk import statements
from croupier.passes.ranges import Ranges, ranges_of_locals

Zones = frozenset[int]


def loose_zones(program: CoreProgram) -> Zones:
    """The indices of zones that may have an unordered part."""
    every = frozenset(range(len(program.zones.capacities)))
    bodies = _reached(program)
    found = {z for z, bits in enumerate(program.zones.loose) if bits}
    for name, body in bodies:
        f = program.functions.get(name)
        for s in statements(body):
            if isinstance(s, op.Loosen):
                found |= _numbers(s.zone, name, f.parameters if f is not None else (), bodies, every)
    return frozenset(found)


def _reached(program: CoreProgram) -> list[tuple[str, Body]]:
    """Return the reachable bodies, with the names of their functions; the name of a state is empty."""
    todo = [name for name in (program.main, program.start, *sorted(program.exports)) if name is not None]
    found: dict[str, Body] = {}
    states = [("", state.body) for state in program.states.values()]
    todo += [s.function for _, body in states for s in statements(body) if isinstance(s, op.Call)]
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = program.functions[name].body
            todo += [s.function for s in statements(found[name]) if isinstance(s, (op.Call, op.Enter))]
    return [*found.items(), *states]


def _numbers(
    zone: Expression,
    name: str,
    parameters: tuple[FunctionParameter, ...],
    bodies: list[tuple[str, Body]],
    every: Zones,
) -> Zones:
    """The indices that an expression of a function may have as a zone."""
    if isinstance(zone, Const):
        return frozenset([zone.value])
    place = next((i for i, p in enumerate(parameters) if zone == Local(p.name)), None)
    if place is None:
        return every
    if any(zone.name in _set(body) for n, body in bodies if n == name and isinstance(zone, Local)):
        return every
    given = {
        s.arguments[place]
        for _, body in bodies
        for s in statements(body)
        if isinstance(s, (op.Call, op.Enter)) and s.function == name
    }
    if all(isinstance(a, Const) for a in given):
        return frozenset(a.value for a in given if isinstance(a, Const))
    return every


def _set(body: Body) -> set[str]:
    return {s.name for s in statements(body) if isinstance(s, (op.Set, op.For, op.Each))}


def may_be_loose(zone: Expression, loose: Zones, ranges: Ranges) -> bool:
    """Return whether a zone may have an unordered part, given the range of its index."""
    if not loose:
        return False
    found = ranges.of(zone)
    return found is None or any(found[0] <= z <= found[1] for z in loose)


def fold_loose_tests(program: CoreProgram) -> CoreProgram:
    """The program in which `Loose` is false for zones that never have an unordered part."""
    loose = loose_zones(program)
    return replace(
        program,
        functions={n: replace(f, body=_folded(f, loose, program)) for n, f in program.functions.items()},
    )


def _folded(f: Function, loose: Zones, program: CoreProgram) -> Body:
    ranges = ranges_of_locals(f.body, program.memories, tuple(p.name for p in f.parameters))

    def one(e: Expression) -> Expression:
        return FALSE if isinstance(e, op.Loose) and not may_be_loose(e.zone, loose, ranges) else e

    def inside(body: Body) -> Body:
        return tuple([rewrite_statement(s, lambda e: rewrite(e, one), inside) for s in body])

    return inside(f.body)


__all__ = ["loose_zones", "may_be_loose", "fold_loose_tests"]
