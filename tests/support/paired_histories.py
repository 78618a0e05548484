"""Two histories that differ only in what one seat may not see, played on side by side: does that seat notice
by what is left out?

A random game is played to its end; seats other than the watching one refuse what they may refuse. At a step
that the watching seat does not perceive (an event of chance, a decision of others) the other history takes
another outcome. From there on both are played until the watching seat perceives something, acts, or the game
is over: is there a way of going on by which it gets the same from both? If there is, they are compared and go
on from there. If there is none, either rules made the difference (another branch of a definition, or another
card turned up), or something is missing in one of them: fewer or more lines about the same decisions and
events of chance. The last is **told by silence**.

Which operations both have run, one after another, and how many decisions and events of chance the seat has
read of by then, is noted while events are recorded. As long as both run the same operations, the numbers must
be the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from croupier.narration import narrate
from croupier.runtime.events import Event
from croupier.runtime.machine import WAIT, Frame, Machine
from croupier.runtime.recorder import Recorder
from croupier.runtime.state import State
from croupier.server.page import page
from croupier.server.replay_page import ReplayPage

ASKING = ("decision", "chance")  # kinds of events that say that something was asked
MOST_WAYS = 40  # in which the other history goes on until the seat perceives something
MOST_PAIRS = 8  # that are tried in one game
MOST_HIDDEN_STEPS = 60  # before it perceives anything


# ---------------------------------------------------------------- which operations ran
@dataclass(frozen=True)
class Trail:
    """An operation, the last of those that ran, with how many events the reader has after it."""

    before: Trail | None
    operation: object
    told: int


def _goes_on_without(op: Any, frame: Frame) -> bool:
    """Did something that must be chosen have no option, so that its `else` runs? That is a branch of the
    rules: whoever sees what it does sees it.
    """
    return (
        bool(getattr(op, "has_other", False)) and not getattr(op, "optional", False) and frame.pc is op.other
    )


def _note(recorder: Recorder, operation: object | None) -> None:
    """Note that an operation has run (none: that the last one went on with an answer)."""
    trail: Trail | None = getattr(recorder, "trail", None)
    if trail is not None and (operation is None or operation == trail.operation):
        recorder.trail = Trail(trail.before, trail.operation, len(recorder.events))  # type: ignore[attr-defined]
    elif operation is not None:
        recorder.trail = Trail(trail, operation, len(recorder.events))  # type: ignore[attr-defined]


@contextmanager
def noting_operations() -> Iterator[None]:
    """Meanwhile recorders of one reader keep a `trail` of the operations that ran."""
    plain = Machine.run

    def run(self: Machine) -> None:
        recorder = self.recorder
        if not isinstance(recorder, Recorder):
            plain(self)
            return
        _note(recorder, None)
        frames, self.offer = self.frames, None
        while frames:
            frame = frames[-1]
            op = frame.pc
            if op is None:
                self.leave(None)
                continue
            waits = op.run(self, frame) is WAIT
            _note(recorder, ("else", op) if not waits and _goes_on_without(op, frame) else op)
            if waits:
                return
        plain(self)  # the fault of rules that end without an end of the game

    Machine.run = run  # type: ignore[method-assign]
    try:
        yield
    finally:
        Machine.run = plain  # type: ignore[method-assign]


def _told_by_operations(trail: Trail | None, events: list[Event]) -> list[tuple[object, list[Event]]]:
    """Every operation that ran, in order, with the events that the reader has of it."""
    found = []
    while trail is not None:
        first = trail.before.told if trail.before is not None else 0
        found.append((trail.operation, events[first : trail.told]))
        trail = trail.before
    return found[::-1]


# ---------------------------------------------------------------- what a seat gets
@dataclass
class Perceived:
    """What one seat has got so far."""

    known: str  # the information state
    events: list[Event]
    trail: Trail | None


def perceived(state: State, seat: int) -> Perceived:
    known = state.information_state(seat)
    recorder = state._event_cache(seat, True).recorder
    return Perceived(known, recorder.events, getattr(recorder, "trail", None))


def channels(state: State, seat: int) -> dict[str, Any]:
    """Everything that reaches a seat, by what it is called, in a form that can be compared."""
    acts = seat in state.pending_seats()
    options = state.legal_actions(seat) if acts else []
    return {
        "information state": state.information_state(seat),
        "events": [(e.kind, e.text, e.rules, e.quiet, e.level) for e in state.events(seat)],
        "parts of events": [e.text.to_json() for e in state.events(seat)],
        "observation": json.dumps(state.observation(seat), sort_keys=True),
        "observation in words": json.dumps(state.observation(seat, spoken=True), sort_keys=True),
        "options": [(a, state.action_to_string(seat, a)) for a in options],
        "who acts": state.pending_seats() if state.is_open_to(seat) or acts else "unseen",
        "log": [
            (line.part, line.title, line.text, line.rules, line.actor)
            for line in narrate(state.events(seat), open_end=not state.is_terminal())
        ],
        "page": page(state, seat, ("Ada", "Ben", "Cy", "Dee", "Eve")),
        "page of a spectator": page(state, None, ("Ada", "Ben", "Cy", "Dee", "Eve")) if not acts else b"",
    }


def replayed(state: State, seat: int) -> list[Any]:
    """What each moment of the page adds to the log on which a seat steps through the game so far. (What it
    sees in between may be shown later.)
    """
    shown, again = ReplayPage(seat), state.beginning()
    shown.add(again)
    for entry in state.history:
        action = entry[-1] if isinstance(entry, list | tuple) else entry
        again.apply_action(action, entry[0] if isinstance(entry, list) else None)
        shown.add(again)
    return [(moment["kept"], moment["log"]) for moment in shown._moments]


# ---------------------------------------------------------------- two histories
@dataclass
class Found:
    """What came of it: pairs of histories that were compared, places at which they were, and what silence
    told.
    """

    pairs: int = 0
    places: int = 0
    told: list[str] = field(default_factory=list)


def refuses(state: State, action: int) -> bool:
    """Is this to choose nothing, or nothing more?"""
    who = -1 if state.is_chance_node() else state.pending_seats()[0]
    return (
        state.declines(action)
        or state.ends(action)
        or action == 0
        and state.action_to_string(who, action) == "no"
    )


def step(state: State, seat: int, rng: random.Random) -> tuple[int, int]:
    """Who acts, and what they choose: seats other than the watching one refuse where they may; the watching
    seat and chance choose at random.
    """
    if state.is_chance_node():
        return -1, rng.choice(state.legal_actions())
    who = state.pending_seats()[0]
    options = state.legal_actions(who)
    if who != seat and options and refuses(state, options[0]):
        return who, options[0]
    return who, rng.choice(options)


def _ordered(state: State, wanted: list[str], depth: int) -> list[tuple[int, int]]:
    """What may happen next: first what happened at this step of the other history, then what happened at
    another one, then refusals.
    """
    who = -1 if state.is_chance_node() else state.pending_seats()[0]
    options = state.legal_actions(who)
    now, words = wanted[depth : depth + 1], {a: state.action_to_string(who, a) for a in options}
    return [(who, a) for a in sorted(options, key=lambda a: ([words[a]] != now, words[a] not in wanted, a))]


def _is_at_rest(state: State, seat: int) -> bool:
    return state.is_terminal() or seat in state.pending_seats()


def _begins(one: list[Event], whole: list[Event]) -> bool:
    """Is one the beginning of the whole, as far as it can be read?"""
    return len(one) <= len(whole) and all(
        a.kind == b.kind and a.text == b.text for a, b in zip(one, whole, strict=False)
    )


def ways(state: State, seat: int, goal: Perceived, wanted: list[str]) -> Iterator[State]:
    """States at which the seat acts or the game is over, or at which it has perceived something else than the
    goal; each reached in another way.
    """
    todo, count = [(state, 0)], 0
    while todo and count < MOST_WAYS:
        here, depth = todo.pop()
        if _is_at_rest(here, seat) or not _begins(perceived(here, seat).events, goal.events):
            count += 1
            yield here
        elif depth < MOST_HIDDEN_STEPS:
            for who, action in reversed(_ordered(here, wanted, depth)[:MOST_WAYS]):
                after = here.clone()
                after.apply_action(action, None if who < 0 else who)
                todo.append((after, depth + 1))


def silence(one: Perceived, other: Perceived) -> bool:
    """Have both run the same operations and told the same, up to one of which a decision or an event of
    chance is missing here or there?
    """
    mine, theirs = (_told_by_operations(p.trail, p.events) for p in (one, other))
    for at, ((operation, told), (operation2, told2)) in enumerate(zip(mine, theirs, strict=False)):
        is_whole = at + 1 < min(len(mine), len(theirs)) or len(mine) == len(theirs)
        if operation != operation2 or not is_whole:
            return False
        asked, asked2 = ([(e.kind, e.text) for e in events if e.kind in ASKING] for events in (told, told2))
        if len(asked) != len(asked2):
            return all(a == b for a, b in zip(asked, asked2, strict=False))
        if [(e.kind, e.text) for e in told] != [(e.kind, e.text) for e in told2]:
            return False
    return False


def compare(start: State, seat: int, seed: int, most_steps: int, found: Found) -> None:
    """Play one game, and beside it others that differ in one step of others, or of chance."""
    rng = random.Random(f"{seed} {seat}")
    state, pairs = start.clone(), 0
    for _ in range(most_steps):
        if pairs >= MOST_PAIRS or state.is_terminal() or not state.legal_actions():
            return
        who, action = step(state, seat, rng)
        options = state.legal_actions(who)
        after = state.clone()
        after.apply_action(action, None if who < 0 else who)
        # equal ones may be of two things that everybody tells apart, and how many are chosen is seen
        words = state.action_to_string(who, action)
        others = [a for a in options if state.action_to_string(who, a) != words and not refuses(state, a)]
        if who != seat and others and not refuses(state, action) and rng.random() < 0.5:
            other = state.clone()
            other.apply_action(rng.choice(others), None if who < 0 else who)
            pairs += 1
            play_beside(after.clone(), other, seat, rng.getrandbits(32), words, most_steps, found)
        state = after


def play_to_rest(state: State, seat: int, rng: random.Random) -> list[str] | None:
    """Play on until the seat acts or the game is over.

    The words of what was chosen, in order; none where that takes too long.
    """
    words = list[str]()
    for _ in range(MOST_HIDDEN_STEPS):
        if _is_at_rest(state, seat):
            return words
        if not state.legal_actions():
            return None
        who, action = step(state, seat, rng)
        words.append(state.action_to_string(who, action))
        state.apply_action(action, None if who < 0 else who)
    return None


def way_to(start: State, seat: int, goal: Perceived, wanted: list[str], ends: list[State]) -> State | None:
    """A state after this one in which the seat knows the same as in the goal; none if there is none among the
    ways, whose `ends` are added.
    """
    for end in ways(start, seat, goal, wanted):
        if perceived(end, seat).known == goal.known:
            return end
        ends.append(end)
    return None


def _same_beginning(one: Perceived, other: Perceived) -> int:
    """How many events are the same, from the first on."""
    pairs = zip(one.events, other.events, strict=False)
    shorter = min(len(one.events), len(other.events))
    return next((at for at, (a, b) in enumerate(pairs) if (a.kind, a.text) != (b.kind, b.text)), shorter)


def is_silent(goal: Perceived, ends: list[State], seat: int) -> bool:
    """Is something missing in those of the ends that are the same as the goal for longest?"""
    perceptions = [perceived(end, seat) for end in ends]
    longest = max((_same_beginning(goal, one) for one in perceptions), default=0)
    nearest = [one for one in perceptions if _same_beginning(goal, one) == longest]
    return bool(nearest) and all(silence(goal, one) for one in nearest)


def is_told_by_silence(begin: State, one: State, ends: list[State], seat: int) -> bool:
    """Is something missing in every way to go on with one of the histories, beside every way to go on with
    the other?
    """
    if not is_silent(perceived(one, seat), ends, seat):
        return False
    nearest = max(ends, key=lambda end: _same_beginning(perceived(one, seat), perceived(end, seat)))
    other, back = nearest.clone(), list[State]()
    words = play_to_rest(other, seat, random.Random(1))
    if words is None or way_to(begin, seat, perceived(other, seat), words, back) is not None:
        return False
    return is_silent(perceived(other, seat), back, seat)


def play_beside(
    one: State, other: State, seat: int, seed: int, first: str, most_steps: int, found: Found
) -> None:
    """Play both on; what is told by silence goes into what was found.

    `first` are the words of the step that only the one history took.
    """
    rng, is_new = random.Random(seed), True
    for _ in range(most_steps):
        begin = one.clone()
        words, ends = play_to_rest(one, seat, rng), list[State]()
        if words is None:
            return
        same = way_to(other, seat, perceived(one, seat), [*words, first], ends)
        if same is None:
            if is_told_by_silence(begin, one, ends, seat):
                found.told.append(difference(one, ends, seat))
            return
        other, found.pairs, found.places, is_new = same, found.pairs + is_new, found.places + 1, False
        here, there = channels(one, seat), channels(other, seat)
        for name in here:
            if here[name] != there[name]:
                found.told.append(f"{name} of seat {seat + 1}: {_apart(here[name], there[name])}")
                return
        if one.is_terminal() or one.position() == other.position():
            break
        action = rng.choice(one.legal_actions(seat))
        one.apply_action(action, seat)
        other.apply_action(action, seat)
    if (shown := replayed(one, seat)) != (others := replayed(other, seat)):
        found.told.append(
            f"seat {seat + 1} steps through {len(shown)} or {len(others)} moments of a replayed game"
        )


def _apart(one: Any, other: Any) -> str:
    """Where two lists differ, or two texts."""
    if isinstance(one, list) and isinstance(other, list):
        rows = [f"{a}, or {b}" for a, b in zip(one, other, strict=False) if a != b]
        return f"{len(one)} or {len(other)} lines: " + "; ".join(rows)
    return f"{one}, or {other}"


def difference(one: State, ends: list[State], seat: int) -> str:
    """What the seat reads in one history and in the nearest way to go on with the other, from where they
    differ.
    """
    goal = perceived(one, seat)
    nearest = max((perceived(end, seat) for end in ends), key=lambda end: _same_beginning(goal, end))
    same = max(0, _same_beginning(goal, nearest) - 2)
    mine, theirs = (
        [f"{e.kind}: {e.text}" for e in events[same : same + 5]] for events in (goal.events, nearest.events)
    )
    return f"seat {seat + 1} reads {mine} or {theirs}"
