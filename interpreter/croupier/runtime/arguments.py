"""Tests of what callers give: actions, seats, seeds and texts.

They are tested here, once, before anything happens, on every back end alike. A whole number is whatever
`operator.index` takes, so those of NumPy too; from here on it is an `int`. A float, a text or `None` is no
number.
"""

from __future__ import annotations

from operator import index

from croupier.runtime.faults import IllegalAction
from croupier.runtime.streams import LARGEST_GAME, LARGEST_SEED

SPECTATOR = -6
"""The view of somebody who sits at no seat; a number that stands for nobody in OpenSpiel."""


def number(value: object) -> int | None:
    """Return a whole number as `int`; `None` for anything else."""
    try:
        return int(index(value))  # type: ignore[arg-type]
    except TypeError:
        return None


def action_of(value: object) -> int:
    """An action. Raises `IllegalAction` for what is no whole number."""
    found = number(value)
    if found is None:
        raise IllegalAction(f"actions are whole numbers, not {shown(value)}")
    return found


def option_of(value: object) -> int:
    """An action that something may be called by: from 0. Raises `IllegalAction`."""
    found = action_of(value)
    if found < 0:
        raise IllegalAction(f"{found} is no action here")
    return found


def seat_of(value: object, players: int, *others: int) -> int:
    """A seat from 0, or one of the `others` that a call takes beside them.

    Raises ValueError for anything else.
    """
    found = number(value)
    if found is None or not (0 <= found < players or found in others):
        seats = f"0 to {players - 1}" if players > 2 else " or ".join(map(str, range(players)))
        raise ValueError(f"seat must be {seats}, got {shown(value)}")
    return found


def viewer_of(value: object, players: int) -> int | None:
    """Return the reader for the recorder and observations: a seat, `None` for the referee, `players` for a
    spectator.

    Raises ValueError.
    """
    if value is None:
        return None
    seat = seat_of(value, players, SPECTATOR)
    return players if seat == SPECTATOR else seat


def keys_of(seed: object, game: object) -> tuple[int, int]:
    """The seed of a run and the number of a game. Raises ValueError for others than there are."""
    found, count = number(seed), number(game)
    if found is None or not 0 <= found <= LARGEST_SEED:
        raise ValueError(f"a seed is a whole number from 0 to {LARGEST_SEED}, not {shown(seed)}")
    if count is None or not 1 <= count <= LARGEST_GAME:
        raise ValueError(f"games are counted from 1 to {LARGEST_GAME}, not {shown(game)}")
    return found, count


def text_of(value: object, what: str) -> str:
    """A text. Raises ValueError for anything else."""
    if not isinstance(value, str):
        raise ValueError(f"{what} is a text, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """A wrong value in a message, cut short."""
    words = repr(value)
    return f"`{words[:60]}…`" if len(words) > 60 else f"`{words}`"


def several(seats: list[int]) -> str:
    """Seats in words: `seat 0`, `seats 0 and 1`, `seats 0, 1 and 2`."""
    *first, last = map(str, seats)
    return f"seats {', '.join(first)} and {last}" if first else f"seat {last}"
