"""Which values may stand where others are wanted, which certainly may, and which types a mistake has left
unknown.
"""

from __future__ import annotations

import pytest

from croupier.kernel import types as t

CARD, DIE = t.Component(frozenset({"Card"})), t.Component(frozenset({"Die"}))
EITHER = t.Component(frozenset({"Card", "Die"}))
SUIT, LOST = t.Enum("Suit"), t.Component(frozenset())

# what is given, what is wanted, whether it may be one of these values, and whether it certainly is
FITTING = (
    (t.Int(1, 3), t.Int(0, 9), True, True),
    (t.Int(0, 9), t.Int(1, 9), True, False),
    (t.Int(0, 9), t.Int(0, 8), True, False),
    (t.Int(1, 3), t.Int(4, 9), False, False),
    (t.Int(4, 9), t.Int(1, 3), False, False),
    (t.Int(3, 9), t.Int(1, 3), True, False),
    (t.INT, t.Int(0, 9), True, False),
    (t.Int(0, 9), t.INT, True, True),
    (t.Int(2), t.Int(1), True, True),
    (t.Int(0), t.Int(1), True, False),
    (t.Int(None, 3), t.Int(None, 4), True, True),
    (CARD, EITHER, True, True),
    (EITHER, CARD, True, False),
    (CARD, DIE, False, False),
    (t.NOTHING, t.Optional(CARD), True, True),
    (CARD, t.Optional(CARD), True, True),
    (t.Int(0, 9), t.Optional(t.Int(1, 9)), True, False),
    (t.Optional(CARD), t.Optional(EITHER), True, True),
    (t.Optional(CARD), CARD, False, False),
    (t.list_of(CARD), t.list_of(EITHER), True, True),
    (t.list_of(t.Int(0, 9)), t.list_of(t.Int(1, 9)), True, False),
    (t.Map(t.PLAYER, t.Int(1, 3)), t.Map(t.PLAYER, t.Int(0, 9)), True, True),
    (t.Map(t.PLAYER, t.Int(0, 9)), t.Map(t.PLAYER, t.Int(1, 3)), True, False),
    (t.BOOL, t.BOOL, True, True),
    (SUIT, t.Enum("Colour"), False, False),
)
UNKNOWN = (
    (t.UNKNOWN, True),
    (LOST, True),
    (t.Optional(LOST), True),
    (t.list_of(t.UNKNOWN), True),
    (t.Map(t.UNKNOWN, t.INT), True),
    (t.Map(t.PLAYER, t.UNKNOWN), True),
    (t.Map(t.PLAYER, t.INT), False),
    (t.list_of(CARD), False),
    (t.INT, False),
)


@pytest.mark.parametrize(("given", "wanted", "may", "certainly"), FITTING, ids=str)
def test_what_fits(given: t.Type, wanted: t.Type, may: bool, certainly: bool) -> None:
    assert (t.is_assignable(given, wanted), t.within(given, wanted)) == (may, certainly)


@pytest.mark.parametrize(("kind", "lost"), UNKNOWN, ids=str)
def test_what_a_mistake_has_left_unknown(kind: t.Type, lost: bool) -> None:
    assert t.is_lost(kind) is lost
