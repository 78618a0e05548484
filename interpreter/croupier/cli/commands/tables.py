"""`croupier tables`: the tables in the file of a server."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import data, document, finish, say, usage
from croupier.cli.guard import FINDINGS
from croupier.cli.lab import grid
from croupier.cli.options import Force, Format, Human

if TYPE_CHECKING:
    from croupier.diagnostics import JsonObject
    from croupier.server.stored import KeptTable, TableFile

Store = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file of the server: `croupier serve --store FILE`.")
]
Ids = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ID",
        help="Only the tables with these ids; put `--` before an id that begins with `-`.",
        show_default=False,
    ),
]
Unused = Annotated[
    float | None,
    typer.Option(
        "--unused",
        metavar="DAYS",
        min=0,
        help="Only tables that nobody has used for so many days.",
        show_default=False,
    ),
]
Export = Annotated[
    Path | None,
    typer.Option(
        "--export",
        metavar="FOLDER",
        help="Save the game of each table in this folder, as far as it was played, as ID.json.",
        show_default=False,
    ),
]


def tables(
    store: Store,
    ids: Ids = None,
    finished: Annotated[bool, typer.Option("--finished", help="Only tables whose game is over.")] = False,
    unused: Unused = None,
    export: Export = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove these tables, after saving them with --export.")
    ] = False,
    force: Force = False,
    format: Human = Format.HUMAN,
) -> None:
    """List the tables that a server keeps in a file, save their games, or remove them; the server may run
    meanwhile.

    --remove removes no table in play: one whose game is not over and that somebody used within the last day.
    Nor does it remove one that --export could not save. It needs an ID, --finished or --unused.

    `croupier serve` removes unused tables by itself, after --keep-finished and --keep-unfinished days.

    Exit code: 0 done, 1 a game could not be saved, or a table is in play, 2 refused.

    \b
    Examples:
      croupier tables tables.db
      croupier tables tables.db --finished --export games
      croupier tables tables.db --unused 30 --remove
    """
    import sqlite3

    from croupier.server.stored import TableFile, is_store

    if remove and not (ids or finished or unused is not None):
        usage("say which tables: an ID, --finished or --unused", "--remove")
    try:
        is_one = is_store(store)
    except OSError as error:
        usage(f"{store}: {(error.strerror or str(error)).lower()}", "FILE")
    if not is_one:
        usage(f"{store}: `croupier serve` did not make this file", "FILE")
    import croupier

    try:
        kept = TableFile(store, croupier.load)
    except sqlite3.Error as error:
        usage(f"{store}: {error}", "FILE")
    try:
        try:
            meant = kept.chosen(ids or (), unused, finished=finished)
        except KeyError as error:
            usage(f"{store}: there is no table `{error.args[0]}`", "ID")
        saved: dict[str, str] = {}
        unsaved: list[JsonObject] = []
        if export is not None:
            saved, unsaved = _export(kept, meant, export, force)
        gone: list[str] = []
        in_use: list[str] = []
        if remove:
            lost = {one["id"] for one in unsaved}
            gone, in_use = kept.remove(one for one in meant if one.entry.id not in lost)
    except sqlite3.Error as error:
        usage(f"{store}: {error}", "FILE")
    finally:
        kept.close()
    if format is Format.JSON:
        document(
            "tables",
            {
                "store": str(store),
                "tables": [_described(one) for one in meant],
                "saved": saved,
                "unsaved": unsaved,
                "removed": gone,
                "in_use": in_use,
            },
        )
    else:
        _tell(meant, saved, unsaved)
        if remove:
            say(f"removed {len(gone)}")
        for id in in_use:
            say(f"{id} is in play: somebody used it within the last day; it was not removed")
    finish(FINDINGS if unsaved or in_use else 0)


def _export(
    kept: TableFile, meant: Sequence[KeptTable], folder: Path, force: bool
) -> tuple[dict[str, str], list[JsonObject]]:
    """Save games; the file of each, and those that could not be saved, by the ids of their tables."""
    from croupier.diagnostics import RulesetError
    from croupier.play.atomic_write import check_free, make_folder, write_whole
    from croupier.server.refusals import RefusedRequest
    from croupier.server.stored import why_unsaved

    make_folder(folder)
    files = {one.entry.id: folder / f"{one.entry.id}.json" for one in meant}
    for file in files.values():
        check_free(file, force=force)
    saved: dict[str, str] = {}
    unsaved: list[JsonObject] = []
    for one in meant:
        file = files[one.entry.id]
        try:
            text = kept.game(one)
        except (RefusedRequest, RulesetError) as error:
            unsaved.append({"id": one.entry.id, "reason": why_unsaved(error)})
            continue
        write_whole(file, text, force=force)
        saved[one.entry.id] = str(file)
    return saved, unsaved


def _described(table: KeptTable) -> JsonObject:
    entry, use = table.entry, table.use
    return {
        "id": entry.id,
        "ruleset": entry.ruleset,
        "variants": list(entry.variants),
        "players": entry.players,
        "names": list(entry.names),
        "made": _time(entry.made).isoformat(),
        "used": _time(use.used).isoformat(),
        "played": use.is_played,
        "over": use.is_over,
    }


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


def _tell(meant: Sequence[KeptTable], saved: dict[str, str], unsaved: Sequence[JsonObject]) -> None:
    """Show the tables on a terminal."""
    if not meant:
        data("there is no such table")
        return
    rows = []
    for one in meant:
        entry, use = one.entry, one.use
        if use.is_over:
            stands = "over"
        else:
            stands = "begun" if use.is_played else "nobody has played"
        rows.append(
            (
                entry.id,
                "/".join((entry.ruleset, *(["+".join(entry.variants)] if entry.variants else ()))),
                ", ".join(name for name in entry.names if name) or f"{entry.players} players",
                stands,
                f"{_time(use.used).astimezone():%Y-%m-%d %H:%M}",
            )
        )
    grid(("id", "game", "players", "stands", "used last"), rows, left=5)
    for id, file in saved.items():
        say(f"{id}: saved as {file}")
    for problem in unsaved:
        say(f"{problem['id']}: not saved: {problem['reason']}")
