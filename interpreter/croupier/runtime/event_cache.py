"""Events of several readers, and of a history that grows.

A game that goes on records for all its seats at once (`Recorders`). A state that is asked for events plays
its history again, once: it keeps what was told up to some point (`EventCache`) and goes on from there.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from croupier.diagnostics import JsonObject
from croupier.runtime.machine import Machine
from croupier.runtime.recorder import Recorder


class Recorders:
    """Recorders of several readers of one machine: each call goes to all of them.

    Equal events of several readers are kept once.
    """

    def __init__(self, each: Iterable[Recorder]) -> None:
        self.each = tuple(each)
        self.on_offer: str | None = None

    def __getattr__(self, name: str) -> Callable[..., None]:
        methods = [getattr(recorder, name) for recorder in self.each]

        def tell_each(*arguments: object, **more: object) -> None:
            self._share()
            for method in methods:
                method(*arguments, **more)

        return tell_each

    def _share(self) -> None:
        """The last event of several is one value where all its parts are equal."""
        last = [recorder.events for recorder in self.each if recorder.events]
        for i, events in enumerate(last):
            for others in last[:i]:
                if others[-1] is events[-1] or others[-1].is_like(events[-1]):
                    events[-1] = others[-1]
                    break


# ---------------------------------------------------------------- the events of a history
MANY = 1_000  # options that are computed again instead of kept
# of a history: an action, `(outcome,)` of chance, `[seat, action]` where several chose at once
Entry: TypeAlias = int | tuple[int, ...] | list[int]


def entry_of(actor: int, action: int, *, together: bool) -> Entry:
    """The entry of a history for an action of a seat, or of chance (-1)."""
    if actor < 0:
        return (action,)
    return [actor, action] if together else action


def actor_and_action(entry: Entry) -> tuple[int, int]:
    """Who acted in an entry of a history, and the action; 0 stands for a seat that chose alone."""
    if isinstance(entry, tuple):
        return -1, entry[0]
    if isinstance(entry, list):
        return entry[0], entry[1]
    return 0, entry


Resume = Callable[[Machine, Entry], None]  # plays on with what one entry of a history says


class EventCache:
    """The events up to a point of a history.

    States that are copies of one another share it until one of them goes on: that one takes a copy.
    """

    def __init__(self, machine: Machine, recorder: Recorder) -> None:
        self.machine, self.recorder = machine, recorder
        self.told = 0  # entries of the history
        self.is_shared = False
        # what was told up to here, a line for each event and offer, and how many of both those are
        self._text = ""
        self._events = self._offers = 0

    def copy(self) -> EventCache:
        recorder = copy.copy(self.recorder)
        recorder.events, recorder.offers = recorder.events[:], recorder.offers[:]
        other = copy.copy(self)
        other.machine, other.recorder, other.is_shared = self.machine.copy(), recorder, False
        other.machine.recorder = recorder
        return other

    def up_to(self, history: Sequence[Entry], resume: Resume) -> EventCache:
        """The events of a longer history that begins with this one."""
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
        """The text of all events and offers, a line each; earlier lines are kept."""
        events, offers, lines = self.recorder.events, self.recorder.offers, list[str]()
        for at in range(self._events, len(events) + 1):
            while self._offers < len(offers) and offers[self._offers][0] == at:
                lines.append(f"offered: {offers[self._offers][1]}\n")
                self._offers += 1
            if at < len(events):
                event = events[at]
                # logs tell which rule was followed
                cited = f" [{', '.join(event.rules)}]" if event.rules else ""
                lines.append(f"{event.kind}: {event.text}{cited}\n")
        self._events = len(events)
        self._text += "".join(lines)
        return self._text


def offer_line(asked: JsonObject) -> str:
    """A decision and its options (`Node.asked`) on a line."""
    return f"{asked['asks']}: {', '.join(f'{action} {words}' for action, words in asked['options'].items())}"
