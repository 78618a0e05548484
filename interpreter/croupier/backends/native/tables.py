"""Instructions about maps, the state, what never changes (attributes, columns, seats, boards: tables), and calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from croupier.backends.native.lists import Lists
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.unsupported import Refused
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.limits import MAX_CELLS_EXAMINED
from croupier.semantics import types as t
from croupier.semantics.program import VarDef

LARGEST = 100  # cells of a board with a table of what lies between two


class Tables(Lists):
    """Instructions on maps, state, components, players and boards."""

    # ------------------------------------------------------------ maps and state
    def entry_of(self, key: int, kind: t.Map) -> str:
        """The place of a key in a map, from 0."""
        low, count = self.game.domain(kind.key)
        value = self.one(key)
        if isinstance(kind.key, t.Int) and not self.inside(key, low, low + count - 1):
            self.outside(value, low, low + count - 1)
        return value if low == 0 else self.fn.sub(value, str(low))

    def o_index(self, i: Instruction) -> Leaves:
        kind = self.kind(i.args[0])
        assert isinstance(kind, t.Map)
        width = self.words.width(kind.value)
        at = self.fn.at(self.fn.pointer(self.arg(i)), self.fn.mul(self.entry_of(i.args[1], kind), str(width)))
        found = [self.fn.load(self.fn.at(at, k)) for k in range(width)]
        if not isinstance(kind.value, (t.Optional, t.Nothing)):
            self.test(self.fn.test("eq", found[0], NONE_TEXT))
        return found

    def copied_map(self, slot: int, kind: t.Map) -> tuple[str, int]:
        width = self.words.width(kind.value)
        size = str(self.words.entries(kind) * width)
        to = self.allocate(size)
        self.fn.copy(to, self.fn.pointer(self.one(slot)), size)
        return to, width

    def o_put(self, i: Instruction) -> Leaves:
        kind = self.kind(i.args[0])
        assert isinstance(kind, t.Map)
        at, value = self.entry_of(i.args[1], kind), self.leaves(i.args[2])
        to, width = self.copied_map(i.args[0], kind)
        self.entry_written(to, at, value, width)
        return [self.fn.address(to)]

    def entry_written(self, to: str, at: str, value: Leaves, width: int) -> None:
        value = value if len(value) == width else [NONE_TEXT] * width
        start = self.fn.at(to, self.fn.mul(at, str(width)))
        for k, v in enumerate(value):
            self.fn.store(v, self.fn.at(start, k))

    def o_map(self, i: Instruction) -> Leaves:
        kind = self.kind(i.into[0])
        assert isinstance(kind, t.Map)
        if isinstance(kind.key, t.Never):
            raise Refused("a map without a key", i.span)
        width, args = self.words.width(kind.value), list(i.args)
        count = self.words.entries(kind)
        other = self.leaves(args.pop()) if len(args) % 2 else [NONE_TEXT] * width
        other = other if len(other) == width else [NONE_TEXT] * width
        to = self.allocate(str(count * width))
        with self.fn.counting("0", str(count)) as k:
            self.entry_written(to, k, other, width)
        for key, value in zip(args[::2], args[1::2], strict=True):
            self.entry_written(to, self.entry_of(key, kind), self.leaves(value), width)
        return [self.fn.address(to)]

    def o_state(self, i: Instruction) -> Leaves:
        v = self.facts.program.vars[i.data]
        return self.fetch(self.word(self.plan.vars[v.index]), v.type)

    def entry_at(self, name: str, key: int) -> tuple[str, t.Map]:
        v = self.facts.program.vars[name]
        assert isinstance(v.type, t.Map)
        size = self.words.room(v.type.value)
        at = self.entry_of(key, v.type)
        return self.fn.at(self.word(self.plan.vars[v.index]), at if size == 1 else self.fn.mul(at, str(size))), v.type

    def o_entry(self, i: Instruction) -> Leaves:
        at, kind = self.entry_at(i.data, i.args[0])
        found = self.fetch(at, kind.value)
        if i.op == "entry" and i.data in self.facts.gaps and not isinstance(kind.value, t.Optional):
            self.test(self.fn.test("eq", found[0], NONE_TEXT))
        return found

    o_mutable = o_entry

    def o_set_state(self, i: Instruction) -> None:
        v = self.facts.program.vars[i.data]
        self.keep(self.word(self.plan.vars[v.index]), v.type, self.leaves(i.args[0]))
        self.printer.cells.written(self, v)
        self.noticed(v)

    def noticed(self, v: VarDef) -> None:
        """Watchers look at what was written."""
        watching = sum(1 << w for w in self.game.code.watch_vars[v.index])
        if watching:
            self.called("notice", [f"i64 {watching}"])

    def o_set_entry(self, i: Instruction) -> None:
        value = self.leaves(i.args[1])
        at, kind = self.entry_at(i.data, i.args[0])
        self.printer.cells.writing(self, self.facts.program.vars[i.data], at, self.one(i.args[0]), value[0])
        self.keep(at, kind.value, value)
        self.noticed(self.facts.program.vars[i.data])

    o_set_mutable = o_set_entry

    # ------------------------------------------------------------ tables
    def table(self, i: Instruction, rows: Iterable[Any], k: int = 0, first: int = 0) -> Leaves:
        """A row of a table by a number; rows are values of the type of the result."""
        kind, f = self.kind(i.into[0]), self.fn
        leaves = [self.constant(row, kind) for row in rows]
        index = self.arg(i, k) if not first else f.sub(self.arg(i, k), str(first))
        return [self.printer.constants.lookup(f, [row[n] for row in leaves], index) for n in range(self.words.width(kind))]

    def of_piece(self, i: Instruction, value: Callable[[Any], Any]) -> Leaves:
        return self.table(i, [value(x) for x in self.game.pieces])

    def o_attr(self, i: Instruction) -> Leaves:
        return self.of_piece(i, lambda x: x.attributes.get(i.data))

    def o_copies(self, i: Instruction) -> Leaves:
        return self.table(i, self.game.alike.copies)

    def o_is_kind(self, i: Instruction) -> Leaves:
        return self.of_piece(i, lambda x: x.kind == i.data)

    def o_column(self, i: Instruction) -> Leaves:
        return self.table(i, self.game.columns[i.data])

    def turned(self, i: Instruction, first: int) -> Leaves:
        n = self.game.players
        return self.table(i, [tuple((q + k) % n for k in range(first, n)) for q in range(n)])

    def o_clockwise(self, i: Instruction) -> Leaves:
        return self.turned(i, 0)

    o_turns_from = o_clockwise

    def o_others(self, i: Instruction) -> Leaves:
        return self.turned(i, 1)

    def o_next(self, i: Instruction) -> Leaves:
        n = self.game.players
        return self.table(i, [(q + 1) % n for q in range(n)])

    def o_previous(self, i: Instruction) -> Leaves:
        n = self.game.players
        return self.table(i, [(q - 1) % n for q in range(n)])

    # ------------------------------------------------------------ boards
    def board(self, i: Instruction) -> Any:
        kind = self.kind(i.args[0]) if i.args else None
        return self.game.boards[kind.board if isinstance(kind, t.Cell) else i.data]

    def numbered(self, i: Instruction, rows: Any) -> Leaves:
        if not self.inside(i.args[0], 1, len(rows)):
            self.outside(self.arg(i), 1, len(rows))
        return self.table(i, rows, first=1)

    def o_board_row(self, i: Instruction) -> Leaves:
        return self.numbered(i, self.game.boards[i.data].rows)

    def o_board_column(self, i: Instruction) -> Leaves:
        return self.numbered(i, self.game.boards[i.data].columns)

    def o_board_lines(self, i: Instruction) -> Leaves:
        low, high = self.interval(i.args[0])
        lines = self.game.boards[i.data].lines
        if low is None or low != high or lines(low, MAX_CELLS_EXAMINED) is None:
            raise Refused("lines of a length that is not known before", i.span)
        return self.constant(lines(low, MAX_CELLS_EXAMINED), self.kind(i.into[0]))

    def o_board_at(self, i: Instruction) -> Leaves:
        f, rows = self.fn, self.game.boards[i.data].rows
        row, column = (f.sub(self.arg(i, k), "1") for k in (0, 1))
        inside = f.both(f.value(f"icmp ult i64 {row}, {len(rows)}"), f.value(f"icmp ult i64 {column}, {len(rows[0])}"))
        at = f.choose(inside, f.add(f.mul(row, str(len(rows[0]))), column), "0")
        return [f.choose(inside, self.printer.constants.lookup(f, [str(c) for r in rows for c in r], at), NONE_TEXT)]

    def o_board_between(self, i: Instruction) -> Leaves:
        board = self.board(i)
        if board.size > LARGEST:
            raise Refused("the cells between two of so large a board", i.span)
        kind, cells = self.kind(i.into[0]), range(board.size)
        rows = [self.constant(tuple(board.between(a, b)), kind)[0] for a in cells for b in cells]
        at = self.fn.add(self.fn.mul(self.arg(i), str(board.size)), self.arg(i, 1))
        return [self.printer.constants.lookup(self.fn, rows, at)]

    def o_cell_row(self, i: Instruction) -> Leaves:
        return self.table(i, self.board(i).row_of)

    def o_cell_column(self, i: Instruction) -> Leaves:
        return self.table(i, self.board(i).column_of)

    def o_cell_adjacent(self, i: Instruction) -> Leaves:
        return self.table(i, self.board(i).adjacent)

    def by_direction(self, i: Instruction, entry: Callable[[Any, int, int], Any]) -> Leaves:
        board, n, kind = self.board(i), len(t.DIRECTIONS), self.kind(i.into[0])
        rows = [self.constant(entry(board, c, d), kind)[0] for c in range(board.size) for d in range(n)]
        at = self.fn.add(self.fn.mul(self.arg(i), str(n)), self.arg(i, 1))
        return [self.printer.constants.lookup(self.fn, rows, at)]

    def o_cell_step(self, i: Instruction) -> Leaves:
        return self.by_direction(i, lambda board, c, d: board.steps[c].get(d))

    def o_cell_ray(self, i: Instruction) -> Leaves:
        return self.by_direction(i, lambda board, c, d: board.ray(c, d))

    # ------------------------------------------------------------ calls
    def o_call(self, i: Instruction) -> None:
        callee = self.facts.module.routines[i.data]
        self.handed_back(i, callee, self.printer.hooks.call(callee), i.args)

    def o_original(self, i: Instruction) -> None:
        callee, (chain, *args) = self.facts.module.routines[i.data], i.args
        self.handed_back(i, callee, self.printer.hooks.instead(callee), args, [f"i64 {self.one(chain)}"])

    def handed_back(self, i: Instruction, callee: Routine, name: str, slots: Sequence[int], first: Sequence[str] = ()) -> None:
        """Call a function with what is in some slots; what it hands back goes to the results."""
        params = [q.slot for q in self.facts.program.procs[callee.index].params]
        args = [*first, *(f"i64 {v}" for a, s in zip(slots, params, strict=True) for v in self.widened(a, callee.slots[s].type))]
        widths = [self.width(s) for s in i.into]
        out = self.fn.slot(max(1, sum(widths)))
        self.called(name, [*args, f"ptr {out}"])
        at = 0
        for s, width in zip(i.into, widths, strict=True):
            self.assign(s, [self.fn.load(self.fn.at(out, at + k)) for k in range(width)])
            at += width
