"""Groups, the end's most valuable one, majorities and ties on random dice against a second, independent
reading of the rules.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

import croupier
from cases import called, position

RULES = croupier.load("baron_voodoo")
LOAS = ["gold", "blue", "red", "purple"]
ICONS = ["offering", "point", "turn", "protection", "theft", "exchange"]
POINTS = {2: 1, 3: 3, 4: 5}
SEATS = {1: "Mama Wata", 2: "Gran Bwa", 3: "Papa Legba", 4: "Erzulie Freda"}
Dice = tuple[str, ...]


def group(dice: Dice, all_white: bool) -> bool:
    """Is there a colour for every white die that makes these a group? Tried out, colour by colour."""
    parts = [d.split("-") for d in dice]
    if len(dice) not in POINTS or (not all_white and all(k == "white" for k, _ in parts)):
        return False
    icons = [i for _, i in parts]
    for colours in product(*(LOAS if k == "white" else [k] for k, _ in parts)):
        if len(set(icons)) == 1 and len(set(colours)) == len(dice):
            return True
        if len(set(colours)) == 1 and len(set(icons)) == len(dice):
            return True
    return False


def best(dice: Dice, all_white: bool) -> int:
    return max(
        (POINTS[n] for n in POINTS for some in combinations(dice, n) if group(some, all_white)), default=0
    )


def dealt(rng: random.Random, count: int) -> Dice:
    bag = [
        f"{k}-{rng.choice(ICONS[: rng.choice([3, 6])])}"
        for k, n in (*((k, 10) for k in LOAS), ("white", 8))
        for _ in range(n)
    ]
    return tuple(rng.sample(bag, count))


def state_of(
    captured: dict[int, Dice], spirits: dict[int, Dice], settings: dict[str, Any], **state: Any
) -> Any:
    seats = {p: SEATS[p] for p in range(1, 1 + (4 if len(spirits) > 3 else 3))}
    case = {
        "players": len(seats), "parameters": settings,
        "before": "last groups" if not captured else "majorities", "rest": "box",
        "zones": {"loa": {p: [loa] for p, loa in seats.items()}, "captured": captured,
        "spirit_world": spirits},
        "state": {"offerings": {"else": 0}, "reserve": 20, "trigger": 1, **state},
    }  # fmt: skip
    return position(RULES, case)


@pytest.mark.parametrize("all_white", [True, False])
def test_groups(all_white: bool) -> None:
    yes = 0
    for seed in range(40):
        rng = random.Random(seed)
        zones = {p: dealt(random.Random(3 * seed + p), rng.randint(2, 4)) for p in (1, 2)} | {
            3: dealt(rng, 7)
        }
        count = Counter(d.split("-")[0] for dice in zones.values() for d in dice)
        if any(n > (8 if k == "white" else 10) for k, n in count.items()):
            continue
        state = state_of(zones, {}, {"all_white_groups": all_white})
        for p in (1, 2):
            assert state.evaluate(f"is_group(captured[players[{p}]].list)") is group(zones[p], all_white), (
                zones[p]
            )
            yes += group(zones[p], all_white)
        assert state.evaluate("best_group(players[3])") == best(zones[3], all_white), zones[3]
    assert yes > 5


def most(dice: Dice) -> int:
    """The most points that can be made of dice, each in one group at most."""
    return max(
        (
            POINTS[n] + most(left(dice, some))
            for n in POINTS
            for some in combinations(dice, n)
            if group(some, True)
        ),
        default=0,
    )


def left(dice: Dice, gone: Dice) -> Dice:
    return tuple((Counter(dice) - Counter(gone)).elements())


def reached(state: Any, known: dict[str, int]) -> int:
    """The most points with which all that player 1 can decide may end."""
    at = state.hash()
    if at not in known:
        if not state.pending_seats():
            known[at] = int(state.evaluate("score[players[1]]"))
        else:
            known[at] = max(reached(after, known) for after in followers(state))
    return known[at]


def followers(state: Any) -> list[Any]:
    found = []
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        found.append(after)
    return found


EX_12 = ("gold-point", "blue-point", "red-point", "red-offering", "red-turn", "white-theft")


def test_the_most_that_a_turn_can_bring() -> None:
    """EX-12 says that its dice bring 6 points at most; others as many as the second reading finds."""
    assert most(EX_12) == 6 and best(EX_12, True) == 5
    for dice in [EX_12, *(dealt(random.Random(seed), 5) for seed in range(6))]:
        state = called(RULES, state_of({1: dice}, {}, {}, score={"else": 0}), "send_groups(players[1])")
        assert reached(state, {}) == most(dice), dice


@pytest.mark.parametrize("white", [True, False])
def test_the_end(white: bool) -> None:
    """The scores after majorities, and the winner, for random Spirit Worlds."""
    for seed in range(25):
        rng = random.Random(seed)
        dice = dealt(rng, 24)
        spirits = {p: tuple(dice[i] for i in range(24) if i % 4 == p - 1) for p in range(1, 5)}
        scores, trigger = {p: rng.randint(0, 2) for p in range(1, 5)}, rng.randint(1, 4)
        settings = {"majority_white": white, "tie_beyond_left": rng.choice(["clockwise", "shared"])}
        state = state_of({}, spirits, settings, trigger=trigger, score=dict(scores))
        for k in [*LOAS, *(["white"] if white else [])]:
            counts = {p: sum(d.startswith(k) for d in dice) for p, dice in spirits.items()}
            leaders = [p for p in counts if counts[p] == max(counts.values()) > 0]
            for p in leaders:
                scores[p] += 3 if len(leaders) == 1 else 1
        tied = [p for p in scores if scores[p] == max(scores.values())]
        around = [(trigger - 1 + i) % 4 + 1 for i in range(4)]
        alone = [p for p in around if p in tied][:1]
        winners = (
            tied
            if settings["tie_beyond_left"] == "shared" and not {around[0], around[1]} & set(tied)
            else alone
        )
        outcome = state.outcome()
        assert outcome["scores"] == [scores[p] for p in range(1, 5)]
        assert [p + 1 for p in outcome["winners"]] == sorted(winners)
