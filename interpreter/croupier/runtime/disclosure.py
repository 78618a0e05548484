"""What an answer discloses, and what a reader has perceived of a statement that runs: values that a machine
shares with those whom it tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from enum import Enum
from typing import TypeAlias

from croupier.records import dataclass
from croupier.runtime.events import MadeClaim
from croupier.text import Text

Words: TypeAlias = Callable[[], str]
Sentence: TypeAlias = Callable[[], "Text | None"]
"""The author's sentence about a decision, as `m.observer` reads it; `None` without one."""


def no_sentence() -> Text | None:
    """The author has no sentence for a decision."""
    return None


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """What is said of an answer: the words of its option, and the author's sentence."""

    words: Words
    sentence: Sentence = no_sentence


Pick: TypeAlias = tuple[int, AnswerWords]
"""A seat, and what is said of what it chose."""


class DisclosedTo(Enum):
    """Who learns of an answer, besides whoever gave it and the referee."""

    ALL = "all"
    KNOWING = "those who know what is on offer"
    UNKNOWING = "those who do not"
    NOBODY = "nobody else"


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What others learn of an answer.

    `words` stand for those of the option. `component` is what was chosen, if no words of the rules say it; it
    `is_used`, or only picked. A refusal names what was not done. A `claim` is something said, instead of
    something decided. `picks` are the choices of all, if this was the last one of them.
    """

    audience: DisclosedTo = DisclosedTo.ALL
    words: Words | None = None
    component: int | None = None
    is_used: bool = False
    is_refusal: bool = False
    claim: MadeClaim | None = None
    picks: Sequence[Pick] = ()


PLAIN = Disclosure()
"""An answer that all learn of, in the words of its option."""


Level: TypeAlias = tuple[bool, int, int]
"""How deep a statement runs (`wording.level`)."""


@dataclass
class WordedStatement:
    """A statement with words of its own that runs: what one reader has perceived of it so far."""

    event_audience: int | None
    cites: tuple[str, ...]
    level: Level
    kind: str = ""  # of its last event; empty: nothing was perceived
    after: int = 0  # how many events there are up to its last one
    moved: tuple[int, ...] = ()
    named: frozenset[int] = frozenset()  # the components that its events name to the reader
    entries: tuple[tuple[int, int | None], ...] = ()  # of state that it changed
    picked: int | None = field(default=None)  # the event of a decision that said no more than what moves now
    needed: tuple[str, ...] = ()  # if the words hold all of these
