"""The shape of a catalogue entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# what several examples begin with
CARDS = "components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n"
HANDS = CARDS + "  hand: {holds: Card, per: Player}\n"
RACE = "state:\n  winner: Player? = none seen by everybody\n  score: 0..10 per Player = 0 seen by everybody\n"
SIDES = "types:\n  Side: [left, right]\nstate:\n  side: Side = left seen by everybody\n"


def play(text: str) -> str:
    """An example of rule text as a phase of a ruleset: the lines of `text`, indented."""
    return "phases:\n  play: |\n" + "".join(f"    {line}\n" for line in text.splitlines())


@dataclass(frozen=True)
class Entry:
    """Everything that is said about one code.

    `message` and `help` are templates: `{name}` stands for an argument of `diagnose`.  Lower case, names in back-ticks, no
    full stop; the problem in the message, the change in the help.  `explanation` is prose for whoever asks for more.
    `bad` and `good` are the smallest examples that show the mistake and its repair: rulesets or fragments of one.
    """

    code: str
    title: str
    message: str
    explanation: str
    bad: str = ""
    good: str = ""
    severity: Literal["error", "warning"] = "error"
    help: str | None = None
