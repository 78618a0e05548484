"""Zones that may ever have an unordered part: those that begin with one, and those in which something says
so.

A zone is known by its number, by what the calls of a function give for it, or by the bounds of its number. Of
every other zone the bits of unordered parts need not be asked for, nor kept.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.builder import FALSE
from croupier.core.operations import Body, Const, Expression, Local
from croupier.core.rewriting import replace_bodies, rewrite_body
from croupier.core.types import CoreProgram, Function, FunctionParameter
from croupier.core.walk import called, reached, statements
from croupier.passes.ranges import Ranges, ranges_of_locals

Zones = frozenset[int]


def loose_zones(program: CoreProgram) -> Zones:
    """The indices of zones that may have an unordered part."""
    every = frozenset(range(len(program.zones.capacities)))
    states = [("", state.body) for state in program.states.values()]
    roots = [name for name in (program.main, program.start, *program.exports) if name is not None]
    roots += [name for _, body in states for name in called(body)]
    bodies = [*((name, program.functions[name].body) for name in reached(program, roots)), *states]
    found = {z for z, bits in enumerate(program.zones.loose) if bits}
    for name, body in bodies:
        f = program.functions.get(name)
        for s in statements(body):
            if isinstance(s, op.Loosen):
                found |= _numbers(s.zone, name, f.parameters if f is not None else (), bodies, every)
    return frozenset(found)


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

    def folded(body: Body, f: Function) -> Body:
        ranges = ranges_of_locals(body, program.memories, tuple(p.name for p in f.parameters))

        def one(e: Expression) -> Expression:
            return FALSE if isinstance(e, op.Loose) and not may_be_loose(e.zone, loose, ranges) else e

        return rewrite_body(body, one)

    return replace_bodies(program, folded)


__all__ = ["loose_zones", "may_be_loose", "fold_loose_tests"]
