"""What functions of the core may do beside giving words: fail, offer, write arrays or zones. With that a printer leaves out what cannot happen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Expression
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import expressions, statements, writes

SMALL_FACTOR = 1 << 9  # a product with less stays within 64 bits
FAILING = (op.Guard, op.Fail, op.Pay, op.Finish, op.DeadEnd, op.Reached, op.Explore, op.Try, op.Offer, op.OfferBits, op.OfferTop)
ZONES = (op.Push, op.Insert, op.Remove, op.Truncate, op.Loosen)
SMALL, OFTEN = 14, 80  # statements of a function that is put into its callers; and of all of them together


@dataclass(slots=True)
class BodyEffects:
    """What a body may do. `writes` are arrays of the state, `zones`: it changes zones; `pays`: it takes fuel."""

    fails: bool = False
    offers: bool = False
    zones: bool = False
    pays: bool = False
    writes: set[str] = field(default_factory=set)


def own(body: Body, program: CoreProgram) -> tuple[BodyEffects, set[str]]:
    """What a body does itself, and which functions it calls."""
    found, called = BodyEffects(), set[str]()
    for s in statements(body):
        found.fails |= isinstance(s, FAILING) or any(map(overflows, expressions(s)))
        found.offers |= isinstance(s, (op.Offer, op.NoOffers, op.OfferBits, op.OfferTop))
        found.zones |= isinstance(s, ZONES)
        found.pays |= isinstance(s, (op.Pay, op.Try))  # what was tried is counted beside fuel
        found.writes |= writes(s, program)
        if isinstance(s, op.Call):
            called.add(s.function)
    return found, called


def overflows(e: Expression) -> bool:
    """May an expression fail?"""
    return isinstance(e, op.Mul) and not any(isinstance(x, Const) and abs(x.value) < SMALL_FACTOR for x in (e.a, e.b))


def effects(program: CoreProgram) -> dict[str, BodyEffects]:
    """What each function that does not wait may do."""
    found: dict[str, BodyEffects] = {}
    calls: dict[str, set[str]] = {}
    for f in program.functions.values():
        if not f.waits:
            found[f.name], calls[f.name] = own(f.body, program)
            found[f.name].writes &= program.memories.keys()  # its own arrays are nobody else's
    inside = circles(calls)
    for name in inside:
        found[name].fails = True  # it counts how deep it stands in itself
    changed = True
    while changed:
        changed = False
        for name, called in calls.items():
            before = found[name]
            for other in called:
                e = found[other]
                after = both(before, e)
                if after != before:
                    found[name] = before = after
                    changed = True
    return found


def both(a: BodyEffects, b: BodyEffects) -> BodyEffects:
    """What one or the other may do."""
    return BodyEffects(a.fails or b.fails, a.offers or b.offers, a.zones or b.zones, a.pays or b.pays, a.writes | b.writes)


def of_body(body: Body, program: CoreProgram, functions: dict[str, BodyEffects]) -> BodyEffects:
    """What a body may do, with what it calls."""
    found, called = own(body, program)
    for name in called:
        found = both(found, functions[name])
    return found


def circles(calls: dict[str, set[str]]) -> set[str]:
    """The functions that may call themselves."""
    reached = {name: set(others) for name, others in calls.items()}
    changed = True
    while changed:
        changed = False
        for others in reached.values():
            more = set[str]().union(*(reached[o] for o in others)) - others
            if more:
                others |= more
                changed = True
    return {name for name, others in reached.items() if name in others}


def inlined(program: CoreProgram, recursive: set[str]) -> set[str]:
    """Functions that are put into their callers: small ones, and those that are called in one place."""
    called: Counter[str] = Counter()
    for body in [f.body for f in program.functions.values()] + [s.body for s in program.states.values()]:
        called.update(s.function for s in statements(body) if isinstance(s, op.Call))
    sizes = {f.name: sum(1 for _ in statements(f.body)) for f in program.functions.values() if not f.waits}
    return {name for name, size in sizes.items() if name not in recursive and (size <= SMALL or called[name] == 1 or size * called[name] <= OFTEN)}


def recursive_functions(program: CoreProgram) -> set[str]:
    """Functions that may call themselves, and whose calls stand in each other as calls of the machine do."""
    calls: dict[str, set[str]] = {}
    for f in program.functions.values():
        entered = {s.function for s in statements(f.body) if isinstance(s, op.Enter)}
        calls[f.name] = own(f.body, program)[1] | entered
    return circles(calls)


def returned(f: Function, effects: BodyEffects) -> str:
    """The type of what a function gives: a status, if it may fail, and its words."""
    count = f.results + effects.fails
    return "void" if count == 0 else "i64" if count == 1 else f"{{{', '.join(['i64'] * count)}}}"
