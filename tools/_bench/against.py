"""This tree held against an earlier commit: the seconds that `check` and random games take in both, in one
run.

Each thing is measured in processes of its own, first of the one tree, then of the other, and in the next
round the other way round. Both work on the rulesets of the earlier commit, and play the same numbers of games
from the same seed. A shared machine only ever adds time, so the least of all repetitions stands for a tree.
Instructions of the processor, which valgrind counts, do not depend on what else the machine does. They are
not counted of native code: its compiler takes minutes there.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from statistics import median

from _bench.latency import installed
from _bench.measuring import Subject
from _bench.of_one_tree import CHECK
from _bench.tables import Table, machine, times, titled
from croupier.diagnostics import RulesetError
from croupier.resources import shipped, unknown

WORKER = Path(__file__).with_name("of_one_tree.py")
PARTS = ("interpreter", "rulesets", "grammar", "pyproject.toml")  # of a tree: what a command needs
NATIVE = "native"
THINGS = (CHECK, "reference", "python", NATIVE)
REPETITIONS = 3  # in a process
COUNTED = (1, 4)  # repetitions of two processes: what the second takes more is not lost in their start
MOST = 1_000_000  # games of a repetition
REFS = re.compile(r"I\s+refs:\s+([\d,]+)")


@dataclass(frozen=True)
class Tree:
    """A tree of the project, and the cache that its commands keep."""

    root: Path
    cache: Path

    def line(self, what: str, folder: Path, players: int, count: int, repetitions: int) -> list[str]:
        """The command that measures something of this tree."""
        numbers = map(str, (players, count, repetitions))
        return [sys.executable, str(WORKER), what, str(folder), *numbers]

    def environment(self) -> dict[str, str]:
        """Return the environment in which `import croupier` finds this tree."""
        own = {"PYTHONPATH": str(self.root / "interpreter"), "CROUPIER_CACHE": str(self.cache)}
        return {**installed(), **own, "PYTHONHASHSEED": "0"}

    def run(self, line: Sequence[str], under: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
        """Run a command of this tree, `under` another program. Raises RuntimeError if it fails."""
        ended = subprocess.run(
            [*under, *line],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            env=self.environment(),
        )
        if ended.returncode:
            raise RuntimeError(
                f"{' '.join(line[2:])} in {self.root} ended with {ended.returncode}: "
                f"{ended.stderr.strip()[-500:]}"
            )
        return ended

    def measured(
        self, what: str, folder: Path, players: int, count: int, repetitions: int = REPETITIONS
    ) -> tuple[list[float], str]:
        """Seconds of each repetition, and the digest of what came out. Raises RuntimeError."""
        found = json.loads(self.run(self.line(what, folder, players, count, repetitions)).stdout)
        return found["seconds"], found["digest"]

    def instructions(self, what: str, folder: Path, players: int, count: int, repetitions: int) -> int:
        """The instructions of a whole process. Raises RuntimeError if valgrind cannot run it."""
        tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={os.devnull}"]
        ended = self.run(self.line(what, folder, players, count, repetitions), tool)
        refs = REFS.search(ended.stderr)
        if refs is None:
            raise RuntimeError(f"valgrind counted nothing: {ended.stderr.strip()[-500:]}")
        return int(refs[1].replace(",", ""))


@dataclass
class Pair:
    """One thing, measured in both trees: seconds of the processor by round, the least of a process."""

    subject: Subject
    what: str
    folder: Path
    count: int = 1
    before: list[float] = field(default_factory=list)
    now: list[float] = field(default_factory=list)
    instructions: tuple[int, int] | None = None
    same: bool = True

    @property
    def least_ratio(self) -> float:
        """How many times as long it takes now, by the least of each."""
        return min(self.now) / min(self.before)

    @property
    def median_ratio(self) -> float:
        """The same, the median of what each round says."""
        return median(now / before for now, before in zip(self.now, self.before, strict=True))

    def line(self) -> tuple[str, ...]:
        """The row of the table."""
        counted = "–"
        if self.instructions is not None:
            before, now = self.instructions
            counted = f"{now / before:.3f} ×"
        what = f"`{CHECK}`" if self.what == CHECK else f"{self.count:,} games, {self.what}"
        return (
            f"{titled(self.subject)}: {what}",
            times(min(self.before)),
            times(min(self.now)),
            f"{self.least_ratio:.2f} ×",
            f"{self.median_ratio:.2f} ×",
            counted,
            "yes" if self.same else "no",
        )


def earlier(commit: str, root: Path, within: Path) -> Path:
    """The tree of a commit, written into a folder. Raises RuntimeError if there is no such commit."""
    ended = subprocess.run(
        ["git", "-C", str(root), "archive", "--format=tar", commit, "--", *PARTS],
        capture_output=True,
        check=False,
    )
    if ended.returncode:
        raise RuntimeError(f"`{commit}`: {ended.stderr.decode(errors='replace').strip()}")
    with tarfile.open(fileobj=io.BytesIO(ended.stdout)) as packed:
        packed.extractall(within, filter="data")
    return within


def paired(
    before: Tree, now: Tree, subjects: Iterable[Subject], rounds: int, seconds: float
) -> Iterator[Pair]:
    """Measure each thing of each game in both trees, in turn.

    `seconds`: what a repetition of games takes at least. Raises RuntimeError if a tree refuses a game,
    `RulesetError` for a name that is not shipped.
    """
    for subject in subjects:
        if subject.name not in shipped():
            raise RulesetError([unknown(subject.name)])
        folder = before.root / shipped()[subject.name].root.relative_to(now.root)
        if not folder.is_dir():
            raise RuntimeError(f"`{subject.name}` is not a ruleset of the earlier commit")
        for what in THINGS:
            pair = Pair(subject, what, folder)
            if what != CHECK:
                pair.count = games_for(seconds, before, pair)
            for number in range(rounds):
                measure_round(pair, before, now, swapped=number % 2 == 1)
            yield pair


def games_for(seconds: float, tree: Tree, pair: Pair) -> int:
    """How many games take at least so many seconds."""
    count = 1
    while count < MOST:
        [spent], _ = tree.measured(pair.what, pair.folder, pair.subject.players, count, 1)
        if spent >= seconds:
            break
        count = min(MOST, 1 + int(count * min(100.0, 1.2 * seconds / max(spent, 1e-6))))
    return count


def measure_round(pair: Pair, before: Tree, now: Tree, swapped: bool) -> None:
    """Measure a pair once more in both trees."""
    found = {}
    for tree in (now, before) if swapped else (before, now):
        found[tree] = tree.measured(pair.what, pair.folder, pair.subject.players, pair.count)
    pair.before.append(min(found[before][0]))
    pair.now.append(min(found[now][0]))
    pair.same = pair.same and found[before][1] == found[now][1]


def count_instructions(pairs: Iterable[Pair], before: Tree, now: Tree) -> None:
    """Count what a repetition takes in both trees, by what a process with more of them takes more.

    Processes run beside each other. Raises RuntimeError if valgrind cannot run one.
    """
    counted = [pair for pair in pairs if pair.what != NATIVE]
    with ThreadPoolExecutor(os.cpu_count()) as pool:

        def started(pair: Pair, tree: Tree, repetitions: int) -> Future[int]:
            return pool.submit(
                tree.instructions, pair.what, pair.folder, pair.subject.players, pair.count, repetitions
            )

        waiting = [
            [[started(pair, tree, number) for number in COUNTED] for tree in (before, now)]
            for pair in counted
        ]
        for pair, of_trees in zip(counted, waiting, strict=True):
            then, since = (more.result() - few.result() for few, more in of_trees)
            pair.instructions = (then, since)


def table(pairs: Iterable[Pair]) -> Table:
    """What both trees take."""
    head = ("", "before", "now", "least", "median", "instructions", "same outcome")
    return Table(head, tuple(pair.line() for pair in pairs))


# ---------------------------------------------------------------- the page
BEGIN, END = "<!-- bench against -->", "<!-- end of bench against -->"


def part(shown: Table, rounds: int, command: str) -> str:
    """The table for the page, between the marks and with them."""
    words = (
        f"Measured by `{command}` in one run, {date.today().isoformat()}: {machine()}; {rounds} rounds in "
        "turn. Seconds of the processor, the least of each tree; how many times as long it takes now, by "
        "the least and by the median of the rounds; how many times as many instructions of the processor, "
        "counted by valgrind, which do not depend on other work of the machine; whether diagnostics or games "
        "came out the same."
    )
    return "\n\n".join([BEGIN, words, shown.markdown(), END])
