"""The board map and the fixed layouts have the properties that the rules demand, in every ruleset and variant
that ships them.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.ruleset import Ruleset

CENTRE = (4, 4)
LOAS = ["gold", "blue", "red", "purple"]
REFERENCE = """
R P R W P B P
Y R Y R Y P Y
R P W Y W B P
W B P # B P W
B P W R W B Y
R B R Y R Y R
B P B W Y B Y
"""
LETTERS = {"Y": "gold", "B": "blue", "R": "red", "P": "purple", "W": "white", "#": None}
ICONS = {
    "O": "offering",
    "V": "point",
    "T": "turn",
    "P": "protection",
    "S": "theft",
    "X": "exchange",
    "#": None,
}
BALANCED = "SOVXTXS XVOPSVO TSPTPOV XPT#TPX VOPTPST OVSPOVX SXTXVOS"
CHAOS = "STOXSXS XPVSXPT SXSXSVO XSX#XSX OVSXSXS TPXSVPX SXSXOTS"
Map = dict[tuple[int, int], str | None]


@cache
def rules(name: str = "baron_voodoo") -> Ruleset:
    return croupier.load(name)


def parameter(name: str, of: str = "baron_voodoo") -> Map:
    """The default of a parameter that has a value for every space or none."""
    game = rules(of).game(None, None)
    given = game.to_json(game.parameters[name], game.program.params[name].type)
    return {(r, c): given.get(f"({r},{c})") for r, c in product(range(1, 8), repeat=2)}


def turned(c: tuple[int, int]) -> tuple[int, int]:
    return c[1], 8 - c[0]


@pytest.mark.parametrize(
    ("name", "loa", "white"), [("", 10, 8), ("/nine_of_each", 9, 12), ("/eight_of_each", 8, 16)]
)
def test_the_colour_map(name: str, loa: int, white: int) -> None:
    board = parameter("board_map", f"baron_voodoo{name}")
    assert [c for c, k in board.items() if k is None] == [CENTRE]
    assert Counter(k for k in board.values() if k) == {"white": white, **dict.fromkeys(LOAS, loa)}
    cycle = {k: board[turned(c)] for c, k in board.items() if k}
    assert all(board[turned(c)] == cycle[k] for c, k in board.items() if k) and cycle["white"] == "white"
    around = ["gold"]
    while cycle[around[-1]] != "gold":
        around.append(str(cycle[around[-1]]))
    assert sorted(around) == sorted(LOAS)
    assert all(
        k != board.get((r + dr, c + dc), "")
        for (r, c), k in board.items()
        if k
        for dr, dc in ((0, 1), (1, 0))
    )
    if loa == 10:
        assert Counter(board[r, c] for r in range(2, 7) for c in range(2, 7) if (r, c) != CENTRE) == {
            "white": 4,
            **dict.fromkeys(LOAS, 5),
        }


def test_the_map_is_the_reference_one() -> None:
    assert list(parameter("board_map").values()) == [LETTERS[x] for x in REFERENCE.split()]


@pytest.mark.parametrize(("name", "text"), [("balanced_layout", BALANCED), ("chaos_layout", CHAOS)])
def test_a_layout(name: str, text: str) -> None:
    icons, board = parameter(name), parameter("board_map")
    assert list(icons.values()) == [ICONS[x] for x in text.replace(" ", "")]
    assert all(icons[c] == icons[turned(c)] for c in icons)
    by_colour = {k: Counter(icons[c] for c in icons if board[c] == k) for k in LOAS}
    assert len({frozenset(count.items()) for count in by_colour.values()}) == 1
    total = Counter(i for i in icons.values() if i)
    if name == "balanced_layout":
        assert set(total.values()) == {8} and len(total) == 6
        assert by_colour["gold"] == {
            "offering": 2,
            "point": 2,
            "turn": 2,
            "theft": 2,
            "protection": 1,
            "exchange": 1,
        }
    else:
        assert total["theft"] + total["exchange"] == 32 >= 24
        assert by_colour["gold"] == {
            "theft": 3,
            "exchange": 3,
            "offering": 1,
            "point": 1,
            "turn": 1,
            "protection": 1,
        }


@pytest.mark.parametrize("layout", ["balanced", "chaos"])
def test_a_game_begins_with_the_layout(layout: str) -> None:
    state = rules(f"baron_voodoo/{layout}").new_initial_state(4)
    while state.evaluate("field[field.at(1, 1)!].empty"):
        state.apply_action(state.legal_actions()[0])
    icons, board = parameter(f"{layout}_layout"), parameter("board_map")
    field = state.observation(0)["zones"]["field"]
    assert {(int(c[1]), int(c[3])): pile for c, pile in field.items()} == {
        c: [f"{board[c]}-{icons[c]}"] if board[c] else [] for c in board
    }
    assert [state.evaluate(f"jumps(players[{p}]).size") for p in range(1, 5)] == [26] * 4


def changed(name: str, at: tuple[int, int], to: str | None) -> list[str | None]:
    return list((parameter(name) | {at: to}).values())


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"board_map": changed("board_map", (1, 1), "gold")}, "as many spaces of a colour as dice"),
    ({"board_map": changed("board_map", CENTRE, "white")}, "every space but the centre"),
    ({"board_map": changed("board_map", (1, 1), None)}, "every space but the centre"),
    (
        {"board_map": list((parameter("board_map") | {(1, 1): "purple", (1, 2): "red"}).values())},
        "a quarter turn",
    ),
    ({"centre_usable": False, "column_max": 1}, "every Loa can capture"),
    (
        {"setup_layout": "balanced", "balanced_layout": changed("balanced_layout", (1, 1), "point")},
        "a quarter turn",
    ),
    (
        {"setup_layout": "chaos", "chaos_layout": list(parameter("balanced_layout").values())},
        "half of the dice",
    ),
    (
        {"setup_layout": "chaos", "chaos_layout": changed("chaos_layout", CENTRE, "point")},
        "an icon for every coloured space",
    ),
]


@pytest.mark.parametrize(("settings", "reason"), REFUSED, ids=[f"{n}" for n in range(len(REFUSED))])
def test_what_does_not_fit_is_refused_in_words(settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesetError) as error:
        rules().new_initial_state(4, settings)
    assert any(reason in d.message for d in error.value.diagnostics), [
        d.message for d in error.value.diagnostics
    ]
