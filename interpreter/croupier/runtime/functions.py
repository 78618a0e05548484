"""The reference evaluator: players in order, boards and cells, and calls of the ruleset's own definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from croupier.kernel import types as t
from croupier.kernel.tree import CallExpr, OriginalExpr, TypedExpr, of_form
from croupier.limits import MAX_CALL_DEPTH, MAX_CELLS_EXAMINED, MAX_LIST
from croupier.runtime.boards import Topology
from croupier.runtime.compiler import Compiler, ExpressionRow
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import Locals, Machine, Run
from croupier.runtime.values import fixed

# ------------------------------------------------------------ players


def _expr_clockwise(ctx: Compiler, x: TypedExpr) -> Run:
    runs, n = ctx.exprs(x.args), ctx.game.players
    table = [tuple((p + i) % n for i in range(n)) for p in range(n)]
    if len(runs) == 1:
        start = runs[0]
        return lambda m, L: table[start(m, L)]
    start, among = runs

    def run(m: Machine, L: Locals) -> Value:
        ps = among(m, L)
        return tuple(p for p in table[start(m, L)] if p in ps)

    return run


def _expr_others(ctx: Compiler, x: TypedExpr) -> Run:
    start, n = ctx.expr(x.args[0]), ctx.game.players
    table = [tuple((p + i) % n for i in range(1, n)) for p in range(n)]
    return lambda m, L: table[start(m, L)]


def _neighbour(ctx: Compiler, x: TypedExpr, by: int) -> Run:
    runs, n, span = ctx.exprs(x.args), ctx.game.players, x.span
    if len(runs) == 1:
        start = runs[0]
        return lambda m, L: (start(m, L) + by) % n
    start, among = runs

    def run(m: Machine, L: Locals) -> Value:
        p, ps = start(m, L), among(m, L)
        for i in range(1, n + 1):
            if (p + by * i) % n in ps:
                return (p + by * i) % n
        raise Fault("R001", span)

    return run


def _expr_next(ctx: Compiler, x: TypedExpr) -> Run:
    return _neighbour(ctx, x, 1)


def _expr_previous(ctx: Compiler, x: TypedExpr) -> Run:
    return _neighbour(ctx, x, -1)


def _expr_player_seat(ctx: Compiler, x: TypedExpr) -> Run:
    p = ctx.expr(x.args[0])
    return lambda m, L: p(m, L) + 1


def _expr_turns(ctx: Compiler, x: TypedExpr) -> Run:
    n = ctx.game.players
    if not x.args:
        return fixed(ctx, tuple(range(n)))
    start = ctx.expr(x.args[0])
    return lambda m, L: tuple((start(m, L) + i) % n for i in range(n))


def _expr_turns_of(ctx: Compiler, x: TypedExpr) -> Run:
    return ctx.expr(x.args[0])


# ------------------------------------------------------------ boards


def _board(ctx: Compiler, x: TypedExpr) -> Topology:
    assert isinstance(x.type, t.Board)
    return ctx.game.boards[x.type.name]


def _of_board(read: Callable[[Topology], Value]) -> ExpressionRow:
    """The row of what is known of a board."""
    return lambda ctx, x: fixed(ctx, read(_board(ctx, x.args[0])))


def _one_of(ctx: Compiler, x: TypedExpr, table: list[tuple[int, ...]]) -> Run:
    n, span, first = ctx.expr(x.args[1]), x.args[1].span, _board(ctx, x.args[0]).first

    def run(m: Machine, L: Locals) -> Value:
        i = n(m, L)
        if not first <= i < first + len(table):
            raise Fault("R005", span, index=i, size=len(table))
        return table[i - first]

    return run


def _expr_board_row(ctx: Compiler, x: TypedExpr) -> Run:
    return _one_of(ctx, x, _board(ctx, x.args[0]).rows)


def _expr_board_column(ctx: Compiler, x: TypedExpr) -> Run:
    return _one_of(ctx, x, _board(ctx, x.args[0]).columns)


def _expr_board_lines(ctx: Compiler, x: TypedExpr) -> Run:
    b, n, span = _board(ctx, x.args[0]), ctx.expr(x.args[1]), x.span

    def run(m: Machine, L: Locals) -> Value:
        found = b.lines(n(m, L), MAX_CELLS_EXAMINED)
        if found is None:
            raise Fault("R012", span, capacity=MAX_LIST)
        return found

    return run


def _expr_board_at(ctx: Compiler, x: TypedExpr) -> Run:
    b, r, k = _board(ctx, x.args[0]), ctx.expr(x.args[1]), ctx.expr(x.args[2])

    return lambda m, L: b.at.get((r(m, L), k(m, L)))


def _expr_board_between(ctx: Compiler, x: TypedExpr) -> Run:
    b, c, d = _board(ctx, x.args[0]), ctx.expr(x.args[1]), ctx.expr(x.args[2])
    return lambda m, L: b.between(c(m, L), d(m, L))


def _cell_board(ctx: Compiler, x: TypedExpr) -> Topology:
    return ctx.game.boards[x.args[0].type.board]  # type: ignore[attr-defined]


def _of_cell(table_of: Callable[[Topology], Sequence[Value]]) -> ExpressionRow:
    """The row of what a table of the board says of a cell, an edge, a corner or a link."""

    def row(ctx: Compiler, x: TypedExpr) -> Run:
        table, c = table_of(_cell_board(ctx, x)), ctx.expr(x.args[0])
        return lambda m, L: table[c(m, L)]

    return row


def _expr_cell_step(ctx: Compiler, x: TypedExpr) -> Run:
    table, c, d = _cell_board(ctx, x).steps, ctx.expr(x.args[0]), ctx.expr(x.args[1])
    return lambda m, L: table[c(m, L)].get(d(m, L))


def _expr_cell_ray(ctx: Compiler, x: TypedExpr) -> Run:
    b, c, d = _cell_board(ctx, x), ctx.expr(x.args[0]), ctx.expr(x.args[1])
    return lambda m, L: b.ray(c(m, L), d(m, L))


def _expr_cell_linked(ctx: Compiler, x: TypedExpr) -> Run:
    b, c, kind = _cell_board(ctx, x), ctx.expr(x.args[0]), ctx.expr(x.args[1])
    table, count = b.relations["linked"], len(b.relations["linked"]) // b.size
    return lambda m, L: table[c(m, L) * count + kind(m, L)]


# ------------------------------------------------------------ calls


def _expr_call(ctx: Compiler, x: CallExpr) -> Run:
    target, runs, span = x.proc, ctx.exprs(x.args), x.span
    proc = ctx.game.program.procs[target]
    if proc.nested is not None or any(q.var for q in proc.params):
        return lambda m, L: m.call(target, [f(m, L) for f in runs], span)
    rest = [None] * (len(proc.slots) - len(runs))

    def run(m: Machine, L: Locals) -> Value:
        """Call a definition as `Machine.call` does, if it is not nested and gives only its value."""
        rules = m.rules
        args = [f(m, L) for f in runs]
        if target in rules.hooked:
            return rules.dispatch(m, target, args, span)
        called = rules.procs[target]
        args += rest
        height = called.height
        if m.height + height > MAX_CALL_DEPTH:
            raise Fault("R023", span, name=proc.name)
        m.height += height
        cites, above = m.cites, m.called
        if m.recorder is not None:
            m.called = m.because()
        try:
            if (only := called.value) is not None:
                return only(m, args)
            body = called.body
            assert body is not None  # what is called so never suspends
            body(m, args)
        finally:
            m.height -= height
            m.cites, m.called = cites, above
        value, m.retval, m.retval_vars = m.retval, None, []
        return value

    return run


def _expr_original(ctx: Compiler, x: OriginalExpr) -> Run:
    target, runs, span = x.proc, ctx.exprs(x.args), x.span
    slot = ctx.original_slot()

    def run(m: Machine, L: Locals) -> Value:
        return m.call_original(target, [f(m, L) for f in runs], L[slot] or (), span)

    return run


def _expr_unknown(ctx: Compiler, x: TypedExpr) -> Run:
    raise AssertionError("a program with errors is never run")


EXPRESSIONS: dict[str, ExpressionRow] = {
    "clockwise": _expr_clockwise,
    "others": _expr_others,
    "next": _expr_next,
    "previous": _expr_previous,
    "player_seat": _expr_player_seat,
    "turns": _expr_turns,
    "turns_of": _expr_turns_of,
    "board_size": _of_board(lambda board: board.size),
    "board_rows": _of_board(lambda board: tuple(board.rows)),
    "board_columns": _of_board(lambda board: tuple(board.columns)),
    "board_directions": _of_board(lambda board: board.directions),
    "board_row": _expr_board_row,
    "board_column": _expr_board_column,
    "board_lines": _expr_board_lines,
    "board_at": _expr_board_at,
    "board_between": _expr_board_between,
    "cell_row": _of_cell(lambda board: board.row_of),
    "cell_column": _of_cell(lambda board: board.column_of),
    "cell_step": _expr_cell_step,
    "cell_ray": _expr_cell_ray,
    **dict.fromkeys(("edge_cells", "corner_cells", "link_cells"), _of_cell(lambda b: b.relations[""])),
    **dict.fromkeys(("cell_edges", "corner_edges"), _of_cell(lambda board: board.relations["edges"])),
    **dict.fromkeys(("cell_corners", "edge_corners"), _of_cell(lambda board: board.relations["corners"])),
    "cell_links": _of_cell(lambda board: board.relations["links"]),
    **dict.fromkeys(
        ("cell_adjacent", "edge_adjacent", "corner_adjacent", "link_adjacent"),
        _of_cell(lambda board: board.adjacent),
    ),
    "cell_linked": _expr_cell_linked,
    "link_kind": _of_cell(lambda board: board.kinds),
    "call": of_form(CallExpr, _expr_call),
    "original": of_form(OriginalExpr, _expr_original),
    "unknown": _expr_unknown,
    "enum_rank": _expr_player_seat,
}
