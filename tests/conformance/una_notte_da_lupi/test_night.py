"""Who knows what after the night, against a model of the digest's tables (1.4) that shares nothing with the
ruleset.

`nights` lists every history of a table with what each player observes in it (NL-O1..O11). Two things follow.
The ruleset has exactly these histories, and gives a player the same information state in two of them if and
only if his observations are the same. And what the worked examples call `certain` and `not certain` holds: a
player is certain of what is so in every history with the observations he has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import croupier

CALLED = {
    "werewolf": "Werewolf", "seer": "Seer", "mason": "Mason", "minion": "Minion",
    "troublemaker": "Troublemaker",
    "apprentice": "Sorcerer's Apprentice", "robber": "Robber", "undead": "Undead", "villager": "Villager",
    "penguin": "Were-penguin",
    "hamster": "Were-hamster",
}  # fmt: skip
TURNABLE = ("seer", "mason", "troublemaker", "undead", "villager")
Roles = dict[str, int]


@dataclass(frozen=True)
class Options:
    """How a table plays, by the digest's names."""

    seer_options: str = "seed"
    troublemaker_optional: bool = False
    apprentice_optional: bool = False
    flip_visible_to_robber: bool = True
    robber_optional: bool = False


@dataclass(frozen=True)
class Night:
    """One history: tiles in front of the players and at the centre, choices in words, what each seat has
    observed, in order.
    """

    dealt: tuple[str, ...]
    centre: tuple[str, str]
    now: tuple[str, ...]
    choices: tuple[str, ...] = ()
    flipped: str = "none"
    seen: tuple[tuple[Any, ...], ...] = ()

    def observes(self, p: int, *what: Any) -> Night:
        return self.but(seen=(*self.seen[:p], (*self.seen[p], *what), *self.seen[p + 1 :]))

    def chooses(self, p: int, words: str) -> Night:
        return self.but(choices=(*self.choices, words)).observes(p, words)

    def swapped(self, p: int, q: int) -> Night:
        now = list(self.now)
        now[p], now[q] = now[q], now[p]
        return self.but(now=tuple(now))

    def but(self, **changes: Any) -> Night:
        return Night(**{**self.__dict__, **changes})

    @property
    def said(self) -> tuple[str, ...]:
        """What falls and is chosen, in the words of the game."""
        return (*(CALLED[role] for role in (*self.dealt, *self.centre)), *self.choices)

    def tile(self, position: int | str) -> str:
        """The tile of a seat, or of `centre0`, `centre1`, at dawn."""
        return self.now[position] if isinstance(position, int) else self.centre[int(position[-1])]


def deals(roles: Roles, players: int) -> Iterator[tuple[str, ...]]:
    if players == -2:
        yield ()
        return
    for role, n in roles.items():
        if n:
            for rest in deals({**roles, role: n - 1}, players - 1):
                yield (role, *rest)


def nights(roles: Roles, players: int, options: Options) -> Iterator[Night]:
    """Every history of a night."""
    for tiles in deals(roles, players):
        dealt, centre = tiles[:players], (tiles[players], tiles[players + 1])
        found = [Night(dealt, centre, dealt, seen=tuple((role,) for role in dealt))]
        for phase in (werewolves, seer, masons, minion, troublemaker, apprentice, robber):
            found = [after for before in found for after in phase(before, roles, options)]
        for night in found:
            for p in range(players):
                night = night.observes(p, "dawn", night.flipped)
            yield night


def seats(night: Night, role: str) -> tuple[int, ...]:
    return tuple(p for p, r in enumerate(night.dealt) if r == role)


def others(night: Night, p: int) -> list[int]:
    return [q for q in range(len(night.dealt)) if q != p]


def all_see(night: Night, who: str, whom: str) -> list[Night]:
    for p in seats(night, who):
        night = night.observes(p, (whom, seats(night, whom)))
    return [night]


def werewolves(night: Night, roles: Roles, options: Options) -> list[Night]:
    return all_see(night, "werewolf", "werewolf")


def masons(night: Night, roles: Roles, options: Options) -> list[Night]:
    return all_see(night, "mason", "mason")


def minion(night: Night, roles: Roles, options: Options) -> list[Night]:
    return all_see(night, "minion", "werewolf")


