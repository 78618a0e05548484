"""`croupier simulate`: many games."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import document, draw, finish, progress, say, usage, waiting
from croupier.cli.guard import FINDINGS, INTERRUPTED
from croupier.cli.options import (
    MOST_GAMES,
    Backend,
    Backends,
    Bots,
    Format,
    Human,
    Invariants,
    Name,
    Players,
    Seed,
    Settings,
    Variants,
    bot_names,
    new_seed,
    settings,
    with_variants,
)

if TYPE_CHECKING:
    from croupier.play.game import Batch, Game
    from croupier.play.summary import Summary

app = typer.Typer(add_completion=False)

Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="J", min=1, max=256, help="How many processes.", show_default="as many as pay off")]

_TURN_ORDER = "Show wins by the order of the players' first decisions, too; games are then played step by step."
TurnOrder = Annotated[bool, typer.Option("--by-turn-order", help=_TURN_ORDER)]


@app.command()
def simulate(
    name: Name,
    variant: Variants = None,
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", min=1, max=MOST_GAMES, help="How many games.")] = 100,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    set: Settings = None,
    bots: Bots = "random",
    invariants: Invariants = False,
    backend: Backend = Backends.AUTO,
    by_turn_order: TurnOrder = False,
    format: Human = Format.HUMAN,
) -> None:
    """Play many games and show who wins how often, with which grades, how long games are, and which did not finish.

    A win rate is a seat's part of the finished games: one that several win together is divided among them (`ties` counts those), so that
    the rates, and that of the games nobody wins, add up to 100 %.

    The same seed gives the same digest, whatever --jobs is. Ctrl-C shows what was played so far.

    Random bots take every option alike. What is chosen step by step, `choose 2 team from players`, is not alike then: what stands late in the
    source is taken more often, which looks like an advantage of seats. LANGUAGE.md, 7.3, says how to avoid it.

    Exit code: 0 all finished, 1 some were stuck, unfinished or faulted, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier simulate my_game --games 1000
      croupier simulate my_game --games 1000 --players 4 --seed 1 --jobs 2
      croupier simulate my_game --games 200 --bots first,random --format json
      croupier simulate my_game --games 200 --by-turn-order
    """
    name = with_variants(name, variant)
    import croupier
    from croupier.pipeline import load
    from croupier.play.agents import UnknownAgent, agent_names
    from croupier.play.interrupt import Interrupt
    from croupier.play.plain import plain
    from croupier.play.setup import Setup, known_name
    from croupier.play.simulate import played as play
    from croupier.play.summary import Summary
    from croupier.play.tally import Tally

    setup = Setup(players, settings(set), new_seed(seed), bot_names(bots), invariants, backend.value, by_turn_order)
    ruleset = croupier.load(name)
    initial = setup.initial_state(ruleset)
    try:
        names = agent_names(setup.bots, initial.players)
    except UnknownAgent as error:
        usage(str(error), "--bots")
    started = time.monotonic()
    with Interrupt() as interrupt, progress("games", games) as bar:
        notes: list[str] = []
        played = play(ruleset, name, setup, games, jobs=jobs, load=load, should_stop=interrupt.is_requested, notes=notes)
        tally = Tally(initial.players, _watched(played, bar.advance, interrupt.is_requested))
    summary = Summary(
        ruleset=known_name(ruleset),
        ruleset_hash=ruleset.ruleset_hash,
        players=initial.players,
        parameters=plain(initial.parameters),
        seed=setup.seed,
        bots=tuple(names),
        asked=games,
        tally=tally,
        seconds=time.monotonic() - started,
    )
    for note in notes:
        say(note)
    _show(ruleset.title, summary, format)
    if summary.interrupted:
        say(f"interrupted: {tally.games} of {games} games were played")
        finish(INTERRUPTED)
    finish(FINDINGS if summary.problems else 0)


def _show(title: str, summary: Summary, format: Format) -> None:
    if format is Format.JSON:
        document(summary.to_json())
        return
    from croupier.cli.views.simulation import closing, grades, heading, lines, table, turn_order

    draw(heading(title, summary))
    draw(table(summary), lines(summary))
    for more in (turn_order(summary), grades(summary)):
        if more is not None:
            draw("")
            draw(more)
    draw(closing(summary))


def _watched(played: Iterable[Game | Batch], advance: Callable[[int], None], interrupted: Callable[[], bool]) -> Iterator[Game | Batch]:
    """The games that are over, while `advance` is told of them, up to a step that was interrupted."""
    from croupier.play.game import Batch

    over = 0
    with nullcontext() if sys.stderr.isatty() else waiting(lambda: f"still playing: {over} games are over; Ctrl-C ends it"):
        try:
            for some in played:
                over += len(some) if isinstance(some, Batch) else 1
                advance(len(some) if isinstance(some, Batch) else 1)
                yield some
        except KeyboardInterrupt:
            if not interrupted():
                raise
