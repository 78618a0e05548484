"""What may be said, kept from one time to the next, in native code.

Whether a claim may be made depends on the state alone, and mostly on a few variables that seldom change. So what a seat may say is kept as bits, one
for every combination of fields, beside the rest of the state, until one of those variables is written. With them stands the fuel that it took and
1 more, which is paid again each time; 0 where nothing is kept.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from croupier.backends.native.words import WORD
from croupier.semantics.program import VarDef

if TYPE_CHECKING:
    from croupier.backends.native.body import Body
    from croupier.backends.native.printer import Printer

MOST = 4096  # combinations


class Sayings:
    """Which claims there are, and where what may be said is kept."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.game = printer, printer.game
        self.at = -1
        if printer.module.claims and self.reads is not None and self.count <= MOST:
            self.at = printer.plan.more(self.game.players * self.size)

    @cached_property
    def count(self) -> int:
        """How many combinations there are, of all claims."""
        return sum(prod(len(self.game.values(kind)) for _, kind in claim.fields) for claim in self.game.program.claims)

    @property
    def words(self) -> int:
        """Words of bits for one seat."""
        return -(-self.count // WORD)

    @property
    def size(self) -> int:
        return 1 + self.words

    @cached_property
    def reads(self) -> set[str] | None:
        """The variables that conditions read; none if they read something else too."""
        found = {r for routine in self.printer.module.claims for r in routine.effects.reads}
        return {name for _, name in found} if all(kind == "state" for kind, _ in found) else None

    def forget(self, body: Body, v: VarDef) -> None:
        """A variable was written."""
        if self.at >= 0 and v.name in (self.reads or ()):
            for seat in range(self.game.players):
                body.put(self.at + seat * self.size, "0")
