"""`croupier merge`: shards of several folders together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.commands.collect import check_parquet, rows_in_json, summary, write_table
from croupier.cli.console import document, finish, usage
from croupier.cli.guard import FINDINGS
from croupier.cli.lab import grid, interval, value, words
from croupier.cli.options import (
    Force,
    Format,
    Human,
)
from croupier.text import Seat

if TYPE_CHECKING:
    from croupier.diagnostics import JsonObject
    from croupier.lab.rows import Row
    from croupier.lab.shards import Manifest


_MOST_GAPS = 10  # runs of missing games that are named

Folders = Annotated[
    list[Path],
    typer.Argument(metavar="FOLDER", help="The folders that `croupier collect` wrote.", show_default=False),
]
Table = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Also write all games into one .csv, .jsonl or .parquet file.",
        show_default=False,
    ),
]


def merge(folders: Folders, out: Table = None, force: Force = False, format: Human = Format.HUMAN) -> None:
    """Read the shards of one run from several folders and show who wins how often, and the digest of all
    games.

    Games are numbered from 1. If some of those that were wanted are missing, a line above the table says
    which.

    Exit code: 0 all there and finished, 1 some are missing or were stuck, unfinished or faulted, 2 refused.

    \b
    Examples:
      croupier collect my_game --games 100 --seed 1 --shard 1/2 --out first
      croupier collect my_game --games 100 --seed 1 --shard 2/2 --out second
      croupier merge first second
      croupier merge first second --out games.csv
    """
    from croupier.cli.options import check_output
    from croupier.lab.page_frame import half
    from croupier.lab.shards import BadShards, gaps, read
    from croupier.lab.statistics import mean, share
    from croupier.lab.tables import SUFFIXES

    if out is not None:
        check_parquet(out)
        if out.suffix not in SUFFIXES:
            usage(f"a table is written as {', '.join(SUFFIXES)}", "--out")
        check_output(
            out, *(file for folder in folders if folder.is_dir() for file in folder.iterdir()), force=force
        )
    try:
        manifest, played = read(folders)
    except BadShards as error:
        usage(str(error), "FOLDER")
    if not played:
        usage(f"there are no games in {' and '.join(map(str, folders))}", "FOLDER")
    missing = gaps(played, manifest.games)
    if missing and format is Format.HUMAN:
        count = sum(last - first + 1 for first, last in missing)
        shown = ", ".join(
            f"{first:,}" if first == last else f"{first:,} to {last:,}"
            for first, last in missing[:_MOST_GAPS]
        )
        more = f" and {len(missing) - _MOST_GAPS:,} more gaps" if len(missing) > _MOST_GAPS else ""
        part = half(len(played), len(played) + count)
        words(f"{part}; {count:,} games are in none of these folders: {shown}{more}")
    finished = [row for row in played if row.status == "finished"]
    wins = [
        share(sum(row.share(seat) for row in finished), len(finished)) for seat in range(manifest.players)
    ]
    length = mean(row.decisions for row in finished)
    header = _header_of_folders(manifest, played)
    if out is not None:
        write_table(out, played, header, force=force)
    if format is Format.JSON:
        about = {"folders": [str(folder) for folder in folders], "out": None if out is None else str(out)}
        seats = [{"seat": seat, "wins": found.to_json()} for seat, found in enumerate(wins)]
        document(
            "merge",
            {
                **header,
                **about,
                **rows_in_json(played, missing),
                "seats": seats,
                "decisions": length.to_json(),
            },
        )
    else:
        lines = [
            [str(Seat(seat)), value(found, True), interval(found, True)] for seat, found in enumerate(wins)
        ]
        grid(("", "wins", "95 % interval"), [*lines, ["decisions", value(length), interval(length)]])
        words(
            f"\nof {len(finished):,} finished games · intervals one at a time: wins Wilson's, decisions "
            f"normal, corrected for skewness"
        )
        summary(out or " and ".join(map(str, folders)), played, manifest.seed)
    finish(FINDINGS if missing or len(finished) < len(played) else 0)


def _header_of_folders(manifest: Manifest, played: Sequence[Row]) -> JsonObject:
    """The header of games that were read from folders of one run."""
    from croupier.play.agents import agent_names

    side = manifest.header or {
        "ruleset": manifest.ruleset,
        "hash": manifest.ruleset_hash,
        "parameters": dict(manifest.parameters),
        "players": manifest.players,
        "bots": list(agent_names(manifest.bots, manifest.players)),
    }
    return {
        **side,
        "seed": manifest.seed,
        "games": {"wanted": max(manifest.games, played[-1].game), "played": len(played)},
        "interrupted": False,
    }
