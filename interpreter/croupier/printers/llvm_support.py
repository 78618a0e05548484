"""What every program calls: components in zones, sorting, offers in order. Written with the layout of the program."""

from __future__ import annotations

from croupier.printers import llvm_layout as l
from croupier.printers.assembly import Fn
from croupier.printers.llvm_values import Unit

DECLARATIONS = [
    "declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)", "declare i64 @llvm.ctpop.i64(i64)", "declare i64 @llvm.cttz.i64(i64, i1)",
    "declare i16 @llvm.cttz.i16(i16, i1)", "declare i64 @llvm.ctlz.i64(i64, i1)",
    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    "!0 = !{!\"branch_weights\", i32 1, i32 10000}", "!1 = !{!\"branch_weights\", i32 10000, i32 1}",
]  # fmt: skip
WIDE = 32  # components that are looked at together


def support(unit: Unit) -> list[str]:
    """All of it."""
    found = [sort(stride, keys) for stride, keys in sorted(unit.sorts)]
    if unit.layout.has_zones:
        found += [find(unit), rank(unit), insert(unit), remove(unit), part(unit)]
    return [*found, order_offers(), spread(unit), before(unit)]


def before(unit: Unit) -> str:
    """`position.before(S)`: the address from which on, backwards, lies what belongs to one action only."""
    f = Fn("position.before", [("S", "ptr")], "ptr")
    f.inside()
    f.end(f"ret ptr {f.load(f.at('%S', l.CONTEXT), 'ptr') if unit.layout.apart else '%S'}")
    return f.text()


def shift(f: Fn, start: str, distance: int, count: str, kind: str) -> None:
    """Moves elements of an array up (1) or down (-1) by one, `count` of them from an address on, some together: behind them is room for that."""
    those = f"<{l.SHIFTED} x {kind}>"
    bits = str(l.SHIFTED.bit_length() - 1)
    with f.counting("0", f.binary("ashr", f.add(count, str(l.SHIFTED - 1)), bits)) as k:
        first = k if distance < 0 else f.sub(f.binary("ashr", f.sub(count, "1"), bits), k)
        here = f.at(start, f.mul(first, str(l.SHIFTED)), kind)
        held = f.value(f"load {those}, ptr {here}, align 1")
        f.line(f"store {those} {held}, ptr {f.at(here, distance, kind)}, align 1")


def zone_begin(f: Fn, unit: Unit) -> str:
    """Where `%z` lies among all zones."""
    stride = unit.layout.stride
    return f.load(f.at("@zone.at", "%z")) if stride is None else f.mul("%z", str(stride))


def zone(f: Fn, unit: Unit) -> tuple[str, str, str]:
    """Of `%z`: the address of its length, of its contents, of its bits."""
    layout, begin = unit.layout, zone_begin(f, unit)
    length = f.at(f.at("%S", layout.lengths), "%z")
    return length, f.at(f.at("%S", layout.contents), begin, "i16"), f.at(f.at("%S", layout.bits), begin, "i8")


def may_loosen(f: Fn, unit: Unit) -> str:
    """May a part of `%z` be unordered? An i1."""
    found, zones = unit.layout.may_loosen, len(unit.program.zones.capacities)
    if len(found) in (0, zones) or zones > 63:
        return "true" if found else "false"
    return f.test("ne", f.binary("and", f.binary("lshr", str(sum(1 << z for z in found)), "%z"), "1"), "0")


