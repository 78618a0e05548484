"""Which back end plays a game: `reference`, `python`, `native`, or `auto`: `python` if that compiles the ruleset, otherwise `reference`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError, Span, diagnose, sanitise
from croupier.runtime.game import Game
from croupier.runtime.restoring import first, replayed, restore_state
from croupier.runtime.state import State

if TYPE_CHECKING:
    from croupier.execution.native_games import Native
    from croupier.execution.python_state import Compiled
    from croupier.runtime.state import Rules


class Refused(Exception):
    """A back end does not compile a construct. `what` is the construct in words."""

    def __init__(self, what: str, span: Span | None) -> None:
        super().__init__(what)
        self.what, self.span = what, span
        self.is_told = False  # has somebody been told who did not ask for this back end?


BACKENDS = ("auto", "reference", "python", "native")


def new_state(ruleset: Rules, game: Game, backend: str) -> State:
    """The state before the first decision or chance event, on a back end of `BACKENDS`.

    Raises `RulesetError` for a back end that is not there (X602) or does not compile the ruleset (X601), ValueError for an unknown name.
    """
    known(backend)
    if backend == "native":
        return native_state(ruleset, game)
    if backend == "reference" or game.trace is not None:
        return State(ruleset, game)
    from croupier.execution.python_state import PythonState

    try:
        return PythonState(ruleset, game, compiled(game))
    except Refused as refused:
        if backend == "auto":
            if not refused.is_told:
                refused.is_told = True
                sys.stderr.write(f"croupier: {instead('reference', 'python', refused)}\n")
            return State(ruleset, game)
        raise RulesetError((diagnose("X601", refused.span, backend=backend, what=refused.what),)) from None


def instead(plays: str, backend: str, refused: Refused) -> str:
    """Which back end plays, and why another one does not, in one line."""
    place = "" if refused.span is None else f" ({refused.span})"
    return sanitise(f"`{plays}` plays, because `{backend}` does not compile {refused.what}{place}: see `croupier explain X601`")


def why_not_native(game: Game, plays: str) -> str | None:
    """Why native code, which was asked for, does not play; none where it plays, or nobody has tried."""
    refused = next((found for found in (game.native, game.checked) if isinstance(found, Refused)), None)
    return None if refused is None else instead(plays, "native", refused)


def known(backend: str) -> None:
    """Raises ValueError for the name of no back end."""
    if backend not in BACKENDS:
        raise ValueError(f"the back ends are {', '.join(BACKENDS)}")


def restored(ruleset: Rules, text: str, backend: str, replay: bool) -> State:
    """The state that was saved as a text, on a back end. Its history is played again where that is asked for, or there is no other way.

    Raises ValueError for any other text, `RulesetError` as `new_state` does.
    """
    known(backend)
    saved = restore_state(ruleset, text)
    if backend == "native" and saved._start is not None:
        raise ValueError("a game that began at a declared position is played on `reference` or `python`")
    if not replay and backend != "native" and saved.fault is None:
        return _moved(saved, backend)
    if backend == "native":
        return replayed(native_state(ruleset, saved.game), saved)
    state = replayed(_moved(first(saved), backend), saved)
    return saved if state.backend == saved.backend else state


def _moved(state: State, backend: str) -> State:
    """A state of the evaluator that goes on as compiled Python, if the back end asks for it. Raises `RulesetError` as `new_state` does."""
    if backend == "reference":
        return state
    from croupier.execution.python_state import moved

    try:
        return moved(state, compiled(state.game))
    except Refused as refused:
        if backend == "auto":
            return state
        raise RulesetError((diagnose("X601", refused.span, backend=backend, what=refused.what),)) from None


def native_state(ruleset: Rules, game: Game) -> State:
    """A state in native code. Raises `RulesetError` as `new_state` does."""
    from croupier.execution import llvm_compiler

    if not llvm_compiler.installed():
        raise RulesetError((diagnose("X602", None, backend="native"),))
    from croupier.execution.native_state import NativeState

    code = native_code(ruleset, game)
    if code is None:
        raise RulesetError((diagnose("X601", game.native.span, backend="native", what=game.native.what),))
    return NativeState(ruleset, code)


def native_code(ruleset: Rules, game: Game, *, compile: bool = True, checked: bool = False) -> Native | None:
    """The game compiled to native code, once; none if there is no compiler, if it refuses (`game.native` says why), or if nobody has compiled it
    before and `compile` does not ask for that. `checked` code tests the invariants in whole games."""
    from croupier.execution import llvm_compiler
    from croupier.lowering import NotLowered

    found = game.checked if checked else game.native
    if found is None and llvm_compiler.installed():
        from croupier.execution.native_games import compile_game

        try:
            with no_collection():
                found = compile_game(game, ruleset, only_kept=not compile, checked=checked)
        except NotLowered as refused:
            found = Refused(refused.what, refused.span)
        if checked:
            game.checked = found
        else:
            game.native = found
    return None if isinstance(found, Refused) else found


@contextmanager
def no_collection() -> Iterator[None]:
    """Nothing looks for cycles meanwhile: compiling makes many small objects that all stay, and has none."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def source_of(game: Game) -> str:
    """The compiled Python of a game: what takes actions, then what plays whole games. Raises `RulesetError` for what is not compiled."""
    try:
        return compiled(game).source
    except Refused as refused:
        raise RulesetError((diagnose("X601", refused.span, backend="python", what=refused.what),)) from None


def c_source_of(game: Game) -> str:
    """One C file that plays random games and prints their digest. Raises `RulesetError` for what is not lowered, and for rules that look ahead."""
    from croupier.lowering import NotLowered, lower
    from croupier.passes.pipeline import uncut
    from croupier.printers.c import LooksAhead, c_source

    try:
        return c_source(uncut(lower(game).program), game.program.limits)
    except LooksAhead:
        raise RulesetError((diagnose("X601", None, backend="c", what="looking ahead (`so that`)"),)) from None
    except NotLowered as refused:
        raise RulesetError((diagnose("X601", refused.span, backend="c", what=refused.what),)) from None


def compiled(game: Game) -> Compiled:
    """The game compiled to Python, once. Raises `Refused`."""
    from croupier.execution.python_state import Compiled
    from croupier.lowering import NotLowered
    from croupier.printers.python import TooDeep

    if game.compiled is None:
        try:
            with no_collection():
                game.compiled = Compiled(game)
        except NotLowered as refused:
            game.compiled = Refused(refused.what, refused.span)
        except (TooDeep, RecursionError, MemoryError, SyntaxError):
            game.compiled = Refused("definitions that are nested too deep", None)
    if isinstance(game.compiled, Refused):
        raise game.compiled
    found: Compiled = game.compiled
    return found
