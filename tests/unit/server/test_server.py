"""Games in the browser: who may do what, what a seat is sent, what is kept."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.cli import main
from croupier.cli.views.interactive import refusal
from croupier.narration import Names
from croupier.play.agents import UnknownAgent
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.session import Session
from croupier.play.table_bots import any_table_bot
from croupier.runtime.legality import why_not

pytest.importorskip("starlette", reason="games in the browser need starlette")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

from croupier.server.access import MAX_BODY, MAX_BURST, RequestGuard
from croupier.server.app import application
from croupier.server.hosted_match import HostedMatch
from croupier.server.live import Live, SeatRequest
from croupier.server.page import Log, page, page_of
from croupier.server.refusals import RefusedRequest
from croupier.server.rules import CHANGED
from croupier.server.store import TableStore
from croupier.server.tables import MAX_OPEN, Tables
from hidden_twins import twin

PAGES = Path(croupier.__file__).parent / "server" / "pages"
GAMES = ("tic_tac_toe", "goofspiel")
ORIGIN = {"origin": "http://localhost"}
Json = dict[str, Any]


class Player:
    """A browser at a seat."""

    def __init__(self, app: Any, link: str | None = None) -> None:
        self.client = TestClient(app, base_url="http://localhost", headers=ORIGIN)
        if link is not None:
            self.base, _, self.token = link.partition("#")
            self.base = f"/api{self.base}"
            self.sat = self.client.post(f"{self.base}/seat", json={"token": self.token})

    def page(self) -> Json:
        answer = self.client.get(f"{self.base}/page")
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def choose(self, action: int, version: str | None = None) -> Any:
        return self.client.post(
            f"{self.base}/choose", json={"action": action, "version": version or self.page()["version"]}
        )


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load)


@pytest.fixture
def app(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("croupier.server.access.MAX_BURST", 10_000)
    return application(tables, ("localhost",))


@pytest.fixture
def sit(app: Any) -> Callable[..., list[Player]]:
    def make(**wanted: Any) -> list[Player]:
        """A table; who sits there, and last who looks on."""
        answer = Player(app).client.post(
            "/api/tables", json={"players": 2, "persons": [0, 1], "seed": 1, **wanted}
        )
        assert answer.status_code == 201, answer.text
        return [Player(app, one["link"]) for one in answer.json()["links"]]

    return make


def test_a_game_of_two_people_to_the_end(
    sit: Callable[..., list[Player]], tables: Tables, tmp_path: Path
) -> None:
    anna, ben, onlooker = sit(ruleset="tic_tac_toe", names=["Anna", "Ben"])
    assert [p.sat.json()["seat"] for p in (anna, ben, onlooker)] == [0, 1, None]
    assert re.search(
        r"expires=[^;]+ GMT; HttpOnly; Path=/api/t/[\w-]+; SameSite=strict", anna.sat.headers["set-cookie"]
    )
    assert (
        anna.client.get(f"{anna.base}/saved").status_code
        == anna.client.get(f"{anna.base}/at/0").status_code
        == 409
    )
    moves = [(anna, 0), (ben, 3), (anna, 1), (ben, 4), (anna, 2)]
    for player, action in moves:
        assert player.choose(action).status_code == 200
    for player in (anna, ben, onlooker):
        seen = player.page()["view"]
        assert seen["status"] == "finished" and [seat["is_winner"] for seat in seen["seats"]] == [True, False]
    again = Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load)
    table = again.find(anna.base.rpartition("/")[2])
    assert page(table.match.state, 0, table.entry.names) == anna.client.get(f"{anna.base}/page").content
    first, last = (anna.client.get(f"{anna.base}/at/{n}").json() for n in (0, 99))
    assert (first["steps"], last["step"], len(last["page"]["log"]) > len(first["page"]["log"])) == (
        5,
        5,
        True,
    )
    assert len(onlooker.client.get(f"{onlooker.base}/saved").json()["actions"]) == 5


def test_a_server_that_lets_nobody_take_a_decision_back(
    tables: Tables, sit: Callable[..., list[Player]]
) -> None:
    tables.may_undo = False
    anna, ben, _ = sit(ruleset="tic_tac_toe")
    made = anna.choose(0)
    assert made.status_code == 200 and not made.json()["can_undo"]
    refused = anna.client.post(f"{anna.base}/undo", json={"version": made.json()["version"]})
    assert refused.status_code == 409 and "--no-undo" in refused.json()["error"]
    assert [option["action"] for option in ben.page()["view"]["decision"]["options"]] == list(range(1, 9))


def joined(known: Json, sent: Json) -> Json:
    """A page that was sent to one that knows another, as pages join them."""
    log = (
        [*known["log"][: sent["from"] - known["from"]], *sent["log"]]
        if known["from"] <= sent["from"]
        else sent["log"]
    )
    return {
        **sent,
        "from": min(known["from"], sent["from"]),
        "log": log,
        "rules": {**known["rules"], **sent["rules"]},
    }


@pytest.mark.parametrize(("name", "players", "lines"), [("vudu", 3, 400), ("witches_of_blackmore", 3, 12)])
def test_a_page_that_knows_another_is_sent_what_is_new(
    name: str, players: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joined they are the page as a new reader is sent it, taken back decisions included; and they are a
    small part of it.
    """
    monkeypatch.setattr("croupier.server.page.MAX_LINES", lines)
    tables = Tables(TableStore(":memory:"), [name], croupier.load)
    table = tables.find(tables.make(name, players, list(range(players)), ["random"], [], 5)[0])
    known: dict[int, Json] = {}
    new = whole = undone = 0
    for turn in range(45):
        if not (waiting := table.match.waiting()):
            break
        legal = table.match.state.legal_actions(waiting[0])
        tables.choose(table, waiting[0], legal[turn % len(legal)])
        if turn % 5 == 0 and table.match.can_undo(waiting[0]):
            tables.undo(table, waiting[0])
            undone += 1
        for seat in range(players):
            sent = table.page(seat)
            mine = known.get(seat, {"from": 0, "log": [], "rules": {}, "version": None})
            known[seat] = joined(mine, json.loads(sent.since(mine["version"])))
            anew = json.loads(sent.since())
            assert len(anew["log"]) == min(lines, anew["from"] + len(anew["log"])), "the last lines"
            assert known[seat]["log"][anew["from"] - known[seat]["from"] :] == anew["log"], turn
            assert {**known[seat], "from": 0, "log": 0, "rules": 0} == {
                **anew,
                "from": 0,
                "log": 0,
                "rules": 0,
            }
            match = table.match
            first = page_of(
                match.state,
                seat,
                (),
                Log(players),
                has_chosen=seat in match.sealed,
                can_undo=match.can_undo(seat),
                taken=match.taken[seat],
            )
            assert first.version == sent.version, "whether the log has grown or was told at once"
            new, whole = new + len(json.loads(sent.since(mine["version"]))["log"]), whole + len(anew["log"])
    assert undone and (4 * new < whole or lines < 20)


