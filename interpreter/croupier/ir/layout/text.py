"""A layout as text: each section with its fields, offsets first."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.ir.layout.plan import Field, Layout
from croupier.ir.layout.shapes import Counts, Fields, Many, Maybe, Number, Pairs, Shape, Spilled
from croupier.ir.module import Module


def shape_text(shape: Shape) -> str:
    """A shape in the words of the rule language."""
    match shape:
        case Number(none=none, count=None):
            return "integer" + ("?" if none else "")
        case Number(low=low, count=count, none=none):
            return f"{low}..{low + (count or 0) - 1}" + ("?" if none else "")
        case Maybe():
            return f"{shape_text(shape.base)}?"
        case Fields(parts=parts):
            if len(parts) > 1 and len(set(parts)) == 1:
                return f"{len(parts)} × {shape_text(parts[0])}"
            return f"({', '.join(map(shape_text, parts))})"
        case Many():
            return f"up to {shape.capacity} × {shape_text(shape.base)}"
        case Counts():
            return f"counts of {shape.low}..{shape.low + shape.count - 1}"
        case Pairs():
            return f"by player: {shape_text(shape.base)}"
        case Spilled():
            return f"list of {shape_text(shape.base)}, at the end"
    raise AssertionError(shape)


def layout_text(module: Module, layout: Layout) -> str:
    """The plan of an array, for people."""
    return "\n".join(_lines(module, layout)) + "\n"


def _lines(module: Module, layout: Layout) -> Iterator[str]:
    for name, fields in (("header", layout.header), ("state", layout.state), ("zones", layout.zones), ("seen", layout.seen)):
        if any(fields):
            yield name
            yield from (_field(f) for f in fields if f is not None)
    for (kind, index), plan in layout.frames.items():
        yield f"frame of {'hooks on ' if kind == 'around' else ''}{module.routines[index].name}: {plan.size} places"
        yield from (_field(f) for f in plan.fields.values())
    yield f"frames from {layout.stack} up to {layout.size}, then what is bounded by nothing"


def _field(f: Field) -> str:
    return f"{f.offset:>7}  {f.name}: {shape_text(f.shape)}"
