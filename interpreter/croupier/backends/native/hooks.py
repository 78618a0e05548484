"""Hooks and reactions in native code: which of them fit a call, in the order in which they run; the functions of calls with hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.fitting import NO_KEY, Fitting, Keys
from croupier.backends.native.plain import Asking
from croupier.backends.native.steps import Dispatch, guard_function
from croupier.ir.module import Row
from croupier.ir.routines import Routine
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer


class Hooked:
    """The functions that find out which hooks fit, written when they are asked for."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.keys = printer, Keys(printer)

    def kinds(self, target: int) -> list[t.Type]:
        """The types of the parameters of a routine."""
        routine = self.printer.module.routines[target]
        return [routine.slots[q.slot].type for q in self.printer.game.program.procs[target].params]

    def rows(self, target: int, kind: str) -> list[Row]:
        return self.keys.there(getattr(self.printer.module.table(target), kind))

    def is_hooked(self, target: int) -> bool:
        """May a hook run around a call?"""
        return target in self.printer.game.code.hooked

    def fits(self, row: Row, target: int, kind: str) -> str:
        """The function that tests one hook."""
        name = f"fits.{row.hook}"
        return self.printer.once(name, lambda: Fitting(self.printer, row, self.printer.module.routines[target], name).text(kind))

    def guard(self, row: Row) -> str:
        """The function that asks the guard of an `adjust`."""
        name = f"guard.{row.hook}"
        return self.printer.once(name, lambda: guard_function(self.printer, row, name))

    def call(self, target: Routine) -> str:
        """The function of a call of a routine that never waits, with the hooks on it."""
        if not self.is_hooked(target.index):
            return self.printer.plain(target)
        name = f"hooked.{target.index}"
        return self.printer.once(name, lambda: Dispatch(self.printer, target, name, False).hooked())

    def instead(self, target: Routine) -> str:
        """The function of what stands instead of such a call, by a chain."""
        name = f"chain.{target.index}"
        return self.printer.once(name, lambda: Dispatch(self.printer, target, name, True).instead())

    def found(self, target: int, kind: str) -> str:
        """`before.7(S, asked, words of arguments…, out)`: the keys of the hooks of a kind that fit a call, as a list; in the order
        in which they run; for reactions their numbers."""
        name = f"{kind}.{target}"
        return self.printer.once(name, lambda: self.finding(target, kind, name))

    def finding(self, target: int, kind: str, name: str) -> str:
        words = [f"a{k}" for k in range(sum(map(self.printer.words.width, self.kinds(target))))]
        fn = Fn(name, [("S", "ptr"), ("asked", "i64"), *((w, "i64") for w in words), ("out", "ptr")])
        body = Asking(self.printer, self.printer.module.routines[target], fn)
        rows = self.rows(target, kind)
        made, place = body.new_list(str(self.keys.most(rows)), 1), fn.slot()
        fn.store("0", made)
        for row in rows:
            function = self.fits(row, target, kind)

            first = self.printer.game.code.hooks.all[row.hook].first

            def one(piece: str, number: str, function: str = function) -> None:
                body.called(function, [f"i64 {piece}", "i64 %asked", *(f"i64 %{w}" for w in words), f"ptr {place}"])
                key = fn.load(place)
                with fn.when(fn.test("ne", key, NO_KEY)):
                    if kind == "reaction":
                        n = fn.load(made)
                        body.write_element(made, n, [number])
                        fn.store(fn.add(n, "1"), made)
                    else:
                        body.insert(made, [key], t.Collection("bag", t.INT))

            pieces = self.keys.candidates(row)
            if not pieces:
                one("0", str(first))
            elif len(pieces) == 1:
                one(str(pieces[0]), str(first))
            else:
                table = self.printer.constants.array([str(x) for x in pieces])
                with fn.counting("0", str(len(pieces))) as k:
                    one(fn.load(fn.at(table, k)), fn.add(k, str(first)))
        fn.store(fn.address(made), "%out")
        fn.give(str(p.OK))
        body.close()
        return fn.text()