def test_a_page_that_listens_is_sent_each_change(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream of pages: the first at once, then one for each change; who has the version that is new already
    is sent nothing.
    """
    id, tokens = tables.make("tic_tac_toe", 2, [0, 1], ["first"], [], 1)
    app = application(tables, ("localhost",))
    sent: list[Json] = []
    beats: list[bytes] = []

    async def ask(seat: int, path: str, body: bytes | None = None, enough: int = 0) -> int:
        """The status of an answer; of a stream, when so much has come."""
        status, gone, found = 0, asyncio.Event(), len(sent)
        bodies = iter([{"type": "http.request", "body": body or b"", "more_body": False}])

        async def receive() -> Json:
            if (first := next(bodies, None)) is not None:
                return first
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            nonlocal status
            status = message.get("status", status)
            text = message.get("body", b"")
            beats.extend([text] if text.startswith(b":") else [])
            if enough and text.startswith(b"id: "):
                sent.append(json.loads(text.partition(b"data: ")[2]))
                if len(sent) - found == enough:
                    gone.set()

        headers = {
            "host": "localhost",
            **ORIGIN,
            "content-type": "application/json",
            "cookie": f"seat={tokens[seat]}",
        }
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1",
            "method": "GET" if body is None else "POST", "scheme": "http",
            "path": f"/api/t/{id}/{path}", "query_string": query.encode(), "headers": raw,
            "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        }  # fmt: skip
        await app(scope, receive, send)
        return status

    async def walk() -> None:
        listening = asyncio.create_task(ask(1, "news", enough=3))
        for seat, action in ((0, 0), (1, 3)):
            while len(sent) <= seat:
                await asyncio.sleep(0.01)
            # as if something happened that nobody notices
            for changed in app.app.state.server.live.listening[id]:
                changed.set()
            await asyncio.sleep(0.05)
            assert len(sent) == seat + 1 and not beats, "nothing is sent, not even a sign of life"
            version = tables.find(id).page(seat).version
            assert (
                await ask(seat, "choose", json.dumps({"action": action, "version": version}).encode()) == 200
            )
        assert await listening == 200

    asyncio.run(asyncio.wait_for(walk(), 20))
    assert [len(one["view"]["decision"]["options"]) if one["view"]["decision"] else 0 for one in sent] == [
        0,
        8,
        0,
    ]
    assert sent[1]["from"] <= 1 and all(one["from"] + len(one["log"]) > one["from"] for one in sent)
    monkeypatch.setattr("croupier.server.streams.MAX_STREAMS", 0)
    assert asyncio.run(ask(1, "news", enough=1)) == 503


def test_what_several_ask_for_at_once_after_a_restart_is_played_again_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the bots' turn came and the machine stopped: they go on once."""
    first = Tables(TableStore(tmp_path / "tables.db"), ["go_fish"], croupier.load)
    with monkeypatch.context() as stopped:
        stopped.setattr("croupier.server.hosted_match.HostedMatch.advance", lambda self: [])
        table, _ = first.make("go_fish", 2, [1], ["first"], [], 3)
    again = Tables(TableStore(tmp_path / "tables.db"), ["go_fish"], croupier.load)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(again.find(table))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and len(set(map(id, found))) == 1
    rows = again.store.choices(table)
    assert rows and rows == again.find(table).match.rows()


@pytest.mark.parametrize(
    ("old", "new", "has_same_rules"),
    [("title: The Desk", "title: A Desk", True), ("stake < 5", "stake < 6", False)],
)
def test_a_table_goes_on_after_words_or_rules_have_changed(
    old: str, new: str, has_same_rules: bool, tmp_path: Path
) -> None:
    cases = YAML(typ="safe").load(
        Path(__file__).parents[1].joinpath("play", "words.cases.yaml").read_text(encoding="utf-8")
    )
    file = tmp_path / "desk.yaml"
    file.write_text(cases["ruleset"], encoding="utf-8")
    before = Tables(TableStore(tmp_path / "tables.db"), [str(file)], croupier.load)
    id, _ = before.make(str(file), 2, [0, 1], ["first"], [], 3)
    table = before.find(id)
    before.choose(table, 0, 0)
    file.write_text(cases["ruleset"].replace(old, new), encoding="utf-8")
    after = Tables(TableStore(tmp_path / "tables.db"), [str(file)], croupier.load)
    again = after.find(id)
    assert again.match.state == table.match.state
    assert again.match.ruleset.title == ("A Desk" if has_same_rules else "The Desk")
    assert (CHANGED in after.notices(again)) != has_same_rules


def test_each_process_serves_its_own_tables(tmp_path: Path) -> None:
    """Their links name its port; another process refuses them, so that nobody plays a table twice."""
    several = [Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load, n, 2) for n in range(2)]
    client = Player(application(several[0], ("localhost",))).client
    ports = set()
    for seed in range(12):
        made = client.post(
            "/api/tables", json={"ruleset": "tic_tac_toe", "players": 2, "persons": [0], "seed": seed}
        ).json()
        own = several[0].process_of(made["id"])
        where = made["links"][0]["link"].partition("/t/")[0]
        ports.add(where)
        assert where == ("http://localhost:81" if own else "")
        assert several[own].find(made["id"]).match.waiting() == [0]
        with pytest.raises(RefusedRequest, match="another port"):
            several[1 - own].find(made["id"])
    assert ports == {"", "http://localhost:81"}


