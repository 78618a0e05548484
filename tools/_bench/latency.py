"""Times of whole commands, of compiling, of many games in one and two jobs: each in a process of its own,
several rounds in turn.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from _bench.measuring import Subject

EMPTY = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None: pass\napp()\n"
COMPILE = """
import json, random, sys, time, tracemalloc
import croupier
name, players, other, backend = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
croupier.load(other).new_initial_state(backend=backend)
started = time.process_time()
ruleset = croupier.load(name)
loaded = time.process_time()
try:
    ruleset.game(players, None)
    prepared = time.process_time()
    state = ruleset.new_initial_state(players, backend=backend)
    state.is_terminal()  # it is compiled when it begins
except croupier.RulesetError as refused:
    print(json.dumps({"refused": refused.diagnostics[0].message}))
    sys.exit()
ready = time.process_time()
size, draw = len((backend == "native" and state.saved_words()) or state.position()), random.Random(1)
while not state.is_terminal() and len(state.history) < 12:
    outcomes = state.legal_actions() or [outcome for outcome, _ in state.chance_outcomes()]
    state.apply_action(draw.choice(outcomes))
tracemalloc.start()
kept = [state.clone() for _ in range(1000)]
clone = tracemalloc.get_traced_memory()[0] / 1000
print(json.dumps({"load": loaded - started, "compile": ready - prepared, "bytes": size, "clone": clone}))
"""
OTHER = "kuhn_poker"  # compiled before, so that imports are not counted


@dataclass
class Times:
    """One command: seconds by the clock, and of the processor where the system tells them, by round."""

    title: str
    words: tuple[str, ...]
    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Once more, with the start of its process."""
        before, started = of_children(), time.perf_counter()
        self.start()
        self.clock.append(time.perf_counter() - started)
        if before is not None:
            self.processor.append((of_children() or 0.0) - before)

    def start(self) -> None:
        """Once, unmeasured."""
        command = [sys.executable, *self.words]
        subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            env=installed(),
        )


def installed() -> dict[str, str]:
    """The environment of a command that is installed: Python keeps the bytecode of its modules, as installing
    does.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def of_children() -> float | None:
    """Return the seconds of the processor that ended processes of this one used; `None` if the system does
    not tell.
    """
    if os.name == "nt":
        return None
    spent = os.times()
    return spent.children_user + spent.children_system


def middle(some: list[float]) -> float | None:
    """The median, if there is one."""
    return median(some) if some else None


def measure(commands: list[Times], rounds: int) -> None:
    """All in turn, `rounds` times, after a first run of each that makes the bytecode of its modules."""
    for one in commands:
        one.start()
    for _ in range(rounds):
        for one in commands:
            one.run()


def starts(largest: str) -> list[Times]:
    """Return the times until a command answers."""
    return [
        Times("a Typer program that does nothing: `--help`", ("-c", EMPTY, "--help")),
        Times("`croupier --help`", ("-m", "croupier", "--help")),
        Times(f"`croupier check {largest}`", ("-m", "croupier", "check", largest)),
    ]


@dataclass
class Compiling:
    """The cost of making a set-up of a ruleset ready: medians in milliseconds of the processor; bytes of a
    position, and of a clone of a state.
    """

    subject: Subject
    load: float | None = None
    python: float | None = None
    cold: float | None = None
    cached: float | None = None
    position: int | None = None
    native: int | None = None
    clone: float | None = None
    refused: str = ""


def compiling(subject: Subject, rounds: int) -> Compiling:
    """Load, compile to Python, compile to native code with an empty cache and again with a full one."""
    found: dict[str, list[float]] = {"load": [], "python": [], "cold": [], "cached": []}
    out = Compiling(subject)
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            for kind in ("python", "cold", "cached"):
                seen = compiled(subject, "python" if kind == "python" else "native", Path(folder))
                if "refused" in seen:
                    out.refused = str(seen["refused"])
                    continue
                found[kind].append(1000 * float(seen["compile"]))
                found["load"].append(1000 * float(seen["load"]))
                if kind == "python":
                    out.position = int(seen["bytes"])
                else:
                    out.native, out.clone = int(seen["bytes"]), float(seen["clone"])
    out.load, out.python, out.cold, out.cached = map(middle, found.values())
    return out


def compiled(subject: Subject, backend: str, cache: Path) -> dict[str, float | int | str]:
    """One process that loads and compiles, with a cache of its own."""
    environment = {**installed(), "CROUPIER_CACHE": str(cache)}
    code = [sys.executable, "-c", COMPILE, subject.name, str(subject.players), OTHER, backend]
    shown = subprocess.run(
        code, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, env=environment
    )
    if shown.returncode != 0:
        raise RuntimeError(shown.stderr.strip() or f"compiling {subject.name} ended with {shown.returncode}")
    result: dict[str, float | int | str] = json.loads(shown.stdout)
    return result


def many_games(name: str, games: int, jobs: int, players: int | None = None) -> Times:
    """`croupier simulate` with so many jobs, from the start of the process to its end."""
    words = ["simulate", name, "--games", str(games), "--jobs", str(jobs), "--seed", "1"]
    if players is not None:
        words += ["--players", str(players)]
    return Times(f"`croupier simulate {name} --games {games:,} --jobs {jobs}`", ("-m", "croupier", *words))
