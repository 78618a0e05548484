"""Values in words: kept where they say the same in every position, made anew where a label may change."""

from __future__ import annotations

from typing import Any

import pytest

import croupier
from croupier.kernel import types as t
from croupier.limits import MAX_SHOWN
from croupier.runtime import game as games
from croupier.text import Seat, Text

COUNTS = t.Map(t.Player(), t.Optional(t.Int()))


@pytest.fixture(scope="module")
def game() -> Any:
    return croupier.load("liars_dice").new_initial_state().game


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        (None, t.Optional(t.Int()), "none"),
        (7, t.Optional(t.Int()), "7"),
        ((), t.list_of(t.Int()), "nothing"),
        ((1, 0), t.list_of(t.Player()), "player 2, player 1"),
        (((3, None), (None, 2)), t.list_of(COUNTS), "player 1: 3, player 2: 2"),
        ((4, 5), COUNTS, "player 1: 4, player 2: 5"),
        ((None, 5), COUNTS, "player 2: 5"),
        (
            tuple(range(MAX_SHOWN + 2)),
            t.list_of(t.Int()),
            ", ".join(map(str, range(MAX_SHOWN))) + ", … (2 more)",
        ),
    ],
)
def test_a_value_in_words(value: Any, kind: t.Type, words: str, game: Any) -> None:
    said = game.show(value, kind)
    assert said == words
    assert game.show(value, kind) is said, "it is kept"


def test_only_some_are_kept(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "KEPT_TEXTS", 3)
    assert [game.show(n, t.Int(0, 99)) for n in (*range(10), 0)] == [*map(str, range(10)), "0"]
    assert len(game._constant_texts[t.Int(0, 99)]) <= 3


def test_what_components_are_called_is_not_kept(game: Any) -> None:
    """A label may be an attribute that changes, or may hide from a reader."""
    kind = t.Component(game.components[0].kind)
    for one in (kind, t.list_of(kind), t.Optional(kind), t.Map(t.Player(), t.list_of(kind))):
        assert not game._is_constant(one)


def test_texts_that_read_alike_keep_their_parts(game: Any) -> None:
    plain, named = Text.of("player 2"), Text.of(Seat(1))
    assert plain == named
    for one in (plain, named, plain):
        assert game.show(one, t.Text()).parts == one.parts
