"""Random games on the reference evaluator and on the core at once: positions, who acts, what is on offer,
chance, results and faults.

The core has no words for what is the matter: where the evaluator faults, it fails, and nowhere else.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import croupier
from core_interpreter import Interpreter
from croupier.core.verify import verify
from croupier.execution.codec import Codec, NotEncodable
from croupier.execution.python_program import PythonPosition, PythonProgram
from croupier.lowering import Lowered, NotLowered, lower
from croupier.passes.native import prepare_native_steps
from croupier.passes.pipeline import prepare_steps
from croupier.runtime import position
from croupier.runtime.game import Game
from croupier.runtime.state import State
from generated.covered import constructs
from generated.running import FEATURES, Tally, checked
from generated.world import Program, program
from lockstep import Differs, same
from native_positions import NativePosition, NativeProgram

Player = Interpreter | PythonPosition | NativePosition
INTERPRETED, PRINTED, NATIVE = "core", "core-python", "core-native"  # what plays the core


@dataclass
class Core:
    """A game as the core: what plays it, and what reads its positions."""

    game: Game
    begin: Callable[[], Player]
    codec: Codec


def core_of(game: Game, target: str = INTERPRETED, optimize: bool = True) -> Core:
    """The core of a set-up, verified, run by the interpreter, as printed Python or as native code.

    Raises `NotLowered`.
    """
    lowered = lower(game)
    verify(lowered.program)
    return core_that(lowered, game, target, optimize)


def core_that(lowered: Lowered, game: Game, target: str, optimize: bool = True) -> Core:
    """The same of what is lowered and verified."""
    fuel = game.program.limits["fuel"]
    if target == NATIVE:
        program = prepare_native_steps(lowered.program, game)
        verify(program)
        native = NativeProgram(program, fuel, optimize=optimize)
        return Core(game, lambda: NativePosition(native), Codec(lowered, program))
    if target == PRINTED:
        compiled = PythonProgram(lowered.program, fuel)
        return Core(game, lambda: PythonPosition(compiled), Codec(lowered, compiled.program))
    program = prepare_steps(lowered.program)
    verify(program)
    return Core(game, lambda: Interpreter(program, most_fuel=fuel), Codec(lowered, program))


def compare(a: State, b: Player, codec: Codec) -> None:
    """Raises `Differs` unless both stand at the same position with the same offers."""
    same("the position", position.as_data(a._m), codec.decode(b.read()), a)
    if a.is_terminal():
        return
    if a.is_chance_node():
        same("chance acts", True, b.seat == -1, a)
        same("outcomes", sorted(a._weights()), sorted(b.outcomes()), a)
        return
    pending = a.pending_seats()
    same("who acts", -2 if a.is_simultaneous_node() else pending[0], b.seat, a)
    for seat in pending:
        legal, options = a.legal_actions(seat), b.options(seat)
        if a._m.fault is None and not b.failed:
            same(f"legal actions of {seat}", legal, options, a)


def compare_with_faults(a: State, b: Player, codec: Codec, name: str = "core") -> None:
    """The same, of positions that a fault may have ended. Raises `Differs`."""
    try:
        if a._m.fault is None and not b.failed:
            compare(a, b, codec)  # what is on offer is worked out when somebody asks, and that may fault
        elif not b.failed and b.read().frames:
            # another core was asked
            b.outcomes() if b.seat == -1 else [
                b.options(seat) for seat in range(a.players) if b.seat in (seat, -2)
            ]
        if (a._m.fault is not None or b.failed) and not ran_out(a, b):
            same("a fault", a._m.fault is not None, b.failed, a)
    except Differs as e:
        raise Differs(f"{name}: {e}") from None


def ran_out(a: State, b: Player) -> bool:
    """Did only the core run out of fuel, which it counts from above?"""
    return a._m.fault is None and b.failed and b.fuel < 0


def stand(a: State, core: Core) -> Player | None:
    """The position of the evaluator as one of the core, with what the evaluator says is on offer; none if the
    core cannot stand there.
    """
    try:
        found = core.codec.encode(position.as_data(a._m))
    except NotEncodable:
        return None
    if a.is_chance_node():
        seat, offers = -1, list(a._weights())
    elif a.is_simultaneous_node():
        seat, offers = -2, [(action, p) for p in a.pending_seats() for action in a.legal_actions(p)]
    else:
        seat = a.pending_seats()[0]
        offers = [(action, 1) for action in a.legal_actions(seat)]
    b = core.begin()
    if isinstance(b, Interpreter):
        b.memories |= found.memories
        b.zones = found.zones
        b.loose = found.loose
        b.frames = found.frames
        b.seat = seat
        b.offers = offers
        b.failed = False
    else:
        b.load(found, seat, offers)
    return b


def begun(a: State, core: Core) -> Player | None:
    """The core where the evaluator stands, be it the start of a game; none if it cannot stand there."""
    return core.begin() if a._start is None and not a.history else stand(a, core)


def again(a: State, core: Core, b: Player) -> Player:
    """The same position, written down by the evaluator and read again."""
    found = stand(a, core)
    return b if found is None else found


def play(a: State, core: Core, rng: random.Random, most: int = 10**9) -> int:
    """Play to the end, or for so many steps; the number of steps. Raises `Differs`."""
    return play_all(a, {"core": core}, rng, most)["core"]


def play_all(a: State, cores: Mapping[str, Core], rng: random.Random, most: int = 10**9) -> Counter[str]:
    """The same on several cores, which the evaluator plays once for: the number of steps of each.

    Raises `Differs`.
    """
    players, steps = {name: core.begin() for name, core in cores.items()}, Counter(dict.fromkeys(cores, 0))
    fuel, done = a.game.program.limits["fuel"], 0
    while True:
        for name, b in list(players.items()):
            core = cores[name]
            compare_with_faults(a, b, core.codec, name)
            # the evaluator repeats the action, and the core goes on from there
            if ran_out(a, b) and not a.is_terminal():
                found = stand(a, core)
                if found is not None:
                    players[name] = found
            if players[name].failed:
                del players[name]
        if a.is_terminal() or not players or done >= most:
            return steps
        for name, b in players.items():
            if rng.random() < 0.05:
                players[name] = b.copy()
            elif rng.random() < 0.05:
                players[name] = again(a, cores[name], b)
        if a.is_chance_node():
            action, seat = rng.choice(a._weights())[0], -1
        else:
            seat = rng.choice(a.pending_seats())
            action = rng.choice(a.legal_actions(seat))
        a.apply_action(action, seat)
        taken, done = fuel - a._m.fuel, done + 1
        for name, b in players.items():
            b.apply(action, seat)
            steps[name] += 1
            # native code keeps what is left to itself where a game ends
            counts = isinstance(b, (Interpreter, PythonPosition))
            if counts and not b.failed and taken > fuel - b.fuel:
                raise Differs(f"{name} pays less than the {taken} steps of the last action of {a.history}")


def lock_step(
    ruleset: croupier.Ruleset,
    games: int,
    counts: Sequence[int] = (),
    seed: int = 0,
    most: int = 10**9,
    target: str = INTERPRETED,
) -> Iterator[tuple[int, int]]:
    """Games for every number of players (or those of `counts`): players and steps of each.

    Raises `Differs`, `NotLowered`.
    """
    for players in counts or ruleset.players:
        core = core_of(ruleset.game(players, None), target)
        for game in range(games):
            yield (
                players,
                play(
                    ruleset.new_initial_state(players), core, random.Random(f"{seed} {players} {game}"), most
                ),
            )


def agree(made: Program, games: int, tally: Tally, most: int = 10**9, target: str = INTERPRETED) -> None:
    """Play a random program on both. Raises `Differs`, with the program."""
    ruleset = checked(made)
    if ruleset is None:
        tally.unsound += 1
        return
    try:
        steps = [steps for _, steps in lock_step(ruleset, games, most=most, target=target)]
    except NotLowered as refused:
        tally.refused[refused.what] += 1
        return
    except Differs as e:
        raise Differs(f"{made.text}\n{e}") from None
    tally.sound += 1
    tally.games += len(steps)
    tally.steps += sum(steps)
    tally.constructs.update(constructs(ruleset.program))
    tally.waiting += "waits" in made.used
    tally.rich += bool(made.used & FEATURES)


def many(number: int, games: int = 1, first: int = 0, most: int = 10**9, target: str = INTERPRETED) -> Tally:
    """Play so many random programs, those of the numbers from `first` on. Raises `Differs`."""
    tally = Tally()
    for k in range(first, first + number):
        agree(program(random.Random(k).randrange), games, tally, most, target)
    return tally
