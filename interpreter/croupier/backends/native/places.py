"""Where a function's writer keeps what it works with: slots as places of the frame of the function, words of the game, lists in the arena.

Functions give back a status (`plan.py`): whatever is unusual is `DEVIATES`, and then the game in memory is of no use any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.words import NONE
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.terminators import Walk
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

Leaves = list[str]
NONE_TEXT = str(NONE)
WALKED = {"begin_walk", "size", "empty", "in", "not_in"}
HEADROOM = 16  # elements there is room for when a list is begun that will grow


class Places:
    """The part of a function's writer that knows slots, memory and lists."""

    def __init__(self, printer: Printer, routine: Routine, fn: Fn) -> None:
        self.printer, self.routine, self.fn = printer, routine, fn
        self.facts, self.game, self.words, self.plan = printer.facts, printer.game, printer.words, printer.plan
        self.known = printer.known(routine)
        self.env: dict[int, str] = {}
        self.offering: Callable[[Instruction], None] | None = None
        self._deviates = fn.label()
        self._deviated = False

    # ------------------------------------------------------------ slots
    def kind(self, slot: int) -> t.Type:
        return self.routine.slots[slot].type

    def width(self, slot: int) -> int:
        return self.words.width(self.kind(slot))

    def place(self, slot: int) -> str:
        if slot not in self.env:
            self.env[slot] = self.fn.slot(max(1, self.width(slot)))
        return self.env[slot]

    def leaves(self, slot: int) -> Leaves:
        """The words of a slot."""
        if slot in self.known:
            return self.printer.constants.leaves(self.known[slot], self.kind(slot))
        base = self.place(slot)
        return [self.fn.load(self.fn.at(base, k)) for k in range(self.width(slot))]

    def one(self, slot: int) -> str:
        """The word of a slot that is one."""
        found = self.leaves(slot)
        assert len(found) == 1, self.kind(slot)
        return found[0]

    def assign(self, slot: int, leaves: Sequence[str]) -> None:
        if slot in self.known:
            return
        width = self.width(slot)
        if len(leaves) != width:
            assert leaves[0] == str(NONE), (leaves, self.kind(slot))
            leaves = [str(NONE)] * width
        base = self.place(slot)
        for k, v in enumerate(leaves):
            self.fn.store(v, self.fn.at(base, k))

    # ------------------------------------------------------------ memory
    def word(self, index: int | str) -> str:
        """The address of a word of the game."""
        return self.fn.at("%S", index)

    def get(self, index: int | str) -> str:
        return self.fn.load(self.word(index))

    def put(self, index: int | str, value: str) -> None:
        self.fn.store(value, self.word(index))

    def deviates(self) -> None:
        self._deviated = True
        self.fn.jump(self._deviates)

    def test(self, failing: str) -> None:
        """Deviate if an i1 holds."""
        self._deviated = True
        after = self.fn.label()
        self.fn.branch(failing, self._deviates, after)
        self.fn.place(after)

    def called(self, name: str, args: Sequence[str]) -> None:
        """Call a function that gives a status; go on if it is `OK`."""
        status = self.fn.call(name, ["ptr %S", *args])
        with self.fn.when(self.fn.test("ne", status, str(p.OK))):
            self.fn.give(status)

    def pay(self, steps: str) -> None:
        """Charge steps of fuel."""
        if steps == "0":
            return
        left = self.fn.sub(self.get(p.FUEL), steps)
        self.put(p.FUEL, left)
        self.test(self.fn.test("lt", left, "0"))

    def close(self) -> None:
        if self._deviated:
            self.fn.lines.append(f"{self._deviates}:")
            self.fn.ended = False
            self.fn.give(str(p.DEVIATES))

    # ------------------------------------------------------------ lists
    def allocate(self, words: str) -> str:
        """Room in the arena."""
        top = self.get(p.TOP)
        after = self.fn.add(top, words)
        self.test(self.fn.test("gt", after, str(p.OFFERS)))
        self.put(p.TOP, after)
        return self.word(top)

    def new_list(self, room: str, width: int) -> str:
        """The address of the length of a new list with room for some elements; the length is not set."""
        f = self.fn
        start = self.allocate(f.add(f.mul(room, str(width)), "2"))
        f.store(room, start)
        return f.at(start, 1)

    def is_walked_only(self, slot: int) -> bool:
        """Is a list only ever walked and counted, where it is made?"""
        if self.routine.slots[slot].role != "temp":
            return False
        for block in self.routine.blocks:
            if any(slot in i.args and i.op not in WALKED for i in block.code):
                return False
            if slot in block.end.reads() and not (isinstance(block.end, Walk) and block.end.items == slot):
                return False
        return True

    def made_to_move(self, slot: int) -> Instruction | None:
        """The instruction that makes a list of some components, which the next one moves and nobody else reads."""
        if self.routine.slots[slot].role != "temp":
            return None
        found = None
        for block in self.routine.blocks:
            for k, i in enumerate(block.code):
                following = block.code[k + 1] if k + 1 < len(block.code) else None
                if slot in i.into:
                    fits = found is None and i.op == "list" and following is not None and following.op == "move" and following.args[0] == slot
                    if not fits or any(slot in j.args for b in self.routine.blocks for j in b.code if j is not following):
                        return None
                    found = i
            if slot in block.end.reads():
                return None
        return found

    def length(self, pointer: str) -> str:
        return self.fn.load(pointer)

    def element(self, pointer: str, index: str, width: int) -> str:
        """The address of an element, counted from 0."""
        f = self.fn
        at = index if width == 1 else f.mul(index, str(width))
        return f.at(f.at(pointer, at), 1)

    def read_element(self, pointer: str, index: str, width: int) -> Leaves:
        at = self.element(pointer, index, width)
        return [self.fn.load(self.fn.at(at, k)) for k in range(width)]

    def write_element(self, pointer: str, index: str, leaves: Sequence[str]) -> None:
        at = self.element(pointer, index, len(leaves))
        for k, v in enumerate(leaves):
            self.fn.store(v, self.fn.at(at, k))

    def same(self, a: Sequence[str], b: Sequence[str]) -> str:
        """Are all words equal? An i1."""
        if len(a) != len(b):
            width = max(len(a), len(b))
            a, b = (list(x) if len(x) == width else [str(NONE)] * width for x in (a, b))
        test = ""
        for x, y in zip(a, b, strict=True):
            now = self.fn.test("eq", x, y)
            test = self.fn.both(test, now) if test else now
        return test or "true"

    def fresh(self, leaves: Sequence[str]) -> list[str]:
        """Places of the frame of the function that begin with some words."""
        places = []
        for v in leaves:
            places.append(self.fn.slot())
            self.fn.store(v, places[-1])
        return places
