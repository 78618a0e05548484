"""Plain C for one game alone, where a C compiler is installed.

The sources are in `c/`: arrays and loops, as one would write them first, without checks; boards as bits of a
number would be several times as fast, and take a page of comments.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _yardsticks.same import expect

SOURCES = {path.stem: path for path in sorted((Path(__file__).parent / "c").glob("*.c"))}
FLAGS = ("-O2", "-std=c11", "-D_POSIX_C_SOURCE=199309L", "-Wall", "-Wextra", "-Werror")


def compiler() -> str | None:
    """The C compiler of this machine, if it has one: what `CC` names, or `cc`."""
    return shutil.which(os.environ.get("CC") or "cc")


@dataclass(frozen=True)
class Program:
    """A compiled yardstick."""

    path: Path

    def timed(self, seconds: float, players: int) -> tuple[int, int, float]:
        """Random games for about so many seconds: games, steps, seconds."""
        games, steps, spent = self.run("time", f"{seconds:.3f}", str(players)).split()
        return int(games), int(steps), float(spent)

    def shown(self, games: int, seed: int, players: int) -> Iterator[tuple[str, list[int]]]:
        """Games step by step: who acts, then the action and what was on offer; at the end of each `returns`
        and these.
        """
        for line in self.run("show", str(games), str(seed), str(players)).splitlines():
            first, *rest = line.split()
            yield first, [int(number) for number in rest]

    def run(self, *arguments: str) -> str:
        return subprocess.run(
            [str(self.path), *arguments], stdout=subprocess.PIPE, text=True, check=True
        ).stdout


def compiled(name: str, folder: Path) -> Program | None:
    """Return the yardstick of a game, compiled into a folder; `None` if there is no such source or no
    compiler.

    Raises `subprocess.CalledProcessError`.
    """
    command = compiler()
    if command is None or name not in SOURCES:
        return None
    program = folder / name
    subprocess.run(
        [command, *FLAGS, "-o", str(program), str(SOURCES[name])], check=True, stdin=subprocess.DEVNULL
    )
    return Program(program)


def same_games(
    ruleset: Any, program: Program, players: int, games: int, seed: int = 1, backend: str = "python"
) -> int:
    """Apply the actions of games in C to the ruleset; the number of steps. Raises `Differs`."""
    state, steps = ruleset.new_initial_state(players, backend=backend), 0
    for first, numbers in program.shown(games, seed, players):
        if first == "returns":
            expect("returns", numbers, state.returns(), state)
            state = ruleset.new_initial_state(players, backend=backend)
            continue
        action, *offered = numbers
        expect("who acts", int(first), state.current_player(), state)
        expect("what is on offer", offered, state.legal_actions(), state)
        state.apply_action(action)
        steps += 1
    return steps
