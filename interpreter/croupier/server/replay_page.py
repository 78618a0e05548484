"""The page of a saved game: one HTML file that steps through it.

It holds the view and the log after each action, packed, and the drawing of the pages.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.diagnostics import markup
from croupier.narration import narrate
from croupier.play.start_and_end import start_values
from croupier.server.page import ended, line_parts
from croupier.table import view
from croupier.text import Text

if TYPE_CHECKING:
    from croupier.runtime.state import State


PAGES = Path(__file__).parent / "pages"
MAX_MOMENTS = 5_000


class ReplayPage:
    """The pages that a seat saw (`None`: the referee, who sees everything) at each state of a game that is
    played again.

    Of a seat, states at which others act unseen are left out, and those at which chance acts: their number
    would tell how often somebody was asked, and how often chance had a choice.
    """

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._moments: list[dict[str, object]] = []
        # by state the number of the moment that shows it, or the last before
        self._moments_at: list[int] = []
        self._before: list[dict[str, object]] = []
        self._rules: dict[str, str] = {}
        self._start = Text()
        self._ended: dict[str, object] | None = None

    def add(self, state: State) -> None:
        """The next state."""
        if len(self._moments) >= MAX_MOMENTS:
            return
        is_shown = not self._moments or self.seat is None or self._is_known_to_be_asked(state)
        self._moments_at.append(len(self._moments) - (not is_shown))
        if not is_shown:
            return
        events = state.events(self.seat)
        lines = narrate(events, open_end=not state.is_terminal(), players=state.players)
        parts = [line_parts(line) for line in lines]
        same = next(
            (i for i, (a, b) in enumerate(zip(self._before, parts, strict=False)) if a != b),
            min(len(self._before), len(parts)),
        )
        self._moments.append(
            {"view": view(state, self.seat, events).to_json(), "kept": same, "log": parts[same:]}
        )
        self._before = parts
        self._start = start_values(state, self.seat)
        self._ended = ended(state, self.seat)
        known = state.ruleset.program.rule_ids
        self._rules |= {rule: known[rule][1] for line in lines[same:] for rule in line.rules if rule in known}

    def _is_known_to_be_asked(self, state: State) -> bool:
        """Tell whether the seat knows that somebody decides here, or that the game is over."""
        return not state.is_chance_node() and (
            state.is_open_to(self.seat) or self.seat in state.pending_seats()
        )

    def html(
        self, title: str, names: Sequence[str] = (), remarks: Sequence[tuple[int, int, str]] = ()
    ) -> str:
        """The file, with remarks: the number of the state, the seat, the words."""
        at = self._moments_at
        said = [
            {"step": at[min(step, len(at) - 1)], "seat": seat, "text": text} for step, seat, text in remarks
        ]
        whole = {
            "names": list(names),
            "rules": self._rules,
            "start": self._start.with_seats(),
            "ended": self._ended,
            "moments": self._moments,
            "remarks": said,
        }
        game = json.dumps(whole)
        packed = base64.b64encode(gzip.compress(game.encode(), 9, mtime=0)).decode()
        body = [
            _read("watch.html"),
            f'<script type="application/octet-stream" id="game">{packed}</script>',
            f'<script type="module">\n{_module("draw.js")}{_module("watch.js")}</script>',
        ]
        return markup.page(title, f"\n{_read('style.css')}", body, policy=None)


def _read(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def _module(name: str) -> str:
    """A module as part of another: without what it imports and exports."""
    return re.sub(r"(?m)^import .*\n|^export ", "", _read(name))
