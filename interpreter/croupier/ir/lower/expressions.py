"""Lowering expressions: operands first, from left to right, then one instruction; conditions become branches.

`value` gives the slot that holds the value of an expression. A local stays where it is: nothing writes to it within one expression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from croupier.ir.lower.builder import Builder
from croupier.ir.operations import OPERATIONS
from croupier.ir.terminators import Branch
from croupier.semantics import types as t
from croupier.semantics.tree import Param, X
from croupier.semantics.types import Type

SAME = set(
    """
    copies const enum component labelled cell param players enum_values class zone_at state text record map mutable attr field column
    certain is_none is_some optional_list narrow is_kind not in mod neg abs range join without item zone_item zone_list clockwise others
    next previous turns turns_of
""".split()
)
RENAMED = dict(pair.split() for pair in """
    == eq | != ne | < lt | <= le | > gt | >= ge | + add | - sub | * mul | // div | bound check | zone_all zone_list | optional.list optional_list
    player.seat seat | component.owner owner | enum.rank rank | zone.size zone_size | zone.empty zone_empty | zone.top zone_top
    zone.bottom zone_bottom | zone.first zone_bottom | zone.last zone_top | zone.above zone_above | zone.room zone_room
    cell.row cell_row | cell.column cell_column | cell.adjacent cell_adjacent | cell.step cell_step | cell.ray cell_ray
