"""Games that are watched: compiled code takes down what the evaluator does, over rulesets and measures given
as data.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.cli import main
from croupier.diagnostics import RulesetError
from croupier.execution import python_state
from croupier.execution.backends import compile_python, load_native
from croupier.lab import workers
from croupier.lab.rows import EVERY_DECISION, Row, Watch
from croupier.lab.workers import RunConfig, load_ruleset
from croupier.pipeline import load
from croupier.play.match import MatchConfig
from croupier.play.results import GameResult, results_with_tails
from croupier.play.simulate import simulate
from croupier.play.watching import TailReader, probing_of

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = YAML(typ="safe").load((HERE / "watched.cases.yaml").read_text(encoding="utf-8"))
WATCHED = [case for case in CASES if "measures" in case]
GROUPED = [case for case in CASES if "by" in case]
GAMES = range(1, 9)


def name(case: dict[str, Any]) -> str:
    return f"{case['ruleset']} {case.get('measures', case.get('by'))} {case.get('every', '')}"


def run_of(case: dict[str, Any], backend: str) -> RunConfig:
    ruleset = case["ruleset"]
    source = str(HERE / ruleset) if ruleset.endswith(".yaml") else ruleset
    setup = MatchConfig(
        case.get("players"),
        case.get("set", {}),
        seed=5,
        backend=backend,
        by=case.get("by", ""),
        turn_order="by" in case,
    )
    return RunConfig(source, setup, Watch(tuple(case.get("measures", ())), case.get("every"), steps=True))


@pytest.fixture
def played_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    """Native code plays few games, too, and compiled Python evaluates measures from the second position
    on.
    """
    pytest.importorskip("llvmlite")
    monkeypatch.setattr(workers, "_WORTH_COMPILING", 1)
    monkeypatch.setattr(python_state, "WORTH_LOWERING", 1)


def rows(case: dict[str, Any], backend: str) -> list[Row]:
    return list(workers.rows(run_of(case, backend), GAMES, jobs=1))


@pytest.mark.usefixtures("played_natively")
@pytest.mark.parametrize("case", WATCHED, ids=name)
def test_rows_are_the_same_on_every_back_end(case: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    if "fault" in case:
        for backend in ("reference", "python", "native"):
            with pytest.raises(RulesetError, match=case["fault"]):
                rows(case, backend)
        return
    expected = rows(case, "reference")
    assert rows(case, "python") == expected
    stepped = counted_steps(monkeypatch)
    found = rows(case, "native")
    assert found == expected and [list(row.figures) for row in found] == [
        list(row.figures) for row in expected
    ]
    assert [replace(row.result, left_to_evaluator=False) for row in found if row.result] == [
        row.result for row in expected
    ]
    left = sum(stepped)
    assert left == (len(GAMES) if any("000000" in text for text in case["measures"]) else 0), (
        "native code plays all of them itself"
    )


def counted_steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list that gets an entry for each game that is played step by step from now on."""
    played, found = workers.play_row, list[int]()

    def play(*arguments: Any) -> Row | None:
        found.append(1)
        return played(*arguments)

    monkeypatch.setattr(workers, "play_row", play)
    return found


@pytest.mark.usefixtures("played_natively")
@pytest.mark.parametrize("case", GROUPED, ids=name)
def test_groups_and_turn_order_are_the_same_on_every_back_end(case: dict[str, Any]) -> None:
    def games(backend: str) -> list[GameResult]:
        run = run_of(case, backend)
        found = simulate(load_ruleset(run.source), run.source, run.setup, len(GAMES), jobs=1, load=load)
        return sorted(found, key=lambda game: game.game)

    expected = games("reference")
    assert games("python") == expected and games("native") == expected
    assert all(game.by is not None and game.order is not None for game in expected)


@pytest.mark.usefixtures("played_natively")
def test_a_measure_that_means_something_else_now_is_compiled_again(tmp_path: Path) -> None:
    """No hash of a ruleset says what its measures mean, and compiled code is kept by that hash."""
    text = (HERE / "asked_in_part.yaml").read_text(encoding="utf-8")
    found = []
    for k, meaning in enumerate(("round", "round + 1")):
        path = tmp_path / str(k) / "asked_in_part.yaml"
        path.parent.mkdir()
        path.write_text(f"{text}\nmeasures:\n  rounds: {meaning}\n", encoding="utf-8")
        run = RunConfig(str(path), MatchConfig(seed=5, backend="native"), Watch(("rounds",)))
        found.append([row.figures["rounds"] for row in workers.rows(run, GAMES, jobs=1)])
    assert found == [[3.0] * len(GAMES), [4.0] * len(GAMES)]


@pytest.mark.usefixtures("played_natively")
def test_measures_are_compiled_where_games_are_played_step_by_step() -> None:
    """With bots, too: compiled Python evaluates them without a machine of the evaluator."""
    run = RunConfig(
        "witches_of_blackmore",
        MatchConfig(seed=5, backend="python", bots=("first",)),
        Watch(("points",), EVERY_DECISION),
    )
    list(workers.rows(run, range(1, 3), jobs=1))
    compiled = compile_python(load_ruleset(run.source).engine(None, {}))
    assert compiled._numbers["points"][1] is not None
    assert not load_ruleset(run.source).program.measures.keys() - compiled._numbers.keys()


def test_what_is_watched_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    ruleset = load_ruleset("kuhn_poker")
    engine = ruleset.engine(None, {})
    found = [load_native(ruleset, engine, probing=probing_of(engine, ("stake[me]",))) for _ in range(2)]
    assert found[0] is found[1] is not None
    assert (
        load_native(ruleset, engine, probing=probing_of(engine, ("stake[me]",), samples=True)) is not found[0]
    )


@pytest.mark.parametrize("command", [["simulate"], ["collect", "--out"]], ids=" ".join)
def test_what_is_not_compiled_is_told(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setattr(workers, "_WORTH_COMPILING", 1)
    path, out = (
        HERE.parents[1] / "diagnostics" / "L050.yaml",
        [str(tmp_path / "games.csv")] if "--out" in command else [],
    )
    assert (
        main(
            [
                *command[:1],
                str(path),
                *command[1:],
                *out,
                "--games",
                "3",
                "--jobs",
                "1",
                "--seed",
                "1",
                "--measure",
                "1 + 1",
            ]
        )
        == 0
    )
    assert (
        capsys.readouterr().err.count("plays, because `native` does not compile `lines` of a large board")
        == 1
    )


def test_what_games_are_grouped_by_changes_no_counts_of_samples() -> None:
    pytest.importorskip("llvmlite")
    ruleset = load_ruleset(str(HERE / "asked_in_part.yaml"))
    engine = ruleset.engine(None, {})

    def courses(by: str) -> list[object]:
        native = load_native(ruleset, engine, probing=probing_of(engine, ("score[me]",), samples=True, by=by))
        assert native is not None
        rows = native.play_rows(5, 1, 4, native.new_memory())
        return [tail and tail.courses for _, _, tail in results_with_tails(rows, TailReader(native))]

    assert courses("round") == courses("score[me] > 3") == courses("") != [None] * 4
