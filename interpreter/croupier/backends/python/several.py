"""Choices of several things: which come next, and when a whole is complete. The order and the search are the evaluator's (`runtime/sets.py`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.backends.python.position import Position
from croupier.backends.python.stands import Asked, Run, Stand, ask
from croupier.runtime.game import Game, Value
from croupier.runtime.resumable import attribute_of
from croupier.runtime.sets import Places, SetOffer, SetOp
from croupier.semantics.tree import Choice

Slots = list[Value]
REMEMBERED = 20_000  # searches whose outcomes are kept


class Several(SetOp):
    """One site that chooses several; the questions are compiled."""

    def __init__(self, game: Game, stand: Stand, c: Choice, questions: dict[str, Asked], costs: dict[str, int], span: Any, still: bool) -> None:
        self.still = still  # does what makes a whole valid read nothing of the position?
        self.judging = costs.pop("such_that", 0)  # fuel that judging a whole takes at most, and asking what there is to choose from
        self.asking = sum(costs.values())
        self.memory: dict[Any, tuple[Any, int]] = {}
        self.game, self.stand, self.questions, self.span = game, stand, questions, span
        self.optional, self.picked, self.whole = c.optional, c.picked, c.cursor
        self.alike = game.alike if game.alike.among(c.base) else None
        self.merging = tuple(attribute_of(game.code, c.base, name) for name in c.merging)
        self.source = self.question("source")
        self.low_run = self.question("low") if "low" in questions else None
        self.high_run = self.question("high") if "high" in questions else None
        self.such_that = self.question("such_that") if "such_that" in questions else None

    def question(self, name: Any) -> Any:
        asked = self.questions[name]
        return lambda p, f: ask(asked, p, f)

    def offer(self, m: Any, L: Slots) -> SetOffer:
        m.spend(self.asking, None)
        return super().offer(m, L)

    def valid(self, m: Any, L: Slots, offer: SetOffer, places: Places) -> bool:
        m.spend(self.judging, None)
        return super().valid(m, L, offer, places)

    # ------------------------------------------------------------ what was found before
    def remembered(self, what: str, p: Position, f: Slots, offer: SetOffer, places: Places, work: Callable[[], Any]) -> Any:
        """The outcome of a search, done once where nothing but what it begins with can change it; it costs as much again each time."""
        if not self.still:
            return work()
        asked = self.questions["such_that"][1] if "such_that" in self.questions else ()
        kinds = None if offer.kinds is None else tuple(offer.kinds)
        key = (what, places, offer.source, offer.low, offer.high, kinds, tuple([f[s] for s in asked if s != self.whole]))
        hit = self.memory.get(key)
        if hit is not None:
            p.spend(hit[1], None)
            return hit[0]
        before = p.fuel
        value = work()
        if len(self.memory) >= REMEMBERED:
            self.memory.clear()
        self.memory[key] = (value, before - p.fuel)
        return value

    def completable(self, m: Any, L: Slots, offer: SetOffer, places: Places) -> bool:
        found: bool = self.remembered("any", m, L, offer, places, lambda: super(Several, self).completable(m, L, offer, places))
        return found

    # ------------------------------------------------------------ running
    def begin(self, p: Position, f: Slots) -> Any:
        """None if nothing can be chosen, true if somebody waits, otherwise what was surely chosen."""
        f[self.picked] = None
        offer = self.offer(p, f)
        possible = offer.low <= offer.high and self.completable(p, f, offer, ())
        if not possible or (self.stops_without() and not self.offered(p, f, offer, ())):
            return None
        f[self.picked] = ()
        return self.settle(p, f)

    def stops_without(self) -> bool:
        return self.optional

    def settle(self, p: Position, f: Slots) -> Any:
        offer, places = self.offer(p, f), f[self.picked]
        if (places or not self.optional) and not self.offered(p, f, offer, places):
            return self.closed(f, offer)
        self.show(p, f)
        return True

    def show(self, p: Position, f: Slots) -> None:
        """What is on offer now."""
        offer, places = self.offer(p, f), f[self.picked]
        done = (self.optional and not places) or self.valid(p, f, offer, places)
        p.offer = [*([0] if done else []), *(i + 1 for i in sorted(self.offered(p, f, offer, places)))]
        if self.stand.chooser is not None:
            p.seat = ask(self.stand.chooser, p, f)

    def closed(self, f: Slots, offer: SetOffer) -> tuple[Value, ...]:
        value = tuple(offer.source[i] for i in f[self.picked])
        f[self.picked] = None
        return value

    def take(self, p: Position, f: Slots, action: int) -> tuple[Run, Any] | None:
        """One small choice; where the rules go on if it was the last."""
        offer = self.offer(p, f)
        if action == 0 and self.optional and not f[self.picked]:
            f[self.picked] = None
            assert self.stand.declined is not None
            return self.stand.declined, None
        if action:
            f[self.picked] = (*f[self.picked], action - 1)
        assert self.stand.chosen is not None
        if not action or not self.offered(p, f, offer, f[self.picked]):
            return self.stand.chosen, self.closed(f, offer)
        return None

    def go_on_with(self, p: Position, action: int) -> tuple[Run, Any] | None:
        f = p.frames[-1]
        step = self.take(p, f, action)
        if step is None:
            found = self.settle(p, f)
            if found is not True:
                assert self.stand.chosen is not None
                return self.stand.chosen, found
        return step


class SeveralByChance(Several):
    """Every valid whole alike: an item weighs as many wholes as go on with it."""

    def stops_without(self) -> bool:
        return self.optional

    def weighed(self, p: Position, f: Slots) -> list[tuple[int, int]]:
        offer, places = self.offer(p, f), f[self.picked]

        def count(begun: Places) -> int:
            return sum(offer.weight(found) for found in self.completions(p, f, offer, begun))

        found: list[tuple[int, int]] = self.remembered("weights", p, f, offer, places, lambda: self.weigh_all(p, f, offer, places, count))
        return found

    def weigh_all(self, p: Position, f: Slots, offer: SetOffer, places: Places, count: Callable[[Places], int]) -> list[tuple[int, int]]:
        found = [(0, offer.weight(places))] if self.valid(p, f, offer, places) else []
        return found + [(i + 1, count((*places, i))) for i in sorted(self.offered(p, f, offer, places))]

    def settle(self, p: Position, f: Slots) -> Any:
        while True:
            found = self.weighed(p, f)
            if len(found) > 1:
                p.offer, p.weights = [a for a, _ in found], [w for _, w in found]
                return True
            step = self.take(p, f, found[0][0] if found else 0)
            if step is not None:
                return None if step[0] is self.stand.declined else step[1]

    def show(self, p: Position, f: Slots) -> None:
        found = self.weighed(p, f)
        p.offer, p.weights = [a for a, _ in found], [w for _, w in found]

    def go_on_with(self, p: Position, action: int) -> tuple[Run, Any] | None:
        f = p.frames[-1]
        step = self.take(p, f, action)
        if step is not None:
            return step
        found = self.settle(p, f)
        if found is True:
            return None
        assert self.stand.chosen is not None
        if found is None:
            assert self.stand.declined is not None
            return self.stand.declined, None
        return self.stand.chosen, found
