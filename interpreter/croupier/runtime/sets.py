"""The reference evaluator, choices of several: small choices in a canonical order, each of which leaves a way to a valid whole."""

from __future__ import annotations

from typing import Any

from croupier.runtime.choices import ChooseOp
from croupier.runtime.evaluate import Run
from croupier.runtime.faults import DeadEnd, Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import WAIT, Frame
from croupier.semantics import types as t

MAX_COMPLETIONS = 200_000


class SetOp(ChooseOp):
    """`choose k xs from …`: a sequence of small choices in canonical order, so that no two sequences mean the same set.

    Actions: 0 is "done", i + 1 the item at place i of the source. Items come in ascending places; of equal items (`merging`) the first untaken.
    """

    picked = 0
    whole = 0
    low_run: Run | None = None
    high_run: Run | None = None
    such_that: Run | None = None
    chance = False

    def limits(self, m: Any, L: list[Value], n: int) -> tuple[int, int]:
        low = 0 if self.low_run is None else max(0, self.low_run(m, L))
        high = n if self.high_run is None else min(n, self.high_run(m, L))
        return low, high

    def run(self, m: Any, fr: Frame) -> Any:
        m.burn(self.span)
        m.viewer = fr.viewer
        L = fr.L
        if L[self.picked] is None:
            source = self.source(m, L)
            low, high = self.limits(m, L, len(source))
            if high < low or not self.completable(m, L, source, (), low, high) or (self.optional and high == 0):
                if self.optional or self.has_other:
                    fr.pc = self.other
                    return None
                if m.search is not None:
                    raise DeadEnd
                raise Fault("R007", self.span)
            L[self.picked] = ()
        return self.go_on(m, fr)

    def go_on(self, m: Any, fr: Frame) -> Any:
        source = self.source(m, fr.L)
        low, high = self.limits(m, fr.L, len(source))
        places = fr.L[self.picked]
        if len(places) >= high or (not self.offered(m, fr.L, source, places, low, high) and len(places) >= low):
            if places or not self.optional:
                self.close(m, fr, source)
                return None
        return WAIT

    def close(self, m: Any, fr: Frame, source: tuple[Value, ...]) -> None:
        fr.L[self.slot] = tuple(source[i] for i in fr.L[self.picked])
        fr.L[self.picked] = None
        fr.pc = self.body if self.optional else self.next

    def kind_of(self, m: Any, v: Value) -> Any:
        return tuple(f(m, v) for f in self.merging) if self.merging else v if not isinstance(self.base, t.Component) else ("#", v)

    def offered(self, m: Any, L: list[Value], source: tuple[Value, ...], places: tuple[int, ...], low: int, high: int) -> list[int]:
        """Places that may come next: each must leave a way to a valid whole."""
        begin = places[-1] + 1 if places else 0
        out: list[int] = []
        kinds: set[Any] = set()
        taken = set(places)
        if self.merging:
            for i in range(begin):
                if i not in taken:
                    kinds.add(self.kind_of(m, source[i]))
        for i in range(begin, len(source)):
            if self.merging:
                kind = self.kind_of(m, source[i])
                if kind in kinds:
                    continue
                kinds.add(kind)
            if self.completable(m, L, source, (*places, i), low, high):
                out.append(i)
        return out

    def valid(self, m: Any, L: list[Value], source: tuple[Value, ...], places: tuple[int, ...]) -> bool:
        if self.such_that is None:
            return True
        scratch = L[:]
        scratch[self.whole] = tuple(source[i] for i in places)
        return bool(self.such_that(m, scratch))

    def completable(self, m: Any, L: list[Value], source: tuple[Value, ...], places: tuple[int, ...], low: int, high: int) -> bool:
        if len(places) > high:
            return False
        begin = places[-1] + 1 if places else 0
        if self.such_that is None:
            return len(places) + len(source) - begin >= low
        tried = 0
        stack = [places]
        while stack:
            at = stack.pop()
            tried += 1
            m.burn(self.span)
            if tried > MAX_COMPLETIONS:
                raise Fault("R016", self.span, limit=MAX_COMPLETIONS)
            if len(at) >= low and self.valid(m, L, source, at):
                return True
            if len(at) < high:
                first = at[-1] + 1 if at else 0
                stack.extend((*at, i) for i in range(len(source) - 1, first - 1, -1))
        return False

    def actions(self, m: Any, fr: Frame, seat: int) -> list[int]:
        source = self.source(m, fr.L)
        low, high = self.limits(m, fr.L, len(source))
        places = fr.L[self.picked]
        items = [i + 1 for i in self.offered(m, fr.L, source, places, low, high)] if len(places) < high else []
        done = (len(places) >= low and self.valid(m, fr.L, source, places)) or (self.optional and not places)
        return [0, *items] if done else items

    def options(self, m: Any, fr: Frame, seat: int) -> list[tuple[int, Value]]:
        return [(a, a) for a in self.actions(m, fr, seat)]

    def resume(self, m: Any, fr: Frame, seat: int, action: int) -> None:
        source = self.source(m, fr.L)
        if action == 0:
            if self.optional and not fr.L[self.picked]:
                fr.L[self.picked] = None
                fr.pc = self.other
            else:
                self.close(m, fr, source)
            return
        fr.L[self.picked] = (*fr.L[self.picked], action - 1)
        low, high = self.limits(m, fr.L, len(source))
        places = fr.L[self.picked]
        if len(places) >= high or not self.offered(m, fr.L, source, places, low, high):
            self.close(m, fr, source)

    def describe(self, m: Any, fr: Frame, seat: int, action: int) -> str:
        if action == 0:
            return "no" if self.optional and not fr.L[self.picked] else "done"
        shown = self.game.show(self.source(m, fr.L)[action - 1], self.base, m)
        return f"{self.label_fixed}: {shown}" if self.label_fixed else shown

    def struct(self, m: Any, fr: Frame, seat: int, action: int) -> Any:
        value = None if action == 0 else self.game.to_json(self.source(m, fr.L)[action - 1], self.base, m)
        return {"choose": self.name, "item": value}


class ChanceSetOp(SetOp):
    """`choose k xs from … by chance`: every valid set alike, item by item; an item weighs as many valid sets as go on with it."""

    seats = "chance"
    told = True

    def count(self, m: Any, L: list[Value], source: tuple[Value, ...], places: tuple[int, ...], low: int, high: int) -> int:
        total, tried, stack = 0, 0, [places]
        while stack:
            at = stack.pop()
            tried += 1
            m.burn(self.span)
            if tried > MAX_COMPLETIONS:
                raise Fault("R016", self.span, limit=MAX_COMPLETIONS)
            if len(at) >= low and self.valid(m, L, source, at):
                total += 1
            if len(at) < high:
                first = at[-1] + 1 if at else 0
                stack.extend((*at, i) for i in range(first, len(source)))
        return total

    def outcomes(self, m: Any, fr: Frame) -> list[tuple[int, int]]:
        source = self.source(m, fr.L)
        low, high = self.limits(m, fr.L, len(source))
        places = fr.L[self.picked]
        found = []
        if len(places) >= low and self.valid(m, fr.L, source, places):
            found.append((0, 1))
        for a in self.actions(m, fr, -1):
            if a:
                found.append((a, self.count(m, fr.L, source, (*places, a - 1), low, high)))
        return found

    def go_on(self, m: Any, fr: Frame) -> Any:
        while True:
            found = self.outcomes(m, fr)
            if len(found) > 1:
                return WAIT
            action = found[0][0] if found else 0
            self.resume(m, fr, -1, action)
            if fr.pc is not self:
                return None
