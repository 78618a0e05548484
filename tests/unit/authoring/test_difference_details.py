"""`croupier diff` tells what a difference says and reaches: its whole output for the game in tests/data/under
is recorded for each variant there.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.cli import main

DATA = Path(__file__).resolve().parents[2] / "data" / "under"


@pytest.mark.parametrize("recorded", sorted((DATA / "differs").glob("*.txt")), ids=lambda path: path.stem)
def test_what_is_told(
    recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a change that is meant: `croupier diff . ./VARIANT --under > differs/VARIANT.txt` in
    tests/data/under.
    """
    monkeypatch.chdir(DATA)
    assert main(["diff", ".", f"./{recorded.stem}", "--under"]) == 1
    assert capsys.readouterr().out == recorded.read_text(encoding="utf-8")


def test_programs_read_the_same(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(DATA)
    told = []
    for options in ([], ["--under"]):
        assert main(["diff", ".", "./windfall", "--format", "json", *options]) == 1
        told.append(json.loads(capsys.readouterr().out))
    plain, played = told
    assert plain["under"] is None and played["under"] == {
        "total": 4,
        "hold": 2,
        "differ": 2,
        "not_set_up": 0,
        "fail_anyway": 0,
    }
    hook, same = plain["differences"][1], played["differences"][1]
    assert hook["after"].startswith("after pick(_, p):\n") and hook["says"] == [
        "OR-2: A tree gives its apples."
    ]
    assert (hook["reaches"], hook["rules"], hook["cited_by"]) == (["phase `play`"], ["OR-2"], ["apples"])
    assert hook["acts_in"] is None and same == {**hook, "acts_in": ["apples", "enough"]}


def test_a_ruleset_with_errors_is_told_as_far_as_it_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rules.csv").write_text((DATA / "rules.csv").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "ruleset.yaml").write_text(
        (DATA / "ruleset.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    wrong = (
        "croupier: 1\nextends: ruleset.yaml\ndefinitions: |\n  def half(n: 0..9) -> 0..9:\n      return "
        "nothing(n)\n  after walk(_): let x =\n"
    )
    (tmp_path / "wrong.yaml").write_text(wrong, encoding="utf-8")
    assert main(["diff", str(tmp_path), str(tmp_path / "wrong.yaml")]) == 1
    assert "definition `half`: added" in capsys.readouterr().out
    assert main(["diff", str(tmp_path), str(tmp_path / "wrong.yaml"), "--under"]) == 2
