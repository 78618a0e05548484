"""Compiled Python of one core program: compiling, positions that apply actions, playouts.

`PythonProgram` runs the text that `printers/python.py` writes; `PythonPosition` wraps a position of it for
the codec and the search. Playouts draw from the published streams of `runtime/streams.py`, so that a game is
the same as a match of random agents; printed code takes words from a stream itself.
"""

from __future__ import annotations

import builtins
from bisect import bisect_left, insort_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import gcd
from typing import Any, Protocol

from croupier.core import operations as op
from croupier.core.operations import NONE, SEVERAL
from croupier.core.types import CoreProgram
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
from croupier.passes.pipeline import optimize_prepaid, prepare_python_steps, strip_frame_maps
from croupier.printers.python import PythonFrameLayout, TooDeeplyNested, functions_source, python_source
from croupier.printers.python_checker import FUNCTIONS, check_source
from croupier.printers.python_direct import NoDirectStyle, playout_source
from croupier.records import dataclass
from croupier.runtime.streams import CHANCE, WORD, Stream, seat_purpose, stream_key, words

Namespace = dict[str, Any]
BUILTINS: Namespace = {
    "__name__": "compiled rules",
    "__builtins__": {
        "__build_class__": builtins.__build_class__,
        "Exception": Exception,
        "RecursionError": RecursionError,
        "list": list,
        **{name: getattr(builtins, name) for name in FUNCTIONS},
    },
}
"""The builtins that compiled rules may use."""


# takes a position of printed code, and raises one of `PythonProgram.failures` where the check fails
PositionCheck = Callable[[Any], None]
PositionNumber = Callable[[Any, int], int]  # the same that gives a number for a seat


class PythonProgram:
    """Compiles a core program that was not cut into states yet.

    `fuel`: steps that an action may take; `limits`: decisions and chance events of a game; not `optimized`,
    it keeps locals that nobody reads.
    """

    def __init__(
        self,
        program: CoreProgram,
        fuel: int,
        limits: tuple[int, int] = (10**9, 10**9),
        *,
        optimized: bool = True,
    ) -> None:
        improved, rest = optimize_prepaid(program, fuel) if optimized else (program, fuel)
        self.program = prepare_python_steps(improved)
        printed = python_source(self.program)
        self.fuel, self.limits, self.players = fuel, limits, program.players
        self.purposes = tuple(map(seat_purpose, range(program.players)))
        self.text, self.layouts = printed.text, printed.frames
        self.functions = {n: s.function for n, s in self.program.states.items()}
        self.memories = [m.name for m in self.program.memories.values() if not m.constant]
        self.slots = printed.slots
        namespace: Namespace = {
            "NONE": NONE,
            "FUEL": rest,
            "WEIGHTED": draw_weighted,
            "EXPLORE": None,
            "bisect": bisect_left,
            "insort": insort_left,
        }
        self.namespace = self._execute(self.text, f"<core of {program.name}>", {**namespace, **BUILTINS})
        namespace = self.namespace
        self.begin = namespace["begin"]
        self.apply = namespace["apply"]
        self.initial = namespace["initial"]
        self.go = namespace["go"]
        self.finished: type[Exception] = namespace["Finished"]
        self.failures: tuple[type[Exception], ...] = (namespace["Failed"], RecursionError)
        self.errors = {
            namespace["Failed"]: FAILED,
            self.finished: OVER,
            namespace["DeadEnd"]: OVER,
            namespace["Reached"]: REACHED,
            RecursionError: FAILED,
        }
        self.blocks = lookahead_blocks(self.program)
        self._uncut = program
        self._playouts: dict[bool, Any] = {}  # by whether they test positions
        self._first: PythonPosition | None = None

        def explore(S: Any, number: int, within: int, state: int) -> int:
            try:
                return int(can_reach_end(PythonPosition(self, S), number, within, state))
            except SearchFailed as e:
                S.fuel = -1 if e.out_of_fuel else S.fuel
                raise namespace["Failed"] from None

        namespace["EXPLORE"] = explore

    def _execute(self, text: str, name: str, namespace: Namespace) -> Namespace:
        """Check a source text against the list of allowed constructs, and execute it in a namespace."""
        exec(compile(check_source(text, namespace, self.slots), name, "exec"), namespace)  # noqa: S102  (only listed nodes and names)
        return namespace

    def position(self) -> PythonPosition:
        """The position before the first decision or chance event."""
        if self._first is None:
            self._first = PythonPosition(self)
        return self._first.copy()

    def playout(self, check: PositionCheck | None = None) -> Any:
        """The function that plays a game between random players, compiled on first use; None for rules that
        look ahead.

        It calls `check`, always the same, with each position at which an action is drawn.
        """
        checked = check is not None
        if checked not in self._playouts:
            self._playouts[checked] = None
            uncut, rest = optimize_prepaid(strip_frame_maps(self._uncut), self.fuel)
            with suppress(NoDirectStyle, TooDeeplyNested, RecursionError, MemoryError, SyntaxError):
                text = playout_source(uncut, checked)
                made = self._execute(
                    text, f"<whole games of {uncut.name}>", {**self.namespace, "FUEL": rest, "CHECK": check}
                )
                self._playouts[checked] = made["playout"]
                if not checked:
                    self.playout_text = text
        return self._playouts[checked]

    def compile_check(self, program: CoreProgram, name: str) -> PositionCheck:
        """A function of positions that fails where a function of a program fails; it works on the arrays of
        this one.
        """
        made = self._function(program, name)

        def check(S: Any) -> None:
            S.fuel = self.fuel
            made(S)

        return check

    def compile_number(self, program: CoreProgram, name: str) -> PositionNumber:
        """Compile a function of another program; it takes a position and a seat, and works on the arrays of
        this program.
        """
        made = self._function(program, name)

        def number(S: Any, seat: int) -> int:
            S.fuel = self.fuel
            return int(made(S, seat))

        return number

    def _function(self, program: CoreProgram, name: str) -> Any:
        return self._execute(functions_source(program), f"<{name} of {program.name}>", dict(self.namespace))[
            f"f_{name}"
        ]


