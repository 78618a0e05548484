"""`croupier compare`: two rulesets, variants, parameters or bots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.completion import complete_bots, complete_names, complete_settings
from croupier.cli.console import data, document, usage
from croupier.cli.forecast import duration
from croupier.cli.lab import (
    Formats,
    Jobs,
    Measures,
    Shown,
    cells_of,
    checked,
    cost_of,
    counted_games,
    figure,
    games_option,
    grid,
    interrupted_after,
    interval,
    methods_of,
    page_facts,
    run_of,
    stop,
    words,
)
from croupier.cli.options import (
    MAX_GAMES,
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
    from croupier.lab.bounds import Bounds
    from croupier.lab.compare import Comparison, Line
    from croupier.lab.plan import Plan
    from croupier.lab.workers import RunConfig

TOLD_FROM = 100  # pairs from which on it is told how many more are needed
LEAST = 0.0001  # probability that is printed

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
Fixed = Annotated[
    int | None,
    typer.Option(
        "--fixed",
        metavar="N",
        min=1,
        max=MAX_GAMES,
        help="Play N pairs of games, as planned, and test them when all are over: finds smaller differences, "
        "but may not be watched.",
        show_default=False,
    ),
]
Planned = Annotated[
    str | None,
    typer.Option(
        "--plan",
        metavar="P%",
        help="Play a few games, and say how many pairs show a difference of P % and how long they take.",
        show_default=False,
    ),
]
Bounded = Annotated[
    list[str] | None,
    typer.Option(
        "--bounds",
        metavar="MEASURE=LOW..HIGH",
        help="Declare that a measure (`decisions`, `margin`, an expression, with --against `paid`) lies from "
        "LOW to HIGH; repeat the option for several.",
        show_default=False,
    ),
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
    fixed: Fixed = None,
    plan: Planned = None,
    bounds: Bounded = None,
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
    The mean of a measure has one if the rules, or --bounds, say from where to where it goes.

    With --fixed the number of games is planned, and ordinary tests are made at the end. --plan 5% says before
    how many games show a difference of 5 games of a hundred, or of 5 % of any other measure, and how long
    they take.

    Exit code: 0 done, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier compare my_game my_game/short_game --games 20
      croupier compare my_game --set-b hand_size=5 --games 20
      croupier compare my_game --variant short_game --games 20
      croupier compare my_game --bots flat:1 --against flat:2 --games 1
      croupier compare my_game my_game/short_game --plan 5%
      croupier compare my_game my_game/short_game --fixed 20
    """
    from croupier.lab.compare import Comparison, compare_bots, compare_rules
    from croupier.lab.page_frame import half
    from croupier.lab.plan import Plan, pilot, planned_lines
    from croupier.lab.workers import last_of, players_of, side_of
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
        _check_bot(against, one)
    sought = None if plan is None else _part_of(plan)
    if fixed is not None:
        _check_fixed(sought is not None)
        games = fixed
    if sought is not None and format is Formats.HTML:
        usage("is not told as a page: leave out --format html", "--plan")
    declared = _declared(bounds)
    each = 2 if against is None else players_of(one)
    cost = cost_of(one if against is None else one.with_bots((*one.setup.bots, against)))
    with (
        Interrupt() as interrupt,
        counted_games(games * each if sought is None else None, cost) as counted,
    ):
        if against is not None:
            other = one.with_bots((against, *one.setup.bots * (players_of(one) - 1)))
            sides = [f"A is {one.setup.bots[0]}, B is {against}: {described(one, with_bots=False)}"]
            ask = partial(compare_bots, one, one.setup.bots[0], against)
        else:
            source = b or run_of(name, variant, players, seed, set, bots, backend.value).source
            other = replace(
                one,
                source=source,
                setup=replace(one.setup, parameters={**one.setup.parameters, **settings(set_b)}),
            )
            sides = [f"A is {described(one)}", f"B is {described(other)}"]
            ask = partial(compare_rules, one, other)
        planned, should_stop = fixed is not None, interrupt.is_requested
        found = ask(games, jobs=jobs, should_stop=should_stop, planned=planned, declared=declared)
        seconds = 0.0
        if sought is None:
            played = last_of(checked(found))
        else:
            played, seconds = pilot(checked(found))
    kind = "rules" if against is None else "bots"
    last = played or Comparison(kind, players_of(one), [], is_planned=planned)
    if last.is_planned:
        last.test()  # it may take longer than Ctrl-C waits for a step
    made = None if sought is None else Plan(sought, planned_lines(last, sought), last.pairs, seconds)
    if not last.pairs and interrupt.requested and format is not Formats.JSON:
        stop(
            f"interrupted before the first {'pair' if against is None else 'turn'} of games was over: "
            f"nothing was compared"
        )
    pairs = "pairs of games" if against is None else "turns of games"
    compared = last.pairs + last.skipped
    part = half(compared, games, pairs) if made is None else ""  # a plan stops early on purpose
    if format is Formats.JSON:
        document(
            "compare",
            {
                "a": side_of(one),
                "b": side_of(other),
                "seed": one.setup.seed,
                "games": {"wanted": counted.wanted or counted.played, "played": counted.played},
                "interrupted": interrupt.requested,
                **last.to_json(),
                "plan": None if made is None else made.to_json(),
            },
        )
    elif made is not None:
        for side in sides:
            words(side)
        words("")
        show_plan(made, last, each)
    elif format is Formats.HTML:
        from croupier.lab.answers import compare_page

        _, facts, versions = page_facts(one, games)
        second = against or " ".join([b or with_variants(name, variant), *(set_b or ())])
        data(
            compare_page(
                last,
                one.setup.bots[0] if against else name,
                second,
                [name, *facts[1:]] if against else facts[1:],
                versions,
                part,
            )
        )
    else:
        for line in [part, *sides] if part else sides:
            words(line)
        words("")
        show(last, one.setup.seed)
    if interrupt.requested and made is not None:
        stop(f"interrupted after {compared:,} {pairs}: the plan goes by these")
    if interrupt.requested:
        stop(f"{interrupted_after(compared, games, pairs)} ({counted.played:,} of {games * each:,} games)")


