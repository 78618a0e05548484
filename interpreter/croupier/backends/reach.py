"""Which blocks of a routine control can come to, given what is known under a set-up: branches on known values go one way only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from croupier.ir.routines import Routine
from croupier.ir.terminators import Branch, Terminator


def sure(end: Terminator, known: Mapping[int, Any]) -> int | None:
    """Where a branch surely goes, as far as that is known."""
    if not isinstance(end, Branch) or end.test not in known:
        return None
    return end.then if known[end.test] else end.other


def ways(end: Terminator, known: Mapping[int, Any]) -> list[int]:
    """The blocks that may come next."""
    only = sure(end, known)
    return [e.target for e in end.edges()] if only is None else [only]


def come_to(routine: Routine, known: Mapping[int, Any], roots: Sequence[int], questions: bool = True) -> set[int]:
    """The blocks that control can come to from some; `questions`: also those of what is asked on the way."""
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        n = todo.pop()
        if n not in seen:
            seen.add(n)
            end = routine.blocks[n].end
            todo += ways(end, known)
            todo += [q.entry for q in end.queries()] if questions else []
    return seen
