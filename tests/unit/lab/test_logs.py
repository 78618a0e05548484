"""Files of decisions and events: the same for any number of processes and back ends, whole or not there, with
what they are of.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from croupier.cli.guard import guarded
from croupier.lab import logs, workers
from croupier.lab.row_files import new_file
from croupier.lab.rows import Watch
from croupier.lab.shards import BadShards, digest, fill, read, read_log
from croupier.lab.workers import RunConfig, rows
from croupier.play.decisions import EVENT_COLUMNS, Row
from croupier.play.match import MatchConfig
from published import validated

LOGGED = Watch(decisions=True, events=True)
GAMES = range(1, 13)


def run_of(name: str, watch: Watch = LOGGED, **setup: object) -> RunConfig:
    return RunConfig(name, MatchConfig(seed=1, **setup), watch)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel", "witches_of_blackmore"])
def test_games_are_the_same_whether_they_are_logged_or_not(name: str) -> None:
    logged = list(rows(run_of(name, backend="reference"), GAMES, jobs=1))
    plain = list(rows(run_of(name, Watch(), backend="reference"), GAMES, jobs=1))
    assert logged == plain and digest(logged) == digest(plain)
    for row in logged:
        kinds = Counter(cells[4] == -1 for cells in row.log.decisions)
        assert (kinds[False], kinds[True]) == (row.decisions, row.chance_events)


@pytest.mark.parametrize("more", [Watch(decisions=True, steps=True), Watch(decisions=True, measures=("1",))])
def test_a_game_that_is_watched_has_the_same_rows(more: Watch) -> None:
    watched, logged = rows(run_of("goofspiel", more), GAMES, jobs=1), rows(run_of("goofspiel"), GAMES, jobs=1)
    assert [row.log.decisions for row in watched] == [row.log.decisions for row in logged]


@pytest.mark.parametrize("setup", [{"bots": ("first",)}, {"invariants": True}, {"backend": "python"}])
def test_bots_checks_and_back_ends_leave_rows_as_they_are(setup: dict[str, object]) -> None:
    reference = {**setup, "backend": "reference"}
    found, expected = (
        rows(run_of("goofspiel", **setup), GAMES, jobs=1),
        rows(run_of("goofspiel", **reference), GAMES, jobs=1),
    )
    assert [row.log for row in found] == [row.log for row in expected]


def test_processes_and_folders_give_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    common = ["collect", "goofspiel", "--games", "40", "--seed", "1"]
    assert (
        guarded(
            [
                *common,
                "-o",
                "a.csv",
                "--decisions",
                "a.decisions.csv",
                "--events",
                "a.events.csv",
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    assert (
        guarded(
            [
                *common,
                "-o",
                "b.csv",
                "--decisions",
                "b.decisions.csv",
                "--events",
                "b.events.csv",
                "--jobs",
                "2",
            ]
        )
        == 0
    )
    assert (
        guarded(
            [
                *common,
                "-o",
                "folder",
                "--decisions",
                "c.decisions.csv",
                "--events",
                "c.events.csv",
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    for what in ("decisions", "events"):
        assert len({Path(f"{name}.{what}.csv").read_text() for name in "abc"}) == 1
        assert len({Path(f"{name}.{what}.csv.meta.json").read_text() for name in "abc"}) == 1
    table = list(csv.DictReader(Path("a.decisions.csv").open(encoding="utf-8")))
    header = validated(Path("a.decisions.csv.meta.json").read_text())
    assert validated(Path("a.events.csv.meta.json").read_text())["schema"]["name"] == "events"
    assert [column["name"] for column in header["columns"]] == list(table[0])
    assert (header["ruleset"], header["seed"], header["players"], header["bots"]) == (
        "goofspiel",
        1,
        2,
        ["random", "random"],
    )
    assert {int(row["game"]) for row in table} == set(range(1, 41))


def test_a_folder_is_completed_and_read_without_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = run_of("goofspiel")
    for last in (7, 12):  # the first shard but one is cut, and comes again as a whole
        for _ in fill(run, tmp_path, range(1, last + 1), size=5, jobs=1):
            pass
    expected = [cells for row in rows(run, GAMES, jobs=1) for cells in row.log.decisions]
    monkeypatch.setattr(logs, "play_logged", lambda *_, **__: pytest.fail("a game was played"))
    assert list(read_log([tmp_path], "decisions")) == expected
    assert len(read([tmp_path])[1]) == len(GAMES)


def test_damaged_and_missing_rows_are_told(tmp_path: Path) -> None:
    for _ in fill(run_of("kuhn_poker"), tmp_path, range(1, 5), size=2, jobs=1):
        pass
    path = tmp_path / "1-2.decisions.jsonl"
    text = path.read_text()
    path.write_text(text.replace("[1,", "[2,", 1))
    with pytest.raises(BadShards, match="damaged"):
        list(read_log([tmp_path], "decisions"))
    path.unlink()
    with pytest.raises(BadShards, match="cannot be read"):
        list(read_log([tmp_path], "decisions"))


def test_a_folder_without_decisions_is_not_completed_with_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    common = ["collect", "kuhn_poker", "--games", "4", "--seed", "1", "-o", "folder"]
    assert guarded(common) == 0
    assert "decisions" not in (tmp_path / "folder" / "manifest.json").read_text().partition("watch")[2]
    assert guarded([*common, "--decisions", "d.csv"]) == 2
    assert "another run: watch differ" in capsys.readouterr().err


@pytest.mark.parametrize("ending", [".csv", ".jsonl"])
def test_a_table_that_is_broken_off_is_not_there(tmp_path: Path, ending: str) -> None:
    def some() -> Iterator[Row]:
        yield (1,) * len(EVENT_COLUMNS)
        raise KeyboardInterrupt

    path = tmp_path / f"events{ending}"
    with pytest.raises(KeyboardInterrupt), new_file(path, EVENT_COLUMNS) as file:
        file.add_all(some())
    assert list(tmp_path.iterdir()) == []


def test_a_table_of_a_part_of_what_was_wanted_has_another_name(tmp_path: Path) -> None:
    with new_file(tmp_path / "events.csv", EVENT_COLUMNS) as file:
        file.is_part, file.header = True, "{}"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "events.csv.part",
        "events.csv.part.meta.json",
    ]


def test_decisions_of_a_run_that_is_interrupted_have_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = workers.rows
    monkeypatch.setattr(
        "croupier.lab.workers.rows", lambda run, numbers, **more: islice(whole(run, numbers, **more), 3)
    )
    assert (
        guarded(
            [
                "collect",
                "kuhn_poker",
                "--games",
                "5",
                "--seed",
                "1",
                "--jobs",
                "1",
                "-o",
                "g.csv",
                "--decisions",
                "d.csv",
            ]
        )
        == 130
    )
    header = validated(Path("d.csv.part.meta.json").read_text())
    assert header["interrupted"] and header["games"] == {"wanted": 5, "played": 3}
    assert not Path("d.csv").exists() and Path("d.csv.part").read_text().splitlines()[-1].startswith("3,")


@pytest.mark.parametrize(
    "wrong",
    [
        ["--decisions", "d.txt"],
        ["--events", "folder"],
        ["--decisions", "there.csv"],
        ["--events", "no/such.csv"],
    ],
)
def test_files_that_cannot_be_written_are_refused_before_games_are_played(
    wrong: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there.csv").write_text("kept")
    monkeypatch.setattr("croupier.lab.workers.rows", lambda *_, **__: pytest.fail("games were played"))
    assert guarded(["collect", "kuhn_poker", "--games", "3", "--seed", "1", "-o", "games.csv", *wrong]) == 2
    assert Path("there.csv").read_text() == "kept"


def test_parquet_types_follow_the_columns(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "decisions.parquet"
    assert (
        guarded(
            [
                "collect",
                "kuhn_poker",
                "--games",
                "5",
                "--seed",
                "1",
                "-o",
                str(tmp_path / "g.csv"),
                "--decisions",
                str(path),
            ]
        )
        == 0
    )
    table = parquet.read_table(path)
    assert json.loads(table.schema.metadata[b"croupier"])["ruleset"] == "kuhn_poker"
    assert (
        str(table.schema.field("score").type) == "double" and str(table.schema.field("seat").type) == "int64"
    )


def test_native_code_describes_an_action_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llvmlite")
    asked: list[object] = []
    described = logs.DecisionTable._described
    monkeypatch.setattr(
        logs.DecisionTable, "_described", lambda self, *given: asked.append(given) or described(self, *given)
    )
    logs._Tables.last = None
    found = list(rows(run_of("witches_of_blackmore", Watch(decisions=True)), range(1, 201), jobs=1))
    assert sum(len(row.log.decisions) for row in found) > 20_000
    assert len(asked) < 500  # 54 cards, drawn, played by two seats, or put on the dominant pile
