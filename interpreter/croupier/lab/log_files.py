"""The files that `collect --decisions` and `--events` write: each is made row by row, and has its name when
it is whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from croupier.diagnostics import JsonObject
from croupier.lab.logs import GameLog, columns_of, table_of
from croupier.lab.row_files import RowFile, described, new_file
from croupier.lab.rows import Row
from croupier.lab.workers import RunConfig, load_ruleset
from croupier.play.decisions import Row as Cells


class LogFiles:
    """The files of a run by what they hold, `decisions` or `events`, as a context: they are whole at its end,
    and gone where an exception ends it.
    """

    def __init__(self, run: RunConfig, paths: Mapping[str, Path], *, force: bool) -> None:
        self._run, self._paths, self._force = run, paths, force
        self._stack, self._files = ExitStack(), dict[str, RowFile]()

    def __enter__(self) -> LogFiles:
        if self._paths:
            game = load_ruleset(self._run.source).game(self._run.setup.players, self._run.setup.parameters)
            for what, path in self._paths.items():
                self._files[what] = self._stack.enter_context(
                    new_file(path, columns_of(game, what), force=self._force)
                )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self._stack.__exit__(kind, error, trace)

    def add(self, row: Row) -> Row:
        """Write the rows of a game; gives its own row without them."""
        if not self._files:
            return row
        for what, file in self._files.items():
            file.add(row.log.rows(what))
        return replace(row, log=GameLog())

    def add_all(self, what: str, rows: Iterable[Cells]) -> None:
        """Write rows of any games."""
        self._files[what].add_all(rows)

    def contents(self) -> Iterator[tuple[str, JsonObject]]:
        """Return the contents of each file: number of rows, columns, and for decisions every option of the
        rules.
        """
        if self._files:
            game = load_ruleset(self._run.source).game(self._run.setup.players, self._run.setup.parameters)
        else:
            game = None
        for what, file in self._files.items():
            assert game is not None
            found: JsonObject = {"rows": file.count, "columns": described(columns_of(game, what))}
            if what == "decisions":
                names = ("decision", "option", "place")
                found["options"] = [
                    dict(zip(names, option, strict=True)) for option in table_of(game).options()
                ]
            yield what, found

    def describe(self, headers: Mapping[str, str], *, is_part: bool) -> None:
        """Set the header of each file, a JSON text, and whether it is a part of what was wanted; call it at
        the end.
        """
        for what, header in headers.items():
            self._files[what].header, self._files[what].is_part = header, is_part


__all__ = ["LogFiles"]
