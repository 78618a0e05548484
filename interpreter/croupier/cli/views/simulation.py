"""The summary of a simulation for people: tables of the seats and of the grades, then length, what did not finish, and the digest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from croupier.cli.views.words import bots, plural, value
from croupier.diagnostics import sanitise

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from croupier.play.summary import SeatSummary, Summary

_MOST_LISTED = 10


def heading(title: str, summary: Summary) -> Text:
    """What was played."""
    from rich.text import Text

    text = Text(sanitise(title), style="bold")
    text.append(
        f"\n{plural(summary.games, 'game')} of {plural(summary.players, 'player')} · seed {summary.seed}"
        f" · bots {bots(summary.bots)} · rules {summary.ruleset_hash[:12]}\n",
        "",
    )
    return text


def table(summary: Summary) -> Table:
    """Wins, ties and win rate of each seat with its Wilson interval, scores where the rules keep them, and the games that nobody won."""
    from rich.table import Table
    from rich.text import Text

    scored = any(seat.scores for seat in summary.seats)
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _headings(scored):
        drawn.add_column(heading, justify="right", no_wrap=True)
    for seat in summary.seats:
        drawn.add_row(*(Text(cell) for cell in _cells(seat, scored)))
    if summary.nobody:
        drawn.add_row(*(Text(cell) for cell in ("nobody", f"{summary.nobody:,}", "", f"{summary.nobody / summary.tally.finished:.1%}")))
    return drawn


def turn_order(summary: Summary) -> Table | None:
    """The same by the order of first decisions, if that was asked for."""
    from rich.table import Table
    from rich.text import Text

    if not summary.places:
        return None
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("turn order", *_headings(False)[1:]):
        drawn.add_column(heading, justify="right")
    for place in summary.places:
        drawn.add_row(*(Text(cell) for cell in _cells(place, False)))
    return drawn


def lines(summary: Summary) -> Text:
    """The same for a terminal that is too narrow for the table: a seat after the other, a line for each figure."""
    from rich.text import Text

    scored = any(seat.scores for seat in summary.seats)
    text = Text()
    for seat in summary.seats:
        _, *cells = _cells(seat, scored)
        text.append(f"player {seat.seat + 1}\n", "bold")
        for heading, cell in zip(_headings(scored)[1:], cells, strict=False):
            text.append(f"  {heading}: {cell}\n")
    if summary.nobody:
        text.append("nobody\n", "bold")
        text.append(f"  wins: {summary.nobody:,}\n  win rate: {summary.nobody / summary.tally.finished:.1%}\n")
    text.rstrip()
    return text


def _headings(scored: bool) -> tuple[str, ...]:
    return ("player", "wins", "ties", "win rate", "95 % interval", *(("lowest score", "mean", "highest") if scored else ()))


def _cells(seat: SeatSummary, scored: bool) -> list[str]:
    low, high = seat.interval
    cells = [str(seat.seat + 1), f"{seat.wins:,}", f"{seat.ties:,}", f"{seat.win_rate:.1%}", f"{low:.1%} - {high:.1%}"]
    if scored and seat.scores:
        cells += [_number(seat.scores.min), f"{seat.scores.mean:.1f}", _number(seat.scores.max)]
    return cells


def grades(summary: Summary) -> Table | None:
    """How often games ended with which words, if any game did."""
    from rich.table import Table
    from rich.text import Text

    if not summary.grades:
        return None
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    drawn.add_column("grade", overflow="fold")
    for heading in ("games", "share"):
        drawn.add_column(heading, justify="right", no_wrap=True)
    for found in summary.grades[:_MOST_LISTED]:
        drawn.add_row(Text(value(found.grade) if found.grade is not None else "(without)"), Text(f"{found.games:,}"), Text(f"{found.share:.1%}"))
    rest = summary.grades[_MOST_LISTED:]
    if rest:
        drawn.add_row(Text(f"and {plural(len(rest), 'other')}"), Text(f"{sum(g.games for g in rest):,}"), Text(f"{sum(g.share for g in rest):.1%}"))
    return drawn


def closing(summary: Summary) -> Text:
    """Length of the games, those that did not finish with what plays them again, and the digest."""
    from rich.text import Text

    text = Text("\n")
    for name, numbers in (("decisions", summary.decisions), ("chance events", summary.chance_events)):
        if numbers:
            text.append(
                f"{name}: {_number(numbers.min)} to {_number(numbers.max)}, median {_number(numbers.median)}, mean {numbers.mean:.1f}\n",
            )
    counts = ", ".join(f"{summary.statuses[status]:,} {status}" for status in ("finished", "unfinished", "stuck", "faulted"))
    text.append(f"games: {counts}\n", "red" if summary.problems else "")
    for game in summary.problems[:_MOST_LISTED]:
        text.append(f"  {game.status}: --seed {summary.seed} --game {game.game}{f' ({value(game.reason)})' if game.reason else ''}\n")
    if len(summary.problems) > _MOST_LISTED:
        text.append(f"  and {len(summary.problems) - _MOST_LISTED:,} more\n")
    text.append(f"{_speed(summary)} · digest {summary.digest}", "dim")
    return text


def _speed(summary: Summary) -> str:
    rate = f", {summary.games / summary.seconds:,.0f} games a second" if summary.seconds > 0 else ""
    return f"{summary.seconds:.1f} seconds{rate}"


def _number(number: Any) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"
