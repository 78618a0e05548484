"""Time tells nothing: what bystanders of a night receive, and when, does not depend on who holds what."""

from __future__ import annotations

import asyncio
import heapq
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import croupier

pytest.importorskip("starlette", reason="games in the browser need starlette")

from croupier.server.keys import MAKER
from croupier.server.live import Live
from croupier.server.store import TableStore
from croupier.server.tables import SPECTATOR_SEAT, OpenTable, Tables

PLAYERS = 5
NIGHTS = 200
CALL = 10  # seconds of a call
POLLS = 2.5  # seconds between two looks at the page
GAME = "una_notte_da_lupi"
NAMES = ("Anna", "Ben", "Carla", "Dora", "Emil")
Received = tuple[float, str, bytes]
Key = tuple[object, ...]


class Timer:
    def __init__(self, when: float, callback: Callable[[], object]) -> None:
        self.when, self.callback, self.is_off = when, callback, False

    def cancel(self) -> None:
        self.is_off = True


class FakeClock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.time = 0.0
        self.timers: list[tuple[float, int, Timer]] = []

    def now(self) -> float:
        return self.time

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        timer = Timer(when, callback)
        heapq.heappush(self.timers, (when, len(self.timers) + id(timer), timer))
        return timer

    def due(self, until: float) -> Iterator[Timer]:
        """The timers up to a time, each when it is that time."""
        while self.timers and self.timers[0][0] <= until:
            when, _, timer = heapq.heappop(self.timers)
            self.time = max(self.time, when)
            if not timer.is_off:
                yield timer
        self.time = until


class Browser:
    """An open page of one seat, which listens to what is new and writes down what comes and when."""

    def __init__(self, night: Night, seat: int | None, token: str) -> None:
        self.night, self.seat, self.token = night, seat, token
        self.received: list[Received] = []
        self.gone = asyncio.Event()
        self.listening = asyncio.ensure_future(self.request("GET", "news", {}, "news"))

    async def request(self, method: str, what: str, body: dict[str, Any], noted: str = "") -> bytes:
        path = f"/api/t/{self.night.table.entry.id}/{what}"
        scope = {"type": "http", "method": method, "path": path, "query_string": b""}
        sent: list[bytes] = []

        async def receive() -> dict[str, Any]:
            await self.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            part = message.get("body", b"")
            sent.append(part)
            if noted:
                self.received.append((self.night.clock.now(), noted, part))

        headers = {"cookie": f"seat={self.token}"}
        assert await self.night.live.answer(scope, headers, json.dumps(body).encode(), receive, send)
        return b"".join(sent)

    async def look(self) -> None:
        await self.request("GET", "page", {}, "page")

    async def choose(self, action: int) -> None:
        page = json.loads(await self.request("GET", "page", {}))
        answer = await self.request("POST", "choose", {"action": action, "version": page["version"]})
        assert "error" not in json.loads(answer), answer


class Night:
    """One night at a table of people alone, up to the first statement of the day."""

    def __init__(self, tables: Tables, seed: int, persons: range, **parameters: object) -> None:
        self.clock = FakeClock()
        self.live = Live(tables, self.clock)
        id, tokens = tables.make(GAME, PLAYERS, persons, ["random"], NAMES, seed=seed, parameters=parameters)
        self.table: OpenTable = tables.find(id)
        self.chance = random.Random(seed)
        self.tokens = {seat: token for seat, token in tokens.items() if seat != MAKER}
        self.browsers: dict[int, Browser] = {}
        self.asked: dict[int, float] = {}  # by seat, when they will decide

    def dealt(self, seat: int) -> Key:
        """What a seat knows of the night by the rules: its role, and whom it recognises."""
        state = self.table.match.state
        role = state.evaluate(f"dealt[players[{seat + 1}]]")
        return seat, role, str(state.evaluate(f"recognised[players[{seat + 1}]]"))

    @property
    def is_day(self) -> bool:
        return self.table.match.time.block is None and "the day" in self.table.match.state.phase()

    async def settle(self) -> None:
        """Wait until everybody who listens has been sent what is new."""
        quiet = 0
        while quiet < 2:
            for _ in range(20):
                await asyncio.sleep(0)
            listening = self.live.listening.get(self.table.entry.id, {})
            is_busy = self.live.ending or self.table.lock.locked() or any(one.is_set() for one in listening)
            quiet = 0 if is_busy else quiet + 1
            if is_busy:
                await asyncio.sleep(0.001)

    async def until(self, time: float) -> None:
        for timer in self.clock.due(time):
            timer.callback()
            await self.settle()

    async def pass_night(self) -> None:
        """All open the table, one after another; who is asked decides some time, or not at all."""
        for seat, token in self.tokens.items():
            self.browsers[seat] = Browser(self, None if seat == SPECTATOR_SEAT else seat, token)
            await self.settle()
        looks = 0.0
        while not self.is_day:
            for seat in self.table.match.waiting():
                self.asked.setdefault(seat, self.clock.time + self.chance.uniform(0.1, 1.4 * CALL))
            seat, when = min(self.asked.items(), key=lambda one: one[1], default=(0, looks))
            if self.asked and when < looks:
                await self.until(when)
                del self.asked[seat]
                if seat in self.table.match.waiting():
                    legal = self.table.match.state.legal_actions(seat)
                    await self.browsers[seat].choose(self.chance.choice(legal))
            else:
                await self.until(looks)
                for browser in self.browsers.values():
                    await browser.look()
                looks += POLLS
            await self.settle()
            assert self.clock.time < 1000, "the night does not end"

    async def close(self) -> None:
        for browser in self.browsers.values():
            browser.gone.set()
        await asyncio.gather(*(browser.listening for browser in self.browsers.values()))


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tables:
    monkeypatch.setattr(OpenTable, "is_quick", True)  # everything between two requests, in order
    return Tables(TableStore(tmp_path / "tables.db"), (GAME,), croupier.load)


