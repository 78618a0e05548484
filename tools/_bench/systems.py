"""The systems that can play a game: hand-written Python, the back ends of the interpreter, plain C,
OpenSpiel.

Each gives rows: whole random games; steps from Python, a loop that asks for the legal actions and takes one;
copies, hashes and legal actions of a position in the middle of a game. By hand, on `python` and in the loops
chance is `random.Random`, on `native`, in C and in OpenSpiel's rollouts a quick generator. The reference
evaluator and `native, as simulate` use the streams of the specification, and the latter writes the row of
every game. A `Batch` takes them, too, and an array of actions for each step.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import croupier
from _bench.measuring import Row, Subject, many, repeated
from _yardsticks import YARDSTICKS, plain_c, play_out
from croupier.diagnostics import RulesetError
from croupier.execution.backends import UnsupportedConstruct, compile_python
from croupier.execution.python_program import Bailout, run_playout
from croupier.play.match import GameMatch, MatchConfig

BY_HAND = "hand-written Python"
REFERENCE = "reference"
PYTHON = "python"
NATIVE = "native"
PLAIN_C = "plain C"
AS_SIMULATE, IN_BATCH = "native, as `simulate`", "native, in a `Batch`"
SPIEL_LOOP, SPIEL_ROLLOUTS = "OpenSpiel, loop in Python", "OpenSpiel, rollouts in C++"
SYSTEMS = (BY_HAND, REFERENCE, PYTHON, NATIVE, AS_SIMULATE, PLAIN_C, SPIEL_LOOP, SPIEL_ROLLOUTS)
MEASURED = (*SYSTEMS, IN_BATCH)  # the last is held against `AS_SIMULATE`, in no table
COMPILED = (REFERENCE, PYTHON, NATIVE)
OURS = (BY_HAND, REFERENCE, PYTHON, NATIVE)
IN_SPIEL = (
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "kuhn_poker",
    "leduc_poker",
    "chess",
    "othello",
    "hearts",
)
BESIDE = 1024  # games of a `Batch`
BATCH = 200  # games of a call of native code, and of OpenSpiel's rollouts
PER_STATE = ("steps", "clone", "hash", "legal")
DEVIATED = Counter[str]()  # games that compiled code could not play alone


def rows_of(
    subject: Subject,
    ruleset: Any,
    folder: Path,
    systems: tuple[str, ...] = MEASURED,
    games_only: bool = False,
) -> Iterator[Row]:
    """Yield what can be measured of a game; systems that cannot play it are left out.

    Programs are compiled into `folder`.
    """
    for system in systems:
        for row in MAKERS[system](subject, ruleset, folder):
            if row.what == "games" or not games_only:
                yield row


def by_hand(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    cls, rng = YARDSTICKS.get(subject.name), random.Random(1)
    if cls is not None:
        yield Row(subject, BY_HAND, "games", repeated(lambda: play_out(cls(subject.players), rng) > 0))
        yield Row(subject, BY_HAND, "steps", repeated(lambda: play_out(cls(subject.players), rng)))


def reference(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    setup, numbers = MatchConfig(subject.players, seed=1), iter(range(1, 1 << 62))

    def play() -> int:
        match = GameMatch(ruleset, setup, next(numbers), light=True)
        while match.step():
            pass
        return 1

    yield Row(subject, REFERENCE, "games", repeated(play))
    yield from of_state(subject, REFERENCE, ruleset.new_initial_state(subject.players, backend="reference"))


def python(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    try:
        code = compile_python(ruleset.engine(subject.players, None))
    except UnsupportedConstruct:
        return
    chance, numbers = Quick(), iter(range(1, 1 << 62))

    def play() -> int:
        number = next(numbers)
        try:
            run_playout(code.program, 1, number, lambda *_: chance)
        except Bailout:
            DEVIATED[subject.name] += 1
            return 0
        return 1

    yield Row(subject, PYTHON, "games", repeated(play))
    yield from of_state(subject, PYTHON, ruleset.new_initial_state(subject.players, backend="python"))


def native(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    initial, numbers = in_native_code(subject, ruleset), iter(range(1, 1 << 62))
    if initial is None:
        return

    def play() -> int:
        found = initial.native.playouts(BATCH, next(numbers))
        if found.bailouts:
            DEVIATED[subject.name] += found.bailouts
        return int(found.finished)

    yield Row(subject, NATIVE, "games", repeated(play))
    yield from rolled_out(subject, initial)
    yield from of_state(subject, NATIVE, initial)


def rolled_out(subject: Subject, initial: Any) -> Iterator[Row]:
    """Ends of games from a position half-way, one by one and in one call: what the first adds to the second
    is the call.
    """
    middle, numbers = middle_of(initial), iter(range(1, 1 << 62))
    yield Row(subject, NATIVE, "roll_out", repeated(many(lambda: middle.roll_out(next(numbers)))))
    if find_spec("numpy") is not None:
        yield Row(
            subject, NATIVE, "roll_outs", repeated(lambda: len(middle.roll_outs(BATCH, next(numbers)).failed))
        )


def as_simulate(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    initial, numbers = in_native_code(subject, ruleset), iter(range(1, 1 << 62, BATCH))
    if initial is None:
        return

    def play() -> int:
        return BATCH - int(initial.native.play_rows(1, next(numbers), BATCH).bailout_count())

    yield Row(subject, AS_SIMULATE, "games", repeated(play))


def in_batch(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    """Random actions by arrays; the games begin one after another, so that not all end together.

    Nobody, where there is no NumPy.
    """
    if in_native_code(subject, ruleset) is None or find_spec("numpy") is None:
        return
    numpy = import_module("numpy")
    croupier.Batch(ruleset, 1, players=subject.players)._code.optimize()
    batch = croupier.Batch(ruleset, BESIDE, players=subject.players)
    for k in range(BESIDE // 16):
        batch.reset(numpy.arange(BESIDE) // 16 == k)
        batch.step(batch.sample())

    def play() -> int:
        before = batch.played
        batch.step(batch.sample())
        batch.reset()
        return batch.played - before

    yield Row(subject, IN_BATCH, "games", repeated(play))


def in_native_code(subject: Subject, ruleset: Any) -> Any:
    """Return a state in native code that was compiled with care; `None` if there is no compiler for it, or it
    does not take the ruleset.
    """
    try:
        initial = ruleset.new_initial_state(subject.players, backend="native")
        for code in (initial.native.step_code, initial.native.playout_code):
            code.optimize()
        return initial
    except RulesetError as refused:
        if {d.code for d in refused.diagnostics} <= {"X601", "X602"}:
            return None
        raise


def in_c(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    program = plain_c.compiled(subject.name, folder)
    if program is not None:

        def run(seconds: float) -> tuple[float, float]:
            games, _, spent = program.timed(seconds, subject.players)
            return games, spent

        yield Row(subject, PLAIN_C, "games", run)


def spiel_loop(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    initial, rng = spiel(subject), random.Random(2)
    if initial is not None:
        yield Row(subject, SPIEL_LOOP, "games", repeated(lambda: drive(initial, rng) > 0))
        yield from of_state(subject, SPIEL_LOOP, initial)


def spiel_rollouts(subject: Subject, ruleset: Any, folder: Path) -> Iterator[Row]:
    """Its search by random rollouts, told to look at the first position alone: so many whole games in C++."""
    initial = spiel(subject)
    if initial is None:
        return
    pyspiel = import_module("pyspiel")
    while initial.is_chance_node():  # a search begins at a decision
        initial.apply_action(initial.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=BATCH, seed=1)
    search = pyspiel.MCTSBot(
        initial.get_game(),
        evaluator,
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=1,
        solve=False,
        seed=1,
        verbose=False,
    )

    def play() -> int:
        search.mcts_search(initial)
        return BATCH

    yield Row(subject, SPIEL_ROLLOUTS, "games", repeated(play))


def spiel(subject: Subject) -> Any:
    """Return a state of OpenSpiel before anything has happened; `None` if it is not installed or does not
    have the game.
    """
    if subject.name not in IN_SPIEL or find_spec("pyspiel") is None:
        return None
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(subject.name)
    if game.num_players() != subject.players:
        if "players" not in game.get_parameters():
            return None
        game = pyspiel.load_game(subject.name, {"players": subject.players})
    return game.new_initial_state()


MAKERS = dict(
    zip(
        MEASURED,
        (by_hand, reference, python, native, as_simulate, in_c, spiel_loop, spiel_rollouts, in_batch),
        strict=True,
    )
)


class Quick:
    """Random numbers of the generator that the hand-written classes use, one for everybody: what compiled
    Python takes for a stream.
    """

    def __init__(self) -> None:
        self.rng = random.Random(3)
        self.words: list[int] = []

    def refill(self) -> list[int]:
        self.words += memoryview(self.rng.randbytes(4 * 128)).cast("I")
        return self.words

    def redraw(self, product: int, n: int) -> int:
        return product

    def uniform(self, n: int) -> int:
        return self.rng.randrange(n) if n > 1 else 0


def advance(state: Any, rng: random.Random) -> None:
    """One random step; the names are OpenSpiel's and ours."""
    if state.is_simultaneous_node():
        seat = state.pending_seats()[0]
        state.apply_action(rng.choice(state.legal_actions(seat)), seat)
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def drive(initial: Any, rng: random.Random) -> int:
    """A random game from Python; the number of steps."""
    state, steps = initial.clone(), 0
    while not state.is_terminal():
        advance(state, rng)
        steps += 1
    return steps


def middle_of(initial: Any) -> Any:
    """A position half-way through a random game."""
    state = initial.clone()
    for _ in range(drive(initial, random.Random(4)) // 2):
        if not state.is_terminal():
            advance(state, random.Random(4))
    return state


def of_state(subject: Subject, system: str, initial: Any) -> Iterator[Row]:
    """Steps from Python, then copies, hashes and legal actions in the middle of a game."""
    rng, middle = random.Random(2), middle_of(initial)
    seat = middle.pending_seats()[0] if middle.is_simultaneous_node() else middle.current_player()

    def legal() -> None:
        middle._forget()
        middle.legal_actions(seat)

    yield Row(subject, system, "steps", repeated(lambda: drive(initial, rng)))
    yield Row(subject, system, "clone", repeated(many(middle.clone)))
    if isinstance(middle, croupier.State):
        yield Row(subject, system, "hash", repeated(many(middle.hash)))
        yield Row(subject, system, "legal", repeated(many(legal)))
    else:
        yield Row(subject, system, "legal", repeated(many(middle.legal_actions)))
