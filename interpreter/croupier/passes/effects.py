"""Read and write sets of expressions and statements: they say if an expression may be evaluated after a
statement instead of before it.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import Array, Body, Expression, Local
from croupier.core.walk import expressions, statements
from croupier.records import dataclass

ZONES, CHOSEN, OFFERS, ALL = "#zones", "#chosen", "#offers", "#all"
Locations = frozenset[str]  # names of locals and arrays, and the four above


@dataclass(frozen=True, slots=True)
class Effects:
    """The write set of some statements: locals and arrays by name, zones, offers; or the whole position."""

    changes: Locations

    def touch(self, reads: Locations, own: Locations) -> bool:
        """Return whether the write set and a read set overlap.

        `own`: arrays and locals of the function, which calls cannot change.
        """
        if self.changes & reads:
            return True
        return ALL in self.changes and bool(reads - own)


def reads(e: Expression) -> Locations:
    """The read set of an expression."""
    found: set[str] = set()
    for part in (e, *expressions(e)):
        match part:
            case Local(name):
                found.add(name)
            case op.Load(memory) | op.Holds(memory):
                found.add(memory)
            case op.Offered():
                found.add(OFFERS)
            case op.Length() | op.Element() | op.Find() | op.Loose() | op.Rank() | op.PartBegin():
                found.add(ZONES)
            case op.Chosen() | op.ChosenSeat() | op.Searching():
                found.add(CHOSEN)
    return frozenset(found)


def effects(body: Body) -> Effects:
    """The write set of a body."""
    found: set[str] = set()
    for s in statements(body):
        match s:
            case op.Set(name) | op.For(name) | op.Each(name) | op.Try(name) | op.Explore(name):
                found.add(name)
            case op.Store(memory) | op.Sort(memory) | op.Append(memory):
                found.add(memory)
            case op.Copy(target):
                found.add(target)
            case op.Push() | op.Insert() | op.Remove() | op.Truncate() | op.Loosen():
                found.add(ZONES)
            case op.NoOffers() | op.Offer() | op.OfferBits() | op.OfferTop():
                found.add(OFFERS)
            case op.Call(arguments=arguments, results=results):
                found |= {ALL, *results, *(a.memory for a in arguments if isinstance(a, Array))}
            case op.Enter(arguments=arguments, results=results, arrays=arrays):
                found |= {
                    ALL,
                    CHOSEN,
                    *results,
                    *arrays,
                    *(a.memory for a in arguments if isinstance(a, Array)),
                }
            case op.Wait() | op.Goto() | op.Leave():
                found |= {ALL, CHOSEN}
            case op.Ahead(name, active):
                found |= {ALL, CHOSEN, name, active}
    return Effects(frozenset(found))
