"""Functions over components on offer that are called alike, in native code (`runtime/likeness.py` has what they mean).

A component is the first word of its row. While rows are put on offer, alike ones get the numbers of those they are like, one after another; when rows
that are one option have become one, the numbers are given anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.offered import row

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


class CalledAlike:
    """Writes the functions of a game."""

    def __init__(self, printer: Printer) -> None:
        self.printer, alike = printer, printer.game.alike
        members = [alike.members.get(first, (first,)) for first in sorted(set(alike.first))]
        start, at = dict[int, int](), 0
        for group in members:
            start |= dict.fromkeys(group, at)
            at += len(group)
        self.members = [str(piece) for group in members for piece in group]  # alike ones stand together
        self.start = [str(start[piece]) for piece in range(len(alike.first))]  # of each component: where those begin that it is like

    def functions(self) -> list[str]:
        """All of them; none where no components are called alike."""
        return [self.number(), self.rename(), self.column()] if self.printer.game.alike.members else []

    def start_of(self, f: Fn, piece: str) -> str:
        return self.printer.constants.lookup(f, self.start, piece)

    def number(self) -> str:
        """`alike.number(S, least, count, piece)`: the number of a component that is put on offer behind `count` rows; -1 if it is there already."""
        f = Fn("alike.number", [("S", "ptr"), ("least", "i64"), ("count", "i64"), ("piece", "i64")], apart=True)
        mine, taken = self.start_of(f, "%piece"), f.slot()
        f.store("0", taken)
        with f.counting("%least", "%count") as j:
            other = f.load(f.at(row(f, j), p.HEAD))
            with f.when(f.test("eq", other, "%piece")):
                f.give("-1")
            same = f.wide(f.test("eq", self.start_of(f, other), mine))
            f.store(f.add(f.load(taken), same), taken)
        f.give(self.printer.constants.lookup(f, self.members, f.add(mine, f.load(taken))))
        return f.text()

    def rename(self) -> str:
        """`alike.rename(S, least, by)`: rows with actions that count alike ones from the first; `by` more than their numbers."""
        f = Fn("alike.rename", [("S", "ptr"), ("least", "i64"), ("by", "i64")], apart=True)
        n, taken = f.load(f.at("%S", p.COUNT)), f.slot()
        with f.counting("%least", n) as k:
            mine = self.start_of(f, f.load(f.at(row(f, k), p.HEAD)))
            f.store("0", taken)
            with f.counting("%least", k) as j:
                same = f.wide(f.test("eq", self.start_of(f, f.load(f.at(row(f, j), p.HEAD))), mine))
                f.store(f.add(f.load(taken), same), taken)
            f.store(f.add(self.printer.constants.lookup(f, self.members, f.add(mine, f.load(taken))), "%by"), row(f, k))
        f.call("offers.sort", ["ptr %S"])
        f.give(str(p.OK))
        return f.text()

    def column(self) -> str:
        """`alike.column(S, least, value, key, number, low, stride)`: rows from `least` on with actions that say which component a word names.

        Rows with the same `key` name the same number; it is kept in the word `number`.
        """
        params = [("S", "ptr"), *((name, "i64") for name in ("least", "value", "key", "number", "low", "stride"))]
        f = Fn("alike.column", params, apart=True)
        mine, taken = f.slot(), f.slot()
        with f.counting("%least", f.load(f.at("%S", p.COUNT))) as k:
            here, known = row(f, k), f.label()
            f.store(self.start_of(f, f.load(f.at(here, "%value"))), mine)
            f.store("0", taken)
            with f.counting("%least", k) as j:
                there = row(f, j)
                number = f.load(f.at(there, "%number"))
                with f.when(f.test("eq", f.load(f.at(there, "%key")), f.load(f.at(here, "%key")))):
                    f.store(number, f.at(here, "%number"))
                    f.jump(known)
                behind = f.add(f.sub(self.rank_of(f, number), f.load(mine)), "1")
                same = f.test("eq", self.start_of(f, number), f.load(mine))
                f.store(f.choose(f.both(same, f.test("gt", behind, f.load(taken))), behind, f.load(taken)), taken)
            f.store(self.printer.constants.lookup(f, self.members, f.add(f.load(mine), f.load(taken))), f.at(here, "%number"))
            f.place(known)
            by = f.mul(f.sub(f.load(f.at(here, "%number")), "%low"), "%stride")
            f.store(f.add(f.load(here), by), here)
        f.give(str(p.OK))
        return f.text()

    def rank_of(self, f: Fn, piece: str) -> str:
        """Where a component stands among `members`."""
        ranks = {int(member): at for at, member in enumerate(self.members)}
        return self.printer.constants.lookup(f, [str(ranks[piece]) for piece in range(len(ranks))], piece)


__all__ = ["CalledAlike"]
