"""Which passes a program goes through before it is printed or interpreted."""

from __future__ import annotations

from croupier.core.types import Program
from croupier.passes.joining import joined
from croupier.passes.states import cut


def ready(program: Program) -> Program:
    """A program whose functions that wait are cut into states, no more than it needs."""
    return joined(cut(program))
