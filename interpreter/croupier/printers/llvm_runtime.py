"""Runtime library that is printed with every program: zones, sorting, the address of scratch memory.

It depends on the layout of the program.

Zones are arrays of 16-bit components; searches, insertions and removals handle 16 or 32 of them by vector
instructions, and may read and move padding behind a zone.
"""

from __future__ import annotations

from croupier.printers.llvm_builder import FunctionBuilder
from croupier.printers.llvm_expressions import TranslationUnit
from croupier.printers.llvm_layout import SHIFT_LANES, Header
from croupier.printers.llvm_offers import print_expand, print_sort

DECLARATIONS = [
    "declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)",
    "declare i64 @llvm.ctpop.i64(i64)",
    "declare i64 @llvm.cttz.i64(i64, i1)",
    "declare i16 @llvm.cttz.i16(i16, i1)",
    "declare i64 @llvm.ctlz.i64(i64, i1)",
    "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
    "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
    '!0 = !{!"branch_weights", i32 1, i32 10000}',
    '!1 = !{!"branch_weights", i32 10000, i32 1}',
]
LANES = 32  # components that one vector instruction compares


def runtime_functions(unit: TranslationUnit) -> list[str]:
    """All functions of the library that the program calls."""
    found = [print_sort_rows(stride, keys) for stride, keys in sorted(unit.sorts)]
    if unit.layout.has_zones:
        found += [
            print_find(unit),
            print_rank(unit),
            print_insert(unit),
            print_remove(unit),
            print_part(unit),
        ]
    return [*found, print_sort(), print_expand(unit), print_scratch(unit)]


def print_scratch(unit: TranslationUnit) -> str:
    """`position.scratch(S)`: the address below which the scratch memory of a position lies."""
    f = FunctionBuilder("position.scratch", "*S", "ptr")
    f.always_inline()
    f.terminate(
        f"ret ptr {f.load(f.gep('%S', Header.CONTEXT), 'ptr') if unit.layout.shared_scratch else '%S'}"
    )
    return f.text()


def emit_shift(f: FunctionBuilder, start: str, distance: int, count: str, kind: str) -> None:
    """Emit a move of `count` elements up (1) or down (-1) by one, from an address on, in vectors: there is
    padding behind them.
    """
    those = f"<{SHIFT_LANES} x {kind}>"
    bits = str(SHIFT_LANES.bit_length() - 1)
    with f.for_range(0, f.binary("ashr", f.add(count, SHIFT_LANES - 1), bits)) as k:
        first = k if distance < 0 else f.sub(f.binary("ashr", f.sub(count, 1), bits), k)
        here = f.gep(start, f.mul(first, SHIFT_LANES), kind)
        held = f.emit_value(f"load {those}, ptr {here}, align 1")
        f.emit(f"store {those} {held}, ptr {f.gep(here, distance, kind)}, align 1")


def zone_offset(f: FunctionBuilder, unit: TranslationUnit) -> str:
    """The offset of zone `%z` among the places of all zones."""
    stride = unit.layout.stride
    return f.load_at("@zone.at", "%z") if stride is None else f.mul("%z", stride)


def zone_addresses(f: FunctionBuilder, unit: TranslationUnit) -> tuple[str, str, str]:
    """The addresses of the length, the contents and the unordered bytes of zone `%z`."""
    layout, begin = unit.layout, zone_offset(f, unit)
    length = f.gep(f.gep("%S", layout.lengths), "%z")
    return (
        length,
        f.gep(f.gep("%S", layout.contents), begin, "i16"),
        f.gep(f.gep("%S", layout.unordered_bytes), begin, "i8"),
    )


def may_be_unordered(f: FunctionBuilder, unit: TranslationUnit) -> str:
    """Emit an i1 that is false if zone `%z` certainly has no unordered part."""
    found, zones = unit.layout.may_be_unordered, len(unit.program.zones.capacities)
    if len(found) in (0, zones) or zones > 63:
        return "true" if found else "false"
    return f.icmp("ne", f.binary("and", f.binary("lshr", str(sum(1 << z for z in found)), "%z"), 1), 0)


