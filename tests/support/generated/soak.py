"""Random programs by number on all targets at once: the evaluator plays a game once, and each target is held
against it after every step.

A soak goes on whatever it finds. A folder keeps each finding as a program with what was found at its head,
and how far the soak went, so that it goes on there; first it plays again what it found before. Processes
play, so that one that dies or does not end is a finding like any other.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import random
import re
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from multiprocessing.connection import Connection, wait
from pathlib import Path
from unittest.mock import patch

import croupier
from core_lockstep import INTERPRETED, NATIVE, PRINTED, core_that, play_all
from croupier.core.verify import verify
from croupier.execution.backends import new_state
from croupier.lowering import NotLowered, lower
from croupier.runtime.state import RolledOut, State, rolled_out
from generated.covered import constructs, table
from generated.running import FEATURES
from generated.world import Program, program
from lockstep import Differs

EVERY = {PRINTED: 12, NATIVE: 2, INTERPRETED: 2, "optimized": 48, "whole python": 48, "whole native": 16}
"""One of how many programs is played how; `optimized`: by optimized native code; `whole`: whole games, which
other code plays. Each program is played by native code or by the interpreter of the core, which finds the
mistakes of lowering in half the time.
"""
# one of how many programs has twice as many rules as others, and one of how many goes through the lints, too
LONG = LINTED = 4
GAMES = 4  # of each program: to compile it takes much longer
PATIENCE = 600.0  # seconds for one program, beside whatever else the machine does
LASTING = 600  # programs of one process
CHECK = import_module("croupier.semantics.check")
# programs after which a process looks for cycles, which takes a fifth of the time where it is done as ever
COLLECTED = 30


@dataclass
class Outcome:
    """What came of one program. `found`: what is the matter, at first in a line."""

    number: int
    text: str = ""
    checks: bool = True
    found: str = ""
    steps: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    constructs: frozenset[str] = frozenset()
    ends: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)


@dataclass
class Summary:
    """Programs so far; `done`: the numbers, from one up to below another."""

    done: list[list[int]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    games: Counter[str] = field(default_factory=Counter)
    programs: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    constructs: Counter[str] = field(default_factory=Counter)

    def add(self, one: Outcome) -> None:
        """Count a program in."""
        self.counts["found" if one.found else "the same" if one.checks else "do not check"] += 1
        self.steps.update(one.steps)
        self.games.update(one.games)
        self.programs.update(one.games.keys())
        self.ends.update(one.ends)
        self.codes.update(one.codes)
        self.constructs.update(one.constructs)
        self.done = joined([*self.done, [one.number, one.number + 1]])

    def has(self, number: int) -> bool:
        return any(first <= number < end for first, end in self.done)

    def __str__(self) -> str:
        counts = self.counts
        lines = [
            f"{sum(counts.values())} programs: "
            f"{', '.join(f'{n} {what}' for what, n in counts.most_common()) or 'none'}"
        ]
        lines += [
            f"  {name}: {n} programs, {self.games[name]} games, {self.steps[name]} steps"
            for name, n in sorted(self.programs.items())
        ]
        lines.append(f"ends of games: {', '.join(f'{n} {how}' for how, n in self.ends.most_common())}")
        lines.append(
            f"faults, and why programs do not check: "
            f"{', '.join(f'{n} {code}' for code, n in self.codes.most_common(40))}"
        )
        return "\n".join(lines)

    def covered(self) -> str:
        """How many programs hold each construct of the language."""
        return f"programs that hold each construct:\n{table(self.constructs)}"


def joined(ranges: list[list[int]]) -> list[list[int]]:
    """The same numbers in as few ranges as can be."""
    out: list[list[int]] = []
    for first, end in sorted(ranges):
        if out and first <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([first, end])
    return out


# ---------------------------------------------------------------- one program
def made_by(number: int) -> Program:
    """The program of a number."""
    return program(random.Random(number).randrange, number % LONG != 0)


def ways(number: int, only: Sequence[str] = ()) -> list[str]:
    """How a program is played."""
    return [
        name
        for k, (name, every) in enumerate(EVERY.items())
        if number % every == k % every and (not only or name in only)
    ]


def played(number: int, text: str, only: Sequence[str] = (), games: int = GAMES) -> Outcome:
    """Check a program and play it. What goes wrong in whatever way is found."""
    out = Outcome(number, text)
    try:
        ruleset = checked(text, out)
        if ruleset is not None:
            out.constructs = frozenset(constructs(ruleset.program))
            play_games(ruleset, out, list(only) or ways(number), games)
            play_whole(ruleset, out, list(only) or ways(number))
    except Differs as e:
        out.found = f"differs: {e}"
    except NotLowered as e:
        out.found = f"not lowered: {e.what}"
    except Exception as e:  # noqa: BLE001  (whatever it is, it is what a soak looks for)
        at = traceback.extract_tb(e.__traceback__)[-1]
        out.found = (
            f"{type(e).__name__} in {Path(at.filename).name}, {at.name}: {e}\n{traceback.format_exc()}"
        )
    return out


def checked(text: str, out: Outcome) -> croupier.Ruleset | None:
    """The ruleset of a text, if it has no errors; warnings are looked for in some."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "generated.yaml"
        path.write_text(text, encoding="utf-8")
        with (
            nullcontext() if out.number % LINTED == 0 else patch.object(CHECK, "run_lints", lambda *given: [])
        ):
            result = croupier.check(path)
    out.checks = result.ruleset is not None
    if not out.checks:
        out.codes.update({d.code for d in result.diagnostics if d.is_error})
    return result.ruleset


