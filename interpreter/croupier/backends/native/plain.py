"""Routines that never wait, as functions, and questions, whose blocks are emitted where they are asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from croupier.backends.native import plan as p
from croupier.backends.native.attempts import Attempting, begins_with
from croupier.backends.native.emit import Fn
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.native.zones import ZoneOperations
from croupier.backends.reach import come_to, ways
from croupier.ir.routines import Routine
from croupier.ir.terminators import Foresee, Give, Query, Return, Settle
from croupier.limits import MAX_CALL_DEPTH
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

SHORT = 80  # lines of a function that is put into its callers


class Asking(Attempting, ZoneOperations):
    """Questions answered on the spot."""

    answer: tuple[list[str], str] | None = None

    def ask(self, q: Query, takes: Mapping[int, Leaves] | None = None) -> None:
        """Emit the blocks of a question here, with slots of their own, `takes` filled in; goes on where it ends. `answer` gets its value."""
        outer, inside = self.env, sorted(come_to(self.routine, self.known, [q.entry]))
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

    def returned(self, end: Return) -> None:
        raise AssertionError("a question ends with its answer")


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
        self.test(f.test("gt", f.mul(f.add(self.get(p.DEPTHS), "1"), str(self.printer.chain)), str(MAX_CALL_DEPTH)))
        self.changed_depth("add")

    def changed_depth(self, op: str) -> None:
        for at in (p.DEPTHS, self.printer.depth(self.routine)):
            self.put(at, self.fn.binary(op, self.get(at), "1"))


def plain_function(printer: Printer, routine: Routine, name: str) -> str:
    """The function of a routine that never waits."""
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
    numbers = [routine.entry, *sorted(come_to(routine, body.known, [routine.entry], False) - {routine.entry})]
    body.blocks(numbers, {n: fn.label() for n in numbers})
    body.close()
    if routine.nested is None and len(fn.lines) <= SHORT:
        fn.inside()
    return fn.text()


class Attempt(Plain):
    """The block of a look-ahead that never waits: `try.7.3(S, words of slots…, out)`; where it ends, the condition is asked."""

    slot = -1

    def suspended(self, end: Any, labels: dict[int, str]) -> None:
        if isinstance(end, Settle) and end.slot == self.slot:
            self.fn.store(self.asked(end.condition), "%out")
            self.fn.give(str(p.OK))
            return
        super().suspended(end, labels)


def attempt_function(printer: Printer, routine: Routine, end: Foresee, name: str) -> str:
    """The function of a look-ahead that never waits."""
    taken = begins_with(printer, routine, end)
    leaves = [(s, k) for s in taken for k in range(printer.words.width(routine.slots[s].type))]
    fn = Fn(name, [("S", "ptr"), *((f"l{s}.{k}", "i64") for s, k in leaves), ("out", "ptr")])
    body = Attempt(printer, routine, fn)
    body.slot = end.slot
    for s in taken:
        body.assign(s, [f"%l{s}.{k}" for k in range(printer.words.width(routine.slots[s].type))])
    body.pay(str(printer.cost(routine, end.body)))
    inside, todo = [], [end.body]
    while todo:
        n = todo.pop()
        if n not in inside:
            inside.append(n)
            last = routine.blocks[n].end
            todo += [] if isinstance(last, Settle) and last.slot == end.slot else ways(last, body.known)
    body.blocks(inside, {n: fn.label() for n in inside})
    body.close()
    return fn.text()
