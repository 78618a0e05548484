"""Native programs and positions without the public state: each position has memory of its own.

For tests, which compare them with others.
"""

from __future__ import annotations

from functools import cached_property

from croupier.core.operations import SEVERAL
from croupier.core.types import CoreProgram
from croupier.execution.codec import EncodedPosition, FrameValues
from croupier.execution.llvm_compiler import ExecutionEngine, NativeMemory, compile_object
from croupier.execution.native_workspace import PositionReader, write_position
from croupier.printers.llvm import SPARE_COPIES, PlayoutOptions, direct_source, llvm_source
from croupier.printers.llvm_layout import ACTIONS, WEIGHTS, Header, Status, ThreadContext


class NativeProgram:
    """A core program, after the passes, compiled and loaded.

    `fuel`: steps that an action may take; `playouts`: the options of playouts, None without them;
    `playouts_only`: the program was not cut into states, and runs playouts only; `optimize`: compile with
    optimisation.
    """

    def __init__(
        self,
        program: CoreProgram,
        fuel: int,
        playouts: PlayoutOptions | None = None,
        *,
        playouts_only: bool = False,
        optimize: bool = True,
    ) -> None:
        if playouts_only and playouts is not None:
            made = direct_source(program, fuel, playouts)
        else:
            made = llvm_source(program, fuel, playouts)
        self.text, self.layout, self.program = made.text, made.layout, program
        self.engine = ExecutionEngine(compile_object(made.text, optimize=optimize))
        if not playouts_only:
            self.start = self.engine.function("game.start", "a")
            self.apply = self.engine.function("game.apply", "ann")
            self.prepare_offers = self.engine.function("game.settle", "a")
        if playouts is not None and not playouts_only:
            self.roll = self.engine.function("game.roll", "aaanna")
        if playouts is not None:
            self.batch = self.engine.function("game.batch", "aanna")
            self.playouts = self.engine.function("game.playouts", "aana")

    @cached_property
    def context(self) -> NativeMemory:
        """The context of the thread: spare memory for look-ahead."""
        size = self.layout.scratch_words + self.layout.end
        made = NativeMemory(ThreadContext.WORDS + SPARE_COPIES * size)
        made.view[ThreadContext.SPARE] = made.address + 8 * ThreadContext.WORDS
        made.view[ThreadContext.SPARE_END] = made.view[ThreadContext.SPARE] + 8 * SPARE_COPIES * size
        return made


class NativePosition:
    """A position in memory of its own, with the interface of the codec (`codec.Position`) and of drivers in
    tests.
    """

    def __init__(
        self, program: NativeProgram, other: NativePosition | None = None, begin: bool = True
    ) -> None:
        layout = program.layout
        self.program, self.offers_prepared, self.failed = program, False, False
        self.memory = NativeMemory(layout.scratch_words + layout.end)
        self.words = self.memory.view[layout.scratch_words :]
        self.address = self.memory.address + 8 * layout.scratch_words
        self.words[Header.CONTEXT] = program.context.address
        self._reader = PositionReader(layout, self.words)
        if other is not None:
            self.memory.view[:] = other.memory.view[:]
            self.offers_prepared, self.failed = other.offers_prepared, other.failed
        elif begin:
            self._finish(program.start(self.address))

    def copy(self) -> NativePosition:
        """An independent copy."""
        return NativePosition(self.program, self)

    def apply(self, action: int, seat: int = 0) -> None:
        """Apply an action of a seat, or an outcome of chance."""
        self._finish(self.program.apply(self.address, action, seat))

    def load(self, at: EncodedPosition, seat: int, offers: list[tuple[int, int]]) -> None:
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

    @property
    def memories(self) -> dict[str, list[int]]:
        """The arrays of the state, by name."""
        return self._reader.memories

    @property
    def zones(self) -> list[list[int]]:
        """The components of each zone, from the bottom up."""
        return self._reader.zones

    @property
    def loose(self) -> list[int]:
        """A bit mask for each zone: see `PositionReader.loose`."""
        return self._reader.loose

    @property
    def frames(self) -> list[FrameValues]:
        """The stack of frames, lowest first."""
        return self._reader.frames

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
