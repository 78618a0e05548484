"""Which files hold scenarios, which ruleset they are for, and what becomes of files that cannot be read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from croupier.authoring.folder_check import check_beside
from croupier.diagnostics import RulesetError
from croupier.scenarios import WHOLE_FILE, check_scenarios, run_scenarios, scenario_files
from croupier.scenarios.api import rulesets_of_others
from croupier.scenarios.files import is_scenario_file

GAME = Path(__file__).parent / "game"
ONE = "scenarios:\n  - {id: one, then: [bank == 5]}\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the game without its scenarios."""
    folder = tmp_path / "market"
    shutil.copytree(GAME, folder, ignore=shutil.ignore_patterns("scenarios"))
    (folder / "scenarios").mkdir()
    return folder


def write(game: Path, text: str, name: str = "one.yaml") -> Path:
    file = game / "scenarios" / name
    file.write_text(text, encoding="utf-8")
    return file


def codes(path: Path) -> list[str]:
    return [d.code for result in run_scenarios(path) for d in result.diagnostics]


def test_the_ruleset_beside_is_the_default(game: Path) -> None:
    assert [r.passed for r in run_scenarios(write(game, "croupier: 1\n" + ONE))] == [True]


def test_another_ruleset_can_be_named(game: Path) -> None:
    (game / "variants").mkdir()
    (game / "variants" / "rich.yaml").write_text(
        "croupier: 1\nextends: ../ruleset.yaml\nstate: {bank: {type: int, start: 7}}\n", encoding="utf-8"
    )
    file = write(
        game, "croupier: 1\nruleset: ../variants/rich.yaml\nscenarios:\n  - {id: one, then: [bank == 7]}\n"
    )
    write(game, "croupier: 1\n" + ONE.replace("one", "two"), "two.yaml")
    assert [r.message for r in run_scenarios(file)] == [""]
    assert [r.id for r in run_scenarios(game)] == ["one", "two"]
    assert [r.id for r in run_scenarios(game / "variants" / "rich.yaml")] == ["one"]


def test_no_ruleset_beside(tmp_path: Path) -> None:
    file = tmp_path / "alone.yaml"
    file.write_text("croupier: 1\n" + ONE, encoding="utf-8")
    assert codes(file) == ["K005"]


def test_where_only_a_variant_lies_beside_the_help_names_it(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "harder.yaml").write_text(
        "croupier: 1\nextends: tic_tac_toe\ntitle: Harder\n", encoding="utf-8"
    )
    file = write(tmp_path, "croupier: 1\n" + ONE)
    [found] = [d for result in run_scenarios(file) for d in result.diagnostics]
    assert (found.code, found.help) == ("K005", "add `ruleset: ../harder.yaml`")


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("nobodys_game", "V001"),
        ("/etc/passwd.yaml", "X008"),
        ("../../../other.yaml", "X007"),
        ("../missing.yaml", "X001"),
        ("https://x.yaml", "X009"),
    ],
)
def test_a_ruleset_that_cannot_be_named(game: Path, named: str, code: str) -> None:
    assert codes(write(game, f"croupier: 1\nruleset: {named}\n{ONE}")) == [code]


def test_a_ruleset_with_mistakes_is_one_failure(game: Path) -> None:
    ruleset = game / "ruleset.yaml"
    ruleset.write_text(
        ruleset.read_text(encoding="utf-8").replace("points[p] += worth(c)", "points[p] += value(c)"),
        encoding="utf-8",
    )
    results = run_scenarios(write(game, "croupier: 1\n" + ONE))
    assert [(r.id, r.passed) for r in results] == [(WHOLE_FILE, False)]
    assert "there is no definition or function called `value`" in results[0].message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "Y020"),
        ("croupier: 1\nscenarios: [\n", "Y"),
        ("croupier: 3\n" + ONE, "D009"),
        ("- one\n- two\n", "D003"),
        ("croupier: 1\nscenarios: []\n", "D004"),
        (ONE, "D002"),
        ("croupier: 1\nscenarios:\n  - &a {id: one, then: [bank == 5]}\n  - *a\n", "Y"),
    ],
)
def test_a_file_that_is_none(game: Path, text: str, code: str) -> None:
    found = codes(write(game, text))
    assert found and all(c.startswith(code) for c in found), found


