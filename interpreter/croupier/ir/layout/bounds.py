"""How long a list may get: an upper bound for every slot of a routine, where its instructions give one.

Each operation bounds its result by its operands; a slot has the largest bound of all instructions that write it. Rounds from nothing up; what
still grows after as many rounds as there are instructions has no bound, nor has what comes from outside of the routine.
"""

from __future__ import annotations

from croupier.ir.instructions import Instruction
from croupier.ir.layout.sizes import Sizes
from croupier.ir.routines import Routine
from croupier.ir.terminators import Walk
from croupier.semantics import types as t
from croupier.semantics.program import Program

ROUNDS = 8
SAME = {"copy", "canonical", "reversed", "distinct", "take", "drop", "rest", "without", "sort", "remove_item", "put_item", "check"}
PLAYERS = {"players", "clockwise", "others", "clockwise_of", "turns", "turns_from"}
Bound = int | None  # none: no bound


class Bounds:
    """Follows lists through the instructions of a routine until no bound grows any more."""

    def __init__(self, program: Program, sizes: Sizes, routine: Routine) -> None:
        self.program, self.sizes, self.routine = program, sizes, routine
        self.found: dict[int, Bound] = {s.number: 0 for s in routine.slots}
        for i in routine.takes:
            self.found[i] = None
        for _, end in routine.suspensions():
            for slot in end.keeps:
                self.found[slot] = None
        for b in routine.blocks:
            for edge in b.end.edges():
                for slot in edge.assigns:
                    if not (isinstance(b.end, Walk) and slot == b.end.at):
                        self.found[slot] = None
        code = [i for b in routine.blocks for i in b.code]
        for _ in range(ROUNDS):
            if not self.round(code):
                return
        while self.round(code, widen=True):
            pass

    def round(self, code: list[Instruction], widen: bool = False) -> bool:
        changed = False
        for i in code:
            for slot in i.into:
                before = self.found[slot]
                now = None if before is None else self.larger(before, self.of(i))
                if now != before:
                    self.found[slot], changed = (None if widen else now), True
        return changed

    def larger(self, a: Bound, b: Bound) -> Bound:
        return None if a is None or b is None else max(a, b)

    def of(self, i: Instruction) -> Bound:
        """The longest list that an instruction may make."""
        args = [self.found[a] for a in i.args]
        if i.op in SAME:
            return args[0]
        if i.op in PLAYERS:
            return self.sizes.players
        match i.op:
            case "list":
                return len(i.args)
            case "append" | "add_item":
                return None if args[0] is None else args[0] + 1
            case "join":
                return None if args[0] is None or args[1] is None else args[0] + args[1]
            case "optional_list":
                return 1
            case "turns_of":
                return args[0]
            case "zone_list" | "zone_above" | "family_list" | "family_known" | "class":
                return sum(self.sizes.kinds[k][1] for k in self.kinds(i))
            case "enum_values":
                return len(self.program.enums[i.data].values)
            case "board_cells" | "board_row" | "board_column" | "board_between" | "cell_adjacent" | "cell_ray":
                return self.cells(i)
            case "range":
                return self.width(i.args[0], i.args[1])
        return None

    def kinds(self, i: Instruction) -> frozenset[str]:
        kind = self.routine.slots[i.into[0]].type
        return kind.base.kinds if isinstance(kind, t.Collection) and isinstance(kind.base, t.Component) else frozenset()

    def cells(self, i: Instruction) -> Bound:
        kind = self.routine.slots[i.into[0]].type
        return self.sizes.domain(kind.base)[1] if isinstance(kind, t.Collection) else None

    def width(self, low: int, high: int) -> Bound:
        a, b = self.routine.slots[low].type, self.routine.slots[high].type
        if isinstance(a, t.Int) and isinstance(b, t.Int) and a.low is not None and b.high is not None:
            return max(0, b.high - a.low + 1)
        return None
