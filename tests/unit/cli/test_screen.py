"""The full screen of `croupier play`, driven by textual's pilot and, where it is installed, seen in a real
terminal (tmux).
"""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import croupier
from croupier.narration import Names
from croupier.play.match import MatchConfig
from croupier.play.session import Session
from croupier.play.table_bots import Advice

pytest.importorskip("textual", reason="the full screen needs textual")

from textual.widgets import Input, Label, OptionList, SelectionList, Static

from croupier.cli.screen import Screen

RULES = """\
croupier: 1
ruleset: screened
title: "[b]Screened[/b]"
players: 2
state:
  taken: 0..9 per Player = 0 seen by everybody
phases:
  take: |
    choose 2 some from [1, 3, 5] by players.first
    taken[players.first] = some.size
    choose by players.first:
        option "red [on]": pass
        option "blue": taken[players.first] = 9
    choose n from 1..2 by players.first as "number {n}"
    finish win players.first
"""


def text(app: Screen, widget: str) -> str:
    found = app.query_one(widget, Label if widget == "#asked" else Static)
    return str(found.render())


def test_a_game_with_ticks_filter_undo_and_reasons(tmp_path: Path) -> None:
    (tmp_path / "screened.yaml").write_text(RULES, encoding="utf-8")
    session = Session(
        croupier.load(tmp_path / "screened.yaml"),
        MatchConfig(2, {}, 1, ("random",), False, "reference"),
        frozenset([0]),
    )
    app = Screen(session, Names(("Anna",)), "full", False)

    async def play() -> None:
        async with app.run_test(size=(120, 40)) as pilot:

            async def settle() -> None:
                await app.workers.wait_for_complete()
                await pilot.pause()

            await settle()
            assert "Anna decides · take · choose 2" in text(app, "#asked")
            ticks = app.query_one("#ticks", SelectionList)
            assert ticks.display and ticks.option_count == 2, (
                "the third is not offered first: two have to be taken"
            )
            await pilot.press("b")
            await settle()
            told = text(app, "#note").splitlines()
            assert re.fullmatch(r"mcts:\d+, after \d\.\d+ s", told[0]) and len(told) == 3
            assert re.fullmatch(r"\d: \d+ % of the visits, worth \d\.\d\d", told[1])
            await pilot.press("1")
            assert "1 ticked or taken; 1 more are needed" in text(app, "#note")
            await pilot.press("2", "t")
            await settle()
            await settle()
            assert [choice.choice["item"] for step in session.steps for choice in step.choices] == [1, 3]
            options = app.query_one("#options", OptionList)
            assert (
                options.display
                and options.option_count == 2
                and "red [on]" in str(options.get_option_at_index(0).prompt)
            )
            await pilot.press("slash", *"blu")
            assert options.option_count == 1
            await pilot.press("enter")
            await settle()
            assert len(session.steps) == 3 and app.query_one("#filter", Input).value == ""
            await pilot.press("u")
            await settle()
            assert len(session.steps) == 2
            await pilot.press("1")
            await settle()
            await pilot.press("2")
            await settle()
            assert "Anna wins" in text(app, "#asked") and session.state.is_terminal()

    asyncio.run(play())


@contextmanager
def terminal(name: str, width: int, *arguments: str, colour: bool = True) -> Iterator[Callable[..., str]]:
    """`croupier` with these arguments in a real terminal.

    What is given shows what stands there once it holds some words, after pressing keys.
    """

    def tmux(*more: str) -> str:
        return subprocess.run(["tmux", "-L", name, *more], capture_output=True, text=True, check=False).stdout

    def shows(words: str, *keys: str, escapes: bool = False) -> str:
        if keys:
            tmux("send-keys", "-t", name, *keys)
        for _ in range(300):
            # lines that the terminal broke are one
            picture = tmux("capture-pane", "-pJ", *(["-e"] if escapes else []), "-t", name)
            if words in picture:
                return picture
            time.sleep(0.1)
        raise AssertionError(f"{words!r} is not in\n{picture}")

    try:
        command = shlex.join([sys.executable, "-m", "croupier", *arguments])
        environment = "env -u COLUMNS -u LINES" + ("" if colour else " NO_COLOR=1")
        tmux(
            "new-session",
            "-d",
            "-s",
            name,
            "-x",
            str(width),
            "-y",
            "36",
            f"{environment} {command}; sleep 60",
        )
        yield shows
    finally:
        tmux("kill-server")


