"""What a seat may choose as it is shown to a person: the number in front of each option, and what is meant by what is typed.

Options are numbered from 1, unless each of them is a number itself, or all but one are one option of a menu for different numbers (`bid 61`):
then that number stands in front, and what has none is chosen by its words. What stands in front is what is typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from croupier.runtime.legality import folded

WITHOUT_VALUE = ("no", "done")  # to decline and to stop: typed as words where the other options are numbers
DONE = WITHOUT_VALUE[1]
MOST_WITHOUT = 1  # options without a number among those that differ in one
LONGEST_NUMBER = 9  # digits of a number that is looked up


class OptionPrompt:
    """The legal actions of a seat, with their words and their structures, in the same order."""

    def __init__(self, legal: Sequence[int], labels: Sequence[str], structs: Sequence[object]) -> None:
        self.legal, self.labels, self.structs = tuple(legal), tuple(labels), tuple(map(str, structs))
        self.items = tuple(isinstance(struct, dict) and struct.get("item") is not None for struct in structs)
        self.nothing = tuple(_is_nothing(s) and folded(label) != WITHOUT_VALUE[1] for label, s in zip(labels, structs, strict=True))
        values = self._values(structs)
        self.by_value = values is not None
        combined = self._numbered(structs) if values is None else None
        self.by_words = combined is not None
        self.numbers = values or combined or tuple(range(1, len(self.legal) + 1))

    def _values(self, structs: Sequence[object]) -> tuple[int | None, ...] | None:
        """The number that each option is; none if they are something else, or if one number would mean two options."""
        values = [_value(label, struct) for label, struct in zip(self.labels, structs, strict=True)]
        meant: dict[int, str] = {}
        for label, value, struct, nothing in zip(self.labels, values, self.structs, self.nothing, strict=True):
            if value is None:
                if not nothing and folded(label) not in WITHOUT_VALUE:
                    return None
            elif meant.setdefault(value, struct) != struct:
                return None
        return tuple(values) if meant else None

    def _numbered(self, structs: Sequence[object]) -> tuple[int | None, ...] | None:
        """The number that each combination of one option of a menu stands for, like `bid 61`; one more option may be without (`pass`)."""
        found = [_combination(label, struct) for label, struct in zip(self.labels, structs, strict=True)]
        numbers = [pair[1] for pair in found if pair is not None]
        several = len(set(numbers)) == len(numbers) >= max(MOST_WITHOUT + 1, len(found) - MOST_WITHOUT)
        alike = len({pair[0] for pair in found if pair is not None}) == 1
        if any(c.isdigit() for label, pair in zip(self.labels, found, strict=True) if pair is None for c in label):
            return None
        return tuple(None if pair is None else pair[1] for pair in found) if several and alike else None

    def worded(self, typed: str) -> str:
        """What a number would read like that is not in front of any option, where numbers stand for words like `bid 61`; else what was typed."""
        at = next((i for i, n in enumerate(self.numbers) if n is not None), None)
        if self.by_value or not self.by_words or at is None or not is_number(typed):
            return typed
        return " ".join(typed if word == str(self.numbers[at]) else word for word in self.labels[at].split())

    def how_to(self, action: int) -> tuple[str, str]:
        """What a legal action reads like, and how to choose it."""
        at = self.legal.index(action)
        return self.labels[at], f"it is number {self.numbers[at]}" if self.numbers[at] is not None else "type these words"

    def meant(self, typed: str) -> int | None:
        """The action of a number, or of the words of an option, if it is one."""
        if is_number(typed) and (number := int(typed)) in self.numbers:
            return self.legal[self.numbers.index(number)]
        named = [i for i, label in enumerate(self.labels) if folded(label) == folded(typed)]
        if not named and folded(typed) in WITHOUT_VALUE:
            named = [i for i, nothing in enumerate(self.nothing) if nothing]
        return self.legal[named[0]] if named and len({self.structs[i] for i in named}) == 1 else None

    def beginning(self, typed: str) -> list[str]:
        """The options whose words begin like this."""
        begun = f"{folded(typed)} "
        return [label for label in self.labels if f"{folded(label)} ".startswith(begun) or folded(label).startswith(f"{begun[:-1]}:")]

    def structured(self, struct: str) -> int | None:
        """The action with a structure, if it is offered."""
        return self.legal[self.structs.index(struct)] if struct in self.structs else None

    def several(self, typed: str) -> tuple[str, ...]:
        """The structures of several things that were typed at once by their numbers, in the order in which they are offered; nothing if they are not.

        `done` may stand at the end. Only where things are taken one by one.
        """
        words = typed.replace(",", " ").split()
        ends = len(words) > 1 and words[-1].casefold() == WITHOUT_VALUE[1]
        chosen = [int(word) for word in words[: len(words) - ends] if is_number(word)]
        if len(chosen) != len(words) - ends or len(words) < 2 or len(set(chosen)) < len(chosen) or not set(chosen) <= set(self.numbers):
            return ()
        places = sorted(self.numbers.index(number) for number in chosen)
        if not all(self.items[place] for place in places):
            return ()
        return (*(self.structs[place] for place in places), *([DONE] if ends else []))


def is_number(typed: str) -> bool:
    """Is this a whole number that somebody may have typed?"""
    digits = typed.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_NUMBER


def _is_nothing(struct: object) -> bool:
    """Is this to choose nothing, or nothing more?"""
    return isinstance(struct, dict) and ("value" in struct and struct["value"] is None or "item" in struct and struct["item"] is None)


def _value(label: str, struct: object) -> int | None:
    """The number that an option is: its value, which ends its words."""
    value = struct.get("value", struct.get("item")) if isinstance(struct, dict) else None
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return value if is_whole and label.split()[-1:] == [str(value)] else None


def _combination(label: str, struct: Any) -> tuple[str, int] | None:
    """The option of a menu, and the only value that it was given, if that is a number that stands in its words."""
    given = struct.get("with") if isinstance(struct, dict) and "option" in struct else None
    if not isinstance(given, list) or len(given) != 1 or isinstance(given[0], bool) or not isinstance(given[0], int):
        return None
    return (str(struct["option"]), given[0]) if str(given[0]) in label.split() else None
