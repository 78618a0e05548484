"""What is said of a line that begins where no other one does."""

from __future__ import annotations

import pytest

from croupier.diagnostics import Source
from croupier.source.indentation import out_of_line

ROWS = (
    (
        "a:\n  b: 1\n   c: 2\n",
        3,
        "this line begins 1 space further right than the line above",
        "take away 1 space at its beginning",
    ),
    (
        "a:\n  b: 1\n c: 2\n  d: 3\n",
        3,
        "this line begins 1 space further left than the lines beside it",
        "add 1 space at its beginning",
    ),
    (
        "a:\n    b: 1\n  c: 2\nd: 3\n",
        3,
        "this line begins between two others: after 2 spaces",
        "as the line that it goes with: 0 or 4",
    ),
    (
        "  a: 1\nb: 2\n",
        2,
        "this line begins 2 spaces further left than the lines that it goes with",
        "add 2 spaces at its beginning",
    ),
)


@pytest.mark.parametrize(("text", "line", "problem", "help"), ROWS)
def test_a_line_is_compared_with_its_neighbours(text: str, line: int, problem: str, help: str) -> None:
    found = out_of_line(Source("rules.yaml", text), line)
    assert found.problem == problem and found.help.endswith(help)
    assert found.labels and all(label.span.text for label in found.labels)


def test_a_line_alone_has_nothing_to_compare_with() -> None:
    assert out_of_line(Source("rules.yaml", " a: 1\n"), 1).labels == ()
    assert out_of_line(Source("rules.yaml", "a: 1\nb\n"), 2).labels == ()
