"""`croupier ablate`: the worth of options and variants."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from croupier.cli.console import data, document, say, usage
from croupier.cli.lab import (
    Formats,
    Jobs,
    Shown,
    bar,
    cells_of,
    checked,
    cost_of,
    counted_games,
    figure,
    games_option,
    grid,
    header_of,
    interrupted_after,
    interval,
    methods_of,
    page_facts,
    run_of,
    stop,
    words,
)
from croupier.cli.options import Backend, Backends, Bots, Name, Players, Quiet, Seed, Settings
from croupier.diagnostics import JsonObject

if TYPE_CHECKING:
    from croupier.lab.compare import Comparison
    from croupier.lab.option_worth import OptionUse, OptionWorth
    from croupier.lab.workers import RunConfig


Variants = Annotated[
    bool,
    typer.Option(
        "--variants", help="Measure the variants that come with the ruleset instead of its options."
    ),
]
Most = Annotated[
    int, typer.Option("--most", metavar="K", min=1, help="Measure the K options that are offered most often.")
]
Only = Annotated[
    str,
    typer.Option(
        "--only", metavar="WORDS", help="Measure only options whose words match; `*` stands for any words."
    ),
]
Played = Annotated[
    int, games_option("Play N games for each option in each seat, or N pairs of games for each variant.")
]


def ablate(
    name: Name,
    variants: Variants = False,
    only: Only = "*",
    most: Most = 8,
    games: Played = 200,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    set: Settings = None,
    bots: Bots = "random",
    backend: Backend = Backends.AUTO,
    quiet: Quiet = False,
    format: Shown = Formats.HUMAN,
) -> None:
    """Show what each option is worth: what a player loses who never takes it, among players who may.

    Or show what each variant changes.

    Croupier first plays --games games to see which options there are. Then, for each option, a player who
    never takes it sits among players who may, in every seat in turn, on --games seeds. With --variants it
    plays --games pairs of games: without the variant, and with it.

    The table also shows how often players win who take the option. That alone proves little: perhaps only
    players who are ahead can take it. Random bots use an option badly; --bots flat:20 shows more of its
    worth.

    Exit code: 0 done, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier ablate my_game --only "*1*" --games 10
      croupier ablate my_game --bots flat:1 --most 1 --games 2
      croupier ablate my_game --variants
    """
    from croupier.lab import compare as lab
    from croupier.lab.option_worth import observe_options, option_worths
    from croupier.lab.page_frame import half
    from croupier.lab.workers import players_of
    from croupier.play.interrupt import Interrupt

    run = run_of(name, None, players, seed, set, bots, backend.value)
    if len(run.setup.bots) != 1:
        usage("takes one bot here, which plays all seats", "--bots")
    found: list[OptionWorth] = []
    compared: list[tuple[str, Comparison]] = []
    offered: list[OptionUse] = []
    counts = []
    with Interrupt() as interrupt:
        if variants:
            names = _variants_of(name)
            with counted_games(2 * games * len(names), cost_of(run)) as counted:
                counts.append(counted)
                compared += checked(
                    lab.compare_variants(run, names, games, jobs=jobs, should_stop=interrupt.is_requested)
                )
        else:
            options = (
                observe_options(run, games, jobs=jobs, should_stop=interrupt.is_requested) for _ in "1"
            )
            what = "games, to see which options there are"
            with counted_games(games, cost_of(run), what=what) as counted:
                counts.append(counted)
                met = [option for taken in checked(options) for option in taken]
            offered = [option for option in met if fnmatchcase(option.words.casefold(), only.casefold())][
                :most
            ]
            if not offered and not interrupt.requested:
                _refuse(only, met)
            wanted = games * players_of(run) * len(offered)
            with counted_games(wanted, cost_of(run)) as counted:
                counts.append(counted)
                asked = [option.words for option in offered]
                found += checked(
                    option_worths(run, asked, games, jobs=jobs, should_stop=interrupt.is_requested)
                )
    wanted, played = sum(one.wanted or 0 for one in counts), sum(one.played for one in counts)
    part = half(played, wanted)
    if format is Formats.JSON:
        header = header_of(run, wanted, played, interrupt.requested)
        document(
            "ablate", {**header, "options": _options(offered, found), "variants": _compared(run, compared)}
        )
    elif interrupt.requested and not (found or compared or offered):
        stop(
            "interrupted before anything was compared: nothing is known of what options and variants are "
            "worth"
        )
    elif format is Formats.HTML:
        from croupier.lab.answers import options_page, variants_page

        title, facts, made = page_facts(run, games)
        each = [f"{facts[0]} in each seat", *facts[1:]]
        if part:
            each.append(f"the worth of {len(found)} of {len(offered)} options, of the last not by all games")
            facts.append(f"{len(compared)} of {len(names) if variants else 0} variants")
        data(
            variants_page(compared, title, facts, made, part)
            if variants
            else options_page(offered, found, title, each, made, part)
        )
    elif variants:
        if part:
            words(part)
        if names:
            _show_variants(compared, run.setup.seed)
    else:
        if part:
            words(part)
        _show(offered, found, games, run.setup.seed, is_whole=not interrupt.requested)
    if interrupt.requested:
        measured = (
            f"{len(compared)} of {len(names)} variants were compared"
            if variants
            else f"{len(found)} of {len(offered)} options were measured"
        )
        stopped = interrupted_after(played, wanted)
        stop(f"{stopped}: {measured}; what stands there is of the games that were over")


def _refuse(only: str, met: list[OptionUse]) -> NoReturn:
    """Refuse an `--only` that matches no option; list the options."""
    some = ", ".join(f"`{option.words}`" for option in met[:5])
    usage(
        f"no option matches `{only}`; the most frequent ones are {some}"
        if met
        else "no player ever had two options",
        "--only",
    )


def _variants_of(name: str) -> list[str]:
    from croupier.resources import shipped

    found = [other for other in shipped() if other.startswith(f"{name}/")]
    if not found:
        say(f"no variants come with `{name}`")
    return found


def _options(offered: list[OptionUse], found: list[OptionWorth]) -> list[JsonObject]:
    """The options as JSON values, with what those are worth that were measured."""
    worth = {one.words: one.to_json() for one in found}
    unmeasured: JsonObject = {"worth": None, "turns": None}
    return [{**option.to_json(), **worth.get(option.words, unmeasured)} for option in offered]


def _compared(run: RunConfig, compared: list[tuple[str, Comparison]]) -> list[JsonObject]:
    """The comparisons with variants as JSON values, each with both of its sides."""
    from croupier.lab.workers import side_of

    return [
        {"variant": variant, "a": side_of(run), "b": side_of(replace(run, source=variant)), **found.to_json()}
        for variant, found in compared
    ]


def _show(
    offered: list[OptionUse], found: list[OptionWorth], games: int, seed: int, *, is_whole: bool
) -> None:
    """Print the table of options: how often each is taken, who wins with it, and what it is worth."""
    worth = {one.words: one for one in found}
    widest = max((max(abs(one.estimate.low), abs(one.estimate.high)) for one in found), default=0.1)
    lines = []
    for option in offered:
        one = worth.get(option.words)
        figures = [
            interval(option.taken_share, True),
            interval(option.wins_taken, True),
            interval(option.wins_left, True),
        ]
        rest = ["", "", ""]
        if one is not None:
            worth_bar = bar(one.estimate, -widest, widest)
            rest = [figure(one.estimate.value, True), interval(one.estimate, True), worth_bar]
        lines.append([option.words, *figures, *rest])
    grid(
        (
            "option",
            "taken",
            "wins if taken",
            "wins if not",
            "worth",
            "95 % interval",
            f"{-widest:.0%} to {widest:.0%}",
        ),
        lines,
        bars_at=6,
    )
    words(
        f"\n{games:,} games in each seat{'' if is_whole else ' were wanted'} · worth: the share of the "
        f"wins that a player lacks who never takes it · seed {seed}"
    )
    words(
        "taken, wins if taken, and if not: Wilson's 95 % intervals, clustered by game, one option at a time"
    )
    if found:
        methods = methods_of(one.estimate for one in found)
        words(f"intervals of worth hold all at once, at all times, with 95 %: {methods}")


def _show_variants(compared: list[tuple[str, Comparison]], seed: int) -> None:
    lines = []
    for variant, found in compared:
        for line in found.lines:
            if line.is_found:
                lines.append([variant, line.name, *cells_of(line)])
        if not any(line.is_found for line in found.lines):
            lines.append([variant, "none was found to differ", "", "", "", ""])
    grid(("variant", "measure", "without", "with", "difference", "95 % interval"), lines, left=2)
    methods = methods_of(line.difference for _, found in compared for line in found.lines)
    pairs = ", ".join(f"{found.pairs:,} with {variant}" for variant, found in compared)
    words(f"\npairs of games: {pairs} · seed {seed}")
    words(f"intervals hold for all measures of all variants at once, with 95 %: {methods}")