def seer(night: Night, roles: Roles, options: Options) -> list[Night]:
    found = [night]
    for p in seats(night, "seer"):
        found = [] if options.seer_options == "forced" else [night.chooses(p, "look at nothing")]
        found += [
            night.chooses(p, f"look at the tile of player {q + 1}").observes(p, night.now[q])
            for q in others(night, p)
        ]
        found.append(night.chooses(p, "look at both centre tiles").observes(p, *night.centre))
        if options.seer_options == "single_centre_allowed":
            found += [
                night.chooses(p, f"look at centre tile {i + 1}").observes(p, night.centre[i]) for i in (0, 1)
            ]
    return found


def troublemaker(night: Night, roles: Roles, options: Options) -> list[Night]:
    found = [night]
    for p in seats(night, "troublemaker"):
        left, right = (p + 1) % len(night.dealt), (p - 1) % len(night.dealt)
        found = [
            night.chooses(p, f"exchange the tiles of player {left + 1} and player {right + 1}").swapped(
                left, right
            )
        ]
        if options.troublemaker_optional:
            found.append(night.chooses(p, "exchange nothing"))
    return found


def apprentice(night: Night, roles: Roles, options: Options) -> list[Night]:
    found = [night]
    for p in seats(night, "apprentice"):
        turned = [role for role in TURNABLE if roles.get(role)]
        found = [night.chooses(p, f"turn the {CALLED[role]} token").but(flipped=role) for role in turned]
        if turned and options.apprentice_optional:
            found.append(night.chooses(p, "turn no token"))
        found = found or [night.observes(p, "there is no token to turn")]
    return found


def robber(night: Night, roles: Roles, options: Options) -> list[Night]:
    found = [night]
    for p in seats(night, "robber"):
        if options.flip_visible_to_robber:
            night = night.observes(p, ("face down", night.flipped))
        after = [(q, night.chooses(p, f"rob player {q + 1}").swapped(p, q)) for q in others(night, p)]
        found = [taken.observes(p, taken.now[p]) for _, taken in after]
        if options.robber_optional:
            found.append(night.chooses(p, "rob nobody"))
    return found


# ---------------------------------------------------------------- the ruleset tells exactly this
FIRST_GAME = {"werewolf": 2, "seer": 1, "troublemaker": 1, "robber": 1, "villager": 1}
LONG = pytest.mark.soak
TABLES = [
    ({"werewolf": 2, "seer": 1, "villager": 1, "mason": 2}, Options()),
    ({"werewolf": 2, "apprentice": 1, "robber": 1, "minion": 1, "villager": 1}, Options()),
    pytest.param(
        {"werewolf": 2, "apprentice": 1, "troublemaker": 1, "mason": 2},
        Options(apprentice_optional=True),
        marks=LONG,
    ),
    pytest.param(
        {"werewolf": 2, "apprentice": 1, "robber": 1, "minion": 1, "hamster": 1},
        Options(apprentice_optional=True, robber_optional=True),
        marks=LONG,
    ),
    pytest.param(FIRST_GAME, Options("single_centre_allowed"), marks=LONG),
    pytest.param(FIRST_GAME, Options("forced", troublemaker_optional=True, robber_optional=True), marks=LONG),
    pytest.param(
        {"werewolf": 2, "apprentice": 1, "robber": 1, "mason": 2},
        Options(flip_visible_to_robber=False),
        marks=LONG,
    ),
    pytest.param(
        {"werewolf": 2, "apprentice": 1, "robber": 1, "troublemaker": 1, "undead": 1}, Options(), marks=LONG
    ),
]


