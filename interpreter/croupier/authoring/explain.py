"""Explaining a move: which clauses keep it from being legal, or what it did, clause by clause.

A move is named by its words or its structure, or by its integer where nothing is called so. What a legal move
does is told by the events that follow from it, up to the next decision or chance event, each with the clause
that it follows from and the rules that clause cites.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from croupier.diagnostics import JsonObject
from croupier.diagnostics.render import short_place
from croupier.runtime.arguments import action_of, seat_of
from croupier.runtime.asking import AskOp
from croupier.runtime.candidates import OptionSource, ValueSource
from croupier.runtime.clauses import Clause, WhyNot
from croupier.runtime.events import Event
from croupier.runtime.faults import Fault, IllegalAction
from croupier.runtime.legality import why_not
from croupier.runtime.option_matching import folded
from croupier.runtime.state import State
from croupier.runtime.state_view import CHANCE
from croupier.runtime.windows import OpenOp, WindowOp


@dataclass(frozen=True)
class Explanation:
    """A move of a seat (from 0; -1 chance) in a position.

    `label` is how the game calls the move, or what was asked for; `known` says whether the game knows
    anything of that name here. For an illegal move `forbidden` holds the clauses that keep it from being
    offered. For a legal one `decision` is the clause that asks, and `passed` are the option of a menu and the
    named conditions that it meets, or the clause that offers a reaction; `events` are what followed.
    `offered` are the legal moves in words.
    """

    seat: int
    label: str
    legal: bool
    known: bool
    forbidden: tuple[Clause, ...] = ()
    decision: Clause | None = None
    passed: tuple[Clause, ...] = ()
    events: tuple[Event, ...] = ()
    offered: tuple[str, ...] = ()

    def to_json(self) -> JsonObject:
        """The explanation as a JSON value; positions count from 1."""
        return {
            "seat": self.seat,
            "label": self.label,
            "legal": self.legal,
            "known": self.known,
            "forbidden": [c.to_json() for c in self.forbidden],
            "decision": None if self.decision is None else self.decision.to_json(),
            "passed": [c.to_json() for c in self.passed],
            "events": [
                {
                    "text": e.text,
                    "parts": e.text.to_json(keys=True),
                    "kind": e.kind,
                    "rules": list(e.rules),
                    "place": short_place(e.span),
                }
                for e in self.events
            ],
            "offered": list(self.offered),
        }


def explain_move(
    state: State,
    move: int | str | dict[str, object],
    seat: int | None = None,
    others: Mapping[int, int] = MappingProxyType({}),
) -> Explanation:
    """Explain a move in a position, which stays as it is. `seat` is from 0 (none: whoever acts, -1: chance).

    Where several seats choose at the same time, nothing happens before all have: `others` are actions of
    other seats, by seat. Raises ValueError for a seat that is not there, and a move that is no integer, words
    or structure.
    """
    pending = [CHANCE] if state.is_chance_node() else state.pending_seats()
    if seat is not None:
        seat = seat_of(seat, state.players, CHANCE)
    else:
        seat = pending[0] if pending else 0
    move = move if isinstance(move, (str, dict)) else action_of(move)
    action = _legal(state, seat, move) if seat in pending else None
    offered = tuple(state.action_to_string(seat, a) for a in _options(state, seat)) if seat in pending else ()
    if action is None:
        return _illegal(state, seat, move, offered)
    label = state.action_to_string(seat, action)
    decision, passed = _decision(state, seat, action)
    return Explanation(
        seat, label, True, True, (), decision, passed, _events(state, {**others, seat: action}), offered
    )


def _options(state: State, seat: int) -> list[int]:
    return state.legal_actions(None if seat == CHANCE else seat)


def _legal(state: State, seat: int, move: int | str | dict[str, object]) -> int | None:
    """The legal action that is meant; a text of digits is an integer if nothing that the decision is about is
    called so.
    """
    options = _options(state, seat)
    if isinstance(move, int):
        return move if move in options else None
    try:
        return state.struct_to_action(seat, move)
    except IllegalAction:
        if not isinstance(move, str):
            return None
    called = _named(state, seat, move)
    if called.known:
        label = None if called.clauses or called.label is None else folded(called.label)
        return next((a for a in options if folded(state.action_to_string(seat, a)) == label), None)
    return int(move) if move.strip().isdecimal() and int(move) in options else None


def _named(state: State, seat: int, text: str) -> WhyNot:
    """Look up what a text names in a decision of a seat; chance offers nothing but its outcomes."""
    return WhyNot(False) if seat == CHANCE else why_not(state, seat, text)


def _illegal(state: State, seat: int, move: int | str | JsonObject, offered: tuple[str, ...]) -> Explanation:
    if isinstance(move, str) and _named(state, seat, move).known:
        text = move
    else:
        text = _words(state, seat, move)
    if seat == CHANCE and state.is_chance_node():
        asked = state._m.asking()[0]
        clause = Clause("source", "it is not among the outcomes", tuple(asked.cites), asked.span)
        return Explanation(seat, text, False, False, (clause,), offered=offered)
    found = why_not(state, seat, text)
    return Explanation(seat, found.label or text, False, found.known, found.clauses, offered=offered)


def _words(state: State, seat: int, move: int | str | JsonObject) -> str:
    """Return the words of a move, whether it is legal or not."""
    if isinstance(move, dict):
        value = move.get("value", move.get("item", move.get("use", move.get("option"))))
        return str(value)
    if isinstance(move, str) and not move.strip().isdecimal():
        return move
    try:
        return state.described(seat, int(move))
    except IllegalAction:
        return str(move)
    except Fault:  # what is not offered need have no words
        return _words(state, seat, state.action_to_struct(seat, int(move)))


def _decision(state: State, seat: int, action: int) -> tuple[Clause, tuple[Clause, ...]]:
    """The clause that asks, and what lets the move pass: the option and the named conditions that it meets,
    or the clause that offers a reaction.
    """
    m = state._m
    op, frame = m.asking()
    asking = op
    offers: tuple[Clause, ...] = ()
    met: tuple[Clause, ...] = ()
    if isinstance(op, WindowOp):
        # what waits for the window
        asking = next((f.pc for f in reversed(m.frames[:-1]) if isinstance(f.pc, OpenOp)), op)
    if isinstance(op, AskOp):
        chosen = op.candidate(m, frame, seat, action)
        source = chosen.source
        if chosen.reaction is not None:
            hook = chosen.reaction.code.hook
            offers = (Clause("reaction", chosen.words(m, frame), hook.cites, hook.proc.span),)
        if isinstance(source, ValueSource):
            met = tuple(replace(c.clause, kind="condition") for c in source.conditions if c.clause.words)
        if isinstance(source, OptionSource):
            option = source.tree
            offers = (Clause("option", source.raw.replace("{}", "…"), option.cites, option.span),)
    asks = Clause("chance" if seat == CHANCE else "decision", "", tuple(asking.cites), asking.span)
    return asks, (*offers, *met)


def _events(state: State, moves: Mapping[int, int]) -> tuple[Event, ...]:
    """Return the events that the referee sees when the moves, by seat, are made."""
    after = state.clone()
    before = len(after.events())
    sealed = state.is_simultaneous_node()
    for seat, action in sorted(moves.items()):
        after.apply_action(action, seat if sealed else None)
    return tuple(after.events()[before:])


__all__ = ["Explanation", "explain_move", "folded"]
