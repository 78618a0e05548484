"""Lock step with OpenSpiel: the same game played on both sides, with the same legal moves, turns, chance
events and returns at every step.

For each game there is a function from the words of our options to the words of theirs, and features of moves
whose occurrences are counted, so that a run which never met a rule is seen.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Words = Callable[[Any, int, str], str]  # our state, the seat (-1: chance), the words of our option


@dataclass(frozen=True)
class Match:
    """A ruleset and the game of OpenSpiel that it is."""

    ruleset: str
    spiel: str
    words: Words
    players: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    features: tuple[str, ...] = ()
    seen: Callable[[Any, int, str], tuple[str, ...]] = lambda state, seat, words: ()
    begin: tuple[int, ...] = ()  # chance actions that come first on their side alone
    games: int = 5  # in the test suite

    @property
    def name(self) -> str:
        return self.spiel


def files(column: int) -> str:
    return chr(ord("a") + column - 1)


def cells(words: str) -> list[tuple[int, int]]:
    """The cells named in some words, as row and column."""
    return [(int(r), int(c)) for r, c in re.findall(r"\((\d+),(\d+)\)", words)]


# ---------------------------------------------------------------- games
def tic_tac_toe(state: Any, seat: int, words: str) -> str:
    [(row, column)] = cells(words)
    return f"{'xo'[seat]}({row - 1},{column - 1})"


def connect_four(state: Any, seat: int, words: str) -> str:
    return f"{'xo'[seat]}{int(words.split()[-1]) - 1}"


def breakthrough(state: Any, seat: int, words: str) -> str:
    (r1, c1), (r2, c2) = cells(words)
    columns = state.parameters["columns"]
    # their first player moves down the board, ours moves up: the board is turned around
    taken = state.evaluate(f"pawn[field.at({r2}, {c2})!] is not none")
    return f"{files(columns + 1 - c1)}{r1}{files(columns + 1 - c2)}{r2}{'*' if taken else ''}"


def hex_(state: Any, seat: int, words: str) -> str:
    [(row, column)] = cells(words)
    return f"{files(column)}{row}"


def othello(state: Any, seat: int, words: str) -> str:
    if words == "pass":
        return "pass"
    [(row, column)] = cells(words)
    return f"{files(column)}{row}"


def checkers(state: Any, seat: int, words: str) -> str:
    (r1, c1), (r2, c2) = cells(words)
    return f"{files(c1)}{9 - r1}{files(c2)}{9 - r2}"


def checkers_seen(state: Any, seat: int, words: str) -> tuple[str, ...]:
    (r1, c1), (r2, _) = cells(words)
    king = state.evaluate(f"piece[board.at({r1}, {c1})!]!.king")
    found = ["king moves"] if king else []
    if abs(r1 - r2) == 2:
        found.append("capture")
        if state.evaluate("jumping is not none"):
            found.append("chain")
    if not king and r2 in (1, 8):
        found.append("crowning")
    return tuple(found)


POINTS = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1".split()


def nine_mens_morris(state: Any, seat: int, words: str) -> str:
    at = [POINTS.index(w) for w in words.split() if w in POINTS]
    return f"Point {at[0]}" if len(at) == 1 else f"Move {at[0]} -> {at[1]}"


def morris_seen(state: Any, seat: int, words: str) -> tuple[str, ...]:
    at = [w for w in words.split() if w in POINTS]
    if words.startswith("remove"):
        enemy = f"players[{2 - seat}]"
        return (
            ("removal", "all in mills")
            if state.evaluate(f"all(in_mill(x) for x in board if man[x] == {enemy})")
            else ("removal",)
        )
    return ("flying",) if len(at) == 2 and not state.evaluate(f"{at[1]} in {at[0]}.adjacent") else ()


def oware(state: Any, seat: int, words: str) -> str:
    house = int(words.split()[-1])
    return chr(ord("Aa"[seat]) + (house - 1) % 6)


def oware_seen(state: Any, seat: int, words: str) -> tuple[str, ...]:
    """A grand slam: the capture would take all that the enemy has, so nothing is taken."""
    seeds, at = state.evaluate("[seeds[h] for h in 1..12]"), int(words.split()[-1]) - 1
    start, hand, seeds[at] = at, seeds[at], 0
    while hand:
        at = (at + 1) % 12
        if at != start:
            seeds[at] += 1
            hand -= 1
    low = 6 * (1 - seat)
    taken = 0
    while low <= at < low + 6 and seeds[at] in (2, 3):
        taken += seeds[at]
        at -= 1
    return ("grand slam",) if taken and taken == sum(seeds[low : low + 6]) else ()


def leduc_poker(state: Any, seat: int, words: str) -> str:
    if seat < 0:
        rank, suit = words.split("-")
        return f"Chance outcome:{(int(rank) - 1) * 2 + (suit == 'hearts')}"
    return words.capitalize()


def goofspiel(state: Any, seat: int, words: str) -> str:
    return words.replace("prize", "Deal") if seat < 0 else f"[P{seat}]Bid: {words.split()[0]}"


def go_fish(state: Any, seat: int, words: str) -> str:
    if seat < 0:
        return files(int(words.split("/")[0]))
    _, _, player, _, rank = words.split()
    return f"{int(player) - 1}{files(int(rank))}"


def go_fish_seen(state: Any, seat: int, words: str) -> tuple[str, ...]:
    return ("four of a kind",) if sum(state.evaluate("[books[p] for p in players]")) else ()


def kuhn_poker(state: Any, seat: int, words: str) -> str:
    return f"Deal:{int(words) - 1}" if seat < 0 else "Bet" if words in ("bet", "call") else "Pass"


def liars_dice(state: Any, seat: int, words: str) -> str:
    return (
        f"Roll {words.split()[-1]}" if seat < 0 else "Liar" if words == "liar" else words.replace(" x ", "-")
    )


def tiny_hanabi(state: Any, seat: int, words: str) -> str:
    return f"p{seat}a{'abc'.index(words)}" if seat >= 0 else f"d{int(words) - 1}"


def hearts(state: Any, seat: int, words: str) -> str:
    suit, rank = words.split()[-2:]
    return "..23456789TJQKA"[int(rank)] + dict(zip("♣♦♥♠", "CDHS", strict=True))[suit]


def hearts_seen(state: Any, seat: int, words: str) -> tuple[str, ...]:
    if state.evaluate("led is none"):
        return ("hearts led",) if "♥" in words else ()
    follows = state.evaluate(f"any(c.suit == led for c in hand[players[{seat + 1}]])")
    return (
        ()
        if follows
        else ("discard in the first trick",)
        if state.evaluate("is_first_trick()")
        else ("discard",)
    )


MATCHES = [
    Match("tic_tac_toe", "tic_tac_toe", tic_tac_toe, games=20),
    Match("connect_four", "connect_four", connect_four),
    Match("breakthrough", "breakthrough", breakthrough, games=2),
    Match(
        "breakthrough", "breakthrough(rows=6,columns=6)", breakthrough, parameters={"rows": 6, "columns": 6}
    ),
    Match("hex", "hex(board_size=5,swap=False)", hex_),
    Match("hex", "hex(board_size=3,swap=False)", hex_, parameters={"size": 3}, games=20),
    Match(
        "othello",
        "othello",
        othello,
        features=("pass",),
        seen=lambda s, p, w: ("pass",) if w == "pass" else (),
        games=2,
    ),
    Match(
        "checkers",
        "checkers",
        checkers,
        features=("king moves", "capture", "chain", "crowning"),
        seen=checkers_seen,
        games=3,
    ),
    Match(
        "nine_mens_morris",
        "nine_mens_morris",
        nine_mens_morris,
        features=("removal", "all in mills", "flying"),
        seen=morris_seen,
        games=3,
    ),
    Match("oware", "oware", oware, features=("grand slam",), seen=oware_seen),
    Match(
        *("hearts", "hearts", hearts),
        begin=(0,),
        players=4,
        parameters={"passing": "nobody"},
        games=12,
        features=("hearts led", "discard", "discard in the first trick"),
        seen=hearts_seen,
    ),
    Match("kuhn_poker", "kuhn_poker", kuhn_poker, games=20),
    Match("kuhn_poker", "kuhn_poker(players=3)", kuhn_poker, players=3, games=20),
    Match("leduc_poker", "leduc_poker", leduc_poker, games=20),
    Match("liars_dice", "liars_dice", liars_dice, games=20),
    Match("liars_dice", "liars_dice(dice_sides=3)", liars_dice, parameters={"faces": 3}, games=20),
    Match("goofspiel", "goofspiel(num_cards=4,imp_info=True,points_order=descending)", goofspiel, games=20),
    Match(
        "goofspiel",
        "goofspiel",
        goofspiel,
        parameters={"cards": 13, "prizes": "random", "bids": "shown"},
        games=10,
    ),
    Match("tiny_hanabi", "tiny_hanabi", tiny_hanabi, games=20),
    Match("go_fish", "go_fish", go_fish, players=2, features=("four of a kind",), seen=go_fish_seen),
    Match(
        "go_fish",
        "go_fish(players=4)",
        go_fish,
        players=4,
        features=("four of a kind",),
        seen=go_fish_seen,
        games=3,
    ),
]


# ---------------------------------------------------------------- one game
def fold(pairs: Any) -> dict[str, float]:
    """Outcomes that have the same words on their side are one outcome there."""
    total: Counter[str] = Counter()
    for words, weight in pairs:
        total[words] += float(weight)
    return dict(total)


def play(match: Match, ours: Any, theirs: Any, rng: random.Random) -> Counter[str]:
    """One random game on both sides; asserts that they agree, and counts the features met."""
    met: Counter[str] = Counter()
    while not ours.is_terminal():
        pass_certain(ours, theirs)
        assert not theirs.is_terminal(), f"theirs is over: {theirs}"
        if ours.is_chance_node():
            assert theirs.is_chance_node()
            outcomes = ours.chance_outcomes()
            named = {a: match.words(ours, -1, ours.action_to_string(-1, a)) for a, _ in outcomes}
            there = dict(theirs.chance_outcomes())
            here = fold((named[a], w) for a, w in outcomes)
            by_words = {theirs_words(theirs, -1, a): a for a in there}
            assert here.keys() == by_words.keys(), (here, by_words)
            assert all(abs(here[w] - there[a]) < 1e-9 for w, a in by_words.items())
            action = rng.choice(outcomes)[0]
            theirs.apply_action(by_words[named[action]])
            ours.apply_action(action)
            continue
        seats = ours.pending_seats()
        assert seats == ([0, 1] if theirs.is_simultaneous_node() else [theirs.current_player()]), (
            seats,
            str(theirs),
        )
        joint, their_joint = [], []
        for seat in seats:
            options = {
                match.words(ours, seat, ours.action_to_string(seat, a)): a for a in ours.legal_actions(seat)
            }
            legal = {
                theirs_words(theirs, seat, a): a
                for a in (theirs.legal_actions(seat) if len(seats) > 1 else theirs.legal_actions())
            }
            assert options.keys() == legal.keys(), (sorted(options), sorted(legal), str(theirs))
            words = rng.choice(sorted(options))
            met.update(match.seen(ours, seat, ours.action_to_string(seat, options[words])))
            joint.append(options[words])
            their_joint.append(legal[words])
        if len(seats) > 1:
            ours.apply_actions(joint)
            theirs.apply_actions(their_joint)
        else:
            ours.apply_action(joint[0])
            theirs.apply_action(their_joint[0])
    pass_certain(ours, theirs)
    assert theirs.is_terminal(), str(theirs)
    assert ours.outcome()["status"] == "finished", ours.outcome()
    assert compare_returns(match, ours.returns(), theirs.returns()), (
        ours.returns(),
        theirs.returns(),
        str(theirs),
    )
    return met


def pass_certain(ours: Any, theirs: Any) -> None:
    """A chance event with one outcome is none of ours."""
    while theirs.is_chance_node() and not ours.is_chance_node() and len(theirs.chance_outcomes()) == 1:
        theirs.apply_action(theirs.chance_outcomes()[0][0])


def theirs_words(theirs: Any, seat: int, action: int) -> str:
    return str(theirs.action_to_string(seat, action))


def compare_returns(match: Match, ours: list[int], theirs: list[float]) -> bool:
    """Go fish shares one point among winners and takes it from the others: the sign is what a ruleset
    says.
    """
    if match.ruleset == "go_fish":
        return [(x > 0) - (x < 0) for x in ours] == [(x > 0) - (x < 0) for x in theirs]
    return [float(x) for x in ours] == list(theirs)
