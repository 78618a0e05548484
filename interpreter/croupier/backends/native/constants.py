"""Constants of native code: lists and maps as globals, texts by number."""

from __future__ import annotations

from typing import Any

from croupier.backends.native.emit import Fn
from croupier.backends.native.words import NONE, Words, signed
from croupier.semantics import types as t


class Constants:
    """The globals of a module. Equal ones are the same. Before a list of cells of a small board stand the cells as bits."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.lines: list[str] = []
        self.texts: list[str] = []
        self._names: dict[str, str] = {}

    def array(self, elements: list[str]) -> str:
        """A global array of words."""
        body = f"[{len(elements)} x i64] [{', '.join(f'i64 {e}' for e in elements)}]"
        if body not in self._names:
            self._names[body] = f"@K{len(self._names)}"
            self.lines.append(f"{self._names[body]} = internal constant {body}")
        return self._names[body]

    def bytes(self, text: str) -> str:
        """A global of the bytes of a text in ASCII."""
        body = f"[{len(text)} x i8] [{', '.join(f'i8 {b}' for b in text.encode('ascii'))}]"
        if body not in self._names:
            self._names[body] = f"@K{len(self._names)}"
            self.lines.append(f"{self._names[body]} = internal constant {body}")
        return self._names[body]

    def text(self, text: str) -> int:
        """The number of a text."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def leaves(self, value: Any, kind: t.Type) -> list[str]:
        """The words of a known value."""
        match kind:
            case _ if value is None:
                return [str(NONE)] * self.words.width(kind)
            case t.Optional():
                return self.leaves(value, kind.base)
            case t.Record():
                return [w for v, k in zip(value, self.words.fields(kind), strict=True) for w in self.leaves(v, k)]
            case t.Collection() | t.Endless():
                base = self.words.base(kind)
                items = tuple(value)
                bits = self.words.bits(base, items)
                before = [str(len(items))] if bits is None else [signed(bits), str(len(items))]
                name = self.array([*before, str(len(items)), *(w for v in items for w in self.leaves(v, base))])
                return [f"ptrtoint (ptr getelementptr (i64, ptr {name}, i64 {len(before)}) to i64)"]
            case t.Map():
                return [f"ptrtoint (ptr {self.array([w for v in value for w in self.leaves(v, kind.value)])} to i64)"]
            case t.Text():
                return [str(self.text(value))]
        return [str(int(value))]

    def lookup(self, f: Fn, rows: list[str], index: str) -> str:
        """An element of a table of words."""
        if index.lstrip("-").isdigit():
            return rows[int(index)]
        return f.load(f.at(self.array(rows), index))
