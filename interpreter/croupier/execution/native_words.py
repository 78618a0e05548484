"""The words of a position of native code, read as the codec reads positions."""

from __future__ import annotations

from croupier.core.operations import NONE
from croupier.execution.codec import Frame
from croupier.printers import llvm_layout as l
from croupier.printers.llvm_layout import Layout


class NativeReading:
    """What lies where in some words, of which the first is that of the header."""

    def __init__(self, layout: Layout, words: memoryview[int]) -> None:
        self.layout, self.words = layout, words

    @property
    def memories(self) -> dict[str, list[int]]:
        """The arrays of the state."""
        layout = self.layout
        sizes = {m.name: m.size for m in layout.program.memories.values() if not m.constant}
        return {name: self.words[at : at + sizes[name]].tolist() for name, at in layout.at.items() if at >= 0}

    @property
    def zones(self) -> list[list[int]]:
        """What lies in the zones."""
        layout = self.layout
        items = self.words[layout.contents : layout.bits].cast("B").cast("H")
        return [items[at : at + self.words[layout.lengths + z]].tolist() for z, at in enumerate(layout.zone_at)]

    @property
    def loose(self) -> list[int]:
        """Which places of the zones go on in an unordered part."""
        layout = self.layout
        bits = self.words[layout.bits : layout.stack].cast("B")
        if not layout.loosened:
            return [0] * len(layout.zone_at)
        return [sum(bits[at + i] << i for i in range(self.words[layout.lengths + z])) for z, at in enumerate(layout.zone_at)]

    @property
    def frames(self) -> list[Frame]:
        """The frames, lowest first."""
        found: list[Frame] = []
        at = self.words[l.TOP]
        while at:
            found.insert(0, self._frame(at))
            at = self.words[at + l.BELOW]
        return found

    def _frame(self, at: int) -> Frame:
        state = self.words[at]
        layout = self.layout.frames[self.layout.program.states[state].function]
        words = {n: self.words[at + place] for n, place in layout.words.items()}
        arrays = {n: self.words[at + place : at + place + layout.sizes[n]].tolist() for n, place in layout.arrays.items()}
        return Frame(state, {n: w for n, w in words.items() if w != NONE}, arrays)
