"""A state of a game: a position, and the history of how it came about.

Names and conventions are OpenSpiel's where it has them: seats count from 0; -1 is chance, -2 several seats at
once, -4 the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import gcd
from operator import index
from typing import TYPE_CHECKING, Protocol

from croupier.diagnostics import JsonObject
from croupier.higher import function
from croupier.records import dataclass
from croupier.runtime import position
from croupier.runtime.arguments import SPECTATOR, action_of, keys_of, seat_of, several, viewer_of
from croupier.runtime.engine import Engine
from croupier.runtime.event_cache import Entry, EventCache, Recorders, actor_and_action, entry_of, offer_line
from croupier.runtime.events import Event
from croupier.runtime.faults import Fault, GameOver, IllegalAction
from croupier.runtime.game import Value
from croupier.runtime.machine import Listener, Machine
from croupier.runtime.recorder import Recorder
from croupier.runtime.state_view import CHANCE, SIMULTANEOUS, TERMINAL, StateView
from croupier.runtime.streams import CHANCE as CHANCE_PURPOSE
from croupier.runtime.streams import Stream, seat_purpose
from croupier.runtime.telling import tell_answer
from croupier.runtime.timing import TimeOp, leave_end
from croupier.semantics import Program

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from croupier.kernel.tree import TypedExpr
    from croupier.semantics.procedures import Proc

VERSION = 1


class RolledOut:
    """The end of a game that random agents played on: its `outcome()`, the numbers of decisions and chance
    events, the hash of its last position.

    The hash, which may take longer than the game, is worked out when it is asked for.
    """

    __slots__ = ("outcome", "decisions", "chance_events", "_hash")

    def __init__(
        self, outcome: JsonObject, final_hash: str | Callable[[], str], decisions: int, chance_events: int
    ) -> None:
        self.outcome = outcome
        self.decisions = decisions
        self.chance_events = chance_events
        self._hash = final_hash

    @property
    def final_hash(self) -> str:
        """SHA-256 of the last position, as 64 hexadecimal digits."""
        if not isinstance(self._hash, str):
            self._hash = self._hash()
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RolledOut) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self.final_hash)

    def _key(self) -> tuple[object, ...]:
        return self.outcome, self.decisions, self.chance_events, self.final_hash

    def __repr__(self) -> str:
        return (
            f"<RolledOut after {self.decisions} decisions and {self.chance_events} chance events: "
            f"{self.outcome}>"
        )


@dataclass(frozen=True, eq=False)
class RolledOuts:
    """The ends of many games that random agents played on from one state, as NumPy arrays with a row for each
    game.

        returns        int64 [count, players]  what each seat gets; 0 where the game did not finish
        winners        bool [count, players]   which seats won
        decisions      int64 [count]
        chance_events  int64 [count]
        failed         bool [count]            the game reached a limit, faulted or is stuck
    """

    returns: NDArray[np.int64]
    winners: NDArray[np.bool_]
    decisions: NDArray[np.int64]
    chance_events: NDArray[np.int64]
    failed: NDArray[np.bool_]

    @classmethod
    def empty(cls, count: int, players: int) -> RolledOuts:
        """Arrays that are not filled yet. Raises ImportError without NumPy."""
        import numpy

        seats, (decisions, events) = (count, players), numpy.zeros((2, count), numpy.int64)
        return cls(
            numpy.zeros(seats, numpy.int64),
            numpy.zeros(seats, numpy.bool_),
            decisions,
            events,
            numpy.zeros(count, numpy.bool_),
        )

    def fill(self, row: int, rolled: RolledOut) -> None:
        """Write the end of a game into its row."""
        self.decisions[row], self.chance_events[row] = rolled.decisions, rolled.chance_events
        self.failed[row] = rolled.outcome["status"] != "finished"
        if not self.failed[row]:
            self.returns[row] = rolled.outcome["returns"]
            self.winners[row, rolled.outcome["winners"]] = True


@dataclass(frozen=True, slots=True)
class SearchedOption:
    """What a bot that searches found of one option: the action and its words, how many rounds of the search
    went into it, and what it is worth to the seat, from 0 to 1 but for rounding and scores; `None` without a
    round.
    """

    action: int
    words: str
    visits: int
    worth: float | None


class StateSampler(Protocol):
    """A sampler of states that a seat cannot tell from a given state (`inference`)."""

    is_exact: bool

    def draw(self, stream: Stream) -> State: ...

    def draw_next(self, stream: Stream) -> State: ...

    def possible(self) -> list[tuple[State, Fraction]]: ...


class Rules(Protocol):
    """A checked ruleset, as a state knows it: `croupier.Ruleset`."""

    name: str
    title: str
    program: Program

    @property
    def ruleset_hash(self) -> str:
        """SHA-256 of the canonical typed form."""

    @property
    def meaning_hash(self) -> str:
        """SHA-256 of the rules without their words."""

    def goes_on(self, ruleset_hash: str, meaning_hash: str | None) -> bool:
        """Return whether a game may go on that was begun with a ruleset of these hashes."""

    @property
    def texts_hash(self) -> str | None:
        """SHA-256 of the texts, if there is no more to the ruleset."""

    def engine(self, players: int | None, parameters: Mapping[str, object] | None) -> Engine:
        """What plays that set-up."""

    def new_initial_state(
        self,
        players: int | None = None,
        parameters: Mapping[str, object] | None = None,
        *,
        backend: str = "reference",
    ) -> State:
        """The state before the first decision or chance event."""

    def deserialize(self, text: str, *, backend: str = "reference", replay: bool = True) -> State:
        """The state that `serialize` wrote."""

    def resampler(self, state: State, seat: int, previous: StateSampler | None = None) -> StateSampler:
        """Return the sampler for `State.resampler`.

        It is made here, because the sampler is made of states.
        """


class State(StateView):
    """One state; `apply_action` changes it in place, `clone` (and `copy.copy`, `copy.deepcopy`) gives an
    independent copy.

    States are equal if their positions are, whatever led there: a key for tables of transpositions. What a
    seat knows is another thing; where that is the key, as in CFR, take `information_state(seat)`. States can
    be pickled, if their ruleset can (`Ruleset`).
    """

    backend = "reference"  # which back end plays it: reference, python or native
    # by seat, and whether offers are in it: those that were asked for
    _event_caches: dict[tuple[int | None, bool], EventCache] | None = None
    # of the seats whose events are recorded as they happen (`follow`)
    _live_recorders: Recorders | None = None
    _passed = 0  # ends of blocks that were left since the last action, of a state that keeps time

    def __init__(
        self,
        ruleset: Rules,
        engine: Engine,
        machine: Machine | None = None,
        history: list[Entry] | None = None,
    ) -> None:
        self.ruleset = ruleset
        if machine is None:
            machine = Machine(engine.rules)
            machine.start()
        super().__init__(engine, machine, history if history is not None else [])
        # a declared position this history begins with, before the rules run on from it
        self._start: Machine | None = None

    # ------------------------------------------------------------ going on
    def apply_action(self, action: int, seat: int | None = None) -> None:
        """Apply a decision of a seat, or a chance outcome.

        Without a seat it is a decision of the seat that acts; of several that act at once, of the first that
        has not chosen.

        Raises `IllegalAction`, ValueError for a seat that is not there; then nothing has changed.
        """
        action = action_of(action)
        seat = None if seat is None else seat_of(seat, self.players, CHANCE)
        if self.is_terminal():
            raise IllegalAction("the game is over")
        if self.is_chance_node():
            if seat is not None and seat != CHANCE:
                raise IllegalAction(f"chance acts here, not seat {seat}")
            if all(action != a for a, _ in self._weights()):
                raise IllegalAction(f"{action} is no outcome of this chance event")
            seat = CHANCE
        else:
            pending = self.pending_seats()
            seat = pending[0] if seat is None else seat
            self._admit(action, seat, pending)
        together = self.is_simultaneous_node()
        self._go_on(seat, action)
        self._history.append(entry_of(seat, action, together=together))
        self._chances += seat == CHANCE
        self._forget()

    def _go_on(self, seat: int, action: int) -> None:
        self._passed = 0
        if self._live_recorders is None:
            self._resume(None, seat, action)
            return
        self._m.recorder = self._live_recorders
        try:
            self._resume(None, seat, action)
        finally:
            self._m.recorder = None

    def _admit(self, action: int, seat: int, pending: list[int]) -> None:
        """Raise `IllegalAction` unless a seat may choose this."""
        if seat not in pending:
            acting = f"{several(pending)} {'acts' if len(pending) == 1 else 'act'} here, counted from 0"
            raise IllegalAction(f"{acting}, not {'chance' if seat == CHANCE else f'seat {seat}'}")
        if action not in self._options(seat):
            raise IllegalAction(
                f"action {action} is not legal for seat {seat}; legal: {self._offered(seat, numbered=True)}"
            )

    def apply_actions(self, actions: Sequence[int]) -> None:
        """Apply the choices of all pending seats of a simultaneous node, in the order of `pending_seats`.

        Raises `IllegalAction`; then nothing has changed. Where the game comes to a limit of its ruleset in
        between, it is over, and the rest do not count.
        """
        if not self.is_simultaneous_node():
            if self.is_terminal():
                acting = "nobody acts any more"
            elif self.is_chance_node():
                acting = "chance acts here"
            else:
                acting = "one seat acts here"
            raise IllegalAction(f"{acting}: `apply_actions` is for several that choose at once")
        pending, chosen = self.pending_seats(), [action_of(action) for action in actions]
        if len(chosen) != len(pending):
            raise IllegalAction(
                f"{len(pending)} seats choose here, not {len(chosen)}: one action each, in the order of "
                f"`pending_seats()`"
            )
        for seat, action in zip(pending, chosen, strict=True):
            self._admit(action, seat, pending)
        for seat, action in zip(pending, chosen, strict=True):
            if not self.is_terminal():
                self.apply_action(action, seat)

    # ------------------------------------------------------------ time
    def keep_time(self) -> None:
        """Stop from now on at both ends of `for 10 seconds` (`timing.py`), where `time_end` tells which.

        For a table that lets people wait: `pass_time` goes on. A copy does not stop. Only the evaluator keeps
        time; other back ends play on.
        """
        self._m.is_timed = True

    def pass_time(self) -> None:
        """Go on from where this state waits for time to pass. The history stays as it is.

        Raises ValueError where it does not wait for that.
        """
        if self.time_end() is None:
            raise ValueError("no time runs here")
        self._forget()
        self._passed += 1
        self._m.recorder = self._live_recorders
        try:
            leave_end(self._m)
        finally:
            self._m.recorder = None

    def beginning_in_time(self) -> State:
        """The state that this history begins with, by the evaluator, which keeps time."""
        m = Machine(self.engine.rules)
        m.is_timed = True
        m.start()
        return State(self.ruleset, self.engine, m)

    def left_to_evaluator(self) -> bool:
        """True if compiled code, which is to play this game, left an action of it to the evaluator.

        False if the evaluator plays anyway.
        """
        return False

    def _resume(self, m: Machine | None, seat: int, action: int) -> None:
        """Apply an action to a machine.

        `None` is the machine of this state, which back ends make only when it is read.
        """
        m = self._m if m is None else m
        if self._answer(m, seat, action):
            m.advance()

    def _answer(self, m: Machine, seat: int, action: int) -> bool:
        """Apply an action to the question that was asked, no more; return whether the game goes on."""
        self._forget()
        op, frame = m.asking()
        m.refuel()
        m.event_audience = frame.event_audience
        m.observer = None
        if m.recorder is not None:
            m.recorder.begin(m.fuel)
            tell_answer(m, op, frame, seat, action)
            m.refuel()
        try:
            op.answer(m, frame, seat, action)
        except Fault as f:
            m.fault, m.frames = f, []
            return False
        except GameOver:
            m.frames = []
            return False
        return True

    def clone(self) -> State:
        """An independent copy; the history so far is shared by value."""
        other = State(self.ruleset, self.engine, self._m.copy(), list(self._history))
        other._start, other._passed = self._start, self._passed
        self._share(other)
        return other

    def _share(self, other: State) -> None:
        """Give a copy of this state the events of the history that both have."""
        if self._event_caches is not None:
            for cache in self._event_caches.values():
                cache.is_shared = True
            other._event_caches = dict(self._event_caches)

    def __copy__(self) -> State:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[object, ...]:
        return partial(self.ruleset.deserialize, self.serialize(), backend=self.backend, replay=False), ()

    def roll_out(self, seed: int, game: int = 1) -> RolledOut:
        """The end that random agents come to from a copy of this state, with the streams of that game of a
        run (states.md, section 2).

        From an initial state it is the game that `simulate --seed SEED` plays as number `game`. The same on
        every back end. Raises ValueError for a seed that is not from 0 to 2^64 - 1, and a game below 1.
        """
        seed, game = keys_of(seed, game)
        whole = self._whole_game(seed, game)
        if whole is None or whole.outcome["status"] != "finished":
            return rolled_out(self.clone(), seed, game)
        return whole

    def roll_outs(self, count: int, seed: int, first: int = 1) -> RolledOuts:
        """Return the results of `roll_out` for the games `first` to `first + count - 1` of a run, as arrays.

        Native code plays them in one call, during which other threads of Python run. Raises ValueError as
        `roll_out` does and for fewer games than one, ImportError without NumPy.
        """
        seed, first = keys_of(seed, first)
        if count < 1:
            raise ValueError(f"games to roll out are 1 or more, got `{count}`")
        return self._roll_outs(index(count), seed, first)

    def _roll_outs(self, count: int, seed: int, first: int) -> RolledOuts:
        found = RolledOuts.empty(count, self.players)
        for row in range(count):
            found.fill(row, self.roll_out(seed, first + row))
        return found

    def search(self, bot: str, seat: int | None = None, seed: int = 1) -> list[SearchedOption]:
        """What a bot that searches (`mcts:1000`, `ismcts:100`) finds of each legal action of a seat.

        Without a seat, of the first that has to decide. The same seed finds the same on every back end;
        native code is the fastest. This state stays as it is.

        Raises ValueError for a bot that does not search, for a seat that is not there, where it has nothing
        to decide, and for a seed that is not from 0 to 2^64 - 1.
        """
        found: list[SearchedOption] = function("search")(self, bot, seat, seed)
        return found

    def beginning(self) -> State:
        """The state that this history begins with, on the same back end."""
        if self._start is None:
            return self.ruleset.new_initial_state(self.players, self.parameters, backend=self.backend)
        return first_state(self.ruleset, self.engine, self._start)

    def resample(self, seat: int, stream: Stream) -> State:
        """A state that a seat, from 0, cannot tell from this one: another history that the seat would have
        perceived in the same way, drawn by how likely it is where the other seats play at random.
        `information_state(seat)` is the same, byte for byte.

        To draw several, use one `resampler`: it is quicker. Raises ValueError for a seat that is not there.
        """
        return self.resampler(seat).draw(stream)

    def resampler(self, seat: int, previous: StateSampler | None = None) -> StateSampler:
        """Return a sampler of states that a seat cannot tell from this one (`inference`).

        This state must not go on while it is used.

        With the `previous` one of the same seat, from earlier in this game, the history up to there is not
        followed again. Raises ValueError for a seat that is not there, NoResample (a ValueError) where none
        can be found.
        """
        return self.ruleset.resampler(self, seat_of(seat, self.players), previous)

    def phase(self) -> str:
        """The name of the phase that the game is in, as the ruleset calls it; nothing outside of all."""
        procs = self.game.program.procs
        running = (procs[at] for at in self._procedures() if at >= 0)  # not the frames that run hooks
        return next((str(proc.name) for proc in running if proc.kind == "phase"), "")

    def _procedures(self) -> Iterable[int]:
        """The procedures that go on, the innermost first, by number."""
        return (frame.code.proc.index for frame in reversed(self._m.frames))

    def _compiled_number(self, text: str, tree: TypedExpr, frame: Proc, seat: int) -> int | None:
        """Return the value of an expression of a number by compiled code; `None` if there is no code for it.

        `text` tells the expression from others of the game; `seat` stands in its first slot.
        """
        return None

    def _whole_game(self, seed: int, game: int, checked: bool = False) -> RolledOut | None:
        """Play a whole game from an initial state, as `_roll_out` does; `None` if only steps will do.

        Back ends override it that have whole games of their own. With `checked` it is also `None` unless all
        invariants hold at every position.
        """
        return None

    # ------------------------------------------------------------ information
    def events(self, seat: int | None = None) -> list[Event]:
        """The history as a seat perceived it (None: the referee, who sees everything; `SPECTATOR`: somebody
        at no seat).

        It is played again for this, from where the same seat asked last, of this state or of the one that it
        is a copy of. Raises ValueError for a seat that is not there.
        """
        viewer = viewer_of(seat, self.players)
        if self._live_recorders is not None:
            told = next((one.events for one in self._live_recorders.each if one.who == viewer), None)
        else:
            told = None
        return (self._event_cache(viewer, False).recorder.events if told is None else told)[:]

    def follow(self, seats: Iterable[int | None]) -> None:
        """Record from now on what these seats perceive, for all of them at once: `events` then has it ready.

        A copy does not go on with it. Compiled code is played again when somebody asks, as without this.
        Raises ValueError for a seat that is not there.
        """
        if self.backend == State.backend:
            followers = Recorders([Recorder(self.players, viewer_of(seat, self.players)) for seat in seats])
            machine = self._started_machine(followers, is_timed=self._m.is_timed)
            resume = self._resumer(machine)
            for entry in self._history:
                while isinstance(machine.waiting, TimeOp):
                    leave_end(machine)
                resume(machine, entry)
            for _ in range(self._passed):
                leave_end(machine)
            self._live_recorders = followers

    def information_state(self, seat: int | None) -> str:
        """Everything a seat knows: its events, what it was offered and decided, in order, and what it sees
        now. Asked as `events` is.
        """
        viewer = viewer_of(seat, self.players)
        # where that faults, the game ends here
        legal = [] if viewer is None or viewer == self.players else self.legal_actions(viewer)
        cache = self._event_cache(viewer, True)
        seen = self.observation(seat) if self.is_terminal() else self._seen_on(cache.machine, seat, legal)
        if "decision" in seen:
            cache.recorder.on_offer = offer_line(seen["decision"])
        return cache.text() + json.dumps(seen, ensure_ascii=False, sort_keys=True)

    def _seen_on(self, machine: Machine, seat: int | None, legal: list[int]) -> JsonObject:
        """Return the observation of this state, by a machine that stands here and knows already what is on
        offer.

        `legal`: the legal actions of the seat.
        """
        here = State(self.ruleset, self.engine, machine)
        here._history, here._chances = self._history, self._chances
        if seat is not None and legal:
            here._legal[seat] = legal
        recorder, machine.recorder = machine.recorder, None
        try:
            return here.observation(seat)
        finally:
            machine.recorder = recorder

    def _event_cache(self, seat: int | None, offers: bool) -> EventCache:
        """Return the events of a seat (`None`: the referee) up to here; with `offers` also its offers."""
        known = self._event_caches = self._event_caches or {}
        cache = known.get((seat, offers)) or self._new_event_cache(seat)
        cache = cache.up_to(self._history, self._resumer(cache.machine, seat, offers))
        known[seat, offers] = cache
        return cache

    def _resumer(
        self, machine: Machine, seat: int | None = None, offers: bool = False
    ) -> Callable[[Machine, Entry], None]:
        """A function that applies the next entry of the history to a machine."""
        again = State(self.ruleset, self.engine, machine)

        def resume(m: Machine, entry: Entry) -> None:
            again._m = m
            again._forget()
            acting, action = again._actor_and_action(entry)
            if m.recorder is not None:
                if offers and acting == seat:
                    m.recorder.offered(partial(again._offer, acting))
                m.recorder.on_offer = None
            again._resume(m, acting, action)

        return resume

    def _actor_and_action(self, entry: Entry) -> tuple[int, int]:
        """Return who acts in the next entry of a history, a seat or `CHANCE`, and the action."""
        return (self.current_player(), entry) if isinstance(entry, int) else actor_and_action(entry)

    def _offer(self, seat: int) -> str | None:
        asked = self.asked(seat)
        return None if asked is None else offer_line(asked)

    def _new_event_cache(self, seat: int | None) -> EventCache:
        """The events of a seat before anybody, or chance, acts."""
        recorder = Recorder(self.players, seat)
        return EventCache(self._started_machine(recorder), recorder)

    def _started_machine(self, recorder: Listener, *, is_timed: bool = False) -> Machine:
        """A machine with this recorder that has run to the first decision or chance event."""
        recorder.begin(self.game.program.limits["fuel"])
        if self._start is not None:
            m = self._start.copy()
            m.recorder = recorder
            recorder.begin_game(m)
            if m.result is None:
                m.advance()
        else:
            m = Machine(self.engine.rules)
            m.is_timed = is_timed
            m.recorder = recorder
            recorder.begin_game(m)
            m.start()
        return m

    # ------------------------------------------------------------ identity
    def position(self) -> bytes:
        """The canonical bytes of the position; the history is no part of it."""
        return position.bytes_of_data(self.game, self._position_data())

    def _position_data(self) -> tuple[Value, ...]:
        """The position in the form of `position.as_data`."""
        return position.as_data(self._m)

    def hash(self) -> str:
        """SHA-256 of `position()`, as 64 hexadecimal digits: the same for the same position, whatever led
        there.
        """
        return position.hash_of_data(self.game, self._position_data())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.position() == other.position()

    def __hash__(self) -> int:
        return int(self.hash()[:15], 16)

    def __repr__(self) -> str:
        acting = self.current_player()
        who = {CHANCE: "chance acts", TERMINAL: str(self.outcome()["status"])}.get(
            acting
        ) or f"to act: {several(self.pending_seats())}"
        return (
            f"<State of {self.ruleset.name}, {self.players} players, on {self.backend}, "
            f"{len(self._history)} steps; {who}>"
        )

    def serialize(self) -> str:
        """The state as JSON: ruleset, players, parameters, position and history.

        `Ruleset.deserialize` reads it.
        """
        start = None if self._start is None else position.to_json(position.as_data(self._start, begun=False))
        return json.dumps(
            {
                "croupier": VERSION,
                "ruleset": self.ruleset.name,
                "ruleset_hash": self.ruleset.ruleset_hash,
                "meaning_hash": self.ruleset.meaning_hash,
                "players": self.players,
                "parameters": self.parameters,
                "position": position.to_json(position.as_data(self._m)),
                "start": start,
                "history": [_entry_as_json(entry) for entry in self._history],
            },
            sort_keys=True,
        )


def begun_at(ruleset: Rules, engine: Engine, machine: Machine) -> State:
    """The state of a declared position, run on to its first decision, chance event or end.

    Its history begins there.
    """
    state = State(ruleset, engine, machine)
    state._start = machine.copy()
    if machine.result is None:
        machine.advance()
    return state


def first_state(ruleset: Rules, engine: Engine, start: Machine | None) -> State:
    """The state that a history begins with; `start`, of a declared position, stays as it is.

    Raises `DamagedPosition` (a ValueError) if the rules cannot go on from there.
    """
    if start is None:
        return State(ruleset, engine)
    try:
        return begun_at(ruleset, engine, start.copy())
    except position.RULES_FAIL:
        raise position.DamagedPosition(position.MISFIT) from None


def apply_history(state: State, history: Iterable[Entry]) -> None:
    """Apply the entries of a history, one after the other. Raises as `State.apply_action` does."""
    for entry in history:
        if isinstance(entry, list):
            state.apply_action(entry[1], entry[0])
        else:
            state.apply_action(entry[0] if isinstance(entry, tuple) else entry)


def _entry_as_json(entry: Entry) -> object:
    """Return an entry of a history as JSON: `[outcome]` of chance, `{"seat": …, "action": …}` where several
    choose at once, else the number of the action.
    """
    match entry:
        case tuple():
            return list(entry)
        case list():
            return {"seat": entry[0], "action": entry[1]}
        case _:
            return entry


def rolled_out(state: State, seed: int, game: int, most: int | None = None) -> RolledOut:
    """Play a state to its end, or at most so many decisions far, which changes it: every seat takes each of
    its legal actions with the same chance.

    Everybody's streams begin here. Where a seat must act and has no legal action, the game is stuck and ends.
    """
    chance = Stream(seed, game, CHANCE_PURPOSE)
    seats = [Stream(seed, game, seat_purpose(seat)) for seat in range(state.players)]
    decisions = events = 0
    while not state.is_terminal() and (most is None or decisions < most):
        if state.is_chance_node():
            outcomes = state._weights()
            if not outcomes:
                continue
            shares = gcd(*[weight for _, weight in outcomes])
            state.apply_action(outcomes[chance.weighted([weight // shares for _, weight in outcomes])][0])
            events += 1
            continue
        several = state.is_simultaneous_node()
        options = {seat: state.legal_actions(seat) for seat in state.pending_seats()}
        if not all(options.values()):
            break
        actions = [legal[seats[seat].uniform(len(legal))] for seat, legal in options.items()]
        decisions += len(actions)
        if several:
            state.apply_actions(actions)
        else:
            state.apply_action(actions[0])
    return RolledOut(state.outcome(), state.hash, decisions, events)


__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "SPECTATOR",
    "TERMINAL",
    "Event",
    "IllegalAction",
    "RolledOut",
    "RolledOuts",
    "SearchedOption",
    "State",
]
