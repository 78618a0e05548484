"""What a variant changes in the parts of a ruleset: how these read then, and what is said where it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.pipeline import check
from croupier.resolve import open_ruleset
from croupier.schema import Text
from croupier.schema.declaration import Declaration
from croupier.schema.values import Row, Table, Value
from croupier.source import YamlMapping, YamlScalar, YamlSequence

HERE = Path(__file__).parent
CASES = YAML(typ="safe", pure=True).load((HERE / "changes.cases.yaml").read_text(encoding="utf-8"))
HEAD = "croupier: 1\nruleset: base\ntitle: Base\nplayers: 2\nphases:\n  play: pass\n"


def plain(x: Any) -> Any:
    """A part of a ruleset in the words of a file: named things as a mapping, no key without a value."""
    match x:
        case Text():
            return x.text.rstrip("\n")
        case YamlScalar():
            return x.value
        case YamlMapping():
            return {key.text: plain(value) for key, value in x.entries}
        case YamlSequence():
            return [plain(item) for item in x.items]
        case Table():
            return [plain(row) for row in x.rows]
        case Row():
            cells = {column.text: plain(cell) for column, cell in x.cells}
            return _filled({"id": x.id, "powers": x.powers, "doc": x.doc}) | cells
        case Value():
            return {"id": plain(x.name)} | {column.text: plain(cell) for column, cell in x.cells}
        case Declaration():
            return _filled({name: getattr(x, name) for name in type(x).model_fields})
        case tuple() if x and all(isinstance(pair, tuple) and len(pair) == 2 for pair in x):
            return {"every" if name is None else plain(name): plain(thing) for name, thing in x}
        case tuple():
            return [plain(part) for part in x]
    return x


def _filled(parts: dict[str, Any]) -> dict[str, Any]:
    return {name: plain(part) for name, part in parts.items() if part not in (None, ())}


@pytest.mark.parametrize("name", CASES)
def test_what_a_variant_makes_of_its_base(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    for file, text in case.get("files", {}).items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    (tmp_path / "base.yaml").write_text(HEAD + case["base"], encoding="utf-8")
    (tmp_path / "variant.yaml").write_text(
        "croupier: 1\nextends: base.yaml\n" + case["variant"], encoding="utf-8"
    )
    ruleset, problems = open_ruleset(tmp_path / "variant.yaml")
    assert [problem.code for problem in problems] == case.get("codes", [])
    assert ruleset is not None
    if "checked" in case:
        assert [d.code for d in check(tmp_path / "variant.yaml").diagnostics if d.is_error] == case["checked"]
    assert {part: plain(getattr(ruleset, part)) for part in case["gives"]} == case["gives"]
