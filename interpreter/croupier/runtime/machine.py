"""The machine: the changing part of a game, and the primitives that change it.

A position is the state variables, the contents of the zones, what the watchers saw last, and a stack of frames. Each frame stands at an
operation of its procedure; all of them but the top one wait for a call to return; the top one waits for a decision or for chance. All values
are immutable, so copying a machine is copying a few lists.
"""

from __future__ import annotations

from typing import Any

from croupier.runtime.evaluate import flat, size
from croupier.runtime.faults import DeadEnd, Fault, GameOver, Reached
from croupier.runtime.game import Game, Value

WAIT = object()
Items = tuple[Any, ...]


class Frame:
    """A procedure that has begun: where it stands and its locals; `viewer` is set while everything happens secretly for one seat."""

    __slots__ = ("code", "pc", "L", "viewer")

    def __init__(self, code: Any, pc: Any, locals_: list[Any], viewer: int | None) -> None:
        self.code, self.pc, self.L, self.viewer = code, pc, locals_, viewer

    def copy(self) -> Frame:
        return Frame(self.code, self.pc, self.L[:], self.viewer)


class Machine:
    __slots__ = (
        "game",
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
        "depth",
        "retval",
        "retval_vars",
        "watching",
        "dirty",
        "viewer",
        "seen",
        "cites",
    )

    def __init__(self, game: Game) -> None:
        self.game = game
        self.vars: list[Value] = list(game.start_vars)
        self.zones: list[Items] = list(game.start_zones)
        self.where: list[int] = locations(game, self.zones)
        self.seen_values: list[Value] = []
        self.frames: list[Frame] = []
        self.result: Any = None
        self.fault: Fault | None = None
        self.fuel = 0
        self.recorder: Any = None
        self.search: tuple[int, int] | None = None  # while looking ahead: the frame and slot of the block whose end is looked for
        self.examined: list[int] | None = None
        self.depth: dict[int, int] = {}
        self.retval: Value = None
        self.retval_vars: list[Value] = []
        self.watching = False
        self.dirty: set[int] = set()
        self.viewer: int | None = None
        self.seen: Any = None
        self.cites: tuple[str, ...] = ()

    def copy(self) -> Machine:
        """An independent copy; recordings are not copied."""
        m = Machine.__new__(Machine)
        m.game = self.game
        m.vars, m.zones, m.where, m.seen_values = self.vars[:], self.zones[:], self.where[:], self.seen_values[:]
        m.frames = [f.copy() for f in self.frames]
        m.result, m.fault, m.fuel, m.recorder, m.search, m.examined = self.result, self.fault, self.fuel, None, self.search, self.examined
        m.depth, m.retval, m.retval_vars, m.watching, m.dirty, m.viewer, m.seen, m.cites = {}, None, [], False, set(), None, None, ()
        return m

    # ------------------------------------------------------------ running
    def start(self) -> None:
        """Begin the game: watchers take their first look, then the phases run up to the first decision or chance."""
        code = self.game.code
        self.fuel = self.game.program.limits["fuel"]
        try:
            self.seen_values = [w.value(self, [None] * w.slots) if w.kind == "watch" else None for w in code.watchers]
        except Fault as f:
            self.fault = f
            return
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
        frames = self.frames
        while frames:
            frame = frames[-1]
            op = frame.pc
            if op is None:
                self.leave(None)
            elif op.run(self, frame) is WAIT:
                return
        raise Fault("R009", self.game.code.main.proc.span)

    def leave(self, value: Value) -> None:
        """The top frame ends with a value; whoever called it goes on."""
        frame = self.frames.pop()
        self.retval_vars = [frame.L[i] for i in frame.code.var_slots]
        if self.frames:
            caller = self.frames[-1]
            caller.pc.returned(self, caller, value)

    def enter(self, target: int, args: list[Value], viewer: int | None, span: Any) -> Frame:
        """Push a frame of a procedure that may suspend."""
        code = self.game.code.procs[target]
        nested = code.proc.nested
        if nested is not None and sum(1 for f in self.frames if f.code is code) > nested:
            raise Fault("R011", span, name=code.proc.name, limit=nested)
        frame = Frame(code, code.entry, args + [None] * (code.slots - len(args)), viewer)
        self.frames.append(frame)
        return frame

    def burn(self, span: Any) -> None:
        self.fuel -= 1
        if self.fuel < 0:
            raise Fault("R010", span, limit=self.game.program.limits["fuel"])

    # ------------------------------------------------------------ calls that do not suspend
    def call(self, target: int, args: list[Value], span: Any) -> Value:
        """Run a definition that does not suspend, with its hooks."""
        code = self.game.code
        if target in code.hooked:
            return code.dispatch(self, target, args, span)
        return self.call_plain(target, args, span)

    def call_plain(self, target: int, args: list[Value], span: Any) -> Value:
        code = self.game.code.procs[target]
        nested = code.proc.nested
        if nested is not None:
            self.depth[target] = self.depth.get(target, 0) + 1
            if self.depth[target] > nested + 1:
                raise Fault("R011", span, name=code.proc.name, limit=nested)
        L = args + [None] * (code.slots - len(args))
        cites = self.cites
        code.body(self, L)
        self.cites = cites
        if nested is not None:
            self.depth[target] -= 1
        value, self.retval = self.retval, None
        if code.var_slots:
            code.last_vars = [L[i] for i in code.var_slots]
        return value

    def call_original(self, target: int, args: list[Value], chain: Any, span: Any) -> Value:
        return self.game.code.original(self, target, args, chain, span)

    # ------------------------------------------------------------ writing
    def set_var(self, index: int, value: Value) -> None:
        old = self.vars[index]
        self.vars[index] = value
        if self.recorder is not None and old != value:
            self.recorder.variable(self, index, old, value)
        watchers = self.game.code.watch_vars[index]
        if watchers:
            self.notice(watchers)

    def notice(self, watchers: tuple[int, ...]) -> None:
        """Watchers look at what changed, in text order, until nothing changes any more."""
        self.dirty.update(watchers)
        if self.watching:
            return
        self.watching = True
        code = self.game.code
        try:
            for _ in range(len(code.watchers) + 2):
                todo = sorted(self.dirty)
                if not todo:
                    return
                self.dirty.clear()
                for i in todo:
                    w = code.watchers[i]
                    L = [None] * w.slots
                    value = w.value(self, L)
                    if w.kind == "end":
                        if value:
                            w.body(self, L)
                    elif value != self.seen_values[i]:
                        self.seen_values[i] = value
                        if w.slot is not None:
                            L[w.slot] = value
                        w.body(self, L)
            raise Fault("R017", code.watchers[min(self.dirty)].span)
        finally:
            self.watching = False
            self.dirty.clear()

    def take(self, piece: int) -> int:
        """Take a component out of its zone; gives the zone it was in."""
        z = self.where[piece]
        items = self.zones[z]
        if piece in items:
            i = items.index(piece)
            self.zones[z] = items[:i] + items[i + 1 :]
        else:
            for i, group in enumerate(items):
                if type(group) is tuple and piece in group:
                    rest = tuple(c for c in group if c != piece)
                    self.zones[z] = (*items[:i], rest[0] if len(rest) == 1 else rest, *items[i + 1 :])
                    break
        return z

    def put(self, piece: int, z: int, place: str, span: Any) -> None:
        spot = self.game.places[z]
        items = self.zones[z]
        if spot.capacity is not None and size(items) >= spot.capacity:
            raise Fault("R006", span, zone=spot.zone, capacity=spot.capacity)
        if spot.order in ("set", "bag"):
            self.zones[z] = tuple(sorted((*items, piece)))
        elif place == "bottom":
            self.zones[z] = (piece, *items)
        else:
            self.zones[z] = (*items, piece)
        self.where[piece] = z

    def move(self, piece: int, z: int, place: str, span: Any) -> None:
        """One component to a zone: one write."""
        if self.game.pieces[piece].kind not in self.game.code.holds[z]:
            raise Fault("R015", span, wanted=self.game.places[z].zone)
        seen_before = self.recorder.before(self, piece) if self.recorder is not None else None
        source = self.take(piece)
        self.put(piece, z, place, span)
        if self.recorder is not None:
            self.recorder.moved(self, piece, source, z, seen_before)
        self.wrote_zone(source)
        if z != source:
            self.wrote_zone(z)

    def move_all(self, source: int, z: int, place: str, span: Any) -> None:
        """The whole contents of a zone; what is unordered stays unordered."""
        items = self.zones[source]
        if source == z or not any(type(i) is tuple for i in items):
            for piece in items if place == "top" else items[::-1]:
                if source != z:
                    self.move(piece, z, place, span)
            return
        spot = self.game.places[z]
        if spot.order in ("set", "bag"):
            for piece in flat(items):
                self.move(piece, z, place, span)
            return
        if spot.capacity is not None and size(self.zones[z]) + size(items) > spot.capacity:
            raise Fault("R006", span, zone=spot.zone, capacity=spot.capacity)
        self.zones[source] = ()
        self.zones[z] = (*self.zones[z], *items) if place == "top" else (*items, *self.zones[z])
        for piece in flat(items):
            self.where[piece] = z
        if self.recorder is not None:
            self.recorder.moved_all(self, source, z, size(items))
        self.wrote_zone(source)
        self.wrote_zone(z)

    def wrote_zone(self, z: int) -> None:
        watchers = self.game.code.watch_zones[z]
        if watchers:
            self.notice(watchers)

    def shuffle(self, z: int) -> None:
        """The order of a pile is forgotten: it is drawn by chance when a component is drawn."""
        everything = tuple(sorted(flat(self.zones[z])))
        self.zones[z] = (everything,) if len(everything) > 1 else everything
        if self.recorder is not None:
            self.recorder.shuffled(self, z)
        self.wrote_zone(z)

    def exchange(self, a: int, b: int, span: Any) -> None:
        """Two components change places: one write."""
        if a == b:
            return
        za, zb = self.where[a], self.where[b]
        before = (self.recorder.before(self, a), self.recorder.before(self, b)) if self.recorder is not None else None
        for piece, z in ((a, zb), (b, za)):
            if self.game.pieces[piece].kind not in self.game.code.holds[z]:
                raise Fault("R015", span, wanted=self.game.places[z].zone)
        mark = -1
        self.zones[za] = replaced(self.zones[za], a, mark, span, self.game.places[za].zone)
        self.zones[zb] = replaced(self.zones[zb], b, a, span, self.game.places[zb].zone)
        self.zones[za] = replaced(self.zones[za], mark, b, span, self.game.places[za].zone)
        for z in (za, zb):
            if self.game.places[z].order in ("set", "bag"):
                self.zones[z] = tuple(sorted(self.zones[z]))
        self.where[a], self.where[b] = zb, za
        if self.recorder is not None and before is not None:
            self.recorder.moved(self, a, za, zb, before[0])
            self.recorder.moved(self, b, zb, za, before[1])
        self.wrote_zone(za)
        if za != zb:
            self.wrote_zone(zb)

    def exchange_zones(self, a: int, b: int, span: Any) -> None:
        if a == b:
            return
        for x, y in ((a, b), (b, a)):
            spot = self.game.places[y]
            if spot.capacity is not None and size(self.zones[x]) > spot.capacity:
                raise Fault("R006", span, zone=spot.zone, capacity=spot.capacity)
        items_a, items_b = self.zones[a], self.zones[b]
        self.zones[a], self.zones[b] = items_b, items_a
        for z in (a, b):
            if self.game.places[z].order in ("set", "bag"):
                self.zones[z] = tuple(sorted(flat(self.zones[z])))
            for piece in flat(self.zones[z]):
                self.where[piece] = z
        if self.recorder is not None:
            self.recorder.moved_all(self, a, b, size(items_a))
            self.recorder.moved_all(self, b, a, size(items_b))
        self.wrote_zone(a)
        self.wrote_zone(b)

    # ------------------------------------------------------------ what the machine waits for
    @property
    def waiting(self) -> Any:
        """The operation that waits for a decision or for chance, or none."""
        return self.frames[-1].pc if self.frames else None


def replaced(items: Items, old: int, new: int, span: Any, zone: str) -> Items:
    if old not in items:
        raise Fault("R008", span, zone=zone)
    i = items.index(old)
    return (*items[:i], new, *items[i + 1 :])


def locations(game: Game, zones: list[Items]) -> list[int]:
    where = [-1] * len(game.pieces)
    for z, items in enumerate(zones):
        for piece in flat(items):
            where[piece] = z
    return where


__all__ = ["WAIT", "DeadEnd", "Frame", "Machine", "Reached", "locations", "replaced"]