NO_TMUX = pytest.mark.skipif(
    shutil.which("tmux") is None, reason="no tmux is installed: nothing is seen in a real terminal"
)


@NO_TMUX
@pytest.mark.parametrize(
    "width", [60, *(pytest.param(width, marks=pytest.mark.soak) for width in (80, 120, 200))]
)
def test_a_full_screen_in_a_real_terminal(tmp_path: Path, width: int) -> None:
    file = tmp_path / "game.json"
    with terminal(
        tmp_path.name, width, "play", "tic_tac_toe", "--seed", "1", "--names", "Anna", "--save", str(file)
    ) as shows:
        picture = shows("Anna decides")
        assert "(1,1)" in picture and max(len(line.rstrip()) for line in picture.splitlines()) <= width
        shows("Anna chooses (2,2)", "5")
        shows("game.json", "q")
        assert file.exists()


@pytest.mark.soak
@NO_TMUX
@pytest.mark.parametrize(
    ("width", "colour", "spoken"),
    [(60, False, False), (100, True, False), (200, False, False), (80, True, True)],
)
@pytest.mark.parametrize(("name", "players"), [("baron_voodoo", 2), ("witches_of_blackmore", 3)])
def test_lines_in_a_real_terminal(
    tmp_path: Path, name: str, players: int, width: int, colour: bool, spoken: bool
) -> None:
    """Line by line, in several widths, without colours where they are not wanted, and to be read aloud."""
    arguments = [
        "play",
        name,
        "--players",
        str(players),
        "--seed",
        "1",
        "--names",
        "Anna",
        "--spoken" if spoken else "--plain",
    ]
    with terminal(tmp_path.name, width, *arguments, colour=colour) as shows:
        picture = shows("Anna>")
        assert spoken or max(len(line.rstrip()) for line in picture.splitlines()) <= width
        assert colour or not re.search(r"\x1b\[(3|9)[0-7]m", shows("Anna>", escapes=True)), "colours"
        assert not spoken or not set(picture) & set("│┌└─╭╰"), "boxes are not read aloud"
        picture = shows("show the table", "help", "Enter")
        assert spoken or max(len(line.rstrip()) for line in picture.splitlines()) <= width
        shows("Anna> 1", "1", "Enter")


def test_nothing_is_chosen_while_a_bot_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "screened.yaml").write_text(RULES, encoding="utf-8")
    session = Session(croupier.load(tmp_path / "screened.yaml"), MatchConfig(2, {}, 1), frozenset([0]))
    app, may_answer = Screen(session, Names(()), "full", False), threading.Event()

    def advice(seat: int) -> Advice:
        may_answer.wait(60)
        raise ValueError(f"nothing comes to mind for seat {seat}")

    monkeypatch.setattr(session, "advice", advice)

    async def play() -> None:
        async with app.run_test(size=(120, 40)) as pilot:
            await app.workers.wait_for_complete()
            for _ in range(2):
                await pilot.press("b")
                await pilot.pause()
            assert app.seat is None and text(app, "#note") == "there is nothing for you to decide now"
            app.choose(0)
            assert not session.steps
            may_answer.set()
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert (app.seat, text(app, "#note")) == (0, "nothing comes to mind for seat 0")
            app.choose(0)
            await app.workers.wait_for_complete()
            assert session.steps

    asyncio.run(play())
