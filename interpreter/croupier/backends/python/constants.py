"""The constants table: everything in compiled code that is not a small number, and everything an author wrote."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

SHORT = 6  # elements of a tuple of plain numbers that is written out


class Constants:
    """Values by generated names, `K0`, `K1`, …"""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self._made: dict[Hashable, str] = {}
        self._same: dict[Hashable, str] = {}

    def text(self, value: Any, opaque: bool = False) -> str:
        """How a value is written: in digits, or by the name it is kept under."""
        if not opaque:
            if value is None or value is True or value is False:
                return str(value)
            if type(value) is int:
                return str(value) if value >= 0 else f"({value})"
            if type(value) is tuple and len(value) <= SHORT and all(type(v) is int and v >= 0 for v in value):
                return "(" + ", ".join(map(str, value)) + ("," if len(value) == 1 else "") + ")"
            key = ("same", repr(value))
            if key not in self._same:
                self._same[key] = self.keep(value)
            return self._same[key]
        key2 = ("id", id(value))
        if key2 not in self._made:
            self._made[key2] = self.keep(value)
        return self._made[key2]

    def made(self, key: Hashable, make: Callable[[], Any]) -> str:
        """The name of a table that is made once."""
        if key not in self._made:
            self._made[key] = self.keep(make())
        return self._made[key]

    def keep(self, value: Any) -> str:
        name = f"K{len(self.values)}"
        self.values[name] = value
        return name
