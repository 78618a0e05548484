"""The published vectors: whoever writes another back end must reproduce every number here."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

from croupier.runtime.streams import (
    GROUP,
    LARGEST_GAME,
    Stream,
    blocks,
    philox,
    round_keys,
    seat_purpose,
    stream_key,
)

KNOWN_ANSWERS = [
    [[int(word, 16) for word in part.split()] for part in line.split("|")]
    for line in (Path(__file__).parents[2] / "data" / "philox.txt").read_text(encoding="ascii").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("counter", "key", "block"), KNOWN_ANSWERS)
def test_known_answers(counter: list[int], key: list[int], block: list[int]) -> None:
    """Those of Random123, the library of the authors of Philox."""
    assert list(philox(counter, round_keys((key[0], key[1])))) == block


def by_the_paper(seed: int, game: int, purpose: str, k: int) -> int:
    """Word `k` of a stream, written down again from the specification: one counter at a time."""
    digest = sha256(f"croupier-stream-2 {seed} {purpose}".encode()).digest()
    k0, k1 = int.from_bytes(digest[:4], "big"), int.from_bytes(digest[4:8], "big")
    i, low = k // 4, 2**32 - 1
    c = [i & low, i >> 32, game & low, game >> 32]
    for _ in range(10):
        x, y = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [y >> 32 ^ c[1] ^ k0, y & low, x >> 32 ^ c[3] ^ k1, x & low]
        k0, k1 = k0 + 0x9E3779B9 & low, k1 + 0xBB67AE85 & low
    return c[k % 4]


@pytest.mark.parametrize(
    "game", [1, GROUP - 1, GROUP, 1000, 2**32 - 1, 2**32 + 5, LARGEST_GAME - 1, LARGEST_GAME]
)
@pytest.mark.parametrize(("seed", "purpose"), [(0, "chance"), (2**64 - 1, "seat 6")])
def test_words_worked_out_together(seed: int, purpose: str, game: int) -> None:
    """Blocks, and games, are worked out side by side; nobody can tell."""
    stream = Stream(seed, game, purpose)
    assert [stream.word() for _ in range(200)] == [by_the_paper(seed, game, purpose, k) for k in range(200)]


def test_blocks_far_out() -> None:
    first = 2**32 - 2
    words = [word for block in blocks(stream_key(3, "x"), 9, first, 4) for word in block]
    assert words == [by_the_paper(3, 9, "x", 4 * first + k) for k in range(16)]


@pytest.mark.parametrize(
    ("seed", "game", "purpose", "words"),
    [
        (0, 1, "chance", [1845574512, 572477042, 395880435, 933017066, 995733731]),
        (1, 1, "chance", [3710994688, 2575323185, 1764168219, 537914222, 3298346945]),
        (1, 2, "seat 1", [2630036633, 2877738964, 3631788048, 1997441588, 850204990]),
        (42, 7, "seat 3", [3337361123, 986350607, 3906363162, 286466148, 152431220]),
    ],
)
def test_words(seed: int, game: int, purpose: str, words: list[int]) -> None:
    stream = Stream(seed, game, purpose)
    assert [stream.word() for _ in words] == words


@pytest.mark.parametrize(
    ("sizes", "numbers"),
    [
        ([6] * 20, [5, 3, 2, 0, 4, 5, 1, 5, 3, 5, 2, 4, 3, 3, 3, 3, 4, 4, 2, 4]),
        (range(52, 42, -1), [44, 30, 20, 6, 36, 41, 11, 39, 22, 40]),
        ([2**64] * 2, [15938600823165046833, 7577044805785480046]),
        ([1, 1, 2**64], [0, 0, 15938600823165046833]),
        ([10**30] * 2, [864033281942739653139356365678, 767956242404390644599439322586]),
    ],
    ids=["dice", "deck", "two words", "one option uses no word", "four words"],
)
def test_uniform(sizes: list[int], numbers: list[int]) -> None:
    stream = Stream(1, 1, "chance")
    assert [stream.uniform(size) for size in sizes] == numbers


@pytest.mark.parametrize("n", [2**31 + 1, 2**63 + 1, 3 * 2**30])
def test_uniform_leaves_words_out_that_do_not_count(n: int) -> None:
    """About half of all words, here: where the product's lower half is below 2^b mod n."""
    stream, words = Stream(1, 1, "chance"), Stream(1, 1, "chance")
    bits = 32 if n < 2**32 else 64
    expected = []
    for _ in range(60):
        v = words.word() if bits == 32 else words.word() << 32 | words.word()
        if v * n % 2**bits >= 2**bits % n:
            expected.append(v * n // 2**bits)
    assert len(expected) < 57 and [stream.uniform(n) for _ in expected] == expected


def test_uniform_is_even_where_many_words_do_not_count() -> None:
    """Of 3 * 2^30 numbers each comes from exactly one word: none of the thirds is larger than the others."""
    stream = Stream(1, 1, "chance")
    thirds = Counter(stream.uniform(3 * 2**30) >> 30 for _ in range(6000))
    assert all(abs(n - 2000) < 180 for n in thirds.values()) and len(thirds) == 3


def test_weighted() -> None:
    stream = Stream(1, 1, "chance")
    weights = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    assert [stream.weighted(weights) for _ in range(20)] == [
        2,
        1,
        0,
        0,
        1,
        2,
        0,
        2,
        1,
        2,
        0,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        0,
        1,
    ]


def test_weighted_draws_each_position_as_often_as_it_weighs() -> None:
    stream = Stream(3, 1, "test")
    drawn = Counter(stream.weighted([1, 0, Fraction(3, 2), Fraction(1, 2)]) for _ in range(3000))
    assert drawn[1] == 0
    assert abs(drawn[0] - 1000) < 120 and abs(drawn[2] - 1500) < 120 and abs(drawn[3] - 500) < 100


def test_streams_of_different_keys_differ() -> None:
    keys = [
        (1, 1, "chance"),
        (2, 1, "chance"),
        (1, 2, "chance"),
        (1, 1, "seat 1"),
        (1, 1, "seat 2"),
        (1, 11, "x"),
        (11, 1, "x"),
    ]
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
    for key in ((-1, 1, "chance"), (1, -1, "chance"), (1, 2**64, "chance"), (1, 1, "ä"), (1, 1, "a\nb")):
        with pytest.raises(ValueError):
            Stream(*key).word()
