"""The links and keys of the seats of a table: given out, exchanged, issued again, revoked.

A link is for one browser: whoever opens it first gets a key for the seat, in a cookie, and the link is used
up. So whoever made the table, and gave the links out, cannot sit down where somebody else does. They can
issue the link of a seat again, which takes the seat from whoever has it, and all at the table are told; or
revoke it. Whoever sits somewhere can get one more link for the same seat, for another device.

Spectators share one link, which is not used up. The same holds for the links of a table that an earlier
version made, as nobody could issue those again. The store has SHA-256 of links and keys, not these
themselves.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from croupier.server.refusals import RefusedRequest
from croupier.server.seat_keys import SeatKeys

if TYPE_CHECKING:
    from croupier.server.store import Entry, TableStore

SPECTATOR_SEAT = -1
MAKER = -2  # among the tokens of a table that of whoever made it
TOKEN_BYTES = 24
MAX_KEYS = 8  # of a seat: the devices that somebody plays on; the oldest goes


def hashed(token: str) -> str:
    """The SHA-256 of a token: what the store keeps of it."""
    return hashlib.sha256(token.encode(errors="surrogatepass")).hexdigest()


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


@dataclass
class TableKeys:
    """The links and keys of one table, by seat. `maker` is the hash of the key of whoever made it; empty for
    a table of an earlier version.
    """

    seats: dict[int, SeatKeys]
    maker: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def seat_of(self, token: str) -> int | None:
        """Return the seat of a key, or of a link that nobody has used; `None` for anything else."""
        given = hashed(token)
        return next(
            (seat for seat, known in self.seats.items() if _is_one(given, (known.link, *known.keys))), None
        )

    def used_for(self, token: str) -> int | None:
        """Return the seat of a link that is used up."""
        given = hashed(token)
        return next((seat for seat, known in self.seats.items() if _is_one(given, known.used)), None)

    def is_maker(self, token: str) -> bool:
        """Tell whether this is the key of whoever made the table."""
        return _is_one(hashed(token), (self.maker,))

    def has_shared_link(self, seat: int) -> bool:
        """Tell whether several may use the link of a seat."""
        return seat == SPECTATOR_SEAT or not self.maker


def _is_one(given: str, known: Iterable[str]) -> bool:
    return any(hmac.compare_digest(given, one) for one in known if one)


class Keys:
    """The links and keys of all tables, in the store.

    When a method returns, what it changed is on the disk.
    """

    def __init__(self, store: TableStore) -> None:
        self.store = store

    def of(self, entry: Entry) -> TableKeys:
        """The links and keys of a table as they are in the store."""
        tokens: Mapping[int, str] = entry.tokens
        seats = {seat: SeatKeys(link) for seat, link in tokens.items() if seat != MAKER}
        seats |= self.store.seat_keys(entry.id)
        return TableKeys(seats, tokens.get(MAKER, ""))

    def exchange(self, table: str, keys: TableKeys, token: str) -> tuple[int, str]:
        """Open a link; the seat, and the key to it. Raises `RefusedRequest` for what is no link."""
        with keys.lock:
            seat = keys.seat_of(token)
            if seat is None:
                if keys.used_for(token) is not None:
                    raise RefusedRequest(
                        "this link has been used, and somebody sits there; whoever does, or made the table, "
                        "can issue another one",
                        403,
                    )
                raise RefusedRequest("this link is for no seat at this table", 403)
            known = keys.seats[seat]
            if keys.has_shared_link(seat) or not _is_one(hashed(token), (known.link,)):
                return seat, token
            key = new_token()
            changed = replace(
                known,
                link="",
                keys=(*known.keys, hashed(key))[-MAX_KEYS:],
                used=(*known.used, known.link)[-MAX_KEYS:],
            )
            self._set(table, keys, seat, changed)
            return seat, key

    def issue(self, table: str, keys: TableKeys, seat: int, *, anew: bool) -> str:
        """Make a link for a seat, which replaces the one before; `anew` by whoever made the table, which
        takes the seat from whoever has it.

        Raises `RefusedRequest` for a seat of no person.
        """
        with keys.lock:
            known = _seat(keys, seat)
            token = new_token()
            if anew:
                changed = SeatKeys(hashed(token), issued=known.issued + 1)
            else:
                changed = replace(known, link=hashed(token))
            self._set(table, keys, seat, changed)
            return token

    def revoke(self, table: str, keys: TableKeys, seat: int) -> None:
        """Let nobody sit at a seat until its link is issued again.

        Raises `RefusedRequest` for a seat of no person.
        """
        with keys.lock:
            self._set(table, keys, seat, SeatKeys("", issued=_seat(keys, seat).issued))

    def _set(self, table: str, keys: TableKeys, seat: int, changed: SeatKeys) -> None:
        try:
            self.store.set_seat_keys(table, seat, changed)
        except sqlite3.IntegrityError:  # somebody has removed the table
            raise RefusedRequest("there is no such table", 404) from None
        keys.seats[seat] = changed


def _seat(keys: TableKeys, seat: int) -> SeatKeys:
    if seat not in keys.seats:
        raise RefusedRequest("no person sits there")
    return keys.seats[seat]
