"""The cards against the checksums of the digest."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import croupier

STATE: Any = croupier.load("vudu").new_initial_state(3)


def values(expression: str) -> list[Any]:
    found: list[Any] = STATE.evaluate(expression)
    return found


def test_the_curses() -> None:
    assert len(values("[c for c in Curse]")) == 36
    assert Counter(values("[c.school for c in Curse]")) == {"celtic": 12, "egyptian": 12, "haitian": 12}
    assert Counter(values("[c.timing for c in Curse]")) == {
        "PRE_ROLL": 9,
        "PRE_PASS": 6,
        "OWN_TURN": 1,
        "EVENT": 4,
        "CONTINUOUS": 16,
    }
    assert Counter(values("[c.cast_points for c in Curse]")) == {1: 15, 2: 15, 3: 6}
    assert Counter(values("[c.break_points for c in Curse]")) == {1: 20, 2: 16}
    icons = {
        face: STATE.evaluate(f"sum(c.cost.times({face}) for c in Curse)")
        for face in ("BAT", "GHOST", "PUMPKIN", "RAVEN", "SKULL", "STAR")
    }
    assert icons == {"BAT": 13, "GHOST": 14, "PUMPKIN": 13, "RAVEN": 14, "SKULL": 14, "STAR": 14}
    assert STATE.evaluate(
        "[C01, C02, C03, C07, C09, C10, C11, C12, C17, C20] == [c for c in Curse if price(c) == 2]"
    )
    assert STATE.evaluate(
        "all(c.cost != d.cost or c.jokers != d.jokers for c in Curse for d in Curse if c != d)"
    )
    assert STATE.evaluate("[c for c in Curse if c.scope == all] == [C35, C36]")
    assert STATE.evaluate(
        "all((c.trigger is none) == (c.timing != EVENT) for c in Curse) and all((c.trigger is none) == "
        "(c.timing != EVENT) for c in Permanent)"
    )
    assert Counter(values("[c.trigger for c in Curse if c.timing == EVENT]")) == {
        "REROLL": 1,
        "SCORE": 1,
        "OPP_CAST": 1,
        "OWN_CAST": 1,
    }


def test_the_other_cards() -> None:
    assert len(values("[c for c in Permanent]")) == 10 and set(values("[c.strain for c in Permanent]")) == {1}
    assert len(values("[c for c in Artefact]")) == 13
    assert Counter(values("[c.use for c in Artefact]")) == {
        "OWN_AFTER_ROLL": 9,
        "HIT": 2,
        "POOL_SET": 1,
        "DENOUNCED": 1,
    }
    assert STATE.evaluate("[c for c in Artefact if c.gesture is none] == [A02, A07, A09, A11, A12]")
    assert STATE.evaluate("sum(c.clashes.size for c in Curse) + sum(c.clashes.size for c in Permanent) == 15")


def test_where_the_cards_come_from() -> None:
    found = values(
        "[c.provenance for c in Curse] + [c.provenance for c in Permanent] + [c.provenance for c in Artefact]"
    )
    assert all("seed" in p or "ext X" in p or "authored" in p for p in found)
    assert found.count("authored") == 6 + 7 + 4
    assert (
        STATE.evaluate("C12.provenance")
        == "name seed · cost seed (from the example) · effect, timing, points authored"
    )


def test_a_die_shows_each_face_alike() -> None:
    state = croupier.load("vudu").new_initial_state(3, {"first_player": "seat_1"})
    for _ in range(3):
        state.apply_action(state.chance_outcomes()[0][0])
    assert [p for _, p in state.chance_outcomes()] == [Fraction(1, 6)] * 6
