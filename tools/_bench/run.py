"""The choice of games and measurements, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import croupier
from _bench import aims, latency, readme, systems, tables
from _bench.measuring import Row, Subject, measure
from _yardsticks import plain_c
from croupier.resources import shipped

# players
YARDED = {
    "tic_tac_toe": 2,
    "connect_four": 2,
    "breakthrough": 2,
    "witches_of_blackmore": 2,
    "una_notte_da_lupi": 5,
}
POKER = {"kuhn_poker": 2, "leduc_poker": 2}
ROLLED_OUT = {"chess": 2, "othello": 2, "hearts": 4}  # held against OpenSpiel's rollouts, in no table
FIVE = ("witches_of_blackmore", "una_notte_da_lupi", "wednesday_hyde", "vudu", "baron_voodoo")
# with its tables, without scenarios
LARGEST = max(FIVE, key=lambda name: sum(file.stat().st_size for file in shipped()[name].root.glob("*.*")))
SLOW = 3  # rounds at most of compiling and of whole commands
MANY = (("tic_tac_toe", 1_000_000), ("witches_of_blackmore", 100_000))


@dataclass(frozen=True)
class Wanted:
    """The request: rulesets (empty for those of the tables), their players (`None` for those of the tables),
    rounds, seconds of a measurement in a round.
    """

    names: Sequence[str] = ()
    players: int | None = None
    rounds: int = 31
    seconds: float = 0.04


@dataclass
class Found:
    """The measurements of a run."""

    rows: list[Row] = field(default_factory=list)
    rolled_out: list[Row] = field(default_factory=list)
    prepared: list[latency.Compiling] = field(default_factory=list)
    whole: list[latency.Times] = field(default_factory=list)

    def shown(self) -> list[tables.Table]:
        """Tables of what there is."""
        out = []
        if self.rows:
            out += [
                tables.playouts(self.rows),
                tables.playouts(self.rows, "steps"),
                tables.small_things(self.rows),
            ]
        if self.prepared:
            out.append(tables.preparations(self.prepared))
        if self.whole:
            out.append(tables.durations(self.whole))
        out.append(self.aims())
        return [table for table in out if table.lines]

    def aims(self) -> tables.Table:
        """Return the aims, as far as they were measured."""
        return aims.aims([*self.rows, *self.rolled_out], self.prepared, self.whole, LARGEST)


def left_out() -> list[str]:
    """Return what is not installed here, in words."""
    absent = {
        "llvmlite is not installed: no native code": find_spec("llvmlite") is None,
        "OpenSpiel is not installed: nothing is held against it": find_spec("pyspiel") is None,
        "there is no C compiler: no plain C": plain_c.compiler() is None,
    }
    return [words for words, holds in absent.items() if holds]


def subjects_of(wanted: Wanted, without: dict[str, int]) -> list[Subject]:
    """Games with their players. Raises `RulesetError` for a ruleset that is not there."""
    known = YARDED | POKER
    return [
        Subject(name, wanted.players or known.get(name) or croupier.load(name).players[0])
        for name in wanted.names or without
    ]


def playing(wanted: Wanted, folder: Path, found: Found, without: dict[str, int]) -> None:
    """Whole games, steps, small things.

    Raises `RulesetError` for a ruleset or a number of players that is not there.
    """
    for subject in subjects_of(wanted, without):
        found.rows += systems.rows_of(subject, croupier.load(subject.name), folder)
    measure(found.rows, wanted.rounds, wanted.seconds)
    for name, players in () if wanted.names else ROLLED_OUT.items():
        subject, pair = Subject(name, players), (systems.NATIVE, systems.SPIEL_ROLLOUTS)
        rows = list(systems.rows_of(subject, croupier.load(name), folder, pair, games_only=True))
        measure(rows, wanted.rounds, 5 * wanted.seconds)
        found.rolled_out += rows


def waiting(wanted: Wanted, found: Found) -> None:
    """Compiling, positions, whole commands. Raises `RulesetError` likewise."""
    games = subjects_of(wanted, YARDED)
    if not wanted.names:
        games += [Subject(name, croupier.load(name).players[0]) for name in FIVE if name not in YARDED]
    for subject in games:
        croupier.load(subject.name).game(subject.players, None)
        found.prepared.append(latency.compiling(subject, min(wanted.rounds, SLOW)))
    if not wanted.names:
        found.whole = latency.starts(LARGEST)
        found.whole += [latency.many_games(name, count, jobs) for name, count in MANY for jobs in (1, 2)]
        latency.measure(found.whole, min(wanted.rounds, SLOW))


def at_every_number_of_players(wanted: Wanted, folder: Path) -> tables.Table:
    """Whole games of the five games, or of those named. Raises `RulesetError` likewise."""
    rows: list[Row] = []
    for name in wanted.names or FIVE:
        ruleset = croupier.load(name)
        for players in [wanted.players] if wanted.players else ruleset.players:
            rows += systems.rows_of(Subject(name, players), ruleset, folder, systems.OURS, games_only=True)
    measure(rows, wanted.rounds, wanted.seconds)
    return tables.by_players(rows)


def of_every_ruleset(wanted: Wanted, folder: Path) -> list[tables.Table]:
    """Whole games of every shipped ruleset and variant, or of those named, and the least times as often.

    Raises `RulesetError` likewise.
    """
    rows: list[Row] = []
    for name in wanted.names or shipped():
        ruleset = croupier.load(name)
        found = list(
            systems.rows_of(
                Subject(name, wanted.players or ruleset.players[0]),
                ruleset,
                folder,
                systems.COMPILED,
                games_only=True,
            )
        )
        measure(found, wanted.rounds, wanted.seconds)
        rows += found
    return [tables.playouts_by_game(rows), aims.of_every(rows)]


def write_pages(wanted: Wanted, found: Found, root: Path) -> None:
    """Put the tables into the pages of a checkout. Raises ValueError if one has no place for them."""
    page = readme.part(found.rows, found.prepared, found.whole, found.aims(), wanted.rounds)
    parts = {readme.PAGE: page, "README.md": readme.small_part(found.rows)}
    texts = {
        name: readme.filled((root / name).read_text(encoding="utf-8"), part) for name, part in parts.items()
    }
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8", newline="\n")
