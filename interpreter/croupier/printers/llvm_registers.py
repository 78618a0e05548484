"""What others look at in the header of a position, kept in slots of a function meanwhile: fuel, and what is on offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.core import operations as op
from croupier.core.operations import NONE, Body, Expression
from croupier.core.walk import statements
from croupier.printers import llvm_layout as l

if TYPE_CHECKING:
    from croupier.printers.llvm_body import BodyPrinter


def open_registers(p: BodyPrinter, offers: bool, body: Body) -> None:
    """What others look at in the header lies in slots of the function meanwhile."""
    if offers:
        open_offers(p)
    if any(isinstance(s, op.Pay) for s in statements(body)):
        p.fuel = p.fn.named_slot("fuel")
        take_fuel(p)

    def leave() -> None:
        flush_offers(p)
        flush_fuel(p)

    p.leave = leave


def take_fuel(p: BodyPrinter) -> None:
    """Fuel is what the header says."""
    if p.fuel:
        p.fn.store(p.fn.load(p.head(l.FUEL)), p.fuel)


def flush_fuel(p: BodyPrinter) -> None:
    """And back to the header."""
    if p.fuel:
        p.fn.store(p.fn.load(p.fuel), p.head(l.FUEL))


def open_offers(p: BodyPrinter) -> None:
    """What is on offer so far, in slots of the function."""
    p.offers = p.fn.fresh()
    for name, word in (("n", l.COUNT), ("messy", l.MESSY)):
        slot = p.fn.named_slot(f"O.{name}")
        p.fn.store(p.fn.load(p.head(word)), slot)
    for name in ("last", "whose"):
        p.fn.store(str(NONE), p.fn.named_slot(f"O.{name}"))


def flush_offers(p: BodyPrinter) -> None:
    """And back to where others look."""
    if p.offers:
        p.fn.store(p.fn.load("%O.n"), p.head(l.COUNT))
        p.fn.store(p.fn.load("%O.messy"), p.head(l.MESSY))


def no_offers(p: BodyPrinter) -> None:
    """Nothing is on offer any more."""
    f = p.fn
    f.store("0", "%O.n")
    f.store("0", "%O.messy")
    f.store(str(NONE), "%O.last")
    f.store(str(int(p.weighed)), p.head(l.WEIGHED))
    f.store(str(l.LISTED), p.head(l.FORM))


def offer(p: BodyPrinter, action: str, weight: str | None) -> None:
    """One more action, with its weight where they have some."""
    f = p.fn
    n = f.load("%O.n")
    p.fail_if(f.test("ge", n, str(l.MOST_OFFERS)))
    f.store(action, f.at(f.before(-2 * l.MOST_OFFERS), n))
    if weight is not None:
        f.store(weight, f.at(f.before(-l.MOST_OFFERS), n))
    f.store(f.add(n, "1"), "%O.n")
    disorder = f.test("le", action, f.load("%O.last"))
    if p.several and weight is not None:  # of each seat they are in order
        disorder = f.both(disorder, f.test("eq", weight, f.load("%O.whose")))
        f.store(weight, "%O.whose")
    wrong = f.wide(disorder)
    f.store(f.binary("or", f.load("%O.messy"), wrong), "%O.messy")
    f.store(action, "%O.last")


def offer_bits(p: BodyPrinter, word: str, more: str) -> None:
    """Actions by the places of bits; alone on offer they stay bits."""
    f = p.fn
    if p.alone:
        for i, value in enumerate((word, more)):
            f.store(value, f.before(-2 * l.MOST_OFFERS + i))
        f.store(f.value(f"call i64 @llvm.ctpop.i64(i64 {word})"), "%O.n")
        f.store(str(l.BITS), p.head(l.FORM))
        return
    left, head, go, after = f.slot(), f.label(), f.label(), f.label()
    f.store(word, left)
    f.place(head)
    bits = f.load(left)
    f.branch(f.test("eq", bits, "0"), after, go)
    f.place(go)
    place = f.value(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")
    f.store(f.binary("and", bits, f.sub(bits, "1")), left)
    offer(p, f.add(place, more), "1" if p.weighed else None)
    f.jump(head)
    f.place(after)


def offer_top(p: BodyPrinter, zone: Expression) -> None:
    """The components of the unordered part on top; alone on offer they stay where they lie."""
    f = p.fn
    n, first = f.load(p.length_at(zone)), p.begins(zone)
    begin = f.call("zone.part", ["ptr %S", f"i64 {first}", f"i64 {n}"])
    if p.alone:
        f.store(f.add(first, begin), f.before(-2 * l.MOST_OFFERS))
        f.store(f.sub(n, begin), "%O.n")
        f.store(str(l.PART), p.head(l.FORM))
        return
    with f.counting(begin, n) as i:
        offer(p, p.element(zone, i), "1" if p.weighed else None)
