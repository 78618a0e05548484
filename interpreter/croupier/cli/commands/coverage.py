"""`croupier coverage`: which parts of a ruleset are executed, and which never are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import document_text, draw, finish, progress, say
from croupier.cli.forecast import Cost
from croupier.cli.guard import FINDINGS
from croupier.cli.lab import Formats, interrupted_after, stop
from croupier.cli.options import (
    MAX_GAMES,
    Force,
    Name,
    Out,
    Quiet,
    Seed,
    Settings,
    SomePlayers,
    Variants,
    check_output,
    new_seed,
    settings,
    write_out,
)
from croupier.cli.variants import with_variants
from croupier.cli.views.coverage import heading, never, totals
from croupier.cli.views.game import plural

if TYPE_CHECKING:
    from croupier.authoring.coverage.games import CoveragePlan
    from croupier.authoring.coverage.results import Coverage


def coverage(
    name: Name,
    variant: Variants = None,
    games: Annotated[
        int, typer.Option("--games", "-n", metavar="N", min=0, max=MAX_GAMES, help="Play N random games.")
    ] = 100,
    players: SomePlayers = None,
    seed: Seed = None,
    set: Settings = None,
    vary: Annotated[
        bool, typer.Option("--vary", help="Play each game with other values of the parameters.")
    ] = False,
    scenarios: Annotated[
        bool,
        typer.Option("--scenarios/--no-scenarios", help="Also run the scenarios, and count what they reach."),
    ] = True,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if anything never happens.")] = False,
    quiet: Quiet = False,
    format: Annotated[
        Formats,
        typer.Option(
            "--format", "-f", help="Print for people, JSON for programs, or an HTML page of the source."
        ),
    ] = Formats.HUMAN,
    out: Out = None,
    force: Force = False,
) -> None:
    """Show which rules, statements, branches, cards, options and parameter values never happen in random
    games and the scenarios.

    A branch is one way through a condition, a case or a choice. A card is covered when its power runs; an
    option, when a player takes it. The page of --format html shows the source and colours each line by how
    often it ran. There is no --backend: the reference evaluator counts.

    Exit code: 0 done, 1 a scenario failed, a game did not finish or (with --strict) anything never happened,
    2 refused, 130 interrupted.

    \b
    Examples:
      croupier coverage my_game
      croupier coverage my_game --games 20 --vary --seed 1
      croupier coverage my_game --games 20 --format html --out coverage.html
      croupier coverage my_game --no-scenarios --games 20 --format json
    """
    name = with_variants(name, variant)
    from croupier.authoring.coverage.games import CoveragePlan
    from croupier.authoring.coverage.measure import measure
    from croupier.play.interrupt import Interrupt

    plan = CoveragePlan(games, players, settings(set), new_seed(seed), vary, scenarios)
    if out is not None:
        check_output(out, name, force=force)
    counted = "games and scenarios" if scenarios else "games"
    with Interrupt() as interrupt, progress(counted, cost=Cost()) as bar:
        found = measure(name, plan, interrupt.is_requested, bar.set)
    if interrupt.requested and not found.games and not found.scenarios and format is not Formats.JSON:
        stop("interrupted after 0 games and 0 scenarios: nothing is known of what never happens")
    _write(found, plan, name, interrupt.requested, format, out, force)
    if not vary and any(value.name and not value.count for value in found.values):
        say("the random games keep the parameters as they are: `--vary` gives each game values of its own")
    if interrupt.requested:
        stop(_interrupted(found, plan))
    unfinished = any(status != "finished" for status in found.statuses)
    finish(FINDINGS if found.failed or unfinished or (strict and not found.complete) else 0)


def _interrupted(found: Coverage, plan: CoveragePlan) -> str:
    """Return the words for a run that was interrupted."""
    return f"{interrupted_after(found.games, plan.games)} and {plural(found.scenarios, 'scenario')}"


def _document(found: Coverage, plan: CoveragePlan, name: str, interrupted: bool) -> str:
    """The report for programs."""
    import croupier
    from croupier.cli.headers import given_parameters, rules_of

    ruleset, told = croupier.load(name), found.to_json()
    stopped = [
        {**game, "parameters": given_parameters(ruleset, game["players"], game["parameters"])}
        for game in told["stopped"]
    ]
    played = {
        "players": plan.players,
        "games": {"wanted": plan.games, "played": found.games},
        "interrupted": interrupted,
    }
    return document_text(
        "coverage", {**rules_of(ruleset, plan.players, plan.parameters), **played, **told, "stopped": stopped}
    )


def _part(found: Coverage, plan: CoveragePlan) -> str:
    """What the head of an interrupted report says: how many games there are of how many."""
    from croupier.lab.page_frame import half

    return half(found.games, plan.games) or f"half: all games, {plural(found.scenarios, 'scenario')}"


def _write(
    found: Coverage,
    plan: CoveragePlan,
    name: str,
    interrupted: bool,
    format: Formats,
    out: Path | None,
    force: bool,
) -> None:
    part = _part(found, plan) if interrupted else ""
    if format is Formats.HUMAN and out is None:
        if part:
            draw(part)
        draw(heading(found))
        draw(totals(found))
        draw(never(found, is_whole=not interrupted))
        return
    if format is Formats.HTML:
        from croupier.authoring.coverage.page import html_page

        text = html_page(found, part)
    elif format is Formats.JSON:
        text = _document(found, plan, name, interrupted)
    else:
        counts = "".join(f"{what}: {have} of {of}\n" for what, have, of in found.totals() if of)
        head = f"{part}\n{heading(found)}" if part else heading(found)
        text = f"{head}\n{counts}{never(found, is_whole=not interrupted)}"
    write_out(text, out, force=force)
