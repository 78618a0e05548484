"""Routines: a procedure as basic blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.diagnostics import Span
from croupier.ir.instructions import Instruction
from croupier.ir.slots import Slot
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Query, Terminator
from croupier.semantics.types import Type

Resource = tuple[str, str]  # ("state", name of a variable) or ("zone", name of a zone)
Resources = frozenset[Resource]


@dataclass(frozen=True, slots=True)
class Block:
    """Instructions in a row and one terminator. Blocks are numbered from 0 in each routine."""

    number: int
    code: tuple[Instruction, ...]
    end: Terminator


@dataclass(frozen=True, slots=True)
class Effects:
    """What may be read and written, by itself and through calls and hooks; what watchers do in answer is not counted."""

    reads: Resources = frozenset()
    writes: Resources = frozenset()

    def __or__(self, other: Effects) -> Effects:
        return Effects(self.reads | other.reads, self.writes | other.writes)


@dataclass(frozen=True, slots=True)
class Routine:
    """A procedure: `index` is its number in the program (below 0: an expression of its own, with queries and no body).

    `entry` is the block it begins at, `takes` the slots that are filled in before, `gives` those that go back to the caller; `queries` are
    expressions that belong to it (the guard of a hook); `live` has the slots that count at each suspension point.
    """

    index: int
    name: str
    kind: str
    span: Span
    slots: tuple[Slot, ...]
    takes: tuple[int, ...]
    gives: tuple[int, ...]
    returns: Type
    blocks: tuple[Block, ...]
    entry: int | None
    queries: tuple[Query, ...]
    live: dict[int, tuple[int, ...]] = field(default_factory=dict)
    effects: Effects = Effects()
    nested: int | None = None
    colour: str = "pure"

    def suspensions(self) -> Iterator[tuple[Block, Suspend]]:
        for b in self.blocks:
            if isinstance(b.end, Suspend):
                yield b, b.end

    def every_query(self) -> Iterator[tuple[Query, Terminator | None]]:
        """All queries: those of the routine itself, then those of its blocks' ends."""
        for q in self.queries:
            yield q, None
        for b in self.blocks:
            for q in b.end.queries():
                yield q, b.end
