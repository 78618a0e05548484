"""Blocks that may be changed, and how they end: what is in a routine, and four terminators that stand in graphs only."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from croupier.ir.instructions import Instruction
from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Branch, Edge, Foresee, Jump, Query, Settle, Terminator, Walk

DIRECT = {"draw": "drawn", "roll": "rolled", "chance": "chosen", "chance_set": "chosen", "choose_set": "chosen", "choose_every": "revealed"}
"""Suspensions that may go on without waiting, and the way on that they then take."""


@dataclass(frozen=True, slots=True)
class Elsewhere(Terminator):
    """The block that stands here runs as a function of its own, which begins with these slots."""

    live: tuple[int, ...]

    def reads(self) -> tuple[int, ...]:
        return self.live


@dataclass(frozen=True, slots=True)
class Ahead(Terminator):
    """`so that` around a block that waits: `body`, which begins with the slots `live`, runs as a function of its own, on copies and in earnest."""

    slot: int
    within: int | None
    body: int
    other: int
    live: tuple[int, ...]

    def reads(self) -> tuple[int, ...]:
        return self.live

    def edges(self) -> tuple[Edge, ...]:
        return (Edge(self.other),)


@dataclass(frozen=True, slots=True)
class Judge(Terminator):
    """The end of an attempt: does the condition hold? `needs` are the slots that it is asked with."""

    condition: Query
    needs: tuple[int, ...]

    def reads(self) -> tuple[int, ...]:
        return self.needs


@dataclass(frozen=True, slots=True)
class Picked(Terminator):
    """A suspension of a whole random game: whoever would be waited for, a player or chance, picks at once."""

    wait: Suspend

    def reads(self) -> tuple[int, ...]:
        return self.wait.args

    def edges(self) -> tuple[Edge, ...]:
        ways = tuple(Edge(r.target, r.assigns) for r in self.wait.resumes)
        return ways if self.wait.blocked is None else (*ways, Edge(self.wait.blocked))


def waits_at(end: Terminator) -> Suspend | None:
    """The suspension that a block ends with, if it does, picked at once or not."""
    return end.wait if isinstance(end, Picked) else end if isinstance(end, Suspend) else None


@dataclass
class Node:
    """A block that may be changed."""

    number: int
    code: list[Instruction]
    end: Terminator
    dropped: list[Instruction] = field(default_factory=list)  # calls whose value is known: they take fuel, and nothing else

    def next(self) -> list[int]:
        """The blocks that control may go to without a wait."""
        end = self.end
        if isinstance(end, Suspend):
            ways = [] if end.blocked is None else [end.blocked]
            return ways + [r.target for r in end.resumes if r.name == DIRECT.get(end.kind)]
        return list(dict.fromkeys(e.target for e in end.edges()))


def accumulates(i: Instruction, slot: int) -> bool:
    """Does an instruction read a slot only to write it again, with one element more?"""
    return i.op in ("append", "put", "add_wide") and i.into == (slot,) and i.args[0] == slot and slot not in i.args[1:]


def steps(node: Node) -> list[tuple[int, tuple[int, ...]]]:
    """Ways on from a block without a wait, with the slots written on the way."""
    if isinstance(node.end, Suspend):
        assigned = {r.target: r.assigns for r in node.end.resumes}
        return [(n, assigned.get(n, ())) for n in node.next()]
    return [(e.target, e.assigns) for e in node.end.edges()]


def retargeted(end: Terminator, moved: dict[int, int]) -> Terminator:
    """The same terminator with other blocks for some of its ways on."""

    def to(n: int) -> int:
        return moved.get(n, n)

    match end:
        case Jump():
            return replace(end, target=to(end.target))
        case Branch():
            then, other = to(end.then), to(end.other)
            return Jump(end.span, then) if then == other else replace(end, then=then, other=other)
        case Walk():
            return replace(end, body=to(end.body), done=None if end.done is None else to(end.done))
        case Foresee():
            return replace(end, body=to(end.body), other=to(end.other))
        case Ahead():
            return replace(end, other=to(end.other))
        case Settle():
            return replace(end, target=to(end.target))
        case Picked():
            ways = tuple(replace(r, target=to(r.target)) for r in end.wait.resumes)
            blocked = None if end.wait.blocked is None else to(end.wait.blocked)
            return replace(end, wait=replace(end.wait, resumes=ways, blocked=blocked))
        case Suspend():
            resumes = tuple(replace(r, target=to(r.target)) if r.name == DIRECT.get(end.kind) else r for r in end.resumes)
            return replace(end, resumes=resumes, blocked=None if end.blocked is None else to(end.blocked))
    return end
