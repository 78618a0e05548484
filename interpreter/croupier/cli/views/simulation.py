"""The summary of a simulation as styled text: heading, table, lines, and the closing figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.views.game import bots, plural, seeded, value
from croupier.diagnostics import sanitise
from croupier.lab.pictures import interval_words
from croupier.lab.statistics import mean
from croupier.play.statistics import wilson
from croupier.text import Seat

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from croupier.lab.statistics import Estimate
    from croupier.play.summary import SeatSummary, SimulationSummary

MOST_LISTED = 10
"""The most rows of a list; the others are counted."""


def heading(title: str, summary: SimulationSummary) -> Text:
    """The heading: title, games, players, seed, bots and the hash of the rules."""
    from rich.text import Text

    text = Text(sanitise(title), style="bold")
    played = f"{plural(summary.games, 'game')} of {plural(summary.players, 'player')}"
    text.append(
        f"\n{played} · {seeded(summary.seed, summary.bots)} · bots {bots(summary.bots)} · rules "
        f"{summary.ruleset_hash[:12]}\n",
        "",
    )
    return text


def table(summary: SimulationSummary, scored: bool) -> Table:
    """Wins, ties and win rate of each seat with its Wilson interval, scores where the rules keep them, and
    the games that nobody won.
    """
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for heading in seat_headings(scored):
        drawn.add_column(heading, justify="right", no_wrap=True)
    for seat in summary.seats:
        drawn.add_row(*(Text(cell) for cell in seat_cells(seat, scored)))
    if summary.nobody:
        drawn.add_row(*map(Text, ("nobody", f"{summary.nobody:,}", "", *nobody_cells(summary))))
    return drawn


def lines(summary: SimulationSummary, scored: bool) -> Text:
    """The table of wins for a narrow terminal: a seat after the other, a line for each figure."""
    from rich.text import Text

    text = Text()
    for seat in summary.seats:
        _, *cells = seat_cells(seat, scored)
        text.append(f"{Seat(seat.seat)}\n", "bold")
        for heading, cell in zip(seat_headings(scored)[1:], cells, strict=False):
            text.append(f"  {heading}: {cell}\n")
    if summary.nobody:
        text.append("nobody\n", "bold")
        share, interval = nobody_cells(summary)
        text.append(f"  wins: {summary.nobody:,}\n  win rate: {share}\n  95 % interval: {interval}\n")
    text.rstrip()
    return text


def nobody_cells(summary: SimulationSummary) -> tuple[str, str]:
    """The share of the games that nobody won, and its interval."""
    finished = summary.tally.finished
    low, high = wilson(summary.nobody, finished)
    return f"{summary.nobody / finished:.1%}", f"{low:.1%} - {high:.1%}"


def seat_headings(scored: bool) -> tuple[str, ...]:
    """Return the headings of the table of seats, with those of scores if games are `scored`."""
    return (
        "player",
        "wins",
        "ties",
        "win rate",
        "95 % interval",
        *(("lowest score", "mean", "highest") if scored else ()),
    )


def seat_cells(seat: SeatSummary, scored: bool) -> list[str]:
    """Return the cells of a seat in that table."""
    low, high = seat.interval
    rates = [f"{seat.win_rate:.1%}", f"{low:.1%} - {high:.1%}"] if seat.games else ["–", "nothing known yet"]
    cells = [str(seat.seat + 1), f"{seat.wins:,}", f"{seat.ties:,}", *rates]
    if scored and seat.scores:
        cells += [_number(seat.scores.min), f"{seat.scores.mean:.1f}", _number(seat.scores.max)]
    return cells


def closing(summary: SimulationSummary) -> Text:
    """Lengths of the games, unfinished games with the commands that replay them, and the digest."""
    from rich.text import Text

    text = Text("\n")
    for name, numbers, counted in (
        ("decisions", summary.decisions, summary.tally.decisions),
        ("chance events", summary.chance_events, summary.tally.chance_events),
    ):
        if numbers:
            text.append(
                f"{name}: {_number(numbers.min)} to {_number(numbers.max)}, median "
                f"{_number(numbers.median)}, mean {numbers.mean:.1f} ({_interval(mean(counted))})\n",
            )
    means = [
        f"{Seat(seat.seat)} {_interval(mean(counted))}"
        for seat, counted in zip(summary.seats, summary.tally.scores, strict=True)
        if seat.scores
    ]
    if means:
        text.append(f"intervals of mean scores: {', '.join(means)}\n")
    if summary.tally.finished:
        text.append("intervals: 95 %, one at a time; shares Wilson, means normal, skewness-corrected\n")
    if summary.tally.finished < summary.games:
        text.append(
            f"win rates are of the {summary.tally.finished:,} games of {summary.games:,} that finished\n"
        )
    counts = ", ".join(
        f"{summary.statuses[status]:,} {status}" for status in ("finished", "unfinished", "stuck", "faulted")
    )
    text.append(f"games: {counts}\n", "red" if summary.problems else "")
    for game in summary.problems[:MOST_LISTED]:
        text.append(
            f"  {game.status}: --seed {summary.seed} --game "
            f"{game.game}{f' ({value(game.reason)})' if game.reason else ''}\n"
        )
    if len(summary.problems) > MOST_LISTED:
        text.append(f"  and {len(summary.problems) - MOST_LISTED:,} more\n")
    text.append(f"{_speed(summary)} · digest {summary.digest}", "dim")
    return text


def _interval(found: Estimate) -> str:
    """The interval of a mean in words."""
    return interval_words(found, "{:,.1f}".format, "the same each time", "no interval known yet")


def _speed(summary: SimulationSummary) -> str:
    rate = f", {summary.games / summary.seconds:,.0f} games a second" if summary.seconds > 0 else ""
    return f"{summary.seconds:.1f} seconds{rate}"


def _number(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"
