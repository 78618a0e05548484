"""`croupier explain`: a code at length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, document, usage
from croupier.cli.options import Format, Human

if TYPE_CHECKING:
    from croupier.diagnostics import Entry

app = typer.Typer(add_completion=False)


def complete_codes(incomplete: str) -> list[str]:
    """The codes that begin like this, for shell completion."""
    from croupier.diagnostics import CODES

    return [code for code in CODES if code.startswith(incomplete.upper())]


@app.command()
def explain(
    code: Annotated[str | None, typer.Argument(metavar="CODE", help="A code like Y301.", autocompletion=complete_codes, show_default=False)] = None,
    format: Human = Format.HUMAN,
) -> None:
    """Explain the code of a diagnostic, with a wrong and a right example; without a code, list all of them.

    Exit code: 0, or 2 if there is no such code.

    \b
    Examples:
      croupier explain Y301
      croupier explain
    """
    from croupier.diagnostics import CODES, did_you_mean

    if code is None:
        _list_codes(CODES.values(), format)
        return
    entry = CODES.get(code.upper())
    if entry is None:
        near = did_you_mean(code.upper(), CODES)
        usage(f"there is no code `{code}`; {f'did you mean `{near}`?' if near else 'without a code, all of them are listed'}", "CODE")
    if format is Format.JSON:
        document(_as_json(entry))
        return
    data(f"{entry.severity}[{entry.code}]: {entry.title}\n\n{entry.explanation}")
    if entry.help:
        data(f"\nhelp: {entry.help.format_map(defaultdict(lambda: '…'))}")
    for title, example in (("wrong", entry.bad), ("right", entry.good)):
        if example:
            data(f"\n{title}:\n\n" + "".join(f"    {line}".rstrip() + "\n" for line in example.splitlines()).rstrip("\n"))


def _list_codes(entries: Iterable[Entry], format: Format) -> None:
    if format is Format.JSON:
        document([_as_json(entry) for entry in entries])
        return
    for entry in entries:
        data(f"{entry.code}  {entry.title}")


def _as_json(entry: Entry) -> dict[str, str | None]:
    return {name: getattr(entry, name) for name in ("code", "severity", "title", "message", "help", "explanation", "bad", "good")}
