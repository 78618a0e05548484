"""Vectorised environment: many games of a set-up side by side in native code, as NumPy arrays, for learners
and searches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from croupier.diagnostics import RulesetError, diagnose
from croupier.execution import llvm_compiler
from croupier.execution.native_code import HashedRuleset
from croupier.execution.native_game import NativeGame
from croupier.execution.native_workspace import ThreadMemory
from croupier.lowering import NotLowered
from croupier.printers.llvm_batch import head_words
from croupier.runtime.arguments import keys_of
from croupier.runtime.faults import IllegalAction
from croupier.runtime.game import Game
from croupier.runtime.state_view import TERMINAL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_MASK_WIDTH = 1 << 16


class Playable(HashedRuleset, Protocol):
    """A ruleset that can be set up: `Ruleset`."""

    def game(self, players: int | None, parameters: Mapping[str, object] | None) -> Game:
        """The set-up for so many players and these parameters."""


class Batch:
    """`count` games at once.

    Chance is drawn from the streams of the run, so each game is at a decision of one seat, or over.

    These arrays have a row for each game; `step` and `reset` change them in place:

        current_players  int64 [count]           the seat that acts, or -4 where the game is over
        masks            bool [count, width]     which integers are legal actions
        returns          int64 [count, players]  what each seat gets; 0 before the end
        games            int64 [count]           the number of the game in its run, from 1
        failed           bool [count]            the game reached a limit, faulted or is stuck: it is over,
                         and all returns are 0

    Where several choose at the same time they are asked one after another. Masks are as wide as `actions`
    says, in whole eights; without it they grow when they must. Raises `RulesetError` for an impossible
    set-up, and where native code cannot play; ImportError without NumPy; ValueError for a number.
    """

    def __init__(
        self,
        ruleset: Playable,
        count: int,
        *,
        players: int | None = None,
        parameters: Mapping[str, object] | None = None,
        seed: int = 0,
        actions: int = 0,
    ) -> None:
        import numpy

        self._np = numpy
        seed, _ = keys_of(seed, 1)
        if count < 1 or not 0 <= actions <= MAX_MASK_WIDTH:
            raise ValueError(f"a batch has 1 game or more, and masks of up to {MAX_MASK_WIDTH} actions")
        if not llvm_compiler.is_installed():
            raise RulesetError((diagnose("X602", None, backend="native"),))
        self.game = ruleset.game(players, parameters)
        try:
            self._code = NativeGame(self.game, ruleset).batch_code
            code = self._code.code
        except NotLowered as refused:
            raise RulesetError(
                (diagnose("X601", refused.span, backend="native", what=refused.what),)
            ) from None
        self.count, self.players, self._fixed = count, self.game.players, actions > 0
        self._scratch, head = ThreadMemory(code, self.players), head_words(self.players)
        self._memory = numpy.zeros((count, head + code.position_words), numpy.int64)
        self._scratch.use_streams(seed)
        self._memory[:, : len(self._scratch.streams.view)] = self._scratch.streams.view
        self._games = self._memory.ctypes.data + 8 * head, head + code.position_words, count
        self._rows = numpy.zeros(count, numpy.bool_)
        self.current_players: NDArray[np.int64] = numpy.full(count, TERMINAL, numpy.int64)
        self.masks: NDArray[np.bool_] = numpy.zeros((count, -(-actions // 8) * 8 or 8), numpy.bool_)
        self.returns: NDArray[np.int64] = numpy.zeros((count, self.players), numpy.int64)
        self.games: NDArray[np.int64] = numpy.zeros(count, numpy.int64)
        self.failed: NDArray[np.bool_] = numpy.zeros(count, numpy.bool_)
        self._played = numpy.zeros(1, numpy.int64)
        self._functions: dict[str, Callable[..., int]] = {}  # of the optimised code
        self._find_arrays()
        self.reset()

    @property
    def played(self) -> int:
        """Games that were begun."""
        return int(self._played[0])

    @property
    def done(self) -> NDArray[np.bool_]:
        """An array that is true for the games that are over."""
        over: NDArray[np.bool_] = self.current_players == TERMINAL
        return over

    def reset(self, rows: NDArray[np.bool_] | None = None) -> None:
        """Start the next games of the run in these rows; by default where a game is over."""
        if rows is None:
            self._np.equal(self.current_players, TERMINAL, out=self._rows)
        else:
            found = self._np.ascontiguousarray(rows, self._np.bool_)
            if found.shape != (self.count,):
                raise ValueError(f"rows are {self.count} truth values")
            self._rows[:] = found
        given = *self._games, self._at_rows, self._at_games, self._at_played
        while wide := self._call("batch.begin", *given, *self._out):
            self._widen(wide)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Apply an action to each game that is not over; the entries of the others are ignored.

        Raises `IllegalAction` if one is not legal, ValueError for another number of them; then nothing has
        changed. Raises ValueError, too, where a game comes to an action for which masks that were fixed are
        too narrow.
        """
        found = self._np.ascontiguousarray(actions, self._np.int64)
        if found.shape != (self.count,):
            raise ValueError(f"actions are {self.count} integers")
        given, again = (*self._games, self._at_rows, found.ctypes.data), 0
        while wide := self._call("batch.step", *given, again, *self._out):
            if wide < 0:
                raise IllegalAction(f"action {found[-1 - wide]} is not legal in row {-1 - wide}")
            self._widen(wide)
            again = 1

    def sample(self) -> NDArray[np.int64]:
        """Return a random legal action for each game, -1 for a game that is over, from the stream of the
        actor.

        Games of nothing else are those of `simulate`.
        """
        actions = self._np.empty(self.count, self._np.int64)
        self._call(
            "batch.sample", *self._games, self._masks, self.masks.shape[1], self._out[2], actions.ctypes.data
        )
        return actions

    # ------------------------------------------------------------ native code
    def _call(self, name: str, *given: int) -> int:
        function = self._functions.get(name)
        if function is not None:
            return function(*given)
        if self._code.code.optimized:
            self._functions[name] = self._code.function(name)
        return self._code.run(name, *given)

    def _find_arrays(self) -> None:
        """Set the addresses of the arrays, as native code takes them."""
        self._masks = self.masks.ctypes.data
        self._at_games = self.games.ctypes.data
        self._at_rows = self._rows.ctypes.data
        self._at_played = self._played.ctypes.data
        players, returns, failed = (
            array.ctypes.data for array in (self.current_players, self.returns, self.failed)
        )
        self._out = self._scratch.position, self.masks.shape[1], players, self._masks, returns, failed

    def _widen(self, widest: int) -> None:
        """Masks of so many actions at least.

        Raises ValueError where the caller fixed them, and where that is too many.
        """
        if self._fixed or widest > MAX_MASK_WIDTH:
            raise ValueError(
                f"an action is number {widest - 1}, and masks have room for "
                f"{min(self.masks.shape[1], MAX_MASK_WIDTH)}"
            )
        wider = self._np.zeros((self.count, -(-widest // 8) * 8), self._np.bool_)
        wider[:, : self.masks.shape[1]] = self.masks
        self.masks = wider
        self._find_arrays()


__all__ = ["Batch"]
