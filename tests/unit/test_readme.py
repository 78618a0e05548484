"""The README's mistake gives the README's message, and its two commands exist."""

import os
import re
from pathlib import Path

import pytest

import croupier
from croupier.diagnostics.render import render_human

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(kind: str) -> str:
    found = re.search(rf"```{kind}\n(.*?)```", README, re.S)
    assert found is not None, kind
    return found.group(1)


def test_the_message_is_the_one_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = block("yaml ruleset")
    assert ruleset.count("\n") <= 20
    (tmp_path / "last_match.yaml").write_text(ruleset.replace("n <= left", "n <= lft"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    shown = render_human(croupier.check("last_match.yaml").diagnostics)
    assert [line.rstrip() for line in shown.strip().splitlines()] == [line.rstrip() for line in block("text").strip().splitlines()]


@pytest.mark.parametrize("command", ["demo", "test"])
def test_the_commands_are_there(command: str) -> None:
    assert f"./tools/{command}" in README
    assert os.name == "nt" or os.access(ROOT / "tools" / command, os.X_OK)
