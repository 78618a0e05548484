"""The reference evaluator, decisions: what may be chosen, in canonical order, and what a choice does.

Actions are stable integers: the place of the value in its type's domain (a component's number, a cell, a player, an enumeration value, a
number), or, for lists and records, its place among what is offered. An optional choice puts "no" before them, a choice of several "done".
"""

from __future__ import annotations

from typing import Any

from croupier.runtime.evaluate import Run
from croupier.runtime.faults import DeadEnd, Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import WAIT, Frame
from croupier.runtime.operations import Op
from croupier.semantics import types as t

MAX_OPTIONS = 100_000
MAX_COMPLETIONS = 200_000


class Condition:
    """A named condition that a candidate must meet."""

    __slots__ = ("text", "test", "span", "cites")

    def __init__(self, text: str, test: Run, span: Any, cites: tuple[str, ...]) -> None:
        self.text, self.test, self.span, self.cites = text, test, span, cites


class ChooseOp(Op):
    """`choose` of one thing by one player, perhaps optional."""

    seats = "one"

    def __init__(
        self,
        game: Any,
        name: str,
        base: t.Type,
        slot: int,
        item: int,
        source: Run,
        where: Run | None,
        conditions: list[Condition],
        by: Run | None,
        label: Run | None,
        label_fixed: str | None,
        optional: bool,
    ) -> None:
        self.game, self.name, self.base, self.slot, self.item = game, name, base, slot, item
        self.source, self.where, self.conditions, self.by = source, where, conditions, by
        self.label, self.label_fixed, self.optional = label, label_fixed, optional
        self.finite = game.is_finite(base)
        self.low = game.domain(base)[0] if self.finite else 0
        self.shift = 1 if optional else 0
        self.body: Any = None  # where an accepted optional choice goes on
        self.other: Any = None  # where no option, or "no", goes on
        self.has_other = False

    # ------------------------------------------------------------ options
    def candidates(self, m: Any, L: list[Value]) -> list[tuple[int, Value]]:
        """Every value of the source with its action, whether it may be chosen or not."""
        source = self.source(m, L)
        if len(source) > MAX_OPTIONS:
            raise Fault("R016", self.span, limit=MAX_OPTIONS)
        if self.finite:
            return [(int(v) - self.low + self.shift, v) for v in dict.fromkeys(source)]
        return [(i + self.shift, v) for i, v in enumerate(source)]

    def passes(self, m: Any, L: list[Value], v: Value) -> bool:
        L[self.item] = v
        if self.where is not None and not self.where(m, L):
            return False
        return all(c.test(m, L) for c in self.conditions)

    def options(self, m: Any, fr: Frame, seat: int) -> list[tuple[int, Value]]:
        L = fr.L[:]
        return [(a, v) for a, v in self.candidates(m, L) if self.passes(m, L, v)]

    def actions(self, m: Any, fr: Frame, seat: int) -> list[int]:
        found = sorted(a for a, _ in self.options(m, fr, seat))
        return [0, *found] if self.optional else found

    def chooser(self, m: Any, fr: Frame) -> int:
        assert self.by is not None
        return self.by(m, fr.L)  # type: ignore[no-any-return]

    # ------------------------------------------------------------ running
    def run(self, m: Any, fr: Frame) -> Any:
        m.burn(self.span)
        m.viewer = fr.viewer
        if self.options(m, fr, -1 if self.by is None else self.chooser(m, fr)):
            return WAIT
        if self.optional or self.has_other:
            fr.pc = self.other
            return None
        if m.search is not None:
            raise DeadEnd
        raise Fault("R007", self.span)

    def value_of(self, m: Any, fr: Frame, action: int) -> Value:
        if self.finite:
            v = action - self.shift + self.low
            return bool(v) if isinstance(self.base, t.Bool) else v
        return self.source(m, fr.L)[action - self.shift]

    def resume(self, m: Any, fr: Frame, seat: int, action: int) -> None:
        if self.optional and action == 0:
            fr.pc = self.other
            return
        fr.L[self.slot] = self.value_of(m, fr, action)
        fr.pc = self.body if self.optional else self.next

    # ------------------------------------------------------------ words
    def describe(self, m: Any, fr: Frame, seat: int, action: int) -> str:
        if self.optional and action == 0:
            return "no"
        v = self.value_of(m, fr, action)
        if self.label is not None:
            L = fr.L[:]
            L[self.item] = v
            return self.label(m, L)  # type: ignore[no-any-return]
        shown = self.game.show(v, self.base, m.seen)
        return f"{self.label_fixed}: {shown}" if self.label_fixed else shown

    def struct(self, m: Any, fr: Frame, seat: int, action: int) -> Any:
        if self.optional and action == 0:
            return {"choose": self.name, "value": None}
        return {"choose": self.name, "value": self.game.to_json(self.value_of(m, fr, action), self.base)}

    def refusals(self, m: Any, fr: Frame, seat: int, value: Value) -> list[Condition]:
        """The named conditions that a value of the source does not meet."""
        L = fr.L[:]
        L[self.item] = value
        return [c for c in self.conditions if not c.test(m, L)]


