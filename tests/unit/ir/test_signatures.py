"""Signatures of operations against types."""

from __future__ import annotations

import pytest

from croupier.ir.operations import OPERATIONS
from croupier.ir.signatures import CLASSES, fits_signature, parts
from croupier.semantics import types as t
from croupier.semantics.types import BOOL, INT, PLAYER, TEXT, Type

CARD, HAND = t.Component(frozenset(["Card"])), t.Zone(frozenset(["Card"]))
NUMBERS = t.list_of(INT)
ROWS: list[tuple[str, list[Type], list[Type], str | None]] = [
    ("int int -> int", [INT, t.Int(0, 3)], [INT], None),
    ("int int -> int", [INT], [INT], "1 operands where 2 belong"),
    ("int int -> int", [INT, BOOL], [INT], "operand 2 is `bool`, not `int`"),
    ("int int -> int", [INT, INT], [BOOL], "result 1 is `bool`, not `int`"),
    ("[T] int -> T", [NUMBERS, INT], [t.Int(0, 1)], None),
    ("[T] int -> T", [t.list_of(PLAYER), INT], [BOOL], "result 1 is `bool`, not `T`"),
    ("[T] -> ?T", [NUMBERS], [t.Optional(INT)], None),
    ("[T] -> ?T", [NUMBERS], [INT], None),
    ("?T -> T", [t.Optional(CARD)], [CARD], None),
    ("?T [T] -> bool", [t.Optional(PLAYER), t.list_of(PLAYER)], [BOOL], None),
    ("{K:V} K -> V", [t.Map(PLAYER, INT), PLAYER], [INT], None),
    ("{K:V} K -> V", [t.Map(PLAYER, INT), BOOL], [INT], "operand 2 is `bool`, not `K`"),
    ("zone int -> comp", [HAND, INT], [CARD], None),
    ("zone int -> comp", [t.list_of(CARD), INT], [CARD], "operand 1 is `list of Card`, not `zone`"),
    ("A* -> text", [], [TEXT], None),
    ("A* -> text", [INT, BOOL, NUMBERS], [TEXT], None),
    ("[T] T -> [T]", [t.list_of(t.NEVER), CARD], [t.list_of(CARD)], None),
    ("A A -> bool", [t.Optional(PLAYER), t.NOTHING], [BOOL], None),
    ("A A -> bool", [PLAYER, INT], [BOOL], "operand 2 is `int`, not `A`"),
]


@pytest.mark.parametrize(("signature", "args", "into", "wrong"), ROWS)
def test_signatures(signature: str, args: list[Type], into: list[Type], wrong: str | None) -> None:
    assert fits_signature(signature, args, into) == wrong


@pytest.mark.parametrize("op", OPERATIONS)
def test_the_table_reads(op: str) -> None:
    """Every signature is made of known parts, every operation says what it does."""
    operation = OPERATIONS[op]
    assert operation.doc
    for pattern in (*parts(operation.signature)[0], *parts(operation.signature)[1]):
        for word in pattern.strip("?*").strip("[]{}").split(":"):
            assert word in CLASSES or (len(word) == 1 and word.isupper()), pattern
