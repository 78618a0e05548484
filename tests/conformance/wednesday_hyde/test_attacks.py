"""Attacks on random positions against a second, independent reading of the rules.

The ruleset plays the attack; `Attack` below computes in plain Python what is revealed, exchanged, worth zero,
added up and saved or lost, from the tables of the rulebook and from nothing in the ruleset.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import croupier
from cases import act, position, words
from combined import combined
from croupier.ruleset import Ruleset

PLACES = ["Crypt", "Jericho", "Pilgrim World", "Painting Shed", "Woods"]
TARGETS = {
    "twos": "Target of the 2s",
    "ones": "Target of the 1s",
    "medusa": "Target of the Medusas",
    "bat": "Target of the Bats",
    "eye": "Target of the Eyes",
}
SITES = ["centre", "first", "second", "third", "fourth", "fifth"]
SYMBOLS = ["siren", "werewolf", "bee", "medusa", "bat", "eye"]
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
ORDER = [f"{symbol}-{value}" for symbol in SYMBOLS for value in range(1, 6)] + ["six"]
GRADES = {0: "full control of their powers", 1: "intermediate", 2: "beginners"}
GAME = "wednesday_hyde"
VARIANTS: list[tuple[str, ...]] = [
    (),
    ("bonus_first",),
    ("counted_values",),
    ("bonus_first", "counted_values"),
]
SETTINGS = [("beginner", None), ("expert", "siren"), ("table", None), ("table", "medusa")]
SOURCES = ["hand", "hand_or_thing"]
TABLE = (12, 30, 7, 0, 25, 40, 18, 9, 33, 21, 15, 28, 5, 36, 19)
CASES = 120


@dataclass(frozen=True)
class Attack:
    """An attack: where, on which Target, with which cards, and the parameters that touch it."""

    place: str
    target: str
    number: int
    players: int
    level: str
    table: tuple[int, ...]
    six_symbol: str | None
    variants: tuple[str, ...]
    source: str

    def face(self, card: str) -> tuple[str | None, int]:
        """Symbol and printed value of a card."""
        if card == "six":
            return self.six_symbol, 6
        symbol, value = card.split("-")
        return symbol, int(value)

    def zero(self, card: str) -> bool:
        """Is it worth zero by the Location's rule?"""
        symbol, value = self.face(card)
        if "bonus_first" in self.variants:
            value = {("twos", 2): 4, ("ones", 1): 3}.get((self.target, value), value)
        rules = {
            "Crypt": value == 3,
            "Jericho": value == 4,
            "Pilgrim World": symbol in ("siren", "werewolf"),
            "Painting Shed": symbol == "bee",
            "Woods": False,
        }
        return rules[self.place]

    def worth(self, card: str) -> int:
        """What a card counts that is not worth zero."""
        symbol, value = self.face(card)
        if self.target == "twos" and value == 2:
            return 4
        if self.target == "ones" and value == 1:
            return 3
        return value + (1 if symbol is not None and symbol == self.target else 0)

    def counts(self, card: str) -> int:
        return 0 if self.zero(card) else self.worth(card)

    def alike(self, mine: str, theirs: str) -> bool:
        """May Wednesday give the one for the other?"""
        (a, m), (b, n) = self.face(mine), self.face(theirs)
        if a is None or b is None:
            return False
        if "counted_values" in self.variants:
            return a == b or self.counts(mine) == self.counts(theirs)
        return a == b or m == n

    def total(self, cards: list[str], enid: bool) -> int:
        return sum(self.counts(c) for c in cards) + (2 if enid else 0)

    def needed(self) -> int:
        printed = {2: [14, 16, 18, 20, 22], 3: [21, 24, 27, 30, 33], 4: [28, 32, 36, 40, 44]}
        harder = {2: [16, 18, 20, 22, 24], 3: [24, 27, 30, 33, 36], 4: [32, 36, 40, 44, 48]}
        if self.level == "table":
            return self.table[3 * (self.number - 1) + self.players - 2]
        return (printed if self.level == "beginner" else harder)[self.players][self.number - 1]


@cache
def ruleset(variants: tuple[str, ...]) -> Ruleset:
    """The game with these readings."""
    if len(variants) < 2:
        return croupier.load("/".join((GAME, *variants)))
    with tempfile.TemporaryDirectory() as folder:
        return croupier.load(combined(Path(folder), GAME, *variants))


