"""JSON with places, for files that people may have edited.

Only as much is located as diagnostics need: the keys and values of the outermost object, and the items of a
list that is one of its values.  Stricter than Python's reader: no key twice, no fractions, no NaN, no numbers
of absurd length.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from croupier.diagnostics import RulesetError, Source, Span, diagnose
from croupier.records import dataclass

_SPACE = re.compile(r"[ \t\r\n]*")
_DEEPEST = 64
_MOST_DIGITS = 40
_NESTING = re.compile(r'"(?:[^"\\]|\\.?)*+(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)


class _DuplicateKey(ValueError):
    """A key occurs twice in an object."""


@dataclass(frozen=True)
class LocatedValue:
    """A value of the outermost object: the places of its key and of itself, and, for a list, of each item."""

    value: Any
    key: Span
    span: Span
    items: tuple[Span, ...] = ()


def read_object(source: Source) -> dict[str, LocatedValue]:
    """The outermost object.

    Raises RulesetError with one diagnostic for a text that is not one JSON object.
    """
    return _ObjectReader(source).read()


class _ObjectReader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self._at = 0
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_object,
            parse_float=_refuse_fraction,
            parse_constant=_refuse_fraction,
            parse_int=_integer,
        )

    def read(self) -> dict[str, LocatedValue]:
        self._check_depth()
        result: dict[str, LocatedValue] = {}
        self._expect("{", "it does not begin with `{`")
        for _ in self._until("}"):
            key_span, key = self._value()
            if not isinstance(key, str):
                self._refuse("a key in quotes is needed here", key_span.start)
            if key in result:
                raise RulesetError([diagnose("X507", key_span, name=key)])
            self._expect(":", "a `:` is missing after the key")
            result[key] = self._located(key_span)
        self._skip()
        if self._at < len(self._text):
            self._refuse("something follows the closing `}`", self._at)
        return result

    def _located(self, key: Span) -> LocatedValue:
        self._skip()
        if self._text[self._at : self._at + 1] != "[":
            span, value = self._value()
            return LocatedValue(value, key, span)
        start = self._at
        self._at += 1
        items = [self._value() for _ in self._until("]")]
        return LocatedValue(
            [value for _, value in items],
            key,
            self._source.span(start, self._at),
            tuple(span for span, _ in items),
        )

    def _value(self) -> tuple[Span, object]:
        self._skip()
        start = self._at
        try:
            value, self._at = self._decoder.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            at_end = not self._text[error.pos :].strip() or error.msg.startswith("Unterminated string")
            self._refuse(
                "the file ends in the middle"
                if at_end
                else error.msg.lower().rstrip(": ").removesuffix(" at"),
                error.pos,
            )
        except _DuplicateKey as error:
            raise RulesetError(
                [diagnose("X507", self._source.span(start, start + 1), name=str(error))]
            ) from None
        except ValueError as error:
            self._refuse(str(error), start)
        return self._source.span(start, self._at), value

    def _until(self, closing: str) -> Iterator[None]:
        """Once for each part of a list or object, separated by commas, up to its closing sign."""
        self._skip()
        if self._text[self._at : self._at + 1] == closing:
            self._at += 1
            return
        while True:
            yield
            self._skip()
            sign = self._text[self._at : self._at + 1]
            if sign not in (",", closing) or not sign:
                self._refuse(
                    "the file ends in the middle" if not sign else f"a `,` or `{closing}` is missing",
                    self._at,
                )
            self._at += 1
            if sign == closing:
                return

    def _expect(self, sign: str, reason: str) -> None:
        self._skip()
        if self._text[self._at : self._at + 1] != sign:
            self._refuse(reason, self._at)
        self._at += 1

    def _skip(self) -> None:
        match = _SPACE.match(self._text, self._at)
        assert match is not None
        self._at = match.end()

    def _check_depth(self) -> None:
        depth = 0
        for match in _NESTING.finditer(self._text):
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match.group(), 0)
            if depth > _DEEPEST:
                self._refuse(f"it is nested more than {_DEEPEST} deep", match.start())

    def _refuse(self, reason: str, at: int) -> NoReturn:
        raise RulesetError(
            [diagnose("X501", self._source.span(at, min(at + 1, len(self._text))), reason=reason)]
        )


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _DuplicateKey(name)
            seen.add(name)
    return result


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError("a number is longer than any that is written there")
    return int(digits)


def _refuse_fraction(text: str) -> NoReturn:
    raise ValueError(f"`{text}` is not a whole number")
