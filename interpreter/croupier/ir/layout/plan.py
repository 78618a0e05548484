"""The plan of an array: which field lies where."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.ir.layout.bounds import Bounds
from croupier.ir.layout.shapes import Fields, Many, Number, Pairs, Shape, Shapes
from croupier.ir.layout.sizes import Sizes
from croupier.ir.layout.stack import Calls, Node, stack_room
from croupier.ir.module import Module, Row
from croupier.ir.routines import Routine
from croupier.ir.slots import Slot
from croupier.semantics import types as t

HEADER = ("frames", "spilled")  # how many frames there are; how many places the lists at the end take


@dataclass(frozen=True, slots=True)
class Field:
    """A named value: where it begins, counted from the start of the array or of its frame, and its shape."""

    name: str
    offset: int
    shape: Shape


@dataclass(frozen=True, slots=True)
class FramePlan:
    """The frame of a routine that may wait: its size, and the fields of its slots by number. `point` and `viewer` come first.

    For what runs the hooks on a call the fields are the target, the stage, the arguments, what is left of the stage, and the value so far.
    """

    routine: int
    size: int
    fields: dict[int, Field]


@dataclass(frozen=True, slots=True)
class Layout:
    """The plan for one set-up; offsets count places. Room for frames begins at `stack` and ends at `size`, where the spilled lists begin."""

    header: tuple[Field, ...]
    state: tuple[Field, ...]
    zones: tuple[Field, ...]
    seen: tuple[Field | None, ...]
    frames: dict[Node, FramePlan]
    stack: int
    size: int


class Planner:
    """Gives every field the next free place."""

    def __init__(self, module: Module, sizes: Sizes) -> None:
        self.module, self.sizes = module, sizes
        self.shapes = Shapes(module.program, sizes)
        self.at = 0

    def place(self, name: str, shape: Shape) -> Field:
        field = Field(name, self.at, shape)
        self.at += shape.width
        return field

    # ------------------------------------------------------------ what is always there
    def state(self) -> tuple[Field, ...]:
        return tuple(self.place(v.name, self.shapes.of(v.type)) for v in self.module.program.vars.values())

    def zones(self) -> tuple[Field, ...]:
        """A zone is a list of components; where an order may be unknown, each with the number of the unordered part it lies in (0: in none)."""
        out = []
        for i, place in enumerate(self.sizes.places):
            kinds = self.module.program.zones[place.zone].kinds
            most = sum(self.sizes.kinds[k][1] for k in kinds)
            piece: Shape = self.shapes.of(t.Component(kinds))
            if place.order in ("pile", "sequence"):
                piece = Fields((piece, Number(0, 3)))
            out.append(self.place(f"{place.zone}#{i}", Many(piece, most if place.capacity is None else min(most, place.capacity))))
        return tuple(out)

    def seen(self) -> tuple[Field | None, ...]:
        out: list[Field | None] = []
        for w in self.module.watchers:
            shape = self.shapes.of(self.module.program.watchers[w.index].value.type)
            out.append(self.place(f"watcher {w.index}", shape) if w.kind == "watch" else None)
        return tuple(out)

    # ------------------------------------------------------------ frames
    def frames(self) -> dict[Node, FramePlan]:
        return {node: self.routine(node[1]) if node[0] == "routine" else self.around(node[1]) for node in Calls(self.module).nodes()}

    def frame(self, index: int, named: list[tuple[int, str, Shape]]) -> FramePlan:
        outer, self.at = self.at, 2
        fields = {number: self.place(name, shape) for number, name, shape in named}
        plan, self.at = FramePlan(index, self.at, fields), outer
        return plan

    def routine(self, index: int) -> FramePlan:
        r = self.module.routines[index]
        bounds = Bounds(self.module.program, self.sizes, r)
        slots = sorted({i for live in r.live.values() for i in live})
        return self.frame(index, [(i, str(r.slots[i]), self.slot(r, r.slots[i], bounds)) for i in slots])

    def slot(self, routine: Routine, slot: Slot, bounds: Bounds) -> Shape:
        match slot.role:
            case "picked":
                assert isinstance(slot.type, t.Map) and isinstance(slot.type.value, t.Optional)
                return Pairs(self.shapes.optional(self.shapes.of(slot.type.value.base)), self.sizes.players)
            case "chain":
                tables = self.module.tables
                target = next(t for t in tables if any(row.routine == routine.index for row in t.instead))
                return self.shapes.optional(self.chain(target.instead))
            case "viewer":
                return Number(-1, 2**self.sizes.players + 1)
        return self.shapes.of(slot.type, bounds.found[slot.number])

    def chain(self, rows: tuple[Row, ...]) -> Shape:
        """Hooks yet to run, each with its component, whose it is, and the key of the zone where it lies."""
        most = sum(1 if row.component is None else self.sizes.kinds[row.component[0]][1] for row in rows)
        pieces = sum(count for _, count in self.sizes.kinds.values())
        hooks = len(self.module.program.hooks)
        key = (Number(0, hooks), Number(0, pieces, True), Number(0, self.sizes.players, True), Number(0, None, True))
        return Many(Fields(key), most)

    def around(self, target: int) -> FramePlan:
        r = self.module.routines[target]
        args = Fields(tuple(self.shapes.of(q.type) for q in self.module.program.procs[target].params))
        routines = Number(0, len(self.module.routines))
        value = self.shapes.optional(self.shapes.of(r.returns))
        table = self.module.table(target)
        longest = max((self.chain(rows) for rows in (table.before, table.instead, table.adjust, table.after)), key=lambda s: s.width)
        rest = self.shapes.optional(longest)
        return self.frame(target, [(0, "target", routines), (1, "args", args), (2, "stage", Number(0, 5)), (3, "rest", rest), (4, "value", value)])


def lay_out(module: Module, sizes: Sizes) -> Layout:
    """The plan of the array for a set-up."""
    p = Planner(module, sizes)
    header = tuple(p.place(name, Number(0, None)) for name in HEADER)
    state, zones, seen, frames = p.state(), p.zones(), p.seen(), p.frames()
    room = stack_room(module, lambda node: frames[node].size + 1)  # each frame begins with the number of its plan
    return Layout(header, state, zones, seen, frames, p.at, p.at + room)
