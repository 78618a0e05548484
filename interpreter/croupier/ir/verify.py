"""The verifier: does a module keep the invariants that a back end relies on?

It is run on everything the repository has (tests), and may be run before a module is compiled. It trusts nothing of the lowering but the typed
tree's own analyses; `checks/` has one file per invariant. A check that would follow numbers which do not exist is left out when the shape is wrong.
"""

from __future__ import annotations

from croupier.ir.checks.assignment import check_assignment
from croupier.ir.checks.effects import check_effects
from croupier.ir.checks.fuel import check_fuel
from croupier.ir.checks.live import check_live
from croupier.ir.checks.queries import check_queries
from croupier.ir.checks.shape import check_shape
from croupier.ir.checks.tables import check_tables
from croupier.ir.checks.types import check_types
from croupier.ir.module import Module
from croupier.ir.problems import Problem


def verify(module: Module) -> list[Problem]:
    """Everything that is wrong with a module, in the order of its routines; nothing if it keeps all invariants."""
    found = [*check_tables(module)]
    for routine in module.every_routine():
        found += check_shape(routine)
    if found:
        return found
    for routine in module.every_routine():
        found += check_queries(module, routine)
        found += check_assignment(routine)
        found += check_types(module, routine)
        found += check_live(module.program, routine)
        found += check_fuel(routine)
    return [*found, *check_effects(module)]
