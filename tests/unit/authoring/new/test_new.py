"""`croupier new`: what it makes checks, runs, passes its scenarios and is laid out; nothing is
overwritten.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.authoring.fmt import format_source
from croupier.authoring.new import FILES, prefix
from croupier.cli import main
from croupier.diagnostics import Source
from croupier.resources import rulesets_folder, shipped
from croupier.scenarios import run_scenarios
from needs import posix


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def works(path: Path, counts: tuple[int, ...]) -> None:
    result = croupier.check(path)
    assert result.ruleset is not None and not result.diagnostics
    assert result.ruleset.players == counts
    for players in counts:
        assert main(["run", str(path), "--seed", "1", "--players", str(players), "--invariants"]) == 0
    results = run_scenarios(path)
    assert results and all(r.passed for r in results)


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        ([], (2, 3, 4)),
        (["--players", "3"], (3,)),
        (["--players", "2..5"], (2, 3, 4, 5)),
        (["--players", "1-2"], (1, 2)),
    ],
)
def test_a_new_ruleset_works(
    words: list[str], counts: tuple[int, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "my_thing", *words]) == 0
    assert capsys.readouterr().out.splitlines() == [f"my_thing/{name}" for name in FILES]
    works(folder / "my_thing", counts)
    for path in (folder / "my_thing").rglob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        assert format_source(Source(path.name, text)).text == text
        assert "\ncroupier: 2\n" in text
    for variant in ("short_game", "open_hands", "short_game+open_hands"):
        assert not croupier.check(f"my_thing/{variant}").diagnostics
    assert "MT-1" in (folder / "my_thing/rules.csv").read_text(encoding="utf-8")


COPIED = ["witches_of_blackmore", "una_notte_da_lupi", "plain_tricks"]


@pytest.mark.parametrize("name", COPIED)
def test_a_copy_belongs_to_itself(name: str, folder: Path) -> None:
    assert main(["new", "a_copy", "--like", name]) == 0
    original, copy = croupier.load(name), croupier.load(folder / "a_copy")
    assert copy.name == "a_copy" and copy.players == original.players and copy.title == original.title
    homes = (folder, rulesets_folder() / "modules")  # shipped modules are named, not copied
    assert all(
        any(Path(str(s.name)).resolve().is_relative_to(home) for home in homes)
        for s in copy.program.resolved.sources
    )
    assert len(list((folder / "a_copy").glob("variants/*.yaml"))) == sum(
        other.startswith(f"{name}/") for other in shipped()
    )
    for variant in sorted((folder / "a_copy").glob("variants/*.yaml"))[:2]:
        checked = croupier.load(variant)
        assert all(
            any(Path(str(s.name)).resolve().is_relative_to(home) for home in homes)
            for s in checked.program.resolved.sources
        ), variant


@pytest.mark.parametrize("name", ["witches_of_blackmore", "plain_tricks", "goofspiel"])
def test_the_scenarios_of_a_copy_pass(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "a_copy", "--like", name]) == 0
    assert main(["test", str(folder / "a_copy")]) == 0
    assert "0 of 0 scenarios" not in "".join(capsys.readouterr())


def test_nothing_is_overwritten(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "notes.txt").write_text("mine")
    assert main(["new", "mine"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert [p.name for p in folder.iterdir()] == ["mine"] and [
        p.name for p in (folder / "mine").iterdir()
    ] == ["notes.txt"]
    assert main(["new", "other", "--in", "nowhere"]) == 2
    assert main(["new", "other", "--in", "mine"]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a b"], "is not a name"),
        (["../up"], "is not a name"),
        (["1st"], "is not a name"),
        (["x" * 65], "longer than"),
        (["été"], "is not a name"),
        (["con"], "is a device"),
        (["tic_tac_toe"], "comes with"),
        (["x", "--players", "0-3"], "1 to 64"),
        (["x", "--players", "4-2"], "1 to 64"),
        (["x", "--players", "many"], "is not a number of players"),
        (["x", "--players", "2-99999"], "is not a number of players"),
        (["x", "--like", "tic_tac_toe", "--players", "3"], "is for 2 players"),
        (["x", "--like", "witches_of_blackmore/low_wins"], "name the ruleset itself"),
    ],
)
def test_what_cannot_be_is_refused(
    words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", *words]) == 2
    assert said in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert not list(folder.iterdir())


def test_what_cannot_be_copied_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "x", "--like", "no_such_thing"]) == 2
    (folder / "broken").mkdir()
    (folder / "broken" / "ruleset.yaml").write_text("croupier: 1\nphases: {\n")
    assert main(["new", "x", "--like", "./broken"]) == 2
    assert "error[" in capsys.readouterr().err and not (folder / "x").exists()
    assert sorted(p.name for p in folder.iterdir()) == ["broken"]


@posix
def test_links_are_not_followed(folder: Path) -> None:
    (folder / "secret.csv").write_text("secret")
    assert main(["new", "first"]) == 0
    (folder / "first" / "linked.csv").symlink_to(folder / "secret.csv")
    assert main(["new", "second", "--like", "./first"]) == 0
    assert not (folder / "second" / "linked.csv").exists()


@pytest.mark.parametrize(
    ("name", "letters"),
    [("my_game", "MG"), ("hearts", "HE"), ("x", "X"), ("_1", "R"), ("a_b_c_d_e_f_g_h_i_j", "ABCDEFGH")],
)
def test_the_letters_of_rules(name: str, letters: str) -> None:
    assert prefix(name) == letters
