"""Texts in native code: numbers of known ones. Only what a game ends with is ever worked out, the rest is told to nobody here."""

from __future__ import annotations

from itertools import product

from croupier.backends.native.operations import Operations
from croupier.backends.native.places import Leaves
from croupier.ir.instructions import Instruction
from croupier.ir.terminators import Finish
from croupier.semantics import types as t

UNKNOWN = "-2"  # a text that no table holds: a game that ends with it deviates
MOST_TEXTS = 512  # that one place may make


class Texts(Operations):
    """Instructions that make texts."""

    def o_text(self, i: Instruction) -> Leaves:
        parts, kinds = i.data, [self.kind(a) for a in i.args]
        if not i.args:
            return [str(self.printer.constants.text("".join(parts)))]
        if not any(isinstance(b.end, Finish) and b.end.grade in i.into for b in self.routine.blocks):
            return [UNKNOWN]
        if parts == (None,) and isinstance(kinds[0], t.Text):
            return self.leaves(i.args[0])
        if not all(isinstance(k, (t.Bool, t.Enum, t.Player, t.Cell, t.Int)) and self.game.is_finite(k) for k in kinds):
            return [UNKNOWN]
        domains = [self.game.domain(k) for k in kinds]
        values = [self.game.values(k) for k in kinds]
        rows = list(product(*values)) if all(n <= MOST_TEXTS for _, n in domains) else []
        if not 0 < len(rows) <= MOST_TEXTS:
            return [UNKNOWN]
        at = "0"
        for a, (low, count) in zip(i.args, domains, strict=True):
            self.outside(self.one(a), low, low + count - 1)
            at = self.fn.add(self.fn.mul(at, str(count)), self.fn.sub(self.one(a), str(low)))
        texts = [self.filled(parts, [self.game.show(v, k) for v, k in zip(row, kinds, strict=True)]) for row in rows]
        return [self.printer.constants.lookup(self.fn, [str(self.printer.constants.text(x)) for x in texts], at)]

    def filled(self, parts: tuple[str | None, ...], shown: list[str]) -> str:
        """Words with values in them."""
        fresh = iter(shown)
        return "".join(next(fresh) if part is None else part for part in parts)
