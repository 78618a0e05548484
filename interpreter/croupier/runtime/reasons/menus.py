"""Why an option of a menu, a reaction or a claim is not offered."""

from __future__ import annotations

from itertools import product
from typing import Any

from croupier.runtime.claims import ClaimOp
from croupier.runtime.menus import MenuOp
from croupier.runtime.reasons.clause import NOT_AMONG, NOT_OFFERED, NOT_SAID, NOT_USED, Clause, WhyNot, folded
from croupier.runtime.reasons.wording import Wording
from croupier.runtime.windows import WindowOp
from croupier.semantics.tree import MenuData


def of_menu(op: MenuOp, m: Any, text: str, words: Wording) -> WhyNot:
    """Why a menu does not offer something; `text` is folded."""
    frame = m.frames[-1]
    data: MenuData = op.tree.data
    for e, option in zip(op.entries, data.options, strict=True):
        cites = option.cites or tuple(op.cites)
        L = frame.L[:]
        for values, _ in op.combinations(m, L, e, 0, (), ()):
            for slot, v in zip(e.slots, values, strict=True):
                L[slot] = v
            label = e.label(m, L)
            if text in {folded(label), folded(words.rename(label))}:
                found = [Clause("condition", c.text, c.cites or cites, c.span) for c in e.conditions if not c.test(m, L)]
                if e.condition is not None and option.condition is not None and not e.condition(m, L):
                    found.append(Clause("option", NOT_OFFERED, cites, option.condition.span))
                return WhyNot(True, tuple(found), label)
    for e, option in zip(op.entries, data.options, strict=True):
        if words.label(option.label, text) or text == folded(e.raw):
            source = option.sources[0].span if option.sources else option.span
            reason = NOT_AMONG if option.sources else NOT_OFFERED
            return WhyNot(True, (Clause("source" if option.sources else "option", reason, option.cites or tuple(op.cites), source),))
    if op.window is None:
        return WhyNot(False)
    return of_reaction(op.window, m, [f(m, frame.L) for f in op.window_args], op.chooser(m, frame), (), text, words)


def of_window(op: WindowOp, m: Any, text: str, words: Wording) -> WhyNot:
    """Why a window does not offer a reaction."""
    frame = m.frames[-1]
    return of_reaction(op.window, m, frame.L[: op.params], op.chooser(m, frame), frame.L[op.used], text, words)


def of_reaction(window: int, m: Any, args: list[Any], seat: int, used: tuple[int, ...], text: str, words: Wording) -> WhyNot:
    """The first reason for each reaction that is called so; of a component that the seat cannot see only that it cannot be used."""
    hooks = m.game.code.hooks
    found: list[Clause] = []
    known = False
    for code in hooks.by_target.get(window, {}).get("reaction", ()):
        for i, piece in enumerate(code.pieces or (None,)):
            named = piece is not None and folded(m.game.label(piece, m)) == text
            if not (named or words.label(code.hook.label, text)):
                continue
            known = True
            kind, reason, span = _first_reason(code, piece, m, args, seat, code.first + i in used)
            clause = Clause(kind, reason, code.hook.cites, span)
            if clause not in found:
                found.append(clause)
    return WhyNot(known, tuple(found) or (Clause("reaction", NOT_USED),))


def _first_reason(code: Any, piece: int | None, m: Any, args: list[Any], seat: int, used: bool) -> tuple[str, str, Any]:
    """Why a reaction is not offered to a seat. Nothing is said that a seat could not know about a component of others."""
    h = code.hook
    if used:
        return "reaction", "it was used already", h.proc.span
    L: list[Any] = [None] * len(h.proc.slots)
    if piece is not None:
        z = m.where[piece]
        place = m.game.places[z] if z >= 0 else None
        if place is None or (place.owner is not None and place.owner != seat) or (not code.live_anywhere and not place.live):
            return "reaction", NOT_USED, h.proc.span
        L[h.self_slot or 0] = piece
        if h.here_slot is not None:
            L[h.here_slot] = place.key
    if h.owner_slot is not None:
        L[h.owner_slot] = seat
    for param, slot in code.bound:
        L[slot] = args[param]
    pattern = {a.param: a.fixed for a in h.args if a.fixed is not None}
    for param, fixed in code.fixed:
        if fixed(m, L) != args[param]:
            return "reaction", "it is for something else", pattern[param].span
    if code.guard is not None and not code.guard(m, L):
        return "reaction", NOT_USED, h.guard.span
    return "reaction", NOT_USED, h.proc.span


def of_claim(op: ClaimOp, m: Any, seat: int, text: str, words: Wording) -> WhyNot:
    """Why something may not be said."""
    for c, declared in zip(op.claims, m.game.program.claims, strict=True):
        if not words.label(declared.says, text):
            continue
        span = declared.span if declared.condition is None else declared.condition.span
        for values in product(*(m.game.values(kind) for _, kind in c.fields)):
            L: list[Any] = [None] * c.slot_count
            L[c.slots[0]] = seat
            for slot, v in zip(c.slots[1:], values, strict=True):
                L[slot] = v
            if text in (folded(c.says(m, L)), folded(words.rename(c.says(m, L)))):
                return WhyNot(True, (Clause("claim", NOT_SAID, declared.cites, span),), c.says(m, L))
        return WhyNot(True, (Clause("claim", NOT_SAID, declared.cites, declared.span),))
    return WhyNot(False)
