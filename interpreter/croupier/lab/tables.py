"""Rows of games as a table: its columns, their types and meanings, and the table as CSV, JSON lines or
Parquet.

The type of a column follows from what the rules can yield, never from the games that were played: scores are
whole numbers in every ruleset, also where no game has any yet; what is divided (a shared win, what is paid)
is a `double`. A column of one seat ends in `_seatN`, N from 0.

What a table is of is its header: in Parquet it stands in the metadata of the schema, under `croupier`; of CSV
and JSON lines in a file beside it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from croupier.diagnostics import JsonObject
from croupier.lab.course import COURSE
from croupier.lab.names import for_programs, of_seat, parts_of
from croupier.lab.rows import PHASE, Row

SUFFIXES = (".csv", ".jsonl", ".parquet")
METADATA = "croupier"  # the key of the header in the metadata of a Parquet file
# what is added to the name of a CSV file, or of one of JSON lines, for the file with its header
BESIDE = ".meta.json"

MEANINGS = {
    "game": "number of the game, from 1; with the seed, `run --seed S --game N` plays it again",
    "status": "finished, unfinished, stuck or faulted",
    "decisions": "how many decisions there were",
    "chance_events": "how many outcomes of chance there were",
    "margin": "the best score less the next one; nothing without scores",
    "forced": "decisions with one option",
    "options": "options of a decision, on average",
    "turns": "decisions of one player in a row count once",
    "minutes": "at the pace of the manifest, for decisions with several options",
}
_EACH = {
    "wins_seat": "what seat {} won: 1, a part of 1 where several won, or 0",
    "score_seat": "the score of seat {}; nothing where the rules keep none",
    "return_seat": "what seat {} is paid; nothing of a game that did not finish",
    "turn_seat": "the place of seat {} in the order of first decisions, the first of all 0",
    PHASE: "decisions in the phase {}",
}
_FRACTIONS = (
    "wins_seat",
    "return_seat",
    "options",
    "minutes",
    *(f"{name}: " for name in COURSE if name != "lead changes"),
)
"""How columns begin whose values may be fractions."""


def meaning(column: str) -> str:
    """The meaning of a column in words."""
    if column in MEANINGS:
        return MEANINGS[column]
    each = next((prefix for prefix in _EACH if column.startswith(prefix)), None)
    if each is not None:
        return _EACH[each].format(column.removeprefix(each))
    what, seat = parts_of(column)
    return f"the measure {what}{'' if seat is None else f' of seat {seat}'}, at the end or of the whole game"


def type_of(column: str) -> str:
    """The type of a column, as Arrow calls it: `string`, `int64` or `double`."""
    if column == "status":
        return "string"
    return "double" if column.startswith(_FRACTIONS) else "int64"


def flat(row: Row, players: int) -> dict[str, object]:
    """A row as columns of a table: `wins_seat0` is what seat 0 won."""
    seats = range(players)
    found: dict[str, object] = {
        "game": row.game,
        "status": row.status,
        "decisions": row.decisions,
        "chance_events": row.chance_events,
    }
    found |= {of_seat("wins", seat): row.share(seat) for seat in seats}
    found |= {of_seat("score", seat): None if row.scores is None else row.scores[seat] for seat in seats}
    found |= {of_seat("return", seat): row.returns[seat] if row.returns else None for seat in seats}
    found["margin"] = row.margin
    if row.order is not None:
        found |= {of_seat("turn", seat): row.order.index(seat) for seat in seats}
    found |= {for_programs(name): value for name, value in row.figures.items()}
    return {name: _typed(value, type_of(name)) for name, value in found.items()}


def _typed(value: object, kind: str) -> object:
    """A value in the type of its column."""
    return int(value) if kind == "int64" and isinstance(value, float) else value


def columns(played: Sequence[Row], players: int) -> tuple[list[str], list[dict[str, object]]]:
    """The names of all columns, in the order in which they come, and the rows."""
    rows = [flat(row, players) for row in played]
    first = list(flat(_EMPTY, players)) if not rows else []
    return list(dict.fromkeys([*first, *(name for row in rows for name in row)])), rows


_EMPTY = Row(1, "finished", (), None, 0, 0)
"""A row that tells the columns of a table without games."""


def described(names: Sequence[str]) -> list[JsonObject]:
    """The columns with their types and meanings, as JSON values."""
    return [{"name": name, "type": type_of(name), "meaning": meaning(name)} for name in names]


def dictionary(names: Sequence[str]) -> bytes:
    """The data dictionary of a table, as CSV: a column a row, with its type and what it holds."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(
        [("column", "type", "meaning"), *((name, type_of(name), meaning(name)) for name in names)]
    )
    return text.getvalue().encode()


def as_table(played: Sequence[Row], players: int, suffix: str, header: str | None = None) -> bytes:
    """The rows as CSV, as a JSON object a line, or as Parquet, which carries the text of a `header`.

    Raises ImportError without PyArrow, ValueError for another suffix.
    """
    names, rows = columns(played, players)
    match suffix:
        case ".csv":
            return _csv(names, rows)
        case ".jsonl":
            return "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows).encode()
        case ".parquet":
            return _parquet(names, rows, header)
    raise ValueError(f"a table is written as {', '.join(SUFFIXES)}")


def _csv(names: Sequence[str], rows: Sequence[dict[str, object]]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _parquet(names: Sequence[str], rows: Sequence[dict[str, object]], header: str | None) -> bytes:
    import pyarrow
    import pyarrow.parquet

    fields = [
        pyarrow.field(name, pyarrow.type_for_alias(type_of(name)), metadata={"description": meaning(name)})
        for name in names
    ]
    schema = pyarrow.schema(fields, metadata=None if header is None else {METADATA: header})
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(
        pyarrow.table({name: [row.get(name) for row in rows] for name in names}, schema=schema), sink
    )
    return bytes(sink.getvalue())
