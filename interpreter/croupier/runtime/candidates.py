"""What may be chosen where somebody is asked: candidates, and the sources that they come from.

A *source* is one way to choose: what a `choose` is from, an option of a menu, the reactions of a window, a
refusal. It binds values, one after another, and tests its conditions, in order. What it comes to is a
*candidate*: the values bound, and the first clause that failed, if one did. What a candidate is called, in
words, in rules and as JSON, its source says when somebody asks.

Actions are stable integers. A source numbers its candidates by the indices of their values: the index in the
type's domain (of a component, its number, which those that are called alike share: `equal_components.py`; a
cell, a player, an enumeration value, a number) or, for lists and records, among what it walks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from croupier.diagnostics import JsonObject, Span
from croupier.kernel import types as t
from croupier.kernel.tree import Choice, LocalExpr, MenuOption, TypedExpr, text_template
from croupier.limits import MAX_OPTIONS
from croupier.runtime.clauses import Clause, Condition
from croupier.runtime.disclosure import PLAIN, Disclosure
from croupier.runtime.events import MadeClaim
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game, PositionObserver, Value
from croupier.runtime.hooks import HookMatch, hooks_of
from croupier.runtime.machine import Called, Frame, Locals, Machine, Op, Run
from croupier.runtime.visibility import components_in
from croupier.semantics.call_effects import reads_of
from croupier.text import Text

Values = tuple[Value, ...]


class Candidate(NamedTuple):
    """What may be chosen: its action, where it comes from, the values bound, and the first clause that
    failed, or none.
    """

    action: int
    source: Source
    values: Values = ()
    failed: Clause | None = None
    reaction: HookMatch | None = None  # of a source of reactions

    @property
    def match(self) -> HookMatch:
        """The reaction that it is."""
        assert self.reaction is not None
        return self.reaction

    def words(self, m: Machine, fr: Frame) -> str:
        """The words of the option."""
        return self.source.words(m, fr, self)

    def sentence(self, m: Machine, fr: Frame) -> Text | None:
        """The author's sentence for the log; `None` without one."""
        return self.source.sentence(m, fr, self)

    def named(self, m: Machine, fr: Frame) -> Called | None:
        """The name in the rules, the types of what is chosen, and the values; `None` of a reaction."""
        return self.source.named(m, fr, self)

    def struct(self, m: Machine, fr: Frame) -> JsonObject:
        """The candidate as JSON."""
        return self.source.struct(m, fr, self)

    def disclosure(self, m: Machine) -> Disclosure:
        """What others learn if it is chosen."""
        return self.source.disclosure(m, self)


Row = tuple[int, "ValueSource", Values]
"""A candidate that may be chosen, as it lies in memos: action, source, values."""


class Source(ABC):
    """One way to choose, and what its candidates are called."""

    first = 0  # action of its first candidate
    cites: tuple[str, ...] = ()  # the rules of its own that it cites
    told: Run | None = None  # the sentence for the log

    def locals_of(self, fr: Frame, values: Values) -> Locals:
        """The locals with the values of a candidate."""
        return fr.L[:]

    @abstractmethod
    def words(self, m: Machine, fr: Frame, c: Candidate) -> str: ...

    def sentence(self, m: Machine, fr: Frame, c: Candidate) -> Text | None:
        return None if self.told is None else Text.of(self.told(m, self.locals_of(fr, c.values)))

    @abstractmethod
    def struct(self, m: Machine, fr: Frame, c: Candidate) -> JsonObject: ...

    def named(self, m: Machine, fr: Frame, c: Candidate) -> Called | None:
        return None

    def disclosure(self, m: Machine, c: Candidate) -> Disclosure:
        return PLAIN

    @abstractmethod
    def take(self, m: Machine, fr: Frame, c: Candidate, other: Op | None, span: Span) -> None:
        """What happens when one of its candidates is chosen.

        `other` is where control goes on if nothing is; `span` is the place of the decision.
        """


