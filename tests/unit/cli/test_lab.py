"""The commands of the lab: what they print, as words and as JSON, and what they refuse."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator

import pytest

from croupier.cli.guard import guarded
from croupier.cli.lab import grid
from croupier.lab import ladder
from croupier.lab.compare import Comparison
from croupier.lab.rows import Row
from croupier.lab.workers import RunConfig


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert guarded([*arguments, "--jobs", "1"]) == code
    found = capsys.readouterr()
    return found.out if code == 0 else found.err


def test_compare(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(
        capsys, "compare", "kuhn_poker", "leduc_poker", "--games", "100", "--seed", "1", "--measure", "1 + 1"
    )
    assert "B more often has more" in text and "betting confidence sequence" in text and "1 + 1" in text
    assert "56.0%" in text and "0.56" not in text, "shares are shown as such"
    assert text.startswith(
        "A is Kuhn poker, 2 players, bots random\nB is Leduc poker, 2 players, bots random\n\n"
    )
    found = json.loads(
        said(
            capsys,
            "compare",
            "tic_tac_toe",
            "--against",
            "flat:2",
            "--games",
            "4",
            "--seed",
            "1",
            "-f",
            "json",
        )
    )
    assert found["kind"] == "bots" and found["pairs"] == 4 and found["lines"][0]["difference"]["n"] == 4
    page = said(
        capsys, "compare", "tic_tac_toe", "--against", "flat:2", "--games", "4", "--seed", "1", "-f", "html"
    )
    assert (
        "flat:2, alone among random and in every seat in turn, wins" in page
        and "an equal would win 50.0%" in page
    )


def test_skill(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(
        capsys, "skill", "tic_tac_toe", "--games", "4", "--rungs", "1", "--lowest", "20", "--seed", "1"
    )
    assert "mcts:20" in text and "an equal would win 50.0%" in text and "Wilson" in text
    found = json.loads(
        said(
            capsys,
            "skill",
            "kuhn_poker",
            "--games",
            "1",
            "--rungs",
            "1",
            "--lowest",
            "1",
            "--seed",
            "1",
            "-f",
            "json",
        )
    )
    assert found["rungs"][0]["bot"] == "ismcts:1"


@pytest.mark.parametrize(("format", "out"), [("human", ""), ("html", ""), ("json", '"rungs": []')])
def test_nothing_is_said_of_skill_before_a_rung_was_played(
    format: str, out: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def press_ctrl_c(
        run: RunConfig, numbers: range, *, should_stop: Callable[[], bool], **_: object
    ) -> Iterator[Row]:
        if not should_stop():
            signal.raise_signal(signal.SIGINT)
        yield from ()

    monkeypatch.setattr(ladder, "rows", press_ctrl_c)
    assert (
        guarded(["skill", "kuhn_poker", "--rungs", "1", "--lowest", "1", "--games", "1", "--format", format])
        == 130
    )
    found = capsys.readouterr()
    assert (
        out in found.out
        and "better than a random one" not in found.out
        and "interrupted after 0 of 2 games: " in found.err
    )
    assert bool(found.out) == bool(out)


@pytest.mark.parametrize(
    ("columns", "table"),
    [
        (60, "bot       wins        0 to 1  thinking\nmcts:64  51.5%  ──●─────────  no help was found\n"),
        (34, "bot       wins  thinking\nmcts:64  51.5%  no help was found\n"),
        (26, "bot       wins  thinking\nmcts:64  51.5%  no help\n                was found\n"),
        (20, "bot mcts:64\n  wins: 51.5%\n  thinking: no help\nwas found\n"),
    ],
)
def test_a_table_that_is_too_wide_is_not_cut(
    columns: int, table: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    cells = ["mcts:64", "51.5%", "──●─────────", "no help was found"]
    grid(("bot", "wins", "0 to 1", "thinking"), [cells], has_words=True, bars_at=2)
    drawn = capsys.readouterr().out
    assert [line.rstrip() for line in drawn.splitlines()] == table.splitlines()


def test_the_tests_of_a_planned_comparison_are_not_a_step_that_ctrl_c_interrupts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They take seconds, and Ctrl-C in a game shows what they say of the games that were over."""
    heard, test = [], Comparison.test

    def tested(found: Comparison) -> None:
        heard.append(signal.getsignal(signal.SIGINT))
        test(found)

    monkeypatch.setattr(Comparison, "test", tested)
    said(capsys, "compare", "kuhn_poker", "leduc_poker", "--fixed", "9", "--seed", "1")
    assert heard == [signal.getsignal(signal.SIGINT)]


def test_sweep(capsys: pytest.CaptureFixture[str]) -> None:
    cards = ["sweep", "goofspiel", "--set", "cards=2..4", "--seed", "1", "--games", "30", "--jobs", "1"]
    assert guarded([*cards, "--set", "bids=shown", "--target", "decisions 5"]) == 1
    text = capsys.readouterr().out
    assert (
        "decisions rises above 5 between cards = 3 and 4" in text
        and "no value is known to meet 5: nearest is cards = " in text
    )
    assert guarded([*cards, "--target", "decisions 5", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["crossings"] == [
        {"interval": [3, 4], "rises": True, "confidence": None, "method": "the same in every game"}
    ]
    assert found["fitting"] == [] and [point["interval"] for point in found["points"]] == [[None, None]] * 3
    assert guarded([*cards, "--measure", "prize_pile.size == 0", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {point["method"] for point in found["points"]} == {"Wilson"}, "true and false are shares"
    found = json.loads(
        said(
            capsys,
            "sweep",
            "goofspiel",
            "--set",
            "cards=2,3",
            "--set",
            "bids=shown,hidden",
            "--games",
            "3",
            "-f",
            "json",
        )
    )
    assert [point["values"] for point in found["points"]] == [
        {"cards": cards, "bids": bids} for cards in (2, 3) for bids in ("shown", "hidden")
    ]


def test_ablate(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "ablate", "kuhn_poker", "--only", "BET", "--games", "10", "--seed", "1")
    assert "bet" in text and "check" not in text and "never takes it" in text
    found = json.loads(
        said(
            capsys,
            "ablate",
            "witches_of_blackmore",
            "--variants",
            "--games",
            "2",
            "--seed",
            "1",
            "-f",
            "json",
        )
    )
    assert [one["variant"] for one in found["variants"]] == ["witches_of_blackmore/low_wins"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("compare", "kuhn_poker"), "say what to compare with"),
        (("compare", "kuhn_poker", "--against", "deep"), "there is no bot `deep`"),
        (("compare", "kuhn_poker", "leduc_poker", "--against", "first"), "one set of rules"),
        (("compare", "kuhn_poker", "liars_dice", "--players", "9"), "players"),
        (("sweep", "kuhn_poker"), "say which parameter to sweep"),
        (("sweep", "goofspiel", "--set", "cards=9..2"), "no range"),
        (("sweep", "goofspiel", "--set", "cards=2..3", "--target", "fair"), "no target"),
        (("skill", "kuhn_poker", "--bot", "deep"), "`deep` is not a bot for a ladder"),
        (("ablate", "kuhn_poker", "--bots", "first,random"), "takes one bot here"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert " ".join(words.split()) in " ".join(said(capsys, *arguments, code=2).replace("│", " ").split())
