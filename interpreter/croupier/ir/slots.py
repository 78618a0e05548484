"""Slots: the typed places that instructions read and write.

The first slots of a routine are those of its procedure in the typed tree, with the same numbers: parameters, locals, and hidden ones that a
statement needs while it waits. Temporaries follow. A temporary holds a value within one run between two suspensions and is never live across
one, so that it needs no place in a frame.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.semantics import types as t
from croupier.semantics.types import Type

HIDDEN: dict[str, str] = {
    "items": "the list that a loop walks",
    "at": "how far a loop has come in its list, from 0",
    "picked": "what those who choose at the same time have chosen so far: a value per player",
    "places": "what a choice of several holds so far: places of its source, from 0",
    "left": "of a draw, how many are still to come; of a roll, the components still to be rolled",
    "asked": "the players whom a window asks",
    "cursor": "how far a window has come in its list, from 0",
    "used": "the reactions that were used in an opening, by number",
    "so": "is a look-ahead block being run?",
    "viewer": "who alone saw what happened when a secret block began: a bit for each seat, or -1",
    "chain": "what `original` goes on to: the rest of the chain of overrides",
}
ROLES = {"param", "local", "temp", *HIDDEN}

SEATS = t.Int(-1, None)
COUNTER = t.Int(0, None)
PLACES = t.list_of(COUNTER)


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot: `role` is `param` (has a value when the routine begins), `local`, `temp`, or one of `HIDDEN`."""

    number: int
    name: str  # the author's; that of hidden slots begins with "$"; empty for temporaries
    type: Type
    role: str

    def __str__(self) -> str:
        return f"t{self.number}" if self.role == "temp" else f"{self.name}.{self.number}"
