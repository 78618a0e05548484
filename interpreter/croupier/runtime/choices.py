"""Choices by the names under which `legality.py` knows them: a decision with one source.

To be dropped when that reads candidates.
"""

from __future__ import annotations

from croupier.kernel import types as t
from croupier.kernel.tree import ChooseStmt
from croupier.runtime.asking import AskOp, EverySeat
from croupier.runtime.candidates import Candidate, ChoiceSource, Condition
from croupier.runtime.equal_components import Copies
from croupier.runtime.game import Value
from croupier.runtime.machine import Frame, Locals, Machine, Run

OptionCondition = Condition


class ChooseOp(AskOp):
    """`choose` of one thing, by one seat, several at once, or chance."""

    tree: ChooseStmt
    decline = "no"
    worded = False

    @property
    def chosen_from(self) -> ChoiceSource:
        source = self.sources[0]
        assert isinstance(source, ChoiceSource)
        return source

    @property
    def source(self) -> Run:
        return self.chosen_from.values

    @property
    def base(self) -> t.Type:
        return self.chosen_from.kinds[0]

    @property
    def item(self) -> int:
        return self.chosen_from.bindings[0].slot

    @property
    def where(self) -> Run | None:
        return next((c.test for c in self.chosen_from.clauses if c.kind == "where"), None)

    @property
    def conditions(self) -> list[Condition]:
        return self.chosen_from.conditions

    @property
    def label_fixed(self) -> str | None:
        return self.chosen_from.label_fixed

    @property
    def merging(self) -> bool:
        return bool(self.chosen_from.merging)

    @property
    def alike(self) -> Copies | None:
        return self.game.alike if self.chosen_from.is_alike else None

    @property
    def finite(self) -> bool:
        return self.chosen_from.is_numbered

    @property
    def low(self) -> int:
        return self.chosen_from.bindings[0].low

    @property
    def shift(self) -> int:
        return self.chosen_from.first

    def passes(self, m: Machine, L: Locals, v: Value) -> bool:
        L[self.item] = v
        return self.chosen_from.failure(m, L) is None

    def words(self, m: Machine, fr: Frame, v: Value) -> str:
        return Candidate(-1, self.chosen_from, (v,)).words(m, fr)


class EveryOp(ChooseOp):
    """`choose … by every p in ps`."""

    def for_seat(self, fr: Frame, seat: int) -> Frame:
        assert isinstance(self.asked, EverySeat)
        return self.asked.frame(fr, seat)
