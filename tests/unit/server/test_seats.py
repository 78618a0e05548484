"""A seat belongs to a tab: what a browser with several seats of a table is sent, what its tabs ask for."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import croupier

pytest.importorskip("starlette", reason="games in the browser need starlette")
pytest.importorskip("httpx", reason="the test client needs httpx")
uvicorn = pytest.importorskip("uvicorn", reason="games in the browser need uvicorn")

from starlette.testclient import TestClient  # noqa: E402

from croupier.server.app import application  # noqa: E402
from croupier.server.page import page as page_of_seat  # noqa: E402
from croupier.server.store import TableStore  # noqa: E402
from croupier.server.tables import SPECTATOR_SEAT, Tables  # noqa: E402

Json = dict[str, Any]
NODE = shutil.which("node")
PAGES = Path(croupier.__file__).parent / "server" / "pages"


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Tables:
    monkeypatch.setattr("croupier.server.access.MAX_BURST", 10_000)
    return Tables(TableStore(":memory:"), ["goofspiel"], croupier.load)


@pytest.fixture
def browser(tables: Tables) -> TestClient:
    """One browser: all its tabs have the same cookies."""
    return TestClient(
        application(tables, ("localhost",)),
        base_url="http://localhost",
        headers={"origin": "http://localhost"},
    )


def made(tables: Tables) -> tuple[str, dict[int, str]]:
    return tables.make("goofspiel", 2, [0, 1], ["random"], ["Anna", "Ben"], 1)


def test_two_tabs_have_two_seats(tables: Tables, browser: TestClient) -> None:
    id, tokens = made(tables)
    base = f"/api/t/{id}"
    assert browser.post(f"{base}/seat", json={"token": tokens[0]}).json() == {"seat": 0}
    asked = browser.post(f"{base}/seat", json={"token": tokens[1]})
    assert (asked.status_code, asked.json()["held"], asked.json()["seat"]) == (409, [0], 1)
    assert asked.json()["names"] == ["Anna", "Ben"] and "another seat" in asked.json()["error"]
    assert browser.get(f"{base}/page").json()["seat"] == 0, "the question changes nothing"
    assert browser.get(f"{base}/page", params={"seat": 1}).status_code == 403
    taken = browser.post(f"{base}/seat", json={"token": tokens[1], "take": True})
    assert (taken.status_code, taken.json()) == (200, {"seat": 1})
    for seat in (0, 1):
        sent = browser.get(f"{base}/page", params={"seat": seat})
        assert sent.content == page_of_seat(tables.find(id).match.state, seat, ("Anna", "Ben"))
    page = browser.get(f"{base}/page", params={"seat": 0}).json()
    action = page["view"]["decision"]["options"][0]["action"]
    chosen = browser.post(
        f"{base}/choose", params={"seat": 0}, json={"action": action, "version": page["version"]}
    )
    assert chosen.status_code == 200 and chosen.json()["seat"] == 0 and chosen.json()["has_chosen"]
    assert browser.get(f"{base}/page", params={"seat": 1}).json()["view"]["decision"] is not None


def test_a_browser_with_several_seats_says_which(tables: Tables, browser: TestClient) -> None:
    id, tokens = made(tables)
    base = f"/api/t/{id}"
    for seat in (0, 1):
        browser.post(f"{base}/seat", json={"token": tokens[seat], "take": True})
    refused = browser.get(f"{base}/page")
    assert (refused.status_code, refused.json()["held"]) == (409, [0, 1])
    assert browser.get(f"{base}/page", params={"seat": "watch"}).json()["seat"] is None
    for wrong in ("-1", "2x", "9999", "²"):
        assert browser.get(f"{base}/page", params={"seat": wrong}).status_code == 400, wrong
    assert browser.get(f"{base}/page", params={"seat": 2}).status_code == 403
    again = browser.post(f"{base}/seat", json={"token": tokens[0]})
    assert again.status_code == 200, "the link of a seat that the browser has already"
    watching = browser.post(f"{base}/seat", json={"token": tokens[SPECTATOR_SEAT]})
    assert watching.json() == {"seat": None}, "to look on is no other seat"


def test_a_program_with_one_key_names_no_seat(tables: Tables, browser: TestClient) -> None:
    id, tokens = made(tables)
    sent = browser.get(f"/api/t/{id}/page", headers={"cookie": f"seat={tokens[1]}"})
    assert sent.json()["seat"] == 1
    stranger = browser.get(f"/api/t/{id}/page", headers={"cookie": "seat=guess"})
    assert stranger.status_code == 403 and "held" not in stranger.json()


# ------------------------------------------------------------ the pages, without a browser
# A tab: the module of the pages, with the cookies of its browser and a storage of its own. It sits down, asks
# for the page of its seat, and tells what it was asked.
TAB = """
import { readFileSync } from "node:fs";
const { module, origin, path, hash, jar, storage, click } = JSON.parse(readFileSync(0, "utf-8"));
class Made {
  constructor(tag) { Object.assign(this, { tag, own: "", children: [], listening: {} }); }
  set textContent(text) { this.own = text; }
  setAttribute() {}
  append(...more) { this.children.push(...more); }
  replaceChildren(...more) { this.children = more; }
  addEventListener(event, heard) { this.listening[event] = heard; }
  close() { this.listening.close?.(); }
  showModal() {
    asked.push(...this.children.map((one) => one.own));
    const wanted = this.children.find((one) => one.tag === "button" && one.own === click);
    if (wanted) wanted.listening.click(); else this.close();
  }
}
const asked = [];
const box = new Made("dialog");
globalThis.document = { createElement: (tag) => new Made(tag), getElementById: () => box };
globalThis.location = { pathname: path, hash };
globalThis.history = { replaceState() { location.hash = ""; } };
globalThis.addEventListener = () => {};
globalThis.sessionStorage = {
  getItem: (name) => storage[name] ?? null, setItem(name, value) { storage[name] = String(value); },
};
const fetched = globalThis.fetch;
globalThis.fetch = async (address, options = {}) => {
  const cookie = Object.entries(jar).map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { ...options.headers, cookie, origin };
  const answer = await fetched(origin + address, { ...options, headers });
  for (const one of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(one);
    jar[name] = value;
  }
  return answer;
};
const { at, sitDown } = await import(module);
await sitDown();
const page = await (await fetch(at("page"))).json();
const address = at("news?after=1");
console.log(JSON.stringify({ jar, storage, asked, hash: location.hash, seat: page.seat, address }));
process.exit(0);
"""


@pytest.fixture
def address(tables: Tables) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(application(tables, ["127.0.0.1"]), port=port, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture
def tab(address: str, tmp_path: Path) -> Callable[..., Json]:
    """Opens a link, or a bare address, in a tab of a browser with these cookies; what the tab has then."""
    if NODE is None:
        pytest.skip("no program runs JavaScript here")
    for name in ("draw", "seat"):
        text = (PAGES / f"{name}.js").read_text(encoding="utf-8")
        (tmp_path / f"{name}.mjs").write_text(text.replace('"/pages/draw.js"', '"./draw.mjs"'))
    script = tmp_path / "tab.mjs"
    script.write_text(TAB, encoding="utf-8")

    def opened(id: str, jar: Json, token: str = "", storage: Json | None = None, click: str = "") -> Json:
        wanted = {
            "module": str(tmp_path / "seat.mjs"),
            "origin": address,
            "path": f"/t/{id}",
            "hash": f"#{token}" if token else "",
            "jar": jar,
            "storage": storage or {},
            "click": click,
        }
        done = subprocess.run(
            [str(NODE), str(script)],
            input=json.dumps(wanted),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: Json = json.loads(done.stdout)
        jar.update(found["jar"])
        return found

    return opened


def test_tabs_keep_their_seats(tables: Tables, tab: Callable[..., Json]) -> None:
    """Anna's tab stays hers whatever Ben's link did in another tab; a reload changes neither."""
    id, tokens = made(tables)
    jar: Json = {}
    anna = tab(id, jar, tokens[0])
    assert (anna["seat"], anna["hash"], anna["asked"]) == (0, "", [])
    ben = tab(id, jar, tokens[1], click="Sit in this tab as Ben")
    assert ben["seat"] == 1 and "This browser already has the seat of Anna." in ben["asked"][1]
    assert ben["asked"][2:] == ["Sit in this tab as Ben", "Look on", "Go on as Anna"]
    for before, seat in ((anna, 0), (ben, 1)):
        again = tab(id, jar, storage=before["storage"])
        assert (again["seat"], again["asked"], again["address"][-7:]) == (seat, [], f"&seat={seat}")


@pytest.mark.parametrize(("click", "seat"), [("Look on", None), ("Go on as Anna", 0), ("", 0)])
def test_the_link_of_another_seat_is_not_taken_unasked(
    click: str, seat: int | None, tables: Tables, tab: Callable[..., Json]
) -> None:
    id, tokens = made(tables)
    jar: Json = {}
    tab(id, jar, tokens[0])
    assert tab(id, jar, tokens[1], click=click)["seat"] == seat
    assert [name for name in jar if name.startswith("seat")] == ["seat-0"], "the link was not used"


def test_a_new_tab_of_a_browser_with_several_seats_asks(tables: Tables, tab: Callable[..., Json]) -> None:
    id, tokens = made(tables)
    jar: Json = {}
    tab(id, jar, tokens[0])
    assert tab(id, jar)["asked"] == [], "with one seat there is nothing to ask"
    tab(id, jar, tokens[1], click="Sit in this tab as Ben")
    new = tab(id, jar, click="Anna")
    assert new["seat"] == 0 and new["asked"][2:] == ["Look on", "Anna", "Ben"]
