"""What is said beside the message: labels, fixes and the span's extent.

Codes and places: `tests/hostile/yaml`.
"""

import pytest

from croupier.diagnostics import Diagnostic, Source, apply_fixes
from croupier.source import read


def one(text: str) -> Diagnostic:
    [diagnostic] = read(Source("f", text))[1]
    return diagnostic


@pytest.mark.parametrize(
    ("text", "shown", "labels"),
    [
        ("players: [2, 4}\n", "}", ["["]),
        ('a: ["x" "y"]\n', '"', ["["]),
        ("title: 'the witch's house'  # c\n", "s house'  # c", ["'"]),
        ("a: one\n  b: 2\n", "b", ["one"]),
        ("a: 1\nsome text  \nb: 2\n", "some text", []),
        ("zones:\n \t deck: {}\n", "\t", []),
        ("a: 1\nb: 2\n---\nc: 3\n", "---", []),
        ("a: !<x y\n", "!<x", []),
        ("a: &b:c d\n", "&b:c", []),
        ("%TAG ! tag:x,2000:\n--- a\n", "%TAG", []),
    ],
)
def test_places(text: str, shown: str, labels: list[str]) -> None:
    diagnostic = one(text)
    assert diagnostic.span is not None and diagnostic.span.text == shown
    assert [label.span.text for label in diagnostic.labels] == labels


@pytest.mark.parametrize(
    ("text", "fixed", "safe"),
    [
        ("a:\t\t1\n", "a: 1\n", True),
        ("a: 1 \t# c\n", "a: 1  # c\n", True),
        ("a:\n\tb: 1\n", "a:\n  b: 1\n", True),
        ("a: 1\nb:2\nc: 3\n", "a: 1\nb: 2\nc: 3\n", False),
        ("a: {b:1}\n", "a: {b: 1}\n", False),
        ("a: -4.0\n", "a: -4\n", False),
    ],
)
def test_fixes(text: str, fixed: str, safe: bool) -> None:
    diagnostic = one(text)
    assert diagnostic.span is not None and diagnostic.fix is not None and diagnostic.fix.safe is safe
    assert apply_fixes(diagnostic.span.source, [diagnostic], unsafe=True) == (fixed, 1)
    assert read(Source("f", fixed))[1] == []


def test_the_widest_blank_line_of_a_block_is_blamed() -> None:
    for text in ("a: |\n  \n     \n\n  x\n", "a: |\n \n     \n    x\n"):
        diagnostic = one(text)
        assert diagnostic.code == "Y013" and diagnostic.span is not None
        assert (diagnostic.span.line, diagnostic.span.text) == (3, "     ")


def test_a_bracket_names_its_partner() -> None:
    assert one("a: {b: 1\n").help == "add `}`"
    assert one("a: [b\n").help == "add `]`"