# ---------------------------------------------------------------- sources that bind values
KEPT_OFFERS = 4_000  # of an option: offers that are kept with what they were worked out from
FIXED = frozenset("players enum_values board_cells class range list const param".split())
"""Operations of sources that give the same in every position."""


class Binding:
    """A local that takes each value of a collection in turn."""

    __slots__ = ("slot", "run", "kind", "most", "is_finite", "low", "count", "is_alike", "_first")

    def __init__(self, game: Game, slot: int, run: Run, kind: t.Type, most: int) -> None:
        self.slot, self.run, self.kind, self.most = slot, run, kind, most  # most: how many it may walk
        self.is_finite = game.is_finite(kind)
        # the first value and the number of values
        self.low, self.count = game.domain(kind) if self.is_finite else (0, most)
        self.is_alike = game.alike.among(kind)
        self._first = game.alike.first

    def walk(self, m: Machine, L: Locals, span: Span) -> Iterable[tuple[int, Value]]:
        """The values with their indices. Raises `Fault` (R016) if they are too many."""
        source, low = self.run(m, L), self.low
        if len(source) > self.most:
            raise Fault("R016", span, limit=self.most)
        m.spend(len(source), span)
        if self.is_alike:
            first = self._first
            return [(first[v] - low, v) for v in dict.fromkeys(source)]
        if self.is_finite:
            return [(int(v) - low, v) for v in dict.fromkeys(source)]
        return enumerate(source)

    def at(self, m: Machine, L: Locals, index: int) -> Value:
        """The value at an index."""
        if not self.is_finite:
            return self.run(m, L)[index]
        return bool(index) if isinstance(self.kind, t.Bool) else self.low + index


class Reading(NamedTuple):
    """What is read to know which candidates a source offers: before all, what each binding walks, the
    conditions in order, and the variables of attributes that decide which values are alike.

    Each raises `Redacted` if `m.observer` may not see it.
    """

    first: tuple[Run, ...]
    sources: tuple[Run, ...]
    tests: tuple[Run, ...]
    attributes: tuple[int, ...] = ()


