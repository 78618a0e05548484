"""Requests of one visitor that take a while wait for each other; nobody else waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import croupier

pytest.importorskip("starlette", reason="games in the browser need starlette")
pytest.importorskip("httpx", reason="requests of a test need httpx")

import httpx

from croupier.server.app import application
from croupier.server.refusals import RefusedRequest
from croupier.server.store import TableStore
from croupier.server.tables import Tables
from croupier.server.turns import MAX_AT_ONCE, MAX_AT_ONCE_AROUND, MAX_WAITING, Turns

SECONDS = 10.0  # for what should take a moment


class Work:
    """Requests that begin when they get a turn, and end when they are told to."""

    def __init__(self) -> None:
        self.turns, self.begun, self.refused = Turns(), list[str](), list[str]()
        self.ends = asyncio.Event()

    async def one(self, who: str) -> None:
        try:
            async with self.turns.take(who):
                self.begun.append(who)
                await self.ends.wait()
        except RefusedRequest as error:
            assert error.status == 429
            self.refused.append(who)


def test_so_many_requests_of_a_visitor_are_worked_on_at_once() -> None:
    async def worked() -> None:
        work = Work()
        ours = [work.one("192.0.2.1") for _ in range(MAX_AT_ONCE + MAX_WAITING + 3)]
        every = asyncio.gather(*ours, work.one("192.0.2.2"))
        await asyncio.sleep(0.05)
        assert work.begun == ["192.0.2.1"] * MAX_AT_ONCE + ["192.0.2.2"]
        assert work.refused == ["192.0.2.1"] * 3
        work.ends.set()
        await every
        assert len(work.begun) == MAX_AT_ONCE + MAX_WAITING + 1
        assert not len(work.turns)

    asyncio.run(worked())


def test_so_many_requests_of_a_network_are_worked_on_at_once() -> None:
    async def worked() -> None:
        work = Work()
        addresses = [f"2001:db8:1:{n}::/64" for n in range(MAX_AT_ONCE_AROUND + 5)]
        every = asyncio.gather(*(work.one(who) for who in addresses), work.one("2001:db8:2::/64"))
        await asyncio.sleep(0.05)
        assert work.begun == [*addresses[:MAX_AT_ONCE_AROUND], "2001:db8:2::/64"]
        work.ends.set()
        await every
        assert not work.refused

    asyncio.run(worked())


def test_whoever_leaves_gives_their_turn_to_the_next() -> None:
    async def worked() -> None:
        work = Work()
        first = [asyncio.ensure_future(work.one("192.0.2.1")) for _ in range(MAX_AT_ONCE)]
        next_one = asyncio.ensure_future(work.one("192.0.2.1"))
        last = asyncio.ensure_future(work.one("192.0.2.1"))
        await asyncio.sleep(0.01)
        for gone in (next_one, first[0]):
            gone.cancel()
        await asyncio.sleep(0.01)
        assert len(work.begun) == MAX_AT_ONCE + 1
        work.ends.set()
        await asyncio.gather(*first, next_one, last, return_exceptions=True)
        assert not len(work.turns)

    asyncio.run(worked())


@pytest.fixture
def held() -> Iterator[threading.Event]:
    """Reading chess takes until this is set."""
    event = threading.Event()
    yield event
    event.set()


def test_who_has_many_rulesets_read_keeps_nobody_out(held: threading.Event, tmp_path: Path) -> None:
    """Others make tables, and choose where bots play, which threads work out."""

    def load(name: str) -> croupier.Ruleset:
        if name == "chess":
            held.wait(2 * SECONDS)
        return croupier.load(name)

    tables = Tables(TableStore(tmp_path / "tables.db"), ("tic_tac_toe", "chess"), load)
    app: Any = application(tables, ("localhost",))

    def browser(address: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app, client=(address, 1)),
            base_url="http://localhost",
            headers={"origin": "http://localhost"},
        )

    async def played() -> None:
        wanted = {"ruleset": "tic_tac_toe", "players": 2, "persons": [0]}
        async with browser("192.0.2.1") as greedy, browser("198.51.100.1") as other:
            made = (await other.post("/api/tables", json=wanted)).json()
            id, token = made["id"], made["links"][0]["link"].partition("#")[2]
            await other.post(f"/api/t/{id}/seat", json={"token": token})
            chess = {"ruleset": "chess", "players": 2, "persons": [0]}
            reading = [asyncio.ensure_future(greedy.post("/api/tables", json=chess)) for _ in range(60)]
            await asyncio.sleep(0.2)
            page = (await other.get(f"/api/t/{id}/page")).json()
            choice = {"action": page["view"]["decision"]["options"][0]["action"], "version": page["version"]}
            answers = asyncio.gather(
                other.post(f"/api/t/{id}/choose", json=choice), other.post("/api/tables", json=wanted)
            )
            try:
                assert [one.status_code for one in await asyncio.wait_for(answers, SECONDS)] == [200, 201]
                assert not any(one.done() for one in reading)
            finally:
                held.set()
                assert {one.status_code for one in await asyncio.gather(*reading)} == {201}

    asyncio.run(played())