def received(
    tables: Tables, seeds: range, persons: range = range(PLAYERS), **parameters: object
) -> dict[Key, list[list[Received]]]:
    """What bystanders received in these nights: by what they know, one list a night."""
    found: dict[Key, list[list[Received]]] = defaultdict(list)

    async def passed(seed: int) -> None:
        night = Night(tables, seed, persons, **parameters)
        await night.pass_night()
        end = night.clock.time
        for seat, browser in night.browsers.items():
            if seat == SPECTATOR_SEAT:
                found[("spectator",)].append([one for one in browser.received if one[0] < end])
            elif night.dealt(seat)[1] in ("villager", "werewolf"):  # nobody asks them anything at night
                found[night.dealt(seat)].append([one for one in browser.received if one[0] < end])
        await night.close()
        tables.drop(night.table)

    async def passed_all() -> None:
        for seed in seeds:
            await passed(seed)

    asyncio.run(passed_all())
    return found


def differing(by_knowledge: dict[Key, list[list[Received]]]) -> dict[Key, int]:
    """How many nights differ from the first of those who know the same."""
    found = {key: sum(night != nights[0] for night in nights[1:]) for key, nights in by_knowledge.items()}
    return {key: count for key, count in found.items() if count}


def test_what_bystanders_of_a_night_receive_and_when_does_not_depend_on_who_holds_what(
    tables: Tables,
) -> None:
    by_knowledge = received(tables, range(NIGHTS))
    assert sum(len(nights) > 1 for nights in by_knowledge.values()) > 2 * PLAYERS
    assert len(by_knowledge["spectator",]) == NIGHTS
    assert all(any(what == "news" for _, what, _ in nights[0]) for nights in by_knowledge.values())
    assert differing(by_knowledge) == {}


def test_bots_that_act_at_once_are_no_quicker_to_others(tables: Tables) -> None:
    with_bots = received(tables, range(12), range(3))
    assert differing(with_bots) == {}
    assert with_bots["spectator",][0][-1][0] >= 4 * CALL - POLLS


def test_where_no_time_is_kept_the_pauses_tell(tables: Tables) -> None:
    """The tests above would notice."""
    assert "spectator" in {key[0] for key in differing(received(tables, range(8), phase_seconds=0))}


# ------------------------------------------------------------ what happens in a block
RULES = """
croupier: 2
ruleset: timed
title: Timed
players: 2
parameters:
  pause: {{type: 0..60, default: 10}}
zones:
  deck: {{holds: Card, order: pile, start: all}}
  hand: {{holds: Card, per: Player, seen_by: owner}}
components:
  Card: {{attributes: {{spy: bool}}, each: [spy]}}
state:
  picked: 0..9 per Player seen by owner
phases:
  night: |
    shuffle deck
    for p in players: draw 1 from deck to hand[p]
    for pause seconds otherwise {otherwise}:
        for p in players if hand[p].first!.spy:
            secretly p:
                {decision}
                picked[p] = n
  again: |
    for 5 seconds:
        announce "a pause"
  day: |
    choose n from 1..2 by players.first
    finish draw
"""


