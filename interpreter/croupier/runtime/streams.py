"""Random numbers that are the same on every platform, for ever: counter-based streams, on a page.

A stream has three keys: the `seed` of a run (an integer from 0), the number of the `game` (from 1) and a
`purpose` (a short text).  There is no hidden state: the k-th word of a stream is a function of its keys and
k.

    key(seed, purpose)     = the first 8 bytes of SHA-256 of the ASCII text "croupier-stream-2 SEED PURPOSE",
                           as two
                             big-endian words of 32 bits; single spaces, the number in decimal without leading
                             zeros
    block(key, game, i)    = Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011) with that key and the counter
                             (i mod 2^32, i div 2^32, game mod 2^32, game div 2^32): four words of 32 bits
    word(k)                = number k mod 4 of block(key, game, k div 4),  k = 0, 1, 2, ...

    uniform(n)             = a number from 0 to n - 1, each exactly as likely as the others (Lemire 2019):
        n = 1: 0, and no word is used
        w = the smallest number of words with 2^(32 w) >= n
        v = the next w words joined, the first one highest
        if v n mod 2^(32 w) >= 2^(32 w) mod n: the answer is v n div 2^(32 w); otherwise again with the next w
        words

    weighted(p_0, p_1, ...) = the position of one of several exact rational weights:
        d = the least common denominator, a_i = p_i * d, t = the sum of all a_i
        r = uniform(t); the answer is the first i with r < a_0 + ... + a_i

Purposes in use: `chance` for the chance events of a game, `seat P` for an agent at seat P, counted from 1.  A
chance event draws `weighted` over its outcomes in their canonical order, a random seat `uniform` over its
options in theirs.  Published test vectors stand in the tests of this module and in the specification's
appendix.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import lcm
from struct import iter_unpack, pack, unpack

CHANCE = "chance"
LARGEST_SEED = 2**64 - 1
LARGEST_GAME = 2**64 - 1
WORD = 32
MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
KEY_STEPS = 0x9E3779B9, 0xBB67AE85
ROUNDS = 10
_LOW = 2**WORD - 1
TOGETHER = 16  # that are worked out at once
OPENING, GROUP = 2, 16  # of so many games in a row the first blocks are


def seat_purpose(seat: int) -> str:
    """The purpose of the stream of an agent; `seat` counts from 0, the purpose from 1."""
    return f"seat {seat + 1}"


@lru_cache(maxsize=256)
def stream_key(seed: int, purpose: str) -> tuple[int, int]:
    """The key of a stream. Raises ValueError for a negative seed or a purpose that is not printable ASCII."""
    if seed < 0:
        raise ValueError("seeds count from 0")
    if not (purpose.isascii() and purpose.isprintable()):
        raise ValueError("a purpose is printable ASCII")
    first, second = unpack(">2I", sha256(f"croupier-stream-2 {seed} {purpose}".encode("ascii")).digest()[:8])
    return first, second


def philox(
    counter: Sequence[int], keys: Sequence[tuple[int, int]], low: int = _LOW
) -> tuple[int, int, int, int]:
    """Philox4x32-10. `keys` are those of the rounds.

    Several counters may lie side by side: then each number has a word in each of its lanes of 64 bits, and
    `low` has the bits of these words.
    """
    a, b, c, d = counter
    m, n = MULTIPLIERS
    for first, second in keys:
        x, y = a * m, c * n
        a, b, c, d = y >> WORD & low ^ b ^ first, y & low, x >> WORD & low ^ d ^ second, x & low
    return a, b, c, d


@lru_cache(maxsize=256)
def round_keys(key: tuple[int, int], lanes: int = 1) -> tuple[tuple[int, int], ...]:
    """The keys of all rounds, in so many lanes."""
    ones = _ones(lanes)
    return tuple(
        ((key[0] + k * KEY_STEPS[0] & _LOW) * ones, (key[1] + k * KEY_STEPS[1] & _LOW) * ones)
        for k in range(ROUNDS)
    )


@lru_cache(maxsize=64)
def _ones(lanes: int) -> int:
    return sum(1 << 2 * WORD * k for k in range(lanes))


def blocks(key: tuple[int, int], game: int, first: int, count: int, games: int = 1) -> list[tuple[int, ...]]:
    """Blocks `first` to `first + count - 1` of a game, then those of the next, of so many games.

    Raises ValueError for a game that is not from 0 to 2^64 - 1.
    """
    if not 0 <= game <= LARGEST_GAME:
        raise ValueError(f"games count from 0 to {LARGEST_GAME}")
    lanes = count * games
    counters = [
        (i & _LOW, i >> WORD, n & _LOW, n >> WORD)
        for n in range(game, game + games)
        for i in range(first, first + count)
    ]
    if lanes == 1:
        return [philox(counters[0], round_keys(key))]
    a, b, c, d = (
        int.from_bytes(pack(f"<{lanes}Q", *column), "little") for column in zip(*counters, strict=True)
    )
    a, b, c, d = philox((a, b, c, d), round_keys(key, lanes), _LOW * _ones(lanes))
    halves = ((x | y << WORD).to_bytes(2 * WORD // 8 * lanes, "little") for x, y in ((a, b), (c, d)))
    return [two + more for two, more in zip(*(iter_unpack("<2I", half) for half in halves), strict=True)]


@lru_cache(maxsize=64)
def _openings(key: tuple[int, int], group: int) -> list[list[int]]:
    """Return the first words of the streams with this key in a group of games, the last word first.

    One stream after another would cost many times as much.
    """
    found = blocks(key, group * GROUP, 0, OPENING, GROUP)
    return [
        [w for block in found[k : k + OPENING] for w in block][::-1] for k in range(0, len(found), OPENING)
    ]


def words(key: tuple[int, int], game: int, first: int) -> tuple[list[int], int]:
    """Return the words of a game from block `first` on, the last one first, and the number of the first block
    behind them.

    Raises ValueError as `blocks` does.
    """
    if first == 0 and game <= LARGEST_GAME - GROUP:
        group, place = divmod(game, GROUP)
        return _openings(key, group)[place][:], OPENING
    count = min(TOGETHER, 2 * first or OPENING)
    return [w for block in blocks(key, game, first, count) for w in block][::-1], first + count


class Stream:
    """The numbers of one purpose in one game, in order.

    Two streams with the same keys give the same numbers.
    """

    __slots__ = ("game", "purpose", "seed", "_block", "_key", "_words")

    def __init__(self, seed: int, game: int, purpose: str) -> None:
        self.seed = seed
        self.game = game
        self.purpose = purpose
        self._key = stream_key(seed, purpose)
        self._block = 0  # the next that is not used
        self._words: list[int] = []  # those at hand, the next one last

    def word(self) -> int:
        """The next word of 32 bits. Raises ValueError for a game that is not from 0 to 2^64 - 1."""
        if not self._words:
            self._words, self._block = words(self._key, self.game, self._block)
        return self._words.pop()

    def uniform(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely.  Raises ValueError unless n is at least 1."""
        if n < 1:
            raise ValueError("nothing to choose from")
        if n == 1:
            return 0
        bits = WORD * -(-(n - 1).bit_length() // WORD)
        while True:
            value = 0
            for _ in range(bits // WORD):
                value = value << WORD | self.word()
            value *= n
            low = value & (1 << bits) - 1
            if low >= n or low >= (1 << bits) % n:
                return value >> bits

    def weighted(self, weights: Sequence[Fraction | int]) -> int:
        """The position of one of the weights, each as likely as it weighs.

        Raises ValueError if one is negative or all are zero.
        """
        if all(type(weight) is int for weight in weights):
            scaled = [int(weight) for weight in weights]
        else:
            pairs = [(weight.numerator, weight.denominator) for weight in weights]
            denominator = lcm(*{below for _, below in pairs})
            scaled = [above * (denominator // below) for above, below in pairs]
        if not scaled or min(scaled) < 0 or not any(scaled):
            raise ValueError("weights are not negative, and one of them is positive")
        drawn = self.uniform(sum(scaled))
        for position, weight in enumerate(scaled):
            drawn -= weight
            if drawn < 0:
                return position
        raise AssertionError("the weights add up to more than was drawn")