class ChanceOp(ChooseOp):
    """`choose … by chance`: one outcome with its weight; a single outcome is no event."""

    seats = "chance"
    told = True
    weight: Run | None = None

    def outcomes(self, m: Any, fr: Frame) -> list[tuple[int, int]]:
        L = fr.L[:]
        found = []
        for a, v in sorted(self.options(m, fr, -1)):
            weight = 1
            if self.weight is not None:
                L[self.item] = v
                weight = self.weight(m, L)
            if weight < 0:
                raise Fault("R013", self.span)
            if weight:
                found.append((a, weight))
        return found

    def run(self, m: Any, fr: Frame) -> Any:
        m.burn(self.span)
        found = self.outcomes(m, fr)
        if len(found) > 1:
            return WAIT
        if found:
            self.resume(m, fr, -1, found[0][0])
            return None
        if self.has_other:
            fr.pc = self.other
            return None
        raise Fault("R007" if not self.options(m, fr, -1) else "R013", self.span)


class EveryOp(ChooseOp):
    """`choose … by every p in ps`: everybody commits in secret; all are revealed together."""

    seats = "every"
    every = 0
    picked = 0

    def pending(self, m: Any, fr: Frame) -> list[int]:
        done = {p for p, _ in fr.L[self.picked] or ()}
        assert self.by is not None
        return [p for p in sorted(set(self.by(m, fr.L))) if p not in done]

    def for_seat(self, fr: Frame, seat: int) -> Frame:
        inner = fr.copy()
        inner.L[self.every] = seat
        return inner

    def options(self, m: Any, fr: Frame, seat: int) -> list[tuple[int, Value]]:
        return super().options(m, self.for_seat(fr, seat), seat)

    def run(self, m: Any, fr: Frame) -> Any:
        m.burn(self.span)
        if fr.L[self.picked] is None:
            fr.L[self.picked] = ()
        waiting = self.pending(m, fr)
        for p in waiting:
            if not self.options(m, fr, p):
                raise Fault("R007", self.span)
        if waiting:
            return WAIT
        self.reveal(m, fr)
        return None

    def reveal(self, m: Any, fr: Frame) -> None:
        values: list[Value] = [None] * self.game.players
        for p, v in fr.L[self.picked]:
            values[p] = v
        fr.L[self.slot] = tuple(values)
        fr.L[self.picked] = None
        fr.pc = self.next

    def value_of(self, m: Any, fr: Frame, action: int) -> Value:
        return super().value_of(m, fr, action)

    def resume(self, m: Any, fr: Frame, seat: int, action: int) -> None:
        value = super().value_of(m, self.for_seat(fr, seat), action)
        fr.L[self.picked] = tuple(sorted((*(fr.L[self.picked] or ()), (seat, value))))
        if not self.pending(m, fr):
            self.reveal(m, fr)

    def describe(self, m: Any, fr: Frame, seat: int, action: int) -> str:
        return super().describe(m, self.for_seat(fr, seat), seat, action)


class SetOp(ChooseOp):
    """`choose k xs from …`: a sequence of small choices in canonical order, so that no two sequences mean the same set.

    Actions: 0 is "done", i + 1 the item at place i of the source. Items come in ascending places; of equal items (`merging`) the first untaken.
    """

    picked = 0
    whole = 0
    low_run: Run | None = None
    high_run: Run | None = None
    such_that: Run | None = None
    merging: tuple[Any, ...] = ()
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
        shown = self.game.show(self.source(m, fr.L)[action - 1], self.base, m.seen)
        return f"{self.label_fixed}: {shown}" if self.label_fixed else shown

    def struct(self, m: Any, fr: Frame, seat: int, action: int) -> Any:
        value = None if action == 0 else self.game.to_json(self.source(m, fr.L)[action - 1], self.base)
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
