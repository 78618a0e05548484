"""The atoms of a YAML file: its signs, scalars and comments, in the order of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

STEP = 2
_GAP = re.compile(r"#[^\r\n]*|---|\.\.\.|[-?:,{}\[\]]")


@dataclass(frozen=True, slots=True)
class Atom:
    """One piece of a file: `[start:end)` in the source; `column` counts from 0 and is that of the layout to
    be made.

    `opens` tells whether a level of indentation begins here (a key, a dash); `flow` whether it stands between
    brackets; `node` is the scalar, if it is one; `apart` asks for a blank line before it.
    """

    start: int
    end: int
    kind: str  # scalar, sign, comment
    column: int
    flow: bool
    opens: bool = False
    node: YamlScalar | None = None
    apart: bool = False


class Atoms:
    """Finds the atoms of a document without mistakes, in order."""

    def __init__(self, root: YamlNode) -> None:
        self.text = root.span.source.text
        self.at = 0
        self.found: list[Atom] = []
        self.marks: set[int] = set()  # where a blank line is wanted
        self._walk(root, 0, False)
        self._gap(len(self.text), 0, False)
        self._set_apart(root)

    def __iter__(self) -> Iterator[Atom]:
        return (replace(a, apart=True) if a.start in self.marks else a for a in self.found)

    # ------------------------------------------------------------ walking
    def _walk(self, node: YamlNode, column: int, flow: bool) -> None:
        self._gap(node.span.start, column, flow)
        if isinstance(node, YamlScalar):
            if node.span.end > node.span.start:
                self._scalar(node, column, flow)
        elif isinstance(node, (YamlMapping, YamlSequence)) and (node.flow or flow):
            self._flow(node, column)
        elif isinstance(node, YamlMapping):
            for key, value in node.entries:
                self._gap(key.span.start, column, False)
                self._scalar(key, column, False, opens=True)
                self._walk_value(value, column)
        elif isinstance(node, YamlSequence):
            for item in node.items:
                self._gap(item.span.start, column, False)
                self._walk(item, column + STEP, False)

    def _walk_value(self, value: YamlNode, column: int) -> None:
        self._gap(value.span.start, column, False)
        self._walk(value, column + STEP, False)

    def _flow(self, node: YamlMapping | YamlSequence, column: int) -> None:
        bracket = self.text[node.span.start] in "[{" and not (
            isinstance(node, YamlMapping) and self._pair(node)
        )
        if bracket:
            self._sign(node.span.start, column)
        parts = (
            node.items
            if isinstance(node, YamlSequence)
            else tuple(part for entry in node.entries for part in entry)
        )
        for part in parts:
            self._walk(part, column, True)
        if bracket:
            self._gap(node.span.end - 1, column, True)
            self._sign(node.span.end - 1, column)

    @staticmethod
    def _pair(node: YamlMapping) -> bool:
        """Tell whether a mapping is a single pair in a list, without braces: `[a: 1]`."""
        return bool(node.entries) and node.entries[0][0].span.start == node.span.start

    # ------------------------------------------------------------ atoms
    def _scalar(self, node: YamlScalar, column: int, flow: bool, opens: bool = False) -> None:
        self.found.append(Atom(node.span.start, node.span.end, "scalar", column, flow, opens, node))
        self.at = node.span.end

    def _sign(self, start: int, column: int) -> None:
        self.found.append(Atom(start, start + 1, "sign", column, True))
        self.at = start + 1

    def _gap(self, end: int, column: int, flow: bool) -> None:
        """The signs and comments from where we are up to `end`."""
        for found in _GAP.finditer(self.text, self.at, max(self.at, end)):
            text = found.group()
            kind = "comment" if text.startswith("#") else "sign"
            self.found.append(
                Atom(found.start(), found.end(), kind, column, flow, text in ("-", "?") and not flow)
            )
        self.at = max(self.at, end)

    # ------------------------------------------------------------ blank lines
    def _set_apart(self, root: YamlNode) -> None:
        """Blank lines stand around the sections of several lines, the titles in `definitions`, and the items
        of a list such as `scenarios`.
        """
        if isinstance(root, YamlSequence) and not root.flow:
            self._between([(self._dash(item), item) for item in root.items])
        if not isinstance(root, YamlMapping) or root.flow:
            return
        self._between([(key.span.start, value) for key, value in root.entries])
        for key, value in root.entries:
            if key.text == "definitions" and isinstance(value, YamlMapping) and not value.flow:
                self._between([(title.span.start, text) for title, text in value.entries])
            elif isinstance(value, YamlSequence) and not value.flow:
                self._between([(self._dash(item), item) for item in value.items])

    def _between(self, parts: list[tuple[int, YamlNode]]) -> None:
        tall = [
            "\n" in self.text[start : max(start, node.span.end)] or "\r" in self.text[start : node.span.end]
            for start, node in parts
        ]
        self.marks |= {start for k, (start, _) in enumerate(parts) if k and (tall[k] or tall[k - 1])}

    def _dash(self, item: YamlNode) -> int:
        return (
            self.text.rfind("-", 0, item.span.start) if item.span.end > item.span.start else item.span.start
        )
