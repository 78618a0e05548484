"""The result of the vote, for every combination of final tiles, turned token and votes, against the digest's
decision table (section 5).

`judged` transcribes the rows NL-D1..D8 and their notes; it shares nothing with the ruleset. `combinations`
lists every combination for a number of players: each row of tiles that a legal set can hold, each token that
may be face down, each vote. No symmetry is used. For 3 players the suite plays all 49,296 of them. For 4
players there are 4,227,228: the suite plays every 503rd in the order listed (a prime, so that no place in the
list is preferred), and all of them, about ten minutes, with

    pytest -m soak tests/conformance/una_notte_da_lupi -k every_combination_of_four
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

import croupier
from croupier.runtime.declared_positions import declare, enter_before_phase
from croupier.runtime.state import begun_at

COPIES = {
    "werewolf": 2, "seer": 1, "mason": 2, "minion": 1, "troublemaker": 1, "apprentice": 1, "robber": 1,
    "undead": 1, "villager": 3, "penguin": 1,
    "hamster": 1,
}  # fmt: skip
HUMANS = {"seer", "mason", "troublemaker", "apprentice", "robber", "undead", "villager"}
TURNED = (None, "seer", "mason", "troublemaker", "undead", "villager")
SAYS = {
    "HUMANS": "the Humans win", "WOLVES": "the Werewolves win", "PENGUIN": "the Were-penguin wins alone",
    "HAMSTER": "the Were-hamster wins alone",
    "NOBODY": "nobody wins",
}  # fmt: skip
STEP = 503


@dataclass(frozen=True)
class Preferences:
    """The parameters that the table mentions, by the digest's names and values."""

    no_lynch_without_wolf: str = "humans_win"
    minion_without_wolves: str = "side"
    flipped_undead_passes: bool = False
    self_vote: str = "forbidden"


# ---------------------------------------------------------------- the table
def tallied(
    final: tuple[str, ...], flipped: str | None, votes: tuple[int, ...], preferences: Preferences
) -> list[int]:
    """Votes for each seat after an Undead has passed them (NL-50..54)."""
    tally = [votes.count(p) for p in range(len(final))]
    if "undead" in final:
        u = final.index("undead")
        if votes[u] != u and tally[u] >= 2 and (flipped != "undead" or preferences.flipped_undead_passes):
            tally[votes[u]] += tally[u]
            tally[u] = 0
    return tally


def judged(
    final: tuple[str, ...], flipped: str | None, votes: tuple[int, ...], preferences: Preferences
) -> tuple[str, set[int]]:
    """The result and the winners: the first row that matches."""
    seats = set(range(len(final)))
    tally = tallied(final, flipped, votes, preferences)
    L = set() if all(n == 1 for n in tally) else {p for p in seats if tally[p] == max(tally)}
    W = {p for p in seats if final[p] == "werewolf" or final[p] == flipped}
    H = {p for p in seats if final[p] in HUMANS and final[p] != flipped}
    p, h, m = ({q for q in seats if final[q] == role} for role in ("penguin", "hamster", "minion"))
    if p and L == p:  # D1
        return "PENGUIN", p
    if not L and not W:  # D2
        if preferences.no_lynch_without_wolf == "humans_win_only_if_all_human" and m | p | h:
            return "NOBODY", set()
        return "HUMANS", H
    if not L:  # D3
        return "WOLVES", W | m
    if L & W and any(tally[q] == 0 for q in h):  # D4
        return "HAMSTER", h
    if L & W:  # D5
        return "HUMANS", H
    if W:  # D6
        return "WOLVES", W | m
    if m:  # D7
        wins = {"side": True, "human_lynched": bool(L & H), "other_lynched": bool(L - m)}
        return "WOLVES", m if wins[preferences.minion_without_wolves] else set()
    return "WOLVES", set()  # D8


# ---------------------------------------------------------------- every combination
def rows_of_tiles(players: int) -> Iterator[tuple[str, ...]]:
    """The final tiles of the players that one legal set can hold, seat by seat."""
    for final in product(COPIES, repeat=players):
        if all(final.count(role) <= COPIES[role] for role in final) and not {"penguin", "hamster"} <= set(
            final
        ):
            yield final


