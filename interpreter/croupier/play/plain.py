"""Values of the interpreter as values of JSON.

Exact fractions stay exact: a whole number becomes a number, any other fraction the text "1/3".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from fractions import Fraction
from typing import Any


def plain(value: object) -> Any:  # noqa: ANN401 - a value of JSON
    """The value made of `None`, bool, int, str, list and dict.

    Raises TypeError for a float or a type that JSON cannot say.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=one_line)
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [plain(item) for item in value]
    raise TypeError(f"{type(value).__name__} is not a value of JSON")


def one_line(value: object) -> str:
    """The value as one line of JSON in ASCII; equal values give equal lines, whatever the order of their
    keys.
    """
    return json.dumps(plain(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def exact(value: object) -> Fraction:
    """The number that `plain` wrote: an integer or the text of a fraction.

    Raises ValueError for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
        raise ValueError(f"{value!r} is not an exact number")
    return Fraction(value)
