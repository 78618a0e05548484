"""Positions of the core as the reference evaluator writes them, and back: variables, zones, what watchers saw, frames with their locals, results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from croupier.core import operations as op
from croupier.core.operations import NONE
from croupier.core.types import CoreProgram
from croupier.core.walk import statements
from croupier.lowering.positions import FrameMap, InArray, InWord, KnownValue, Made, Rotation, Several, Tail, Where
from croupier.lowering.program import Lowered
from croupier.lowering.results import GRADE, KIND, SCORED, WINNERS
from croupier.lowering.shapes import WORD, Items, NotLowered, Shape, TableShape, decoded, encoded, width
from croupier.passes.liveness import live_at_start
from croupier.passes.zones import loose_zones
from croupier.runtime.game import Value


@dataclass(slots=True)
class FrameWords:
    """A frame: the state it goes on in, its words and its arrays."""

    state: int
    words: dict[str, int]
    arrays: dict[str, list[int]]


class Position(Protocol):
    """What can be read as a position."""

    @property
    def memories(self) -> dict[str, list[int]]: ...

    @property
    def zones(self) -> list[list[int]]: ...

    @property
    def loose(self) -> list[int]: ...

    @property
    def frames(self) -> list[FrameWords]: ...


class NoPosition(Exception):
    """A position of the evaluator that cannot be written as one of the core."""


@dataclass(slots=True)
class Stand:
    """A position of the core that was made from one of the evaluator, but for what is on offer."""

    memories: dict[str, list[int]]
    zones: list[list[int]]
    loose: list[int]
    frames: list[FrameWords]


class Codec:
    """Reads and makes positions of one program that went through the passes."""

    def __init__(self, lowered: Lowered, program: CoreProgram) -> None:
        self.lowered, self.players, self.program = lowered, program.players, program
        self.maps: dict[int, FrameMap] = {}
        self.entered: dict[int, str] = {}  # of states in which a frame goes on: the function that it entered
        for state in program.states.values():
            for s in statements(state.body):
                if isinstance(s, (op.Wait, op.Enter)) and s.map >= 0:
                    self.maps[s.next] = lowered.maps[s.map]
                if isinstance(s, op.Enter):
                    self.entered[s.next] = s.function
        self.states: dict[tuple[int, int], list[int]] = {}
        for number, m in self.maps.items():
            self.states.setdefault((m.proc, m.point), []).append(number)
        self._extra: dict[int, frozenset[str]] | None = None
        self.loose = loose_zones(program)

    def as_data(self, p: Position) -> tuple[Value, ...]:
        """The position as nested tuples, as `runtime.position.as_data` gives it."""
        lowered, memories = self.lowered, p.memories
        variables = tuple(decoded(memories[f"v{i}"], 0, shape) for i, shape in enumerate(lowered.variables))
        zones = tuple(contents(items, bits) for items, bits in zip(p.zones, p.loose, strict=True))
        seen = tuple(None if shape is None else decoded(memories[f"seen{i}"], 0, shape) for i, shape in enumerate(lowered.seen))
        return variables, zones, seen, tuple(map(self.frame, p.frames)), self.result(memories), None

    def frame(self, f: FrameWords) -> tuple[Value, ...]:
        m = self.maps[f.state]
        slots = [(slot, self.local(where, f.words, f.arrays)) for slot, where in m.slots]
        event_audience = NONE if m.event_audience is None else f.words.get(m.event_audience, NONE)
        return m.proc, m.point, tuple((i, v) for i, v in slots if v is not None), None if event_audience == NONE else event_audience

    def local(self, where: Where, words: Mapping[str, int], arrays: Mapping[str, Sequence[int]]) -> Value:
        match where:
            case InWord(name, shape):
                return decoded((words.get(name, NONE),), 0, shape)
            case InArray(name, shape):
                return decoded(tuple(arrays[name]), 0, shape)
            case Rotation(first, skip):
                begin = 0 if first is None else words[first]
                return tuple((begin + i) % self.players for i in range(skip, self.players))
            case Several(parts):
                return tuple(self.local(part, words, arrays) for part in parts)
            case Tail(name, shape, at):
                whole = decoded(tuple(arrays[name]), 0, shape)
                assert isinstance(whole, tuple)
                return whole[words[at] :]
            case KnownValue(value):
                return value
            case Made(name, shape):
                assert isinstance(shape, TableShape)
                found = [decoded(arrays[name], seat * width(shape.value), shape.value) for seat in range(shape.count)]
                return tuple((seat, v) for seat, v in enumerate(found) if v is not None)

    def result(self, memories: Mapping[str, Sequence[int]]) -> Value:
        words = memories["result"]
        if words[KIND] == NONE:
            return None
        grade, texts = None, self.lowered.texts
        if words[GRADE] != NONE:
            text = decoded(memories["grade"], 0, Items("text", texts.most, WORD)) if texts.long else texts.words[words[GRADE]]
            grade = tuple(str(text).encode())
        n = self.players
        won = tuple(p for p in range(n) if words[WINNERS + p])
        given, scores = tuple(words[WINNERS + n : WINNERS + 2 * n]), tuple(words[WINNERS + 2 * n : WINNERS + 3 * n])
        return int(words[KIND]), won, tuple(map(int, given)), tuple(map(int, scores)) if words[SCORED] else None, grade


    # ------------------------------------------------------------ back
    def stand(self, data: tuple[Any, ...]) -> Stand:
        """A position that `runtime.position.as_data` gave, of a game that goes on, as one of the core. Raises `NoPosition`."""
        variables, zones, seen, frames, result, fault = data
        if result is not None or fault is not None or not frames:
            raise NoPosition("the game is over")
        lowered = self.lowered
        memories = {m.name: list(m.initial) for m in self.program.memories.values() if not m.constant}
        for i, (v, shape) in enumerate(zip(variables, lowered.variables, strict=True)):
            memories[f"v{i}"] = words_of(v, shape)
        for i, (v, seen_as) in enumerate(zip(seen, lowered.seen, strict=True)):
            if seen_as is not None:
                memories[f"seen{i}"] = words_of(v, seen_as)
        held, loose = [], []
        for z, parts in enumerate(zones):
            flat: list[int] = []
            bits = 0
            for part in parts:
                members = part if isinstance(part, tuple) else (part,)
                bits |= ((1 << len(members) - 1) - 1) << len(flat)
                flat.extend(members)
            for piece in flat:
                memories["where"][piece] = z
            if bits and z not in self.loose:
                raise NoPosition(f"the rules never leave zone {z} without an order")  # a position that somebody declared may
            held.append(flat)
            loose.append(bits)
        made: list[FrameWords] = []
        above = None
        for f in reversed(frames):
            made.insert(0, self._framed(above, *f))
            above = self.program.states[made[0].state].function
        for proc, _, _, _ in frames:
            depth = memories.get(f"depth{proc}")
            if depth is not None:
                depth[0] += 1
        return Stand(memories, held, loose, made)

    def _framed(self, above: str | None, proc: int, point: int, slots: tuple[tuple[int, Value], ...], event_audience: int | None) -> FrameWords:
        """A frame; `above` is the function of the one above it."""
        given = dict(slots)
        states = [n for n in self.states.get((proc, point), []) if self.entered.get(n) == above and self._fits(self.maps[n], given)]
        if not states:
            raise NoPosition(f"no state is for point {point} of procedure {proc}")
        state, m = states[0], self.maps[states[0]]  # of several any will do: the same statement stands in several places
        f = self.program.functions[self.program.states[state].function]
        words: dict[str, int] = {}
        arrays = {a.name: [0] * a.size for a in f.memories} | {p.name: [0] * p.size for p in f.parameters if p.size is not None}
        for slot, where in m.slots:
            self._put(where, given.get(slot), words, arrays)
        if m.event_audience is not None:
            words[m.event_audience] = NONE if event_audience is None else event_audience
        for block in self._blocks(f.name):
            words[block.name] = int(words.get(block.active) == 1)  # inside of a look-ahead: some way through it was found
        extra = self._live()[state] - set(words)
        if extra:
            raise NoPosition(f"{sorted(extra)} of state {state} are not known")
        return FrameWords(state, words, arrays)

    @staticmethod
    def _fits(m: FrameMap, given: Mapping[int, Value]) -> bool:
        return all(given.get(slot) == where.value for slot, where in m.slots if isinstance(where, KnownValue))

    def _live(self) -> dict[int, frozenset[str]]:
        if self._extra is None:
            self._extra = live_at_start(self.program)
        return self._extra

    def _blocks(self, function: str) -> list[op.Explore]:
        bodies = [state.body for state in self.program.states.values() if state.function == function]
        return [s for body in bodies for s in statements(body) if isinstance(s, op.Explore)]

    def _put(self, where: Where, v: Any, words: dict[str, int], arrays: dict[str, list[int]]) -> None:
        """The reverse of `local`."""
        match where:
            case InWord(name, shape):
                words[name] = words_of(v, shape)[0]
            case InArray(name, shape):
                if v is not None:
                    _fill(arrays[name], words_of(v, shape))
            case Rotation(first, skip):
                if first is not None:
                    words[first] = (v[0] - skip) % self.players if v else 0
            case Several(parts):
                for part, inner in zip(parts, v or (None,) * len(parts), strict=True):
                    self._put(part, inner, words, arrays)
            case Tail(name, shape, at):
                _fill(arrays[name], words_of(v or (), shape))
                words[at] = 0
            case Made(name, shape):
                assert isinstance(shape, TableShape)
                chosen = dict(v or ())
                _fill(arrays[name], [w for seat in range(shape.count) for w in words_of(chosen.get(seat), shape.value)])


def words_of(v: Value, shape: Shape) -> list[int]:
    """The words of a value. Raises `NoPosition` where there is no room for it."""
    try:
        return list(encoded(v, shape))
    except NotLowered as e:
        raise NoPosition(e.what) from None


def _fill(array: list[int], words: Sequence[int]) -> None:
    array[: len(words)] = words


def contents(items: Sequence[int], bits: int) -> tuple[Value, ...]:
    """What lies in a zone; components of an unordered part stand together, in ascending order."""
    return tuple(_parts(items, bits)) if bits else tuple(items)


def _parts(items: Sequence[int], bits: int) -> Iterator[Value]:
    part: list[int] = []
    for i, piece in enumerate(items):
        part.append(piece)
        if not bits >> i & 1:
            yield part[0] if len(part) == 1 else tuple(part)
            part = []
