"""States that a seat cannot tell from the real one: drawn from all histories that it would have perceived in
the same way.

What a seat perceived of a history is its `information_state`: events, offers, own decisions, and what it sees
now. A history is *possible* for the seat if that is byte for byte the same. Its weight is the chance that it
comes about: the product of the probabilities of its chance outcomes, and of 1 / n for each decision of
another seat among n options. (Own decisions are the same in all of them.) So others are taken to play at
random; who knows better may weigh anew. Nothing of the real state is used but the information state, the
seat's own actions, and, by the chain, its history as a beginning.

    open games     where nothing can ever be hidden, the one possible state is the real one
    enumeration    all possible histories, an action at a time; a branch ends where the seat would have
                   perceived something else. Exact.
    chain          where these are too many: a Metropolis-Hastings chain over possible histories. It begins at
                   the real one, and is run for a
                   number of proposals that grows with what is hidden, before the first draw and between two,
                   to leave it. Proposals:
                     one change   another outcome (or decision) at one place; what follows is kept where the
                                  same is asked and it is legal. An
                                  outcome that was drawn too early trades places with the one that it stands
                                  for; what is no longer legal, or is asked for the first time, is drawn anew;
                                  what is no longer asked is left out. As soon as the new history stands where
                                  the old one stood at this step, the rest of it is the old one.
                     a new end    everything from some place on is drawn anew, from what looks the same to the
                                  seat a step at a time. Where on the
                                  real history whatever may happen looks the same, as where others are dealt
                                  cards, one thing is drawn of all, and nothing comes of it if it does look
                                  different: to try all of them would cost far more.
                   Most proposals change something after the last place at which the seat saw, as far as zones
                   and state tell, the whole position: what was hidden in deals that are long over is seldom
                   asked for again, and never left out. Both know how likely the way back is, so the weights
                   above are those of the limit. A draw is not independent of the one before it; how fast the
                   chain forgets is not proved for any ruleset.

The measure of work is how often an action is applied. Source of the chain: W. K. Hastings, Biometrika 57,
1970; changes of length, as P. J. Green, Biometrika 82, 1995.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import InitVar, dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import log
from typing import Self, TypeAlias

from croupier.inference.history_table import entries_of
from croupier.runtime.event_cache import Entry, EventCache, entry_of
from croupier.runtime.machine import Machine
from croupier.runtime.recorder import Recorder
from croupier.runtime.state import State, apply_history
from croupier.runtime.state_view import CHANCE
from croupier.runtime.streams import Stream
from croupier.runtime.telling import tell_answer
from croupier.runtime.visibility import hides_nothing_ever, sees_component, variable_audience
from croupier.runtime.zone_contents import flat

MAX_ENUMERATED = 600  # actions applied before enumeration gives up
NEW_ENDS = 5  # one proposal of so many is a new end
# one proposal of so many may change what lies before the last place where the seat saw everything
EARLIER = 8
MAX_ADDED, MAX_LEFT_OUT = 6, 3  # steps that a change may add to a history, and leave out at one place
TRIED = 4  # things that may happen at a place, to tell whether all look the same
UNIT = 2**53  # of a random number from 0 to 1


class NoResample(ValueError):
    """No state could be drawn; the message is for the user."""


Choices: TypeAlias = tuple[int, list[tuple[int, Fraction]]]  # who acts, and the actions with their chances


@dataclass(slots=True)
class HistoryNode:
    """A point of a possible history: the events up to there, and the step that led to it."""

    cache: EventCache
    entry: Entry  # as in a history; `()` at the beginning
    actor: int
    chance: Fraction  # of the step
    own: int  # decisions of the seat so far
    chances: int = 0  # chance outcomes so far
    choices: Choices | None = None  # what is possible here, once that was asked for
    fitting: list[HistoryNode] | None = None  # the nodes after this one that fit what the seat perceived


Path: TypeAlias = list[HistoryNode]  # a possible history from its beginning


class Sampler:
    """A sampler that bots keep from one decision to the next."""

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Itself: a bot keeps it, when it has decided, as the `previous` one alone, of which only what the
        histories agree in is read. So a copy of a bot, to take a decision back, shares it.
        """
        return self


