"""Mutation for people: the operators with their figures, what survived and where, the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.views.words import plural
from croupier.diagnostics import sanitise

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from croupier.authoring.mutate import Mutant, Mutation

_COLUMNS = ("killed", "survived", "equivalent", "refused", "unchanged")
_WIDEST = 70


def heading(found: Mutation) -> Text:
    """What was tried."""
    from rich.text import Text

    text = Text(sanitise(found.title), style="bold")
    sampled = f" of {found.all_mutants:,}" if len(found.mutants) != found.all_mutants else ""
    text.append(f"\n{len(found.mutants):,}{sampled} mutants, {plural(found.scenarios, 'scenario')} · rules {found.ruleset_hash[:12]}\n", "")
    return text


def operators(found: Mutation) -> Table:
    """A line for each operator: what it does, and what became of its mutants."""
    from rich.table import Table
    from rich.text import Text

    from croupier.authoring.mutate import OPERATORS

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("operator", *_COLUMNS, "what it does"):
        drawn.add_column(name, justify="right" if name in _COLUMNS else "left", no_wrap=name != "what it does")
    for name, counts in found.by_operator().items():
        style = "yellow" if counts["survived"] else ""
        drawn.add_row(Text(name, style=style), *(Text(f"{counts[c]:,}" if counts[c] else "") for c in _COLUMNS), Text(OPERATORS[name], style="dim"))
    return drawn


def survivors(found: Mutation) -> Text:
    """What no scenario noticed, each with its place, and what is wrong with the list of equivalents."""
    from rich.text import Text

    from croupier.authoring.mutate.running import FILE

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
        text.append(f"\n{found.counts['equivalent']} of {found.all} mutants are listed as equivalents, more than 5 %\n", "red")
    counts = found.counts
    counted = found.all - counts["equivalent"]
    text.append(f"\nscore {found.score:.1%}" if counted else "\nno score", "bold")
    text.append(f": killed {counts['killed']:,} of {counted:,} that are not listed as equivalent" if counted else ": no mutant was tried that counts")
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
