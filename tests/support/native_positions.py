"""Native programs and positions without the public state: each position has memory of its own, and is
compared with others.
"""

from __future__ import annotations

from functools import cached_property

from croupier.core.operations import SEVERAL
from croupier.core.types import CoreProgram
from croupier.execution.codec import CorePosition
from croupier.execution.llvm_compiler import ExecutionEngine, NativeMemory, compile_object
from croupier.execution.native_workspace import read_position, write_position
from croupier.printers.llvm import SPARE_COPIES, llvm_source
from croupier.printers.llvm_builder import ENTRY_POINTS
from croupier.printers.llvm_layout import ACTIONS, WEIGHTS, Header, Status, ThreadContext


class NativeProgram:
    """A core program, after the passes, compiled and loaded.

    `fuel`: steps that an action may take; `optimize`: compile with optimisation.
    """

    def __init__(self, program: CoreProgram, fuel: int, *, optimize: bool = True) -> None:
        made = llvm_source(program, fuel)
        self.layout, self.program = made.layout, program
        self.engine = ExecutionEngine(compile_object(made.text, optimize=optimize))
        self.start = self.engine.function("game.start", ENTRY_POINTS["game.start"])
        self.apply = self.engine.function("game.apply", ENTRY_POINTS["game.apply"])
        self.prepare_offers = self.engine.function("game.settle", ENTRY_POINTS["game.settle"])

    @cached_property
    def context(self) -> NativeMemory:
        """The context of the thread: spare memory for look-ahead."""
        size = self.layout.scratch_words + self.layout.end
        made = NativeMemory(ThreadContext.WORDS + SPARE_COPIES * size)
        made.view[ThreadContext.SPARE] = made.address + 8 * ThreadContext.WORDS
        made.view[ThreadContext.SPARE_END] = made.view[ThreadContext.SPARE] + 8 * SPARE_COPIES * size
        return made


class NativePosition:
    """A position in memory of its own."""

    def __init__(self, program: NativeProgram, other: NativePosition | None = None) -> None:
        layout = program.layout
        self.program, self.offers_prepared, self.failed = program, False, False
        self.memory = NativeMemory(layout.scratch_words + layout.end)
        self.words = self.memory.view[layout.scratch_words :]
        self.address = self.memory.address + 8 * layout.scratch_words
        self.words[Header.CONTEXT] = program.context.address
        if other is not None:
            self.memory.view[:] = other.memory.view[:]
            self.offers_prepared, self.failed = other.offers_prepared, other.failed
        else:
            self._finish(program.start(self.address))

    def copy(self) -> NativePosition:
        """An independent copy."""
        return NativePosition(self.program, self)

    def apply(self, action: int, seat: int = 0) -> None:
        """Apply an action of a seat, or an outcome of chance."""
        self._finish(self.program.apply(self.address, action, seat))

    def load(self, at: CorePosition, seat: int, offers: list[tuple[int, int]]) -> None:
        """Set the position to an encoded one, with `seat` to act and `offers`: actions with weights."""
        scratch = self.memory.view[: self.program.layout.scratch_words]
        write_position(self.program.layout, self.words, scratch, at, seat, offers)
        self.offers_prepared = self.failed = False

    def _finish(self, status: int) -> None:
        self.offers_prepared, self.failed = False, status not in (Status.WAITS, Status.OVER)

    # ------------------------------------------------------------ reading
    @property
    def seat(self) -> int:
        """The seat to act, `CHANCE` or `SEVERAL`."""
        return self.words[Header.SEAT]

    @property
    def fuel(self) -> int:
        """Fuel that was left after the last action: that of the action or of its searches, whichever is
        less.
        """
        return min(self.words[Header.FUEL], self.words[Header.SEARCH_FUEL])

    def read(self) -> CorePosition:
        """The position as values."""
        return read_position(self.program.layout, self.words)

    # ------------------------------------------------------------ legal actions
    def prepare_offers(self) -> None:
        """Sort the legal actions, and remove those from which a look-ahead finds no end."""
        if not self.offers_prepared and not self.failed:
            status = self.program.prepare_offers(self.address)
            self._finish(status)
            self.offers_prepared = True

    def options(self, seat: int) -> list[int]:
        """The legal actions of a seat, ascending; empty if the search for them failed."""
        self.prepare_offers()
        if self.failed:
            return []
        found = self.outcomes()
        if self.seat == SEVERAL:
            return sorted({a for a, whose in found if whose == seat})
        return [a for a, _ in found]

    def outcomes(self) -> list[tuple[int, int]]:
        """The legal actions with their weights; where several choose, with their seats."""
        self.prepare_offers()
        words = self.memory.view
        first = self.program.layout.scratch_words
        count = self.words[Header.OFFER_COUNT]
        actions = words[first + ACTIONS :][:count].tolist()
        weights = words[first + WEIGHTS :][:count].tolist() if self.words[Header.WEIGHTED] else [1] * count
        return list(zip(actions, weights, strict=True))
