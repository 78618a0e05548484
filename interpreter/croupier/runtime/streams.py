"""Random numbers that are the same on every platform, for ever: counter-based streams, on a page.

A stream has three keys: the `seed` of a run (an integer from 0), the number of the `game` (from 1) and a `purpose` (a short
text).  There is no hidden state: the k-th number of a stream is a function of its keys and k.

    block(seed, game, purpose, i) = SHA-256 of the ASCII text "croupier-stream-1 SEED GAME PURPOSE I"
                                    with single spaces, numbers in decimal without sign, plus or leading zeros
    word(k)                       = the 64-bit big-endian number at byte 8 * (k mod 4) of block(k div 4),  k = 0, 1, 2, ...

    uniform(n)                    = a number from 0 to n - 1, each exactly as likely as the others:
        n = 1: 0, and no word is used
        w = the smallest number of words with 2^(64 w) >= n
        v = the next w words joined, the first one highest
        if v < 2^(64 w) - 2^(64 w) mod n: the answer is v mod n; otherwise again with the next w words

    weighted(p_0, p_1, ...)       = the position of one of several exact rational weights:
        d = the least common denominator, a_i = p_i * d, t = the sum of all a_i
        r = uniform(t); the answer is the first i with r < a_0 + ... + a_i

Purposes in use: `chance` for the chance events of a game, `seat P` for an agent at seat P, counted from 1.  A chance event
draws `weighted` over its outcomes in their canonical order, a random seat `uniform` over its options in theirs.  Published
test vectors stand in the tests of this module and in the specification's appendix.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from math import lcm

CHANCE = "chance"
LARGEST_SEED = 2**64 - 1
_WORD = 64
_WORDS_IN_BLOCK = 4


def seat_purpose(seat: int) -> str:
    """The purpose of the stream of an agent; `seat` counts from 0, the purpose from 1."""
    return f"seat {seat + 1}"


def block(seed: int, game: int, purpose: str, index: int) -> bytes:
    """The 32 bytes of one block.  Raises ValueError for a negative number or a purpose that is not printable ASCII."""
    if min(seed, game, index) < 0:
        raise ValueError("seeds, games and blocks count from 0")
    if not (purpose.isascii() and purpose.isprintable()):
        raise ValueError("a purpose is printable ASCII")
    return sha256(f"croupier-stream-1 {seed} {game} {purpose} {index}".encode("ascii")).digest()


class Stream:
    """The numbers of one purpose in one game, in order.  Two streams with the same keys give the same numbers."""

    __slots__ = ("game", "purpose", "seed", "_block", "_next")

    def __init__(self, seed: int, game: int, purpose: str) -> None:
        self.seed = seed
        self.game = game
        self.purpose = purpose
        self._block = b""
        self._next = 0

    def word(self) -> int:
        """The next 64-bit word."""
        index, place = divmod(self._next, _WORDS_IN_BLOCK)
        if place == 0:
            self._block = block(self.seed, self.game, self.purpose, index)
        self._next += 1
        return int.from_bytes(self._block[8 * place : 8 * place + 8], "big")

    def uniform(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely.  Raises ValueError unless n is at least 1."""
        if n < 1:
            raise ValueError("nothing to choose from")
        if n == 1:
            return 0
        words = -(-(n - 1).bit_length() // _WORD)
        space = 1 << (_WORD * words)
        limit = space - space % n
        while True:
            value = 0
            for _ in range(words):
                value = value << _WORD | self.word()
            if value < limit:
                return value % n

    def weighted(self, weights: Sequence[Fraction | int]) -> int:
        """The position of one of the weights, each as likely as it weighs.  Raises ValueError if one is negative or all are zero."""
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
