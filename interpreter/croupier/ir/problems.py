"""What the verifier finds: places in a module, and what is wrong there. A problem is a mistake of the lowering, never of an author."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """`check` names the invariant, `routine` and `block` the place (block: none if it is about the whole routine)."""

    check: str
    routine: str
    block: int | None
    text: str

    def __str__(self) -> str:
        place = self.routine if self.block is None else f"{self.routine}, block {self.block}"
        return f"{self.check}: {place}: {self.text}"
