"""One hook in native code: does it fit a call, and the key of how it does.

A hook that fits, with the component it stands on and where that lies, is one number, its key. Keys ascend in the order of the evaluator
(`runtime/hooks.py`): hooks of the rules first, then those of components by class, owner (nobody last), zone, component; then by the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.native.plain import Asking
from croupier.backends.unsupported import Refused
from croupier.ir.module import Row
from croupier.ir.routines import Routine
from croupier.runtime.hooks import Key

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

NO_KEY = "-1"


class Keys:
    """How keys are made and read under a set-up."""

    def __init__(self, printer: Printer) -> None:
        self.game = printer.game
        self.hooks = max(1, len(self.game.program.hooks))
        self.pieces = max(1, len(self.game.pieces))
        self.places = len(self.game.places) + 1
        self.owners = self.game.players + 1

    def candidates(self, row: Row) -> tuple[int, ...]:
        """The components that a hook may stand on here."""
        return self.game.code.hooks.all[row.hook].pieces  # type: ignore[no-any-return]

    def there(self, rows: Sequence[Row]) -> list[Row]:
        """Those of some hooks that can be live under this set-up."""
        return [row for row in rows if row.component is None or self.candidates(row)]

    def most(self, rows: Sequence[Row]) -> int:
        """How many of them may be live at once."""
        return sum(max(1, len(self.candidates(row))) for row in self.there(rows))

    def read(self, key: int) -> Key:
        """A key as the evaluator has it."""
        rest, hook = divmod(key, self.hooks)
        if self.game.program.hooks[hook].component is None:
            return hook, None, None, None
        rest, piece = divmod(rest, self.pieces)
        where = rest % self.places - 1
        place = self.game.places[where] if where >= 0 else None
        return hook, piece, None if place is None else place.owner, None if place is None else place.key

    def owner_rows(self) -> list[str]:
        """The owner of each place, by its number and one more; first that of no place."""
        return [NONE_TEXT, *(NONE_TEXT if x.owner is None else str(x.owner) for x in self.game.places)]

    def here_rows(self) -> list[str]:
        return [NONE_TEXT, *(NONE_TEXT if x.key is None else str(int(x.key)) for x in self.game.places)]


class Fitting(Asking):
    """`fits.7(S, piece, asked, words of arguments…, out)`: the key of a hook that fits a call, or `NO_KEY`; `asked` is who may react, or none."""

    def __init__(self, printer: Printer, row: Row, target: Routine, name: str) -> None:
        self.row, self.keys = row, printer.hooks.keys
        words = [(f"a{k}.{n}", "i64") for k, kind in enumerate(printer.hooks.kinds(target.index)) for n in range(printer.words.width(kind))]
        fn = Fn(name, [("S", "ptr"), ("piece", "i64"), ("asked", "i64"), *words, ("out", "ptr")])
        super().__init__(printer, printer.module.routines[row.routine], fn)
        self.target = target

    def argument(self, k: int) -> Leaves:
        kind = self.printer.hooks.kinds(self.target.index)[k]
        return [f"%a{k}.{n}" for n in range(self.words.width(kind))]

    def fails(self, test: str) -> None:
        with self.fn.when(test):
            self.fn.give(str(p.OK))

    def text(self, kind: str) -> str:
        f, row, keys = self.fn, self.row, self.keys
        f.store(NO_KEY, "%out")
        owner, here, key = "%asked", NONE_TEXT, str(row.hook)
        if row.component is not None:
            lookup = self.printer.constants.lookup
            where = f.load(self.printer.zones.where(f, "%piece"))
            at = f.add(where, "1")
            if not self.game.code.hooks.all[row.hook].live_anywhere:
                live = lookup(f, ["0", *(str(int(x.live)) for x in self.game.places)], at)
                self.fails(f.test("eq", live, "0"))
            owner, here = lookup(f, keys.owner_rows(), at), lookup(f, keys.here_rows(), at)
            if row.needs_owner:
                self.fails(f.test("eq", owner, NONE_TEXT))
            if row.needs_here:
                self.fails(f.test("eq", here, NONE_TEXT))
            self.fails(f.both(f.test("ne", "%asked", NONE_TEXT), f.test("ne", owner, "%asked")))
            kinds = list(self.game.kinds)
            rank = lookup(f, [str(1 + kinds.index(x.kind)) for x in self.game.pieces], "%piece")
            seat = f.choose(f.test("eq", owner, NONE_TEXT), str(keys.owners - 1), owner)
            key = rank
            for value, size in ((seat, keys.owners), (at, keys.places), ("%piece", keys.pieces), (str(row.hook), keys.hooks)):
                key = f.add(f.mul(key, str(size)), value)
        self.bind(owner, here)
        for q in self.routine.queries:
            if q.name.startswith("fixed"):
                param = int(q.name.split()[1])
                wanted = self.argument(param)
                if len(wanted) != 1 or not self.words.is_scalar(self.printer.hooks.kinds(self.target.index)[param]):
                    raise Refused("a hook on one list or record", self.routine.span)
                self.fails(f.test("ne", self.asked(q), wanted[0]))
        guard = next((q for q in self.routine.queries if q.name == "guard"), None)
        if guard is not None and kind != "adjust":
            self.fails(f.test("eq", self.asked(guard), "0"))
        f.store(key, "%out")
        f.give(str(p.OK))
        self.close()
        return f.text()

    def bind(self, owner: str, here: str) -> None:
        row = self.row
        for slot, leaves in ((row.self_slot, ["%piece"]), (row.owner_slot, [owner]), (row.here_slot, [here])):
            if slot is not None:
                self.assign(slot, leaves)
        for param, slot in row.binds:
            self.assign(slot, self.argument(param))