class PythonPosition:
    """A position of compiled Python, with the interface of the search (`lookahead.Searchable`).

    `S` is the object of printed code: attributes are named in `printers/python.py`.
    """

    def __init__(self, program: PythonProgram, position: Any = None) -> None:
        self.program = program
        self.S = program.begin() if position is None else position

    def copy(self) -> PythonPosition:
        """An independent copy."""
        return PythonPosition(self.program, self.S.copy())

    def apply(self, action: int, seat: int = 0) -> None:
        """Apply an action of a seat, or an outcome of chance."""
        self.program.apply(self.S, action, seat)

    def load(self, at: CorePosition, seat: int, offers: list[tuple[int, int]]) -> None:
        """Set the position to an encoded one, with `seat` to act and `offers`: actions with weights."""
        S = self.S
        for name in self.program.memories:
            setattr(S, name, at.memories[name])
        S.Z, S.U, S.seat, S.failed, S.frames = at.zones, at.loose, seat, False, []
        S.O, S.K = [a for a, _ in offers], [w for _, w in offers]
        for f in at.frames:
            layout = self.program.layouts[self.program.functions[f.state]]
            cells: list[Any] = [f.state] + [NONE] * (len(layout.words) + len(layout.arrays))
            for name, i in layout.words.items():
                cells[i] = f.words.get(name, NONE)
            for name, i in layout.arrays.items():
                cells[i] = f.arrays[name]
            S.frames.append(cells)

    # ------------------------------------------------------------ reading
    @property
    def failed(self) -> bool:
        """True if the last action failed."""
        return bool(self.S.failed)

    @property
    def seat(self) -> int:
        """The seat to act, `CHANCE` or `SEVERAL`."""
        return int(self.S.seat)

    def read(self) -> CorePosition:
        """The position as values; its arrays and zones are those of `S`."""
        S = self.S
        memories = {name: getattr(S, name) for name in self.program.memories}
        return CorePosition(memories, S.Z, S.U, list(map(self._frame, S.frames)))

    def _frame(self, f: list[Any]) -> FrameValues:
        layout: PythonFrameLayout = self.program.layouts[self.program.functions[f[0]]]
        return FrameValues(
            f[0],
            {n: f[at] for n, at in layout.words.items() if f[at] != NONE},
            {n: f[at] for n, at in layout.arrays.items()},
        )

    # ------------------------------------------------------------ the search
    @property
    def search(self) -> tuple[int, int] | None:
        """Frame and block whose end is searched for; None outside a search."""
        return self.S.search  # type: ignore[no-any-return]

    @search.setter
    def search(self, found: tuple[int, int] | None) -> None:
        self.S.search = found

    @property
    def fuel(self) -> int:
        """The fuel that is left."""
        return int(self.S.fuel)

    @fuel.setter
    def fuel(self, steps: int) -> None:
        self.S.fuel = steps

    @property
    def examined(self) -> list[int]:
        """Positions examined in this action, and the fuel left for its searches."""
        return self.S.examined  # type: ignore[no-any-return]

    def active_blocks(self) -> Iterator[tuple[int, op.Explore]]:
        """The blocks that control is inside of, outermost first, with their frames, counted from 1."""
        for depth, f in enumerate(self.S.frames):
            name = self.program.functions[f[0]]
            for block in self.program.blocks.get(name, ()):
                at = self.program.layouts[name].words.get(block.active)
                if at is not None and f[at] == 1:
                    yield depth + 1, block

    def resume(self, state: int | None, chosen: int) -> str:
        """Run until the next wait, from a state of the top frame or with a chosen action; return how that
        ended.
        """
        if state is not None:
            self.S.frames[-1][0] = state
        self.S.chosen = chosen
        try:
            self.program.go(self.S)
        except tuple(self.program.errors) as e:
            return self.program.errors[type(e)]
        return WAITS

    def depth(self) -> int:
        """The number of frames."""
        return len(self.S.frames)

    # ------------------------------------------------------------ legal actions
    def options(self, seat: int) -> list[int]:
        """The legal actions of a seat, ascending, without those from which a look-ahead finds no end; empty
        if the search fails.
        """
        try:
            if not self.program.blocks:
                return self.offered_actions(seat)
            self.S.examined, self.S.fuel = [0, self.program.fuel], self.program.fuel
            return filter_options(self, self.offered_actions(seat), seat)
        except SearchFailed as e:
            self.S.frames, self.S.failed, self.S.fuel = [], True, -1 if e.out_of_fuel else self.S.fuel
            return []

    def offered_actions(self, seat: int) -> list[int]:
        """The actions on offer to a seat, ascending, before the search filters them."""
        if self.S.seat == SEVERAL:
            return sorted({a for a, whose in zip(self.S.O, self.S.K, strict=True) if whose == seat})
        return self.S.O  # type: ignore[no-any-return]

    def outcomes(self) -> list[tuple[int, int]]:
        """The outcomes of a chance event with weights, ascending; where several choose, actions with
        seats.
        """
        return [(a, 1) for a in self.S.O] if self.S.K is None else list(zip(self.S.O, self.S.K, strict=True))