class ValueSource(Source):
    """A source that binds values: of a `choose` one, of an option of a menu one for each of its `for`s."""

    toll = 0  # steps that each candidate takes
    whole = -1  # where conditions on several values look for them
    tree: Choice | MenuOption
    kind: str  # what it is in JSON and in clauses
    names: tuple[str, ...]  # what is chosen as the rules call it, the most particular name first
    walked: tuple[TypedExpr, ...]  # what each binding walks
    label: Run  # the words
    body: Op | None = None  # where control goes on
    # of values alike in these only the first is an option
    merging: tuple[Callable[[Machine, Value], Value], ...] = ()
    make_reading: Callable[[], Reading]

    def __init__(
        self,
        game: Game,
        span: Span,
        rules: tuple[str, ...],
        bindings: Sequence[Binding],
        tests: Sequence[tuple[Condition, Run]],
    ) -> None:
        # the place of the statement, and what it, or its declaration, cites
        self.game, self.span, self.rules = game, span, rules
        self.bindings = tuple(bindings)
        self.slots = tuple(b.slot for b in self.bindings)
        self.conditions = tuple(condition for condition, _ in tests)
        self.tests = tuple(test for _, test in tests)
        self.into = self.slots  # where what is chosen goes
        self.kinds = tuple(b.kind for b in self.bindings)
        self.is_alike = any(b.is_alike for b in self.bindings)
        self.is_numbered = all(b.is_finite for b in self.bindings)  # by types, not by what is walked
        self.size = 1
        for b in self.bindings:
            self.size *= max(1, b.count)

    # ------------------------------------------------------------ walking
    def rows(self, m: Machine, L: Locals, depth: int = 0, index: int = 0) -> Iterator[int]:
        """Step through all combinations of values, each of which then lies in the locals; yield their indices
        as one number.

        Raises `Fault` (R016) if they are too many.
        """
        if depth == len(self.bindings):
            if self.toll:
                m.spend(self.toll, self.span)
            yield index
            return
        b = self.bindings[depth]
        slot, index, inner = b.slot, index * max(1, b.count), depth + 1
        for i, v in b.walk(m, L, self.span):
            L[slot] = v
            yield from self.rows(m, L, inner, index + i)

    @property
    def is_merged(self) -> bool:
        """May several values be one option?"""
        return bool(self.merging) or self.is_alike

    def bound(self, L: Locals) -> Values:
        """The values that lie in the locals."""
        return tuple([L[slot] for slot in self.slots])

    def first_failed(self, m: Machine, L: Locals) -> Clause | None:
        """The clause of the first condition that fails of what lies in the locals."""
        failed = (self.failed(m, L, at) for at in range(len(self.tests)))
        return next((clause for clause in failed if clause is not None), None)

    def failed(self, m: Machine, L: Locals, at: int) -> Clause | None:
        """The clause of the condition at a place, with what a `suppose` in it found, if it fails."""
        before, m.supposed = m.supposed, []
        try:
            holds, supposed = self.tests[at](m, L), m.supposed
        finally:
            m.supposed = before
        if holds:
            return None
        clause = self.conditions[at].clause
        return replace(clause, supposed=supposed[-1]) if supposed else clause

    def passing(self, m: Machine, L: Locals, most: int = MAX_OPTIONS) -> list[Row]:
        """The candidates without a failed condition. Raises `Fault` (R016) if they are more than `most`."""
        found: list[Row] = []
        tests, first, slots = self.tests, self.first, self.slots
        if len(slots) == 1 and not self.toll:  # the same as below, for speed
            (slot,) = slots
            for i, v in self.bindings[0].walk(m, L, self.span):
                L[slot] = v
                for test in tests:
                    if not test(m, L):
                        break
                else:
                    found.append((first + i, self, (v,)))
            return found
        for index in self.rows(m, L):
            for test in tests:
                if not test(m, L):
                    break
            else:
                found.append((first + index, self, tuple([L[slot] for slot in slots])))
                if len(found) > most:
                    raise Fault("R016", self.span, limit=MAX_OPTIONS)
        return found

    def options(self, m: Machine, L: Locals, most: int = MAX_OPTIONS) -> list[Row]:
        """What may be chosen, each option once."""
        found = self.passing(m, L, most)
        return [group[0] for group in self.grouped(m, found)] if self.is_merged else found

    def candidates(self, m: Machine, L: Locals) -> list[Candidate]:
        """All candidates, also those of which a condition failed."""
        found = [
            Candidate(self.first + index, self, self.bound(L), self.first_failed(m, L))
            for index in self.rows(m, L)
        ]
        if not self.is_merged:
            return found
        groups = self.grouped(m, [(c.action, self, c.values) for c in found if c.failed is None])
        offered = {self.merge_key(m, row[2]): row for row, *_ in groups}
        merged = self.stood_for()
        for at, c in enumerate(found):
            if c.failed is None:
                key = self.merge_key(m, c.values)
                is_first = key in offered and offered[key][2] == c.values
                found[at] = Candidate(*offered.pop(key)) if is_first else c._replace(failed=merged)
        return found

    def stood_for(self) -> Clause:
        """The clause that a candidate fails for which another one is the option."""
        return Clause("alike", "another one that is alike stands for it", self.rules, self.walked[0].span)

    # ------------------------------------------------------------ those that are one option
    def grouped(self, m: Machine, found: list[Row]) -> list[list[Row]]:
        """Put together what is one option: values alike in `merging`, or alike components in one zone.

        The first of each is the option, with the number by which it goes.
        """
        if not self.is_merged:
            return [[row] for row in found]
        together: dict[Value, list[Row]] = {}
        for row in sorted(found, key=itemgetter(0)) if self.merging else found:
            together.setdefault(self.merge_key(m, row[2]), []).append(row)
        if self.is_alike:
            self._number(m, together)
        return list(together.values())

    def merge_key(self, m: Machine, values: Values) -> Value:
        """What values that are one option have in common."""
        if self.merging:
            return tuple([f(m, values[0]) for f in self.merging])
        key, where = self.game.alike.location_key, m.where
        if len(values) == 1:
            return key(where, values[0])
        return tuple([key(where, v) if b.is_alike else v for b, v in zip(self.bindings, values, strict=True)])

    def _number(self, m: Machine, together: dict[Value, list[Row]]) -> None:
        """Number what is one option: of components that are alike, in order, by their members in order."""
        numbering = [self.game.alike.numbering() for _ in self.bindings]
        is_whole = len(self.bindings) == 1
        for key, group in together.items():
            action, _, values = group[0]
            index, at = action - self.first, 1
            for d in range(len(values) - 1, -1, -1):
                b = self.bindings[d]
                if b.is_alike:
                    before = index // at % max(1, b.count)
                    number = numbering[d].number(key if is_whole else key[d], values[d])
                    index += (number - b.low - before) * at
                at *= max(1, b.count)
            group[0] = (self.first + index, self, values)

    # ------------------------------------------------------------ one candidate
    def at(self, m: Machine, L: Locals, action: int) -> Candidate:
        """The candidate that an action stands for, by its number alone."""
        indices, index = list[int](), action - self.first
        for b in reversed(self.bindings[1:]):
            index, i = divmod(index, max(1, b.count))
            indices.insert(0, i)
        L = L[:]
        for b, i in zip(self.bindings, (index, *indices), strict=False):
            L[b.slot] = b.at(m, L, i)
        return Candidate(action, self, self.bound(L))

    def take(self, m: Machine, fr: Frame, c: Candidate, other: Op | None, span: Span) -> None:
        for slot, v in zip(self.into, c.values, strict=True):
            fr.L[slot] = v
        fr.pc = self.body

    def locals_of(self, fr: Frame, values: Values) -> Locals:
        L = fr.L[:]
        for slot, v in zip(self.slots, values, strict=True):
            L[slot] = v
        return L

    # ------------------------------------------------------------ what they are called
    def words(self, m: Machine, fr: Frame, c: Candidate) -> str:
        return self.label(m, self.locals_of(fr, c.values))  # type: ignore[no-any-return]

    def named(self, m: Machine, fr: Frame, c: Candidate) -> Called:
        return self.names, self.kinds, c.values

    def struct(self, m: Machine, fr: Frame, c: Candidate) -> JsonObject:
        values = zip(c.values, self.kinds, strict=True)
        return {self.kind: self.names[0], "with": [self.game.to_json(v, kind, m) for v, kind in values]}

    # ------------------------------------------------------------ who knows what is on offer
    @cached_property
    def reading(self) -> Reading:
        """What is read to know what is on offer, compiled when first asked for."""
        return self.make_reading()

    def is_open(self, m: Machine, L: Locals) -> bool:
        """Return whether `m.observer` sees all that is walked, and what decides which of it is on offer.

        Raises `Redacted` where it does not see what decides.
        """
        observer = m.observer
        assert observer is not None
        for run in self.reading.first:
            run(m, L)
        return self._is_open(m, L, observer, 0)

    def _is_open(self, m: Machine, L: Locals, observer: PositionObserver, depth: int) -> bool:
        reading = self.reading
        if depth == len(self.bindings):
            for test in reading.tests:
                if not test(m, L):
                    break
            return True
        b = self.bindings[depth]
        for v in reading.sources[depth](m, L):
            components = tuple(components_in(v, b.kind))
            L[b.slot] = v
            if self.whole >= 0:
                L[self.whole] = (v,)
            if not all(map(observer.named, components)) or not all(
                observer.attribute(i, c) for i in reading.attributes for c in components
            ):
                return False
            if not self._is_open(m, L, observer, depth + 1):
                return False
        return True


