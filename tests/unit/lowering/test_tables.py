"""Small programs and the core that they become, a table for each module of the lowering (`lowering_tables`).

A change of a lowering that is meant: `tools/record-tables` writes the tables anew, and a reader judges each
line that differs.
"""

from __future__ import annotations

import pytest

from core_lockstep import lock_step
from lowering_mistakes import PACKAGE, Mistake, in_place, mistakes
from lowering_tables import differing, made, module_of, ruleset, table, table_names

NAMES = table_names()
MODULES = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
WITHOUT = {"operands": "it holds the rules that other modules put into it, and looks them up"}
PLANTED = mistakes()


def test_every_module_has_a_table() -> None:
    with_tables = set(map(module_of, NAMES))
    assert {*with_tables, *WITHOUT} == MODULES and not WITHOUT.keys() & with_tables


@pytest.mark.parametrize("name", NAMES)
def test_programs_become_what_the_table_says(name: str) -> None:
    cases = table(name)
    assert len(cases) >= 2
    assert len({case.rule for case in cases}) == len(cases)
    for case in cases:
        assert made(case) == case.after, f"{case.rule} - if this is meant: tools/record-tables {name}"


@pytest.mark.parametrize("name", NAMES)
def test_programs_of_tables_are_played_alike(name: str) -> None:
    """What stands in the tables is right as far as games show it: evaluator and core play the same."""
    for case in table(name):
        for _ in lock_step(ruleset(case.ruleset), 4, most=40):
            pass


@pytest.mark.parametrize("m", PLANTED, ids=lambda m: f"{m.module}: {m.construct}")
def test_a_planted_mistake_is_noticed_by_the_table_of_its_module(m: Mistake) -> None:
    with in_place(m):
        assert differing(table_names(m.module))
