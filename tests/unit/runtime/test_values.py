"""The values of expressions: the table `tests/conformance/values.yaml`, worked out in the first position of
the ruleset beside it.
"""

from __future__ import annotations

from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.diagnostics import RulesetError
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS, MEMBERS, PLAIN_VALUES
from findings import ROOT

FOLDER = ROOT / "tests" / "conformance"
TABLE: list[dict[str, Any]] = YAML(typ="safe", pure=True).load(
    (FOLDER / "values.yaml").read_text(encoding="utf-8")
)
OPERATORS = (
    "+ - * // mod neg == != < <= > >= and or not if in ! otherwise .. join without item index map "
    "record enum column call parameter attribute"
).split() + ["not in", "is none", "is not none", "zone.item"]
NO_VALUE = {"turns"}  # only a `for` walks it


@pytest.fixture(scope="module")
def state() -> Any:
    return croupier.load(FOLDER / "values_base.yaml").new_initial_state()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["expression"])
def test_value(row: dict[str, Any], state: Any) -> None:
    before = state.hash()
    if "fault" in row:
        with pytest.raises(RulesetError) as error:
            state.evaluate(row["expression"])
        assert [d.code for d in error.value.diagnostics] == [row["fault"]]
    else:
        found = state.evaluate(row["expression"])
        assert (found, type(found)) == (row["value"], type(row["value"]))
    assert state.hash() == before, "a question changes nothing"


def test_every_built_in_word_has_a_row() -> None:
    """A word without a case fails here: add a row with its name under `of`."""
    members = {f"{kind}.{name}" for kind, table in MEMBERS.items() for name in table}
    wanted = members | set(AGGREGATES) | set(FUNCTIONS) | set(PLAIN_VALUES) | set(OPERATORS)
    assert sorted(wanted - NO_VALUE - {row["of"] for row in TABLE}) == []
    assert sorted({row["of"] for row in TABLE} - wanted) == []


def test_no_row_stands_twice() -> None:
    assert len({row["expression"] for row in TABLE}) == len(TABLE) >= 150
