"""Queries only ask: their blocks change nothing, never wait, and end in `Give`; no other block is among them."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.dataflow import reached
from croupier.ir.module import Module
from croupier.ir.operations import OPERATIONS
from croupier.ir.problems import Problem
from croupier.ir.routines import Routine
from croupier.ir.terminators import Branch, Give, Jump, Walk


def check_queries(module: Module, routine: Routine) -> Iterator[Problem]:
    """Queries ask: what they come to changes nothing and belongs to nothing else."""
    asked: set[int] = set()
    for query, _ in routine.every_query():
        inside = reached(routine, [query.entry])
        asked |= inside
        for number in sorted(inside):
            b = routine.blocks[number]
            for i in b.code:
                pure = not OPERATIONS[i.op].acts or (i.op == "offer" and query.name.startswith("options"))
                if i.op in ("call", "original"):
                    pure = module.routines[i.data].colour == "pure"
                if not pure:
                    yield Problem("queries", routine.name, number, f"the query `{query.name}` acts: `{i.op}`")
            if not isinstance(b.end, (Branch, Give, Jump, Walk)):
                yield Problem("queries", routine.name, number, f"the query `{query.name}` does not end with an answer")
    roots = [] if routine.entry is None else [routine.entry]
    roots += [r.target for _, end in routine.suspensions() for r in end.resumes]
    for number in sorted(reached(routine, roots, queries=False)):
        if isinstance(routine.blocks[number].end, Give) or number in asked:
            yield Problem("queries", routine.name, number, "the body of the routine runs into a query")
