"""Random games whose copies go on alike, what each seat learns of a window, and of a card that it never
saw.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import croupier
from lasting import lasting_game

RULESET = croupier.load(Path(__file__).parent / "with_artefacts.yaml")
HANDS = {"starting_curses": 3}
SETTINGS: list[tuple[int, dict[str, Any]]] = [
    (3, {"victory_points": 5, "skull_positions": [3]}),
    (4, HANDS | {"victory_points": 5, "skull_positions": [3]}),
    (5, HANDS | {"compliance_mode": "decide", "victory_points": 5, "skull_positions": [1, 2, 3]}),
    (
        6,
        HANDS
        | {
            "compliance_mode": "chance",
            "target_lock": False,
            "star_is_wild": True,
            "victory_points": 6,
            "skull_positions": [3],
        },
    ),
    (
        3,
        HANDS
        | {
            "permanent_denounce": "automatic",
            "skull_retrigger": "once",
            "refused_curse_scores": False,
            "victory_points": 5,
            "skull_positions": [3],
        },
    ),
    (
        4,
        {
            "reroll_cost": 2,
            "draw_cost_curse": 1,
            "draw_cost_artefact": 1,
            "voluntary_pass": False,
            "victory_points": 5,
            "skull_positions": [3],
        },
    ),
]


CASES = [
    pytest.param(n, *setting, marks=() if n == 1 and i == 5 else pytest.mark.soak)
    for i, setting in enumerate(SETTINGS)
    for n in (1, 2, 3)
]


@pytest.mark.parametrize(("seed", "players", "parameters"), CASES)
def test_copies_at_every_node(seed: int, players: int, parameters: dict[str, Any]) -> None:
    state = lasting_game(RULESET, players, parameters, seed)
    assert state.outcome()["status"] == "finished", state.outcome()


# ---------------------------------------------------------------- what is learnt in a window
def dealt(curses: list[str], artefacts: list[str], faces: str) -> Any:
    """The first turn of three players after the first roll, with these cards dealt in the order of the
    seats.
    """
    state = RULESET.new_initial_state(3, {"compliance_mode": "decide", "voluntary_pass": True})
    say(state, "player 1")
    for curse, artefact in zip(curses, artefacts, strict=True):
        say(state, curse, artefact)
    for face in faces.split():
        state.apply_action(
            next(
                a
                for a, _ in state.chance_outcomes()
                if state.action_to_string(-1, a).endswith(f"shows {face}")
            )
        )
    return state


def say(state: Any, *words: str) -> None:
    """Choose what is said; before it, what leaves no choice."""
    for w in words:
        while w not in options(state) and len(state.legal_actions()) == 1:
            state.apply_action(state.legal_actions()[0])
        state.apply_action(state.string_to_action(state.current_player(), w))


def options(state: Any) -> list[str]:
    return [state.action_to_string(state.current_player(), a) for a in state.legal_actions()]


def test_nobody_learns_that_somebody_could_have_reacted() -> None:
    """B holds a card for this window and declines, or holds none for it: nobody but B can tell."""
    held = dealt(
        ["Ewivam!", "Knocturnus", "Itchibus"],
        ["Linea di Sale", "Ghirlanda d'Aglio", "Folletto Appiccicoso"],
        "PUMPKIN SKULL BAT BAT BAT",
    )
    other = dealt(
        ["Ewivam!", "Knocturnus", "Itchibus"],
        ["Linea di Sale", "Lettera di Grazia", "Folletto Appiccicoso"],
        "PUMPKIN SKULL BAT BAT BAT",
    )
    for state in (held, other):
        say(state, "cast Ewivam! on player 2", "pay: PUMPKIN", "pay: SKULL")
    assert held.current_player() == 1 and options(held) == ["no", "Ghirlanda d'Aglio"]
    assert other.current_player() == 0
    for seat in (0, 2):
        told = held.events(seat)
        assert told == other.events(seat)[: len(told)], "who waits for an answer tells nothing"
    say(held, "no")
    assert held.current_player() == 0
    assert [held.information_state(p) for p in (0, 2)] == [other.information_state(p) for p in (0, 2)]
    assert any(e.text == "player 2: decline “Ghirlanda d'Aglio”" for e in held.events(1))


def test_everybody_learns_of_a_reaction() -> None:
    state = dealt(
        ["Ewivam!", "Knocturnus", "Itchibus"],
        ["Linea di Sale", "Ghirlanda d'Aglio", "Folletto Appiccicoso"],
        "PUMPKIN SKULL BAT BAT BAT",
    )
    say(state, "cast Ewivam! on player 2", "pay: PUMPKIN", "pay: SKULL", "Ghirlanda d'Aglio")
    for seat in range(3):
        assert any("Ghirlanda d'Aglio goes from" in e.text for e in state.events(seat))
        assert state.observation(seat)["zones"]["discard_pile"] == ["Ghirlanda d'Aglio"]


def test_nothing_is_said_twice() -> None:
    """A refused curse was shown as it was cast; a lapse and who denounces it are decisions that all have
    read.
    """
    state = dealt(
        ["Ewivam!", "Knocturnus", "Itchibus"],
        ["Linea di Sale", "Ghirlanda d'Aglio", "Folletto Appiccicoso"],
        "PUMPKIN SKULL BAT BAT BAT",
    )
    say(state, "cast Ewivam! on player 2", "pay: PUMPKIN", "pay: SKULL", "Ghirlanda d'Aglio")
    assert [e.text for e in state.events(2)].count("everybody sees Ewivam! (the curses of player 1)") == 1
    state = dealt(
        ["Ewivam!", "Knocturnus", "Itchibus"],
        ["Linea di Sale", "Folletto Appiccicoso", "Ghirlanda d'Aglio"],
        "PUMPKIN SKULL BAT BAT BAT",
    )
    say(
        state,
        "cast Ewivam! on player 2",
        "pay: PUMPKIN",
        "pay: SKULL",
        "pass",
        "lapse: Ewivam!",
        "denounce Ewivam!",
    )
    for seat in (None, 0, 1, 2):
        lines = [e.text for e in state.events(seat) if not e.quiet]
        told = lines[lines.index("player 2 ignores Ewivam!") :]
        assert told == [
            "player 2 ignores Ewivam!",
            "player 1 denounces player 2 for Ewivam!",
            "player 1 scores 1 and is at 2",
            "Ewivam! goes under the deck",
            "first roll",
        ]


def test_a_hand_is_shown_to_one() -> None:
    """A looks at B's hand and takes a card: C learns that a card was taken, and never which."""
    told = []
    for curse in ("Knocturnus", "Snapdragonis"):
        state = dealt(
            ["Ewivam!", curse, "Itchibus"],
            ["Corvo Spione", "Linea di Sale", "Folletto Appiccicoso"],
            "BAT GHOST BAT BAT BAT",
        )
        say(state, "Corvo Spione", "look at the hand of player 2")
        assert any(curse in e.text and e.kind == "show" for e in state.events(0))
        assert options(state) == ["no", f"take {curse}"]
        say(state, f"take {curse}", "Rigor Elbowtis")
        assert curse in state.observation(0)["zones"]["curses"]["player 1"]
        assert state.observation(1)["zones"]["curses"] == {
            "player 1": {"count": 2},
            "player 2": ["Rigor Elbowtis"],
            "player 3": {"count": 1},
        }
        assert any(f"{curse} goes from" in e.text for e in state.events(1))
        told.append(state.information_state(2))
    assert told[0] == told[1]
    assert "a Curse goes from the curses of player 2 to the curses of player 1" in told[0]


