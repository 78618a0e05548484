"""A position of the core as the reference evaluator writes it: variables, zones, what watchers saw, frames with their locals, the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from croupier.core import operations as op
from croupier.core.operations import NONE
from croupier.core.types import Program
from croupier.core.walk import statements
from croupier.lowering.positions import FrameMap, InArray, InWord, Known, Made, Rotation, Several, Tail, Where
from croupier.lowering.program import Lowered
from croupier.lowering.results import GRADE, KIND, SCORED, WINNERS
from croupier.lowering.shapes import WORD, Items, Table, decoded, width
from croupier.runtime.game import Value


@dataclass(slots=True)
class Frame:
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
    def frames(self) -> list[Frame]: ...


class Codec:
    """Reads positions of one program that went through the passes."""

    def __init__(self, lowered: Lowered, program: Program) -> None:
        self.lowered, self.players = lowered, program.players
        self.maps: dict[int, FrameMap] = {}
        for state in program.states.values():
            for s in statements(state.body):
                if isinstance(s, (op.Wait, op.Enter)) and s.map >= 0:
                    self.maps[s.next] = lowered.maps[s.map]

    def as_data(self, p: Position) -> tuple[Value, ...]:
        """The position as nested tuples, as `runtime.position.as_data` gives it."""
        lowered = self.lowered
        variables = tuple(decoded(p.memories[f"v{i}"], 0, shape) for i, shape in enumerate(lowered.variables))
        zones = tuple(contents(items, bits) for items, bits in zip(p.zones, p.loose, strict=True))
        seen = tuple(None if shape is None else decoded(p.memories[f"seen{i}"], 0, shape) for i, shape in enumerate(lowered.seen))
        return variables, zones, seen, tuple(map(self.frame, p.frames)), self.result(p.memories), None

    def frame(self, f: Frame) -> tuple[Value, ...]:
        m = self.maps[f.state]
        slots = [(slot, self.local(where, f.words, f.arrays)) for slot, where in m.slots]
        viewer = NONE if m.viewer is None else f.words.get(m.viewer, NONE)
        return m.proc, m.point, tuple((i, v) for i, v in slots if v is not None), None if viewer == NONE else viewer

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
            case Known(value):
                return value
            case Made(name, shape):
                assert isinstance(shape, Table)
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
