"""Lints: what is certainly useless or certainly wrong though every type fits. One file a lint; each says what it proves."""

from __future__ import annotations

from croupier.diagnostics import Diagnostic
from croupier.semantics.lints import unused
from croupier.semantics.program import Program


def run_lints(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """Every lint, in a fixed order."""
    return [*unused.find(program, used)]
