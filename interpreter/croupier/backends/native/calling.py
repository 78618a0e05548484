"""Calls of routines that may wait, in native code: a frame on top, and what is handed back.

Whoever begins a routine notes which it is, for what it hands back depends on that: a hook names only some of the `var` arguments of its call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.backends.native import plan as p
from croupier.backends.native.claims import Claims
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.native.steps import Steps
from croupier.backends.sites import Site
from croupier.backends.unsupported import Refused
from croupier.ir.module import Row
from croupier.ir.routines import Routine
from croupier.ir.suspensions import Suspend
from croupier.semantics import types as t


class Calling(Claims, Steps):
    """A function that may begin others."""

    def on_top(self, size: int) -> tuple[str, str]:
        """A frame of so many words on top of this one: its place, and its address. Beyond the room for frames, games deviate."""
        f, below = self.fn, self.fn.load(self.at_frame)
        top = f.add(below, str(self.frame_plan.size))
        self.test(f.test("gt", f.add(top, str(size)), f.load("@frames.end")))
        here = self.word(top)
        f.store(below, here)
        f.store(f.load(self.frame(2)), f.at(here, 2))
        return top, here

    def push(self, callee: Routine, taken: Mapping[int, Leaves]) -> None:
        """Begin a routine that may wait, with what it takes, by slot."""
        plan, known = self.printer.frame(callee), self.printer.known(callee)
        f, top, here = self.fn, *self.on_top(plan.size)
        for s, leaves in taken.items():
            if s in plan.slots and s not in known:
                self.keep(f.at(here, plan.slots[s]), callee.slots[s].type, leaves, plan.longest[s])
        self.put(p.FRAME, top)
        self.put(p.WHERE, str(self.printer.entry(callee)))
        f.give(str(p.GOES))

    def deep(self, callee: Routine) -> None:
        """A routine that may call itself has begun no more often than it says."""
        if callee.nested is None:
            return
        f, count, at = self.fn, self.fresh(["0"])[0], self.fresh([f"{self.get(p.FRAME)}"])[0]
        head, body, done = f.label(), f.label(), f.label()
        f.place(head)
        frame = f.load(at)
        f.branch(f.test("ne", frame, "0"), body, done)
        f.place(body)
        run = f.binary("lshr", f.load(f.at(self.word(frame), 1)), str(p.CASES))
        f.store(f.add(f.load(count), f.wide(f.test("eq", run, str(self.printer.entry(callee) >> p.CASES)))), count)
        f.store(f.load(self.word(frame)), at)
        f.jump(head)
        f.place(done)
        self.test(f.test("gt", f.load(count), str(callee.nested)))

    def begin(self, routine: Routine, taken: dict[int, Leaves], above: int) -> None:
        """Begin a routine of which it is noted which it is. One that never waits runs at once, and then control goes on here as after a wait."""
        f = self.fn
        f.store(str(above), self.frame(p.ABOVE))
        if routine.colour == "suspends":
            self.push(routine, taken)
            return
        out, words = self.run_at_once(routine, taken), self.given_words(routine)
        self.fits_in_hand(words)
        f.copy(self.word(p.RET), out, str(words))
        self.put(p.WHERE, f.load(self.frame(1)))
        f.give(str(p.GOES))

    def fits_in_hand(self, words: int) -> None:
        """Raises `Refused` for more words than there is room for what is handed back."""
        if words > p.HANDED:
            raise Refused("a value so wide", self.routine.span)

    def begin_hook(self, row: Row, taken: dict[int, Leaves]) -> None:
        self.begin(self.printer.module.routines[row.routine], taken, row.hook + 1)

    def own(self, target: int, args: Sequence[Leaves]) -> dict[int, Leaves]:
        """What a routine begins with, by slot, from the arguments of its call."""
        return {q.slot: leaves for q, leaves in zip(self.facts.program.procs[target].params, args, strict=True)}

    def enter(self, target: int, args: Sequence[Leaves]) -> None:
        """Begin a routine, without the hooks on it."""
        callee = self.printer.module.routines[target]
        self.deep(callee)
        self.begin(callee, self.own(target, args), 0)

    def enter_instead(self, target: int, args: Sequence[Leaves], chain: str) -> None:
        """Begin what stands instead of a routine: the last hook of a chain of keys, or the routine itself."""
        f, items = self.fn, self.fn.pointer(chain)
        n = f.load(items)
        with f.when(f.test("eq", n, "0")):
            self.enter(target, args)
        key, rest = self.read_element(items, f.sub(n, "1"), 1)[0], self.shortened(chain)
        rows = self.printer.hooks.rows(target, "instead")
        self.by_hook(rows, key, lambda row: self.begin_hook(row, self.taken(row, key, args, rest)))

    # ------------------------------------------------------------ calls
    def arguments(self, slots: Sequence[int], target: int) -> list[Leaves]:
        """Arguments as the parameters of a routine take them."""
        return [self.widened(s, kind) for s, kind in zip(slots, self.printer.hooks.kinds(target), strict=True)]

    def w_call(self, site: Site, end: Suspend, labels: dict[int, str]) -> None:
        op, target = end.data
        if op == "original":
            chain, *slots = end.args
            self.enter_instead(target, self.arguments(slots, target), self.one(chain))
        elif self.printer.hooks.is_hooked(target):
            self.around(target, self.arguments(end.args, target))
        else:
            self.enter(target, self.arguments(end.args, target))

    def around(self, target: int, args: Sequence[Leaves]) -> None:
        """Begin a call with hooks, some of which may wait: it has a frame of its own."""
        plan = self.printer.around(target)
        f, top, here = self.fn, *self.on_top(plan.frame.size)
        for at, kind, leaves in zip(plan.args, self.printer.hooks.kinds(target), args, strict=True):
            self.keep(f.at(here, at), kind, leaves)
        self.put(p.FRAME, top)
        self.put(p.WHERE, str(self.printer.around_entry(target)))
        f.give(str(p.GOES))

    # ------------------------------------------------------------ what is handed back
    def handed_over(self, site: Site, assigns: Sequence[int]) -> None:
        """Fill in the slots of a way on from what was handed back."""
        end = site.end
        if end.kind == "menu" or (end.kind == "call" and end.data[0] == "original"):
            self.flagged(site, assigns)
            return
        at = self.word(p.RET)
        for s in assigns:
            self.assign(s, [self.fn.load(self.fn.at(at, k)) for k in range(self.width(s))])
            at = self.fn.at(at, self.width(s))

    def flagged(self, site: Site, assigns: Sequence[int]) -> None:
        """The same where a hook may leave some `var` arguments alone: before each of these stands whether it was named."""
        f, end = self.fn, site.end
        target, kind = (end.data, "reaction") if end.kind == "menu" else (end.data[1], "instead")
        places = self.var_places(target)
        pairs = list(zip(places, assigns[-2 * len(places) :: 2], assigns[1 - 2 * len(places) :: 2], strict=True)) if places else []
        value = assigns[: len(assigns) - 2 * len(places)]
        for _, flag, slot in pairs:
            self.assign(flag, ["0"])
            self.assign(slot, [NONE_TEXT] * self.width(slot))
        after, above = f.label(), f.load(self.frame(p.ABOVE))
        candidates: list[tuple[int, Row | None]] = [(row.hook + 1, row) for row in self.printer.hooks.rows(target, kind)]
        if kind == "instead":
            candidates.append((0, None))
        for number, row in candidates:
            with f.when(f.test("eq", above, str(number))):
                routine = self.printer.module.routines[target if row is None else row.routine]
                found, back = self.handed(routine, self.word(p.RET))
                for s in value:
                    self.assign(s, found)
                changed = self.changes(row, target, back)
                for k, flag, slot in pairs:
                    if k in changed:
                        self.assign(flag, ["1"])
                        self.assign(slot, changed[k])
                f.jump(after)
        self.deviates()
        f.place(after)

    def is_valued(self, routine: Routine) -> bool:
        return not isinstance(routine.returns, t.Nothing)
