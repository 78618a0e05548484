"""Links of seats: used up, issued again, revoked; the cookies of their keys; what all at a table are told."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest

import croupier

pytest.importorskip("starlette", reason="games in the browser need starlette")
pytest.importorskip("httpx", reason="the test client needs httpx")
uvicorn = pytest.importorskip("uvicorn", reason="games in the browser need uvicorn")

from starlette.testclient import TestClient  # noqa: E402
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware  # noqa: E402

from croupier.server.app import application  # noqa: E402
from croupier.server.keys import MAKER, MAX_KEYS  # noqa: E402
from croupier.server.store import TableStore  # noqa: E402
from croupier.server.tables import Tables  # noqa: E402

Json = dict[str, Any]
NODE = shutil.which("node")
PAGES = Path(croupier.__file__).parent / "server" / "pages"


class House:
    """A server whose store is a file, and browsers."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.start()

    def start(self) -> None:
        self.tables = Tables(TableStore(self.file), ["tic_tac_toe"], croupier.load)
        self.app = application(self.tables, ("localhost",))

    def browser(self, base: str = "http://localhost") -> TestClient:
        return TestClient(self.app, base_url=base, headers={"origin": base})

    def made(self, **wanted: Any) -> tuple[TestClient, str, dict[int | None, str]]:
        """A table: the browser of whoever made it, its address, the tokens of its links by seat."""
        maker = self.browser()
        asked = {
            "ruleset": "tic_tac_toe",
            "players": 2,
            "persons": [0, 1],
            "names": ["Anna", "Ben"],
            **wanted,
        }
        answer = maker.post("/api/tables", json=asked)
        assert answer.status_code == 201, answer.text
        links = {one["seat"]: one["link"].partition("#")[2] for one in answer.json()["links"]}
        return maker, f"/api/t/{answer.json()['id']}", links


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr("croupier.server.access.MAX_BURST", 10_000)
    return House(tmp_path / "tables.db")


def sit(browser: TestClient, base: str, token: str, status: int = 200) -> Any:
    answer = browser.post(f"{base}/seat", json={"token": token})
    assert answer.status_code == status, answer.text
    return answer.json()


def issued(browser: TestClient, base: str, seat: int | None, what: str = "issue") -> str:
    answer = browser.post(f"{base}/links", json={"seat": seat, "what": what})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["link"].partition("#")[2])


def states(browser: TestClient, base: str) -> dict[int | None, str]:
    return {one["seat"]: one["state"] for one in browser.get(f"{base}/about").json()["links"]}


def test_a_link_is_used_up_by_the_first_who_opens_it(house: House) -> None:
    """Whoever made the table has seen it, and cannot sit there any more; nor does its list say it."""
    maker, base, links = house.made()
    ben = house.browser()
    assert states(maker, base) == {None: "open", 0: "open", 1: "open"}
    assert sit(ben, base, links[1]) == {"seat": 1}
    assert states(maker, base) == {None: "open", 0: "open", 1: "taken"}
    refused = sit(maker, base, links[1], 403)
    assert "has been used" in refused["error"]
    assert maker.get(f"{base}/page", headers={"cookie": f"seat={links[1]}"}).status_code == 403
    assert sit(ben, base, links[1]) == {"seat": 1}, "the same browser opens it again"
    assert ben.get(f"{base}/page").json()["seat"] == 1
    house.start()
    sit(house.browser(), base, links[1], 403)
    again = house.browser()
    again.cookies = ben.cookies
    assert again.get(f"{base}/page").json()["seat"] == 1


def test_spectators_share_a_link(house: House) -> None:
    _, base, links = house.made()
    for _ in range(3):
        assert sit(house.browser(), base, links[None]) == {"seat": None}


