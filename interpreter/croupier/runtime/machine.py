"""The machine: the changing part of a game, and the primitives that change it.

A position is the state variables, the contents of the zones, what the watchers saw last, and a stack of
frames. Each frame stands at an operation of its procedure; all of them but the top one wait for a call to
return; the top one waits for a decision or for chance. All values are immutable, so copying a machine is
copying a few lists.

Compiled code is functions of a machine and the locals of a frame; what a statement answers when it leaves its
block is listed at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from croupier.diagnostics import Span
from croupier.limits import MAX_CALL_DEPTH
from croupier.runtime.faults import Fault, GameOver
from croupier.runtime.game import KEPT, Game, Value
from croupier.runtime.results import Result
from croupier.runtime.zone_contents import Items, flat

if TYPE_CHECKING:
    from croupier.runtime.candidates import Candidate
    from croupier.runtime.compiled_rules import CompiledRules
    from croupier.runtime.compiler import ProcCode
    from croupier.runtime.operations import Op
    from croupier.runtime.telling import Listener
    from croupier.runtime.visibility import SeatObserver

WAIT = object()
# hook, component, its owner, the key of its zone: a match, as a value
Key = tuple[int, int | None, int | None, Value]
Chain = tuple[Key, ...]  # what stands instead of a definition, the outermost last
if sys.getrecursionlimit() < 10 * MAX_CALL_DEPTH:  # so that this limit holds, and not that of Python
    sys.setrecursionlimit(10 * MAX_CALL_DEPTH)


class Frame:
    """A procedure that has begun: where it stands, and its locals.

    `event_audience`: bits of the seats that perceive what happens (`among`); `None` for everybody.
    """

    __slots__ = ("code", "pc", "L", "event_audience")

    def __init__(
        self, code: ProcCode, pc: Op | None, locals_: list[Value], event_audience: int | None
    ) -> None:
        self.code, self.pc, self.L, self.event_audience = code, pc, locals_, event_audience

    @property
    def point(self) -> int | None:
        """The suspension point at which it stands; `None` if that is none."""
        return None if self.pc is None else self.pc.point

    def copy(self) -> Frame:
        return Frame(self.code, self.pc, self.L[:], self.event_audience)


class Machine:
    """The changing part of a game: state, zones, frames, and what is on offer while somebody is asked."""

    __slots__ = (
        "game",
        "rules",
        "vars",
        "zones",
        "where",
        "seen_values",
        "frames",
        "result",
        "fault",
        "fuel",
        "recorder",
        "search",
        "examined",
        "supposing",
        "supposed",
        "depth",
        "height",
        "retval",
        "retval_vars",
        "watching",
        "dirty",
        "event_audience",
        "observer",
        "cites",
        "called",
        "offer",
        "is_timed",
    )

    has_position = True

    def __init__(self, rules: CompiledRules) -> None:
        self.rules, self.game = rules, rules.game
        game = rules.game
        self.vars: list[Value] = list(game.start_vars)
        self.zones: list[Items] = list(game.start_zones)
        self.where: list[int] = locations(game, self.zones)
        self.seen_values: list[Value] = []
        self.frames: list[Frame] = []
        self.result: Result | None = None
        self.fault: Fault | None = None
        self.fuel = 0
        self.recorder: Listener | None = None
        # while looking ahead: the frame and slot of the block whose end is looked for
        self.search: tuple[int, int] | None = None
        # positions that look-aheads examined in this action, and the fuel they have left
        self.examined = [0, 0]
        # is it a copy on which something is supposed, where nobody looks whether the game ends?
        self.supposing = False
        # what was supposed, and what came of it, while somebody asks why
        self.supposed: list[str] | None = None
        # of definitions that may call themselves: how many calls of each have begun
        self.depth: dict[int, int] = {}
        self.height = 0  # how deep the texts of the definitions that have begun are nested together
        self.retval: Value = None
        self.retval_vars: list[Value] = []
        self.watching = False
        self.dirty: set[int] = set()
        self.event_audience: int | None = None
        self.observer: SeatObserver | None = None  # for whom something is worded
        self.cites: tuple[str, ...] = ()
        # what called the definition that runs and does not suspend cites; `None` outside of such
        self.called: tuple[str, ...] | None = None
        # what the operation that waits found on offer, by action: a memo, no part of a position
        self.offer: dict[int, Candidate] | None = None
        self.is_timed = False  # does it stop at both ends of a block that takes its time (`timing.py`)?

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
            self.seen_values = [
                w.value(self, [None] * w.slots) if w.kind == "watch" else None for w in code.watchers
            ]
        except Fault as f:
            self.fault = f
            return
        finally:
            self.watching = False
        self.frames = [Frame(code.main, code.main.entry, [None] * code.main.slots, None)]
        self.advance()

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
        """Run a definition that does not suspend, without its hooks."""
        code = self.rules.procs[target]
        L = args + [None] * (code.slots - len(args))
        cites = self.cites
        self.inside(code, L, span)
        self.cites = cites
        value, self.retval = self.retval, None
        self.retval_vars = code.vars_of(L) if code.var_slots else []
        return value

    def inside(self, code: ProcCode, L: list[Value], span: Span) -> None:
        """Run the body of a definition or hook inside those that have begun.

        Faults if all of them together are nested too deep.
        """
        if self.height + code.height > MAX_CALL_DEPTH:
            raise Fault("R023", span, name=code.proc.name)
        self.height += code.height
        called = self.called
        if self.recorder is not None:
            self.called = self.because()
        body = code.body
        assert body is not None  # what runs so never suspends
        try:
            body(self, L)
        finally:
            self.height -= code.height
            self.called = called

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

    def call_original(self, target: int, args: list[Value], chain: Chain, span: Span) -> Value:
        return self.rules.original(self, target, args, chain, span)

    # ------------------------------------------------------------ writing
    def set_var(self, index: int, value: Value) -> None:
        old = self.vars[index]
        self.vars[index] = value
        if self.recorder is not None and old != value:
            self.recorder.variable(self, index, old, value)
        watchers = self.rules.watch_vars[index]
        if watchers:
            self.notice(watchers)

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

    @property
    def waiting(self) -> Op | None:
        """The operation that waits for a decision or for chance, or `None`."""
        return self.frames[-1].pc if self.frames else None


def locations(game: Game, zones: list[Items]) -> list[int]:
    """Return the zone of every component; -1 for one that lies nowhere."""
    where = [-1] * len(game.components)
    for z, items in enumerate(zones):
        for component in flat(items):
            where[component] = z
    return where


# ------------------------------------------------------------ what compiled code is made of
Locals = list[Value]
Run = Callable[[Machine, Locals], Value]
Walk = Callable[[Machine, Locals], Iterable[None]]  # steps once for each element, whose locals it sets
Do = Callable[[Machine, Locals], object]
Setter = Callable[[Machine, Locals, Value], None]

RETURN, BREAK, CONTINUE = "return", "break", "continue"


def write_back(back: list[Setter], m: Machine, L: Locals) -> None:
    """Write the final `var` parameters of a call to the targets that the caller named."""
    for write, v in zip(back, m.retval_vars, strict=True):
        if v is not KEPT:
            write(m, L, v)
