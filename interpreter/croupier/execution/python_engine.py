"""The core as compiled Python: positions that take actions, tell what is on offer, and can be copied; and whole games between random players.

Whole games have the same streams, choices and results as a match of random agents. The numbers are those of `runtime/streams.py`; what was printed
takes words by itself, where one is enough for so many options.
"""

from __future__ import annotations

import builtins
from bisect import bisect_left, insort_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import gcd
from typing import Any, Protocol

from croupier.core import operations as op
from croupier.core.operations import NONE, SEVERAL
from croupier.core.types import CoreProgram
from croupier.execution.codec import FrameWords, Stand
from croupier.execution.lookahead import FAILED, OVER, REACHED, WAITS, Block, TooFar, allowed, blocks_of, can_end
from croupier.passes.pipeline import for_whole_games, ready_for_python, with_little_fuel
from croupier.printers.python import PythonFrame, TooDeep, python_source
from croupier.printers.python_checker import FUNCTIONS, checked
from croupier.printers.python_whole import NotWhole, whole_source
from croupier.runtime.streams import CHANCE, WORD, Stream, seat_purpose, stream_key, words

Space = dict[str, Any]
PYTHON: Space = {"__name__": "compiled rules", "__builtins__": {
    "__build_class__": builtins.__build_class__, "Exception": Exception, "RecursionError": RecursionError, "list": list,
    **{name: getattr(builtins, name) for name in FUNCTIONS},
}}  # fmt: skip
"""What compiled rules have of Python."""


class PythonProgram:
    """A program compiled, before it is cut. `fuel`: steps that an action may take; `limits`: decisions and chance events of a game."""

    def __init__(self, program: CoreProgram, fuel: int, limits: tuple[int, int] = (10**9, 10**9)) -> None:
        better, rest = with_little_fuel(program, fuel)
        self.program = ready_for_python(better)
        made = python_source(self.program)
        self.fuel, self.limits, self.players = fuel, limits, program.players
        self.purposes = tuple(map(seat_purpose, range(program.players)))
        self.text, self.layouts = made.text, made.frames
        self.functions = {n: s.function for n, s in self.program.states.items()}
        self.memories = [m.name for m in self.program.memories.values() if not m.constant]
        self.slots = made.slots
        space: Space = {"NONE": NONE, "FUEL": rest, "WEIGHTED": weighted, "EXPLORE": None, "bisect": bisect_left, "insort": insort_left}
        self.space = self._run(self.text, f"<core of {program.name}>", {**space, **PYTHON})
        space = self.space
        self.begin, self.apply, self.initial, self.go = space["begin"], space["apply"], space["initial"], space["go"]
        self.finished: type[Exception] = space["Finished"]
        self.failures: tuple[type[Exception], ...] = (space["Failed"], RecursionError)
        self.errors = {space["Failed"]: FAILED, self.finished: OVER, space["DeadEnd"]: OVER, space["Reached"]: REACHED, RecursionError: FAILED}
        self.blocks = blocks_of(self.program)
        self._uncut: CoreProgram | None = program
        self._whole: object = None
        self._first: PythonPosition | None = None

        def explore(S: Any, number: int, within: int, state: int) -> int:
            try:
                return int(can_end(PythonPosition(self, S), number, within, state))
            except TooFar as e:
                S.fuel = -1 if e.out_of_fuel else S.fuel
                raise space["Failed"] from None

        space["EXPLORE"] = explore

    def _run(self, text: str, name: str, space: Space) -> Space:
        """Runs a source, which is read again before, in a space; gives that."""
        exec(compile(checked(text, space, self.slots), name, "exec"), space)  # noqa: S102  (only listed nodes and names)
        return space

    def position(self) -> PythonPosition:
        """The position before the first decision or chance event."""
        if self._first is None:
            self._first = PythonPosition(self)
        return self._first.copy()

    @property
    def whole(self) -> Any:
        """Plays a whole game between random players, compiled when it is first asked for; none if there is no such function."""
        if self._uncut is not None:
            (uncut, rest), self._uncut = with_little_fuel(for_whole_games(self._uncut), self.fuel), None
            with suppress(NotWhole, TooDeep, RecursionError, MemoryError, SyntaxError):
                self.whole_text = whole_source(uncut)
                self._whole = self._run(self.whole_text, f"<whole games of {uncut.name}>", {**self.space, "FUEL": rest})["whole"]
        return self._whole