@dataclass
class Resampler(Sampler):
    """Draws states that a seat cannot tell from a state.

    Raises NoResample where the state cannot be understood so, ValueError for no seat.

    `previous` is one of the same seat at an earlier state of this game, or of another: as far as the
    histories agree, they are followed once.
    """

    state: State
    seat: int
    max_enumerated: int = MAX_ENUMERATED
    previous: InitVar[Resampler | None] = None
    applied: int = field(default=0, init=False)  # how often an action was applied: the measure of work
    is_exact: bool = field(default=True, init=False)  # are the draws exact, and independent of one another?

    def __post_init__(self, previous: Resampler | None) -> None:
        self._fresh: State | None = None
        self._all: list[tuple[list[Entry], Fraction]] | None = None
        self._current: Path = []
        self._real: Path = []
        self._alike: set[object] = set()  # situations in which the seat perceives the same whatever happens
        # the last place of the history at which the seat saw the whole position; it is the same in all
        # histories of the chain
        self._settled = 0
        self._is_open = hides_nothing_ever(self.state.game)
        if self._is_open:
            return
        cache = self.state._event_cache(self.seat, True)
        self._perceived = [(event.kind, event.text, event.rules) for event in cache.recorder.events]
        self._offers = list(cache.recorder.offers)
        self._acts = self.seat in self.state.pending_seats()
        self._pending = (
            self.state.pending_seats() if self._acts and self.state.is_simultaneous_node() else None
        )
        self._seen = _seen(self.state, self.seat)
        self._own: list[int] = []
        self._real = self._real_path(
            self.state._history, previous._real if previous is not None and self._continues(previous) else []
        )
        if not self._is_end(self._real[-1], self._real):
            raise NoResample("the history of this state does not lead to what the seat perceived")

    # ------------------------------------------------------------ drawing
    def draw(self, stream: Stream) -> State:
        """A possible state, on the back end of the real one."""
        if self._is_open:
            return self.state.clone()
        if self._all is None and self.is_exact:
            self._all = self._enumerate()
            self.is_exact = self._all is not None
        if self._all is not None:
            return self._state(self._all[stream.weighted([weight for _, weight in self._all])][0])
        is_first = not self._current
        if is_first:
            self._current = list(self._real)
            self._settled = max(
                (at for at, node in enumerate(self._real) if is_settled(node.cache.machine, self.seat)),
                default=0,
            )
            late = range(self._settled, len(self._real))
            self._alike = {
                self._situation(self._real[at])
                for at in late
                if self._is_indistinguishable(self._real[at], self._real[: at + 1])
            }
        sites = len(self._sites(self._real, self._settled))
        for _ in range(4 * sites + 20 if is_first else sites // 2 + 5):
            self._propose(stream)
        return self._state([node.entry for node in self._current[1:]])

    def draw_next(self, stream: Stream) -> State:
        """A possible state that may be close to the one before it."""
        return self.draw(stream)

    def possible(self) -> list[tuple[State, Fraction]]:
        """Return every possible state with its weight.

        Raises `NoResample` if they are too many.
        """
        if self._is_open:
            return [(self.state.clone(), Fraction(1))]
        found = self._enumerate()
        if found is None:
            raise NoResample(
                f"there are too many possible states to list: more than {self.max_enumerated} actions were "
                f"tried"
            )
        total = sum(weight for _, weight in found)
        return [(self._state(history), weight / total) for history, weight in found]

    def _state(self, history: Sequence[Entry]) -> State:
        """The state after a history."""
        real = self.state
        if self._fresh is None:
            self._fresh = real.beginning()
        state = self._fresh.clone()
        apply_history(state, history)
        return state

    # ------------------------------------------------------------ all of them
    def _enumerate(self) -> list[tuple[list[Entry], Fraction]] | None:
        """Return all possible histories with their weights; `None` if they are too many."""
        found: list[tuple[list[Entry], Fraction]] = []
        before = self.applied
        stack: list[tuple[Path, Fraction]] = [([self._real[0]], Fraction(1))]
        while stack:
            path, weight = stack.pop()
            if self._is_end(path[-1], path):
                found.append(([node.entry for node in path[1:]], weight))
                if self._acts:
                    continue
            for node in self._steps(path[-1], path):
                stack.append(([*path, node], weight * node.chance))
            if self.applied - before > self.max_enumerated:
                return None
        return found

    # ------------------------------------------------------------ one change
    def neighbours(self, stream: Stream) -> Iterator[Machine]:
        """The positions after the possible histories that differ from the real one by one change: another
        outcome or decision at one place, as the chain proposes it; later places first. What is asked for the
        first time is drawn. Nothing where nothing can be hidden.
        """
        path = [] if self._is_open else self._real
        for at in reversed(self._sites(path)):
            old = _action(path[at])
            for action, _ in self._choices(path[at - 1], path[:at])[1]:
                there = None if action == old else self._rewritten(path, at, action, stream)
                if there is not None:
                    yield there[0][-1].cache.machine

    # ------------------------------------------------------------ the chain
    def _propose(self, stream: Stream) -> None:
        path = self._current
        after = self._settled if stream.uniform(EARLIER) else 0
        if stream.uniform(NEW_ENDS):
            ratio = self._propose_change(path, after, stream)
        else:
            ratio = self._propose_new_end(path, after, stream)
        if ratio is not None and (ratio[1] >= 0 or log((stream.uniform(UNIT) + 1) / UNIT) < ratio[1]):
            self._current = ratio[0]

    def _sites(self, path: Path, after: int = 0) -> list[int]:
        return [
            at for at in range(after + 1, len(path)) if path[at].actor != self.seat and path[at].chance < 1
        ]

    def _propose_change(self, path: Path, after: int, stream: Stream) -> tuple[Path, float] | None:
        """Return a path with another step at one place after a given one, and the logarithm of its odds.

        `None` if no such path is possible.
        """
        sites = self._sites(path, after)
        if not sites:
            return None
        at = sites[stream.uniform(len(sites))]
        old = _action(path[at])
        others = [action for action, _ in self._choices(path[at - 1], path[:at])[1] if action != old]
        new = others[stream.uniform(len(others))]
        there = self._rewritten(path, at, new, stream)
        back = None if there is None else self._rewritten(there[0], at, old, stream, path)
        if there is None or back is None:
            return None
        made, odds = there[0], back[1] - there[1] + log(len(sites)) - log(len(self._sites(there[0], after)))
        return made, odds + sum(log(node.chance) for node in made[at:]) - sum(
            log(node.chance) for node in path[at:]
        )

    def _rewritten(
        self, path: Path, at: int, new: int, stream: Stream, target: Path | None = None
    ) -> tuple[Path, float] | None:
        """Return a path with an action at one place, and the logarithm of the probability of all that was
        drawn after it.

        `None` if it leads nowhere. With a `target` nothing is drawn: the logarithm is that of the probability
        that the target comes out, and `None` means that it cannot.
        """
        old, made, odds, next = _action(path[at]), path[:at], 0.0, at + 1
        wanted: int | None = new
        while True:
            here = made[-1]
            if len(made) > at:
                found = self._matching_step(here, made, path, next, old, new)
                if found is None:
                    return None
                wanted, next = found
                if next < 0:
                    return (made, odds) if target is None or len(made) == len(target) else None
            if len(made) >= (len(path) + MAX_ADDED if target is None else len(target)):
                return None
            step: HistoryNode | None
            if wanted is None:
                step = self._draw_step(here, made, stream) if target is None else target[len(made)]
                if step is None:
                    return None
                odds += log(step.chance / self._weight(here, made))
            elif target is None:
                actor, options = self._choices(here, made)
                step = self._step(here, made, actor, wanted, dict(options)[wanted])
            else:
                step = target[len(made)] if _action(target[len(made)]) == wanted else None
            if step is None:
                return None
            made.append(step)
            if len(made) == next < len(path) and is_same_node(step, path[next - 1]):
                made += path[next:]
                if target is None or [node.entry for node in made[at:]] == [
                    node.entry for node in target[at:]
                ]:
                    return (made, odds)
                return None

    def _matching_step(
        self, here: HistoryNode, made: Path, path: Path, next: int, old: int, new: int
    ) -> tuple[int | None, int] | None:
        """Return the step of a path to repeat at a place of another one (`None`: draw one), and the next
        place of the path, below 0 at its end.

        A step is kept if the same player, or chance, is asked the same; steps before it are left out. `None`
        instead of the pair if no path is possible.
        """
        actor, possible = self._choices(here, made)
        options, asked = dict(possible), (actor, here.cache.machine.waiting)
        for place in range(next, min(next + MAX_LEFT_OUT + 1, len(path))):
            was = path[place]
            if (was.actor, path[place - 1].cache.machine.waiting) == asked:
                wanted = _action(was)
                if wanted not in options and was.actor == CHANCE and wanted == new:
                    wanted = old
                return (wanted if wanted in options else None), place + 1
            if was.actor == self.seat:
                break
        if next == len(path) and self._is_end(here, made):
            return None, -1
        return None if actor == self.seat or not options else (None, next)

    def _propose_new_end(self, path: Path, after: int, stream: Stream) -> tuple[Path, float] | None:
        """Return a path that is drawn anew from some place on, not before a given one, and the logarithm of
        its odds.

        `None` if that leads nowhere.
        """
        if len(path) == after + 1:
            return None
        at = len(path) - 1 - _cut(len(path) - 1 - after, stream)
        made, odds = path[: at + 1], 0.0
        while True:
            ends = self._is_end(made[-1], made)
            if ends and self._acts:
                break
            if ends:
                if not self._steps(made[-1], made):
                    break
                odds += log(2)
                if stream.uniform(2):
                    break
            step = self._draw_step(made[-1], made, stream)
            if step is None:
                return None
            odds += log(self._weight(made[-1], made))
            made.append(step)
        for place in range(at, len(path)):
            here, before = path[place], path[: place + 1]
            if not self._acts and self._is_end(here, before) and self._steps(here, before):
                odds -= log(2)
            if place < len(path) - 1:
                odds -= log(self._weight(here, before))
        if len(made) == at + 1:
            return None  # nothing is left that the way back could begin with
        steps_from, steps_to = len(path) - 1, len(made) - 1
        return made, odds + log(_cut_share(steps_to - at, steps_to - after)) - log(
            _cut_share(steps_from - at, steps_from - after)
        )

    def _draw_step(self, here: HistoryNode, path: Path, stream: Stream) -> HistoryNode | None:
        """Return a node after this one, drawn by weight.

        `None` if there is none, or if the seat would have perceived something else.
        """
        if self._situation(here) in self._alike:
            actor, options = self._choices(here, path)
            if not options:
                return None
            action, chance = options[stream.weighted([chance for _, chance in options])]
            return self._step(here, path, actor, action, chance)
        steps = self._steps(here, path)
        return steps[stream.weighted([node.chance for node in steps])] if steps else None

    def _weight(self, here: HistoryNode, path: Path) -> Fraction:
        """The weight of all the steps from which one is drawn at a node."""
        if self._situation(here) in self._alike:
            return Fraction(1)
        return sum((node.chance for node in self._steps(here, path)), Fraction(0))

    def _situation(self, here: HistoryNode) -> object:
        """Return a key that nodes of different histories share if the seat knows the same and the same is
        asked.
        """
        recorder = here.cache.recorder
        return len(recorder.events), len(recorder.offers), here.own, here.cache.machine.waiting

    def _is_indistinguishable(self, here: HistoryNode, path: Path) -> bool:
        """Return whether the seat perceives the same whatever happens at a node. Some of the options are
        tried, not all.
        """
        actor, options = self._choices(here, path)
        if actor == self.seat or len(options) < 2:
            return False
        some = options[:: max(1, len(options) // TRIED)] + options[-1:]
        return all(self._step(here, path, actor, action, chance) is not None for action, chance in some)

    # ------------------------------------------------------------ a step
    def _continues(self, previous: Resampler) -> bool:
        """Return whether this state is of the same game and seat as that of another resampler."""
        was = previous.state
        return (
            not previous._is_open
            and previous.seat == self.seat
            and was.game is self.state.game
            and was._start is self.state._start
        )

    def _real_path(self, history: Sequence[Entry], known: Path) -> Path:
        """The nodes of the real history; `known` are those of its beginning. Notes the seat's own actions."""
        path = [replace(node, choices=None, fitting=None) for node in known[: _common_length(history, known)]]
        if not path:
            path = [HistoryNode(self.state._new_event_cache(self.seat), (), CHANCE, Fraction(1), 0)]
        self._own += [_action(node) for node in path[1:] if node.actor == self.seat]
        entries = list(history)
        for at in range(len(path) - 1, len(entries)):
            here = self._state_at(path[-1], path)
            # the seat's own choice comes first
            if here.is_simultaneous_node() and self.seat in (pending := here.pending_seats()):
                several = enumerate(entries[at : at + len(pending)], at)
                own = next((k for k, one in several if isinstance(one, list) and one[0] == self.seat), at)
                entries.insert(at, entries.pop(own))
            entry = entries[at]
            actor, action = here._actor_and_action(entry)
            if actor == self.seat:
                self._own.append(action)
            share: Fraction | None = None
            if actor == CHANCE:
                share = dict(here.chance_outcomes()).get(action)
            elif actor != self.seat:
                share = Fraction(1, len(here.legal_actions(actor)))
            step = self._step(path[-1], path, actor, action, share or Fraction(1))
            if step is None:
                raise NoResample("the history of this state does not look as the seat perceived it")
            path.append(step)
        return path

    def _state_at(self, node: HistoryNode, path: Sequence[HistoryNode]) -> State:
        """The state at a node; what it is asked must not change it."""
        here = State(self.state.ruleset, self.state.engine, node.cache.machine)
        here._history = [step.entry for step in path[1:]]
        here._chances = node.chances
        return here

    def _choices(self, node: HistoryNode, path: Sequence[HistoryNode]) -> Choices:
        """Return who acts at a node, and the actions that are possible, with their chances; of the seat's own
        only the one it made.
        """
        if node.choices is None:
            node.choices = self._worked_out(node, path)
        return node.choices

    def _worked_out(self, node: HistoryNode, path: Sequence[HistoryNode]) -> Choices:
        here = self._state_at(node, path)
        recorder, node.cache.machine.recorder = node.cache.machine.recorder, None
        try:
            if here.is_chance_node():
                return CHANCE, [(action, chance) for action, chance in here.chance_outcomes() if chance]
            pending = here.pending_seats()
            is_left = node.own < len(self._own)
            if self.seat in pending and is_left:
                own = self._own[node.own]
                return self.seat, [(own, Fraction(1))] if own in here.legal_actions(self.seat) else []
            others = [seat for seat in pending if seat != self.seat]
            if not others:
                return self.seat, []
            legal = here.legal_actions(others[0])
            return others[0], [(action, Fraction(1, len(legal))) for action in legal]
        finally:
            node.cache.machine.recorder = recorder

    def _steps(self, node: HistoryNode, path: Sequence[HistoryNode]) -> list[HistoryNode]:
        """The steps from a node after which the seat has perceived what it did."""
        if node.fitting is None:
            node.fitting = []
            actor, options = self._choices(node, path)
            for action, chance in options:
                step = self._step(node, path, actor, action, chance)
                if step is not None:
                    node.fitting.append(step)
        return node.fitting

    def _step(
        self, node: HistoryNode, path: Sequence[HistoryNode], actor: int, action: int, chance: Fraction
    ) -> HistoryNode | None:
        """Return the node after an action; `None` if the seat would have perceived something else."""
        here = self._state_at(node, path)
        together = here.is_simultaneous_node()
        if (
            actor not in (CHANCE, self.seat)
            and not together
            and not self._decision_matches(here, node.cache, actor, action)
        ):
            return None
        self.applied += 1
        cache = node.cache.copy()
        machine, recorder = cache.machine, cache.recorder
        here._m = machine
        here._forget()
        events, offers = len(recorder.events), len(recorder.offers)
        if actor == self.seat:
            recorder.offered(partial(here._offer, actor))
        recorder.on_offer = None
        goes_on = here._answer(machine, actor, action)
        # most of what does not fit is seen at once
        if not self._events_match(recorder, events, offers, recorder.lasting()):
            return None
        if goes_on:
            machine.advance()
        if not self._events_match(recorder, events, offers):
            return None
        entry = entry_of(actor, action, together=together)
        return HistoryNode(
            cache, entry, actor, chance, node.own + (actor == self.seat), node.chances + (actor == CHANCE)
        )

    def _decision_matches(self, here: State, cache: EventCache, actor: int, action: int) -> bool:
        """Return whether the decision itself reads as the next thing that the seat perceived.

        This is quick, because nothing is applied.
        """
        machine = cache.machine
        before, scratch = machine.recorder, Recorder(self.state.players, self.seat)
        scratch.begin(self.state.game.program.limits["fuel"])
        machine.recorder, (op, frame) = scratch, machine.asking()
        machine.refuel()
        machine.event_audience = frame.event_audience
        try:
            tell_answer(machine, op, frame, actor, action)
        finally:
            machine.recorder, machine.event_audience, machine.cites = before, None, ()
        at = len(cache.recorder.events)
        return [(event.kind, event.text, event.rules) for event in scratch.events] == self._perceived[
            at : at + len(scratch.events)
        ]

    def _events_match(self, recorder: Recorder, events: int, offers: int, end: int | None = None) -> bool:
        """Return whether the events and offers from these numbers on are what the seat perceived.

        `end`: events are compared up to this one.
        """
        fresh = recorder.events[events:end]
        if len(recorder.events) > len(self._perceived) or len(recorder.offers) > len(self._offers):
            return False
        if recorder.offers[offers:] != self._offers[offers : len(recorder.offers)]:
            return False
        return all(
            (event.kind, event.text, event.rules) == told
            for event, told in zip(fresh, self._perceived[events:], strict=False)
        )

    def _is_end(self, node: HistoryNode, path: Sequence[HistoryNode]) -> bool:
        """Return whether the seat knows at a node exactly what it knows in the real state."""
        recorder = node.cache.recorder
        if (
            node.own < len(self._own)
            or len(recorder.events) < len(self._perceived)
            or len(recorder.offers) < len(self._offers)
        ):
            return False
        here = self._state_at(node, path)
        node.cache.machine.recorder = None
        try:
            if self._pending is not None and here.pending_seats() != self._pending:
                return False
            return _seen(here, self.seat) == self._seen
        finally:
            node.cache.machine.recorder = recorder


def _common_length(history: Sequence[Entry], known: Path) -> int:
    """Return the number of nodes of a path that belong to a history too, up to the last one at which a single
    player, or chance, has acted.
    """
    same = min(1, len(known))
    while same < len(known) and same <= len(history) and known[same].entry == history[same - 1]:
        same += 1
    while same > 1 and isinstance(known[same - 1].entry, list):
        same -= 1
    return same


def is_settled(m: Machine, seat: int) -> bool:
    """Return whether a seat knows what lies where, and all state that is not `None`.

    It knows it by sight, or because it sees the rest. Locals are not looked at.
    """
    game, hidden = m.game, 0
    for z, items in enumerate(m.zones):
        if items and not all(sees_component(m, component, seat) for component in flat(items)):
            hidden += 1
            if hidden > 1 or (len(items) > 1 and game.zones[z].order not in ("set", "bag")):
                return False
    for v in game.variables:
        if v.of_class is None and any(
            value is not None and not variable_audience(m, v.index, at)(seat)
            for at, value, _ in entries_of(m, v)
        ):
            return False
    return bool(m.frames)


def is_same_node(a: HistoryNode, b: HistoryNode) -> bool:
    """Return whether two nodes are one position, reached by as many events and offers."""
    m, n = a.cache.machine, b.cache.machine
    if (
        (a.own, a.chances, len(m.frames)) != (b.own, b.chances, len(n.frames))
        or m.zones != n.zones
        or m.vars != n.vars
    ):
        return False
    if (m.seen_values, m.depth, m.result, m.fault) != (n.seen_values, n.depth, n.result, n.fault):
        return False
    told, also = a.cache.recorder, b.cache.recorder
    if (len(told.events), len(told.offers)) != (len(also.events), len(also.offers)):
        return False
    return all(
        (f.code, f.pc, f.L, f.event_audience) == (g.code, g.pc, g.L, g.event_audience)
        for f, g in zip(m.frames, n.frames, strict=True)
    )


def _cut(steps: int, stream: Stream) -> int:
    """Return the number of last steps to draw anew, from 1 to `steps`: often few, sometimes all."""
    most = min(steps, 1 << stream.uniform(steps.bit_length() + 1))
    return 1 + stream.uniform(most)


def _cut_share(cut: int, steps: int) -> float:
    """The probability that `_cut` gives this number."""
    exponents = range(steps.bit_length() + 1)
    return sum(1 / min(steps, 1 << k) for k in exponents if cut <= min(steps, 1 << k)) / len(exponents)


def _action(node: HistoryNode) -> int:
    return int(node.entry if isinstance(node.entry, int) else node.entry[-1])


def _seen(state: State, seat: int) -> str:
    return json.dumps(state.observation(seat), ensure_ascii=False, sort_keys=True)


__all__ = ["NoResample", "Resampler"]
