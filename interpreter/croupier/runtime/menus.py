"""The reference evaluator, menus: choices among unlike things."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from croupier.diagnostics import JsonObject
from croupier.kernel import types as t
from croupier.kernel.tree import MenuStmt
from croupier.limits import MAX_MENU_ROWS, MAX_OPTIONS
from croupier.runtime.choices import OptionCondition
from croupier.runtime.disclosure import PLAIN, Disclosure
from croupier.runtime.faults import Fault, Redacted, nothing_to_choose
from croupier.runtime.game import Game, Value
from croupier.runtime.hooks import HookMatch, hooks_of
from croupier.runtime.machine import WAIT, Called, Frame, Locals, Machine, Op, Run, Setter, write_back
from croupier.runtime.visibility import SeatObserver, components_in
from croupier.text import Text

Combination = tuple[tuple[Value, ...], tuple[int, ...]]  # values of an option's binders, and their indices
Row = tuple[int, int, tuple[Value, ...]]  # action, which option, values of its binders


class MenuEntry:
    """One `option` of a menu."""

    def __init__(
        self,
        label: Run,
        raw: str,
        slots: tuple[int, ...],
        sources: list[Run],
        kinds: list[t.Type],
        condition: Run | None,
        conditions: list[OptionCondition],
        told: Run | None = None,
    ) -> None:
        self.told = told  # the sentence for the log
        self.label, self.raw, self.slots, self.sources, self.kinds = label, raw, slots, sources, kinds
        self.condition, self.conditions = condition, conditions
        self.body: Op | None = None
        self.cites: tuple[str, ...] = ()
        self.first = 0  # action of its first combination
        self.sizes: list[tuple[int, int]] = []  # first value and number of values of each binder
        # of a binder that walks components of which some are called alike, the first number of their type
        self.lows: list[int | None] = []
        self.alike = False  # is there one?


class EntryReading(NamedTuple):
    """The values that are read to know whether an option is on offer: its sources, its condition, and those
    with words. Each raises `Redacted` if `m.observer` may not see it.
    """

    sources: tuple[Run, ...]
    condition: Run | None
    conditions: tuple[Run, ...]


class OfferedEntry(list[int]):
    """Actions on offer, with the rows that they stand for."""

    def __init__(self, actions: list[int], rows: dict[int, Row]) -> None:
        super().__init__(actions)
        self.rows = rows


class MenuOp(Op):
    """`choose by p:` with options, and the reactions of a window if it names one."""

    tree: MenuStmt
    seats = "one"

    def __init__(
        self,
        game: Game,
        by: Run,
        entries: list[MenuEntry],
        window: int | None,
        window_args: list[Run],
        back: list[Setter],
        used: int,
    ) -> None:
        self.game = game
        self.by = by
        self.entries = entries
        self.window = window
        self.window_args = window_args
        self.back = back
        self.used = used
        self.other: Op | None = None
        self.has_other = False
        at = 0
        for e in entries:
            e.first = at
            e.lows = [game.domain(k)[0] if game.alike.among(k) else None for k in e.kinds]
            e.alike = any(low is not None for low in e.lows)
            e.sizes = [game.domain(k) if game.is_finite(k) else (0, MAX_MENU_ROWS) for k in e.kinds]
            n = 1
            for _, count in e.sizes:
                n *= max(1, count)
            at += n
        self.reactions_from = at
        self.make_reading: Callable[[], tuple[EntryReading, ...]] | None = None

    # ------------------------------------------------------------ who knows what is on offer
    @cached_property
    def reading(self) -> tuple[EntryReading, ...]:
        """The values that are read to know which options are on offer, compiled when first asked for."""
        assert self.make_reading is not None
        return self.make_reading()

    def is_open_to(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat can work out which options are on offer, as `ChooseOp.is_open_to` does.

        Not with reactions: whether somebody has one is hidden.
        """
        if self.window is not None:
            return False
        kept = m.observer, m.fuel, m.examined, m.cites, m.retval
        m.refuel()
        m.observer = SeatObserver(m, who)
        try:
            return all(
                self._is_entry_open(m, fr.L[:], e, reading, 0)
                for e, reading in zip(self.entries, self.reading, strict=True)
            )
        except (Redacted, Fault):
            return False
        finally:
            m.observer, m.fuel, m.examined, m.cites, m.retval = kept

    def _is_entry_open(self, m: Machine, L: Locals, e: MenuEntry, reading: EntryReading, depth: int) -> bool:
        """Return whether a seat sees all components of what an option is offered for; raises `Redacted` where
        it does not see what decides.
        """
        if depth == len(reading.sources):
            if reading.condition is None or reading.condition(m, L):
                for test in reading.conditions:
                    test(m, L)
            return True
        for v in reading.sources[depth](m, L):
            if m.observer is None or not all(m.observer.named(c) for c in components_in(v, e.kinds[depth])):
                return False
            L[e.slots[depth]] = v
            if not self._is_entry_open(m, L, e, reading, depth + 1):
                return False
        return True

    def chooser(self, m: Machine, fr: Frame) -> int:
        return self.by(m, fr.L)  # type: ignore[no-any-return]

    def rows(self, m: Machine, fr: Frame) -> list[Row]:
        """Return every option that may be chosen, in the order of the text."""
        found: list[Row] = []
        for k, e in enumerate(self.entries):
            L = fr.L[:]
            passing: list[tuple[tuple[Value, ...], tuple[int, ...]]] = []
            for values, indices in self.combinations(m, L, e, 0, (), ()):
                m.spend(1 + len(values), self.span)
                for slot, v in zip(e.slots, values, strict=True):
                    L[slot] = v
                if e.condition is not None and not e.condition(m, L):
                    continue
                if all(c.test(m, L) for c in e.conditions):
                    passing.append((values, indices))
                    if len(found) + len(passing) > MAX_OPTIONS:
                        raise Fault("R016", self.span, limit=MAX_OPTIONS)
            if e.alike:
                passing = self.game.alike.rows(m.where, e.lows, passing)
            found += [(self.number(e, indices), k, values) for values, indices in passing]
        return found

    def combinations(
        self,
        m: Machine,
        L: list[Value],
        e: MenuEntry,
        depth: int,
        values: tuple[Value, ...],
        indices: tuple[int, ...],
    ) -> Iterator[Combination]:
        if depth == len(e.sources):
            yield values, indices
            return
        source = e.sources[depth](m, L)
        m.spend(len(source), self.span)
        finite = self.game.is_finite(e.kinds[depth])
        if not finite and len(source) > MAX_MENU_ROWS:
            raise Fault("R016", self.span, limit=MAX_MENU_ROWS)
        for i, v in enumerate(dict.fromkeys(source) if finite else source):
            L[e.slots[depth]] = v
            index = int(v) - e.sizes[depth][0] if finite else i
            yield from self.combinations(m, L, e, depth + 1, (*values, v), (*indices, index))

    def number(self, e: MenuEntry, indices: tuple[int, ...]) -> int:
        at = 0
        for (_, count), index in zip(e.sizes, indices, strict=True):
            at = at * max(1, count) + index
        return e.first + at

    def reactions(self, m: Machine, fr: Frame) -> list[tuple[int, HookMatch]]:
        if self.window is None:
            return []
        args = [f(m, fr.L) for f in self.window_args]
        seat = self.chooser(m, fr)
        return [
            (self.reactions_from + r.number, r) for r in hooks_of(m).reactions(m, self.window, args, seat, ())
        ]

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        if m.offer is not None:
            return list(m.offer)
        return sorted([a for a, _, _ in self.rows(m, fr)] + [a for a, _ in self.reactions(m, fr)])

    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        m.event_audience = fr.event_audience
        found = self.actions(m, fr, -1)
        if found:
            self.chooser(m, fr)  # a fault in saying who chooses stops the game here
            m.offer = found
            return WAIT
        if self.has_other:
            fr.pc = self.other
            return None
        nothing_to_choose(m, self.span)

    def entry(self, action: int) -> int:
        """The index of the option that a legal action stands for."""
        return max(i for i, e in enumerate(self.entries) if e.first <= action)

    def cited_by(self, action: int) -> tuple[str, ...]:
        return (() if action >= self.reactions_from else self.entries[self.entry(action)].cites) or self.cites

    def offered(self, m: Machine, fr: Frame) -> dict[int, Row]:
        """The options that may be chosen, by action; kept with what is on offer."""
        if not isinstance(m.offer, OfferedEntry):
            rows = {row[0]: row for row in self.rows(m, fr)}
            m.offer = OfferedEntry(self.actions(m, fr, -1), rows)
        return m.offer.rows

    def find(self, m: Machine, fr: Frame, action: int) -> Row:
        """The option that a legal action stands for, with what was bound in it."""
        k = self.entry(action)
        e, rest = self.entries[k], action - self.entries[k].first
        if e.alike:
            row = self.offered(m, fr).get(action)
            if row is not None:
                return row
        indices: list[int] = []
        for _, count in reversed(e.sizes):
            rest, index = divmod(rest, max(1, count))
            indices.insert(0, index)
        L, values = fr.L[:], []
        for depth, (slot, kind, index) in enumerate(zip(e.slots, e.kinds, indices, strict=True)):
            if not self.game.is_finite(kind):
                L[slot] = e.sources[depth](m, L)[index]
            else:
                L[slot] = bool(index) if isinstance(kind, t.Bool) else e.sizes[depth][0] + index
            values.append(L[slot])
        return action, k, tuple(values)

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        m.event_audience = fr.event_audience
        if action >= self.reactions_from:
            reaction = next(r for a, r in self.reactions(m, fr) if a == action)
            hooks_of(m).push_reaction(m, reaction, fr.event_audience, self.span)
            return
        _, k, values = self.find(m, fr, action)
        e = self.entries[k]
        for slot, v in zip(e.slots, values, strict=True):
            fr.L[slot] = v
        fr.pc = e.body

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        write_back(self.back, m, fr.L)
        fr.pc = self.next

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        if action >= self.reactions_from:
            return next(r.describe(m) for a, r in self.reactions(m, fr) if a == action)
        entry, L = self.chosen(m, fr, action)
        return entry.label(m, L)  # type: ignore[no-any-return]

    def sentence(self, m: Machine, fr: Frame, seat: int, action: int) -> Text | None:
        if action >= self.reactions_from:
            return next(r.sentence(m) for a, r in self.reactions(m, fr) if a == action)
        entry, L = self.chosen(m, fr, action)
        return None if entry.told is None else Text.of(entry.told(m, L))

    def chosen(self, m: Machine, fr: Frame, action: int) -> tuple[MenuEntry, Locals]:
        """The option that a legal action stands for, and the locals with what was bound in it."""
        _, k, values = self.find(m, fr, action)
        L = fr.L[:]
        for slot, v in zip(self.entries[k].slots, values, strict=True):
            L[slot] = v
        return self.entries[k], L

    def named(self, m: Machine, fr: Frame, seat: int, action: int) -> Called | None:
        """Return the words of the option, the types of what its `for`s walk, and the values; `None` for a
        reaction.
        """
        if action >= self.reactions_from:
            return None
        _, k, values = self.find(m, fr, action)
        return (self.entries[k].raw,), tuple(self.entries[k].kinds), values

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        if action < self.reactions_from:
            return PLAIN
        used = next(r.bare(m) for a, r in self.reactions(m, fr) if a == action)
        return Disclosure(component=used, is_used=True)

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> JsonObject:
        if action >= self.reactions_from:
            return {"use": self.describe(m, fr, seat, action)}
        _, k, values = self.find(m, fr, action)
        e = self.entries[k]
        return {
            "option": e.raw,
            "with": [self.game.to_json(v, kind, m) for v, kind in zip(values, e.kinds, strict=True)],
        }