# ---------------------------------------------------------------- what cannot be seen does not matter
def recorded(seed: int, steps: int) -> tuple[Any, list[tuple[int, str]]]:
    """Part of a random game: who did what, in words (seat -1: chance)."""
    rng = random.Random(seed)
    state = RULESET.new_initial_state(4, {"starting_curses": 2, "victory_points": 30})
    said: list[tuple[int, str]] = []
    while len(said) < steps or state.current_player() < 0 or "pass" not in options(state):
        seat = state.current_player()
        action = rng.choice(state.chance_outcomes())[0] if seat < 0 else rng.choice(state.legal_actions())
        said.append((seat, state.action_to_string(seat, action)))
        state.apply_action(action)
    return state, said


def retold(said: list[tuple[int, str]], one: str, other: str) -> Any:
    """The same game with two cards exchanged.

    Who is offered a reaction now, and was not before, declines; and the other way round.
    """
    state = RULESET.new_initial_state(4, {"starting_curses": 2, "victory_points": 30})
    for seat, words in said:
        words = words.replace(one, "\0").replace(other, one).replace("\0", other)
        while state.current_player() != seat and state.current_player() >= 0 and "no" in options(state):
            say(state, "no")
        if state.current_player() != seat and words == "no":
            continue
        assert state.current_player() == seat, "the games part"
        say(state, words)
    while "no" in options(state):
        say(state, "no")
    return state


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in range(1, 6))])
def test_a_card_that_a_seat_never_saw_makes_no_difference_to_it(seed: int) -> None:
    """Two cards are exchanged, one in another's hand and one in the deck: this seat's information is the
    same, byte for byte.
    """
    state, said = recorded(seed, 150 + 40 * seed)
    found = 0
    zones = state.observation(None)["zones"]
    for kind, deck in (("curses", "curse_deck"), ("artefacts", "artefact_deck")):
        for q in range(4):
            for held in zones[kind][f"player {q + 1}"][:1]:
                for p in (p for p in range(4) if p != q):
                    before = state.information_state(p)
                    other = next((c for c in zones[deck] if c not in before), None)
                    if held in before or other is None:
                        continue
                    again = retold(said, held, other)
                    assert held not in again.information_state(p)
                    assert again.information_state(p) == before
                    assert again.information_state(q) != state.information_state(q)
                    found += 1
    assert found > 0
