"""Events: what happened in a game, as values; their words, and the parts of words that neighbours may share.

`recorder.py` says which events there are, and who perceives them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeAlias

from croupier.diagnostics import JsonObject, Span
from croupier.records import dataclass

QUIET = "\0"  # before a text that a story leaves out; no text of a ruleset holds it


@dataclass(frozen=True, slots=True)
class Transfer:
    """A move of components as one reader perceives it: words for them, the zone they leave, the zone they
    reach.

    A zone that is not named to the reader is `None`. `taker` is the seat that draws: from a pile that is
    nobody's to a zone that only this seat sees. `player` is the seat that plays: from such a zone to a zone
    of theirs that everybody sees. Both are `None` if a player has several zones that only they see.
    """

    what: str
    source: str | None
    target: str | None
    taker: int | None = None
    player: int | None = None
    several: bool = False  # `what` is more than one

    @property
    def text(self) -> str:
        if self.source is None:
            return f"{self.what} {'come' if self.several else 'comes'} to {self.target}"
        if self.target is None:
            return f"{self.what} {'leave' if self.several else 'leaves'} {self.source}"
        return f"{self.what} {'go' if self.several else 'goes'} from {self.source} to {self.target}"


@dataclass(frozen=True, slots=True)
class Listing:
    """Words around one thing that neighbours of the same words may share; `after` says something of one
    thing, `plural` of several.
    """

    before: str
    item: str
    after: str = ""
    plural: str = ""

    @property
    def text(self) -> str:
        return f"{self.before}{self.item}{self.after}"


Shape: TypeAlias = Transfer | Listing
Words: TypeAlias = Callable[[int | None], "str | Shape | None"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: words, a kind (decision, chance, move, state, show, tell, say, group, phase,
    end), the rules it cites, and its parts.

    `shape` are the same words in their parts, where neighbours can be told together; `actor` is the seat that
    decided or claimed.
    """

    text: str
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
    def is_bookkeeping(self) -> bool:
        """True if logs leave the event out, with nothing in its place."""
        return self.quiet and not self.worded


# ---------------------------------------------------------------- ways