def find(unit: Unit) -> str:
    """`zone.find(S, z, c)`: the place of a component that is there: where one was drawn last, or by looking, thirty-two at a time."""
    f = Fn("zone.find", [("S", "ptr"), ("z", "i64"), ("c", "i64")])
    length, items, _ = zone(f, unit)
    drawn = f.sub(f.load(f.at("%S", l.DRAWN)), zone_begin(f, unit))
    with f.when(f.value(f"icmp ult i64 {drawn}, {f.load(length)}")):
        with f.when(f.value(f"icmp eq i16 {f.load(f.at(items, drawn, 'i16'), 'i16')}, {f.value('trunc i64 %c to i16')}")):
            f.give(drawn)
    kind = f"<{WIDE} x i16>"
    one = f.value(f"insertelement {kind} undef, i16 {f.value('trunc i64 %c to i16')}, i32 0")
    wanted = f.value(f"shufflevector {kind} {one}, {kind} undef, <{WIDE} x i32> zeroinitializer")
    at, head, done = f.slot(), f.label(), f.label()
    f.store("0", at)
    f.place(head)
    i = f.load(at)
    those = f.value(f"load {kind}, ptr {f.at(items, i, 'i16')}, align 2")
    same = f.value(f"icmp eq {kind} {those}, {wanted}")
    bits = f.value(f"bitcast <{WIDE} x i1> {same} to i{WIDE}")
    f.store(f.add(i, str(WIDE)), at)
    f.branch(f.value(f"icmp ne i{WIDE} {bits}, 0"), done, head)
    f.place(done)
    f.give(f.add(i, f.value(f"zext i{WIDE} {f.value(f'call i{WIDE} @llvm.cttz.i{WIDE}(i{WIDE} {bits}, i1 true)')} to i64")))
    return f.text()


def rank(unit: Unit) -> str:
    """`zone.rank(S, z, c)`: how many components of a zone come before one, thirty-two at a time."""
    f = Fn("zone.rank", [("S", "ptr"), ("z", "i64"), ("c", "i64")])
    length, items, _ = zone(f, unit)
    kind, lanes = f"<{WIDE} x i16>", ", ".join(f"i16 {i}" for i in range(WIDE))
    n, total = f.load(length), f.slot()

    def all_of(word: str) -> str:
        one = f.value(f"insertelement {kind} undef, i16 {f.value(f'trunc i64 {word} to i16')}, i32 0")
        return f.value(f"shufflevector {kind} {one}, {kind} undef, <{WIDE} x i32> zeroinitializer")

    wanted = all_of("%c")
    f.store("0", total)
    with f.counting("0", f.binary("ashr", f.add(n, str(WIDE - 1)), str(WIDE.bit_length() - 1))) as k:
        first = f.mul(k, str(WIDE))
        those = f.value(f"load {kind}, ptr {f.at(items, first, 'i16')}, align 2")
        there = f.value(f"icmp slt {kind} <{lanes}>, {all_of(f.sub(n, first))}")
        before = f.value(f"and <{WIDE} x i1> {there}, {f.value(f'icmp ult {kind} {those}, {wanted}')}")
        bits = f.value(f"zext i{WIDE} {f.value(f'bitcast <{WIDE} x i1> {before} to i{WIDE}')} to i64")
        f.store(f.add(f.load(total), f.value(f"call i64 @llvm.ctpop.i64(i64 {bits})")), total)
    f.give(f.load(total))
    return f.text()


def insert(unit: Unit) -> str:
    """`zone.insert(S, z, i, c)`."""
    f = Fn("zone.insert", [("S", "ptr"), ("z", "i64"), ("i", "i64"), ("c", "i64")], "void")
    length, items, bits = zone(f, unit)
    n = f.load(length)
    above = f.sub(n, "%i")
    at = f.at(items, "%i", "i16")
    shift(f, at, 1, above, "i16")
    f.store(f.value("trunc i64 %c to i16"), at, "i16")
    with f.when(may_loosen(f, unit)):
        at = f.at(bits, "%i", "i8")
        shift(f, at, 1, above, "i8")
        f.store("0", at, "i8")
    f.store(f.add(n, "1"), length)
    f.end("ret void")
    return f.text()


def remove(unit: Unit) -> str:
    """`zone.remove(S, z, i)`: an unordered part that it lay in goes on without it."""
    f = Fn("zone.remove", [("S", "ptr"), ("z", "i64"), ("i", "i64")], "void")
    length, items, bits = zone(f, unit)
    n = f.sub(f.load(length), "1")
    above = f.sub(n, "%i")
    shift(f, f.at(f.at(items, "%i", "i16"), 1, "i16"), -1, above, "i16")
    with f.when(may_loosen(f, unit)):
        at = f.at(bits, "%i", "i8")
        with f.when(f.test("lt", "0", "%i")):
            below = f.at(at, -1, "i8")
            f.store(f.binary("and", f.load(below, "i8"), f.load(at, "i8"), "i8"), below, "i8")
        shift(f, f.at(at, 1, "i8"), -1, above, "i8")
    f.store(n, length)
    f.end("ret void")
    return f.text()