def test_one_bad_scenario_does_not_hide_the_others(game: Path) -> None:
    file = write(
        game, "croupier: 1\n" + ONE + "  - {id: two, thne: [bank == 5]}\n  - {id: three, then: [bank == 6]}\n"
    )
    assert [(r.id, r.passed) for r in run_scenarios(file)] == [
        ("one", True),
        ("two", False),
        ("three", False),
    ]


def test_ids_are_unique_within_a_folder(game: Path) -> None:
    write(game, "croupier: 1\n" + ONE)
    write(game, "croupier: 1\n" + ONE, "two.yaml")
    assert [d.code for r in run_scenarios(game) for d in r.diagnostics] == ["K002"]


def test_names_of_nothing(game: Path, tmp_path: Path) -> None:
    with pytest.raises(RulesetError):
        run_scenarios("nobodys_game")
    with pytest.raises(RulesetError):
        scenario_files("nobodys_game")
    shutil.rmtree(game / "scenarios")
    assert run_scenarios(game) == []
    (game / "ruleset.yaml").write_text("croupier: 1\n", encoding="utf-8")
    with pytest.raises(RulesetError):
        run_scenarios(game)


def test_rulesets_are_no_scenario_files(game: Path) -> None:
    assert not is_scenario_file(game / "ruleset.yaml")
    assert not is_scenario_file(game / "rules.csv")
    assert not is_scenario_file(game)
    assert is_scenario_file(write(game, ""))


VARIANT = "croupier: 1\nextends: ../ruleset.yaml\ntitle: The Market, richer\nstate:\n  bank: int = 7\n"


def test_a_variant_by_its_name(game: Path) -> None:
    (game / "variants").mkdir()
    (game / "variants" / "richer.yaml").write_text(VARIANT, encoding="utf-8")
    seven = ONE.replace("5", "7")
    assert [r.passed for r in run_scenarios(write(game, "croupier: 1\nruleset: richer\n" + seven))] == [True]
    by_path = "croupier: 1\nruleset: ../variants/richer.yaml\n" + seven.replace("id: one", "id: two")
    assert [r.passed for r in run_scenarios(write(game, by_path, "two.yaml"))] == [True]
    write(game, "croupier: 1\n" + ONE, "base.yaml")
    assert [r.passed for r in run_scenarios(game / "variants" / "richer.yaml")] == [True, True]
    assert codes(write(game, "croupier: 1\nruleset: richr\n" + seven, "three.yaml")) == ["V001"]


def test_what_a_check_finds_in_a_scenario_file(game: Path) -> None:
    wrong = "croupier: 1\nscenarios:\n  - {id: one, then: [bnak == 5]}\n  - {id: two, then: [bank == 9]}\n"
    assert [d.code for d in check_scenarios(write(game, wrong))] == ["N001"]
    unplayable = "croupier: 1\nscenarios:\n  - {id: one, do: [P1: dance], then: [bank == 9]}\n"
    assert [d.code for d in check_scenarios(write(game, unplayable))] == ["K102"], (
        "a step that nobody can take"
    )
    (game / "ruleset.yaml").write_text("croupier: 1\nruleset: x\n", encoding="utf-8")
    assert {d.code for d in check_scenarios(write(game, wrong))} == {"D002"}


def test_a_ruleset_of_any_name_has_the_folder_beside_it(game: Path) -> None:
    market = (game / "ruleset.yaml").rename(game / "market.yaml")
    file = write(game, "croupier: 1\n" + ONE)
    (game / "richer.yaml").write_text(VARIANT.replace("../ruleset.yaml", "market.yaml"), encoding="utf-8")
    assert [r.passed for r in run_scenarios(market)] == [r.passed for r in run_scenarios(file)] == [True]
    assert check_beside(str(market), ()) == [] == run_scenarios(game / "richer.yaml")
    assert rulesets_of_others(game / "richer.yaml") == [market.as_posix()]
    write(game, "croupier: 1\n" + ONE.replace("5", "bnak"))
    assert [d.code for d in check_beside(str(market), ())] == ["N001"]

    shutil.copy(market, game / "other.yaml")
    for found in (codes(market), codes(file), [d.code for d in check_beside(str(market), ())]):
        assert found[:1] == ["K005"]
    write(game, "croupier: 1\nruleset: ../other.yaml\n" + ONE)
    assert run_scenarios(market) == [] and [r.passed for r in run_scenarios(game / "other.yaml")] == [True]
