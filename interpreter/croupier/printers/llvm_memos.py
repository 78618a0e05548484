"""What a body offered is kept, by the words that it depends on: whoever comes there again with the same words offers it again.

What is kept lies in memory of the thread, before the position. It is no part of it: whoever copies a position spreads what is on offer before.
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import Const, Expression, Local
from croupier.core.types import CoreProgram
from croupier.core.walk import statements
from croupier.printers import llvm_calls as calls
from croupier.printers import llvm_layout as l
from croupier.printers.llvm_body import BodyPrinter
from croupier.printers.llvm_layout import Layout

ENTRIES = 256  # things that are kept of each body: a power of 2
ROOM = 1 << 16  # words for what was offered
PLACE, COUNT, KEY = range(3)  # of an entry: where the actions lie, less the address of the position (0: nothing is kept), how many, the words
MULTIPLIER = 0x9E3779B97F4A7C15  # of Fibonacci hashing


def memos(program: CoreProgram) -> list[op.Memo]:
    """All of them, in order."""
    return [s for body in l.bodies_of(program) for s in statements(body) if isinstance(s, op.Memo)]


def layout_of(program: CoreProgram, apart: bool = False) -> Layout:
    """The layout of a program, with room for what is kept."""
    return Layout(program, room(program), apart)


def key_size(program: CoreProgram, s: op.Memo) -> int:
    """How many words it depends on."""
    return len(s.words) + sum(program.memories[a].size for a in s.arrays)


def room(program: CoreProgram) -> int:
    """Words for all that is kept: how many are used, what was offered, then the entries."""
    found = memos(program)
    return 1 + ROOM + ENTRIES * sum(KEY + key_size(program, s) for s in found) if found else 0


def offer_kept(p: BodyPrinter, s: op.Memo) -> None:
    """Offers what was kept, or what the body offers, and keeps that."""
    f, layout, program = p.fn, p.unit.layout, p.unit.program
    others = memos(program)
    which = next(i for i, other in enumerate(others) if other is s)
    first = layout.memos + 1 + ROOM + ENTRIES * sum(KEY + key_size(program, other) for other in others[:which])
    words: list[Expression] = [Local(n) for n in s.words]
    words += [op.Load(a, Const(i)) for a in s.arrays for i in range(program.memories[a].size)]
    keys = [p.x(w) for w in words]
    spread = "0"
    for i, k in enumerate(keys):
        spread = f.add(spread, f.mul(k, str(((MULTIPLIER * (2 * i + 1)) | 1) % (1 << 64) - (1 << 63))))
    number = f.binary("lshr", f.mul(spread, str(MULTIPLIER - (1 << 64))), str(64 - (ENTRIES - 1).bit_length()))
    entry = f.at(f.before(first), f.mul(number, str(KEY + len(keys))))
    unlike = f.wide(f.test("eq", f.load(entry), "0"))
    for i, k in enumerate(keys):
        unlike = f.binary("or", unlike, f.binary("xor", k, f.load(f.at(entry, KEY + i))))
    again, fresh, on = f.label(), f.label(), f.label()
    f.branch(f.test("eq", unlike, "0"), again, fresh)
    f.place(again)
    calls.no_offers(p)
    f.store(f.load(entry), f.before(-2 * l.MOST_OFFERS))
    f.store(f.load(f.at(entry, COUNT)), "%O.n")
    f.store(str(l.KEPT), p.head(l.FORM))
    f.jump(on)
    f.place(fresh)
    p.body(s.body)
    calls.flush_offers(p)
    with f.when(f.test("ne", f.load("%O.messy"), "0")):
        f.line("call void @offers.order(ptr %S)")
    f.line("call void @offers.spread(ptr %S)")
    count = f.load(p.head(l.COUNT))
    f.store(count, "%O.n")
    f.store("0", "%O.messy")
    used_at = f.before(layout.memos)
    with f.when(f.test("gt", f.add(f.load(used_at), count), str(ROOM))):
        f.line(f"call void @llvm.memset.p0.i64(ptr align 8 {used_at}, i8 0, i64 {8 * room(program)}, i1 false)")
    used = f.load(used_at)
    place = f.add(used, str(layout.memos + 1))
    f.store(f.add(used, count), used_at)
    f.copy(f.at(f.before(0), place), f.before(-2 * l.MOST_OFFERS), count)
    for i, word in enumerate((place, count, *keys)):
        f.store(word, f.at(entry, i))
    f.place(on)
