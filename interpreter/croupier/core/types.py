"""What a program of the core is made of: arrays, functions, zones."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.core.operations import Body


@dataclass(frozen=True, slots=True)
class Memory:
    """An array of words: of the state (with its first words), of a table (they never change), or of a function."""

    name: str
    size: int
    initial: tuple[int, ...] = ()
    constant: bool = False


@dataclass(frozen=True, slots=True)
class FunctionParameter:
    """What a function takes: a word, or an array of `size` words; `gives`: the function writes it, and whoever calls has it afterwards."""

    name: str
    size: int | None = None
    gives: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function. One that waits is entered, in a frame of its own; its arrays are part of that."""

    name: str
    parameters: tuple[FunctionParameter, ...]
    results: int
    memories: tuple[Memory, ...]
    body: Body
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Zones:
    """The zones: how many components each can hold, and what lies in them at the start, with the places that go on in an unordered part."""

    capacities: tuple[int, ...]
    contents: tuple[tuple[int, ...], ...]
    loose: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CodeState:
    """Straight code between two waits, of one function; from the pass `states` on."""

    number: int
    function: str
    body: Body


@dataclass(slots=True)
class CoreProgram:
    """A whole game for one set-up."""

    name: str
    players: int
    memories: dict[str, Memory] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    zones: Zones = Zones((), (), ())
    main: str = "main"
    start: str | None = None  # a function that runs before everything
    states: dict[int, CodeState] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)  # of functions that wait: the state they begin in
