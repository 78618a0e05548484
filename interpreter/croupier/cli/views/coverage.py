"""The report on coverage as styled text: the heading, the totals, and what never happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.views.game import plural
from croupier.diagnostics import sanitise

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from croupier.authoring.coverage.results import Coverage


def heading(coverage: Coverage) -> Text:
    """The heading: which games and scenarios were counted."""
    from rich.text import Text

    text = Text(sanitise(coverage.title), style="bold")
    ended = ", ".join(
        f"{count:,} {status}" for status, count in coverage.statuses.items() if status != "finished"
    )
    text.append(
        f"\n{plural(coverage.games, 'random game')}{f' ({ended})' if ended else ''} · "
        f"{plural(coverage.scenarios, 'scenario')}",
        "",
    )
    text.append(f" · seed {coverage.seed} · rules {coverage.ruleset_hash[:12]}\n", "")
    for game in coverage.stopped:
        text.append(f"  {sanitise(str(game))}\n", "red")
    return text


def totals(coverage: Coverage) -> Table:
    """A line for each kind of covered item."""
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for name, side in (("what", "left"), ("happened", "right"), ("of", "right"), ("share", "right")):
        drawn.add_column(name, justify="right" if side == "right" else "left", no_wrap=True)
    for title, have, of in coverage.totals():
        if of:
            drawn.add_row(
                *(
                    Text(cell, style="" if have == of else "yellow")
                    for cell in (title, f"{have:,}", f"{of:,}", f"{have / of:.0%}")
                )
            )
    return drawn


def never(coverage: Coverage, *, is_whole: bool = True) -> Text:
    """List what never happened, with its span and the rules it cites; until the interruption, if there was
    one.
    """
    from rich.text import Text

    from croupier.authoring.coverage.results import place_words, told_words, value_words

    text = Text()
    rules = [r for r in coverage.rules if not r.count]
    values = [v for v in coverage.values if not v.count]
    places = coverage.never()
    if rules or places or values:
        text.append(
            "\nnever happened\n" if is_whole else "\ndid not happen before the interruption\n", "bold"
        )
    for r in rules:
        where = f"{r.cited[0].source.name}:{r.cited[0].line}" if r.cited else "cited nowhere"
        text.append(f"  {'rule':<10} {sanitise(r.id)}: {sanitise(r.text)}").append(
            f"  {sanitise(where)}\n", "dim"
        )
    for p in places:
        cites = f"  [{', '.join(map(sanitise, p.rules))}]" if p.rules else ""
        place = f"  {p.span.source.name}:{p.span.line}:{p.span.column}"
        told = f"; {told_words(p)}" if p.told else ""
        text.append(f"  {p.kind:<10} {sanitise(place_words(p))}")
        text.append(f"{sanitise(place)}{cites}{sanitise(told)}\n", "dim")
    for v in values:
        text.append(f"  {'value' if v.name else 'players':<10} {sanitise(value_words(v))}\n")
    if coverage.failed:
        text.append(
            f"\n{plural(len(coverage.failed), 'scenario')} failed: `croupier test` shows why\n", "red"
        )
    return text
