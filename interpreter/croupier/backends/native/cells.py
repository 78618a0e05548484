"""Cells by what they hold: beside a map from the cells of a board to few values, for each value the cells that have it, as bits of a word.

The map stays what it is; the words are kept beside it, after the rest of the state, and follow every write. They answer at once what loops over cells
ask one cell at a time (`searches.py`): a walk goes from one cell that passes a test to the next. The lists that are walked never change, and have
their cells as bits before them (`constants.py`, `fixed.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native.searches import Search, Searches
from croupier.backends.native.words import NONE, signed
from croupier.ir.terminators import Walk
from croupier.semantics import types as t
from croupier.semantics.program import VarDef

if TYPE_CHECKING:
    from croupier.backends.native.body import Body
    from croupier.backends.native.printer import Printer


class Cells(Searches):
    """The searches of a game, and the words that they need."""

    def __init__(self, printer: Printer) -> None:
        super().__init__(printer)
        self.found: dict[int, Search] = {}  # by identity of the walk
        if not printer.blocks_pay:
            for routine in printer.module.every_routine():
                for block in routine.blocks:
                    search = self.search(routine, block)
                    if search is not None:
                        self.found[id(block.end)] = search
        wanted = {s.var.index: s.var for s in self.found.values()}
        self.at = {index: printer.plan.more(self.values(v)[1] + 1) for index, v in sorted(wanted.items())}

    def walk(self, body: Body, end: Walk, labels: dict[int, str]) -> bool:
        """Emit a walk as a search, if it is one."""
        s = self.found.get(id(end))
        if s is None or end.done is None:
            return False
        f = body.fn
        cells = self.matching(body, s)
        if s.how == "each":
            at = body.one(end.at)
            inside = f.test("lt", at, str(self.game.boards[s.cell].size))
            cells = f.choose(inside, f.binary("lshr", cells, at), "0")
        else:
            cells = f.binary("and", cells, self.listed(body, end.items))
        some, more = f.test("ne", cells, "0"), f.label()
        if s.how == "any":
            f.branch(some, labels[s.out], labels[end.done])
            return True
        f.branch(some, more, labels[end.done])
        f.place(more)
        if s.how == "last":
            body.assign(s.into, [f.sub("63", f.value(f"call i64 @llvm.ctlz.i64(i64 {cells}, i1 true)"))])
            f.jump(labels[end.done])
            return True
        cell = f.add(body.one(end.at), f.value(f"call i64 @llvm.cttz.i64(i64 {cells}, i1 true)"))
        body.assign(end.item, [cell])
        body.assign(end.at, [f.add(cell, "1")])
        for i in s.code:
            body.instruction(i)
        f.jump(labels[s.out])
        return True

    def listed(self, body: Body, slot: int) -> str:
        """The cells of a list that never changes, as bits."""
        if slot in body.known:
            return signed(body.words.bits(body.words.base(body.kind(slot)), body.known[slot]) or 0)
        return body.fn.load(body.fn.at(body.fn.pointer(body.one(slot)), -2))

    def matching(self, body: Body, s: Search) -> str:
        """The cells that lead out of a walk, as bits."""
        f, (low, count) = body.fn, self.values(s.var)
        for i in s.before:
            body.instruction(i)
        assert isinstance(s.var.type, t.Map)
        full, base = signed(self.full(s.var.type.key) or 0), self.at[s.var.index]
        others = [a for a in s.test.args if not any(a in i.into and i.op in ("entry", "mutable") for i in s.code)]
        value = body.leaves(others[0])[0] if others else str(NONE)
        cells = f.load(body.word(self.place(body, value, low, count, base)))
        if s.yes != (s.test.op in ("eq", "is_none")):
            cells = f.binary("xor", cells, full)
        return cells

    def place(self, body: Body, value: str, low: int, count: int, base: int) -> str:
        """The word of the cells that hold a value."""
        f = body.fn
        if value == str(NONE):
            return str(base + count)
        if value.lstrip("-").isdigit():
            return str(base + int(value) - low)
        return f.choose(f.test("eq", value, str(NONE)), str(base + count), f.add(value, str(base - low)))

    def writing(self, body: Body, v: VarDef, at: str, cell: str, value: str) -> None:
        """An entry is about to be written at an address: the words follow."""
        if v.index not in self.at:
            return
        f, base, (low, count) = body.fn, self.at[v.index], self.values(v)
        bit = f.binary("shl", "1", cell)
        for held in (f.load(at), value):
            word = body.word(self.place(body, held, low, count, base))
            f.store(f.binary("xor", f.load(word), bit), word)

    def written(self, body: Body, v: VarDef) -> None:
        """The whole map was written: the words are made anew."""
        if v.index not in self.at:
            return
        assert isinstance(v.type, t.Map)
        f, base, (low, count) = body.fn, self.at[v.index], self.values(v)
        for k in range(count + 1):
            body.put(base + k, "0")
        with f.counting("0", str(body.words.entries(v.type))) as cell:
            held = f.load(f.at(body.word(body.plan.vars[v.index]), cell))
            word = body.word(self.place(body, held, low, count, base))
            f.store(f.binary("or", f.load(word), f.binary("shl", "1", cell)), word)

    def begin(self, words: list[int]) -> None:
        """Fill in the words of a position before anything has happened."""
        for index, base in self.at.items():
            v = self.game.variables[index]
            assert isinstance(v.type, t.Map)
            low, count = self.values(v)
            first = self.printer.plan.vars[index]
            for cell, held in enumerate(words[first : first + self.printer.words.entries(v.type)]):
                words[base + (count if held == NONE else held - low)] += 1 << cell
            for k in range(count + 1):
                words[base + k] = int(signed(words[base + k]))
