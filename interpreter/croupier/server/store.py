"""Tables and their choices in SQLite: a row a table, a row a choice.

What `add` and `append` return from is on the disk.

What several threads write while the disk is busy is written together: one transaction, one fsync. Processes
that share a file take turns: each waits until the file is free, instead of asking for it again and again as
SQLite does, and what comes meanwhile is written with the rest.
"""

from __future__ import annotations

import json
import math
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from croupier.diagnostics import JsonObject
from croupier.server.hosted_match import Row
from croupier.server.seat_keys import SeatKeys

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, ruleset TEXT NOT NULL, ruleset_hash TEXT NOT NULL, players INTEGER NOT NULL, parameters TEXT NOT NULL, seed TEXT NOT NULL,
    bots TEXT NOT NULL, persons TEXT NOT NULL, names TEXT NOT NULL, tokens TEXT NOT NULL, made REAL NOT NULL, variants TEXT NOT NULL DEFAULT '[]',
    meaning_hash TEXT NOT NULL DEFAULT '', chosen_seed TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS remarks (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL REFERENCES tables(id), step INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS choices (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL REFERENCES tables(id), step INTEGER NOT NULL, seat INTEGER NOT NULL,
    action INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS rules (hash TEXT PRIMARY KEY, name TEXT NOT NULL, sources BLOB NOT NULL, kept REAL NOT NULL);
CREATE TABLE IF NOT EXISTS seats (
    at TEXT NOT NULL REFERENCES tables(id) ON DELETE CASCADE, seat INTEGER NOT NULL, link TEXT NOT NULL, keys TEXT NOT NULL, used TEXT NOT NULL,
    issued INTEGER NOT NULL, PRIMARY KEY (at, seat)
);
CREATE INDEX IF NOT EXISTS choices_of ON choices(at, number);
CREATE INDEX IF NOT EXISTS remarks_of ON remarks(at, number);
"""  # noqa: E501 the text as it is read


CHOSEN = "chosen"  # of a seed, in its column
MAX_ROWS = 200  # of one statement: SQLite takes 999 values


@dataclass(frozen=True)
class Entry:
    """A table as it was made.

    `tokens` are SHA-256 of the links of seats as they were made, in hexadecimal, by seat; -1 is spectators,
    -2 is the key of whoever made the table. `has_chosen_seed`: that was not chance, but whoever made it.
    """

    id: str
    ruleset: str
    ruleset_hash: str
    players: int
    parameters: JsonObject
    seed: int
    bots: tuple[str, ...]
    persons: frozenset[int]
    names: tuple[str, ...]
    tokens: dict[int, str]
    made: float
    variants: tuple[str, ...] = ()
    meaning_hash: str = ""  # empty: the table was made by an earlier version
    has_chosen_seed: bool = False


@dataclass
class PendingWrite:
    """A write of one thread, all or nothing: choices at a table, and the table itself if it is new; later its
    result.
    """

    table: str
    rows: Sequence[Row]
    entry: Mapping[str, object]  # the values of a new table by column
    is_done: bool = False  # whether it was tried
    error: Exception | None = field(default_factory=lambda: OSError("not written"))
    then: Callable[[Exception | None], object] | None = None


class TableStore:
    """The file of a server; one connection, used by one thread at a time.

    Processes that share it lock a file beside it when they write.
    """

    def __init__(self, path: Path | str, *, is_shared: bool = False) -> None:
        self._lock = threading.Lock()
        self._turns = Path(f"{path}-turns").open("ab") if is_shared else None
        self._waiting: deque[PendingWrite] = deque()
        # one for each that nobody waits for; false ends the thread that writes them
        self._soon: SimpleQueue[bool] = SimpleQueue()
        self._writer: threading.Thread | None = None
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        self._db.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;" + _SCHEMA
        )
        columns = {row[1] for row in self._db.execute("PRAGMA table_info(tables)")}
        for name, nothing in (("variants", "[]"), ("meaning_hash", ""), ("chosen_seed", "")):
            if name not in columns:  # a file of an older version
                self._db.execute(f"ALTER TABLE tables ADD COLUMN {name} TEXT NOT NULL DEFAULT '{nothing}'")

    def add(self, entry: Entry, rows: Iterable[Row] = ()) -> None:
        """A new table, with what was chosen there before it was made."""
        tokens = {str(seat): token for seat, token in entry.tokens.items()}
        values: JsonObject = {
            "id": entry.id,
            "ruleset": entry.ruleset,
            "ruleset_hash": entry.ruleset_hash,
            "players": entry.players,
            "parameters": json.dumps(entry.parameters),
            "seed": str(entry.seed),
            "bots": json.dumps(entry.bots),
            "persons": json.dumps(sorted(entry.persons)),
            "names": json.dumps(entry.names),
            "tokens": json.dumps(tokens),
            "made": entry.made,
            "variants": json.dumps(entry.variants),
            "meaning_hash": entry.meaning_hash,
            "chosen_seed": CHOSEN if entry.has_chosen_seed else "",
        }
        self._write(entry.id, rows, values)

    def append(self, table: str, rows: Iterable[Row]) -> None:
        """Append choices at a table, all of them or nothing."""
        self._write(table, rows)

    def append_soon(
        self, table: str, rows: Iterable[Row], then: Callable[[Exception | None], object]
    ) -> None:
        """Append choices at a table from the thread that writes; then it calls `then`, without an error if
        they are on the disk.
        """
        if self._writer is None:
            self._writer = threading.Thread(target=self._write_soon, name="writer", daemon=True)
            self._writer.start()
        self._waiting.append(PendingWrite(table, list(rows), {}, then=then))
        self._soon.put(True)

    def _write_soon(self) -> None:
        while self._soon.get():
            with self._lock:
                if self._waiting:
                    self._write_waiting()

    def _write_waiting(self) -> None:
        """Write all that waits. The caller holds the lock."""
        every: list[PendingWrite] = []
        try:
            with self._exclusive():
                every = [self._waiting.popleft() for _ in range(len(self._waiting))]
                self._write_all(every)
        except OSError as error:  # there is no turn
            every = every or [self._waiting.popleft() for _ in range(len(self._waiting))]
            for one in every:
                one.is_done, one.error = True, error
        for one in every:
            if one.then is not None:
                with suppress(RuntimeError):  # nobody is there any more
                    one.then(one.error)

    def _write(self, table: str, rows: Iterable[Row], entry: Mapping[str, object] | None = None) -> None:
        mine = PendingWrite(table, list(rows), entry or {})
        self._waiting.append(mine)
        with self._lock:  # whoever gets it first writes for all that wait
            if not mine.is_done:
                self._write_waiting()
        if mine.error is not None:
            raise mine.error

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """A lock among processes for the time of a write.

        Where files cannot be locked, that of SQLite is the only one.
        """
        if self._turns is None or fcntl is None:
            yield
            return
        fcntl.flock(self._turns, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._turns, fcntl.LOCK_UN)

    def _write_all(self, every: Sequence[PendingWrite]) -> None:
        try:
            self._commit(every)
        except sqlite3.Error:
            for one in every:  # those that can be written are
                try:
                    self._commit([one])
                except sqlite3.Error as error:
                    one.error = error
        finally:
            for one in every:
                one.is_done = True

    def _commit(self, every: Sequence[PendingWrite]) -> None:
        """One transaction.

        Of choices alone it is one statement: with each, other threads get the turn, and it takes a while to
        get it back.
        """
        rows = [(one.table, *row) for one in every for row in one.rows]
        several = len(rows) > MAX_ROWS or any(one.entry for one in every)
        try:
            if several:
                self._db.execute("BEGIN IMMEDIATE")
            for one in every:
                if one.entry:
                    self._db.execute(
                        f"INSERT INTO tables ({', '.join(one.entry)}) "
                        f"VALUES ({', '.join('?' * len(one.entry))})",
                        tuple(one.entry.values()),
                    )
            for start in range(0, len(rows), MAX_ROWS):
                part = rows[start : start + MAX_ROWS]
                places = ", ".join(["(?, ?, ?, ?)"] * len(part))
                self._db.execute(
                    f"INSERT INTO choices (at, step, seat, action) VALUES {places}",
                    [value for row in part for value in row],
                )
            if several:
                self._db.execute("COMMIT")
            for one in every:
                one.error = None
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def exclusive(self) -> Iterator[sqlite3.Connection]:
        """The file, for one transaction: all that is done with it, or nothing.

        Raises sqlite3.Error.
        """
        with self._lock, self._exclusive():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _rows(self, query: str, *values: str) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        with self._lock, closing(self._db.execute(query, values)) as found:
            return found.fetchall()

    def _row(self, query: str, *values: str) -> sqlite3.Row | None:
        """Return the first row of a query, if there is one."""
        return next(iter(self._rows(query, *values)), None)

    def find(self, table: str) -> Entry | None:
        """A table, if it is there."""
        stored = self._row("SELECT * FROM tables WHERE id = ?", table)
        if stored is None:
            return None
        return Entry(
            id=stored["id"],
            ruleset=stored["ruleset"],
            ruleset_hash=stored["ruleset_hash"],
            players=stored["players"],
            parameters=json.loads(stored["parameters"]),
            seed=int(stored["seed"]),
            bots=tuple(json.loads(stored["bots"])),
            persons=frozenset(json.loads(stored["persons"])),
            names=tuple(json.loads(stored["names"])),
            tokens={int(seat): token for seat, token in json.loads(stored["tokens"]).items()},
            made=stored["made"],
            variants=tuple(json.loads(stored["variants"])),
            meaning_hash=stored["meaning_hash"],
            has_chosen_seed=stored["chosen_seed"] == CHOSEN,
        )

    def choices(self, table: str) -> list[Row]:
        """Return the choices at a table, in order."""
        found = self._rows("SELECT step, seat, action FROM choices WHERE at = ? ORDER BY number", table)
        return [tuple(row) for row in found]

    def remark(self, table: str, step: int, seat: int, text: str) -> None:
        """Somebody (-1: a spectator) says something about the position after so many steps."""
        with self._lock:
            self._db.execute(
                "INSERT INTO remarks (at, step, seat, text) VALUES (?, ?, ?, ?)", (table, step, seat, text)
            )

    def remarks(self, table: str) -> list[tuple[int, int, str]]:
        """Step, seat and words of each remark, in the order in which they were made."""
        found = self._rows("SELECT step, seat, text FROM remarks WHERE at = ? ORDER BY number", table)
        return [tuple(row) for row in found]

    # ------------------------------------------------------------ seats
    def seat_keys(self, table: str) -> dict[int, SeatKeys]:
        """Return the links and keys of the seats of a table that are not as they were made, by seat."""
        rows = self._rows("SELECT seat, link, keys, used, issued FROM seats WHERE at = ?", table)
        return {
            seat: SeatKeys(link, tuple(json.loads(keys)), tuple(json.loads(used)), issued)
            for seat, link, keys, used, issued in rows
        }

    def set_seat_keys(self, table: str, seat: int, keys: SeatKeys) -> None:
        """Write down the link and the keys of a seat."""
        with self._lock, self._exclusive():
            self._db.execute(
                "INSERT OR REPLACE INTO seats (at, seat, link, keys, used, issued) VALUES (?, ?, ?, ?, ?, ?)",
                (table, seat, keys.link, json.dumps(keys.keys), json.dumps(keys.used), keys.issued),
            )

    # ------------------------------------------------------------ rules
    def keep_rules(self, ruleset_hash: str, name: str, sources: bytes) -> None:
        """Keep the files of a ruleset under its hash, and that it is the last good one of that name."""
        with self._lock, self._exclusive():
            self._db.execute(
                "INSERT INTO rules VALUES (?, ?, ?, ?) "
                "ON CONFLICT (hash) DO UPDATE SET name = excluded.name, sources = excluded.sources, "
                "kept = excluded.kept",
                (ruleset_hash, name, sources, time.time()),
            )

    def keep_rules_as(self, ruleset_hash: str, same: str) -> None:
        """Keep under a hash the files that are kept under another one, if there are none yet."""
        if self.rules(ruleset_hash) is not None:
            return
        with self._lock, self._exclusive():
            self._db.execute(
                "INSERT OR IGNORE INTO rules SELECT ?, name, sources, 0 FROM rules WHERE hash = ?",
                (ruleset_hash, same),
            )

    def rules(self, ruleset_hash: str) -> bytes | None:
        """Return the files of the ruleset of a hash, if they were kept."""
        row = self._row("SELECT sources FROM rules WHERE hash = ?", ruleset_hash)
        return None if row is None else bytes(row[0])

    def last_rules(self, name: str) -> tuple[str, bytes] | None:
        """Return hash and files of the ruleset of a name that was good last."""
        row = self._row("SELECT hash, sources FROM rules WHERE name = ? ORDER BY kept DESC LIMIT 1", name)
        return None if row is None else (str(row[0]), bytes(row[1]))

    def drop_unused_rules(self, offered: Sequence[str], before: float = math.inf) -> None:
        """Forget the rules of no table that were kept before a time, in seconds since 1970; but for the last
        good ones of the names that are offered.
        """
        names = ", ".join("?" * len(offered))
        with self._lock, self._exclusive():
            self._db.execute(
                "DELETE FROM rules WHERE hash NOT IN (SELECT ruleset_hash FROM tables) AND kept < ? "
                f"AND NOT (name IN ({names}) "
                "AND kept = (SELECT max(kept) FROM rules AS other WHERE other.name = rules.name))",
                (before, *offered),
            )

    def count(self) -> int:
        """Return the number of tables."""
        return int(self._rows("SELECT count(*) FROM tables")[0][0])

    def close(self) -> None:
        """Close the file."""
        if self._writer is not None:
            self._soon.put(False)
            self._writer.join()
        with self._lock:
            self._db.close()
            if self._turns is not None:
                self._turns.close()
