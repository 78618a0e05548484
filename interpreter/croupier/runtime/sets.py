"""The reference evaluator, choices of several: small choices in a canonical order, each of which leaves a way
to a valid whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb, prod

from croupier.diagnostics import JsonObject
from croupier.limits import MAX_COMPLETIONS
from croupier.runtime.choices import ChooseOp
from croupier.runtime.disclosure import PLAIN, DisclosedTo, Disclosure
from croupier.runtime.faults import Fault, nothing_to_choose
from croupier.runtime.game import Value
from croupier.runtime.machine import WAIT, Called, Frame, Machine, Run
from croupier.runtime.telling import tell_outcome
from croupier.text import Text

Indices = tuple[int, ...]


class SetOffer:
    """The offer of a set choice now: the values, how many may be taken, and the order in which they are
    offered.

    Without `merging` that is the order of the source. With it, and of components that are called alike and
    lie in one zone (`equal_components.py`), values that are alike stand together, where the first of them is,
    and of those not taken only the first is offered: taking it or going past it says how many of them are in
    the set, and nothing else.
    """

    def __init__(self, source: tuple[Value, ...], low: int, high: int, kinds: list[Value] | None) -> None:
        self.source, self.low, self.high, self.kinds = source, low, high, kinds
        self.order = list(range(len(source)))
        if kinds is not None:
            first: dict[Value, int] = {}
            for index, kind in enumerate(kinds):
                first.setdefault(kind, index)
            self.order.sort(key=lambda index: (first[kinds[index]], index))
        self.rank = {index: k for k, index in enumerate(self.order)}

    def following(self, indices: Indices) -> Indices:
        """The indices that may come after these, in order."""
        rest = self.order[self.rank[indices[-1]] + 1 if indices else 0 :]
        if self.kinds is None:
            return tuple(rest)
        seen: dict[Value, int] = {}
        for index in rest:
            seen.setdefault(self.kinds[index], index)
        return tuple(seen.values())

    def left(self, indices: Indices) -> int:
        """Return how many values may still be taken after these."""
        return len(self.order) - (self.rank[indices[-1]] + 1 if indices else 0)

    def weight(self, indices: Indices) -> int:
        """Return the number of sets of different values that look like this one."""
        if self.kinds is None:
            return 1
        there, taken = Counter(self.kinds), Counter(self.kinds[p] for p in indices)
        return prod(comb(there[kind], n) for kind, n in taken.items())


class SetOp(ChooseOp):
    """`choose k xs from …`: a sequence of small choices in canonical order, so that no two sequences mean the
    same set.

    Actions: 0 is "done", i + 1 the item at place i of the source.
    """

    picked = 0
    whole = 0
    low_run: Run | None = None
    high_run: Run | None = None
    such_that: Run | None = None
    draw: SetDraw | None = None

    def by_chance(self) -> None:
        """Let chance choose."""
        self.seats, self.draw = "chance", SetDraw(self)

    def offer(self, m: Machine, L: list[Value]) -> SetOffer:
        source = self.source(m, L)
        m.spend(len(source), self.span)
        low = 0 if self.low_run is None else max(0, self.low_run(m, L))
        high = len(source) if self.high_run is None else min(len(source), self.high_run(m, L))
        kinds = None
        if self.merging or self.alike is not None:
            kinds = [self.kind_of(m, v) for v in source]
        return SetOffer(source, low, high, kinds)

    def offer_one(self, L: list[Value], v: Value) -> None:
        super().offer_one(L, v)
        if self.such_that is not None:
            L[self.whole] = (v,)

    def is_asked_openly(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat knows that this is asked now.

        Whether any, or more, can be taken depends on what is on offer, and so does whether chance has a
        choice. A seat that must take one is asked in any case.
        """
        must_take = not fr.L[self.picked] and not self.optional and self.offer(m, fr.L).low > 0
        return (must_take and self.draw is None) or self.is_open_to(m, fr, who)

    # ------------------------------------------------------------ which sets there are
    def valid(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> bool:
        if len(indices) < offer.low:
            return False
        if self.such_that is None:
            return True
        scratch = L[:]
        scratch[self.whole] = tuple(offer.source[i] for i in indices)
        return bool(self.such_that(m, scratch))

    def completable(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> bool:
        """Return whether a valid set begins with these indices."""
        if len(indices) > offer.high:
            return False
        if self.such_that is None:
            return len(indices) + offer.left(indices) >= offer.low
        return next(self.completions(m, L, offer, indices), None) is not None

    def completions(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> Iterator[Indices]:
        """Yield every valid set that begins with these indices, in canonical order.

        The generator lives only within one evaluation.
        """
        tried, stack = 0, [indices]
        while stack:
            at = stack.pop()
            tried += 1
            m.burn(self.span)
            if tried > MAX_COMPLETIONS:
                raise Fault("R016", self.span, limit=MAX_COMPLETIONS)
            if self.valid(m, L, offer, at):
                yield at
            if len(at) < offer.high and len(at) + offer.left(at) >= offer.low:
                stack.extend((*at, i) for i in reversed(offer.following(at)))

    def offered(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> list[int]:
        """Places that may come next: each leaves a way to a valid whole."""
        if len(indices) >= offer.high:
            return []
        return [i for i in offer.following(indices) if self.completable(m, L, offer, (*indices, i))]

    # ------------------------------------------------------------ running
    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        m.event_audience = fr.event_audience
        L = fr.L
        if L[self.picked] is None:
            offer = self.offer(m, L)
            possible = offer.low <= offer.high and self.completable(m, L, offer, ())
            if not possible or (self.optional and not self.offered(m, L, offer, ())):
                if self.optional or self.has_other:
                    if self.optional:
                        self.tell_forced_refusal(m, fr)
                    fr.pc = self.other
                    return None
                nothing_to_choose(m, self.span)
            L[self.picked] = ()
        return self.go_on(m, fr)

    def go_on(self, m: Machine, fr: Frame) -> object:
        if self.draw is not None:
            return self.draw.go_on(m, fr)
        offer, indices = self.offer(m, fr.L), fr.L[self.picked]
        if (indices or not self.optional) and not self.offered(m, fr.L, offer, indices):
            self.close(fr, offer)
            return None
        if self.by is not None:
            self.chooser(m, fr)  # a fault in saying who chooses stops the game here
        return WAIT

    def close(self, fr: Frame, offer: SetOffer) -> None:
        fr.L[self.slot] = tuple(offer.source[i] for i in fr.L[self.picked])
        fr.L[self.picked] = None
        fr.pc = self.body if self.optional else self.next

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        offer, indices = self.offer(m, fr.L), fr.L[self.picked]
        done = (self.optional and not indices) or self.valid(m, fr.L, offer, indices)
        return [*([0] if done else []), *(i + 1 for i in sorted(self.offered(m, fr.L, offer, indices)))]

    def outcomes(self, m: Machine, fr: Frame) -> list[tuple[int, int]]:
        assert self.draw is not None
        return self.draw.outcomes(m, fr)

    def options(self, m: Machine, fr: Frame, seat: int) -> list[tuple[int, Value]]:
        return [(a, a) for a in self.actions(m, fr, seat)]

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        if self.declines(fr, action):
            fr.L[self.picked] = None
            fr.pc = self.other
            return
        if action:
            fr.L[self.picked] = (*fr.L[self.picked], action - 1)
        offer = self.offer(m, fr.L)
        if not action or not self.offered(m, fr.L, offer, fr.L[self.picked]):
            self.close(fr, offer)

    # ------------------------------------------------------------ words
    def declines(self, fr: Frame, action: int) -> bool:
        return self.optional and action == 0 and not fr.L[self.picked]

    def ends(self, fr: Frame, action: int) -> bool:
        """Return whether an action takes no more, which may be to take nothing of any number."""
        return action == 0 and not self.declines(fr, action)

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        """That no more is taken, those read who know whether more could have been.

        One of several components is not picked by itself: what moves follows when all are chosen.
        """
        is_end = action == 0 and (self.draw is not None or self.ends(fr, action))
        return Disclosure(DisclosedTo.KNOWING) if is_end else PLAIN

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        if action == 0:
            if self.declines(fr, action) or (self.worded and not fr.L[self.picked]):
                return self.decline
            return "done"
        return self.words(m, fr, self.source(m, fr.L)[action - 1])

    def sentence(self, m: Machine, fr: Frame, seat: int, action: int) -> Text | None:
        if action == 0:
            picked = fr.L[self.picked]
            if self.declines(fr, action) or not picked:
                return self.sentence_of_declining(m, fr)
            last = self.sentence_of(m, fr, self.source(m, fr.L)[picked[-1]])
            return last if last is not None and not last else None  # unsaid, as what was taken is
        return self.sentence_of(m, fr, self.source(m, fr.L)[action - 1])

    def named(self, m: Machine, fr: Frame, seat: int, action: int) -> Called:
        if action == 0:
            return self.called_nothing(fr, action), (), ()
        return self.called(), (self.base,), (self.source(m, fr.L)[action - 1],)

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> JsonObject:
        value = None if action == 0 else self.game.to_json(self.source(m, fr.L)[action - 1], self.base, m)
        return {"choose": self.site.name, "item": value}


class SetDraw:
    """`choose k xs from … by chance`: every valid set alike, item by item; an item weighs as many valid sets
    as go on with it.
    """

    def __init__(self, op: SetOp) -> None:
        self.op = op

    def outcomes(self, m: Machine, fr: Frame) -> list[tuple[int, int]]:
        """Actions with their weights: 0 to stop where that is a valid set, i + 1 for the item at place i of
        the source.
        """
        op, L = self.op, fr.L
        offer, indices = op.offer(m, L), L[op.picked]
        found = [(0, offer.weight(indices))] if op.valid(m, L, offer, indices) else []
        found += [
            (i + 1, self._count(m, L, offer, (*indices, i))) for i in sorted(op.offered(m, L, offer, indices))
        ]
        return found

    def _count(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> int:
        return sum(offer.weight(found) for found in self.op.completions(m, L, offer, indices))

    def go_on(self, m: Machine, fr: Frame) -> object:
        """Take items as long as only one can come, and wait where there are several."""
        while True:
            found = self.outcomes(m, fr)
            if len(found) > 1:
                return WAIT
            action = found[0][0] if found else 0
            tell_outcome(m, self.op, fr, action, is_forced=True)
            self.op.answer(m, fr, -1, action)
            if fr.pc is not self.op:
                return None
