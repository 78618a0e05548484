"""Legal actions in native code: emitting offers, and the functions that sort them and expand them to a list.

The actions lie in scratch memory in one of the formats of `OfferFormat`. A set that one statement offers
stays compact (bits, or a range of a zone) until somebody asks for a list: `offers.expand`. A list is sorted
only if an action was not greater than the one before: `Header.UNSORTED`. While a function makes offers it
caches the header words about them in allocas, which calls spill (`llvm_calls.py`).
"""

from __future__ import annotations

from croupier.core.operations import NONE, Expression
from croupier.printers.llvm_builder import FunctionBuilder
from croupier.printers.llvm_expressions import ExpressionPrinter, TranslationUnit
from croupier.printers.llvm_layout import ACTIONS, MAX_OFFERS, WEIGHTS, Header, OfferFormat

# allocas: cached header words, the latest action and its seat
COUNT, UNSORTED, LAST, LAST_SEAT = "%O.count", "%O.unsorted", "%O.last", "%O.seat"


# ------------------------------------------------------------ emitting offers
def cache_offers(p: ExpressionPrinter) -> None:
    """Load the header words about offers into allocas, until `spill_offers`."""
    p.caches_offers = True
    for name, word in ((COUNT, Header.OFFER_COUNT), (UNSORTED, Header.UNSORTED)):
        p.fn.store(p.fn.load_at("%S", word), p.fn.named_alloca(name[1:]))
    for name in (LAST, LAST_SEAT):
        p.fn.store(NONE, p.fn.named_alloca(name[1:]))


def spill_offers(p: ExpressionPrinter) -> None:
    """Store the cached words to the header, if there are any."""
    if p.caches_offers:
        p.fn.store_at(p.fn.load(COUNT), "%S", Header.OFFER_COUNT)
        p.fn.store_at(p.fn.load(UNSORTED), "%S", Header.UNSORTED)


def emit_no_offers(p: ExpressionPrinter) -> None:
    """Emit `NoOffers`: no action is legal any more."""
    f = p.fn
    f.store(0, COUNT)
    f.store(0, UNSORTED)
    f.store(NONE, LAST)
    f.store_at(str(int(p.weighted)), "%S", Header.WEIGHTED)
    f.store_at(OfferFormat.LIST, "%S", Header.OFFER_FORMAT)


def emit_offer(p: ExpressionPrinter, action: str, weight: str | None) -> None:
    """Emit an offer of an action, with its weight or seat unless all are 1."""
    f = p.fn
    n = f.load(COUNT)
    p.fail_if(f.icmp("ge", n, MAX_OFFERS))
    f.store_at(action, f.scratch(ACTIONS), n)
    if weight is not None:
        f.store_at(weight, f.scratch(WEIGHTS), n)
    f.store(f.add(n, 1), COUNT)
    unsorted = f.icmp("le", action, f.load(LAST))
    if p.simultaneous and weight is not None:  # only the actions of each seat must be sorted
        unsorted = f.and_bool(unsorted, f.icmp("eq", weight, f.load(LAST_SEAT)))
        f.store(weight, LAST_SEAT)
    flag = f.zext(unsorted)
    f.store(f.binary("or", f.load(UNSORTED), flag), UNSORTED)
    f.store(action, LAST)


