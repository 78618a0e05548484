"""What functions for types have in common: `put`, `get` (`shapes.py`), `order`, `test` (`likeness.py`), each written once for a type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.backends.native.emit import Fn
from croupier.backends.native.words import NONE
from croupier.semantics import types as t

if TYPE_CHECKING:
    from croupier.backends.native.printer import Printer

NONE_TEXT = str(NONE)


class Typed:
    """Functions by what they do and for which type."""

    def __init__(self, printer: Printer) -> None:
        self.printer, self.words, self.facts = printer, printer.words, printer.facts
        self._names: dict[object, str] = {}

    def named(self, key: tuple[object, ...], write: Callable[[str], Fn]) -> str:
        if key not in self._names:
            self._names[key] = name = f"{key[0]}.{len(self._names)}"
            self.printer.texts.append(write(name).text())
        return self._names[key]


def optional(kind: t.Type) -> t.Type:
    """The type of a value that may be missing."""
    return kind if isinstance(kind, t.Optional) else t.Optional(kind)
