"""An interpreter of the core: what its operations mean, written down once more, as plainly as possible.

It is a third opinion beside the reference evaluator and the printers: where it agrees with the evaluator the
lowering is right, where a printer disagrees with it the printer is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from croupier.core import operations as op
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import lookahead_blocks
from croupier.execution.codec import CorePosition, FrameValues
from croupier.execution.lookahead import (
    FAILED,
    OVER,
    REACHED,
    WAITS,
    SearchFailed,
    can_reach_end,
    filter_options,
)
from croupier.limits import MAX_POSITIONS

LIMIT = 1 << 63
MAX_ROUNDS = 3_000_000  # of loops, in one action
Words = dict[str, int]
Arrays = dict[str, list[int]]


class Failed(Exception):
    """A guard did not hold: the action fails."""


class Finished(Exception):
    """The game is over."""


class DeadEnd(Exception):
    """This way of a look-ahead does not end as it must."""


class Reached(Exception):
    """The end of the block that is looked for."""


@dataclass
class Interpreter:
    """A position of a program that went through the passes, and what changes it."""

    program: CoreProgram
    memories: Arrays = field(default_factory=dict)
    zones: list[list[int]] = field(default_factory=list)
    loose: list[int] = field(default_factory=list)
    frames: list[FrameValues] = field(default_factory=list)
    offers: list[tuple[int, int]] = field(default_factory=list)
    seat: int = 0
    chosen: int = 0
    chosen_seat: int = 0
    fuel: int = 0
    rounds: int = 0
    most_fuel: int = 1_000_000
    failed: bool = False
    search: tuple[int, int] | None = None
    examined: list[int] = field(default_factory=lambda: [0, 0])

    def __post_init__(self) -> None:
        p = self.program
        self.memories = {m.name: list(m.initial) for m in p.memories.values()}
        self.zones, self.loose = [list(z) for z in p.zones.contents], list(p.zones.loose)
        self.examined = [0, self.most_fuel]
        self.go(lambda: self.start())

    def copy(self) -> Interpreter:
        other = object.__new__(Interpreter)
        other.__dict__ |= self.__dict__
        other.restore(self.saved())
        return other

    def saved(self) -> Any:
        words = {n: m[:] for n, m in self.memories.items() if not self.program.memories[n].constant}
        frames = [
            FrameValues(f.state, dict(f.words), {n: a[:] for n, a in f.arrays.items()}) for f in self.frames
        ]
        return words, [z[:] for z in self.zones], self.loose[:], frames, self.offers[:]

    def read(self) -> CorePosition:
        return CorePosition(self.memories, self.zones, self.loose, self.frames)

    def restore(self, saved: Any) -> None:
        words, self.zones, self.loose, self.frames, self.offers = saved
        self.memories = {**self.memories, **words}

    # ------------------------------------------------------------ running
    def start(self) -> None:
        if self.program.start is not None:
            self.call(self.program.functions[self.program.start], [])
        self.begin(self.program.main)
        self.run()

    def begin(self, function: str) -> None:
        f = self.program.functions[function]
        arrays = {m.name: [0] * m.size for m in f.memories}
        arrays |= {p.name: [0] * p.size for p in f.parameters if p.size is not None}
        self.frames.append(FrameValues(self.program.entries[function], {}, arrays))

    def apply(self, action: int, seat: int = 0) -> None:
        """An action, or an outcome of chance."""
        self.chosen, self.chosen_seat, self.examined = action, seat, [0, self.most_fuel]
        self.go(self.run)

    def go(self, run: Callable[[], None]) -> None:
        self.fuel, self.rounds = self.most_fuel, 0
        try:
            run()
        except Finished:
            self.frames = []
        except Failed:
            self.frames, self.failed = [], True

    def run(self) -> None:
        while True:
            frame = self.frames[-1]
            state = self.program.states[frame.state]
            if self.body(state.body, frame.words, frame.arrays) == "wait":
                return

    def call(self, f: Function, arguments: list[Any]) -> list[int]:
        words: Words = {}
        arrays: Arrays = {m.name: [0] * m.size for m in f.memories}
        for p, a in zip(f.parameters, arguments, strict=True):
            if p.size is None:
                words[p.name] = a
            else:
                arrays[p.name] = a
        try:
            found = self.body(f.body, words, arrays)
        except RecursionError:
            raise Failed from None
        return found[1] if isinstance(found, tuple) else []

    def array(self, name: str, arrays: Arrays) -> list[int]:
        found = arrays.get(name)
        return self.memories[name] if found is None else found

    # ------------------------------------------------------------ statements
    def body(self, body: op.Body, w: Words, a: Arrays) -> Any:
        """Runs a body; what it gives says how it ended: none, `break`, `continue`, `go` on in a state,
        `wait`, or the words of a return.
        """
        for s in body:
            signal = self.statement(s, w, a)
            if signal is not None:
                return signal
        return None

    def statement(self, s: op.Statement, w: Words, a: Arrays) -> Any:
        x = self.word
        match s:
            case op.Set(name, value):
                w[name] = x(value, w, a)
            case op.Store(memory, index, value):
                array, i = self.array(memory, a), x(index, w, a)
                assert 0 <= i < len(array), (memory, i)
                array[i] = x(value, w, a)
            case op.Copy(target, at, source, begin, count):
                to, i, origin, j, n = (
                    self.array(target, a),
                    x(at, w, a),
                    self.array(source, a),
                    x(begin, w, a),
                    x(count, w, a),
                )
                assert n >= 0 <= i <= i + n <= len(to) and 0 <= j <= j + n <= len(origin), s
                to[i : i + n] = origin[j : j + n]
            case op.Sort(memory, at, count, stride, keys):
                array, i, n = self.array(memory, a), x(at, w, a), x(count, w, a)
                rows = sorted(
                    (array[i + k * stride : i + (k + 1) * stride] for k in range(n)),
                    key=lambda row: row[:keys],
                )
                array[i : i + n * stride] = [word for row in rows for word in row]
            case op.Push() | op.Insert() | op.Remove() | op.Truncate() | op.Loosen():
                self.zone(s, w, a)
            case op.If(test, then, otherwise):
                return self.body(then if x(test, w, a) else otherwise, w, a)
            case op.Loop(body):
                while True:
                    self.rounds += 1
                    assert self.rounds < MAX_ROUNDS, "a loop without end"
                    signal = self.body(body, w, a)
                    if signal not in (None, "continue"):
                        return None if signal == "break" else signal
            case op.For(name, low, high, body):
                return self.walk(name, range(x(low, w, a), x(high, w, a)), body, w, a)
            case op.Each(name, zone, body):
                return self.walk(name, self.zones[x(zone, w, a)], body, w, a)
            case op.Switch(value, cases, otherwise):
                found = x(value, w, a)
                return self.body(next((case.body for case in cases if found in case.values), otherwise), w, a)
            case op.Call(function, arguments, results):
                f = self.program.functions[function]
                values = [
                    self.argument(given, p.gives, w, a)
                    for given, p in zip(arguments, f.parameters, strict=True)
                ]
                w.update(zip(results, self.call(f, values), strict=True))
            case op.Return(values):
                return "return", [x(v, w, a) for v in values]
            case op.Guard(test):
                if not x(test, w, a):
                    raise Failed
            case op.Pay(steps):
                self.pay(x(steps, w, a))
            case op.NoOffers():
                self.offers = []
            case op.Offer(action, weight):
                self.offers.append((x(action, w, a), x(weight, w, a)))
            case op.OfferBits(word, more):
                bits, by = x(word, w, a), x(more, w, a)
                self.offers += [(i + by, 1) for i in range(64) if bits >> i & 1]
            case op.OfferTop(zone):
                z = x(zone, w, a)
                items, i = self.zones[z], len(self.zones[z]) - 1
                while i > 0 and self.loose[z] >> i - 1 & 1:
                    i -= 1
                self.offers += [(component, 1) for component in items[i:]]
            case op.Wait(seat, next=state):
                self.seat, self.frames[-1].state = x(seat, w, a), state
                return "wait"
            case op.Enter(function, next=state):
                self.frames[-1].state = state
                self.begin(function)
                return "go"
            case op.Leave():
                self.frames.pop()
                return "go"
            case op.Goto(state):
                self.frames[-1].state = state
                return "go"
            case op.Try(name):
                w[name] = self.tried(s, w, a)
            case op.Explore(name, _, number, within, state):
                try:
                    w[name] = int(can_reach_end(self, number, within, state))
                except SearchFailed as e:
                    self.fuel = -1 if e.out_of_fuel else self.fuel
                    raise Failed from None
            case op.DeadEnd():
                raise DeadEnd
            case op.Reached(number):
                if self.search == (len(self.frames), number):
                    raise Reached
            case op.Finish():
                raise Finished
            case op.Fail():
                raise Failed
            case op.Break():
                return "break"
            case op.Continue():
                return "continue"
        return None

    def argument(self, given: Any, gives: bool, w: Words, a: Arrays) -> Any:
        if not isinstance(given, op.Array):
            return self.word(given, w, a)
        array, at = self.array(given.memory, a), self.word(given.at, w, a)
        assert not gives or at == 0
        return array if gives else array[at:]

    def walk(self, name: str, values: Any, body: op.Body, w: Words, a: Arrays) -> Any:
        for v in values:
            w[name] = v
            signal = self.body(body, w, a)
            if signal not in (None, "continue"):
                return None if signal == "break" else signal
        return None

    def tried(self, s: op.Try, w: Words, a: Arrays) -> int:
        self.examined[0] += s.counted
        if self.examined[0] > MAX_POSITIONS:
            raise Failed
        held, words, arrays = self.saved(), dict(w), {n: array[:] for n, array in a.items()}
        try:
            self.body(s.body, words, arrays)
            a.update({n: arrays[n] for n in s.keeps})
            return self.word(s.word, words, arrays)
        except Finished:
            return 0
        finally:
            frames = self.frames  # nobody waits meanwhile: they are what they were
            self.restore(held)
            self.frames = frames

    def pay(self, steps: int) -> None:
        self.fuel -= steps
        if self.fuel < 0:
            raise Failed

    def zone(self, s: op.Statement, w: Words, a: Arrays) -> None:
        x = self.word
        z = x(s.zone, w, a)  # type: ignore[union-attr]
        items, bits = self.zones[z], self.loose[z]
        match s:
            case op.Push(_, value):
                items.append(x(value, w, a))
            case op.Insert(_, index, value):
                i = x(index, w, a)
                items.insert(i, x(value, w, a))
                self.loose[z] = bits & ((1 << i) - 1) | bits >> i << i + 1
            case op.Remove(_, index):
                i = x(index, w, a)
                assert 0 <= i < len(items)
                del items[i]
                together = bits >> i & 1 if i == 0 else bits >> i & bits >> i - 1 & 1
                below = bits & ((1 << max(i - 1, 0)) - 1)
                self.loose[z] = below | (together << i - 1 if i else 0) | bits >> i + 1 << i
            case op.Truncate(_, length):
                n = x(length, w, a)
                del items[n:]
                self.loose[z] = bits & ((1 << max(n - 1, 0)) - 1)
            case op.Loosen(_, index, value):
                i = x(index, w, a)
                self.loose[z] = bits & ~(1 << i) | x(value, w, a) << i

    # ------------------------------------------------------------ expressions
    def word(self, e: op.Expression, w: Words, a: Arrays) -> int:
        x = self.word
        match e:
            case op.Const(value):
                return value
            case op.Local(name):
                return w.get(name, op.NONE)
            case op.Load(memory, index):
                array, i = self.array(memory, a), x(index, w, a)
                assert 0 <= i < len(array), (memory, i)
                return array[i]
            case op.Length(zone):
                return len(self.zones[x(zone, w, a)])
            case op.Element(zone, index):
                i = x(index, w, a)
                assert i >= 0
                return self.zones[x(zone, w, a)][i]
            case op.Loose(zone, index):
                return self.loose[x(zone, w, a)] >> x(index, w, a) & 1
            case op.Find(zone, value):
                return self.zones[x(zone, w, a)].index(x(value, w, a))
            case op.Chosen():
                return self.chosen
            case op.ChosenSeat():
                return self.chosen_seat
            case op.Holds(memory, begin, count, value):
                i = x(begin, w, a)
                return int(x(value, w, a) in self.array(memory, a)[i : i + x(count, w, a)])
            case op.Offered():
                return int(bool(self.offers))
            case op.Searching():
                return int(self.search is not None)
            case op.And(one, two):
                return 1 if x(one, w, a) and x(two, w, a) else 0
            case op.Or(one, two):
                return 1 if x(one, w, a) or x(two, w, a) else 0
            case op.Not(one):
                return 0 if x(one, w, a) else 1
            case op.Select(test, one, two):
                return x(one if x(test, w, a) else two, w, a)
            case op.CountBits(one):
                return x(one, w, a).bit_count()
            case op.LowBit(one):
                v = x(one, w, a)
                return (v & -v).bit_length() - 1
            case op.Bits(kind, one, two):
                p, q = x(one, w, a), x(two, w, a)
                return {
                    "and": lambda: p & q,
                    "or": lambda: p | q,
                    "xor": lambda: p ^ q,
                    "shl": lambda: p << q,
                    "shr": lambda: p >> q,
                }[kind]()
        p, q = x(e.a, w, a), x(e.b, w, a)
        match e:
            case op.Add():
                return p + q
            case op.Sub():
                return p - q
            case op.Mul():
                if not -LIMIT <= p * q < LIMIT:
                    raise Failed
                return p * q
            case op.Times():
                return p * q
            case op.Div():
                return p // q
            case op.Mod():
                return p % q
            case op.Eq():
                return int(p == q)
            case op.Lt():
                return int(p < q)
            case op.Le():
                return int(p <= q)
        raise AssertionError(e)

    # ------------------------------------------------------------ looking ahead
    def active_blocks(self) -> Iterator[tuple[int, op.Explore]]:
        blocks = lookahead_blocks(self.program)
        for depth, f in enumerate(self.frames):
            for block in blocks.get(self.program.states[f.state].function, ()):
                if f.words.get(block.active) == 1:
                    yield depth + 1, block

    def resume(self, state: int | None, chosen: int) -> str:
        if state is not None:
            self.frames[-1].state = state
        self.chosen = chosen
        try:
            self.run()
        except Failed:
            return FAILED
        except Reached:
            return REACHED
        except (DeadEnd, Finished):
            return OVER
        return WAITS

    def depth(self) -> int:
        return len(self.frames)

    # ------------------------------------------------------------ what is on offer
    def options(self, seat: int) -> list[int]:
        """The actions on offer after which every look-ahead can still end as it must."""
        try:
            self.examined, self.fuel = [0, self.most_fuel], self.most_fuel
            return filter_options(self, self.offered_actions(seat), seat)
        except SearchFailed as e:
            self.frames, self.failed, self.fuel = [], True, -1 if e.out_of_fuel else self.fuel
            return []

    def offered_actions(self, seat: int) -> list[int]:
        """The actions on offer, ascending; where several choose at once, those of a seat."""
        found = [action for action, whose in self.offers if self.seat != op.SEVERAL or whose == seat]
        return sorted(set(found))

    def outcomes(self) -> list[tuple[int, int]]:
        """What may happen by chance, with weights, as put down."""
        return list(self.offers)


__all__ = ["Failed", "Interpreter"]
