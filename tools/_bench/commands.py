"""The times of whole commands on folders of one's own: seconds of the processor, from the start of each
process to its end.

Of each folder a copy is made, as an author has one, and a cache of its own, empty at first. In a round
`check` runs with the empty cache, again, and after an edit of one scenario file, of one variant and of the
ruleset; then the other commands in turn. What a command costs with a full cache is measured behind the run
that filled it. Medians of the rounds; seconds of processes that a command starts count, too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from _bench.latency import installed, of_children
from _bench.tables import Table, machine
from croupier.diagnostics import RulesetError
from croupier.resources import MAIN_FILE, VARIANTS, shipped, unknown

FOLDERS = (
    "vudu",
    "wednesday_hyde",
    "baron_voodoo",
    "una_notte_da_lupi",
    "witches_of_blackmore",
    "chess",
    "tic_tac_toe",
)
QUICK = ("una_notte_da_lupi", "tic_tac_toe")
SCENARIOS = "scenarios"
EMPTY, KEPT = "empty", "kept"  # the cache, before a command


@dataclass(frozen=True)
class Command:
    """A command line of a folder, `words` before and `behind` its path.

    `cache` is what is kept of the runs before; `edit` the part of the folder of which a file is edited
    before: a folder in it, or its main file; `before` is what the command is called in the figures of old; a
    `slow` one is left out where figures have to be there soon.
    """

    title: str
    words: tuple[str, ...]
    behind: tuple[str, ...] = ()
    cache: str = KEPT
    edit: str | None = None
    before: str | None = None
    slow: bool = False
    native: bool = False


_GAMES = ("--games", "10", "--seed", "1", "--quiet")
COMMANDS = (
    Command("`check`, nothing kept", ("check",), cache=EMPTY, before="check"),
    Command("`check` again", ("check",), before="check"),
    Command("`check`, a scenario file edited", ("check",), edit=SCENARIOS, before="check"),
    Command("`check`, a variant edited", ("check",), edit=VARIANTS, before="check"),
    Command("`check`, the ruleset edited", ("check",), edit=MAIN_FILE, before="check"),
    Command("`test`", ("test",), before="test"),
    Command(
        "`coverage --games 20`", ("coverage",), ("--games", "20", "--seed", "1"), before="coverage", slow=True
    ),
    Command("`run`", ("run",), ("--seed", "1"), before="run"),
    Command("`rulebook`", ("rulebook",), before="rulebook"),
    Command("`fmt --check`", ("fmt", "--check"), before="fmt"),
    Command("`simulate --games 10`, nothing kept", ("simulate",), _GAMES, cache=EMPTY),
    Command("`simulate --games 10` again", ("simulate",), _GAMES, before="simulate"),
    Command(
        "the same, native, nothing kept",
        ("simulate",),
        (*_GAMES, "--backend", "native"),
        cache=EMPTY,
        native=True,
    ),
    Command(
        "the same, native, again",
        ("simulate",),
        (*_GAMES, "--backend", "native"),
        before="native",
        native=True,
    ),
    Command("`mutate --sample 20`", ("mutate",), ("--sample", "20", "--seed", "1"), slow=True),
)
LIST = Command("`list`", ("list",), before="list")

BEFORE: Mapping[str, Mapping[str, float]] = {
    "vudu": {
        "check": 24.7,
        "test": 11.4,
        "coverage": 19.1,
        "run": 2.1,
        "rulebook": 5.6,
        "fmt": 3.1,
        "simulate": 3.2,
        "native": 1.6,
    },
    "wednesday_hyde": {
        "check": 23.4,
        "test": 5.5,
        "coverage": 7.5,
        "run": 2.0,
        "rulebook": 3.0,
        "fmt": 2.5,
        "simulate": 4.1,
        "native": 1.7,
    },
    "baron_voodoo": {
        "check": 14.2,
        "test": 8.5,
        "coverage": 26.1,
        "run": 3.8,
        "rulebook": 5.6,
        "fmt": 3.1,
        "simulate": 3.0,
        "native": 1.6,
    },
    "una_notte_da_lupi": {
        "check": 6.7,
        "test": 5.0,
        "coverage": 6.8,
        "run": 1.2,
        "rulebook": 2.0,
        "fmt": 2.0,
        "simulate": 1.7,
        "native": 1.3,
    },
    "tic_tac_toe": {"check": 1.3, "test": 1.1, "run": 1.1, "fmt": 0.75, "simulate": 1.1},
}
"""Seconds of the processor of the same commands on the same folders, full caches, by `BEFORE_VERSION`."""
LIST_BEFORE = 16.0
BEFORE_VERSION = "the code of a5cc3f4e, on a machine about 1.5 times as slow"


@dataclass
class Timed:
    """The seconds of the processor of one command on one folder, by round; empty if it does not run here."""

    command: Command
    seconds: list[float] = field(default_factory=list)
    before: float | None = None

    def cell(self) -> str:
        """The median, behind what it was before if that is known."""
        if not self.seconds:
            return "–"
        now = f"{median(self.seconds):.2f}"
        return now if self.before is None else f"{self.before:g} → {now}"


class Author:
    """A copy of a shipped ruleset's folder, and a cache of one's own, in a folder that is there for that.

    Without a name: no copy.
    """

    def __init__(self, within: Path, name: str | None) -> None:
        self.cache = within / f"cache of {name}"
        self.folder = within / "own" / (name or "")
        self._edits = 0
        if name is not None:
            shutil.copytree(shipped()[name].root, self.folder)

    def can(self, command: Command) -> bool:
        """Tell whether there is what the command edits, and what it plays with."""
        is_there = command.edit is None or any(self._edited(command.edit))
        return is_there and (not command.native or find_spec("llvmlite") is not None)

    def seconds(self, command: Command) -> float:
        """Seconds of the processor that the command takes now.

        Raises RuntimeError with its words if it is refused.
        """
        if command.cache == EMPTY:
            shutil.rmtree(self.cache, ignore_errors=True)
        if command.edit is not None:
            self._edit(command.edit)
        paths = () if command is LIST else (str(self.folder),)
        line = [sys.executable, "-m", "croupier", *command.words, *paths, *command.behind]
        environment = {**installed(), "CROUPIER_CACHE": str(self.cache)}
        before = of_children()
        ended = subprocess.run(
            line,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            env=environment,
        )
        spent = of_children()
        if ended.returncode > 1:
            raise RuntimeError(
                f"{' '.join(line[2:])} ended with {ended.returncode}: {ended.stderr.strip()[-500:]}"
            )
        return (spent or 0.0) - (before or 0.0)

    def _edited(self, part: str) -> Iterator[Path]:
        """The files that an edit of a part of the folder may change."""
        whole = self.folder / part
        yield from [whole] if whole.is_file() else sorted(whole.glob("*.yaml"))

    def _edit(self, part: str) -> None:
        """Change one file, so that it means the same: a comment at its end, another each time."""
        self._edits += 1
        with next(self._edited(part)).open("a", encoding="utf-8") as file:
            file.write(f"# edit {self._edits}\n")


def timed(
    author: Author, commands: Iterable[Command], rounds: int, before: Mapping[str, float]
) -> list[Timed]:
    """The commands in turn, `rounds` times. What does not run here has no seconds."""
    found = [Timed(command, before=before.get(command.before or "")) for command in commands]
    for _ in range(rounds):
        for one in found:
            if author.can(one.command):
                one.seconds.append(author.seconds(one.command))
    return found


def measured(names: Sequence[str], rounds: int, within: Path, *, quick: bool = False) -> list[Table]:
    """The table of folders, and that of `list`.

    Raises `RulesetError` for a name that is not shipped, RuntimeError for a command that is refused.
    """
    strange = [unknown(name) for name in names if name not in shipped()]
    if strange:
        raise RulesetError(strange)
    chosen = [command for command in COMMANDS if not (quick and command.slow)]
    nobody = Author(within, None)
    nobody.seconds(LIST)  # the bytecode of the modules that everything needs
    listed = timed(nobody, [LIST], rounds, {"list": LIST_BEFORE})
    columns = {
        name: timed(_warm(Author(within, name)), chosen, rounds, BEFORE.get(name, {})) for name in names
    }
    rows = [
        (command.title, *(column[number].cell() for column in columns.values()))
        for number, command in enumerate(chosen)
    ]
    return [
        Table(("seconds of the processor", *columns), tuple(rows)),
        Table(("seconds of the processor", "all that is shipped"), ((LIST.title, listed[0].cell()),)),
    ]


def _warm(author: Author) -> Author:
    """Run once what makes the bytecode of further modules, unmeasured."""
    for command in COMMANDS:
        if command.words[0] in ("run", "simulate") and author.can(command):
            author.seconds(command)
    return author


# ---------------------------------------------------------------- the page
BEGIN, END = "<!-- bench commands -->", "<!-- end of bench commands -->"
COMMAND = "tools/bench commands --readme"


def part(shown: Sequence[Table], rounds: int) -> str:
    """The tables for the page, between the marks and with them."""
    words = (
        f"Measured by `{COMMAND}`, {date.today().isoformat()}: {machine()}; medians of {rounds} rounds, on "
        f"copies of shipped folders, with the start"
        f" of the process. Before an arrow: the same with {BEFORE_VERSION}."
    )
    return "\n\n".join([BEGIN, words, *(table.markdown() for table in shown), END])


def unmeasurable() -> str | None:
    """Return why no command can be measured here, in words; `None` if they can."""
    return (
        "this system does not tell the seconds of the processor that other processes used"
        if os.name == "nt"
        else None
    )
