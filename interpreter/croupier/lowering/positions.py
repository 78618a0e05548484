"""Frame maps: for every wait and every call that may wait, where the locals of the reference evaluator are
stored.

With them a position of the core is written as the position of the evaluator, and they can be compared after
every step.
"""

from __future__ import annotations

from croupier.lowering.shapes import Shape, Word
from croupier.records import dataclass


@dataclass(frozen=True, slots=True)
class Stored:
    """A value of one word, in a local of the frame, or of several, at the beginning of an array of it."""

    name: str
    shape: Shape

    @property
    def is_word(self) -> bool:
        """Tell whether it lies in a local."""
        return isinstance(self.shape, Word)


@dataclass(frozen=True, slots=True)
class Rotation:
    """The players in order of play from one of them on (`first`, a local); `skip` of them are left out."""

    first: str
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

    parts: tuple[Stored, ...]


@dataclass(frozen=True, slots=True)
class Tail:
    """The rest of a list from an index on, which a local holds."""

    name: str
    shape: Shape
    at: str


Where = Stored | Rotation | Made | KnownValue | Several | Tail


@dataclass(frozen=True, slots=True)
class FrameMap:
    """A frame of the evaluator: procedure, suspension point, and the places of its locals."""

    proc: int
    point: int
    slots: tuple[tuple[int, Where], ...]
    event_audience: str | None = None  # the local that says who perceives what happens; `None`: everybody

    def names(self) -> tuple[str, ...]:
        """The locals that it reads."""
        places = [where for _, where in self.slots]
        found = [w.name for w in places if isinstance(w, Stored) and w.is_word]
        found += [w.first for w in places if isinstance(w, Rotation)]
        found += [part.name for w in places if isinstance(w, Several) for part in w.parts if part.is_word]
        found += [w.at for w in places if isinstance(w, Tail)]
        found += [] if self.event_audience is None else [self.event_audience]
        return tuple(dict.fromkeys(found))
