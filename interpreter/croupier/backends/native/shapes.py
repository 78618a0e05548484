"""Functions for types whose values hold lists: written down one after another, and read back.

A list of such values has no elements of one size where it is kept: it is its length, and then each element as long as it is.
`put.1(at, limit, words…)` writes a value so and gives where it ends, `get.1(S, at, out)` reads one into the arena; both give 0 if there is no room.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.likeness import Likeness
from croupier.backends.native.typed import NONE_TEXT, optional
from croupier.semantics import types as t


class Shapes(Likeness):
    """Functions that write values with lists down, and read them again."""

    # ------------------------------------------------------------ writing down
    def put(self, kind: t.Type) -> str:
        """The name of the function that writes a value of this type down."""

        def write(name: str) -> Fn:
            width = self.words.width(kind)
            f = Fn(name, [("at", "i64"), ("limit", "i64"), *((f"w{k}", "i64") for k in range(width))])
            to = f.slot()
            f.store("%at", to)
            self.putting(f, kind, [f"%w{k}" for k in range(width)], to)
            f.give(f.load(to))
            return f

        return self.named(("put", kind), write)

    def putting(self, f: Fn, kind: t.Type, leaves: Sequence[str], to: str) -> None:
        if self.words.is_scalar(kind):
            self.put_words(f, leaves, to)
            return
        match kind:
            case t.Optional():
                self.words.first_is_sure(kind.base, True)
                missing = f.test("eq", leaves[0], NONE_TEXT)
                none, some, done = f.label(), f.label(), f.label()
                f.branch(missing, none, some)
                f.place(none)
                self.put_words(f, [NONE_TEXT], to)
                f.jump(done)
                f.place(some)
                self.putting(f, kind.base, leaves, to)
                f.place(done)
            case t.Record():
                at = 0
                for part in self.words.fields(kind):
                    self.putting(f, part, leaves[at : at + self.words.width(part)], to)
                    at += self.words.width(part)
            case t.Map():
                self.put_each(f, optional(kind.value), f.pointer(leaves[0]), str(self.words.entries(kind)), to)
            case _:
                items = f.pointer(leaves[0])
                n = f.load(items)
                self.put_words(f, [n], to)
                self.put_each(f, self.words.base(kind), f.at(items, 1), n, to)

    def put_words(self, f: Fn, leaves: Sequence[str], to: str) -> None:
        at = f.load(to)
        after = f.add(at, str(8 * len(leaves)))
        with f.when(f.test("gt", after, "%limit")):
            f.give("0")
        place = f.pointer(at)
        for k, v in enumerate(leaves):
            f.store(v, f.at(place, k))
        f.store(after, to)

    def put_each(self, f: Fn, kind: t.Type, items: str, n: str, to: str) -> None:
        name, width = self.put(kind), self.words.width(kind)
        with f.counting("0", n) as k:
            at = f.at(items, f.mul(k, str(width)))
            leaves = [f"i64 {f.load(f.at(at, j))}" for j in range(width)]
            end = f.call(name, [f"i64 {f.load(to)}", "i64 %limit", *leaves])
            with f.when(f.test("eq", end, "0")):
                f.give("0")
            f.store(end, to)

    # ------------------------------------------------------------ reading
    def get(self, kind: t.Type) -> str:
        """The name of the function that reads a value of this type; its words go to `out`."""

        def write(name: str) -> Fn:
            f = Fn(name, [("S", "ptr"), ("at", "i64"), ("out", "ptr")])
            source = f.slot()
            f.store("%at", source)
            self.getting(f, kind, source, "%out")
            f.give(f.load(source))
            return f

        return self.named(("get", kind), write)

    def getting(self, f: Fn, kind: t.Type, source: str, out: str) -> None:
        if self.words.is_scalar(kind):
            width = self.words.width(kind)
            f.copy(out, f.pointer(f.load(source)), str(width))
            f.store(f.add(f.load(source), str(8 * width)), source)
            return
        match kind:
            case t.Optional():
                first = f.load(f.pointer(f.load(source)))
                none, some, done = f.label(), f.label(), f.label()
                f.branch(f.test("eq", first, NONE_TEXT), none, some)
                f.place(none)
                for k in range(self.words.width(kind)):
                    f.store(NONE_TEXT, f.at(out, k))
                f.store(f.add(f.load(source), "8"), source)
                f.jump(done)
                f.place(some)
                self.getting(f, kind.base, source, out)
                f.place(done)
            case t.Record():
                for part in self.words.fields(kind):
                    self.getting(f, part, source, out)
                    out = f.at(out, self.words.width(part))
            case t.Map():
                value, count = optional(kind.value), str(self.words.entries(kind))
                made = self.take(f, f.mul(count, str(self.words.width(value))))
                f.store(f.address(made), out)
                self.get_each(f, value, made, count, source)
            case _:
                base = self.words.base(kind)
                at = f.load(source)
                n = f.load(f.pointer(at))
                f.store(f.add(at, "8"), source)
                made = self.take(f, f.add(f.mul(n, str(self.words.width(base))), "2"))
                f.store(n, made)
                f.store(n, f.at(made, 1))
                f.store(f.address(f.at(made, 1)), out)
                self.get_each(f, base, f.at(made, 2), n, source)

    def get_each(self, f: Fn, kind: t.Type, made: str, n: str, source: str) -> None:
        name, width = self.get(kind), self.words.width(kind)
        with f.counting("0", n) as k:
            end = f.call(name, ["ptr %S", f"i64 {f.load(source)}", f"ptr {f.at(made, f.mul(k, str(width)))}"])
            with f.when(f.test("eq", end, "0")):
                f.give("0")
            f.store(end, source)

    def take(self, f: Fn, words: str) -> str:
        """Room in the arena, in a function that gives 0 if there is none."""
        top = f.load(f.at("%S", p.TOP))
        after = f.add(top, words)
        with f.when(f.test("gt", after, str(p.OFFERS))):
            f.give("0")
        f.store(after, f.at("%S", p.TOP))
        return f.at("%S", top)
