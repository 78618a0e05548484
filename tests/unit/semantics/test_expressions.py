"""The types of expressions: the table `tests/conformance/expressions.yaml`, worked out over the ruleset
beside it.
"""

from __future__ import annotations

from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.diagnostics import Source
from croupier.resolve import open_ruleset
from croupier.semantics import Program, check, check_expression
from croupier.source.ruletext import whole
from findings import ROOT

FOLDER = ROOT / "tests" / "conformance"
TABLE: list[dict[str, Any]] = YAML(typ="safe", pure=True).load(
    (FOLDER / "expressions.yaml").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def program() -> Program:
    document, found = open_ruleset(FOLDER / "base.yaml")
    assert document is not None and not found
    program, found = check(document)
    assert not any(d.is_error for d in found)
    return program


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["expression"])
def test_type(row: dict[str, Any], program: Program) -> None:
    x, _, found = check_expression(program, whole(Source("table", row["expression"])))
    assert not found
    assert x is not None and str(x.type) == row["type"]
