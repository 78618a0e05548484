"""The compiled position, and the machine of the reference evaluator made of it and back."""

from __future__ import annotations

from typing import Any

from croupier.runtime.contents import flat
from croupier.runtime.faults import Result
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import Frame, Machine

new = object.__new__
KINDS = ("win", "rank", "pay", "lose", "draw")  # as positions number them


class Deviation(Exception):
    """Something unusual: the reference evaluator applies this action."""


class Position:
    """State (maps as lists, changed in place), zones, where each component lies, what watchers saw, frames; and what is on offer.

    `seat` and `offer` belong to the top frame's site: who chooses and from what (its form is the site's), at chance `weights`. `ret` is what a
    routine hands back, `result` how the game ended: kind, value, grade.
    """

    __slots__ = (
        "vars", "zones", "where", "seen", "frames", "seat", "offer", "weights", "ret", "result", "fuel", "watching", "dirty", "depth", "retval_vars",
        "search", "examined", "streams", "chance", "left", "rolls",
    )  # fmt: skip

    def __init__(self) -> None:
        self.vars: list[Any] = []
        self.zones: list[tuple[Any, ...]] = []
        self.where: list[int] = []
        self.seen: list[Value] = []
        self.frames: list[list[Any]] = []
        self.seat = -1
        self.offer: Any = None
        self.weights: list[int] | None = None
        self.ret: Any = None
        self.result: tuple[str, Value, Any] | None = None
        self.fuel = 0
        self.watching = False
        self.dirty: set[int] = set()
        self.depth: dict[int, int] = {}
        self.search: tuple[int, int] | None = None  # while looking ahead: the frame and slot of the block whose end is looked for
        self.examined = [0, 0]  # positions that look-aheads examined in this action, and the fuel they have left
        self.streams: Any = ()  # in whole random games: of the seats, of chance, and how many decisions and chance events there may still be
        self.chance: Any = None
        self.left = self.rolls = 0
        self.retval_vars: list[Value] = []  # what the `var` parameters of the last call by `around.py` hold

    def spend(self, steps: int, span: Any) -> None:
        """Charge steps of fuel."""
        self.fuel -= steps
        if self.fuel < 0:
            raise Deviation

    def burn(self, span: Any) -> None:
        self.spend(1, span)

    def copy(self) -> Position:
        """An independent copy."""
        p = new(Position)
        p.vars = self.vars[:]
        for i, v in enumerate(p.vars):
            if type(v) is list:
                p.vars[i] = v[:]
        p.zones = self.zones[:]
        p.where = self.where[:]
        p.seen = self.seen[:]
        p.frames = []
        for f in self.frames:
            p.frames.append(f[:])
        p.seat = self.seat
        p.offer = self.offer
        p.weights = self.weights
        p.result = self.result
        p.search = self.search
        p.examined = self.examined
        p.streams = self.streams
        p.chance = self.chance
        p.left = self.left
        p.rolls = self.rolls
        p.fuel = self.fuel
        p.ret = None
        p.watching = False
        p.dirty = set()
        p.depth = {}
        p.retval_vars = []
        return p


class Unfit(Exception):
    """A machine stands where compiled code cannot go on."""


class Exchange:
    """Makes positions of machines and machines of positions. `maps` are the variables kept as lists, `ordered` the zones never unordered."""

    def __init__(self, game: Game, stands: list[Any], places: dict[tuple[int, int], int], maps: frozenset[int], ordered: frozenset[int]) -> None:
        self.game, self.stands, self.places, self.maps, self.ordered = game, stands, places, maps, ordered

    def data(self, p: Position) -> tuple[Any, ...]:
        """What is canonical in a position, as `runtime.position.as_data` gives it for its machine."""
        variables = tuple([tuple(v) if type(v) is list else v for v in p.vars])
        frames = []
        for f in p.frames:
            stand = self.stands[f[-2]]
            frames.append((stand.routine, stand.point, tuple([(s, f[s]) for s in stand.live if f[s] is not None]), f[-1]))
        result = None
        if p.result is not None:
            r = self.result(p)
            result = (KINDS.index(r.kind), r.winners, r.returns, r.scores, None if r.grade is None else tuple(r.grade.encode()))
        return (variables, tuple(p.zones), tuple(p.seen), tuple(frames), result, None)

    def result(self, p: Position) -> Result:
        """How the game ended."""
        assert p.result is not None
        kind, value, grade = p.result
        return grade if isinstance(grade, Result) else Result.of(kind, value, self.game.players, grade)

    def machine(self, p: Position) -> Machine:
        """The machine of a position; it waits for the same."""
        m = Machine(self.game)
        m.vars = [tuple(v) if type(v) is list else v for v in p.vars]
        m.zones, m.where, m.seen_values = p.zones[:], p.where[:], p.seen[:]
        code = self.game.code
        for f in p.frames:
            stand = self.stands[f[-2]]
            proc = code.hooks.dispatch_code if stand.routine < 0 else code.procs[stand.routine]
            slots: list[Value] = [None] * proc.slots
            for s in stand.live:
                slots[s] = f[s]
            m.frames.append(Frame(proc, proc.points[stand.point], slots, f[-1]))
        if m.frames:
            m.viewer = m.frames[-1].viewer
        if p.result is not None:
            m.result = self.result(p)
        m.refuel()
        return m

    def position(self, m: Machine) -> Position:
        """The position of a machine that waits, or is at its end. Raises `Unfit`."""
        p = Position()
        p.fuel = self.game.program.limits["fuel"]
        if m.fault is not None:
            raise Unfit
        for i, v in enumerate(m.vars):
            p.vars.append(list(v) if i in self.maps else v)
        for z in self.ordered:
            if len(flat(m.zones[z])) != len(m.zones[z]):
                raise Unfit
        p.zones, p.where, p.seen = m.zones[:], m.where[:], m.seen_values[:]
        for f in m.frames:
            number = self.places.get((f.code.proc.index, -1 if f.pc.point is None else f.pc.point))
            if number is None:
                raise Unfit
            p.frames.append([*f.L[: self.stands[number].slots], number, f.viewer])
        if m.result is not None:
            r = m.result
            p.result = (r.kind, None, r)
        if p.frames:
            self.stands[p.frames[-1][-2]].ask(p)
        return p
