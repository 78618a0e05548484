"""Every slot is assigned before it is read, on every path; and what is read after waiting is no temporary."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.dataflow import assigned_at_start, bits, members
from croupier.ir.problems import Problem
from croupier.ir.routines import Routine


def check_assignment(routine: Routine) -> Iterator[Problem]:
    """Every slot is assigned on every path before it is read."""
    found = assigned_at_start(routine)
    for b in routine.blocks:
        having = found[b.number]
        if having is None:
            continue
        for i in b.code:
            yield from _unread(routine, b.number, f"`{i.op}`", bits(i.args) & ~having)
            having |= bits(i.into)
        yield from _unread(routine, b.number, "its end", bits(b.end.reads()) & ~having)


def _unread(routine: Routine, block: int, reader: str, missing: int) -> Iterator[Problem]:
    for slot in members(missing):
        yield Problem("assignment", routine.name, block, f"{reader} reads {routine.slots[slot]}, which may not have a value yet")
