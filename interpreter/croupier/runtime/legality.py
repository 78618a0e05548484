"""Reasons why an action is not offered: the clauses that forbid it, each with its span, its rules and its
words.

An action, or a thing of the game, is named as people write it. `refused_options.py` looks for it among what
the decision could offer.
"""

from __future__ import annotations

from croupier.kernel.tree import SoThatStmt
from croupier.records import dataclass
from croupier.runtime import lookahead
from croupier.runtime.asking import AskOp
from croupier.runtime.clauses import Clause, WhyNot
from croupier.runtime.faults import Fault
from croupier.runtime.label_matching import LabelMatcher
from croupier.runtime.machine import Machine
from croupier.runtime.option_matching import folded, forms
from croupier.runtime.reasons import Reasons
from croupier.runtime.refused_options import Wanted, reads
from croupier.runtime.sets import SetOp
from croupier.runtime.state_view import StateView
from croupier.semantics.walk import statements
from croupier.text import Rename, Seat, Text, join


# ---------------------------------------------------------------- why
# Why a seat may not do something now.
def why_not(state: StateView, seat: int, text: str, rename: Rename = str) -> WhyNot:
    """Return why a seat may not do what a text says; `rename` gives a text with the names of the players.

    There are no clauses for what is offered. A condition that cannot be worked out is a clause of its own.
    """
    m, wanted = state._m, folded(text)
    if state.is_terminal():
        return WhyNot(False, (Clause("turn", "the game is over"),))
    if state.is_chance_node():
        span = m.asking()[0].span
        return WhyNot(False, (Clause("turn", "something happens by chance first", span=span),))
    pending = state.pending_seats()
    if seat not in pending:
        if not state.is_open_to(seat):  # who acts is hidden
            return WhyNot(False, (Clause("turn", "it is not for you to decide now"),))
        acting = Text.of(join(" and ", map(Seat, pending)), " must act now")
        asked = m.asking()[0]
        return WhyNot(False, (Clause("turn", acting, tuple(asked.cites), asked.span),))
    found = _option(state, seat, wanted, rename)
    if found is not None:
        return found
    m.refuel()
    try:
        found = _of(m, seat, wanted, rename)
        if found.clauses or found.label is None:
            return found
        return _option(state, seat, folded(found.label), str) or found
    except Fault as fault:
        wrong = fault.diagnostic
        return WhyNot(True, (Clause("fault", wrong.message, (), wrong.span),))
    finally:
        m.refuel()


def _option(state: StateView, seat: int, wanted: str, rename: Rename) -> WhyNot | None:
    """Return the option that a text names, also one that only a look-ahead removes; `None` if there is none.

    `wanted` is folded.
    """
    m = state._m
    m.refuel()
    op, frame = m.asking()
    for action in op.actions(m, frame, seat):
        label = state.action_to_string(seat, action)
        if wanted in forms(label, rename):
            return WhyNot(True, () if action in state.legal_actions(seat) else (_ahead(m, seat),), label)
    return None


def _of(m: Machine, seat: int, text: str, rename: Rename) -> WhyNot:
    op, words = m.waiting, LabelMatcher(m.rules, rename)
    return Wanted(op, m, seat, text, words).why_not() if isinstance(op, AskOp) else WhyNot(False)


def could_read(m: Machine, text: str, rename: Rename = str) -> bool:
    """Return whether anything that the decision is about, offered or not, could read like this. `text` is
    folded.
    """
    op, words = m.waiting, LabelMatcher(m.rules, rename)
    if not isinstance(op, AskOp):
        return False
    return text == folded(op.declining) or any(reads(source, text, words) for source in op.sources)


def _ahead(m: Machine, seat: int) -> Clause:
    """The look-ahead that removes an action: the condition that could not come true any more."""
    op, frame = m.asking()
    target, _ = lookahead.counting(m, op.actions(m, frame, seat), seat)
    assert target is not None
    frame = m.frames[target[0] - 1]
    later = "could not come true any more"
    for s in statements(frame.code.proc.body):
        if isinstance(s, SoThatStmt) and s.slot == target[1]:
            reasons = Reasons(m, seat)
            goal = reasons.said(s.args[0], reasons.scope(frame.code.proc, frame.L))
            words = Text.of("after it “", goal, "” ", later)
            return Clause("look-ahead", words, s.cites or frame.code.proc.cites, s.args[0].span)
    return Clause("look-ahead", f"after it this {later}", frame.code.proc.cites, frame.code.proc.span)


# ---------------------------------------------------------------- several
# How many of several things are chosen, and which of them are taken already: what the options alone do not
# show.
@dataclass(frozen=True)
class SeveralChosen:
    """The least and the most that may be chosen (`None`: as many as there are), and the words of those taken
    so far.
    """

    least: int
    most: int | None
    taken: tuple[str, ...]


def several(state: StateView, seat: int) -> SeveralChosen | None:
    """Return how many things a seat that must act chooses.

    `None` if it chooses one thing, or if the number cannot be worked out.
    """
    m = state._m
    op = m.waiting
    if not isinstance(op, SetOp) or seat not in state.pending_seats():
        return None
    frame = m.frames[-1]
    m.refuel()
    try:
        offer, kind = op.offer(m, frame.L), op.items.kinds[0]
        taken = tuple(m.game.show(offer.source[index], kind, m) for index in frame.L[op.picked] or ())
    except Fault:
        return None
    finally:
        m.refuel()
    return SeveralChosen(offer.low, None if op.several.high is None else offer.high, taken)
