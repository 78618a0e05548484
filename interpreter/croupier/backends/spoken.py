"""What the conditions of claims read. Mostly a few variables that seldom change, often not even from one game to the next: what may be said then
holds for as long as they have the same values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from croupier.backends.facts import reads
from croupier.backends.reach import come_to
from croupier.ir.module import Module
from croupier.ir.routines import Routine

OF_STATE = ("state", "entry", "mutable")  # operations that read a variable
Known = Callable[[Routine], Mapping[int, Any]]


def variables_of_claims(module: Module, known: Known) -> frozenset[str] | None:
    """The names of the variables that the conditions of all claims read, as far as they come to that where slots of routines are `known`; none
    if they read something else too."""
    found: set[str] = set()
    for routine in module.claims:
        for q in routine.queries:
            if q.name == "condition" and not _read(module, known, routine, q.entry, found, frozenset()):
                return None
    return frozenset(found)


def _read(module: Module, known: Known, routine: Routine, root: int, found: set[str], begun: frozenset[int]) -> bool:
    """Add the variables that blocks read; false if they read something else."""
    for n in come_to(routine, known(routine), [root]):
        for i in routine.blocks[n].code:
            if i.op in OF_STATE:
                found.add(i.data)
            elif i.op == "call":
                callee = module.routines[i.data]
                if callee.entry is None or callee.nested is not None or module.table(i.data).rows():
                    return False
                if callee.index not in begun and not _read(module, known, callee, callee.entry, found, begun | {callee.index}):
                    return False
            elif reads(i.op):
                return False
    return True
