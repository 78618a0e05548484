"""What differs between two rulesets: told whole for the rulesets of tests/data/variants, nothing for the same
rules in another layout.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.authoring.diff import diff_rulesets
from croupier.cli import main
from croupier.resolve import ResolvedRuleset, open_ruleset

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests" / "data" / "variants"


def opened(name: str | Path) -> ResolvedRuleset:
    ruleset, problems = open_ruleset(name)
    assert ruleset is not None and problems == []
    return ruleset


@pytest.mark.parametrize("recorded", sorted(DATA.glob("*.diff.txt")), ids=lambda path: path.stem)
def test_whole_output(
    recorded: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a change that is meant: `croupier diff A.yaml B.yaml > A-B.diff.txt` in tests/data/variants."""
    monkeypatch.chdir(DATA)
    a, b = recorded.name.split(".")[0].split("-")
    assert main(["diff", f"{a}.yaml", f"{b}.yaml"]) == 1
    assert capsys.readouterr().out == recorded.read_text(encoding="utf-8")


def test_layout_makes_no_difference(tmp_path: Path) -> None:
    text = (DATA / "kennel.yaml").read_text(encoding="utf-8")
    other = text.replace(
        "        choose d from house by p\n", "        choose d from   house by p   # which one?\n\n"
    )
    other = other.replace("  def walk(d: Dog):\n      move", "  def walk( d: Dog ):\n    move")
    assert other != text
    (tmp_path / "other.yaml").write_text("# a comment\n" + other, encoding="utf-8")
    assert diff_rulesets(opened(DATA / "kennel.yaml"), opened(tmp_path / "other.yaml")) == ()


@pytest.mark.parametrize("name", ["kennel", "tray"])
def test_a_copy_says_the_same_wherever_it_stands(name: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.yaml"
    copy.write_text(
        "# moved by a line\n" + (DATA / f"{name}.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    assert diff_rulesets(opened(DATA / f"{name}.yaml"), opened(copy)) == ()


def test_a_variant_and_what_it_changes_say_the_same() -> None:
    base, variant = opened(DATA / "kennel.yaml"), opened(DATA / "winter.yaml")
    told = {difference.name for difference in diff_rulesets(base, variant)}
    assert {change.name for change in variant.changes if change.section != "invariants"} - {
        "it gets colder"
    } <= told


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "repeat until: garden.size > 3",
            "repeat until: garden.size > 4",
            [("changed", "repeat until", "garden.size > 3", "garden.size > 4")],
        ),
        (
            "repeat: true",
            "repeat until: garden.size > 4",
            [("added", "repeat until", None, "garden.size > 4"), ("removed", "repeat", "true", None)],
        ),
        (
            "for: p in players",
            "for: p in clockwise(players.last)",
            [("changed", "for", "p in players", "p in clockwise(players.last)")],
        ),
    ],
)
def test_how_often_a_phase_is_played(before: str, after: str, told: list[object], tmp_path: Path) -> None:
    text = (DATA / "kennel.yaml").read_text(encoding="utf-8")
    for name, line in (("one", before), ("two", after)):
        (tmp_path / f"{name}.yaml").write_text(text.replace("for: p in players", line), encoding="utf-8")
    found = diff_rulesets(opened(tmp_path / "one.yaml"), opened(tmp_path / "two.yaml"))
    assert sorted((d.kind, d.part, d.before, d.after) for d in found) == sorted(told)


def test_json_and_exit_codes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["diff", "tic_tac_toe", "tic_tac_toe"]) == 0
    assert main(["diff", str(DATA / "kennel.yaml"), str(DATA / "winter.yaml"), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    first = next(entry for entry in found["differences"] if entry["part"] == "row `rex`, `size`")
    assert (first["kind"], first["before"], first["after"]) == ("changed", "3", "4")
    assert (first["after_place"]["line"], first["after_place"]["column"]) == (8, 23) and first["after_place"][
        "file"
    ].endswith("winter.yaml")
    assert main(["diff", "tic_tac_toe", "tic_tac_too"]) == 2
    (tmp_path / "bad.yaml").write_text("croupier: 1\nphases:\n", encoding="utf-8")
    assert main(["diff", "tic_tac_toe", str(tmp_path / "bad.yaml")]) == 2


def test_what_an_author_wrote_is_made_harmless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    text = (DATA / "kennel.yaml").read_text(encoding="utf-8")
    one.write_text(text, encoding="utf-8")
    two.write_text(text.replace("title: The Kennel", 'title: "::error \\e[31m"'), encoding="utf-8")
    main(["diff", str(one), str(two)])
    assert "\x1b" not in capsys.readouterr().out
