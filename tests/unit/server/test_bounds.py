"""Nobody keeps the others out: deadlines and bounds of connections and streams, addresses, proxies."""

from __future__ import annotations

import contextlib
import http.client
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="games in the browser need uvicorn")
pytest.importorskip("starlette", reason="games in the browser need starlette")

import uvicorn

import croupier
from croupier.cli import main
from croupier.server.access import MAX_BURST, RequestGuard
from croupier.server.addresses import is_in, network, surroundings, visitor
from croupier.server.app import application
from croupier.server.connections import (
    ConnectionLimits,
    Connections,
    listening_options,
    room_for_connections,
)
from croupier.server.refusals import RefusedRequest
from croupier.server.store import TableStore
from croupier.server.streams import MAX_STREAMS_AROUND, MAX_STREAMS_OF_ONE, Streams
from croupier.server.tables import Tables
from croupier.server.uses import Keeping

SHORT = ConnectionLimits(most=40, most_of_one=20, head=0.4, body=0.4, stuck=0.4)
HALF = b"GET / HT"
BODY = b"POST /api/tables HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: http://127.0.0.1\r\n"
BODY += b"content-type: application/json\r\ncontent-length: 100\r\n\r\n{"


# ------------------------------------------------------------ addresses
@pytest.mark.parametrize(
    ("address", "who"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2::5", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::5", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("nobody", "nobody"),
        ("x" * 1000, "x" * 128),
    ],
)
def test_whom_an_address_stands_for(address: str, who: str) -> None:
    assert visitor(address) == who


@pytest.mark.parametrize(
    ("who", "around"),
    [
        ("192.0.2.1", "192.0.2.0/24"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("", ""),
        ("nobody", "nobody"),
    ],
)
def test_what_is_around_a_visitor(who: str, around: str) -> None:
    assert surroundings(who) == around


@pytest.mark.parametrize(
    ("address", "named", "inside"),
    [
        ("10.1.2.3", "10.0.0.0/8", True),
        ("11.1.2.3", "10.0.0.0/8", False),
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "127.0.0.1", False),
        ("fd00::7", "fd00::/8", True),
        ("a name", "10.0.0.0/8", False),
    ],
)
def test_who_is_in_a_network(address: str, named: str, inside: bool) -> None:
    assert is_in(address, [network(named)]) == inside


@pytest.mark.parametrize("wrong", ["", "localhost", "10.0.0.0/33", "10.0.0.1/8", "*"])
def test_what_is_no_network(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError):
        network(wrong)
    assert main(["serve", "tic_tac_toe", "--proxy", wrong]) == 2
    assert f"`{wrong}` is neither an address nor a network" in capsys.readouterr().err


# ------------------------------------------------------------ counting
class Caller:
    """A connection that can be closed."""

    def __init__(self) -> None:
        self.is_closed = False

    def give_way(self) -> None:
        self.is_closed = True


def entered(connections: Connections, *addresses: str) -> list[Caller]:
    """Callers from these addresses, one after another; all of them get in."""
    callers = [Caller() for _ in addresses]
    assert all(connections.enter(one, address) for one, address in zip(callers, addresses, strict=True))
    return callers


def test_who_has_waited_longest_makes_room_of_the_same_visitor_first() -> None:
    connections = Connections(ConnectionLimits(most=6, most_of_one=3))
    others = entered(connections, "192.0.2.9")
    first, second, third = entered(connections, "2001:db8::1", "2001:db8::2", "2001:db8::3")
    connections.work(first)
    entered(connections, "2001:db8::4")
    assert [one.is_closed for one in (first, second, third, *others)] == [False, True, False, False]
    connections.wait(first)
    connections.work(third)
    entered(connections, "2001:db8::5", "2001:db8::6")
    assert first.is_closed and not third.is_closed, "who began to wait later makes room later"
    assert len(connections) == 4 and not others[0].is_closed


def test_where_all_are_being_answered_a_new_one_is_refused() -> None:
    connections = Connections(ConnectionLimits(most=4, most_of_one=2, proxies=(network("10.0.0.0/8"),)))
    busy = entered(connections, "192.0.2.1", "192.0.2.1")
    for one in busy:
        connections.work(one)
    assert not connections.enter(Caller(), "192.0.2.1"), "this visitor has enough"
    busy += entered(connections, "10.0.0.1", "10.0.0.1")
    for one in busy[2:]:
        connections.work(one)
    assert not connections.enter(Caller(), "10.0.0.1"), (
        "a proxy may have more than a visitor, not more than all"
    )
    connections.leave(busy[0])
    connections.leave(busy[0])
    assert connections.enter(Caller(), "192.0.2.7") and len(connections) == 4
    assert not any(one.is_closed for one in busy)


def test_a_proxy_may_have_more_connections_than_a_visitor() -> None:
    connections = Connections(ConnectionLimits(most=9, most_of_one=2, proxies=(network("10.0.0.0/8"),)))
    assert not any(one.is_closed for one in entered(connections, *["10.0.0.1"] * 5))


