"""The vocabulary of facts: what a form of statements does by itself, without the blocks in it and what it
calls.

A class of statements declares one value of `Facts`. What depends on the operands of one statement (which
place it writes, whether a choice is by everybody) is a method of the class, in `kernel/tree.py`.
"""

from __future__ import annotations

from enum import Enum

from croupier.records import dataclass


class Writes(Enum):
    """What a statement changes."""

    NOTHING = "nothing"
    PLACE = "place"  # its `target`: a local, a variable of the state, an attribute, an entry of these
    ZONES = "zones"  # what lies where, in the zones that its operands `zones` are or lie in
    ATTRIBUTES = "attributes"  # attributes of the components that are its first operand


class Tells(Enum):
    """What a statement discloses to somebody."""

    NOTHING = "nothing"
    WORDS = "words"  # a text, with what it reads
    COMPONENTS = "components"  # the components that are its first operand
    CHOICES = "choices"  # what several players chose in secret


class Waits(Enum):
    """Whom a statement asks. What asks somebody is a suspension point."""

    NEVER = "never"
    SEAT = "seat"
    SEATS = "seats"  # each who may react
    CHANCE = "chance"


class Leaves(Enum):
    """How far control goes from a statement, instead of to the one behind it."""

    NOTHING = "nothing"
    ROUND = "round"  # to the next round of the loop around it
    LOOP = "loop"
    PROCEDURE = "procedure"
    GAME = "game"


class Hides(Enum):
    """What of a statement not everybody perceives."""

    NOTHING = "nothing"
    EVENTS = "events"  # what happens in its blocks
    TRIAL = "trial"  # that its blocks run at all: they run on a copy of the game
    ANSWERS = "answers"  # what somebody answers, or that they might have answered


@dataclass(frozen=True, slots=True)
class Facts:
    """What a form does by itself. A form that declares nothing only reads and goes on."""

    writes: Writes = Writes.NOTHING
    zones: tuple[int, ...] = ()  # the operands whose zones change
    into: tuple[int, ...] = ()  # those of them that something may come to
    tells: Tells = Tells.NOTHING
    waits: Waits = Waits.NEVER
    leaves: Leaves = Leaves.NOTHING
    hides: Hides = Hides.NOTHING
    pauses: bool = False  # a table waits at its end, whoever acts in it
    loops: bool = False  # its block may run again
    once: bool = False  # its block always runs, and once
    calls: bool = False  # its last operand may be a call that acts, asks or draws
    noun: str = ""  # what messages call it where it may not stand
    ahead: str | None = None  # why it may not stand in a look-ahead: what messages call it there

    @property
    def suspends(self) -> bool:
        """Tell whether it asks a seat or chance."""
        return self.waits is not Waits.NEVER

    @property
    def stops(self) -> bool:
        """Tell whether it may stand only where decisions may: it asks somebody, or a table waits at its end,
        which is no suspension point.
        """
        return self.suspends or self.pauses

    @property
    def asks(self) -> bool:
        """Tell whether it asks a seat."""
        return self.waits in (Waits.SEAT, Waits.SEATS)

    @property
    def acts(self) -> bool:
        """Tell whether it changes the game or tells something, wherever it stands; to write a place may
        change no more than a local.
        """
        moves = self.writes in (Writes.ZONES, Writes.ATTRIBUTES)
        return moves or self.tells is not Tells.NOTHING or self.leaves is Leaves.GAME

    @property
    def only_tells(self) -> bool:
        """Tell whether it discloses something to somebody, and changes nothing."""
        return self.tells is not Tells.NOTHING and self.writes is Writes.NOTHING

    @property
    def exits(self) -> bool:
        """Tell whether control never goes on behind it."""
        return self.leaves is not Leaves.NOTHING

    @property
    def is_quiet(self) -> bool:
        """Tell whether it changes nothing but a place, stops nowhere, and everybody perceives its blocks."""
        moves = self.writes in (Writes.ZONES, Writes.ATTRIBUTES)
        return not (moves or self.stops or self.leaves is Leaves.GAME or self.hides is not Hides.NOTHING)
