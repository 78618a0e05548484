"""A saved game as one HTML file that steps through it: the view and the log after each action, packed, and the drawing of the pages."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.narration import narrate
from croupier.play.look import start_values, why_over
from croupier.server.page import line_parts
from croupier.table import view

if TYPE_CHECKING:
    from croupier.runtime.state import State

PAGES = Path(__file__).parent / "pages"
MAX_MOMENTS = 5_000


class Watched:
    """What a seat saw (none: the referee, who sees everything) at each state of a game that is played again."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._moments: list[dict[str, object]] = []
        self._before: list[dict[str, object]] = []
        self._rules: dict[str, str] = {}
        self._start = self._why = ""

    def add(self, state: State) -> None:
        """The next state."""
        if len(self._moments) >= MAX_MOMENTS:
            return
        lines = narrate(state.events(self.seat), open_end=not state.is_terminal())
        told = [line_parts(line) for line in lines]
        same = next((i for i, (a, b) in enumerate(zip(self._before, told, strict=False)) if a != b), min(len(self._before), len(told)))
        self._moments.append({"view": view(state, self.seat).to_json(), "kept": same, "log": told[same:]})
        self._before = told
        self._start = start_values(state, self.seat)
        self._why = why_over(state) if state.is_terminal() else ""
        known = state.ruleset.program.rule_ids
        self._rules |= {rule: known[rule][1] for line in lines[same:] for rule in line.rules if rule in known}

    def html(self, title: str, names: Sequence[str] = (), remarks: Sequence[tuple[int, int, str]] = ()) -> str:
        """The file, with remarks: the number of the state, the seat, the words."""
        said = [{"step": step, "seat": seat, "text": text} for step, seat, text in remarks]
        whole = {"names": list(names), "rules": self._rules, "start": self._start, "why": self._why, "moments": self._moments, "remarks": said}
        game = json.dumps(whole)
        packed = base64.b64encode(gzip.compress(game.encode(), 9, mtime=0)).decode()
        return "\n".join([
            "<!doctype html>", '<html lang="en">', '<meta charset="utf-8">', '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>", f"<style>\n{_read('style.css')}</style>", _read("watch.html"),
            f'<script type="application/octet-stream" id="game">{packed}</script>',
            f'<script type="module">\n{_module("draw.js")}{_module("watch.js")}</script>', "</html>", "",
        ])  # fmt: skip


def _read(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def _module(name: str) -> str:
    """A module as part of another: without what it imports and exports."""
    return re.sub(r"(?m)^import .*\n|^export ", "", _read(name))
