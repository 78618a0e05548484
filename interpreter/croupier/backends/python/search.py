"""Looking ahead in compiled code: the search of `runtime/lookahead.py`, in the same order, over copies of the compiled position.

What a block begins with stands in its frame, so that a run can begin there on a copy as in earnest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from croupier.backends.python.position import Deviation, Position
from croupier.backends.python.stands import Run, Stand
from croupier.limits import MAX_LOOKAHEAD_DECISIONS
from croupier.runtime.faults import GameOver, LookaheadFailed, LookaheadHolds
from croupier.runtime.game import Game, Value
from croupier.runtime.lookahead import examine, examined

Step = tuple[Run | None, Any]


class Search:
    """Of one game. `stands` are its sites."""

    def __init__(self, game: Game, stands: Sequence[Stand]) -> None:
        self.stands, self.fuel = stands, game.program.limits["fuel"]
        self.slots = {p.proc.index: p.so_slots for p in game.code.procs if p.so_slots}
        self.looks = bool(self.slots)

    def begin(self, p: Position) -> None:
        """An action begins, or a question about the position."""
        p.examined = [0, self.fuel]

    # ------------------------------------------------------------ called by compiled code
    def foresees(self, p: Position, run: Run, slot: int, within: int | None) -> bool:
        """Is there a way through a block, which begins with `run`, after which its condition holds? If so, it is begun."""
        trial: Position = examine(p, None)
        trial.frames[-1][slot] = True
        trial.search = (len(trial.frames), slot)
        found = self.leads_on(trial, lambda t: (run, None), None, MAX_LOOKAHEAD_DECISIONS if within is None else within, within is None)
        examined(p, trial)
        if found:
            p.frames[-1][slot] = True
        return found

    def tried(self, p: Position, attempt: Callable[..., Any], args: tuple[Value, ...]) -> bool:
        """Does the condition hold after a block that never waits?"""
        trial: Position = examine(p, None)
        trial.depth = dict(p.depth)
        try:
            held = bool(attempt(trial, *args))
        except GameOver:
            held = False
        examined(p, trial)
        return held

    def settles(self, p: Position, slot: int) -> bool:
        """A block is left: is its condition asked?"""
        f = p.frames[-1]
        if f[slot] is None:
            return False
        f[slot] = None
        return p.search is not None

    def judged(self, p: Position, slot: int, held: bool) -> None:
        if not held:
            raise LookaheadFailed
        if p.search == (len(p.frames), slot):
            raise LookaheadHolds

    def stuck(self, p: Position) -> None:
        """Nothing can be chosen."""
        raise Deviation if p.search is None else LookaheadFailed

    # ------------------------------------------------------------ decisions in a block
    def active(self, p: Position) -> tuple[int, int] | None:
        """The outermost block that is being looked ahead in: the number of its frame and its slot."""
        for depth, f in enumerate(p.frames):
            for slot in self.slots.get(self.stands[f[-2]].routine, ()):
                if f[slot]:
                    return depth + 1, slot
        return None

    def allowed(self, p: Position, actions: list[int]) -> list[int]:
        """Of the actions at a decision, those after which every block can still end as it must. Raises `Deviation` and `Fault`."""
        target = self.active(p)
        if target is None:
            return actions
        self.begin(p)
        stand = self.stands[p.frames[-1][-2]]
        within = self.slots[self.stands[p.frames[target[0] - 1][-2]].routine][target[1]]
        left, strict = (MAX_LOOKAHEAD_DECISIONS if within is None else within) - 1, within is None
        kept, seat = [], p.seat
        for action in actions:
            trial: Position = examine(p, None)
            trial.search = target
            if self.leads_on(trial, partial(stand.go_on, action=action), seat, left, strict):
                kept.append(action)
            examined(p, trial)
        return kept

    def in_another(self, t: Position) -> bool:
        """Does the search stand in a look-ahead that began inside the one whose end is looked for?"""
        assert t.search is not None
        depth, around = t.search
        frames = enumerate(t.frames[depth - 1 :])
        return any(f[slot] for d, f in frames for slot in self.slots.get(self.stands[f[-2]].routine, ()) if d or slot < around)

    def leads_on(self, t: Position, take: Callable[[Position], Step | None], seat: int | None, left: int, strict: bool) -> bool:
        """After a step, which changes `t`: can the condition still come true, by `left` decisions of `seat`?"""
        try:
            step = take(t)
            if step is not None:
                run, value = step
                while run is not None:
                    run = run(t, value)
        except LookaheadHolds:
            return True
        except (LookaheadFailed, GameOver):
            return False
        if not t.frames:
            return False
        stand = self.stands[t.frames[-1][-2]]
        if stand.seats != "one":
            raise Deviation
        if seat is not None and t.seat != seat:
            if self.in_another(t):
                return True
            raise Deviation
        if left == 0:
            if strict:
                raise Deviation
            return False
        seat = t.seat
        for k in range(len(t.offer) + stand.shift):
            trial: Position = examine(t, None)
            found = self.leads_on(trial, partial(stand.at, index=k), seat, left - 1, strict)
            examined(t, trial)
            if found:
                return True
        return False