def _check_bot(name: str, run: RunConfig) -> None:
    """Refuse an unknown bot, and one that does not suit the game."""
    from croupier.lab.workers import players_of
    from croupier.play.agents import UnknownAgent

    try:
        players_of(run.with_bots((name,)))
    except UnknownAgent as error:
        usage(str(error), "--against")


def described(run: RunConfig, *, with_bots: bool = True) -> str:
    """One side of the comparison in words: title, players, parameters that were set, bots."""
    from croupier.lab.workers import load_ruleset, players_of

    settings = [f"{name}={value}" for name, value in run.setup.parameters.items()]
    bots = [f"bots {', '.join(dict.fromkeys(run.setup.bots))}"] if with_bots else []
    return ", ".join([load_ruleset(run.source).title, f"{players_of(run)} players", *settings, *bots])


def _part_of(text: str) -> float:
    """Return the part of 1 that a share like `5%` is."""
    found = text.strip().removesuffix("%").strip()
    try:
        part = float(found) / 100
    except ValueError:
        part = 0.0
    if not 0 < part < 1:
        usage(f"`{text}` is no difference: write `5%`", "--plan")
    return part


def _check_fixed(has_plan: bool) -> None:
    """Refuse a planned comparison that cannot be made."""
    if has_plan:
        usage("goes alone: it says which N to give to --fixed", "--plan")
    if find_spec("scipy") is None:
        usage("needs SciPy: pip install 'croupier[lab]'", "--fixed")


def _declared(bounds: list[str] | None) -> dict[str, Bounds]:
    """Return the declared bounds of measures by name."""
    from croupier.lab.bounds import declared_bounds

    try:
        return dict(declared_bounds(text) for text in bounds or ())
    except ValueError as error:
        usage(str(error), "--bounds")


