"""The canonical form tells values apart that differ only in where one part ends and the next begins."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from ruamel.yaml import YAML

from croupier.semantics.canonical import canonical_form
from croupier.semantics.program import Program

PAIRS: list[list[object]] = YAML(typ="safe", pure=True).load(
    Path(__file__).with_name("forms.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=str)
def test_values_that_differ_have_different_forms(one: object, other: object) -> None:
    assert canonical_form(cast(Program, one)) != canonical_form(cast(Program, other))