def test_a_link_that_is_issued_again_takes_the_seat(house: House) -> None:
    maker, base, links = house.made()
    anna, ben, other = (house.browser() for _ in range(3))
    sit(anna, base, links[0])
    sit(ben, base, links[1])
    assert anna.get(f"{base}/about").json()["notices"] == []
    new = issued(maker, base, 1)
    assert ben.get(f"{base}/page").status_code == 403 and states(maker, base)[1] == "open"
    assert sit(other, base, links[1], 403)["error"] == "this link is for no seat at this table"
    assert sit(other, base, new) == {"seat": 1}
    for reader in (anna, other, maker):
        assert reader.get(f"{base}/about").json()["notices"] == [
            "Whoever made this table issued the link of Ben again: once."
        ]
    issued(maker, base, 1)
    house.start()
    anna.app = other.app = house.app
    after = house.browser()
    after.cookies = anna.cookies
    assert after.get(f"{base}/about").json()["notices"][0].endswith("Ben again: twice.")


def test_a_link_is_revoked(house: House) -> None:
    maker, base, links = house.made()
    ben = house.browser()
    sit(ben, base, links[1])
    assert maker.post(f"{base}/links", json={"seat": 1, "what": "revoke"}).json() == {}
    assert ben.get(f"{base}/page").status_code == 403 and states(maker, base)[1] == "revoked"
    sit(house.browser(), base, links[1], 403)
    anna = house.browser()
    sit(anna, base, links[0])
    assert "revoked the link of Ben" in anna.get(f"{base}/about").json()["notices"][0]
    assert sit(ben, base, issued(maker, base, 1)) == {"seat": 1}


def test_who_may_issue_and_revoke(house: House) -> None:
    maker, base, links = house.made()
    _, elsewhere, _ = house.made()
    anna, looker, stranger = (house.browser() for _ in range(3))
    sit(anna, base, links[0])
    sit(looker, base, links[None])
    for who, seat, what in (
        (anna, 0, "issue"), (anna, 1, "share"), (anna, 0, "revoke"), (anna, None, "issue"),
        (looker, None, "share"), (looker, 0, "share"), (stranger, 0, "issue"), (maker, 0, "share"),
    ):  # fmt: skip
        assert who.post(f"{base}/links", json={"seat": seat, "what": what}).status_code == 403, (seat, what)
    assert stranger.get(f"{base}/about").status_code == 403
    assert maker.post(f"{elsewhere}/links", json={"seat": 0, "what": "issue"}).status_code == 403
    for wrong in ({"seat": 7, "what": "issue"}, {"seat": 0, "what": "steal"}, {"seat": "0", "what": "issue"}):
        assert maker.post(f"{base}/links", json=wrong).status_code == 400, wrong
    assert [one["seat"] for one in anna.get(f"{base}/about").json()["links"]] == [0], "her own alone"
    assert not anna.get(f"{base}/about").json()["maker"]


def test_a_player_has_another_device(house: House) -> None:
    _, base, links = house.made()
    devices = [house.browser()]
    sit(devices[0], base, links[0])
    for _ in range(MAX_KEYS):
        devices.append(house.browser())
        assert sit(devices[-1], base, issued(devices[-2], base, 0, "share")) == {"seat": 0}
    seats = [device.get(f"{base}/page").status_code for device in devices]
    assert seats == [403] + [200] * MAX_KEYS, "the oldest goes"
    assert devices[-1].get(f"{base}/about").json()["notices"] == [], "that concerns nobody else"


def test_the_page_of_somebody_who_loses_their_seat_gets_no_more_news(house: House) -> None:
    """And those of the others are told at once, though nothing has happened in the game."""
    id, tokens = house.tables.make("tic_tac_toe", 2, [0, 1], ["first"], [])
    table = house.tables.find(id)
    keys = house.tables.keys_of(table)
    sent: dict[int, list[bytes]] = {0: [], 1: []}

    async def listen(seat: int) -> None:
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Json:
            if (first := next(asked, None)) is not None:
                return first
            await asyncio.Event().wait()
            raise AssertionError("it waits for ever")

        async def send(message: Any) -> None:
            sent[seat].append(message.get("body", b""))

        headers = {"host": "localhost", "cookie": f"seat={tokens[seat]}"}
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
            "scheme": "http", "path": f"/api/t/{id}/news", "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        }  # fmt: skip
        await house.app(scope, receive, send)

    async def walk() -> None:
        other, listening = (asyncio.create_task(listen(seat)) for seat in (0, 1))
        while min(map(len, sent.values())) < 2:
            await asyncio.sleep(0.01)
        live = house.app.app.state.server.live  # type: ignore[attr-defined]
        house.tables.keys.issue(id, keys, 1, anew=True)
        live.tell_links(table)
        while len(sent[0]) < 3:
            await asyncio.sleep(0.01)
        with table.lock:
            house.tables.choose(table, 0, 4)
        live.tell_links(table)
        await listening
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)
        assert not live.listening

    asyncio.run(asyncio.wait_for(walk(), 20))
    assert [text[:3] for text in sent[1]] == [b"", b"id:", b""], "the page of before, then the end"
    assert sent[0][2] == b"event: links\ndata: changed\n\n"


