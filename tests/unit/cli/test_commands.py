"""What each command shows, where, and with which exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import croupier
import croupier.scenarios.api  # noqa: F401 - before a test puts another module in the place of its package

Cli = Callable[..., Any]


def test_run_shows_a_log_with_rules_and_the_seed(cli: Cli) -> None:
    ran = cli("run", "fake", "--seed", 5)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("A fake game\n2 players, bots random · seed 5 · rules ")
    assert "the log of the referee" in ran.out
    assert "seat 1 takes" in ran.out and "[FA-2, FA-1]" in ran.out and "a secret" in ran.out
    assert "wins" in ran.out and "digest" in ran.out


def test_run_without_a_seed_shows_a_new_one(cli: Cli) -> None:
    first, second = (json.loads(cli("run", "fake", "--format", "json").out)["seed"] for _ in range(2))
    assert first != second


def test_run_for_one_seat_shows_what_it_sees(cli: Cli) -> None:
    ran = cli("run", "fake", "--seed", 5, "--seat", 2)
    assert "the log of player 2" in ran.out
    assert "seed" not in ran.out and "digest" not in ran.out
    assert ran.out.count("a secret") < cli("run", "fake", "--seed", 5).out.count("a secret")
    document = json.loads(cli("run", "fake", "--seed", 5, "--seat", 2, "--format", "json").out)
    assert document["actions"] is None and document["seat"] == 1 and document["events"]
    hidden = ("seed", "game", "decisions", "chance_events", "digest", "start_hash", "final_hash", "checksum")
    assert {document[name] for name in hidden} == {None}
    assert cli("run", "fake", "--seat", 3).code == 2


def test_run_in_json(cli: Cli) -> None:
    ran = cli("run", "fake", "--seed", 5, "--format", "json", "--set", "rounds=3", "--players", 3)
    document = json.loads(ran.out)
    assert ran.code == 0 and ran.out.isascii()
    assert (document["seed"], document["players"], document["outcome"]["status"]) == (5, 3, "finished")


def test_run_in_json_lines_for_one_seat(cli: Cli) -> None:
    seen = [
        json.loads(line)
        for line in cli("run", "fake", "--seed", 5, "--format", "jsonl", "--seat", 1).out.splitlines()
    ]
    assert [seen[0]["type"], seen[-1]["type"]] == ["header", "outcome"]
    assert {"event"} == {line["type"] for line in seen[1:-1]}
    assert seen[0]["seed"] is None and "digest" not in seen[-1]


@pytest.mark.parametrize(
    ("name", "words"),
    [("fake-stuck", "stuck"), ("fake-endless", "unfinished"), ("fake-fault", "division by zero [R001]")],
)
def test_run_of_a_game_that_does_not_finish_shows_it_and_exits_with_1(
    cli: Cli, name: str, words: str
) -> None:
    ran = cli("run", name, "--seed", 3, "--players", 3)
    assert ran.code == 1 and words in ran.out


def test_invariants(cli: Cli) -> None:
    assert cli("run", "fake-broken-invariant", "--seed", 2).code == 0
    ran = cli("run", "fake-broken-invariant", "--seed", 2, "--invariants")
    assert ran.code == 1 and "faulted: the counters are conserved" in ran.out


def test_a_scripted_game(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text("- chance: roll 4\n- 1: take 3\n")
    ran = cli("run", "fake", "--seed", 1, "--actions", script)
    assert ran.code == 0 and "the die shows 4" in ran.out and "seat 1 takes 3" in ran.out
    script.write_text("- chance: roll 4\n- 1: take 9\n")
    ran = cli("run", "fake", "--seed", 1, "--actions", script)
    assert ran.code == 2 and "error[X520 " in ran.err and "script.yaml:2:3" in ran.err and ran.out == ""
    assert cli("run", "fake", "--actions", tmp_path / "none.yaml").code == 2


def test_a_game_is_saved_and_replayed(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    ran = cli("run", "fake", "--seed", 5, "--save", path, "--format", "json")
    assert ran.code == 0 and "saved as" in ran.err
    shown, saved = json.loads(ran.out), json.loads(path.read_text())
    assert (shown["hash"], shown["checksum"], shown["actions"]) == (
        saved["ruleset_hash"],
        saved["checksum"],
        saved["actions"],
    )
    (tmp_path / "shown.json").write_text(ran.out)
    assert cli("replay", tmp_path / "shown.json", "--ruleset", "fake").code == 0
    for old, new, code in (('"seed": 5', '"seed": 6', "X518"), ('"version": 2', '"version": 99', "X503")):
        assert old in ran.out
        (tmp_path / "shown.json").write_text(ran.out.replace(old, new))
        refused = cli("replay", tmp_path / "shown.json", "--ruleset", "fake")
        assert refused.code in (1, 2) and f"error[{code} " in refused.err
    again = cli("run", "fake", "--save", path)
    assert again.code == 2 and "error[X530 " in again.err and "--force" in again.err
    assert cli("run", "fake", "--seed", 5, "--save", path, "--force").code == 0

    replayed = cli("replay", path, "--ruleset", "fake")
    assert replayed.code == 0 and "all verified" in replayed.out and "counters: " in replayed.out
    early = cli("replay", path, "--ruleset", "fake", "--at", 1)
    assert "position after 1 action, all verified" in early.out and "next: player 1" in early.out
    document = json.loads(cli("replay", path, "--ruleset", "fake", "--at", 1, "--format", "json").out)
    assert document["applied"] == 1 and document["pending"] == [0]
    assert cli("replay", path, "--ruleset", "fake", "--at", 999).code == 2
    other = cli("replay", path, "--ruleset", "fake-fault")
    assert other.code == 1 and "error[X506 " in other.err


def test_a_saved_game_names_a_shipped_ruleset_only(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    cli("run", "fake", "--seed", 5, "--save", path)
    ran = cli("replay", path)
    assert ran.code == 2 and "error[X540 " in ran.err and "--ruleset" in ran.err
    monkeypatch.setattr("croupier.resources.shipped", lambda: {"fake": None})
    assert cli("replay", path).code == 0


def test_a_saved_game_knows_a_shipped_variant_by_its_whole_name(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {"base/fake": SimpleNamespace(path=Path("fake.yaml"))}
    monkeypatch.setattr("croupier.resources.shipped", lambda: places)
    assert json.loads(cli("run", "fake", "--format", "json").out)["ruleset"] == "base/fake"
    assert json.loads(cli("simulate", "fake", "--games", 2, "--format", "json").out)["ruleset"] == "base/fake"


def test_simulate(cli: Cli) -> None:
    ran = cli("simulate", "fake", "--games", 60, "--seed", 5)
    assert (ran.code, ran.err) == (0, "")
    assert (
        "60 games of 2 players · seed 5" in ran.out
        and "95 % interval" in ran.out
        and "60 finished" in ran.out
    )
    document = json.loads(cli("simulate", "fake", "--games", 60, "--seed", 5, "--format", "json").out)
    shared = json.loads(
        cli("simulate", "fake", "--games", 60, "--seed", 5, "--format", "json", "--jobs", 2).out
    )
    assert document["digest"] == shared["digest"] and document["seed"] == 5
    assert (
        json.loads(cli("simulate", "fake", "--games", 60, "--seed", 6, "--format", "json").out)["digest"]
        != document["digest"]
    )


def test_simulate_lists_what_did_not_finish_and_that_game_can_be_run(cli: Cli) -> None:
    ran = cli("simulate", "fake-stuck", "--games", 30, "--seed", 3, "--players", 3)
    assert ran.code == 1 and "stuck: --seed 3 --game " in ran.out
    problem = json.loads(
        cli("simulate", "fake-stuck", "--games", 30, "--seed", 3, "--players", 3, "--format", "json").out
    )["problems"][0]
    single = json.loads(
        cli(
            "run", "fake-stuck", "--seed", 3, "--players", 3, "--game", problem["game"], "--format", "json"
        ).out
    )
    assert single["outcome"]["status"] == "stuck"


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "fake", "--set", "rounds"),
        ("run", "fake", "--set", "=3"),
        ("run", "fake", "--set", "players=3"),
        ("run", "fake", "--set", "rounds=2", "--set", "rounds=3"),
        ("run", "fake", "--bots", "randon"),
        ("run", "fake", "--bots", "first,first,first"),
        ("run", "fake", "--seed", "-1"),
        ("run", "fake", "--seed", 2**64),
        ("run", "fake", "--seed", "x"),
        ("run", "fake", "--format", "yaml"),
        ("run", "fake", "--players", "0"),
        ("run",),
        ("runn",),
        ("run", "fake", "--unknown"),
        ("simulate", "fake", "--games", "0"),
        ("simulate", "fake", "--bots", "nobody"),
        ("check",),
        ("explain", "Q999"),
        ("dump", "fake", "--stage", "none"),
        ("test", "fake", "--watch", "--format", "json"),
    ],
)
def test_wrong_usage_exits_with_2_and_writes_nothing_to_stdout(
    cli: Cli, arguments: tuple[object, ...]
) -> None:
    ran = cli(*arguments)
    assert ran.code == 2 and ran.out == "" and ("Usage: croupier" in ran.err or '"kind": "usage"' in ran.err)


@pytest.mark.parametrize(
    "arguments",
    [("run", "none"), ("simulate", "none"), ("run", "fake", "--players", 9), ("run", "fake", "--set", "x=1")],
)
def test_what_the_rules_refuse_exits_with_2(cli: Cli, arguments: tuple[object, ...]) -> None:
    ran = cli(*arguments)
    assert ran.code == 2 and ran.out == "" and ran.err.startswith("error[X")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seed", "abc"), "it is not a whole number"),
        (("--players", "0"), "it should be greater"),
        (("--format", "xml"), "'xml' is not one of"),
    ],
)
def test_a_value_of_an_option_is_refused_in_words_of_ours(
    cli: Cli, arguments: tuple[str, ...], words: str
) -> None:
    ran = cli("run", "fake", *arguments)
    assert ran.code == 2 and words in ran.err and "Input" not in ran.err and "Value error" not in ran.err


def test_a_long_name_is_shortened(cli: Cli) -> None:
    assert len(cli("check", "a" * 5_000).err) < 1_000


def test_check(cli: Cli) -> None:
    ran = cli("check", "fake")
    assert (ran.code, ran.out, ran.err) == (0, "", "fake: clean\n")
    ran = cli("check", "fake", "wrong", "warned")
    assert ran.code == 1 and ran.out.count("error[X523 ") == 2 and "warning[X523 " in ran.out
    assert ran.err == "fake: clean\nwrong: 2 errors\nwarned: 1 warning\n"
    assert "\x1b" not in ran.out and "\\x1b" in ran.out
    assert cli("check", "warned").code == 0
    assert cli("check", "warned", "--strict").code == 1
    assert cli("check", "nothing").code == 2


def test_check_for_programs(cli: Cli) -> None:
    assert len(json.loads(cli("check", "wrong", "warned", "--format", "json").out)["findings"]) == 3
    found = json.loads(cli("check", "fake", "--format", "json").out)
    assert (found["checked"], found["errors"], found["warnings"], found["findings"]) == (["fake"], 0, 0, [])
    assert cli("check", "wrong", "--format", "github").out.startswith("::error file=wrong.yaml,line=2,")
    assert json.loads(cli("check", "wrong", "--format", "sarif").out)["version"] == "2.1.0"


def test_check_all(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.resources.shipped", lambda: {"fake": None})
    monkeypatch.setattr("croupier.resources.shipped_modules", lambda: ("warned",))
    ran = cli("check", "--all", "fake")
    assert ran.code == 0 and ran.err == "fake: clean\nwarned: 1 warning\n"


def test_list(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text("a: 1\nb: 2\n")
    places = {
        "fake": SimpleNamespace(path=path),
        "fake/other": SimpleNamespace(path=path),
        "broken": SimpleNamespace(path=path),
    }
    monkeypatch.setattr("croupier.resources.shipped", lambda: places)
    ran = cli("list")
    assert ran.code == 0 and "A fake game" in ran.out and "2-3" in ran.out and "(does not check)" in ran.out
    document = json.loads(cli("list", "--format", "json").out)
    assert [row["name"] for row in document["rulesets"]] == list(places)
    assert document["rulesets"][0]["parameters"][0] == {
        "name": "rounds",
        "type": "1..9",
        "default": 2,
        "doc": "rounds to play",
        "variants": {},
    }
    assert document["rulesets"][0]["lines"] == 2 and document["rulesets"][2]["clean"] is False


def test_explain(cli: Cli) -> None:
    ran = cli("explain", "x530")
    assert ran.code == 0 and ran.out.startswith("error[X530 file-exists]: `…` exists already\n")
    ran = cli("explain", "X505")
    assert "wrong:" in ran.out and "right:" in ran.out and '    {"croupier": 1, "sead": 5, …}' in ran.out
    assert (
        cli("explain", "file-exists").out == cli("explain", "X530").out
        and "`file-exists`?" in cli("explain", "file-exist").err
    )
    assert "X530  file-exists\n" in cli("explain").out
    assert json.loads(cli("explain", "X530", "--format", "json").out)["diagnostics"][0]["code"] == "X530"
    assert len(json.loads(cli("explain", "--format", "json").out)["diagnostics"]) > 50
    assert "did you mean `X530`" in cli("explain", "X5300").err


def test_dump(cli: Cli) -> None:
    assert cli("dump", "fake", "--stage", "ast").out == "fake ast\n"


def scenario(passed: bool, message: str = "") -> SimpleNamespace:
    return SimpleNamespace(
        file=Path("a.yaml"),
        id="EX-1",
        title="t\x1b",
        passed=passed,
        message=message,
        seconds=0.5,
        story=(),
        moments=(),
    )


def test_test(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("croupier.scenarios")
    results = {"good": [scenario(True)], "bad": [scenario(True), scenario(False, "wanted 1\n  ::: found 2")]}
    module.LoadedRulesets = lambda traced: None  # type: ignore[attr-defined]
    module.each_scenario = lambda name, progress, keep, rulesets: iter(results[name])  # type: ignore[attr-defined]
    monkeypatch.setitem(__import__("sys").modules, "croupier.scenarios", module)
    ran = cli("test", "good")
    assert (ran.code, ran.out) == (0, "") and ran.err.startswith("1 of 1 scenarios passed")
    ran = cli("test", "good", "bad", "--verbose")
    assert ran.code == 1 and ran.out.count("passed") == 2 and "FAILED  a.yaml  EX-1  t\\x1b" in ran.out
    assert "        wanted 1\n          ::: found 2\n" in ran.out and "2 of 3 scenarios passed" in ran.err
    assert [row["passed"] for row in json.loads(cli("test", "bad", "--format", "json").out)["scenarios"]] == [
        True,
        False,
    ]


def test_version(cli: Cli) -> None:
    assert cli("--version").out == f"croupier {croupier.__version__}\n"


def test_no_arguments_show_the_help_and_exit_with_2(cli: Cli) -> None:
    ran = cli()
    assert ran.code == 2 and "Usage: croupier" in ran.out + ran.err


def test_a_mistake_of_croupier_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (("run", "fake-bug", "--seed", 1), ("simulate", "fake-bug", "--games", 3, "--seed", 1)):
        ran = cli(*arguments)
        assert ran.code == 70 and ran.out == "" and ran.err.count("\n") == 1
        assert "please report it" in ran.err and "KeyError" in ran.err and "Traceback" not in ran.err
    assert "in game 1 with seed 1" in ran.err
    monkeypatch.setenv("CROUPIER_DEBUG", "1")
    assert "Traceback" in cli("run", "fake-bug", "--seed", 1).err
