"""Tables of games: their types follow from the rules, and they say what they are of."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from croupier.cli.guard import guarded
from croupier.lab.names import for_people, for_programs, of_player, seat_of
from croupier.lab.tables import METADATA, columns, type_of
from published import validated


@pytest.mark.parametrize(
    ("people", "programs"),
    [
        ("wins of player 1", "wins_seat0"),
        ("stake[me] of player 12", "stake[me]_seat11"),
        ("decisions", "decisions"),
        ("of player 0", "of player 0"),
    ],
)
def test_names_for_people_and_for_programs(people: str, programs: str) -> None:
    assert for_people(programs) == people and for_programs(for_people(programs)) == programs


def test_a_measure_that_reads_like_one_of_a_player_is_none() -> None:
    assert for_programs("wins of player 1") == "wins of player 1"
    assert seat_of(of_player("wins", 0)) == 0 and seat_of("wins of player 1") is None


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("status", "string"),
        ("score_seat0", "int64"),
        ("margin", "int64"),
        ("wins_seat1", "double"),
        ("return_seat1", "double"),
        ("turn_seat0", "int64"),
        ("decisions in play", "int64"),
        ("minutes", "double"),
        ("stake[me]_seat0", "int64"),
        ("drama: stake[me]", "double"),
        ("lead changes: stake[me]", "int64"),
    ],
)
def test_the_type_of_a_column_follows_from_its_name(column: str, kind: str) -> None:
    assert type_of(column) == kind


def test_a_table_without_games_has_its_columns() -> None:
    assert columns([], 2)[0][:5] == ["game", "status", "decisions", "chance_events", "wins_seat0"]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_beside_a_table_stands_what_it_is_of(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"games{suffix}"
    assert (
        guarded(
            [
                "collect",
                "goofspiel",
                "--set",
                "cards=3",
                "--seed",
                "1",
                "--games",
                "7",
                "--out",
                str(out),
                "--format",
                "json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    about = validated((tmp_path / f"games{suffix}.meta.json").read_text())
    assert (
        about["schema"]["name"] == "table"
        and about["games"] == {"wanted": 7, "played": 7}
        and about["digest"] == told["digest"]
    )
    assert (
        about["parameters"]["cards"] == 3
        and about["bots"] == ["random", "random"]
        and "prizes" in about["parameters"]
    )
    text = out.read_text()
    names = (
        next(csv.reader(text.splitlines())) if suffix == ".csv" else list(json.loads(text.splitlines()[0]))
    )
    assert names == [column["name"] for column in about["columns"]]


@pytest.mark.parametrize(("game", "scores"), [("tic_tac_toe", False), ("goofspiel", True)])
def test_a_parquet_file_has_the_types_of_the_rules_and_its_header(
    game: str, scores: bool, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    out = tmp_path / "games.parquet"
    assert guarded(["collect", game, "--seed", "1", "--games", "5", "--out", str(out)]) == 0
    table = pyarrow.parquet.read_table(out)
    assert {str(table.schema.field(name).type) for name in ("score_seat0", "score_seat1", "margin")} == {
        "int64"
    }
    assert (table.column("score_seat0").null_count == 0) == scores
    assert validated(table.schema.metadata[METADATA.encode()].decode())["ruleset"] == game


def test_half_of_a_run_says_in_json_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(tmp_path / "half")
    assert (
        guarded(
            [
                "collect",
                "kuhn_poker",
                "--seed",
                "1",
                "--games",
                "1500",
                "--shard",
                "1/2",
                "--out",
                folder,
                "--format",
                "json",
            ]
        )
        == 0
    )
    collected = json.loads(capsys.readouterr().out)
    assert collected["games"] == {"wanted": 1000, "played": 1000} and collected["gaps"] == [
        {"first": 501, "last": 1000}
    ]
    assert guarded(["merge", folder, "--format", "json"]) == 1
    merged = json.loads(capsys.readouterr().out)
    assert merged["games"] == {"wanted": 1500, "played": 1000} and merged["gaps"] == collected["gaps"]
    assert [seat["seat"] for seat in merged["seats"]] == [0, 1] and merged["digest"] == collected["digest"]
