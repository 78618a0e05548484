"""Expressions of the rules in words: as data in `phrases.cases.yaml`, a group for each construct."""

from __future__ import annotations

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from croupier.syntax import phrase_words
from croupier.syntax.phrases import MAX_LENGTH, CallWords, Vocabulary, denial_of, phrase_of, why

GROUPS: dict[str, dict[str, str]] = YAML(typ="safe").load(
    Path(__file__).with_name("phrases.cases.yaml").read_text(encoding="utf-8")
)
DENIED = GROUPS.pop("what is so where a condition does not hold")
SAMPLE = Vocabulary(
    {
        "home": CallWords(("p",), "the first row of `p`"),
        "points": None,
        "Man": CallWords(("of", "kind"), "`of`'s `kind`"),
        "Move": CallWords(("from", "to"), "Move (from `from`, to `to`)"),
    },
    {
        "safe": CallWords(("c", "p"), "`c` is safe for `p`"),
        "wins": CallWords(("p",), "`p` wins"),
        "in_check": None,
        "is_own": None,
        "mill": None,
        "over": None,
    },
    boards=frozenset({"board"}),
    flags={"alive": 1, "has_gold": 1, "castles": 2},
    traits=frozenset({"king", "is_open"}),
    names={"key": "the owner"},
)
WITHOUT_WORDS = ("{p: n for p in players for q in xs by p}", "foo.bar(x for x in xs)", '"{a}" + b[')


@pytest.mark.parametrize("group", GROUPS)
def test_expressions_in_words(group: str) -> None:
    told = {text: phrase_of(text, SAMPLE) for text in GROUPS[group]}
    assert told == GROUPS[group]


def test_conditions_that_do_not_hold() -> None:
    assert {text: denial_of(text, SAMPLE) for text in DENIED} == DENIED
    assert all(denial_of(text, SAMPLE) is None for text in WITHOUT_WORDS)


@pytest.mark.parametrize("text", WITHOUT_WORDS)
def test_what_has_no_words(text: str) -> None:
    assert phrase_of(text, SAMPLE) is None


def test_what_is_too_long_has_no_words() -> None:
    short, long = (" and ".join(["lucky"] * count) for count in (MAX_LENGTH // 12, MAX_LENGTH // 7))
    assert phrase_of(short) is not None and phrase_of(long) is None


def test_each_word_of_the_tables_has_a_row() -> None:
    told = "\n".join(text for group in GROUPS.values() for text in group)
    dotted = (*phrase_words.ATTRIBUTES, *phrase_words.METHODS, *phrase_words.STATES)
    called = (*(name for name, _ in phrase_words.FUNCTIONS), *phrase_words.WALKED)
    assert [name for name in dotted if f".{name}" not in told] == []
    assert [name for name in called if f"{name}(" not in told] == []


def test_a_reason_is_a_sentence_part() -> None:
    assert why("points[p] > 3") == "points of p is more than 3"
    assert why("is_over()") == "“is over” holds"
    assert why("a [") == "a ["
