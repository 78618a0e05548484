"""Effect analysis over the call graph: what functions that do not wait may do besides returning words, so
that printers omit dead checks.

Also which functions are recursive, and which are worth inlining.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Expression
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import expressions, statements, writes

SMALL_FACTOR = 1 << 9  # a product with a smaller constant does not overflow
FAILING = (
    op.Guard,
    op.Fail,
    op.Pay,
    op.Finish,
    op.DeadEnd,
    op.Reached,
    op.Explore,
    op.Try,
    op.Offer,
    op.OfferBits,
    op.OfferTop,
)
ZONE_CHANGES = (op.Push, op.Insert, op.Remove, op.Truncate, op.Loosen)
# inlining limits: statements of a function, statements of all its copies
MAX_INLINED, MAX_INLINED_IN_ALL = 14, 80


@dataclass(slots=True)
class BodyEffects:
    """The effects of a body: it may fail, change the legal actions, change zones, consume fuel, write these
    arrays of the state.
    """

    fails: bool = False
    offers: bool = False
    zones: bool = False
    pays: bool = False
    writes: set[str] = field(default_factory=set)


def local_effects(body: Body, program: CoreProgram) -> tuple[BodyEffects, set[str]]:
    """The effects of a body without its calls, and the functions that it calls."""
    found, called = BodyEffects(), set[str]()
    for s in statements(body):
        found.fails |= isinstance(s, FAILING) or any(map(may_overflow, expressions(s)))
        found.offers |= isinstance(s, (op.Offer, op.NoOffers, op.OfferBits, op.OfferTop))
        found.zones |= isinstance(s, ZONE_CHANGES)
        # a trial counts examined positions, which the header keeps with the fuel
        found.pays |= isinstance(s, (op.Pay, op.Try))
        found.writes |= writes(s, program)
        if isinstance(s, op.Call):
            called.add(s.function)
    return found, called


def may_overflow(e: Expression) -> bool:
    """Return whether an expression may overflow, and so fail."""
    return isinstance(e, op.Mul) and not any(
        isinstance(x, Const) and abs(x.value) < SMALL_FACTOR for x in (e.a, e.b)
    )


def function_effects(program: CoreProgram) -> dict[str, BodyEffects]:
    """The effects of each function that does not wait, with its calls: a fixed point."""
    found: dict[str, BodyEffects] = {}
    calls: dict[str, set[str]] = {}
    for f in program.functions.values():
        if not f.waits:
            found[f.name], calls[f.name] = local_effects(f.body, program)
            found[f.name].writes &= program.memories.keys()  # its local arrays are no effect
    recursive = on_cycles(calls)
    for name in recursive:
        found[name].fails = True  # its recursion check may fail
    changed = True
    while changed:
        changed = False
        for name, called in calls.items():
            before = found[name]
            for other in called:
                e = found[other]
                after = union(before, e)
                if after != before:
                    found[name] = before = after
                    changed = True
    return found


def union(a: BodyEffects, b: BodyEffects) -> BodyEffects:
    """The union of two effects."""
    return BodyEffects(
        a.fails or b.fails, a.offers or b.offers, a.zones or b.zones, a.pays or b.pays, a.writes | b.writes
    )


def body_effects(body: Body, program: CoreProgram, functions: dict[str, BodyEffects]) -> BodyEffects:
    """The effects of a body with its calls."""
    found, called = local_effects(body, program)
    for name in called:
        found = union(found, functions[name])
    return found


def on_cycles(calls: dict[str, set[str]]) -> set[str]:
    """The functions on cycles of a call graph."""
    reachable = {name: set(others) for name, others in calls.items()}
    changed = True
    while changed:
        changed = False
        for others in reachable.values():
            more = set[str]().union(*(reachable[o] for o in others)) - others
            if more:
                others |= more
                changed = True
    return {name for name, others in reachable.items() if name in others}


def inlined_functions(program: CoreProgram, recursive: set[str]) -> set[str]:
    """The functions to inline: small ones, and those with one call site."""
    called: Counter[str] = Counter()
    for body in [f.body for f in program.functions.values()] + [s.body for s in program.states.values()]:
        called.update(s.function for s in statements(body) if isinstance(s, op.Call))
    sizes = {f.name: sum(1 for _ in statements(f.body)) for f in program.functions.values() if not f.waits}

    def pays_off(name: str, size: int) -> bool:
        return size <= MAX_INLINED or called[name] == 1 or size * called[name] <= MAX_INLINED_IN_ALL

    return {name for name, size in sizes.items() if name not in recursive and pays_off(name, size)}


def recursive_functions(program: CoreProgram) -> set[str]:
    """The functions that may call or enter themselves."""
    calls: dict[str, set[str]] = {}
    for f in program.functions.values():
        entered = {s.function for s in statements(f.body) if isinstance(s, op.Enter)}
        calls[f.name] = local_effects(f.body, program)[1] | entered
    return on_cycles(calls)


def return_type(f: Function, effects: BodyEffects) -> str:
    """The LLVM return type of a function: a status if it may fail, then its words."""
    count = f.results + effects.fails
    match count:
        case 0:
            return "void"
        case 1:
            return "i64"
        case _:
            return f"{{{', '.join(['i64'] * count)}}}"
