"""Small programs and what each printer makes of them: a table for each module of `printers`
(`printer_tables`).

A change of a printer that is meant: `tools/record-tables` writes the tables anew, and a reader judges each
line that differs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier.printers
from printer_tables import TABLES, made

MODULES = sorted(path.stem for path in Path(croupier.printers.__file__).parent.glob("[a-z]*.py"))


def test_every_printer_has_a_table() -> None:
    assert TABLES.names() == MODULES


@pytest.mark.parametrize("name", MODULES)
def test_programs_become_what_the_table_says(name: str) -> None:
    cases = TABLES.cases(name)
    assert len(cases) >= 2
    assert len({case.rule for case in cases}) == len(cases)
    for case in cases:
        assert made(name, case) == case.after, f"{case.rule} - if it is meant: tools/record-tables {name}"
