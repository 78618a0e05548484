"""`croupier report`: one HTML page about a ruleset."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from croupier.cli.completion import complete_names
from croupier.cli.lab import Games, Jobs, Measures, checked, cost_of, counted_games, run_of, stop
from croupier.cli.options import (
    Backend,
    Backends,
    Bots,
    Force,
    Name,
    Out,
    Players,
    Quiet,
    Seed,
    Settings,
    Variants,
    check_output,
    write_out,
)
from croupier.cli.variants import with_variants

_AGAINST = "Compare the ruleset with this ruleset or variant."
Against = Annotated[
    str | None,
    typer.Option(
        "--against", metavar="NAME", help=_AGAINST, autocompletion=complete_names, show_default=False
    ),
]
_EVERY = "Measure during the game, too, whenever this expression changes."
Every = Annotated[
    str | None, typer.Option("--every", metavar="EXPR", help=_EVERY, show_default="after each decision")
]
_PACE = "Estimate the length of a game: each decision that is not forced takes so many seconds."
Pace = Annotated[int, typer.Option("--pace", metavar="SECONDS", min=1, max=86_400, help=_PACE)]


def report(
    name: Name,
    variant: Variants = None,
    against: Against = None,
    games: Games = 500,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    set: Settings = None,
    bots: Bots = "random",
    measure: Measures = None,
    every: Every = None,
    pace: Pace = 20,
    backend: Backend = Backends.AUTO,
    quiet: Quiet = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """Write one HTML page about a ruleset: who wins, how long a game takes, how it develops, and which
    options players choose.

    The page shows pictures, intervals and the numbers behind them, and needs no network. A measure that names
    `me` has a value for each player: the page then says who leads during the game, how often the lead
    changes, and when the game is decided.

    Exit code: 0 done, 2 refused, 130 interrupted: then the page describes the games that were finished.

    \b
    Examples:
      croupier report my_game --games 20 --out report.html
      croupier report my_game --measure deck.size --games 20
      croupier report my_game --against my_game/short_game --games 20
    """
    from croupier import __version__
    from croupier.lab.report import Asked, page
    from croupier.lab.workers import load_ruleset
    from croupier.play.interrupt import Interrupt

    if out is not None:
        check_output(out, with_variants(name, variant), against, force=force)
    run = run_of(name, variant, players, seed, set, bots, backend.value, measure)
    other = None if against is None else replace(run, source=against)
    watched = replace(run, watch=replace(run.watch, every=every, pace=pace))
    asked = Asked(
        watched,
        games,
        load_ruleset(run.source).title,
        other,
        "" if against is None else load_ruleset(against).title,
    )
    if other is not None and asked.title == asked.against_title:
        asked = replace(asked, title=run.source, against_title=other.source)
    asked = replace(asked, version=__version__)
    total = games if other is None else 4 * games
    with (
        Interrupt() as interrupt,
        counted_games(total, cost_of(run)) as counted,
    ):
        [made] = checked(page(asked, jobs=jobs, should_stop=interrupt.is_requested) for _ in "1")
    if not made:
        stop("interrupted before the first game was over: no page was written")
    write_out(made, out, force=force)
    if interrupt.requested:
        stop(f"{counted.interrupted()}: the page is about those")
