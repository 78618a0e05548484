"""The public state over a position in native code, and where its words lie.

The state that went on last is at home in the memory of its thread (`native_desk.py`): a step copies nothing to Python. Another state of the game that
needs the memory makes it move out: then it keeps its words, as do copies of it from the start. A state that another thread goes on with moves to the
memory of that one. What is asked rarely is answered by a machine of the evaluator, made of the position. An action that deviates is applied again by
the evaluator, which then plays that game to its end.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from threading import get_ident
from typing import TYPE_CHECKING

from croupier.core.operations import NONE
from croupier.execution.native_desk import Desk, NativeReading
from croupier.execution.native_games import LastPosition, Native
from croupier.execution.rows import Played
from croupier.lowering.results import KIND, WINNERS
from croupier.printers import llvm_layout as l
from croupier.printers.llvm_layout import OK
from croupier.printers.llvm_steps import DEVIATES, ELSEWHERE, REFUSED, SEATS
from croupier.runtime.faults import action_of, seat_of
from croupier.runtime.machine import Machine
from croupier.runtime.node import CHANCE, StateView
from croupier.runtime.position import bytes_of_data, restore
from croupier.runtime.state import RolledOut, State

if TYPE_CHECKING:
    from croupier.runtime.state import Rules


blank = object.__new__


class NativeState(State):
    """A state that is `_home` in memory, or whose words are `_kept` (or both, if it has not moved since). `_made` is its machine.

    One that is `_fresh` has not begun: nothing was compiled for it yet. When its words lie nowhere, the evaluator stands in for it.
    """

    backend = "native"
    native: Native
    _most: int
    _most_chances: int
    _desk: Desk  # where it is at home, or was last; a state that has not begun has none
    _home: bool
    _fresh: bool
    _kept: bytes | None
    _made: Machine | None = None

    def __init__(self, ruleset: Rules, native: Native) -> None:
        self.native = native
        self._kept = None
        self._home, self._fresh = False, True
        self.ruleset, self._start, self._event_caches = ruleset, None, None
        StateView.__init__(self, native.game, self._made, [])  # type: ignore[arg-type]
        limits = native.game.program.limits
        self._most, self._most_chances = int(limits["decisions"]), int(limits["chance"])  # how long the history may get, and events of chance

    # ------------------------------------------------------------ where its words lie
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
            m.event_audience = m.frames[-1].event_audience
        return m

    def _stand_in(self, words: memoryview[int]) -> None:
        """The evaluator stands at a position, and plays on from there."""
        self._made = self._machine(words)
        self._home, self._kept = False, None
        self._forget()

    # ------------------------------------------------------------ who acts
    def _seats(self) -> str:
        if self._fresh:
            self._begin()
        if self._acting is None:
            if not self._is_native():
                return super()._seats()
            words = self._position()
            seats = SEATS[(2 if words[l.SEAT] == CHANCE else 3) if words[l.SEAT] < 0 else 1]
            self._acting = "" if words[l.TOP] == 0 or self._past_limit() is not None else seats
        return self._acting

    def is_terminal(self) -> bool:
        return not self._acting and self._seats() == ""

    def is_simultaneous_node(self) -> bool:
        return (self._acting or self._seats()) == "every"

    def current_player(self) -> int:
        if self._seats() == "one" and self._is_native():
            return self._position()[l.SEAT]
        return super().current_player()

    def pending_seats(self) -> list[int]:
        if self._seats() == "every" and self._settled():
            return sorted(set(self._desk.weights()))
        return super().pending_seats()

    # ------------------------------------------------------------ actions
    def legal_actions(self, seat: int | None = None) -> list[int]:
        if seat is not None:
            seat = seat_of(seat, self.game.players, CHANCE)
        elif self._home and (self._acting == "one" or self._acting == "chance"):
            return self._desk.offered() or self._offered_here()
        if not (self._home and seat is None) and not self._at_home():
            return super()._options(seat)[:]
        acting = self._acting or self._seats()
        if acting == "every":
            return self._offered_to(seat)
        if acting and (seat is None or seat == self._desk.words[l.SEAT]):
            return self._desk.offered() or self._offered_here()
        return []

    def _offered_here(self) -> list[int]:
        """The actions on offer, after the thread that asks was not that of the memory, or nobody can say."""
        return self._desk.offered() if self._settled() else super()._options(None)[:]

    def _options(self, seat: int | None) -> list[int]:
        return self.legal_actions(seat)

    def _offered_to(self, seat: int | None) -> list[int]:
        """What one of those may choose from who choose at the same time; none: the first of them."""
        if not self._settled():
            return super()._options(seat)[:]
        pending = self.pending_seats()
        self._desk.of(pending[0] if seat is None else seat)
        return self._desk.offered()

    def _settled(self) -> bool:
        """Is it known what is on offer? If nobody can say, the evaluator stands in, and says why."""
        if not self._at_home():
            return False
        if self._desk.settle() != OK:
            self._stand_in(self._position())
            return False
        return True

    def _weights(self) -> list[tuple[int, int]]:
        if not self._at_home():
            return super()._weights()
        if self._seats() != "chance":
            return []
        self._desk.settle()
        return list(zip(self._desk.actions(), self._desk.weights(), strict=True))

    def apply_action(self, action: int, seat: int | None = None) -> None:
        acting = self._acting
        if seat is not None or not self._home or type(action) is not int or not acting or acting == "every":
            self._apply(action, seat)
            return
        how = self._desk.take(action)
        if how >= REFUSED:
            self._not_taken(how, action)
        elif acting == "one":
            self._kept = self._made = None
            history = self._history
            history.append(action)
            self._acting = SEATS[how] if len(history) < self._most else ""
        else:
            self._kept = self._made = None
            history = self._history
            history.append((action,))
            self._most = most = self._most + 1
            self._chances = chances = self._chances + 1
            self._acting = SEATS[how] if chances < self._most_chances and len(history) < most else ""

    def _apply(self, action: int, seat: int | None) -> None:
        """The same, whatever is given, and wherever the words lie."""
        action, seat = action_of(action), None if seat is None else seat_of(seat, self.game.players, CHANCE)
        acting = self._acting or self._seats()
        if acting == "every" and self._settled():
            self._choose(action, seat)
            return
        mine = acting == "one" and (seat is None or seat == self.current_player())
        if not (mine or (acting == "chance" and (seat is None or seat == CHANCE))) or not (self._home or self._at_home()):
            super().apply_action(action, seat)
            return
        self.apply_action(action)

    def _not_taken(self, how: int, action: int) -> None:
        if how == DEVIATES:
            self._stand_in(self._words_before())
            super().apply_action(action)
        elif how == ELSEWHERE:
            self._at_home()
            self.apply_action(action)
        else:
            super().apply_action(action)  # raises `IllegalAction`, in the words of the evaluator's states

    def _choose(self, action: int, seat: int | None) -> None:
        """The same, where several choose at the same time."""
        pending = self.pending_seats()
        seat = pending[0] if seat is None else seat
        if seat in pending:
            self._desk.of(seat)
        how = self._desk.take(action) if seat in pending else REFUSED
        if how == DEVIATES:
            self._stand_in(self._words_before())
            super().apply_action(action, seat)
        elif how == REFUSED:
            super().apply_action(action, seat)
        else:
            self._history.append([seat, action])
            self._kept = self._made = None
            self._acting = SEATS[how] if len(self._history) < self._most else ""

    def _resume(self, m: Machine | None, seat: int, action: int) -> None:
        assert not self._is_native() or m is not None, "native code takes what it takes itself"
        super()._resume(m, seat, action)

    def clone(self) -> NativeState:
        other: NativeState = blank(NativeState)
        other.native, other.ruleset, other.game = self.native, self.ruleset, self.game
        other._start, other._acting = self._start, self._acting
        other._chances, other._most, other._most_chances = self._chances, self._most, self._most_chances
        other._home, other._fresh, other._made, other._event_caches = False, self._fresh, None, None
        if self._fresh:
            other._history, other._kept = [], None
        else:
            other._history = self._history[:]
            other._desk, other._kept = self._desk, self._kept or self.words()
            if other._kept is None:
                other._forget()
                other._made = self._m.copy()
        if self._event_caches is not None:
            self._share(other)
        return other

    # ------------------------------------------------------------ results
    def _whole_game(self, seed: int, game: int) -> RolledOut | None:
        if self._start is not None:
            return None
        if not self._history:
            played = self.native.play_one(seed, game)
            return None if played is None else ended(*played)
        if not self._settled() or self.is_terminal():
            return None
        rolled = self.native.roll_out(self._desk.room.position, seed, game)
        if rolled is None or self._chances + rolled[0].chance_events >= self._most_chances:
            return None
        return None if len(self._history) + rolled[0].decisions >= self._most else ended(*rolled)

    def returns(self) -> list[int]:
        if not self._is_native():
            return super().returns()
        words, result = self._position(), self.native.steps.code.result
        if words[result + KIND] == NONE:
            return [0] * self.game.players
        first = result + WINNERS + self.game.players
        return list(words[first : first + self.game.players])

    def position(self) -> bytes:
        if not self._is_native():
            return super().position()
        return bytes_of_data(self.game, self.native.codec.as_data(self._reading()))

    def hash(self) -> str:
        return sha256(self.position()).hexdigest()


def ended(played: Played, last: LastPosition) -> RolledOut:
    """How a game ended that native code played."""
    outcome = {
        "status": "finished", "winners": list(played.winners), "returns": list(played.returns),
        "scores": None if played.scores is None else list(played.scores), "grade": played.grade, "reason": None, "fault": None,
    }  # fmt: skip
    return RolledOut(outcome, last.hash, played.decisions, played.chance_events)


__all__ = ["NativeState"]
