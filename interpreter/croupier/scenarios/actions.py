"""Actions as an author writes them: in the words of an option, or as its structure; and why an action is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from croupier.runtime.choices import ChooseOp, EveryOp
from croupier.runtime.menus import ClaimOp, MenuOp, WindowOp
from croupier.runtime.sets import SetOp
from croupier.runtime.state import CHANCE, State
from croupier.scenarios.table import Table
from croupier.scenarios.values import structure
from croupier.semantics import types as t
from croupier.source import Node, Scalar

MOST_SHOWN = 12


def said(node: Node) -> str:
    """A choice as written, on one line."""
    return node.text if isinstance(node, Scalar) else " ".join(node.span.text.split())


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def words(state: State, seat: int, action: int, table: Table) -> set[str]:
    """Every way to write an action: its words, with the names of seats too, and the mere value that it chooses."""
    label = state.action_to_string(seat, action)
    found = {label, table.seats.named(label)}
    op = state._m.waiting
    struct = state.action_to_struct(seat, action)
    if isinstance(struct, dict) and not isinstance(getattr(op, "base", None), t.Player):
        value = struct.get("value", struct.get("item"))
        if isinstance(value, (str, int)):
            found.add(str(value).lower() if isinstance(value, bool) else str(value))
    if isinstance(getattr(op, "base", None), t.Player) and isinstance(op, ChooseOp) and action >= op.shift:
        found |= {table.seats.names[v] for v in [_value(op, state, seat, action)] if isinstance(v, int)}
    if seat == CHANCE and " shows " in label:
        found.add(label.rsplit(" shows ", 1)[1])
    return {folded(text) for text in found}


def _value(op: ChooseOp, state: State, seat: int, action: int) -> Any:
    if isinstance(op, SetOp):
        return op.source(state._m, state._m.frames[-1].L)[action - 1] if action else None
    return op.value_of(state._m, state._m.frames[-1], action)


def find(state: State, seat: int, node: Node, table: Table) -> int | None:
    """The legal action, or outcome of chance, that a node names."""
    options = state.legal_actions(None if seat == CHANCE else seat)
    if isinstance(node, Scalar):
        wanted = folded(node.text)
        return next((a for a in options if wanted in words(state, seat, a, table)), None)
    wanted_struct = structure(node)
    return next((a for a in options if state.action_to_struct(seat, a) == wanted_struct), None)


def offered(state: State, seat: int, table: Table) -> str:
    """The legal actions in words."""
    options = state.legal_actions(None if seat == CHANCE else seat)
    shown = ", ".join(f"`{table.seats.named(state.action_to_string(seat, a))}`" for a in options[:MOST_SHOWN])
    more = len(options) - MOST_SHOWN
    return (shown or "nothing") + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True)
class Refusal:
    """Whether an action that is not legal names something of the game at all, and why it is refused."""

    known: bool
    reasons: tuple[str, ...] = ()


def refusal(state: State, seat: int, node: Node, table: Table) -> Refusal:
    """Why a seat that may act cannot do this."""
    text, op, m = folded(said(node)), state._m.waiting, state._m
    if isinstance(op, ChooseOp):
        return _of_choice(op, m, seat, text, table)
    if isinstance(op, MenuOp):
        return _of_menu(op, m, text, table)
    if isinstance(op, ClaimOp):
        templates = ["".join("{}" if p is None else p for p in c.says.data) for c in table.game.program.claims]
        return Refusal(any(_fits(template, text) for template in templates), ("it may not be said",))
    if isinstance(op, WindowOp):
        return Refusal(_is_reaction(op.window, text, table), ("it cannot be used here",))
    return Refusal(False)


def _of_choice(op: ChooseOp, m: Any, seat: int, text: str, table: Table) -> Refusal:
    frame = m.frames[-1]
    frame = op.for_seat(frame, seat) if isinstance(op, EveryOp) else frame
    L = frame.L[:]
    known = False
    for value in op.source(m, L):
        label = op.words(m, frame, value)
        if text in {folded(w) for w in (table.show(value, op.base), table.game.show(value, op.base), label, table.seats.named(label))}:
            known = True
            reasons = [c.text for c in op.refusals(m, frame, seat, value)]
            if op.where is not None:
                L[op.item] = value
                if not op.where(m, L):
                    reasons.append("it is not among those to choose from")
            return Refusal(True, tuple(reasons))
    if text in ("no", "done"):
        return Refusal(True, ("something must be chosen",))
    if op.finite:
        known = any(text in {folded(table.show(v, op.base)), folded(table.game.show(v, op.base))} for v in table.game.values(op.base))
    return Refusal(known, ("it is not among those to choose from",))


def _of_menu(op: MenuOp, m: Any, text: str, table: Table) -> Refusal:
    frame = m.frames[-1]
    for e in op.entries:
        L = frame.L[:]
        for values, _ in op.combinations(m, L, e, 0, (), ()):
            for slot, v in zip(e.slots, values, strict=True):
                L[slot] = v
            if text in {folded(e.label(m, L)), folded(table.seats.named(e.label(m, L)))}:
                reasons = [c.text for c in e.conditions if not c.test(m, L)]
                if e.condition is not None and not e.condition(m, L):
                    reasons.append("the option is not offered")
                return Refusal(True, tuple(reasons))
    if any(_fits(e.raw, text) for e in op.entries):
        return Refusal(True, ("the option is not offered",))
    return Refusal(op.window is not None and _is_reaction(op.window, text, table), ("it cannot be used here",))


def _is_reaction(window: int, text: str, table: Table) -> bool:
    hooks = (h for h in table.game.program.hooks if h.kind == "reaction" and h.target == window and h.label is not None)
    return any(_fits("".join("{}" if p is None else p for p in h.label.data), text) for h in hooks if h.label is not None)


def _fits(template: str, text: str) -> bool:
    parts = [re.escape(folded(part)) for part in re.split(r"\{[^}]*\}", template)]
    return any(parts) and re.fullmatch(r"\s*.+?\s*".join(parts), text) is not None


def is_known(state: State, text: str, table: Table) -> bool:
    """Whether a text names anything of the game: what somebody may do now, a component, a cell, a value, a seat."""
    game, text = table.game, folded(text)
    if any(text in words(state, seat, a, table) for seat in state.pending_seats() for a in state.legal_actions(seat)):
        return True
    if text in ("no", "done") or text.lstrip("-").isdigit() or table.seats.find(text) is not None:
        return True
    cells = (name for board in game.boards.values() for name in board.names)
    values = (value for enum in game.program.enums.values() for value in enum.values)
    return any(folded(name) == text for name in (*game.by_label, *table.looks, *cells, *values))