""".replace("\n", "|").split("|") if pair.strip())  # fmt: skip
DIRECT = {**{op: op for op in SAME}, **RENAMED, "not in": "not_in"}
WITH_LIST = {"clockwise": "clockwise_of", "next": "next_of", "previous": "previous_of", "turns": "turns_from"}
SEQUENCES = {"list", "set", "bag", "zone", "family"}
ON_LISTS = {"size", "empty", "first", "last", "reversed", "all_equal", "all_different", "take", "drop", "times", "position", "distinct"}
IN_ORDER = {"first", "last", "take", "drop", "position", "reversed"}
SAME_TYPE = {"eq", "ne", "join", "without"}
SAME_BASE = {"in": 1, "not_in": 1, "times": 0, "position": 0}  # which operand is the list
BOARDS = {"size", "cells", "rows", "columns", "row", "column", "lines", "at", "directions", "between"}


def holds_none(kind: Type) -> bool:
    """Is this a type of lists or maps whose elements are known to be `none`, or one of lists or maps of these?"""
    match kind:
        case t.Optional():
            return holds_none(kind.base)
        case t.Map():
            inner = kind.value
        case t.Collection():
            inner = kind.base
        case _:
            return False
    return isinstance(inner, t.Nothing) or (isinstance(inner, t.Optional) and isinstance(inner.base, t.Nothing)) or holds_none(inner)


class Expressions(Builder):
    """Lowers every expression of the typed tree; an operation without a row is a mistake of ours."""

    def value(self, x: X) -> int:
        """Emit what works out an expression; gives the slot of its value."""
        outer, self.span = self.span, x.span
        slot = self._value(x)
        self.span = outer
        return slot

    def _value(self, x: X) -> int:
        special: Callable[[X], int] | None = getattr(self, f"x_{x.op.replace('.', '_')}", None)
        if special is not None:
            return special(x)
        head, dot, member = x.op.partition(".")
        if dot and head == "board" and member in BOARDS:
            return self.make(f"board_{member}", x.type, self.values(x.args[1:]), x.args[0].data)
        if x.op in DIRECT:
            op = DIRECT[x.op]
            if x.op in WITH_LIST and len(x.args) == (1 if x.op == "turns" else 2):
                op = WITH_LIST[x.op]
            args, kind = self.alike(op, x, self.values(x.args))
            return self.make(op, kind, args, x.data if OPERATIONS[op].data else None)
        if dot and head in SEQUENCES and member in ON_LISTS:
            walked = self.in_order(x.args[0]) if member in IN_ORDER else self.sequence(x.args[0])
            args, kind = self.alike(member, x, (walked, *self.values(x.args[1:])))
            return self.make(member, kind, args)
        if dot and head in SEQUENCES and member == "list":
            return self.sequence(x.args[0])
        raise AssertionError(f"nothing lowers `{x.op}`")

    def values(self, xs: tuple[X, ...]) -> tuple[int, ...]:
        return tuple(self.value(x) for x in xs)

    # ------------------------------------------------------------ lists and maps of `none`
    def fit(self, slot: int, kind: Type) -> int:
        """A value as one of a type that it lies in. Lists and maps of `none` are kept otherwise than those of what may be missing."""
        given = self.slots[slot].type
        return self.make("copy", kind, (slot,)) if given != kind and holds_none(given) else slot

    def arguments(self, params: Sequence[Param], slots: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.fit(s, q.type) for q, s in zip(params, slots, strict=True))

    def alike(self, op: str, x: X, slots: tuple[int, ...]) -> tuple[tuple[int, ...], Type]:
        """The operands of an operation as it compares or joins them, and the type of its result."""
        kinds = [self.slots[s].type for s in slots]
        if op == "record":
            return tuple(self.fit(s, k) for s, k in zip(slots, self.program.records[x.data].fields.values(), strict=True)), x.type
        if op == "map":
            assert isinstance(x.type, t.Map)
            other = len(slots) - 1 if len(slots) % 2 else -1
            return tuple(self.fit(s, x.type.value) if k % 2 or k == other else s for k, s in enumerate(slots)), x.type
        if not any(map(holds_none, kinds)):
            return slots, x.type
        if op in SAME_TYPE:
            both = t.join(kinds[0], kinds[1]) or kinds[0]
            result = both if holds_none(x.type) and op in ("join", "without") else x.type
            return tuple(self.fit(s, both) for s in slots), result
        if op in SAME_BASE:
            at = SAME_BASE[op]
            whole, one = kinds[at], kinds[1 - at]
            base = t.join(whole.base, one) if isinstance(whole, t.Collection) else None
            if isinstance(whole, t.Collection) and base is not None:
                fitting = {at: replace(whole, base=base), 1 - at: base}
                return tuple(self.fit(s, fitting[k]) for k, s in enumerate(slots)), x.type
        return slots, x.type

    def into(self, slot: int, x: X) -> None:
        """The value of an expression into a slot that other ways fill too."""
        self.emit("copy", (slot,), (self.value(x),))

    def sequence(self, x: X) -> int:
        """What can be walked, as a list."""
        if isinstance(x.type, t.Zone):
            return self.make("zone_list", t.list_of(t.Component(x.type.kinds)), (self.value(x),))
        if isinstance(x.type, t.Family):
            return self.make("family_list", t.list_of(t.Component(x.type.kinds)), (), x.data)
        return self.value(x)

    def in_order(self, x: X) -> int:
        """What can be walked, as a list whose order is asked for: that of a shuffled pile is not known."""
        if isinstance(x.type, t.Zone):
            zone = self.value(x)
            return self.make("zone_above", t.list_of(t.Component(x.type.kinds)), (zone, self.make("const", t.INT, (), 0)))
        if isinstance(x.type, t.Family):
            return self.make("family_known", t.list_of(t.Component(x.type.kinds)), (), x.data)
        return self.value(x)

    # ------------------------------------------------------------ one by one
    def x_local(self, x: X) -> int:
        return int(x.data)

    def x_zone(self, x: X) -> int:
        assert isinstance(x.type, t.Zone), "a family is walked, or one of its zones is named"
        return self.make("zone", x.type, (), x.data)

    def x_index(self, x: X) -> int:
        """An entry of a map; of a variable of the state, without taking the whole map."""
        if x.args[0].op == "state":
            return self.make("entry", x.type, (self.value(x.args[1]),), x.args[0].data)
        return self.make("index", x.type, self.values(x.args))

    def x_family_list(self, x: X) -> int:
        return self.sequence(x.args[0])

    def x_board_cells(self, x: X) -> int:
        return self.make("board_cells", x.type, (), x.data or x.args[0].data)

    def x_list(self, x: X) -> int:
        assert isinstance(x.type, t.Collection)
        slot = self.make("list", x.type, tuple(self.fit(self.value(a), x.type.base) for a in x.args))
        return slot if x.type.kind == "list" else self.make("canonical", x.type, (slot,))

    def x_is_other(self, x: X) -> int:
        return self.make("not", t.BOOL, (self.make("is_kind", t.BOOL, self.values(x.args), x.data),))

    def x_max_of(self, x: X, op: str = "max") -> int:
        first, *rest = self.values(x.args)
        for v in rest:
            first = self.make(op, x.type, (first, v))
        return first

    def x_min_of(self, x: X) -> int:
        return self.x_max_of(x, "min")

    def x_call(self, x: X) -> int:
        """A call inside an expression: it does not act, and its `var` arguments stay as they are."""
        slot, proc = self.temp(x.type), self.program.procs[x.data]
        ignored = tuple(self.temp(q.type) for q in proc.params if q.var)
        self.emit("call", (slot, *ignored), self.arguments(proc.params, self.values(x.args)), x.data)
        return slot

    def x_original(self, x: X) -> int:
        slot, proc = self.temp(x.type), self.program.procs[x.data]
        ignored = tuple(self.temp(q.type) for q in proc.params if q.var)
        self.emit("original", (slot, *ignored), (self.chain(), *self.arguments(proc.params, self.values(x.args))), x.data)
        return slot

    def chain(self) -> int:
        return self.proc.slots.index("$original")

    def x_family_key(self, x: X) -> int:
        return self.make("key_of", x.type, (self.value(x.args[1]),), x.args[0].data)

    # ------------------------------------------------------------ conditions
    def branch(self, x: X, yes: int, no: int) -> None:
        """Go to `yes` or `no`, working out no more than needed."""
        outer, self.span = self.span, x.span
        if x.op == "not":
            self.branch(x.args[0], no, yes)
        elif x.op in ("and", "or"):
            more = self.label()
            self.branch(x.args[0], *((more, no) if x.op == "and" else (yes, more)))
            self.begin(more)
            self.branch(x.args[1], yes, no)
        else:
            self.end(Branch(self.span, self.value(x), yes, no))
        self.span = outer

    def truth(self, x: X) -> int:
        """A condition of several parts as a value."""
        slot, yes, no, done = self.temp(t.BOOL), self.label(), self.label(), self.label()
        self.branch(x, yes, no)
        for label, known in ((yes, True), (no, False)):
            self.begin(label)
            self.emit("const", (slot,), (), known)
            self.jump(done)
        self.begin(done)
        return slot

    def x_and(self, x: X) -> int:
        return self.truth(x)

    x_or = x_and

    def x_if(self, x: X) -> int:
        slot, yes, no, done = self.temp(x.type), self.label(), self.label(), self.label()
        self.branch(x.args[0], yes, no)
        for label, way in ((yes, x.args[1]), (no, x.args[2])):
            self.begin(label)
            self.into(slot, way)
            self.jump(done)
        self.begin(done)
        return slot

    def x_otherwise(self, x: X) -> int:
        return self.fallback(x, "is_none", "certain")

    def x_otherwise_list(self, x: X) -> int:
        return self.fallback(x, "empty", "copy")

    def fallback(self, x: X, lacking: str, keep: str) -> int:
        slot, done = self.temp(x.type), self.label()
        first = self.value(x.args[0])
        no, yes = self.fork(self.make(lacking, t.BOOL, (first,)))
        self.begin(yes)
        self.emit(keep if isinstance(self.slots[first].type, t.Optional) or keep == "copy" else "copy", (slot,), (first,))
        self.jump(done)
        self.begin(no)
        self.into(slot, x.args[1])
        self.jump(done)
        self.begin(done)
        return slot
