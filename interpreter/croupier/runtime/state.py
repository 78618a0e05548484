"""A state of a game: a position, and the history of how it came about.

Names and conventions are OpenSpiel's where it has them: seats count from 0; -1 is chance, -2 several seats at once, -4 the end.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.diagnostics import Diagnostic, RulesetError, Source, diagnose
from croupier.runtime import position
from croupier.runtime.faults import Fault, GameOver, IllegalAction
from croupier.runtime.game import Game
from croupier.runtime.machine import Machine
from croupier.runtime.node import CHANCE, SIMULTANEOUS, TERMINAL, Node
from croupier.runtime.recorder import Recorder
from croupier.runtime.sight import observation
from croupier.runtime.story import Event
from croupier.source.ruletext import whole

if TYPE_CHECKING:
    from croupier.load import Ruleset

VERSION = 1


@dataclass(frozen=True, slots=True)
class RolledOut:
    """A whole game as a back end played it alone: how it ended, and its steps."""

    outcome: dict[str, Any]
    final_hash: str
    decisions: int
    chance_events: int


class State(Node):
    """One state; `apply_action` changes it in place, `clone` gives an independent copy."""

    def __init__(self, ruleset: Ruleset, game: Game, machine: Machine | None = None, history: list[Any] | None = None) -> None:
        self.ruleset = ruleset
        if machine is None:
            machine = Machine(game)
            machine.start()
        super().__init__(game, machine, history if history is not None else [])
        self._start: Machine | None = None  # a declared position this history begins with, before the rules run on from it

    # ------------------------------------------------------------ going on
    def apply_action(self, action: int, seat: int | None = None) -> None:
        """Apply a decision or a chance outcome. Raises `IllegalAction`; then nothing has changed."""
        if self.is_terminal():
            raise IllegalAction("the game is over")
        if self.is_chance_node():
            if all(action != a for a, _ in self._weights()):
                raise IllegalAction(f"{action} is no outcome of this chance event")
            self._resume(self._m, CHANCE, action)
            self.history.append((action,))
            self._chances += 1
            self._forget()
            return
        pending = self.pending_seats()
        seat = pending[0] if seat is None else seat
        if action not in self.legal_actions(seat):
            raise IllegalAction(f"action {action} is not legal for seat {seat}; legal: {self._offered(seat)}")
        several = self.is_simultaneous_node()
        self._resume(self._m, seat, action)
        self.history.append([seat, action] if several else action)
        self._forget()

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Apply the choices of all pending seats of a simultaneous node, in the order of `pending_seats`. Raises `IllegalAction`.

        Where the game comes to a limit of its ruleset in between, it is over, and the rest do not count.
        """
        pending = self.pending_seats()
        if not self.is_simultaneous_node() or len(actions) != len(pending):
            raise IllegalAction(f"{len(pending)} seats act here, not {len(actions)}")
        for seat, action in zip(pending, actions, strict=True):
            if action not in self.legal_actions(seat):
                raise IllegalAction(f"action {action} is not legal for seat {seat}; legal: {self._offered(seat)}")
        for seat, action in zip(pending, actions, strict=True):
            if not self.is_terminal():
                self.apply_action(action, seat)

    def _resume(self, m: Machine, seat: int, action: int) -> None:
        self._forget()
        frame = m.frames[-1]
        op = frame.pc
        m.refuel()
        m.viewer = frame.viewer
        m.seen = None
        if m.recorder is not None:
            m.recorder.begin(m.fuel)
            self._record(m, op, frame, seat, action)
            m.refuel()
        try:
            op.resume(m, frame, seat, action)
        except Fault as f:
            m.fault, m.frames = f, []
            return
        except GameOver:
            m.frames = []
            return
        m.advance()

    def _record(self, m: Machine, op: Any, frame: Any, seat: int, action: int) -> None:
        m.cites = op.cites
        if seat >= 0 and not op.speaks:
            sealed = op.seats == "every"
            bare = None if sealed else op.bare(m, frame, action)
            m.recorder.decided(m, seat, lambda: op.describe(m, frame, seat, action), sealed or op.discreet(action), bare, op.uses)
            if sealed and len(op.pending(m, frame)) == 1:
                made = sorted((*(frame.L[op.picked] or ()), (seat, op.value_of(m, op.for_seat(frame, seat), action))))
                m.recorder.revealed(m, [(p, partial(op.words, m, op.for_seat(frame, p), v)) for p, v in made])
        elif seat < 0:
            if op.told:
                m.recorder.fell(m, lambda: op.describe(m, frame, seat, action))

    def clone(self) -> State:
        """An independent copy; the history so far is shared by value."""
        other = State(self.ruleset, self.game, self._m.copy(), list(self.history))
        other._start = self._start
        return other

    def roll_out(self, seed: int, game: int) -> RolledOut | None:
        """A whole game by random agents from this initial state, with the streams of a run; none if only a match can play it."""
        return None

    # ------------------------------------------------------------ results
    def outcome(self) -> dict[str, Any]:
        """How the game stands: status, winners (seats from 0), returns, scores, grade, reason, fault."""
        m = self._m
        out: dict[str, Any] = {"status": "running", "winners": [], "returns": [], "scores": None, "grade": None, "reason": None, "fault": None}
        if m.result is not None:
            r = m.result
            out |= {
                "status": "finished",
                "winners": list(r.winners),
                "returns": list(r.returns),
                "scores": None if r.scores is None else list(r.scores),
                "grade": r.grade,
            }
        elif m.fault is not None:
            d = m.fault.diagnostic
            where = {} if d.span is None else {"file": d.span.source.name, "line": d.span.line, "column": d.span.column}
            status = "stuck" if m.fault.code in ("R007", "R009") else "faulted"
            out |= {"status": status, "reason": d.message, "fault": {"code": d.code, "message": d.message, **where}}
        elif self._past_limit() is not None:
            out |= {"status": "unfinished", "reason": f"more than {self.game.program.limits[self._past_limit() or 'decisions']} {self._past_limit()}"}
        return out

    def returns(self) -> list[int]:
        """One number per seat at the end (0 before it)."""
        return list(self._m.result.returns) if self._m.result is not None else [0] * self.players

    @property
    def fault(self) -> Diagnostic | None:
        """The fault that ended the game, in words, at the author's line."""
        return None if self._m.fault is None else self._m.fault.diagnostic

    # ------------------------------------------------------------ information
    def observation(self, seat: int | None, *, spoken: bool = False) -> dict[str, Any]:
        """What a seat sees of the position now (none: the referee); `spoken` for people, who count players from 1."""
        return observation(self._m, seat, spoken=spoken)

    def events(self, seat: int | None = None) -> list[Event]:
        """The history as a seat perceived it (none: the referee)."""
        return self._recorded(seat).events

    def information_state(self, seat: int) -> str:
        """Everything a seat knows: its events and own decisions in order, and what it sees now."""
        events = [f"{e.kind}: {e.text}" for e in self.events(seat)]
        return "\n".join([*events, json.dumps(self.observation(seat), ensure_ascii=False, sort_keys=True)])

    def _recorded(self, seat: int | None) -> Recorder:
        recorder = Recorder(self.players, seat)
        recorder.begin(self.game.program.limits["fuel"])
        if self._start is not None:
            m = self._start.copy()
            m.recorder = recorder
            if m.result is None:
                m.advance()
        else:
            m = Machine(self.game)
            m.recorder = recorder
            m.start()
        again = State(self.ruleset, self.game, m)
        for h in self.history:
            acting = CHANCE if isinstance(h, tuple) else h[0] if isinstance(h, list) else again.current_player()
            again._resume(m, acting, h[0] if isinstance(h, tuple) else h[1] if isinstance(h, list) else h)
        return recorder

    # ------------------------------------------------------------ identity
    def position(self) -> bytes:
        """The canonical bytes of the position (the history is no part of it)."""
        return position.canonical_bytes(self._m)

    def hash(self) -> str:
        """SHA-256 of the canonical bytes."""
        return position.position_hash(self._m)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.position() == other.position()

    def __hash__(self) -> int:
        return int(self.hash()[:15], 16)

    def serialize(self) -> str:
        """The state as JSON: ruleset, players, parameters, position and history. `Ruleset.deserialize` reads it."""
        start = None if self._start is None else position.to_json(position.as_data(self._start, begun=False))
        return json.dumps(
            {
                "croupier": VERSION, "ruleset": self.ruleset.name, "ruleset_hash": self.ruleset.ruleset_hash, "players": self.players,
                "parameters": self.parameters, "position": position.to_json(position.as_data(self._m)), "start": start,
                "history": [list(h) if isinstance(h, tuple) else {"seat": h[0], "action": h[1]} if isinstance(h, list) else h for h in self.history],
            },
            sort_keys=True,
        )  # fmt: skip

    # ------------------------------------------------------------ questions
    def evaluate(self, text: str) -> Any:
        """The value of an expression of the rule language in this position, as JSON. Raises `RulesetError`."""
        from croupier.semantics import check_expression

        x, proc, found = check_expression(self.game.program, whole(Source("expression", text)))
        if x is None:
            raise RulesetError(tuple(found))
        try:
            value = self.game.code.expr(x)(self._m, [None] * (len(proc.slots) + 1))
        except Fault as f:
            raise RulesetError((f.diagnostic,)) from None
        return self.game.to_json(value, x.type, self._m)

    def check_invariants(self) -> list[Diagnostic]:
        """The invariants of the ruleset that do not hold here."""
        found = []
        self._m.refuel()
        for name, test, span in self.game.code.invariants():
            try:
                ok = test(self._m)
            except Fault as f:
                found.append(f.diagnostic)
                continue
            if not ok:
                found.append(diagnose("R020", span, name=name))
        return found


__all__ = ["CHANCE", "SIMULTANEOUS", "TERMINAL", "Event", "IllegalAction", "State"]
