"""Components that are called alike: what is seen of each tells positions apart, for those alone who see
it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import croupier

TILES = Path(__file__).parents[1] / "data" / "programs" / "turned_tiles.yaml"


def played(*actions: int, backend: str = "reference") -> Any:
    state = croupier.load(TILES).new_initial_state(backend=backend)
    for action in actions:
        state.apply_action(action)
    return state


@pytest.mark.parametrize("backend", ["reference", "python"])
def test_positions_that_can_be_told_apart_give_other_observations(backend: str) -> None:
    left, right = (played(way, backend=backend) for way in (0, 1))
    assert left.hash() != right.hash()
    for seat in (0, 1, None):
        assert left.observation(seat) != right.observation(seat)
    assert {
        left.observation(0)["attributes"]["land (1,1)"][0]["turn"],
        right.observation(0)["attributes"]["land (1,1)"][0]["turn"],
    } == {1, 2}
    assert left.observation(0)["zones"]["land"] == right.observation(0)["zones"]["land"]


def test_what_is_not_seen_is_not_observed() -> None:
    one, two = (played(0, n) for n in played(0).legal_actions())
    assert one.observation(0) == two.observation(0)
    assert one.observation(1) != two.observation(1)
    assert (
        "hand player 2" not in one.observation(0)["attributes"]
        and "hand player 2" in one.observation(1)["attributes"]
    )


def test_what_the_label_shows_is_not_said_twice() -> None:
    assert set(played(0).observation(0)["attributes"]["land (1,1)"][0]) == {"turn"}
