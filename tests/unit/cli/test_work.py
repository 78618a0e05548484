"""How often something is done, which is what commands take their time for: each document is checked once, and
nothing is done that nobody needs.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import croupier
from croupier import pipeline
from croupier.cli import main
from croupier.execution import backends
from croupier.play import simulate as simulating
from needs import compiler

HEAP = Path(__file__).parents[2] / "data" / "heap"
CHECK = import_module("croupier.semantics.check")


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[object, ...]]:
    """The arguments of the calls of a function from now on."""
    calls: list[tuple[object, ...]] = []
    function: Callable[..., object] = getattr(owner, name)

    def noting(*args: object, **named: object) -> object:
        calls.append(args)
        return function(*args, **named)

    monkeypatch.setattr(owner, name, noting)
    return calls


@pytest.fixture
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", "off")


@pytest.fixture
def heap(tmp_path: Path) -> Path:
    """A folder with variants and scenario files for them."""
    shutil.copytree(HEAP, tmp_path / "heap")
    return tmp_path / "heap"


def test_a_folder_is_checked_with_one_run_of_the_pipeline_for_each_document(
    heap: Path, monkeypatch: pytest.MonkeyPatch, no_cache: None
) -> None:
    runs = counted(monkeypatch, CHECK.Checker, "run")
    opened = counted(monkeypatch, pipeline, "open_ruleset")
    main(["check", str(heap)])
    names = [Path(str(args[0])).name for args in opened]
    documents = {"heap", "beside.yaml", *(path.name for path in (heap / "variants").iterdir())}
    assert sorted(names) == sorted(documents), (
        "each once: scenario files are played with what has been checked"
    )
    assert len(runs) < 3 * len(names), (
        "what is wrong in a variant is looked for without it, to say whose it is"
    )


def test_playing_needs_no_lints(monkeypatch: pytest.MonkeyPatch, no_cache: None) -> None:
    lints = counted(monkeypatch, CHECK, "run_lints")
    croupier.load("tic_tac_toe")
    assert main(["run", "tic_tac_toe", "--seed", "1"]) == 0
    assert main(["simulate", "tic_tac_toe", "--games", "3", "--seed", "1"]) == 0
    assert main(["test", "tic_tac_toe"]) == 0
    assert not lints
    assert main(["check", "tic_tac_toe"]) == 0
    assert lints


@pytest.mark.parametrize("worth", [pytest.param(True, marks=compiler), False])
def test_auto_compiles_one_back_end_at_most(
    worth: bool, monkeypatch: pytest.MonkeyPatch, no_cache: None
) -> None:
    python = counted(monkeypatch, backends, "compile_python")
    native = counted(monkeypatch, simulating, "native_code_for")
    monkeypatch.setattr(simulating, "worth_compiling", lambda played, seconds, games: worth and played == 3)
    assert main(["simulate", "tic_tac_toe", "--games", "9", "--seed", "1"]) == 0
    assert not python
    assert len(native) == (2 if worth else 1), (
        "it is asked for code that is there, and once for code that is made"
    )


@compiler
def test_auto_takes_native_code_that_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    assert main(["simulate", "tic_tac_toe", "--games", "9", "--seed", "1", "--backend", "native"]) == 0
    lowering = counted(monkeypatch, import_module("croupier.execution.native_game"), "lower")
    python = counted(monkeypatch, backends, "compile_python")
    one_by_one = counted(monkeypatch, simulating, "play_one")
    assert main(["simulate", "tic_tac_toe", "--games", "9", "--seed", "1"]) == 0
    assert not lowering and not python and not one_by_one


LEAKY = """\
croupier: 1
ruleset: leaky
title: Leaky
players: 2
components:
  Card: {attributes: {n: 1..4}, each: [n]}
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player, seen_by: owner}
phases:
  play: |
    shuffle deck
    for p in players: draw 1 from deck to hand[p]
    choose n from 1..9 by players.first where n <= sum(c.n for c in hand[players.last])
    finish draw
"""


def test_a_leak_keeps_people_from_playing_and_programs_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("starlette")
    process = import_module("croupier.server.app").ServerProcess
    monkeypatch.setattr(process, "listen", lambda *given: print("it serves"))
    path = tmp_path / "leaky.yaml"
    path.write_text(LEAKY, encoding="utf-8")
    assert main(["check", str(path)]) == 1 and main(["serve", str(path)]) == 2
    told = capsys.readouterr()
    assert "L030" in told.err and "it serves" not in told.out
    assert main(["run", str(path), "--seed", "1"]) == 0
    path.write_text(LEAKY.replace(" where n <= sum(c.n for c in hand[players.last])", ""), encoding="utf-8")
    assert main(["serve", str(path)]) == 0
    assert "it serves" in capsys.readouterr().out
