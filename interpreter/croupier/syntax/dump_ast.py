"""Nodes as text, for `croupier dump`: one node a line, children indented, the author's line number in
front.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from croupier.diagnostics import Span
from croupier.syntax.nodes import Cite, Node

LEFT_OUT = {"span", "name_span", "kind_span", "window_span", "cites", "raw"}


def dump_node(node: Any, indent: int = 0, label: str = "") -> Iterator[str]:
    """The lines of a node, or of several."""
    if isinstance(node, tuple):
        for i in node:
            yield from dump_node(i, indent, label)
        return
    plain: list[str] = []
    inner: list[tuple[str, object]] = []
    for f in dataclasses.fields(node):
        value = getattr(node, f.name)
        if f.name in LEFT_OUT or value is None or value == ():
            continue
        if isinstance(value, frozenset):
            value = " ".join(sorted(value))
        (inner if _holds_nodes(value) else plain).append(
            (f.name, value) if _holds_nodes(value) else f"{f.name}={_plain(value)}"  # type: ignore[arg-type]
        )
    cites = getattr(node, "cites", ())
    if cites:
        plain.append("cites=" + ",".join(_cited(c) for c in cites))
    head = f"{label}: " if label else ""
    yield (
        f"{node.span.line:>5}  "
        f"{'  ' * indent}{head}({' '.join([type(node).__name__, *plain])}{')' if not inner else ''}"
    )
    for i, (name, value) in enumerate(inner):
        lines = list(_dump_field(value, indent + 1, name))
        if i == len(inner) - 1 and lines:
            lines[-1] += ")"
        yield from lines


def _dump_field(value: Any, indent: int, label: str) -> Iterator[str]:
    """The lines of a field that holds nodes: one, several, or pairs of them."""
    if isinstance(value, Node):
        yield from dump_node(value, indent, label)
        return
    for v in value:
        if isinstance(v, Span):
            continue
        if isinstance(v, str):
            yield f"{'':>5}  {'  ' * indent}{label}: {_plain(v)}"
        else:
            yield from _dump_field(v, indent, label)


def _holds_nodes(value: object) -> bool:
    """Tell whether a value is a node, or has nodes in it."""
    return isinstance(value, Node) or (isinstance(value, tuple) and any(_holds_nodes(v) for v in value))


def _plain(value: object) -> str:
    """A value that is no node, as text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + " ".join(_plain(v) for v in value) + "]"
    return f'"{value}"' if isinstance(value, str) and not value.isidentifier() else str(value)


def _cited(cite: Cite) -> str:
    """A citation as it is written."""
    return cite.first if cite.last is None else f"{cite.first}..{cite.last}"
