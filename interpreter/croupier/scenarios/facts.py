"""Facts: conditions of the rule language that must hold, with the values of their parts shown when they do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine
from croupier.scenarios.shape import question
from croupier.scenarios.table import Table
from croupier.schema import Text
from croupier.semantics import check_expression
from croupier.semantics import types as t
from croupier.semantics.tree import X

COMPARISONS = {"==", "!=", "<", "<=", ">", ">=", "in", "not in"}
SILENT = {"const", "enum", "component", "labelled", "cell", "players"}
LONGEST = 120


@dataclass(frozen=True)
class Asker:
    """Evaluates expressions in a position; `names` are seats, and `result` after a call."""

    table: Table
    names: tuple[tuple[str, t.Type, Value], ...]

    def fact(self, m: Machine, text: Text) -> list[Diagnostic]:
        """Nothing if the fact holds, otherwise what is wrong."""
        game = self.table.game
        x, proc, found = check_expression(game.program, question(text), {name: kind for name, kind, _ in self.names})
        if x is None:
            return found
        x = _labelled(x, self.table)
        if not isinstance(x.type, t.Bool):
            return [diagnose("K023", text.span, type=f"`{x.type}`")]
        L: list[Value] = [value for _, _, value in self.names] + [None] * (len(proc.slots) + 1)
        m.refuel()
        try:
            if game.code.expr(x)(m, L):
                return []
            labels = list(self._parts(m, x, L))
        except Fault as f:
            return [f.diagnostic]
        return [diagnose("K111", x.span, labels=[label for label in labels if label is not None])]

    def _value(self, m: Machine, x: X, L: list[Value]) -> Value:
        return self.table.game.code.expr(x)(m, L[:])

    def _parts(self, m: Machine, x: X, L: list[Value]) -> Iterator[Label | None]:
        """The parts whose values explain why a condition does not hold."""
        match x.op:
            case "and":
                for y in x.args:
                    if not self._value(m, y, L):
                        yield from self._parts(m, y, L)
                        return
            case "or":
                for y in x.args:
                    yield from self._parts(m, y, L)
            case "not":
                yield from self._inner(m, x.args[0], L)
            case _:
                yield from self._inner(m, x, L)

    def _inner(self, m: Machine, x: X, L: list[Value]) -> Iterator[Label | None]:
        if x.op in COMPARISONS or (x.op in ("is_none", "is_some") and x.args):
            for y in x.args:
                yield self._label(m, y, L)
        elif x.op in ("and", "or", "not"):
            yield from self._parts(m, x, L)
        elif x.op not in SILENT:
            yield self._label(m, x, L)

    def _label(self, m: Machine, x: X, L: list[Value]) -> Label | None:
        if x.op in SILENT or _written_out(x) or (x.op == "local" and x.data < len(self.names)):
            return None
        return Label(x.span, f"is {self.shown(self._value(m, x, L), x.type)}")

    def shown(self, value: Any, kind: t.Type) -> str:
        """A value in words, cut if it is very long."""
        if isinstance(kind, (t.Zone, t.Family, t.Board)):
            return str(kind)
        text = self.table.show(value, kind)
        return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _labelled(x: X, table: Table) -> X:
    """An expression with the labels in it in the words of the rules, where the scenario named seats."""
    if x.op == "labelled":
        return replace(x, data=table.label(x.data))
    args = tuple(_labelled(y, table) for y in x.args)
    return x if all(a is b for a, b in zip(args, x.args, strict=True)) else replace(x, args=args)


def _written_out(x: X) -> bool:
    return x.op in ("list", "map", "record", "set", "bag") and all(y.op in SILENT or _written_out(y) for y in x.args)
