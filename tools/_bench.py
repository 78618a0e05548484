"""Measuring back ends side by side: interleaved rounds, medians, ratios to hand-written Python in the same run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

from _yardsticks import YARDSTICKS, Yardstick, play_out

import croupier
from croupier.backends.choice import compiled
from croupier.backends.python import Compiled, Deviation
from croupier.backends.python.rollouts import Chooser, Source, roll_out
from croupier.backends.unsupported import Refused
from croupier.diagnostics import RulesetError
from croupier.play.match import Match
from croupier.play.setup import Setup

BATCH = 200  # games of a call of native code
OF_STATE = ("steps", "clone", "hash", "legal")
Measured = Callable[[float], tuple[int, float]]  # for about so many seconds: how often, in how many seconds


def repeated(once: Callable[[], int]) -> Measured:
    """Calls something until the time is over; it says how much it did."""

    def run(seconds: float) -> tuple[int, float]:
        done, started = 0, time.perf_counter()
        while True:
            done += once()
            spent = time.perf_counter() - started
            if spent >= seconds:
                return done, spent

    return run


@dataclass
class Row:
    """One thing that is measured of one game on one back end."""

    game: str
    backend: str
    what: str
    run: Measured
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Times a second: the median of the rounds."""
        return median(self.rates)


def games_by(once: Callable[[int], int]) -> Callable[[], int]:
    """Games one after another, each with a number; counts games."""
    number = 0

    def run() -> int:
        nonlocal number
        number += 1
        once(number)
        return 1

    return run


def rows_of(name: str, players: int | None) -> list[Row]:
    """What is measured of a ruleset."""
    ruleset = croupier.load(name)
    rows: list[Row] = []
    yardstick = YARDSTICKS.get(name)
    if yardstick is not None and players in (None, ruleset.players[0]):
        rng = random.Random(1)
        cls: type[Yardstick] = yardstick
        rows.append(Row(name, "by hand", "games", repeated(games_by(lambda k: play_out(cls(ruleset.players[0]), rng)))))
    setup = Setup(players, seed=1)
    reference = ruleset.new_initial_state(players)
    rows.append(Row(name, "reference", "games", repeated(games_by(lambda k: matched(ruleset, setup, k)))))
    rows += of_state(name, "reference", reference)
    game = ruleset.game(players, None)
    rows += native_rows(name, ruleset, players)
    try:
        code = compiled(game)
    except Refused:
        return rows
    rows.append(Row(name, "python", "games", repeated(games_by(lambda k: rolled(code, k, quick)))))
    rows.append(Row(name, "python, as simulate does", "games", repeated(games_by(lambda k: rolled(code, k, Chooser)))))
    return rows + of_state(name, "python", ruleset.new_initial_state(players, backend="python"))


def native_rows(name: str, ruleset: croupier.Ruleset, players: int | None) -> list[Row]:
    """The same in native code, if there is a compiler for it and it takes the ruleset; games by the streams of the specification, with their hashes,
    left in memory or given to Python."""
    try:
        initial = ruleset.new_initial_state(players, backend="native")
    except RulesetError:
        return []
    from croupier.backends.native import NativeState

    assert isinstance(initial, NativeState)
    native, first = initial.native, 1

    def batch() -> int:
        nonlocal first
        played = [one is not None for _, one in native.play(1, first, BATCH)]
        first += BATCH
        DEVIATED.extend(k for k, whole in enumerate(played, first - BATCH) if not whole)
        return sum(played)

    def bare() -> int:
        nonlocal first
        native.rows(1, first, BATCH)
        first += BATCH
        return BATCH

    rows = [Row(name, "native", "games", repeated(bare)), *of_state(name, "native", initial)]
    return [*rows, Row(name, "native, as simulate does", "games", repeated(batch))]


class Quick:
    """Random numbers of the generator that the hand-written classes use, one for everybody."""

    def __init__(self) -> None:
        self.rng = random.Random(3)
        self.words: list[int] = []

    def more(self) -> list[int]:
        self.words.extend(self.rng.getrandbits(63) for _ in range(64))
        return self.words

    def uniform(self, n: int) -> int:
        return self.rng.randrange(n) if n > 1 else 0


QUICK = Quick()
DEVIATED: list[int] = []  # games that compiled code could not play alone


def quick(seed: int, game: int, purpose: str) -> Quick:
    return QUICK


def rolled(code: Compiled, number: int, source: Source) -> int:
    """A game by compiled code; none counts as played if an action in it is unusual."""
    try:
        return roll_out(code, 1, number, source).decisions
    except Deviation:
        DEVIATED.append(number)
        return 0


def matched(ruleset: croupier.Ruleset, setup: Setup, number: int) -> int:
    match = Match(ruleset, setup, number, light=True)
    while match.step():
        pass
    return len(match.steps)


def of_state(name: str, backend: str, initial: croupier.State) -> list[Row]:
    """Steps from Python, copies, hashes and legal actions in the middle of a game."""
    rng = random.Random(2)
    played: list[int] = []

    def step_through() -> int:
        state, steps = initial.clone(), 0
        while not state.is_terminal():
            seat = state.pending_seats()[0] if state.is_simultaneous_node() else None
            state.apply_action(rng.choice(state.legal_actions(seat)), seat)
            steps += 1
        played.append(steps)
        return steps

    middle = initial.clone()
    step_through()
    for _ in range(played[0] // 2):
        if not middle.is_terminal():
            seat = middle.pending_seats()[0] if middle.is_simultaneous_node() else None
            middle.apply_action(rng.choice(middle.legal_actions(seat)), seat)

    def copy() -> int:
        middle.clone()
        return 1

    def digest() -> int:
        middle.hash()
        return 1

    def legal() -> int:
        middle._forget()
        middle.legal_actions()
        return 1

    return [
        Row(name, backend, "steps", repeated(step_through)),
        Row(name, backend, "clone", repeated(copy)),
        Row(name, backend, "hash", repeated(digest)),
        Row(name, backend, "legal", repeated(legal)),
    ]


def measure(rows: list[Row], rounds: int, seconds: float) -> None:
    """All rows in turn, `rounds` times."""
    for _ in range(rounds):
        for row in rows:
            done, spent = row.run(seconds if row.what in ("games", "steps") else seconds / 5)
            row.rates.append(done / spent)


def table(rows: list[Row]) -> list[str]:
    """A line for each game and back end."""
    heads = ("games/s", "× by hand", "× ref.", *(f"{what}/s" for what in OF_STATE))
    out = [f"{'ruleset':24} {'back end':24} " + " ".join(f"{h:>10}" for h in heads)]
    found = {(r.game, r.backend, r.what): r.rate for r in rows}
    for game, backend in dict.fromkeys((r.game, r.backend) for r in rows):
        games = found[game, backend, "games"]
        by_hand, reference = found.get((game, "by hand", "games")), found[game, "reference", "games"]
        ratio = "" if by_hand is None else f"{games / by_hand:.2f}"
        rest = [f"{found[game, backend, what]:,.0f}" if (game, backend, what) in found else "" for what in OF_STATE]
        cells = (f"{games:,.0f}", ratio, f"{games / reference:.1f}", *rest)
        out.append(f"{game:24} {backend:24} " + " ".join(f"{c:>10}" for c in cells))
    return out