class ChoiceSource(ValueSource):
    """What a `choose` is from."""

    tree: Choice
    kind, key = "choose", "value"  # in JSON
    site: Callable[[], str]  # the name of the decision that no other has

    def __init__(
        self,
        game: Game,
        span: Span,
        rules: tuple[str, ...],
        choice: Choice,
        binding: Binding,
        tests: Sequence[tuple[Condition, Run]],
    ) -> None:
        super().__init__(game, span, rules, (binding,), tests)
        self.tree, self.walked, self.into = choice, (choice.source,), (choice.slot,)
        wording = "" if choice.label is None else text_template(choice.label)
        self.names = (wording, choice.name) if wording else (choice.name,)

    def values(self, m: Machine, L: Locals) -> tuple[Value, ...]:
        """All that it is from, in order."""
        return self.bindings[0].run(m, L)  # type: ignore[no-any-return]

    def merge_keys(self, m: Machine, values: tuple[Value, ...]) -> list[Value]:
        """What each value has in common with those that are one option with it."""
        if self.merging:
            return [self.merge_key(m, (v,)) for v in values]
        key, where = self.game.alike.location_key, m.where
        return [key(where, v) for v in values]

    def disclosure(self, m: Machine, c: Candidate) -> Disclosure:
        """A component is told of as what is seen of it, unless the rules have words of their own for it."""
        has_words = self.tree.label is not None or self.told is not None
        if has_words or not isinstance(self.kinds[0], t.Component):
            return PLAIN
        return Disclosure(component=int(c.values[0]))

    def struct(self, m: Machine, fr: Frame, c: Candidate) -> JsonObject:
        return {self.kind: self.site(), self.key: self.game.to_json(c.values[0], self.kinds[0], m)}


