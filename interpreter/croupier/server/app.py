"""The routes of the server, for Starlette, but for those of `live`.

`ServerProcess` puts the application behind uvicorn, in one process or several.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from croupier.diagnostics import JsonObject, RulesetError
from croupier.narration import Names
from croupier.play.record import as_text
from croupier.runtime.faults import Fault
from croupier.runtime.legality import why_not
from croupier.runtime.state import SPECTATOR
from croupier.server.access import LOOPBACK, App, RequestGuard, visitor_of
from croupier.server.addresses import network
from croupier.server.clock import Clock
from croupier.server.connections import ConnectionLimits, listening_options, room_for_connections
from croupier.server.keys import MAKER
from croupier.server.live import Live, body_of, refusal
from croupier.server.page import page
from croupier.server.refusals import RefusedRequest
from croupier.server.replay_page import ReplayPage
from croupier.server.seating import (
    MAKER_COOKIE,
    Browser,
    browser_of,
    cookie_name,
    held,
    players_among,
    seated,
)
from croupier.server.store import TableStore
from croupier.server.sweeping import Sweeper
from croupier.server.tables import (
    BOTS,
    SPECTATOR_SEAT,
    OpenTable,
    Tables,
    asked_for,
    is_number,
    names_of,
)
from croupier.server.uses import Keeping

if TYPE_CHECKING:
    from croupier.ruleset import Ruleset


PAGES = Path(__file__).parent / "pages"
FILES = {
    "index.js": "text/javascript",
    "table.js": "text/javascript",
    "seat.js": "text/javascript",
    "about.js": "text/javascript",
    "draw.js": "text/javascript",
    "style.css": "text/css",
}
COOKIE_SECONDS = 60 * 60 * 24 * 90
MAX_WORDS = 400


class Server:
    """Answers requests about tables."""

    def __init__(self, tables: Tables, sweeper: Sweeper, clock: Clock | None = None) -> None:
        self.tables, self.live, self.sweeper = tables, Live(tables, clock), sweeper

    def routes(self) -> list[Route]:
        return [
            Route("/", self.index),
            Route("/t/{id}", self.table_page),
            Route("/pages/{name}", self.file),
            Route("/favicon.ico", self.no_picture),
            Route("/api/games", self.games),
            Route("/api/game", self.game),
            Route("/api/tables", self.make, methods=["POST"]),
            Route("/api/t/{id}/seat", self.sit, methods=["POST"]),
            Route("/api/t/{id}/why", self.why),
            Route("/api/t/{id}/at/{step:int}", self.moment),
            Route("/api/t/{id}/remark", self.remark, methods=["POST"]),
            Route("/api/t/{id}/fork", self.fork, methods=["POST"]),
            Route("/api/t/{id}/saved", self.saved),
            Route("/api/t/{id}/watch", self.watch),
            Route("/api/t/{id}/about", self.about),
            Route("/api/t/{id}/links", self.links, methods=["POST"]),
        ]

    # ------------------------------------------------------------ pages
    async def index(self, request: Request) -> Response:
        return FileResponse(PAGES / "index.html", media_type="text/html")

    async def table_page(self, request: Request) -> Response:
        return FileResponse(PAGES / "table.html", media_type="text/html")

    async def no_picture(self, request: Request) -> Response:
        return Response(status_code=204)

    async def file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in FILES:
            raise RefusedRequest("there is no such page", 404)
        return FileResponse(PAGES / name, media_type=FILES[name])

    # ------------------------------------------------------------ making tables, sitting down
    async def games(self, request: Request) -> Response:
        """The names of what is offered: to read all the rules would take a while."""
        return JSONResponse({"games": list(self.tables.rules.offered), "bots": self.tables.bots(())})

    async def game(self, request: Request) -> Response:
        """One game, with some of its variants: its title, how many may play it, its parameters, variants and
        bots.
        """
        name, variants = request.query_params.get("name", ""), request.query_params.getlist("variant")

        def described() -> dict[str, object]:
            found = self.tables.rules.facts(name, variants)
            parameters = []
            for p, choices in zip(found.parameters, found.choices, strict=True):
                shown = {key: p[key] for key in ("name", "type", "default", "doc")}
                parameters.append({**shown, "choices": list(choices)})
            return {
                "title": found.title,
                "players": list(found.players),
                "usual": found.default_players,
                "parameters": parameters,
                "variants": self.tables.rules.variants(name),
                "bots": self.tables.bots(found.policies),
                "problem": self.tables.rules.problem(name, variants),
            }

        return JSONResponse(await run_in_threadpool(described))

    async def make(self, request: Request) -> Response:
        wanted = asked_for(body_of(await request.body()))
        return await self._new_table(request, lambda: self.tables.make(**wanted))

    async def sit(self, request: Request) -> Response:
        table = await self.live.find(request.path_params["id"])
        body = body_of(await request.body())
        token, keys = body.get("token"), self.tables.keys_of(table)
        if not isinstance(token, str):
            raise RefusedRequest("this link is for no seat at this table", 403)
        holds = held(self._browser(request), keys.seat_of)
        used = keys.used_for(token)
        if used in holds:
            return JSONResponse({"seat": used})
        seat, others = keys.seat_of(token), players_among(holds)
        takes_another = seat is not None and seat != SPECTATOR_SEAT and others and seat not in others
        if takes_another and body.get("take") is not True:
            details = {"seat": seat, "held": others, "names": table.entry.names}
            raise RefusedRequest("this browser holds another seat of this table", 409, details)
        taken, key = await run_in_threadpool(self.tables.keys.exchange, table.entry.id, keys, token)
        answer = JSONResponse({"seat": _shown(taken)})
        self._set_cookie(request, answer, table.entry.id, cookie_name(taken), key)
        return answer

    def _set_cookie(self, request: Request, answer: Response, table: str, name: str, key: str) -> None:
        """Have a browser keep a key for a table; over HTTPS it sends it over HTTPS alone."""
        answer.set_cookie(
            name,
            key,
            expires=COOKIE_SECONDS,
            path=f"/api/t/{table}",
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )

    async def why(self, request: Request) -> Response:
        """Answer why something cannot be chosen, for a seat that decides now."""
        table, seat = await self._seated(request)
        words = request.query_params.get("words", "")[:MAX_WORDS]
        if seat is None or not words:
            raise RefusedRequest("ask with the words of what you would like to choose")

        def reasons() -> dict[str, object]:
            with table.lock:
                if seat not in table.match.waiting():  # who else acts may be a secret
                    raise RefusedRequest("it is not for you to decide now", 409)
                try:
                    found = why_not(table.match.state.clone(), seat, words, Names(table.entry.names))
                except Fault as fault:
                    return {"known": False, "reasons": [fault.diagnostic.message]}
                names, rules = Names(table.entry.names), table.match.state.game.program.rule_ids
                return {
                    "known": found.known,
                    "reasons": [names(clause.told) for clause in found.clauses],
                    "rules": found.cited(rules),
                }

        return JSONResponse(await run_in_threadpool(reasons))

    # ------------------------------------------------------------ afterwards
    async def moment(self, request: Request) -> Response:
        """A finished game as the seat saw it after so many steps."""
        table, seat = await self._seated(request)
        step = request.path_params["step"]

        def at() -> JsonObject:
            with table.lock:
                moments = self.tables.moments(table)
                state = moments[min(step, len(moments) - 1)]
                remarks = [
                    {"step": n, "seat": who, "text": text}
                    for n, who, text in self.tables.store.remarks(table.entry.id)
                ]
                shown = json.loads(page(state, seat, table.entry.names))
                return {
                    "steps": len(moments) - 1,
                    "step": min(step, len(moments) - 1),
                    "page": shown,
                    "remarks": remarks,
                }

        return JSONResponse(await run_in_threadpool(at))

    async def remark(self, request: Request) -> Response:
        """Something about a position of a finished game, for everybody at the table."""
        table, seat = await self._seated(request)
        body = body_of(await request.body())
        step, text = body.get("step"), body.get("text")
        if not isinstance(step, int) or not is_number(step) or not isinstance(text, str):
            raise RefusedRequest("a remark has a step and a text")
        await run_in_threadpool(
            self.tables.remark, table, SPECTATOR_SEAT if seat is None else seat, step, " ".join(text.split())
        )
        return JSONResponse({}, 201)

    async def fork(self, request: Request) -> Response:
        """A new table that begins at a position of a finished game."""
        table, _ = await self._seated(request)
        body = body_of(await request.body())
        step, persons, names = body.get("step"), body.get("persons"), body.get("names", [])
        if (
            not isinstance(step, int)
            or not is_number(step)
            or not isinstance(persons, list)
            or not all(map(is_number, persons))
        ):
            raise RefusedRequest("a fork has a step, the seats of people, and names")
        called = names_of(names)

        def forked() -> tuple[str, dict[int, str]]:
            with table.lock:
                return self.tables.fork(table, step, persons, called)

        return await self._new_table(request, forked)

    async def watch(self, request: Request) -> Response:
        """A finished game, with its remarks, as one page that steps through it, as the seat saw it."""
        table, seat = await self._seated(request)

        def packed() -> str:
            watched = ReplayPage(SPECTATOR if seat is None else seat)
            with table.lock:
                for state in self.tables.moments(table):
                    watched.add(state)
            return watched.html(
                table.match.ruleset.title, table.entry.names, self.tables.store.remarks(table.entry.id)
            )

        text = await run_in_threadpool(packed)
        return Response(
            text,
            media_type="application/octet-stream",
            headers={"content-disposition": 'attachment; filename="game.html"'},
        )

    async def saved(self, request: Request) -> Response:
        """The saved game, once it is over: it holds everything that happened."""
        table, _ = await self._seated(request)
        if not table.match.is_over:
            raise RefusedRequest("the game is not over yet", 409)
        text = as_text(table.match.record().to_json())
        return Response(
            text,
            media_type="application/json",
            headers={"content-disposition": 'attachment; filename="game.json"'},
        )

    # ------------------------------------------------------------ about a table
    async def about(self, request: Request) -> Response:
        """What everybody at a table should know of it, in words; and how its links stand, those of all seats
        for whoever made it.
        """
        table = await self.live.find(request.path_params["id"])
        keys, browser = self.tables.keys_of(table), self._browser(request)
        is_maker, own = keys.is_maker(browser.maker), held(browser, keys.seat_of)
        meant = sorted(keys.seats) if is_maker else [self._seat(table, browser)]
        links = [
            {
                "seat": _shown(seat),
                "state": keys.seats[seat].state,
                "issued": keys.seats[seat].issued,
                "can_share": seat in own and not keys.has_shared_link(seat),
            }
            for seat in meant
        ]
        return JSONResponse(
            {
                "notices": await run_in_threadpool(self.tables.notices, table),
                "maker": is_maker,
                "names": table.entry.names,
                "links": links,
            }
        )

    async def links(self, request: Request) -> Response:
        """Issue the link of a seat again, or revoke it, which whoever made the table may; or share it with
        another device, which those may who sit there.
        """
        table = await self.live.find(request.path_params["id"])
        body = body_of(await request.body())
        wanted, what = body.get("seat"), body.get("what")
        if what not in ("issue", "share", "revoke") or not (wanted is None or is_number(wanted)):
            raise RefusedRequest("a link has a seat, and is issued, shared or revoked")
        seat = SPECTATOR_SEAT if wanted is None else wanted
        id, keys, browser = table.entry.id, self.tables.keys_of(table), self._browser(request)
        if what == "share":
            if seat not in held(browser, keys.seat_of) or keys.has_shared_link(seat):
                raise RefusedRequest("those can do that who sit there", 403)
        elif not keys.is_maker(browser.maker):
            raise RefusedRequest("whoever made this table can do that", 403)
        answer: JsonObject = {}
        if what == "revoke":
            await run_in_threadpool(self.tables.keys.revoke, id, keys, seat)
        else:
            token = await run_in_threadpool(self.tables.keys.issue, id, keys, seat, anew=what == "issue")
            answer = {"link": f"/t/{id}#{token}"}
        self.live.tell_links(table)
        return JSONResponse(answer, 201)

    def _browser(self, request: Request) -> Browser:
        return browser_of(request.url.query, request.headers.get("cookie", ""))

    def _seat(self, table: OpenTable, browser: Browser) -> int:
        """The seat that asks. Raises `RefusedRequest`."""
        return seated(browser, self.tables.keys_of(table).seat_of, table.entry.names).seat

    # ------------------------------------------------------------ who asks
    async def _seated(self, request: Request) -> tuple[OpenTable, int | None]:
        """The table, and the seat that asks (none: a spectator). Raises `RefusedRequest`."""
        table = await self.live.find(request.path_params["id"])
        return table, self.live.seat_of(table, request.url.query, request.headers.get("cookie", ""))

    async def _new_table(self, request: Request, make: Callable[[], tuple[str, dict[int, str]]]) -> Response:
        """Make a table, if there is room for it; answer with its links. Raises `RefusedRequest`."""
        who = visitor_of(request.scope)

        def made() -> Response:
            self.sweeper.make_room(who)
            id, tokens = make()
            self.sweeper.makers.note(who, id)
            return self._links(request, id, tokens)

        return await run_in_threadpool(made)

    def _links(self, request: Request, id: str, tokens: dict[int, str]) -> JSONResponse:
        """The links of a new table, with the key of whoever makes it.

        The processes of a server have ports that follow one another.
        """
        ahead = self.tables.process_of(id) - self.tables.process
        at = (
            f"{request.url.scheme}://{request.url.hostname}:{request.scope['server'][1] + ahead}"
            if ahead
            else ""
        )
        links = [
            {"seat": _shown(seat), "link": f"{at}/t/{id}#{token}"}
            for seat, token in tokens.items()
            if seat != MAKER
        ]
        answer = JSONResponse({"id": id, "links": links}, 201)
        self._set_cookie(request, answer, id, MAKER_COOKIE, tokens[MAKER])
        return answer


def _shown(seat: int) -> int | None:
    """A seat as browsers are told: `None` for looking on."""
    return None if seat == SPECTATOR_SEAT else seat


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedRequest | RulesetError)
    status, why = refusal(error)
    return JSONResponse(why, status)


def application(
    tables: Tables, hosts: Iterable[str], sweeper: Sweeper | None = None, clock: Clock | None = None
) -> App:
    """The whole application: the routes behind the guard. `sweeper` makes room for new tables. Its time is
    that of the event loop, or of a `clock` that is given.
    """
    handlers: Any = dict.fromkeys((RefusedRequest, RulesetError), _refused)
    server = Server(tables, sweeper or Sweeper(tables), clock)
    routed = Starlette(routes=server.routes(), exception_handlers=handlers)
    routed.state.server = server
    return RequestGuard(routed, hosts, direct=server.live.answer, turns=server.live.turns)


# ------------------------------------------------------------ listening
# pages are many small things that live for a moment: looked through less often, they take a tenth less time
COLLECTED = (20_000, 20, 20)
# seconds that a thread works out a page before the one that answers requests may go on; with Python's own 5
# ms that one waits longer
TURN = 0.001


Load = Callable[[str], "Ruleset"]


@dataclass(frozen=True)
class ServerProcess:
    """What one of the processes of a server goes by, as plain values: the tables and rulesets; where it
    listens, and by which other names browsers may call it; the proxies, addresses or networks, whose word is
    taken on whom requests come from; how long tables are kept; and what `Tables` says of the rest.
    """

    store: str
    offered: tuple[str, ...]
    load: Load
    host: str
    port: int
    called: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    keeping: Keeping = Keeping()
    processes: int = 1
    number: int = 0
    may_undo: bool = True
    bots: tuple[str, ...] = BOTS

    def tables(self, store: TableStore, say: Callable[[str], object] = lambda text: None) -> Tables:
        """Return the tables of this process, which `store` keeps; `say` is told when rulesets change."""
        return Tables(
            store,
            self.offered,
            self.load,
            self.number,
            self.processes,
            may_undo=self.may_undo,
            bots=self.bots,
            say=say,
        )

    def listen(self, tables: Tables) -> None:
        """Serve until Ctrl-C.

        Browsers may call the server by the names of this machine for itself, by `host`, and by those in
        `called`.
        """
        gc.set_threshold(*COLLECTED)
        sys.setswitchinterval(TURN)
        hosts = (*LOOPBACK, f"[{self.host}]" if ":" in self.host else self.host, *self.called)
        limits = ConnectionLimits(
            most=room_for_connections(), proxies=tuple(network(proxy) for proxy in self.proxies)
        )
        sweeper = Sweeper(tables, self.keeping)
        stop = sweeper.start()
        try:
            uvicorn.run(
                application(tables, hosts, sweeper),
                host=self.host,
                port=self.port,
                **listening_options(limits, self.proxies),
            )
        finally:
            stop.set()
            with suppress(sqlite3.Error):  # the disk is full: what is lost is when tables were used last
                tables.uses.write()

    def start_others(self) -> None:
        """Start the processes but the first, which is this one: each listens on a port of its own, behind
        that of the one before. They end with it.
        """
        spawn = multiprocessing.get_context("spawn")
        for number in range(1, self.processes):
            other = replace(self, number=number, port=self.port + number)
            spawn.Process(target=other.serve, daemon=True).start()

    def serve(self) -> None:
        """Serve in a process of its own, until the first one is gone."""
        threading.Thread(target=_end_with_the_first, daemon=True).start()
        self.listen(self.tables(TableStore(self.store, is_shared=True)))


def _end_with_the_first() -> None:
    first = multiprocessing.parent_process()
    if first is not None:
        first.join()
        os._exit(0)
