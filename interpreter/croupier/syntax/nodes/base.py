"""What every node has: its exact span; and citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

from croupier.diagnostics import Span

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: type[T]) -> type[T]:
    """A class of nodes: a frozen dataclass. Nodes are never compared, and writing methods for that took half the time of importing them."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)


@node
class Node:
    """What is written at a place."""

    span: Span

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.span})"


@node
class Cite(Node):
    """One rule id of a citation; ranges are written out later, when the rule list is known."""

    first: str
    last: str | None = None  # `@WB-17..20`
