"""Noticing whether what happens lets a seat learn something that it did not know and could not see.

    decision of somebody else    options that were worked out from what the seat does not see, unless the seat perceives nothing of it
    choices made at the same time    another choice would have looked different to the seat
    chance event    another outcome would have looked different to the seat
    what follows, up to the next decision or chance    it reads what the seat does not see, to decide how to go on or to say it; or the seat
                                                     sees the face of a component that it did not see before

In a game that was set up `watched`, every read of a component, a zone or a state variable asks `m.seen`, as texts do (`masks.py`). An onlooker
answers yes to everything and remembers when the answer should have been no. What happens secretly before others is none of its business.
A local variable is shown as it is: what a rule has copied into one is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from croupier.runtime import lookahead, position, sight
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import WAIT, Machine
from croupier.runtime.node import CHANCE
from croupier.runtime.recorder import Recorder
from croupier.runtime.sight import counts_zone, perceives, sees_piece, sees_zone, variable_audience
from croupier.runtime.state import State

MOST_TRIED = 200  # other outcomes, or choices made at the same time, that are compared; of more it is taken that they look different


class Onlooker:
    """Eyes of a seat that look at everything; `hidden` is set when they should not have."""

    __slots__ = ("m", "seat", "hidden", "listing")

    def __init__(self, m: Machine, seat: int) -> None:
        self.m, self.seat, self.hidden = m, seat, False
        self.listing = False  # while a list of all there is in a zone tells no more than how much there is

    def _noted(self, seen: bool) -> bool:
        self.hidden = self.hidden or not seen and perceives(self.m.viewer, self.seat)
        return True

    def __call__(self, piece: int) -> bool:
        return self._noted(sees_piece(self.m, piece, self.seat))

    def named(self, piece: int) -> bool:
        return self(piece)

    def zone(self, z: int) -> bool:
        return self._noted((counts_zone if self.listing else sees_zone)(self.m.game, z, self.seat))

    def count(self, z: int) -> bool:
        return self._noted(counts_zone(self.m.game, z, self.seat))

    def variable(self, index: int, at: Value) -> bool:
        return self._noted(variable_audience(self.m, index, at)(self.seat))


class Listener(Recorder):
    """Takes down what the onlooker's seat perceives; what is said to it is read with the onlooker's eyes."""

    def __init__(self, eyes: Onlooker) -> None:
        super().__init__(eyes.m.game.players, eyes.seat)
        self.eyes = eyes
        self.begin(eyes.m.game.program.limits["fuel"])

    def shown(self, m: Any, pieces: Any, to: Any, zone: Any = None) -> None:
        if self.who in to() and perceives(m.viewer, self.who):
            for piece in pieces():
                self.eyes(piece)
            if zone is not None:
                self.eyes.zone(zone())
        super().shown(m, pieces, to, zone)

    def through(self, m: Any, who: int | None, teller: int | None, text: Callable[[], str], told: frozenset[int] = frozenset()) -> str:
        return ""  # what a seat reads of others' decisions is masked, and of no account here


def hides_nothing(state: State, seat: int) -> bool:
    """Does a seat see all zones that hold anything and all state?"""
    m = state._m
    game = m.game
    zones = [place.number for place in game.places if m.zones[place.number]]
    if not all(sees_zone(game, z, seat) and not any(type(i) is tuple for i in m.zones[z]) for z in zones):
        return False
    return all(v.of_class is not None or variable_audience(m, v.index, None)(seat) for v in game.program.vars.values())


def reveals(state: State, watched: Game, choices: Sequence[tuple[int, int]], seats: Collection[int]) -> bool:
    """Would these choices (seats, -1 for chance, with their actions), with what follows from them, let one of `seats` learn what was hidden from it?

    The state stays as it is; `watched` is its game, set up to be watched.
    """
    alone = len(choices) == 1 and choices[0][0] != CHANCE
    return any(not (alone and hides_nothing(state, p)) and _learns(state, watched, choices, p) for p in seats)


def _learns(state: State, watched: Game, choices: Sequence[tuple[int, int]], seat: int) -> bool:
    if (len(choices) > 1 or choices[0][0] == CHANCE) and _could_look_different(state, choices, seat):
        return True
    m = position.restore(watched, position.to_json(position.as_data(state._m)))
    eyes = Onlooker(m, seat)
    m.refuel()
    m.viewer, m.seen = m.frames[-1].viewer, eyes
    options_hidden = _offers_by_hidden(m, eyes, choices)
    before = _faces(m, seat)
    m.recorder = Listener(eyes)
    after = State(state.ruleset, watched, m)
    _run(after, eyes, choices)
    news = [piece for piece in _faces(m, seat) - before if not _indistinct(state._m, piece, seat)]
    return eyes.hidden or bool(news) or (options_hidden and bool(m.recorder.events))


def _offers_by_hidden(m: Machine, eyes: Onlooker, choices: Sequence[tuple[int, int]]) -> bool:
    """Is what was offered, to somebody else alone, worked out from what the seat does not see? How much there is of something is no secret."""
    seat, _ = choices[0]
    frame: Any = m.frames[-1]
    op = frame.pc
    if len(choices) > 1 or seat in (CHANCE, eyes.seat) or op.is_open_to_all(choices[0][1]):
        return False
    whole = getattr(op, "where", m) is None and not op.conditions and getattr(op, "such_that", None) is None
    eyes.listing = whole
    try:
        lookahead.allowed(m, op.actions(m, frame, seat), seat)
    except Fault:
        eyes.hidden = True
    hidden, eyes.hidden, eyes.listing = eyes.hidden, False, False
    return hidden


def _run(after: State, eyes: Onlooker, choices: Sequence[tuple[int, int]]) -> None:
    """Apply choices under the eyes of an onlooker, up to the next options of its seat; what others are offered is not yet known to it."""
    m = eyes.m
    try:
        for seat, action in choices:
            frame: Any = m.frames[-1]
            op = frame.pc
            after._record(m, op, frame, seat, action)
            m.refuel()
            op.resume(m, frame, seat, action)
        while m.frames:
            frame = m.frames[-1]
            op, m.offer, hidden = frame.pc, None, eyes.hidden
            if op is None:
                m.leave(None)
            elif op.run(m, frame) is WAIT:
                m.offer, eyes.hidden = None, hidden
                if op.seats == "one" and op.chooser(m, frame) == eyes.seat:
                    op.actions(m, frame, eyes.seat)
                return
    except (Fault, GameOver):
        m.frames = []


def _could_look_different(state: State, choices: Sequence[tuple[int, int]], seat: int) -> bool:
    """Would another outcome of chance, or another choice that somebody made at the same time, look different to a seat?"""
    first, *others = _elsewise(state, choices, seat)
    if len(others) > MOST_TRIED:
        return True
    seen = _look(state, first, seat)
    return any(_look(state, other, seat) != seen for other in others)


def _elsewise(state: State, choices: Sequence[tuple[int, int]], seat: int) -> Iterator[list[tuple[int, int]]]:
    """The choices, and then each way in which one of them that is not the seat's own might have been another."""
    yield list(choices)
    for i, (chooser, made) in enumerate(choices):
        if chooser != seat:
            legal = state.legal_actions(None if chooser == CHANCE else chooser)
            yield from ([*choices[:i], (chooser, action), *choices[i + 1 :]] for action in legal if action != made)


def _look(state: State, choices: Sequence[tuple[int, int]], seat: int) -> Any:
    """What a seat perceives of some choices, sees after them, and is offered then."""
    after = state.clone()
    after._m.recorder = recorder = Recorder(state.players, seat)
    several = state.is_simultaneous_node()
    for chooser, action in choices:
        after.apply_action(action, chooser if several else None)
    after._m.recorder = None
    turn = seat in after.pending_seats()
    offered = [after.action_to_struct(seat, action) for action in after.legal_actions(seat)] if turn else None
    return [(e.kind, e.text) for e in recorder.events], sight.observation(after._m, seat), offered, after.is_terminal()


def _faces(m: Machine, seat: int) -> set[int]:
    return {piece.number for piece in m.game.pieces if sees_piece(m, piece.number, seat)}


def _indistinct(m: Machine, piece: int, seat: int) -> bool:
    """Was this component, which a seat did not see, like all others of its kind that it did not see?"""
    kind = m.game.pieces[piece].kind
    unseen = {m.game.label(p.number, m) for p in m.game.pieces if p.kind == kind and not sees_piece(m, p.number, seat)}
    return len(unseen) <= 1
