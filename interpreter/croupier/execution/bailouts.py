"""Reasons why compiled code left an action to the evaluator: the resource that ran out, and the statement in
which it did.

Compiled code only says that it failed. To find out where, the game is lowered once more with marks: before
each statement a local takes its number. That program is run over the history of a game in Python, and the
action that fails there fails in a frame that holds the mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType

from croupier.diagnostics import Span
from croupier.execution.python_program import PythonPosition, PythonProgram
from croupier.lowering import NotLowered, lower
from croupier.lowering.context import MARK, MarkedStatement
from croupier.printers.python import TooDeeplyNested
from croupier.runtime.event_cache import Entry, actor_and_action
from croupier.runtime.game import Game

FUEL, CALLS, ELEMENTS = "fuel", "calls", "elements"  # what an action can use up


@dataclass(frozen=True, slots=True)
class BailoutReason:
    """The reason why compiled code failed: the resource of `FUEL`, `CALLS` and `ELEMENTS`, the definition or
    phase that ran, and its statement.
    """

    resource: str
    rule: str
    span: Span


def find_reason(game: Game, history: Iterable[Entry]) -> BailoutReason | None:
    """Return the reason why compiled code fails in a game; `None` if it does not, because only native code
    lacks a resource.

    `history`: the entries of a state's history.
    """
    marks: list[MarkedStatement] = []
    try:
        program = PythonProgram(
            lower(game, marks=marks).program, game.program.limits["fuel"], optimized=False
        )
    except (NotLowered, TooDeeplyNested):
        return None
    before = program.position()
    if before.failed:
        return _reason(program, lambda: _begin(program), marks)
    for entry in history:
        after = before.copy()
        seat, action = actor_and_action(entry)
        after.apply(action, seat)
        if after.failed:
            return _reason(program, lambda: _apply(program, before, seat, action), marks)  # noqa: B023  (called at once)
        before = after
    return None


def _begin(program: PythonProgram) -> None:
    """Run a game to its first wait. Raises what failures raise."""
    S = program.initial()
    if program.program.start is not None:
        program.namespace[f"f_{program.program.start}"](S)
    program.go(S)


def _apply(program: PythonProgram, before: PythonPosition, seat: int, action: int) -> None:
    """Apply an action to a position. Raises what failures raise."""
    S = before.S
    S.chosen, S.chosen_seat, S.fuel, S.examined = action, seat, program.fuel, [0, program.fuel]
    program.go(S)


def _reason(
    program: PythonProgram, run: Callable[[], object], marks: list[MarkedStatement]
) -> BailoutReason | None:
    """Return the reason why `run` fails; `None` if it does not fail, or fails outside of the rules."""
    try:
        run()
    except program.failures as failed:
        frames = _marked_frames(failed.__traceback__)
        if not frames:
            return None
        mark, position = frames[-1]
        if isinstance(failed, RecursionError):
            resource = CALLS
        elif getattr(position, "fuel", 0) < 0:
            resource = FUEL
        else:
            resource = ELEMENTS
        return BailoutReason(resource, marks[mark].rule, marks[mark].span)
    except program.finished:
        return None
    return None


def _marked_frames(found: TracebackType | None) -> list[tuple[int, object]]:
    """The frames of a failure that run statements of rules, outermost first: the mark of the statement, and
    the position.
    """
    frames = []
    while found is not None:
        held = found.tb_frame.f_locals
        if MARK in held:
            frames.append((held[MARK], held.get("S")))
        found = found.tb_next
    return frames


def describe(reason: BailoutReason, fuel: int) -> str:
    """The reason in words: resource, rule and line. `fuel`: the steps that an action may take."""
    match reason.resource:
        case "fuel":
            what = (
                f"an action may take more steps than the {fuel:,} that `fuel` allows, as compiled code "
                f"bounds them; more `fuel` in `limits` helps"
            )
        case "calls":
            what = "calls within calls are deeper than compiled code has memory for"
        case _:
            what = "a list gets more elements than compiled code has room for; a type with `up to` makes room"
    return f"in `{reason.rule}` ({reason.span}), {what}"
