"""The machine: the changing part of a game, and the primitives that change it.

A position is the state variables, the contents of the zones, what the watchers saw last, and a stack of
frames. Each frame stands at an operation of its procedure; all of them but the top one wait for a call to
return; the top one waits for a decision or for chance. All values are immutable, so copying a machine is
copying a few lists.

Compiled code is functions of a machine and the locals of a frame, and operations (`Op`) that may wait. What a
machine needs of the rules, and of those whom it tells what happens, stands at the end.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import ClassVar, Protocol, TypeAlias

from croupier.diagnostics import JsonObject, Span
from croupier.kernel.facts import Leaves
from croupier.kernel.tree import TypedExpr, TypedStmt
from croupier.kernel.types import Map, Type
from croupier.limits import MAX_CALL_DEPTH
from croupier.records import dataclass
from croupier.runtime.disclosure import PLAIN, AnswerWords, Disclosure, Level, Pick, WordedStatement, Words
from croupier.runtime.events import MadeClaim
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.game import KEPT, Game, PositionObserver, Value
from croupier.runtime.results import Result
from croupier.runtime.zone_contents import Items, flat
from croupier.semantics.procedures import Heading, Proc
from croupier.semantics.program import EventWords, Sight, VarDef, ZoneDef
from croupier.text import Text

WAIT = object()
CHUNK = 256  # entries that are compared at once
# hook, component, its owner, the key of its zone: a match, as a value
Key = tuple[int, int | None, int | None, Value]
Chain = tuple[Key, ...]  # what stands instead of a definition, the outermost last
if sys.getrecursionlimit() < 10 * MAX_CALL_DEPTH:  # so that this limit holds, and not that of Python
    sys.setrecursionlimit(10 * MAX_CALL_DEPTH)


@dataclass(slots=True, eq=False)
class Frame:
    """A procedure that has begun: where it stands, and its locals.

    `event_audience`: bits of the seats that perceive what happens (`among`); `None` for everybody.
    """

    code: ProcCode
    pc: Op | None
    L: list[Value]
    event_audience: int | None

    @property
    def point(self) -> int | None:
        """The suspension point at which it stands; `None` if that is none."""
        return None if self.pc is None else self.pc.point

    def copy(self) -> Frame:
        return Frame(self.code, self.pc, self.L[:], self.event_audience)


@dataclass(slots=True, eq=False, repr=False)
class Machine:
    """The changing part of a game: state, zones, frames, and what is on offer while somebody is asked."""

    rules: RunnableRules
    game: Game = field(init=False)
    vars: list[Value] = field(init=False)
    zones: list[Items] = field(init=False)
    where: list[int] = field(init=False)  # by component its zone, or -1
    seen_values: list[Value] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)
    result: Result | None = None
    fault: Fault | None = None
    fuel: int = 0
    recorder: Listener | None = None
    # while looking ahead: the frame and slot of the block whose end is looked for
    search: tuple[int, int] | None = None
    # positions that look-aheads examined in this action, and the fuel they have left
    examined: list[int] = field(default_factory=lambda: [0, 0])
    # is it a copy on which something is supposed, where nobody looks whether the game ends?
    supposing: bool = False
    supposed: list[str] | None = None  # what was supposed, and what came of it, while somebody asks why
    # of definitions that may call themselves: how many calls of each have begun
    depth: dict[int, int] = field(default_factory=dict)
    height: int = 0  # how deep the texts of the definitions that have begun are nested together
    retval: Value = None
    retval_vars: list[Value] = field(default_factory=list)
    watching: bool = False
    dirty: set[int] = field(default_factory=set)
    event_audience: int | None = None
    observer: PositionObserver | None = None  # for whom something is worded
    cites: tuple[str, ...] = ()
    # what called the definition that runs and does not suspend cites; `None` outside of such
    called: tuple[str, ...] | None = None
    # what the operation that waits found on offer, by action: a memo, no part of a position
    offer: dict[int, tuple[Value, ...]] | None = None
    is_timed: bool = False  # does it stop at both ends of a block that takes its time (`timing.py`)?

    has_position: ClassVar = True

    def __post_init__(self) -> None:
        game = self.game = self.rules.game
        self.vars, self.zones = list(game.start_vars), list(game.start_zones)
        self.where = locations(game, self.zones)

    def copy(self) -> Machine:
        """An independent copy; recordings are not copied."""
        m = Machine.__new__(Machine)
        m.game, m.rules = self.game, self.rules
        m.vars = self.vars[:]
        m.zones = self.zones[:]
        m.where = self.where[:]
        m.seen_values = self.seen_values[:]
        m.frames = [f.copy() for f in self.frames]
        m.result = self.result
        m.fault = self.fault
        m.fuel = self.fuel
        m.recorder = None
        m.search = self.search
        m.examined = self.examined
        m.depth = dict(self.depth)
        m.height = self.height
        m.retval = None
        m.retval_vars = []
        m.watching = False
        m.dirty = set()
        m.event_audience, m.observer, m.cites, m.called, m.offer = None, None, (), None, self.offer
        m.supposing, m.supposed = self.supposing, self.supposed
        m.is_timed = False
        return m

    # ------------------------------------------------------------ running
    def start(self) -> None:
        """Begin the game: watchers take their first look, then the phases run up to the first decision or
        chance.
        """
        code = self.rules
        self.refuel()
        self.watching = True  # nobody watches what a first look supposes
        try:
            self.seen_values = self.watched()
        except Fault as f:
            self.fault = f
            return
        finally:
            self.watching = False
        self.frames = [Frame(code.main, code.main.entry, [None] * code.main.slots, None)]
        self.advance()

    def watched(self) -> list[Value]:
        """What the watchers see now."""
        watchers = self.rules.watchers
        return [w.value(self, [None] * w.slots) if w.kind == "watch" else None for w in watchers]

    def advance(self) -> None:
        """Run until somebody must decide, chance must fall, or the game is over."""
        try:
            self.run()
        except GameOver:
            self.frames = []
        except Fault as f:
            if self.search is not None:
                raise
            self.fault = f
            self.frames = []

    def run(self) -> None:
        frames, self.offer = self.frames, None
        while frames:
            frame = frames[-1]
            op = frame.pc
            if op is None:
                self.leave(None)
            elif op.run(self, frame) is WAIT:
                return
        raise Fault("R009", self.rules.main.proc.span)

    def leave(self, value: Value, changed: list[Value] | None = None) -> None:
        """End the top frame with a value; its caller goes on.

        `changed` are the final values of its `var` parameters; if it is `None`, they are those of its locals.
        """
        frame = self.frames.pop()
        self.retval_vars = frame.code.vars_of(frame.L) if changed is None else changed
        if self.frames:
            caller = self.frames[-1]
            call = caller.pc
            assert call is not None  # a frame below the top stands at a call
            call.returned(self, caller, value)

    def enter(self, target: int, args: list[Value], event_audience: int | None, span: Span) -> Frame:
        """Push a frame of a procedure that may suspend."""
        code = self.rules.procs[target]
        if target not in self.rules.hooked:  # otherwise the frame that runs its hooks was counted
            self.check_nesting(target, sum(1 for f in self.frames if f.code is code), span)
        frame = Frame(code, code.entry, args + [None] * (code.slots - len(args)), event_audience)
        self.frames.append(frame)
        return frame

    def check_nesting(self, target: int, standing: int, span: Span) -> None:
        """Fault if a definition stands in itself more often than its `nested` bound allows; `standing` is how
        many calls of it have begun.
        """
        proc = self.game.program.procs[target]
        if proc.nested is not None and standing > proc.nested:
            raise Fault("R011", span, name=proc.name, limit=proc.nested)

    def refuel(self) -> None:
        """An action begins, or a question about the position: it has all the fuel that the ruleset's `limits`
        give.
        """
        self.fuel = self.game.program.limits["fuel"]
        self.examined = [0, self.fuel]

    def burn(self, span: Span) -> None:
        """Charge one step: a statement that begins, an iteration."""
        self.spend(1, span)

    def spend(self, steps: int, span: Span) -> None:
        """Charge steps. An action has as many as its ruleset's `limits` say; past them it faults here.

        A statement costs 1, an iteration of a loop 1; walking a collection costs its elements, copying or
        comparing one a `GRAIN`th of them.
        """
        self.fuel -= steps
        if self.fuel < 0:
            raise Fault("R010", span, limit=self.game.program.limits["fuel"])

    # ------------------------------------------------------------ calls that do not suspend
    def call(self, target: int, args: list[Value], span: Span) -> Value:
        """Run a definition that does not suspend, with its hooks.

        With a `nested` bound, a call counts until its last hook has ended.
        """
        code = self.rules
        run = code.dispatch if target in code.hooked else Machine.call_plain
        if self.game.program.procs[target].nested is None:
            return run(self, target, args, span)
        standing = self.depth.get(target, 0)
        self.check_nesting(target, standing, span)
        self.depth[target] = standing + 1
        try:
            return run(self, target, args, span)
        finally:
            self.depth[target] -= 1

    def call_plain(self, target: int, args: list[Value], span: Span) -> Value:
        """Run a definition or a hook that does not suspend, without the hooks around it, inside those that
        have begun.

        Faults if all of them together are nested too deep.
        """
        code = self.rules.procs[target]
        if self.height + code.height > MAX_CALL_DEPTH:
            raise Fault("R023", span, name=code.proc.name)
        L = args + [None] * (code.slots - len(args))
        self.height += code.height
        cites, called = self.cites, self.called
        if self.recorder is not None:
            self.called = self.because()
        body = code.body
        assert body is not None  # what runs so never suspends
        try:
            body(self, L)
        finally:
            self.height -= code.height
            self.cites, self.called = cites, called
        value, self.retval = self.retval, None
        self.retval_vars = code.vars_of(L) if code.var_slots else []
        return value

    def because(self) -> tuple[str, ...]:
        """The rules that the present events cite: those of its clause or, if that cites nothing, those of the
        line that called its definition.
        """
        if self.cites:
            return self.cites
        if self.called is not None:
            return self.called
        frames = self.frames
        for i in range(len(frames) - 1, 0, -1):
            if frames[i].code.proc.kind not in ("def", "hook", "window"):
                return ()
            call = frames[i - 1].pc
            if call is not None and call.cites:
                return call.cites
        return ()

    # ------------------------------------------------------------ writing
    def set_var(self, index: int, value: Value) -> None:
        old = self.vars[index]
        self.vars[index] = value
        if self.recorder is not None and old != value:
            self.tell_change(self.recorder, index, old, value)
        watchers = self.rules.watch_vars[index]
        if watchers:
            self.notice(watchers)

    def tell_change(self, listener: Listener, index: int, old: Value, new: Value) -> None:
        """Tell that state changed, of a map entry by entry."""
        v = self.game.variables[index]
        if isinstance(v.type, Map) and isinstance(old, tuple):
            for i in changed(old, new):
                listener.value_at(self, v, i, new[i], old)
        else:
            listener.value_at(self, v, None, new)

    def notice(self, watchers: tuple[int, ...]) -> None:
        """Run the watchers of what changed, in text order, until nothing changes any more."""
        self.dirty.update(watchers)
        if self.watching:
            return
        called, self.watching, self.called = self.called, True, ()  # nobody calls what a watcher does
        code = self.rules
        try:
            for _ in range(len(code.watchers) + 2):
                todo = sorted(self.dirty)
                if not todo:
                    return
                self.dirty.clear()
                for i in todo:
                    w = code.watchers[i]
                    if w.kind == "end" and self.supposing:
                        continue
                    L = [None] * w.slots
                    value = w.value(self, L)
                    if w.kind == "end":
                        if value:
                            w.body(self, L)
                    elif value != self.seen_values[i]:
                        if w.before is not None:
                            L[w.before] = self.seen_values[i]
                        self.seen_values[i] = value
                        if w.slot is not None:
                            L[w.slot] = value
                        w.body(self, L)
            if self.dirty:
                raise Fault("R017", code.watchers[min(self.dirty)].span)
        finally:
            self.watching, self.called = False, called
            self.dirty.clear()

    # ------------------------------------------------------------ what the machine waits for
    def asking(self) -> tuple[Op, Frame]:
        """The operation that waits, and the frame that stands there."""
        frame = self.frames[-1]
        assert frame.pc is not None
        return frame.pc, frame

    def record_words(self, words: EventWords, fields: tuple[Value, ...]) -> str:
        """Return what a record with these values of its fields is called."""
        return self.rules.record_words(words, fields)(self)

    @property
    def waiting(self) -> Op | None:
        """The operation that waits for a decision or for chance, or `None`."""
        return self.frames[-1].pc if self.frames else None


def changed(old: tuple[Value, ...], new: tuple[Value, ...]) -> Iterator[int]:
    """Yield the indices at which two tuples of the same length differ."""
    for start in range(0, len(old), CHUNK):
        a, b = old[start : start + CHUNK], new[start : start + CHUNK]
        if a != b:
            yield from (start + i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)


def locations(game: Game, zones: list[Items]) -> list[int]:
    """Return the zone of every component; -1 for one that lies nowhere."""
    where = [-1] * len(game.components)
    for z, items in enumerate(zones):
        for component in flat(items):
            where[component] = z
    return where


# ---------------------------------------------------------------- what compiled code is made of
Locals = list[Value]
Run = Callable[[Machine, Locals], Value]
Walk = Callable[[Machine, Locals], Iterable[None]]  # steps once for each element, whose locals it sets
Do = Callable[[Machine, Locals], object]
Setter = Callable[[Machine, Locals, Value], None]
Called: TypeAlias = tuple[tuple[str, ...], tuple[Type, ...], tuple[Value, ...]]
"""What an option is called in rules, the most particular name first; the types of what it chooses, and the
values.
"""

RETURN, BREAK, CONTINUE = Leaves.PROCEDURE, Leaves.LOOP, Leaves.ROUND


def write_back(back: list[Setter], m: Machine, L: Locals) -> None:
    """Write the final `var` parameters of a call to the targets that the caller named."""
    for write, v in zip(back, m.retval_vars, strict=True):
        if v is not KEPT:
            write(m, L, v)


def put_back(slots: Sequence[int | None], m: Machine, values: list[Value]) -> None:
    """Put the final `var` parameters of a call in the places of others: arguments, or locals."""
    for at, v in zip(slots, m.retval_vars, strict=True):
        if at is not None and v is not KEPT:
            values[at] = v


class Op(ABC):
    """One operation.

    `point` is its number among the suspension points of its procedure; `None` if it never waits.
    """

    next: Op | None = None
    point: int | None = None
    proc = -1  # the number of its procedure, of an operation that waits
    span: Span
    cites: tuple[str, ...] = ()
    tree: TypedStmt | None = None  # the statement, for those who explain it
    seats: str = ""  # "one", "every", "chance" where it waits

    @abstractmethod
    def run(self, m: Machine, fr: Frame) -> object:
        """Execute the operation on a machine.

        Return `WAIT` if the machine is to stop for a decision or for chance. Raises `Fault` if the rules go
        wrong.
        """

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        raise AssertionError("nothing was called here")

    # ------------------------------------------------------------ who is asked, and what
    def chooser(self, m: Machine, fr: Frame) -> int:
        """The seat that decides."""
        raise AssertionError("no single seat decides here")

    def pending(self, m: Machine, fr: Frame) -> list[int]:
        """Return the seats that have not chosen yet, of several that choose at once."""
        raise AssertionError("nobody chooses at once here")

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        """The actions of a seat."""
        raise AssertionError("nobody decides here")

    def outcomes(self, m: Machine, fr: Frame) -> list[tuple[int, int]]:
        """The actions of chance, with their weights."""
        raise AssertionError("chance is not asked here")

    def question(self, m: Machine) -> str:
        """Return the construct that asks, with the name and the wording that the decision has there."""
        return "choose"

    def is_open_to(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat can work out which options are on offer."""
        return False

    def is_asked_openly(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat knows that this is asked now, though it may not see the options.

        It does not if hidden information decides whether it is asked.
        """
        return True

    # ------------------------------------------------------------ an option
    def cited_by(self, action: int) -> tuple[str, ...]:
        """The rules that the decision for an action cites."""
        return self.cites

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        """The words of an option."""
        raise AssertionError("nobody decides here")

    def sentence(self, m: Machine, fr: Frame, seat: int, action: int) -> Text | None:
        """The author's sentence for the log (`told "…"`); `None` without one."""
        return None

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure | None:
        """Return what others learn of an answer, of a seat or of chance (-1).

        `None` if that is no event of its own: a card that is drawn or a die that is rolled is told by what it
        changes.
        """
        return PLAIN

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> JsonObject | None:
        """An option as JSON, by what it means; `None` where its words are all there is to it."""
        return None

    def named(self, m: Machine, fr: Frame, seat: int, action: int) -> Called | None:
        """Return the name of an option in the rules, and the values that it chooses; `None` without one."""
        return None

    def declines(self, fr: Frame, action: int) -> bool:
        """Return whether an action chooses nothing."""
        return False

    def ends(self, fr: Frame, action: int) -> bool:
        """Return whether an action takes no more of several things."""
        return False

    # ------------------------------------------------------------ answers
    def answer(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        """Take an action, of a seat or of chance.

        It takes no fuel: what is on offer, and who is asked, was paid for when the decision came up.
        """
        fuel, m.fuel = m.fuel, m.game.program.limits["fuel"]
        self.resume(m, fr, seat, action)
        m.fuel = fuel

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        """Execute an action, and set where the procedure goes on; `answer` calls it."""
        raise AssertionError("nobody is asked here")


# ---------------------------------------------------------------- procedures
def height(body: list[TypedStmt]) -> int:
    """Return the nesting depth of a text.

    Each statement in a block, and each part of an expression, is one deeper than what it stands in.
    """
    return 1 + max(
        (max([height(b) for b in s.blocks] + [depth(x) for x in s.reads()], default=0) for s in body),
        default=0,
    )


def depth(x: TypedExpr) -> int:
    """Return the nesting depth of an expression."""
    return 1 + max(map(depth, x.args), default=0)


_COMPILED = frozenset(("entry", "body", "value", "points", "entries", "so_slots"))


class ProcCode:
    """A procedure ready to run: `body` if it never suspends, `entry` if it may.

    The function `compile` fills it in when one of these is first asked for; without it that is for whoever
    makes it.
    """

    entry: Op | None
    body: Do | None
    value: Run | None  # the body as an expression, if it is one `return`
    points: dict[int, Op]
    entries: dict[int, Op]  # of the body that calls the phases: the operation that calls a procedure
    so_slots: dict[int, int | None]  # look-ahead blocks, what is inside first: decisions each may look ahead

    def __init__(self, proc: Proc, compile: Callable[[ProcCode], None] | None = None) -> None:
        self.proc, self._compile = proc, compile
        self.slots = len(proc.slots)
        self.live = proc.live  # suspension point -> the slots that count
        # `None`: a hook that does not bind this one
        self.var_slots: tuple[int | None, ...] = tuple(q.slot for q in proc.params if q.var)
        if compile is None:
            self.entry = self.body = self.value = None
            self.points, self.entries, self.so_slots = {}, {}, {}

    @cached_property
    def height(self) -> int:
        """The nesting depth of its text."""
        return height(self.proc.body)

    @property
    def is_compiled(self) -> bool:
        """True if all parts have been compiled."""
        return self.__dict__.keys() >= _COMPILED

    def take(self, made: ProcCode) -> None:
        """Take over the compiled parts of another code, while other threads may read this one."""
        self.__dict__.update({name: made.__dict__[name] for name in _COMPILED})

    def __getattr__(self, name: str) -> object:
        """Compile the procedure when one of its compiled attributes is first asked for; afterwards they are
        found in place.
        """
        compile = self.__dict__.get("_compile")
        if name not in _COMPILED or compile is None:
            raise AttributeError(name)
        compile(self)
        return self.__dict__[name]

    def vars_of(self, L: Locals) -> list[Value]:
        """Return the values of the `var` parameters at the end, in order; `KEPT` for one that a hook does not
        name.
        """
        return [KEPT if i is None else L[i] for i in self.var_slots]


@dataclass(eq=False)
class WatchCode:
    """A watcher ready to run: the value or condition it looks at, and its body."""

    kind: str
    value: Run
    body: Do
    slot: int | None
    before: int | None
    slots: int
    span: Span


class RunnableRules(Protocol):
    """The rules of a game as a machine runs them (`compiled_rules.CompiledRules`)."""

    game: Game
    is_ready: bool  # can games be played with them?
    hooked: set[int]  # the procedures that hooks listen to
    holds: list[frozenset[str]]  # the classes that each zone may hold
    watch_vars: list[tuple[int, ...]]  # who watches each state variable, by number
    watch_zones: list[tuple[int, ...]]

    @property
    def procs(self) -> Sequence[ProcCode]: ...

    @property
    def main(self) -> ProcCode: ...

    @property
    def watchers(self) -> Sequence[WatchCode]: ...

    @property
    def hooks(self) -> object: ...  # `hooks.hooks_of` knows what they are

    @property
    def observing(self) -> RunnableRules: ...

    def compile_rest(self) -> None: ...

    def compile_call(self, proc: Proc, statement: TypedStmt, end: Op) -> ProcCode: ...

    def expr(self, x: TypedExpr) -> Run: ...

    def redacted_in(self, code: ProcCode, x: TypedExpr) -> Run: ...

    def dispatch(self, m: Machine, target: int, args: list[Value], span: Span) -> Value: ...

    def original(self, m: Machine, target: int, args: list[Value], chain: Chain, span: Span) -> Value: ...

    def push_dispatch(
        self, m: Machine, target: int, args: list[Value], event_audience: int | None, span: Span
    ) -> None: ...

    def push_original(
        self, m: Machine, target: int, args: list[Value], chain: Chain, event_audience: int | None, span: Span
    ) -> None: ...

    def sight(self, sight: Sight | None) -> Callable[[Machine, int, Value, Value], bool]: ...

    def words(self, thing: ZoneDef | VarDef, known: tuple[Value, ...]) -> Callable[[Machine], str] | None: ...

    def record_words(self, words: EventWords, fields: tuple[Value, ...]) -> Callable[[Machine], str]: ...

    def heading(self, heading: Heading, outer: Sequence[Value]) -> Callable[[Machine], str]: ...


# ---------------------------------------------------------------- what a machine tells
Reaches = Callable[[int], bool]  # does a seat learn of this?


class Reader(Protocol):
    """What one reader perceives of the statements that run."""

    statement: WordedStatement | None  # while a statement runs that has words of its own
    waiting: dict[Level, WordedStatement]  # of such statements that wait, by their levels
    rolling: int  # the attribute that a roll is writing, or -1

    def worded(self, m: Machine, statement: WordedStatement, text: Words) -> None: ...


class Listener(Protocol):
    """Whoever is told of what happens: the recorder of one reader, or those of several (`each`).

    Components are shown `before` they move, and are told of when they have `moved`. Those who inherit from
    this do nothing when an action or a phase begins, at an offer, at a shuffle and at the end.
    """

    on_offer: str | None  # what a reader may choose from now, where that is known already

    @property
    def each(self) -> Sequence[Reader]: ...

    def offered(self, text: Callable[[], str | None]) -> None:
        return None

    def begin(self, fuel: int) -> None:
        return None

    def begin_game(self, m: Machine) -> None:
        return None

    def decided(
        self, m: Machine, seat: int, told: Disclosure, said: AnswerWords, reaches: Reaches
    ) -> None: ...

    def decided_nothing(self, m: Machine, seat: int, said: AnswerWords, reaches: Reaches) -> None: ...

    def revealed(self, m: Machine, picks: Sequence[Pick]) -> None: ...

    def chance_drawn(self, m: Machine, said: AnswerWords, reaches: Callable[[int | None], bool]) -> None: ...

    def before(self, m: Machine, *components: int) -> None: ...

    def moved(self, m: Machine, component: int, source: int, z: int, place: str = "top") -> None: ...

    def moved_all(
        self, m: Machine, source: int, z: int, items: Items, place: str = "top", *, exchanged: bool = False
    ) -> None: ...

    def shuffled(self, m: Machine, z: int) -> None:
        return None

    def shown(
        self,
        m: Machine,
        components: Callable[[], tuple[int, ...]],
        to: tuple[int, ...],
        zone: Callable[[], int] | None = None,
    ) -> None: ...

    def told(self, m: Machine, text: Words, to: tuple[int, ...]) -> None: ...

    def announced(self, m: Machine, text: Words) -> None: ...

    def claimed(self, m: Machine, seat: int, text: Words, claim: MadeClaim) -> None: ...

    def value_at(self, m: Machine, v: VarDef, i: int | None, value: Value, old: Value = None) -> None: ...

    def entered(self, m: Machine, target: int, outer: Sequence[Value]) -> None:
        return None

    def finished(self, m: Machine) -> None:
        return None
