"""Looking ahead: can a block still end with its condition true?

A depth-first search over copies of the machine, in the canonical order of options, without memory of positions seen. Decisions of the player
who chooses are tried; chance, other players and the end of the game are not part of a look-ahead. `within n` looks at most n decisions ahead of the
one in question. The number of positions examined for one question is limited; past it every back end gives the same fault.
"""

from __future__ import annotations

from typing import Any

from croupier.runtime.faults import DeadEnd, Fault, GameOver, Reached

MAX_POSITIONS = 200_000


def can_end(m: Any, op: Any) -> bool:
    """At a `so that`: is there any way through its block that ends with the condition true?"""
    trial = m.copy()
    frame = trial.frames[-1]
    frame.L[op.slot] = True
    frame.pc = op.body
    trial.search = (len(trial.frames), op.slot)
    if m.search is None:
        trial.examined = [0]
    return _explore(trial, None, op.span, op.within)


def active(m: Any) -> tuple[int, int] | None:
    """The outermost block that is being looked ahead in: the number of its frame and its slot."""
    for depth, frame in enumerate(m.frames):
        for slot in frame.code.so_slots:
            if frame.L[slot]:
                return depth + 1, slot
    return None


def allowed(m: Any, options: list[int], seat: int) -> list[int]:
    """Of some actions at a decision, those after which every look-ahead block can still end as it must."""
    target = active(m)
    if target is None:
        return options
    within = m.frames[target[0] - 1].code.so_slots[target[1]]
    left = None if within is None else within - 1
    kept = []
    for action in options:
        trial = m.copy()
        trial.search, trial.examined = target, [0]
        try:
            frame = trial.frames[-1]
            frame.pc.resume(trial, frame, seat, action)
        except DeadEnd:
            continue
        except Reached:
            kept.append(action)
            continue
        except GameOver:
            continue
        if _explore(trial, seat, m.waiting.span, left):
            kept.append(action)
    return kept


def _explore(m: Any, seat: int | None, span: Any, left: int | None) -> bool:
    """Run on; at each further decision, of which `left` may still come, try every option."""
    assert m.examined is not None
    m.examined[0] += 1
    if m.examined[0] > MAX_POSITIONS:
        raise Fault("R018", span, limit=MAX_POSITIONS)
    try:
        m.run()
    except DeadEnd:
        return False
    except Reached:
        return True
    except GameOver:
        return False
    frame = m.frames[-1]
    op = frame.pc
    if op.seats == "chance":
        raise Fault("R019", op.span, what="chance falls")
    chooser = op.chooser(m, frame)
    if seat is not None and chooser != seat:
        raise Fault("R019", op.span, what="another player decides")
    if left == 0:
        return False
    for action in op.actions(m, frame, chooser):
        trial = m.copy()
        trial.search, trial.examined = m.search, m.examined
        inner = trial.frames[-1]
        try:
            inner.pc.resume(trial, inner, chooser, action)
        except DeadEnd:
            continue
        except Reached:
            return True
        except GameOver:
            continue
        if _explore(trial, chooser, span, None if left is None else left - 1):
            return True
    return False
