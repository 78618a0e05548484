"""The result of the vote, against the rulebook's own procedure and table, for random final tiles, turned tokens, votes and parameters."""

from __future__ import annotations

import random
from typing import Any

import croupier
from cases import position

RULESET = croupier.load("una_notte_da_lupi")
HUMANS = {"seer": 1, "mason": 2, "troublemaker": 1, "apprentice": 1, "robber": 1, "undead": 1, "villager": 3}
COPIES = HUMANS | {"werewolf": 2, "minion": 1, "penguin": 1, "hamster": 1}
CHOICES: dict[str, list[Any]] = {
    "flipped_undead_passes": [False, True],
    "no_lynch_without_wolf": ["humans_win", "humans_win_only_if_all_human"],
    "minion_without_wolves": ["side", "human_lynched", "other_lynched"],
    "self_vote": ["forbidden", "allowed"],
}
GAMES = 250


def judged(final: list[str], flipped: str | None, votes: list[int], settings: dict[str, Any]) -> tuple[str, list[int]]:
    """Result and winners, by the procedure and the notes of the decision table (NL section 5)."""
    seats = range(len(final))
    tally = [votes.count(p) for p in seats]
    for u in (p for p in seats if final[p] == "undead"):
        if votes[u] != u and tally[u] >= 2 and (flipped != "undead" or settings["flipped_undead_passes"]):
            tally[votes[u]] += tally[u]
            tally[u] = 0
    lynched = [] if all(t == 1 for t in tally) else [p for p in seats if tally[p] == max(tally)]
    wolves = [p for p in seats if final[p] == "werewolf" or final[p] == flipped]
    humans = [p for p in seats if final[p] in HUMANS and p not in wolves]
    penguin, hamster, minion = ([p for p in seats if final[p] == role] for role in ("penguin", "hamster", "minion"))
    if lynched and lynched == penguin:
        return "PENGUIN", penguin
    if not lynched and not wolves:
        if settings["no_lynch_without_wolf"] == "humans_win_only_if_all_human" and penguin + hamster + minion:
            return "NOBODY", []
        return "HUMANS", humans
    if lynched and set(lynched) & set(wolves):
        if hamster and tally[hamster[0]] == 0:
            return "HAMSTER", hamster
        return "HUMANS", humans
    if wolves:
        return "WOLVES", sorted(wolves + minion)
    meets = {"side": True, "human_lynched": bool(set(lynched) & set(humans)), "other_lynched": bool(set(lynched) - set(minion))}
    return "WOLVES", minion if meets[settings["minion_without_wolves"]] else []


def test_the_rules_judge_like_the_rulebook() -> None:
    rng = random.Random(58)
    found: set[str] = set()
    for game in range(GAMES):
        players = rng.choice([3, 4, 5])
        final = rng.sample([role for role, n in COPIES.items() for _ in range(n)], players)
        if {"penguin", "hamster"} <= set(final):
            continue
        flipped = rng.choice([None, None, "seer", "mason", "troublemaker", "undead", "villager"])
        settings = {name: rng.choice(values) for name, values in CHOICES.items()}
        votes = [rng.choice([q for q in range(players) if q != p or settings["self_vote"] == "allowed"]) for p in range(players)]
        if game % 8 == 0:
            votes = [(p + 1) % players for p in range(players)]
        case = {
            "name": str(game),
            "players": players,
            "parameters": settings,
            "before": "the vote",
            "zones": {"tile": {p + 1: [role] for p, role in enumerate(final)}},
            "state": {"flipped": flipped},
        }
        state = position(RULESET, case)
        state.apply_actions([state.string_to_action(p, f"player {votes[p] + 1}") for p in range(players)])
        result, winners = judged(final, flipped, votes, settings)
        out = state.outcome()
        assert (out["grade"], out["winners"]) == (result, winners), (final, flipped, votes, settings, out)
        found.add(result)
    assert found == {"HUMANS", "WOLVES", "PENGUIN", "HAMSTER", "NOBODY"}