def print_find(unit: TranslationUnit) -> str:
    """`zone.find(S, z, c)`: the place of a component that is in the zone: where it was drawn last, or by a
    vector search.
    """
    f = FunctionBuilder("zone.find", "*S z c")
    length, items, _ = zone_addresses(f, unit)
    drawn = f.sub(f.load_at("%S", Header.DRAWN_FROM), zone_offset(f, unit))
    with f.when(f.emit_value(f"icmp ult i64 {drawn}, {f.load(length)}")):
        with f.when(
            f.emit_value(
                f"icmp eq i16 {f.load_at(items, drawn, 'i16')}, {f.emit_value('trunc i64 %c to i16')}"
            )
        ):
            f.ret(drawn)
    kind = f"<{LANES} x i16>"
    one = f.emit_value(f"insertelement {kind} undef, i16 {f.emit_value('trunc i64 %c to i16')}, i32 0")
    wanted = f.emit_value(f"shufflevector {kind} {one}, {kind} undef, <{LANES} x i32> zeroinitializer")
    at, head, done = f.variable(0), f.new_label(), f.new_label()
    f.start_block(head)
    i = f.load(at)
    those = f.emit_value(f"load {kind}, ptr {f.gep(items, i, 'i16')}, align 2")
    same = f.emit_value(f"icmp eq {kind} {those}, {wanted}")
    bits = f.emit_value(f"bitcast <{LANES} x i1> {same} to i{LANES}")
    f.store(f.add(i, LANES), at)
    f.branch(f.emit_value(f"icmp ne i{LANES} {bits}, 0"), done, head)
    f.start_block(done)
    zeros = f.emit_value(f"call i{LANES} @llvm.cttz.i{LANES}(i{LANES} {bits}, i1 true)")
    f.ret(f.add(i, f.emit_value(f"zext i{LANES} {zeros} to i64")))
    return f.text()


def print_rank(unit: TranslationUnit) -> str:
    """`zone.rank(S, z, c)`: how many components of a zone are less than one, by vectors."""
    f = FunctionBuilder("zone.rank", "*S z c")
    length, items, _ = zone_addresses(f, unit)
    kind, lanes = f"<{LANES} x i16>", ", ".join(f"i16 {i}" for i in range(LANES))
    n, total = f.load(length), f.alloca()

    def all_of(word: str) -> str:
        one = f.emit_value(
            f"insertelement {kind} undef, i16 {f.emit_value(f'trunc i64 {word} to i16')}, i32 0"
        )
        return f.emit_value(f"shufflevector {kind} {one}, {kind} undef, <{LANES} x i32> zeroinitializer")

    wanted = all_of("%c")
    f.store(0, total)
    with f.for_range(0, f.binary("ashr", f.add(n, LANES - 1), str(LANES.bit_length() - 1))) as k:
        first = f.mul(k, LANES)
        those = f.emit_value(f"load {kind}, ptr {f.gep(items, first, 'i16')}, align 2")
        there = f.emit_value(f"icmp slt {kind} <{lanes}>, {all_of(f.sub(n, first))}")
        less = f.emit_value(
            f"and <{LANES} x i1> {there}, {f.emit_value(f'icmp ult {kind} {those}, {wanted}')}"
        )
        bits = f.emit_value(
            f"zext i{LANES} {f.emit_value(f'bitcast <{LANES} x i1> {less} to i{LANES}')} to i64"
        )
        f.store(f.add(f.load(total), f.emit_value(f"call i64 @llvm.ctpop.i64(i64 {bits})")), total)
    f.ret(f.load(total))
    return f.text()


def print_insert(unit: TranslationUnit) -> str:
    """`zone.insert(S, z, i, c)`: insert a component at a place."""
    f = FunctionBuilder("zone.insert", "*S z i c", "void")
    length, items, bits = zone_addresses(f, unit)
    n = f.load(length)
    above = f.sub(n, "%i")
    at = f.gep(items, "%i", "i16")
    emit_shift(f, at, 1, above, "i16")
    f.store(f.emit_value("trunc i64 %c to i16"), at, "i16")
    with f.when(may_be_unordered(f, unit)):
        at = f.gep(bits, "%i", "i8")
        emit_shift(f, at, 1, above, "i8")
        f.store(0, at, "i8")
    f.store(f.add(n, 1), length)
    f.terminate("ret void")
    return f.text()


