"""The reference evaluator: players in order, boards and cells, and calls of the ruleset's own definitions."""

from __future__ import annotations

from typing import Any

from croupier.limits import MAX_CALL_DEPTH, MAX_CELLS_EXAMINED, MAX_LIST
from croupier.runtime.evaluate import Run
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.members import Members
from croupier.semantics.tree import X


class Functions(Members):
    """Built-in functions, members of boards and cells, and calls, as functions of machine and locals."""

    # ------------------------------------------------------------ players
    def x_clockwise(self, x: X) -> Run:
        runs, n = self.exprs(x.args), self.game.players
        table = [tuple((p + i) % n for i in range(n)) for p in range(n)]
        if len(runs) == 1:
            start = runs[0]
            return lambda m, L: table[start(m, L)]
        start, among = runs

        def run(m: Any, L: list[Any]) -> Value:
            ps = among(m, L)
            return tuple(p for p in table[start(m, L)] if p in ps)

        return run

    def x_others(self, x: X) -> Run:
        start, n = self.expr(x.args[0]), self.game.players
        table = [tuple((p + i) % n for i in range(1, n)) for p in range(n)]
        return lambda m, L: table[start(m, L)]

    def neighbour(self, x: X, by: int) -> Run:
        runs, n, span = self.exprs(x.args), self.game.players, x.span
        if len(runs) == 1:
            start = runs[0]
            return lambda m, L: (start(m, L) + by) % n
        start, among = runs

        def run(m: Any, L: list[Any]) -> Value:
            p, ps = start(m, L), among(m, L)
            for i in range(1, n + 1):
                if (p + by * i) % n in ps:
                    return (p + by * i) % n
            raise Fault("R001", span)

        return run

    def x_next(self, x: X) -> Run:
        return self.neighbour(x, 1)

    def x_previous(self, x: X) -> Run:
        return self.neighbour(x, -1)

    def x_player_seat(self, x: X) -> Run:
        p = self.expr(x.args[0])
        return lambda m, L: p(m, L) + 1

    x_enum_rank = x_player_seat

    def x_turns(self, x: X) -> Run:
        n = self.game.players
        if not x.args:
            return self.fixed(tuple(range(n)))
        start = self.expr(x.args[0])
        return lambda m, L: tuple((start(m, L) + i) % n for i in range(n))

    def x_turns_of(self, x: X) -> Run:
        return self.expr(x.args[0])

    # ------------------------------------------------------------ boards
    def board(self, x: X) -> Any:
        return self.game.boards[x.type.name if hasattr(x.type, "name") and x.type.name in self.game.boards else x.data]

    def x_board_size(self, x: X) -> Run:
        return self.fixed(self.board(x.args[0]).size)

    def x_board_cells(self, x: X) -> Run:
        b = self.game.boards[x.data] if x.data else self.board(x.args[0])
        return self.fixed(tuple(range(b.size)))

    def x_board_rows(self, x: X) -> Run:
        return self.fixed(tuple(self.board(x.args[0]).rows))

    def x_board_columns(self, x: X) -> Run:
        return self.fixed(tuple(self.board(x.args[0]).columns))

    def x_board_directions(self, x: X) -> Run:
        return self.fixed(self.board(x.args[0]).directions)

    def one_of(self, x: X, table: list[tuple[int, ...]]) -> Run:
        n, span = self.expr(x.args[1]), x.args[1].span

        def run(m: Any, L: list[Any]) -> Value:
            i = n(m, L)
            if not 1 <= i <= len(table):
                raise Fault("R005", span, index=i, size=len(table))
            return table[i - 1]

        return run

    def x_board_row(self, x: X) -> Run:
        return self.one_of(x, self.board(x.args[0]).rows)

    def x_board_column(self, x: X) -> Run:
        return self.one_of(x, self.board(x.args[0]).columns)

    def x_board_lines(self, x: X) -> Run:
        b, n, span = self.board(x.args[0]), self.expr(x.args[1]), x.span

        def run(m: Any, L: list[Any]) -> Value:
            found = b.lines(n(m, L), MAX_CELLS_EXAMINED)
            if found is None:
                raise Fault("R012", span, capacity=MAX_LIST)
            return found

        return run

    def x_board_at(self, x: X) -> Run:
        b, r, k = self.board(x.args[0]), self.expr(x.args[1]), self.expr(x.args[2])

        def run(m: Any, L: list[Any]) -> Value:
            row, column = r(m, L), k(m, L)
            return b.rows[row - 1][column - 1] if 1 <= row <= len(b.rows) and 1 <= column <= len(b.columns) else None

        return run

    def x_board_between(self, x: X) -> Run:
        b, c, d = self.board(x.args[0]), self.expr(x.args[1]), self.expr(x.args[2])
        return lambda m, L: b.between(c(m, L), d(m, L))

    def cell_board(self, x: X) -> Any:
        return self.game.boards[x.args[0].type.board]  # type: ignore[attr-defined]

    def x_cell_row(self, x: X) -> Run:
        table, c = self.cell_board(x).row_of, self.expr(x.args[0])
        return lambda m, L: table[c(m, L)]

    def x_cell_column(self, x: X) -> Run:
        table, c = self.cell_board(x).column_of, self.expr(x.args[0])
        return lambda m, L: table[c(m, L)]

    def x_cell_adjacent(self, x: X) -> Run:
        table, c = self.cell_board(x).adjacent, self.expr(x.args[0])
        return lambda m, L: table[c(m, L)]

    def x_cell_step(self, x: X) -> Run:
        table, c, d = self.cell_board(x).steps, self.expr(x.args[0]), self.expr(x.args[1])
        return lambda m, L: table[c(m, L)].get(d(m, L))

    def x_cell_ray(self, x: X) -> Run:
        b, c, d = self.cell_board(x), self.expr(x.args[0]), self.expr(x.args[1])
        return lambda m, L: b.ray(c(m, L), d(m, L))

    # ------------------------------------------------------------ calls
    def x_call(self, x: X) -> Run:
        target, runs, span = x.data, self.exprs(x.args), x.span
        proc = self.game.program.procs[target]
        if proc.nested is not None or any(q.var for q in proc.params):
            return lambda m, L: m.call(target, [f(m, L) for f in runs], span)
        rest = [None] * (len(proc.slots) - len(runs))

        def run(m: Any, L: list[Any]) -> Value:
            """What `Machine.call` does, for a definition that is not nested and gives nothing back but its value."""
            code = m.game.code
            args = [f(m, L) for f in runs]
            if target in code.hooked:
                return code.dispatch(m, target, args, span)
            called = code.procs[target]
            args += rest
            height = called.height
            if m.height + height > MAX_CALL_DEPTH:
                raise Fault("R023", span, name=proc.name)
            m.height += height
            cites, above = m.cites, m.called
            if m.recorder is not None:
                m.called = m.because()
            try:
                if called.value is not None:
                    return called.value(m, args)
                called.body(m, args)
            finally:
                m.height -= height
                m.cites, m.called = cites, above
            value, m.retval, m.retval_vars = m.retval, None, []
            return value

        return run

    def x_original(self, x: X) -> Run:
        target, runs, span = x.data, self.exprs(x.args), x.span
        slot = self.original_slot()

        def run(m: Any, L: list[Any]) -> Value:
            return m.call_original(target, [f(m, L) for f in runs], L[slot] or (), span)

        return run

    def original_slot(self) -> int:
        """The slot that holds the rest of the chain, in the hook that is made ready."""
        raise AssertionError("no hook is made ready while a game is set up")

    def x_unknown(self, x: X) -> Run:
        raise AssertionError("a program with errors is never run")