def seats(rng: random.Random, players: int) -> list[str]:
    """An Outcast for each seat."""
    everybody = [
        "Wednesday Addams",
        "Enid Sinclair",
        "Bianca Barclay",
        "Ajax Pretropolis",
        "Eugene Ottinger",
        "Yoko Tanaka",
    ]
    return (
        rng.sample(everybody[:3], 2) + rng.sample(everybody[3:], players - 2)
        if rng.random() < 0.8
        else rng.sample(everybody, players)
    )


def dealt(rng: random.Random, bianca: bool, players: int) -> Iterator[list[str]]:
    """The cards at the attacked Location, those in each hand, and Thing's."""
    pack = [
        f"{symbol}-{value}" for symbol in SYMBOLS for value, copies in COPIES.items() for _ in range(copies)
    ]
    rng.shuffle(pack)
    size = rng.choice([0, 1, 2, *range(3, 15)])
    pile, pack = pack[:size], pack[size:]
    if bianca and rng.random() < 0.6:
        pile += ["six"] * rng.randint(1, 2)
    yield pile
    for _ in range(players):
        size = rng.choice([0, 1, 2, 3, 3, 3])
        hand, pack = pack[:size], pack[size:]
        yield hand
    yield pack[:1]


def laid_out(
    attack: Attack,
    who: list[str],
    pile: list[str],
    hands: list[list[str]],
    thing: list[str],
    pawns: list[str],
    lost: int,
) -> dict[str, Any]:
    """The position before the attack."""
    others = [p for p in PLACES if p != attack.place]
    gone, left = others[: attack.number - 1], others[attack.number - 1 :]
    targets = dict(
        zip(
            [attack.place, *others], [attack.target, *(t for t in TARGETS if t != attack.target)], strict=True
        )
    )
    sixes = 2 - pile.count("six")
    bianca = who.index("Bianca Barclay") + 1 if "Bianca Barclay" in who else None
    zones: dict[str, Any] = {
        "town": {cell: [p] for cell, p in zip(SITES, ["Nevermore Academy", *PLACES], strict=True)},
        "tiles": [],
        "target": {p: [TARGETS[t]] for p, t in targets.items()},
        "targets": [],
        "outcast": {i: [o] for i, o in enumerate(who, 1)},
        "hand": dict(enumerate(hands, 1)),
        "thing": {1: thing},
        "pile": {attack.place: pile},
        "bag": [],
        "sighted": [f"Hyde token of {p}" for p in [*left, attack.place]],
        "slot": {p: [f"Hyde token of {p}"] for p in gone},
        "sixes": {bianca: ["six"] * sixes} if bianca else {},
        "box": [] if bianca else ["six"] * 2,
    }
    parameters = {
        "comm_mode": "off",
        "level": attack.level,
        "level_table": list(attack.table),
        "six_symbol": attack.six_symbol,
    }
    parameters["wednesday_source"] = attack.source
    sides = {TARGETS[targets[p]]: "wounded" for p in gone[:lost]}
    state = {"pawn": dict(enumerate(pawns, 1)), "thing_holder": 1}
    return {
        "players": attack.players,
        "parameters": parameters,
        "before": "attack",
        "zones": zones,
        "state": state,
        "sides": sides,
    }


def begun(variants: tuple[str, ...], case: dict[str, Any]) -> Any:
    """The state of a case; Targets lost before are wounded."""
    rules = ruleset(variants)
    variable = next(v for v in rules.program.vars.values() if v.of_class == "Target")
    case["state"][variable.name] = {target: case["sides"].get(target, "safe") for target in TARGETS.values()}
    return position(rules, case)


def sorted_cards(cards: list[str]) -> list[str]:
    return sorted(cards, key=ORDER.index)


