"""The canonical form of a checked ruleset: what it means, without layout, comments, documentation or positions."""

from __future__ import annotations

import dataclasses
from typing import Any

from croupier.diagnostics import Span
from croupier.semantics.program import Program

LEFT_OUT = {"leaks", "span", "doc", "resolved", "cited", "rule_ids", "node", "node_", "tried", "broken", "static", "text"}


def canonical_form(program: Program) -> str:
    """One text per meaning: field by field in the order of declaration; sets sorted."""
    out: list[str] = []
    _write(program, out)
    return "".join(out)


def _write(value: Any, out: list[str]) -> None:
    if isinstance(value, Span):
        return
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        out.append(type(value).__name__ + "(")
        for f in dataclasses.fields(value):
            if f.name not in LEFT_OUT and "derived" not in f.metadata:
                out.append(f.name + "=")
                _write(getattr(value, f.name), out)
                out.append(";")
        out.append(")")
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
    elif isinstance(value, (list, tuple)):
        out.append("[")
        for v in value:
            _write(v, out)
            out.append(",")
        out.append("]")
    else:
        out.append(repr(value))
