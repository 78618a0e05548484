"""What runs around a call, in native code: one hook, with its component and arguments; and calls that never wait, with all their hooks.

`hooked.7(S, words of arguments…, out)` is a call with hooks, `chain.7(S, chain, words of arguments…, out)` what stands instead of it: the last
hook of a chain of keys, or the routine itself. They give what the routine gives: its value, then its `var` parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.native.plain import Asking
from croupier.ir.module import Row
from croupier.ir.routines import Routine
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


class Steps(Asking):
    """Writes how hooks are begun, over a routine with hooks."""

    def var_places(self, target: int) -> list[int]:
        return [k for k, q in enumerate(self.facts.program.procs[target].params) if q.var]

    def given_words(self, routine: Routine) -> int:
        """Words that a routine hands back."""
        value = 0 if isinstance(routine.returns, t.Nothing) else self.words.width(routine.returns)
        return value + sum(self.words.width(routine.slots[s].type) for s in routine.gives)

    def by_hook(self, rows: Sequence[Row], key: str, each: Callable[[Row], None]) -> None:
        """What `each` emits for the hook of a key; goes on after it."""
        f, after, last = self.fn, self.fn.label(), self.fn.label()
        labels = [f.label() for _ in rows]
        hook = f.binary("urem", key, str(self.printer.hooks.keys.hooks))
        ways = " ".join(f"i64 {row.hook}, label %{b}" for row, b in zip(rows, labels, strict=True))
        f.end(f"switch i64 {hook}, label %{last} [{ways}]")
        for row, b in zip(rows, labels, strict=True):
            f.place(b)
            each(row)
            f.jump(after)
        f.place(last)
        self.deviates()
        f.place(after)

    def taken(self, row: Row, key: str, args: Sequence[Leaves], chain: str = "", value: Leaves | None = None) -> dict[int, Leaves]:
        """What a hook begins with, by slot: whose it is, the arguments that it binds, the rest of the chain, the value so far."""
        f, keys, found = self.fn, self.printer.hooks.keys, dict[int, Leaves]()
        if row.component is not None:
            rest = f.binary("udiv", key, str(keys.hooks))
            piece = f.binary("urem", rest, str(keys.pieces))
            where = f.binary("urem", f.binary("udiv", rest, str(keys.pieces)), str(keys.places))
            lookup = self.printer.constants.lookup
            owner, here = lookup(f, keys.owner_rows(), where), lookup(f, keys.here_rows(), where)
            found = self.whose(row, piece, owner, here)
        elif row.owner_slot is not None:
            found[row.owner_slot] = [NONE_TEXT]
        return found | self.bound(row, args, chain, value)

    def whose(self, row: Row, piece: str, owner: str, here: str) -> dict[int, Leaves]:
        slots = ((row.self_slot, piece), (row.owner_slot, owner), (row.here_slot, here))
        return {slot: [word] for slot, word in slots if slot is not None}

    def bound(self, row: Row, args: Sequence[Leaves], chain: str = "", value: Leaves | None = None) -> dict[int, Leaves]:
        found = {slot: args[param] for param, slot in row.binds}
        if row.result_slot is not None and value is not None:
            found[row.result_slot] = value
        if row.chain_slot is not None:
            found[row.chain_slot] = [chain]
        return found

    def shortened(self, chain: str) -> str:
        """A chain of keys without its last."""
        f, items = self.fn, self.fn.pointer(chain)
        n = f.sub(f.load(items), "1")
        made = self.new_list(n, 1)
        f.store(n, made)
        f.copy(f.at(made, 1), f.at(items, 1), n)
        return f.address(made)

    def run_at_once(self, routine: Routine, taken: dict[int, Leaves]) -> str:
        """Call a routine that never waits with what it takes, by slot; gives the address of what it hands back."""
        out = self.fn.slot(max(1, self.given_words(routine)))
        args = []
        for s in routine.takes:
            width = self.words.width(routine.slots[s].type)
            found = taken.get(s, [])
            args += [f"i64 {v}" for v in (found if len(found) == width else [NONE_TEXT] * width)]
        self.pay("2")
        self.called(self.printer.plain(routine), [*args, f"ptr {out}"])
        return out

    def handed(self, routine: Routine, at: str) -> tuple[Leaves, dict[int, Leaves]]:
        """What a routine has handed back at an address: its value, and its slots that go back."""
        value: Leaves = []
        if not isinstance(routine.returns, t.Nothing):
            value = [self.fn.load(self.fn.at(at, k)) for k in range(self.words.width(routine.returns))]
        back, first = {}, len(value)
        for s in routine.gives:
            width = self.words.width(routine.slots[s].type)
            back[s] = [self.fn.load(self.fn.at(at, first + k)) for k in range(width)]
            first += width
        return value, back

    def changes(self, row: Row | None, target: int, back: dict[int, Leaves]) -> dict[int, Leaves]:
        """What a hook, or without one the routine itself, makes of the `var` arguments that it names, by parameter."""
        slots = dict(row.binds) if row is not None else {k: q.slot for k, q in enumerate(self.facts.program.procs[target].params)}
        return {k: back[slots[k]] for k in self.var_places(target) if slots.get(k) in back}


class Dispatch(Steps):
    """A call with hooks that never wait."""

    def __init__(self, printer: Printer, target: Routine, name: str, chained: bool) -> None:
        self.target = target.index
        words = [f"a{k}" for k in range(sum(map(printer.words.width, printer.hooks.kinds(target.index))))]
        first = [("S", "ptr"), *([("chain", "i64")] if chained else [])]
        super().__init__(printer, target, Fn(name, [*first, *((w, "i64") for w in words), ("out", "ptr")]))
        self.args: list[list[str]] = []
        at = 0
        for kind in printer.hooks.kinds(target.index):
            width = printer.words.width(kind)
            self.args.append(self.fresh([f"%a{k}" for k in range(at, at + width)]))
            at += width
        self.value = self.fresh([NONE_TEXT] * (0 if isinstance(target.returns, t.Nothing) else printer.words.width(target.returns)))

    def now(self) -> list[Leaves]:
        """The arguments as they are now."""
        return [[self.fn.load(place) for place in places] for places in self.args]

    def flat(self) -> list[str]:
        return [f"i64 {v}" for leaves in self.now() for v in leaves]

    def change(self, found: dict[int, Leaves]) -> None:
        for k, leaves in found.items():
            for place, v in zip(self.args[k], leaves, strict=True):
                self.fn.store(v, place)

    def set_value(self, value: Leaves) -> None:
        for place, v in zip(self.value, value if len(value) == len(self.value) else [NONE_TEXT] * len(self.value), strict=True):
            self.fn.store(v, place)

    def step(self, row: Row, kind: str, key: str, chain: str = "") -> None:
        routine = self.printer.module.routines[row.routine]
        taken = self.taken(row, key, self.now(), chain, [self.fn.load(x) for x in self.value])
        value, back = self.handed(routine, self.run_at_once(routine, taken))
        if kind in ("instead", "adjust"):
            self.set_value(value)
        self.change(self.changes(row, self.target, back))

    def stage(self, kind: str) -> None:
        """All hooks of a kind; which of them run is settled now, the guard of an `adjust` is asked when its turn comes."""
        rows, f = self.printer.hooks.rows(self.target, kind), self.fn
        if not rows:
            return
        found = f.slot()
        self.called(self.printer.hooks.found(self.target, kind), [f"i64 {NONE_TEXT}", *self.flat(), f"ptr {found}"])
        items = f.pointer(f.load(found))
        with f.counting("0", f.load(items)) as k:
            key = self.read_element(items, k, 1)[0]
            self.by_hook(rows, key, lambda row: self.turn(row, kind, key))

    def turn(self, row: Row, kind: str, key: str) -> None:
        routine = self.printer.module.routines[row.routine]
        if kind != "adjust" or not row.guarded:
            self.step(row, kind, key)
            return
        passed = self.fn.slot()
        taken = self.taken(row, key, self.now(), "", [self.fn.load(x) for x in self.value])
        args = [f"i64 {v}" for s in routine.takes for v in taken[s]]
        self.called(self.printer.hooks.guard(row), [*args, f"ptr {passed}"])
        with self.fn.when(self.fn.test("ne", self.fn.load(passed), "0")):
            self.step(row, kind, key)

    def give_back(self) -> None:
        f = self.fn
        words = [f.load(x) for x in self.value] + [f.load(x) for k in self.var_places(self.target) for x in self.args[k]]
        for n, v in enumerate(words):
            f.store(v, f.at("%out", n))
        f.give(str(p.OK))
        self.close()

    def hooked(self) -> str:
        f, target = self.fn, self.printer.module.routines[self.target]
        self.pay("8")
        self.stage("before")
        chain = f.slot()
        out = f.slot(max(1, self.given_words(target)))
        if self.printer.hooks.rows(self.target, "instead"):
            self.called(self.printer.hooks.found(self.target, "instead"), [f"i64 {NONE_TEXT}", *self.flat(), f"ptr {chain}"])
            self.called(self.printer.hooks.instead(target), [f"i64 {f.load(chain)}", *self.flat(), f"ptr {out}"])
        else:
            self.called(self.printer.plain(target), [*self.flat(), f"ptr {out}"])
        value, back = self.handed(target, out)
        self.set_value(value)
        self.change(self.changes(None, self.target, back))
        self.stage("adjust")
        self.stage("after")
        self.give_back()
        return f.text()

    def instead(self) -> str:
        f, target = self.fn, self.printer.module.routines[self.target]
        items = f.pointer("%chain")
        n = f.load(items)
        rows = self.printer.hooks.rows(self.target, "instead")
        with f.when(f.test("eq", n, "0")):
            self.called(self.printer.plain(target), [*self.flat(), "ptr %out"])
            f.give(str(p.OK))
        key, rest = self.read_element(items, f.sub(n, "1"), 1)[0], self.shortened("%chain")
        self.by_hook(rows, key, lambda row: self.step(row, "instead", key, rest))
        self.give_back()
        return f.text()


def guard_function(printer: Printer, row: Row, name: str) -> str:
    """`guard.3(S, words of what a hook takes…, out)`: does its guard let it? Asked when the turn of an `adjust` comes."""
    routine = printer.module.routines[row.routine]
    leaves = [(s, k) for s in routine.takes for k in range(printer.words.width(routine.slots[s].type))]
    fn = Fn(name, [("S", "ptr"), *((f"l{s}.{k}", "i64") for s, k in leaves), ("out", "ptr")])
    body = Asking(printer, routine, fn)
    for s in routine.takes:
        body.assign(s, [f"%l{s}.{k}" for k in range(printer.words.width(routine.slots[s].type))])
    fn.store(body.asked(next(q for q in routine.queries if q.name == "guard")), "%out")
    fn.give(str(p.OK))
    body.close()
    return fn.text()


__all__ = ["Dispatch", "Steps", "guard_function"]
