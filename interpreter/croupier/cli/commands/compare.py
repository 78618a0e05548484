"""`croupier compare`: two rulesets, variants, parameters or bots."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.completion import complete_bots, complete_names, complete_settings
from croupier.cli.console import data, document, finish, progress, say, usage
from croupier.cli.guard import INTERRUPTED
from croupier.cli.lab import (
    CountedGames,
    Formats,
    Jobs,
    Measures,
    Shown,
    cells_of,
    checked,
    cost_of,
    figure,
    games_option,
    grid,
    page_facts,
    run_of,
    side_of,
    words,
)
from croupier.cli.options import (
    Backend,
    Backends,
    Bots,
    Name,
    Players,
    Quiet,
    Seed,
    Settings,
    Variants,
    settings,
)
from croupier.cli.variants import with_variants

if TYPE_CHECKING:
    from croupier.lab.compare import Comparison
    from croupier.lab.workers import RunConfig


Other = Annotated[
    str | None,
    typer.Argument(
        metavar="B", help="The other ruleset.", autocompletion=complete_names, show_default="NAME"
    ),
]
OtherSet = Annotated[
    list[str] | None,
    typer.Option(
        "--set-b",
        metavar="K=V",
        help="Set parameter K of B to V; repeat the option to set several.",
        autocompletion=complete_settings,
        show_default=False,
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="BOT",
        help="Compare two bots: A is the bot of --bots, B is this one.",
        autocompletion=complete_bots,
        show_default=False,
    ),
]
Played = Annotated[
    int, games_option("Play N pairs of games, one for each side; with --against, N games in each seat.")
]


def compare(
    name: Name,
    b: Other = None,
    variant: Variants = None,
    against: Against = None,
    games: Played = 1000,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    set: Settings = None,
    set_b: OtherSet = None,
    bots: Bots = "random",
    measure: Measures = None,
    backend: Backend = Backends.AUTO,
    quiet: Quiet = False,
    format: Shown = Formats.HUMAN,
) -> None:
    """Compare two rulesets, variants, parameters or bots on the same seeds: what differs, by how much, and
    how sure that is.

    A is the ruleset NAME with the parameters of --set. B is another ruleset, or NAME with --variant or
    --set-b. Both sides play the same seeds. With --against two bots play under one set of rules: bot B sits
    among bots A, in every seat in turn.

    Each difference has an interval that holds at all times (a confidence sequence): you may stop with Ctrl-C
    whenever you have seen enough. All intervals of the table hold together in at least 95 % of comparisons.

    Exit code: 0 done, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier compare my_game my_game/short_game --games 20
      croupier compare my_game --set-b hand_size=5 --games 20
      croupier compare my_game --variant short_game --games 20
      croupier compare my_game --bots flat:1 --against flat:2 --games 1
    """
    from croupier.lab.compare import Comparison, compare_bots, compare_rules
    from croupier.lab.page_frame import half
    from croupier.lab.workers import players_of, report_progress
    from croupier.play.interrupt import Interrupt

    one = run_of(name, None, players, seed, set, bots, backend.value, measure)
    if against is not None:
        if b is not None or set_b or variant or len(one.setup.bots) != 1:
            usage(
                "compares two bots under one set of rules: give one bot in --bots, and no B, --set-b or "
                "--variant",
                "--against",
            )
    elif b is None and not set_b and not variant:
        usage("say what to compare with: another ruleset, --variant, --set-b or --against", "B")
    if b is not None and variant:
        usage("does not go with B: it names a variant of NAME", "--variant")
    if against is not None:
        _check_bot(against)
    each = 2 if against is None else players_of(one)
    cost = cost_of(one if against is None else one.with_bots((*one.setup.bots, against)))
    with (
        Interrupt() as interrupt,
        progress("games", games * each, cost) as bar,
        report_progress((counted := CountedGames(bar)).advance),
    ):
        if against is not None:
            other = one.with_bots((against, *one.setup.bots * (players_of(one) - 1)))
            sides = [f"A is {one.setup.bots[0]}, B is {against}: {described(one, with_bots=False)}"]
            found = compare_bots(
                one, one.setup.bots[0], against, games, jobs=jobs, should_stop=interrupt.is_requested
            )
        else:
            source = b or run_of(name, variant, players, seed, set, bots, backend.value).source
            other = replace(
                one,
                source=source,
                setup=replace(one.setup, parameters={**one.setup.parameters, **settings(set_b)}),
            )
            sides = [f"A is {described(one)}", f"B is {described(other)}"]
            found = compare_rules(one, other, games, jobs=jobs, should_stop=interrupt.is_requested)
        looks = deque(checked(found), maxlen=1)
    kind = "rules" if against is None else "bots"
    last = looks[0] if looks else Comparison(kind, players_of(one), [])
    if not last.pairs and interrupt.requested and format is not Formats.JSON:
        say(
            f"interrupted before the first {'pair' if against is None else 'turn'} of games was over: "
            f"nothing was compared"
        )
        finish(INTERRUPTED)
    pairs = "pairs of games" if against is None else "turns of games"
    part = half(last.pairs + last.skipped, games, pairs)
    if format is Formats.JSON:
        document(
            "compare",
            {
                "a": side_of(one),
                "b": side_of(other),
                "seed": one.setup.seed,
                "games": counted.to_json(games * each),
                "interrupted": interrupt.requested,
                **last.to_json(),
            },
        )
    elif format is Formats.HTML:
        from croupier.lab.answers import compare_page

        _, facts, made = page_facts(one, games)
        second = against or " ".join([b or with_variants(name, variant), *(set_b or ())])
        data(
            compare_page(
                last,
                one.setup.bots[0] if against else name,
                second,
                [name, *facts[1:]] if against else facts[1:],
                made,
                part,
            )
        )
    else:
        for line in [part, *sides] if part else sides:
            words(line)
        words("")
        show(last, one.setup.seed)
    if interrupt.requested:
        say(f"interrupted after {last.pairs + last.skipped:,} of {games:,} {pairs}")
        finish(INTERRUPTED)


def _check_bot(name: str) -> None:
    """Refuse an unknown bot."""
    from croupier.play.agents import UnknownAgent, new_agent

    try:
        new_agent(name)
    except UnknownAgent as error:
        usage(str(error), "--against")


def described(run: RunConfig, *, with_bots: bool = True) -> str:
    """One side of the comparison in words: title, players, parameters that were set, bots."""
    from croupier.lab.workers import load_ruleset, players_of

    settings = [f"{name}={value}" for name, value in run.setup.parameters.items()]
    bots = [f"bots {', '.join(dict.fromkeys(run.setup.bots))}"] if with_bots else []
    return ", ".join([load_ruleset(run.source).title, f"{players_of(run)} players", *settings, *bots])


def show(found: Comparison, seed: int) -> None:
    """Print the table of the comparison: a line for each measure, with its verdict."""
    lines = []
    for line in found.lines:
        lines.append([line.name, *cells_of(line), line.verdict()])
    grid(("measure", "A", "B", "B - A", "95 % interval", "verdict"), lines)
    methods = ", ".join(dict.fromkeys(line.difference.method for line in found.lines))
    of = "turns of" if found.kind == "bots" else "pairs of"
    one = (
        "a turn: a game with B in each seat, on one seed"
        if found.kind == "bots"
        else "a pair: a game by the rules of A, and one by those of B"
    )
    words(
        f"\n{found.pairs:,} {of} games · seed {seed} · intervals hold all at once, at all times, with 95 "
        f"%: {methods}"
    )
    words(one)
    for line in found.lines:
        needed = line.needed()
        if needed is not None and line.difference.n >= 100:
            seen = figure(line.difference.value, line.is_share)
            words(
                f"{line.name}: some {needed:,} more would show a difference of {seen}, if that is what there "
                f"is"
            )
    if found.skipped:
        words(f"{found.skipped:,} were left out, because a game did not finish")
