"""What the checker knows of the types of expressions, for words that depend on them: `row[i]` is “row number i” of a list, “row of i” of a map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from croupier.resolve.resolved import ResolvedRuleset
from croupier.semantics import types as t
from croupier.semantics.symbol_index import check_with_index
from croupier.syntax import nodes as n


class Types:
    """The types of the expressions of a ruleset, noted by a check the first time that one is asked for; without a ruleset none is known."""

    def __init__(self, doc: ResolvedRuleset | None = None) -> None:
        self._doc = doc

    @cached_property
    def _noted(self) -> Mapping[tuple[str, int, int], t.Type]:
        return check_with_index(self._doc)[2].types if self._doc is not None else {}

    def of(self, node: n.Expr) -> t.Type | None:
        """The type of an expression, of an optional one that of its value; none if it is not known."""
        span = node.span
        kind = self._noted.get((span.source.name, span.start, span.end))
        return kind.base if isinstance(kind, t.Optional) else kind

    def several(self, node: n.Expr) -> bool:
        """Whether an expression is known to be a collection."""
        return isinstance(self.of(node), t.Collection)

    def has_fields(self, node: n.Expr) -> bool:
        """Whether what stands behind the dot of an expression is known to be a name that the ruleset has given."""
        return isinstance(self.of(node), (t.Component, t.Record, t.Enum))

    def numbered(self, node: n.Index) -> bool | None:
        """Whether an element is looked up by its place, a number, and not by a key; None if that is not known."""
        target = self.of(node.target)
        match target:
            case None | t.Unknown():
                return None
            case t.Board():
                return False
            case t.Map():
                return isinstance(target.key, t.Int) and isinstance(node.key, (n.Int, n.Binary))
            case t.Family():
                return isinstance(target.key, t.Int)
        return True
