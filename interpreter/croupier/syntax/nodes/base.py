"""What every node has: its exact span; and citations."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Node:
    """What is written at a place."""

    span: Span


@dataclass(frozen=True, slots=True)
class Cite(Node):
    """One rule id of a citation; ranges are written out later, when the rule list is known."""

    first: str
    last: str | None = None  # `@WB-17..20`
