"""Which procedures a game can ever run: the ground of the lints about rules that never happen.

From the phases, watchers and declarations along calls, hooks on what is called, windows that are opened and the reactions to them. What stands
behind a condition counts as reached, whatever the condition.
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.semantics.flow import operands, statements
from croupier.semantics.lints.walk import standing
from croupier.semantics.program import Program
from croupier.semantics.tree import Proc, X


def reached(program: Program) -> set[int]:
    """The indices of the procedures that can run."""
    return reached_from(program, [*(p.index for p in program.procs if p.kind not in ("def", "window", "hook")), *called(standing(program))])


def reached_from(program: Program, indices: Iterable[int]) -> set[int]:
    """The indices of these procedures and of all that can run because they do."""
    todo = list(indices)
    found: set[int] = set()
    while todo:
        index = todo.pop()
        if index in found:
            continue
        found.add(index)
        proc = program.procs[index]
        todo += proc.opens
        todo += called(o for s in statements(proc.body) for o in operands(s))
        for h in program.hooks:
            if h.target == index:
                todo.append(h.proc.index)
                todo += called(x for x in (h.guard, h.label, *(a.fixed for a in h.args)) if x is not None)
    return found


def called(xs: Iterable[X]) -> list[int]:
    """The procedures that expressions call."""
    return [y.data for x in xs for y in x.walk() if y.op in ("call", "original")]


def finishes(program: Program, procs: Iterable[Proc]) -> bool:
    """Does a `finish` stand in one of these procedures?"""
    return any(s.op == "finish" for proc in procs for s in statements(proc.body))
