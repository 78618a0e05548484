"""Why a value may not be chosen: of one thing, or as part of several."""

from __future__ import annotations

from typing import Any

from croupier.runtime.choices import ChooseOp, EveryOp
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.reasons.clause import MUST, NOT_AMONG, Clause, WhyNot, folded
from croupier.runtime.reasons.wording import Wording
from croupier.runtime.sets import SetOp
from croupier.semantics.tree import Choice


def of_choice(op: ChooseOp, m: Any, seat: int, text: str, words: Wording) -> WhyNot:
    """Why a choice does not offer something; `text` is folded. No clause: it is on offer, under the label."""
    frame = m.frames[-1]
    frame = op.for_seat(frame, seat) if isinstance(op, EveryOp) else frame
    choice: Choice = op.tree.data[0]
    cites = tuple(op.cites)
    called = _called(op, m, frame, text, words)
    offered = op.actions(m, m.frames[-1], seat) if called else []
    for place, value, label in called:
        if _action(op, place, value) in offered:  # one of several alike, or called by its mere words
            return WhyNot(True, (), label)
    for place, value, label in called[:1]:
        found = _of_value(op, m, frame, seat, value)
        if isinstance(op, SetOp):
            found += _of_set(op, m, frame, place, cites)
        elif not found and (op.merging or op.alike is not None):
            found.append(Clause("alike", "another one that is alike stands for it", cites, choice.source.span))
        return WhyNot(True, tuple(found), label)
    if text in ("no", "done", folded(op.decline)):
        return WhyNot(True, (_of_none(op, m, frame, cites),), text)
    return WhyNot(reads(op, text, words), (Clause("source", NOT_AMONG, cites, choice.source.span),))


def _called(op: ChooseOp, m: Any, frame: Any, text: str, words: Wording) -> list[tuple[int, Value, str]]:
    """What a choice is about that is called so, by its label or its mere words: its place in the source, and its label."""
    found = []
    for place, value in enumerate(op.source(m, frame.L)):
        shown = op.game.show(value, op.base)
        label = _label(op, m, frame, value, shown)
        if text in {folded(said) for said in (shown, words.rename(shown), label, words.rename(label))}:
            found.append((place, value, label))
    return found


def _action(op: ChooseOp, place: int, value: Value) -> int:
    """The integer of a value of the source."""
    if isinstance(op, SetOp):
        return place + 1
    if op.alike is not None:
        value = op.alike.first[value]  # where one that is alike is offered, this number is
    return (int(value) - op.low if op.finite else place) + op.shift


def _label(op: ChooseOp, m: Any, frame: Any, value: Value, shown: str) -> str:
    """What a value reads like; what is not offered need have no label, and is then called what it is."""
    try:
        return op.words(m, frame, value)
    except Fault:
        return shown


def reads(op: ChooseOp, text: str, words: Wording) -> bool:
    """Could anything that a choice is about read like this?"""
    choice: Choice = op.tree.data[0]
    if words.value(op.base, text) or ((op.optional or op.worded) and text == folded(op.decline)):
        return True
    if op.label_fixed is None:
        return words.label(choice.label, text)
    prefix = f"{folded(op.label_fixed)}:"
    return text.startswith(prefix) and words.value(op.base, text.removeprefix(prefix))


def _of_value(op: ChooseOp, m: Any, frame: Any, seat: int, value: Value) -> list[Clause]:
    """The named conditions, and the `where`, that a value does not meet. Raises `Fault` where what is asked first faults."""
    choice: Choice = op.tree.data[0]
    cites, found, L = tuple(op.cites), list[Clause](), frame.L[:]
    L[op.item] = value
    among = [] if op.where is None or choice.where is None or op.where(m, L) else [Clause("where", NOT_AMONG, cites, choice.where.span)]
    for c in op.conditions:
        try:
            holds = c.test(m, L)
        except Fault:
            if not found and not among:
                raise
            break  # it may count on what does not hold
        if not holds:
            found.append(Clause("condition", c.text, c.cites or cites, c.span))
    return found + among


def _of_set(op: SetOp, m: Any, frame: Any, place: int, cites: tuple[str, ...]) -> list[Clause]:
    """Why the value at a place of the source may not be taken next."""
    choice: Choice = op.tree.data[0]
    offer, taken = op.offer(m, frame.L), frame.L[op.picked] or ()
    if place in taken:
        return [Clause("order", "it is taken already", cites, choice.source.span)]
    if len(taken) >= offer.high:
        return [Clause("how many", f"at most {offer.high} may be chosen", cites, op.span)]
    if place not in offer.following(taken):
        alike = offer.kinds is not None and (not taken or offer.rank[place] > offer.rank[taken[-1]])
        reason = "another one that is alike stands for it" if alike else "what was taken last comes after it: things are taken in order"
        return [Clause("alike" if alike else "order", reason, cites, choice.source.span)]
    if op.such_that is not None and choice.such_that is not None:
        return [Clause("such that", "nothing that may be chosen holds it", cites, choice.such_that.span)]
    return [Clause("how many", f"{offer.low} are chosen, in this order, and too few come after it: take others first, then it", cites, op.span)]


def _of_none(op: ChooseOp, m: Any, frame: Any, cites: tuple[str, ...]) -> Clause:
    if not isinstance(op, SetOp):
        return Clause("how many", MUST, cites, op.span)
    offer, taken = op.offer(m, frame.L), frame.L[op.picked] or ()
    choice: Choice = op.tree.data[0]
    if len(taken) >= offer.low and choice.such_that is not None:
        return Clause("such that", "what was taken may not be chosen as it is", cites, choice.such_that.span)
    return Clause("how many", MUST, cites, op.span)
