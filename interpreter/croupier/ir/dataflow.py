"""Flow of data through the blocks of a routine: which slots are live, which are surely assigned. Sets of slots are bits of a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.ir.instructions import Instruction
from croupier.ir.routines import Block, Routine
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Terminator

Bits = int


def bits(slots: Iterable[int]) -> Bits:
    """Slots as the bits of a number."""
    out = 0
    for s in slots:
        out |= 1 << s
    return out


def members(found: Bits) -> tuple[int, ...]:
    """The slots of a set, ascending."""
    return tuple(i for i in range(found.bit_length()) if found >> i & 1)


# ------------------------------------------------------------ live slots, backward
def live_at_start(routine: Routine) -> list[Bits]:
    """For each block the slots that may be read before they are written, at its beginning."""
    live = [0] * len(routine.blocks)
    feeds: list[set[int]] = [set() for _ in routine.blocks]
    for b in routine.blocks:
        for edge in b.end.edges():
            feeds[edge.target].add(b.number)
        for query in b.end.queries():
            feeds[query.entry].add(b.number)
    todo = set(range(len(live)))
    while todo:
        number = max(todo)
        todo.remove(number)
        block = routine.blocks[number]
        found = live_at_end(block.end, live)
        for i in reversed(block.code):
            found = found & ~bits(i.into) | bits(i.args)
        if found != live[number]:
            live[number] = found
            todo |= feeds[number]
    return live


def live_at_end(end: Terminator, live: list[Bits]) -> Bits:
    """Live where a block ends: what its terminator reads, and what is live on each way on, less what is filled in on the way."""
    found = bits(end.reads())
    for edge in end.edges():
        found |= live[edge.target] & ~bits(edge.assigns)
    return found | live_in_queries(end, live)


def live_in_queries(end: Terminator, live: list[Bits]) -> Bits:
    """The slots that the questions asked at the end of a block may read, but for those that the asker fills in."""
    found = 0
    for query in end.queries():
        found |= live[query.entry] & ~bits(query.takes)
    return found


def live_while_waiting(end: Suspend, live: list[Bits]) -> Bits:
    """Live while a suspension waits: what it uses meanwhile, what its queries read, and what is live where it goes on."""
    found = bits(end.keeps) | live_in_queries(end, live)
    for r in end.resumes:
        found |= live[r.target] & ~bits(r.assigns)
    return found


# ------------------------------------------------------------ assigned slots, forward
def assigned_at_start(routine: Routine) -> list[Bits | None]:
    """For each block the slots that surely hold a value at its beginning; none for a block that nothing comes to.

    Temporaries are lost while a suspension waits.
    """
    temps = bits(s.number for s in routine.slots if s.role == "temp")
    found: list[Bits | None] = [None] * len(routine.blocks)
    todo: list[int] = []

    def come(target: int, having: Bits) -> None:
        before = found[target]
        now = having if before is None else before & having
        if now != before:
            found[target] = now
            todo.append(target)

    begin = bits(routine.takes)
    if routine.entry is not None:
        come(routine.entry, begin)
    for query in routine.queries:
        come(query.entry, begin | bits(query.takes))
    while todo:
        block = routine.blocks[todo.pop()]
        having = found[block.number]
        assert having is not None
        for i in block.code:
            having |= bits(i.into)
        for target, assigned in ways(block, having, temps):
            come(target, assigned)
    return found


def ways(block: Block, having: Bits, temps: Bits) -> Iterator[tuple[int, Bits]]:
    """Every block that may be next, with what is assigned there."""
    kept = having & ~temps if isinstance(block.end, Suspend) else having
    for edge in block.end.edges():
        yield edge.target, (kept if edge.waited else having) | bits(edge.assigns)
    for query in block.end.queries():
        yield query.entry, kept | bits(query.takes)


# ------------------------------------------------------------ reaching
def reached(routine: Routine, roots: Iterable[int], queries: bool = True) -> set[int]:
    """The blocks that control can come to from some."""
    seen: set[int] = set()
    todo = list(roots)
    while todo:
        number = todo.pop()
        if number in seen or not 0 <= number < len(routine.blocks):
            continue
        seen.add(number)
        end = routine.blocks[number].end
        todo += [e.target for e in end.edges()]
        if queries:
            todo += [q.entry for q in end.queries()]
    return seen


def written_in(code: Iterable[Instruction]) -> set[int]:
    """The slots that instructions write."""
    return {slot for i in code for slot in i.into}
