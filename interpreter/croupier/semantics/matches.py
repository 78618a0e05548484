"""`match` as a chain of `if`: a statement of the checker, and no form of the kernel.

let $match = colour
if $match == red or $match == blue:  …
else:
    if $match == green:  …
    else:  …                        # the block of `else`, or of the last case where there is none
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from croupier.kernel.tree import IfStmt, LetStmt, LocalExpr, OperationExpr, TypedExpr, TypedStmt
from croupier.kernel.types import BOOL
from croupier.records import dataclass
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program


@dataclass(slots=True, kw_only=True)
class MatchStmt(TypedStmt):
    """The first case with an equal value; a block for each row of values, and perhaps one for all others."""

    OP = "match"
    rows: tuple[tuple[TypedExpr, ...], ...]
    has_other: bool

    def held(self) -> Iterable[TypedExpr]:
        return (x for row in self.rows for x in row)


def chain_of(proc: Proc, s: MatchStmt, program: Program) -> list[TypedStmt]:
    """The statements that a `match` becomes; without `else` its cases are all that there are."""
    slot = proc.slot("$match", s.args[0].type)
    value = LocalExpr(s.args[0].type, s.args[0].span, slot=slot)
    blocks = s.blocks or ([],)
    words = [f"case {', '.join(x.span.text for x in row)}" for row in s.rows] + ["else"]

    def from_case(i: int) -> list[TypedStmt]:
        """The cases from this one on; the last one is what is left."""
        if i == len(blocks) - 1:
            return blocks[i]
        test = reduce(_either, (OperationExpr("==", BOOL, x.span, (value, x)) for x in s.rows[i]))
        called = words[i : i + 2] if i == len(blocks) - 2 else words[i : i + 1]
        chosen = (blocks[i], from_case(i + 1))
        return [IfStmt(s.span, (test,), chosen, s.cites, suspends=s.suspends, cases=tuple(called), origin=s)]

    return [LetStmt(s.span, s.args, cites=s.cites, slot=slot, origin=s), *from_case(0)]


def _either(left: TypedExpr, right: TypedExpr) -> OperationExpr:
    return OperationExpr("or", BOOL, right.span, (left, right))
