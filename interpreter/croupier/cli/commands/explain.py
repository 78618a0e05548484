"""`croupier explain`: a diagnostic at length."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, document, usage
from croupier.cli.options import Format, Human
from croupier.diagnostics import did_you_mean

if TYPE_CHECKING:
    from croupier.diagnostics import CatalogueEntry


WIDTH = 100  # of an explanation, in characters
REPAIRS = {
    "automatic": "`croupier check --fix` mends the wrong example",
    "by-hand": "a fix is proposed; apply it by hand",
}


def complete_codes(incomplete: str) -> list[str]:
    """The codes and names that begin like this, for shell completion."""
    from croupier.diagnostics import CODES

    return [
        word
        for code, name in CODES.names.items()
        for word in (code, name)
        if word.startswith((incomplete, incomplete.upper()))
    ]


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="The code of a diagnostic, like Y301, or its name, like duplicate-key.",
            autocompletion=complete_codes,
            show_default=False,
        ),
    ] = None,
    format: Human = Format.HUMAN,
) -> None:
    """Explain a diagnostic, with a wrong and a right example. Without a code, list all diagnostics.

    Exit code: 0, or 2 if there is no such diagnostic.

    \b
    Examples:
      croupier explain Y301
      croupier explain duplicate-key
      croupier explain
    """
    from croupier.diagnostics import CODES

    if code is None:
        _list_codes(format)
        return
    entry = CODES.find(code)
    if entry is None:
        near = did_you_mean(code.upper(), CODES) or did_you_mean(code.lower(), CODES.names.values())
        usage(
            f"there is no diagnostic `{code}`; "
            f"{f'did you mean `{near}`?' if near else 'without a code, all of them are listed'}",
            "CODE",
        )
    if format is Format.JSON:
        document("explain", {"diagnostics": [_as_json(entry)]})
        return
    data(
        f"{entry.severity}[{entry.code} {entry.name}]: {entry.message.format_map(defaultdict(lambda: '…'))}\n"
    )
    data(
        "\n\n".join(
            textwrap.fill(part, WIDTH, break_long_words=False, break_on_hyphens=False)
            for part in entry.explanation.split("\n\n")
        )
    )
    if entry.help:
        data(f"\nhelp: {entry.help.format_map(defaultdict(lambda: '…'))}")
    if entry.fix:
        data(f"\nfix: {REPAIRS[entry.fix]}")
    for title, example in (("wrong", entry.bad), ("right", entry.good)):
        if example:
            data(
                f"\n{title}:\n\n"
                + "".join(f"    {line}".rstrip() + "\n" for line in example.splitlines()).rstrip("\n")
            )


def _list_codes(format: Format) -> None:
    from croupier.diagnostics import CODES

    if format is Format.JSON:
        document("explain", {"diagnostics": [_as_json(entry) for entry in CODES.values()]})
        return
    for code, name in CODES.names.items():
        data(f"{code}  {name}")


def _as_json(entry: CatalogueEntry) -> dict[str, str | None]:
    return {
        key: getattr(entry, key)
        for key in ("code", "name", "severity", "message", "help", "fix", "explanation", "bad", "good")
    }
