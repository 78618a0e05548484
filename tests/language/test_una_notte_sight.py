"""Who knows what after the night: every history of small tables, against a list of observations written down independently.

The rules list exactly what each player observes (NL-O1..O11 of the rulebook's digest). Here those lists are computed in Python, from the deal and
the choices alone. Two histories must give a player the same information state if and only if they give him the same observations.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

import croupier

NAME = "una_notte_da_lupi"
PLAYERS = 3
FIRST_GAME = {"werewolf": 2, "seer": 1, "troublemaker": 1, "robber": 1, "villager": 1}
LONG = pytest.mark.soak
TABLES = [
    ({"werewolf": 2, "seer": 1, "villager": 1, "mason": 2}, {}),
    ({"werewolf": 2, "apprentice": 1, "robber": 1, "minion": 1, "villager": 1}, {}),
    ({"werewolf": 2, "apprentice": 1, "troublemaker": 1, "mason": 2}, {"apprentice_optional": True}),
    pytest.param(FIRST_GAME, {"seer_options": "single_centre_allowed"}, marks=LONG),
    pytest.param(FIRST_GAME, {"seer_options": "forced", "robber_optional": True, "troublemaker_optional": True}, marks=LONG),
    pytest.param({"werewolf": 2, "apprentice": 1, "robber": 1, "mason": 2}, {"flip_visible_to_robber": False}, marks=LONG),
    pytest.param({"werewolf": 2, "apprentice": 1, "robber": 1, "troublemaker": 1, "undead": 1}, {}, marks=LONG),
]


def histories(state: Any, said: tuple[str, ...] = ()) -> list[tuple[Any, tuple[str, ...]]]:
    """Every way to the vote: the state, and what fell and was chosen on the way."""
    if state.is_simultaneous_node() or state.is_terminal():
        return [(state, said)]
    found = []
    for action in state.legal_actions():
        words = state.action_to_string(state.current_player(), action)
        after = state.clone()
        after.apply_action(action)
        found += histories(after, (*said, words))
    return found


def observed(roles: dict[str, int], settings: dict[str, Any], said: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """What each player observes in one history, in order: his tile, then what the night shows him, then the token at dawn."""
    tiles, choices = list(said[: PLAYERS + 2]), list(said[PLAYERS + 2 :])
    dealt, centre, now = tiles[:PLAYERS], tiles[PLAYERS:], tiles[:PLAYERS]
    seen: list[list[Any]] = [[role] for role in dealt]
    wolves = tuple(p for p in range(PLAYERS) if dealt[p] == "werewolf")
    masons = tuple(p for p in range(PLAYERS) if dealt[p] == "mason")
    for p in wolves:
        seen[p].append(("wolves", wolves))
    for p in acting(dealt, "seer"):
        words = choices.pop(0)
        seen[p].append(words)
        if words.startswith("look at the tile of"):
            seen[p].append(now[int(words[-1]) - 1])
        elif words == "look at both centre tiles":
            seen[p] += centre
        elif words.startswith("look at centre tile"):
            seen[p].append(centre[int(words[-1]) - 1])
    for p in masons:
        seen[p].append(("masons", masons))
    for p in acting(dealt, "minion"):
        seen[p].append(("hands", wolves))
    for p in acting(dealt, "troublemaker"):
        words = choices.pop(0)
        seen[p].append(words)
        if words != "decline":
            left, right = (p + 1) % PLAYERS, (p - 1) % PLAYERS
            now[left], now[right] = now[right], now[left]
    flipped = "none"
    for p in acting(dealt, "apprentice"):
        targets = [r for r in ("seer", "mason", "troublemaker", "undead", "villager") if roles.get(r)]
        if targets:
            words = choices.pop(0)
            flipped = "none" if words == "turn nothing" else words.removeprefix("turn ")
        seen[p].append(("turned", flipped))
    for p in acting(dealt, "robber"):
        if settings.get("flip_visible_to_robber", True):
            seen[p].append(("face down", flipped))
        words = choices.pop(0)
        seen[p].append(words)
        if words != "decline":
            q = int(words[-1]) - 1
            now[p], now[q] = now[q], now[p]
            seen[p].append(now[p])
    assert not choices, (said, choices)
    return [(*s, "dawn", flipped) for s in seen]


def acting(dealt: list[str], role: str) -> list[int]:
    return [p for p in range(PLAYERS) if dealt[p] == role]


@pytest.mark.parametrize(("roles", "settings"), TABLES)
def test_each_player_knows_exactly_what_he_observed(roles: dict[str, int], settings: dict[str, Any]) -> None:
    parameters = {"role_set": "explicit", "roles": roles, "discussion_model": "off"} | settings
    leaves = histories(croupier.load(NAME).new_initial_state(PLAYERS, parameters))
    assert len(leaves) > 200
    told: list[dict[str, set[tuple[Any, ...]]]] = [defaultdict(set) for _ in range(PLAYERS)]
    states: list[dict[tuple[Any, ...], set[str]]] = [defaultdict(set) for _ in range(PLAYERS)]
    for state, said in leaves:
        for p, seen in enumerate(observed(roles, settings, said)):
            knows = state.information_state(p)
            told[p][knows].add(seen)
            states[p][seen].add(knows)
    for p in range(PLAYERS):
        assert all(len(seen) == 1 for seen in told[p].values()), "the same information for different observations: something is not told"
        assert all(len(knows) == 1 for knows in states[p].values()), "different information for the same observations: something leaks"


def test_what_is_claimed_is_heard_by_all_and_changes_nothing() -> None:
    state = croupier.load(NAME).new_initial_state(4, {"discussion_rounds": 1})
    while state.action_to_struct(max(state.current_player(), 0), state.legal_actions()[0]).get("claim") is None:
        state.apply_action(state.legal_actions()[0])
    order, heard = [], 0
    while not state.is_simultaneous_node():
        seat = state.current_player()
        order.append(seat)
        texts = {state.action_to_string(seat, a) for a in state.legal_actions()}
        assert {"I was dealt werewolf", "I was dealt seer", "as Troublemaker I exchanged my neighbours' tiles", "nothing to say"} <= texts
        assert not any("penguin" in text for text in texts), "only characters in play are named"
        assert not any(f"player {seat + 1} " in text + " " and "believe" in text for text in texts), "nobody accuses himself"
        seen, events = [state.observation(p) for p in (None, 0, 1, 2, 3)], [len(state.events(p)) for p in range(4)]
        after = set()
        for action in state.legal_actions():
            other = state.clone()
            other.apply_action(action)
            assert [other.observation(p) for p in (None, 0, 1, 2, 3)] == seen
            after.add(other.hash())
        assert len(after) == 1, "the position does not know what was said"
        said = state.action_to_string(seat, state.legal_actions()[0])
        state.apply_action(state.legal_actions()[0])
        for p in range(4):
            new = [e.text for e in state.events(p)[events[p] :]]
            assert new[0] == f"player {seat + 1}: {said}", new
        heard += 1
    assert order == [1, 2, 3, 0] and heard == 4


def test_a_vote_is_sealed_until_all_have_voted() -> None:
    for mode in ("pointing", "secret_token"):
        parameters = {"discussion_model": "off", "vote_mode": mode}
        state = croupier.load(NAME).new_initial_state(PLAYERS, parameters)
        while not (state.is_simultaneous_node() or (state.pending_seats() and "player" in state.action_to_string(state.current_player(), 0)[:7])):
            state.apply_action(state.legal_actions()[0])
        other = state.clone()
        for seat in range(PLAYERS):
            before = [state.information_state(p) for p in range(PLAYERS)]
            state.apply_action(state.legal_actions(seat)[0], seat)
            other.apply_action(other.legal_actions(seat)[-1], seat)
            if seat < PLAYERS - 1:
                for p in range(seat + 1, PLAYERS):
                    assert state.information_state(p) == other.information_state(p) == before[p], mode
                assert state.information_state(seat) != other.information_state(seat)
        assert state.is_terminal() and other.is_terminal()
        assert len({tuple(state.observation(p)["state"]["vote"].items()) for p in range(PLAYERS)}) == 1
        assert state.information_state(0) != other.information_state(0)
