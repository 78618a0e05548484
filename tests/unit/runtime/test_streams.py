"""The published vectors: whoever writes another back end must reproduce every number here."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from croupier.runtime.streams import Stream, block, seat_purpose


def test_blocks() -> None:
    assert block(0, 1, "chance", 0).hex() == "3a64039b8aaf33c14e34705ae47801bcd5d0a5ee7b907eacb8f3b6f919c13312"
    assert block(2**64 - 1, 1000, "seat 6", 7).hex() == "c9a5179dec45bff30b82d37562fa044689fc70c3bfc44a560b64e7f7170e8907"


@pytest.mark.parametrize(
    ("seed", "game", "purpose", "words"),
    [
        (0, 1, "chance", [4207491918452437953, 5635252569429770684, 15406996768928333484, 13327196903314633490, 2644274620259133874]),
        (1, 1, "chance", [10274014307753229729, 11877719784432432258, 15579232688116691610, 3859794552520474848, 14849601624011755770]),
        (1, 2, "seat 1", [9833836307048430489, 13811167266618932637, 15430401460648733302, 1765844839442982056, 12273248545576550307]),
        (42, 7, "seat 3", [14548303231791187311, 14584583287496003827, 18409540317498845065, 2776657948090532969, 10264763626891595145]),
    ],
)
def test_words(seed: int, game: int, purpose: str, words: list[int]) -> None:
    stream = Stream(seed, game, purpose)
    assert [stream.word() for _ in words] == words


@pytest.mark.parametrize(
    ("sizes", "numbers"),
    [
        ([6] * 20, [3, 0, 0, 0, 0, 5, 3, 5, 5, 2, 5, 2, 4, 5, 1, 5, 0, 1, 2, 4]),
        (range(52, 42, -1), [33, 18, 10, 35, 42, 11, 15, 35, 37, 7]),
        ([2**64] * 2, [10274014307753229729, 11877719784432432258]),
        ([1, 1, 2**64], [0, 0, 10274014307753229729]),
        ([10**30] * 2, [544754031916789291484863624322, 262458708222889344610969616608]),
    ],
    ids=["dice", "deck", "one word", "one option uses no word", "two words"],
)
def test_uniform(sizes: list[int], numbers: list[int]) -> None:
    stream = Stream(1, 1, "chance")
    assert [stream.uniform(size) for size in sizes] == numbers


def test_uniform_rejects_words_beyond_the_last_whole_multiple() -> None:
    stream = Stream(1, 1, "chance")
    first = [stream.uniform(2**63 + 1) for _ in range(6)]
    assert first == [3859794552520474848, 2162846383497744101, 355784235498159783, 3373667862011616701, 7006316813517184898, 6575065824525823148]
    words = Stream(1, 1, "chance")
    assert first == [word for word in (words.word() for _ in range(12)) if word <= 2**63]


def test_weighted() -> None:
    stream = Stream(1, 1, "chance")
    weights = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    assert [stream.weighted(weights) for _ in range(20)] == [1, 0, 0, 0, 0, 2, 1, 2, 2, 0, 2, 0, 1, 2, 0, 2, 0, 0, 0, 1]


def test_weighted_draws_each_position_as_often_as_it_weighs() -> None:
    stream = Stream(3, 1, "test")
    drawn = Counter(stream.weighted([1, 0, Fraction(3, 2), Fraction(1, 2)]) for _ in range(3000))
    assert drawn[1] == 0
    assert abs(drawn[0] - 1000) < 120 and abs(drawn[2] - 1500) < 120 and abs(drawn[3] - 500) < 100


def test_streams_of_different_keys_differ() -> None:
    keys = [(1, 1, "chance"), (2, 1, "chance"), (1, 2, "chance"), (1, 1, "seat 1"), (1, 1, "seat 2"), (1, 11, "x"), (11, 1, "x")]
    assert len({Stream(*key).word() for key in keys}) == len(keys)


def test_seats_count_from_one_in_purposes() -> None:
    assert seat_purpose(0) == "seat 1"


def test_refusals() -> None:
    for size in (0, -1):
        with pytest.raises(ValueError):
            Stream(1, 1, "chance").uniform(size)
    for weights in ([], [0], [Fraction(-1, 2), 1]):
        with pytest.raises(ValueError):
            Stream(1, 1, "chance").weighted(weights)
    for key in ((-1, 1, "chance", 0), (1, -1, "chance", 0), (1, 1, "ä", 0), (1, 1, "a\nb", 0)):
        with pytest.raises(ValueError):
            block(*key)
