"""How deep calls that never wait may stand in each other: two limits that are part of the meaning.

A routine that calls itself says how deep (`nested`); and the texts of all routines that have begun may together be nested only so deep. The first is
counted as it is meant. The second is bounded from above: by the longest chain of calls without a circle, once for each routine that calls itself
and has begun.
"""

from __future__ import annotations

from croupier.runtime.game import Game
from croupier.semantics.flow import callees


def tallest_chain(game: Game) -> int:
    """How deep the texts of one chain of calls are nested together at most; what calls itself counts once more."""
    program, code = game.program, game.code
    found: dict[int, int] = {}

    def tall(index: int) -> int:
        if index not in found:
            found[index] = 0  # in a circle: see below
            below = [tall(i) for i in callees(program, program.procs[index])]
            found[index] = code.procs[index].height + max(below, default=0)
        return found[index]

    in_circles: int = sum(code.procs[p.index].height for p in program.procs if p.nested is not None)
    return max((tall(p.index) for p in program.procs), default=0) + in_circles
