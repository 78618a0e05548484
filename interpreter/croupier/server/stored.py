"""The tables in the file of a server, for whoever runs it: listed, saved as games, removed.

A server may be using the file meanwhile.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.diagnostics import RulesetError
from croupier.play.record import as_text
from croupier.runtime.faults import Fault, IllegalAction
from croupier.server.refusals import RefusedRequest
from croupier.server.store import Entry, TableStore
from croupier.server.tables import Tables
from croupier.server.uses import DAY, TableUse

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset


@dataclass(frozen=True)
class KeptTable:
    """A table: how it was made, and how it is used."""

    entry: Entry
    use: TableUse


def is_store(path: Path) -> bool:
    """Tell whether a file is one that a server keeps tables in. Raises OSError if it cannot be read."""
    with path.open("rb"):
        pass
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.Error:
        return False
    return {"tables", "choices"} <= {name for (name,) in rows}


class TableFile:
    """The tables in a file. `load` reads a ruleset by the name that the server was given."""

    def __init__(
        self, path: Path, load: Callable[[str], Ruleset], clock: Callable[[], float] = time.time
    ) -> None:
        self._store, self._load, self._clock = TableStore(path), load, clock
        self._tables = Tables(self._store, (), load)

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    def every(self) -> list[KeptTable]:
        """Return all tables, those first that were used longest ago."""
        found = []
        for use in self._tables.uses.every():
            entry = self._store.find(use.table)
            if entry is not None:  # removed by the server meanwhile
                found.append(KeptTable(entry, use))
        return found

    def chosen(self, ids: Sequence[str], days: float | None, *, finished: bool) -> list[KeptTable]:
        """Return the tables with these ids, or all without ids: those that nobody has used for so many days;
        of games that are over alone, where `finished` says so.

        Raises KeyError for an id of no table.
        """
        known = {one.entry.id: one for one in self.every()}
        for id in ids:
            if id not in known:
                raise KeyError(id)
        now = self._clock()
        return [
            one
            for one in known.values()
            if (not ids or one.entry.id in ids)
            and (days is None or now - one.use.used >= days * DAY)
            and (one.use.is_over or not finished)
        ]

    def game(self, table: KeptTable) -> str:
        """Return the game at a table, as far as it was played, as the text of a saved game.

        Raises `RefusedRequest` or RulesetError if its rules are not there any more, or others, or if what was
        chosen is no game of them.
        """
        self._tables.rules.offered = (table.entry.ruleset,)
        try:
            match = self._tables.stored(table.entry.id).match
            return as_text(match.record().to_json())
        except IllegalAction as error:
            raise RefusedRequest(f"what is kept is no game of these rules: {error}", 409) from None
        except Fault as fault:
            raise RefusedRequest(
                f"the game cannot be played again: {fault.diagnostic.message}", 409
            ) from None

    def in_use(self, tables: Iterable[KeptTable]) -> list[str]:
        """Return the ids of the tables that people use: they are not removed."""
        now = self._clock()
        return [one.entry.id for one in tables if one.use.is_in_play(now)]

    def remove(self, tables: Iterable[KeptTable]) -> tuple[list[str], list[str]]:
        """Remove tables; the ids of those that are gone, and of those that are in play and stay."""
        meant = {one.entry.id for one in tables}
        now = [one for one in self.every() if one.entry.id in meant]
        kept = self.in_use(now)
        gone = [one.entry.id for one in now if one.entry.id not in kept]
        self._tables.uses.remove(gone)
        return gone, kept


def why_unsaved(error: RefusedRequest | RulesetError) -> str:
    """Return the words for a game that could not be saved."""
    if isinstance(error, RulesetError):
        return "; ".join(found.message for found in error.diagnostics[:3])
    return str(error)
