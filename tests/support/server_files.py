"""A file of `croupier serve` with two tables: `over`, whose game is over, and `begun`."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import croupier
from croupier.server.store import TableStore
from croupier.server.tables import Tables

MOVES = {"over": (0, 3, 1, 4, 2), "begun": (4,)}


def make_store(path: Path) -> None:
    """Make the file; both tables were used just now."""
    store = TableStore(path)
    tables = Tables(store, ("tic_tac_toe",), croupier.load)
    made = {}
    for name, moves in MOVES.items():
        made[name], _ = tables.make("tic_tac_toe", 2, [0, 1], ["first"], ["Anna"], 1)
        table = tables.find(made[name])
        for turn, action in enumerate(moves):
            tables.choose(table, turn % 2, action)
    tables.uses.write()
    store.close()
    with closing(sqlite3.connect(path)) as db:
        for name, id in made.items():
            db.execute("UPDATE tables SET id = ? WHERE id = ?", (name, id))
            for child in ("choices", "uses"):
                db.execute(f"UPDATE {child} SET at = ? WHERE at = ?", (name, id))
        db.commit()


def set_used(path: Path, name: str, seconds_ago: float) -> None:
    """Let a table be used last so long ago."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE uses SET used = used - ? WHERE at = ?", (seconds_ago, name))
        db.commit()
