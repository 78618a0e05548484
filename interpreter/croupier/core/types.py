"""The parts of a core program: arrays, functions, zones, states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from croupier.core.operations import Body
from croupier.records import dataclass


@dataclass(frozen=True, slots=True)
class Memory:
    """An array of words: of the state (`initial` at the start of a game), a constant table, or local to a
    function.
    """

    name: str
    size: int
    initial: tuple[int, ...] = ()
    constant: bool = False


def constant_words(memories: Mapping[str, Memory], name: str) -> tuple[int, ...] | None:
    """Return the words of a constant table; `None` if it is no such table."""
    found = memories.get(name)
    return found.initial if found is not None and found.constant else None


@dataclass(frozen=True, slots=True)
class FunctionParameter:
    """A parameter: a word, or an array of `size` words.

    `gives`: an output array, which the function writes for its caller.
    """

    name: str
    size: int | None = None
    gives: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function. One that `waits` is entered on a frame of its own, which holds its arrays."""

    name: str
    parameters: tuple[FunctionParameter, ...]
    results: int
    memories: tuple[Memory, ...]
    body: Body
    waits: bool = False

    @property
    def arrays(self) -> dict[str, int]:
        """The sizes of its arrays, by name: its own, then those that are parameters."""
        given = {p.name: p.size for p in self.parameters if p.size is not None}
        return {m.name: m.size for m in self.memories} | given


@dataclass(frozen=True, slots=True)
class Zones:
    """The zones, in parallel tuples: capacity, contents at the start, and `Loose` as a bit for each index."""

    capacities: tuple[int, ...]
    contents: tuple[tuple[int, ...], ...]
    loose: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CodeState:
    """The code of one function between two waits; made by the pass `states`."""

    number: int
    function: str
    body: Body


@dataclass(frozen=True, slots=True)
class Probes:
    """Functions that measure whole games without changing them; whoever plays calls them, with the seat as
    argument.

    `measures`: for each measure the number of seats that it is taken for, its function is `measure` and its
    index; `samples`: they are taken along the way, too, either before each decision or, if `is_paced`, when
    the value of the function `pace` changes; `grouping`: the number of seats games are grouped by, and the
    words of a group, which the function `group` writes; `phases`: the number of phases.
    """

    measures: tuple[int, ...]
    samples: bool
    is_paced: bool
    grouping: tuple[int, int]
    phases: int


@dataclass(slots=True)
class CoreProgram:
    """A whole game for one set-up.

    `entries`: the first state of each function that waits; `exports`: functions that are called from outside.
    """

    name: str
    players: int
    memories: dict[str, Memory] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    zones: Zones = Zones((), (), ())
    main: str = "main"
    start: str | None = None  # a function that runs before `main`
    states: dict[int, CodeState] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)  # of functions that wait: the state they begin in
    exports: frozenset[str] = frozenset()
    probes: Probes | None = None