def test_what_several_write_at_once_is_on_the_disk_or_refused_to_whoever_wrote_it(tmp_path: Path) -> None:
    tables = Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load)
    ids = [tables.make("tic_tac_toe", 2, [0, 1], ["first"], [], n)[0] for n in range(6)]
    stores = [TableStore(tmp_path / "tables.db", is_shared=True) for _ in range(2)]  # as if of two processes
    refused: list[str] = []

    def write(id: str) -> None:
        for n in range(20):
            try:
                stores[[*ids, id].index(id) % 2].append(id, [(n, 0, n), (n, 1, n)])
            except sqlite3.Error:
                refused.append(id)

    threads = [threading.Thread(target=write, args=(id,)) for id in (*ids, "nowhere")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = [(n, seat, n) for n in range(20) for seat in (0, 1)]
    again = TableStore(tmp_path / "tables.db")
    assert (
        all(again.choices(id) == wanted for id in ids)
        and not again.choices("nowhere")
        and refused == ["nowhere"] * 20
    )


def test_who_may_do_what(sit: Callable[..., list[Player]], app: Any) -> None:
    anna, ben, onlooker = sit(ruleset="tic_tac_toe")
    assert ben.choose(0).status_code == 409 and onlooker.choose(0).status_code == 403
    stranger = Player(app)
    assert stranger.client.get(f"{anna.base}/page").status_code == 403
    assert stranger.client.post(f"{anna.base}/seat", json={"token": "guess"}).status_code == 403
    other = sit(ruleset="tic_tac_toe")[0]
    assert stranger.client.post(f"{anna.base}/seat", json={"token": other.token}).status_code == 403
    assert anna.choose(99).status_code == 409 and anna.choose(True).status_code == 400
    assert ben.client.get(f"{ben.base}/why", params={"words": "(2,2)"}).json() == {
        "error": "it is not for you to decide now"
    }
    known = anna.page()["version"]
    assert anna.choose(4).status_code == 200
    assert anna.choose(4, known).status_code == 409, "the same choice again"
    assert stranger.client.get("/api/t/nowhere/page").status_code == 404
    why = ben.client.get(f"{ben.base}/why", params={"words": "(2,2)"}).json()
    assert why["known"] and why["reasons"] == ["“the cell is empty” does not hold"]


def test_why_is_answered_alike_in_the_browser_on_the_terminal_and_from_python(tmp_path: Path) -> None:
    tables = Tables(TableStore(tmp_path / "tables.db"), ("witches_of_blackmore",), croupier.load)
    app, asked = application(tables, ("localhost",)), {"ruleset": "witches_of_blackmore", "players": 2}
    answer = Player(app).client.post(
        "/api/tables", json={**asked, "persons": [0, 1], "seed": 1, "names": ["Anna", "Ben"]}
    )
    sitting = [Player(app, one["link"]) for one in answer.json()["links"]]
    state = tables.find(answer.json()["id"]).match.state
    seat = state.current_player()
    own = {str(state.action_to_string(seat, action)) for action in state.legal_actions()}
    other = next(component.label for component in state.game.components if component.label not in own)
    told = sitting[seat].client.get(f"{sitting[seat].base}/why", params={"words": other}).json()
    clauses = croupier.explain_move(state, other).forbidden
    names = Names(["Anna", "Ben"])
    assert told["known"] and told["reasons"] == [names(clause.told) for clause in clauses]
    assert ("Anna", "Ben")[seat] in told["reasons"][0]
    assert list(told["rules"]) == [rule for clause in clauses for rule in clause.rules]
    found, rules = why_not(state, seat, other, names), state.ruleset.program.rule_ids
    assert told["rules"] == found.cited(rules) and all(told["rules"].values())
    shown = str(refusal(other, found, names, rules))
    assert all(
        words in shown
        for words in (*told["reasons"], *(f"{rule}: {text}" for rule, text in told["rules"].items()))
    )


def test_others_are_refused(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Player(app).client
    wanted = {"ruleset": "tic_tac_toe", "players": 2, "persons": [0]}
    assert (
        client.post("/api/tables", json=wanted, headers={"origin": "http://evil.example"}).status_code == 403
    )
    del client.headers["origin"]
    assert client.post("/api/tables", json=wanted).status_code == 403
    assert (
        client.post(
            "/api/tables", content=json.dumps(wanted), headers={**ORIGIN, "content-type": "text/plain"}
        ).status_code
        == 415
    )
    assert client.get("/", headers={"host": "rebound.example"}).status_code == 421
    assert (
        client.post(
            "/api/tables",
            content=b"[" * (MAX_BODY + 1),
            headers={**ORIGIN, "content-type": "application/json"},
        ).status_code
        == 413
    )
    assert client.put("/").status_code == 405
    for name in (
        "/",
        "/t/some",
        "/pages/draw.js",
        "/nowhere",
        "/api/games",
        "/api/t/some/page",
        "/api/t/some/news",
        "/api/t/some/saved",
    ):
        headers = client.get(name).headers
        assert (
            "script-src 'self';" in headers["content-security-policy"]
            and headers["x-content-type-options"] == "nosniff"
        )
    for text in (b"\xff", b"[]", b'{"names": ["\\ud800"]}', b'{"a":' * 3000, b'{"seed": 1e999}'):
        assert (
            client.post(
                "/api/tables", content=text, headers={**ORIGIN, "content-type": "application/json"}
            ).status_code
            == 400
        ), text[:20]
    for wrong in (
        {"ruleset": "../../etc/passwd"}, {"ruleset": "kuhn_poker"}, {"players": 9}, {"persons": []},
        {"persons": [7]}, {"bots": ["evil.py:Bot"]},
        {"more": 1}, {"names": ["a", "A"]}, {"names": ["x\u202ey"]}, {"names": ["x" * 41]}, {"seed": -1},
        {"players": "2"}, {"names": [1]},
    ):  # fmt: skip
        assert client.post("/api/tables", json={**wanted, **wrong}, headers=ORIGIN).status_code in (
            400,
            404,
        ), wrong
    assert (
        client.get("/pages/../app.py").status_code == client.get("/pages/%2e%2e%2fapp.py").status_code == 404
    )


def test_too_many_requests_are_refused() -> None:
    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    now = 0.0
    client = TestClient(RequestGuard(answer, ["localhost"], lambda: now), base_url="http://localhost")
    assert [client.get("/").status_code for _ in range(MAX_BURST + 2)][-3:] == [200, 429, 429]
    now = 1.0
    assert client.get("/").status_code == 200


def test_a_choice_at_the_same_time_is_kept_secret_until_all_have_chosen(
    sit: Callable[..., list[Player]], tmp_path: Path
) -> None:
    anna, ben, onlooker = sit(ruleset="goofspiel")
    while len([p for p in (anna, ben) if p.page()["view"]["decision"]]) < 2:
        first = next(p for p in (anna, ben) if p.page()["view"]["decision"])
        first.choose(first.page()["view"]["decision"]["options"][0]["action"])
    before = [p.client.get(f"{p.base}/page").content for p in (ben, onlooker)]
    options = anna.page()["view"]["decision"]["options"]
    assert anna.choose(options[-1]["action"]).json()["has_chosen"]
    assert anna.page()["view"]["decision"] is None
    assert before == [p.client.get(f"{p.base}/page").content for p in (ben, onlooker)]
    again = Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load)
    assert again.find(anna.base.rpartition("/")[2]).match.sealed == {0: options[-1]["action"]}
    assert ben.choose(ben.page()["view"]["decision"]["options"][0]["action"]).status_code == 200
    assert onlooker.client.get(f"{onlooker.base}/page").content != before[1]


@pytest.mark.parametrize(
    ("name", "players"), [("witches_of_blackmore", 3), ("vudu", 3), ("una_notte_da_lupi", 4)]
)
def test_a_page_of_positions_that_only_hidden_things_tell_apart_is_the_same_bytes(
    name: str, players: int
) -> None:
    """What happened is the same history for both; where the events themselves tell the seat of the difference
    the pair is none.
    """
    pairs = 0
    match = GameMatch(croupier.load(name), MatchConfig(players, {}, 3, ("random",), False, "reference"))
    for stop in (12, 24, 36):
        match.play(lambda stop=stop: len(match.steps) >= stop)  # type: ignore[misc]
        for seat in range(players):
            other = twin(match.state, seat, stop)
            if other is not None:
                pairs += 1
                assert page(match.state, seat, ("Anna",)) == page(other, seat, ("Anna",))
    assert pairs > 2


def test_tables_that_are_not_used_leave_the_memory(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_OPEN >= 100
    monkeypatch.setattr("croupier.server.tables.MAX_OPEN", 2)
    made = [tables.make("tic_tac_toe", 2, [0], ["first"], [], 1)[0] for _ in range(4)]
    assert len(tables._open) == 2
    assert tables.find(made[0]).match.waiting() == [0]
    old, over = (tables.find(id) for id in made[:2])
    while not over.is_over:
        tables.choose(over, 0, over.match.state.legal_actions(0)[0])
    over.used -= 61
    old.used -= 61
    monkeypatch.setattr("croupier.server.tables.MAX_OPEN", 9)
    tables.find(made[2])
    assert set(tables._open) == {made[0], made[2]}, "a game that is over goes sooner"
    with pytest.raises(RefusedRequest, match="look again"):
        tables.undo(over, 0)


def test_pages_make_no_markup_of_texts_and_need_nobody_else() -> None:
    for file in PAGES.iterdir():
        text = file.read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text
        ), file.name
        assert not re.search(r"(https?:)?//(?!www\.w3\.org/2000/svg)[\w.-]+\.\w+/", text), file.name
        assert not re.search(r"<script>|<script [^>]*>[^<]|\son\w+=|<style|style=", text), file.name


def test_a_saved_game_as_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which holds what the seat saw, and nothing else; it asks nobody for anything."""
    monkeypatch.chdir(tmp_path)
    assert main(["run", "leduc_poker", "--seed", "3", "--save", "game.json"]) == 0
    packed = {}
    for seat in (None, 1):
        arguments = [
            "replay",
            "game.json",
            "--html",
            "game.html",
            "--names",
            "</script>",
            "--force",
            *(["--seat", str(seat)] if seat else []),
        ]
        assert main(arguments) == 0
        text = Path("game.html").read_text(encoding="utf-8")
        found = re.search(r'id="game">([\w+/=]+)</script>', text)
        assert (
            found is not None and text.count("</script>") == 2 and "import " not in text and "fetch(" in text
        )
        packed[seat] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    record = json.loads(Path("game.json").read_text())
    decisions = [a for a in record["actions"] if a["seat"] >= 0]
    assert len(packed[None]["moments"]) == len(record["actions"]) + 1
    assert len(packed[1]["moments"]) == len(decisions) + 2, (
        "not where chance acts: that tells how often it had a choice"
    )
    # the card of the other player
    other = next(a["choice"]["chance"] for a in record["actions"][1:] if a["seat"] == -1)
    texts = [str(line["text"]) for moment in packed[1]["moments"] for line in moment["log"]]
    assert any(
        other in str(line["text"]) for moment in packed[None]["moments"][:4] for line in moment["log"]
    ), other
    assert not any(other in text for text in texts[:2])
    assert packed[None]["moments"][-1]["view"]["status"] == "finished" and packed[1]["names"] == ["</script>"]


KILLED = """
import sys, croupier
from croupier.server.store import TableStore
from croupier.server.tables import Tables
tables = Tables(TableStore(sys.argv[1]), ["oware"], croupier.load)
table = tables.find(tables.make("oware", 2, [0, 1], ["first"], [], 1)[0])
print(table.entry.id, flush=True)
while True:
    (seat,) = table.match.waiting()
    action = table.match.state.legal_actions(seat)[0]
    tables.choose(table, seat, action)
    print(action, flush=True)
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(file)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    id = child.stdout.readline().strip()
    acknowledged = [int(child.stdout.readline()) for _ in range(25)]
    child.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    acknowledged += [int(line) for line in child.stdout.read().split("\n")[:-1]]
    child.wait()
    kept = [action for _, _, action in TableStore(file).choices(id)]
    assert kept[: len(acknowledged)] == acknowledged and len(kept) - len(acknowledged) in (0, 1)
    table = Tables(TableStore(file), ["oware"], croupier.load).find(id)
    assert len(table.match.steps) == len(kept) and len(table.match.waiting()) == 1


DESK = """croupier: 1
ruleset: desk
title: Desk
players: 2
components:
  Card: {attributes: {value: 1..6}, each: [value]}
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player, seen_by: owner}
state:
  noted: 0..9 = 0
phases:
  play: |
    let me = players.first
    choose a from 1..2 by me
    choose b from 1..2 by me
    draw 1 from deck to hand[me]
    choose c from 1..2 by me
    secretly me:
        choose d from 1..2 by me
        noted = d
    choose e from 1..2 by me
"""


@pytest.mark.parametrize(
    ("decisions", "taken_back", "words"),
    [
        (0, 0, "there is no decision of yours"),
        (2, 0, "since your last decision you have seen something new, or may have"),
        (1, 1, "there is no decision of yours"),
        (3, 1, "since your last decision you have seen something new, or may have"),
        (4, 0, "the others would learn that you were asked"),
        (5, 0, "the game is over"),
    ],
)
def test_why_nothing_can_be_taken_back(decisions: int, taken_back: int, words: str, tmp_path: Path) -> None:
    file = tmp_path / "desk.yaml"
    file.write_text(DESK, encoding="utf-8")
    tables = Tables(TableStore(tmp_path / "tables.db"), [str(file)], croupier.load)
    table = tables.find(tables.make(str(file), 2, [0, 1], ["first"], [], 3)[0])
    for _ in range(decisions):
        tables.choose(table, 0, table.match.state.legal_actions(0)[0])
    for _ in range(taken_back):
        tables.undo(table, 0)
    with pytest.raises(RefusedRequest) as refused:
        tables.undo(table, 0)
    assert str(refused.value) == f"nothing can be taken back: {words}"


def test_what_was_decided_before_a_table_was_opened_is_not_taken_back(tmp_path: Path) -> None:
    first = Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load)
    id, _ = first.make("tic_tac_toe", 2, [0, 1], ["first"], [], 3)
    first.choose(first.find(id), 0, 0)
    again = Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load)
    with pytest.raises(RefusedRequest, match="your last decision was made before this table was opened"):
        again.undo(again.find(id), 0)
    with pytest.raises(RefusedRequest, match="there is no decision of yours"):
        again.undo(again.find(id), 1)


