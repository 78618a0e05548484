"""The words of an end, made of what compiled code wrote."""

from __future__ import annotations

import pytest

from croupier.kernel import types as t
from croupier.lowering.grades import FIRST_TEMPLATE, GradeTemplate, grade_text
from croupier.lowering.shapes import WORD, Items
from lowering_tables import game

GAME = game("""\
croupier: 1
ruleset: small
title: Small
players: 2
phases:
  play: pass
""")
NUMBER = (t.Int(), WORD)
NUMBERS = (t.Collection("list", t.Int()), Items("list", 2, WORD))
TEMPLATES = [
    GradeTemplate((None, " of ", None), (NUMBER, NUMBER)),
    GradeTemplate(("left: ", None, ", ", None), (NUMBERS, (t.Player(), WORD))),
    GradeTemplate((None,), ((t.Text(), Items("text", 3, WORD)),)),
]


@pytest.mark.parametrize(
    ("grade", "words", "text"),
    [
        (0, (), "nobody moves"),
        (1, (), "no card is left"),
        (FIRST_TEMPLATE, (3, 40), "3 of 40"),
        (FIRST_TEMPLATE - 1, (2, 7, 8, 1), "left: 7, 8, player 2"),
        (FIRST_TEMPLATE - 1, (0, 0, 0, 0), "left: nothing, player 1"),
        (FIRST_TEMPLATE - 2, (2, ord("o"), ord("k"), 0), "ok"),
    ],
)
def test_a_grade_is_a_text(grade: int, words: tuple[int, ...], text: str) -> None:
    assert grade_text(GAME, ["nobody moves", "no card is left"], TEMPLATES, grade, words) == text
