"""Codec between positions of the core and positions of the reference evaluator.

*Decoding* reads arrays, zones and frames of a core position and gives the nested tuples of
`runtime.position.as_data`: variables, zones, values that watchers saw, frames with their local slots, result.
*Encoding* is the reverse, for games that go on. For each wait the lowering left a frame map
(`lowering/positions.py`) that says where the value of each slot lies, as debug information does for
deoptimisation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from croupier.core import operations as op
from croupier.core.operations import CHANCE, NONE, SEVERAL
from croupier.core.types import CoreProgram
from croupier.core.walk import statements
from croupier.lowering.grades import GRADE_MEMORY, grade_text
from croupier.lowering.hooks import DISPATCH, TARGET
from croupier.lowering.positions import (
    FrameMap,
    KnownValue,
    Made,
    Rotation,
    Several,
    Stored,
    Tail,
    Where,
)
from croupier.lowering.program import Lowered
from croupier.lowering.results import GRADE, KIND, SCORED, WINNERS
from croupier.lowering.shapes import NotLowered, Shape, TableShape, decoded, encoded, width
from croupier.passes.liveness import live_at_start
from croupier.passes.zones import loose_zones
from croupier.records import dataclass
from croupier.runtime.engine import Engine
from croupier.runtime.game import Value
from croupier.runtime.machine import Machine
from croupier.runtime.position import as_data
from croupier.runtime.state import Rules, State

# what a state calls who acts, but for "one" seat
ACTING = {CHANCE: "chance", SEVERAL: "every"}


@dataclass(slots=True)
class FrameValues:
    """One frame of the stack: the state in which it resumes, its locals and its arrays by name."""

    state: int
    words: dict[str, int]
    arrays: dict[str, list[int]]


class NotEncodable(Exception):
    """A position of the evaluator has no equal in the core."""


@dataclass(slots=True)
class CorePosition:
    """A position of the core, of whatever back end, without legal actions: arrays of the state by name; the
    components of each zone, from the bottom up; for each zone a mask, whose bit i is set where places i and
    i + 1 belong to one unordered part; frames, lowest first.
    """

    memories: dict[str, list[int]]
    zones: list[list[int]]
    loose: list[int]
    frames: list[FrameValues]


class Codec:
    """Decodes and encodes positions of one program, after the passes."""

    def __init__(self, lowered: Lowered, program: CoreProgram) -> None:
        self.lowered, self.players, self.program = lowered, program.players, program
        self.maps: dict[int, FrameMap] = {}
        self.entered: dict[int, str] = {}  # by state in which a frame resumes: the function that it entered
        for state in program.states.values():
            for s in statements(state.body):
                if isinstance(s, (op.Wait, op.Enter)) and s.map >= 0:
                    self.maps[s.next] = lowered.maps[s.map]
                if isinstance(s, op.Enter):
                    self.entered[s.next] = s.function
        self.states: dict[tuple[int, int], list[int]] = {}
        for number, m in self.maps.items():
            self.states.setdefault((m.proc, m.point), []).append(number)
        self._live: dict[int, frozenset[str]] | None = None
        self.loose = loose_zones(program)

    def decode(self, p: CorePosition) -> tuple[Value, ...]:
        """Decode a position to nested tuples, in the form of `runtime.position.as_data`."""
        lowered, memories = self.lowered, p.memories
        variables = tuple(decoded(memories[f"v{i}"], 0, shape) for i, shape in enumerate(lowered.variables))
        zones = tuple(decode_zone(items, bits) for items, bits in zip(p.zones, p.loose, strict=True))
        seen = tuple(
            None if shape is None else decoded(memories[f"seen{i}"], 0, shape)
            for i, shape in enumerate(lowered.seen)
        )
        return (
            variables,
            zones,
            seen,
            tuple(map(self.decode_frame, p.frames)),
            self.decode_result(memories),
            None,
        )

    def decode_frame(self, f: FrameValues) -> tuple[Value, ...]:
        """Decode a frame: procedure, point, slots that are set, audience of events."""
        m = self.maps[f.state]
        slots = [(slot, self.decode_slot(where, f.words, f.arrays)) for slot, where in m.slots]
        event_audience = NONE if m.event_audience is None else f.words.get(m.event_audience, NONE)
        return (
            m.proc,
            m.point,
            tuple((i, v) for i, v in slots if v is not None),
            None if event_audience == NONE else event_audience,
        )

    def decode_slot(
        self, where: Where, words: Mapping[str, int], arrays: Mapping[str, Sequence[int]]
    ) -> Value:
        """Decode the value of a slot from its location in a frame."""
        match where:
            case Stored(name, shape):
                held = (words.get(name, NONE),) if where.is_word else tuple(arrays[name])
                return decoded(held, 0, shape)
            case Rotation(first, skip):
                begin = words[first]
                return tuple((begin + i) % self.players for i in range(skip, self.players))
            case Several(parts):
                return tuple(self.decode_slot(part, words, arrays) for part in parts)
            case Tail(name, shape, at):
                whole = decoded(tuple(arrays[name]), 0, shape)
                assert isinstance(whole, tuple)
                return whole[words[at] :]
            case KnownValue(value):
                return value
            case Made(name, shape):
                assert isinstance(shape, TableShape)
                found = [
                    decoded(arrays[name], seat * width(shape.value), shape.value)
                    for seat in range(shape.count)
                ]
                return tuple((seat, v) for seat, v in enumerate(found) if v is not None)

    def decode_result(self, memories: Mapping[str, Sequence[int]]) -> Value:
        """Decode the result of the game: kind, winners, returns, scores, grade; None before the end."""
        words = memories["result"]
        if words[KIND] == NONE:
            return None
        grade = None
        if words[GRADE] != NONE:
            lowered = self.lowered
            text = grade_text(
                lowered.game,
                lowered.texts.words,
                lowered.grades,
                words[GRADE],
                memories.get(GRADE_MEMORY, ()),
            )
            grade = tuple(text.encode())
        n = self.players
        won = tuple(p for p in range(n) if words[WINNERS + p])
        given = tuple(words[WINNERS + n : WINNERS + 2 * n])
        scores = tuple(words[WINNERS + 2 * n : WINNERS + 3 * n])
        return (
            int(words[KIND]),
            won,
            tuple(map(int, given)),
            tuple(map(int, scores)) if words[SCORED] else None,
            grade,
        )

    # ------------------------------------------------------------ encoding
    def encode(self, data: tuple[Any, ...]) -> CorePosition:
        """Encode a position in the form of `runtime.position.as_data`.

        Raises `NotEncodable`, also if the game is over.
        """
        variables, zones, seen, frames, result, fault = data
        if result is not None or fault is not None or not frames:
            raise NotEncodable("the game is over")
        lowered = self.lowered
        memories = {m.name: list(m.initial) for m in self.program.memories.values() if not m.constant}
        for i, (v, shape) in enumerate(zip(variables, lowered.variables, strict=True)):
            memories[f"v{i}"] = encode_value(v, shape)
        for i, (v, seen_as) in enumerate(zip(seen, lowered.seen, strict=True)):
            if seen_as is not None:
                memories[f"seen{i}"] = encode_value(v, seen_as)
        held, loose = [], []
        for z, parts in enumerate(zones):
            flat: list[int] = []
            bits = 0
            for part in parts:
                members = part if isinstance(part, tuple) else (part,)
                bits |= ((1 << len(members) - 1) - 1) << len(flat)
                flat.extend(members)
            for component in flat:
                memories["where"][component] = z
            if bits and z not in self.loose:
                # a declared start position may
                raise NotEncodable(f"the rules never leave zone {z} without an order")
            held.append(flat)
            loose.append(bits)
        made: list[FrameValues] = []
        above = None
        for f in reversed(frames):
            made.insert(0, self._encode_frame(above, *f))
            above = self.program.states[made[0].state].function
        for proc, calls in _standing_calls(frames).items():
            depth = memories.get(f"depth{proc}")
            if depth is not None:
                depth[0] = calls
        return CorePosition(memories, held, loose, made)

    def encode_machine(
        self, ruleset: Rules, engine: Engine, machine: Machine
    ) -> tuple[CorePosition, int, list[tuple[int, int]]] | None:
        """Encode where a machine of the evaluator waits: its position, who acts, and the legal actions, each
        with its weight or its seat.

        `None` if the core has no equal position, and if nothing is on offer.
        """
        try:
            encoded = self.encode(as_data(machine))
        except NotEncodable:
            return None
        state = State(ruleset, engine, machine.copy())
        if state.is_chance_node():
            seat, offers = CHANCE, list(state._weights())
        elif state.is_simultaneous_node():
            seat = SEVERAL
            offers = [(action, p) for p in state.pending_seats() for action in state._options(p)]
        else:
            seat = state.current_player()
            offers = [(action, 1) for action in state._options(seat)]
        return (encoded, seat, sorted(offers)) if offers else None

    def _encode_frame(
        self,
        above: str | None,
        proc: int,
        point: int,
        slots: tuple[tuple[int, Value], ...],
        event_audience: int | None,
    ) -> FrameValues:
        """Encode a frame; `above` is the function of the frame above it, None on top."""
        given = dict(slots)
        states = [
            n
            for n in self.states.get((proc, point), [])
            if self.entered.get(n) == above and self._constants_match(self.maps[n], given)
        ]
        if not states:
            raise NotEncodable(f"no state is for point {point} of procedure {proc}")
        state, m = states[0], self.maps[states[0]]  # states of copies of the same statement are equal
        f = self.program.functions[self.program.states[state].function]
        words: dict[str, int] = {}
        arrays = {name: [0] * size for name, size in f.arrays.items()}
        for slot, where in m.slots:
            self._encode_slot(where, given.get(slot), words, arrays)
        if m.event_audience is not None:
            words[m.event_audience] = NONE if event_audience is None else event_audience
        for block in self._lookahead_blocks(f.name):
            # inside a look-ahead: its search has found an end
            words[block.name] = int(words.get(block.active) == 1)
        extra = self._live_at_start()[state] - set(words)
        if extra:
            raise NotEncodable(f"{sorted(extra)} of state {state} are not known")
        return FrameValues(state, words, arrays)

    @staticmethod
    def _constants_match(m: FrameMap, given: Mapping[int, Value]) -> bool:
        return all(given.get(slot) == where.value for slot, where in m.slots if isinstance(where, KnownValue))

    def _live_at_start(self) -> dict[int, frozenset[str]]:
        if self._live is None:
            self._live = live_at_start(self.program)
        return self._live

    def _lookahead_blocks(self, function: str) -> list[op.Explore]:
        bodies = [state.body for state in self.program.states.values() if state.function == function]
        return [s for body in bodies for s in statements(body) if isinstance(s, op.Explore)]

    def _encode_slot(self, where: Where, v: Any, words: dict[str, int], arrays: dict[str, list[int]]) -> None:
        """Encode the value of a slot into its location: the reverse of `decode_slot`."""
        match where:
            case Stored(name, shape):
                if where.is_word:
                    words[name] = encode_value(v, shape)[0]
                elif v is not None:
                    _write(arrays[name], encode_value(v, shape))
            case Rotation(first, skip):
                words[first] = (v[0] - skip) % self.players if v else 0
            case Several(parts):
                for part, inner in zip(parts, v or (None,) * len(parts), strict=True):
                    self._encode_slot(part, inner, words, arrays)
            case Tail(name, shape, at):
                _write(arrays[name], encode_value(v or (), shape))
                words[at] = 0
            case Made(name, shape):
                assert isinstance(shape, TableShape)
                chosen = dict(v or ())
                _write(
                    arrays[name],
                    [w for seat in range(shape.count) for w in encode_value(chosen.get(seat), shape.value)],
                )


def _standing_calls(frames: Sequence[tuple[Any, ...]]) -> dict[int, int]:
    """Return the number of calls of each procedure that have begun.

    One with hooks has a frame that runs them, and perhaps one more for its own text.
    """
    own: Counter[int] = Counter()
    hooked: Counter[int] = Counter()
    for proc, _, slots, _ in frames:
        if proc == DISPATCH:
            hooked[dict(slots)[TARGET]] += 1
        else:
            own[proc] += 1
    return own | hooked


def encode_value(v: Value, shape: Shape) -> list[int]:
    """Encode a value by its shape. Raises `NotEncodable` if it does not fit."""
    try:
        return list(encoded(v, shape))
    except NotLowered as e:
        raise NotEncodable(e.what) from None


def _write(array: list[int], words: Sequence[int]) -> None:
    array[: len(words)] = words


def decode_zone(items: Sequence[int], bits: int) -> tuple[Value, ...]:
    """Decode a zone: components from the bottom up, those of an unordered part as a tuple in ascending
    order.
    """
    return tuple(_zone_parts(items, bits)) if bits else tuple(items)


def _zone_parts(items: Sequence[int], bits: int) -> Iterator[Value]:
    part: list[int] = []
    for i, component in enumerate(items):
        part.append(component)
        if not bits >> i & 1:
            yield part[0] if len(part) == 1 else tuple(part)
            part = []
