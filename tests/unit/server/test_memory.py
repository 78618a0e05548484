"""Tables that nobody uses leave the memory, whole and at once.

A long-lived server looks for cycles of objects seldom: what is in a cycle would stay for hours.
"""

from __future__ import annotations

import gc
import random
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="games in the browser need starlette")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

import croupier
from croupier.server.app import application
from croupier.server.store import TableStore
from croupier.server.sweeping import Sweeper
from croupier.server.tables import MAX_UNUSED, MAX_UNUSED_OVER, OpenTable, Tables

# with people alone, with a bot that searches, with blocks that take their time, with decisions at once
GAMES = {
    "tic_tac_toe": (2, [0, 1]),
    "oware": (2, [0, 1]),
    "connect_four": (2, [0]),
    "una_notte_da_lupi": (3, [0, 1, 2]),
    "wednesday_hyde": (2, [0, 1]),
    "witches_of_blackmore": (4, [0, 1, 2, 3]),
}
MOST = 60  # choices


@pytest.fixture
def no_collection() -> Iterator[None]:
    """No cycles of objects are looked for meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(TableStore(tmp_path / "tables.db"), tuple(GAMES), croupier.load)


def played(tables: Tables, game: str, seed: int = 1) -> OpenTable:
    """A table at which random choices were made, some of them taken back, and everybody saw all pages."""
    players, persons = GAMES[game]
    id, _ = tables.make(game, players, persons, ["random"], [], seed)
    table, chance = tables.find(id), random.Random(seed)
    for seat in persons:
        with table.lock:
            tables.arrive(table, seat).write()
    for _ in range(MOST):
        with table.lock:
            waiting = table.match.waiting()
            if table.match.time.block is not None:
                tables.end_time(table, table.match.time.block.number).write()
            elif waiting:
                seat = chance.choice(waiting)
                tables.decide(table, seat, chance.choice(table.match.state.legal_actions(seat))).write()
                if chance.random() < 0.1 and table.match.can_undo(seat):
                    tables.undo(table, seat)
            else:
                break
            for seen in (*persons, None):
                table.page(seen)
    if table.is_over:
        tables.moments(table)
    return table


@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("game", GAMES)
def test_a_table_leaves_the_memory_whole_when_it_is_let_go(tables: Tables, game: str) -> None:
    played(tables, game)  # what a game makes ready once stays
    table = played(tables, game, 2)
    left = {
        "table": weakref.ref(table),
        "match": weakref.ref(table.match),
        "state": weakref.ref(table.match.state),
        "log": weakref.ref(table.logs[None]),
    }
    tables.drop(table)
    del table
    assert [name for name, one in left.items() if one() is not None] == []


@pytest.mark.usefixtures("no_collection")
def test_a_table_leaves_the_memory_whole_after_people_saw_it_in_a_browser(tables: Tables) -> None:
    client = TestClient(application(tables, ("testserver",)), base_url="http://testserver")
    made = client.post(
        "/api/tables",
        json={"ruleset": "oware", "players": 2, "persons": [0, 1]},
        headers={"origin": "http://testserver"},
    ).json()
    path, _, token = made["links"][0]["link"].rpartition("#")
    id = path.rpartition("/")[2]
    for _ in range(3):
        page = client.get(f"/api/t/{id}/page", headers={"cookie": f"seat={token}"})
        assert page.status_code == 200
    left = weakref.ref(tables.find(id).match)
    assert tables.close(id)
    assert left() is None


@pytest.mark.parametrize(("is_over", "most"), [(True, MAX_UNUSED_OVER), (False, MAX_UNUSED)])
def test_sweeping_takes_tables_out_of_the_memory_that_nobody_uses(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, is_over: bool, most: float
) -> None:
    sweeper, begun = Sweeper(tables), time.monotonic()
    game = "tic_tac_toe" if is_over else "oware"  # which is not over after so few choices
    table = played(tables, game)
    assert table.is_over == is_over
    id = table.entry.id
    monkeypatch.setattr(time, "monotonic", lambda: begun + most - 1)
    sweeper.sweep()
    assert tables.known(id) is table  # which is a use of it
    monkeypatch.setattr(time, "monotonic", lambda: begun + 2 * most)
    sweeper.sweep()
    assert tables.known(id) is None
    assert tables.find(id).match.state.hash() == table.match.state.hash()
