"""Folding ranges: groups and lists of the YAML, blocks of rule text by indentation, runs of comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.diagnostics import Source
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, read


@dataclass(frozen=True, order=True)
class Fold:
    """Lines from 0, both included; the first one stays visible."""

    first: int
    last: int
    comment: bool = False


def folds(source: Source) -> list[Fold]:
    """Return the ranges of a document that can be folded, as far as it can be read."""
    root, _ = read(source)
    found = {*_comments(source)}
    if root is not None:
        found |= {fold for fold in _folds(root, source) if fold.last > fold.first}
    return sorted(found)


def _folds(node: YamlNode, source: Source, key: int | None = None) -> Iterator[Fold]:
    """The folds of a node; `key` is the line of the key that it belongs to, which stays visible."""
    first = _line(source, node.span.start)
    if not isinstance(node, YamlScalar) or node.style in ("literal", "folded"):
        yield Fold(first if key is None else key, _last(source, node))
    match node:
        case YamlMapping():
            for name, value in node.entries:
                yield from _folds(value, source, _line(source, name.span.start))
        case YamlSequence():
            for item in node.items:
                yield from _folds(item, source)
        case YamlScalar(style="literal"):
            yield from _blocks(source, first + 1, _last(source, node))


def _blocks(source: Source, first: int, last: int) -> Iterator[Fold]:
    """The blocks between two lines: a line and what is indented more below it."""
    opened: list[tuple[int, int]] = []
    filled = first
    for number in range(first, last + 1):
        text = source.line(number + 1)
        if not text.strip():
            continue
        indent = len(text) - len(text.lstrip())
        while opened and opened[-1][1] >= indent:
            yield Fold(opened.pop()[0], filled)
        opened.append((number, indent))
        filled = number
    for start, _ in opened:
        yield Fold(start, filled)


def _comments(source: Source) -> Iterator[Fold]:
    first: int | None = None
    for number in range(source.line_count + 1):
        comment = number < source.line_count and source.line(number + 1).lstrip().startswith("#")
        if comment and first is None:
            first = number
        elif not comment and first is not None:
            if number - first > 1:
                yield Fold(first, number - 1, True)
            first = None


def _line(source: Source, offset: int) -> int:
    return source.position(offset)[0] - 1


def _last(source: Source, node: YamlNode) -> int:
    """The last line of a node that holds more than blanks."""
    return _line(source, max(node.span.start, node.span.start + len(node.span.text.rstrip()) - 1))
