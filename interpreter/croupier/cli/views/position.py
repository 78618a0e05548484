"""The table that a seat sees, in colours."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from croupier.diagnostics import sanitise
from croupier.table.text_drawing import Numbers, TableDrawing

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.narration import Names
    from croupier.table import View

FIRST_PRIVATE = 0xF0000  # of the characters that mean nothing


def table(
    view: View,
    names: Names,
    numbers: Numbers | None = None,
    width: int | None = None,
    *,
    spoken: bool = False,
    details: bool = False,
) -> Text:
    """The table of a view; `numbers` are those in front of the options, by action; `spoken`: boards cell by
    cell.

    `details`: with the values that rulesets leave out of it, except those that are none, no or 0.
    """
    from rich.text import Text

    text, ink = Text(), _Ink()
    drawing = TableDrawing(names, numbers or {}, width or 100, spoken, details, ink.dyed)
    for line in drawing.boards(view.boards):
        text.append_text(ink.text(line)).append("\n")
    for line in drawing.area("", view.zones, view.values):
        text.append_text(ink.text(line)).append("\n")
    for seat in sorted(view.seats, key=lambda seat: (seat.seat - (view.viewer or 0)) % view.players):
        text.append(
            f"{sanitise(names.of(seat.seat))}{drawing.standing(seat, view)}\n",
            "bold" if seat.is_acting else "",
        )
        for line in drawing.area("  ", seat.zones, seat.values, seat.seat):
            text.append_text(ink.text(line)).append("\n")
        if seat.seat == view.viewer:
            for line in drawing.known(view.known):
                text.append(f"{line}\n")
    text.rstrip()
    return text


class _Ink:
    """The colours of words while they are laid out.

    A character of a coloured word is a private one meanwhile, which stands for the character and its colour:
    so lines are filled and broken as they would be without.
    """

    def __init__(self) -> None:
        self._private: dict[tuple[str, str], str] = {}
        self._meant: dict[str, tuple[str, str]] = {}

    def dyed(self, words: str, colour: str) -> str:
        """Words in a colour (`#rrggbb`; empty: none)."""
        if not colour:
            return words
        return "".join(one if one.isspace() else self._private_of(one, colour) for one in words)

    def _private_of(self, character: str, colour: str) -> str:
        found = self._private.get((character, colour))
        if found is None:
            found = self._private[character, colour] = chr(FIRST_PRIVATE + len(self._private))
            self._meant[found] = character, colour
        return found

    def text(self, line: str) -> Text:
        """A line as it is shown."""
        from rich.text import Text

        told = Text()
        for colour, some in groupby((self._meant.get(one, (one, "")) for one in line), key=itemgetter(1)):
            told.append("".join(one for one, _ in some), f"bold {colour}" if colour else "")
        return told