def sort(stride: int, keys: int) -> str:
    """`sort.STRIDE.KEYS(at, n)`: rows by insertion, stably, by their first words."""
    f = Fn(f"sort.{stride}.{keys}", [("at", "ptr"), ("n", "i64")], "void")
    row, to = f.slot(stride), f.slot()
    with f.counting("1", "%n") as i:
        here = f.at("%at", f.mul(i, str(stride)))
        for k in range(stride):
            f.store(f.load(f.at(here, k)), f.at(row, k))
        f.store(i, to)
        head, compare, move, put = f.label(), f.label(), f.label(), f.label()
        f.place(head)
        j = f.load(to)
        f.branch(f.test("eq", j, "0"), put, compare)
        f.place(compare)
        below = f.at("%at", f.mul(f.sub(j, "1"), str(stride)))
        for k in range(keys):
            a, b = f.load(f.at(row, k)), f.load(f.at(below, k))
            same = f.label()
            if k == keys - 1:
                f.branch(f.test("lt", a, b), move, put)
                break
            less = f.label()
            f.branch(f.test("eq", a, b), same, less)
            f.place(less)
            f.branch(f.test("lt", a, b), move, put)
            f.place(same)
        f.place(move)
        above = f.at("%at", f.mul(j, str(stride)))
        for k in range(stride):
            f.store(f.load(f.at(below, k)), f.at(above, k))
        f.store(f.sub(j, "1"), to)
        f.jump(head)
        f.place(put)
        there = f.at("%at", f.mul(f.load(to), str(stride)))
        for k in range(stride):
            f.store(f.load(f.at(row, k)), f.at(there, k))
    f.end("ret void")
    return f.text()


def order_offers() -> str:
    """`offers.order(S)`: what is on offer in ascending order, each action once; its weights go with it. Where several choose all are kept.

    Numbers near each other without weights become bits.
    """
    f = Fn("offers.order", [("S", "ptr")], "void", apart=True)
    actions, n = f.before(-2 * l.MOST_OFFERS), f.load(f.at("%S", l.COUNT))
    f.store("0", f.at("%S", l.MESSY))
    with f.when(f.test("eq", f.load(f.at("%S", l.WEIGHED)), "0")):
        low, high, bits = f.slot(), f.slot(), f.slot()
        for slot in (low, high):
            f.store(f.load(actions), slot)
        with f.counting("1", n) as i:
            a = f.load(f.at(actions, i))
            f.store(f.choose(f.test("lt", a, f.load(low)), a, f.load(low)), low)
            f.store(f.choose(f.test("gt", a, f.load(high)), a, f.load(high)), high)
        least = f.load(low)
        with f.when(f.test("lt", f.sub(f.load(high), least), "64")):
            f.store("0", bits)
            with f.counting("0", n) as i:
                bit = f.binary("shl", "1", f.sub(f.load(f.at(actions, i)), least))
                f.store(f.binary("or", f.load(bits), bit), bits)
            word = f.load(bits)
            f.store(word, actions)
            f.store(least, f.at(actions, 1))
            f.store(str(l.BITS), f.at("%S", l.FORM))
            f.store(f.value(f"call i64 @llvm.ctpop.i64(i64 {word})"), f.at("%S", l.COUNT))
            f.end("ret void")
    sorted_by_insertion(f, actions, n)
    f.end("ret void")
    return f.text()


