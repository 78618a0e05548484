"""What the families of expressions ask of each other: whoever puts one into words has the words of its parts from a speaker."""

from __future__ import annotations

from typing import Protocol

from croupier.authoring.rulebook.types import Types
from croupier.syntax import nodes as n


class Speaker(Protocol):
    """Puts expressions into words; one that is handed on speaks of the parts of what is being said."""

    @property
    def types(self) -> Types:
        """What is known of the types of expressions."""

    def phrase(self, node: n.Expr | None) -> str:
        """An expression in words."""

    def condition(self, node: n.Expr) -> str:
        """What must be so, in words."""

    def negated(self, node: n.Expr) -> str:
        """The opposite of a condition in words."""
