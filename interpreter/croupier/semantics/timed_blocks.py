"""Checks of `for 10 seconds` that need the whole program.

How long a block takes is known before the game begins, so that the time tells nothing: the seconds follow
from numbers and parameters. The time is always taken in full: no statement leaves the block early, and no
other block of this kind stands in it. Where somebody decides something in it, itself or in what it calls, it
says what is chosen `otherwise`, for whoever has not decided when the time is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.diagnostics import Diagnostic, diagnose
from croupier.kernel.tree import (
    ConstExpr,
    ForSecondsStmt,
    OperationExpr,
    ParamExpr,
    TypedStmt,
)
from croupier.limits import MAX_SECONDS
from croupier.semantics.call_effects import first_reached
from croupier.semantics.program import Program
from croupier.semantics.walk import bounds, exits, statements


def check_timed_blocks(program: Program) -> Iterator[Diagnostic]:
    """Return what is wrong with the blocks that take their time (`T085`)."""
    for proc in program.procs:
        for s in statements(proc.body):
            if isinstance(s, ForSecondsStmt):
                yield from _check_seconds(s)
                yield from _check_block(s)
                yield from _check_otherwise(program, s)


def _check_seconds(s: ForSecondsStmt) -> Iterator[Diagnostic]:
    seconds = s.args[0]
    if any(not isinstance(x, ConstExpr | ParamExpr | OperationExpr) for x in seconds.walk()):
        problem = "how long a block takes follows from numbers and parameters, never from the position"
        yield diagnose("T085", seconds.span, problem=problem)
        return
    low, high = bounds(seconds).low, bounds(seconds).high
    if low is None or high is None or low < 0 or high > MAX_SECONDS:
        problem = f"a block takes 0 to {MAX_SECONDS} seconds"
        yield diagnose("T085", seconds.span, problem=problem)


def _check_block(s: ForSecondsStmt) -> Iterator[Diagnostic]:
    for way_out in exits(s.blocks[0]):
        problem = f"`{way_out.op}` leaves the block before its time is over"
        yield diagnose("T085", way_out.span, problem=problem)
    for inner in statements(s.blocks[0]):
        if isinstance(inner, ForSecondsStmt):
            problem = "this takes its time within a block that takes its own"
            yield diagnose("T085", inner.span, problem=problem)


def _check_otherwise(program: Program, s: ForSecondsStmt) -> Iterator[Diagnostic]:
    does_ask = asks_within(program, s.blocks[0])
    if does_ask and not s.otherwise:
        problem = "somebody decides here, and it is not said what is chosen when the time is over"
        help = "say it: `for 10 seconds otherwise first:`, or `otherwise random`"
        yield diagnose("T085", s.span, problem=problem, help=help)
    elif s.otherwise and not does_ask:
        problem = f"nobody decides anything here, so nothing is chosen `otherwise {s.otherwise}`"
        yield diagnose("T085", s.span, problem=problem, help="leave it out: `for 10 seconds:`")


def asks_within(program: Program, block: list[TypedStmt]) -> bool:
    """Tell whether some seat may be asked in a block, or in what it calls or opens."""
    return first_reached(program, block, lambda s: s.facts.asks or None) is not None
