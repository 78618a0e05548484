"""The public state over a position in native code; where its words lie is told in `residence.py`.

An action that deviates is applied again by the evaluator, which then plays that game to its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.backends.native import plan as p
from croupier.backends.native.batch import Native
from croupier.backends.native.residence import Resident
from croupier.backends.native.stepping import DEVIATES, ELSEWHERE, EVERY, REFUSED, SEATS
from croupier.runtime.arguments import action_of, seat_of
from croupier.runtime.machine import Machine
from croupier.runtime.node import CHANCE
from croupier.runtime.position import position_hash
from croupier.runtime.state import RolledOut

if TYPE_CHECKING:
    from croupier.runtime.state import Rules


class NativeState(Resident):
    """A state that runs as native code, while its words lie somewhere. When they do not, the evaluator stands in for it."""

    backend = "native"
    _others: dict[int, list[int]] | None = None  # what others may choose from than the first of those who choose at the same time

    def __init__(self, ruleset: Rules, native: Native) -> None:
        self.native = native
        self._kept = None
        self._desk = desk = native.desk
        desk.let(self)
        how = desk.start()
        self._home = how != DEVIATES
        if not self._home:
            self._made = Machine(native.game)
            self._made.start()
        super().__init__(ruleset, native.game, self._made, None)
        limits = native.game.program.limits
        self._most, self._most_chances = int(limits["decisions"]), int(limits["chance"])  # how long the history may get, and events of chance
        self._seats()

    # ------------------------------------------------------------ who acts
    def _seats(self) -> str:
        if self._acting is None:
            if not self._home and self._kept is None:
                return super()._seats()
            words = self._position()
            seats = "every" if words[p.EVERY] else "chance" if words[p.SEAT] == CHANCE else "one"
            self._acting = "" if words[p.FRAME] == 0 or self._past_limit() is not None else seats
        return self._acting

    def is_terminal(self) -> bool:
        return not self._acting and self._seats() == ""

    def is_simultaneous_node(self) -> bool:
        return (self._acting or self._seats()) == "every"

    def current_player(self) -> int:
        if self._seats() == "one" and (self._home or self._kept is not None):
            return self._position()[p.SEAT]
        return super().current_player()

    def pending_seats(self) -> list[int]:
        if self._seats() == "every" and (self._home or self._kept is not None):
            bits = self._position()[p.EVERY]
            return [seat for seat in range(self.game.players) if bits >> seat & 1]
        return super().pending_seats()

    # ------------------------------------------------------------ actions
    def legal_actions(self, seat: int | None = None) -> list[int]:
        if seat is not None:
            seat = seat_of(seat, self.game.players, CHANCE)
        if not (self._home and seat is None) and not self._at_home():
            return super()._options(seat)[:]
        if (self._acting or self._seats()) and (seat is None or seat == self._desk.words[p.SEAT]):
            return self._desk.offered() or self._offered_here()
        return self._offered_to(seat) if self._acting == "every" and seat is not None and self._waits_for(seat) else []

    def _offered_here(self) -> list[int]:
        """The actions on offer, after the thread that asks was not that of the memory."""
        return self._desk.offered() if self._at_home() else super()._options(None)[:]

    def _options(self, seat: int | None) -> list[int]:
        return self.legal_actions(seat)

    def _waits_for(self, seat: int) -> bool:
        """Has one not chosen yet, of those who choose at the same time?"""
        return seat in range(self.game.players) and self._desk.words[p.EVERY] >> seat & 1 == 1

    def _offered_to(self, seat: int) -> list[int]:
        """What another one may choose from who choose at the same time."""
        known = self._others = self._others or {}
        if seat not in known:
            self._ask(seat)
            known[seat] = self._desk.offered()
        return known[seat][:]

    def _ask(self, seat: int) -> None:
        """Put on offer in memory what another one may choose from: with that it is this position no more."""
        self._at_home()
        self._desk.empty()
        if self._desk.ask(seat) != EVERY:
            raise AssertionError("what was on offer is not on offer any more")

    def _weights(self) -> list[tuple[int, int]]:
        if not self._at_home():
            return super()._weights()
        if self._seats() != "chance":
            return []
        desk = self._desk
        actions, words = desk.offered(), desk.words
        return list(zip(actions, desk.weights(len(actions)) if words[p.WEIGHED] else [1] * len(actions), strict=True))

    def apply_action(self, action: int, seat: int | None = None) -> None:
        if action.__class__ is not int or seat is not None:
            action, seat = action_of(action), None if seat is None else seat_of(seat, self.game.players, CHANCE)
        acting = self._acting or self._seats()
        mine = acting == "one" and (seat is None or seat == self.current_player())
        if not (mine or (acting == "chance" and (seat is None or seat == CHANCE))) or not (self._home or self._at_home()):
            self._apply(acting, action, seat)
            return
        how = self._desk.take(action)
        if how < REFUSED:
            self._acting = SEATS[how]
            self._kept = self._made = None
            history = self._history
            if mine:
                history.append(action)
            else:
                history.append((action,))
                self._most += 1
                self._chances += 1
                if self._chances >= self._most_chances:
                    self._acting = ""
            if len(history) >= self._most:
                self._acting = ""
        elif how == DEVIATES:
            self._stand_in(action, action if mine else (action,))
        elif how == ELSEWHERE:
            self._at_home()
            self.apply_action(action, seat)
        else:
            self._refuse(action, seat)

    def _apply(self, acting: str, action: int, seat: int | None) -> None:
        """The same, unless it is one player or chance that acts."""
        if not self._at_home():
            super().apply_action(action, seat)
            return
        first: int = self._desk.words[p.SEAT]
        seat = first if seat is None else seat
        if acting != "every" or not self._waits_for(seat):
            self._refuse(action, seat)
            return
        if seat != first:
            self._ask(seat)
        how = self._desk.take(action)
        if how == DEVIATES:
            self._stand_in(action, [seat, action])
        elif how == REFUSED:
            self._refuse(action, seat)
        else:
            if not self._home:
                self._desk.let(self)
                self._home = True
            self._history.append([seat, action])
            self._kept = self._made = self._others = None
            self._acting = SEATS[how] if len(self._history) < self._most else ""

    def _refuse(self, action: int, seat: int | None) -> None:
        """Raise `IllegalAction`, in the words of the evaluator's states."""
        super().apply_action(action, seat)

    def _stand_in(self, action: int, entry: Any) -> None:
        """The evaluator applies an action that deviated, and plays on."""
        words = memoryview(self._desk.before()).cast("q")[1:]
        self._made, self._home, self._kept = self._machine(words), False, None
        self._resume(self._made, words[p.SEAT], action)
        self._history.append(entry)
        self._chances += type(entry) is tuple
        self._forget()

    def clone(self) -> NativeState:
        kept = self._kept or self.words()
        other = NativeState.__new__(NativeState)
        other.native, other._desk, other.ruleset, other.game = self.native, self._desk, self.ruleset, self.game
        other._history, other._start, other._acting = self._history[:], self._start, self._acting
        other._chances, other._most, other._most_chances = self._chances, self._most, self._most_chances
        other._home, other._kept = False, kept
        if kept is None:
            other._made = self._m.copy()
            other._forget()
        if self._tellings is not None:
            self._share(other)
        return other

    def _whole_game(self, seed: int, game: int) -> RolledOut | None:
        if self._history or self._start is not None:
            return None
        _, played = next(self.native.play(seed, game, 1))
        if played is None:
            return None
        outcome = {
            "status": "finished", "winners": list(played.winners), "returns": list(played.returns),
            "scores": None if played.scores is None else list(played.scores), "grade": played.grade, "reason": None, "fault": None,
        }  # fmt: skip
        return RolledOut(outcome, played.final_hash, played.decisions, played.chance_events)

    def returns(self) -> list[int]:
        if not self._home and self._kept is None:
            return super().returns()
        words = self._position()
        return list(words[p.RETURNS : p.RETURNS + self.game.players]) if words[p.RESULT] else [0] * self.game.players

    def hash(self) -> str:
        return position_hash(self._m)


__all__ = ["NativeState"]