# ---------------------------------------------------------------- playouts
WORD_MASK = 2**WORD - 1


class Bailout(Exception):
    """Compiled code cannot finish a playout: it failed or passed a limit, and the evaluator has to play
    it.
    """


@dataclass(slots=True)
class Playout:
    """A finished playout: its final position, and how many decisions and chance events it had."""

    position: object
    decisions: int
    chance_events: int


class BufferedStream(Stream):
    """A stream with a public buffer, `words`, from which printed code pops; the next word is the last."""

    __slots__ = ("words",)

    def __init__(self, seed: int, game: int, purpose: str) -> None:
        self.game, self._key, self._block = game, stream_key(seed, purpose), 0
        self.words: list[int] = []

    def refill(self) -> list[int]:
        """Fill the buffer, and return it."""
        self.words, self._block = words(self._key, self.game, self._block)
        return self.words

    def word(self) -> int:
        return (self.words or self.refill()).pop()

    def redraw(self, product: int, n: int) -> int:
        """Lemire's rejection: `product` is a word times `n`; draw words until the product is not rejected,
        and return that.
        """
        while product & WORD_MASK < n and product & WORD_MASK < (WORD_MASK + 1) % n:
            product = self.word() * n
        return product


class RandomWords(Protocol):
    """A source of random numbers: a buffer of words of 32 bits, and the methods of `BufferedStream`."""

    words: list[int]

    def refill(self) -> list[int]: ...
    def redraw(self, product: int, n: int) -> int: ...
    def uniform(self, n: int) -> int: ...