def play_games(ruleset: croupier.Ruleset, out: Outcome, how: list[str], games: int) -> None:
    """Games step by step, for a number of players that depends on that of the program.

    Raises `Differs`, `NotLowered`.

    Where the game is over before anybody is asked, the interpreter plays it alone.
    """
    players = ruleset.players[out.number % len(ruleset.players)]
    game = ruleset.game(players, None)
    lowered = lower(game)
    verify(lowered.program)
    if ruleset.new_initial_state(players).is_terminal():
        how, games = [INTERPRETED], 1
        out.codes["over at once"] += 1
    cores = {
        name: core_that(lowered, game, name, "optimized" in how)
        for name in (PRINTED, NATIVE, INTERPRETED)
        if name in how
    }
    for k in range(games if cores else 0):
        state = ruleset.new_initial_state(players)
        out.steps.update(play_all(state, cores, random.Random(f"{out.number} {k}")))
        out.games.update(cores.keys())
        outcome = state.outcome()
        out.ends[outcome["status"]] += 1
        if outcome["fault"] is not None:
            out.codes[outcome["fault"]["code"]] += 1
    if "optimized" in how:
        out.games["optimized"] += games


def play_whole(ruleset: croupier.Ruleset, out: Outcome, how: list[str]) -> None:
    """Whole games, for another number of players. Raises `Differs`, `NotLowered`."""
    players = ruleset.players[(out.number + 1) % len(ruleset.players)]
    engine = ruleset.engine(players, None)
    for name in ("whole python", "whole native"):
        if name in how:
            beginning = new_state(ruleset, engine, name.removeprefix("whole "))
            for k in range(1, GAMES + 1):
                whole = beginning._whole_game(out.number, k)
                if whole is not None:
                    compare_whole(name, State(ruleset, engine), whole, out, k)
                out.games[name] += whole is not None
                out.codes[f"{name} left to the evaluator"] += whole is None


def compare_whole(name: str, state: State, whole: RolledOut, out: Outcome, k: int) -> None:
    """Raises `Differs` unless a game ended as on the evaluator."""
    right = rolled_out(state, out.number, k)
    out.steps[name] += right.decisions + right.chance_events
    for what in ("decisions", "chance_events", "outcome"):
        a, b = getattr(right, what), getattr(whole, what)
        if a != b:
            raise Differs(
                f"{name}: {what} of game {k} of seed {out.number} for {state.players} players: {a!r} is {b!r}"
            )
    if right.final_hash != whole.final_hash:
        raise Differs(
            f"{name}: the last position of game {k} of seed {out.number} for {state.players} players"
        )


# ---------------------------------------------------------------- processes
def work(link: Connection, only: Sequence[str]) -> None:
    """A process: plays what it is sent."""
    os.environ["CROUPIER_CACHE"] = "off"
    gc.disable()
    with suppress(EOFError, OSError):  # whoever asked has ended
        for k in count(1):
            number, text = link.recv()
            if k % COLLECTED == 0:
                gc.collect()
                # what is left now stays: modules and tables of the parser, which need not be walked again
                gc.freeze()
            link.send(played(number, text or made_by(number).text, only))


class Worker:
    """A process that plays."""

    def __init__(self, only: Sequence[str]) -> None:
        context = multiprocessing.get_context("spawn")
        self.link, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, only), daemon=True)
        self.process.start()
        other.close()
        self.number, self.text, self.since, self.played = 0, "", 0.0, 0

    def give(self, number: int, text: str) -> None:
        self.number, self.text, self.since = number, text, time.monotonic()
        self.played += 1
        self.link.send((number, text))

    def taken(self) -> Outcome | None:
        """What came of the program; none if it is still being played."""
        if not self.link.poll():
            if time.monotonic() - self.since < PATIENCE:
                return None
            return self.lost(f"no end after {PATIENCE:.0f} seconds")
        try:
            found: Outcome = self.link.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            return self.lost(f"the process ended with {self.process.exitcode}")
        if self.played >= LASTING:
            self.end()
        return found

    def lost(self, what: str) -> Outcome:
        self.played = LASTING
        self.end()
        return Outcome(self.number, self.text or made_by(self.number).text, found=what)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.link.close()


