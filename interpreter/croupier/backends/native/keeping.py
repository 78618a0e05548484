"""Values in the state and in frames: read from where they lie spread out, and written there.

Where a value lies, each part has a place of its own (`Words.room`), so that entries and fields can be written alone; only lists of values that hold
lists are written one element after another (`shapes.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.backends.native.body import Body
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.semantics import types as t

FEW = 16  # words that a loop copies


class Keeping(Body):
    """Values of any type, read from where they are kept and written there."""

    def fetch(self, at: str, kind: t.Type) -> Leaves:
        """The value that lies at an address; lists are copied into the arena."""
        f, words = self.fn, self.words
        match kind:
            case t.Optional() if words.is_scalar(kind):
                return self.fetch(at, kind.base)
            case t.Optional():
                places = self.fresh([NONE_TEXT] * words.width(kind))
                with f.when(f.test("ne", f.load(at), NONE_TEXT)):
                    for place, v in zip(places, self.fetch(at, kind.base), strict=True):
                        f.store(v, place)
                return [f.load(place) for place in places]
            case t.Record():
                out: Leaves = []
                for k in words.fields(kind):
                    out += self.fetch(at, k)
                    at = f.at(at, words.room(k))
                return out
            case t.Map() if words.is_scalar(kind.value):
                size = words.entries(kind) * words.width(kind.value)
                to = self.allocate(str(size))
                f.copy(to, at, str(size))
                return [f.address(to)]
            case t.Map():
                width, room = words.width(kind.value), words.room(kind.value)
                to = self.allocate(str(words.entries(kind) * width))
                with f.counting("0", str(words.entries(kind))) as e:
                    found = self.fetch(f.at(at, f.mul(e, str(room))), self.missing(kind.value))
                    for j, v in enumerate(found):
                        f.store(v, f.at(f.at(to, f.mul(e, str(width))), j))
                return [f.address(to)]
            case t.Collection() | t.Endless() if words.is_scalar(words.base(kind)):
                width = words.width(words.base(kind))
                n = f.load(at)
                made = self.new_list(n, width)
                f.copy(made, at, f.add(f.mul(n, str(width)), "1"))
                return [f.address(made)]
            case t.Collection():
                out_at = f.slot()
                self.test(f.test("eq", f.call(self.printer.shapes.get(kind), ["ptr %S", f"i64 {f.address(at)}", f"ptr {out_at}"]), "0"))
                return [f.load(out_at)]
        return [f.load(at)]

    def missing(self, kind: t.Type) -> t.Type:
        """The type of an entry of a map, which may be missing."""
        return kind if isinstance(kind, t.Optional) else t.Optional(kind)

    def keep(self, at: str, kind: t.Type, leaves: Sequence[str], bound: int | None = None) -> None:
        """Write a value down where it lies, with room for so long a list."""
        f, words = self.fn, self.words
        if len(leaves) != words.width(kind):
            leaves = [NONE_TEXT] * words.width(kind)
        match kind:
            case _ if words.is_scalar(kind):
                for k, v in enumerate(leaves):
                    f.store(v, f.at(at, k))
            case t.Optional():
                none, some, done = f.label(), f.label(), f.label()
                f.branch(f.test("eq", leaves[0], NONE_TEXT), none, some)
                f.place(none)
                f.store(NONE_TEXT, at)
                f.jump(done)
                f.place(some)
                self.keep(at, kind.base, leaves)
                f.place(done)
            case t.Record():
                first = 0
                for part in words.fields(kind):
                    self.keep(at, part, leaves[first : first + words.width(part)])
                    first, at = first + words.width(part), f.at(at, words.room(part))
            case t.Map() if words.is_scalar(kind.value):
                f.copy(at, f.pointer(leaves[0]), str(words.room(kind)))
            case t.Map():
                width, room = words.width(kind.value), words.room(kind.value)
                items = f.pointer(leaves[0])
                with f.counting("0", str(words.entries(kind))) as e:
                    entry = f.at(items, f.mul(e, str(width)))
                    self.keep(f.at(at, f.mul(e, str(room))), self.missing(kind.value), [f.load(f.at(entry, j)) for j in range(width)])
            case t.Collection() | t.Endless() if words.is_scalar(words.base(kind)):
                start = f.pointer(leaves[0])
                n = f.load(start)
                most, width = words.longest(kind, bound), words.width(words.base(kind))
                self.test(f.test("gt", n, str(most)))
                (f.copy_few if most * width <= FEW else f.copy)(at, start, f.add(f.mul(n, str(width)), "1"))
            case _:
                limit = f.add(f.address(at), str(8 * words.room(kind, bound)))
                end = f.call(self.printer.shapes.put(kind), [f"i64 {f.address(at)}", f"i64 {limit}", f"i64 {leaves[0]}"])
                self.test(f.test("eq", end, "0"))
