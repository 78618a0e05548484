"""Small programs and what each pass makes of them: a table for each module of `passes` (`pass_tables`).

A change of a pass that is meant: `tools/record-tables` writes the tables anew, and a reader judges each line
that differs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier.passes
from pass_tables import MADE, TABLES, asked, made

MODULES = sorted(path.stem for path in Path(croupier.passes.__file__).parent.glob("[a-z]*.py"))


def test_every_pass_has_a_table() -> None:
    assert TABLES.names() == MODULES == sorted(MADE)


@pytest.mark.parametrize("name", MODULES)
def test_programs_become_what_the_table_says(name: str) -> None:
    cases = TABLES.cases(name)
    assert len(cases) >= 2
    assert len({case.rule for case in cases}) == len(cases)
    for case in cases:
        assert made(name, case) == case.after, f"{case.rule} - if it is meant: tools/record-tables {name}"


@pytest.mark.parametrize("name", MODULES)
def test_all_that_a_module_makes_is_shown(name: str) -> None:
    assert {asked(name, case)[0] for case in TABLES.cases(name)} == MADE[name].keys()