def show(found: Comparison, seed: int) -> None:
    """Print the table of the comparison: a line for each measure, with its verdict."""
    lines = []
    for line in found.lines:
        chance = [_chance(line)] if found.is_planned else []
        lines.append([line.name, *cells_of(line), *chance, line.verdict()])
    heading = ["p"] if found.is_planned else []
    grid(("measure", "A", "B", "B - A", "95 % interval", *heading, "verdict"), lines, has_words=True)
    of, what = _counted(found)
    words(f"\n{found.pairs:,} {of} of games, {what} · seed {seed}")
    methods = methods_of(line.difference for line in found.lines)
    known = f": {methods}" if methods else ""
    if found.is_planned:
        words(f"planned: intervals hold all at once, with 95 %{known}")
        words("p is corrected for all measures (Holm)")
    else:
        words(f"intervals hold all at once, at all times, with 95 %{known}")
    for line in found.lines:
        texts = list(_below(line, of))
        if len(texts) == 1:
            words(f"{line.name}: {texts[0]}")
        elif texts:
            words("\n".join([f"{line.name}:", *(f"  {text}" for text in texts)]))
    if found.skipped:
        words(f"{found.skipped:,} were left out, because a game did not finish")


def _chance(line: Line) -> str:
    if line.probability is None:
        return "–"
    return f"{line.probability:.2g}" if line.probability >= LEAST else f"below {LEAST}"


def _counted(found: Comparison) -> tuple[str, str]:
    """Return what is counted, pairs or turns of games, and what one of them is."""
    if found.kind == "bots":
        return "turns", "each with B in every seat on one seed"
    return "pairs", "each by the rules of A and of B"


def _below(line: Line, of: str) -> Iterator[str]:
    """Yield what is said of a measure below the table: how often B has more, and how many pairs or turns
    (`of`) are missing.
    """
    often = line.more_often
    if often is not None and often.n and not line.is_found and any(a != b for a, b in line.pairs):
        more, less = (sum(n for x, n in line.differences.items() if sign * x > 0) for sign in (1, -1))
        yield (
            f"B has more in {more / often.n:.1%} of the {of}, less in {less / often.n:.1%} "
            f"(difference {interval(often, True)})"
        )
    if line.bounds is None and not line.is_planned and any(a != b for a, b in line.pairs):
        yield "nothing bounds its mean: say from where to where it goes with --bounds"
    need = line.needed()
    if need is None or line.difference.n < TOLD_FROM:
        return
    if line.bounds is None:
        shown = f"a difference of {figure(need.difference, True)} in how often B has more"
    else:
        shown = f"a difference of {figure(need.difference, line.is_share)}, if it is that large"
    yield f"some {need.numbers:,} more {of} would show {shown}"


def show_plan(plan: Plan, found: Comparison, each: int) -> None:
    """Print how many pairs of games show a difference of each measure, and how long they take."""
    from croupier.lab.plan import POWER

    lines = []
    for line in plan.lines:
        shown = "–" if line.difference is None else figure(line.difference, line.is_share)
        cells = [line.name, shown]
        for pairs in (line.planned, line.watched):
            cells += ["–", "–"] if pairs is None else [f"{pairs:,}", _time(pairs * plan.seconds)]
        lines.append(cells)
    grid(("measure", "difference", "--fixed", "takes", "watched", "takes"), lines)
    of, _ = _counted(found)
    words(f"\n{of} of games, {each} games each, by {plan.pairs:,} that were played")
    words(f"--fixed: so many {of} find such a difference in {POWER:.0%} of comparisons")
    words("watched: after about so many the interval leaves 0")
    if any(None in (line.planned, line.watched) for line in plan.lines):
        words("–: the games that were played do not tell, or nothing bounds the measure")


def _time(seconds: float) -> str:
    return duration(max(1.0, seconds))
