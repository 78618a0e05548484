import sys

import pytest

from croupier.diagnostics.source import sanitise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Vudù 字 🎲 ½", "Vudù 字 🎲 ½"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x9b1m\x00\x7f", "\\x9b1m\\x00\\x7f"),
        ("a\u202eb\u2066c\u200fd", "a\\u202eb\\u2066c\\u200fd"),
        ("a\u200bb\ufeffc\u2028d", "a\\u200bb\\ufeffc\\u2028d"),
        ("\ud800", "\\ud800"),
        ("\U000e0041\uffff", "\\U000e0041\\uffff"),
        ("::error::x", "\\x3a:error::x"),
        ("  ::set-output", "  \\x3a:set-output"),
        ("##[group]x", "\\x23#[group]x"),
        ("a::b", "a::b"),
        ("", ""),
    ],
)
def test_sanitise(text: str, expected: str) -> None:
    assert sanitise(text) == expected


def test_every_character_becomes_printable_and_encodable() -> None:
    for number in range(sys.maxunicode + 1):
        shown = sanitise(chr(number))
        assert shown
        assert shown.isascii() or shown == chr(number)
        assert not any(
            ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 or 0xD800 <= ord(sign) < 0xE000 for sign in shown
        )
