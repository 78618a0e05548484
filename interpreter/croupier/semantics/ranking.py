"""By what players are ranked at the end of a game, where it can be read at any time."""

from __future__ import annotations

from dataclasses import replace

from croupier.kernel import types as t
from croupier.kernel.tree import FinishStmt, MapCompExpr, TypedExpr
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.walk import bodies, bound_in, locals_in


def ranking_of(program: Program) -> tuple[TypedExpr, Proc] | None:
    """Return the first key of the first `finish rank` of the rules that needs no local, with the procedure
    that it stands in; `None` if there is none.
    """
    for proc, s in bodies(program):
        if isinstance(s, FinishStmt) and s.result == "rank" and s.values:
            tree = first_key(s.args[0])
            if not _needs_locals(tree):
                return tree, proc
    return None


def first_key(x: TypedExpr) -> TypedExpr:
    """Return a map of what players are ranked by, with the first key alone where there are several."""
    last = x.args[-1] if x.args else None
    if not isinstance(x, MapCompExpr) or last is None or last.op != "list" or not last.args:
        return x
    first = last.args[0]
    kind = replace(x.type, value=first.type) if isinstance(x.type, t.Map) else x.type
    return replace(x, type=kind, args=(*x.args[:-1], first))


def _needs_locals(x: TypedExpr) -> bool:
    """Tell whether an expression reads a local that it does not bind itself."""
    return not locals_in(x.walk()) <= bound_in(x)