class Soak:
    """Plays programs in processes; what comes of them is kept in a folder."""

    def __init__(self, folder: Path, jobs: int, only: Sequence[str] = ()) -> None:
        self.folder, self.jobs, self.only = folder, jobs, only
        self.kept = folder / "soak.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.summary = Summary()
        if self.kept.is_file():
            data = json.loads(self.kept.read_text(encoding="utf-8"))
            self.summary = Summary(
                **{name: value if name == "done" else Counter(value) for name, value in data.items()}
            )

    def keep(self) -> None:
        """Write down how far it is."""
        new = self.kept.with_suffix(".new")
        new.write_text(json.dumps(vars(self.summary)), encoding="utf-8")
        new.replace(self.kept)

    def findings(self) -> list[Path]:
        """What was found, and not mended since."""
        return sorted(self.folder.glob("found_*.yaml"))

    def tasks(self, numbers: range) -> Iterator[tuple[int, str]]:
        """What was found before, by number and text; then numbers that were not played."""
        for path in self.findings():
            yield number_of(path), text_of(path)
        yield from ((number, "") for number in numbers if not self.summary.has(number))

    def run(self, numbers: range) -> Iterator[Outcome]:
        """Play programs; gives each that was found, or is mended."""
        tasks, workers, last = self.tasks(numbers), list[Worker](), time.monotonic()
        try:
            while True:
                while len(workers) < self.jobs and (task := next(tasks, None)) is not None:
                    workers.append(Worker(self.only))
                    workers[-1].give(*task)
                if not workers:
                    return
                wait([w.link for w in workers], 1.0)
                for w in list(workers):
                    one = w.taken()
                    if one is None:
                        continue
                    yield from self.noted(one)
                    more = next(tasks, None) if w.played < LASTING else None
                    if more is None:
                        workers.remove(w)
                        w.end() if w.played < LASTING else None
                    else:
                        w.give(*more)
                if time.monotonic() - last > 20:
                    self.keep()
                    last = time.monotonic()
        finally:
            for w in workers:
                w.end()
            self.keep()

    def noted(self, one: Outcome) -> Iterator[Outcome]:
        """Count it, and keep it if something was found."""
        path = self.folder / f"found_{one.number}.yaml"
        before = path.is_file()
        if before and not one.found:
            path.replace(self.folder / f"mended_{one.number}.yaml")
            yield one
        elif one.found:
            head = "".join(f"# {line}\n" for line in one.found.splitlines())
            path.write_text(head + one.text, encoding="utf-8")
            yield one
        if not before:
            self.summary.add(one)


def number_of(path: Path) -> int:
    return int(re.sub(r"\D", "", path.stem) or "0")


def text_of(path: Path) -> str:
    """The program of a finding, without its head."""
    text = path.read_text(encoding="utf-8")
    return text[text.index("croupier: 1\n") :]


# ---------------------------------------------------------------- smaller programs
def smaller(text: str, only: Sequence[str], number: int = 0) -> str:
    """A program in which the same is found, and no line and block can be left out of it without that."""
    kind = signature(played(number, text, only).found)
    lines, size = text.splitlines(), 0
    while size != len(lines):
        size, k = len(lines), len(lines) - 1
        while k > 0:
            for end in dict.fromkeys((block_end(lines, k), k + 1)):
                fewer = [*lines[:k], *lines[end:]]
                if signature(played(number, "\n".join(fewer) + "\n", only).found) == kind:
                    lines = fewer
                    break
            k = min(k, len(lines)) - 1
    return "\n".join(lines) + "\n"


def block_end(lines: list[str], k: int) -> int:
    """Where the block ends that a line heads."""
    deep, end = len(lines[k]) - len(lines[k].lstrip()), k + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > deep:
        end += 1
    return end


def signature(found: str) -> str:
    """What kind of a finding it is."""
    return re.sub(r"\d+|\[.*|'.*", "", found.split("\n")[0])[:60]


__all__ = [
    "EVERY",
    "FEATURES",
    "Outcome",
    "Soak",
    "Summary",
    "made_by",
    "number_of",
    "played",
    "smaller",
    "text_of",
]
