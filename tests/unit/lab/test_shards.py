"""Shards: the same rows however a folder was filled, by whom, and whatever ended it."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.guard import guarded
from croupier.lab import workers
from croupier.lab.rows import Row, Watch
from croupier.lab.shards import BadShards, digest, fill, gaps, is_of_part, read, shards_of
from croupier.lab.tables import as_table, columns, dictionary
from croupier.lab.workers import RunConfig, rows
from croupier.play.match import MatchConfig

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

from _kills import killed, why_no_ray  # noqa: E402

KUHN = RunConfig("kuhn_poker", MatchConfig(seed=1, backend="auto"))


def filled(
    folder: Path, numbers: range, run: RunConfig = KUHN, part: tuple[int, int] = (1, 1), size: int = 10
) -> None:
    deque(fill(run, folder, numbers, part=part, size=size, jobs=1), maxlen=0)


def test_games_fall_into_shards() -> None:
    assert shards_of(range(1, 26), 10) == [range(1, 11), range(11, 21), range(21, 26)]
    assert shards_of(range(8, 12), 10) == [range(8, 11), range(11, 12)]
    parts = [shards_of(range(1, 101), 10, (k, 3)) for k in (1, 2, 3)]
    for k, shards in zip((1, 2, 3), parts, strict=True):
        assert [game for shard in shards for game in shard] == [
            game for game in range(1, 101) if is_of_part(game, 10, (k, 3))
        ]
    assert sorted(number for part in parts for shard in part for number in shard) == list(range(1, 101))


def test_a_folder_is_filled_in_any_way(tmp_path: Path) -> None:
    whole = digest(rows(KUHN, range(1, 46), jobs=1))
    filled(tmp_path / "one", range(1, 46))
    filled(tmp_path / "two", range(31, 46))
    filled(tmp_path / "two", range(1, 46))
    for k in (1, 2):
        filled(tmp_path / f"part{k}", range(1, 46), part=(k, 2))
    assert digest(read([tmp_path / "one"])[1]) == whole == digest(read([tmp_path / "two"])[1])
    assert digest(read([tmp_path / "part2", tmp_path / "part1", tmp_path / "one"])[1]) == whole
    assert read([tmp_path / "part1"])[1] != read([tmp_path / "part2"])[1]


def test_what_is_there_is_not_played_again_and_what_is_damaged_is_told(tmp_path: Path) -> None:
    filled(tmp_path, range(1, 21))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.jsonl")}
    (tmp_path / ".draft-left").write_text("half")
    filled(tmp_path, range(1, 31))
    assert all(path.stat().st_mtime_ns == then for path, then in before.items()) and not list(
        tmp_path.glob(".draft-*")
    )
    path = tmp_path / "11-20.jsonl"
    path.write_text(path.read_text().replace('"game": 12', '"game": 13'))
    with pytest.raises(BadShards, match="damaged"):
        read([tmp_path])
    for other in (
        replace(KUHN, setup=replace(KUHN.setup, seed=2)),
        replace(KUHN, watch=Watch(steps=True)),
        KUHN.with_bots(("first",)),
    ):
        with pytest.raises(BadShards, match="differ"):
            filled(tmp_path, range(1, 11), other)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(BadShards, match="no manifest"):
        read([tmp_path])


def test_folders_of_different_runs_are_not_merged(tmp_path: Path) -> None:
    filled(tmp_path / "one", range(1, 11))
    filled(tmp_path / "two", range(1, 11), replace(KUHN, setup=replace(KUHN.setup, seed=2)))
    with pytest.raises(BadShards, match="different runs"):
        read([tmp_path / "one", tmp_path / "two"])


@pytest.mark.parametrize(
    ("folders", "missing"),
    [
        ({"one": (range(1, 31), (1, 2))}, [(11, 20)]),
        ({"one": (range(1, 41), (1, 2))}, [(11, 20), (31, 40)]),
        ({"one": (range(1, 41), (1, 2)), "two": (range(1, 41), (2, 2))}, []),
        ({"one": (range(1, 41), (1, 2)), "two": (range(1, 21), (2, 2))}, [(31, 40)]),
        ({"one": (range(11, 21), (1, 1))}, [(1, 10)]),
    ],
)
def test_games_that_were_wanted_and_are_in_no_folder(
    folders: dict[str, tuple[range, tuple[int, int]]], missing: list[tuple[int, int]], tmp_path: Path
) -> None:
    for name, (numbers, part) in folders.items():
        deque(fill(KUHN, tmp_path / name, numbers, size=10, part=part, jobs=1), maxlen=0)
    manifest, played = read([tmp_path / name for name in folders])
    assert gaps(played, manifest.games) == missing
    assert guarded(["merge", *(str(tmp_path / name) for name in folders)]) == (1 if missing else 0)


def test_a_folder_that_says_nothing_of_how_many_were_wanted_is_read(tmp_path: Path) -> None:
    filled(tmp_path, range(1, 11))
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    del manifest["games"]
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    found, played = read([tmp_path])
    assert gaps(played, found.games) == []
    filled(tmp_path, range(1, 21))
    assert read([tmp_path])[0].games == 20


def test_tables(tmp_path: Path) -> None:
    played = list(rows(replace(KUHN, watch=Watch(("stake[me]",), steps=True)), range(1, 8), jobs=1))
    found = list(csv.DictReader(io.StringIO(as_table(played, 2, ".csv").decode())))
    assert [row["game"] for row in found] == [str(n) for n in range(1, 8)]
    assert {"wins_seat0", "margin", "turn_seat1", "stake[me]_seat1"} <= found[0].keys()
    assert [json.loads(line)["decisions"] for line in as_table(played, 2, ".jsonl").splitlines()] == [
        row.decisions for row in played
    ]
    with pytest.raises(ValueError, match=".parquet"):
        as_table(played, 2, ".xls")
    pytest.importorskip("pyarrow")
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(pyarrow.BufferReader(as_table(played, 2, ".parquet")))
    assert table.num_rows == 7 and table.column("decisions").to_pylist() == [row.decisions for row in played]


def test_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    common = ["collect", "kuhn_poker", "--seed", "1", "--jobs", "1"]
    assert guarded([*common, "--games", "700", "--shard", "1/2", "--out", "a"]) == 0
    assert guarded([*common, "--games", "700", "--shard", "2/2", "--out", "b"]) == 0
    capsys.readouterr()
    assert guarded(["merge", "a", "b", "--out", "all.csv"]) == 0
    assert (
        f"700 games in all.csv · digest {digest(rows(KUHN, range(1, 701), jobs=1))}"
        in capsys.readouterr().out
    )
    assert len(Path("all.csv").read_text().splitlines()) == 701
    assert (
        guarded([*common, "--games", "3..5", "--out", "some.jsonl"]) == 0
        and len(Path("some.jsonl").read_text().splitlines()) == 3
    )
    for wrong in (
        ["--games", "9..2", "--out", "x"],
        ["--shard", "3/2", "--out", "x"],
        ["--out", "some.jsonl"],
        ["--shard", "1/2", "--out", "y.csv"],
    ):
        assert guarded([*common, *wrong]) == 2
    assert guarded(["collect", "kuhn_poker", "--out", "x"]) == 2 and guarded(["merge", "nowhere"]) == 2


def test_a_cluster_that_is_not_there_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    common = ["collect", "kuhn_poker", "--seed", "1", "--games", "5", "--ray", "local"]
    assert guarded([*common, "--out", str(tmp_path / "games")]) == 2
    assert "croupier[ray]" in capsys.readouterr().err
    assert guarded([*common, "--out", str(tmp_path / "games.csv")]) == 2
    assert "needs a folder of shards" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["collect", "kuhn_poker", "--games", "5"], ["merge", "nowhere"]])
def test_what_cannot_be_written_is_refused_before_games_are_played(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr("croupier.lab.workers.rows", lambda *_, **__: pytest.fail("games were played"))
    assert guarded([*command, "--out", str(tmp_path / "games.parquet")]) == 2
    assert "croupier[lab]" in capsys.readouterr().err


def test_who_plays_shards_may_do_so_in_any_order_and_give_up(tmp_path: Path) -> None:
    def backwards(
        run: RunConfig, wanted: Sequence[range], should_stop: Callable[[], bool]
    ) -> Iterator[tuple[range, list[Row]]]:
        for shard in reversed(wanted):
            played = list(rows(run, shard, jobs=1))
            yield shard, played if shard.start > 1 else played[:3]

    deque(fill(KUHN, tmp_path, range(1, 31), size=10, player=backwards), maxlen=0)
    assert sorted(path.stem for path in tmp_path.glob("*.jsonl")) == ["11-20", "21-30"]
    filled(tmp_path, range(1, 31))
    assert digest(read([tmp_path])[1]) == digest(rows(KUHN, range(1, 31), jobs=1))


def test_what_was_played_is_kept_where_a_step_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C asks to stop; where a step does not end, an interrupt follows: rows end there.

    One that nobody asked for goes on.
    """
    asked: list[int] = []
    play = workers.play_row

    def interrupted(*arguments: Any) -> Row | None:
        if arguments[4] == 4:
            asked.append(4)
            raise KeyboardInterrupt
        return play(*arguments)

    monkeypatch.setattr(workers, "play_row", interrupted)
    slow, heard = KUHN.with_bots(("first",)), list[int]()
    with workers.report_progress(lambda: heard.append(1)):
        assert [row.game for row in rows(slow, range(1, 9), jobs=1, should_stop=lambda: bool(asked))] == [
            1,
            2,
            3,
        ] and len(heard) == 3
    with pytest.raises(KeyboardInterrupt):
        list(rows(slow, range(1, 9), jobs=1))


