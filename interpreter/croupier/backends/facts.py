"""What is known under a set-up: values that never change, piles whose order is always known, maps without gaps, bounds of numbers.

Everything here is safe to build on: it holds in every position that the rules come to from the start of this game.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from croupier.backends.reach import come_to
from croupier.ir.instructions import Instruction
from croupier.ir.module import Module
from croupier.ir.routines import Routine
from croupier.limits import MAX_CELLS_EXAMINED
from croupier.runtime.game import Game
from croupier.semantics import types as t

SHORT_LIST = 1_000  # elements of a list made in play; a longer one is a deviation
Folded = tuple[Any, ...] | None
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
REACH = 2**53


class Facts:
    """Of one game and its module."""

    def __init__(self, game: Game, module: Module) -> None:
        self.game, self.module, self.program = game, module, game.program
        self.given: Callable[[int], Folded] = lambda target: None  # the value that a call surely gives
        self.unordered = self.find_unordered()
        self.gaps = self.find_gaps()

    # ------------------------------------------------------------ zones
    def find_unordered(self) -> set[str]:
        """Zones whose order may be unknown: what is shuffled, and what it is put into or changed with as a whole."""
        game = self.game
        found = {p.zone for p in game.places if any(type(i) is tuple for i in game.start_zones[p.number])}
        whole: list[tuple[set[str], set[str]]] = []
        for routine in self.module.every_routine():
            for i in instructions(routine):
                if i.op == "shuffle":
                    found |= self.zones_of(routine, i.args[0])
                elif i.op in ("move_all", "swap_zones"):
                    a, b = (self.zones_of(routine, slot) for slot in i.args)
                    whole.append((a, b))
                    if i.op == "swap_zones":
                        whole.append((b, a))
        changed = True
        while changed:
            changed = False
            for a, b in whole:
                if a & found and not b <= found:
                    found |= b
                    changed = True
        return found

    def zones_of(self, routine: Routine, slot: int) -> set[str]:
        """The zones that a slot may name."""
        places = [i for i in instructions(routine) if slot in i.into]
        if routine.slots[slot].role == "temp" and places and all(i.op in ("zone", "zone_at") for i in places):
            return {i.data for i in places}
        return set(self.program.zones)

    # ------------------------------------------------------------ maps
    def find_gaps(self) -> set[str]:
        """Variables that are maps of sure values, and may lack some."""
        found = set()
        for v in self.program.vars.values():
            if isinstance(v.type, t.Map) and not isinstance(v.type.value, t.Optional):
                start = self.game.start_vars[v.index]
                if not isinstance(start, tuple) or None in start:
                    found.add(v.name)
        for routine in self.module.every_routine():
            for i in instructions(routine):
                if i.op == "set_state" and isinstance(self.program.vars[i.data].type, t.Map):
                    found.add(i.data)
        return found

    # ------------------------------------------------------------ numbers
    def bounds(self, kind: t.Type) -> tuple[int | None, int | None]:
        """Bounds of a number type under this set-up; of anything else none."""
        if not isinstance(kind, t.Int):
            return None, None
        low, high = self.game.int_bounds(kind)
        if kind.low is not None:
            low = kind.low if low is None else max(low, kind.low)
        if kind.high is not None:
            high = kind.high if high is None else min(high, kind.high)
        return low, high

    def length(self, kind: t.Type) -> int:
        """The greatest number of elements of a list of this type here."""
        if isinstance(kind, t.Endless):
            return self.game.players
        if isinstance(kind, t.Collection) and kind.capacity is not None:
            return min(SHORT_LIST, int(self.game.constant(kind.capacity)))
        if isinstance(kind, t.Collection) and kind.kind == "set" and self.game.is_finite(kind.base):
            return min(SHORT_LIST, self.game.domain(kind.base)[1])
        return SHORT_LIST

    # ------------------------------------------------------------ values that never change
    def constants_of(self, routine: Routine) -> dict[int, Any]:
        """The slots of a routine that are written once, with a value that is known, and those values; what surely never runs writes nothing."""
        there, known = set(range(len(routine.blocks))), dict[int, Any]()
        roots = [*([] if routine.entry is None else [routine.entry]), *(q.entry for q, _ in routine.every_query())]
        while True:
            known |= self.constants_in(routine, there, known)
            now = come_to(routine, known, roots)
            if now == there:
                return known
            there = now

    def constants_in(self, routine: Routine, blocks: set[int], known: dict[int, Any]) -> dict[int, Any]:
        """The same as far as only some blocks run, besides what is known already."""
        written: dict[int, list[Any]] = {s: [None] for s in (*routine.takes, *(s for q, _ in routine.every_query() for s in q.takes))}
        for block in (routine.blocks[n] for n in sorted(blocks)):
            for i in block.code:
                for s in i.into:
                    written.setdefault(s, []).append(i)
            for edge in block.end.edges():
                for s in edge.assigns:
                    written.setdefault(s, []).append(None)
        known, changed = dict(known), True
        while changed:
            changed = False
            for slot, found in written.items():
                i = found[0]
                if slot in known or len(found) != 1 or i is None or len(i.into) != 1 or (i.op != "call" and any(a not in known for a in i.args)):
                    continue
                value = self.fold(i, [] if i.op == "call" else [known[a] for a in i.args], routine)
                if value is not None:
                    known[slot], changed = value[0], True
        return known

    def fold(self, i: Instruction, a: list[Any], routine: Routine) -> Folded:
        """The value of an instruction whose operands are known, in a tuple; none if it is not known before the game is played."""
        game, op, d = self.game, i.op, i.data
        if op in COMPARE:
            return (COMPARE[op](*a),)
        if op == "call":
            return self.given(d)
        match op:
            case "const":
                return None if isinstance(d, str) else (d,)
            case "copy" | "narrow":
                return (a[0],)
            case "enum":
                return (game.enum_values[d[0]][d[1]],)
            case "copies":
                return (game.alike.copies[a[0]],)
            case "component":
                return (game.by_id[d],)
            case "cell":
                return (game.boards[d[0]].names.index(d[1]),)
            case "param":
                value = game.parameters[d]
                return None if isinstance(value, str) else (value,)
            case "players" | "turns":
                return (tuple(range(game.players)),)
            case "turns_of":
                return (a[0],)
            case "enum_values":
                return (tuple(range(len(self.program.enums[d].values))),)
            case "class":
                first, count = game.kinds[d]
                return (tuple(range(first, first + count)),)
            case "board_cells":
                return (tuple(range(game.boards[d].size)),)
            case "board_size":
                return (game.boards[d].size,)
            case "board_rows":
                return (tuple(game.boards[d].rows),)
            case "board_columns":
                return (tuple(game.boards[d].columns),)
            case "board_directions":
                return (game.boards[d].directions,)
            case "board_lines":
                lines = game.boards[d].lines(a[0], MAX_CELLS_EXAMINED)
                return None if lines is None else (lines,)
            case "board_row" | "board_column":
                table = game.boards[d].rows if op == "board_row" else game.boards[d].columns
                return (table[a[0] - 1],) if 1 <= a[0] <= len(table) else None
            case "zone":
                return (game.family[d][0],)
            case "zone_at":
                key = self.program.zones[d].key
                assert key is not None
                first, count = game.family[d]
                at = a[0] - game.domain(key)[0]
                return (first + at,) if 0 <= at < count else None
            case "clockwise" | "turns_from":
                return (tuple((a[0] + k) % game.players for k in range(game.players)),)
            case "others":
                return (tuple((a[0] + k) % game.players for k in range(1, game.players)),)
            case "next":
                return ((a[0] + 1) % game.players,)
            case "previous":
                return ((a[0] - 1) % game.players,)
            case "seat" | "rank":
                return (a[0] + 1,)
            case "size":
                return (len(a[0]),)
            case "empty":
                return (not a[0],)
            case "first" | "last":
                return (a[0][0 if op == "first" else -1],) if a[0] else None
            case "is_none":
                return (a[0] is None,)
            case "is_some":
                return (a[0] is not None,)
            case "not":
                return (not a[0],)
            case "recording":
                return (False,)
            case "add" | "sub" | "mul":
                value = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}[op](*a)
                return (value,) if abs(value) <= REACH else None
            case "neg":
                return (-a[0],)
            case "max" | "min":
                return ((max if op == "max" else min)(a),)
            case "column":
                value = game.columns[d][a[0]]
                return None if isinstance(value, str) else (value,)
            case "attr":
                value = game.pieces[a[0]].attributes.get(d)
                return None if isinstance(value, str) else (value,)
            case "is_kind":
                return (game.pieces[a[0]].kind == d,)
            case "index":
                kind = routine.slots[i.args[0]].type
                assert isinstance(kind, t.Map)
                at = a[1] - game.domain(kind.key)[0]
                value = a[0][at] if 0 <= at < len(a[0]) else None
                return None if value is None or isinstance(value, str) else (value,)
            case "in":
                return (a[0] in a[1],)
            case "not_in":
                return (a[0] not in a[1],)
            case "list":
                kind = routine.slots[i.into[0]].type
                return (tuple(a),) if a and isinstance(kind, t.Collection) and kind.kind == "list" else None
            case "range":
                return (tuple(range(a[0], a[1] + 1)),) if a[1] - a[0] < SHORT_LIST else None
        return None


MAY_FAIL = frozenset(
    """
    certain check add sub mul div mod number range item add_item append join index entry put put_item zone_item zone_top zone_bottom zone_above
    family_known first last next_of previous_of board_row board_column board_lines call original record labelled text neg zone_at map
""".split()
)
"""Operations that may fault: they are worked out even if nobody reads what they give."""


READS = {"state", "entry", "mutable", "owner", "key_of", "call", "original", "family_list", "family_known", "viewer"}
"""Operations that read what acting changes; zones are read by all whose name begins so."""


def reads(op: str) -> bool:
    """Does an operation read what acting changes?"""
    return op in READS or (op.startswith("zone_") and op != "zone_at")


def instructions(routine: Routine) -> Iterator[Instruction]:
    """Every instruction of a routine."""
    for block in routine.blocks:
        yield from block.code
