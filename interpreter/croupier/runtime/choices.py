"""The reference evaluator, decisions: what may be chosen, in canonical order, and what a choice does; and
claims.

Actions are stable integers: the index of the value in its type's domain (a component's number, which those
that are called alike share (`equal_components.py`), a cell, a player, an enumeration value, a number), or,
for lists and records, its index among what is offered. An optional choice puts "no" before them, a choice of
several "done".

A claim is what a player may say, in public and without effect.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from operator import itemgetter
from typing import NamedTuple

from croupier.diagnostics import JsonObject, Span
from croupier.kernel import types as t
from croupier.kernel.tree import Choice, ChooseStmt
from croupier.limits import MAX_OPTIONS
from croupier.records import dataclass
from croupier.runtime.disclosure import PLAIN, DisclosedTo, Disclosure
from croupier.runtime.faults import Fault, Redacted, nothing_to_choose
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import WAIT, Called, Frame, Locals, Machine, Op, Run
from croupier.runtime.telling import tell_no_choice, tell_outcome
from croupier.runtime.visibility import SeatObserver, components_in
from croupier.semantics.decision_sites import DecisionSite
from croupier.text import Text


class OptionCondition:
    """A named condition that a candidate must meet."""

    __slots__ = ("text", "test", "span", "cites", "kind")

    def __init__(
        self, text: str, test: Run, span: Span, cites: tuple[str, ...], kind: str = "condition"
    ) -> None:
        self.text, self.test, self.span, self.cites, self.kind = text, test, span, cites, kind


@dataclass(frozen=True, slots=True)
class ChoiceCode:
    """The compiled parts of a choice: what it is from, what must hold of an option, who chooses, its words
    (`label_fixed`: without values).
    """

    source: Run
    where: Run | None
    conditions: list[OptionCondition]
    by: Run | None
    label: Run | None
    label_fixed: str | None


class OfferReading(NamedTuple):
    """The values that are read to know which options are on offer: before all, the source, and of each value.

    Each raises `Redacted` if `m.observer` may not see it.
    """

    first: tuple[Run, ...]
    source: Run
    each: tuple[Run, ...]
    attributes: tuple[int, ...]  # variables of changeable attributes that decide which values are alike


class ChooseOp(Op):
    """`choose` of one thing by one player, perhaps optional."""

    tree: ChooseStmt
    seats = "one"
    decline = "no"  # the words for choosing nothing, where that is an option
    worded = False  # has the ruleset words of its own for it?

    def __init__(self, game: Game, choice: Choice, code: ChoiceCode) -> None:
        self.game = game
        self.name = choice.name
        self.base = choice.base
        self.slot = choice.slot
        self.item = choice.item
        self.source, self.where, self.conditions, self.by = code.source, code.where, code.conditions, code.by
        self.label, self.label_fixed, self.optional = code.label, code.label_fixed, choice.optional
        base = choice.base
        self.finite = game.is_finite(base)
        self.low = game.domain(base)[0] if self.finite else 0
        self.shift = 1 if choice.optional else 0
        self.alike = game.alike if game.alike.among(base) else None
        self.told: Run | None = None  # the sentence for the log
        self.told_decline: Run | None = None  # that of choosing nothing
        self.wording = ""  # the words of the ruleset for what is chosen, with `…` for what is worked out
        # of values alike in these, only the first is an option
        self.merging: tuple[Callable[[Machine, Value], Value], ...] = ()
        self.body: Op | None = None  # where an accepted optional choice goes on
        self.other: Op | None = None  # where no option, or "no", goes on
        self.has_other = False
        self.make_reading: Callable[[], OfferReading] | None = None

    @property
    def site(self) -> DecisionSite:
        """The place of the decision in the rules, with the name that no other decision has."""
        assert self.point is not None
        return self.game.sites[self.proc, self.point]

    # ------------------------------------------------------------ who knows what is on offer
    @cached_property
    def reading(self) -> OfferReading:
        """The values that are read to know which options are on offer, compiled when first asked for."""
        assert self.make_reading is not None
        return self.make_reading()

    def is_open_to(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat can work out which options are on offer.

        It cannot if any value that decides it is hidden from the seat. What a local holds counts as seen,
        except for components.
        """
        L = fr.L[:]
        reading, kept = self.reading, (m.observer, m.fuel, m.examined, m.cites, m.retval)
        m.refuel()
        m.observer = observer = SeatObserver(m, who)
        try:
            for run in reading.first:
                run(m, L)
            for v in reading.source(m, L):
                self.offer_one(L, v)
                if not self._is_known_to(observer, v, reading.attributes):
                    return False
                for run in reading.each:
                    run(m, L)
        except Redacted:
            return False
        except Fault:
            return True
        finally:
            m.observer, m.fuel, m.examined, m.cites, m.retval = kept
        return True

    def is_asked_openly(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat knows that the decision is asked now.

        A mandatory choice is always asked; an optional one only if there is something to choose.
        """
        return not self.optional or self.is_open_to(m, fr, who)

    def offer_one(self, L: Locals, v: Value) -> None:
        """Put a value where conditions look for it."""
        L[self.item] = v

    def _is_known_to(self, observer: SeatObserver, v: Value, attributes: tuple[int, ...]) -> bool:
        """Return whether a seat sees the components of a value, and what in them decides which values are
        alike.
        """
        components = tuple(components_in(v, self.base))
        return all(map(observer.named, components)) and all(
            observer.attribute(i, c) for i in attributes for c in components
        )

    def tell_forced_refusal(self, m: Machine, fr: Frame) -> None:
        """Tell that nothing is on offer in a choice that may be refused."""
        if m.recorder is not None and self.by is not None and self.seats == "one":
            sentence = partial(self.sentence_of_declining, m, fr)
            tell_no_choice(m, self, fr, self.chooser(m, fr), lambda: self.decline, sentence)

    # ------------------------------------------------------------ options
    def candidates(self, m: Machine, L: list[Value]) -> list[tuple[int, Value]]:
        """Return every value of the source with its action, whether it may be chosen or not.

        Raises `Fault` (R016) if they are too many.
        """
        source = self.source(m, L)
        if len(source) > MAX_OPTIONS:
            raise Fault("R016", self.span, limit=MAX_OPTIONS)
        m.spend(len(source), self.span)
        if self.alike is not None:
            first = self.alike.first
            return [(first[v] - self.low + self.shift, v) for v in dict.fromkeys(source)]
        if self.finite:
            return [(int(v) - self.low + self.shift, v) for v in dict.fromkeys(source)]
        return [(i + self.shift, v) for i, v in enumerate(source)]

    def passes(self, m: Machine, L: list[Value], v: Value) -> bool:
        L[self.item] = v
        if self.where is not None and not self.where(m, L):
            return False
        return all(c.test(m, L) for c in self.conditions)

    def options(self, m: Machine, fr: Frame, seat: int) -> list[tuple[int, Value]]:
        return [together[0] for together in self.classes(m, fr)]

    def classes(self, m: Machine, fr: Frame) -> list[list[tuple[int, Value]]]:
        """Return the options: lists of values with their actions, each list one option.

        Values are one option if they are alike in `merging`, or are alike components in one zone.
        """
        L = fr.L[:]
        found = [(a, v) for a, v in self.candidates(m, L) if self.passes(m, L, v)]
        if not self.merging and self.alike is None:
            return [[pair] for pair in found]
        merged: dict[Value, list[tuple[int, Value]]] = {}
        for pair in sorted(found, key=itemgetter(0)):
            merged.setdefault(self.kind_of(m, pair[1]), []).append(pair)
        if self.alike is not None:
            for number, together in zip(
                self.alike.numbered(together[0][1] for together in merged.values()),
                merged.values(),
                strict=True,
            ):
                together[0] = number - self.low + self.shift, together[0][1]
        return list(merged.values())

    def kind_of(self, m: Machine, v: Value) -> Value:
        """Return the merge key of a value; `None` if nothing else can stand for it."""
        if self.merging:
            return tuple(f(m, v) for f in self.merging)
        return None if self.alike is None else self.alike.location_key(m.where, v)

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        found = sorted(a for a, _ in (self.options(m, fr, seat) if m.offer is None else m.offer))
        return [0, *found] if self.optional else found

    def chooser(self, m: Machine, fr: Frame) -> int:
        assert self.by is not None
        return self.by(m, fr.L)  # type: ignore[no-any-return]

    # ------------------------------------------------------------ running
    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        m.event_audience = fr.event_audience
        found = self.options(m, fr, -1)
        if found:
            if self.by is not None:
                self.chooser(m, fr)  # a fault in saying who chooses stops the game here
            m.offer = found
            return WAIT
        if self.optional or self.has_other:
            if self.optional:
                self.tell_forced_refusal(m, fr)
            fr.pc = self.other
            return None
        nothing_to_choose(m, self.span)

    def value_of(self, m: Machine, fr: Frame, action: int) -> Value:
        number = action - self.shift + self.low
        if self.finite and self.alike is None:
            return bool(number) if isinstance(self.base, t.Bool) else number
        for offered, value in m.offer or ():
            if offered == action:
                return value
        if self.alike is not None:
            return dict(ChooseOp.options(self, m, fr, -1)).get(action, number)
        return self.source(m, fr.L)[action - self.shift]

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        if self.optional and action == 0:
            fr.pc = self.other
            return
        fr.L[self.slot] = self.value_of(m, fr, action)
        fr.pc = self.body if self.optional else self.next

    # ------------------------------------------------------------ words
    def question(self, m: Machine) -> str:
        return f"choose {self.name}" + (f" as “{self.wording}”" if self.wording else "")

    def declines(self, fr: Frame, action: int) -> bool:
        """Return whether an action chooses nothing."""
        return self.optional and action == 0

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        if self.declines(fr, action):
            return self.decline
        return self.words(m, fr, self.value_of(m, fr, action))

    def named(self, m: Machine, fr: Frame, seat: int, action: int) -> Called:
        """Return the name of an action in the rules, the types of what it chooses, and its values."""
        if self.declines(fr, action):
            return self.called_nothing(fr, action), (), ()
        return self.called(), (self.base,), (self.value_of(m, fr, action),)

    def called(self) -> tuple[str, ...]:
        return (*((self.wording.replace("…", "{}"),) if self.wording else ()), self.name)

    def called_nothing(self, fr: Frame, action: int) -> tuple[str, ...]:
        return (*((self.decline,) if self.worded and self.declines(fr, action) else ()), f"no {self.name}")

    def words(self, m: Machine, fr: Frame, v: Value) -> str:
        if self.label is not None:
            L = fr.L[:]
            L[self.item] = v
            return self.label(m, L)  # type: ignore[no-any-return]
        shown = self.game.show(v, self.base, m)
        return Text.of(f"{self.label_fixed}: ", shown) if self.label_fixed else shown

    def sentence(self, m: Machine, fr: Frame, seat: int, action: int) -> Text | None:
        if self.declines(fr, action):
            return self.sentence_of_declining(m, fr)
        return None if self.told is None else self.sentence_of(m, fr, self.value_of(m, fr, action))

    def sentence_of(self, m: Machine, fr: Frame, v: Value) -> Text | None:
        """The author's sentence about choosing a value; `None` without one."""
        if self.told is None:
            return None
        L = fr.L[:]
        L[self.item] = v
        return Text.of(self.told(m, L))

    def sentence_of_declining(self, m: Machine, fr: Frame) -> Text | None:
        """The author's sentence about choosing nothing; `None` without one."""
        return None if self.told_decline is None else Text.of(self.told_decline(m, fr.L[:]))

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        has_words = self.label is not None or bool(self.label_fixed) or self.told is not None
        plain = not has_words and isinstance(self.base, t.Component)
        if plain and not self.declines(fr, action):
            return Disclosure(component=int(self.value_of(m, fr, action)))
        return PLAIN

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> JsonObject:
        if self.optional and action == 0:
            return {"choose": self.site.name, "value": None}
        return {
            "choose": self.site.name,
            "value": self.game.to_json(self.value_of(m, fr, action), self.base, m),
        }


class ChanceOp(ChooseOp):
    """`choose … by chance`: one outcome with its weight; a single outcome is no event."""

    seats = "chance"
    weight: Run | None = None

    def is_asked_openly(self, m: Machine, fr: Frame, who: int) -> bool:
        """A single outcome is no event of chance."""
        return self.is_open_to(m, fr, who)

    def outcomes(self, m: Machine, fr: Frame) -> list[tuple[int, int]]:
        found = [
            (together[0][0], sum(self.weigh(m, fr, v) for _, v in together))
            for together in self.classes(m, fr)
        ]
        return sorted(pair for pair in found if pair[1])

    def weigh(self, m: Machine, fr: Frame, v: Value) -> int:
        if self.weight is None:
            return 1
        L = fr.L[:]
        L[self.item] = v
        weight: int = self.weight(m, L)
        if weight < 0:
            raise Fault("R013", self.span)
        return weight

    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        found = self.outcomes(m, fr)
        if len(found) > 1:
            return WAIT
        if found:
            tell_outcome(m, self, fr, found[0][0], is_forced=True)
            self.answer(m, fr, -1, found[0][0])
            return None
        if self.optional or self.has_other:
            fr.pc = self.other
            return None
        raise Fault("R007" if not self.options(m, fr, -1) else "R013", self.span)


class EveryOp(ChooseOp):
    """`choose … by every p in ps`: everybody commits in secret; all are revealed together."""

    seats = "every"
    every = 0
    picked = 0

    def pending(self, m: Machine, fr: Frame) -> list[int]:
        done = {p for p, _ in fr.L[self.picked] or ()}
        assert self.by is not None
        return [p for p in sorted(set(self.by(m, fr.L))) if p not in done]

    def for_seat(self, fr: Frame, seat: int) -> Frame:
        inner = fr.copy()
        inner.L[self.every] = seat
        return inner

    def options(self, m: Machine, fr: Frame, seat: int) -> list[tuple[int, Value]]:
        return super().options(m, self.for_seat(fr, seat), seat)

    def run(self, m: Machine, fr: Frame) -> object:
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

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        """Nobody learns of a choice until all have chosen."""
        if len(self.pending(m, fr)) > 1:
            return Disclosure(DisclosedTo.NOBODY)
        last = seat, self.value_of(m, self.for_seat(fr, seat), action)
        picks = [
            (p, partial(self.words, m, inner, v), partial(self.sentence_of, m, inner, v))
            for p, v in sorted((*(fr.L[self.picked] or ()), last))
            for inner in (self.for_seat(fr, p),)
        ]
        return Disclosure(DisclosedTo.NOBODY, picks=picks)

    def reveal(self, m: Machine, fr: Frame) -> None:
        values: list[Value] = [None] * self.game.players
        for p, v in fr.L[self.picked]:
            values[p] = v
        fr.L[self.slot] = tuple(values)
        fr.L[self.picked] = None
        fr.pc = self.next

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        value = self.value_of(m, self.for_seat(fr, seat), action)
        fr.L[self.picked] = tuple(sorted((*(fr.L[self.picked] or ()), (seat, value))))
        if not self.pending(m, fr):
            self.reveal(m, fr)

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        return super().describe(m, self.for_seat(fr, seat), seat, action)

    def sentence(self, m: Machine, fr: Frame, seat: int, action: int) -> Text | None:
        return super().sentence(m, self.for_seat(fr, seat), seat, action)

    def named(self, m: Machine, fr: Frame, seat: int, action: int) -> Called:
        return super().named(m, self.for_seat(fr, seat), seat, action)

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> JsonObject:
        return super().struct(m, self.for_seat(fr, seat), seat, action)
