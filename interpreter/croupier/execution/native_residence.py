"""Where the words of a state lie.

The state that went on last is at home in the memory of its thread (`native_desk.py`): a step copies nothing to Python. Another state of the game that
needs the memory makes it move out: then it keeps its words, as do copies of it from the start. A state that another thread goes on with moves to the
memory of that one. What is asked rarely is answered by a machine of the evaluator, made of the position.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import get_ident

from croupier.execution.native_desk import Desk, NativeReading
from croupier.execution.native_games import Native
from croupier.printers.llvm_steps import DEVIATES, SEATS
from croupier.runtime.machine import Machine
from croupier.runtime.position import restore
from croupier.runtime.state import State


class Resident(State):
    """A state that is `_home` in memory, or whose words are `_kept` (or both, if it has not moved since). `_made` is its machine.

    One that is `_fresh` has not begun: nothing was compiled for it yet.
    """

    native: Native
    _most: int
    _most_chances: int
    _desk: Desk  # where it is at home, or was last; a state that has not begun has none
    _home: bool
    _fresh: bool
    _kept: bytes | None
    _made: Machine | None = None

    def _begin(self) -> None:
        """The game begins."""
        self._fresh = False
        desk = self.native.last
        if desk is None or not desk.is_given(self):
            desk = self.native.desk
            desk.let(self)
        self._desk = desk
        how = desk.start()
        self._home = how != DEVIATES
        if self._home:
            self._acting = SEATS[how] if self._most > 0 and self._most_chances > 0 else ""
        else:
            self._forget()
            self._made = Machine(self.game)
            self._made.start()

    def _is_native(self) -> bool:
        """Does native code play it?"""
        if self._fresh:
            self._begin()
        return self._home or self._kept is not None

    def moves_out(self) -> bytes | None:
        if not self._home:
            return None
        desk = self._desk
        if desk.alone():
            if self._kept is None:
                self._kept = desk.keep()
            self._home = False
            return self._kept
        with desk.lock:
            if not self._home:
                return None
            kept, self._home = self.words(), False
            return kept

    def words(self) -> bytes | None:
        """The words of the position and of what is on offer, packed; none if native code does not play this game."""
        if self._home and self._kept is None:
            desk = self._desk
            if desk.alone():
                self._kept = desk.keep()
                return self._kept
            with desk.lock:
                if self._home and desk is self._desk:
                    self._kept = desk.keep()
        return self._kept

    def _at_home(self) -> bool:
        """Does native code play it? Then its words lie in the memory of this thread from now on."""
        if self._fresh:
            self._begin()
        if self._home:
            if self._desk.thread == get_ident():
                return True
            self.moves_out()
        kept = self._kept
        if kept is None:
            return False
        desk = self._desk
        if desk.thread != get_ident():
            desk = self._desk = self.native.desk
        if desk.let(self) is not kept:
            desk.put(kept)
        self._home = True
        return True

    def _position(self) -> memoryview[int]:
        """The words of the position, which is at home then."""
        self._at_home()
        return self._desk.words

    def _words_before(self) -> memoryview[int]:
        """The words of the position in which the last action was taken."""
        return memoryview(self._desk.before()).cast("q")

    def _reading(self, words: memoryview[int] | None = None) -> NativeReading:
        return NativeReading(self.native.layout, self._position() if words is None else words)

    # ------------------------------------------------------------ the machine, when it is asked for
    @property
    def _m(self) -> Machine:
        if self._made is None and self._is_native():
            self._made = self._machine(self._position())
        assert self._made is not None
        return self._made

    @_m.setter
    def _m(self, machine: Machine | None) -> None:
        if machine is not None:
            self._made = machine

    def _procedures(self) -> Iterable[int]:
        if not self._is_native():
            return super()._procedures()
        maps = self.native.codec.maps
        return (maps[frame.state].proc for frame in reversed(self._reading().frames))

    def _machine(self, words: memoryview[int]) -> Machine:
        """The machine that stands at a position."""
        m = restore(self.game, self.native.codec.as_data(self._reading(words)))
        if m.frames:
            m.viewer = m.frames[-1].viewer
        return m

    def _stand_in(self, words: memoryview[int]) -> None:
        """The evaluator stands at a position, and plays on from there."""
        self._made = self._machine(words)
        self._home, self._kept = False, None
        self._forget()


__all__ = ["Resident"]
