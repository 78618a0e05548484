"""The reference evaluator: players in order, boards and cells, and calls of the ruleset's own definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from croupier.kernel import types as t
from croupier.kernel.tree import CallExpr, OriginalExpr, TypedExpr, of_form
from croupier.limits import MAX_CALL_DEPTH, MAX_CELLS_EXAMINED, MAX_LIST
from croupier.runtime.boards import Topology
from croupier.runtime.compiler import Compiler, ExpressionRow, Operation, of_operands
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


def _expr_turns(ctx: Compiler, x: TypedExpr) -> Run:
    return _expr_clockwise(ctx, x) if x.args else fixed(tuple(range(ctx.game.players)))


# ------------------------------------------------------------ boards


def _board(ctx: Compiler, x: TypedExpr) -> Topology:
    assert isinstance(x.type, t.Board)
    return ctx.game.boards[x.type.name]


def _of_board(value: Callable[[Topology], Value]) -> ExpressionRow:
    """The row of a value that a board has for good."""
    return lambda ctx, x: fixed(value(_board(ctx, x.args[0])))


def _line(ctx: Compiler, x: TypedExpr, lines: Callable[[Topology], list[tuple[int, ...]]]) -> Run:
    board = _board(ctx, x.args[0])
    n, span, first, table = ctx.expr(x.args[1]), x.args[1].span, board.first, lines(board)

    def run(m: Machine, L: Locals) -> Value:
        i = n(m, L)
        if not first <= i < first + len(table):
            raise Fault("R005", span, index=i, size=len(table))
        return table[i - first]

    return run


def _expr_board_lines(ctx: Compiler, x: TypedExpr) -> Run:
    b, n, span = _board(ctx, x.args[0]), ctx.expr(x.args[1]), x.span

    def run(m: Machine, L: Locals) -> Value:
        found = b.lines(n(m, L), MAX_CELLS_EXAMINED)
        if found is None:
            raise Fault("R012", span, capacity=MAX_LIST)
        return found

    return run


def _on_board(operation: Operation) -> ExpressionRow:
    """The row of what a board says of cells, or of a row and a column."""
    return lambda ctx, x: operation(_board(ctx, x.args[0]), *ctx.exprs(x.args[1:]))


def _cell_board(ctx: Compiler, x: TypedExpr) -> Topology:
    return ctx.game.boards[x.args[0].type.board]  # type: ignore[attr-defined]


def _from_cell(operation: Operation) -> ExpressionRow:
    """The row of what the board of a cell says of it."""
    return lambda ctx, x: operation(_cell_board(ctx, x), *ctx.exprs(x.args))


def _of_cell(values: Callable[[Topology], Sequence[Value]]) -> ExpressionRow:
    """The row of a value that each cell of a board has for good."""

    def row(ctx: Compiler, x: TypedExpr) -> Run:
        table, cell = values(_cell_board(ctx, x)), ctx.expr(x.args[0])
        return lambda m, L: table[cell(m, L)]

    return row


def _step(board: Topology, cell: Run, direction: Run) -> Run:
    table = board.steps
    return lambda m, L: table[cell(m, L)].get(direction(m, L))


def _linked(board: Topology, cell: Run, kind: Run) -> Run:
    table = board.relations["linked"]
    count = len(table) // board.size
    return lambda m, L: table[cell(m, L) * count + kind(m, L)]


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
        return m.rules.original(m, target, [f(m, L) for f in runs], L[slot] or (), span)

    return run


def _expr_unknown(ctx: Compiler, x: TypedExpr) -> Run:
    raise AssertionError("a program with errors is never run")


EXPRESSIONS: dict[str, ExpressionRow] = {
    "clockwise": _expr_clockwise,
    "others": _expr_others,
    "next": partial(_neighbour, by=1),
    "previous": partial(_neighbour, by=-1),
    **dict.fromkeys(("player.seat", "enum.rank"), of_operands(lambda a: lambda m, L: a(m, L) + 1)),
    "turns": _expr_turns,
    "turns_of": lambda ctx, x: ctx.expr(x.args[0]),
    "board.size": _of_board(lambda board: board.size),
    "board.rows": _of_board(lambda board: tuple(board.rows)),
    "board.columns": _of_board(lambda board: tuple(board.columns)),
    "board.directions": _of_board(lambda board: board.directions),
    "board.row": partial(_line, lines=lambda board: board.rows),
    "board.column": partial(_line, lines=lambda board: board.columns),
    "board.lines": _expr_board_lines,
    "board.at": _on_board(lambda board, r, c: lambda m, L: board.at.get((r(m, L), c(m, L)))),
    "board.between": _on_board(lambda board, a, b: lambda m, L: board.between(a(m, L), b(m, L))),
    "cell.row": _of_cell(lambda board: board.row_of),
    "cell.column": _of_cell(lambda board: board.column_of),
    **dict.fromkeys(
        ("cell.adjacent", "edge.adjacent", "corner.adjacent", "link.adjacent"),
        _of_cell(lambda board: board.adjacent),
    ),
    "cell.step": _from_cell(_step),
    "cell.ray": _from_cell(lambda board, cell, d: lambda m, L: board.ray(cell(m, L), d(m, L))),
    "cell.edges": _of_cell(lambda board: board.relations["edges"]),
    "cell.corners": _of_cell(lambda board: board.relations["corners"]),
    "cell.links": _of_cell(lambda board: board.relations["links"]),
    "edge.corners": _of_cell(lambda board: board.relations["corners"]),
    "corner.edges": _of_cell(lambda board: board.relations["edges"]),
    **dict.fromkeys(
        ("edge.cells", "corner.cells", "link.cells"), _of_cell(lambda board: board.relations[""])
    ),
    "cell.linked": _from_cell(_linked),
    "link.kind": _of_cell(lambda board: board.kinds),
    "call": of_form(CallExpr, _expr_call),
    "original": of_form(OriginalExpr, _expr_original),
    "unknown": _expr_unknown,
}
