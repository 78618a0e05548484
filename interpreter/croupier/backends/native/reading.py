"""What is on offer in native code, read from memory."""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.words import WORD


def on_offer(view: memoryview[int], zero: int, count: int) -> tuple[memoryview[int], list[int]]:
    """The words that have to be kept beside the position, and the actions, of so many things on offer; `zero` is where the position lies."""
    first, source = zero + p.OFFERS, zero + view[zero + p.SOURCE]
    how, detail = view[zero + p.LEAN] & (1 << p.LEAN_BITS) - 1, view[zero + p.LEAN] >> p.LEAN_BITS
    none = view[first:first]
    if how == p.ZONE:
        return none, [piece - detail for piece in view[source : source + count]]
    if how == p.BITS:
        return none, bits(view[zero + p.SOURCE : zero + p.SOURCE + 1])
    if how == p.SAYINGS:
        return none, bits(view[source : source + detail])
    if how == p.LIST:
        return view[first : first + count * detail], list(range(count))
    rows = view[first : first + count * p.STRIDE]
    return rows, rows[:: p.STRIDE].tolist()


def bits(words: memoryview[int]) -> list[int]:
    """The places of the bits that are set."""
    return [k * WORD + n for k, word in enumerate(words) for n in range(WORD) if word >> n & 1]
