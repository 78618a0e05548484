"""What a long run will cost is told once, from the first games of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.cli import main
from croupier.cli.cost import CostLine, duration, reason_of, speed
from croupier.lab.rows import EVERY_DECISION, Watch
from croupier.lab.workers import RunConfig
from croupier.play.match import MatchConfig


def line(games: int, reason: str, times: list[float], jobs: int | None = 1) -> CostLine:
    clock: Iterator[float] = iter(times)
    return CostLine(games, reason, lambda more: None, jobs=jobs, clock=lambda: next(clock))


def test_a_long_run_is_estimated_once(capsys: pytest.CaptureFixture[str]) -> None:
    cost = line(20_000, "`mcts` and a measure along the way", [9.0, 9.5, 10.0])
    for more in (1, 60, 60, 500):
        cost.advance(more)
    assert capsys.readouterr().err == "about 3 min: 20,000 games at 120 a second, with `mcts` and a measure along the way\n"


def test_a_short_run_and_one_that_depends_on_nothing_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    short, plain = line(200, "`mcts`", [0, 1.0]), line(20_000, "", [])
    for more in (1, 50):
        short.advance(more)
        plain.advance(more)
    assert capsys.readouterr().err == ""


def test_processes_that_will_be_started_count(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    cost = line(1_000, "`mcts`", [0, 1.0], jobs=None)
    cost.advance()
    cost.advance()
    assert capsys.readouterr().err == "about 4 min: 1,000 games at 4 a second, with `mcts`\n"


def test_words() -> None:
    assert [duration(n) for n in (40, 200, 9000, 400_000)] == ["40 s", "3 min", "2 h", "5 days"]
    assert [speed(n) for n in (1234.5, 0.5, 0.02)] == ["1,234 a second", "30 a minute", "1.2 a minute"]

    def reason(bots: tuple[str, ...], watch: Watch) -> str:
        return reason_of(RunConfig("kuhn_poker", MatchConfig(bots=bots), watch))

    assert reason(("random",), Watch()) == ""
    assert reason(("mcts:5", "random", "mcts:5"), Watch(("a", "b"))) == "`mcts:5` and 2 measures"
    assert reason(("random",), Watch(("a",), EVERY_DECISION)) == "a measure along the way"


def test_what_is_not_compiled_is_told_where_measures_are_taken(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    from pathlib import Path

    monkeypatch.setattr("croupier.lab.workers._WORTH_COMPILING", 1)
    path = Path(__file__).parents[2] / "diagnostics" / "L050.yaml"
    assert main(["simulate", str(path), "--games", "3", "--jobs", "1", "--seed", "1", "--measure", "1 + 1"]) == 0
    assert capsys.readouterr().err.count("plays, because `native` does not compile `lines` of a large board") == 1
