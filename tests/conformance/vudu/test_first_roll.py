"""What can be cast from the first roll: every first roll is played, and every cost is paid by brute force
beside the ruleset.

The probabilities p1 of the digest's section 3.5 are exact fractions here; its table shows them with four
digits.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import factorial, prod
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.resources import rulesets_folder

FACES = ("BAT", "GHOST", "PUMPKIN", "RAVEN", "SKULL", "STAR")
ROLLS = len(FACES) ** 5
PRINTED = {  # the pattern of a cost: p1 as the digest prints it
    (1, "**"): "0.5981",
    (1, "***"): "0.5981",
    (1, 1, ""): "0.3279",
    (1, 1, "*"): "0.3279",
    (2, ""): "0.1962",
    (1, 1, "**"): "0.3279",
    (2, "*"): "0.1962",
    (1, 1, 1, ""): "0.1582",
    (2, "**"): "0.1962",
    (1, 1, 1, "*"): "0.1582",
    (1, 2, ""): "0.0907",
    (1, 1, "***"): "0.3279",
}
# unused_costs.yaml
UNUSED = {
    "C01": "0.0907",
    "C02": "0.1962",
    "C03": "0.0355",
    "C04": "0.1582",
    "C05": "0.0617",
    "C06": "0.0334",
    "C07": "0.0033",
}


@cache
def table() -> dict[str, dict[str, str]]:
    with (rulesets_folder() / "vudu" / "curses.csv").open(encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def cost(curse: str) -> tuple[Counter[str], int]:
    row = table()[curse]
    return Counter(row["cost"].strip("[]").replace(" ", "").split(",")), int(row["jokers"])


def before_the_roll(star_is_wild: bool, rules: str | Path = "vudu") -> Any:
    state = croupier.load(rules).new_initial_state(
        3, {"first_player": "seat_1", "star_is_wild": star_is_wild}
    )
    for _ in range(3):
        state.apply_action(state.chance_outcomes()[0][0])
    return state


def first_rolls(
    state: Any, shown: tuple[str, ...] = (), chance: Fraction = Fraction(1)
) -> Iterator[tuple[tuple[str, ...], Fraction, Any]]:
    """Every way the five dice may fall, with its probability and the state after it."""
    if len(shown) == 5:
        yield shown, chance, state
        return
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert len(outcomes) == len(FACES)
    for action, p in outcomes:
        face = state.action_to_string(-1, action).rsplit(" ", 1)[1]
        after = state.clone()
        after.apply_action(action)
        yield from first_rolls(after, (*shown, face), chance * p)


@cache
def castable(star_is_wild: bool) -> tuple[dict[str, Fraction], dict[tuple[str, ...], frozenset[str]]]:
    """How likely each curse can be cast from the first roll, and what can be cast from each roll (faces
    sorted), by the ruleset.

    All 7,776 rolls are played. Which dice show the faces makes no difference, so each set of faces is asked
    once, and some again in other orders.
    """
    likely: Counter[str] = Counter()
    found: dict[tuple[str, ...], frozenset[str]] = {}
    weights: Counter[tuple[str, ...]] = Counter()
    count = 0
    for shown, chance, state in first_rolls(before_the_roll(star_is_wild)):
        assert chance == Fraction(1, ROLLS)
        faces = tuple(sorted(shown))
        count += 1
        weights[faces] += 1
        if faces not in found or count % 41 == 0:
            asked = state.evaluate("[c for c in Curse if castable(players.first, c, available())]")
            curses = frozenset(i for i in table() if table()[i]["name"] in asked)
            assert found.setdefault(faces, curses) == curses
    assert count == ROLLS
    for faces, n in weights.items():
        for curse in found[faces]:
            likely[curse] += n
    return {curse: Fraction(likely[curse], ROLLS) for curse in table()}, found


def paid(faces: tuple[str, ...], curse: str, wild: bool) -> bool:
    """Brute force: is there an order of the dice in which they pay for icon after icon?"""
    icons, jokers = cost(curse)
    needed = [*icons.elements(), *["any"] * jokers]
    if len(needed) > len(faces):
        return False
    return any(
        all(
            icon in ("any", face) or (wild and face == "STAR")
            for icon, face in zip(needed, order, strict=False)
        )
        for order in set(permutations(faces, len(needed)))
    )


def payable(state: Any) -> dict[tuple[str, ...], frozenset[str]]:
    """What can be paid from each set of faces (sorted), by the ruleset."""
    shown: dict[tuple[str, ...], Any] = {(): state}
    for dice in range(1, 6):
        for faces in combinations_with_replacement(FACES, dice):
            after = shown[faces] = shown[faces[:-1]].clone()
            after.apply_action(
                next(
                    a
                    for a, _ in after.chance_outcomes()
                    if after.action_to_string(-1, a).endswith(f" {faces[-1]}")
                )
            )
    names = {table()[i]["name"]: i for i in table()}
    asked = {
        faces: after.evaluate("[c for c in Curse if pays(available(), c)]")
        for faces, after in shown.items()
        if len(faces) == 5
    }
    return {faces: frozenset(names[name] for name in found) for faces, found in asked.items()}


def test_the_costs_that_no_card_asks_for() -> None:
    found = payable(before_the_roll(False, Path(__file__).parent / "unused_costs.yaml"))
    for curse, printed in UNUSED.items():
        rolls = sum(
            factorial(5) // prod(factorial(n) for n in Counter(faces).values())
            for faces, paid in found.items()
            if curse in paid
        )
        assert f"{rolls / ROLLS:.4f}" == printed, curse


def test_the_probabilities_of_the_digest() -> None:
    likely, _ = castable(False)
    seen = set()
    for curse, p in likely.items():
        icons, jokers = cost(curse)
        pattern: tuple[int | str, ...] = (*sorted(icons.values()), "*" * jokers)
        assert f"{float(p):.4f}" == PRINTED[pattern], curse
        seen.add(pattern)
    assert seen == set(PRINTED), "every pattern of the digest is on a card"


def test_exact_probabilities() -> None:
    """By counting rolls without the ruleset; two of them as the digest's fractions."""
    likely, _ = castable(False)
    for curse, p in likely.items():
        icons, jokers = cost(curse)
        fine = sum(all(roll.count(f) >= n for f, n in icons.items()) for roll in product(FACES, repeat=5))
        assert sum(icons.values()) + jokers <= 5
        assert p == Fraction(fine, ROLLS), curse
    assert likely["C29"] == Fraction(425, 1296)
    assert likely["C22"] == Fraction(705, 7776)


@pytest.mark.parametrize("wild", [False, True])
def test_what_each_roll_pays_for(wild: bool) -> None:
    found = payable(before_the_roll(True)) if wild else castable(False)[1]
    assert len(found) == 252
    for faces, curses in found.items():
        assert curses == {c for c in table() if paid(faces, c, wild)}, faces
