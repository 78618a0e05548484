"""Where compiled code leaves games to the evaluator, a line names the resource, the rule and its line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import croupier
from croupier.execution import llvm_compiler as engine
from croupier.play import simulate as simulation
from croupier.play.match import MatchConfig
from croupier.play.results import FinishedRows, GameResult
from croupier.play.simulate import simulate_batches
from croupier.runtime.state import State
from needs import compiler

BACKENDS = {"python": "compiled Python", **({"native": "native code"} if engine.is_installed() else {})}
HEAD = "croupier: 2\nruleset: left\ntitle: Left\nplayers: 2\nlimits: {fuel: FUEL}\n"
STEPS = """
boards:
  grid: {shape: rectangle, rows: 3, columns: 3, cell: Cell}
definitions: |
  def walk(c: Cell, seen: list of Cell) -> int nested 30:
      return 1 + (max(walk(d, seen + [d]) for d in c.adjacent if d not in seen) otherwise 0)
phases:
  play: |
    choose n from 1..9 by players.first
    let long = walk(grid.at(1, 1)!, [grid.at(1, 1)!])
    finish draw
"""
LONG_LIST = """
definitions: |
  def grow(n: int) -> int:
      var all: list of int = []
      for i in 1..n:
          add i * n to all
      return all.size
phases:
  play: |
    choose n from 1..9 by players.first
    let size = grow(n + 200)
    finish draw
"""
MANY_OPTIONS = """
phases:
  play: |
    choose n from 1..20000 by players.first
    finish pay {p: n * p.seat for p in players}
"""
AT_THE_START = STEPS.replace("    choose n from 1..9 by players.first\n", "").replace(
    "    finish", "    choose n from 1..9 by players.first\n    finish"
)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("rules", "fuel", "place", "what"),
    [
        (
            STEPS,
            700,
            "in `walk` (left.yaml:10:7), an action may take more steps than the 700 that `fuel` allows",
            "more `fuel`",
        ),
        (
            AT_THE_START,
            700,
            "in `walk` (left.yaml:10:7), an action may take more steps than the 700 that `fuel` allows",
            "more `fuel`",
        ),
        (
            LONG_LIST,
            100_000,
            "in `grow` (left.yaml:10:11), a list gets more elements than compiled code has room for",
            "`up to`",
        ),
    ],
    ids=["steps", "steps at the start", "elements"],
)
def test_the_line_names_resource_rule_and_line(
    backend: str, rules: str, fuel: int, place: str, what: str, tmp_path: Path
) -> None:
    notes = notes_of(rules, fuel, backend, tmp_path)
    assert len(notes) == 1
    assert notes[0].startswith(
        f"{BACKENDS[backend]} left 4 of 4 games to the evaluator, which plays the same games more slowly: "
    )
    assert place in notes[0].replace(f"{tmp_path}/", "") and what in notes[0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_line_where_no_game_is_left(backend: str, tmp_path: Path) -> None:
    assert notes_of(STEPS, 100_000, backend, tmp_path) == []


@compiler
def test_what_native_code_leaves_is_for_compiled_python(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """More options than native code has room for: as soon as that is worth compiling, compiled Python plays;
    the games are the same.
    """
    monkeypatch.setattr(simulation, "_WORTH_COMPILING", 0.0)
    path = tmp_path / "left.yaml"
    path.write_text(HEAD.replace("FUEL", "100000") + MANY_OPTIONS.lstrip("\n"), encoding="utf-8")
    ruleset = croupier.load(path)
    known = games_of(ruleset, path, "reference", 4)
    played_by: list[str] = []
    play_one = simulation.play_one

    def noted(
        ruleset: croupier.Ruleset,
        setup: MatchConfig,
        initial: State,
        number: int,
        should_stop: Callable[[], bool],
    ) -> GameResult | None:
        played_by.append(initial.backend)
        return play_one(ruleset, setup, initial, number, should_stop)

    monkeypatch.setattr(simulation, "play_one", noted)
    notes: list[str] = []
    assert games_of(ruleset, path, "native", 4, notes) == known
    assert played_by == ["native", "python", "python", "python"]
    assert notes[0].startswith(
        "native code left 4 of 4 games to compiled Python and the evaluator, which play the same games "
        "more slowly: native"
    )


@compiler
def test_native_code_has_room_for_many_options(tmp_path: Path) -> None:
    assert notes_of(MANY_OPTIONS.replace("20000", "16000"), 100_000, "native", tmp_path) == []


def games_of(
    ruleset: croupier.Ruleset, path: Path, backend: str, games: int, notes: list[str] | None = None
) -> list[GameResult]:
    """The games of a simulation in order."""
    setup = MatchConfig(players=2, seed=1, backend=backend)
    played: list[GameResult] = []
    for some in simulate_batches(ruleset, str(path), setup, games, load=croupier.load, notes=notes):
        played += (
            list(some.games()) if isinstance(some, FinishedRows) else [replace(some, left_to_evaluator=False)]
        )
    return sorted(played, key=lambda game: game.game)


def notes_of(rules: str, fuel: int, backend: str, folder: Path) -> list[str]:
    """The lines about back ends of a simulation of four games."""
    path = folder / "left.yaml"
    path.write_text(HEAD.replace("FUEL", str(fuel)) + rules.lstrip("\n"), encoding="utf-8")
    ruleset, notes = croupier.load(path), list[str]()
    setup = MatchConfig(players=2, seed=1, backend=backend)
    played = list(simulate_batches(ruleset, str(path), setup, 4, load=croupier.load, notes=notes))
    assert sum(len(some) if isinstance(some, FinishedRows) else 1 for some in played) == 4
    return notes