class PythonPosition:
    """A position of compiled Python, as the codec and drivers see it."""

    def __init__(self, program: PythonProgram, position: Any = None) -> None:
        self.program = program
        self.S = program.begin() if position is None else position

    def copy(self) -> PythonPosition:
        """An independent copy."""
        return PythonPosition(self.program, self.S.copy())

    def apply(self, action: int, seat: int = 0) -> None:
        """An action of a seat, or an outcome of chance."""
        self.program.apply(self.S, action, seat)

    def stand(self, at: Stand, seat: int, offers: list[tuple[int, int]]) -> None:
        """Stands at a position that was made elsewhere, with what is on offer there."""
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

    # ------------------------------------------------------------ what is there
    @property
    def failed(self) -> bool:
        """Did the last action fail?"""
        return bool(self.S.failed)

    @property
    def seat(self) -> int:
        """Who is asked."""
        return int(self.S.seat)

    @property
    def memories(self) -> dict[str, list[int]]:
        """The arrays of the state."""
        return {name: getattr(self.S, name) for name in self.program.memories}

    @property
    def zones(self) -> list[list[int]]:
        """What lies in the zones."""
        return self.S.Z  # type: ignore[no-any-return]

    @property
    def loose(self) -> list[int]:
        """Which places of the zones go on in an unordered part."""
        return self.S.U  # type: ignore[no-any-return]

    @property
    def frames(self) -> list[FrameWords]:
        """The frames, lowest first."""
        return [self._frame(f) for f in self.S.frames]

    def _frame(self, f: list[Any]) -> FrameWords:
        layout: PythonFrame = self.program.layouts[self.program.functions[f[0]]]
        return FrameWords(f[0], {n: f[at] for n, at in layout.words.items() if f[at] != NONE}, {n: f[at] for n, at in layout.arrays.items()})

    # ------------------------------------------------------------ looking ahead
    @property
    def search(self) -> tuple[int, int] | None:
        """What is looked for, in a copy that looks ahead."""
        return self.S.search  # type: ignore[no-any-return]

    @search.setter
    def search(self, found: tuple[int, int] | None) -> None:
        self.S.search = found

    @property
    def fuel(self) -> int:
        """The steps that are left."""
        return int(self.S.fuel)

    @fuel.setter
    def fuel(self, steps: int) -> None:
        self.S.fuel = steps

    @property
    def examined(self) -> list[int]:
        """The counter of positions that were examined."""
        return self.S.examined  # type: ignore[no-any-return]

    def active(self) -> Iterator[tuple[int, Block]]:
        """The blocks that are looked ahead in now."""
        for depth, f in enumerate(self.S.frames):
            name = self.program.functions[f[0]]
            for block in self.program.blocks.get(name, ()):
                at = self.program.layouts[name].words.get(block.active)
                if at is not None and f[at] == 1:
                    yield depth + 1, block

    def go_on(self, state: int | None, chosen: int) -> str:
        """Runs on, from a state of the frame on top or with what was chosen."""
        if state is not None:
            self.S.frames[-1][0] = state
        self.S.chosen = chosen
        try:
            self.program.go(self.S)
        except tuple(self.program.errors) as e:
            return self.program.errors[type(e)]
        return WAITS

    def asked(self) -> int:
        """Who is asked."""
        return self.seat

    def depth(self) -> int:
        """How many frames there are."""
        return len(self.S.frames)

    # ------------------------------------------------------------ what is on offer
    def options(self, seat: int) -> list[int]:
        """The actions on offer, ascending, after which every look-ahead can still end as it must; none if that cannot be found out."""
        try:
            if not self.program.blocks:
                return self.offered(seat)
            self.S.examined, self.S.fuel = [0, self.program.fuel], self.program.fuel
            return allowed(self, self.offered(seat), seat)
        except TooFar as e:
            self.S.frames, self.S.failed, self.S.fuel = [], True, -1 if e.out_of_fuel else self.S.fuel
            return []

    def offered(self, seat: int) -> list[int]:
        """The actions on offer, ascending; where several choose at once, those of a seat."""
        if self.S.seat == SEVERAL:
            return sorted({a for a, whose in self.outcomes() if whose == seat})
        return self.S.O  # type: ignore[no-any-return]

    def outcomes(self) -> list[tuple[int, int]]:
        """What may happen by chance, with weights, ascending; where several choose, actions with seats."""
        return [(a, 1) for a in self.S.O] if self.S.K is None else list(zip(self.S.O, self.S.K, strict=True))


