"""In which order actions are offered: those that are offered in ascending order need no sorting.

For each wait whose offers precede it in the same body the order is `ascending`, `distinct` (no action twice)
or `any`. Called functions offer nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from croupier.core import operations as op
from croupier.core.builder import add
from croupier.core.operations import Body, Const, Expression, Local, Statement
from croupier.core.rewriting import replace_bodies, replace_statements
from croupier.core.types import CoreProgram
from croupier.core.walk import bodies, kept_locals, locals_of, reads, sets, statements
from croupier.passes.lists import offset_from
from croupier.records import dataclass

Order = str
ASCENDING, DISTINCT, ANY = "ascending", "distinct", "any"


@dataclass(frozen=True, slots=True)
class OfferOrder:
    """The actions that some statements offer, from `low` to below `high`, if known, and their order."""

    order: Order
    low: int | None = None
    high: int | None = None


def offer_orders(body: Body) -> dict[int, Order]:
    """The order of the actions on offer at each wait, by `id` of the wait."""
    found: dict[int, Order] = {}
    _followed(body, None, found)
    return found


def _followed(body: Body, since: list[OfferOrder] | None, found: dict[int, Order]) -> list[OfferOrder] | None:
    """Return the offers after a body; `None` if nothing is known. `since` are the offers before it.

    Notes in `found` the order at each wait.
    """
    for s in body:
        inner = statements((s,))
        if isinstance(s, op.Wait):
            found.setdefault(id(s), ANY if since is None else _together(since))
            since = None
        elif isinstance(s, op.NoOffers):
            since = []
        elif isinstance(s, op.Memo):
            since = [OfferOrder(ASCENDING)]
        elif isinstance(s, op.If) and any(isinstance(t, (op.Wait, op.NoOffers)) for t in inner):
            for part in (s.then, s.otherwise):
                _followed(part, None if since is None else list(since), found)
            since = None
        elif any(isinstance(t, (op.Wait, op.NoOffers, op.Enter)) for t in inner):
            for part in bodies(s):
                _followed(part, None, found)
            since = None
        elif since is not None:
            since += _producers(s)
    return since


def _producers(s: Statement) -> list[OfferOrder]:
    """The offers of a statement."""
    match s:
        case op.Offer(Const(a)):
            return [OfferOrder(ASCENDING, a, a + 1)]
        case op.Offer():
            return [OfferOrder(DISTINCT)]
        case op.Enter():
            return [OfferOrder(ANY)]
        case op.If(_, then, otherwise):
            one, two = [o for t in then for o in _producers(t)], [o for t in otherwise for o in _producers(t)]
            return one + two if not (one and two) else [OfferOrder(ANY)]
        case op.For(name, low, high, body):
            return _looped(name, body, low, high)
        case op.Each(name, _, body):
            return _looped(name, body, None, None)
        case _ if any(isinstance(inner, op.Offer) for inner in statements((s,))):
            return [OfferOrder(ANY)]
    return []


def _looped(name: str, body: Body, low: Expression | None, high: Expression | None) -> list[OfferOrder]:
    """The offers of a loop whose actions are its counter plus a constant."""
    offers = [s for s in statements(body) if isinstance(s, op.Offer)]
    if not offers:
        return []
    if len(offers) == 1 and isinstance(offers[0].action, Local) and _counts_up(body, offers[0].action):
        return [OfferOrder(ASCENDING)]
    inside = [
        s
        for s in statements(body)
        if isinstance(s, (op.Loop, op.For, op.Each)) and any(t is offers[0] for t in statements((s,)))
    ]
    if len(offers) > 1 or len(inside) > 1 or inside and not _ends_after(inside[0], offers[0]):
        return [OfferOrder(ANY)]
    held = {s.name: s.value for s in body if isinstance(s, op.Set)}
    action = offers[0].action
    if (
        isinstance(action, Local)
        and action.name != name
        and sum(s.name == action.name for s in statements(body) if isinstance(s, op.Set)) == 1
    ):
        action = held.get(action.name, action)
    match action:
        case op.Element(zone, Local(n)) if n == name and name not in locals_of(zone):
            # an unordered part is kept in order
            in_order = isinstance(low, op.PartBegin) and low.zone == zone
            return [OfferOrder(ASCENDING if in_order else DISTINCT)]
    more = offset_from(action, name)
    if more is None:
        return [OfferOrder(ANY)]
    bounds = [
        b.value if isinstance(b, Const) else None
        for b in (low and add(low, Const(more)), high and add(high, Const(more)))
    ]
    return [OfferOrder(DISTINCT if low is None else ASCENDING, bounds[0], bounds[1])]


def _ends_after(loop: Statement, offer: op.Offer) -> bool:
    """Return whether a loop ends right after an offer."""
    blocks = [inner for s in statements((loop,)) for inner in bodies(s)]
    return any(s is offer and isinstance(after, op.Break) for b in blocks for s, after in pairwise(b))


def _counts_up(body: Body, number: Local) -> bool:
    """Return whether a local is incremented right before it is offered, and set nowhere else."""
    changes = [t for t in statements(body) if number.name in sets(t)]
    if changes != [op.Set(number.name, op.Add(number, Const(1)))]:
        return False
    blocks = [body, *(inner for t in statements(body) for inner in bodies(t))]
    return any(
        s is changes[0] and isinstance(after, op.Offer) and after.action == number
        for b in blocks
        for s, after in pairwise(b)
    )


def _together(offers: list[OfferOrder]) -> Order:
    if not offers:
        return ANY
    if len(offers) == 1:
        return offers[0].order
    order = ASCENDING
    end: int | None = None
    for o in offers:
        if o.order == ANY or o.low is None or o.high is None or end is not None and o.low < end:
            return ANY
        order = o.order if o.order != ASCENDING else order
        end = o.high
    return order


# ---------------------------------------------------------------- simultaneous choices
def ask_first_seat_only(body: Body) -> Body:
    """At a simultaneous choice, offer the actions of the first pending seat alone; the others are asked in
    turn.

    For whole games without an observer on the way.
    """

    def first(s: Statement) -> tuple[Statement]:
        match s:
            case op.For(seat, _, _, (*before, op.If(test, then, ()))) if _offers_of(then, seat) and all(
                isinstance(t, op.Pay) for t in before
            ):
                return (replace(s, body=(*before, op.If(test, (*then, op.Break())))),)
        return (s,)

    return replace_statements(body, first)


def _offers_of(body: Body, seat: str) -> bool:
    return any(isinstance(s, op.Offer) and s.weight == Local(seat) for s in statements(body))


# ---------------------------------------------------------------- flags that something is on offer
def remove_offer_flags(program: CoreProgram) -> CoreProgram:
    """The program without locals that only say whether anything is on offer: `Offered` says so."""
    return replace_bodies(program, lambda body, _: _without_flags(body))


def _without_flags(body: Body) -> Body:
    kept = kept_locals(body)
    for name in dict.fromkeys(_behind_offers(body)):
        if name not in kept and _is_offer_flag(body, name):
            body = _without_flag(body, name)
    return body


def _behind_offers(body: Body) -> Iterator[str]:
    for k, s in enumerate(body):
        if isinstance(s, op.Set) and s.value == Const(1) and k and isinstance(body[k - 1], op.Offer):
            yield s.name
        for inner in bodies(s):
            yield from _behind_offers(inner)


def _is_offer_flag(body: Body, name: str) -> bool:
    """Return whether a local is 1 exactly while something is on offer, wherever it is read."""
    found = _FlagCheck(name)
    found.body(body)
    return found.fine and found.asked > 0


class _FlagCheck:
    """A walk along the flow of control that checks a flag against the offers."""

    def __init__(self, name: str) -> None:
        self.name, self.fine, self.asked, self.exact = name, True, 0, False

    def body(self, body: Body) -> None:
        before: Statement | None = None
        for k, s in enumerate(body):
            after = body[k + 1] if k + 1 < len(body) else None
            if self.name in reads(s):
                self.asked += 1
                self.fine = (
                    self.fine
                    and self.exact
                    and isinstance(s, op.If)
                    and s.test in (op.Eq(Local(self.name), Const(1)), Local(self.name))
                )
            match s:
                case op.NoOffers():
                    self.exact = before == op.Set(self.name, Const(0)) or after == op.Set(self.name, Const(0))
                case op.Offer():
                    self.exact = self.exact and after == op.Set(self.name, Const(1))
                case op.Set(name, value) if name == self.name:
                    if value == Const(0):
                        self.fine = self.fine and (
                            isinstance(before, op.NoOffers) or isinstance(after, op.NoOffers)
                        )
                    else:
                        self.fine = self.fine and value == Const(1) and isinstance(before, op.Offer)
                case op.If(_, then, otherwise):
                    self.branches((then, otherwise))
                case op.Switch(_, cases, otherwise):
                    self.branches((*(c.body for c in cases), otherwise))
                case (
                    op.Loop(inner)
                    | op.For(body=inner)
                    | op.Each(body=inner)
                    | op.Ahead(body=inner)
                    | op.Try(body=inner)
                ):
                    held = self.exact
                    if any(isinstance(t, op.NoOffers) for t in statements(inner)):
                        self.exact = False
                    self.body(inner)
                    self.exact = self.exact and held
                case op.Call(results=results) | op.Enter(results=results):
                    self.fine = self.fine and self.name not in results
            before = s

    def branches(self, bodies_: tuple[Body, ...]) -> None:
        held, ends = self.exact, []
        for inner in bodies_:
            self.exact = held
            self.body(inner)
            ends.append(self.exact)
        self.exact = all(ends)


def _without_flag(body: Body, name: str) -> Body:
    def asked(s: Statement) -> tuple[Statement, ...]:
        match s:
            case op.Set(set_) if set_ == name:
                return ()
            case op.If(test, then, otherwise) if test in (op.Eq(Local(name), Const(1)), Local(name)):
                return (op.If(op.Offered(), then, otherwise),)
        return (s,)

    return replace_statements(body, asked)


def waits_on_other_offers(body: Body) -> frozenset[int]:
    """The waits, by identity, whose offers were made by other functions."""
    found: set[int] = set()
    for s in statements(body):
        if isinstance(s, (op.NoOffers, op.Memo)):
            break
        if isinstance(s, op.Wait):
            found.add(id(s))
    return frozenset(found)


def _is_heavy(s: Statement) -> bool:
    """True if a statement alone makes its offers weighted: a weight, or a wait for several seats."""
    match s:
        case op.Offer():
            return s.weight != Const(1)
        case op.Wait():
            return s.seat == Const(op.SEVERAL)
        case _:
            return False


def weighted_statements(body: Body) -> frozenset[int]:
    """The statements, by identity, that belong to a set of weighted offers: those that make it, and the wait.

    A set begins at `NoOffers`. A statement that is shared by several places is weighted in all if it is in
    one.
    """
    parts: list[list[op.Statement]] = [[]]
    for s in statements(body):
        if isinstance(s, op.NoOffers):
            parts.append([])
        if isinstance(s, (op.NoOffers, op.Offer, op.Wait)):
            parts[-1].append(s)
    found: set[int] = set()
    heavy = [any(_is_heavy(s) for s in part) for part in parts]
    while True:
        found = {id(s) for part, is_heavy in zip(parts, heavy, strict=True) if is_heavy for s in part}
        now = [any(id(s) in found for s in part) for part in parts]
        if now == heavy:
            return frozenset(found)
        heavy = now


__all__ = [
    "ANY",
    "ASCENDING",
    "DISTINCT",
    "Order",
    "ask_first_seat_only",
    "offer_orders",
    "remove_offer_flags",
    "waits_on_other_offers",
    "weighted_statements",
]
