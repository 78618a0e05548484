"""The files that `collect --decisions` and `--events` write: each is made row by row, and has its name when
it is whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.diagnostics import JsonObject
from croupier.lab.logs import GameLog, columns_of, table_of
from croupier.lab.row_files import RowFile, described, new_file
from croupier.lab.rows import Row
from croupier.lab.workers import RunConfig, load_ruleset
from croupier.play.decisions import Row as Cells

if TYPE_CHECKING:
    from croupier.runtime.game import Game


@contextmanager
def log_files(run: RunConfig, paths: Mapping[str, Path], *, force: bool) -> Iterator[LogFiles]:
    """A context that gives the files of a run by what they hold, `decisions` or `events`: they are whole at
    its end, and gone where an exception ends it.
    """
    game = load_ruleset(run.source).game(run.setup.players, run.setup.parameters) if paths else None
    with ExitStack() as stack:
        files = {
            what: stack.enter_context(new_file(path, columns_of(game, what), force=force))
            for what, path in paths.items()
            if game is not None
        }
        yield LogFiles(game, files)


class LogFiles:
    """The files of a run by what they hold."""

    def __init__(self, game: Game | None, files: Mapping[str, RowFile]) -> None:
        self._game, self._files = game, files

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
        for what, file in self._files.items():
            game = self._game
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
