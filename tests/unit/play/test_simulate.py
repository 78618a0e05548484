"""Many games: the same whatever the number of processes, and summarised right."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fake_game
from croupier.cli import console, main
from croupier.diagnostics import RulesetError
from croupier.play.agents import UnknownAgent
from croupier.play.digest import digest
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.one_game import turn_order
from croupier.play.record import CHANCE_SEAT, RecordedChoice, RecordedStep
from croupier.play.results import GameResult
from croupier.play.simulate import sensible_jobs, simulate
from croupier.play.statistics import spread, wilson
from croupier.play.summary import SimulationSummary
from croupier.play.tally import Tally
from fake_game import FakeRuleset


def games(count: int, name: str = "fake", jobs: int | None = 1, **options: Any) -> list[GameResult]:
    setup = MatchConfig(**options)
    return sorted(
        simulate(FakeRuleset(name), name, setup, count, jobs=jobs, load=fake_game.load),
        key=lambda game: game.game,
    )


def summary(played: list[GameResult], players: int = 2, asked: int | None = None) -> SimulationSummary:
    return SimulationSummary(
        "fake", "0" * 64, players, {}, 1, ("random",), asked or len(played), Tally(players, played), 1.5
    )


def test_the_number_of_processes_changes_nothing() -> None:
    alone, shared = games(60, seed=3), games(60, seed=3, jobs=3)
    assert alone == shared and [game.game for game in alone] == list(range(1, 61))
    assert digest(alone) == digest(shared) != digest(games(60, seed=4))


def test_a_game_does_not_depend_on_the_games_before_it() -> None:
    assert (
        games(20, seed=3, verify=True)[-1].verified_hash
        == GameMatch(FakeRuleset(), MatchConfig(seed=3), 20).play().final_hash
    )


def test_the_digest_is_a_known_one() -> None:
    """SHA-256 of "1 finished 1,1/2 7 2", "2 stuck - 1 0" in lines; the hashes of verified positions end
    them.
    """
    one = GameResult(1, "finished", (1, "1/2"), (0,), None, None, 7, 2, None)
    two = GameResult(2, "stuck", (), (), None, None, 1, 0, None)
    assert (
        digest([two, one])
        == digest([one, two])
        == "541a4b82647d61dbdeea8369d02eb007889b940f97dc4351ee3069bb892e460e"
    )
    verified = [replace(one, verified_hash="ab"), replace(two, verified_hash="cd")]
    assert digest(verified) == "cca932e2eccc204d05dfd4bd051b61bdf3f863068dca8a287fac58a52f501dbd"


def test_the_digest_of_an_interrupted_run_is_that_of_its_games_in_their_order() -> None:
    played = [GameResult(k, "finished", (1, 0), (0,), None, None, 1, 1, None) for k in (5, 2, 9, 3)]
    assert digest(played) == digest(sorted(played, key=lambda game: game.game)) != digest(played[:3])


def test_impossible_setups_are_refused_before_anything_is_played() -> None:
    with pytest.raises(RulesetError):
        games(5, players=7)
    with pytest.raises(UnknownAgent):
        games(5, jobs=2, bots=("nobody",))


def test_a_ruleset_that_changes_meanwhile_is_noticed() -> None:
    with pytest.raises(RulesetError) as caught:
        list(simulate(FakeRuleset("fake"), "fake-other", MatchConfig(), 10, jobs=2, load=fake_game.load))
    assert caught.value.diagnostics[0].code == "X541"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bug_in_a_game_names_the_game(jobs: int) -> None:
    with pytest.raises(KeyError) as caught:
        games(4, "fake-bug", jobs=jobs, seed=6)
    assert any("with seed 6" in note for note in caught.value.__notes__)


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopping_keeps_whole_games(jobs: int) -> None:
    played: list[GameResult] = []
    for game in simulate(
        FakeRuleset("fake-slow"),
        "fake-slow",
        MatchConfig(),
        40,
        jobs=jobs,
        load=fake_game.load,
        should_stop=lambda: len(played) >= 2,
    ):
        played.append(game)
    assert 2 <= len(played) < 30
    assert all(game.status == "finished" for game in played)
    assert summary(played, asked=40).interrupted


def test_summaries() -> None:
    played = games(200, seed=1)
    whole = summary(played)
    assert (whole.statuses["finished"], whole.problems, whole.interrupted) == (200, [], False)
    assert sum(seat.wins for seat in whole.seats) + whole.seats[0].ties + whole.nobody == 200
    first = whole.seats[0]
    assert first.interval[0] < first.win_rate < first.interval[1]
    assert first.scores is not None and first.scores.min <= first.scores.mean <= first.scores.max
    document = whole.to_json()
    assert {
        "games",
        "finished",
        "unfinished",
        "stuck",
        "seats",
        "hash",
        "decisions",
        "timing",
        "digest",
    } <= set(document)
    assert (document["bots"], document["players"], document["seed"]) == (["random"], 2, 1)
    assert set(document["decisions"]) == {"min", "median", "mean", "max"}
    assert {"wins", "win_rate", "interval"} <= set(document["seats"][0])


def test_summaries_of_games_that_do_not_finish() -> None:
    stuck = summary(games(5, "fake-stuck", seed=3, players=3), players=3)
    assert stuck.statuses["stuck"] == len(stuck.problems) > 0
    assert stuck.to_json()["problems"][0]["reason"].endswith("has no legal action")
    endless = summary(games(2, "fake-endless"))
    assert endless.to_json()["seats"][0]["win_rate"] is None, "a share of no game is none"
    assert endless.to_json()["rates_of"] == "finished games"
    assert summary([], asked=3).to_json()["decisions"] is None


def test_wilson_intervals() -> None:
    low, high = wilson(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)  # R: binom::binom.wilson(8, 10)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10)[0] == 0.0 and round(wilson(0, 10)[1], 4) == 0.2775
    assert wilson(10, 10)[1] == 1.0 and round(wilson(10, 10)[0], 4) == 0.7225
    with pytest.raises(ValueError):
        wilson(3, 2)


def test_spreads() -> None:
    assert spread([3, 1, 2, 10]) is not None and spread([3, 1, 2, 10]).to_json() == {
        "min": 1,
        "median": 2.5,
        "mean": 4.0,
        "max": 10,
    }  # type: ignore[union-attr]
    assert spread([]) is None


def test_processes_are_started_when_they_pay_off() -> None:
    assert sensible_jobs(played=10, seconds=0.1, games=10_000) is None
    assert sensible_jobs(played=1000, seconds=1.0, games=2000) == 1
    assert sensible_jobs(played=10, seconds=1.0, games=2000) == os.cpu_count()


def test_measuring_first_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = games(40, seed=3)
    monkeypatch.setattr(
        "croupier.play.simulate.sensible_jobs", lambda played, seconds, games: 2 if played == 7 else None
    )
    assert games(40, seed=3, jobs=None) == alone
    assert games(5, seed=3, jobs=None) == alone[:5]


def test_support_is_importable_by_spawned_processes() -> None:
    assert Path(fake_game.__file__).parent.as_posix() in {Path(p).as_posix() for p in sys.path}


def test_win_rates_add_up() -> None:
    """A game that several win is divided among them; those that nobody wins are counted apart."""
    winners = [(0,), (1,), (0, 1), (0, 1, 2), (), (2,)]
    played = [
        GameResult(k, "finished", (0, 0, 0), won, None, None, 3, 0, None) for k, won in enumerate(winners, 1)
    ]
    seats = summary(played, 3).seats
    assert [(seat.wins, seat.ties) for seat in seats] == [(1, 2), (1, 2), (1, 1)]
    assert [round(6 * seat.win_rate, 6) for seat in seats] == [1.833333, 1.833333, 1.333333]
    assert sum(seat.win_rate for seat in seats) + summary(played, 3).nobody / 6 == pytest.approx(1)


def test_a_game_that_everybody_wins(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [
        "simulate",
        str(Path(__file__).with_name("shares.yaml")),
        "--games",
        "20",
        "--seed",
        "1",
        "--jobs",
        "1",
    ]
    assert main(arguments) == 0
    wide = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["1", "0", "20", "50.0%"] in [line[:4] for line in wide] and ["2", "0", "20", "50.0%"] in [
        line[:4] for line in wide
    ]
    monkeypatch.setattr(console, "_PLAIN_WIDTH", 40)
    assert main(arguments) == 0
    narrow = capsys.readouterr().out
    assert "player 2\n  wins: 0\n  ties: 20\n  win rate: 50.0%\n" in narrow and "…" not in narrow


def test_wins_by_turn_order(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "simulate",
        str(Path(__file__).with_name("who_begins.yaml")),
        "--games",
        "30",
        "--seed",
        "1",
        "--format",
        "json",
    ]
    assert main([*arguments, "--by-turn-order"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(place["place"], place["wins"], place["win_rate"]) for place in told["turn_order"]] == [
        (0, 30, 1),
        (1, 0, 0),
        (2, 0, 0),
    ]
    assert all(0 < seat["wins"] < 30 for seat in told["seats"])
    assert main(arguments) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["turn_order"] == [] and (plain["digest"], plain["seats"]) == (told["digest"], told["seats"])


def test_wins_by_an_expression(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "simulate",
        str(Path(__file__).with_name("who_begins.yaml")),
        "--games",
        "30",
        "--seed",
        "1",
        "--format",
        "json",
    ]

    def by(text: str) -> list[tuple[object, ...]]:
        assert main([*arguments, "--by", text]) == 0
        return [
            (group["value"], group["seat"], group["count"], group["win_rate"])
            for group in json.loads(capsys.readouterr().out)["by"]
        ]

    assert by("starts == me") == [("false", None, 60, 0.0), ("true", None, 30, 1.0)]
    games = by("starts")
    assert {(value, seat) for value, seat, _, rate in games if rate == 1} == {
        (f"player {seat + 1}", seat) for seat in range(3)
    }
    assert sum(int(str(count)) for _, _, count, _ in games) == 90 and {rate for *_, rate in games} == {
        0.0,
        1.0,
    }
    assert main([*arguments, "--by", "begin"]) == 2 and "nothing called `begin`" in capsys.readouterr().err


def test_who_decides_at_once_or_never_stands_in_the_order_of_seats() -> None:
    def step(*seats: int) -> RecordedStep:
        return RecordedStep(tuple(RecordedChoice(seat, 0, None) for seat in seats), len(seats) > 1, "")

    assert turn_order([step(CHANCE_SEAT), step(2), step(0, 2, 3), step(2)], 5) == (2, 0, 3, 1, 4)


@pytest.mark.parametrize("backend", ["python", "auto"])
def test_a_saved_game_is_verified_on_another_back_end(
    backend: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, rules = str(tmp_path / "game.json"), str(Path(__file__).with_name("who_begins.yaml"))
    assert main(["run", rules, "--seed", "3", "--save", file]) == 0
    capsys.readouterr()
    assert main(["replay", file, "--ruleset", rules]) == 0
    told = capsys.readouterr().out
    assert "all verified" in told
    assert main(["replay", file, "--ruleset", rules, "--backend", backend]) == 0
    assert capsys.readouterr().out == told
