"""Connections: how many there may be, and how long each may take over a request.

uvicorn has a time limit between two requests, and none for the request itself: who sends half of one holds
a connection for ever, and so do those who do not read what they are sent. `BoundedProtocol` adds these limits
to uvicorn's protocol for HTTP/1.1; `Connections` counts.

Where there is no room the connection makes room that has waited longest for a request to come in whole, first
among those of the same visitor. A new one is refused only where every other is being answered. So connections
on which nothing, or half a request, is sent keep nobody out.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from croupier.server.addresses import Network, is_in, visitor

try:
    import resource
except ImportError:  # on Windows
    resource = None  # type: ignore[assignment]

MAX_CONNECTIONS = 4_000
MAX_CONNECTIONS_OF_ONE = 128  # of one visitor; a page needs two
MAX_HEAD, MAX_BODY_TIME = 10.0, 10.0  # seconds until the headers of a request have come; then its body
MAX_STUCK = 30.0  # seconds that a browser may leave unread what it is sent
IDLE = 75  # seconds that a connection may be open without a request
BACKLOG = 128  # connections that the system takes before they are looked at; asyncio takes them all at once
RESERVED = BACKLOG + 128  # file descriptors for those and for files
FEWEST = 16  # connections, however few files may be open

BUSY = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


@dataclass(frozen=True)
class ConnectionLimits:
    """The limits of connections; times in seconds. `proxies` may have as many connections as there are."""

    most: int = MAX_CONNECTIONS
    most_of_one: int = MAX_CONNECTIONS_OF_ONE
    head: float = MAX_HEAD
    body: float = MAX_BODY_TIME
    stuck: float = MAX_STUCK
    proxies: tuple[Network, ...] = ()


class Closable(Protocol):
    """What `Connections` needs of a connection."""

    def give_way(self) -> None:
        """Close it at once."""


class Connections:
    """The open connections, by visitor, and which of them wait for a request."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._visitors: dict[Closable, str] = {}
        # by visitor all of theirs; the value tells whether it waits, those that waited longest first
        self._waiting: dict[Closable, None] = {}
        self._of: dict[str, dict[Closable, None]] = {}
        self._waiting_of: dict[str, dict[Closable, None]] = {}

    def __len__(self) -> int:
        return len(self._visitors)

    def enter(self, connection: Closable, address: str) -> bool:
        """Count a new connection, which waits; false if there is no room for it."""
        who = visitor(address)
        is_proxy = is_in(address, self.limits.proxies)
        if not is_proxy and len(self._of.get(who, ())) >= self.limits.most_of_one:
            if not self._make_room(self._waiting_of.get(who, {})):
                return False
        if len(self._visitors) >= self.limits.most and not self._make_room(self._waiting):
            return False
        self._visitors[connection] = who
        self._of.setdefault(who, {})[connection] = None
        self.wait(connection)
        return True

    def _make_room(self, waiting: dict[Closable, None]) -> bool:
        """Close the one that has waited longest; false if none waits."""
        oldest = next(iter(waiting), None)
        if oldest is None:
            return False
        self.leave(oldest)
        oldest.give_way()
        return True

    def wait(self, connection: Closable) -> None:
        """From now on this connection waits for a request, unless it does already."""
        who = self._visitors.get(connection)
        if who is not None:
            self._waiting.setdefault(connection)
            self._waiting_of.setdefault(who, {}).setdefault(connection)

    def work(self, connection: Closable) -> None:
        """From now on a request of this connection is being answered."""
        self._waiting.pop(connection, None)
        _take_out(self._waiting_of, self._visitors.get(connection, ""), connection)

    def leave(self, connection: Closable) -> None:
        """Forget a connection, once or again."""
        self.work(connection)
        _take_out(self._of, self._visitors.pop(connection, ""), connection)


def _take_out(groups: dict[str, dict[Closable, None]], who: str, connection: Closable) -> None:
    group = groups.get(who, {})
    group.pop(connection, None)
    if not group:
        groups.pop(who, None)


class RequestStage(enum.Enum):
    """What a connection does."""

    HEAD = "the headers of a request come in"
    BODY = "its body comes in"
    ANSWER = "it is being answered"
    IDLE = "nothing has come since the last answer"


class BoundedProtocol(H11Protocol):
    """uvicorn's protocol for HTTP/1.1 with deadlines and bounds.

    uvicorn makes one for each connection; `connections` is the same for all.
    """

    def __init__(self, *arguments: Any, connections: Connections, **options: Any) -> None:  # noqa: ANN401
        super().__init__(*arguments, **options)
        self.bounds = connections
        self._is_in = False
        self._stage: RequestStage | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None

    # ------------------------------------------------------------ what asyncio and uvicorn call
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) and peer else ""
        self._is_in = self.bounds.enter(self, address)
        if not self._is_in:
            transport.write(BUSY)
            transport.close()
            return
        super().connection_made(transport)
        self._follow()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._follow()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._follow()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write_deadline = self.loop.call_later(self.bounds.limits.stuck, self.give_way)

    def resume_writing(self) -> None:
        super().resume_writing()
        _cancel(self._write_deadline)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._is_in:
            return
        _cancel(self._deadline)
        _cancel(self._write_deadline)
        self.bounds.leave(self)
        super().connection_lost(exc)

    # ------------------------------------------------------------ deadlines
    def give_way(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def _now(self) -> RequestStage:
        """The stage of the request that is under way."""
        if self.conn.their_state is h11.SEND_BODY:
            return RequestStage.BODY
        if self.conn.their_state is not h11.IDLE:
            return RequestStage.ANSWER
        has_come = bool(self.conn.trailing_data[0])
        return RequestStage.IDLE if self.cycle is not None and not has_come else RequestStage.HEAD

    def _follow(self) -> None:
        """Set the deadline of the stage; what comes in while it lasts does not move it."""
        stage = self._now()
        if stage is self._stage:
            return
        self._stage = stage
        _cancel(self._deadline)
        if stage is RequestStage.ANSWER:
            self.bounds.work(self)
            return
        self.bounds.wait(self)
        if stage is not RequestStage.IDLE:  # for that uvicorn has a limit
            limits = self.bounds.limits
            seconds = limits.head if stage is RequestStage.HEAD else limits.body
            self._deadline = self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        """The request has not come in time."""
        is_answered = self.cycle is not None and self.cycle.response_started
        if self._stage is RequestStage.BODY and not is_answered or self.conn.trailing_data[0]:
            self.transport.write(TOO_SLOW)
        self.transport.close()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def room_for_connections() -> int:
    """Return how many connections there may be, as each takes a file descriptor.

    The limit of this process is raised as far as it may be and as it is needed.
    """
    if resource is None:
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + RESERVED
    if soft != resource.RLIM_INFINITY and soft < wanted:
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(FEWEST, min(MAX_CONNECTIONS, soft - RESERVED))


def listening_options(limits: ConnectionLimits, proxies: Iterable[str] = ()) -> dict[str, Any]:
    """Return the options of uvicorn for these limits.

    Whom requests come from, and whether over HTTPS, is taken from `X-Forwarded-For` and `X-Forwarded-Proto`
    of these proxies, addresses or networks; from nobody else.
    """
    named = list(proxies)
    return {
        "http": partial(BoundedProtocol, connections=Connections(limits)),
        "ws": "none",
        "log_level": "error",
        "access_log": False,
        "server_header": False,
        "timeout_keep_alive": IDLE,
        "timeout_graceful_shutdown": 1,
        "backlog": BACKLOG,
        "proxy_headers": bool(named),
        "forwarded_allow_ips": named,
    }
