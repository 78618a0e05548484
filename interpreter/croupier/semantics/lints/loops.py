"""The things that a loop may change while it runs, and those that the condition that ends it reads.

Both are sets of *things*: a variable of the state by its name, a local by its number, all changeable
attributes of components together, and all zones together, since what moves from one may come to another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.kernel.facts import Writes
from croupier.kernel.tree import (
    LocalExpr,
    MutableExpr,
    StateExpr,
    TypedExpr,
    TypedStmt,
    ZoneExpr,
)
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import (
    bound_in,
    called,
    locals_in,
    may_be_written,
    meanwhile,
    parts,
    reached_from,
    statements,
    writes_state,
)

Thing = str | int
ZONES, ATTRIBUTES = "all zones", "all attributes"
"""No names of variables: these have no spaces."""
EVERYTHING = "everything"


def is_in_vain(program: Program, loop: TypedStmt) -> bool:
    """Tell whether the condition of a loop reads something, but nothing that may change while the loop
    runs.
    """
    read = read_by(program, loop.args[0])
    if not read or EVERYTHING in read:
        return False
    changed = changed_in(program, loop)
    return EVERYTHING not in changed and not read & changed


def waited_for(proc: Proc, condition: TypedExpr) -> str:
    """Name what a condition reads: `hand` and `left`."""
    found: dict[str, None] = {}
    bound = bound_in(condition)
    for x in condition.walk():
        if isinstance(x, (StateExpr, ZoneExpr)):
            found[x.name] = None
        elif isinstance(x, MutableExpr):
            found[x.name.split(".")[-1]] = None
        elif isinstance(x, LocalExpr) and x.slot not in bound and not proc.slots[x.slot].startswith("$"):
            found.setdefault(proc.slots[x.slot])
    names = [f"`{name}`" for name in found] or [f"`{condition.span.text}`"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def read_by(program: Program, condition: TypedExpr) -> set[Thing]:
    """Return the changeable things that a condition reads, itself and in the definitions that it calls."""
    procs = [program.procs[i] for i in reached_from(program, called([condition]))]
    if any(proc.effect != "pure" for proc in procs):
        return {EVERYTHING}
    found = locals_in(condition.walk()) - bound_in(condition)
    inner = parts(s for proc in procs for s in statements(proc.body))
    return found | _changeable((*condition.walk(), *inner))


def _changeable(parts: Iterable[TypedExpr]) -> set[Thing]:
    """Variables of the state, zones, and changeable attributes among these expressions."""
    found: set[Thing] = set()
    for x in parts:
        if isinstance(x, StateExpr):
            found.add(x.name)
        elif x.op in ("zone", "zone_at", "component.owner", "component.zone"):
            found.add(ZONES)
        elif x.op == "mutable":
            found.add(ATTRIBUTES)
        elif x.op == "unknown":
            found.add(EVERYTHING)
    return found


def changed_in(program: Program, loop: TypedStmt) -> set[Thing]:
    """Return the things that the statements of a loop may change: its own, those of what it calls or opens,
    and those of all that watches.
    """
    running = meanwhile(program, loop)
    if program.is_open_any_time and any(s.FACTS.asks for s in running):
        return {EVERYTHING}
    found: set[Thing] = {slot for s in loop.walk() for slot in _locals_of(program, s)}
    for s in running:
        match s.FACTS.writes:
            case Writes.ZONES:
                found.add(ZONES)
            case Writes.PLACE:
                found |= _changeable(parts((s,))) if writes_state(s) else set()
            case Writes.ATTRIBUTES:
                found.add(ATTRIBUTES)
    return found


def _locals_of(program: Program, s: TypedStmt) -> Iterator[int]:
    """The locals that a statement gives a value."""
    yield from (slot for slot, _ in s.bound())
    places = may_be_written(program, s)
    yield from locals_in(x for place in places for x in place.walk())
