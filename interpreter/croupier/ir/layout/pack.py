"""Writing a position into its array, and reading it back.

The position comes as nested tuples: state, zones, what watchers saw, and frames (routine, point, (slot, value) pairs, viewer), as the reference
evaluator has it. Values are plain: integers, true and false, none, tuples. An unordered part of a zone is a tuple within the zone's.
"""

from __future__ import annotations

from typing import Any

from croupier.ir.layout.plan import FramePlan, Layout
from croupier.ir.layout.shapes import Counts, Fields, Many, Maybe, Number, Pairs, Shape, Spilled

Value = Any
AROUND = -2  # the number of the routine that runs the hooks on a call


class Array:
    """An array being written or read: the fixed part and the spilled lists."""

    def __init__(self, layout: Layout, size: int) -> None:
        self.layout = layout
        self.cells = [0] * size
        self.spill: list[int] = []

    # ------------------------------------------------------------ writing
    def write(self, shape: Shape, value: Value, at: int) -> None:
        self.cells[at : at + shape.width] = self.flat(shape, value)

    def flat(self, shape: Shape, value: Value) -> list[int]:
        """The places of a value. Raises `ValueError` for a value that does not fit its shape."""
        match shape:
            case Number():
                return number(shape, value)
            case Maybe():
                return [0] * shape.width if value is None else [1, *self.flat(shape.base, value)]
            case Fields():
                return [n for part, v in zip(shape.parts, value, strict=True) for n in self.flat(part, v)]
            case Many():
                if len(value) > shape.capacity:
                    raise ValueError(f"{len(value)} elements where {shape.capacity} fit")
                out = [len(value), *(n for v in value for n in self.flat(shape.base, v))]
                return out + [0] * (shape.width - len(out))
            case Counts():
                out = [0] * shape.count
                for v in value:
                    out[int(v) - shape.low] += 1
                return out
            case Pairs():
                chosen = dict(value)
                return [n for p in range(shape.players) for n in self.flat(shape.base, chosen.get(p))]
            case Spilled():
                begin = len(self.spill)
                inner = [n for v in value for n in self.flat(shape.base, v)]
                self.spill += inner
                return [begin, len(value)]
        raise AssertionError(shape)

    # ------------------------------------------------------------ reading
    def read(self, shape: Shape, at: int) -> Value:
        return self.value(shape, self.cells[at : at + shape.width])

    def value(self, shape: Shape, cells: list[int]) -> Value:
        match shape:
            case Number(low=low, none=False):
                return cells[0] + low
            case Number(low=low, count=None):
                return cells[1] + low if cells[0] else None
            case Number(low=low):
                return cells[0] - 1 + low if cells[0] else None
            case Maybe():
                return self.value(shape.base, cells[1:]) if cells[0] else None
            case Fields():
                return self.each(shape.parts, cells)
            case Many():
                return self.each((shape.base,) * cells[0], cells[1:])
            case Counts():
                values = [v for v, n in enumerate(cells, shape.low) for _ in range(n)]
                return tuple(bool(v) for v in values) if shape.truth else tuple(values)
            case Pairs():
                found = enumerate(self.each((shape.base,) * shape.players, cells))
                return tuple((p, v) for p, v in found if v is not None)
            case Spilled():
                begin, length = cells
                return self.each((shape.base,) * length, self.spill[begin:])
        raise AssertionError(shape)

    def each(self, parts: tuple[Shape, ...], cells: list[int]) -> tuple[Value, ...]:
        out, at = [], 0
        for part in parts:
            out.append(self.value(part, cells[at : at + part.width]))
            at += part.width
        return tuple(out)


def number(shape: Number, value: Value) -> list[int]:
    """A number as it is stored. Raises ValueError for one that is out of its range, or missing where one must be."""
    if value is None:
        if not shape.none:
            raise ValueError("there is no value where there must be one")
        return [0] * shape.width
    stored = int(value) - shape.low
    if shape.count is not None and not 0 <= stored < shape.count:
        raise ValueError(f"{value} is not one of {shape.count} from {shape.low}")
    if shape.none:
        return [1, stored] if shape.count is None else [stored + 1]
    return [stored]


