"""The history of a state as somebody perceives it: played again by the evaluator, and kept, so that a longer history goes on from there."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from croupier.runtime.machine import Machine
from croupier.runtime.recorder import Recorder

MANY = 1_000  # options that are rather worked out again than kept
Resume = Callable[[Machine, Any], None]  # plays on with what one entry of a history says


class Telling:
    """What was told up to a place in a history. States that are copies of one another share it, until one of them goes on: that one takes a copy."""

    def __init__(self, machine: Machine, recorder: Recorder) -> None:
        self.machine, self.recorder = machine, recorder
        self.told = 0  # entries of the history
        self.is_shared = False
        self._text = ""  # what was told up to here, a line for each event and offer, and how many of both those are
        self._events = self._offers = 0

    def copy(self) -> Telling:
        recorder = copy.copy(self.recorder)
        recorder.events, recorder.offers = recorder.events[:], recorder.offers[:]
        other = Telling(self.machine.copy(), recorder)
        other._text, other._events, other._offers = self._text, self._events, self._offers
        other.machine.recorder, other.told = recorder, self.told
        return other

    def up_to(self, history: Sequence[Any], resume: Resume) -> Telling:
        """The telling of a history that begins with what was told."""
        if self.told == len(history):
            return self
        going_on = self.copy() if self.is_shared else self
        for entry in history[self.told :]:
            resume(going_on.machine, entry)
            going_on.told += 1
        offer = going_on.machine.offer
        if offer is not None and len(offer) > MANY:
            going_on.machine.offer = None
        return going_on

    def text(self) -> str:
        """All that was told and offered, a line each; only what is new is put into words."""
        events, offers, lines = self.recorder.events, self.recorder.offers, list[str]()
        for at in range(self._events, len(events) + 1):
            while self._offers < len(offers) and offers[self._offers][0] == at:
                lines.append(f"offered: {offers[self._offers][1]}\n")
                self._offers += 1
            if at < len(events):
                lines.append(f"{events[at].kind}: {events[at].text}\n")
        self._events = len(events)
        self._text += "".join(lines)
        return self._text


def offer_line(asked: dict[str, Any]) -> str:
    """A decision and its options (`Node.asked`) on a line."""
    return f"{asked['asks']}: {', '.join(f'{action} {words}' for action, words in asked['options'].items())}"


__all__ = ["Telling", "offer_line"]
