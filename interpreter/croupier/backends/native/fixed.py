"""Lists of cells that are known before the game begins: rows and columns of boards, neighbours, straight runs, wherever they are handed to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.terminators import Walk
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

Rows = tuple[tuple[int, ...], ...]


class Fixed:
    """Which lists a slot may hold."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.game = printer, printer.game
        self._lists: dict[tuple[int, int], Rows | None] = {}

    def rows(self, routine: Routine, slot: int) -> Rows | None:
        """The lists of cells that a slot may hold, if they are all known beforehand and stand where they were made."""
        known = self.printer.known(routine)
        if slot in known:
            return (tuple(known[slot]),)
        key = id(routine), slot
        if key not in self._lists:
            self._lists[key] = None  # a list that comes from itself is not known
            self._lists[key] = self.sources(routine, slot)
        return self._lists[key]

    def sources(self, routine: Routine, slot: int) -> Rows | None:
        if any(slot in live for live in routine.live.values()) or any(slot in s.assigns for _, e in routine.suspensions() for s in e.resumes):
            return None
        found: list[Rows | None] = []
        for block in routine.blocks:
            found += [self.made(routine, i) for i in block.code if slot in i.into]
            if isinstance(block.end, Walk) and block.end.item == slot:
                found.append(self.elements(routine, block.end.items))
        if any(slot in q.takes for q, _ in routine.every_query()):
            return None
        if slot in routine.takes:
            found += self.handed(routine, slot)
        if not found or any(f is None for f in found):
            return None
        return tuple(dict.fromkeys(row for rows in found if rows is not None for row in rows))

    def elements(self, routine: Routine, slot: int) -> Rows | None:
        """The lists in a list of lists that is known."""
        known = self.printer.known(routine)
        return tuple(map(tuple, known[slot])) if slot in known else None

    def made(self, routine: Routine, i: Instruction) -> Rows | None:
        """What an instruction may give."""
        if i.op in ("board_row", "board_column"):
            board = self.game.boards[i.data]
            return tuple(board.rows if i.op == "board_row" else board.columns)
        if i.op == "cell_adjacent":
            cell = routine.slots[i.args[0]].type
            return tuple(self.game.boards[cell.board].adjacent) if isinstance(cell, t.Cell) else None
        return self.rows(routine, i.args[0]) if i.op == "copy" else None

    def handed(self, routine: Routine, slot: int) -> list[Rows | None]:
        """What callers of a definition hand over."""
        module = self.printer.module
        if routine.kind != "def" or routine.colour != "pure" or routine.nested is not None or routine.index < 0 or module.table(routine.index).rows():
            return [None]
        place = [q.slot for q in self.game.program.procs[routine.index].params].index(slot)
        calls = [(r, i) for r in module.every_routine() for b in r.blocks for i in b.code if i.op == "call" and i.data == routine.index]
        return [self.rows(r, i.args[place]) for r, i in calls]

