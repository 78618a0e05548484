"""The canonical form of a position: bytes, hash, and the way back.

What counts: state variables, zones in their order (unordered parts sorted, components that are called alike
by their order there), what watchers saw last, and the frames — procedure, suspension point, and the locals
that may still be read there. Dead locals, caches and the history do not count, so that positions that cannot
be told apart by any future are equal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from croupier.kernel import types as t
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import Frame, Machine, locations
from croupier.runtime.results import Result

if TYPE_CHECKING:
    from croupier.runtime.compiled_rules import CompiledRules


RESULTS = ("win", "rank", "pay", "lose", "draw")


def encode(value: Value, out: list[bytes]) -> None:
    """Append the canonical encoding of a value.

    It is n, t, f, a decimal number and a semicolon, a text behind its length in bytes, or brackets around a
    tuple.
    """
    if value is None:
        out.append(b"n")
    elif value is True:
        out.append(b"t")
    elif value is False:
        out.append(b"f")
    elif type(value) is int:
        out.append(b"%d;" % value)
    elif isinstance(value, str):
        text = value.encode()
        out.append(b'"%d;' % len(text))
        out.append(text)
    else:
        out.append(b"(")
        for v in value:
            encode(v, out)
        out.append(b")")


def as_data(m: Machine, begun: bool = True) -> tuple[Value, ...]:
    """A position as nested tuples; in one that is declared before a phase (not `begun`) the locals for that
    phase count too.
    """
    frames = tuple(
        (f.code.proc.index, f.point, tuple((i, f.L[i]) for i in live_slots(f, begun)), f.event_audience)
        for f in m.frames
    )
    result = None
    if m.result is not None:
        r = m.result
        result = (
            RESULTS.index(r.kind),
            r.winners,
            r.returns,
            r.scores,
            None if r.grade is None else tuple(r.grade.encode()),
        )
    fault = None
    if m.fault is not None:
        fault = (tuple(m.fault.code.encode()), m.fault.span.start if m.fault.span else 0)
    return (tuple(m.vars), tuple(m.zones), tuple(m.seen_values), frames, result, fault)


def live_slots(f: Frame, begun: bool = True) -> tuple[int, ...]:
    """The locals of a frame that may still be read and hold something; all of them where the analysis says
    nothing.
    """
    point = f.point if begun else None
    live = None if point is None else f.code.live.get(point)
    return tuple(i for i in (range(len(f.L)) if live is None else live) if f.L[i] is not None)


def bytes_of_data(game: Game, data: tuple[Value, ...]) -> bytes:
    """The canonical bytes of a position that `as_data` gave."""
    out: list[bytes] = []
    encode(renumbered(game, data), out)
    return b"".join(out)


def hash_of_data(game: Game, data: tuple[Value, ...]) -> str:
    """SHA-256 of these bytes, as hexadecimal text."""
    return hashlib.sha256(bytes_of_data(game, data)).hexdigest()


def to_json(value: Value) -> Value:
    """A value as JSON: tuples become lists."""
    return [to_json(v) for v in value] if isinstance(value, tuple) else value


def from_json(value: Value) -> Value:
    """A value from JSON: lists become tuples."""
    return tuple(from_json(v) for v in value) if isinstance(value, list) else value


MISFIT = "the saved position does not fit this game"
# what rules may raise where a local holds nonsense
RULES_FAIL = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)


class DamagedPosition(ValueError):
    """A saved position that does not fit the game."""


def restore(rules: CompiledRules, data: Value) -> Machine:
    """Return the machine of a position that `as_data` gave.

    Nothing of the data is trusted. Raises `DamagedPosition`.
    """
    try:
        vars_, zones, seen, frames, result, fault = from_json(data)
        game, m = rules.game, Machine(rules)
        if len(vars_) != len(m.vars) or len(zones) != len(m.zones) or fault is not None:
            raise DamagedPosition
        m.vars, m.zones, m.seen_values = list(vars_), [_zone(z, game) for z in zones], list(seen)
        m.where = locations(game, m.zones)
        m.refuel()
        for index, point, slots, event_audience in frames:
            code = rules.hooks.dispatch_code if index == -2 else rules.procs[_number(index)]
            L = [None] * code.slots
            for i, v in slots:
                L[_number(i)] = v
            m.frames.append(Frame(code, code.points[point], L, event_audience))
            m.event_audience = event_audience
        if result is not None:
            kind, winners, returns, scores, grade = result
            m.result = Result(
                RESULTS[_number(kind)],
                winners,
                returns,
                scores,
                None if grade is None else bytes(grade).decode(),
            )
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        raise DamagedPosition(MISFIT) from None
    return m


def _number(at: object) -> int:
    """A place in a list, counted from 0. Raises `DamagedPosition` for less."""
    if not isinstance(at, int) or at < 0:
        raise DamagedPosition
    return at


def _zone(items: Iterable[Value], game: Game) -> tuple[Value, ...]:
    for i in items:
        for component in i if isinstance(i, tuple) else (i,):
            if not isinstance(component, int) or not 0 <= component < len(game.components):
                raise DamagedPosition
    return tuple(items)


def renumbered(game: Game, data: tuple[Value, ...]) -> tuple[Value, ...]:
    """A position (`position.as_data`) in which alike components are numbered in the order in which they lie
    in the zones.

    Those of which a local names one keep their numbers.
    """
    alike = game.alike
    if not alike.members:
        return data
    variables, zones, seen, frames, result, fault = data
    kept = {alike.first[i] for f in frames for i in _held(game, f) if 0 <= i < len(alike.first)}
    # by component the numbers that those which are like it have not got yet
    rest: dict[int, Iterator[int]] = {}
    for lowest, components in alike.members.items():
        if lowest not in kept:
            rest.update(dict.fromkeys(components, iter(components)))

    def renamed(items: tuple[Value, ...]) -> tuple[Value, ...]:
        found: list[Value] = []
        for item in items:
            if item in rest:
                found.append(next(rest[item]))
            else:
                found.append(renamed(item) if type(item) is tuple else item)
        return tuple(found)

    named = tuple([renamed(items) if items else items for items in zones])
    return variables, named, seen, frames, result, fault


def _held(game: Game, frame: tuple[Value, ...]) -> Iterator[int]:
    """Yield every component that a frame of a position may name."""
    index, _, slots, _ = frame
    proc = game.program.procs[index] if index >= 0 else None
    for slot, value in slots:
        kind = t.UNKNOWN if proc is None or slot >= len(proc.slots) else proc.slot_types[slot]
        if (
            proc is not None
            and slot < len(proc.slots)
            and proc.slots[slot].startswith("$")
            and not isinstance(kind, (t.Int, t.Bool))
        ):
            kind = t.UNKNOWN  # what is hidden has another form than its type: places, pairs
        yield from _components(game, value, kind)


def _components(game: Game, value: Value, kind: t.Type) -> Iterator[int]:
    """The components in a value; of a type that is not known every number may be one."""
    if value is None:
        return
    match kind:
        case t.Component():
            yield value
        case t.Optional():
            yield from _components(game, value, kind.base)
        case t.Collection() if isinstance(value, tuple):
            for v in value:
                yield from _components(game, v, kind.base)
        case t.Record() if isinstance(value, tuple):
            for v, part in zip(value, game.program.records[kind.name].fields.values(), strict=True):
                yield from _components(game, v, part)
        case t.Map() if isinstance(value, tuple):
            for v in value:
                yield from _components(game, v, kind.value)
            if isinstance(kind.key, t.Component):
                yield from game.values(kind.key)
        case t.Unknown():
            if isinstance(value, tuple):
                for v in value:
                    yield from _components(game, v, t.UNKNOWN)
            elif type(value) is int:
                yield value
