"""Jumps and powers on random positions against a second, independent reading of the rules.

`Reading` below knows the board as a dictionary from (row, column) to the labels of the dice there, bottom to
top, and finds by brute force every jump and every result of a power. The ruleset must offer exactly these;
before a capture, exactly those that leave one possible. With four powers in a turn the ruleset cuts its
look-ahead: what it cuts is shown here to lead to no capture, by trying every sequence of powers.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest

import croupier
from cases import called, position
from croupier.ruleset import Ruleset

Space = tuple[int, int]
Board = dict[Space, tuple[str, ...]]
Key = frozenset[tuple[Space, tuple[str, ...]]]

RULES = croupier.load("baron_voodoo")
TEAMS = croupier.load("baron_voodoo/teams")
SPACES: list[Space] = [(r, c) for r in range(1, 8) for c in range(1, 8)]
CENTRE = (4, 4)
LOAS = {"Mama Wata": "gold", "Papa Legba": "red", "Gran Bwa": "blue", "Erzulie Freda": "purple"}
COUNTS = {"gold": 10, "blue": 10, "red": 10, "purple": 10, "white": 8}
ICONS = ["offering", "point", "turn", "protection", "theft", "exchange"]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"jump_directions": "all_eight", "column_max": 2, "papa_legba_clear_path": True},
    {
        "landing_restriction": "empty_or_own_colour",
        "mama_wata_mode": "rigid_shift",
        "erzulie_separate": "any_accessible",
    },
    {"centre_usable": False, "papa_legba_lines": "row_and_vertical", "erzulie_separate": "no_neighbours"},
    {
        "centre_usable": False,
        "mama_wata_mode": "rigid_shift",
        "protection_blocks_powers": True,
        "column_max": 48,
    },
    {
        "protection_blocks_owner": True,
        "erzulie_separate": "alone_and_not_adjacent",
        "absent_loa_powers": "forbidden",
    },
]


def key(board: Board) -> Key:
    return frozenset((c, pile) for c, pile in board.items() if pile)


def named(loa: str) -> str:
    return loa.lower().replace(" ", "_")


def colour(die: str) -> str:
    return die.split("-")[0]


@dataclass(frozen=True)
class Reading:
    """The rules as one player meets them: the own colour, the colours of opponents and of the player whose
    markers are active.
    """

    settings: dict[str, Any]
    own: str
    guarded: frozenset[str] = frozenset()
    own_guarded: bool = False

    def says(self, name: str, value: Any, default: Any) -> bool:
        return bool(self.settings.get(name, default) == value)

    def open(self, c: Space) -> bool:
        return c in SPACES and (c != CENTRE or self.says("centre_usable", True, True))

    def prey(self, die: str) -> bool:
        blocked = (
            self.own_guarded and colour(die) == self.own and self.says("protection_blocks_owner", True, False)
        )
        return colour(die) not in self.guarded and not blocked

    def moves(self, die: str) -> bool:
        return not (self.says("protection_blocks_powers", True, False) and colour(die) in self.guarded)

    def room(self, board: Board, c: Space, more: int) -> bool:
        return self.open(c) and len(board.get(c, ())) + more <= int(self.settings.get("column_max", 3))

    def jumps(self, board: Board) -> set[tuple[Space, Space, Space]]:
        found = set()
        shapes = {(2, 0), (0, 2)} | (
            {(2, 2)} if self.says("jump_directions", "all_eight", "orthogonal") else set()
        )
        for a in [c for c, pile in board.items() if pile and colour(pile[-1]) == self.own]:
            for c in SPACES:
                b = ((a[0] + c[0]) // 2, (a[1] + c[1]) // 2)
                if (abs(a[0] - c[0]), abs(a[1] - c[1])) not in shapes or not board.get(b):
                    continue
                if not self.prey(board[b][-1]) or not self.room(board, c, 1):
                    continue
                if (
                    self.says("landing_restriction", "empty_or_own_colour", "any")
                    and board.get(c)
                    and colour(board[c][-1]) != self.own
                ):
                    continue
                found.add((a, b, c))
        return found

    def uses(self, board: Board, loa: str) -> set[Key]:
        """Every position, other than this one, that one use of a power leads to."""
        power = {
            "Mama Wata": self.pushed,
            "Papa Legba": self.carried,
            "Gran Bwa": self.stacked,
            "Erzulie Freda": self.swapped,
        }[loa]
        return {key(after) for after in power(board)} - {key(board)}

    def pushed(self, board: Board) -> Iterator[Board]:
        lines = [[(i, j) for j in range(1, 8)] for i in range(1, 8)] + [
            [(j, i) for j in range(1, 8)] for i in range(1, 8)
        ]
        for line in [*lines, *([*reversed(line)] for line in lines)]:
            parts = [line] if all(map(self.open, line)) else [line[:3], line[4:]]
            after = dict(board)
            for part in parts:
                piles = [board.get(c, ()) for c in part]
                full = [p for p in piles if p]
                if self.says("mama_wata_mode", "rigid_shift", "pack"):
                    while full and not piles[0]:
                        piles = [*piles[1:], ()]
                else:
                    piles = full + [()] * (len(part) - len(full))
                after.update(zip(part, piles, strict=True))
            if all(
                self.moves(d) for c in line if board.get(c, ()) != after.get(c, ()) for d in board.get(c, ())
            ):
                yield after

    def carried(self, board: Board) -> Iterator[Board]:
        for a, pile in board.items():
            for b in SPACES:
                if (
                    not pile
                    or not self.moves(pile[-1])
                    or board.get(b)
                    or not self.open(b)
                    or (a[0] != b[0] and a[1] != b[1])
                ):
                    continue
                if self.says("papa_legba_lines", "row_only", "row_only") and a[0] != b[0]:
                    continue
                way = [
                    c
                    for c in SPACES
                    if min(a, b) < c < max(a, b) and (c[0] == a[0] == b[0] or c[1] == a[1] == b[1])
                ]
                if not (self.says("papa_legba_clear_path", True, False) and any(board.get(c) for c in way)):
                    yield board | {a: pile[:-1], b: pile[-1:]}

    def stacked(self, board: Board) -> Iterator[Board]:
        for a, pile in board.items():
            for b in board:
                if (
                    a != b
                    and len(pile) > 1
                    and board[b]
                    and self.room(board, b, len(pile) - 1)
                    and all(map(self.moves, pile[1:]))
                ):
                    yield board | {a: pile[:1], b: board[b] + pile[1:]}

    def swapped(self, board: Board) -> Iterator[Board]:
        mode = self.settings.get("erzulie_separate", "alone_on_space")

        def near(a: Space, b: Space) -> bool:
            return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1

        for a, b in combinations([c for c, pile in board.items() if pile and self.moves(pile[-1])], 2):
            if mode != "any_accessible" and len(board[a]) + len(board[b]) > 2:
                continue
            if mode == "alone_and_not_adjacent" and near(a, b):
                continue
            if mode == "no_neighbours" and any(board[c] and (near(a, c) or near(b, c)) for c in board):
                continue
            yield board | {a: board[a][:-1] + board[b][-1:], b: board[b][:-1] + board[a][-1:]}

    def sequences(
        self, board: Board, powers: frozenset[str], known: dict[tuple[Key, frozenset[str]], bool]
    ) -> bool:
        """Can some sequence of these powers, each at most once, make a capture possible?"""
        at = key(board), powers
        if at not in known:
            known[at] = bool(self.jumps(board)) or any(
                self.sequences(dict(after), powers - {loa}, known)
                for loa in sorted(powers)
                for after in self.uses(board, loa)
            )
        return known[at]


# ---------------------------------------------------------------- positions
def random_board(rng: random.Random, dice: int, settings: dict[str, Any]) -> Board:
    highest, bag = (
        int(settings.get("column_max", 3)),
        [f"{k}-{rng.choice(ICONS)}" for k, n in COUNTS.items() for _ in range(n)],
    )
    spaces = [c for c in SPACES if c != CENTRE or settings.get("centre_usable", True)]
    board: Board = {}
    for die in rng.sample(bag, dice):
        near = [c for c in board if len(board[c]) < highest]
        c = (
            rng.choice(near)
            if near and rng.random() < 0.3
            else rng.choice([c for c in spaces if len(board.get(c, ())) < highest])
        )
        board[c] = (*board.get(c, ()), die)
    return board


def state_of(
    board: Board, settings: dict[str, Any], loas: list[str], before: str, rules: Ruleset = RULES, **state: Any
) -> Any:
    """Player 1, with the first of the Loas, is to act; the state names what differs from the start."""
    white = state.pop("white", [])
    case = {
        "players": len(loas), "parameters": settings, "before": before, "bound": {"s": 1}, "rest": "box",
        "zones": {
            "loa": {i + 1: [loa] for i, loa in enumerate(loas)},
            "field": {f"({r},{c})": list(pile) for (r, c), pile in board.items()},
            "spirit_world": {1: white},
        },
        "state": {"offerings": {"else": 0}, "reserve": 20, "trigger": 1, **state},
    }  # fmt: skip
    if before == "a turn":
        del case["state"]["trigger"]  # type: ignore[attr-defined]
    return position(rules, case)


def seen(state: Any) -> Key:
    field = state.observation(0)["zones"]["field"]
    return frozenset(((int(c[1]), int(c[3])), tuple(pile)) for c, pile in field.items() if pile)


def outcomes(state: Any) -> set[Key]:
    """Every board at the end of all that player 1 can decide, or at the decision on a jump."""
    if not state.pending_seats() or any(
        state.action_to_string(0, a).startswith("jump") for a in state.legal_actions()
    ):
        return {seen(state)}
    found = set()
    for action in state.legal_actions():
        after = state.clone()
        after.apply_action(action)
        found |= outcomes(after)
    return found


def dealt(
    seed: int, settings: dict[str, Any], dice: int
) -> tuple[random.Random, Board, list[str], Reading, dict[int, str]]:
    """A board, two Loas, and markers."""
    rng = random.Random(seed)
    loas = rng.sample(sorted(LOAS), 2)
    markers = {i + 1: rng.choice(["active", "inactive"]) for i in range(2)}
    guarded = frozenset({LOAS[loas[1]]} if markers[2] == "active" else ())
    reading = Reading(settings, LOAS[loas[0]], guarded, markers[1] == "active")
    return rng, random_board(rng, dice, settings), loas, reading, markers


# ---------------------------------------------------------------- tests
@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_jumps(number: int) -> None:
    legal = 0
    for seed in range(12):
        _, board, loas, reading, markers = dealt(seed, SETTINGS[number], 12 + 2 * seed)
        state = state_of(board, SETTINGS[number], loas, "majorities", protection_marker=markers)
        found = state.evaluate("jumps(players[1])")
        assert {
            tuple((int(j[k][1]), int(j[k][3])) for k in ("start", "over", "landing")) for j in found
        } == reading.jumps(board)
        assert state.evaluate("can_capture(players[1])") is bool(found)
        legal += len(found)
    assert legal > 20


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_powers(number: int) -> None:
    for seed in range(2):
        _, board, loas, reading, markers = dealt(100 + seed, SETTINGS[number], 6 + seed)
        state = state_of(board, SETTINGS[number], loas, "majorities", protection_marker=markers)
        for loa in LOAS:
            name, wanted = named(loa), reading.uses(board, loa)
            assert state.evaluate(f"can_help(players[1], {name})") is bool(wanted), (loa, board)
            if wanted:
                assert outcomes(called(RULES, state, f"help(players[1], {name})")) == wanted, (loa, board)


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_a_power_before_the_capture_leaves_a_capture(number: int) -> None:
    settings = SETTINGS[number]
    for seed in range(3):
        rng, board, loas, reading, markers = dealt(200 + seed, settings, 3 + seed)
        rich = rng.random() < 0.5
        markers[1], reading = "inactive", Reading(settings, reading.own, reading.guarded)
        state = state_of(
            board,
            settings,
            loas,
            "a turn",
            protection_marker=markers,
            offerings={1: int(rich), "else": 0},
            reserve=20 - rich,
        )
        sold = loas if settings.get("absent_loa_powers") == "forbidden" else sorted(LOAS)
        wanted = {after for loa in (sold if rich else loas[:1]) for after in reading.uses(board, loa)} | {
            key(board)
        }
        wanted = {after for after in wanted if reading.jumps(dict(after))}
        if not wanted:
            assert state.evaluate("trigger == players[1]"), board
        else:
            assert state.current_player() == 0 and outcomes(state) == wanted, board


def test_what_a_baron_with_four_powers_cuts_leads_to_no_capture() -> None:
    """Soundness of `leads_on`, and the whole decision of phase A, on small boards."""
    settings = {"baron_powers_per_turn": 4}
    cut = blocked = 0
    for seed in range(14):
        _, board, loas, reading, markers = dealt(300 + seed, settings, 2 + seed % 2)
        markers[1], reading = "inactive", Reading(settings, reading.own, reading.guarded)
        known: dict[tuple[Key, frozenset[str]], bool] = {}
        possible = reading.sequences(board, frozenset(LOAS), known)
        given: dict[str, Any] = {"protection_marker": markers, "white": ["white-turn"]}
        state = state_of(board, settings, loas, "a turn", **given)
        assert state.evaluate("baron == players[1]")
        if not possible:
            blocked += 1
            assert state.evaluate("trigger == players[1]")
            continue
        first = {"use no power"} if reading.jumps(board) else set()
        for loa in LOAS:
            if any(
                reading.sequences(dict(b), frozenset(LOAS) - {loa}, known) for b in reading.uses(board, loa)
            ):
                first.add(f"power of {loa}")
        assert {state.action_to_string(0, a) for a in state.legal_actions()} == first, board
        for used in [(), ("Papa Legba",), ("Gran Bwa",), ("Gran Bwa", "Papa Legba"), *combinations(LOAS, 3)]:
            later = state_of(board, settings, loas, "majorities", **given)
            names = ", ".join(named(loa) for loa in used)
            for loa in sorted(set(LOAS) - set(used)):
                if not later.evaluate(f"leads_on(players[1], {named(loa)}, [{names}])"):
                    cut += 1
                    rest = frozenset(LOAS) - {loa, *used}
                    assert not any(
                        reading.sequences(dict(b), rest, known) for b in reading.uses(board, loa)
                    ), (loa, used, board)
    assert cut and blocked


def test_powers_that_bare_no_two_dice_do_not_help() -> None:
    """`bares_both` is asked of boards of two dice, where it is false most often; whoever it gives up has no
    sequence of powers.
    """
    powers = ", ".join(named(loa) for loa in LOAS)
    given_up = 0
    for seed in range(40):
        _, board, loas, reading, markers = dealt(400 + seed, {}, 2)
        state = state_of(board, {}, loas, "majorities", protection_marker=markers)
        if not state.evaluate(f"bares_both(players[1], [{powers}])"):
            given_up += 1
            assert not reading.sequences(board, frozenset(LOAS), {}), board
    assert given_up > 5


def test_a_team_is_asked_who_of_those_that_could_capture_takes_the_turn() -> None:
    """Every partner who could capture, with a power or without one, may be chosen; nobody else; and a team
    without such a partner is blocked.
    """
    asked: Counter[int] = Counter()
    for seed in range(24):
        rng = random.Random(500 + seed)
        board, rich = random_board(rng, rng.choice([2, 3, 3, 4]), {}), rng.random() < 0.4
        first = rng.sample(["Mama Wata", "Papa Legba"], 2)
        loas = [*first, *rng.sample(["Gran Bwa", "Erzulie Freda"], 2)]
        guarded = frozenset({LOAS[loas[2]]} if rng.random() < 0.5 else ())
        markers = {"else": "inactive", 3: "active" if guarded else "inactive"}
        able = set()
        for seat, loa in enumerate(first, 1):
            reading = Reading({}, LOAS[loa], guarded)
            reached = [
                key(board),
                *(after for power in (LOAS if rich else [loa]) for after in reading.uses(board, power)),
            ]
            if any(reading.jumps(dict(after)) for after in reached):
                able.add(f"player {seat} takes the turn")
        given: dict[str, Any] = {
            "protection_marker": markers,
            "offerings": {1: int(rich), "else": 0},
            "reserve": 20 - rich,
        }
        state = state_of(board, {}, loas, "a turn", TEAMS, **given)
        asked[len(able)] += 1
        if able:
            assert state.current_player() == 0
            assert {state.action_to_string(0, a) for a in state.legal_actions()} == able, board
        else:
            assert state.evaluate("trigger == players[1]"), board
    assert min(asked[n] for n in range(3)) > 1, asked
