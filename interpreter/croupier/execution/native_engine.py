"""The core as native code: positions that take actions, tell what is on offer, and can be copied."""

from __future__ import annotations

from array import array
from functools import cached_property

from croupier.core.operations import CHANCE, NONE, SEVERAL
from croupier.core.types import CoreProgram
from croupier.execution.codec import FrameWords, Stand
from croupier.execution.llvm_compiler import Engine, NativeMemory, object_code
from croupier.execution.native_desk import NativeReading
from croupier.passes.bitsets import refresh
from croupier.printers import llvm_layout as l
from croupier.printers.llvm import SPARE_COPIES, WholeGames, llvm_source, whole_source


class NativeProgram:
    """A program that went through the passes, compiled. `fuel`: steps that an action may take; `whole`: what whole games need, if they are played.

    `whole_only`: the program was not cut at waits, and plays whole games only. `careful`: see `object_code`.
    """

    def __init__(self, program: CoreProgram, fuel: int, whole: WholeGames | None = None, *, whole_only: bool = False, careful: bool = True) -> None:
        made = whole_source(program, fuel, whole) if whole_only and whole is not None else llvm_source(program, fuel, whole)
        self.text, self.layout, self.program = made.text, made.layout, program
        self.engine = Engine(object_code(made.text, careful=careful))
        if not whole_only:
            self.start = self.engine.function("game.start", "a")
            self.apply = self.engine.function("game.apply", "ann")
            self.settle = self.engine.function("game.settle", "a")
        if whole is not None and not whole_only:
            self.roll = self.engine.function("game.roll", "aaanna")
        if whole is not None:
            self.batch = self.engine.function("game.batch", "aanna")
            self.playouts = self.engine.function("game.playouts", "aana")

    @cached_property
    def context(self) -> NativeMemory:
        """What belongs to a thread."""
        size = self.layout.before + self.layout.end
        made = NativeMemory(l.CONTEXT_WORDS + SPARE_COPIES * size)
        made.view[l.SPARE] = made.address + 8 * l.CONTEXT_WORDS
        made.view[l.SPARE_END] = made.view[l.SPARE] + 8 * SPARE_COPIES * size
        return made


class NativePosition:
    """A position of native code, with memory of its own, as the codec and drivers see it."""

    def __init__(self, program: NativeProgram, other: NativePosition | None = None, begin: bool = True) -> None:
        layout = program.layout
        self.program, self.settled, self.failed = program, False, False
        self.memory = NativeMemory(layout.before + layout.end)
        self.words = self.memory.view[layout.before :]
        self.address = self.memory.address + 8 * layout.before
        self.words[l.CONTEXT] = program.context.address
        self._read = NativeReading(layout, self.words)
        if other is not None:
            self.memory.view[:] = other.memory.view[:]
            self.settled, self.failed = other.settled, other.failed
        elif begin:
            self.done(program.start(self.address))

    def copy(self) -> NativePosition:
        """An independent copy."""
        return NativePosition(self.program, self)

    def apply(self, action: int, seat: int = 0) -> None:
        """An action of a seat, or an outcome of chance."""
        self.done(self.program.apply(self.address, action, seat))

    def stand(self, at: Stand, seat: int, offers: list[tuple[int, int]]) -> None:
        """Stands at a position that was made elsewhere, with what is on offer there."""
        layout, words = self.program.layout, self.words
        refresh(at.memories)
        for name, memory in at.memories.items():
            if layout.at[name] >= 0:
                words[layout.at[name] : layout.at[name] + len(memory)] = array("q", memory)
        items, bits = words[layout.contents : layout.bits].cast("B").cast("H"), words[layout.bits : layout.stack].cast("B")
        for z, (held, loose) in enumerate(zip(at.zones, at.loose, strict=True)):
            words[layout.lengths + z] = len(held)
            for i, piece in enumerate(held):
                items[layout.zone_at[z] + i] = piece
                if layout.loosened:
                    bits[layout.zone_at[z] + i] = loose >> i & 1
        top, end = 0, layout.stack
        for f in at.frames:
            frame = layout.frames[layout.program.states[f.state].function]
            words[end : end + l.FRAME] = array("q", [f.state, top])
            for name, place in frame.words.items():
                words[end + place] = f.words.get(name, NONE)
            for name, place in frame.arrays.items():
                words[end + place : end + place + frame.sizes[name]] = array("q", f.arrays[name])
            top, end = end, end + frame.size
        heads = {l.TOP: top, l.END: end, l.DEPTH: len(at.frames), l.SEAT: seat, l.COUNT: len(offers), l.MESSY: 1, l.WEIGHED: 1, l.FORM: l.LISTED}
        for word, value in heads.items():
            words[word] = value
        if seat not in (CHANCE, SEVERAL):
            words[l.WEIGHED] = 0
        before = self.program.layout.before
        for i, (action, weight) in enumerate(offers):
            self.memory.view[before - 2 * l.MOST_OFFERS + i], self.memory.view[before - l.MOST_OFFERS + i] = action, weight
        self.settled = self.failed = False

    def done(self, status: int) -> None:
        self.settled, self.failed = False, status not in (l.WAITS, l.OVER)

    # ------------------------------------------------------------ what is there
    @property
    def seat(self) -> int:
        """Who is asked."""
        return self.words[l.SEAT]

    @property
    def fuel(self) -> int:
        """Steps that were left at the end of the last action, or for what it tried, if these are fewer."""
        return min(self.words[l.FUEL], self.words[l.TRIED])

    @property
    def memories(self) -> dict[str, list[int]]:
        """The arrays of the state."""
        return self._read.memories

    @property
    def zones(self) -> list[list[int]]:
        """What lies in the zones."""
        return self._read.zones

    @property
    def loose(self) -> list[int]:
        """Which places of the zones go on in an unordered part."""
        return self._read.loose

    @property
    def frames(self) -> list[FrameWords]:
        """The frames, lowest first."""
        return self._read.frames

    # ------------------------------------------------------------ what is on offer
    def settle(self) -> None:
        """Brings what is on offer in order, and strikes out what leads nowhere."""
        if not self.settled and not self.failed:
            status = self.program.settle(self.address)
            self.done(status)
            self.settled = True

    def options(self, seat: int) -> list[int]:
        """The actions on offer, ascending, after which every look-ahead can still end as it must; none if that cannot be found out."""
        self.settle()
        if self.failed:
            return []
        found = self.outcomes()
        return sorted({a for a, whose in found if whose == seat}) if self.seat == SEVERAL else [a for a, _ in found]

    def outcomes(self) -> list[tuple[int, int]]:
        """What may happen by chance, with weights."""
        self.settle()
        words, first, count = self.memory.view, self.program.layout.before, self.words[l.COUNT]
        actions = words[first - 2 * l.MOST_OFFERS :][:count].tolist()
        weights = words[first - l.MOST_OFFERS :][:count].tolist() if self.words[l.WEIGHED] else [1] * count
        return list(zip(actions, weights, strict=True))
