"""What compiled code is: functions of a machine and the locals of a frame; what a statement answers when it leaves its block."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from croupier.runtime.game import KEPT, Value
from croupier.runtime.machine import Machine

Locals = list[Value]
Run = Callable[[Machine, Locals], Value]
Walk = Callable[[Machine, Locals], Iterable[None]]  # steps once for each element, whose locals it sets
Do = Callable[[Machine, Locals], object]
Setter = Callable[[Machine, Locals, Value], None]

RETURN, BREAK, CONTINUE = "return", "break", "continue"


def write_back(back: list[Setter], m: Machine, L: Locals) -> None:
    """After a call: its `var` parameters are what the caller named."""
    for write, v in zip(back, m.retval_vars, strict=True):
        if v is not KEPT:
            write(m, L, v)
