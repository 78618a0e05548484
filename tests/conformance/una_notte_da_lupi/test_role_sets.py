"""The number of legal role sets (NL-12), counted in three ways, and how likely each is when the set is drawn
at random (NL-13).

The table of the digest; a count here, straight from the rules NL-4..8; and what the ruleset accepts, draws
and calls legal.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

import croupier
from croupier.diagnostics import RulesetError

NUMBERS = {3: 176, 4: 254, 5: 294, 6: 274, 7: 205, 8: 121, 9: 53, 10: 15}
COPIES = {
    "werewolf": 2, "seer": 1, "mason": 2, "minion": 1, "troublemaker": 1, "apprentice": 1, "robber": 1,
    "undead": 1, "villager": 3, "penguin": 1,
    "hamster": 1,
}  # fmt: skip
RULES = croupier.load("una_notte_da_lupi")
Set = tuple[int, ...]


def legal_sets(size: int) -> set[Set]:
    """Every set of so many characters that NL-5..8 allow, as numbers in the order of COPIES."""
    found = set()
    for numbers in product(*(range(n + 1) for n in COPIES.values())):
        held = dict(zip(COPIES, numbers, strict=True))
        if (
            sum(numbers) == size
            and held["werewolf"] == 2
            and held["mason"] != 1
            and held["penguin"] + held["hamster"] < 2
        ):
            found.add(numbers)
    return found


def drawn(players: int, settings: dict[str, Any]) -> dict[Set, Fraction]:
    """The probability of every set that the ruleset draws at random."""
    before: dict[str, Fraction] = {
        RULES.new_initial_state(players, {"role_set": "random"} | settings).serialize(): Fraction(1)
    }
    found: dict[Set, Fraction] = defaultdict(Fraction)
    while before:
        after: dict[str, Fraction] = defaultdict(Fraction)
        for text, chance in before.items():
            state = RULES.deserialize(text)
            for action, share in state.chance_outcomes():
                following = state.clone()
                following.apply_action(action)
                tokens = tuple(following.observation(0)["state"]["tokens"].values())
                if sum(tokens):
                    found[tokens] += chance * share
                else:
                    after[following.serialize()] += chance * share
        before = after
    return found


@pytest.mark.parametrize("players", NUMBERS)
def test_the_table_is_right(players: int) -> None:
    assert len(legal_sets(players + 3)) == NUMBERS[players]
    assert players != 10 or all(held[2] == 2 for held in legal_sets(13)), (
        "with 10 players both Masons are always in"
    )


@pytest.mark.parametrize("players", [3, 9, 10])
def test_the_ruleset_draws_every_legal_set_as_likely_as_by_drawing_again(players: int) -> None:
    ways = {held: _ways(held) for held in legal_sets(players + 3)}
    total = sum(ways.values())
    assert drawn(players, {}) == {held: Fraction(n, total) for held, n in ways.items()}


def test_and_with_two_extra_tiles() -> None:
    ways = {held: _ways(held) for held in legal_sets(5)}
    total = sum(ways.values())
    assert drawn(3, {"extra_tiles": 2}) == {held: Fraction(n, total) for held, n in ways.items()}


def _ways(held: Set) -> int:
    """In how many ways the tiles of a set can be taken from the 13 that are no Werewolves."""
    n = 1
    for copies, taken in list(zip(COPIES.values(), held, strict=True))[1:]:
        n *= comb(copies, taken)
    return n


@pytest.mark.parametrize("players", [3, 10])
def test_the_ruleset_accepts_the_legal_sets_and_no_other(players: int) -> None:
    sets = legal_sets(players + 3)
    near = {
        held[:i] + (held[i] + d,) + held[i + 1 :]
        for held in sorted(sets)[::7]
        for i in range(11)
        for d in (-1, 1)
    }
    near |= {
        _moved(held, i, j) for held in sorted(sets)[::11] for i in range(11) for j in range(11) if i != j
    }
    for held in sorted(sets)[::5]:
        assert accepted(players, held), held
    for held in sorted(n for n in near if min(n) >= 0 and max(n) <= 3)[::9]:
        assert accepted(players, held) == (held in sets), held


def _moved(held: Set, i: int, j: int) -> Set:
    return tuple(n - (k == i) + (k == j) for k, n in enumerate(held))


def accepted(players: int, held: Set) -> bool:
    """Whether a game can be set up with this set; a refusal says why."""
    try:
        RULES.game(players, {"role_set": "explicit", "roles": dict(zip(COPIES, held, strict=True))})
    except RulesetError as error:
        assert all(d.code == "G013" and "refused here: " in d.message for d in error.diagnostics)
        return False
    return True
