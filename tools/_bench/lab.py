"""Games a second by bots, what it costs to watch them, decisions a second that are written as rows, how far a
second processor halves a long run, and what 10^8 games would take, by what was measured.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import croupier
from _bench.tables import Table, number, ratio, times
from croupier.lab.log_files import log_files
from croupier.lab.rows import EVERY_DECISION, Watch
from croupier.lab.shards import text_of
from croupier.lab.workers import RunConfig, rows
from croupier.play.match import MatchConfig
from croupier.play.native_games import native_code_for
from croupier.play.simulate import simulate_batches
from croupier.play.tally import Tally

NAME = "witches_of_blackmore"
BOTS = ("random", "first", "policy:strongest", "mcts!:8", "ismcts:1")
WATCHED = (
    ("no figures but those of every game", Watch()),
    ("`--steps`", Watch(steps=True)),
    ("`--measure points`", Watch(("points",))),
    ("the same, `--every decision`", Watch(("points",), EVERY_DECISION)),
    ("the same, `--every points(players.first)`", Watch(("points",), "points(players.first)")),
)
LONG = (("tic_tac_toe", 3_000_000), (NAME, 300_000))
LOGGED = (NAME, "wednesday_hyde", "una_notte_da_lupi", "baron_voodoo", "vudu")
MANY = 100_000_000
MACHINES = (1, 2, 16, 40)  # processors


@dataclass(frozen=True)
class Scaling:
    """Seconds by the clock of the same games in one job and in two."""

    title: str
    one: float
    two: float


def by_bots(seconds: float) -> Table:
    """Games a second of processor, each bot in every seat; `random` in native code, the others step by
    step.
    """
    lines = []
    for bot in BOTS:
        run = RunConfig(NAME, MatchConfig(seed=1, bots=(bot,), backend="auto"))
        amount = 2_000 if bot == "random" else 1
        list(rows(run, range(1, amount + 1), jobs=1))  # what is compiled is compiled before
        count, started = 0, time.process_time()
        while time.process_time() - started < seconds:
            count += len(list(rows(run, range(count + 1, count + amount + 1), jobs=1)))
        lines.append((bot, number(count / (time.process_time() - started))))
    return Table(("bots", f"games a second, {NAME}"), tuple(lines))


def watched(seconds: float) -> Table:
    """Games a second of processor as rows, by what is watched of them, and what that costs, as a multiple of
    the rows alone.
    """
    rates = []
    for _, watch in WATCHED:
        run, count = RunConfig(NAME, MatchConfig(seed=1, backend="native"), watch), 0
        list(rows(run, range(1, 2_001), jobs=1))  # what is compiled is compiled before
        started = time.process_time()
        while time.process_time() - started < seconds:
            count += len(list(rows(run, range(count + 1, count + 2_001), jobs=1)))
        rates.append(count / (time.process_time() - started))
    lines = tuple(
        (title, number(rate), ratio(rates[0] / rate)) for (title, _), rate in zip(WATCHED, rates, strict=True)
    )
    return Table(("watched", f"games a second, {NAME}", "cost"), lines)


def logged(seconds: float) -> Table:
    """Decisions a second of processor that are played at random and written as rows of a CSV file, with the
    outcomes of chance between them.
    """
    lines = []
    for name in LOGGED:
        run = RunConfig(name, MatchConfig(seed=1, backend="auto"), Watch(decisions=True))
        list(rows(run, range(1, 201), jobs=1))  # what is compiled is compiled before
        with (
            tempfile.TemporaryDirectory() as folder,
            log_files(run, {"decisions": Path(folder) / "decisions.csv"}, force=True) as files,
        ):
            games = decisions = 0
            started = time.process_time()
            while time.process_time() - started < seconds:
                for row in rows(run, range(games + 1, games + 51), jobs=1, of=1_000):
                    decisions += files.add(row).decisions
                games += 50
            took = time.process_time() - started
        lines.append((name, number(decisions / took)))
    return Table(("`collect --decisions`", "decisions a second"), tuple(lines))


def simulated(name: str, games: int) -> Callable[[int], tuple[float, float]]:
    """Seconds by the clock, and of processors, that games of random players take in so many jobs, without
    compiling.
    """
    ruleset, setup = croupier.load(name), MatchConfig(seed=1, backend="auto")
    initial = setup.initial_state(ruleset)
    native = native_code_for(ruleset, setup, initial, compile=True)
    assert native is None or native.playout_code.engine

    def run(jobs: int) -> tuple[float, float]:
        started, before = time.perf_counter(), time.process_time()
        Tally(initial.players, simulate_batches(ruleset, name, setup, games, jobs=jobs, load=croupier.load))
        return time.perf_counter() - started, time.process_time() - before

    return run


def scaling(rounds: int) -> list[Scaling]:
    """One job and two in turn; of each the fastest round, because whatever else runs only makes it slower."""
    found = []
    for name, games in LONG:
        run = simulated(name, games)
        pairs = [(run(1)[0], run(2)[0]) for _ in range(rounds)]
        found.append(
            Scaling(f"{name}, {games:,} games", min(one for one, _ in pairs), min(two for _, two in pairs))
        )
    return found


def scaled(found: list[Scaling]) -> Table:
    """The same as a table."""
    lines = tuple((one.title, times(one.one), times(one.two), ratio(one.one / one.two)) for one in found)
    return Table(("long runs", "one job", "two jobs", "faster"), lines)


def planned(seconds: float) -> Table:
    """Return how long 10^8 games would take on so many free processors, summed up alone and kept as shards,
    and how large the shards are.
    """
    run = RunConfig(NAME, MatchConfig(seed=1, backend="auto"))
    alone, games = simulated(NAME, 1_000), 1_000
    alone(1)
    while (took := alone(1)[1]) < seconds:
        games *= 4
        alone = simulated(NAME, games)
    kept, started, size = 0, time.process_time(), 0
    while time.process_time() - started < seconds:
        written = text_of(list(rows(run, range(kept + 1, kept + 501), jobs=1)))
        kept, size = kept + 500, size + len(written)
    rates = (games / took, kept / (time.process_time() - started))
    lines = [
        (f"{processors} processors", *(hours(MANY / rate / processors) for rate in rates))
        for processors in MACHINES
    ]
    return Table(
        (
            "10^8 games",
            "summed up (`simulate`)",
            f"kept as shards of {size / kept * MANY / 1e9:.0f} GB (`collect`)",
        ),
        tuple(lines),
    )


def hours(seconds: float) -> str:
    """A time, long."""
    return f"{seconds / 3600:.1f} h" if seconds >= 3600 else f"{seconds / 60:.0f} min"


__all__ = ["by_bots", "logged", "planned", "scaled", "scaling", "watched"]