def test_nothing_is_kept_of_those_who_have_left() -> None:
    connections = Connections(ConnectionLimits(most=9, most_of_one=2))
    for one in entered(connections, "192.0.2.1", "192.0.2.2", "192.0.2.1"):
        connections.leave(one)
    assert not len(connections)
    assert not (connections._of or connections._waiting or connections._waiting_of)


def test_streams_are_bounded_for_a_visitor_and_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = Streams()
    with contextlib.ExitStack() as opened:
        for _ in range(MAX_STREAMS_OF_ONE):
            opened.enter_context(streams.open("192.0.2.1"))
        with pytest.raises(RefusedRequest, match="from your address 64 pages are open") as refused:
            opened.enter_context(streams.open("192.0.2.1"))
        assert refused.value.status == 429
        opened.enter_context(streams.open("192.0.2.2"))
        monkeypatch.setattr("croupier.server.streams.MAX_STREAMS", len(streams))
        with pytest.raises(RefusedRequest, match="too many pages are open") as refused:
            opened.enter_context(streams.open("192.0.2.3"))
        assert refused.value.status == 503
    assert not len(streams) and not streams._of and not streams._around


def test_streams_of_a_network_are_bounded() -> None:
    streams = Streams()
    with contextlib.ExitStack() as opened:
        for n in range(MAX_STREAMS_AROUND):
            opened.enter_context(streams.open(f"2001:db8:1:{n:x}::/64"))
        with pytest.raises(RefusedRequest, match="from 2001:db8:1::/48 too many pages") as refused:
            opened.enter_context(streams.open("2001:db8:1:ffff::/64"))
        assert refused.value.status == 429
        opened.enter_context(streams.open("2001:db8:2::/64"))
    assert not len(streams) and not streams._around


def test_there_is_room_for_as_many_connections_as_files_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    for soft, hard, raised, room in (
        (1024, 8_000, 4_256, 4_000),
        (1024, 1024, 1024, 768),
        (256, resource.RLIM_INFINITY, 4_256, 4_000),
        (100_000, 100_000, 100_000, 4_000),
        (100, 100, 100, 16),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, resource.RLIM_INFINITY, 4_000),
    ):
        now = [soft, hard]
        monkeypatch.setattr(resource, "getrlimit", lambda _, now=now: tuple(now))
        monkeypatch.setattr(
            resource, "setrlimit", lambda _, wanted, now=now: now.__setitem__(slice(2), wanted)
        )
        assert (room_for_connections(), now[0]) == (room, raised)


# ------------------------------------------------------------ a server that listens
@contextlib.contextmanager
def listening(limits: ConnectionLimits, proxies: tuple[str, ...] = (), app: Any = None) -> Iterator[int]:
    """The port of a server with these limits."""
    tables = Tables(TableStore(":memory:"), ("tic_tac_toe",), croupier.load)
    config = uvicorn.Config(
        app or application(tables, ["127.0.0.1"]), port=0, **listening_options(limits, proxies)
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)
    assert not thread.is_alive()


def call(port: int, sent: bytes) -> socket.socket:
    """A connection on which something was sent."""
    made = socket.create_connection(("127.0.0.1", port), 5)
    made.sendall(sent)
    return made


def rest(connection: socket.socket) -> bytes:
    """Everything that still comes, until the server closes the connection."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(65_536):
            found += part
    return found


def status(port: int, headers: dict[str, str] | None = None, path: str = "/api/games") -> int:
    """The status of a whole request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.request("GET", path, headers=headers or {})
    found = connection.getresponse()
    found.read()
    connection.close()
    return found.status


def test_a_thousand_half_sent_requests_cost_nobody_anything(caplog: pytest.LogCaptureFixture) -> None:
    """All from one address: they make room at once, and are gone after their deadline."""
    with caplog.at_level(logging.DEBUG), listening(SHORT) as port:
        half = []
        for _ in range(1015):
            half.append(call(port, b""))
            with contextlib.suppress(ConnectionError):
                half[-1].sendall(HALF)
        assert [status(port) for _ in range(3)] == [200] * 3
        ended = [rest(one) for one in half]
        assert status(port) == 200
    assert {one[:12] for one in ended} <= {b"", b"HTTP/1.1 408"} and ended[-1].startswith(b"HTTP/1.1 408")
    assert not [record for record in caplog.records if record.exc_info], "no tracebacks"
    for one in half:
        one.close()


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (HALF, b"HTTP/1.1 408 "),
        (BODY, b"HTTP/1.1 408 "),
        # what was refused before all of it had come
        (BODY.replace(b"host: 127.0.0.1", b"host: elsewhere"), b"HTTP/1.1 421 "),
        # a second request on the same connection
        (b"GET /favicon.ico HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n" + HALF, b"HTTP/1.1 204 "),
    ],
)
def test_a_request_has_a_deadline_however_it_trickles(sent: bytes, answer: bytes) -> None:
    with listening(SHORT) as port, call(port, sent) as slow:
        begun = time.monotonic()
        while time.monotonic() - begun < 30:
            try:
                slow.sendall(b"x" if sent else b"")
                slow.settimeout(0.05)
                found = slow.recv(65_536, socket.MSG_PEEK)
                if found.startswith(answer) and (not answer or b"408" in answer):
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
            time.sleep(0.05)
        assert 0.2 < time.monotonic() - begun < 30
        slow.settimeout(5)
        found = rest(slow)
        assert found.startswith(answer) and found.count(b"HTTP/1.1 ") <= 2