@pytest.mark.soak
def test_killed_a_hundred_times_nothing_is_lost() -> None:
    """Runs are killed at random moments and taken up again; the digest is that of one run."""
    words, is_whole = killed("connect_four", 60_000, 100)
    print(words)
    assert is_whole and "driver" in words


@pytest.mark.soak
def test_workers_and_drivers_of_a_cluster_are_killed_and_nothing_is_lost() -> None:
    if why := why_no_ray():
        pytest.skip(why)
    words, is_whole = killed("connect_four", 30_000, 4, "first,random", on_ray=True)
    print(words)
    assert is_whole and "driver" in words and "worker" in words


def test_the_data_dictionary_says_what_each_column_holds(tmp_path: Path) -> None:
    played = list(rows(replace(KUHN, watch=Watch(("stake[me]",), steps=True)), range(1, 8), jobs=1))
    names, _ = columns(played, 2)
    found = {name: meaning for name, _, meaning in csv.reader(io.StringIO(dictionary(names).decode()))}
    assert list(found) == ["column", *names] and all(found.values())
    assert found["turn_seat1"] == "the place of seat 1 in the order of first decisions, the first of all 0"
    assert found["stake[me]_seat0"].startswith("the measure stake[me] of seat 0")
    out = tmp_path / "games.csv"
    assert (
        guarded(
            [
                "collect",
                "kuhn_poker",
                "--seed",
                "1",
                "--games",
                "7",
                "--out",
                str(out),
                "--columns",
                str(tmp_path / "c.csv"),
            ]
        )
        == 0
    )
    assert (tmp_path / "c.csv").read_text().startswith("column,type,meaning\ngame,int64,")


def test_simulate_takes_measures_and_plays_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--measure", "stake[me]", "--measure", "stake[players.first]"]):
        assert (
            guarded(
                [
                    "simulate",
                    "kuhn_poker",
                    "--seed",
                    "1",
                    "--games",
                    "40",
                    "--jobs",
                    "1",
                    "--format",
                    "json",
                    *more,
                ]
            )
            == 0
        )
    plain, measured = capsys.readouterr().out.split("\n}\n")[:2]
    one, two = json.loads(plain + "}"), json.loads(measured + "}")
    assert one["digest"] == two["digest"] and one["seats"] == two["seats"] and two["turn_order"] == []
    mine = [
        row.figures["stake[me] of player 1"]
        for row in rows(replace(KUHN, watch=Watch(("stake[me]",))), range(1, 41), jobs=1)
    ]
    assert [found["measure"] for found in two["measures"]] == [
        "stake[me] of player 1",
        "stake[me] of player 2",
        "stake[players.first]",
    ]
    assert two["measures"][0]["value"] == two["measures"][2]["value"] == round(sum(mine) / 40, 6)
    assert (
        guarded(["simulate", "kuhn_poker", "--games", "4", "--measure", "stake[me]", "--by", "stake[me]"])
        == 2
    )