def print_remove(unit: TranslationUnit) -> str:
    """`zone.remove(S, z, i)`: remove the component at a place; an unordered part that it was in stays one
    part.
    """
    f = FunctionBuilder("zone.remove", "*S z i", "void")
    length, items, bits = zone_addresses(f, unit)
    n = f.sub(f.load(length), 1)
    above = f.sub(n, "%i")
    emit_shift(f, f.gep(f.gep(items, "%i", "i16"), 1, "i16"), -1, above, "i16")
    with f.when(may_be_unordered(f, unit)):
        at = f.gep(bits, "%i", "i8")
        with f.when(f.icmp("lt", 0, "%i")):
            below = f.gep(at, -1, "i8")
            f.store(f.binary("and", f.load(below, "i8"), f.load(at, "i8"), "i8"), below, "i8")
        emit_shift(f, f.gep(at, 1, "i8"), -1, above, "i8")
    f.store(n, length)
    f.terminate("ret void")
    return f.text()


def print_sort_rows(stride: int, keys: int) -> str:
    """`sort.STRIDE.KEYS(at, n)`: a stable insertion sort of n rows of STRIDE words by their first KEYS
    words.
    """
    f = FunctionBuilder(f"sort.{stride}.{keys}", "*at n", "void")
    row, to = f.alloca(stride), f.alloca()
    with f.for_range(1, "%n") as i:
        here = f.gep("%at", f.mul(i, stride))
        for k in range(stride):
            f.store_at(f.load_at(here, k), row, k)
        f.store(i, to)
        head, compare, move, put = f.new_labels(4)
        f.start_block(head)
        j = f.load(to)
        f.branch(f.icmp("eq", j, 0), put, compare)
        f.start_block(compare)
        below = f.gep("%at", f.mul(f.sub(j, 1), stride))
        for k in range(keys):
            a, b = f.load_at(row, k), f.load_at(below, k)
            same = f.new_label()
            if k == keys - 1:
                f.branch(f.icmp("lt", a, b), move, put)
                break
            less = f.new_label()
            f.branch(f.icmp("eq", a, b), same, less)
            f.start_block(less)
            f.branch(f.icmp("lt", a, b), move, put)
            f.start_block(same)
        f.start_block(move)
        above = f.gep("%at", f.mul(j, stride))
        for k in range(stride):
            f.store_at(f.load_at(below, k), above, k)
        f.store(f.sub(j, 1), to)
        f.jump(head)
        f.start_block(put)
        there = f.gep("%at", f.mul(f.load(to), stride))
        for k in range(stride):
            f.store_at(f.load_at(row, k), there, k)
    f.terminate("ret void")
    return f.text()


def print_part(unit: TranslationUnit) -> str:
    """`zone.part(S, first, n)`: where the top unordered part of a zone begins; `first`: its offset among all
    zones, `n`: its length.
    """
    f = FunctionBuilder("zone.part", "*S first n")
    if not unit.layout.has_unordered:
        f.ret(f.sub("%n", 1))
        return f.text()
    kind, bits = f"<{LANES} x i8>", f.gep(f.gep("%S", unit.layout.unordered_bytes), "%first", "i8")
    at, head, last = f.alloca(), f.new_label(), f.new_label()
    ones = f"<{', '.join(['i8 1'] * LANES)}>"
    f.store(f.sub("%n", 1), at)
    f.start_block(head)
    i = f.load(at)
    below = f.sub(i, LANES)  # below 0 other memory is read, which is masked out
    those = f.emit_value(f"load {kind}, ptr {f.gep(bits, below, 'i8')}, align 1")
    fit = f.emit_value(
        f"bitcast <{LANES} x i1> {f.emit_value(f'icmp eq {kind} {those}, {ones}')} to i{LANES}"
    )
    ends = f.binary("xor", f.emit_value(f"zext i{LANES} {fit} to i64"), str((1 << LANES) - 1))
    f.store(below, at)
    inside = f.icmp("ge", below, 0)
    f.branch(f.and_bool(f.icmp("eq", ends, 0), inside), head, last)
    f.start_block(last)
    begin = f.sub(
        f.add(i, str(64 - LANES)), f.emit_value(f"call i64 @llvm.ctlz.i64(i64 {ends}, i1 false)")
    )  # behind the last component that ends a part
    f.ret(f.select(f.icmp("lt", begin, 0), 0, begin))
    return f.text()