def test_what_is_whole_in_time_is_answered_and_the_connection_stays() -> None:
    with listening(SHORT) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        for _ in range(3):
            connection.request("GET", "/api/games")
            assert json.loads(connection.getresponse().read())["games"] == ["tic_tac_toe"]
            kept = connection.sock
            time.sleep(SHORT.head * 1.5)
            assert connection.sock is kept is not None
        connection.close()


def test_who_does_not_read_is_cut_off() -> None:
    async def endless(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(10_000):
            await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})

    with listening(SHORT, app=endless) as port, call(port, b"GET / HTTP/1.1\r\nhost: a\r\n\r\n") as deaf:
        time.sleep(SHORT.stuck * 3)
        found = rest(deaf)
        assert 0 < len(found) < 10_000 * 65_536


# ------------------------------------------------------------ proxies
async def told(scope: Any, receive: Any, send: Any) -> None:
    """Answer with whom a request comes from, and how."""
    body = json.dumps([scope["client"][0], scope["scheme"]]).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


@pytest.mark.parametrize(
    ("proxies", "headers", "client", "scheme"),
    [
        ((), {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}, "127.0.0.1", "http"),
        (("10.0.0.1",), {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"}, "127.0.0.1", "http"),
        (
            ("127.0.0.1",),
            {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"},
            "192.0.2.1",
            "https",
        ),
        (("127.0.0.0/8",), {"X-Forwarded-For": "192.0.2.1"}, "192.0.2.1", "http"),
        # what a visitor writes stands before what the proxy adds
        (("127.0.0.1",), {"X-Forwarded-For": "198.51.100.9, 192.0.2.1"}, "192.0.2.1", "http"),
        # two proxies, one behind the other
        (("127.0.0.1", "10.0.0.0/8"), {"X-Forwarded-For": "192.0.2.1, 10.0.0.7"}, "192.0.2.1", "http"),
        (("127.0.0.1",), {}, "127.0.0.1", "http"),
    ],
)
def test_the_word_of_a_proxy_counts_only_if_it_was_named(
    proxies: tuple[str, ...],
    headers: dict[str, str],
    client: str,
    scheme: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    with listening(SHORT, proxies, told) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/", headers=headers)
        assert json.loads(connection.getresponse().read()) == [client, scheme]
        connection.close()


def test_made_up_addresses_do_not_get_around_the_rate() -> None:
    guard = RequestGuard(told, ["127.0.0.1"], lambda: 0.0)
    with listening(ConnectionLimits(), app=guard) as port:
        found = [status(port, {"X-Forwarded-For": f"10.0.{n % 250}.7"}) for n in range(MAX_BURST + 10)]
    assert found == [200] * MAX_BURST + [429] * 10


def test_what_whoever_starts_the_server_chooses_reaches_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given: dict[str, Any] = {}
    for setting in ("gc.set_threshold", "sys.setswitchinterval"):
        monkeypatch.setattr(setting, lambda *_: None)
    monkeypatch.setattr("croupier.server.app.room_for_connections", lambda: 99)
    monkeypatch.setattr("uvicorn.run", lambda app, **options: given.update(options, app=app))
    place = str(tmp_path / "tables.db")
    command = ["serve", "tic_tac_toe", "--store", place, "--keep-finished", "3", "--keep-unfinished", "0"]
    assert main([*command, "--proxy", "127.0.0.1", "--proxy", "10.0.0.0/8"]) == 0
    assert given["proxy_headers"] and given["forwarded_allow_ips"] == ["127.0.0.1", "10.0.0.0/8"]
    limits = given["http"].keywords["connections"].limits
    assert is_in("10.1.2.3", limits.proxies) and not is_in("11.1.2.3", limits.proxies)
    assert given["app"].app.state.server.sweeper.keeping == Keeping(3, 0)
    assert main([*command, "--bots", "first,random"]) == 0
    assert given["app"].app.state.server.tables.usual_bots == ("first", "random")
    assert main([*command, "--called", "games.example.org", "--proxy", "127.0.0.1"]) == 0
    assert "name it with --proxy" not in capsys.readouterr().err
    assert main([*command, "--called", "games.example.org"]) == 0
    assert "name it with --proxy" in capsys.readouterr().err
    assert main(["serve", "tic_tac_toe"]) == 0
    assert not given["proxy_headers"] and given["forwarded_allow_ips"] == []
    assert given["app"].app.state.server.sweeper.keeping == Keeping(30, 90)
