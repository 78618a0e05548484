"""`croupier cache`: what croupier keeps between runs."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.cli.console import data, document, finish, say
from croupier.cli.options import Format, Human

KINDS = {"native": "compiled objects", "verdicts": "what `check` found"}


def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove all of it; it is made again when it is needed.")
    ] = False,
    format: Human = Format.HUMAN,
) -> None:
    """Show or remove what croupier keeps between runs: compiled objects, and what `check` found in files that
    have not changed.

    It lies in `croupier` in your folder for caches. The variable CROUPIER_CACHE names another folder, or
    `off`.

    Exit code: 0, or 2 if something cannot be removed.

    \b
    Examples:
      croupier cache
      croupier cache --format json
      croupier cache --clear
    """
    from croupier.execution.object_cache import cache_folder, entries_of, remove_all
    from croupier.play.atomic_write import cannot_write

    folder = cache_folder(kind="")
    if clear:
        try:
            entries, size = remove_all()
        except OSError as error:
            raise cannot_write(folder, error) from None
        say(f"removed {entries} entries of {size / 1e6:.1f} MB")
        finish(0)
    kept = {kind: entries_of(kind) for kind in KINDS}
    if format is Format.JSON:
        document(
            "cache",
            {
                "folder": None if folder is None else str(folder),
                "kept": {kind: {"entries": entries, "bytes": size} for kind, (entries, size) in kept.items()},
            },
        )
        return
    data("the cache is off" if folder is None else str(folder))
    for kind, (entries, size) in kept.items():
        data(f"  {kind:<8}  {entries:>5} entries  {size / 1e6:>7.1f} MB  {KINDS[kind]}")
