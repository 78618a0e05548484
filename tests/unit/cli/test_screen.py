"""The full screen of `croupier play`, driven by textual's pilot and, where it is installed, seen in a real terminal (tmux)."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import croupier
from croupier.narration import Names
from croupier.play.match import MatchConfig
from croupier.play.session import Session

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
    session = Session(croupier.load(tmp_path / "screened.yaml"), MatchConfig(2, {}, 1, ("random",), False, "reference"), frozenset([0]))
    app = Screen(session, Names(("Anna",)), "full", False)

    async def play() -> None:
        async with app.run_test(size=(120, 40)) as pilot:

            async def settle() -> None:
                await app.workers.wait_for_complete()
                await pilot.pause()

            await settle()
            assert "Anna decides · take · choose 2" in text(app, "#asked")
            ticks = app.query_one("#ticks", SelectionList)
            assert ticks.display and ticks.option_count == 2, "the third is not offered first: two have to be taken"
            await pilot.press("1")
            assert "1 ticked or taken; 1 more are needed" in text(app, "#note")
            await pilot.press("2", "t")
            await settle()
            await settle()
            assert [choice.choice["item"] for step in session.steps for choice in step.choices] == [1, 3]
            options = app.query_one("#options", OptionList)
            assert options.display and options.option_count == 2 and "red [on]" in str(options.get_option_at_index(0).prompt)
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


@pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux is installed")
@pytest.mark.parametrize("width", [60])
def test_in_a_real_terminal(tmp_path: Path, width: int) -> None:
    name = f"croupier-test-{tmp_path.name}"
    command = f"{sys.executable} -m croupier play tic_tac_toe --seed 1 --screen --names Anna --save {tmp_path / 'game.json'}"

    def tmux(*arguments: str) -> str:
        return subprocess.run(["tmux", "-L", name, *arguments], capture_output=True, text=True, check=False).stdout

    def shows(words: str) -> str:
        for _ in range(300):
            picture = tmux("capture-pane", "-p", "-t", name)
            if words in picture:
                return picture
            time.sleep(0.1)
        raise AssertionError(f"{words!r} is not in\n{picture}")

    try:
        tmux("new-session", "-d", "-s", name, "-x", str(width), "-y", "36", command)
        picture = shows("Anna decides")
        assert "(1,1)" in picture and max(map(len, picture.splitlines())) <= width
        tmux("send-keys", "-t", name, "5")
        shows("Anna: (2,2)")
        tmux("send-keys", "-t", name, "q")
        for _ in range(100):
            if (tmp_path / "game.json").exists():
                break
            time.sleep(0.1)
        assert (tmp_path / "game.json").exists()
    finally:
        tmux("kill-server")
