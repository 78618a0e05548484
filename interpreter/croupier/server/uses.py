"""When tables were used last, and which of them go: finished and forgotten ones after a time, and those that
make room where there are too many.

A table is used when somebody makes it, looks at it, or plays there; an open page looks at it all the time.
That is remembered in memory, and written into the file of the tables from time to time (`TableUses.write`).
Each process sweeps the tables that it serves.

What a bound counts as one visitor is said in `addresses`. Who made which table is not written down: when the
server has been started again, its tables are nobody's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from sqlite3 import Connection

from croupier.server.addresses import surroundings
from croupier.server.store import TableStore

MAX_TABLES_OF_ONE = 100  # tables of one visitor
MAX_TABLES_AROUND = 1_000  # tables of all visitors of one network, `addresses.surroundings`
DAY = 86_400.0  # seconds
LATELY = DAY  # seconds: whoever has come to a table in play since is still there
UNPLAYED = 600.0  # seconds that a table is kept in any case at which no person has chosen anything
MOST_AT_ONCE = 100  # tables that go at once to make room
EVERY = 60.0  # seconds between two sweeps

_SCHEMA = """
CREATE TABLE uses (
    at TEXT PRIMARY KEY REFERENCES tables(id), used REAL NOT NULL,
    is_over INTEGER NOT NULL, is_played INTEGER NOT NULL
)
"""
_UPGRADE = "INSERT INTO uses SELECT id, ?, 0, 1 FROM tables"
_UPDATE = """
INSERT INTO uses SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?1)
ON CONFLICT(at) DO UPDATE SET used = max(used, excluded.used), is_over = max(is_over, excluded.is_over),
    is_played = max(is_played, excluded.is_played)
"""
_SELECT = """
SELECT id, coalesce(used, made), coalesce(is_over, 0), coalesce(is_played, 0)
FROM tables LEFT JOIN uses ON at = id ORDER BY 2, 1
"""


@dataclass(frozen=True)
class Keeping:
    """How long tables are kept that nobody uses, in days; 0 is for ever."""

    finished: float = 30
    unfinished: float = 90


@dataclass(frozen=True)
class TableUse:
    """A table: when it was used last, in seconds since 1970; whether its game is over; whether a person has
    chosen anything there.
    """

    table: str
    used: float
    is_over: bool
    is_played: bool

    def is_in_play(self, now: float) -> bool:
        """Tell whether people are at this table: the game goes on, and somebody used it lately."""
        return not self.is_over and now - self.used < LATELY

    def is_forgotten(self, keeping: Keeping, now: float) -> bool:
        """Tell whether the time is over for which such a table is kept."""
        days = keeping.finished if self.is_over else keeping.unfinished
        return days > 0 and now - self.used >= days * DAY

    def makes_room(self, now: float) -> bool:
        """Tell whether this table may go where there are too many."""
        return now - self.used >= (LATELY if self.is_played else UNPLAYED)


class TableUses:
    """The uses of the tables in a store."""

    def __init__(self, store: TableStore, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock
        self._lock = threading.Lock()
        self._new: dict[str, TableUse] = {}  # by table, what is not written yet
        with store.exclusive() as db:
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'uses'").fetchone():
                db.execute(_SCHEMA)
                db.execute(_UPGRADE, (clock(),))  # in a file of an older version nobody knows: it begins now

    def touch(self, table: str, *, is_over: bool = False, is_played: bool = False) -> None:
        """Somebody uses a table that there is; its game is over, or a person has chosen, now or before."""
        with self._lock:
            self._note(TableUse(table, self._clock(), is_over, is_played))

    def _note(self, new: TableUse) -> None:
        """Join a use with what is known of the table and not written yet. The caller holds the lock."""
        known = self._new.get(new.table, new)
        self._new[new.table] = TableUse(
            new.table,
            max(known.used, new.used),
            is_over=known.is_over or new.is_over,
            is_played=known.is_played or new.is_played,
        )

    def is_used_since(self, table: str) -> bool:
        """Tell whether somebody has used a table since `write` was called."""
        with self._lock:
            return table in self._new

    def write(self) -> None:
        """Write what is new into the file. Raises sqlite3.Error; then it is written the next time."""
        with self._lock:  # only for a moment: whoever uses a table waits for it
            new, self._new = self._new, {}
        if not new:
            return
        try:
            with self._store.exclusive() as db:
                db.executemany(
                    _UPDATE, [(one.table, one.used, one.is_over, one.is_played) for one in new.values()]
                )
        except BaseException:
            with self._lock:
                for one in new.values():
                    self._note(one)
            raise

    def every(self) -> list[TableUse]:
        """Return the uses of all tables, those first that were used longest ago."""
        self.write()
        with self._store.exclusive() as db:
            rows = db.execute(_SELECT).fetchall()
        return [TableUse(id, used, bool(is_over), bool(is_played)) for id, used, is_over, is_played in rows]

    def remove(self, tables: Iterable[str]) -> None:
        """Remove tables, with everything that belongs to them, from the file."""
        gone = list(tables)
        with self._lock:
            for table in gone:
                self._new.pop(table, None)
        if not gone:
            return
        with self._store.exclusive() as db:
            for child, column in _children(db):
                db.executemany(f'DELETE FROM "{child}" WHERE "{column}" = ?', [(one,) for one in gone])
            db.executemany("DELETE FROM tables WHERE id = ?", [(one,) for one in gone])


def _children(db: Connection) -> Sequence[tuple[str, str]]:
    """The tables of the file whose rows belong to a table of the server, and the column that names it."""
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    return [
        (name, key[3])
        for name in names
        for key in db.execute(f'PRAGMA foreign_key_list("{name}")').fetchall()
        if key[2] == "tables"
    ]


class Makers:
    """Which visitor made which of the tables that there are, as far as this process knows.

    Tables are found by the visitor, and by the network around it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by: dict[str, tuple[str, ...]] = {}
        self._of: dict[str, set[str]] = {}

    def of(self, place: str) -> frozenset[str]:
        """The tables that a visitor made, or those of a network."""
        with self._lock:
            return frozenset(self._of.get(place, ()))

    def note(self, who: str, table: str) -> None:
        """Note that a visitor made a table."""
        places = tuple({who, surroundings(who)})
        with self._lock:
            self._by[table] = places
            for place in places:
                self._of.setdefault(place, set()).add(table)

    def forget(self, tables: Iterable[str]) -> None:
        """Forget tables that are no more."""
        with self._lock:
            for table in tables:
                for place in self._by.pop(table, ()):
                    self._of[place].discard(table)
                    if not self._of[place]:
                        del self._of[place]