def test_links_of_a_table_of_an_earlier_version_stay_good(house: House) -> None:
    """Nobody could issue them again: several browsers may use them."""
    _, base, links = house.made()
    id = base.rpartition("/")[2]
    with sqlite3.connect(house.file) as file:
        (tokens,) = file.execute("SELECT tokens FROM tables WHERE id = ?", (id,)).fetchone()
        kept = {seat: token for seat, token in json.loads(tokens).items() if seat != str(MAKER)}
        file.execute("UPDATE tables SET tokens = ? WHERE id = ?", (json.dumps(kept), id))
        file.execute("DROP TABLE seats")
    house.start()
    for _ in range(2):
        browser = house.browser()
        assert sit(browser, base, links[0]) == {"seat": 0}
        assert browser.get(f"{base}/page").json()["seat"] == 0
    assert browser.post(f"{base}/links", json={"seat": 0, "what": "share"}).status_code == 403


def test_a_table_that_goes_takes_its_keys_along(house: House) -> None:
    maker, base, links = house.made()
    sit(maker, base, links[0])
    store = house.tables.store
    id = base.rpartition("/")[2]
    assert store.seat_keys(id)
    store._db.execute("DELETE FROM tables WHERE id = ?", (id,))
    assert store.seat_keys(id) == {}
    sit(house.browser(), base, links[1], 404)


def test_the_store_has_no_token_that_opens_anything(house: House, tmp_path: Path) -> None:
    maker, base, links = house.made()
    anna = house.browser()
    sit(anna, base, links[0])
    issued(maker, base, 1)
    house.tables.store.close()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    secret = [*links.values(), *anna.cookies.values(), *maker.cookies.values()]
    assert len(secret) == 5 and not [token for token in secret if token.encode() in kept]


# ------------------------------------------------------------ what all are told
@pytest.mark.parametrize(("wanted", "told"), [({"seed": 12345}, True), ({"seed": 0}, True), ({}, False)])
def test_a_seed_that_somebody_chose_is_told_to_all(wanted: Json, told: bool, house: House) -> None:
    _, base, links = house.made(**wanted)
    for restart in (False, True):
        if restart:
            house.start()
        looker = house.browser()
        sit(looker, base, links[None])
        notices = looker.get(f"{base}/about").json()["notices"]
        assert len(notices) == told and all(f"seed, {wanted['seed']}:" in notice for notice in notices)


# ------------------------------------------------------------ cookies
PROXY, OTHER = "10.0.0.1", "10.0.0.2"


@pytest.mark.parametrize(
    ("base", "peer", "forwarded", "secure"),
    [
        ("https://localhost", OTHER, None, True),
        ("http://localhost", OTHER, None, False),
        ("http://localhost", PROXY, "https", True),
        ("http://localhost", PROXY, "http", False),
        ("http://localhost", OTHER, "https", False),
    ],
)
def test_cookies_are_sent_over_tls_alone_where_it_is_used(
    base: str, peer: str, forwarded: str | None, secure: bool, house: House
) -> None:
    """As uvicorn takes the scheme from a proxy that was named, and from nobody else."""
    served = ProxyHeadersMiddleware(house.app, trusted_hosts=[PROXY])  # type: ignore[arg-type]
    headers = {"origin": "https://localhost" if forwarded == "https" else base}
    headers |= {} if forwarded is None else {"x-forwarded-proto": forwarded}
    browser = TestClient(served, base_url=base, headers=headers, client=(peer, 1))
    asked = {"ruleset": "tic_tac_toe", "players": 2, "persons": [0, 1]}
    made = browser.post("/api/tables", json=asked)
    link = made.json()["links"][0]["link"]
    path, _, token = link.partition("#")
    sat = browser.post(f"/api{path}/seat", json={"token": token})
    for answer, name in ((made, "maker"), (sat, "seat-0")):
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith(f"{name}=") and ("Secure" in cookie.split("; ")) == secure, cookie
        assert {"HttpOnly", "SameSite=strict", f"Path=/api{path}"} <= set(cookie.split("; "))


