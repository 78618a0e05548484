"""The guide's questions to a log: ten lines each at most, and the same lines answer for every game, with its
own name of a score.
"""

from __future__ import annotations

import contextlib
import doctest
import io
from pathlib import Path
from typing import Any

import pytest

from croupier.cli import main
from documents import read_document

PAGE = Path(__file__).parents[2] / "grammar" / "guide" / "questions.md"
MOST_LINES = 10
GAMES = {
    "vudu": "score",
    "baron_voodoo": "score",
    "witches_of_blackmore": "last_won",
    "una_notte_da_lupi": "vote",
    "wednesday_hyde": "",
}
SCORE = '"score"'
TURNS = "[[50, 100]]"  # turns that every game of the page has


def blocks() -> list[str]:
    """The blocks of pandas of the page: the first reads the files, each of the others answers a question."""
    document = read_document("questions.md", PAGE.read_text(encoding="utf-8"))
    return [block.text for block in document.blocks if block.kind == "python pandas"]


def code(block: str) -> list[str]:
    """The statements of a block."""
    return [example.source for example in doctest.DocTestParser().get_examples(block)]


def test_an_answer_has_ten_lines_at_most() -> None:
    questions = blocks()[1:]
    assert len(questions) == 4
    assert all(sum(source.count("\n") for source in code(block)) <= MOST_LINES for block in questions)


@pytest.mark.parametrize("name", GAMES)
def test_the_same_lines_answer_for_every_game(name: str, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    names: dict[str, Any] = {}
    call = (
        f"collect {name} --games 4 --seed 1 --jobs 1 --out games.csv --decisions decisions.csv --events "
        f"events.csv"
    )
    with contextlib.chdir(tmp_path), contextlib.redirect_stdout(io.StringIO()):
        assert main(call.split()) == 0
        for source in (line for block in blocks() for line in code(block)):
            exec(source.replace(SCORE, f'"{GAMES[name]}"').replace(TURNS, ""), names)
    decisions, cards, turns, counted, last = (
        names[key] for key in ("decisions", "cards", "turns", "counted", "last")
    )
    assert decisions.game.nunique() == 4
    assert len(cards) > 0 and cards["mean"].between(0, 1).all() and (cards["size"] >= 1).all()
    assert turns.min() >= 1 and turns.sum() == (decisions.seat.ge(0) & ~decisions.forced).sum()
    assert set(counted.columns) == {"decision", "option", "place", "times"} and counted.times.notna().any()
    # a game without scores is won or lost
    assert not GAMES[name] or (len(last) > 0 and last.notna().any(axis=None))


def test_cards_that_leave_a_hand_are_those_that_were_chosen(tmp_path: Path) -> None:
    """Each card that leaves a hand was chosen for it."""
    pytest.importorskip("pandas")
    names: dict[str, Any] = {}
    call = (
        "collect witches_of_blackmore --games 6 --seed 1 --jobs 1 --out games.csv --decisions "
        "decisions.csv --events events.csv"
    )
    with contextlib.chdir(tmp_path), contextlib.redirect_stdout(io.StringIO()):
        assert main(call.split()) == 0
        for source in (line for block in blocks()[:2] for line in code(block)):
            exec(source, names)
    decisions, events, cards = names["decisions"], names["events"], names["cards"]
    thrown = events[(events["from"] == "hand") & events.component.notna()]
    chosen = decisions[decisions.decision == "play_trick.c"]
    assert len(thrown) == len(chosen) and set(thrown.component) == set(chosen.component)
    assert set(cards.index.get_level_values("component")) >= set(chosen.component)
