"""Boards: everything about cells is a table of the set-up."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core import operations as op
from croupier.core.builder import FALSE, NONE, TRUE, add, and_, const, eq, le, lt, mul, or_, select, sub
from croupier.core.operations import Const, Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import TypedExpr
from croupier.limits import MAX_CELLS_EXAMINED, MAX_TABLED_LINES
from croupier.lowering.context import Context, Operand
from croupier.lowering.operands import rule, word
from croupier.lowering.shapes import WORD, Items, NotLowered, Shape
from croupier.lowering.sources import TABLES, board_of, relation_of
from croupier.runtime.boards import STRAIGHT, Topology
from croupier.runtime.game import Value

MOST_ROWS = 70_000  # of a table about pairs of cells
DIRECTIONS = len(t.DIRECTIONS)
CELLS = Items("list", 0, WORD)


def _of_pair(
    c: Context, board: Topology, rows: Sequence[Value], shape: Shape, pair: Sequence[TypedExpr]
) -> Operand:
    """A value by a cell and a second word, of which there are as many for each cell."""
    cell, second = pair
    each = len(rows) // board.size
    return c.rows(list(rows), shape, add(mul(word(c, cell), const(each)), word(c, second)))


@rule("board.size")
def _size(c: Context, x: TypedExpr) -> Operand:
    return const(board_of(c, x).size)


@rule("board.directions")
def _directions(c: Context, x: TypedExpr) -> Operand:
    return c.known(board_of(c, x).directions, CELLS)


@rule("board.rows", "board.columns")
def _rows(c: Context, x: TypedExpr) -> Operand:
    b = board_of(c, x)
    return c.known(tuple(b.rows if x.op == "board.rows" else b.columns), Items("list", 0, CELLS))


@rule("board.row", "board.column")
def _row(c: Context, x: TypedExpr) -> Operand:
    b = board_of(c, x)
    rows = b.rows if x.op == "board.row" else b.columns
    i = c.w.temp(word(c, x.args[1]))
    c.w.guard(and_(le(const(b.first), i), le(i, const(b.first + len(rows) - 1))))
    return c.rows(list(rows), CELLS, sub(i, const(b.first)))


@rule("board.lines")
def _lines(c: Context, x: TypedExpr) -> Operand:
    n, b = word(c, x.args[1]), board_of(c, x)
    if not isinstance(n, Const):
        return _lines_of_any_length(c, x, b, c.w.temp(n))
    found = b.lines(n.value, MAX_CELLS_EXAMINED)
    if found is None:  # then it is a fault for the evaluator, too
        c.w.guard(FALSE)
        found = ()
    return c.known(found, Items("list", 0, CELLS))


def _lines_of_any_length(c: Context, x: TypedExpr, b: Topology, n: Expression) -> Operand:
    """The lines of a length that is known only when a game is played: a row of a table for each length of
    which there are any, and an empty one.
    """
    kind = x.args[1].type
    low, high = c.game.int_bounds(kind) if isinstance(kind, t.Int) else (None, None)
    first = 1 if low is None else max(low, 1)
    last = b.size if high is None else min(high, b.size)
    rows: list[Value] = [()]
    for length in range(first, last + 1):
        found = b.lines(length, MAX_CELLS_EXAMINED)
        if found is None:
            raise NotLowered("`lines` of a large board", x.span)
        if not found:
            break
        rows.append(found)
        if len(rows) * max(map(len, rows)) * (1 + length) > MAX_TABLED_LINES:
            raise NotLowered("`lines` of a large board", x.span)
    steps_of_one = b.size * len(STRAIGHT)  # cells that the evaluator looks at for each cell of a line
    if high is None or high * steps_of_one > MAX_CELLS_EXAMINED:
        c.w.guard(le(mul(n, const(steps_of_one)), const(MAX_CELLS_EXAMINED)))
    there = and_(le(const(first), n), lt(n, const(first + len(rows) - 1)))
    return c.rows(rows, Items("list", 0, CELLS), c.w.temp(select(there, sub(n, const(first - 1)), const(0))))


@rule("board.at")
def _at(c: Context, x: TypedExpr) -> Operand:
    b, w = board_of(c, x), c.w
    r, k = w.temp(word(c, x.args[1])), w.temp(word(c, x.args[2]))
    first, rows, columns = const(b.first), len(b.rows), len(b.columns)
    inside = and_(
        and_(le(first, r), le(r, const(b.first + rows - 1))),
        and_(le(first, k), le(k, const(b.first + columns - 1))),
    )
    cells = [b.at.get((b.first + row, b.first + column)) for row in range(rows) for column in range(columns)]
    found = c.rows(cells, WORD, add(mul(sub(r, first), const(columns)), sub(k, first))) if cells else NONE
    assert not hasattr(found, "shape")
    return w.temp(select(inside, found, NONE))


@rule("board.between")
def _between(c: Context, x: TypedExpr) -> Operand:
    b = board_of(c, x)
    if b.size * b.size > MOST_ROWS:
        return _between_on_large_board(c, b, c.w.temp(word(c, x.args[1])), c.w.temp(word(c, x.args[2])))
    rows = [b.between(i, j) for i in range(b.size) for j in range(b.size)]
    return _of_pair(c, b, rows, CELLS, x.args[1:])


def _between_on_large_board(c: Context, b: Topology, start: Expression, end: Expression) -> Operand:
    """The cells between two, found by walking from the first in each of its directions, in their order, until
    the second is met.
    """
    w = c.w
    longest = max(len(b.steps[cell]) for cell in range(b.size))
    directions = c.table(
        tuple(d for cell in range(b.size) for d in (*b.steps[cell], *[-1] * (longest - len(b.steps[cell]))))
    )
    steps = c.table(tuple(b.steps[cell].get(d, op.NONE) for cell in range(b.size) for d in range(DIRECTIONS)))
    into, at, is_met = c.empty_list(Items("list", b.size, WORD)), w.fresh(), w.fresh()
    w.set(is_met, FALSE)

    with w.count(FALSE, const(longest)) as i:
        direction = w.temp(op.Load(directions, add(mul(start, const(longest)), i)))
        w.leave_if(eq(direction, const(-1)))
        c.clear(into)
        w.set(at, start)
        with w.forever():
            w.set(at, op.Load(steps, add(mul(Local(at), const(DIRECTIONS)), direction)))
            w.leave_if(or_(eq(Local(at), NONE), eq(Local(at), start)))
            w.when(eq(Local(at), end), lambda: w.set(is_met, TRUE))
            w.leave_if(eq(Local(is_met), TRUE))
            c.push(Local(at), into)
        w.leave_if(eq(Local(is_met), TRUE))
    w.when(eq(Local(is_met), FALSE), lambda: c.clear(into))
    return into


@rule("cell.row", "cell.column")
def _cell_row(c: Context, x: TypedExpr) -> Operand:
    b = board_of(c, x)
    return c.rows(list(b.row_of if x.op == "cell.row" else b.column_of), WORD, word(c, x.args[0]))


@rule(*TABLES)
def _related(c: Context, x: TypedExpr) -> Operand:
    rows = relation_of(board_of(c, x), x.op)
    assert rows is not None
    return c.rows(list(rows), CELLS, word(c, x.args[0]))


@rule("cell.linked")
def _linked(c: Context, x: TypedExpr) -> Operand:
    b = board_of(c, x)
    return _of_pair(c, b, b.relations["linked"], CELLS, x.args)


@rule("link.kind")
def _kind(c: Context, x: TypedExpr) -> Operand:
    return c.rows(list(board_of(c, x).kinds), WORD, word(c, x.args[0]))


@rule("cell.step")
def _step(c: Context, x: TypedExpr) -> Operand:
    b = board_of(c, x)
    table = [b.steps[cell].get(d) for cell in range(b.size) for d in range(DIRECTIONS)]
    return _of_pair(c, b, table, WORD, x.args)


@rule("cell.ray")
def _ray(c: Context, x: TypedExpr) -> Operand:
    b = board_of(c, x)
    rows = [b.ray(cell, d) for cell in range(b.size) for d in range(DIRECTIONS)]
    return _of_pair(c, b, rows, CELLS, x.args)
