"""What may be said, kept from one time to the next, in native code.

Whether a claim may be made mostly depends on a few variables that seldom change, often not even from one game to the next. So what a seat may say is
kept as bits, one for every combination of fields, with the words that those variables had then: it holds for as long as they are the same. It is no
part of a position: it lies before the arena. With it stands the fuel that it took and 1 more, which is paid again each time; 0 where nothing is kept.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.words import WORD
from croupier.backends.spoken import variables_of_claims

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

MOST = 4096  # combinations
WIDEST = 1024  # words of variables
SHORT = 16  # so many are compared on the spot


class Sayings:
    """Which claims there are, and where what may be said is kept."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.game = printer, printer.game
        self.at = 0  # nothing is kept
        if not printer.module.claims or printer.looks_ahead or self.reads is None:
            return
        if self.count <= MOST and self.width <= WIDEST:
            self.at = p.ARENA + printer.plan.spared
            printer.plan.spared += self.game.players * self.size

    @cached_property
    def count(self) -> int:
        """How many combinations there are, of all claims."""
        return sum(prod(len(self.game.values(kind)) for _, kind in claim.fields) for claim in self.game.program.claims)

    @property
    def words(self) -> int:
        """Words of bits for one seat."""
        return -(-self.count // WORD)

    @property
    def width(self) -> int:
        """Words of the variables that conditions read."""
        return sum(size for _, size in self.variables)

    @property
    def size(self) -> int:
        return 1 + self.width + self.words

    # ------------------------------------------------------------ what conditions read
    @cached_property
    def variables(self) -> list[tuple[int, int]]:
        """Where the variables lie that conditions read, and their words."""
        plan, program = self.printer.plan, self.printer.facts.program
        found = [program.vars[name] for name in sorted(self.reads or ())]
        return [(plan.vars[v.index], self.printer.words.room(v.type)) for v in found]

    @cached_property
    def reads(self) -> frozenset[str] | None:
        """The variables that conditions read; none if they read something else too."""
        return variables_of_claims(self.printer.module, self.printer.known)

    # ------------------------------------------------------------ code
    def are_new(self, f: Fn, place: str) -> str:
        """Have the variables changed since what lies at a place was kept? An i1."""
        different, k = "0", 1
        for at, size in self.variables:
            if size > SHORT:
                args = [f"ptr {f.at('%S', at)}", f"ptr {f.at(place, k)}", f"i64 {size}"]
                different = f.binary("or", different, f.call(self.printer.once("words.differ", differing), args))
            for n in range(size if size <= SHORT else 0):
                changed = f.binary("xor", f.load(f.at("%S", at + n)), f.load(f.at(place, k + n)))
                different = f.binary("or", different, changed)
            k += size
        return f.either(f.test("eq", f.load(place), "0"), f.test("ne", different, "0"))

    def note(self, f: Fn, place: str) -> None:
        """Keep the words that the variables have now."""
        k = 1
        for at, size in self.variables:
            f.copy(f.at(place, k), f.at("%S", at), str(size))
            k += size


def differing() -> str:
    """`words.differ(a, b, n)`: is one of so many words not the same? 1 or 0."""
    f = Fn("words.differ", [("a", "ptr"), ("b", "ptr"), ("n", "i64")], apart=True)
    with f.counting("0", "%n") as k, f.when(f.test("ne", f.load(f.at("%a", k)), f.load(f.at("%b", k)))):
        f.give("1")
    f.give("0")
    return f.text()
