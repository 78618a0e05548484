"""The limits of requests: the headers of every answer, the hosts and origins that are served, the size and
the number of requests.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import AsyncExitStack
from typing import Any

from croupier.server.addresses import visitor
from croupier.server.refusals import RefusedRequest
from croupier.server.turns import Turns

Message = MutableMapping[str, Any]
Scope = Message
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Direct = Callable[[Scope, dict[str, str], bytes, Receive, Send], Awaitable[bool]]
"""Answers a request that was let through, with its headers and body; false if it is not for it.

Its answers have the headers `HEADER_LINES`.
"""

MAX_BODY = 16_384  # bytes
MAX_RATE = 30  # requests a second of one visitor
MAX_BURST = 90
MAX_ADDRESSES = 10_000
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
HEADER_LINES = tuple((name.encode(), value.encode()) for name, value in HEADERS.items())


class RequestGuard:
    """Lets requests through to an application, or refuses them.

    `hosts` are names, without ports, by which this server may be called.

    What is let through is for `direct` first, if that is given; the application has it in `turns`.
    """

    def __init__(
        self,
        app: App,
        hosts: Iterable[str],
        clock: Callable[[], float] = time.monotonic,
        direct: Direct | None = None,
        turns: Turns | None = None,
    ) -> None:
        self.app = app
        self.hosts = frozenset(host.casefold() for host in hosts)
        self._clock = clock
        self.direct = direct
        self.turns = turns or Turns()
        # visitor -> requests left, when that was
        self._tokens: OrderedDict[str, tuple[float, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1").casefold(): value.decode("latin-1") for name, value in scope["headers"]
        }
        why = self._refusal(scope, headers)
        if why is not None:
            await _refuse(send, *why)
            return
        body = b""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message.get("body", b"")
            if len(body) > MAX_BODY:
                await _refuse(send, 413, "this is too much")
                return
            if not message.get("more_body"):
                break
        if self.direct is not None and await self._answered(self.direct, scope, headers, body, receive, send):
            return
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(line for line in HEADER_LINES if line[0] not in own),
                ]
            await send(message)

        async with AsyncExitStack() as turn:
            try:
                await turn.enter_async_context(self.turns.take(visitor_of(scope)))
            except RefusedRequest as error:
                await _refuse(send, error.status, str(error))
                return
            await self.app(scope, again, guarded)

    async def _answered(
        self, direct: Direct, scope: Scope, headers: dict[str, str], body: bytes, receive: Receive, send: Send
    ) -> bool:
        has_begun = False

        async def begun(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            return await direct(scope, headers, body, receive, begun)
        except Exception:
            if not has_begun:
                await _refuse(send, 500, "something went wrong here")
            raise

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """The status and the words with which a request is refused."""
        host = headers.get("host", "")
        if _name(host) not in self.hosts:
            return 421, "this server is not called so"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "this cannot be done here"
        if scope["method"] == "POST":
            if headers.get("origin", "").casefold() not in (
                f"http://{host}".casefold(),
                f"https://{host}".casefold(),
            ):
                return 403, "requests from other sites are not served"
            if headers.get("content-type", "").partition(";")[0].strip().casefold() != "application/json":
                return 415, "requests are JSON"
        if not self._has_room(visitor_of(scope)):
            return 429, "too many requests; wait a moment"
        return None

    def _has_room(self, who: str) -> bool:
        now = self._clock()
        left, when = self._tokens.pop(who, (float(MAX_BURST), now))
        left = min(float(MAX_BURST), left + (now - when) * MAX_RATE)
        self._tokens[who] = (max(0.0, left - 1), now)
        if len(self._tokens) > MAX_ADDRESSES:
            self._tokens.popitem(last=False)
        return left >= 1


def visitor_of(scope: Scope) -> str:
    """Return the visitor whom a request comes from; empty where nothing says so."""
    return visitor((scope.get("client") or ("",))[0])


def _name(host: str) -> str:
    """A host without its port."""
    name = host.casefold()
    return name.partition("]")[0] + "]" if name.startswith("[") else name.partition(":")[0]


async def _refuse(send: Send, status: int, why: str) -> None:
    await answer_json(send, status, json.dumps({"error": why}).encode())


async def answer_json(send: Send, status: int, body: bytes) -> None:
    """Answer with JSON."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body)), *HEADER_LINES]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
