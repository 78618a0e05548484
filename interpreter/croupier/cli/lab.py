"""The common parts of the commands of the lab: their options, a run made of them, and tables of estimates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer

from croupier.cli.console import draw, finish, fits, progress, say, usage
from croupier.cli.forecast import Cost
from croupier.cli.guard import INTERRUPTED
from croupier.cli.options import MAX_GAMES, bot_names, new_seed, settings
from croupier.cli.variants import with_variants

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from croupier.diagnostics import JsonObject
    from croupier.lab.compare import Line
    from croupier.lab.statistics import Estimate
    from croupier.lab.workers import RunConfig

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="J",
        min=1,
        max=256,
        help="Play in J processes at the same time.",
        show_default="as many as pay off",
    ),
]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        metavar="EXPR",
        help="Measure this expression at the end of each game; `me` stands for each player; repeat the "
        "option for several.",
    ),
]


class Formats(StrEnum):
    """The format of what a command of the lab prints: text for people, JSON for programs, or an HTML page
    with pictures.
    """

    HUMAN = "human"
    JSON = "json"
    HTML = "html"


Shown = Annotated[
    Formats,
    typer.Option(
        "--format", "-f", help="Print for people, JSON for programs, or one HTML page with pictures."
    ),
]
Found = TypeVar("Found")
WIDTH = 30  # characters of a bar
_SHORT = 30  # characters of a cell that is not wrapped


def games_option(help: str) -> object:
    """The option `--games N` of a command that says in `help` what N counts."""
    return typer.Option("--games", "-n", metavar="N", min=1, max=MAX_GAMES, help=help)


Games = Annotated[int, games_option("Play N games.")]


def run_of(
    name: str,
    variant: Sequence[str] | None,
    players: int | None,
    seed: int | None,
    set: Sequence[str] | None,
    bots: str,
    backend: str,
    measures: Sequence[str] | None = None,
) -> RunConfig:
    """The run that the options of a command describe."""
    from croupier.lab.rows import Watch
    from croupier.lab.workers import RunConfig
    from croupier.play.match import MatchConfig

    setup = MatchConfig(players, settings(set), new_seed(seed), bot_names(bots), backend=backend)
    return RunConfig(with_variants(name, variant), setup, Watch(tuple(measures or ())))


def header_of(run: RunConfig, wanted: int, played: int, interrupted: bool) -> JsonObject:
    """Return the header of games of a run: its side, the seed, and how many were wanted and played."""
    from croupier.lab.workers import side_of

    games = {"wanted": wanted, "played": played}
    return {**side_of(run), "seed": run.setup.seed, "games": games, "interrupted": interrupted}


@dataclass
class CountedGames:
    """The number of games that are over, of those that are `wanted`; `None` where nobody knows how many."""

    wanted: int | None
    played: int = 0

    def interrupted(self) -> str:
        """Return the words for a run that was interrupted."""
        return interrupted_after(self.played, self.wanted or 0)


@contextmanager
def counted_games(
    wanted: int | None, cost: Cost, work: Callable[[int], float] = float, what: str = "games"
) -> Iterator[CountedGames]:
    """A context that counts the games that are over, on a bar, too; the rest is that of `progress`."""
    from croupier.lab.workers import report_progress

    counted = CountedGames(wanted)
    with progress(what, wanted, cost, work) as bar:

        def advance() -> None:
            counted.played += 1
            bar.advance()

        with report_progress(advance):
            yield counted


def interrupted_after(played: int, wanted: int, what: str = "games") -> str:
    """Return the words for a run that was interrupted, at its end on stderr. The head of a text or a page
    says it by `half` of `lab/page_frame.py`.
    """
    return f"interrupted after {played:,} of {wanted:,} {what}"


def stop(words: str) -> NoReturn:
    """Say that a command was interrupted, and leave it with the exit code of that."""
    say(words)
    finish(INTERRUPTED)


def cost_of(*runs: RunConfig) -> Cost:
    """Return what makes the games of runs slow, if anything does, and what makes them faster."""
    from croupier.play.agents import rolls_out

    thinking = dict.fromkeys(bot for run in runs for bot in run.setup.bots if rolls_out(bot))
    reasons = []
    if thinking:
        play = "plays" if len(thinking) == 1 else "play"
        reasons.append(f"{' and '.join(thinking)} {play} games in thought before each decision")
    if any(run.watch.measures or run.watch.every for run in runs):
        reasons.append("measures are taken of each game")
    if any(run.watch.steps or run.watch.options for run in runs):
        reasons.append("options are counted at each decision")
    if any(run.watch.decisions or run.watch.events for run in runs):
        reasons.append("decisions and events are written down")
    return Cost(tuple(reasons), (*_fewer_simulations(thinking), *_faster_code(runs)))


def _fewer_simulations(bots: Iterable[str]) -> list[str]:
    """The same bots with a quarter of their simulations or of their time, in words."""
    found = []
    for bot in bots:
        budget = re.search(r"(\d+)(m?s)?$", bot)
        if budget is not None and int(budget[1]) > 1:
            less = f"{bot[: budget.start()]}{max(1, int(budget[1]) // 4)}{budget[2] or ''}"
            found.append(f"fewer simulations (`{less}` for `{bot}`)")
    return found


def _faster_code(runs: Iterable[RunConfig]) -> list[str]:
    """How native code would play the games, if it does not, in words."""
    from croupier.execution import llvm_compiler

    if not llvm_compiler.is_installed():
        return ["native code (`pip install 'croupier[native]'`)"]
    if any(run.setup.backend in ("reference", "python") for run in runs):
        return ["native code (`--backend auto`)"]
    return []


def page_facts(run: RunConfig, games: int) -> tuple[str, list[str], str]:
    """The head of a page about a run: its title, the facts below it, and the versions that made it."""
    from croupier import __version__
    from croupier.lab.workers import load_ruleset

    ruleset, setup = load_ruleset(run.source), run.setup
    facts = [f"{games:,} games", f"bots {', '.join(setup.bots)}", f"seed {setup.seed}"]
    facts += [f"{key} = {value}" for key, value in setup.parameters.items()]
    return ruleset.title, facts, f"croupier {__version__} · rules {ruleset.ruleset_hash[:16]}"


def checked(found: Iterable[Found], option: str | None = None, *, bots: str = "--bots") -> Iterator[Found]:
    """The results of a run; a request that cannot be met is reported as a mistake of the command line
    (`option`, or `bots` for a bot that does not suit), what is not compiled in a line.
    """
    from croupier.lab.workers import notes_told
    from croupier.play.agents import UnknownAgent

    try:
        with notes_told(say):
            yield from found
    except UnknownAgent as error:
        usage(str(error), bots)
    except ValueError as error:
        usage(str(error), option)


def grid(
    headings: Sequence[str],
    lines: Iterable[Sequence[str]],
    left: int = 1,
    *,
    has_words: bool = False,
    bars_at: int | None = None,
) -> None:
    """Draw a table; the first `left` columns hold words, as the last one may (`has_words`).

    Where it is too wide, the column of bars at `bars_at` is left out; where it still is, each line becomes a
    block with a line for each figure.
    """
    rows = [[sanitised(cell) for cell in cells] for cells in lines]
    drawn = _table(headings, rows, left, has_words)
    if bars_at is not None and not fits(drawn):
        headings = _without(headings, bars_at)
        rows = [_without(cells, bars_at) for cells in rows]
        drawn = _table(headings, rows, left, has_words)
    draw(drawn if fits(drawn) else _blocks(headings, rows, left))


def sanitised(cell: str) -> Text:
    """Text of a ruleset's author as it may be drawn."""
    from rich.text import Text

    from croupier.diagnostics import sanitise

    return Text(sanitise(cell))


