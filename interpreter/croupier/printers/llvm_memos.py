"""Memo table of legal actions: what `op.Memo` offered is stored by the words that it depends on, and reused
when they are the same.

The table lies in scratch memory, below the position: a log of action lists, then for each memo a
direct-mapped hash table. It is not part of the position: whoever copies a position expands the legal actions
to a list first (`offers.expand`).
"""

from __future__ import annotations

from croupier.core import operations as op
from croupier.core.operations import Const, Expression, Local
from croupier.core.types import CoreProgram
from croupier.core.walk import statements
from croupier.printers import llvm_offers as offers
from croupier.printers.llvm_layout import ACTIONS, Header, Layout, OfferFormat, bodies_of
from croupier.printers.llvm_statements import StatementPrinter

ENTRIES = 256  # of the hash table of each memo: a power of 2
LOG_WORDS = 1 << 16  # words of the log; when it is full the whole table is cleared
# an entry: offset of the actions from the position (0: empty), how many there are, the words of the key
OFFSET, COUNT, KEY = range(3)
MULTIPLIER = 0x9E3779B97F4A7C15  # of Fibonacci hashing


def all_memos(program: CoreProgram) -> list[op.Memo]:
    """All memos of a program, in order."""
    return [s for body in bodies_of(program) for s in statements(body) if isinstance(s, op.Memo)]


def layout_with_memos(program: CoreProgram, shared_scratch: bool = False) -> Layout:
    """The layout of a program, with its memo table."""
    return Layout(program, memo_words(program), shared_scratch)


def key_size(program: CoreProgram, s: op.Memo) -> int:
    """The number of words in the key of a memo."""
    return len(s.words) + sum(program.memories[a].size for a in s.arrays)


def memo_words(program: CoreProgram) -> int:
    """Words of the memo table: the length of the log, the log, the hash tables."""
    found = all_memos(program)
    return 1 + LOG_WORDS + ENTRIES * sum(KEY + key_size(program, s) for s in found) if found else 0


def emit_memo(p: StatementPrinter, s: op.Memo) -> None:
    """Emit a memo: look its key up and reuse the actions, or run its body and store them."""
    f, layout, program = p.fn, p.unit.layout, p.unit.program
    others = all_memos(program)
    which = next(i for i, other in enumerate(others) if other is s)
    table = (
        layout.memo_offset
        + 1
        + LOG_WORDS
        + ENTRIES * sum(KEY + key_size(program, other) for other in others[:which])
    )
    words: list[Expression] = [Local(n) for n in s.words]
    words += [op.Load(a, Const(i)) for a in s.arrays for i in range(program.memories[a].size)]
    keys = [p.value(w) for w in words]
    mixed = "0"
    for i, k in enumerate(keys):
        mixed = f.add(mixed, f.mul(k, str(((MULTIPLIER * (2 * i + 1)) | 1) % (1 << 64) - (1 << 63))))
    number = f.binary("lshr", f.mul(mixed, str(MULTIPLIER - (1 << 64))), str(64 - (ENTRIES - 1).bit_length()))
    entry = f.gep(f.scratch(table), f.mul(number, str(KEY + len(keys))))
    differs = f.zext(f.icmp("eq", f.load(entry), 0))
    for i, k in enumerate(keys):
        differs = f.binary("or", differs, f.binary("xor", k, f.load_at(entry, KEY + i)))
    hit, miss, on = f.new_labels(3)
    f.branch(f.icmp("eq", differs, 0), hit, miss)
    f.start_block(hit)
    offers.emit_no_offers(p)
    f.store(f.load(entry), f.scratch(ACTIONS))
    f.store(f.load_at(entry, COUNT), offers.COUNT)
    f.store_at(OfferFormat.MEMO, "%S", Header.OFFER_FORMAT)
    f.jump(on)
    f.start_block(miss)
    p.body(s.body)
    offers.spill_offers(p)
    offers.emit_sorted_list(f)
    count = f.load_at("%S", Header.OFFER_COUNT)
    f.store(count, offers.COUNT)
    f.store(0, offers.UNSORTED)
    used_at = f.scratch(layout.memo_offset)
    with f.when(f.icmp("gt", f.add(f.load(used_at), count), LOG_WORDS)):
        f.clear(used_at, 8 * memo_words(program), aligned=True)
    used = f.load(used_at)
    place = f.add(used, str(layout.memo_offset + 1))
    f.store(f.add(used, count), used_at)
    f.memmove(f.gep(f.scratch(0), place), f.scratch(ACTIONS), count)
    for i, word in enumerate((place, count, *keys)):
        f.store_at(word, entry, i)
    f.start_block(on)