def test_undo_a_fork_and_remarks(
    sit: Callable[..., list[Player]], tables: Tables, app: Any, tmp_path: Path
) -> None:
    """Who decided last takes it back until somebody else has; a finished game is gone on with from any step;
    all of it survives.
    """
    anna, ben, onlooker = sit(ruleset="tic_tac_toe")

    def post(player: Player, what: str, **body: Any) -> Any:
        return player.client.post(f"{player.base}/{what}", json=body)

    assert (
        not anna.page()["can_undo"] and post(anna, "undo", version=anna.page()["version"]).status_code == 409
    )
    anna.choose(0)
    assert anna.page()["can_undo"] and not ben.page()["can_undo"] and not onlooker.page()["can_undo"]
    assert post(onlooker, "undo", version=onlooker.page()["version"]).status_code == 403
    assert post(anna, "undo", version="an old one").status_code == 409
    assert post(anna, "undo", version=anna.page()["version"]).status_code == 200
    assert len(anna.page()["view"]["decision"]["options"]) == 9 and ben.page()["view"]["decision"] is None
    moves = [(anna, 0), (ben, 3), (anna, 1), (ben, 4), (anna, 2)]
    for player, action in moves[:2]:
        player.choose(action)
    assert not anna.page()["can_undo"], "ben has decided since"
    assert (
        post(onlooker, "fork", step=1, persons=[0]).status_code
        == post(anna, "remark", step=1, text="early").status_code
        == 409
    )
    for player, action in moves[2:]:
        player.choose(action)
    assert post(onlooker, "remark", step=2, text=" a \n good  move ").status_code == 201
    for bad in ({"step": 9, "text": "x"}, {"step": 1, "text": ""}, {"step": 1}, {"text": "x", "step": 1.5}):
        assert post(anna, "remark", **bad).status_code == 400, bad
    assert anna.client.get(f"{anna.base}/at/1").json()["remarks"] == [
        {"step": 2, "seat": -1, "text": "a good move"}
    ]
    assert "a good move" in _packed(ben.client.get(f"{ben.base}/watch").text)["remarks"][0]["text"]
    made = post(ben, "fork", step=3, persons=[0, 1], names=["C"]).json()["links"]
    cleo = Player(app, made[1]["link"])
    assert len(cleo.page()["view"]["decision"]["options"]) == 6 and cleo.page()["names"] == ["C"]
    for wrong in (
        {"step": 1},
        {"step": 1, "persons": [7]},
        {"step": "1", "persons": [0]},
        {"step": 1, "persons": [0], "names": ["x" * 41]},
    ):
        assert post(ben, "fork", **wrong).status_code == 400, wrong
    again = Tables(TableStore(tmp_path / "tables.db"), GAMES, croupier.load)
    for player in (anna, cleo):
        id = player.base.rpartition("/")[2]
        assert again.find(id).match.state.hash() == tables.find(id).match.state.hash()


