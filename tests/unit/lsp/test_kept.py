"""What is kept between two edits changes nothing: after any edits, an editor is shown what a fresh look at the same texts finds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from croupier.diagnostics import Diagnostic
from croupier.load import check
from croupier.lsp.workspace import Workspace, uri_of
from croupier.resources import find
from croupier.source.buffers import buffers
from croupier.source.reading import _read
from croupier.syntax.parser import _tree

GAMES = {"tic_tac_toe": 15, "kuhn_poker": 15, "wednesday_hyde": 4}  # and how many edits: each is checked three times


def edited(text: str, draw: random.Random) -> str:
    """A text with a small edit: a sign, a word or a line is put in, left out or doubled."""
    at = draw.randrange(len(text))
    end = text.find("\n", at) + 1
    start = text.rfind("\n", 0, at) + 1
    return draw.choice(
        [
            text[:at] + draw.choice("x1 :()[]{}\n\"#@.,=") + text[at:],
            text[:at] + text[at + draw.randrange(1, 4) :],
            text[:start] + text[end:] if end else text,
            text[:end] + text[start:end] + text[end:],
            text.replace(draw.choice(["players", "let ", "if ", "seen", "from"]), "word ", 1),
        ]
    )


def shown(found: list[Diagnostic]) -> list[str]:
    """Diagnostics as they can be compared: everything that is said, in order."""
    return [f"{d.code} {d.span} {d.message} {d.notes} {d.help} {[(str(label.span), label.text) for label in d.labels]} {d.fix}" for d in found]


@pytest.mark.parametrize(("name", "edits"), GAMES.items())
def test_edits_show_what_a_fresh_look_finds(name: str, edits: int) -> None:
    place, _ = find(name)
    assert place is not None
    path, draw = str(Path(place.path).absolute()), random.Random(name)
    workspace, text = Workspace(), Path(path).read_text(encoding="utf-8")
    good = text
    for number in range(edits):
        text = good if number % 5 == 4 else edited(text, draw)
        workspace.put(uri_of(path), text)
        kept = workspace.diagnose(path, thorough=False)
        _read.cache_clear()
        _tree.cache_clear()
        fresh = Workspace()
        fresh.put(uri_of(path), text)
        again = fresh.diagnose(path, thorough=False)
        assert {file: shown(some) for file, some in kept.items()} == {file: shown(some) for file, some in again.items()}
        with buffers({Path(path): text}):
            checked = check(path).diagnostics
        assert sorted(shown([d for some in kept.values() for d in some])) == sorted(set(shown(list(checked))))
