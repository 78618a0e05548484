"""Misspelt words, words without a space between them, and fixes that are tried before they are proposed."""

from __future__ import annotations

import re

import pytest

from croupier.diagnostics import Source, apply_fixes
from croupier.source import whole
from croupier.syntax import parse_block
from croupier.syntax.parser import lark_parser
from croupier.syntax.spelling import WORDS, distance, is_near


def test_words_are_those_of_the_grammar() -> None:
    terminals = " ".join(terminal.pattern.value for terminal in lark_parser().terminals)
    assert set(WORDS) <= set(re.findall(r"[a-z]+", terminals))


@pytest.mark.parametrize(
    ("word", "known", "near"),
    [
        ("esle", "else", True), ("fed", "def", True), ("optoin", "option", True), ("brake", "break", True),
        ("announc", "announce", True),
        ("is", "if", True), ("x", "is", False), ("or", "of", True), ("hand", "in", False),
        ("retrun", "return", True), ("cart", "case", False),
    ],
)  # fmt: skip
def test_near(word: str, known: str, near: bool) -> None:
    assert is_near(word, known) is near


def test_distance() -> None:
    assert [distance("form", x) for x in ("form", "from", "for", "foremost", "a")] == [0, 1, 1, 3, 3]


MENDED = [
    ("if left%2 == 0&&left == 0:\n    pass", "if left mod 2 == 0 and left == 0:\n    pass"),
    ("if over()||!again:\n    pass", "if over() or not again:\n    pass"),
    ("announce 'it's over'", 'announce "it\'s over"'),
    ("match x:\n    case spades => pass", "match x:\n    case spades : pass"),
    ("if a == 1 andc.rank == 2:\n    pass", "if a == 1 and c.rank == 2:\n    pass"),
    ("move c totrick[p]", "move c to trick[p]"),
    ("if a ornot b:\n    pass", "if a or not b:\n    pass"),
    ("for x in1..13:\n    pass", "for x in 1..13:\n    pass"),
    ("choose n from 1..3\n    onyl if \"x\": n = 3", "choose n from 1..3\n    only if \"x\": n == 3"),
    ("if NOT a AND b:\n    pass", "if not a and b:\n    pass"),
    ("for each c in hand:\n    pass", "for c in hand:\n    pass"),
    ("match x:\n    caes a: pass\n    case b: pass", "match x:\n    case a: pass\n    case b: pass"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "mended"), MENDED, ids=[text.replace("\n", "|") for text, _ in MENDED])
def test_safe_fixes_mend(text: str, mended: str) -> None:
    for _ in range(4):
        source = Source("block", text)
        _, found = parse_block(whole(source))
        if not found:
            break
        text, applied = apply_fixes(source, found)
        assert applied == len(found)
    assert text == mended


@pytest.mark.parametrize(
    "text", ["announce 'all over", "if a or b c:\n    pass", "let x = it's", "move c form hand to trick"]
)
def test_nothing_safe_is_proposed(text: str) -> None:
    _, found = parse_block(whole(Source("block", text)))
    assert len(found) == 1
    assert found[0].fix is None or not found[0].fix.safe
