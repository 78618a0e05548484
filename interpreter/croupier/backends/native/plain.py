"""Routines that never wait, as functions, and questions, whose blocks are emitted where they are asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.body import NONE_TEXT, Leaves
from croupier.backends.native.emit import Fn
from croupier.backends.native.zones import ZoneOperations
from croupier.ir.dataflow import reached
from croupier.ir.routines import Routine
from croupier.ir.terminators import Give, Query, Return
from croupier.runtime.machine import MAX_HEIGHT
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


class Asking(ZoneOperations):
    """Questions answered on the spot."""

    answer: tuple[list[str], str] | None = None

    def ask(self, q: Query, takes: Mapping[int, Leaves] | None = None) -> None:
        """Emit the blocks of a question here, with slots of their own, `takes` filled in; goes on where it ends. `answer` gets its value."""
        outer, inside = self.env, sorted(reached(self.routine, [q.entry]))
        written = {s for n in inside for i in self.routine.blocks[n].code for s in i.into}
        written |= {s for n in inside for e in self.routine.blocks[n].end.edges() for s in e.assigns} | set(q.takes)
        self.env = {s: at for s, at in outer.items() if s not in written}
        kept, (answer, self.answer) = self.env, (self.answer, ([], self.fn.label()))
        for slot, leaves in (takes or {}).items():
            self.assign(slot, leaves)
        labels = {n: self.fn.label() for n in inside}
        self.fn.jump(labels[q.entry])
        self.blocks([q.entry, *(n for n in inside if n != q.entry)], labels)
        self.fn.place(self.answer[1])
        self.env, self.answer = {**kept, **outer}, answer

    def asked(self, q: Query, takes: Mapping[int, Leaves] | None = None) -> str:
        """The answer to a question of one word."""
        return self.words_of(q, 1, takes)[0]

    def answered(self, q: Query, kind: t.Type) -> Leaves:
        """The answer to a question, as a value of a type."""
        return self.words_of(q, self.words.width(kind), None)

    def words_of(self, q: Query, width: int, takes: Mapping[int, Leaves] | None) -> Leaves:
        place = self.fn.slot(width)
        before, self.given = self.given, (place, width)
        self.ask(q, takes)
        self.given = before
        return [self.fn.load(self.fn.at(place, k)) for k in range(width)]

    given: tuple[str, int] | None = None

    def gave(self, end: Give) -> None:
        assert self.answer is not None
        if end.value is not None and self.given is not None:
            place, width = self.given
            found = self.leaves(end.value)
            for k, v in enumerate(found if len(found) == width else [NONE_TEXT] * width):
                self.fn.store(v, self.fn.at(place, k))
        self.fn.jump(self.answer[1])


class Plain(Asking):
    """A routine that never waits: `p7(S, words of arguments…, out)`."""

    def returned(self, end: Return) -> None:
        at = 0
        slots = [] if end.value is None else [end.value]
        for k, s in enumerate([*slots, *end.gives]):
            kind = self.routine.returns if k == 0 and slots else self.kind(s)
            for v in self.widened(s, kind):
                self.fn.store(v, self.fn.at("%out", at))
                at += 1
        if self.routine.nested is not None:
            self.changed_depth("sub")
        self.fn.give(str(p.OK))

    def deeper(self, nested: int) -> None:
        """It has begun once more, inside itself; the texts of all that has begun may be nested only so deep."""
        f, mine = self.fn, self.get(self.printer.depth(self.routine))
        self.test(f.test("gt", mine, str(nested)))
        self.test(f.test("gt", f.mul(f.add(self.get(p.DEPTHS), "1"), str(self.printer.chain)), str(MAX_HEIGHT)))
        self.changed_depth("add")

    def changed_depth(self, op: str) -> None:
        for at in (p.DEPTHS, self.printer.depth(self.routine)):
            self.put(at, self.fn.binary(op, self.get(at), "1"))


def plain_function(printer: Printer, routine: Routine, name: str) -> str:
    words = printer.words
    leaves = [(s, k) for s in routine.takes for k in range(words.width(routine.slots[s].type))]
    fn = Fn(name, [("S", "ptr"), *((f"l{s}.{k}", "i64") for s, k in leaves), ("out", "ptr")])
    body = Plain(printer, routine, fn)
    for s in routine.takes:
        if s not in body.known:
            body.assign(s, [f"%l{s}.{k}" for k in range(words.width(routine.slots[s].type))])
    if routine.nested is not None:
        body.deeper(routine.nested)
    assert routine.entry is not None
    numbers = [routine.entry, *sorted(reached(routine, [routine.entry], False) - {routine.entry})]
    body.blocks(numbers, {n: fn.label() for n in numbers})
    body.close()
    return fn.text()


def look_function(printer: Printer, routine: Routine, name: str) -> str:
    """`look0(S, out)`: what a watcher looks at, as one word."""
    fn = Fn(name, [("S", "ptr"), ("out", "ptr")])
    body = Asking(printer, routine, fn)
    fn.store(body.asked(next(q for q in routine.queries if q.name == "value")), "%out")
    fn.give(str(p.OK))
    body.close()
    return fn.text()
