"""`croupier tables`: the tables in a file of a server are listed, saved as games, removed."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.cli import main
from croupier.server.store import TableStore
from croupier.server.tables import Tables
from croupier.server.uses import DAY
from server_files import make_store, set_used


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a table whose game is over and one where it has begun."""
    monkeypatch.chdir(tmp_path)
    make_store(tmp_path / "tables.db")
    return tmp_path / "tables.db"


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    """What `croupier tables tables.db` says as JSON."""
    capsys.readouterr()
    assert main(["tables", "tables.db", *arguments, "--format", "json"]) == code
    return json.loads(capsys.readouterr().out)


def ids(found: Any) -> list[str]:
    return sorted(table["id"] for table in found["tables"])


def test_tables_are_listed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    set_used(file, "over", 3 * DAY)
    found = told(capsys)
    assert [table["id"] for table in found["tables"]] == ["over", "begun"], "unused for longest first"
    over, begun = found["tables"]
    assert (over["over"], begun["over"], begun["played"], over["names"]) == (True, False, True, ["Anna"])
    assert over["used"] < begun["used"] and over["used"].endswith("+00:00")
    assert main(["tables", "tables.db"]) == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("over", "begun", "tic_tac_toe", "Anna"))


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        ([], ["begun", "over"]),
        (["begun"], ["begun"]),
        (["--finished"], ["over"]),
        (["--unused", "2"], ["over"]),
        (["--unused", "4"], []),
        (["begun", "--finished"], []),
    ],
)
def test_which_tables_are_meant(
    arguments: list[str], meant: list[str], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_used(file, "over", 3 * DAY)
    assert ids(told(capsys, *arguments)) == meant


def test_a_table_in_play_is_never_removed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "--unused", "0", "--remove", code=1)
    assert (found["removed"], found["in_use"]) == (["over"], ["begun"])
    assert told(capsys, "begun", "--remove", code=1)["in_use"] == ["begun"]
    set_used(file, "begun", 1.01 * DAY)
    assert told(capsys, "begun", "--remove")["removed"] == ["begun"]
    with closing(sqlite3.connect(file)) as db:
        for kind in ("tables", "choices", "remarks", "uses"):
            assert db.execute(f"SELECT count(*) FROM {kind}").fetchone() == (0,), kind
    assert main(["tables", "tables.db"]) == 0
    assert capsys.readouterr().out == "there is no such table\n"


def test_games_are_saved_and_can_be_replayed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As far as they were played; looking at them changes nothing."""
    before = told(capsys)
    found = told(capsys, "--export", "games")
    assert found["saved"] == {name: str(Path("games", f"{name}.json")) for name in ("begun", "over")}
    assert main(["replay", "games/over.json"]) == 0
    assert len(json.loads(Path("games/begun.json").read_text())["actions"]) == 1
    assert told(capsys)["tables"] == before["tables"]
    assert main(["tables", "tables.db", "--export", "games"]) == 2
    assert "games" in capsys.readouterr().err
    assert told(capsys, "--export", "games", "--force")["unsaved"] == []


@pytest.mark.parametrize(
    ("action", "reason"), [(99, "action 99 is not legal for seat 1"), (0, "action 0 is not legal for seat 1")]
)
def test_what_cannot_be_saved_is_not_removed(
    action: int, reason: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE choices SET action = ? WHERE at = 'over' AND step = 3", (action,))
        db.commit()
    found = told(capsys, "--finished", "--export", "games", "--remove", code=1)
    assert [one["id"] for one in found["unsaved"]] == ["over"] and found["removed"] == []
    assert reason in found["unsaved"][0]["reason"]
    assert told(capsys, "--finished", "--remove")["removed"] == ["over"]


@pytest.mark.parametrize("has_rules", [True, False])
def test_a_game_is_saved_with_the_rules_that_it_began_with(
    has_rules: bool, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that the server kept, where the ruleset is not there any more."""
    with closing(sqlite3.connect(file)) as db:
        db.execute("UPDATE tables SET ruleset = 'gone.yaml'")
        if not has_rules:
            db.execute("DELETE FROM rules")
        db.commit()
    found = told(capsys, "over", "--export", "games", "--remove", code=0 if has_rules else 1)
    assert (list(found["saved"]), found["removed"]) == ((["over"], ["over"]) if has_rules else ([], []))
    if not has_rules:
        assert "the rules of this table, `gone.yaml`, are gone" in found["unsaved"][0]["reason"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.db"], "no such file"),
        (["."], "is a directory"),
        (["text.db"], "did not make this file"),
        (["other.db"], "did not make this file"),
        (["tables.db", "nobody"], "there is no table `nobody`"),
        (["tables.db", "--remove"], "say which tables"),
        (["tables.db", "--unused", "-1"], "greater than or equal to 0"),
    ],
)
def test_what_is_refused(
    arguments: list[str], words: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("text.db").write_text("no database at all, but a text that is long enough to be read as one" * 20)
    with closing(sqlite3.connect("other.db")) as db:
        db.execute("CREATE TABLE tables (id TEXT)")
        db.commit()
    assert main(["tables", *arguments]) == 2
    shown = capsys.readouterr().err
    assert words in " ".join(shown.split()) and "Traceback" not in shown


def test_a_table_that_was_removed_meanwhile_is_not_there_any_more(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that has it in memory says so, instead of an error."""
    pytest.importorskip("starlette", reason="games in the browser need starlette")
    pytest.importorskip("httpx", reason="the test client needs httpx")
    from starlette.testclient import TestClient

    from croupier.server.app import application

    tables = Tables(TableStore(file), ("tic_tac_toe",), croupier.load)
    id, tokens = tables.make("tic_tac_toe", 2, [0, 1], ["first"], [], 1)
    over, over_tokens = tables.make("tic_tac_toe", 2, [0, 1], ["first"], [], 1)
    for turn, action in enumerate((0, 3, 1, 4, 2)):
        tables.choose(tables.find(over), turn % 2, action)
    app: Any = application(tables, ("localhost",))
    client = TestClient(app, "http://localhost", headers={"origin": "http://localhost"})
    for one, token in ((id, tokens[0]), (over, over_tokens[0])):
        assert client.post(f"/api/t/{one}/seat", json={"token": token}).status_code == 200
    version = client.get(f"/api/t/{id}/page").json()["version"]
    tables.uses.remove([id, over])
    gone = [
        client.post(f"/api/t/{id}/choose", json={"action": 0, "version": version}),
        client.get(f"/api/t/{id}/page"),
        client.post(f"/api/t/{over}/remark", json={"step": 0, "text": "well played"}),
    ]
    assert [(answer.status_code, answer.json()["error"]) for answer in gone] == [
        (404, "there is no such table")
    ] * 3