def sorted_by_insertion(f: Fn, actions: str, n: str) -> None:
    """Actions in ascending order, by insertion."""
    weights = f.before(-l.MOST_OFFERS)
    weighed = f.test("ne", f.load(f.at("%S", l.WEIGHED)), "0")
    to, kept = f.slot(), f.slot()
    f.store("0", kept)
    with f.counting("0", n) as i:
        a, w = f.load(f.at(actions, i)), f.load(f.at(weights, i))
        f.store(f.load(kept), to)
        head, compare, move, put, on = f.label(), f.label(), f.label(), f.label(), f.label()
        f.place(head)
        j = f.load(to)
        f.branch(f.test("eq", j, "0"), put, compare)
        f.place(compare)
        below = f.sub(j, "1")
        b = f.load(f.at(actions, below))
        twice = f.both(f.test("eq", a, b), f.binary("xor", weighed, "true", "i1"))
        with f.when(twice):
            with f.counting(j, f.load(kept)) as k:  # it is there: those that moved up go back
                above = f.add(k, "1")
                f.store(f.load(f.at(actions, above)), f.at(actions, k))
            f.jump(on)
        f.branch(f.test("lt", a, b), move, put)
        f.place(move)
        f.store(b, f.at(actions, j))
        f.store(f.load(f.at(weights, below)), f.at(weights, j))
        f.store(below, to)
        f.jump(head)
        f.place(put)
        at = f.load(to)
        f.store(a, f.at(actions, at))
        f.store(w, f.at(weights, at))
        f.store(f.add(f.load(kept), "1"), kept)
        f.place(on)
    f.store(f.load(kept), f.at("%S", l.COUNT))


def part(unit: Unit) -> str:
    """`zone.part(S, first, n)`: where the unordered part on top of a zone begins; `first` is where the zone lies among all, `n` how long it is."""
    f = Fn("zone.part", [("S", "ptr"), ("first", "i64"), ("n", "i64")])
    if not unit.layout.loosened:
        f.give(f.sub("%n", "1"))
        return f.text()
    kind, bits = f"<{WIDE} x i8>", f.at(f.at("%S", unit.layout.bits), "%first", "i8")
    at, head, last = f.slot(), f.label(), f.label()
    ones = f"<{', '.join(['i8 1'] * WIDE)}>"
    f.store(f.sub("%n", "1"), at)
    f.place(head)
    i = f.load(at)
    below = f.sub(i, str(WIDE))  # where this is less than 0, something else is read as well, which does not count
    those = f.value(f"load {kind}, ptr {f.at(bits, below, 'i8')}, align 1")
    fit = f.value(f"bitcast <{WIDE} x i1> {f.value(f'icmp eq {kind} {those}, {ones}')} to i{WIDE}")
    odd = f.binary("xor", f.value(f"zext i{WIDE} {fit} to i64"), str((1 << WIDE) - 1))
    f.store(below, at)
    inside = f.test("ge", below, "0")
    f.branch(f.both(f.test("eq", odd, "0"), inside), head, last)
    f.place(last)
    begin = f.sub(f.add(i, str(64 - WIDE)), f.value(f"call i64 @llvm.ctlz.i64(i64 {odd}, i1 false)"))  # behind the last that does not go on
    f.give(f.choose(f.test("lt", begin, "0"), "0", begin))
    return f.text()


def spread(unit: Unit) -> str:
    """`offers.spread(S)`: what is on offer one by one, in whatever form it was."""
    f = Fn("offers.spread", [("S", "ptr")], "void", apart=True)
    actions, n = f.before(-2 * l.MOST_OFFERS), f.load(f.at("%S", l.COUNT))
    form = f.load(f.at("%S", l.FORM))
    with f.when(f.test("eq", form, str(l.BITS))):
        left, more = f.slot(), f.load(f.at(actions, 1))
        f.store(f.load(actions), left)
        with f.counting("0", n) as i:
            bits = f.load(left)
            f.store(f.binary("and", bits, f.sub(bits, "1")), left)
            f.store(f.add(f.value(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)"), more), f.at(actions, i))
    with f.when(f.test("eq", form, str(l.PART))):
        first = f.at(f.at("%S", unit.layout.contents), f.load(actions), "i16")
        with f.counting("0", n) as i:
            f.store(f.value(f"zext i16 {f.load(f.at(first, i, 'i16'), 'i16')} to i64"), f.at(actions, i))
    with f.when(f.test("eq", form, str(l.KEPT))):
        f.copy(actions, f.at(f.before(0), f.load(actions)), n)
    f.store(str(l.LISTED), f.at("%S", l.FORM))
    f.end("ret void")
    return f.text()
