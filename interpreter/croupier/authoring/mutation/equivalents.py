"""The list of equivalent mutants beside a ruleset: `mutants.csv`, with the columns
`id,operator,clause,reason`.

A mutant is equivalent if no game can tell it from the ruleset. Each is listed with the reason why.
"""

from __future__ import annotations

import os
from pathlib import Path

from croupier.diagnostics import RulesetError, diagnose
from croupier.source import read_csv, read_file

FILE = "mutants.csv"
COLUMNS = ("id", "operator", "clause", "reason")


def read_equivalents(folder: Path) -> dict[str, str]:
    """The reasons by id; nothing without a list. Raises `RulesetError` for a file that is no table."""
    path = folder / FILE
    if not os.path.lexists(path):
        return {}
    source, found = read_file(path, folder)
    table = None
    if source is not None:
        table, found = read_csv(source)
    if table is None or found:
        raise RulesetError(found)
    names = [cell.text for cell in table.columns]
    if "id" not in names or "reason" not in names:
        place = table.columns[0].span.to(table.columns[-1].span)
        raise RulesetError([diagnose("X542", place, found=", ".join(f"`{name}`" for name in names))])
    at, why = names.index("id"), names.index("reason")
    return {row[at].text: row[why].text.strip() for row in table.rows}
