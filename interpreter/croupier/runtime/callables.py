"""What compiled code is: functions of a machine and the locals of a frame; what a statement answers when it leaves its block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.runtime.game import KEPT, Value

Run = Callable[[Any, list[Any]], Value]
Do = Callable[[Any, list[Any]], Any]
Setter = Callable[[Any, list[Any], Value], None]

RETURN, BREAK, CONTINUE = "return", "break", "continue"


def write_back(back: list[Setter], m: Any, L: list[Any]) -> None:
    """After a call: its `var` parameters are what the caller named."""
    for write, v in zip(back, m.retval_vars, strict=True):
        if v is not KEPT:
            write(m, L, v)