def combinations(
    players: int, preferences: Preferences
) -> Iterator[tuple[tuple[str, ...], str | None, tuple[int, ...]]]:
    choices = [
        [q for q in range(players) if q != p or preferences.self_vote == "allowed"] for p in range(players)
    ]
    for final in rows_of_tiles(players):
        for flipped in TURNED:
            for votes in product(*choices):
                yield final, flipped, votes


class Judge:
    """The ruleset's verdict: positions that stand before the count of the votes."""

    def __init__(self, players: int, preferences: Preferences) -> None:
        self.rules = croupier.load("una_notte_da_lupi")
        self.engine = self.rules.engine(players, preferences.__dict__)
        self.game = self.engine.game
        self.box, self.tile = self.game.zone_ranges["box"][0], self.game.zone_ranges["tile"][0]
        roles, components = self.game.enum_values["Role"], self.game.components
        self.tiles = {
            role: [p.number for p in components if roles[role] == p.attributes["role"]] for role in COPIES
        }
        self.flipped, self.vote = (self.game.program.vars[name].index for name in ("flipped", "vote"))
        self.count = self.game.program.phases["the count"].index

    def verdict(self, final: tuple[str, ...], flipped: str | None, votes: tuple[int, ...]) -> dict[str, Any]:
        used: Counter[str] = Counter()
        zones: dict[int, tuple[int, ...]] = {}
        for p, role in enumerate(final):
            zones[self.tile + p] = (self.tiles[role][used[role]],)
            used[role] += 1
        taken = {items[0] for items in zones.values()}
        zones[self.box] = tuple(p.number for p in self.game.components if p.number not in taken)
        turned = None if flipped is None else self.game.enum_values["Role"][flipped]
        m = declare(self.engine.rules, zones, {self.flipped: turned, self.vote: votes})
        enter_before_phase(m, self.count, {})
        return begun_at(self.rules, self.engine, m).outcome()


def disagreements(
    players: int, preferences: Preferences, step: int = 1
) -> tuple[int, Counter[str], list[str]]:
    """How many combinations were judged, how often each result occurred, and where ruleset and table
    disagree.
    """
    judge, seen, wrong, count = Judge(players, preferences), Counter[str](), list[str](), 0
    for number, (final, flipped, votes) in enumerate(combinations(players, preferences)):
        if number % step:
            continue
        count += 1
        result, winners = judged(final, flipped, votes, preferences)
        seen[result] += 1
        found = judge.verdict(final, flipped, votes)
        if (found["grade"], found["winners"]) != (SAYS[result], sorted(winners)):
            wrong.append(f"{final} {flipped} {votes}: {result} {winners}, not {found}")
    return count, seen, wrong


EVERY_RESULT = {"HUMANS", "WOLVES", "PENGUIN", "HAMSTER"}
PREFERENCES = [
    Preferences(no_lynch_without_wolf="humans_win_only_if_all_human"),
    Preferences(minion_without_wolves="human_lynched"),
    Preferences(minion_without_wolves="other_lynched", flipped_undead_passes=True),
    Preferences(flipped_undead_passes=True, self_vote="allowed"),
    Preferences("humans_win_only_if_all_human", "human_lynched", True, "allowed"),
]


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_every_combination_of_three_players(step: int) -> None:
    count, seen, wrong = disagreements(3, Preferences(), step)
    assert not wrong, wrong[:5]
    assert count == 49_296 // step and set(seen) == EVERY_RESULT


def test_four_players() -> None:
    count, seen, wrong = disagreements(4, Preferences(), STEP)
    assert not wrong, wrong[:5]
    assert count > 8_000 and set(seen) == EVERY_RESULT


@pytest.mark.parametrize("preferences", PREFERENCES, ids=str)
def test_other_preferences(preferences: Preferences) -> None:
    count, seen, wrong = disagreements(3, preferences, 19)
    assert not wrong, wrong[:5]
    assert count > 2_500 and {"HUMANS", "WOLVES"} <= set(seen)


@pytest.mark.soak
def test_every_combination_of_four_players() -> None:
    count, seen, wrong = disagreements(4, Preferences())
    assert not wrong, wrong[:5]
    assert count == 4_227_228 and set(seen) == EVERY_RESULT
