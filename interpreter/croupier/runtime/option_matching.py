"""What somebody typed, matched with the options that they have.

In: the typed words, the options as texts, and what players are called. Out: the options that are meant: one,
several if the words are not clear, or none, with the one that reads nearly so.

`exact` is for scenarios, scripts and programs: the words are those of the option, with the names of the
players or with their numbers; neither spaces nor capitals make a difference. `meant` is for people who play.
Without such an option it takes those in which each typed word is the beginning of a word, in any order. A
number is a whole number, a player is meant by their name, by `player 2` and by `P2`. No word is ever put in
the place of another: a player may be called like any word of the game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias
from unicodedata import category

from croupier.diagnostics import did_you_mean
from croupier.records import dataclass
from croupier.text import Number, Part, Rename, Seat, Text, Thing

MAX_TYPED: Final = 40  # words that are matched with the words of options
MIN_PLAYER: Final = 2  # letters of `player` before a number that make it a player: `pl 2`

Word: TypeAlias = "str | int | Seat"
"""A word for comparison: folded letters, a whole number, or a player by their seat."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The options that typed words mean, by their indices: several if the words are not clear.

    `is_exact`: they read as it was typed. `nearest`: the option that reads nearly so, where none is meant.
    """

    options: tuple[int, ...]
    is_exact: bool = False
    nearest: int | None = None


def folded(text: str) -> str:
    """A text for comparison: neither spaces nor capitals make a difference."""
    return " ".join(text.split()).casefold()


def forms(option: str, rename: Rename = str) -> frozenset[str]:
    """What an option may be called, folded: with the numbers of the players, and with their names."""
    return frozenset((folded(option), folded(rename(option))))


_SEAT_NUMBER = re.compile(r"(?:P|player )?([1-9][0-9]{0,3})\Z", re.ASCII)


def seat_number(typed: str) -> int | None:
    """The number of a player, from 1, that somebody wrote: `2`, `P2`, `player 2`."""
    found = _SEAT_NUMBER.match(typed)
    return None if found is None else int(found[1])


# ---------------------------------------------------------------- whole options
def exact(typed: str, options: Sequence[str], rename: Rename = str) -> list[int]:
    """The indices of the options that read as it was typed."""
    wanted = folded(typed)
    return [i for i, option in enumerate(options) if wanted in forms(option, rename)]


def meant(typed: str, options: Sequence[str], rename: Rename = str) -> Meant:
    """The options that a person means.

    Of several that read as it was typed, those that are shown so are meant: letter by letter, or else but for
    capitals. Of those with the same words, whole words come before beginnings, and the order in which they
    were typed before any other.
    """
    called = exact(typed, options, rename)
    if called:
        return Meant(_as_shown(typed, called, options, rename), is_exact=True)
    best: int | None = None
    found: list[int] = []
    readings = _readings(_words_of(typed))
    for i, option in enumerate(options):
        rank = _rank(readings, option, rename)
        if rank is None or (best is not None and rank > best):
            continue
        if rank != best:
            best, found = rank, []
        found.append(i)
    if found:
        return Meant(tuple(found))
    shown = [rename(option) for option in options]
    near = did_you_mean(typed, shown)
    return Meant((), nearest=None if near is None else shown.index(near))


def containing(typed: str, options: Sequence[str], rename: Rename = str) -> list[int]:
    """The indices of the options that have these words in them, whole or begun."""
    wanted, readings = folded(typed), _readings(_words_of(typed))
    return [
        i
        for i, option in enumerate(options)
        if any(wanted in form for form in forms(option, rename))
        or _rank(readings, option, rename) is not None
    ]


def _as_shown(typed: str, found: Sequence[int], options: Sequence[str], rename: Rename) -> tuple[int, ...]:
    """Of options that read as it was typed, those that a person is shown so; all of them if none is."""
    shown = [i for i in found if folded(rename(options[i])) == folded(typed)]
    letter_by_letter = [i for i in shown if rename(options[i]).split() == typed.split()]
    return tuple(letter_by_letter or shown or found)


# ---------------------------------------------------------------- words
_WORD = re.compile(r"(?:(?<![\w)\]])-)?[0-9]+(?!\w)|\w+|[^\w\s]")


def _words_of(text: str) -> list[Word]:
    """The words of a plain text, its whole numbers, and signs that are no punctuation."""
    found: list[Word] = []
    for word in _WORD.findall(text):
        digits = word.removeprefix("-")
        if digits.isascii() and digits.isdecimal():
            found.append(int(word) if len(word) <= MAX_TYPED else word)
        elif len(word) > 1 or word.isalnum() or category(word).startswith("S"):
            found.append(word.casefold())
    return found


def _words_in(option: str, rename: Rename) -> list[Word]:
    """The words of an option, part by part. A player is a seat and the words of their name."""
    found: list[Word] = []
    for part in option.parts if isinstance(option, Text) else (option,):
        found += _words_in_part(part, rename)
    return found


def _words_in_part(part: Part, rename: Rename) -> list[Word]:
    match part:
        case Seat():
            return [part, *_words_of(rename(Text.of(part)))]
        case Number():
            return [part.value]
        case Thing():
            return _words_in(part.words, rename)
    return _words_of(part)


def _readings(typed: list[Word]) -> list[list[Word]]:
    """The ways to read what was typed: as words, and with a player for `player` and a number behind it."""
    if not 0 < len(typed) <= MAX_TYPED:
        return []
    found: list[Word] = []
    for word in typed:
        before = found[-1] if found else None
        is_player = isinstance(before, str) and len(before) >= MIN_PLAYER and "player".startswith(before)
        if is_player and isinstance(word, int):
            found[-1] = Seat(word - 1)
        else:
            found.append(word)
    return [typed] if found == typed else [typed, found]


# ---------------------------------------------------------------- beginnings of words
Fits: TypeAlias = Callable[[Word, Word], bool]


def _is_whole(typed: Word, word: Word) -> bool:
    if isinstance(typed, str) and isinstance(word, Seat):
        return typed == f"p{word.seat + 1}"
    return type(typed) is type(word) and typed == word


def _begins(typed: Word, word: Word) -> bool:
    if isinstance(typed, str) and isinstance(word, str):
        return word.startswith(typed)
    return _is_whole(typed, word)


def _rank(readings: Sequence[Sequence[Word]], option: str, rename: Rename) -> int | None:
    """How well an option fits, 0 the best; `None` if a typed word is not in it."""
    words = _words_in(option, rename)
    for rank, (fits, is_there) in enumerate(
        ((_is_whole, _in_order), (_is_whole, _in_any_order), (_begins, _in_order), (_begins, _in_any_order))
    ):
        if any(is_there(typed, words, fits) for typed in readings):
            return rank
    return None


def _in_order(typed: Sequence[Word], words: Sequence[Word], fits: Fits) -> bool:
    rest = iter(words)
    return all(any(fits(one, word) for word in rest) for one in typed)


def _in_any_order(typed: Sequence[Word], words: Sequence[Word], fits: Fits) -> bool:
    """Tell whether each typed word has a word of its own: a matching of both, made larger word by word."""
    if len(typed) > len(words):
        return False
    taken: dict[int, int] = {}  # index of a word -> of the typed word that stands for it

    def place(one: int, tried: set[int]) -> bool:
        for i, word in enumerate(words):
            if i in tried or not fits(typed[one], word):
                continue
            tried.add(i)
            if i not in taken or place(taken[i], tried):
                taken[i] = one
                return True
        return False

    return all(place(one, set()) for one in range(len(typed)))
