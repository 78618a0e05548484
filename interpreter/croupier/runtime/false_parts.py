"""The part of a condition that is false, and the values that make it so: for facts of scenarios and for
invariants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from croupier.diagnostics import Label
from croupier.kernel import types as t
from croupier.kernel.tree import LocalExpr, TypedExpr
from croupier.runtime.game import Value
from croupier.semantics.expressions import COMPARISONS

SILENT = {"const", "enum", "component", "labelled", "cell", "players"}
"""Operations whose value is what is written there."""
LONGEST = 120  # characters of a value


@dataclass(frozen=True)
class FalseParts:
    """Explains conditions in one position: `value` evaluates an expression there, `show` puts a value of a
    type into words, the first `known` locals are given and need no explanation.
    """

    value: Callable[[TypedExpr], Value]
    show: Callable[[Value, t.Type], str]
    known: int = 0

    def first(self, x: TypedExpr) -> TypedExpr:
        """Return the first false part of a false condition whose parts are joined by `and`; itself if it has
        no parts.
        """
        while x.op == "and":
            x = next(y for y in x.args if not self.value(y))
        return x

    def labels(self, x: TypedExpr) -> tuple[Label, ...]:
        """The values that explain why a condition is false, each at its expression."""
        return tuple(label for label in self._parts(x) if label is not None)

    def _parts(self, x: TypedExpr) -> Iterator[Label | None]:
        match x.op:
            case "and":
                yield from self._parts(self.first(x))
            case "or":
                for y in x.args:
                    yield from self._parts(y)
            case "not":
                yield from self._inner(x.args[0])
            case _:
                yield from self._inner(x)

    def _inner(self, x: TypedExpr) -> Iterator[Label | None]:
        if x.op in COMPARISONS or (x.op in ("is_none", "is_some") and x.args):
            for y in x.args:
                yield self._label(y)
        elif x.op in ("and", "or", "not"):
            yield from self._parts(x)
        elif x.op not in SILENT:
            yield self._label(x)

    def _label(self, x: TypedExpr) -> Label | None:
        if x.op in SILENT or _written_out(x) or (isinstance(x, LocalExpr) and x.slot < self.known):
            return None
        return Label(x.span, f"is {self.shown(self.value(x), x.type)}")

    def shown(self, value: Value, kind: t.Type) -> str:
        """A value in words, cut if it is very long."""
        if isinstance(kind, (t.Zone, t.Family, t.Board)):
            return str(kind)
        text = self.show(value, kind)
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _written_out(x: TypedExpr) -> bool:
    return x.op in ("list", "map", "record", "set", "bag") and all(
        y.op in SILENT or _written_out(y) for y in x.args
    )