class OptionReads(NamedTuple):
    """All that decides for which values an option is on offer: locals, variables of the state, zones."""

    slots: tuple[int, ...]
    variables: tuple[int, ...]
    zones: tuple[int, ...]

    @classmethod
    def of(cls, game: Game, o: MenuOption) -> OptionReads | None:
        """What decides about an option that walks values of types; `None` for any other, and where anything
        may decide.
        """
        sources = [x for source in o.sources for x in source.walk()]
        is_alike = any(isinstance(x.type, t.Collection) and game.alike.among(x.type.base) for x in o.sources)
        if not sources or is_alike or any(x.op not in FIXED for x in sources):
            return None
        tests = [*([] if o.condition is None else [o.condition]), *(c.value for c in o.conditions)]
        parts = [x for test in tests for x in test.walk()]
        read = [reads_of(game.program, test) for test in tests]
        if any(everything for _, _, everything in read):
            return None
        bound = {*o.slots, *(i for x in parts for i in x.binds())}
        names = {name for found, _, _ in read for name in found}
        zones = {zone for _, found, _ in read for zone in found}
        return cls(
            tuple(sorted({x.slot for x in parts if isinstance(x, LocalExpr)} - bound)),
            tuple(v.index for v in game.variables if v.name in names),
            tuple(z.number for z in game.zones if z.family in zones),
        )

    def key(self, m: Machine, L: Locals) -> Values:
        """The values of all of it."""
        return (
            *(L[i] for i in self.slots),
            *(m.vars[i] for i in self.variables),
            *(m.zones[i] for i in self.zones),
        )


def option_kind(option: MenuOption) -> str:
    """What an option is called in JSON and in clauses: that of a declared claim is one."""
    return "claim" if option.claim else "option"


