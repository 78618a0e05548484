"""The reference evaluator, choices of several: small choices in a canonical order, each of which leaves a way
to a valid whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb, prod

from croupier.limits import MAX_COMPLETIONS
from croupier.records import dataclass
from croupier.runtime.asking import Asked, AskOp, Chance
from croupier.runtime.candidates import Candidate, ChoiceSource, Refusal, Source
from croupier.runtime.clauses import Clause
from croupier.runtime.disclosure import PLAIN, DisclosedTo, Disclosure
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import WAIT, Called, Frame, Machine, Run
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


@dataclass(frozen=True, slots=True)
class Several:
    """What a choice of several has besides its source: how few and how many, what must hold of all together;
    and the locals that hold what is taken so far, and all while that is tested.
    """

    picked: int
    whole: int
    low: Run | None
    high: Run | None
    such_that: Run | None


class SetOp(AskOp):
    """`choose k xs from …`: a sequence of small choices in canonical order, so that no two sequences mean the
    same set.

    Actions: 0 is "done", or "no" where nothing need be chosen, i + 1 the item at place i of the source.
    """

    def __init__(
        self,
        game: Game,
        asked: Asked,
        source: ChoiceSource,
        nothing: Refusal,
        several: Several,
        optional: bool,
    ) -> None:
        super().__init__(game, asked, (source,), nothing if optional else None)
        self.items, self.several, self.picked = source, several, several.picked
        self.is_drawn = isinstance(asked, Chance)
        self.end = SetEnd(self, nothing)
        source.first, source.key, source.is_numbered = 1, "item", False
        if several.such_that is not None:
            source.whole = several.whole

    @property
    def declining(self) -> str:
        return self.end.text

    def offer(self, m: Machine, L: list[Value]) -> SetOffer:
        source = self.items.values(m, L)
        m.spend(len(source), self.span)
        low = 0 if self.several.low is None else max(0, self.several.low(m, L))
        high = len(source) if self.several.high is None else min(len(source), self.several.high(m, L))
        kinds = None
        if self.items.is_merged:
            kinds = self.items.merge_keys(m, source)
        return SetOffer(source, low, high, kinds)

    def is_asked_openly(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat knows that this is asked now.

        Whether any, or more, can be taken depends on what is on offer, and so does whether chance has a
        choice. A seat that must take one is asked in any case.
        """
        must_take = not fr.L[self.picked] and self.refusal is None and self.offer(m, fr.L).low > 0
        return (must_take and not self.is_drawn) or self.is_open_to(m, fr, who)

    # ------------------------------------------------------------ which sets there are
    def valid(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> bool:
        if len(indices) < offer.low:
            return False
        if self.several.such_that is None:
            return True
        scratch = L[:]
        scratch[self.several.whole] = tuple(offer.source[i] for i in indices)
        return bool(self.several.such_that(m, scratch))

    def completable(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> bool:
        """Return whether a valid set begins with these indices."""
        if len(indices) > offer.high:
            return False
        if self.several.such_that is None:
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

    def next_places(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> list[int]:
        """Places that may come next: each leaves a way to a valid whole."""
        if len(indices) >= offer.high:
            return []
        return [i for i in offer.following(indices) if self.completable(m, L, offer, (*indices, i))]

    def may_end(self, m: Machine, L: list[Value], offer: SetOffer, indices: Indices) -> bool:
        """Return whether nothing, or no more, may be taken."""
        return (self.refusal is not None and not indices) or self.valid(m, L, offer, indices)

    # ------------------------------------------------------------ running
    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        m.event_audience = fr.event_audience
        L = fr.L
        if L[self.picked] is None:
            offer = self.offer(m, L)
            possible = offer.low <= offer.high and self.completable(m, L, offer, ())
            if not possible or (self.refusal is not None and not self.next_places(m, L, offer, ())):
                self.go_past(m, fr)
                return None
            L[self.picked] = ()
        return self.ask_next(m, fr)

    def ask_next(self, m: Machine, fr: Frame) -> object:
        if self.is_drawn:
            return self.asked.ask(self, m, fr)
        offer, indices = self.offer(m, fr.L), fr.L[self.picked]
        if (indices or self.refusal is None) and not self.next_places(m, fr.L, offer, indices):
            self.close(m, fr, offer)
            return None
        self.chooser(m, fr)  # a fault in saying who chooses stops the game here
        return WAIT

    def close(self, m: Machine, fr: Frame, offer: SetOffer) -> None:
        chosen = tuple(offer.source[i] for i in fr.L[self.picked])
        fr.L[self.picked] = None
        self.go_on(m, fr, Candidate(-1, self.items, (chosen,)))

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        offer, indices = self.offer(m, fr.L), fr.L[self.picked]
        end = [0] if self.may_end(m, fr.L, offer, indices) else []
        return [*end, *(i + 1 for i in sorted(self.next_places(m, fr.L, offer, indices)))]

    def outcomes(self, m: Machine, fr: Frame) -> list[tuple[int, int]]:
        """What chance may take next, every valid set alike: an item weighs as many valid sets as go on with
        it, the end as many as look like what is taken, where that is one.
        """
        L, indices = fr.L, fr.L[self.picked]
        offer = self.offer(m, L)
        found = [(0, offer.weight(indices))] if self.valid(m, L, offer, indices) else []
        for i in sorted(self.next_places(m, L, offer, indices)):
            sets = self.completions(m, L, offer, (*indices, i))
            found.append((i + 1, sum(map(offer.weight, sets))))
        return found

    def candidates(self, m: Machine, fr: Frame, seat: int) -> list[Candidate]:
        L, taken = fr.L, fr.L[self.picked] or ()
        offer = self.offer(m, L)
        found = [self.candidate(m, fr, seat, 0)] if self.may_end(m, L, offer, taken) else []
        places = self.next_places(m, L, offer, taken)
        for i, value in enumerate(offer.source):
            unmet = None if i in places else self.failed(offer, taken, i)
            found.append(Candidate(i + 1, self.items, (value,), unmet))
        return found

    def failed(self, offer: SetOffer, taken: Indices, index: int) -> Clause:
        """Return why the value at a place of the source may not be taken next."""
        choice, cites = self.items.tree, self.items.rules
        if index in taken:
            return Clause("order", "it is taken already", cites, choice.source.span)
        if len(taken) >= offer.high:
            return Clause("how many", f"at most {offer.high} may be chosen", cites, self.span)
        if index not in offer.following(taken):
            if offer.kinds is not None and (not taken or offer.rank[index] > offer.rank[taken[-1]]):
                return self.items.stood_for()
            reason = "what was taken last comes after it: things are taken in order"
            return Clause("order", reason, cites, choice.source.span)
        if choice.such_that is not None:
            return Clause("such that", "nothing that may be chosen holds it", cites, choice.such_that.span)
        return Clause(
            "how many",
            f"{offer.low} are chosen, in this order, and too few come after it: take others first, then it",
            cites,
            self.span,
        )

    def source_of(self, action: int) -> Source:
        return self.items if action else self.end

    def candidate(self, m: Machine, fr: Frame, seat: int, action: int) -> Candidate:
        if action:
            return Candidate(action, self.items, (self.items.values(m, fr.L)[action - 1],))
        return Candidate(0, self.refusal if self.refusal is not None and self.declines(fr, 0) else self.end)

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        if self.declines(fr, action):
            fr.L[self.picked] = None
            fr.pc = self.other
            return
        if action:
            fr.L[self.picked] = (*fr.L[self.picked], action - 1)
        offer = self.offer(m, fr.L)
        if not action or not self.next_places(m, fr.L, offer, fr.L[self.picked]):
            self.close(m, fr, offer)

    # ------------------------------------------------------------ words
    def declines(self, fr: Frame, action: int) -> bool:
        return self.refusal is not None and action == 0 and not fr.L[self.picked]

    def ends(self, fr: Frame, action: int) -> bool:
        """Return whether an action takes no more, which may be to take nothing of any number."""
        return action == 0 and not self.declines(fr, action)

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        """That no more is taken, those read who know whether more could have been.

        One of several components is not picked by itself: what moves follows when all are chosen.
        """
        is_end = action == 0 and (self.is_drawn or self.ends(fr, action))
        return Disclosure(DisclosedTo.KNOWING) if is_end else PLAIN


class SetEnd(Refusal):
    """Taking no more of several things; of any number, that may be to take nothing."""

    def __init__(self, op: SetOp, nothing: Refusal) -> None:
        super().__init__(nothing.json, nothing.text if nothing.is_worded else None, nothing.told)
        self.op = op

    def words(self, m: Machine, fr: Frame, c: Candidate) -> str:
        return self.text if self.is_worded and not fr.L[self.op.picked] else "done"

    def sentence(self, m: Machine, fr: Frame, c: Candidate) -> Text | None:
        picked = fr.L[self.op.picked]
        if not picked:
            return super().sentence(m, fr, c)
        last = self.op.candidate(m, fr, -1, picked[-1] + 1).sentence(m, fr)
        return last if last is not None and not last else None  # unsaid, as what was taken is

    def named(self, m: Machine, fr: Frame, c: Candidate) -> Called:
        return (f"no {self.op.name}",), (), ()