def _packed(html: str) -> Any:
    found = re.search(r'id="game">([\w+/=]+)</script>', html)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_variants_parameters_and_bots_of_a_table(app: Any, tmp_path: Path) -> None:
    offered = Tables(TableStore(":memory:"), ["wednesday_hyde", "go_fish"], croupier.load)
    client = Player(application(offered, ("localhost",))).client
    known = client.get("/api/game", params={"name": "wednesday_hyde"}).json()
    assert "expert" in known["variants"] and {"name", "type", "default", "choices", "doc"} == set(
        known["parameters"][0]
    )
    wanted: Json = {
        "ruleset": "wednesday_hyde",
        "players": 2,
        "variants": ["expert"],
        "parameters": {"losses_allowed": "3"},
    }
    wanted["bots"] = ["first", "random"]
    made = client.post("/api/tables", json=wanted, headers=ORIGIN)
    assert made.status_code == 201, made.text
    state = offered.find(made.json()["id"]).match
    assert (
        state.state.parameters["losses_allowed"] == 3
        and state.ruleset.name == "expert"
        and state.setup.bots == ("first", "random")
    )
    for wrong in (
        {"variants": ["../go_fish"]}, {"variants": ["nothing"]}, {"parameters": {"losses_allowed": 99}},
        {"parameters": {"no such": 1}},
        {"parameters": []}, {"bots": ["random"] * 3}, {"bots": ["greedy:1"]}, {"bots": "random"},
        {"variants": "expert"},
    ):  # fmt: skip
        assert client.post("/api/tables", json={**wanted, **wrong}, headers=ORIGIN).status_code == 400, wrong


