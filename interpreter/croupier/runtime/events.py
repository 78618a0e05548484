"""Events: what happened in a game, as values; their words, and the parts of words that neighbours may share.

`recorder.py` says which events there are, and who perceives them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeAlias

from croupier.diagnostics import JsonObject, Span
from croupier.records import dataclass
from croupier.text import Seat, Text


@dataclass(frozen=True, slots=True)
class Transfer:
    """A move of components as one reader perceives it: words for them, the zone they leave, the zone they
    reach.

    A zone that is not named to the reader is `None`. `taker` is the seat that draws: from a pile that is
    nobody's to a zone that only this seat sees. `player` is the seat that plays: from such a zone to a zone
    of theirs that everybody sees. Both are `None` if a player has several zones that only they see.
    """

    what: Text
    source: Text | None
    target: Text | None
    taker: int | None = None
    player: int | None = None
    several: bool = False  # `what` is more than one
    is_open: bool = False  # everybody knows which components these are

    @property
    def text(self) -> Text:
        if self.source is None:
            assert self.target is not None
            return Text.of(self.what, " come to " if self.several else " comes to ", self.target)
        if self.target is None:
            return Text.of(self.what, " leave " if self.several else " leaves ", self.source)
        go = " go from " if self.several else " goes from "
        return Text.of(self.what, go, self.source, " to ", self.target)


@dataclass(frozen=True, slots=True)
class Listing:
    """Words around one thing that neighbours of the same words may share; `after` says something of one
    thing, `plural` of several.
    """

    before: Text
    item: Text
    after: str = ""
    plural: str = ""

    @property
    def text(self) -> Text:
        return Text.of(self.before, self.item, self.after)


@dataclass(frozen=True, slots=True)
class Silent:
    """A text that logs leave out."""

    text: Text


@dataclass(frozen=True, slots=True)
class MadeClaim:
    """A claim as it was made: its name in the rules, and the values of its fields."""

    name: str
    values: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """What a seat decided or claimed: the seat, and the words of what it chose.

    `told` are the author's words for the log, if there are any; where they are empty, the log says nothing.
    `is_refusal`: what the words name was not done. `claim`: the claim, if it is one.
    """

    seat: int
    label: Text
    told: Text | None = None
    is_refusal: bool = False
    claim: MadeClaim | None = None

    @property
    def text(self) -> Text:
        return self.told or Text.of(Seat(self.seat), ": ", self.label)

    @property
    def is_unsaid(self) -> bool:
        """True if the author wants the log to say nothing."""
        return self.told is not None and not self.told


@dataclass(frozen=True, slots=True)
class Change:
    """A variable, or one entry of it, has a new value: words, and what it is of.

    `entry` is the number of the variable and the index of the entry (`None`: the variable has no entries).
    """

    text: Text
    entry: tuple[int, int | None]
    is_said: bool = False  # in words of the author


@dataclass(frozen=True, slots=True)
class Outcome:
    """What chance chose, in the words of the rules; `told` as in `Deed`."""

    label: Text
    told: Text | None = None

    @property
    def text(self) -> Text:
        return self.told or Text.of("by chance: ", self.label)

    @property
    def is_unsaid(self) -> bool:
        """True if the author wants the log to say nothing."""
        return self.told is not None and not self.told


Shape: TypeAlias = Transfer | Listing | Deed | Change | Outcome
Words: TypeAlias = Callable[[int | None], "Text | Shape | Silent | None"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: words, a kind (decision, chance, move, state, show, tell, say, group, phase,
    end), the rules it cites, and its parts.

    `shape` are the same words in their parts, where neighbours can be told together; `actor` is the seat that
    decided or claimed.
    """

    text: Text
    kind: str
    rules: tuple[str, ...]
    data: JsonObject = field(default_factory=dict, compare=False)
    quiet: bool = False  # bookkeeping, which logs leave out
    # the clause that it follows from: for the referee, or of the end
    span: Span | None = field(default=None, compare=False, repr=False)
    shape: Shape | None = field(default=None, compare=False, repr=False)
    actor: int | None = field(default=None, compare=False, repr=False)
    # quiet, because words of its statement tell it
    worded: bool = field(default=False, compare=False, repr=False)
    # of a group of phases: how many such groups are around it
    level: int = field(default=0, compare=False, repr=False)
    # it happened while what happened was not for everybody
    is_secret: bool = field(default=False, compare=False, repr=False)
    # the reader was shown or told it, and not everybody was
    is_private: bool = field(default=False, compare=False, repr=False)
    # every seat knows which components the words name
    is_open: bool = field(default=False, compare=False, repr=False)
    # it stands for the decision before it, too, which said no more
    is_choice: bool = field(default=False, compare=False, repr=False)
    # the construct that asked for a decision
    asked_at: Span | None = field(default=None, compare=False, repr=False)
    # the entry of the history that it follows from; -1 before the first
    step: int = field(default=-1, compare=False, repr=False)
    # the phase that began last; empty before the first
    phase: str = field(default="", compare=False, repr=False)

    def is_like(self, other: Event) -> bool:
        """Return whether two events are the same in every part."""
        return self == other and all(
            getattr(self, name) == getattr(other, name)
            for name in ("shape", "data", "actor", "worded", "level", "span")
        )

    @property
    def is_said(self) -> bool:
        """True if the words are the author's, or those of a decision: the others tell where something went,
        or what a variable is now.
        """
        match self.shape:
            case Change() as change:
                return change.is_said
            case Transfer():
                return self.is_choice
            case Listing():
                return self.kind == "show"
        return True

    @property
    def is_cited_by_neighbours(self) -> bool:
        """True if the log says nothing of the event because the author has other words for it, or none: its
        rules stand with what is told beside it.
        """
        return self.worded or (isinstance(self.shape, Deed | Outcome) and self.shape.is_unsaid)

    @property
    def is_bookkeeping(self) -> bool:
        """True if logs leave the event out, with nothing in its place."""
        return self.quiet and not self.worded
