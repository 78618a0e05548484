"""The procedures with something in them that only set-up can settle, and may refuse: bounds of types by
parameters, components by their labels.

In comes a program, out come the numbers of such procedures. The reference evaluator compiles these while a
game is set up, so that it is refused then; all others it compiles when they are first run
(`runtime/compiled_rules.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from croupier.kernel import types as t
from croupier.kernel.tree import ConstExpr, LabelledExpr, RollStmt, TypedExpr
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import parts, statements


def settled_procs(program: Program) -> tuple[int, ...]:
    """The numbers of the procedures that name a label, or a type with a bound or capacity that is no plain
    number; worked out once.
    """
    if program.settled is None:
        program.settled = tuple(proc.index for proc in program.procs if _is_settled(proc, program))
    return program.settled


def _is_settled(proc: Proc, program: Program) -> bool:
    rolled = (program.vars[s.attribute].type for s in statements(proc.body) if isinstance(s, RollStmt))
    if any(_has_bounds(kind, program) for kind in (*proc.slot_types, *rolled)):
        return True
    inside = parts(statements(proc.body))
    return any(isinstance(x, LabelledExpr) or _has_bounds(x.type, program) for x in inside)


def _has_bounds(kind: t.Type, program: Program) -> bool:
    """Tell whether a type, or one that it is made of, has a bound or a capacity that set-up works out."""
    match kind:
        case t.Int():
            return _is_worked_out((kind.low_exact, kind.high_exact))
        case t.Optional():
            return _has_bounds(kind.base, program)
        case t.Collection():
            return _is_worked_out((kind.capacity,)) or _has_bounds(kind.base, program)
        case t.Map():
            return _has_bounds(kind.key, program) or _has_bounds(kind.value, program)
        case t.Family():
            return _has_bounds(kind.key, program)
        case t.Record():
            return any(_has_bounds(field, program) for field in program.records[kind.name].fields.values())
    return False


def _is_worked_out(bounds: Iterable[TypedExpr | None]) -> bool:
    return any(x is not None and not isinstance(x, ConstExpr) for x in bounds)
