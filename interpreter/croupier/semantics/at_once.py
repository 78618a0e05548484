"""A block that several players go through at once: a statement of the checker, and no form of the kernel.

The checker makes it, elaboration writes two loops in its place (`rewrites.py`).
"""

from __future__ import annotations

from croupier.kernel.facts import Facts, Waits
from croupier.kernel.tree import TypedStmt
from croupier.records import dataclass


@dataclass(slots=True, kw_only=True)
class AtOnceStmt(TypedStmt):
    """A block that several players go through at once; the slots from `first` to before `end` are those of
    the block.
    """

    OP = "at_once"
    FACTS = Facts(waits=Waits.SEATS, noun="another block of this kind")
    slot: int
    first: int
    end: int
