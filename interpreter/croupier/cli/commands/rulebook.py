"""`croupier rulebook`: the rules for players."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from croupier.cli.console import progress
from croupier.cli.options import Force, Name, Out, Variants, check_output, write_out
from croupier.cli.variants import with_variants


class RulebookFormat(StrEnum):
    """The format of the rulebook: Markdown, or an HTML page."""

    MD = "md"
    HTML = "html"


def rulebook(
    name: Name,
    variant: Variants = None,
    format: Annotated[
        RulebookFormat, typer.Option("--format", "-f", help="Write Markdown, or an HTML page.")
    ] = RulebookFormat.MD,
    out: Out = None,
    force: Force = False,
) -> None:
    """Write a rulebook for players, made from the ruleset: how one wins, what is in the box, set-up, a turn,
    cards and powers, the end and what players may agree on, with tested examples.

    That of a variant is whole, too: what differs is marked in the margin, and sentences that do not hold are
    struck.

    Exit code: 0 written, 2 refused.

    \b
    Examples:
      croupier rulebook my_game
      croupier rulebook my_game --format html -o rules.html
      croupier rulebook my_game --variant short_game
    """
    name = with_variants(name, variant)
    import croupier
    from croupier.authoring.rulebook import render_html, render_markdown
    from croupier.authoring.rulebook import rulebook as write

    if out is not None:
        check_output(out, name, force=force)
    with progress("sections") as bar:
        document = write(croupier.load(name), bar.set)
    text = render_html(document) if format is RulebookFormat.HTML else render_markdown(document)
    write_out(text, out, force=force)
