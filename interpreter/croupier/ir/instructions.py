"""Instructions: one operation each, a few slots in, mostly one slot out, never a jump and never a wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from croupier.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Instruction:
    """`into := op(args)`; `data` is what the operation needs besides: the name of a zone, a constant, the number of a routine.

    What `op` may be, and the types of its operands, is the table `OPERATIONS`. `span` is the author's text, for faults.
    """

    op: str
    into: tuple[int, ...]
    args: tuple[int, ...]
    data: Any
    span: Span
