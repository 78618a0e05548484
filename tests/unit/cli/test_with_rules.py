"""The command line on real rules: a small ruleset of the tests, and one game of everything that is
shipped.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from croupier.execution import llvm_compiler as engine
from croupier.resources import shipped
from samples import sample

RULES = Path(__file__).parent.parent.parent / "data" / "my_game" / "ruleset.yaml"
TEAM = RULES.parent.parent / "team.yaml"
Json = Callable[..., Any]
AUTOMATED = {"vudu/bluff": ("--set", "turn_limit=200")}  # what random players never end without


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Json:
    """Runs a command that must succeed, and reads its JSON."""

    def run(*arguments: object) -> Any:
        code = main([*map(str, arguments), "--format", "json"])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return json.loads(captured.out)

    return run


@pytest.mark.parametrize("name", [name for name in sample() if "/" in name])
def test_a_game_of_a_variant_finishes(name: str, answer: Json) -> None:
    played = answer("run", name, "--seed", 1, "--invariants", *AUTOMATED.get(name, ()))
    assert played["ruleset"] == name and played["outcome"]["status"] == "finished"


@pytest.mark.parametrize("name", [name for name in shipped() if "/" not in name][::2])
def test_a_game_of_every_other_shipped_ruleset_finishes_and_replays(
    name: str, answer: Json, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    played = answer("run", name, "--seed", 1, "--invariants", "--save", path)
    assert played["ruleset"] == name and played["outcome"]["status"] == "finished"
    assert answer("replay", path)["final_hash"] == played["final_hash"]


@pytest.mark.parametrize("name", ["kuhn_poker", "una_notte_da_lupi", "homesteads"])
def test_a_game_is_replayed_up_to_its_middle_as_a_seat_sees_it(
    name: str, answer: Json, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    middle = len(answer("run", name, "--seed", 1, "--save", path)["actions"]) // 2
    shown = answer("replay", path, "--at", middle, "--seat", 1)
    assert shown["applied"] is None and shown["observation"], (
        "a seat reads what it sees, not how often others decided"
    )
    assert answer("replay", path, "--at", middle)["applied"] == middle


def test_every_number_of_players_and_parameters(answer: Json) -> None:
    for players in (2, 3, 4):
        played = answer(
            "run", RULES, "--seed", 1, "--players", players, "--set", "hand_size=2", "--invariants"
        )
        assert (played["players"], played["parameters"], played["decisions"]) == (
            players,
            {"hand_size": 2},
            2 * players,
        )
        assert played["chance_events"] == 2 * players


def test_the_digest_of_a_run_is_that_of_a_simulation_of_one_game(answer: Json) -> None:
    assert (
        answer("run", RULES, "--seed", 9)["digest"]
        == answer("simulate", RULES, "--seed", 9, "--games", 1)["digest"]
    )


def test_processes_change_nothing_and_seeds_do(answer: Json) -> None:
    alone = answer("simulate", RULES, "--seed", 9, "--games", 50, "--jobs", 1)
    shared = answer("simulate", RULES, "--seed", 9, "--games", 50, "--jobs", 3)
    assert {**alone, "timing": None} == {**shared, "timing": None}
    assert answer("simulate", RULES, "--seed", 10, "--games", 50)["digest"] != alone["digest"]


def test_grades_are_counted_the_same_on_all_back_ends(
    answer: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    """The words of `finish … as`, the most frequent first; other games have no table of them."""
    asked = ("simulate", TEAM, "--seed", 1, "--games", 60)
    backends = ("reference", "python", "native") if engine.is_installed() else ("reference", "python")
    found, *others = [answer(*asked, "--backend", name)["grades"] for name in backends]
    assert all(other == found for other in others)
    wilson = [0.285695, 0.526339]
    assert found[0] == {"grade": "lost in the woods", "games": 24, "share": 0.4, "interval": wilson}
    assert sum(row["games"] for row in found) == 60 and None in [row["grade"] for row in found]
    assert main([*map(str, asked)]) == 0
    shown = capsys.readouterr().out
    assert all(words in shown for words in ("lost in the woods", "(without)", "home with [12]", "40.0%"))
    assert answer("simulate", RULES, "--seed", 1, "--games", 5)["grades"] == []


def test_layout_and_comments_change_no_hash_and_another_rule_changes_both(
    answer: Json, tmp_path: Path
) -> None:
    text = RULES.read_text(encoding="utf-8")
    before = answer("simulate", RULES, "--seed", 3, "--games", 20)
    laid_out, changed = tmp_path / "laid_out.yaml", tmp_path / "changed.yaml"
    laid_out.write_text(
        text.replace("    shuffle deck\n", "    # all of it\n\n    shuffle   deck\n") + "\n# the end\n",
        encoding="utf-8",
    )
    changed.write_text(text.replace("c.number >= d.number", "c.number <= d.number"), encoding="utf-8")
    same, other = (answer("simulate", path, "--seed", 3, "--games", 20) for path in (laid_out, changed))
    assert (same["hash"], same["digest"]) == (before["hash"], before["digest"])
    assert other["hash"] != before["hash"] and other["digest"] != before["digest"]


def test_a_script_in_words(answer: Json, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    deal = "".join(f"  - chance: {number}\n" for number in (3, 20, 7, 9))
    script.write_text(f"croupier: 1\nactions:\n{deal}  - 1: 20\n  - 2: 9\n")
    played = answer("run", RULES, "--set", "hand_size=2", "--seed", 1, "--actions", script)
    assert played["outcome"]["scores"] == [1, 1] and played["decisions"] == 4


def test_a_seat_is_shown_nothing_hidden(answer: Json, capsys: pytest.CaptureFixture[str]) -> None:
    referee = answer("run", RULES, "--seed", 4)
    dealt = [action["choice"]["chance"] for action in referee["actions"] if action["seat"] == -1]
    events = answer("run", RULES, "--seed", 4, "--seat", 1)["events"]
    before_play = [event["text"] for event in events[: [event["text"] for event in events].index("play")]]
    assert all(any(card in text.split() for text in before_play) for card in dealt[:3])
    assert not any(card in text.split() for text in before_play for card in set(dealt[3:]))
    assert main(["run", str(RULES), "--seed", "4", "--seat", "1"]) == 0
    assert "everybody draws 3 Cards from the deck, player 1 " in capsys.readouterr().out


def test_refusals_of_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        (["--players", "5"], "not 5"),
        (["--set", "hand_size=6"], "`hand_size`"),
        (["--set", "hand_sise=3"], "did you mean `hand_size`?"),
    ):
        assert main(["run", str(RULES), *arguments]) == 2
        captured = capsys.readouterr()
        assert captured.out == "" and words in captured.err and captured.err.startswith("error[G")


def test_a_scenario_of_a_position_passes_and_leads_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "game.json"
    (tmp_path / "ruleset.yaml").write_bytes(RULES.read_bytes())
    (tmp_path / "scenarios").mkdir()
    assert main(["run", str(tmp_path), "--seed", "6", "--set", "hand_size=2", "--save", str(saved)]) == 0
    count = len(json.loads(saved.read_text())["actions"])
    for at in (0, 3, count):
        capsys.readouterr()
        assert main(["replay", str(saved), "--ruleset", str(tmp_path), "--at", str(at), "--scenario"]) == 0
        text = capsys.readouterr().out.replace("id: new", f"id: new{at}")
        (tmp_path / "scenarios" / f"at_{at}.yaml").write_text(text, encoding="utf-8")
    assert main(["fmt", "--check", *map(str, (tmp_path / "scenarios").iterdir())]) == 0
    assert main(["test", str(tmp_path), "--verbose"]) == 0, capsys.readouterr()
    captured = capsys.readouterr()
    assert captured.out.count("passed  ") == 3 and "3 of 3 scenarios passed" in captured.err


def test_variants_are_listed_with_what_they_belong_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    some = {
        name: place
        for name, place in shipped().items()
        if name.split("/")[0] in ("lantern", "una_notte_da_lupi", "tic_tac_toe")
    }
    monkeypatch.setattr("croupier.resources.shipped", lambda: some)
    assert main(["list", "--format", "json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["rulesets"]}
    variants = [row for row in rows.values() if row["variant_of"] is not None]
    assert variants and all(row["variant_of"] in rows and row["clean"] for row in variants)


def test_a_scenario_file_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(
        "croupier: 1\nruleset: tic_tac_toe\nscenarios:\n  - {id: one, then: [mrak is none]}\n",
        encoding="utf-8",
    )
    assert main(["check", str(file)]) == 1
    assert "error[N001 unknown-name]" in capsys.readouterr().out


def test_a_saved_game_of_a_ruleset_in_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its name alone, as a folder or as a file; a name that is a path, or that nothing here has, finds
    nothing.
    """
    monkeypatch.chdir(tmp_path)
    text = RULES.read_text(encoding="utf-8")
    name = next(line.split(": ")[1] for line in text.splitlines() if line.startswith("ruleset: "))
    Path(name).mkdir()
    Path(name, "ruleset.yaml").write_text(text, encoding="utf-8")
    assert main(["run", name, "--seed", "3", "--save", "game.json"]) == 0
    assert main(["replay", "game.json"]) == 0
    assert main(["explain-move", "game.json", "--at", "1"]) == 0
    Path(name, "ruleset.yaml").rename(f"{name}.yaml")
    assert main(["replay", "game.json"]) == 0
    Path(f"{name}.yaml").rename("other.yaml")
    assert main(["replay", "game.json"]) == 2
    assert "X540" in capsys.readouterr().err
    assert main(["replay", "game.json", "--ruleset", "other.yaml"]) == 0


def test_what_is_read_is_not_written_over(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    heap = shutil.copytree(RULES.parent.parent / "heap", tmp_path / "heap")
    ruleset, saved = heap / "ruleset.yaml", heap / "game.json"
    assert main(["run", str(ruleset), "--save", str(saved)]) == 0
    for file, *arguments in (
        (ruleset, "run", heap, "--save"),
        (ruleset, "run", heap, "--variant", "short", "--save"),
        (heap / "variants" / "short.yaml", "rulebook", f"{heap}/short", "--out"),
        (heap / "scenarios" / "good.yaml", "coverage", heap, "--games", 0, "--out"),
        (saved, "replay", saved, "--ruleset", heap, "--html"),
        (saved, "play", heap, "--plain", "--from", saved, "--save"),
    ):
        before = file.read_bytes()
        code = main([*map(str, arguments), str(file), "--force"])
        assert code == 2 and "X533" in capsys.readouterr().err and file.read_bytes() == before, arguments
