"""`croupier collect`: games as rows of a table, or as shards of a folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import document, document_text, finish, progress, say, usage
from croupier.cli.guard import FINDINGS, INTERRUPTED
from croupier.cli.lab import (
    Jobs,
    Measures,
    checked,
    cost_of,
    header_of,
    interrupted_after,
    run_of,
    stop,
    words,
)
from croupier.cli.options import (
    MAX_GAMES,
    Backend,
    Backends,
    Bots,
    Force,
    Format,
    Human,
    Name,
    Players,
    Quiet,
    Seed,
    Settings,
    Variants,
)
from croupier.diagnostics import RulesetError

if TYPE_CHECKING:
    from collections.abc import Callable

    from croupier.diagnostics import JsonObject
    from croupier.lab.log_files import LogFiles
    from croupier.lab.rows import Row
    from croupier.lab.workers import RunConfig


# endings of other tables, which are refused
OTHERS = (".html", ".json", ".ods", ".parq", ".pq", ".tsv", ".txt", ".xls", ".xlsx", ".zip")
_MOST_PROBLEMS = 100  # games that did not finish that are listed

Wanted = Annotated[
    str,
    typer.Option(
        "--games", "-n", metavar="N or A..B", help="Play N games, or the games with the numbers A to B."
    ),
]
Target = Annotated[
    Path,
    typer.Option(
        "--out",
        "-o",
        metavar="FOLDER or FILE",
        help="Write into this folder, or write one .csv, .jsonl or .parquet file.",
    ),
]
Part = Annotated[
    str, typer.Option("--shard", metavar="K/N", help="Play only part K of N, as one of N machines.")
]
Every = Annotated[
    str | None,
    typer.Option(
        "--every", metavar="EXPR", help="Measure during the game, too, whenever this expression changes."
    ),
]
Steps = Annotated[
    bool, typer.Option("--steps", help="Also count forced decisions and options, and say who plays first.")
]
_COLUMNS = "Also write the data dictionary: a CSV file that says what each column of the table holds."
Columns = Annotated[Path | None, typer.Option("--columns", metavar="FILE", help=_COLUMNS, show_default=False)]
_LOGGED = "as a .csv, .jsonl or .parquet file: one row each, in the order of play"
Decisions = Annotated[
    Path | None,
    typer.Option(
        "--decisions", metavar="FILE", help=f"Also write all decisions {_LOGGED}.", show_default=False
    ),
]
Events = Annotated[
    Path | None,
    typer.Option("--events", metavar="FILE", help=f"Also write all events {_LOGGED}.", show_default=False),
]
_RAY = (
    "Play the shards on the Ray cluster at this address; `auto` is one that runs already, `local` a "
    "new one on this machine."
)
OnRay = Annotated[str | None, typer.Option("--ray", metavar="ADDRESS", help=_RAY, show_default=False)]


def collect(
    name: Name,
    out: Target,
    variant: Variants = None,
    games: Wanted = "1000",
    shard: Part = "1/1",
    players: Players = None,
    seed: Seed = None,
    jobs: Jobs = None,
    set: Settings = None,
    bots: Bots = "random",
    measure: Measures = None,
    every: Every = None,
    steps: Steps = False,
    ray: OnRay = None,
    columns: Columns = None,
    decisions: Decisions = None,
    events: Events = None,
    backend: Backend = Backends.AUTO,
    quiet: Quiet = False,
    force: Force = False,
    format: Human = Format.HUMAN,
) -> None:
    """Play games and write a row for each: into one table, or into a folder of shards (files of a part of the
    games each).

    A table gets its name when it is whole. What is over when it is interrupted is kept beside it, as
    FILE.part. A folder needs a --seed. A later run completes the folder or adds games to it; it plays no game
    twice. Several machines can share the work with --shard 1/3 and so on, in one folder or each in its own;
    `croupier merge` reads those together. With --ray a cluster plays the shards.

    A table says what it is of: a Parquet file in the metadata of its schema, under `croupier`; beside a .csv
    or .jsonl file stands one with `.meta.json` behind its name. The type of a column follows from the rules,
    whatever the games were.

    With --decisions each decision and outcome of chance is a row: who decided what, from how many options,
    and what came of the game for them. With --events each event is a row, with the decision that it follows
    from. Beside such a file, FILE.meta.json says what it is of.

    Exit code: 0 all finished, 1 some were stuck, unfinished or faulted, 2 refused, 130 interrupted.

    \b
    Examples:
      croupier collect my_game --games 50 --out games.csv
      croupier collect my_game -n 50 -o played.csv --decisions rows.csv
      croupier collect my_game --games 50 --seed 1 --out games
      croupier collect my_game --games 51..80 --seed 1 --out games
      croupier collect my_game --games 100 --seed 1 --shard 1/2 --out first
    """
    from croupier.cli.options import check_output
    from croupier.cli.variants import with_variants
    from croupier.lab import shards as lab
    from croupier.lab import tables
    from croupier.lab.log_files import log_files
    from croupier.lab.page_frame import half
    from croupier.lab.ray_cluster import play_on
    from croupier.lab.workers import players_of, report_progress, rows
    from croupier.play.atomic_write import write_whole
    from croupier.play.interrupt import Interrupt

    numbers, part = _numbers(games), _part(shard)
    is_table = out.suffix in tables.SUFFIXES
    if out.suffix.casefold() in OTHERS:
        usage(
            f"croupier does not write `{out.suffix}`: name a table that ends in "
            f"{', '.join(tables.SUFFIXES)}, or a folder",
            "--out",
        )
    if not is_table and seed is None:
        usage("a folder needs --seed, so that a later run can complete it", "--out")
    if is_table:
        check_parquet(out)
        check_output(out, with_variants(name, variant), force=force)
        if part != (1, 1):
            usage("needs a folder of shards, not a table", "--shard")
        if ray is not None:
            usage("needs a folder of shards, not a table", "--ray")
    if columns is not None:
        check_output(columns, with_variants(name, variant), force=force)
    logs = {what: path for what, path in (("decisions", decisions), ("events", events)) if path is not None}
    for what, path in logs.items():
        if path.suffix not in tables.SUFFIXES:
            usage(f"a table is written as {', '.join(tables.SUFFIXES)}", f"--{what}")
        check_parquet(path, f"--{what}")
        check_output(path, with_variants(name, variant), force=force)
    run = run_of(name, variant, players, seed, set, bots, backend.value, measure)
    run = replace(
        run,
        watch=replace(
            run.watch, every=every, steps=steps, decisions=decisions is not None, events=events is not None
        ),
    )
    with Interrupt() as interrupt, progress("games", len(numbers), cost_of(run)) as bar:
        if is_table:
            played = []
            try:
                with log_files(run, logs, force=force) as files:
                    for row in checked(
                        rows(run, numbers, jobs=jobs, should_stop=interrupt.is_requested), "--measure"
                    ):
                        played.append(files.add(row))
                        bar.advance()
                    is_part = len(played) < len(numbers)
                    _describe_logs(files, header_of(run, len(numbers), len(played), is_part), is_part=is_part)
            except RulesetError:  # of a bot or a measure, during a run
                if played:
                    _keep_part(run, out, played, numbers, is_json=False)
                raise
        else:
            player = None if ray is None else play_on(ray, jobs)
            try:
                filling = lab.fill(
                    run, out, numbers, part=part, jobs=jobs, player=player, should_stop=interrupt.is_requested
                )
                shards = ShardProgress(bar.set, len(numbers))
                with report_progress(shards.game_over):
                    for count in checked(filling, "--out" if ray is None else "--ray"):
                        shards.shard_over(count)
                manifest, played = lab.read([out])
                with log_files(run, logs, force=force) as files:
                    for what in logs:
                        files.add_all(what, lab.read_log([out], what))
                    wanted = sum(map(len, lab.shards_of(numbers, lab.SIZE, part)))
                    mine = [
                        row
                        for row in played
                        if row.game in numbers and lab.is_of_part(row.game, lab.SIZE, part)
                    ]
                    header = header_of(run, wanted, len(mine), interrupt.requested)
                    _describe_logs(files, header, is_part=len(mine) < wanted)
            except lab.BadShards as error:
                usage(str(error), "--out")
            except OSError as error:
                usage(f"{out} cannot be filled: {(error.strerror or 'no reason is given').lower()}", "--out")
    if is_table and len(played) < len(numbers):
        _keep_part(run, out, played, numbers, is_json=format is Format.JSON)
        finish(INTERRUPTED)
    if is_table:
        header = header_of(run, len(numbers), len(played), False)
        missing = lab.gaps(played, numbers.stop - 1, numbers.start)
        write_table(out, played, header, force=force)
    else:
        missing = lab.gaps(played, manifest.games)
    if columns is not None:
        write_whole(columns, tables.dictionary(tables.columns(played, players_of(run))[0]), force=force)
    if format is Format.JSON:
        document("collect", {**header, "out": str(out), **rows_in_json(played, missing)})
    else:
        if not is_table and (part_words := half(len(mine), wanted)):
            words(part_words)
        summary(out, played, run.setup.seed)
    if interrupt.requested and not is_table:
        stop(f"{interrupted_after(len(mine), wanted)}: the same command plays the games that are missing")
    finish(FINDINGS if any(row.status != "finished" for row in played) else 0)


def _describe_logs(files: LogFiles, header: JsonObject, *, is_part: bool) -> None:
    """Say what the files of decisions and events are of."""
    files.describe(
        {what: document_text(what, {**header, **held}) for what, held in files.contents()}, is_part=is_part
    )


def write_table(
    out: Path, played: Sequence[Row], header: JsonObject, *, force: bool, ending: str | None = None
) -> None:
    """Write games as a table that says what it is of; beside a file that has no place for that, another one.

    `ending` says what kind of table.
    """
    from croupier.lab import tables
    from croupier.lab.shards import digest
    from croupier.play.atomic_write import write_whole

    names, _ = tables.columns(played, header["players"])
    about = {
        "rows": len(played),
        "statuses": statuses_of(played),
        "digest": digest(played),
        "columns": tables.described(names),
    }
    text = document_text("table", {**header, **about})
    ending = ending or out.suffix
    write_whole(out, tables.as_table(played, header["players"], ending, text), force=force)
    if ending != ".parquet":
        write_whole(out.with_name(f"{out.name}{tables.BESIDE}"), text, force=True)


def statuses_of(played: Sequence[Row]) -> dict[str, int]:
    """Return the number of games with each status."""
    counted = Counter(row.status for row in played)
    return {status: counted[status] for status in ("finished", "unfinished", "stuck", "faulted")}


def rows_in_json(played: Sequence[Row], missing: Sequence[tuple[int, int]]) -> JsonObject:
    """Return the number of games, how they ended, which are missing, and their digest."""
    from croupier.lab.shards import digest

    bad = [{"game": row.game, "status": row.status} for row in played if row.status != "finished"]
    return {
        "rows": len(played),
        "statuses": statuses_of(played),
        "problems": bad[:_MOST_PROBLEMS],
        "gaps": [{"first": first, "last": last} for first, last in missing],
        "digest": digest(played),
    }


class ShardProgress:
    """Counts games of shards: those of whole shards, and those of the shard that is played now where each of
    its games is told.
    """

    def __init__(self, show: Callable[[int, int], None], total: int) -> None:
        self._show, self._total = show, total
        self._whole, self._begun = 0, 0

    def game_over(self) -> None:
        """Count a game of the shard that is played now."""
        self._begun += 1
        self._show(self._whole + self._begun, self._total)

    def shard_over(self, games: int) -> None:
        """Count a shard of so many games."""
        self._whole, self._begun = self._whole + games, 0
        self._show(self._whole, self._total)


PART_OF_TABLE = ".part"  # the ending of a table that is not whole, behind that of its format


def _keep_part(run: RunConfig, out: Path, played: Sequence[Row], numbers: range, *, is_json: bool) -> None:
    """Write the games that are over beside the table that was asked for, under a name that says that it is
    not whole; say how to play the rest.
    """
    from croupier.lab.shards import gaps

    first = [row for number, row in zip(numbers, played, strict=False) if row.game == number]  # without a gap
    header = header_of(run, len(numbers), len(first), True)
    part = out.with_name(out.name + PART_OF_TABLE)
    if first:
        write_table(part, first, header, force=True, ending=out.suffix)
    if is_json:
        document(
            "collect",
            {**header, "out": str(part), **rows_in_json(first, gaps(first, numbers.stop - 1, numbers.start))},
        )
    if not first:
        say(f"no game was over: {out} was not written")
        return
    say(f"{len(first):,} of {len(numbers):,} games are in {part}; {out} was not written")
    rest = f"--games {numbers[len(first)]}..{numbers[-1]} --seed {run.setup.seed}"
    say(
        f"the rest: the same command with `{rest}` and another --out; a folder of shards is completed by "
        f"its command alone"
    )


def summary(out: object, played: list[Row], seed: int) -> None:
    """Print the number of games, those that did not finish, and their digest."""
    from croupier.lab.shards import digest

    bad = [row for row in played if row.status != "finished"]
    words(f"{len(played):,} games in {out} · digest {digest(played)}")
    for row in bad[:10]:
        words(f"  {row.status}: --seed {seed} --game {row.game}")
    if len(bad) > 10:
        words(f"  and {len(bad) - 10:,} more that did not finish")


def check_parquet(out: Path, option: str = "--out") -> None:
    """Refuses a Parquet file where nothing can write one: before games are played, not after."""
    if out.suffix == ".parquet" and find_spec("pyarrow") is None:
        usage("Parquet needs PyArrow: pip install 'croupier[lab]'; .csv and .jsonl need nothing", option)


def _numbers(text: str) -> range:
    found = re.fullmatch(r"(?:(\d{1,12})\.\.)?(\d{1,12})", text.strip())
    first, last = (int(found[1] or 1), int(found[2])) if found else (0, 0)
    if found is None or not 1 <= first <= last or last - first >= MAX_GAMES:
        usage(f"`{text}` is neither a number of games nor a range like 5001..10000", "--games")
    return range(first, last + 1)


def _part(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        usage(f"`{text}` is not a part such as 2/4", "--shard")
    return int(found[1]), int(found[2])
