"""Files of rows that are written row by row, for as many rows as do not fit into memory: CSV, a JSON object a
line, or Parquet.

The columns say of what type they are, so that a column is of the same type whatever the data. A table is
written to a draft beside its place and takes its name in one step when it is whole; a run that is interrupted
leaves nothing under that name, but what there is as `FILE.part`.
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any, Protocol

from croupier.diagnostics import JsonObject
from croupier.lab.tables import BESIDE, METADATA
from croupier.play.atomic_write import check_free, draft_beside, write_whole
from croupier.play.decisions import Column, Row

ROWS_AT_ONCE = 50_000  # of Parquet: a group of rows


class RowWriter(Protocol):
    """A writer of rows; at the end it gets a text that describes them."""

    def add(self, rows: Sequence[Row]) -> None: ...

    def close(self, header: str) -> None: ...


class RowFile:
    """A file that is being written.

    Whoever writes it says at the end what it is of (`header`, a JSON text), and whether it `is_part` of what
    was wanted: such a file is called `FILE.part`.
    """

    def __init__(self, writer: RowWriter) -> None:
        self.writer, self.header, self.is_part, self.count = writer, "", False, 0

    def add(self, rows: Sequence[Row]) -> None:
        """Write some rows."""
        self.writer.add(rows)
        self.count += len(rows)

    def add_all(self, rows: Iterable[Row]) -> None:
        """Write all rows, some at a time."""
        left = iter(rows)
        while some := list(islice(left, ROWS_AT_ONCE)):
            self.add(some)


@contextmanager
def new_file(path: Path, columns: Sequence[Column], *, force: bool = False) -> Iterator[RowFile]:
    """A context that gives the file, which takes its name at the end, and is gone where an exception ends it.

    Its header stands in the metadata of Parquet, and beside other files as `FILE.meta.json`. The ending is
    one of `lab.tables.SUFFIXES`. Raises RulesetError as `write_whole` does, ImportError without PyArrow.
    """
    check_free(path, force=force)

    def whole() -> Path:
        return path.with_name(f"{path.name}.part") if made.is_part else path

    with draft_beside(path, lambda draft, _: os.replace(draft, os.path.realpath(whole()))) as file:
        made = RowFile(_WRITERS[path.suffix](file, columns))
        yield made
        made.writer.close(made.header)
    if path.suffix != ".parquet":
        write_whole(whole().with_name(f"{whole().name}{BESIDE}"), made.header, force=True)


def described(columns: Sequence[Column]) -> list[JsonObject]:
    """The columns with their types and meanings, as JSON values."""
    return [{"name": column.name, "type": column.type, "meaning": column.meaning} for column in columns]


class CsvWriter:
    """Writes CSV with a line of names; what has no value is empty."""

    def __init__(self, file: IO[bytes], columns: Sequence[Column]) -> None:
        self._text = os.fdopen(os.dup(file.fileno()), "w", encoding="utf-8", newline="")
        self._csv = csv.writer(self._text, lineterminator="\n")
        self._csv.writerow([column.name for column in columns])

    def add(self, rows: Sequence[Row]) -> None:
        self._csv.writerows(rows)

    def close(self, header: str) -> None:
        self._text.close()


class JsonLinesWriter:
    """Writes an object a line; what has no value is null."""

    def __init__(self, file: IO[bytes], columns: Sequence[Column]) -> None:
        self._file, self._names = file, [column.name for column in columns]

    def add(self, rows: Sequence[Row]) -> None:
        names = self._names
        self._file.write(
            "".join(
                json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=True) + "\n" for row in rows
            ).encode("ascii")
        )

    def close(self, header: str) -> None:
        self._file.flush()


class ParquetWriter:
    """Writes Parquet; the header, with the meanings of columns, stands in the metadata under `croupier`."""

    def __init__(self, file: IO[bytes], columns: Sequence[Column]) -> None:
        import pyarrow
        import pyarrow.parquet

        self._pyarrow = pyarrow
        self._arrow = pyarrow.schema([pyarrow.field(c.name, pyarrow.type_for_alias(c.type)) for c in columns])
        # without a schema of Arrow's own, which is written first, the metadata that come last are those of
        # the schema
        self._parquet = pyarrow.parquet.ParquetWriter(file, self._arrow, store_schema=False)
        self._waiting: list[Row] = []

    def add(self, rows: Sequence[Row]) -> None:
        self._waiting += rows
        if len(self._waiting) >= ROWS_AT_ONCE:
            self._write()

    def _write(self) -> None:
        cells: Iterable[Sequence[Any]] = (
            zip(*self._waiting, strict=True) if self._waiting else [()] * len(self._arrow)
        )
        arrays = [
            self._pyarrow.array(column, field.type) for column, field in zip(cells, self._arrow, strict=True)
        ]
        self._parquet.write_table(self._pyarrow.Table.from_arrays(arrays, schema=self._arrow))
        self._waiting = []

    def close(self, header: str) -> None:
        self._write()
        self._parquet.add_key_value_metadata({METADATA: header})
        self._parquet.close()


_WRITERS: dict[str, Callable[[IO[bytes], Sequence[Column]], RowWriter]]
_WRITERS = {".csv": CsvWriter, ".jsonl": JsonLinesWriter, ".parquet": ParquetWriter}