Source = Callable[[int, int, str], RandomWords]


def draw_weighted(source: RandomWords, weights: Sequence[int]) -> int:
    """Draw an index with probability proportional to its weight; weights are reduced to lowest terms first,
    as the specification says.
    """
    common = gcd(*weights)
    drawn = source.uniform(sum(weights) // common)
    for place, weight in enumerate(weights):
        drawn -= weight // common
        if drawn < 0:
            return place
    raise AssertionError("the weights add up to more than was drawn")


def run_playout(
    program: PythonProgram,
    seed: int,
    game: int,
    source: Source = BufferedStream,
    check: PositionCheck | None = None,
) -> Playout:
    """Play game number `game` of a run with this seed, between random players.

    `check` tests positions. Raises `Bailout`, also where it fails.
    """
    seats = [source(seed, game, purpose) for purpose in program.purposes]
    chance = source(seed, game, CHANCE)
    try:
        found = _run(program, seats, chance, check)
        if check is not None:
            check(found.position)
    except program.failures:
        raise Bailout from None
    return found


def _run(
    program: PythonProgram, seats: Sequence[RandomWords], chance: RandomWords, check: PositionCheck | None
) -> Playout:
    """Play a game. Raises `Bailout`, and `program.failures`."""
    playout = program.playout(check)
    if playout is None:
        return _run_by_steps(program, seats, chance, check)
    S = program.initial()
    most, most_chances = program.limits
    try:
        playout(S, seats, chance, most, most_chances)
    except program.finished:
        S.frames = []
        return Playout(S, most - S.left, most_chances - S.rolls)
    raise Bailout


def _run_by_steps(
    program: PythonProgram, seats: Sequence[RandomWords], chance: RandomWords, check: PositionCheck | None
) -> Playout:
    """The same by steps, for rules that look ahead. Raises `Bailout`, and `program.failures` of the check."""
    p = program.position()
    decisions = events = 0
    most, most_chances = program.limits
    while p.S.frames:
        if decisions >= most or events >= most_chances:
            raise Bailout
        if check is not None:
            check(p.S)
        match p.S.seat:
            case op.CHANCE:
                outcomes = p.outcomes()
                p.apply(outcomes[draw_weighted(chance, [weight for _, weight in outcomes])][0])
                events += 1
            case op.SEVERAL:
                actions = [(seat, _draw_uniform(seats[seat], p.options(seat))) for seat in sorted(set(p.S.K))]
                decisions += len(actions)
                for seat, action in actions:
                    p.apply(action, seat)
            case seat:
                p.apply(_draw_uniform(seats[seat], p.options(seat)), seat)
                decisions += 1
    if p.failed or decisions > most or events > most_chances:
        raise Bailout
    return Playout(p.S, decisions, events)


def _draw_uniform(stream: RandomWords, options: Sequence[int]) -> int:
    if not options:
        raise Bailout
    return options[stream.uniform(len(options))]
