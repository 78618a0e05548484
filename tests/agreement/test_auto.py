"""`auto`: what plays a simulation changes how long it takes and nothing else, with `llvmlite` or without
it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.execution import llvm_compiler as engine
from croupier.execution import native_code as code
from croupier.play import native_games
from croupier.play import simulate as simulating
from croupier.play.match import MatchConfig
from croupier.play.results import FinishedRows
from croupier.play.tally import Tally
from needs import compiler

RISKY = """\
croupier: 1
ruleset: risky
title: Risky
players: 2
state:
  sum: 0..12 = 0 seen by everybody
phases:
  play: |
    for p in turns():
        choose x from 1..LARGEST by p as "number"
        sum = sum + x
        if sum == 12:
            finish win p
"""


def tally(name: str, games: int, **options: Any) -> tuple[Tally, int]:
    """What is counted of some games, and how many of them were played in batches."""
    jobs = options.pop("jobs", 1)
    ruleset, batched = croupier.load(name), 0
    setup = MatchConfig(seed=5, **options)
    found = Tally(setup.initial_state(ruleset).players)
    for some in simulating.simulate_batches(ruleset, name, setup, games, jobs=jobs, load=croupier.load):
        found.add(some)
        batched += len(some) if isinstance(some, FinishedRows) else 0
    return found, batched


def facts(found: Tally) -> list[Any]:
    counted = (found.statuses, found.winners, found.decisions, found.chance_events)
    return [
        found.digest,
        found.games,
        *map(dict, counted),
        *map(dict, found.scores),
        sorted(game.game for game in found.problems),
    ]


@compiler
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker"])
@pytest.mark.parametrize("jobs", [1, 2, None])
def test_batches_say_the_same(name: str, jobs: int | None) -> None:
    alone, none = tally(name, 130, backend="reference")
    batched, all_of_them = tally(name, 130, backend="native", jobs=jobs)
    assert (none, all_of_them) == (0, 130)
    assert facts(batched) == facts(alone)


@compiler
def test_what_the_compiler_does_not_accept_is_played_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake of the back end costs time, not the games; who asks for native code is told."""
    monkeypatch.setenv("CROUPIER_CACHE", "off")
    monkeypatch.setattr(
        code,
        "compile_object",
        lambda text, **how: engine.compile_object("define void @a() { ret void }\n" * 2),
    )
    monkeypatch.setattr(simulating, "worth_compiling", lambda played, seconds, games: played == 7)
    found, batched = tally("tic_tac_toe", 20, backend="auto")
    assert (found.games, batched) == (20, 0)
    with pytest.raises(engine.InvalidAssembly, match="redefinition"):
        tally("tic_tac_toe", 20, backend="native")


@compiler
def test_native_code_takes_over_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for few games; once it is, the same games go on, and the next run finds it
    there.
    """
    monkeypatch.setenv("CROUPIER_CACHE", "off")
    worth = simulating.worth_compiling
    # if busy, too
    monkeypatch.setattr(
        simulating, "worth_compiling", lambda played, seconds, games: worth(played, 0.001 * played, games)
    )
    whole = facts(tally("tic_tac_toe", 40, backend="reference")[0])
    few, batched = tally("tic_tac_toe", 40, backend="auto")
    assert (facts(few), batched) == (whole, 0)
    monkeypatch.setattr(simulating, "worth_compiling", lambda played, seconds, games: played == 7)
    many, batched = tally("tic_tac_toe", 40, backend="auto")
    assert (facts(many), batched) == (whole, 33)


@compiler
def test_what_was_compiled_before_is_taken_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    # however busy the machine is
    monkeypatch.setattr(simulating, "worth_compiling", lambda played, seconds, games: False)
    assert tally("kuhn_poker", 20, backend="auto")[1] == 0
    assert tally("kuhn_poker", 20, backend="native")[1] == 20
    assert tally("kuhn_poker", 20, backend="auto")[1] == 20


def test_worth_compiling() -> None:
    assert not simulating.worth_compiling(played=10, seconds=0.01, games=10**6)
    assert not simulating.worth_compiling(played=1000, seconds=0.2, games=4000)
    assert simulating.worth_compiling(played=1000, seconds=0.2, games=5000)


@compiler
@pytest.mark.parametrize("largest,jobs", [(2, 1), (4, 2)])
def test_games_that_end_in_a_fault(tmp_path: Path, largest: int, jobs: int) -> None:
    """They are the evaluator's, one by one or, if they are many, all of them from there on."""
    path = tmp_path / "ruleset.yaml"
    path.write_text(RISKY.replace("LARGEST", str(largest)), encoding="utf-8")
    alone, _ = tally(str(path), 300, backend="reference")
    found, _ = tally(str(path), 300, backend="native", jobs=jobs)
    assert facts(found) == facts(alone)
    assert found.statuses["faulted"] > 30 and found.statuses["finished"] > 30


@compiler
@pytest.mark.parametrize("options", [{"bots": ("first",)}, {"bots": ("random", "first")}])
def test_what_native_code_does_not_play(options: dict[str, Any]) -> None:
    assert tally("tic_tac_toe", 5, backend="native", **options)[1] == 0
    assert facts(tally("tic_tac_toe", 5, backend="native", **options)[0]) == facts(
        tally("tic_tac_toe", 5, backend="reference", **options)[0]
    )


def test_a_refusal_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """`auto` goes on with what there is; asked again, it does not try again."""
    monkeypatch.setattr(native_games, "load_native", lambda ruleset, engine, **how: None)
    monkeypatch.setattr(simulating, "worth_compiling", lambda played, seconds, games: True)
    assert facts(tally("tic_tac_toe", 30, backend="auto")[0]) == facts(
        tally("tic_tac_toe", 30, backend="reference")[0]
    )


def test_without_llvmlite_only_speed_differs() -> None:
    """The command line says the same when there is no such module."""
    code = "import sys; sys.modules['llvmlite'] = None; import croupier.cli; sys.exit(croupier.cli.main())"
    arguments = ["simulate", "kuhn_poker", "--games", "300", "--seed", "5", "--format", "json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=environment, capture_output=True, text=True, check=True
    )
    assert (
        json.loads(run.stdout)["digest"]
        == tally("kuhn_poker", 300, backend="native" if engine.is_installed() else "reference")[0].digest
    )
