"""Lowering comprehensions: loops over lists that do not change, around what an aggregate does with each element.

Such a loop is part of one expression: it changes nothing, and what it costs is charged when it begins, an element a unit.
"""

from __future__ import annotations

from collections.abc import Callable

from croupier.ir.lower.expressions import Expressions
from croupier.ir.slots import COUNTER
from croupier.ir.terminators import Walk
from croupier.semantics import types as t
from croupier.semantics.tree import X
from croupier.semantics.types import Type

Each = Callable[[int], None]
Walker = Callable[[Each], None]


def optional(kind: Type) -> Type:
    """The type of a value that may be missing."""
    return kind if isinstance(kind, t.Optional) else t.Optional(kind)


class Comprehensions(Expressions):
    """Lowers `comp` (comprehensions and every aggregate) and `map_comp`."""

    def loop(self, slot: int, source: X, back: int) -> tuple[int, int]:
        """Begin a walk of a source whose elements go into a slot; past the last it goes on at `back`. Gives the counter and the head."""
        items = self.value(source)
        at = self.make("begin_walk", COUNTER, (items,))
        head, body = self.label(), self.label()
        self.begin(head)
        self.end(Walk(self.span, items, at, slot, body, back))
        self.begin(body)
        return at, head

    def walk(self, slots: tuple[int, ...], sources: tuple[X, ...], condition: X | None, each: Each) -> None:
        """The loops of a comprehension; `each(done)` emits what is done with an element and may jump to `done` to stop early."""
        done = self.label()
        back = done
        for slot, source in zip(slots, sources, strict=True):
            _, back = self.loop(slot, source, back)
        if condition is not None:
            passed = self.label()
            self.branch(condition, passed, back)
            self.begin(passed)
        each(done)
        if self.at is not None:
            self.jump(back)
        self.begin(done)

    def x_comp(self, x: X) -> int:
        name, slots, has_condition, has_key = x.data
        n = len(slots)
        rest = list(x.args[n:])
        condition = rest.pop(0) if has_condition else None
        element, key = rest[0], rest[1] if has_key else None

        def walk(each: Each) -> None:
            self.walk(slots, x.args[:n], condition, each)

        if key is not None or name == "sorted":
            return self.keyed(x, name, element, element if key is None else key, walk)
        rule: Callable[[X, X, Walker], int] = getattr(self, f"total_{name}")
        return rule(x, element, walk)

    # ------------------------------------------------------------ totals: accumulate
    def start(self, kind: Type, op: str, data: object = None) -> int:
        return self.make(op, kind, (), data)

    def none(self, kind: Type) -> int:
        """A place for a value that there may be none of, with none in it."""
        slot = self.temp(optional(kind))
        self.emit("const", (slot,), (), None)
        return slot

    def sure(self, slot: int, kind: Type) -> int:
        """What was gathered, as the type of the aggregate: certain where the source surely has an element."""
        return slot if isinstance(kind, t.Optional) else self.make("certain", kind, (slot,))

    def total_list(self, x: X, element: X, walk: Walker) -> int:
        out = self.start(x.type, "list")
        base = x.type.base if isinstance(x.type, t.Collection) else element.type
        walk(lambda done: self.emit("append", (out,), (out, self.fit(self.value(element), base))))
        return out if isinstance(x.type, t.Collection) and x.type.kind == "list" else self.make("canonical", x.type, (out,))

    total_set = total_bag = total_list

    def total_count(self, x: X, element: X, walk: Walker) -> int:
        out, one = self.start(t.INT, "const", 0), self.start(t.INT, "const", 1)

        def each(done: int) -> None:
            if isinstance(element.type, t.Bool):
                yes, no = self.label(), self.label()
                self.branch(element, yes, no)
                self.begin(yes)
                self.emit("add_wide", (out,), (out, one))
                self.begin(no)
            else:
                self.emit("add_wide", (out,), (out, one))

        walk(each)
        return out

    def total_sum(self, x: X, element: X, walk: Walker) -> int:
        out = self.start(t.INT, "const", 0)
        walk(lambda done: self.emit("add_wide", (out,), (out, self.value(element))))
        return self.make("number", x.type, (out,))

    def quantified(self, element: X, walk: Walker, stop_at: bool) -> int:
        out = self.start(t.BOOL, "const", not stop_at)

        def each(done: int) -> None:
            found, on = self.label(), self.label()
            self.branch(element, *((found, on) if stop_at else (on, found)))
            self.begin(found)
            self.emit("const", (out,), (), stop_at)
            self.jump(done)
            self.begin(on)

        walk(each)
        return out

    def total_any(self, x: X, element: X, walk: Walker) -> int:
        return self.quantified(element, walk, True)

    def total_all(self, x: X, element: X, walk: Walker) -> int:
        return self.quantified(element, walk, False)

    def total_max(self, x: X, element: X, walk: Walker, op: str = "max") -> int:
        out = self.none(element.type)

        def each(done: int) -> None:
            v, join = self.value(element), self.label()
            first, later = self.fork(self.make("is_none", t.BOOL, (out,)))
            self.begin(first)
            self.emit("copy", (out,), (v,))
            self.jump(join)
            self.begin(later)
            before = self.make("certain", element.type, (out,))
            self.emit("copy", (out,), (self.make(op, element.type, (before, v)),))
            self.begin(join)

        walk(each)
        return self.sure(out, x.type)

    def total_min(self, x: X, element: X, walk: Walker) -> int:
        return self.total_max(x, element, walk, "min")

    def total_first(self, x: X, element: X, walk: Walker) -> int:
        out = self.none(element.type)

        def each(done: int) -> None:
            self.emit("copy", (out,), (self.value(element),))
            self.jump(done)

        walk(each)
        return self.sure(out, x.type)

    def total_last(self, x: X, element: X, walk: Walker) -> int:
        out = self.none(element.type)
        walk(lambda done: self.emit("copy", (out,), (self.value(element),)))
        return self.sure(out, x.type)

    def total_only(self, x: X, element: X, walk: Walker) -> int:
        out = self.none(element.type)
        count, one = self.start(t.INT, "const", 0), self.start(t.INT, "const", 1)

        def each(done: int) -> None:
            self.emit("copy", (out,), (self.value(element),))
            self.emit("add_wide", (count,), (count, one))

        walk(each)
        several, alone = self.fork(self.make("gt", t.BOOL, (count, one)))
        self.begin(several)
        self.emit("const", (out,), (), None)
        self.begin(alone)
        return out

    # ------------------------------------------------------------ with keys
    def keyed(self, x: X, name: str, element: X, key: X, walk: Walker) -> int:
        if name == "sorted":
            kept, keys = self.start(x.type, "list"), self.start(t.list_of(key.type), "list")

            def gather(done: int) -> None:
                k = self.value(key)
                self.emit("append", (kept,), (kept, self.value(element)))
                self.emit("append", (keys,), (keys, k))

            walk(gather)
            return self.make("sort", x.type, (kept, keys))
        top = self.none(key.type)
        out = self.start(x.type, "list") if name == "ties" else self.none(element.type)

        def each(done: int) -> None:
            k, v = self.value(key), self.value(element)
            better, tied, on = self.label(), self.label(), self.label()
            compare = self.label()
            self.end_if(self.make("is_none", t.BOOL, (top,)), better, compare)
            self.begin(compare)
            before = self.make("certain", key.type, (top,))
            self.end_if(self.make("above", t.BOOL, (before, k) if name == "worst" else (k, before)), better, tied)
            self.begin(better)
            self.emit("copy", (top,), (k,))
            if name == "ties":
                self.emit("list", (out,), (v,))
            else:
                self.emit("copy", (out,), (v,))
            self.jump(on)
            self.begin(tied)
            if name == "ties":
                again = self.make("certain", key.type, (top,))
                same = self.label()
                self.end_if(self.make("eq", t.BOOL, (k, again)), same, on)
                self.begin(same)
                self.emit("append", (out,), (out, v))
            self.begin(on)

        walk(each)
        return out if name == "ties" else self.sure(out, x.type)

    def x_map_comp(self, x: X) -> int:
        slots, has_condition = x.data
        *sources, key, value = x.args
        condition = sources.pop() if has_condition else None
        out = self.start(x.type, "map")

        def each(done: int) -> None:
            v = self.fit(self.value(value), x.type.value if isinstance(x.type, t.Map) else value.type)
            self.emit("put", (out,), (out, self.value(key), v))

        self.walk(slots, tuple(sources), condition, each)
        return out
