"""What is said of a line with a second colon, by the section in which it stands, and of a key below a
value.
"""

from __future__ import annotations

import pytest

from croupier.diagnostics import Source
from croupier.source import read


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (
            "state:\n  pot: 0..9: 0 seen by everybody\n",
            "the value at the start stands behind `=`: `pot: 0..9 = 0 seen by everybody`",
        ),
        ("title: Poker: a game\n", 'put the text in quotes: `title: "Poker: a game"`'),
        (
            "phases:\n  play: if a: pass\n",
            "rule text with a colon stands below its key: write `play: |`, and `if a: pass` on the next "
            "line, indented further",
        ),
        ("title: a\n  doc: b\n", "take away 2 spaces, so that it begins like the line above"),
    ],
)
def test_help_is_made_of_the_line(text: str, help: str) -> None:
    _, problems = read(Source("t.yaml", text))
    assert [d.help for d in problems] == [help]
