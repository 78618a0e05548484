"""Frame maps: for every wait and every call that may wait, where the locals of the reference evaluator are
stored.

With them a position of the core is written as the position of the evaluator, and they can be compared after
every step.
"""

from __future__ import annotations

from croupier.lowering.shapes import Shape
from croupier.records import dataclass


@dataclass(frozen=True, slots=True)
class InWord:
    """A value of one word, in a local of the frame."""

    name: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class InArray:
    """A value at the beginning of an array of the frame."""

    name: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Rotation:
    """The players in order of play from one of them (`first`, a local, or seat 0) on; `skip` of them are left
    out.
    """

    first: str | None
    skip: int


@dataclass(frozen=True, slots=True)
class Made:
    """Choices made so far as pairs `(seat, value)`: an array with a value for each seat."""

    name: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A constant value."""

    value: object


@dataclass(frozen=True, slots=True)
class Several:
    """A tuple of values."""

    parts: tuple[InWord | InArray, ...]


@dataclass(frozen=True, slots=True)
class Tail:
    """The rest of a list from an index on, which a local holds."""

    name: str
    shape: Shape
    at: str


Where = InWord | InArray | Rotation | Made | KnownValue | Several | Tail


@dataclass(frozen=True, slots=True)
class FrameMap:
    """A frame of the evaluator: procedure, suspension point, and the places of its locals.

    `hooked`: the frame runs the hooks around a call.
    """

    proc: int
    point: int
    slots: tuple[tuple[int, Where], ...]
    event_audience: str | None = None  # the local that says who perceives what happens; `None`: everybody

    def names(self) -> tuple[str, ...]:
        """The locals that it reads."""
        found = [w.name for _, w in self.slots if isinstance(w, InWord)]
        found += [w.first for _, w in self.slots if isinstance(w, Rotation) and w.first is not None]
        for _, w in self.slots:
            if isinstance(w, Several):
                found += [part.name for part in w.parts if isinstance(part, InWord)]
        found += [w.at for _, w in self.slots if isinstance(w, Tail)]
        return tuple(
            dict.fromkeys([*found, *([self.event_audience] if self.event_audience is not None else [])])
        )
