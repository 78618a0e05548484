"""The requests that open pages make all the time: a seat's page, its news, choosing and taking back.

The guard has checked them.

What people do at a table is worked out at once, between two requests: that takes a millisecond or two, and a
thread would wait longer for its turn. What takes longer, or may, as where bots play too, is for a thread.
Either way a choice is answered, and sent to the others, when it is on the disk.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool

from croupier.diagnostics import JsonObject, RulesetError
from croupier.server.access import HEADER_LINES, Receive, Scope, Send, answer_json, visitor_of
from croupier.server.clock import Clock, LoopClock
from croupier.server.page import Page
from croupier.server.refusals import RefusedRequest
from croupier.server.seating import Seated, browser_of, seated
from croupier.server.streams import Streams
from croupier.server.tables import (
    SPECTATOR_SEAT,
    OpenTable,
    TableChange,
    Tables,
    is_number,
    known_tables,
)
from croupier.server.turns import Turns

LINKS = b"event: links\ndata: changed\n\n"
BEAT = 20.0  # seconds after which a page that listens is sent a sign of life
_PATH = re.compile(r"/api/t/([^/]+)/(page|news|choose|undo)")
_METHODS = {"page": "GET", "news": "GET", "choose": "POST", "undo": "POST"}


@dataclass(frozen=True)
class SeatRequest:
    """Somebody at a table (seat none: a spectator), the version of the page that they have, what they sent,
    and the key of their seat.
    """

    table: OpenTable
    seat: int | None
    known: str | None
    body: bytes
    key: str


class Live:
    """Answers those requests."""

    def __init__(self, tables: Tables, clock: Clock | None = None) -> None:
        self.tables, self.streams, self.turns = tables, Streams(), Turns()
        self.clock = LoopClock() if clock is None else clock
        self.ending: set[asyncio.Task[None]] = set()  # what ends the time of blocks
        # by table: what to set when something was chosen there, and the seat
        self.listening: dict[str, dict[asyncio.Event, int | None]] = {}
        self._going_on: dict[str, asyncio.Task[None]] = {}  # bots that take long, by table

    async def answer(
        self, scope: Scope, headers: dict[str, str], body: bytes, receive: Receive, send: Send
    ) -> bool:
        """Answer a request; false if it is none of these, and nothing was sent."""
        found = _PATH.fullmatch(scope["path"])
        if found is None or scope["method"] != _METHODS[found[2]]:
            return False
        who = visitor_of(scope)
        try:
            if found[2] == "news":
                async with self.turns.take(who):
                    request = await self._request(found[1], scope, headers, body)
                with self.streams.open(who):
                    await self._news(request, receive, send)
            else:
                answers = {"page": self._page, "choose": self._choose, "undo": self._undo}
                async with self.turns.take(who):
                    request = await self._request(found[1], scope, headers, body)
                    made = await answers[found[2]](request)
                await answer_json(send, 200, made)
        except (RefusedRequest, RulesetError) as error:
            status, why = refusal(error)
            await answer_json(send, status, json.dumps(why).encode())
        return True

    # ------------------------------------------------------------ who asks
    async def _request(self, id: str, scope: Scope, headers: dict[str, str], body: bytes) -> SeatRequest:
        """Whose a request is; they have opened the table. Raises `RefusedRequest`."""
        table = await self.find(id)
        query = scope["query_string"].decode("latin-1")
        known = headers.get("last-event-id") or parse_qs(query).get("after", [None])[0]
        seated = self.seated(table, query, headers.get("cookie", ""))
        seat = None if seated.seat == SPECTATOR_SEAT else seated.seat
        await self._arrive(table, seat)
        return SeatRequest(table, seat, known, body, seated.key)

    async def find(self, id: str) -> OpenTable:
        """A table. Raises `RefusedRequest`."""
        found = self.tables.known(id)
        if found is None:
            found = await run_in_threadpool(self.tables.find, id)
        self._let_go_on(found)
        return found

    # ------------------------------------------------------------ bots that take long
    def _let_go_on(self, table: OpenTable) -> None:
        """Let the bots of a table play on if it is their turn: beside what people ask for, who see what comes
        of it.
        """
        id = table.entry.id
        if table.goes_on and id not in self._going_on and self.tables.known(id) is table:
            task = asyncio.create_task(self._go_on(table))
            self._going_on[id] = task
            task.add_done_callback(lambda _: self._going_on.pop(id, None))

    async def _go_on(self, table: OpenTable) -> None:
        id = table.entry.id
        while table.goes_on and self.tables.known(id) is table:
            # somebody else has it in another state, or a bot fails: whoever opens the table is told
            with suppress(RefusedRequest, RulesetError):
                steps = len(table.match.steps)
                await self._make_change(table, lambda: self.tables.go_on(table), in_thread=True)
                if len(table.match.steps) == steps:
                    break  # it is not for them to go on after all

    def seated(self, table: OpenTable, query: str, cookies: str) -> Seated:
        """The seat of a request with that query and those cookies, and its key. Raises `RefusedRequest`."""
        return seated(browser_of(query, cookies), self.tables.keys_of(table).seat_of, table.entry.names)

    def seat_of(self, table: OpenTable, query: str, cookies: str) -> int | None:
        """The same seat (none: a spectator), without its key. Raises `RefusedRequest`."""
        found = self.seated(table, query, cookies).seat
        return None if found == SPECTATOR_SEAT else found

    # ------------------------------------------------------------ pages
    async def _page(self, request: SeatRequest) -> bytes:
        sent = await self._sent(request.table, request.seat)
        return sent.since(request.known)

    async def _sent(self, table: OpenTable, seat: int | None) -> Page:
        """Return the page of a seat as it is now."""
        sent = table.pages.get(seat)
        if sent is not None:
            return sent
        if table.is_quick and table.lock.acquire(blocking=False):
            try:
                return table.timed(lambda: table.page(seat))
            finally:
                table.lock.release()
        return await run_in_threadpool(self._made, table, [seat])

    def _made(self, table: OpenTable, seats: Iterable[int | None]) -> Page:
        """Make the pages of these seats, in a thread; return that of the first."""
        with table.lock:
            return table.timed(lambda: [table.page(seat) for seat in seats][0])

    async def _news(self, request: SeatRequest, receive: Receive, send: Send) -> None:
        """The pages of a seat one after another, as server-sent events: each when something changed."""
        id, changed = request.table.entry.id, asyncio.Event()
        gone = asyncio.create_task(_disconnected(receive, changed))
        self.listening.setdefault(id, {})[changed] = request.seat
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [(b"content-type", b"text/event-stream"), *HEADER_LINES],
                }
            )
            await self._tell(request, changed, gone, send)
        except RefusedRequest:
            await send({"type": "http.response.body", "body": b""})  # it will ask again, and get the reason
        finally:
            gone.cancel()
            listening = self.listening[id]
            del listening[changed]
            if not listening:
                del self.listening[id]

    async def _tell(
        self,
        request: SeatRequest,
        changed: asyncio.Event,
        gone: asyncio.Task[None],
        send: Send,
    ) -> None:
        """Send what is new until whoever listens is gone, and that links have changed; a sign of life from
        time to time, counted from what was sent last.

        Raises `RefusedRequest` when their key is for the seat no longer.
        """
        id, seat, known = request.table.entry.id, request.seat, request.known
        beat, links = self.clock.now() + BEAT, request.table.links_changed
        while not gone.done():
            changed.clear()
            table = await self.find(id)
            self._check_key(table, request.key)
            if table.links_changed != links:
                links = table.links_changed
                await send({"type": "http.response.body", "body": LINKS, "more_body": True})
            await self._arrive(table, seat)
            sent = await self._sent(table, seat)
            self._check_key(table, request.key)
            if sent.version != known or self.clock.now() >= beat:
                text = (
                    b":\n\n"
                    if sent.version == known
                    else b"id: %b\ndata: %b\n\n" % (sent.version.encode(), sent.since(known))
                )
                await send({"type": "http.response.body", "body": text, "more_body": True})
                known, beat = sent.version, self.clock.now() + BEAT
            waking = self.clock.call_at(beat, changed.set)
            await changed.wait()
            waking.cancel()

    def _check_key(self, table: OpenTable, key: str) -> None:
        """Raise `RefusedRequest` where a key is for no seat any more."""
        if self.tables.seat_of(table, key) is None:
            raise RefusedRequest("the link of this seat was issued again", 403)

    # ------------------------------------------------------------ playing
    async def _choose(self, request: SeatRequest) -> bytes:
        table, seat, body = request.table, request.seat, body_of(request.body)
        action = body.get("action")
        if seat is None:
            raise RefusedRequest("spectators cannot choose", 403)
        if not isinstance(action, int) or not is_number(action):
            raise RefusedRequest("an action is a whole number")
        return await self._changed(
            table, seat, body.get("version"), lambda: self.tables.decide(table, seat, action)
        )

    async def _undo(self, request: SeatRequest) -> bytes:
        """The last decision of a seat is taken back."""
        table, seat, body = request.table, request.seat, body_of(request.body)
        if seat is None:
            raise RefusedRequest("spectators cannot take anything back", 403)
        return await self._changed(
            table, seat, body.get("version"), lambda: self.tables.take_back(table, seat)
        )

    async def _changed(
        self, table: OpenTable, seat: int, known: object, change: Callable[[], TableChange]
    ) -> bytes:
        """Return what a seat is sent after a change that it made where it saw the version that it knows."""

        def changed() -> TableChange:
            if table.page(seat).version != known:
                raise RefusedRequest("the table has changed since; look again", 409)
            return change()

        await self._make_change(table, changed, [seat])
        sent = await self._sent(table, seat)
        return sent.since(known if isinstance(known, str) else None)

    def tell_links(self, table: OpenTable) -> None:
        """Tell the pages that listen at a table that a link was issued or revoked: they ask what."""
        table.links_changed += 1
        for event in self.listening.get(table.entry.id, {}):
            event.set()

    async def _make_change(
        self,
        table: OpenTable,
        change: Callable[[], TableChange],
        seats: Sequence[int | None] = (),
        since: float | None = None,
        *,
        in_thread: bool = False,
    ) -> None:
        """Make a change; then tell all pages that listen, but for those that are shown nothing of it.

        These `seats` look at it first. A block of rules that begins with it has taken its time `since` then;
        without, it does from now on. `in_thread`: it may take long, whatever others took.
        """
        before = table.match.time.block
        listening = self.listening.get(table.entry.id, {})
        if not in_thread and table.is_quick and table.lock.acquire(blocking=False):
            await self._change_here(table, change)
        else:
            await run_in_threadpool(self._change_in_thread, table, change, [*seats, *listening.values()])
        is_same = before is not None and table.match.time.block is before
        for event, seat in self.listening.get(table.entry.id, {}).items():
            if not (is_same and table.hides_from(seat)):
                event.set()
        self._keep_time(table, self.clock.now() if since is None else since)
        self._let_go_on(table)

    # ------------------------------------------------------------ time
    async def _arrive(self, table: OpenTable, seat: int | None) -> None:
        """Somebody has opened the table. A block of rules that takes its time begins when all have."""
        if seat in table.match.time.missing:
            await self._make_change(table, lambda: self.tables.arrive(table, seat))
        self._keep_time(table, self.clock.now())

    def _keep_time(self, table: OpenTable, since: float) -> None:
        """End the time of a block when it is over, if one runs that nobody keeps the time of yet."""
        block = table.match.time.block
        if block is None or block.number == table.clocked or not table.match.time.is_attended:
            return
        table.clocked, over = block.number, since + block.seconds

        def end() -> None:
            ending = asyncio.ensure_future(self._end_time(table, block.number, over))
            self.ending.add(ending)
            ending.add_done_callback(self.ending.discard)

        self.clock.call_at(over, end)

    async def _end_time(self, table: OpenTable, number: int, over: float) -> None:
        """The time of a block is over; another one may begin at that very moment."""
        block = table.match.time.block
        if self.tables.known(table.entry.id) is table and block is not None and block.number == number:
            with suppress(RefusedRequest):  # somebody has removed the table
                await self._make_change(table, lambda: self.tables.end_time(table, number), since=over)

    async def _change_here(self, table: OpenTable, change: Callable[[], TableChange]) -> None:
        """A change that is worked out now and written by the thread that writes; the lock of the table is
        held until then, and the caller has it.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def written(error: Exception | None) -> None:
            """In any case, also where whoever asked does not wait any more."""
            try:
                made.settle(error)
            finally:
                table.lock.release()
            if not done.done():
                done.set_result(None) if error is None else done.set_exception(error)

        try:
            made = table.timed(change)
        except BaseException:
            table.lock.release()
            raise
        self.tables.store.append_soon(
            table.entry.id, made.rows, lambda error: loop.call_soon_threadsafe(written, error)
        )
        with known_tables():
            await done

    def _change_in_thread(
        self, table: OpenTable, change: Callable[[], TableChange], seats: Iterable[int | None]
    ) -> None:
        with table.lock:
            table.timed(change).write()
            table.timed(lambda: [table.page(one) for one in dict.fromkeys(seats)])


def refusal(error: RefusedRequest | RulesetError) -> tuple[int, JsonObject]:
    """The status and the values of an answer that refuses."""
    if isinstance(error, RefusedRequest):
        return error.status, {"error": str(error), **error.details}
    return 400, {"error": "; ".join(d.message for d in error.diagnostics[:3])}


async def _disconnected(receive: Receive, changed: asyncio.Event) -> None:
    """Wait until whoever listens is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    changed.set()


def body_of(body: bytes) -> JsonObject:
    """Return the body of a request as an object. Raises `RefusedRequest`."""
    try:
        found = json.loads(body)
        json.dumps(found, ensure_ascii=False).encode()  # halves of characters are no text
    except (ValueError, RecursionError):
        raise RefusedRequest("requests are JSON") from None
    if not isinstance(found, dict):
        raise RefusedRequest("requests are JSON objects")
    return found
