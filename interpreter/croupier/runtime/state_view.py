"""The view of a state: who acts, which actions are legal, and what they are called.

Names and conventions are OpenSpiel's where it has them: seats count from 0; -1 is chance, -2 several seats at
once, -4 the end. What the calls give belongs to the caller: lists are fresh, and changing them changes no
state. What they take is tested first (`arguments.py`).
"""

from __future__ import annotations

import json
from fractions import Fraction

from croupier.diagnostics import Diagnostic, JsonObject, RulesetError, Source, diagnose
from croupier.runtime import lookahead
from croupier.runtime.arguments import option_of, seat_of, text_of, viewer_of
from croupier.runtime.engine import Engine
from croupier.runtime.event_cache import Entry
from croupier.runtime.false_parts import FalseParts
from croupier.runtime.faults import Fault, IllegalAction
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import Called, Machine
from croupier.runtime.option_matching import exact, folded
from croupier.runtime.timing import TIME, TimeOp
from croupier.runtime.visibility import observation, perceives
from croupier.semantics import check_expression
from croupier.semantics.decision_sites import Point
from croupier.source.ruletext import whole
from croupier.text import Text

CHANCE, SIMULTANEOUS, TERMINAL = -1, -2, -4
TIME_RUNS = -5  # a timed machine (`timing.py`) stands at an end of a block that takes its time


