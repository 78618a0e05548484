"""Functions for types whose values hold lists: written down one after another, read back, put in order, tested.

A list of such values has no elements of one size where it is kept: it is its length, and then each element as long as it is. `put` writes a value
so and gives where it ends, `get` reads one into the arena; both give 0 if there is no room. `order` compares two values as the canonical order
does, word by word: 1, 0 or -1. `test` gives `DEVIATES` for a value that does not lie in its type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from croupier.backends.facts import REACH
from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.words import NONE
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

NONE_TEXT = str(NONE)


class Shapes:
    """Writes them, each once. `put.1(at, limit, words…)`, `get.1(S, at, out)`, `order.1(words…, words…)`, `test.1(words…)`."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.words, self.facts = printer, printer.words, printer.facts
        self._names: dict[object, str] = {}
        self._taking = False

    def named(self, key: tuple[object, ...], write: Callable[[str], Fn]) -> str:
        if key not in self._names:
            self._names[key] = name = f"{key[0]}.{len(self._names)}"
            self.printer.texts.append(write(name).text())
        return self._names[key]

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

    # ------------------------------------------------------------ order
    def order(self, kind: t.Type) -> str:
        """The name of the function that compares two values."""

        def write(name: str) -> Fn:
            width = self.words.width(kind)
            f = Fn(name, [(f"{side}{k}", "i64") for side in "xy" for k in range(width)])
            self.ordering(f, kind, *([f"%{side}{k}" for k in range(width)] for side in "xy"))
            f.give("0")
            return f

        return self.named(("order", kind), write)

    def ordering(self, f: Fn, kind: t.Type, a: Sequence[str], b: Sequence[str]) -> None:
        if self.words.is_scalar(kind):
            for x, y in zip(a, b, strict=True):
                with f.when(f.test("ne", x, y)):
                    f.give(f.choose(f.test("gt", x, y), "1", "-1"))
            return
        match kind:
            case t.Optional():
                none = f.either(f.test("eq", a[0], NONE_TEXT), f.test("eq", b[0], NONE_TEXT))
                one, both, done = f.label(), f.label(), f.label()
                f.branch(none, one, both)
                f.place(one)
                with f.when(f.test("ne", a[0], b[0])):
                    f.give(f.choose(f.test("eq", a[0], NONE_TEXT), "-1", "1"))
                f.jump(done)
                f.place(both)
                self.ordering(f, kind.base, a, b)
                f.place(done)
            case t.Record():
                at = 0
                for part in self.words.fields(kind):
                    end = at + self.words.width(part)
                    self.ordering(f, part, a[at:end], b[at:end])
                    at = end
            case t.Map():
                self.order_each(f, optional(kind.value), f.pointer(a[0]), f.pointer(b[0]), str(self.words.entries(kind)))
            case _:
                one, two = f.pointer(a[0]), f.pointer(b[0])
                n, m = f.load(one), f.load(two)
                self.order_each(f, self.words.base(kind), f.at(one, 1), f.at(two, 1), f.choose(f.test("lt", n, m), n, m))
                with f.when(f.test("ne", n, m)):
                    f.give(f.choose(f.test("gt", n, m), "1", "-1"))

    def order_each(self, f: Fn, kind: t.Type, a: str, b: str, n: str) -> None:
        name, width = self.order(kind), self.words.width(kind)
        with f.counting("0", n) as k:
            at = f.mul(k, str(width))
            args = [f"i64 {f.load(f.at(f.at(side, at), j))}" for side in (a, b) for j in range(width)]
            found = f.call(name, args)
            with f.when(f.test("ne", found, "0")):
                f.give(found)

    # ------------------------------------------------------------ tests
    def limits(self, kind: t.Type) -> object:
        """What has to be tested of a value of this type, none if nothing."""
        match kind:
            case t.Int():
                low, high = self.facts.bounds(kind)
                return (-REACH if low is None else low, REACH if high is None else high)
            case t.Component():
                return kind.kinds if kind.kinds != frozenset(self.facts.program.classes) else None
            case t.Optional():
                return self.limits(kind.base)
            case t.Collection():
                inner, most = self.limits(kind.base), None if kind.capacity is None else int(self.facts.game.constant(kind.capacity))
                return None if inner is None and most is None else (most, inner)
            case t.Map():
                return (self.limits(kind.value), isinstance(kind.value, t.Optional))
        return None

    def test(self, kind: t.Type) -> str | None:
        """The name of the function that tests a value; none if there is nothing to test."""
        limits = self.limits(kind)
        if limits is None:
            return None

        def write(name: str) -> Fn:
            width = self.words.width(kind)
            f = Fn(name, [(f"w{k}", "i64") for k in range(width)])
            self.testing(f, kind, [f"%w{k}" for k in range(width)])
            f.give(str(p.OK))
            return f

        return self.named(("test", kind, limits), write)

    def testing(self, f: Fn, kind: t.Type, leaves: Sequence[str]) -> None:
        limits = self.limits(kind)
        match kind:
            case _ if limits is None:
                return
            case t.Int():
                assert isinstance(limits, tuple)
                self.unless(f, f.value(f"icmp ugt i64 {f.sub(leaves[0], str(limits[0]))}, {limits[1] - limits[0]}"))
            case t.Component():
                rows = [str(int(x.kind in kind.kinds)) for x in self.facts.game.pieces]
                self.unless(f, f.test("eq", self.printer.constants.lookup(f, rows, leaves[0]), "0"))
            case t.Optional():
                with f.when(f.test("ne", leaves[0], NONE_TEXT)):
                    self.testing(f, kind.base, leaves)
            case t.Collection():
                items = f.pointer(leaves[0])
                n = f.load(items)
                if kind.capacity is not None:
                    self.unless(f, f.test("gt", n, str(self.facts.game.constant(kind.capacity))))
                self.test_each(f, kind.base, f.at(items, 1), n, False)
            case t.Map():
                needs = not isinstance(kind.value, t.Optional)
                self.test_each(f, kind.value, f.pointer(leaves[0]), str(self.words.entries(kind)), needs)

    def test_each(self, f: Fn, kind: t.Type, items: str, n: str, needs: bool) -> None:
        name, width = self.test(kind), self.words.width(kind)
        if name is None and not needs:
            return
        with f.counting("0", n) as k:
            at = f.at(items, f.mul(k, str(width)))
            leaves = [f.load(f.at(at, j)) for j in range(width)]
            if needs:
                self.unless(f, f.test("eq", leaves[0], NONE_TEXT))
            if name is not None:
                self.unless(f, f.test("ne", f.call(name, [f"i64 {v}" for v in leaves]), str(p.OK)))

    def unless(self, f: Fn, failing: str) -> None:
        with f.when(failing):
            f.give(str(p.DEVIATES))


def optional(kind: t.Type) -> t.Type:
    """The type of a value that may be missing."""
    return kind if isinstance(kind, t.Optional) else t.Optional(kind)


__all__ = ["Shapes"]
