"""Memoization of expensive offers, with the few words that they depend on as key.

An example are the claims that a player may make: they are computed at each step and seldom change. Offers are
not memoized if they depend on zones or local arrays, if computing them may change anything else, or if other
actions are offered beside them.
"""

from __future__ import annotations

from dataclasses import replace

from croupier.core import operations as op
from croupier.core.operations import Body, Const, Local, Statement
from croupier.core.rewriting import replace_bodies, replace_statements, rewrite_bodies
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import bodies, expressions, sets, statements
from croupier.passes.liveness import NOTHING, live
from croupier.passes.states import contains_jump

LARGEST = 16  # words of a key: longer ones hardly recur
LEAST = 40  # cost below which offers are not memoized: statements, those in loops counted ten times
PURE = (op.Pay, op.Set, op.If, op.For, op.Offer, op.Guard, op.Break, op.Continue)


def memoize_offers(program: CoreProgram) -> CoreProgram:
    """The program with expensive offers memoized."""
    return replace_bodies(program, lambda body, f: _body(body, f, program))


def may_be_memoized(body: Body) -> bool:
    """Return whether a body may have expensive offers once constants have been propagated.

    Otherwise that need not be done.
    """
    inside = statements(body)
    offers = any(isinstance(s, op.NoOffers) for s in inside) and any(isinstance(s, op.Offer) for s in inside)
    return offers and (len(inside) >= LEAST or any(isinstance(s, op.For) for s in inside))


def _body(body: Body, f: Function, program: CoreProgram) -> Body:
    out: list[Statement] = []
    k = 0
    while k < len(body):
        s = body[k]
        if isinstance(s, op.NoOffers):
            end = next((j for j in range(k + 1, len(body)) if not _is_pure(body[j])), len(body))
            while end > k and any(isinstance(e, op.Offered) for e in expressions(body[end - 1])):
                end -= 1
            found = _memo(body[k:end], body[end:], f, program)
            paid = _paid(body[k:end])
            if found is not None and paid is not None:
                out += [op.Pay(Const(paid)), _unpaid(found)] if paid else [found]
                k = end
                continue
        out.append(rewrite_bodies(s, lambda inner: _body(inner, f, program)))
        k += 1
    return tuple(out)


def _is_pure(s: Statement) -> bool:
    """Return whether a statement does nothing but compute offers, after which the next one runs."""
    return all(isinstance(t, PURE) for t in statements((s,))) and not contains_jump(s)


def _memo(part: Body, rest: Body, f: Function, program: CoreProgram) -> op.Memo | None:
    """Return the memo for a part that computes offers; `None` if it is too cheap, or depends on too much."""
    offers = [s for s in statements(part) if isinstance(s, op.Offer)]
    if not offers or _cost(part) < LEAST or any(s.weight != op.Const(1) for s in offers):
        return None
    if _offers_more(rest) is not False:  # others would be added to the memoized list
        return None
    inside = {n for s in statements(part) for n in sets(s)}
    own = set(map(id, statements(part)))
    outside = [s for s in statements(f.body) if id(s) not in own]
    if any(isinstance(e, Local) and e.name in inside for s in outside for e in expressions(s)):
        return None
    tables = {m.name for m in (*program.memories.values(), *f.memories) if m.constant}
    arrays: set[str] = set()
    for s in statements(part):
        for e in expressions(s):
            match e:
                case op.Load(memory) | op.Holds(memory) if memory in tables:
                    pass
                case op.Load(memory) | op.Holds(memory) if memory in program.memories:
                    arrays.add(memory)
                case (
                    op.Load()
                    | op.Holds()
                    | op.Length()
                    | op.Element()
                    | op.Loose()
                    | op.Find()
                    | op.Rank()
                    | op.PartBegin()
                ):
                    return None
                case op.Chosen() | op.ChosenSeat() | op.Searching() | op.Offered():
                    return None
    words = tuple(sorted(live(part, NOTHING, {}, NOTHING, NOTHING)))
    if len(words) + sum(program.memories[m].size for m in arrays) > LARGEST:
        return None
    return op.Memo(words, tuple(sorted(arrays)), part)


def _offers_more(body: Body) -> bool | None:
    """Return whether anything is offered, on some way through a body, before somebody waits or offers begin
    anew.

    `None` if nothing is offered and nobody waits in it.
    """
    waits = False
    for s in body:
        match s:
            case op.Wait() | op.NoOffers():
                return False
            case op.Offer() | op.OfferBits() | op.OfferTop() | op.Memo():
                return True
        found = [_offers_more(inner) for inner in bodies(s)]
        if True in found:
            return True
        if isinstance(s, op.If) and found == [False, False]:
            return False
        waits |= False in found
    return False if waits else None


def _paid(body: Body) -> int | None:
    """Return the most that a body pays; `None` if that is not known."""
    total = 0
    for s in body:
        match s:
            case op.Pay(steps):
                if not isinstance(steps, Const):
                    return None
                total += steps.value
            case op.For(_, low, high, inner):
                found = _paid(inner)
                if found is None:
                    return None
                if isinstance(low, Const) and isinstance(high, Const):
                    total += found * (high.value - low.value)
                elif found:
                    return None
            case op.If(_, then, otherwise):
                one, two = _paid(then), _paid(otherwise)
                if one is None or two is None:
                    return None
                total += max(one, two)
    return total


def _unpaid(memo: op.Memo) -> op.Memo:
    body = replace_statements(memo.body, lambda s: () if isinstance(s, op.Pay) else (s,))
    return replace(memo, body=body)


def _cost(body: Body) -> int:
    """The approximate number of statements that run."""
    total = 0
    for s in body:
        match s:
            case op.For(body=inner):
                total += 10 * _cost(inner)
            case op.If(_, then, otherwise):
                total += 1 + _cost(then) + _cost(otherwise)
            case _:
                total += 1
    return total


__all__ = ["may_be_memoized", "memoize_offers"]
