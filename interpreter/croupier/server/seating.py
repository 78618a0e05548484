"""Whose a request is: the seat that its tab names, and the keys that its browser holds.

A browser may hold several seats of a table. It has a cookie for each, which no script reads; a tab knows only
which seat it is at, and names it in the address: `?seat=0`, `?seat=watch`. The cookie of that seat proves it.
A request that names no seat is for the one seat that its browser holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs

from croupier.server.keys import SPECTATOR_SEAT
from croupier.server.refusals import RefusedRequest

WATCH = "watch"  # what a tab that looks on calls its seat
COOKIE = "seat"  # the name of a cookie is this, or this with `-` and what tabs call the seat
MAKER_COOKIE = "maker"
MAX_DIGITS = 3  # of a seat in an address

SeatOf = Callable[[str], int | None]
"""The seat of a key, `SPECTATOR_SEAT` for a spectator's; `None` for a key of nothing here."""


@dataclass(frozen=True)
class Browser:
    """The seat that a tab names (`None`: none), and the cookies of its browser for this table, by name;
    `maker` is the key of whoever made it, empty without.
    """

    named: int | None
    cookies: Mapping[str, str]
    maker: str = ""


@dataclass(frozen=True)
class Seated:
    """A seat, `SPECTATOR_SEAT` for a spectator, and the key that proves it."""

    seat: int
    key: str


def browser_of(query: str, cookies: str) -> Browser:
    """Return what a request says of its seat: `query` is that of its address, `cookies` the header.

    Raises `RefusedRequest` for a seat that is no seat of any game.
    """
    named = parse_qs(query).get("seat", [None])[0]
    pairs = [one.strip().partition("=") for one in cookies.split(";")]
    kept = {name: value for name, _, value in pairs if name == COOKIE or name.startswith(f"{COOKIE}-")}
    maker = next((value for name, _, value in pairs if name == MAKER_COOKIE), "")
    return Browser(None if named is None else _seat_called(named), kept, maker)


def _seat_called(word: str) -> int:
    if word == WATCH:
        return SPECTATOR_SEAT
    if not word.isascii() or not word.isdecimal() or len(word) > MAX_DIGITS:
        raise RefusedRequest("there is no such seat")
    return int(word)


def cookie_name(seat: int) -> str:
    """The name of the cookie of a seat."""
    return f"{COOKIE}-{WATCH if seat == SPECTATOR_SEAT else seat}"


def held(browser: Browser, seat_of: SeatOf) -> dict[int, str]:
    """Return the keys of the seats of a table that a browser holds, by seat, rising; -1 is looking on."""
    found: dict[int, str] = {}
    for key in dict.fromkeys(browser.cookies.values()):
        seat = seat_of(key)
        if seat is not None:
            found[seat] = key
    return dict(sorted(found.items()))


def players_among(seats: Mapping[int, str]) -> list[int]:
    """The seats that play, without looking on."""
    return [seat for seat in seats if seat != SPECTATOR_SEAT]


def seated(browser: Browser, seat_of: SeatOf, names: Sequence[str]) -> Seated:
    """Return the seat of a request; `names` are those of the players, for a question.

    Whoever holds a seat may look on, too. Raises `RefusedRequest` where the browser does not hold the seat
    that is named, or holds several and none is named.
    """
    if browser.named is not None:
        key = browser.cookies.get(cookie_name(browser.named))
        if key is not None and seat_of(key) == browser.named:
            return Seated(browser.named, key)
    known = held(browser, seat_of)
    if browser.named == SPECTATOR_SEAT and known:
        return Seated(SPECTATOR_SEAT, next(iter(known.values())))
    if browser.named is not None and browser.named in known:
        return Seated(browser.named, known[browser.named])
    if browser.named is not None and known:
        raise RefusedRequest("this browser does not hold that seat; open its link", 403)
    if len(known) > 1:
        details = {"held": players_among(known), "names": tuple(names)}
        raise RefusedRequest("this browser holds several seats of this table; say which", 409, details)
    if not known:
        raise RefusedRequest("open the link of your seat first", 403)
    return Seated(*next(iter(known.items())))
