"""Tables go: those that are forgotten, and where there are too many those that were used longest ago.

A table in play that somebody used lately never goes.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable

from croupier.server.tables import RefusedRequest, Tables
from croupier.server.uses import EVERY, MAX_TABLES_OF_ONE, MOST_AT_ONCE, Keeping, Makers, TableUse

MAX_TABLES = 10_000  # in the store

_logger = logging.getLogger(__name__)


class Sweeper:
    """Lets the tables of one process go."""

    def __init__(
        self, tables: Tables, keeping: Keeping | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.tables, self.keeping, self._clock = tables, keeping or Keeping(), clock
        self.makers = Makers()

    def sweep(self) -> int:
        """Write down what was used, and remove what is forgotten; how many tables that are."""
        now = self._clock()
        return self._remove([one for one in self._own() if one.is_forgotten(self.keeping, now)])

    def make_room(self, who: str) -> None:
        """Make sure that there is room for one more table, made by this visitor.

        Raises `RefusedRequest` where there is none.
        """
        own = self.makers.of(who)
        if len(own) >= MAX_TABLES_OF_ONE and not self._make_room(lambda one: one.table in own):
            raise RefusedRequest(
                f"from your address {len(own)} tables were made that are in use; finish or leave some", 429
            )
        if self.tables.store.count() >= MAX_TABLES and not self._make_room(lambda _: True):
            raise RefusedRequest("there are too many tables", 503)

    def _make_room(self, is_meant: Callable[[TableUse], bool]) -> int:
        """Remove some of these tables; how many that are."""
        now = self._clock()
        found = [one for one in self._own() if is_meant(one) and one.makes_room(now)]
        return self._remove(found[:MOST_AT_ONCE])

    def _own(self) -> list[TableUse]:
        """The tables that this process serves, those first that were used longest ago."""
        tables = self.tables
        return [one for one in tables.uses.every() if tables.process_of(one.table) == tables.process]

    def _remove(self, uses: list[TableUse]) -> int:
        used = self.tables.uses
        gone = [
            one.table for one in uses if not used.is_used_since(one.table) and self.tables.close(one.table)
        ]
        used.remove(gone)
        self.makers.forget(gone)
        return len(gone)

    def start(self, every: float = EVERY) -> threading.Event:
        """Sweep again and again, every so many seconds, in a thread, until the event is set."""
        stop = threading.Event()
        threading.Thread(target=self._run, args=(every, stop), name="sweeper", daemon=True).start()
        return stop

    def _run(self, every: float, stop: threading.Event) -> None:
        while not stop.wait(every):
            try:
                self.sweep()
            except sqlite3.Error as error:  # the file is busy, or the disk is full: the next time
                _logger.error("tables could not be swept: %s", error)
