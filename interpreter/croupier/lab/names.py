"""Names of measures and columns for programs: what is of one seat ends in `_seatN`, and N counts from 0.

People read `wins of player 1`, and `points[me] of player 1` of a measure that says `me`; programs
`wins_seat0` and `points[me]_seat0`.
"""

from __future__ import annotations

import re

from croupier.text import Seat, Text

_OF_SEAT = re.compile(r"(.+)_seat(\d+)", re.DOTALL)


def of_seat(name: str, seat: int) -> str:
    """Return the name for programs of a figure of one seat, from 0."""
    return f"{name}_seat{seat}"


def of_player(name: str, seat: int) -> Text:
    """Return the name for people of a figure of one seat, from 0."""
    return Text.of(name, " of ", Seat(seat))


def seat_of(name: str) -> int | None:
    """Return the seat of a figure by its name for people (`of_player`); `None` if it is of no seat."""
    last = name.parts[-1] if isinstance(name, Text) and len(name.parts) > 1 else None
    return last.seat if isinstance(last, Seat) else None


def for_programs(name: str) -> str:
    """The name that programs read, of one that people read."""
    seat = seat_of(name)
    if seat is None or not isinstance(name, Text):
        return str(name)
    return of_seat(Text.of(*name.parts[:-1]).removesuffix(" of "), seat)


def for_people(name: str) -> str:
    """The name that people read, of one that programs read."""
    what, seat = parts_of(name)
    return name if seat is None else of_player(what, seat)


def parts_of(name: str) -> tuple[str, int | None]:
    """Return the name without its seat, and the seat, from 0; `None` if the name is of no seat."""
    found = _OF_SEAT.fullmatch(name)
    return (name, None) if found is None else (found[1], int(found[2]))
