"""Tables go that nobody uses; none in play that somebody used lately."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="games in the browser need starlette")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

import croupier
from croupier.server.app import application
from croupier.server.refusals import RefusedRequest
from croupier.server.store import TableStore
from croupier.server.sweeping import Sweeper
from croupier.server.tables import Tables
from croupier.server.uses import DAY, LATELY, UNPLAYED, Keeping, TableUses

GAMES = ("tic_tac_toe",)


class Clock:
    """A clock that is set by hand, in seconds since 1970."""

    def __init__(self) -> None:
        self.now = 1_000_000_000.0

    def __call__(self) -> float:
        return self.now


class House:
    """Tables that are swept, and a clock."""

    def __init__(self, place: Path | str, keeping: Keeping | None = None) -> None:
        self.clock = Clock()
        self.tables = Tables(TableStore(place), GAMES, croupier.load)
        self.tables.uses = TableUses(self.tables.store, self.clock)
        self.sweeper = Sweeper(self.tables, keeping, self.clock)

    def table(self, choices: int = 0) -> str:
        """A new table at which so many choices were made; five end the game."""
        id, _ = self.tables.make("tic_tac_toe", 2, [0, 1], ["first"], [], 1)
        table = self.tables.find(id)
        for turn, action in enumerate((0, 3, 1, 4, 2)[:choices]):
            self.tables.choose(table, turn % 2, action)
        return id

    def left(self) -> set[str]:
        """The tables that there are."""
        return {one.table for one in self.tables.uses.every()}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "tables.db")


@pytest.mark.parametrize(
    ("choices", "keeping", "days", "goes"),
    [
        (5, Keeping(), 29.9, False),
        (5, Keeping(), 30, True),
        (4, Keeping(), 30, False),
        (4, Keeping(), 90, True),
        (0, Keeping(), 89.9, False),
        (0, Keeping(), 90, True),
        (5, Keeping(finished=2), 2, True),
        (4, Keeping(unfinished=3), 2.9, False),
        (4, Keeping(unfinished=3), 3, True),
        (5, Keeping(0, 0), 10_000, False),
        (4, Keeping(0, 0), 10_000, False),
    ],
)
def test_a_table_goes_when_nobody_has_used_it_for_so_long(
    choices: int, keeping: Keeping, days: float, goes: bool, tmp_path: Path
) -> None:
    house = House(tmp_path / "tables.db", keeping)
    id = house.table(choices)
    if choices == 5:
        house.tables.remark(house.tables.find(id), 0, 1, "a good game")
    house.clock.now += days * DAY
    assert house.sweeper.sweep() == goes
    if not goes:
        assert len(house.tables.find(id).match.steps) == choices
        return
    with pytest.raises(RefusedRequest, match="there is no such table"):
        house.tables.find(id)
    with house.tables.store.exclusive() as db:
        for kind in ("tables", "choices", "remarks", "uses"):
            assert tuple(db.execute(f"SELECT count(*) FROM {kind}").fetchone()) == (0,), kind


def test_whoever_looks_at_a_table_uses_it(house: House) -> None:
    """Also after a new start, and also where it is in memory still."""
    looked, unused = house.table(), house.table()
    house.clock.now += 89 * DAY
    house.tables.find(looked)
    house.sweeper.sweep()
    house.clock.now += 2 * DAY
    again = Tables(house.tables.store, GAMES, croupier.load)
    assert Sweeper(again, None, house.clock).sweep() == 1
    assert house.left() == {looked} != {unused}


def test_a_table_that_is_used_at_this_moment_stays(house: House) -> None:
    id = house.table()
    table = house.tables.find(id)
    house.clock.now += 100 * DAY
    with table.lock:
        assert house.sweeper.sweep() == 0
    house.tables.uses.write()
    old = house.sweeper._own()
    house.tables.find(id)
    assert house.sweeper._remove(old) == 0, "used between looking and removing"
    house.clock.now += 100 * DAY
    assert house.sweeper.sweep() == 1


def test_each_process_sweeps_its_own_tables(tmp_path: Path) -> None:
    several = [Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load, n, 2) for n in range(2)]
    clock = Clock()
    for tables in several:
        tables.uses = TableUses(tables.store, clock)
    made = [several[0].make("tic_tac_toe", 2, [0], ["first"], [], n)[0] for n in range(9)]
    own = [sum(tables.process_of(id) == n for id in made) for n, tables in enumerate(several)]
    several[0].uses.write()
    clock.now += 100 * DAY
    assert [Sweeper(tables, None, clock).sweep() for tables in several] == own and all(own)


def test_in_a_file_of_an_older_version_the_time_begins_now(tmp_path: Path) -> None:
    house = House(tmp_path / "tables.db")
    house.table(4)
    house.tables.store.close()
    with sqlite3.connect(tmp_path / "tables.db") as db:
        db.execute("DROP TABLE uses")
        db.execute("UPDATE tables SET made = 5")
    db.close()
    store, clock = TableStore(tmp_path / "tables.db"), Clock()
    (use,) = TableUses(store, clock).every()
    assert (use.used, use.is_over, use.is_played) == (clock.now, False, True)


# ------------------------------------------------------------ too many tables
@pytest.mark.parametrize(
    ("choices", "seconds", "goes"),
    [
        (0, UNPLAYED - 1, False),
        (0, UNPLAYED, True),
        (1, UNPLAYED, False),
        (1, LATELY - 1, False),
        (1, LATELY, True),
        (5, LATELY - 1, False),
        (5, LATELY, True),
    ],
)
@pytest.mark.parametrize("of_one", [False, True])
def test_what_makes_room_for_a_new_table(
    choices: int, seconds: float, goes: bool, of_one: bool, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.sweeping.MAX_TABLES", 99 if of_one else 3)
    monkeypatch.setattr("croupier.server.sweeping.MAX_TABLES_OF_ONE", 2 if of_one else 99)
    old = house.table(choices)
    house.clock.now += seconds
    recent = [house.table(), house.table(1)]
    for id in (old, recent[0]):
        house.sweeper.makers.note("192.0.2.1", id)
    house.sweeper.makers.note("192.0.2.2", recent[1])
    if goes:
        house.sweeper.make_room("192.0.2.1")
        assert house.left() == set(recent)
        assert house.sweeper.makers.of("192.0.2.1") == {recent[0]}
        return
    words, status = ("from 192.0.2.1 2 tables", 429) if of_one else ("there are too many tables", 503)
    with pytest.raises(RefusedRequest, match=words) as refused:
        house.sweeper.make_room("192.0.2.1")
    assert refused.value.status == status and house.left() == {old, *recent}
    if of_one:
        house.sweeper.make_room("192.0.2.2")


def test_one_visitor_cannot_fill_the_server_for_ever(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """From any number of addresses: whoever comes afterwards gets a table, and nobody who plays loses one."""
    monkeypatch.setattr("croupier.server.access.MAX_BURST", 10_000)
    monkeypatch.setattr("croupier.server.sweeping.MAX_TABLES", 30)
    monkeypatch.setattr("croupier.server.sweeping.MAX_TABLES_OF_ONE", 10)
    monkeypatch.setattr("croupier.server.sweeping.MAX_TABLES_AROUND", 15)
    app: Any = application(house.tables, ("localhost",), house.sweeper)

    def make(address: str) -> int:
        client = TestClient(
            app, "http://localhost", headers={"origin": "http://localhost"}, client=(address, 1)
        )
        wanted = {"ruleset": "tic_tac_toe", "players": 2, "persons": [0, 1]}
        status: int = client.post("/api/tables", json=wanted).status_code
        return status

    playing = house.table(1)
    assert [make("192.0.2.1") for _ in range(12)] == [201] * 10 + [429] * 2
    assert [make(f"2001:db8::{n}") for n in range(12)] == [201] * 10 + [429] * 2, "a /64 is one visitor"
    around = [make(f"192.0.2.{n}") for n in range(2, 9)]
    assert around == [201] * 5 + [429] * 2, "so is, for more tables, a /24"
    assert [make(f"198.51.{n}.1") for n in range(9)] == [201] * 4 + [503] * 5
    house.clock.now += UNPLAYED
    assert make("203.0.113.1") == 201
    assert playing in house.left() and len(house.tables.find(playing).match.steps) == 1


def test_where_nothing_makes_room_it_is_looked_for_once_a_second(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.sweeping.MAX_TABLES", 1)
    house.table()
    looked = []
    monkeypatch.setattr(house.sweeper, "_own", lambda: looked.append(house.clock.now) or [])
    for seconds in (0, 0.5, 0.4, 0.2, 0.9):
        house.clock.now += seconds
        with pytest.raises(RefusedRequest, match="too many tables"):
            house.sweeper.make_room("192.0.2.1")
    assert len(looked) == 2


def test_who_asks_in_vain_all_the_time_keeps_nobody_out(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That one visitor's tables make no room says nothing of those of others."""
    monkeypatch.setattr("croupier.server.sweeping.MAX_TABLES_OF_ONE", 1)
    old = house.table()
    house.clock.now += UNPLAYED
    house.sweeper.makers.note("192.0.2.1", house.table())
    house.sweeper.makers.note("198.51.100.1", old)
    with pytest.raises(RefusedRequest, match="from 192.0.2.1 1 tables"):
        house.sweeper.make_room("192.0.2.1")
    house.sweeper.make_room("198.51.100.1")
    assert old not in house.left()


def test_the_sweeper_goes_on_after_a_fault(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    swept, faults = threading.Event(), iter([sqlite3.OperationalError("database is locked")])

    def sweep() -> int:
        if (fault := next(faults, None)) is not None:
            raise fault
        swept.set()
        return 0

    monkeypatch.setattr(house.sweeper, "sweep", sweep)
    stop = house.sweeper.start(0.01)
    assert swept.wait(5)
    stop.set()


def test_what_could_not_be_written_is_written_the_next_time(house: House) -> None:
    id = house.table()
    house.tables.uses.write()
    house.clock.now += 5
    house.tables.find(id)
    store, house.tables.uses._store = house.tables.uses._store, None  # type: ignore[assignment]
    with pytest.raises(AttributeError):
        house.tables.uses.write()
    house.tables.uses._store = store
    (use,) = house.tables.uses.every()
    assert use.used == house.clock.now
