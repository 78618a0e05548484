"""Selection of back ends: makes states on `reference`, `python` or `native`, compiles a set-up at most once,
and falls back if that fails.

`auto` is `python` if that compiles the ruleset, otherwise `reference`. What was compiled of a game is kept
with its engine (`BackEnds`).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError, Span, diagnose, sanitise
from croupier.runtime.engine import Engine
from croupier.runtime.game import Game
from croupier.runtime.restoring import first, replayed, restore_state
from croupier.runtime.state import State

if TYPE_CHECKING:
    from croupier.execution.native_game import NativeGame
    from croupier.execution.python_state import PythonGame
    from croupier.lowering.probes import Probing
    from croupier.runtime.state import Rules


class UnsupportedConstruct(Exception):
    """A back end does not compile a construct. `what` is the construct in words."""

    def __init__(self, what: str, span: Span | None) -> None:
        super().__init__(what)
        self.what, self.span = what, span
        self.was_reported = False  # has the fallback of `auto` been reported?


class BackEnds:
    """What the back ends have made of one game: programs, or why there are none."""

    def __init__(self, engine: Engine) -> None:
        self.python: PythonGame | UnsupportedConstruct | None = None
        # by what is watched of whole games, and whether they test the invariants
        self.native: dict[tuple[str, bool], NativeGame | UnsupportedConstruct] = {}


BACKENDS = ("auto", "reference", "python", "native")


def new_state(ruleset: Rules, engine: Engine, backend: str) -> State:
    """The initial state of a game on a back end of `BACKENDS`.

    Raises `RulesetError` if the back end is not installed (X602) or does not compile the ruleset (X601),
    ValueError for an unknown name.
    """
    check_backend(backend)
    if backend == "native":
        return new_native_state(ruleset, engine)
    if backend == "reference" or engine.trace is not None:
        return State(ruleset, engine)
    from croupier.execution.python_state import PythonState

    try:
        return PythonState(ruleset, compile_python(engine))
    except UnsupportedConstruct as refused:
        if backend == "auto":
            if not refused.was_reported:
                refused.was_reported = True
                sys.stderr.write(f"croupier: {fallback_message('reference', 'python', refused)}\n")
            return State(ruleset, engine)
        raise RulesetError((diagnose("X601", refused.span, backend=backend, what=refused.what),)) from None


def fallback_message(plays: str, backend: str, refused: UnsupportedConstruct) -> str:
    """One line that says which back end plays, and why another one does not."""
    place = "" if refused.span is None else f" ({refused.span})"
    return sanitise(
        f"`{plays}` plays, because `{backend}` does not compile {refused.what}{place}: see `croupier "
        f"explain X601`"
    )


def why_not_native(engine: Engine, plays: str) -> str | None:
    """Return the reason why native code does not play; `None` if it does, or nobody has compiled it."""
    made = [found for _, found in sorted(engine.kept(BackEnds).native.items(), key=itemgetter(0))]
    refused = next((found for found in made if isinstance(found, UnsupportedConstruct)), None)
    return None if refused is None else fallback_message(plays, "native", refused)


def check_backend(backend: str) -> None:
    """Raise ValueError unless this is the name of a back end."""
    if backend not in BACKENDS:
        raise ValueError(f"the back ends are {', '.join(BACKENDS)}")


def load_state(ruleset: Rules, text: str, backend: str, replay: bool) -> State:
    """Load a saved state on a back end.

    Its history is replayed if `replay` says so, or if the position cannot be encoded directly.

    Raises ValueError if the text is no saved state, `RulesetError` as `new_state` does.
    """
    check_backend(backend)
    saved = restore_state(ruleset, text)
    if backend == "native" and saved._start is not None:
        raise ValueError("a game that began at a declared position is played on `reference` or `python`")
    if not replay and backend != "native" and saved.fault is None:
        return _to_python(saved, backend)
    if backend == "native":
        return replayed(new_native_state(ruleset, saved.engine), saved)
    state = replayed(_to_python(first(saved), backend), saved)
    return saved if state.backend == saved.backend else state


def _to_python(state: State, backend: str) -> State:
    """Move a state of the evaluator to compiled Python, unless the back end is `reference`.

    Raises `RulesetError` as `new_state` does.
    """
    if backend == "reference":
        return state
    from croupier.execution.python_state import state_on_python

    try:
        return state_on_python(state, compile_python(state.engine))
    except UnsupportedConstruct as refused:
        if backend == "auto":
            return state
        raise RulesetError((diagnose("X601", refused.span, backend=backend, what=refused.what),)) from None


def new_native_state(ruleset: Rules, engine: Engine) -> State:
    """The initial state on native code. Raises `RulesetError` as `new_state` does."""
    from croupier.execution import llvm_compiler

    if not llvm_compiler.is_installed():
        raise RulesetError((diagnose("X602", None, backend="native"),))
    from croupier.execution.native_state import NativeState

    code = load_native(ruleset, engine)
    if code is None:
        refused = engine.kept(BackEnds).native["", False]
        assert isinstance(refused, UnsupportedConstruct)
        raise RulesetError((diagnose("X601", refused.span, backend="native", what=refused.what),))
    return NativeState(ruleset, engine, code)


def load_native(
    ruleset: Rules,
    engine: Engine,
    *,
    compile: bool = True,
    checked: bool = False,
    probing: Probing | None = None,
) -> NativeGame | None:
    """The game in native code, compiled at most once. `checked`: playouts test the invariants; `probing`:
    what is watched of them.

    None if there is no compiler, if a construct is not compiled (`why_not_native` says which), or, unless
    `compile`, if the object cache has no code.
    """
    from croupier.execution import llvm_compiler
    from croupier.lowering import NotLowered

    key = "" if probing is None else probing.key, checked
    made = engine.kept(BackEnds).native
    if key not in made and llvm_compiler.is_installed():
        from croupier.execution.native_game import compile_game

        try:
            with gc_paused():
                found = compile_game(
                    engine.game, ruleset, only_cached=not compile, checked=checked, probing=probing
                )
        except NotLowered as refused:
            made[key] = UnsupportedConstruct(refused.what, refused.span)
        else:
            if found is not None:
                made[key] = found
    kept = made.get(key)
    return None if isinstance(kept, UnsupportedConstruct) else kept


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: compiling makes many small objects that stay, and no cycles."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def python_source_of(engine: Engine) -> str:
    """The compiled Python of a game as text: the program for steps, then that for playouts.

    Raises `RulesetError` for what is not compiled.
    """
    try:
        return compile_python(engine).source
    except UnsupportedConstruct as refused:
        raise RulesetError((diagnose("X601", refused.span, backend="python", what=refused.what),)) from None


def c_source_of(game: Game) -> str:
    """A C file that plays random games and prints their digest.

    Raises `RulesetError` for what is not lowered, and for rules that look ahead.
    """
    from croupier.lowering import NotLowered, lower
    from croupier.passes.pipeline import prepare_games
    from croupier.printers.c import UsesLookahead, c_source

    try:
        return c_source(prepare_games(lower(game).program), game.program.limits)
    except UsesLookahead:
        raise RulesetError((diagnose("X601", None, backend="c", what="looking ahead (`so that`)"),)) from None
    except NotLowered as refused:
        raise RulesetError((diagnose("X601", refused.span, backend="c", what=refused.what),)) from None


def python_compiles(engine: Engine) -> bool:
    """Return whether compiled Python plays a game. Compiles it if nobody has."""
    try:
        compile_python(engine)
    except UnsupportedConstruct:
        return False
    return True


def compile_python(engine: Engine) -> PythonGame:
    """The game compiled to Python, at most once. Raises `UnsupportedConstruct`."""
    from croupier.execution.python_state import PythonGame
    from croupier.lowering import NotLowered
    from croupier.printers.python import TooDeeplyNested

    made = engine.kept(BackEnds)
    if made.python is None:
        try:
            with gc_paused():
                made.python = PythonGame(engine)
        except NotLowered as refused:
            made.python = UnsupportedConstruct(refused.what, refused.span)
        except (TooDeeplyNested, RecursionError, MemoryError, SyntaxError):
            made.python = UnsupportedConstruct("definitions that are nested too deep", None)
    if isinstance(made.python, UnsupportedConstruct):
        raise made.python
    return made.python
