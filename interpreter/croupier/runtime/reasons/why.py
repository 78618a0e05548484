"""Why a seat may not do something now."""

from __future__ import annotations

from typing import Any

from croupier.runtime import lookahead
from croupier.runtime.choices import ChooseOp
from croupier.runtime.claims import ClaimOp
from croupier.runtime.faults import Fault
from croupier.runtime.menus import MenuOp
from croupier.runtime.node import Node
from croupier.runtime.reasons.choosing import of_choice, reads
from croupier.runtime.reasons.clause import Clause, Rename, WhyNot, folded
from croupier.runtime.reasons.menus import of_claim, of_menu, of_window
from croupier.runtime.reasons.wording import Wording
from croupier.runtime.windows import WindowOp
from croupier.semantics.walk import statements


def why_not(state: Node, seat: int, text: str, rename: Rename = str) -> WhyNot:
    """Why a seat may not do what a text says; `rename` gives a text with other names of players. No clause about what is offered.

    A condition that cannot be worked out is a clause of its own.
    """
    m, wanted = state._m, folded(text)
    if state.is_terminal():
        return WhyNot(False, (Clause("turn", "the game is over"),))
    if state.is_chance_node():
        return WhyNot(False, (Clause("turn", "chance must fall first", span=m.waiting.span),))
    pending = state.pending_seats()
    if seat not in pending:
        who = " and ".join(rename(f"player {p + 1}") for p in pending)
        return WhyNot(False, (Clause("turn", f"{who} must act now", tuple(m.waiting.cites), m.waiting.span),))
    found = _option(state, seat, wanted, rename)
    if found is not None:
        return found
    m.refuel()
    try:
        found = _of(m, seat, wanted, rename)
        return found if found.clauses or found.label is None else _option(state, seat, folded(found.label), str) or found
    except Fault as fault:
        wrong = fault.diagnostic
        return WhyNot(True, (Clause("fault", wrong.message, (), wrong.span),))
    finally:
        m.refuel()


def _option(state: Node, seat: int, wanted: str, rename: Rename) -> WhyNot | None:
    """What is called so among the options, those too that only a look-ahead removes; `wanted` is folded."""
    m = state._m
    m.refuel()
    for action in m.waiting.actions(m, m.frames[-1], seat):
        label = state.action_to_string(seat, action)
        if wanted in {folded(label), folded(rename(label))}:
            return WhyNot(True, () if action in state.legal_actions(seat) else (_ahead(m),), label)
    return None


def _of(m: Any, seat: int, text: str, rename: Rename) -> WhyNot:
    op, words = m.waiting, Wording(m.game, rename)
    if isinstance(op, ChooseOp):
        return of_choice(op, m, seat, text, words)
    if isinstance(op, MenuOp):
        return of_menu(op, m, text, words)
    if isinstance(op, ClaimOp):
        return of_claim(op, m, seat, text, words)
    if isinstance(op, WindowOp):
        return of_window(op, m, text, words)
    return WhyNot(False)


def could_read(m: Any, text: str, rename: Rename = str) -> bool:
    """Could anything that the decision is about, offered or not, read like this? `text` is folded."""
    op, words = m.waiting, Wording(m.game, rename)
    if isinstance(op, ChooseOp):
        return reads(op, text, words)
    return isinstance(op, MenuOp) and any(words.label(option.label, text) for option in op.tree.data.options)


def _ahead(m: Any) -> Clause:
    """The look-ahead that removes an action: the condition that could not come true any more."""
    target = lookahead.active(m)
    assert target is not None
    frame = m.frames[target[0] - 1]
    words = "after it this could not come true any more"
    for s in statements(frame.code.proc.body):
        if s.op == "so_that" and s.data[2] == target[1]:
            return Clause("look-ahead", words, s.cites or frame.code.proc.cites, s.args[0].span)
    return Clause("look-ahead", words, frame.code.proc.cites, frame.code.proc.span)
