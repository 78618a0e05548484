"""The reference evaluator, chance: drawing from piles and bags, rolling."""

from __future__ import annotations

from collections import Counter
from typing import Any

from croupier.runtime.callables import Run
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import WAIT, Frame
from croupier.runtime.operations import Op
from croupier.semantics.program import VarDef


class DrawOp(Op):
    """Components one by one from the top; one out of an unordered part is a chance event of its own."""

    seats = "chance"

    def __init__(self, count: Run, source: Run, to: Run, left: int, drawn: int) -> None:
        self.count, self.source, self.to, self.left, self.drawn = count, source, to, left, drawn

    def run(self, m: Any, fr: Frame) -> Any:
        L = fr.L
        if L[self.left] is None:
            if m.recorder is not None:
                m.cites = self.cites
            m.burn(self.span)
            L[self.left] = max(0, self.count(m, L))
            if self.drawn >= 0:
                L[self.drawn] = ()
        m.viewer = fr.viewer
        while L[self.left] > 0:
            items = m.zones[self.source(m, L)]
            if not items:
                break
            if m.game.places[self.source(m, L)].order == "bag":
                if len(in_bag(m.game, items)) > 1:
                    return WAIT
                self.take(m, L, items[0])
            elif type(items[-1]) is tuple:
                return WAIT
            else:
                self.take(m, L, items[-1])
        L[self.left] = None
        fr.pc = self.next
        return None

    def take(self, m: Any, L: list[Value], piece: int) -> None:
        m.burn(self.span)
        L[self.left] -= 1
        if self.drawn >= 0:
            L[self.drawn] = (*L[self.drawn], piece)
        m.move(piece, self.to(m, L), "top", self.span)

    def outcomes(self, m: Any, fr: Frame) -> list[tuple[int, int]]:
        items = m.zones[self.source(m, fr.L)]
        if m.game.places[self.source(m, fr.L)].order == "bag":
            return list(in_bag(m.game, items).items())
        return [(piece, 1) for piece in items[-1]]

    def resume(self, m: Any, fr: Frame, seat: int, action: int) -> None:
        m.viewer = fr.viewer
        if m.recorder is not None:
            m.cites = self.cites
        z = self.source(m, fr.L)
        self.take(m, fr.L, out_of_bag(m.game, m.zones[z], action) if m.game.places[z].order == "bag" else action)

    def describe(self, m: Any, fr: Frame, seat: int, action: int) -> str:
        return m.game.label(action, m)  # type: ignore[no-any-return]


def in_bag(game: Game, items: tuple[int, ...]) -> dict[int, int]:
    """What may come out of a bag: the first of those that are called alike, and how many of them there are."""
    return dict(sorted(Counter(map(game.alike.first.__getitem__, items)).items()))


def out_of_bag(game: Game, items: tuple[int, ...], first: int) -> int:
    """The component of a bag that comes out when those do that are like this one."""
    return next(i for i in items if game.alike.first[i] == first)


class RollOp(Op):
    """Each die in turn, every face alike."""

    seats = "chance"

    def __init__(self, pieces: Run, variable: VarDef, first: int, values: tuple[Value, ...], left: int, kind: Any) -> None:
        self.pieces, self.variable, self.first, self.values, self.left, self.kind = pieces, variable, first, values, left, kind
        self.index = variable.index

    def run(self, m: Any, fr: Frame) -> Any:
        L = fr.L
        if L[self.left] is None:
            m.burn(self.span)
            L[self.left] = tuple(sorted(self.pieces(m, L)))
        if L[self.left]:
            if len(self.values) > 1:
                return WAIT
            self.set(m, L, self.values[0])
            return None
        L[self.left] = None
        fr.pc = self.next
        return None

    def set(self, m: Any, L: list[Value], value: Value) -> None:
        m.burn(self.span)
        piece, old = L[self.left][0], m.vars[self.index]
        L[self.left] = L[self.left][1:]
        at = piece - self.first
        recorder = m.recorder
        if recorder is not None:
            recorder.rolling = self.index
            if old[at] == value:
                recorder.value_at(m, self.variable, at, value)
        m.set_var(self.index, (*old[:at], value, *old[at + 1 :]))
        if recorder is not None:
            recorder.rolling = -1

    def outcomes(self, m: Any, fr: Frame) -> list[tuple[int, int]]:
        return [(i, 1) for i in range(len(self.values))]

    def resume(self, m: Any, fr: Frame, seat: int, action: int) -> None:
        m.viewer = fr.viewer
        if m.recorder is not None:
            m.cites = self.cites or m.cites
        self.set(m, fr.L, self.values[action])

    def describe(self, m: Any, fr: Frame, seat: int, action: int) -> str:
        return f"{m.game.label(fr.L[self.left][0], m)} shows {m.game.show(self.values[action], self.kind)}"