def pack(layout: Layout, position: tuple[Any, ...]) -> list[int]:
    """The array of a position. Raises `ValueError` for a value that has no room: then the layout is wrong."""
    state, zones, seen, frames = position
    a = Array(layout, layout.size)
    for field, value in zip(layout.state, state, strict=True):
        a.write(field.shape, value, field.offset)
    for field, items in zip(layout.zones, zones, strict=True):
        a.write(field.shape, spread(items, field.shape), field.offset)
    for seen_field, value in zip(layout.seen, seen, strict=True):
        if seen_field is not None:
            a.write(seen_field.shape, value, seen_field.offset)
    at, plans = layout.stack, list(layout.frames)
    for index, point, slots, viewer in frames:
        values = dict(slots)
        node = ("around", values[0]) if index == AROUND else ("routine", index)
        plan = layout.frames[node]
        a.cells[at] = plans.index(node)
        a.cells[at + 1] = point
        a.cells[at + 2] = 0 if viewer is None else viewer + 1
        for slot, value in values.items():
            field = plan.fields[slot]
            a.write(field.shape, value, at + 1 + field.offset)
        at += plan.size + 1
    if at > layout.size:
        raise ValueError("the frames need more room than was planned")
    a.cells[0], a.cells[1] = len(frames), len(a.spill)
    return a.cells + a.spill


def unpack(layout: Layout, cells: list[int], live: dict[int, dict[int, tuple[int, ...]]]) -> tuple[Any, ...]:
    """The position of an array; `live` has the slots that count, by routine and point."""
    a = Array(layout, 0)
    a.cells, a.spill = cells[: layout.size], cells[layout.size :]
    state = tuple(a.read(f.shape, f.offset) for f in layout.state)
    zones = tuple(gathered(a.read(f.shape, f.offset), f.shape) for f in layout.zones)
    seen = tuple(None if f is None else a.read(f.shape, f.offset) for f in layout.seen)
    at, plans, frames = layout.stack, list(layout.frames), []
    for _ in range(a.cells[0]):
        kind, index = node = plans[a.cells[at]]
        plan: FramePlan = layout.frames[node]
        point, viewer = a.cells[at + 1], a.cells[at + 2]
        count = tuple(plan.fields) if kind == "around" else live[index][point]
        slots = ((i, a.read(plan.fields[i].shape, at + 1 + plan.fields[i].offset)) for i in count)
        frames.append(
            (AROUND if kind == "around" else index, point, tuple((i, v) for i, v in slots if v is not None), viewer - 1 if viewer else None)
        )
        at += plan.size + 1
    return state, zones, seen, tuple(frames)


def spread(items: tuple[Any, ...], shape: Shape) -> tuple[Any, ...]:
    """The contents of a zone, one entry a component: neighbouring unordered parts have the numbers 1 and 2 by turns."""
    assert isinstance(shape, Many)
    if not isinstance(shape.base, Fields):
        return items
    out, part = [], 2
    for i in items:
        if isinstance(i, tuple):
            part = 3 - part
            out += [(piece, part) for piece in i]
        else:
            out.append((i, 0))
    return tuple(out)


def gathered(entries: tuple[Any, ...], shape: Shape) -> tuple[Any, ...]:
    """The other way round of `spread`: pieces with their parts, as stacks."""
    assert isinstance(shape, Many)
    if not isinstance(shape.base, Fields):
        return entries
    out: list[Any] = []
    last = 0
    for piece, part in entries:
        if part == 0:
            out.append(piece)
        elif part == last:
            out[-1] = (*out[-1], piece)
        else:
            out.append((piece,))
        last = part
    return tuple(out)