def emit_bitset(p: ExpressionPrinter, word: str, offset: str) -> None:
    """Emit an offer of each set bit of a word, plus an offset; as a bit set if no other statement offers."""
    f = p.fn
    if p.single_offer:
        for i, value in enumerate((word, offset)):
            f.store(value, f.scratch(ACTIONS + i))
        f.store(f.emit_value(f"call i64 @llvm.ctpop.i64(i64 {word})"), COUNT)
        f.store_at(OfferFormat.BITSET, "%S", Header.OFFER_FORMAT)
        return
    left, head, go, after = f.variable(word), f.new_label(), f.new_label(), f.new_label()
    f.start_block(head)
    bits = f.load(left)
    f.branch(f.icmp("eq", bits, 0), after, go)
    f.start_block(go)
    place = f.emit_value(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")
    f.store(f.binary("and", bits, f.sub(bits, 1)), left)
    emit_offer(p, f.add(place, offset), "1" if p.weighted else None)
    f.jump(head)
    f.start_block(after)


def emit_top_part(p: ExpressionPrinter, zone: Expression) -> None:
    """Emit an offer of each component of the top unordered part; as a range of the zone if no other statement
    offers.
    """
    f = p.fn
    n, first = f.load(p.zone_length_address(zone)), p.zone_offset(zone)
    begin = f.call("zone.part", "%S", first, n)
    if p.single_offer:
        f.store(f.add(first, begin), f.scratch(ACTIONS))
        f.store(f.sub(n, begin), COUNT)
        f.store_at(OfferFormat.ZONE_RANGE, "%S", Header.OFFER_FORMAT)
        return
    with f.for_range(begin, n) as i:
        emit_offer(p, p.load_component(zone, i), "1" if p.weighted else None)


def emit_sort_if_needed(f: FunctionBuilder) -> None:
    """Emit a sort of the actions of `%S`, unless they are known to be sorted."""
    with f.when(f.icmp("ne", f.load_at("%S", Header.UNSORTED), 0)):
        f.run("offers.sort", "%S")


def emit_sorted_list(f: FunctionBuilder) -> None:
    """Emit the conversion of the actions of `%S` to a sorted list."""
    emit_sort_if_needed(f)
    f.run("offers.expand", "%S")


# ------------------------------------------------------------ functions of every program
def print_sort() -> str:
    """`offers.sort(S)`: sort the actions, those that are equal by their weights or seats, and remove what is
    there twice.

    Actions without weights that span less than 64 numbers become a bit set.
    """
    f = FunctionBuilder("offers.sort", "*S", "void", noinline=True)
    actions, n = f.scratch(ACTIONS), f.load_at("%S", Header.OFFER_COUNT)
    f.store_at(0, "%S", Header.UNSORTED)
    with f.when(f.icmp("eq", f.load_at("%S", Header.WEIGHTED), 0)):
        low, high, bits = f.alloca(), f.alloca(), f.alloca()
        for slot in (low, high):
            f.store(f.load(actions), slot)
        with f.for_range(1, n) as i:
            a = f.load_at(actions, i)
            f.store(f.select(f.icmp("lt", a, f.load(low)), a, f.load(low)), low)
            f.store(f.select(f.icmp("gt", a, f.load(high)), a, f.load(high)), high)
        least = f.load(low)
        with f.when(f.icmp("lt", f.sub(f.load(high), least), 64)):
            f.store(0, bits)
            with f.for_range(0, n) as i:
                bit = f.binary("shl", 1, f.sub(f.load_at(actions, i), least))
                f.store(f.binary("or", f.load(bits), bit), bits)
            word = f.load(bits)
            f.store(word, actions)
            f.store_at(least, actions, 1)
            f.store_at(OfferFormat.BITSET, "%S", Header.OFFER_FORMAT)
            f.store_at(f.emit_value(f"call i64 @llvm.ctpop.i64(i64 {word})"), "%S", Header.OFFER_COUNT)
            f.terminate("ret void")
    emit_insertion_sort(f, actions, n)
    f.terminate("ret void")
    return f.text()


def emit_insertion_sort(f: FunctionBuilder, actions: str, n: str) -> None:
    """Emit an insertion sort of the list of actions."""
    weights = f.scratch(WEIGHTS)
    weighed = f.icmp("ne", f.load_at("%S", Header.WEIGHTED), 0)
    to, kept = f.alloca(), f.variable(0)
    with f.for_range(0, n) as i:
        a, w = f.load_at(actions, i), f.load_at(weights, i)
        f.store(f.load(kept), to)
        head, compare, move, put, on = f.new_labels(5)
        f.start_block(head)
        j = f.load(to)
        f.branch(f.icmp("eq", j, 0), put, compare)
        f.start_block(compare)
        below = f.sub(j, 1)
        b, v = f.load_at(actions, below), f.load_at(weights, below)
        same, unweighed = f.icmp("eq", a, b), f.not_bool(weighed)  # without weights that memory says nothing
        twice = f.and_bool(same, f.or_bool(unweighed, f.icmp("eq", w, v)))
        with f.when(twice):
            with f.for_range(j, f.load(kept)) as k:  # a duplicate: undo the moves
                above = f.add(k, 1)
                f.store_at(f.load_at(actions, above), actions, k)
                f.store_at(f.load_at(weights, above), weights, k)
            f.jump(on)
        f.branch(
            f.or_bool(f.icmp("lt", a, b), f.and_bool(f.and_bool(same, weighed), f.icmp("lt", w, v))),
            move,
            put,
        )
        f.start_block(move)
        f.store_at(b, actions, j)
        f.store_at(v, weights, j)
        f.store(below, to)
        f.jump(head)
        f.start_block(put)
        at = f.load(to)
        f.store_at(a, actions, at)
        f.store_at(w, weights, at)
        f.store(f.add(f.load(kept), 1), kept)
        f.start_block(on)
    f.store_at(f.load(kept), "%S", Header.OFFER_COUNT)


def print_expand(unit: TranslationUnit) -> str:
    """`offers.expand(S)`: convert the actions from any format to a list."""
    f = FunctionBuilder("offers.expand", "*S", "void", noinline=True)
    actions, n = f.scratch(ACTIONS), f.load_at("%S", Header.OFFER_COUNT)
    form = f.load_at("%S", Header.OFFER_FORMAT)
    with f.when(f.icmp("eq", form, OfferFormat.BITSET)):
        left, offset = f.alloca(), f.load_at(actions, 1)
        f.store(f.load(actions), left)
        with f.for_range(0, n) as i:
            bits = f.load(left)
            f.store(f.binary("and", bits, f.sub(bits, 1)), left)
            f.store_at(
                f.add(f.emit_value(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)"), offset), actions, i
            )
    with f.when(f.icmp("eq", form, OfferFormat.ZONE_RANGE)):
        first = f.gep(f.gep("%S", unit.layout.contents), f.load(actions), "i16")
        with f.for_range(0, n) as i:
            f.store_at(f.emit_value(f"zext i16 {f.load_at(first, i, 'i16')} to i64"), actions, i)
    with f.when(f.icmp("eq", form, OfferFormat.MEMO)):
        f.memmove(actions, f.gep(f.scratch(0), f.load(actions)), n)
    f.store_at(OfferFormat.LIST, "%S", Header.OFFER_FORMAT)
    f.terminate("ret void")
    return f.text()