def leaves(state: Any, each: bool, said: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every way to the vote: what fell and was chosen on the way, and the state there; `each` of two equal
    tiles, or only one of them.
    """
    if state.is_simultaneous_node() or state.is_terminal():
        yield said, state
        return
    words = {
        action: state.action_to_string(state.current_player(), action) for action in state.legal_actions()
    }
    for action in words if each else {text: action for action, text in words.items()}.values():
        after = state.clone()
        after.apply_action(action)
        yield from leaves(after, each, (*said, words[action]))


@pytest.mark.parametrize(("roles", "options"), TABLES)
def test_each_player_knows_exactly_what_he_observed(roles: Roles, options: Options) -> None:
    settings = {"role_set": "explicit", "roles": roles, "discussion_model": "off"}
    start = croupier.load("una_notte_da_lupi").new_initial_state(3, settings | options.__dict__)
    model = {night.said: night for night in nights(roles, 3, options)}
    played = list(leaves(start, "mason" not in roles))
    assert {said for said, _ in played} == set(model), "these are the histories that the rules allow"
    told: list[dict[str, set[Any]]] = [defaultdict(set) for _ in range(3)]
    states: list[dict[Any, set[str]]] = [defaultdict(set) for _ in range(3)]
    for said, state in played:
        assert state.evaluate("[role(p) for p in players]") == list(model[said].now)
        for p, seen in enumerate(model[said].seen):
            knows = state.information_state(p)
            told[p][knows].add(seen)
            states[p][seen].add(knows)
    for p in range(3):
        assert all(len(seen) == 1 for seen in told[p].values()), (
            "the same information for different observations: something is not told"
        )
        assert all(len(knows) == 1 for knows in states[p].values()), (
            "different information for the same observations: something leaks"
        )


# ---------------------------------------------------------------- what the worked nights call certain
@dataclass(frozen=True)
class Worked:
    """A worked night of the digest (4.2), seats A to D as 0 to 3: what happened, what a player is certain of
    and what not.
    """

    dealt: str
    centre: str
    discard: str
    choices: tuple[str, ...]
    final: str
    certain: dict[int, dict[int | str, str]]
    uncertain: dict[int, list[int | str]]


A, B, C, D = range(4)
WORKED = {
    "NL-S5": Worked(
        "werewolf seer troublemaker robber", "werewolf villager", "villager",
        ("look at the tile of player 1", "exchange the tiles of player 4 and player 2", "rob player 1"),
        "seer robber troublemaker werewolf",
        {D: {D: "werewolf"}}, {A: [A], B: [A, B], C: [C]},
    ),
    "NL-S6": Worked(
        "werewolf werewolf seer villager", "robber troublemaker", "villager", ("look at both centre tiles",),
        "werewolf werewolf seer villager",
        {C: {C: "seer", "centre0": "robber", "centre1": "troublemaker"}}, {A: [A, B], D: [D]},
    ),
    "NL-S7": Worked(
        "werewolf villager seer", "robber werewolf", "troublemaker", ("look at the tile of player 1",),
        "werewolf villager seer",
        {}, {A: [A, B, C, "centre0", "centre1"], C: [A]},
    ),
    "NL-S8": Worked(
        "troublemaker werewolf villager", "seer robber", "werewolf",
        ("exchange the tiles of player 2 and player 3",),
        "troublemaker villager werewolf", {}, {B: [B], A: [B, C]},
    ),
    "NL-S10": Worked(
        "mason minion seer villager", "werewolf werewolf", "mason", ("look at both centre tiles",),
        "mason minion seer villager",
        {A: {A: "mason"}, B: {B: "minion"}, C: {C: "seer", "centre0": "werewolf", "centre1": "werewolf"}},
        {A: [B], B: ["centre0"]},
    ),
    "NL-S11": Worked(
        "mason apprentice robber mason", "werewolf villager", "werewolf",
        ("turn the Mason token", "rob player 1"),
        "robber apprentice mason mason", {C: {C: "mason", A: "robber"}}, {A: [A], D: [D]},
    ),
    "NL-S12": Worked(
        "werewolf villager seer villager", "apprentice werewolf", "robber", ("look at the tile of player 2",),
        "werewolf villager seer villager",
        {}, {},
    ),
    "NL-S14": Worked(
        "apprentice robber villager werewolf", "villager seer", "werewolf",
        ("turn the Villager token", "rob player 1"),
        "robber apprentice villager werewolf", {B: {A: "robber", B: "apprentice"}}, {A: [A], C: [C]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("id", WORKED)
def test_what_the_worked_nights_call_certain(id: str) -> None:
    worked = WORKED[id]
    tiles = [*worked.dealt.split(), *worked.centre.split(), worked.discard]
    players = len(tiles) - 3
    everything = list(nights({role: tiles.count(role) for role in tiles}, players, Options()))
    said = (*(CALLED[role] for role in tiles[:-1]), *worked.choices)
    (night,) = (n for n in everything if n.said == said)
    assert list(night.now) == worked.final.split()
    for p in range(players):
        possible = [n for n in everything if n.seen[p] == night.seen[p]]
        for position, role in worked.certain.get(p, {}).items():
            assert {n.tile(position) for n in possible} == {role}, (p, position)
        for position in worked.uncertain.get(p, []):
            assert len({n.tile(position) for n in possible}) > 1, (p, position)
        if id == "NL-S12":
            assert all("apprentice" not in n.dealt for n in possible), (
                "everybody knows that no player was dealt the Apprentice"
            )
