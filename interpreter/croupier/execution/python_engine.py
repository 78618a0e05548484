"""The core as compiled Python: positions that take actions, tell what is on offer, and can be copied."""

from __future__ import annotations

from typing import Any

from croupier.core.operations import NONE, SEVERAL
from croupier.core.types import Program
from croupier.execution.codec import Frame
from croupier.printers.python import FrameLayout, python_source


class PythonProgram:
    """A program that went through the passes, compiled. `fuel`: steps that an action may take."""

    def __init__(self, program: Program, fuel: int) -> None:
        made = python_source(program)
        self.text, self.layouts = made.text, made.frames
        self.functions = {n: s.function for n, s in program.states.items()}
        self.memories = [m.name for m in program.memories.values() if not m.constant]
        space: dict[str, Any] = {"FUEL": fuel}
        exec(compile(self.text, f"<core of {program.name}>", "exec"), space)
        self.begin, self.apply, self.initial = space["begin"], space["apply"], space["initial"]


class PythonPosition:
    """A position of compiled Python, as the codec and drivers see it."""

    def __init__(self, program: PythonProgram, position: Any = None) -> None:
        self.program = program
        self.S = program.begin() if position is None else position

    def copy(self) -> PythonPosition:
        """An independent copy."""
        return PythonPosition(self.program, self.S.copy())

    def apply(self, action: int, seat: int = 0) -> None:
        """An action of a seat, or an outcome of chance."""
        self.program.apply(self.S, action, seat)

    # ------------------------------------------------------------ what is there
    @property
    def failed(self) -> bool:
        """Did the last action fail?"""
        return bool(self.S.failed)

    @property
    def seat(self) -> int:
        """Who is asked."""
        return int(self.S.seat)

    @property
    def memories(self) -> dict[str, list[int]]:
        """The arrays of the state."""
        return {name: getattr(self.S, name) for name in self.program.memories}

    @property
    def zones(self) -> list[list[int]]:
        """What lies in the zones."""
        return self.S.Z  # type: ignore[no-any-return]

    @property
    def loose(self) -> list[int]:
        """Which places of the zones go on in an unordered part."""
        return self.S.U  # type: ignore[no-any-return]

    @property
    def frames(self) -> list[Frame]:
        """The frames, lowest first."""
        return [self._frame(f) for f in self.S.frames]

    def _frame(self, f: list[Any]) -> Frame:
        layout: FrameLayout = self.program.layouts[self.program.functions[f[0]]]
        return Frame(f[0], {n: f[at] for n, at in layout.words.items() if f[at] != NONE}, {n: f[at] for n, at in layout.arrays.items()})

    # ------------------------------------------------------------ what is on offer
    def options(self, seat: int) -> list[int]:
        """The actions on offer, ascending; where several choose at once, those of a seat."""
        if self.seat == SEVERAL:
            return sorted({a for a, whose in self.outcomes() if whose == seat})
        return sorted(set(self.S.O))

    def outcomes(self) -> list[tuple[int, int]]:
        """What may happen by chance, with weights, as put down."""
        return [(a, 1) for a in self.S.O] if self.S.K is None else list(zip(self.S.O, self.S.K, strict=True))
