"""Instructions as expressions of Python: players and boards, and with them every operation."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from croupier.backends.python.places import Places
from croupier.ir.instructions import Instruction
from croupier.semantics import types as t

END_OF_ZONE = re.compile(r"\((\w+)\[(-1|0)\] if \1 else None\)")  # as `Places.end_of_zone` writes it


def neighbour(board: Any, cell: int, direction: int) -> int | None:
    """The cell next to one, if there is one."""
    return board.steps[cell].get(direction)  # type: ignore[no-any-return]


def neighbours(board: Any, cell: int, direction: int) -> tuple[int, ...]:
    """The same as a list."""
    found = neighbour(board, cell, direction)
    return () if found is None else (found,)


class Operations(Places):
    """Prints instructions on players and boards."""

    # ------------------------------------------------------------ players and boards
    def table(self, rows: Any, slot: int) -> str:
        return f"{self.constants.text(tuple(rows))}[{self.text(slot)}]"

    def turned(self, i: Instruction, first: int) -> str:
        n = self.facts.game.players
        return self.table((tuple((p + k) % n for k in range(first, n)) for p in range(n)), i.args[0])

    def o_copies(self, i: Instruction) -> str:
        return self.table(self.facts.game.alike.copies, i.args[0])

    def o_clockwise(self, i: Instruction) -> str:
        return self.turned(i, 0)

    def o_turns_from(self, i: Instruction) -> str:
        return self.turned(i, 0)

    def o_others(self, i: Instruction) -> str:
        return self.turned(i, 1)

    def o_next(self, i: Instruction) -> str:
        n = self.facts.game.players
        return self.table(((p + 1) % n for p in range(n)), i.args[0])

    def o_previous(self, i: Instruction) -> str:
        n = self.facts.game.players
        return self.table(((p - 1) % n for p in range(n)), i.args[0])

    def o_clockwise_of(self, i: Instruction) -> str:
        return f"among({self.turned(i, 0)}, {self.text(i.args[1], True)})"

    def o_next_of(self, i: Instruction, by: int = 1) -> str:
        return f"next_of({self.text(i.args[0])}, {self.text(i.args[1])}, {by}, {self.facts.game.players})"

    def o_previous_of(self, i: Instruction) -> str:
        return self.o_next_of(i, -1)

    def board(self, slot_or_name: Any) -> Any:
        kind = self.kind(slot_or_name) if isinstance(slot_or_name, int) else None
        return self.facts.game.boards[kind.board if isinstance(kind, t.Cell) else slot_or_name]

    def numbered(self, i: Instruction, rows: Any) -> str:
        text = self.text(i.args[0])
        if not self.inside(i.args[0], 1, len(rows)):
            text = self.held(text)
            self.test(f"not 1 <= {text} <= {len(rows)}")
        return f"{self.constants.text(((), *rows))}[{text}]"

    def o_board_row(self, i: Instruction) -> str:
        return self.numbered(i, self.board(i.data).rows)

    def o_board_column(self, i: Instruction) -> str:
        return self.numbered(i, self.board(i.data).columns)

    def o_board_lines(self, i: Instruction) -> str:
        return f"lines_of({self.constants.text(self.board(i.data), opaque=True)}, {self.text(i.args[0])})"

    def o_board_at(self, i: Instruction) -> str:
        return f"cell_at({self.constants.text(tuple(self.board(i.data).rows))}, {self.text(i.args[0])}, {self.text(i.args[1])})"

    def o_board_between(self, i: Instruction) -> str:
        board = self.board(i.data)
        if board.size > 100:
            return f"between({self.constants.text(board, opaque=True)}, {self.text(i.args[0])}, {self.text(i.args[1])})"
        cells = range(board.size)
        table = self.constants.made(("between", i.data), lambda: tuple(tuple(board.between(a, b) for b in cells) for a in cells))
        return f"{table}[{self.text(i.args[0])}][{self.text(i.args[1])}]"

    def o_cell_row(self, i: Instruction) -> str:
        return self.table(self.board(i.args[0]).row_of, i.args[0])

    def o_cell_column(self, i: Instruction) -> str:
        return self.table(self.board(i.args[0]).column_of, i.args[0])

    def o_cell_adjacent(self, i: Instruction) -> str:
        return self.table(self.board(i.args[0]).adjacent, i.args[0])

    def by_direction(self, i: Instruction, what: str, entry: Callable[[Any, int, int], Any]) -> str:
        table, known = self.directions(i, what, entry), self.value_of(i.args[1])
        text = f"{table}[{self.text(i.args[0])}]"
        return text if known is not None else f"{text}[{self.text(i.args[1])}]"

    def directions(self, i: Instruction, what: str, entry: Callable[[Any, int, int], Any]) -> str:
        """The name of a table by cell, and by direction unless that is known."""
        board, known = self.board(i.args[0]), self.value_of(i.args[1])
        cells, n = range(board.size), len(t.DIRECTIONS)
        if known is not None:
            return self.constants.made((what, board.name, known[0]), lambda: tuple(entry(board, c, known[0]) for c in cells))
        return self.constants.made((what, board.name), lambda: tuple(tuple(entry(board, c, d) for d in range(n)) for c in cells))

    def o_cell_step(self, i: Instruction) -> str:
        return self.by_direction(i, "step", neighbour)

    def o_optional_list(self, i: Instruction) -> str:
        step, text = self.waiting_step(i.args[0]), self.text(i.args[0])
        if step is not None:  # the same place of a table that holds lists
            name = self.directions(step, "step", neighbour)
            if text.startswith(f"{name}["):
                return self.directions(step, "steps", neighbours) + text.removeprefix(name)
        end = END_OF_ZONE.fullmatch(text)
        return f"one_or_none({text})" if end is None else f"{end[1]}[-1:]" if end[2] == "-1" else f"{end[1]}[:1]"

    def waiting_step(self, slot: int) -> Instruction | None:
        """The step to a neighbour that a slot waits for, if nobody else reads it."""
        return None

    def o_cell_ray(self, i: Instruction) -> str:
        return self.by_direction(i, "ray", lambda board, c, d: board.ray(c, d))
