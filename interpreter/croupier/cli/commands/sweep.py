"""`croupier sweep`: a parameter over its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.completion import complete_settings
from croupier.cli.console import data, document, finish, usage
from croupier.cli.guard import FINDINGS
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
    methods_of,
    page_facts,
    run_of,
    stop,
    value,
    words,
)
from croupier.cli.options import Backend, Backends, Bots, Name, Players, Quiet, Seed, Variants
from croupier.cli.views.game import plural

if TYPE_CHECKING:
    from croupier.diagnostics import JsonObject
    from croupier.lab.sweep import Sweep
    from croupier.lab.workers import RunConfig

_GRID = (
    "Try these values of parameter K: `2..11`, `2..20 by 3`, or `2,5,9`; a single value sets it; "
    "repeat the option for several parameters."
)
Grid = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="K=A..B", help=_GRID, autocompletion=complete_settings, show_default=False),
]
_TARGET = "Look for the value that meets this: `seat 1 wins 50 %`, `decisions 30`."
Wanted = Annotated[str | None, typer.Option("--target", metavar="TEXT", help=_TARGET, show_default=False)]
Measure = Annotated[
    str | None,
    typer.Option(
        "--measure",
        metavar="M",
        help="Measure M in each game.",
        show_default="that of the target, or player 1's wins",
    ),
]
Played = Annotated[int, games_option("Play N games with each value.")]


def sweep(
    name: Name,
    variant: Variants = None,
    set: Grid = None,
    target: Wanted = None,
    measure: Measure = None,
    games: Played = 1000,
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    bots: Bots = "random",
    backend: Backend = Backends.AUTO,
    quiet: Quiet = False,
    format: Shown = Formats.HUMAN,
) -> None:
    """Play the game with each value of a parameter, show what changes, and find the value that meets a
    target.

    Two parameters give a table of all combinations. Each value plays the same seeds.

    A measure is `wins of player 1` (or of another player), `ties and games without a winner`, `decisions`,
    `margin` (the best score less the next one), or an expression of the rule language, which is evaluated at
    the end of each game.

    Exit code: 0 done, 1 no value meets the target, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier sweep my_game --set hand_size=3..5 --target "seat 1 wins 50 %"
      croupier sweep my_game --set hand_size=3,5 --measure decisions
    """
    from croupier.lab import sweep as lab
    from croupier.lab.compare import WINS
    from croupier.lab.names import of_player
    from croupier.lab.page_frame import half
    from croupier.lab.workers import last_of
    from croupier.play.interrupt import Interrupt

    chosen: dict[str, list[str]] = {}
    try:
        for text in set or ():
            key, sign, values = text.partition("=")
            if not sign or not lab.values_of(values):
                usage(f"`{text}` is not of the form name=2..11 or name=a,b", "--set")
            if key.strip() in chosen:
                usage(f"`{key.strip()}` is swept twice", "--set")
            chosen[key.strip()] = lab.values_of(values)
        aim = None if target is None else lab.target_of(target)
    except ValueError as error:
        usage(str(error), "--set or --target")
    if not chosen:
        usage("say which parameter to sweep: --set name=2..11", "--set")
    fixed = [f"{key}={values[0]}" for key, values in chosen.items() if len(values) == 1]
    swept = {key: values for key, values in chosen.items() if len(values) > 1} or chosen
    typed = measure or (aim.measure if aim is not None else of_player(WINS, 0))
    if measure is not None and aim is not None and measure != aim.measure:
        usage(f"`{measure}` is measured, but the target is one of `{aim.measure}`", "--measure")
    built_in = lab.built_in(typed)
    shown = built_in or typed
    run = run_of(
        name,
        variant,
        players,
        seed,
        fixed if swept is not chosen else None,
        bots,
        backend.value,
        (shown,) if built_in is None else (),
    )
    option = "--measure" if measure or aim is None else "--target"
    points = prod(map(len, swept.values()))
    with (
        Interrupt() as interrupt,
        counted_games(points * games, cost_of(run)) as counted,
    ):
        looks = lab.sweep(run, swept, shown, games, target=aim, jobs=jobs, should_stop=interrupt.is_requested)
        found = last_of(checked(looks, option)) or lab.Sweep(tuple(swept), shown, aim)
    if interrupt.requested and not found.points and format is not Formats.JSON:
        stop(f"{counted.interrupted()}: nothing is known of the {points} values")
    part = half(counted.played, points * games)
    if format is Formats.JSON:
        at_first = _at(run, {name: values[0] for name, values in swept.items()})
        header = header_of(at_first, points * games, counted.played, interrupt.requested)
        for name in swept:
            del header["parameters"][name]
        document("sweep", {**header, **_typed(found, run)})
    elif format is Formats.HTML:
        from croupier.lab.answers import sweep_page

        title, facts, made = page_facts(run, games)
        facts = [f"{facts[0]} with each value", *facts[1:]]
        if part:
            facts.append(f"{len(found.points)} of {points} values")
        data(sweep_page(found, title, facts, made, part))
    else:
        if part:
            words(part)
        _show(found, games, run.setup.seed, is_whole=not interrupt.requested)
    if interrupt.requested:
        last_games = found.points[-1].games if found.points else 0
        stop(
            f"{counted.interrupted()}: {len(found.points)} of {points} values were played, the "
            f"last one for {plural(last_games, 'game')}"
        )
    finish(0 if found.is_met else FINDINGS)


def _at(run: RunConfig, values: Mapping[str, str]) -> RunConfig:
    """The run with some values of parameters, as they are typed."""
    return replace(run, setup=replace(run.setup, parameters={**run.setup.parameters, **values}))


def _typed(found: Sweep, run: RunConfig) -> JsonObject:
    """The sweep as a JSON value, the values of its parameters as numbers, truths and names."""

    from croupier.lab.workers import every_parameter

    def typed(values: Sequence[str]) -> JsonObject:
        parameters = every_parameter(_at(run, dict(zip(found.names, values, strict=True))))
        return {name: parameters[name] for name in found.names}

    told = found.to_json()
    points = [{**point, "values": typed(point["values"])} for point in told["points"]]
    crossings = [
        {**crossing, "interval": [typed((end,))[found.names[0]] for end in crossing["interval"]]}
        for crossing in told["crossings"]
    ]
    fitting = [typed(values) for values in told["fitting"]]
    return {**told, "points": points, "crossings": crossings, "fitting": fitting}


def _show(found: Sweep, games: int, seed: int, *, is_whole: bool) -> None:
    """Print the table of the sweep, a line for each value, and what it says of the target: of one that is
    whole, that no value meets it, too.
    """
    from croupier.lab.sweep import target_words

    share = found.is_share
    ends = [
        end
        for point in found.points
        for end in (point.estimate.value, point.estimate.low, point.estimate.high)
        if point.estimate.n and abs(end) < float("inf")
    ] or [0.0, 1.0]
    low, high = (0.0, 1.0) if share else (min(ends), max(ends))
    lines = [
        [
            *point.values,
            f"{point.estimate.n:,}",
            value(point.estimate, share),
            interval(point.estimate, share),
            bar(point.estimate, low, high),
        ]
        for point in found.points
    ]
    grid(
        (
            *found.names,
            "games",
            found.measure,
            "95 % interval",
            f"{figure(low, share)} to {figure(high, share)}",
        ),
        lines,
        left=len(found.names),
        bars_at=len(found.names) + 3,
    )
    if not found.points:
        words("\nno game was over")
        return
    count = f"{games:,}" if is_whole else f"up to {games:,}"
    words(f"\n{count} games with each value, the same seeds · seed {seed}")
    if methods := methods_of(point.estimate for point in found.points):
        words(f"intervals hold for one value at a time: {methods}")
    if skipped := sum(point.skipped for point in found.points):
        words(f"{skipped:,} were left out, because they did not finish")
    if found.target is not None:
        for line in target_words(found, lambda target: figure(target, share), is_whole=is_whole):
            words(line)
