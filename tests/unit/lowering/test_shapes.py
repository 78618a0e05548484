"""Values as words, and back."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.core.operations import NONE
from croupier.lowering.shapes import (
    TRUTH,
    WORD,
    Fields,
    Items,
    Maybe,
    Shape,
    TableShape,
    Texts,
    Word,
    decoded,
    encoded,
    width,
)

TEXTS = Texts()


@pytest.mark.parametrize(
    ("shape", "value", "words"),
    [
        (WORD, 7, (7,)),
        (WORD, None, (NONE,)),
        (TRUTH, True, (1,)),
        (Word(texts=TEXTS), "good", (0,)),
        (Fields((WORD, TRUTH)), (3, False), (3, 0)),
        (Maybe(Fields((WORD, WORD))), None, (0, 0, 0)),
        (Maybe(Fields((WORD, WORD))), (1, 2), (1, 1, 2)),
        (TableShape(1, 3, WORD), (4, None, 6), (4, NONE, 6)),
        (Items("list", 3, WORD), (5, 6), (2, 5, 6, 0)),
        (Items("list", 2, Items("set", 1, TRUTH)), ((True,), ()), (2, 1, 1, 0, 0)),
    ],
)
def test_a_value_is_read_back(shape: Shape, value: Any, words: tuple[int, ...]) -> None:
    assert encoded(value, shape) == words
    assert len(words) == width(shape)
    found = decoded((9, *words), 1, shape)
    assert found == value
    assert repr(found) == repr(value)