class StateView:
    """The part of a state that answers questions: nothing here changes the position."""

    def __init__(self, engine: Engine, machine: Machine, history: list[Entry]) -> None:
        self.engine = engine
        self._history = history
        self._m = machine
        self._chances = sum(1 for h in history if isinstance(h, tuple))
        self._forget()

    def _forget(self) -> None:
        """Forget the results that were worked out for the last position."""
        self._legal: dict[int, list[int]] = {}
        self._acting: str | None = None
        self._player: int | None = None
        self._pending: list[int] | None = None
        self._outcomes: list[tuple[int, int]] | None = None

    # ------------------------------------------------------------ what it is
    @property
    def game(self) -> Game:
        """What was set up."""
        return self.engine.game

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.game.players

    @property
    def history(self) -> list[Entry]:
        """Return the actions since the start: a number, `(outcome,)` of chance, or `[seat, action]` if
        several seats chose at once. A fresh list.
        """
        return [list(h) if type(h) is list else h for h in self._history]

    @property
    def parameters(self) -> JsonObject:
        """Every parameter as a JSON value."""
        return {
            p.name: self.game.to_json(self.game.parameters[p.name], p.type)
            for p in self.game.program.params.values()
        }

    # ------------------------------------------------------------ who acts
    def is_terminal(self) -> bool:
        """Return whether nothing is left to do: the game is finished, faulted or past a limit."""
        return (self._seats() if self._acting is None else self._acting) == ""

    def _seats(self) -> str:
        """Return who acts: "one" seat, "every" one of several, "chance", "time", or "" for nobody."""
        if self._acting is None:
            op = self._m.waiting
            self._acting = "" if op is None or self._past_limit() is not None else str(op.seats)
        return self._acting

    def _past_limit(self) -> str | None:
        limits = self.game.program.limits
        if self._chances >= limits["chance"]:
            return "chance"
        return "decisions" if len(self._history) - self._chances >= limits["decisions"] else None

    def is_chance_node(self) -> bool:
        """Return whether chance acts now."""
        return (self._seats() if self._acting is None else self._acting) == "chance"

    def is_simultaneous_node(self) -> bool:
        """Return whether several seats choose at once."""
        return (self._seats() if self._acting is None else self._acting) == "every"

    def time_end(self) -> TimeOp | None:
        """Return the end of a block that takes its time at which this state, which is timed, stands."""
        op = self._m.waiting
        return op if isinstance(op, TimeOp) else None

    def current_player(self) -> int:
        """The seat that acts, or -1 chance, -2 several at once, -4 the end; -5 where a timed state waits for
        time to pass.
        """
        acting = self._seats()
        if acting == "one":
            if self._player is None:
                self._m.refuel()
                op, frame = self._m.asking()
                self._player = int(op.chooser(self._m, frame))
            return self._player
        return {"": TERMINAL, "chance": CHANCE, "every": SIMULTANEOUS, TIME: TIME_RUNS}[acting]

    def pending_seats(self) -> list[int]:
        """Return the seats that must act now: one, several at a simultaneous node, an empty list at chance,
        the end, and while time passes.
        """
        acting = self._seats()
        if acting == "every":
            self._m.refuel()
            op, frame = self._m.asking()
            return op.pending(self._m, frame)
        return [self.current_player()] if acting == "one" else []

    def is_open_to(self, seat: int | None) -> bool:
        """Return whether a seat (`None`: the referee) may know who acts now.

        It may not while others act secretly, or are asked for a reaction, or if hidden information decides
        whether anything is asked at all: something that others may refuse, one more of several things,
        chance.

        Raises ValueError for a seat that is not there.
        """
        seat = viewer_of(seat, self.players)
        m = self._m
        if not m.frames or seat is None:
            return True
        if not perceives(m.frames[-1].event_audience, seat):
            return False
        op = m.waiting
        if op is None or seat in self.pending_seats():
            return True
        return op.is_asked_openly(m, m.frames[-1], seat)

    # ------------------------------------------------------------ actions
    def legal_actions(self, seat: int | None = None) -> list[int]:
        """Legal actions of a seat, ascending; a fresh list, empty if the seat does not act now.

        Raises ValueError for a seat that is not there.

        Without a seat, those of the seat that acts; at chance its outcomes (as with -1); where several choose
        at once, of the first that has not.
        """
        return self._options(None if seat is None else seat_of(seat, self.players, CHANCE))[:]

    def _options(self, seat: int | None) -> list[int]:
        """The same, tested, as a list that is kept."""
        if self.is_chance_node():
            return [a for a, _ in self._weights()] if seat in (None, CHANCE) else []
        pending = self.pending_seats()
        seat = pending[0] if seat is None and pending else seat
        if seat is None or seat not in pending:
            return []
        if seat not in self._legal:
            m = self._m
            try:
                m.refuel()
                op, frame = m.asking()
                options = sorted(op.actions(m, frame, seat))
                self._legal[seat] = lookahead.allowed(m, options, seat)
            except Fault as f:
                self._faulted(f)
                return []
        return self._legal[seat]

    def _faulted(self, fault: Fault) -> None:
        """End the game with a fault: the options cannot be worked out."""
        self._m.fault, self._m.frames = fault, []
        self._forget()

    def _weights(self) -> list[tuple[int, int]]:
        """Outcomes of the chance event and their weights, worked out once."""
        if self._outcomes is None:
            m, self._outcomes = self._m, []
            m.refuel()
            try:
                if self.is_chance_node():
                    op, frame = m.asking()
                    self._outcomes = op.outcomes(m, frame)
            except Fault as f:
                self._faulted(f)
                return []
        return self._outcomes

    def chance_outcomes(self) -> list[tuple[int, Fraction]]:
        """Outcomes of the chance event and their probabilities, which add up to 1."""
        rows = self._weights()
        total = sum(w for _, w in rows)
        shares = {w: Fraction(w, total) for w in {w for _, w in rows}}
        return [(a, shares[w]) for a, w in rows]

    def action_to_string(self, seat: int, action: int) -> str:
        """An action in the game's own words (seat -1: an outcome of chance); words that fault show the code
        of the fault.

        Also of one that is not legal, if it is a number of something here. Raises `IllegalAction` if not,
        ValueError for a seat that is not there.
        """
        try:
            return self.described(seat, action)
        except Fault as f:
            return f"({f.code})"

    def described(self, seat: int, action: int) -> str:
        """The words of `action_to_string`; where they fault, raises `Fault`."""
        seat, action = seat_of(seat, self.players, CHANCE), option_of(action)
        m = self._m
        if m.waiting is None:
            raise IllegalAction("the game is over")
        m.refuel()
        try:
            return Text.of(m.waiting.describe(m, m.frames[-1], seat, action))
        except (IndexError, KeyError, StopIteration):
            raise IllegalAction(f"{action} is no action here") from None

    def string_to_action(self, seat: int, text: str) -> int:
        """The legal action with these words, whatever its spaces and capitals.

        Raises `IllegalAction`, ValueError for a seat that is not there.
        """
        seat = seat_of(seat, self.players, CHANCE)
        wanted = folded(text_of(text, "what an action is called"))
        options = self._options(None if seat < 0 else seat)
        labels = [self.action_to_string(seat, action) for action in options]
        found = [options[i] for i in exact(wanted, labels)]
        if found:
            first = self.action_to_struct(seat, found[0])
            if any(self.action_to_struct(seat, a) != first for a in found[1:]):
                raise IllegalAction(f"`{text}` is not clear: {len(found)} different options are called so")
            return found[0]
        if 0 in options and ((wanted == "no" and self.declines(0)) or (wanted == "done" and self.ends(0))):
            return 0
        named = [a for a in options if self._in_names(seat, a) == wanted]
        if len(named) == 1:
            return named[0]
        raise IllegalAction(f"`{text}` is not offered here; legal: {self._offered(seat)}")

    def _in_names(self, seat: int, action: int) -> str:
        """The words of an action with cells and values by their names instead of their labels, folded."""
        label = self.action_to_string(seat, action)
        return " ".join((label.in_names if isinstance(label, Text) else label).split()).casefold()

    def asked(self, seat: int) -> JsonObject | None:
        """Return the decision of a seat as JSON: what it is called, and its options with their words.

        `None` if the seat does not act. Raises ValueError for a seat that is not there.
        """
        seat = seat_of(seat, self.players)
        if self.is_terminal() or seat not in self.pending_seats():
            return None
        options = self._options(seat)
        if self._m.waiting is None:  # what may be done could not be worked out
            return None
        return {
            "asks": self._m.waiting.question(self._m),
            "options": {str(a): self.action_to_string(seat, a) for a in options},
        }

    def declines(self, action: int) -> bool:
        """Return whether a legal action chooses nothing, in whatever words."""
        op = self._m.waiting
        return op is not None and op.declines(self._m.frames[-1], action)

    def ends(self, action: int) -> bool:
        """Return whether a legal action takes no more of several things, in whatever words."""
        op = self._m.waiting
        return op is not None and op.ends(self._m.frames[-1], action)

    def _offered(self, seat: int, numbered: bool = False) -> str:
        options = self._options(None if seat < 0 else seat)
        words = [f"{a} " * numbered + f"`{self.action_to_string(seat, a)}`" for a in options[:8]]
        return ", ".join(words) + (", …" if len(options) > 8 else "")

    def action_to_struct(self, seat: int, action: int) -> int | str | JsonObject:
        """An action as JSON, which names what it means: the stable key of an option, whatever its integer is
        in this position.

        Raises `IllegalAction`, ValueError for a seat that is not there.
        """
        seat, action = seat_of(seat, self.players, CHANCE), option_of(action)
        m = self._m
        m.refuel()
        try:
            struct = None if m.waiting is None else m.waiting.struct(m, m.frames[-1], seat, action)
        except (IndexError, KeyError, StopIteration):
            raise IllegalAction(f"{action} is no action here") from None
        return {"chance": self.action_to_string(seat, action)} if struct is None else struct

    def called(self, seat: int, action: int) -> Called | None:
        """Return the name of a legal action in the rules, and the values that it chooses.

        `None` for what has no name there: reactions.
        """
        m = self._m
        m.refuel()
        return None if m.waiting is None else m.waiting.named(m, m.frames[-1], seat, action)

    def struct_to_action(self, seat: int, struct: object) -> int:
        """The legal action with this structure (or, for a text, these words).

        Raises `IllegalAction`, ValueError for a seat that is not there.
        """
        seat = seat_of(seat, self.players, CHANCE)
        if isinstance(struct, str):
            return self.string_to_action(seat, struct)
        struct = self.with_full_name(struct)
        for action in self._options(None if seat < 0 else seat):
            if self.action_to_struct(seat, action) == struct:
                return action
        raise IllegalAction(
            f"`{json.dumps(struct, default=repr)}` is not offered here; legal: {self._offered(seat)}"
        )

    def asked_at(self) -> Point | None:
        """Return the place of the rules where a seat, or chance, is asked now, a key of `game.sites`; `None`
        if nobody is asked.
        """
        op = self._m.waiting
        return None if op is None or op.point is None else (op.proc, op.point)

    def with_full_name(self, struct: object) -> object:
        """A structure that calls the choice which is asked here by its variable alone, as earlier versions
        did, with the name that no other has.
        """
        point, name = self.asked_at(), getattr(self._m.waiting, "name", None)
        if (
            point is None
            or not isinstance(struct, dict)
            or "choose" not in struct
            or struct["choose"] != name
        ):
            return struct
        return {**struct, "choose": self.game.sites[point].name}

    # ------------------------------------------------------------ results
    def outcome(self) -> JsonObject:
        """Return the result as JSON: status, winners (seats from 0), returns, scores, grade, reason, fault.

        Before the end the status is `running`, and there are no returns.
        """
        m = self._m
        out: JsonObject = {
            "status": "running",
            "winners": [],
            "returns": [],
            "scores": None,
            "grade": None,
            "reason": None,
            "fault": None,
        }
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
            if d.span is None:
                where = {}
            else:
                where = {"file": d.span.source.name, "line": d.span.line, "column": d.span.column}
            out |= {
                "status": "stuck" if m.fault.code in ("R007", "R009") else "faulted",
                "reason": d.message,
                "fault": {"code": d.code, "message": d.message, **where},
            }
        elif (limit := self._past_limit()) is not None:
            reason = f"more than {self.game.program.limits[limit]} {limit}"
            out |= {"status": "unfinished", "reason": reason}
        return out

    def returns(self) -> list[int]:
        """Return one number per seat at the end, 0 before it."""
        return list(self._m.result.returns) if self._m.result is not None else [0] * self.players

    @property
    def fault(self) -> Diagnostic | None:
        """The fault that ended the game, in words, at the author's line."""
        return None if self._m.fault is None else self._m.fault.diagnostic

    # ------------------------------------------------------------ information
    def observation(self, seat: int | None, *, spoken: bool = False) -> JsonObject:
        """Return the position as a seat sees it now, as JSON.

        A `seat` of `None` is the referee, who sees everything; `SPECTATOR` is somebody at no seat. Keys are
        texts. Zones of players go by the words of the rules, `player 1` for seat 0; where a player is a value
        or the key of a state, it is the seat from 0, or, if `spoken`, the words for people. A zone is a list,
        `{"count": n}` if the seat may only count it, otherwise null. A seat that acts finds its decision
        there too (`asked`). Raises ValueError for a seat that is not there.
        """
        seat = viewer_of(seat, self.players)
        asked = self.asked(seat) if seat is not None and seat < self.players else None
        seen = observation(self._m, seat, spoken=spoken)
        return seen if asked is None else seen | {"decision": asked}

    # ------------------------------------------------------------ questions
    def evaluate(self, text: str) -> Value:
        """The value of an expression of the rule language in this position, as JSON.

        Raises `RulesetError`, ValueError for what is no text.
        """
        x, proc, found = check_expression(
            self.game.program, whole(Source("expression", text_of(text, "an expression")))
        )
        if x is None:
            raise RulesetError(tuple(found))
        try:
            value = self.engine.rules.expr(x)(self._m, [None] * (len(proc.slots) + 1))
        except Fault as f:
            raise RulesetError((f.diagnostic,)) from None
        return self.game.to_json(value, x.type, self._m)

    def check_invariants(self) -> list[Diagnostic]:
        """The invariants of the ruleset that do not hold here."""
        found = []
        self._m.refuel()
        for at, holds in enumerate(self.engine.rules.invariants):
            try:
                if not holds(self._m):
                    found.append(self._broken(at))
            except Fault as f:
                found.append(f.diagnostic)
        return found

    def _broken(self, at: int) -> Diagnostic:
        """The invariant of a number that does not hold, at the first false one of the parts joined by `and`,
        with its values.
        """
        name, x, proc, _ = self.game.program.invariants[at]
        parts = FalseParts(
            lambda part: self.engine.rules.expr(part)(self._m, [None] * (len(proc.slots) + 1)),
            lambda value, kind: self.game.show(value, kind, self._m),
        )
        false = parts.first(x)
        return diagnose("R020", false.span, name=name, labels=parts.labels(false))