def timed_table(tmp_path: Path, decision: str, otherwise: str = "first") -> tuple[Tables, OpenTable, int]:
    """A table that everybody has opened, and the spy, who is asked."""
    path = tmp_path / "timed.yaml"
    path.write_text(RULES.format(decision=decision, otherwise=otherwise), encoding="utf-8")
    tables = Tables(TableStore(tmp_path / "timed.db"), (str(path),), croupier.load)
    id, _ = tables.make(str(path), 2, [0, 1], ["random"], NAMES[:2], seed=3)
    table = tables.find(id)
    assert json.loads(table.page(0).since())["time"] == {"waits_for": [0, 1]}
    tables.arrive(table, 0).write()
    assert json.loads(table.page(0).since())["time"] == {"waits_for": [1]}
    assert table.match.time.block is None
    tables.arrive(table, 1).write()
    (spy,) = table.match.waiting()
    return tables, table, spy


def picked(table: OpenTable, seat: int) -> object:
    return table.match.state.evaluate(f"picked[players[{seat + 1}]]")


ONE = "choose n from [4, 5, 6] by p"
DECISIONS = (
    (ONE, "first", {4}),
    (ONE, "random", {4, 5, 6}),
    ('choose n from 1..9 by p\n                    only if "it is more": n > 6', "first", {7}),
)


@pytest.mark.parametrize(("decision", "otherwise", "chosen"), DECISIONS)
def test_whoever_has_not_decided_in_time_is_decided_for(
    decision: str, otherwise: str, chosen: set[int], tmp_path: Path
) -> None:
    found = set()
    for n in range(40 if otherwise == "random" else 1):
        (folder := tmp_path / str(n)).mkdir()
        tables, table, spy = timed_table(folder, decision, otherwise)
        assert table.match.time.block is not None and table.match.time.block.seconds == 10
        tables.end_time(table, 1).write()
        found.add(picked(table, spy))
        told = {"why": "time", "words": str(picked(table, spy))}
        assert json.loads(table.page(spy).since())["taken"] == [told]
        assert "taken" not in json.loads(table.page(1 - spy).since())
        assert table.match.time.block is not None and table.match.time.block.number == 2
        tables.end_time(table, 1).write()  # it is over already
        assert table.match.time.block.number == 2
        tables.end_time(table, 2).write()
        assert table.match.waiting() == [0] and table.match.time.block is None
        assert "time" not in json.loads(table.page(0).since())
    assert found == chosen


def test_only_who_is_asked_sees_what_happens_while_time_runs(tmp_path: Path) -> None:
    tables, table, spy = timed_table(tmp_path, ONE)
    before = {seat: table.page(seat) for seat in (0, 1, None)}
    tables.decide(table, spy, 2).write()
    assert picked(table, spy) == 6 and not table.match.waiting()
    assert {seat for seat, page in before.items() if table.page(seat) is not page} == {spy}
    assert not table.match.can_undo(spy)
    assert table.match.why_no_undo(1 - spy) == "nothing is taken back while the time runs"
    tables.end_time(table, 1).write()
    assert all(table.page(seat).version != page.version for seat, page in before.items())


@pytest.mark.parametrize("acts", [False, True])
@pytest.mark.parametrize("blocks", [0, 1])
def test_a_table_that_is_found_again_stands_in_the_block_that_it_stood_in(
    acts: bool, blocks: int, tmp_path: Path
) -> None:
    tables, table, spy = timed_table(tmp_path, ONE)
    if acts:
        tables.decide(table, spy, 1).write()
    for number in range(1, blocks + 1):
        tables.end_time(table, number).write()
    page = table.page(None)
    tables.drop(table)
    again = tables.find(table.entry.id)
    for seat in (0, 1):
        tables.arrive(again, seat).write()
    assert again.page(None).since() == page.since()
    assert again.match.waiting() == table.match.waiting()
    for number in (1, 2)[blocks:]:
        tables.end_time(again, number).write()
    assert picked(again, spy) == (5 if acts else 4)
    assert again.match.waiting() == [0]
    tables.decide(again, 0, 0).write()
    record = again.match.record()
    assert (record.outcome["status"], record.decisions) == ("finished", 2)
    assert len(tables.moments(again)) == len(record.steps) + 1


def test_opening_a_table_and_time_that_passes_are_no_choices(tmp_path: Path) -> None:
    """So they do not keep a table longer where there are too many."""
    tables, table, spy = timed_table(tmp_path, ONE)
    tables.end_time(table, 1).write()
    (use,) = tables.uses.every()
    assert not use.is_played
    tables.end_time(table, 2).write()
    tables.decide(table, 0, 0).write()
    (use,) = tables.uses.every()
    assert use.is_played


def test_the_time_of_a_table_that_was_removed_ends_without_an_error(tmp_path: Path) -> None:
    tables, table, _ = timed_table(tmp_path, ONE)
    tables.uses.remove([table.entry.id])

    async def ended() -> None:
        live = Live(tables, FakeClock())
        await live._end_time(table, 1, 0.0)

    asyncio.run(ended())
    assert tables.known(table.entry.id) is None