def play(variants: tuple[str, ...], seed: int, seen: Counter[str]) -> None:
    """One attack. Raises `AssertionError` where the ruleset and `Attack` differ."""
    rng = random.Random(seed)
    players = rng.choice([2, 3, 4])
    who = seats(rng, players)
    pile, *hands, thing = dealt(rng, "Bianca Barclay" in who, players)
    level, symbol = rng.choice(SETTINGS)
    attack = Attack(
        rng.choice(PLACES),
        rng.choice(list(TARGETS)),
        rng.randint(1, 5),
        players,
        level,
        TABLE,
        symbol,
        variants,
        rng.choice(SOURCES),
    )
    pawns = [rng.choice([attack.place, attack.place, "Nevermore Academy", "Woods"]) for _ in who]
    lost = rng.randint(0, min(2, attack.number - 1))
    state = begun(variants, laid_out(attack, who, pile, hands, thing, pawns, lost))

    revealed = list(pile)
    if "Wednesday Addams" in who:
        seat = who.index("Wednesday Addams")
        own = thing if seat == 0 and attack.source == "hand_or_thing" else []
        sources = [(mine, "", hands[seat]) for mine in hands[seat]] + [
            (mine, " from Thing", thing) for mine in own
        ]
        pairs = {
            f"give {mine}{where} for {theirs}": (mine, theirs, held)
            for mine, where, held in sources for theirs in pile if attack.alike(mine, theirs)
        }  # fmt: skip
        asked = (
            not state.is_terminal() and state.current_player() == seat and "exchange a card" in words(state)
        )
        assert asked == bool(pairs), f"Wednesday is {'' if asked else 'not '}asked, pairs: {sorted(pairs)}"
        if pairs and rng.random() < 0.7:
            act(state, "exchange a card")
            assert set(words(state)) == set(pairs)
            chosen = rng.choice(sorted(pairs))
            mine, theirs, held = pairs[chosen]
            act(state, chosen)
            revealed.remove(theirs)
            revealed.append(mine)
            held.remove(mine)
            held.append(theirs)
            seen["Thing's card given"] += held is thing
            seen["exchanged"] += 1
        elif pairs:
            act(state, "no")
            seen["not exchanged"] += 1

    told = [e.text for e in state.events(None)]
    zeroes = sorted_cards([c for c in revealed if attack.zero(c)])
    said = [text for text in told if text.endswith(" worthless")]
    assert said == ([f"{attack.place} makes {', '.join(zeroes)} worthless"] if zeroes else [])
    enid = "Enid Sinclair" in who and pawns[who.index("Enid Sinclair")] == attack.place
    total, needed = attack.total(revealed, enid), attack.needed()
    saved = total >= needed
    outcome = "saves" if saved else "loses"
    result = f"a total of {total} where {needed} are needed {outcome} the {TARGETS[attack.target]}"
    assert [text for text in told if re.match(r"a total of \d", text)] == [result]

    lost += not saved
    assert state.evaluate("lost()") == lost
    assert not state.check_invariants()
    over = lost == 3
    seen.update(
        {"zero": bool(zeroes), "enid": enid, "six": "six" in revealed, "saved": saved, "lost": not saved}
    )
    seen.update({"defeat": over, "victory": attack.number == 5 and not over})
    outcome = state.outcome()
    if over:
        assert (outcome["status"], outcome["winners"], outcome["grade"]) == ("finished", [], "the Hyde wins")
        return
    zones = state.observation(None)["zones"]
    assert sorted_cards(zones["discard"]) == sorted_cards([c for c in revealed if c != "six"])
    assert zones["revealed"] == []
    assert [sorted_cards(zones["hand"][f"player {i}"]) for i in range(1, players + 1)] == [
        sorted_cards(h) for h in hands
    ]
    if attack.number == 5:
        assert (outcome["status"], outcome["winners"], outcome["grade"]) == (
            "finished",
            list(range(players)),
            GRADES[lost],
        )
    else:
        assert outcome["status"] == "running"
        assert len(zones["bag"]) == 5 - attack.number


@pytest.mark.parametrize("variants", VARIANTS, ids=lambda v: "+".join(v) or GAME)
def test_attacks_come_out_as_the_rulebook_says(variants: tuple[str, ...]) -> None:
    seen: Counter[str] = Counter()
    for seed in range(CASES):
        try:
            play(variants, seed, seen)
        except AssertionError as error:
            raise AssertionError(f"{variants}, seed {seed}: {error}") from error
    wanted = (
        "saved",
        "lost",
        "zero",
        "enid",
        "six",
        "exchanged",
        "not exchanged",
        "Thing's card given",
        "defeat",
        "victory",
    )
    rare = [what for what in wanted if seen[what] < 3]
    assert not rare, f"hardly tried: {rare} in {dict(seen)}"
