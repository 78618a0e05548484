"""`croupier mutate`: which changes of the rules no scenario notices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import document, draw, finish, progress
from croupier.cli.guard import FINDINGS
from croupier.cli.lab import stop
from croupier.cli.options import Format, Human, Name, Quiet, Variants
from croupier.cli.variants import with_variants
from croupier.cli.views.game import plural
from croupier.diagnostics import sanitise

Sample = Annotated[
    int | None,
    typer.Option(
        "--sample", "-n", metavar="N", min=1, help="Try only N mutants, drawn at random.", show_default="all"
    ),
]
Seed = Annotated[int, typer.Option("--seed", "-s", metavar="S", help="Draw the sample from seed S.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="J",
        min=1,
        max=256,
        help="Run in J processes at the same time.",
        show_default="one for each core",
    ),
]
Least = Annotated[
    float,
    typer.Option(
        "--at-least", metavar="PERCENT", min=0, max=100, help="Exit with 1 if the score is lower than this."
    ),
]


def mutate(
    name: Name,
    variant: Variants = None,
    sample: Sample = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    at_least: Least = 0,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if any mutant survives.")] = False,
    quiet: Quiet = False,
    format: Human = Format.HUMAN,
) -> None:
    """Change one clause of the rules at a time and show which changes no scenario notices.

    A mutant is the ruleset with one clause changed. Croupier runs the scenarios that execute this clause;
    when one fails, the mutant is killed. Mutants that `check` refuses, or that mean the same as before, do
    not count. Of a variant, only its own file is changed.

    Some mutants no game can tell from the rules. List them, with id and reason, in the file `mutants.csv`
    (id,operator,clause,reason) beside the ruleset: at most 5 % of all mutants (not checked with --sample).
    The score is killed / (all - listed). There is no --backend: the reference evaluator says which scenarios
    execute a clause.

    Exit code: 0 done, 1 the score is below --at-least, the list is wrong or (with --strict) a mutant
    survives, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier mutate my_game
      croupier mutate my_game --sample 20 --seed 1 --jobs 1
      croupier mutate my_game --at-least 60 --format json
    """
    name = with_variants(name, variant)
    from croupier.authoring.mutation.mutate import MutationPlan
    from croupier.authoring.mutation.mutate import mutate as try_all
    from croupier.lab.page_frame import half
    from croupier.play.interrupt import Interrupt

    with Interrupt() as interrupt, progress("scenarios, to see what they execute") as bar:

        def show_mutants(done: int, of: int) -> None:
            bar.describe("mutants")
            bar.set(done, of)

        found = try_all(name, MutationPlan(sample, seed, jobs), interrupt.is_requested, show_mutants, bar.set)
    if format is Format.JSON:
        import croupier
        from croupier.cli.headers import rules_of

        header = {**rules_of(croupier.load(name), None, {}), "seed": seed, "interrupted": interrupt.requested}
        document("mutate", {**header, **found.to_json()})
    elif interrupt.requested and not found.mutants:
        stop("interrupted before the first mutant was tried: nothing is known of the scenarios")
    else:
        if interrupt.requested:
            wanted = found.all_mutants if sample is None else min(sample, found.all_mutants)
            draw(half(len(found.mutants), wanted, "mutants") or "half: interrupted at the last mutant")
        draw(heading(found))
        draw(operators(found))
        draw(survivors(found))
    if interrupt.requested:
        stop(f"interrupted after {plural(len(found.mutants), 'mutant')}")
    wrong = found.stale or found.killed_though_listed or found.too_many_equivalents
    finish(FINDINGS if wrong or 100 * found.score < at_least or (strict and found.of("survived")) else 0)


if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from croupier.authoring.mutation.mutants import Mutant
    from croupier.authoring.mutation.report import Mutation

_COLUMNS = ("killed", "survived", "equivalent", "refused", "unchanged")
_WIDEST = 70


def heading(found: Mutation) -> Text:
    """Return the heading: the title, the number of mutants and scenarios, and the hash of the rules."""
    from rich.text import Text

    text = Text(sanitise(found.title), style="bold")
    sampled = f" of {found.all_mutants:,}" if len(found.mutants) != found.all_mutants else ""
    text.append(
        f"\n{len(found.mutants):,}{sampled} mutants, {plural(found.scenarios, 'scenario')} · rules "
        f"{found.ruleset_hash[:12]}\n",
        "",
    )
    return text


def operators(found: Mutation) -> Table:
    """A line for each operator: what it does, and what became of its mutants."""
    from rich.table import Table
    from rich.text import Text

    from croupier.authoring.mutation.mutants import OPERATORS

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("operator", *_COLUMNS, "what it does"):
        drawn.add_column(
            name, justify="right" if name in _COLUMNS else "left", no_wrap=name != "what it does"
        )
    for name, counts in found.by_operator().items():
        style = "yellow" if counts["survived"] else ""
        drawn.add_row(
            Text(name, style=style),
            *(Text(f"{counts[c]:,}" if counts[c] else "") for c in _COLUMNS),
            Text(OPERATORS[name], style="dim"),
        )
    return drawn


def survivors(found: Mutation) -> Text:
    """List the mutants that no scenario noticed, each with its place, and what is wrong with the list of
    equivalents.
    """
    from rich.text import Text

    from croupier.authoring.mutation.equivalents import FILE

    text = Text()
    rows = found.of("survived")
    if rows:
        text.append("\nno scenario notices\n", "bold")
    for mutant, verdict in rows:
        text.append_text(_line(mutant, "" if verdict.ran else "; no scenario comes here"))
    for mutant in found.killed_though_listed:
        text.append(f"\n{mutant.id} stands in {FILE} as an equivalent, but a scenario notices it\n", "red")
    for id in found.stale:
        text.append(f"\n{sanitise(id)} in {FILE} is no mutant of this ruleset, or has no reason\n", "red")
    if found.too_many_equivalents:
        text.append(
            f"\n{found.counts['equivalent']} of {found.all} mutants are listed as equivalents, more than 5 "
            f"%\n",
            "red",
        )
    counts = found.counts
    counted = found.all - counts["equivalent"]
    text.append(f"\nscore {found.score:.1%}" if counted else "\nno score", "bold")
    text.append(
        f": killed {counts['killed']:,} of {counted:,} that are not listed as equivalent"
        if counted
        else ": no mutant was tried that counts"
    )
    if found.score_interval is not None:
        low, high = found.score_interval
        text.append(f" · of all mutants {low:.1%} to {high:.1%} (95 %, Wilson)")
    text.append(f" · {found.seconds:.1f} seconds\n", "dim")
    return text


def _line(mutant: Mutant, more: str) -> Text:
    from rich.text import Text

    words = " ".join(mutant.span.source.line(mutant.span.line).split())
    words = words if len(words) <= _WIDEST else words[: _WIDEST - 1] + "…"
    place = f"{mutant.span.source.name}:{mutant.span.line}:{mutant.span.column}"
    cites = f"  [{', '.join(map(sanitise, mutant.rules))}]" if mutant.rules else ""
    line = Text(f"  {mutant.id}  {sanitise(place)}  {mutant.operator}: {sanitise(mutant.change)}{more}\n")
    line.append(f"            {sanitise(words)}{cites}\n", "dim")
    return line