# ------------------------------------------------------------ the list on the page, without a browser
ABOUT = """
import { readFileSync } from "node:fs";
const { module, about } = JSON.parse(readFileSync(0, "utf-8"));
class Made {
  constructor(tag) { Object.assign(this, { tag, own: "", children: [], listening: {}, hidden: true }); }
  set textContent(text) { this.own = text; }
  get textContent() { return this.own + this.children.map((one) => one.textContent ?? String(one)).join(""); }
  setAttribute() {}
  append(...more) { this.children.push(...more); }
  replaceChildren(...more) { this.children = more; }
  addEventListener(event, heard) { this.listening[event] = heard; }
  querySelector() { return this.inner ??= new Made("ul"); }
}
const boxes = { notices: new Made("ul"), seats: new Made("details"), error: new Made("p") };
const posted = [];
globalThis.document = { createElement: (tag) => new Made(tag), getElementById: (name) => boxes[name] };
globalThis.location = { pathname: "/t/some", href: "http://localhost/t/some" };
globalThis.addEventListener = () => {};
globalThis.sessionStorage = { getItem: () => null };
globalThis.fetch = async (address, options) => {
  if (options.body) posted.push([address, JSON.parse(options.body)]);
  return { ok: true, json: async () => (options.body ? { link: "/t/some#new" } : about) };
};
const { tellAbout } = await import(module);
const rows = () => boxes.seats.inner.children.map((one) => one.textContent);
await tellAbout();
const before = rows();
const first = boxes.seats.inner.children[0].children.find((one) => one.tag === "button");
await first.listening.click();
console.log(JSON.stringify({ hidden: boxes.seats.hidden, before, after: rows(), posted,
  notices: boxes.notices.children.map((one) => one.textContent), told: !boxes.notices.hidden }));
"""
OWN = {"seat": 0, "state": "taken", "issued": 0, "can_share": True}
OTHERS = [
    {"seat": 0, "state": "open", "issued": 0, "can_share": False},
    {"seat": 1, "state": "taken", "issued": 0, "can_share": False},
]


@pytest.mark.parametrize(
    ("about", "before", "what"),
    [
        (
            {"maker": True, "links": OTHERS},
            [
                "Anna: not taken yet issue the link again revoke it ",
                "Ben: taken issue the link again revoke it ",
            ],
            "issue",
        ),
        (
            {"maker": True, "links": [OWN]},
            ["Anna: taken a link for another device of mine issue the link again revoke it "],
            "share",
        ),
        ({"maker": False, "links": [OWN]}, ["Anna: a link for another device of mine "], "share"),
    ],
)
def test_the_list_of_links_on_the_page(about: Json, before: list[str], what: str, tmp_path: Path) -> None:
    if NODE is None:
        pytest.skip("no program runs JavaScript here")
    for name in ("draw", "seat", "about"):
        text = (PAGES / f"{name}.js").read_text(encoding="utf-8")
        text = text.replace('"/pages/draw.js"', '"./draw.mjs"').replace('"/pages/seat.js"', '"./seat.mjs"')
        (tmp_path / f"{name}.mjs").write_text(text, encoding="utf-8")
    script = tmp_path / "list.mjs"
    script.write_text(ABOUT, encoding="utf-8")
    sent = {
        "module": str(tmp_path / "about.mjs"),
        "about": {"notices": ["Note"], "names": ["Anna", "Ben"], **about},
    }
    done = subprocess.run(
        [str(NODE), str(script)],
        input=json.dumps(sent),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["before"] == before and not found["hidden"]
    assert found["after"] == [f"{before[0]}http://localhost/t/some#new", *before[1:]]
    assert found["posted"] == [["/api/t/some/links", {"seat": 0, "what": what}]]
    assert found["notices"] == ["Note"] and found["told"]
