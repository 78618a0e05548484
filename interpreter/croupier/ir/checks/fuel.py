"""No way back without paying: every circle of blocks burns fuel, or walks a list that was paid for, an element a unit, when the walk began.

A walk is paid for if its place is set by `begin_walk` of the same list and the loop writes neither. A circle through such a walk takes one
element after another, or passes its `begin_walk` again, and pays again.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.dataflow import written_in
from croupier.ir.problems import Problem
from croupier.ir.routines import Routine
from croupier.ir.terminators import Walk


def check_fuel(routine: Routine) -> Iterator[Problem]:
    """No circle of blocks is free of charge."""
    free: dict[int, list[int]] = {}
    for b in routine.blocks:
        targets = {e.target for e in b.end.edges()} | {q.entry for q in b.end.queries()}
        if any(i.op == "burn" for i in b.code):
            targets = set()
        elif isinstance(b.end, Walk) and paid(routine, b.number, b.end):
            targets.discard(b.end.body)
        free[b.number] = sorted(targets)
    circle = find_circle(free)
    if circle is not None:
        yield Problem("fuel", routine.name, circle[0], f"nothing is paid on the way round through blocks {', '.join(map(str, circle))}")


def paid(routine: Routine, head: int, walk: Walk) -> bool:
    """Was the whole list of a walk paid for when the walk began?"""
    begins = [i for b in routine.blocks for i in b.code if walk.at in i.into]
    if walk.done is None or not begins or any(i.op != "begin_walk" or i.args != (walk.items,) for i in begins):
        return False
    return all(
        not {walk.items, walk.at} & (written_in(routine.blocks[n].code) | {s for e in routine.blocks[n].end.edges() for s in e.assigns})
        for n in inside(routine, head, walk)
    )


def inside(routine: Routine, head: int, walk: Walk) -> set[int]:
    """The blocks between the body of a walk and its head, without beginning the walk again."""
    begins = {b.number for b in routine.blocks if any(walk.at in i.into for i in b.code)}
    ahead: set[int] = set()
    todo = [walk.body]
    while todo:
        n = todo.pop()
        if n != head and n not in ahead and n not in begins:
            ahead.add(n)
            todo += [e.target for e in routine.blocks[n].end.edges()]
    back: set[int] = {head}
    while True:
        more = {n for n in ahead - back if any(e.target in back for e in routine.blocks[n].end.edges())}
        if not more:
            return back - {head}
        back |= more


def find_circle(graph: dict[int, list[int]]) -> list[int] | None:
    """The blocks of some circle, or none."""
    state: dict[int, int] = {}
    for start in graph:
        if start in state:
            continue
        state[start] = 1
        trail = [(start, iter(graph[start]))]
        while trail:
            at, rest = trail[-1]
            step = next(rest, None)
            if step is None:
                state[at] = 2
                trail.pop()
            elif state.get(step) == 1:
                way = [n for n, _ in trail]
                return way[way.index(step) :]
            elif step not in state:
                state[step] = 1
                trail.append((step, iter(graph[step])))
    return None
