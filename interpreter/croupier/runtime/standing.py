"""How a game stands: its results so far, what a seat sees of it, and questions in the rule language. Nothing here changes the position."""

from __future__ import annotations

from typing import Any

from croupier.diagnostics import Diagnostic, RulesetError, Source, diagnose
from croupier.runtime.arguments import text_of, viewer_of
from croupier.runtime.faults import Fault
from croupier.runtime.node import Node
from croupier.runtime.sight import observation
from croupier.source.ruletext import whole


class Standing(Node):
    """The part of a state that tells how the game stands."""

    # ------------------------------------------------------------ results
    def outcome(self) -> dict[str, Any]:
        """How the game stands: status, winners (seats from 0), returns, scores, grade, reason, fault.

        Before the end the status is `running`, and there are no returns.
        """
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
        """What a seat sees of the position now, as JSON (none: the referee, `SPECTATOR`: who sits at no seat).

        Keys are texts. Zones of players go by the words of the rules, `player 1` for seat 0; where a player is a value or the key of a state, it is
        the seat from 0, or, if `spoken`, the words for people. A zone is a list, `{"count": n}` if the seat may only count it, otherwise null.
        A seat that acts finds its decision there too (`asked`). Raises ValueError for a seat that is not there.
        """
        seat = viewer_of(seat, self.players)
        asked = self.asked(seat) if seat is not None and seat < self.players else None
        seen = observation(self._m, seat, spoken=spoken)
        return seen if asked is None else seen | {"decision": asked}

    # ------------------------------------------------------------ questions
    def evaluate(self, text: str) -> Any:
        """The value of an expression of the rule language in this position, as JSON. Raises `RulesetError`, ValueError for what is no text."""
        from croupier.semantics import check_expression

        x, proc, found = check_expression(self.game.program, whole(Source("expression", text_of(text, "an expression"))))
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
