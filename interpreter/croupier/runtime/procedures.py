"""What a procedure, a watcher and a claim are when they are ready to run."""

from __future__ import annotations

from typing import Any

from croupier.runtime.game import KEPT
from croupier.runtime.operations import Op, PlainOp
from croupier.semantics.tree import Proc, S, X
from croupier.semantics.walk import operands


def height(body: list[S]) -> int:
    """How deep a text is nested: each statement in a block, each part of an expression is one deeper than what it stands in."""
    return 1 + max((max([height(b) for b in s.blocks] + [depth(x) for x in operands(s)], default=0) for s in body), default=0)


def depth(x: X) -> int:
    """How deep an expression is nested."""
    return 1 + max(map(depth, x.args), default=0)


class ProcCode:
    """A procedure ready to run: `body` if it never suspends, `entry` if it may."""

    def __init__(self, proc: Proc) -> None:
        self.proc = proc
        self.entry: Any = None
        self.body: Any = None
        self.value: Any = None  # the body as an expression, if it is one `return` and nobody traces
        self.slots = len(proc.slots)
        self.height = height(proc.body)
        self.points: dict[int, Op] = {}
        self.entries: dict[int, Op] = {}  # of the body that calls the phases: the operation that calls a procedure
        self.so_slots: dict[int, int | None] = {}  # look-ahead blocks, what is inside first: decisions each may look ahead
        self.live = proc.live  # suspension point -> the slots that count
        self.window_slots: tuple[int, int, int] = (0, 0, 0)
        self.var_slots: tuple[int | None, ...] = tuple(q.slot for q in proc.params if q.var)  # none: a hook that does not bind this one

    def vars_of(self, L: list[Any]) -> list[Any]:
        """What the `var` parameters hold at the end, in order; `KEPT` for one that a hook does not name."""
        return [KEPT if i is None else L[i] for i in self.var_slots]

    def plain_entry(self) -> Op:
        """For a frame of a procedure that does not suspend (a reaction, a hook)."""
        return PlainOp(self.body, None, (), None)


class WatchCode:
    """A watcher ready to run: the value or condition it looks at, and its body."""

    def __init__(self, kind: str, value: Any, body: Any, slot: int | None, slots: int, span: Any) -> None:
        self.kind, self.value, self.body, self.slot, self.slots, self.span = kind, value, body, slot, slots, span


class ClaimCode:
    """A claim ready to be made: its words, its fields, and when it may be."""

    def __init__(self, name: str, says: Any, slots: tuple[int, ...], fields: Any, condition: Any, slot_count: int) -> None:
        self.name, self.says, self.slots, self.fields, self.condition, self.slot_count = name, says, slots, fields, condition, slot_count
