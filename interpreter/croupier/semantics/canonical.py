"""The canonical form of a checked ruleset: what it means, without layout, comments, documentation or positions."""

from __future__ import annotations

import dataclasses
from dataclasses import is_dataclass
from typing import Any

from croupier.diagnostics import Span
from croupier.semantics.program import Program

LEFT_OUT = {"leaks", "span", "doc", "resolved", "cited", "rule_ids", "node", "node_", "tried", "static", "text", "players_default", "switches"}


def canonical_form(program: Program) -> str:
    """One text per meaning: field by field in the order of declaration; sets sorted."""
    out: list[str] = []
    _write(program, out)
    return "".join(out)


class _Parts(dict[type, tuple[tuple[str, str], ...] | None]):
    """Of each type the fields of a dataclass that mean something, each with its text; none for other types."""

    def __missing__(self, kind: type) -> tuple[tuple[str, str], ...] | None:
        meant = [f.name for f in dataclasses.fields(kind) if f.name not in LEFT_OUT and "derived" not in f.metadata] if is_dataclass(kind) else None
        self[kind] = None if meant is None else tuple((name, name + "=") for name in meant)
        return self[kind]


_PARTS = _Parts()


def _write(value: Any, out: list[str]) -> None:
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        out.append(repr(value))
        return
    if kind is Span:
        return
    parts = _PARTS[kind]
    if parts is not None:
        out.append(kind.__name__ + "(")
        for name, text in parts:
            out.append(text)
            _write(getattr(value, name), out)
            out.append(";")
        out.append(")")
    elif isinstance(value, (list, tuple)):
        out.append("[")
        for v in value:
            _write(v, out)
            out.append(",")
        out.append("]")
    elif isinstance(value, dict):
        out.append("{")
        for k, v in value.items():
            _write(k, out)
            out.append(":")
            _write(v, out)
            out.append(";")
        out.append("}")
    elif isinstance(value, (set, frozenset)):
        out.append("{" + ",".join(sorted(map(repr, value))) + "}")
    else:
        out.append(repr(value))
