"""The table of parameters of the digest (section 3): every listed value is played, or refused in words."""

from __future__ import annotations

import random
from typing import Any

import pytest

import croupier
from croupier.diagnostics import RulesetError

PLAYERS = 4
RULES = {mode: croupier.load(f"una_notte_da_lupi{mode}") for mode in ("", "/secret_tokens")}  # NL-P11
EXPLICIT = {
    "role_set": "explicit",
    "roles": {"werewolf": 2, "apprentice": 1, "undead": 1, "robber": 1, "seer": 1, "minion": 1},
}
LISTED: list[tuple[str, dict[str, Any]]] = [
    *[("NL-P2", {"role_set": word}) for word in ("first_game", "recommended", "random")],
    ("NL-P2", EXPLICIT),
    *[("NL-P3", {"speaker_seat": seat}) for seat in range(PLAYERS)],
    ("NL-P3", {"speaker_choice": "random"}),
    *[("NL-P4", {"phase_seconds": n}) for n in (0, 60)],
    *[("NL-P4", {"discussion_seconds": n}) for n in (0, 300)],
    *[("NL-P5", EXPLICIT | {"seer_options": word}) for word in ("seed", "forced", "single_centre_allowed")],
    *[("NL-P6", {"discussion_model": word}) for word in ("off", "structured", "free_text")],
    *[("NL-P6", {"discussion_rounds": n}) for n in (0, 1, 10)],
    *[("NL-P7", {"lying_allowed": value}) for value in (True, False)],
    *[("NL-P8", EXPLICIT | {"apprentice_optional": value}) for value in (True, False)],
    *[("NL-P9", EXPLICIT | {"flip_visible_to_robber": value}) for value in (True, False)],
    *[("NL-P10", {"self_vote": word}) for word in ("forbidden", "allowed")],
    *[("NL-P11", {"vote_mode": word}) for word in ("pointing", "secret_token")],
    *[("NL-P12", EXPLICIT | {"flipped_undead_passes": value}) for value in (True, False)],
    *[
        ("NL-P13", EXPLICIT | {"no_lynch_without_wolf": word})
        for word in ("humans_win", "humans_win_only_if_all_human")
    ],
    *[
        ("NL-P14", EXPLICIT | {"minion_without_wolves": word})
        for word in ("side", "human_lynched", "other_lynched")
    ],
    *[
        ("NL-P15", {name: value})
        for name in ("robber_optional", "troublemaker_optional")
        for value in (True, False)
    ],
    ("NL-P16", {"extra_tiles": 3}),
    ("NL-P16", {"extra_tiles": 2, "role_set": "random"}),
    (
        "NL-P16",
        {"extra_tiles": 2, "role_set": "explicit", "roles": {"werewolf": 2, "villager": 3, "seer": 1}},
    ),
]
REFUSED: list[tuple[int, dict[str, Any], str]] = [
    (2, {}, "G012"),
    (11, {}, "G012"),
    (6, {"role_set": "first_game"}, "G013"),
    (4, {"role_set": "explicit"}, "G013"),
    (4, {"extra_tiles": 2}, "G013"),
    (4, {"extra_tiles": 2, "role_set": "first_game"}, "G013"),
    (4, {"extra_tiles": 4}, "G011"),
    (4, {"speaker_seat": 4}, "G011"),
    (4, {"phase_seconds": -1}, "G011"),
    (4, {"discussion_seconds": 301}, "G011"),
    (4, {"discussion_rounds": 11}, "G011"),
    (4, {"seer_options": "both"}, "G011"),
    (4, {"vote_mode": "tokens"}, "G011"),
]


ABOUT_VOTES = ("NL-P10", "NL-P12", "NL-P13", "NL-P14", "NL-P16")  # played with tokens too
CASES = [("", *case) for case in LISTED] + [
    ("/secret_tokens", *case) for case in LISTED if case[0] in ABOUT_VOTES
]


@pytest.mark.parametrize(("mode", "id", "settings"), CASES, ids=lambda v: str(v).replace(" ", ""))
def test_a_listed_value(mode: str, id: str, settings: dict[str, Any]) -> None:
    rng, state = (
        random.Random(id),
        RULES[mode].new_initial_state(PLAYERS, {"discussion_rounds": 0} | settings),
    )
    while not state.is_terminal():
        if state.is_simultaneous_node():
            state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in state.pending_seats()])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    assert state.outcome()["status"] == "finished" and not state.check_invariants()


@pytest.mark.parametrize(("players", "settings", "code"), REFUSED, ids=str)
def test_an_impossible_one(players: int, settings: dict[str, Any], code: str) -> None:
    with pytest.raises(RulesetError) as refused:
        RULES[""].new_initial_state(players, settings)
    assert [d.code for d in refused.value.diagnostics] == [code]
    assert code != "G013" or ": " in refused.value.diagnostics[0].message