def test_a_shipped_game_is_described_without_loading_it() -> None:
    loaded: list[str] = []

    def load(name: str) -> Any:
        loaded.append(name)
        return croupier.load(name)

    offered = Tables(TableStore(":memory:"), ["witches_of_blackmore"], load)
    client = Player(application(offered, ("localhost",))).client
    known = client.get("/api/game", params={"name": "witches_of_blackmore"}).json()
    assert not loaded
    rules = offered.ruleset("witches_of_blackmore")
    assert (
        known["title"] == rules.title
        and known["players"] == list(rules.players)
        and known["usual"] == rules.default_players
    )
    assert known["parameters"] == [
        {
            "name": p.name,
            "type": p.type_text,
            "default": p.default,
            "choices": list(p.values or ()),
            "doc": p.doc,
        }
        for p in rules.parameters
    ]
    assert known["bots"] == [*offered.bots(rules.program.policies)] and any(
        bot.startswith("policy:") for bot in known["bots"]
    )
    assert client.get("/api/game", params={"name": "chess"}).status_code == 404
    assert loaded == ["witches_of_blackmore"]


@pytest.mark.parametrize(("name", "players"), [("witches_of_blackmore", 3), ("vudu", 3)])
def test_what_may_be_taken_back_does_not_tell_what_others_saw(name: str, players: int) -> None:
    """Whether a seat may take something back follows from its own events: a match with a bot's hidden choices
    left out says the same.
    """
    tables = Tables(TableStore(":memory:"), [name], croupier.load)
    id, _ = tables.make(name, players, list(range(players)), ["random"], [], 5)
    match = tables.find(id).match
    for turn in range(60):
        if not (waiting := match.waiting()):
            break
        before = {
            p: (match.can_undo(p), len(match.state.events(p))) for p in range(players) if p not in waiting
        }
        legal = match.state.legal_actions(waiting[0])
        match.choose(waiting[0], legal[turn % len(legal)])
        for p, (could, told) in before.items():
            if len(match.state.events(p)) == told and not match.is_over:
                assert match.can_undo(p) == could, "nothing was perceived, so nothing changes"