def _without(cells: Sequence[Found], at: int) -> list[Found]:
    return [cell for place, cell in enumerate(cells) if place != at]


def _table(headings: Sequence[str], rows: Sequence[Sequence[Text]], left: int, has_words: bool) -> Table:
    from rich.cells import cell_len
    from rich.table import Table

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for at, heading in enumerate(headings):
        is_of_words = at < left or has_words and at == len(headings) - 1
        texts = [heading, *(cells[at].plain for cells in rows)]
        is_whole = not is_of_words and all(len(text) <= _SHORT for text in texts)
        parts = texts if is_whole else [word for text in texts for word in text.split()]
        drawn.add_column(
            heading,
            justify="left" if is_of_words else "right",
            overflow="fold",
            no_wrap=is_whole,
            min_width=max(map(cell_len, parts), default=0),
        )
    for cells in rows:
        drawn.add_row(*cells)
    return drawn


def _blocks(headings: Sequence[str], rows: Sequence[Sequence[Text]], left: int) -> Text:
    """The lines of a table one below the other."""
    from rich.text import Text

    text = Text()
    for cells in rows:
        title = [
            f"{heading} {cell.plain}".strip() for heading, cell in zip(headings, cells[:left], strict=False)
        ]
        text.append(f"{', '.join(title)}\n", "bold")
        for heading, cell in zip(headings[left:], cells[left:], strict=True):
            if cell.plain:
                text.append(f"  {heading}: {cell.plain}\n")
    text.rstrip()
    return text


def figure(value: float, share: bool = False) -> str:
    """A number in three digits, or a share in per cent; `?` for an infinite one."""
    if abs(value) == float("inf"):
        return "?"
    value = 0.0 if abs(value) < 1e-9 else value  # never -0
    if share:
        return f"{value:.1%}"
    return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def value(found: Estimate, share: bool = False) -> str:
    """The figure of an estimate; a dash if it is of no game."""
    return figure(found.value, share) if found.n else "–"


def interval(found: Estimate, share: bool = False) -> str:
    """`41.2% to 58.9%`, or words where there is no interval: nothing is known yet, or games do not differ."""
    from croupier.lab.pictures import interval_words

    show = partial(figure, share=share)
    return interval_words(found, show, "the same each time", "nothing known yet", share=share)


def cells_of(line: Line) -> list[str]:
    """A measure of both sides, their difference, and its interval."""
    found = line.difference
    return [
        *(figure(value, line.is_share) for value in (line.a.mean, line.b.mean, found.value)),
        interval(found, line.is_share),
    ]


def methods_of(found: Iterable[Estimate]) -> str:
    """The methods of those estimates that have an interval, each once."""
    return ", ".join(dict.fromkeys(one.method for one in found if one.is_known))


def bar(found: Estimate, low: float, high: float) -> str:
    """A bar from `low` to `high`: the interval of an estimate as a line, the estimate as a dot.

    It is empty if nothing is known.
    """
    if high <= low or not found.n:
        return ""

    def place(value: float) -> int:
        return round((min(max(value, low), high) - low) / (high - low) * (WIDTH - 1))

    here = place(found.value)
    first, last = (place(found.low), place(found.high)) if found.is_known else (here, here)
    drawn = ["─" if first <= at <= last else "·" for at in range(WIDTH)]
    drawn[here] = "●"
    return "".join(drawn)


def words(text: str) -> None:
    """Draw lines of words."""
    for line in text.split("\n"):
        draw(sanitised(line))
