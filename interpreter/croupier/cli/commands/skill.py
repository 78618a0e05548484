"""`croupier skill`: how much thinking helps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, document, say, usage
from croupier.cli.lab import (
    Formats,
    Jobs,
    Shown,
    bar,
    checked,
    cost_of,
    counted_games,
    figure,
    games_option,
    grid,
    header_of,
    interval,
    page_facts,
    run_of,
    stop,
    value,
    words,
)
from croupier.cli.options import Backend, Backends, Name, Players, Quiet, Seed, Settings, Variants

if TYPE_CHECKING:
    from croupier.lab.ladder import Ladder, Rung


_FAMILY = "Use bots of this kind: `flat`, `mcts`, `mcts!` or `ismcts`."
Family = Annotated[
    str | None,
    typer.Option(
        "--bot", metavar="KIND", help=_FAMILY, show_default="mcts, or ismcts where something can be hidden"
    ),
]
_LOWEST = "Give the lowest bot a budget of N simulated games a decision."
_BY_OPTIONS = "8, or more where decisions have more options"
Lowest = Annotated[
    int | None, typer.Option("--lowest", metavar="N", min=1, help=_LOWEST, show_default=_BY_OPTIONS)
]
Rungs = Annotated[
    int,
    typer.Option("--rungs", metavar="R", min=1, max=20, help="Play R rungs; on each, the budget doubles."),
]
Played = Annotated[int, games_option("Play N games in each seat of each rung.")]


def skill(
    name: Name,
    variant: Variants = None,
    games: Played = 50,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    set: Settings = None,
    bot: Family = None,
    lowest: Lowest = None,
    rungs: Rungs = 4,
    backend: Backend = Backends.AUTO,
    quiet: Quiet = False,
    format: Shown = Formats.HUMAN,
) -> None:
    """Show how much skill the game rewards: whether a bot that thinks twice as long wins more.

    The bots form a ladder. The first decides at random; the next simulates --lowest games before each
    decision; each later one simulates twice as many. On each rung, one bot plays among bots of the rung
    below, in every seat in turn, --games games in each seat. The table says on each rung whether more
    thinking helps. Where it stops helping, the game rewards no more skill of this kind.

    Exit code: 0 done, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier skill my_game --games 1 --rungs 1 --lowest 2
      croupier skill my_game --bot flat --lowest 1 --rungs 1 --games 1
    """
    from croupier.lab.ladder import (
        INSTALL,
        Ladder,
        bots_of,
        climb,
        fitting_budget,
        fitting_family,
        has_ratings,
        work,
    )
    from croupier.lab.page_frame import half
    from croupier.lab.workers import last_of, players_of
    from croupier.play.agents import ROLLING
    from croupier.play.interrupt import Interrupt

    if bot is not None and bot not in ROLLING:
        usage(
            f"`{bot}` is not a bot for a ladder: write {', '.join(f'`{family}`' for family in ROLLING[:-1])} "
            f"or `{ROLLING[-1]}`, without a budget",
            "--bot",
        )
    run = run_of(name, variant, players, seed, set, "random", backend.value)
    bots = bots_of(bot or fitting_family(run), lowest or fitting_budget(run), rungs)
    if format is Formats.HUMAN and not has_ratings():
        say(INSTALL)
    wanted, cost = games * rungs * players_of(run), cost_of(run.with_bots(tuple(bots[-1:])))
    with (
        Interrupt() as interrupt,
        counted_games(wanted, cost, work(bots, games, players_of(run))) as counted,
    ):
        looks = climb(run, bots, games, jobs=jobs, should_stop=interrupt.is_requested)
        last = last_of(checked(looks, "--bot", bots="--bot")) or Ladder()
    if not last.rungs and format is not Formats.JSON:
        stop(f"{counted.interrupted()}: no rung is whole, so nothing is known of how much thinking helps")
    part = half(len(last.rungs), rungs, "rungs")
    if format is Formats.JSON:
        header = header_of(run, wanted, counted.played, interrupt.requested)
        document("skill", {**header, "bots": list(bots), **last.to_json()})
    elif format is Formats.HTML:
        from croupier.lab.answers import skill_page

        title, facts, made = page_facts(run.with_bots(tuple(bots)), games)
        facts = [f"{facts[0]} in each seat of each rung", *facts[2:]]
        data(skill_page(last, f"{title}: how much thinking helps", facts, made, part))
    else:
        if part:
            words(part)
        show(last, run.setup.seed)
    if interrupt.requested:
        stop(f"{counted.interrupted()}: {len(last.rungs)} of {rungs} rungs are whole")


def verdict_of(rung: Rung) -> str:
    """Say whether thinking helps on a rung."""
    if not rung.verdict.is_known:
        return "nothing known yet"
    return "helps" if rung.helps else "no help was found"


def show(found: Ladder, seed: int) -> None:
    """Print the table of the ladder: a line for each rung, from the lowest."""
    lines, pays = [], any(rung.paid for rung in found.rungs)
    for rung in found.rungs:
        line = [
            rung.upper,
            rung.lower,
            value(rung.wins, True),
            interval(rung.wins, True),
            bar(rung.wins, 0, 1),
        ]
        line += [f"{figure(rung.paid.value)} ({interval(rung.paid)})"] if rung.paid else []
        line += [verdict_of(rung)]
        if found.ratings:
            mu, sigma = found.ratings[rung.upper]
            line += [f"{mu:.1f} ± {2 * sigma:.1f}"]
        lines.append(line)
    head = ["bot", "against", "wins", "95 % interval", "0 % to 100 %"]
    if pays:
        head.append("paid")
    head.append("thinking")
    if found.ratings:
        head.append("rating")
    grid(head, lines, left=2, bars_at=4)
    equal = found.rungs[0].equal if found.rungs else 0.5
    rated = " · ratings OpenSkill, ± two deviations" if found.ratings else ""
    words(f"\nan equal would win {equal:.1%}{rated} · seed {seed}")
    paid = "; of what it is paid more than all on average: normal" if pays else ""
    words(
        f"intervals of wins: Wilson, clustered by turn (a game in each seat, on one seed){paid}; one rung "
        f"at a time"
    )
    words("that thinking helps is said where it holds for all rungs at once, with 95 %")
    words(
        f"more thought helps up to {found.top}"
        if found.top
        else "not even the first bot that thinks was found to be better than a random one"
    )
