"""Functions for types whose values hold lists: which of two comes first, and does a value lie in its type?

`order.1(words…, words…)` compares two values as the canonical order does, word by word: 1, 0 or -1. `test.1(words…)` gives `DEVIATES` for a value
that does not lie in its type.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.backends.facts import REACH
from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.typed import NONE_TEXT, Typed, optional
from croupier.backends.unsupported import Refused
from croupier.semantics import types as t


class Likeness(Typed):
    """Functions that say which of two values comes first, and whether they are the same."""

    # ------------------------------------------------------------ order
    def order(self, kind: t.Type) -> str:
        """The name of the function that compares two values. Raises `Refused` for those with texts: most are made nowhere here."""
        if self.words.holds_text(kind):
            raise Refused("comparing texts", None)

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
