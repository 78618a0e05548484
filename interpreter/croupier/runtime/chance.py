"""The reference evaluator, chance: drawing from piles and bags, rolling."""

from __future__ import annotations

from collections import Counter

from croupier.kernel import types as t
from croupier.records import dataclass
from croupier.runtime import zones
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import WAIT, Frame, Machine, Op, Run
from croupier.runtime.wording import StatementWords
from croupier.semantics.program import VarDef
from croupier.text import Text


@dataclass(eq=False)
class DrawOp(Op):
    """Components one by one from the top or the bottom; one out of an unordered part is a chance event of its
    own.
    """

    seats = "chance"

    count: Run
    source: Run
    to: Run
    left: int
    drawn: int
    words: StatementWords
    end: int  # where the next component lies: on top, or at 0, at the bottom

    def run(self, m: Machine, fr: Frame) -> object:
        L = fr.L
        if L[self.left] is None:
            if m.recorder is not None:
                m.cites = self.cites
            m.burn(self.span)
            L[self.left] = max(0, self.count(m, L))
            if self.drawn >= 0:
                L[self.drawn] = ()
        m.event_audience = fr.event_audience
        while L[self.left] > 0:
            items = m.zones[self.source(m, L)]
            if not items:
                break
            if m.game.zones[self.source(m, L)].order == "bag":
                if len(in_bag(m.game, items)) > 1:
                    return WAIT
                self.take(m, L, items[0])
            elif type(items[self.end]) is tuple:
                return WAIT
            else:
                self.take(m, L, items[self.end])
        L[self.left] = None
        self.words.end(m, L)
        fr.pc = self.next
        return None

    def take(self, m: Machine, L: list[Value], component: int) -> None:
        m.burn(self.span)
        L[self.left] -= 1
        if self.drawn >= 0:
            L[self.drawn] = (*L[self.drawn], component)
        to = self.to(m, L)
        self.words.step(m, L, lambda: zones.move(m, component, to, "top", self.span))

    def outcomes(self, m: Machine, fr: Frame) -> list[tuple[int, int]]:
        items = m.zones[self.source(m, fr.L)]
        if m.game.zones[self.source(m, fr.L)].order == "bag":
            return list(in_bag(m.game, items).items())
        return [(component, 1) for component in items[self.end]]

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        m.event_audience = fr.event_audience
        if m.recorder is not None:
            m.cites = self.cites
        z = self.source(m, fr.L)
        self.take(
            m, fr.L, out_of_bag(m.game, m.zones[z], action) if m.game.zones[z].order == "bag" else action
        )

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        """A card that is drawn is told by where it goes."""

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        return m.game.thing(action, m)


def in_bag(game: Game, items: tuple[int, ...]) -> dict[int, int]:
    """Return the components that may come out of a bag, each with its count.

    Components that are called alike are one entry, the first of them.
    """
    return dict(sorted(Counter(map(game.alike.first.__getitem__, items)).items()))


def out_of_bag(game: Game, items: tuple[int, ...], first: int) -> int:
    """The component of a bag that comes out when those do that are like this one."""
    return next(i for i in items if game.alike.first[i] == first)


@dataclass(eq=False)
class RollOp(Op):
    """The operation of `roll`: each die in turn, every face alike."""

    seats = "chance"

    components: Run
    variable: VarDef
    first: int
    values: tuple[Value, ...]
    left: int
    kind: t.Type
    words: StatementWords

    def run(self, m: Machine, fr: Frame) -> object:
        L = fr.L
        if L[self.left] is None:
            m.burn(self.span)
            L[self.left] = tuple(sorted(self.components(m, L)))
        if L[self.left]:
            if len(self.values) > 1:
                return WAIT
            self.set(m, L, self.values[0])
            return None
        L[self.left] = None
        self.words.end(m, L)
        fr.pc = self.next
        return None

    def set(self, m: Machine, L: list[Value], value: Value) -> None:
        m.burn(self.span)
        component, old = L[self.left][0], m.vars[self.variable.index]
        L[self.left] = L[self.left][1:]
        at = component - self.first
        self.words.step(m, L, lambda: self.show(m, at, old, value))

    def show(self, m: Machine, at: int, old: tuple[Value, ...], value: Value) -> None:
        """A die shows a face; said even if it showed that before."""
        readers = () if m.recorder is None else m.recorder.each
        for recorder in readers:
            recorder.rolling = self.variable.index
        if m.recorder is not None and old[at] == value:
            m.recorder.value_at(m, self.variable, at, value)
        m.set_var(self.variable.index, (*old[:at], value, *old[at + 1 :]))
        for recorder in readers:
            recorder.rolling = -1

    def outcomes(self, m: Machine, fr: Frame) -> list[tuple[int, int]]:
        return [(i, 1) for i in range(len(self.values))]

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        m.event_audience = fr.event_audience
        if m.recorder is not None:
            m.cites = self.cites or m.cites
        self.set(m, fr.L, self.values[action])

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        """A die that is rolled is told by what it shows."""

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        die = m.game.thing(fr.L[self.left][0], m)
        return Text.of(die, " shows ", m.game.show(self.values[action], self.kind, m))
