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

    def copy(self) -> Telling:
        recorder = copy.copy(self.recorder)
        recorder.events = recorder.events[:]
        other = Telling(self.machine.copy(), recorder)
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


__all__ = ["Telling"]
