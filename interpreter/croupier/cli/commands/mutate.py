"""`croupier mutate`: which changes of the rules no scenario notices."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.console import document, draw, finish, progress, say
from croupier.cli.guard import FINDINGS, INTERRUPTED
from croupier.cli.options import Format, Human, Name, Variants, with_variants

app = typer.Typer(add_completion=False)

Sample = Annotated[int | None, typer.Option("--sample", "-n", metavar="N", min=1, help="Try only N mutants.", show_default="all")]
Seed = Annotated[int, typer.Option("--seed", "-s", metavar="S", help="Decides which are sampled.")]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", metavar="J", min=1, max=256, help="How many processes.", show_default="one a core")]
Least = Annotated[float, typer.Option("--at-least", metavar="PERCENT", min=0, max=100, help="Exit with 1 below this score.")]


@app.command()
def mutate(
    name: Name,
    variant: Variants = None,
    sample: Sample = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    at_least: Least = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if any mutant survives.")] = False,
    format: Human = Format.HUMAN,
) -> None:
    """Change one clause of the rules at a time and show which changes no scenario notices.

    The operators are fixed and printed. Only scenarios that execute the clause run, until one fails: then the mutant is killed. Mutants
    that `check` refuses, or that mean the same as before, do not count. A mutant that no game can tell from the rules is listed,
    with its id and the reason, in a file `mutants.csv` (id,operator,clause,reason) beside the ruleset; at most 5 % may be
    (of all: with --sample that is not judged).
    The score is killed / (all - listed). Of a variant only its own file is changed.
    The reference evaluator plays them, because it tells which scenarios execute a clause, so there is no --backend.

    Exit code: 0, or 1 if the score is below --at-least, the list is wrong or (with --strict) anything survives; 2 not possible as
    asked, 130 interrupted.

    \b
    Examples:
      croupier mutate my_game
      croupier mutate my_game --sample 20 --seed 1 --jobs 1
      croupier mutate my_game --at-least 90 --format json
    """
    name = with_variants(name, variant)
    from croupier.authoring.mutate import Plan
    from croupier.authoring.mutate import mutate as try_all
    from croupier.play.interrupt import Interrupt

    with Interrupt() as interrupt, progress("mutants") as bar:
        found = try_all(name, Plan(sample, seed, jobs), interrupt.is_requested, bar.set)
    if format is Format.JSON:
        document(found.to_json())
    else:
        from croupier.cli.views.mutation import heading, operators, survivors

        draw(heading(found))
        draw(operators(found))
        draw(survivors(found))
    if interrupt.requested:
        say(f"interrupted after {len(found.mutants)} mutants")
        finish(INTERRUPTED)
    wrong = found.stale or found.killed_though_listed or found.too_many_equivalents
    finish(FINDINGS if wrong or 100 * found.score < at_least or (strict and found.of("survived")) else 0)
