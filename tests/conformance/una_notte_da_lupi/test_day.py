"""Statements: what may be said is exactly the list of NL-45; it is heard by all, in order, and changes
nothing.
"""

from __future__ import annotations

from typing import Any

import croupier

SEER_SETS = {"werewolf": 2, "seer": 1, "villager": 2, "apprentice": 1, "robber": 1}
CALLED = {
    "werewolf": "Werewolf",
    "seer": "Seer",
    "villager": "Villager",
    "apprentice": "Sorcerer's Apprentice",
    "robber": "Robber",
}


def talking(settings: dict[str, Any]) -> Any:
    """Four players by day, chance and choices at night the first ones."""
    state = croupier.load("una_notte_da_lupi").new_initial_state(
        4, {"role_set": "explicit", "roles": SEER_SETS} | settings
    )
    while state.is_chance_node() or "claim" not in state.action_to_struct(
        state.current_player(), state.legal_actions()[0]
    ):
        state.apply_action(state.legal_actions()[0])
    return state


def listed(seat: int, players: int) -> set[str]:
    """Every statement of NL-45.1 that names only roles in play and seated players other than the author."""
    others = [f"player {p + 1}" for p in range(players) if p != seat]
    roles = list(CALLED.values())
    said = {f"I was dealt the {r}" for r in roles}
    said |= {f"as Seer I saw the {r} in front of {p}" for r in roles for p in others}
    said |= {f"as Seer I saw the {r} and the {s} at the centre" for r in roles for s in roles}
    said |= {f"I am a Werewolf and so is {p}" for p in others} | {"I am a Werewolf and saw no other"}
    said |= {f"as Sorcerer's Apprentice I turned the {r} token" for r in roles}
    said |= {f"as Robber I robbed {p} and became the {r}" for p in others for r in roles}
    said |= {f"I believe {p} is a Werewolf" for p in others} | {
        f"I believe {p} holds the {r}" for p in others for r in roles
    }
    said |= {f"I believe {p} is no Werewolf" for p in others}
    return (
        said
        | {f"let everybody vote for the {side} neighbour" for side in ("left", "right")}
        | {"nothing to say"}
    )


def without_decision(state: Any, seat: int | None) -> dict[str, Any]:
    """What a seat sees of the position, whoever acts."""
    return {key: part for key, part in state.observation(seat).items() if key != "decision"}


def test_what_may_be_said_is_heard_by_all_and_changes_nothing() -> None:
    state, order = talking({"discussion_rounds": 1, "speaker_seat": 2}), []
    while not state.is_simultaneous_node():
        seat = state.current_player()
        order.append(seat)
        actions = state.legal_actions()
        assert {state.action_to_string(seat, a) for a in actions} == listed(seat, 4)
        seen, events = (
            [without_decision(state, p) for p in (None, 0, 1, 2, 3)],
            [len(state.events(p)) for p in range(4)],
        )
        after = set()
        for action in actions[:: max(1, len(actions) // 20)]:
            said, other = state.action_to_string(seat, action), state.clone()
            other.apply_action(action)
            assert [without_decision(other, p) for p in (None, 0, 1, 2, 3)] == seen
            assert all(other.events(p)[events[p]].text == f"player {seat + 1}: {said}" for p in range(4))
            after.add(other.hash())
        assert len(after) == 1, "the position does not know what was said"
        state.apply_action(actions[len(order)])
    assert order == [3, 0, 1, 2], "from the speaker's left, clockwise, each once"


def test_what_is_presentation_has_no_effect() -> None:
    hashes = set()
    presentation: list[dict[str, Any]] = [{}, {"phase_seconds": 0}, {"discussion_seconds": 17}]
    for settings in presentation:
        hashes.add(talking(settings).hash())
    assert len(hashes) == 1
    votes = set()
    silent: list[dict[str, Any]] = [
        {"discussion_model": "off"},
        {"discussion_model": "free_text"},
        {"discussion_rounds": 0},
    ]
    for settings in silent:
        state = croupier.load("una_notte_da_lupi").new_initial_state(
            4, {"role_set": "explicit", "roles": SEER_SETS} | settings
        )
        while not state.is_simultaneous_node():
            state.apply_action(state.legal_actions()[0])
        votes.add(state.hash())
    assert len(votes) == 1, "talk that is not recorded is as good as none"
