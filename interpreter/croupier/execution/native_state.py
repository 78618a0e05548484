"""The public state (`runtime.state.State`) on native code.

A state is *resident* when its position lies in the workspace of a thread (`native_workspace.py`); a step then
copies nothing. Evicted, it holds its position as packed bytes (`_saved`), as a fresh clone does. When another
thread goes on with a state, it moves to the workspace of that thread.

Rare questions (observations, events, words) are answered by a machine of the evaluator, made of the position.
An action on which native code bails out is applied again by the evaluator; then native code takes over, if
its core has a position equal to that.

Steps are the hot path: `apply_action` and `legal_actions` test attributes in place rather than call methods.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import get_ident
from typing import TYPE_CHECKING

from croupier.core.operations import NONE
from croupier.execution.codec import ACTING, CorePosition
from croupier.execution.native_game import FinalPosition, NativeGame
from croupier.execution.native_replays import NativeReplayer
from croupier.execution.native_workspace import ThreadWorkspace, read_position
from croupier.execution.rows import PlayedGame, ResultRows
from croupier.execution.search_start import SearchStart
from croupier.lowering.results import KIND, STANDING, WINNERS
from croupier.printers.llvm_layout import MAX_OFFERS, FrameHead, Header, Status
from croupier.printers.llvm_steps import BAILOUT, ELSEWHERE, REFUSED, SEATS
from croupier.runtime.arguments import action_of, seat_of
from croupier.runtime.engine import Engine
from croupier.runtime.event_cache import Entry
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine
from croupier.runtime.position import restore
from croupier.runtime.state import RolledOut, RolledOuts, State
from croupier.runtime.state_view import CHANCE, StateView
from croupier.semantics.decision_sites import Point

if TYPE_CHECKING:
    from croupier.inference.replays import Replayer, Tables
    from croupier.runtime.state import Rules


new_object = object.__new__


class NativeState(State):
    """A state on native code: `_resident` in its `_workspace`, or `_saved` as bytes, or both if it took no
    step since it was saved.

    A state that is `_unstarted` has compiled nothing yet. If it is neither resident nor saved, native code
    bailed out, and the evaluator plays on with `_machine`; otherwise `_machine` caches the machine that was
    made of the position.
    """

    backend = "native"
    native: NativeGame
    _max_history: int
    _max_chances: int
    _workspace: ThreadWorkspace  # where it is resident, or was last; not set before the first step
    _resident: bool
    _unstarted: bool
    _saved: bytes | None
    _machine: Machine | None = None

    def __init__(self, ruleset: Rules, engine: Engine, native: NativeGame) -> None:
        self.native = native
        self._saved = None
        self._resident, self._unstarted = False, True
        self.ruleset, self._start, self._event_caches = ruleset, None, None
        StateView.__init__(self, engine, self._machine, [])  # type: ignore[arg-type]
        limits = native.game.program.limits
        # limits: length of the history, chance events
        self._max_history, self._max_chances = int(limits["decisions"]), int(limits["chance"])

    # ------------------------------------------------------------ residence
    def _start_game(self) -> None:
        """Start the game in a workspace."""
        self._unstarted = False
        workspace = self.native.last_workspace
        if workspace is None or not workspace.try_acquire(self):
            workspace = self.native.workspace
            workspace.acquire(self)
        self._workspace = workspace
        status = workspace.start()
        self._resident = status != BAILOUT
        if self._resident:
            self._acting = SEATS[status] if self._max_history > 0 and self._max_chances > 0 else ""
        else:
            self._forget()
            self._machine = Machine(self.engine.rules)
            self._machine.start()

    def _is_native(self) -> bool:
        """Return whether native code plays this game, rather than the evaluator."""
        if self._unstarted:
            self._start_game()
        return self._resident or self._saved is not None

    def evict(self) -> bytes | None:
        if not self._resident:
            return None
        workspace = self._workspace
        if workspace.is_only_thread():
            if self._saved is None:
                self._saved = workspace.save()
            self._resident = False
            return self._saved
        with workspace.lock:
            if not self._resident:
                return None
            saved, self._resident = self.saved_words(), False
            return saved

    def saved_words(self) -> bytes | None:
        """The position and its legal actions as packed bytes; None if the evaluator plays this game."""
        if self._resident and self._saved is None:
            workspace = self._workspace
            if workspace.is_only_thread():
                self._saved = workspace.save()
                return self._saved
            with workspace.lock:
                if self._resident and workspace is self._workspace:
                    self._saved = workspace.save()
        return self._saved

    def _make_resident(self) -> bool:
        """Move the position to the workspace of this thread; False, and nothing happens, if the evaluator
        plays this game.
        """
        if self._unstarted:
            self._start_game()
        if self._resident:
            if self._workspace.thread == get_ident():
                return True
            self.evict()
        saved = self._saved
        if saved is None:
            return False
        workspace = self._workspace
        if workspace.thread != get_ident():
            workspace = self._workspace = self.native.workspace
        if workspace.acquire(self) is not saved:
            workspace.load(saved)
        self._resident = True
        return True

    def _position_words(self) -> memoryview[int]:
        """The words of the position, which becomes resident."""
        self._make_resident()
        return self._workspace.words

    def _previous_words(self) -> memoryview[int]:
        """The words of the position before the last action."""
        return memoryview(self._workspace.previous_position()).cast("q")

    # ------------------------------------------------------------ machines of the evaluator
    @property
    def _m(self) -> Machine:
        if self._machine is None and self._is_native():
            self._machine = self._machine_at(self._position_words())
        assert self._machine is not None
        return self._machine

    @_m.setter
    def _m(self, machine: Machine | None) -> None:
        if machine is not None:
            self._machine = machine

    def _procedures(self) -> Iterator[int]:
        if not self._is_native():
            yield from super()._procedures()
            return
        words, maps = self._position_words(), self.native.codec.maps
        at = words[Header.TOP_FRAME]
        while at:
            yield maps[words[at]].proc
            at = words[at + FrameHead.BELOW]

    def asked_at(self) -> Point | None:
        if not self._is_native():
            return super().asked_at()
        if not self._seats():
            return None
        words = self._position_words()
        frame = self.native.codec.maps[words[words[Header.TOP_FRAME]]]
        return frame.proc, frame.point

    def _decoded(self, words: memoryview[int]) -> tuple[Value, ...]:
        """A position in the form of `runtime.position.as_data`."""
        return self.native.codec.decode(read_position(self.native.layout, words))

    def _machine_at(self, words: memoryview[int]) -> Machine:
        """A machine of the evaluator at a position."""
        return restore(self.engine.rules, self._decoded(words))

    def _bail_out(self, words: memoryview[int]) -> None:
        """Bail out: the evaluator plays on from a position."""
        self._machine = self._machine_at(words)
        self._resident, self._saved = False, None
        self._forget()

    def _apply_by_evaluator(self, action: int, seat: int | None) -> None:
        """Let the evaluator apply an action, then native code take over again, if it can."""
        super().apply_action(action, seat)
        m = self._machine
        if (
            self._is_native()
            or self._live_recorders is not None
            or m is None
            or not m.frames
            or m.fault is not None
            or self._past_limit() is not None
        ):
            return
        found = self.native.codec.encode_machine(self.ruleset, self.engine, m)
        if found is not None and len(found[2]) <= MAX_OFFERS:
            self._take_over(*found)

    def _take_over(self, encoded: CorePosition, seat: int, offers: Sequence[tuple[int, int]]) -> None:
        """Go on in native code from an encoded position, with who acts and the legal actions."""
        workspace = self.native.workspace
        workspace.acquire(self)
        workspace.write(self.native.layout, encoded, seat, offers)
        self._workspace, self._resident, self._saved, self._machine = workspace, True, None, None
        limits = self.game.program.limits
        self._max_history = int(limits["decisions"]) + self._chances
        self._forget()

    # ------------------------------------------------------------ who acts
    def _seats(self) -> str:
        if self._unstarted:
            self._start_game()
        if self._acting is None:
            if not self._is_native():
                return super()._seats()
            words = self._position_words()
            over = words[Header.TOP_FRAME] == 0 or self._past_limit() is not None
            self._acting = "" if over else ACTING.get(words[Header.SEAT], "one")
        return self._acting

    def current_player(self) -> int:
        if self._seats() == "one" and self._is_native():
            return self._position_words()[Header.SEAT]
        return super().current_player()

    def pending_seats(self) -> list[int]:
        if self._seats() == "every" and self._prepare_offers():
            return sorted(set(self._workspace.weights()))
        return super().pending_seats()

    # ------------------------------------------------------------ actions
    def legal_actions(self, seat: int | None = None) -> list[int]:
        if seat is not None:
            seat = seat_of(seat, self.game.players, CHANCE)
        elif self._resident and (self._acting == "one" or self._acting == "chance"):
            return self._workspace.legal_actions() or self._legal_actions_retried()
        if not (self._resident and seat is None) and not self._make_resident():
            return super()._options(seat)[:]
        acting = self._acting or self._seats()
        if acting == "every":
            return self._legal_actions_of(seat)
        if acting and (seat is None or seat == self._workspace.words[Header.SEAT]):
            return self._workspace.legal_actions() or self._legal_actions_retried()
        return []

    def _legal_actions_retried(self) -> list[int]:
        """Return the legal actions after `legal_actions` of the workspace gave an empty list.

        It does if the caller is another thread, or native code bails out.
        """
        return self._workspace.legal_actions() if self._prepare_offers() else super()._options(None)[:]

    def _options(self, seat: int | None) -> list[int]:
        return self.legal_actions(seat)

    def _legal_actions_of(self, seat: int | None) -> list[int]:
        """The legal actions of a seat at a simultaneous decision; None means the first seat that has not
        chosen.
        """
        if not self._prepare_offers():
            return super()._options(seat)[:]
        pending = self.pending_seats()
        self._workspace.set_seat(pending[0] if seat is None else seat)
        return self._workspace.legal_actions()

    def _prepare_offers(self) -> bool:
        """Sort the legal actions, and remove those from which a look-ahead finds no end.

        False if that bailed out.
        """
        if not self._make_resident():
            return False
        if self._workspace.prepare_offers() != Status.OK:
            self._bail_out(self._position_words())
            return False
        return True

    def _weights(self) -> list[tuple[int, int]]:
        if not self._make_resident():
            return super()._weights()
        if self._seats() != "chance":
            return []
        self._workspace.prepare_offers()
        return list(zip(self._workspace.actions(), self._workspace.weights(), strict=True))

    def apply_action(self, action: int, seat: int | None = None) -> None:
        acting = self._acting
        if (
            seat is not None
            or not self._resident
            or type(action) is not int
            or not acting
            or acting == "every"
        ):
            self._apply(action, seat)
            return
        status = self._workspace.apply(action)
        if status >= REFUSED:
            self._apply_refused(status, action)
        elif acting == "one":
            self._saved = self._machine = None
            history = self._history
            history.append(action)
            self._acting = SEATS[status] if len(history) < self._max_history else ""
        else:
            self._saved = self._machine = None
            history = self._history
            history.append((action,))
            self._max_history = max_history = self._max_history + 1
            self._chances = chances = self._chances + 1
            self._acting = SEATS[status] if chances < self._max_chances and len(history) < max_history else ""

    def _apply(self, action: int, seat: int | None) -> None:
        """`apply_action` for any arguments, wherever the position lies."""
        action, seat = action_of(action), None if seat is None else seat_of(seat, self.game.players, CHANCE)
        acting = self._acting or self._seats()
        if acting == "every" and self._prepare_offers():
            self._apply_simultaneous(action, seat)
            return
        own_choice = acting == "one" and (seat is None or seat == self.current_player())
        if not (own_choice or (acting == "chance" and (seat is None or seat == CHANCE))) or not (
            self._resident or self._make_resident()
        ):
            self._apply_by_evaluator(action, seat)
            return
        self.apply_action(action)

    def _apply_refused(self, status: int, action: int) -> None:
        if status == BAILOUT:
            self._bail_out(self._previous_words())
            self._apply_by_evaluator(action, None)
        elif status == ELSEWHERE:
            self._make_resident()
            self.apply_action(action)
        else:
            super().apply_action(action)  # raises `IllegalAction` with the usual message

    def _apply_simultaneous(self, action: int, seat: int | None) -> None:
        """`apply_action` at a simultaneous decision."""
        pending = self.pending_seats()
        seat = pending[0] if seat is None else seat
        if seat in pending:
            self._workspace.set_seat(seat)
        status = self._workspace.apply(action) if seat in pending else REFUSED
        if status == BAILOUT:
            self._bail_out(self._previous_words())
            self._apply_by_evaluator(action, seat)
        elif status == REFUSED:
            super().apply_action(action, seat)
        else:
            self._history.append([seat, action])
            self._saved = self._machine = None
            self._acting = SEATS[status] if len(self._history) < self._max_history else ""

    def _resume(self, m: Machine | None, seat: int, action: int) -> None:
        assert not self._is_native() or m is not None, "native code applies its actions itself"
        super()._resume(m, seat, action)

    def clone(self) -> NativeState:
        other: NativeState = new_object(NativeState)
        other.native, other.ruleset, other.engine = self.native, self.ruleset, self.engine
        other._start, other._acting = self._start, self._acting
        other._chances = self._chances
        other._max_history = self._max_history
        other._max_chances = self._max_chances
        other._resident = False
        other._unstarted = self._unstarted
        other._machine = None
        other._event_caches = None
        if self._unstarted:
            other._history, other._saved = [], None
        else:
            other._history = self._history[:]
            other._workspace, other._saved = self._workspace, self._saved or self.saved_words()
            if other._saved is None:
                other._forget()
                other._machine = self._m.copy()
        if self._event_caches is not None:
            self._share(other)
        return other

    # ------------------------------------------------------------ results
    def _whole_game(self, seed: int, game: int, checked: bool = False) -> RolledOut | None:
        if self._start is not None:
            return None
        if checked:
            return self._checked_game(seed, game)
        if not self._history:
            played = self.native.play_one(seed, game)
            return None if played is None else playout_outcome(*played)
        if not self._prepare_offers() or self.is_terminal():
            return None
        played = self.native.play_one(seed, game, self._workspace.memory.position)
        if played is None or self._chances + played[0].chance_events >= self._max_chances:
            return None
        if len(self._history) + played[0].decisions >= self._max_history:
            return None
        return playout_outcome(*played)

    def _checked_game(self, seed: int, game: int) -> RolledOut | None:
        """`_whole_game` in which all invariants hold."""
        code = None if self._history else self.native.checked_twin
        played = None if code is None else code.play_one(seed, game)
        return None if played is None else playout_outcome(*played)

    def _roll_outs(self, count: int, seed: int, first: int) -> RolledOuts:
        rows = self._played_rows(count, seed, first)
        if rows is None:
            return super()._roll_outs(count, seed, first)
        found = RolledOuts.empty(count, self.game.players)
        unfinished = rows.fill(
            found, self._max_history - len(self._history), self._max_chances - self._chances
        )
        for row in unfinished:
            found.fill(row, self.roll_out(seed, first + row))
        return found

    def _played_rows(self, count: int, seed: int, first: int) -> ResultRows | None:
        """Return the games of a run from here, played in native code.

        `None` if the evaluator plays them, and if no game is left to play.
        """
        if self._start is not None:
            return None
        if not self._history:
            return self.native.play_rows(seed, first, count)
        if not self._prepare_offers() or self.is_terminal():
            return None
        return self.native.play_rows(seed, first, count, position=self._workspace.memory.position)

    def search_rounds(self, tree: memoryview[int], start: SearchStart, rounds: int) -> bool:
        """Play rounds of a tree search from here, and write them to the tree (`execution/search.py`).

        `False` if native code does not play all of them; the tree is then of no use.
        """
        if not self._prepare_offers() or self.is_terminal():
            return False
        if start.horizon and STANDING not in self.native.lowered.program.functions:
            return False
        decided = len(self._history) - self._chances
        return self.native.search(
            self._workspace.memory.position, tree, start, rounds, (decided, self._chances)
        )

    def replayer(self, seat: int, real: Tables) -> Replayer | None:
        """What plays histories of this state anew; `None` where native code does not play it."""
        if self._start is not None or not self._is_native():
            return None
        found = NativeReplayer(self, seat, real)
        return None if found.begin() is None else found

    def at_history(self, saved: bytes, history: list[Entry]) -> NativeState:
        """A state of the same game at packed words of a position, which its history led to."""
        other = self.clone()
        other._saved, other._history = saved, history
        other._acting, other._event_caches, other._machine = None, None, None
        return other

    def keep_branches(self, tree: memoryview[int], to: memoryview[int], below: int) -> int:
        """`execution.search.keep_branches` in native code."""
        return self.native.keep_branches(tree, to, below)

    def returns(self) -> list[int]:
        if not self._is_native():
            return super().returns()
        words, result = self._position_words(), self.native.step_code.code.result_index
        if words[result + KIND] == NONE:
            return [0] * self.game.players
        first = result + WINNERS + self.game.players
        return list(words[first : first + self.game.players])

    def _position_data(self) -> tuple[Value, ...]:
        if not self._is_native():
            return super()._position_data()
        return self._decoded(self._position_words())


def playout_outcome(played: PlayedGame, last: FinalPosition) -> RolledOut:
    """The outcome of a playout in native code."""
    outcome = {
        "status": "finished",
        "winners": list(played.winners),
        "returns": list(played.returns),
        "scores": None if played.scores is None else list(played.scores),
        "grade": played.grade,
        "reason": None,
        "fault": None,
    }
    return RolledOut(outcome, last.hash, played.decisions, played.chance_events)


__all__ = ["NativeState"]
