"""Names that mean nothing, or something else than one may think, and files that hold something else than they
should; see the cases.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.authoring.new import started
from croupier.cli import main

CASES = [
    case
    for file in ("names", "lab")
    for case in YAML(typ="safe").load(Path(__file__).with_name(f"{file}.cases.yaml"))["cases"]
]
SHORT = "croupier: 1\nextends: ../ruleset.yaml\ntitle: Short\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["command"])
def test_it_is_said(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path(case.get("needs", "/")).exists():
        pytest.skip(f"there is no {case['needs']} here")
    monkeypatch.chdir(tmp_path)
    for command in case.get("before", ()):
        assert main(shlex.split(command)) == 0
    files = {
        f"my_game/{name}": text
        for name, text in started("my_game", 2, 3).items()
        if not name.startswith("variants/")
    }
    for name, text in {
        **files,
        "my_game/variants/short.yaml": SHORT,
        "lonely/last_match.yaml": "",
        **case.get("files", {}),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, text in case.get("bytes", {}).items():
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    for name in case.get("gone", ()):
        (tmp_path / name).unlink()
    assert main(shlex.split(case["command"])) == case["code"]
    said = capsys.readouterr()
    heard = said.out + said.err
    assert case["says"] in heard or case["says"] in " ".join(heard.replace("│", " ").split())
    assert "silent" not in case or case["silent"] not in said.out + said.err
    for name, is_there in case.get("files_after", {}).items():
        assert (tmp_path / name).exists() == is_there, name
