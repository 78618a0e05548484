"""Types in words."""

from __future__ import annotations

import pytest

from croupier.kernel import types as t
from croupier.semantics.type_words import described, none_help, reason_of_none, several

CARD = t.Component(frozenset({"Card"}))
WORDS = (
    (t.INT, "a whole number"),
    (t.Int(0, 10), "a number from 0 to 10"),
    (t.Int(5, 5), "the number 5"),
    (t.Int(1), "a number of 1 or more"),
    (t.BOOL, "yes or no (`true` or `false`)"),
    (t.Optional(CARD), "a `Card` or none"),
    (t.Component(frozenset({"Card", "Die"})), "a `Card` or a `Die`"),
    (t.list_of(t.PLAYER), "a list of players"),
    (t.list_of(t.Int(1, 3)), "a list of numbers from 1 to 3"),
    (t.Map(t.PLAYER, t.Int(0, 9)), "a number from 0 to 9 for each player"),
    (t.Map(t.Int(1, 3), t.PLAYER), "a player for each number from 1 to 3"),
    (t.Zone(frozenset({"Card"})), "a zone for `Card`"),
    (t.Enum("Suit"), "one of `Suit`"),
    (t.DIRECTION, "a direction"),
)


@pytest.mark.parametrize(("kind", "words"), WORDS, ids=[words for _, words in WORDS])
def test_described(kind: t.Type, words: str) -> None:
    assert described(kind) == words


def test_several() -> None:
    assert several(t.INT) == "whole numbers" and several(t.list_of(t.PLAYER)) == "lists of players"


def test_what_may_be_none_is_asked_by_its_own_words() -> None:
    assert "`leader!`" in none_help("leader", "    ") and "`if leader is not none:`" in none_help(
        "leader", "    "
    )
    assert "`leader is not none and …`" in none_help("leader", "    if ")
    assert "`let x = found(p)`" in none_help("found(p)", "    ")
    assert "`a + b!`" not in none_help("a + b", "    ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("deck.top", "`deck` may be empty"),
        ("hand[p].first", "`hand[p]` may be empty"),
        (f"{'z' * 40}.last", f"`{'z' * 40}` may be empty"),
        (f"{'z' * 41}.last", None),  # too long to be read in a sentence
        ("deck.size", None),
        ("top", None),
    ],
)
def test_a_zone_whose_component_is_asked_for_may_be_empty(text: str, reason: str | None) -> None:
    assert reason_of_none(text) == reason