class OptionSource(ValueSource):
    """An option of a menu. To take one that is a claim is to say it."""

    tree: MenuOption

    def __init__(
        self,
        game: Game,
        span: Span,
        rules: tuple[str, ...],
        option: MenuOption,
        bindings: Sequence[Binding],
        tests: Sequence[tuple[Condition, Run]],
    ) -> None:
        super().__init__(game, span, rules, bindings, tests)
        self.tree, self.walked = option, option.sources
        self.toll, self.is_claim, self.kind = 1 + len(self.bindings), bool(option.claim), option_kind(option)
        # its words with `{}` for what is put in; the name of a claim
        self.raw = option.claim or text_template(option.label)
        self.names = (self.raw,)
        self.reads: OptionReads | None = None  # where what is on offer is kept
        self._kept: dict[Values, tuple[list[Row], int]] = {}

    def passing(self, m: Machine, L: Locals, most: int = MAX_OPTIONS) -> list[Row]:
        """The candidates without a failed condition, which are the same, for as much fuel, whenever what
        decides is the same.
        """
        if self.reads is None or m.observer is not None:
            return super().passing(m, L, most)
        key = self.reads.key(m, L)
        kept = self._kept.get(key)
        if kept is not None and kept[1] <= m.fuel and len(kept[0]) <= most:
            m.fuel -= kept[1]
            return kept[0]
        fuel = m.fuel
        found = super().passing(m, L, most)
        if len(self._kept) >= KEPT_OFFERS:
            self._kept.clear()
        self._kept[key] = found, fuel - m.fuel
        return found

    def disclosure(self, m: Machine, c: Candidate) -> Disclosure:
        return Disclosure(claim=MadeClaim(self.raw, c.values)) if self.is_claim else PLAIN


# ---------------------------------------------------------------- reactions, refusals
class ReactionSource(Source):
    """The reactions that a seat may use in a window: hooks, one for each component whose power it is."""

    def __init__(self, window: int, args: Callable[[Machine, Frame], list[Value]]) -> None:
        self.window, self.args = window, args

    def candidates(self, m: Machine, args: list[Value], seat: int, used: tuple[int, ...]) -> list[Candidate]:
        found = hooks_of(m).live(m, self.window, "reaction", args, seat, used)
        return [Candidate(self.first + match.number, self, reaction=match) for match in found]

    def words(self, m: Machine, fr: Frame, c: Candidate) -> str:
        label = c.match.code.label
        return "" if label is None else label(m, c.match.L[:])

    def sentence(self, m: Machine, fr: Frame, c: Candidate) -> Text | None:
        told = c.match.code.told
        return None if told is None else Text.of(told(m, c.match.L[:]))

    def take(self, m: Machine, fr: Frame, c: Candidate, other: Op | None, span: Span) -> None:
        m.burn(span)
        hooks_of(m).push_match(m, c.match, fr.event_audience)

    def disclosure(self, m: Machine, c: Candidate) -> Disclosure:
        """A power is told of as its component, unless the rules have words of their own for it."""
        component = c.match.component if c.match.code.told is None else None
        try:
            is_bare = component is not None and self.words(m, m.frames[-1], c) == m.game.label(component, m)
        except Fault:  # words that fault are words of their own
            is_bare = False
        return Disclosure(component=component if is_bare else None, is_used=True)

    def struct(self, m: Machine, fr: Frame, c: Candidate) -> JsonObject:
        return {"use": self.words(m, fr, c)}


class Refusal(Source):
    """Choosing nothing, where that is an option: its JSON, its words, the author's sentence, its name in the
    rules.
    """

    def __init__(
        self,
        json: Callable[[], JsonObject],
        text: str | None = None,
        told: Run | None = None,
        name: str | None = None,
    ) -> None:
        self.json, self.is_worded, self.told, self.name = json, text is not None, told, name
        self.text = text or "no"

    def take(self, m: Machine, fr: Frame, c: Candidate, other: Op | None, span: Span) -> None:
        fr.pc = other

    def words(self, m: Machine, fr: Frame, c: Candidate) -> str:
        return self.text

    def named(self, m: Machine, fr: Frame, c: Candidate) -> Called | None:
        if self.name is None:
            return None
        return (*((self.text,) if self.is_worded else ()), self.name), (), ()

    def struct(self, m: Machine, fr: Frame, c: Candidate) -> JsonObject:
        return self.json()
