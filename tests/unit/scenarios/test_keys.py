"""Each key of a file of scenarios is obeyed: as data in `keys.cases.yaml`.

A key without a row there is a mistake.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.cli import main
from croupier.scenarios.document import KEYS

DATA = YAML(typ="safe").load(Path(__file__).with_name("keys.cases.yaml").read_text(encoding="utf-8"))
GAME = Path(__file__).parents[2] / "data" / "my_game" / "ruleset.yaml"


def ran(document: Any, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code and the words of `croupier test` for a file of scenarios."""
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_bytes(GAME.read_bytes())
    with (folder / "scenarios" / "keys.yaml").open("w", encoding="utf-8") as file:
        YAML().dump(document, file)
    code = main(["test", str(folder), "--verbose"])
    captured = capsys.readouterr()
    return code, re.sub(
        r"in [\d.]+ seconds|:\d+(?::\d+)?|^ *\d* \|.*$", "", captured.out + captured.err, flags=re.MULTILINE
    )


def test_every_key_has_a_row() -> None:
    known = {f"{name}.{key}" for name, keys in KEYS.items() for key in keys}
    assert known == {*DATA["rows"], *DATA["without"]}


def test_the_base_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, words = ran(DATA["base"], tmp_path, capsys)
    assert code == 0, words


@pytest.mark.parametrize("key", DATA["rows"])
def test_a_key_is_obeyed(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = DATA["rows"][key]
    before = ran(DATA["base"], tmp_path, capsys)
    document = copy.deepcopy(DATA["base"])
    *path, last = row["at"]
    inner = document
    for name in path:
        inner = inner[name]
    if "value" in row:
        inner[last] = row["value"]
    else:
        del inner[last]
    code, words = ran(document, tmp_path, capsys)
    assert (code, words) != before
    assert f"unknown key `{last}`" not in words
