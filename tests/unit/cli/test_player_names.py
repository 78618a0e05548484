"""Players who are called like words of the game; see the cases."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.cli import main

DATA: dict[str, Any] = YAML(typ="safe").load(Path(__file__).with_name("player_names.yaml"))


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda case: case["name"])
def test_it_is_told(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.yaml").write_text(DATA["rulesets"][case["ruleset"]], encoding="utf-8")
    command = ["run" if "typed" not in case else "play", "game.yaml", "--seed", "1", "--names", case["names"]]
    if "seats" in case:
        command += ["--seat", case["seats"]]
    if "script" in case:
        (tmp_path / "script.yaml").write_text(case["script"], encoding="utf-8")
        command += ["--actions", "script.yaml"]
    if "typed" in case:
        command.append("--plain")
        typed = "".join(f"{line}\n" for line in case["typed"])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert main(command) == case.get("code", 0)
    captured = capsys.readouterr()
    told = captured.out + captured.err
    for words in case["says"]:
        assert words in told
    for words in case.get("silent", ()):
        assert words not in told
