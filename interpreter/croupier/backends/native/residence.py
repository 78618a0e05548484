"""Where the words of a state lie.

The state that went on last is at home in the memory of its thread (`desk.py`): a step copies nothing to Python. Another state of the game that needs
the memory makes it move out: then it keeps its words, as do copies of it from the start. A state that another thread goes on with moves to the memory
of that one. What is asked rarely is answered by a machine of the evaluator, made of the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import get_ident

from croupier.backends.native.batch import Native
from croupier.backends.native.desk import Desk
from croupier.backends.native.machine import Unwritten, machine_of
from croupier.runtime.entry import begin
from croupier.runtime.machine import Machine
from croupier.runtime.state import State


class Resident(State):
    """A state that is `_home` in memory, or whose words are `_kept` (or both, if it has not moved since). `_made` is its machine."""

    native: Native
    _desk: Desk
    _home: bool
    _kept: bytes | None
    _made: Machine | None = None

    def moves_out(self) -> bytes | None:
        with self._desk.lock:
            if not self._home:
                return None
            kept, self._home = self.words(), False
            return kept

    def words(self) -> bytes | None:
        """The words of the position and of what is on offer, as native code has them; none if it does not play this game."""
        if self._home and self._kept is None:
            desk = self._desk
            with desk.lock:
                if self._home and desk is self._desk:
                    self._kept = desk.keep()
        return self._kept

    def _at_home(self) -> bool:
        """Does native code play it? Then its words lie in the memory of this thread from now on."""
        desk = self._desk
        if self._home:
            if desk.thread == get_ident():
                return True
            self.moves_out()
        kept = self._kept
        if kept is None:
            return False
        if desk.thread != get_ident():
            desk = self._desk = self.native.desk
        if desk.let(self) is not kept:
            desk.put(kept)
        self._home = True
        return True

    def _position(self) -> Sequence[int]:
        """The words of the position."""
        if self._home and self._at_home():
            return self._desk.words
        words = memoryview(self._kept or b"").cast("q")
        return words[1 + words[0] :]

    # ------------------------------------------------------------ the machine, when it is asked for
    @property
    def _m(self) -> Machine:
        if self._made is None:
            self._made = self._machine(self._position())
        return self._made

    @_m.setter
    def _m(self, machine: Machine | None) -> None:
        if machine is not None:
            self._made = machine

    def _machine(self, words: Sequence[int]) -> Machine:
        """The machine at a position; where that cannot be read, at the end of the history, which the evaluator plays again."""
        try:
            return machine_of(self.native, words)
        except Unwritten:
            again = State(self.ruleset, self.game) if self._start is None else begin(self.ruleset, self.game, self._start.copy())
            for entry in self._history:
                if isinstance(entry, list):
                    again.apply_action(entry[1], entry[0])
                else:
                    again.apply_action(entry[0] if isinstance(entry, tuple) else entry)
            return again._m


__all__ = ["Resident"]
