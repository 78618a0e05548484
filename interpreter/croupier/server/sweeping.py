"""Tables go: those that are forgotten, and where there are too many those that were used longest ago.

A table in play that somebody used lately never goes.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Container

from croupier.server.addresses import surroundings
from croupier.server.refusals import RefusedRequest
from croupier.server.tables import Tables
from croupier.server.uses import (
    EVERY,
    MAX_TABLES_AROUND,
    MAX_TABLES_OF_ONE,
    MOST_AT_ONCE,
    Keeping,
    Makers,
    TableUse,
)

MAX_TABLES = 10_000  # in the store
PAUSE = 1.0  # seconds in which nothing is looked for again: many may ask, and all tables are read

_logger = logging.getLogger(__name__)


class Sweeper:
    """Lets the tables of one process go."""

    def __init__(
        self, tables: Tables, keeping: Keeping | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.tables, self.keeping, self._clock = tables, keeping or Keeping(), clock
        self.makers = Makers()
        self._found_none: dict[str, float] = {}  # by place, empty for all: when no table could make room

    def sweep(self) -> int:
        """Write down what was used, and remove what is forgotten; how many tables that are.

        Tables that nobody uses leave the memory, and rules that no table has any more go.
        """
        now = self._clock()
        self.tables.let_go()
        gone = self._remove([one for one in self._own() if one.is_forgotten(self.keeping, now)])
        self.tables.rules.drop_unused(now)
        return gone

    def make_room(self, who: str) -> None:
        """Make sure that there is room for one more table, made by this visitor.

        Raises `RefusedRequest` where there is none.
        """
        for place, most in ((surroundings(who), MAX_TABLES_AROUND), (who, MAX_TABLES_OF_ONE)):
            made = self.makers.of(place)
            if len(made) >= most and not self._make_room(place, made):
                raise RefusedRequest(
                    f"from {place} {len(made)} tables were made that are in use; finish some first", 429
                )
        if self.tables.store.count() >= MAX_TABLES and not self._make_room("", None):
            raise RefusedRequest("there are too many tables", 503)

    def _make_room(self, place: str, among: Container[str] | None) -> int:
        """Remove some of these tables, of a place, or of all; how many that are."""
        now = self._clock()
        self._found_none = {at: when for at, when in self._found_none.items() if 0 <= now - when < PAUSE}
        if place in self._found_none:
            return 0
        found = [one for one in self._own() if (among is None or one.table in among) and one.makes_room(now)]
        gone = self._remove(found[:MOST_AT_ONCE])
        if not gone:
            self._found_none[place] = now
        return gone

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
