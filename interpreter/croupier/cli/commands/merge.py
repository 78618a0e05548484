"""`croupier merge`: shards of several folders together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.commands.collect import _parquet, _table, summary
from croupier.cli.console import finish, usage
from croupier.cli.guard import FINDINGS
from croupier.cli.lab import figure, grid, interval
from croupier.cli.options import Force

app = typer.Typer(add_completion=False)

Folders = Annotated[list[Path], typer.Argument(metavar="FOLDER", help="Folders that `croupier collect` filled.", show_default=False)]
Table = Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write a .csv, .jsonl or .parquet file.", show_default=False)]


@app.command()
def merge(folders: Folders, out: Table = None, force: Force = False) -> None:
    """Read shards of one run together: who wins how often, the digest of all games, and if asked for one table.

    Exit code: 0 all finished, 1 some were stuck, unfinished or faulted, 2 not possible as asked.

    \b
    Examples:
      croupier merge first second
      croupier merge first second --out games.csv
    """
    from croupier.lab.shards import SUFFIXES, BadShards, as_table, read
    from croupier.lab.statistics import mean, share
    from croupier.play.files import check_free

    if out is not None:
        check_free(out, force=force)
        if out.suffix not in SUFFIXES:
            usage(f"a table is written as {', '.join(SUFFIXES)}", "--out")
    try:
        manifest, played = read(folders)
    except BadShards as error:
        usage(str(error), "FOLDER")
    finished = [row for row in played if row.status == "finished"]
    wins = [share(sum(row.share(seat) for row in finished), len(finished)) for seat in range(manifest.players)]
    lines = [[f"player {seat + 1}", figure(found.value, True), interval(found, True)] for seat, found in enumerate(wins)]
    length = mean(row.decisions for row in finished)
    grid(("", "wins", "95 % interval"), [*lines, ["decisions", figure(length.value), interval(length)]])
    if out is not None:
        _table(out, _parquet(played, manifest.players) if out.suffix == ".parquet" else as_table(played, manifest.players, out.suffix))
    summary(out or " and ".join(map(str, folders)), played, manifest.seed)
    finish(FINDINGS if len(finished) < len(played) else 0)