def test_bots_that_search_play_on_beside_what_people_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice is answered before they have all thought; what they do is on the disk step by step."""
    monkeypatch.setattr("croupier.server.hosted_match.MAX_SECONDS_AT_ONCE", 0.0)
    tables = Tables(TableStore(":memory:"), ["go_fish"], croupier.load, bots=["ismcts:2"])
    id, _ = tables.make("go_fish", 3, [0], ["ismcts:2"], [], 3)

    async def settled(table: Any) -> None:
        for _ in range(30_000):
            if not table.goes_on:
                return
            await asyncio.sleep(0.01)

    async def play() -> int:
        live, went_on = Live(tables), 0
        table = await live.find(id)
        await settled(table)
        for _ in range(4):
            body = {"action": table.match.state.legal_actions(0)[0], "version": table.page(0).version}
            await live._choose(SeatRequest(table, 0, None, json.dumps(body).encode(), ""))
            went_on += table.goes_on
            await settled(table)
            assert table.match.waiting() == [0] or table.match.is_over
            assert tables.store.choices(id) == table.match.rows()
        return went_on

    assert asyncio.run(play())


def test_whoever_starts_the_server_says_which_bots_there_are() -> None:
    usual = Tables(TableStore(":memory:"), ["go_fish"], croupier.load)
    assert usual.bots(["bold"]) == [any_table_bot(), "random", "first", "policy:bold"]
    few = Tables(TableStore(":memory:"), ["go_fish"], croupier.load, bots=("first", "ismcts:2"))
    client = Player(application(few, ("localhost",))).client
    assert client.get("/api/game", params={"name": "go_fish"}).json()["bots"] == ["first", "ismcts:2"]
    wanted: Json = {"ruleset": "go_fish", "players": 2}
    made = client.post("/api/tables", json=wanted, headers=ORIGIN)
    assert few.find(made.json()["id"]).match.setup.bots == ("first", "first")
    refused = client.post("/api/tables", json={**wanted, "bots": ["random"]}, headers=ORIGIN)
    assert refused.status_code == 400


def test_a_bot_that_does_not_go_with_the_game_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise UnknownAgent("`mcts:9` looks at what is hidden")

    monkeypatch.setattr("croupier.play.match.seat_agents", refuse)
    tables = Tables(TableStore(":memory:"), ["go_fish"], croupier.load, bots=("mcts:9",))
    client = Player(application(tables, ("localhost",))).client
    refused = client.post("/api/tables", json={"ruleset": "go_fish", "players": 2}, headers=ORIGIN)
    assert (refused.status_code, refused.json()) == (400, {"error": "`mcts:9` looks at what is hidden"})


def test_a_bot_that_thinks_for_a_time_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table is played again: it would take as long as it took, and come to something else."""
    asked: list[int] = []

    def choose(state: object, seat: int, options: list[int]) -> int:
        asked.append(seat)
        return options[0]

    timed = SimpleNamespace(name=lambda: "ismcts:200ms", choose=choose)
    monkeypatch.setattr("croupier.play.match.seat_agents", lambda *_: [timed, timed])
    rules, setup = croupier.load("go_fish"), MatchConfig(2, {}, 3)
    match = HostedMatch(rules, setup, frozenset([0]))
    match._patience = 60.0
    match.advance()
    for _ in range(3):
        match.choose(0, match.state.legal_actions(0)[0])
    assert set(asked) == {1}
    asked.clear()
    again = HostedMatch(rules, setup, frozenset([0]))
    again.catch_up(match.rows())
    assert not asked and again.state == match.state
    session = Session(rules, setup, frozenset([0]))
    session.catch_up(match.record())
    assert not asked and session.state == match.state