# ---------------------------------------------------------------- whole games
LOW = 2**WORD - 1


class Unusual(Exception):
    """A game that is played step by step: it fails, or passes a limit."""


@dataclass(slots=True)
class Rollout:
    """How a game went that came to its result: where it ended, and its steps."""

    position: object
    decisions: int
    chance_events: int


class Chooser(Stream):
    """A stream whose words at hand anybody may take: `words`, the next one last."""

    __slots__ = ("words",)

    def __init__(self, seed: int, game: int, purpose: str) -> None:
        self.game, self._key, self._block = game, stream_key(seed, purpose), 0
        self.words: list[int] = []

    def more(self) -> list[int]:
        """`words`, with new ones."""
        self.words, self._block = words(self._key, self.game, self._block)
        return self.words

    def word(self) -> int:
        return (self.words or self.more()).pop()

    def again(self, product: int, n: int) -> int:
        """A word times `n`, if it counts; otherwise that of the next one that does."""
        while product & LOW < n and product & LOW < (LOW + 1) % n:
            product = self.word() * n
        return product


class RandomWords(Protocol):
    """A source of random numbers: `words` have 32 bits and are at hand, `more` makes new ones, `again` is that of `Chooser`."""

    words: list[int]

    def more(self) -> list[int]: ...
    def again(self, product: int, n: int) -> int: ...
    def uniform(self, n: int) -> int: ...


Source = Callable[[int, int, str], RandomWords]


def weighted(source: RandomWords, weights: Sequence[int]) -> int:
    """The place of a weight, each as likely as it weighs: as shares of the whole in lowest terms."""
    common = gcd(*weights)
    drawn = source.uniform(sum(weights) // common)
    for place, weight in enumerate(weights):
        drawn -= weight // common
        if drawn < 0:
            return place
    raise AssertionError("the weights add up to more than was drawn")


def roll_out(program: PythonProgram, seed: int, game: int, source: Source = Chooser) -> Rollout:
    """Play game number `game` of a run with this seed, from its beginning. Raises `Unusual`."""
    seats = [source(seed, game, purpose) for purpose in program.purposes]
    chance = source(seed, game, CHANCE)
    if program.whole is None:
        return _stepped(program, seats, chance)
    S = program.initial()
    most, most_chances = program.limits
    try:
        program.whole(S, seats, chance, most, most_chances)
    except program.finished:
        S.frames = []
        return Rollout(S, most - S.left, most_chances - S.rolls)
    except program.failures:
        raise Unusual from None
    raise Unusual


def _stepped(program: PythonProgram, seats: Sequence[RandomWords], chance: RandomWords) -> Rollout:
    """The same, step by step, where something is looked ahead. Raises `Unusual`."""
    p = program.position()
    decisions = events = 0
    most, most_chances = program.limits
    while p.S.frames:
        if decisions >= most or events >= most_chances:
            raise Unusual
        match p.S.seat:
            case op.CHANCE:
                outcomes = p.outcomes()
                p.apply(outcomes[weighted(chance, [weight for _, weight in outcomes])][0])
                events += 1
            case op.SEVERAL:
                actions = [(seat, _drawn(seats[seat], p.options(seat))) for seat in sorted(set(p.S.K))]
                decisions += len(actions)
                for seat, action in actions:
                    p.apply(action, seat)
            case seat:
                p.apply(_drawn(seats[seat], p.options(seat)), seat)
                decisions += 1
    if p.failed or decisions > most or events > most_chances:
        raise Unusual
    return Rollout(p.S, decisions, events)


def _drawn(stream: RandomWords, options: Sequence[int]) -> int:
    if not options:
        raise Unusual
    return options[stream.uniform(len(options))]
