"""The classics: rulesets of a page or less whose trees have published sizes.

`perft(d)` counts action sequences of exactly d; finished games add nothing. In a whole tree, histories are
all nodes, root and ends included.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import croupier
from trees import perft, random_game, whole_tree

CLASSICS = Path(croupier.__file__).parents[2] / "rulesets" / "classics"
# name, parameters, counts, how deep the suite goes
PERFT: list[tuple[str, dict[str, Any], list[int], int]] = [
    ("tic_tac_toe", {}, [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872], 5),
    ("three_in_a_row", {}, [9, 72, 504, 3024, 15120, 54720], 4),
    ("connect_four", {}, [7, 49, 343, 2401, 16807, 117649, 823536], 4),
    ("breakthrough", {}, [22, 484, 11132, 256036], 3),
    ("breakthrough", {"rows": 6, "columns": 6}, [16, 256, 4308, 71478], 3),
    ("hex", {}, [25, 600, 13800], 2),
    ("hex", {"size": 3}, [9, 72, 504, 3024, 15120, 54720, 146880], 4),
    ("othello", {}, [4, 12, 56, 244, 1396, 8200, 55092], 3),
    ("checkers", {}, [7, 49, 302, 1469, 7361, 36768, 179255, 838248], 4),
    ("chess", {}, [20, 400, 8902, 197281], 3),
    ("nine_mens_morris", {}, [24, 552, 12144, 255024], 2),
    ("oware", {}, [6, 36, 190, 1014, 5219, 27332, 139157], 4),
]
ROWS = [
    pytest.param(name, parameters, depth, count,
    id=f"{name}{''.join(f'-{v}' for v in parameters.values())}-{depth}",
                 marks=[pytest.mark.soak] if depth > shallow else [])
    for name, parameters, counts, shallow in PERFT
    for depth, count in enumerate(counts, 1)
]  # fmt: skip


@pytest.mark.parametrize(("name", "parameters", "depth", "count"), ROWS)
def test_perft(name: str, parameters: dict[str, Any], depth: int, count: int) -> None:
    assert perft(croupier.load(name).new_initial_state(None, parameters), depth) == count


TREES: list[tuple[str, int, dict[str, Any], tuple[int, int, int, int], list[int], Fraction]] = [
    ("kuhn_poker", 2, {}, (58, 30, 4, 24), [6, 6], Fraction(1, 8)),
    ("kuhn_poker", 3, {}, (617, 312, 17, 288), [16, 16, 16], Fraction(15, 64)),
    ("liars_dice", 2, {"dice_each": 1, "faces": 3}, (1147, 567, 4, 576), [96, 96], Fraction(1, 54)),
    ("goofspiel", 2, {}, (1077, 576, 0, 501), [81, 81], Fraction(0)),
    # 1 + 4 * 4 + 12 * 12: who remembers, knows the order
    ("goofspiel", 2, {"bids": "shown"}, (1077, 576, 0, 501), [161, 161], Fraction(0)),
    ("tiny_hanabi", 2, {}, (55, 36, 3, 16), [2, 6], Fraction(67, 18)),
]

LARGE: list[tuple[str, int, dict[str, Any], tuple[int, int, int, int], list[int], Fraction]] = [
    ("leduc_poker", 2, {}, (9457, 5520, 157, 3780), [468, 468], Fraction(-5, 64)),
    ("liars_dice", 2, {}, (294883, 147420, 7, 147456), [12288, 12288], Fraction(-7, 216)),
]


@pytest.mark.parametrize(
    ("name", "players", "parameters", "counts", "sets", "value"),
    TREES,
    ids=[f"{row[0]}-{row[1]}" for row in TREES],
)
def test_whole_tree(
    name: str,
    players: int,
    parameters: dict[str, Any],
    counts: tuple[int, ...],
    sets: list[int],
    value: Fraction,
) -> None:
    tree = whole_tree(croupier.load(name).new_initial_state(players, parameters))
    assert tree.counts == counts
    assert [len(s) for s in tree.sets] == sets
    assert tree.value[0] == value


def test_bids_made_at_once_are_one_node() -> None:
    """The tree with joint decisions; and the sets of a player who forgets in which order the cards were bid,
    as OpenSpiel's text does.
    """
    nodes = {"all": 0, "ends": 0}
    forgetful: set[Any] = set()

    def walk(state: Any) -> None:
        nodes["all"] += 1
        if state.is_terminal():
            nodes["ends"] += 1
            return
        seen = state.observation(0)["zones"]
        won = tuple(e.text for e in state.events(0) if "prize" in e.text and e.text.startswith("prize"))
        forgetful.add(
            (
                str(seen["hand"]),
                str(sorted(map(str, seen["spent"]["player 1"]))),
                str(sorted(map(str, seen["spent"]["player 2"]))),
                won,
            )
        )
        for joint in product(*(state.legal_actions(seat) for seat in state.pending_seats())):
            after = state.clone()
            after.apply_actions(list(joint))
            walk(after)

    walk(croupier.load("goofspiel").new_initial_state(2, {"bids": "shown"}))
    assert (nodes["all"], nodes["ends"]) == (737, 576)
    assert len(forgetful) == 135


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "players", "parameters", "counts", "sets", "value"), LARGE, ids=[row[0] for row in LARGE]
)
def test_large_tree(
    name: str,
    players: int,
    parameters: dict[str, Any],
    counts: tuple[int, ...],
    sets: list[int],
    value: Fraction,
) -> None:
    test_whole_tree(name, players, parameters, counts, sets, value)


@pytest.mark.parametrize("name", sorted(path.parent.name for path in CLASSICS.glob("*/ruleset.yaml")))
def test_random_games_finish(name: str) -> None:
    result = croupier.check(name)
    assert result.ruleset is not None and not result.diagnostics
    rng = random.Random(1)
    for players in result.ruleset.players:
        state = random_game(result.ruleset.new_initial_state(players), rng)
        assert state.outcome()["status"] == "finished"
        assert sum(map(bool, state.outcome()["winners"])) <= players


@pytest.mark.parametrize(
    ("name", "lines"), [("tic_tac_toe", 40), ("connect_four", 60), ("plain_tricks", 100)]
)
def test_they_are_short(name: str, lines: int) -> None:
    assert len((CLASSICS / name / "ruleset.yaml").read_text(encoding="utf-8").splitlines()) < lines


# ---------------------------------------------------------------- connect four
def play(state: Any, *words: str) -> Any:
    for word in words:
        state.apply_action(state.string_to_action(state.current_player(), word))
    return state


def test_four_in_a_diagonal_win() -> None:
    state = play(
        croupier.load("connect_four").new_initial_state(),
        *(f"column: {x}" for x in (1, 2, 2, 3, 4, 3, 3, 4, 4, 6, 4)),
    )
    assert state.outcome() | {"scores": None} == {
        "status": "finished", "winners": [0], "returns": [1, -1], "scores": None, "grade": None,
        "reason": None, "fault": None,
    }  # fmt: skip


def test_a_full_column_is_not_offered() -> None:
    state = play(croupier.load("connect_four").new_initial_state(), *(["column: 1"] * 6))
    assert len(state.legal_actions()) == 6
    with pytest.raises(croupier.IllegalAction):
        state.string_to_action(0, "column: 1")


@pytest.mark.parametrize("connect", [3, 5, 6])
def test_the_length_of_the_run_is_a_parameter(connect: int) -> None:
    state = croupier.load("connect_four").new_initial_state(None, {"connect": connect})
    for x in [1, 2] * (connect - 1):
        play(state, f"column: {x}")
    play(state, "column: 1")
    assert state.outcome()["winners"] == [0]


# ---------------------------------------------------------------- three in a row
@pytest.mark.parametrize(
    ("rows", "columns", "line", "finished"),
    [(1, 3, 3, True), (3, 1, 3, True), (4, 6, 3, True), (5, 5, 5, True), (2, 2, 3, False)],
)
def test_three_in_a_row_on_any_board(rows: int, columns: int, line: int, finished: bool) -> None:
    ruleset = croupier.load("three_in_a_row")
    parameters = {"rows": rows, "columns": columns, "line": line}
    if not finished:
        with pytest.raises(croupier.RulesetError):
            ruleset.new_initial_state(2, parameters)
        return
    for players in ruleset.players:
        for seed in range(3):
            state = random_game(ruleset.new_initial_state(players, parameters), random.Random(seed))
            marks = state.observation(0)["state"]["mark"]
            mark = {
                tuple(map(int, cell.strip("()").split(","))): seat
                for cell, seat in marks.items()
                if seat is not None
            }
            steps = [(0, 1), (1, 0), (1, 1), (1, -1)]
            runs = [
                [mark.get((r + k * dr, c + k * dc)) for k in range(line)] for r, c in mark for dr, dc in steps
            ]
            winners = {run[0] for run in runs if len(set(run)) == 1}
            assert state.outcome()["winners"] == (sorted(winners) if winners else state.outcome()["winners"])
            assert len(winners) == 1 or (not winners and len(mark) == rows * columns)


# ---------------------------------------------------------------- liar's dice
def test_a_doubted_bid_is_counted_with_wild_faces() -> None:
    state = croupier.load("liars_dice").new_initial_state(2, {"dice_each": 2})
    for face in (4, 6, 2, 4):
        state.apply_action(
            next(a for a, _ in state.chance_outcomes() if state.action_to_string(-1, a).endswith(f" {face}"))
        )
    assert state.evaluate("matching(4)") == 3 and state.evaluate("matching(6)") == 1
    play(state, "3 x 4", "liar")
    assert state.returns() == [1, -1]


def test_the_dice_are_seen_by_their_owners_only() -> None:
    state = croupier.load("liars_dice").new_initial_state(2)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[4][0])
    for seat in (0, 1):
        seen = state.observation(seat)
        assert len(seen["state"]["Die.face"]) == 1
        assert seen["zones"]["cup"][f"player {2 - seat}"] == {"count": 1}
