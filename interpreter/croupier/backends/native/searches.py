"""Which walks over cells are searches: their body begins with a test of what a map holds for the cell, and comes round again where it fails.

    any     is there such a cell? where nobody asks which
    last    the last of them, where a loop over an ascending list keeps each one that it finds
    each    one after another, where the list is all cells of the board
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from croupier.backends.native.fixed import Fixed
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Block, Routine
from croupier.ir.terminators import Branch, Jump, Walk
from croupier.semantics import types as t
from croupier.semantics.program import VarDef

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

MOST_VALUES = 8
TESTS = {"is_none", "is_some", "eq", "ne"}
HARMLESS = {"const", "copy", "param", "enum", "next", "previous"}  # worked out once instead of for each cell


@dataclass(frozen=True)
class Search:
    """A walk that looks for cells: `before` is worked out once, `code` is what its body does with a cell before the branch.

    Cells for which `test` gives `yes` lead to block `out`; `how` is `any`, `last` or `each`; `into` is what `last` fills in.
    """

    how: str
    var: VarDef
    before: tuple[Instruction, ...]
    code: tuple[Instruction, ...]
    test: Instruction
    cell: str
    yes: bool
    out: int
    into: int = -1


class Searches:
    """Finds them."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.game, self.lists = printer, printer.game, Fixed(printer)

    # ------------------------------------------------------------ which maps
    def values(self, v: VarDef) -> tuple[int, int]:
        """The first value of an entry, and how many there are."""
        assert isinstance(v.type, t.Map)
        return self.game.domain(v.type.value)

    def suits(self, v: VarDef) -> bool:
        """Is a variable a map from few cells to few values?"""
        kind = v.type
        if not isinstance(kind, t.Map) or not isinstance(kind.key, t.Cell) or self.full(kind.key) is None or v.name in self.printer.facts.gaps:
            return False
        base = kind.value.base if isinstance(kind.value, t.Optional) else kind.value
        return isinstance(base, (t.Player, t.Enum, t.Bool, t.Int)) and self.game.is_finite(base) and self.game.domain(base)[1] <= MOST_VALUES

    def full(self, kind: t.Type) -> int | None:
        """All cells of a board as bits, if they are few enough."""
        return self.printer.words.bits(kind, range(self.game.boards[kind.board].size)) if isinstance(kind, t.Cell) else None

    # ------------------------------------------------------------ which walks
    def search(self, routine: Routine, block: Block) -> Search | None:
        """What a block that only walks looks for, if it is that."""
        end = block.end
        if not isinstance(end, Walk) or end.done is None or block.code or not self.begins_afresh(routine, end):
            return None
        body = routine.blocks[end.body]
        branch = body.end
        if not isinstance(branch, Branch) or (branch.then == block.number) == (branch.other == block.number) or not body.code:
            return None
        *code, test = body.code
        entries = [i for i in code if i.op in ("entry", "mutable") and i.args == (end.item,)]
        if len(entries) != 1 or test.op not in TESTS or test.into != (branch.test,) or entries[0].into[0] not in test.args:
            return None
        entry, before = entries[0], tuple(i for i in code if i is not entries[0])
        var = self.printer.facts.program.vars[entry.data]
        touched = {end.item, end.at, entry.into[0]}
        if any(i.op not in HARMLESS or touched & {*i.args, *i.into} for i in before):
            return None
        if not self.suits(var) or not self.comparable(routine, var, test, entry):
            return None
        yes = branch.other == block.number
        out = branch.then if yes else branch.other
        cell = routine.slots[end.item].type
        if not isinstance(cell, t.Cell):
            return None
        found = Search("", var, before, body.code, test, cell.board, yes, out)
        how, into = self.how(routine, block, end, found)
        return None if how is None else replace(found, how=how, into=into)

    def begins_afresh(self, routine: Routine, end: Walk) -> bool:
        """Is the place of a walk its own, and does every walk begin at the first element?"""
        zero = [i for b in routine.blocks for i in b.code if end.at in i.into]
        walks = [b for b in routine.blocks if isinstance(b.end, Walk) and b.end.at == end.at]
        return len(walks) == 1 and all(i.op == "begin_walk" or (i.op == "const" and i.data == 0) for i in zero) and end.at not in routine.takes

    def comparable(self, routine: Routine, var: VarDef, test: Instruction, entry: Instruction) -> bool:
        """Is an entry held against a value of its own kind that does not come from the cell?"""
        if test.op in ("is_none", "is_some"):
            return True
        others = [a for a in test.args if a != entry.into[0]]
        if len(others) != 1:
            return False
        kinds = [k.base if isinstance(k, t.Optional) else k for k in (routine.slots[others[0]].type, getattr(var.type, "value", None))]
        if isinstance(kinds[0], t.Nothing):
            return True
        if isinstance(kinds[0], t.Int) and isinstance(kinds[1], t.Int):
            low, high = self.printer.facts.bounds(kinds[0])
            first, count = self.values(var)
            return low is not None and high is not None and first <= low and high < first + count
        return kinds[0] == kinds[1]

    def how(self, routine: Routine, head: Block, end: Walk, s: Search) -> tuple[str | None, int]:
        """In which way a walk is a search, if at all."""
        rows = self.lists.rows(routine, end.items)
        assert end.done is not None
        own = {end.item, end.at, *(x for i in s.code for x in i.into)} - {x for i in s.before for x in i.into}
        if rows is None or own & set(self.printer.live_in(routine, end.done)):
            return None, -1
        size = self.game.boards[s.cell].size
        out = routine.blocks[s.out]
        if isinstance(out.end, Jump) and out.end.target == head.number and len(out.code) == 1:
            i = out.code[0]
            if i.op == "copy" and i.args == (end.item,) and i.into[0] not in own and all(row == tuple(sorted(set(row))) for row in rows):
                return "last", i.into[0]
        if not own & set(self.printer.live_in(routine, s.out)) and not self.comes_back(routine, s.out, head.number, end.at):
            return "any", -1
        return ("each" if rows == (tuple(range(size)),) else None), -1

    def comes_back(self, routine: Routine, start: int, head: int, at: int) -> bool:
        """May control come from a block to a walk in the middle of it?"""
        seen, todo = set[int](), [start]
        while todo:
            n = todo.pop()
            if n == head:
                return True
            if n in seen:
                continue
            seen.add(n)
            block = routine.blocks[n]
            if not any(at in i.into for i in block.code):
                todo += [e.target for e in block.end.edges()]
        return False
