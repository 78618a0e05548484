"""Menus by the names under which `legality.py` knows them: a decision with a source for each option.

To be dropped when that reads candidates.
"""

from __future__ import annotations

from collections.abc import Iterator

from croupier.kernel.tree import MenuStmt
from croupier.runtime.asking import AskOp
from croupier.runtime.candidates import OptionSource, Values
from croupier.runtime.machine import Locals, Machine, Run


class MenuEntry(OptionSource):
    """An option of a menu."""


class MenuOp(AskOp):
    """`choose by p:` with options, and the reactions of a window if it names one."""

    tree: MenuStmt
    window: int | None = None
    window_args: list[Run]

    @property
    def entries(self) -> tuple[MenuEntry, ...]:
        return self.sources  # type: ignore[return-value]

    def entry(self, action: int) -> int:
        """The index of the option that an action stands for."""
        return max(i for i, e in enumerate(self.entries) if e.first <= action)

    def combinations(
        self, m: Machine, L: Locals, e: MenuEntry, depth: int, values: Values, indices: tuple[int, ...]
    ) -> Iterator[tuple[Values, int]]:
        return ((e.bound(L), index) for index in e.rows(m, L))
