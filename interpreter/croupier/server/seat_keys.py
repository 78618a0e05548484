"""The link and the keys of one seat, as the store has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

LinkState = Literal["open", "taken", "revoked"]


@dataclass(frozen=True)
class SeatKeys:
    """The link and the keys of a seat, as hashes; `used` are links that were exchanged for these keys.

    `link` is empty where there is none that could be opened. `issued` is how often whoever made the table
    issued the link again.
    """

    link: str
    keys: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    issued: int = 0

    @property
    def state(self) -> LinkState:
        if self.keys:
            return "taken"
        return "open" if self.link else "revoked"
