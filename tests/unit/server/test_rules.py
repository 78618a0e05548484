"""An edit of the rules locks nobody out: new tables have the new rules, others go on with their own."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.narration import Names
from croupier.reads import recorded
from croupier.resources import rulesets_folder
from croupier.runtime.legality import why_not

pytest.importorskip("starlette", reason="games in the browser need starlette")
pytest.importorskip("httpx", reason="the test client needs httpx")

from starlette.testclient import TestClient

from croupier.cli import main
from croupier.server.app import application
from croupier.server.refusals import RefusedRequest
from croupier.server.rule_sources import RuleSources, gathered, opened
from croupier.server.rules import CHANGED, GONE, UNUSED, load_checked
from croupier.server.store import TableStore
from croupier.server.sweeping import Sweeper
from croupier.server.tables import OpenTable, Tables

TAKES = """croupier: 1
ruleset: takes
title: Take three
players: 2
state:
  left: 0..5 = 3 seen by everybody
phases:
  play: |
    for p in turns():
        choose n from 1..3 by p as "take {n}"
            only if "enough": n <= left
        left -= n
        announce "{p} takes"
        if left == 0:
            finish win p
"""
FIVE = ("= 3 seen", "= 5 seen")
BROKEN = ("left -= n", "left -= m")


class House:
    """A file of rules and a file of tables, of which servers are started again and again."""

    def __init__(self, folder: Path) -> None:
        self.file, self.store = folder / "takes.yaml", folder / "tables.db"
        self.file.write_text(TAKES, encoding="utf-8")
        self.said: list[str] = []

    def start(self) -> Tables:
        store = TableStore(self.store)
        store.drop_unused_rules([str(self.file)])
        return Tables(store, [str(self.file)], load_checked, say=self.said.append)

    def edit(self, *changes: tuple[str, str]) -> None:
        text = TAKES
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        self.file.write_text(text, encoding="utf-8")

    def make(self, tables: Tables) -> OpenTable:
        return tables.find(tables.make(str(self.file), 2, [0, 1], ["first"], [])[0])


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def left(table: OpenTable) -> int:
    """How many are left to take: as many moves as the game has yet if each takes one."""
    copied = table.match.state.clone()
    taken = 0
    while not copied.is_terminal():
        copied.apply_action(copied.legal_actions()[0])
        taken += 1
    return taken


def test_new_tables_have_the_new_rules_and_others_go_on(house: House) -> None:
    tables = house.start()
    old = house.make(tables)
    assert left(old) == 3 and tables.notices(old) == []
    house.edit(FIVE)
    new = house.make(tables)
    assert (left(new), left(old)) == (5, 3)
    assert tables.notices(old) == [CHANGED] and tables.notices(new) == []
    assert [text.endswith("new tables have the new rules") for text in house.said] == [True]
    tables.choose(old, 0, old.match.state.legal_actions(0)[0])
    again = house.start()
    for table, remaining, notices in ((old, 2, [CHANGED]), (new, 5, [])):
        found = again.find(table.entry.id)
        assert (left(found), again.notices(found)) == (remaining, notices)
        assert found.match.state.hash() == table.match.state.hash()


def test_a_file_by_another_path_is_the_same_ruleset(house: House) -> None:
    old = house.make(house.start())
    (house.file.parent / "inner").mkdir()
    other = str(house.file.parent / "inner" / ".." / house.file.name)
    again = Tables(TableStore(house.store), ["tic_tac_toe", other], load_checked)
    assert again.notices(again.find(old.entry.id)) == []
    house.edit(FIVE)
    assert again.notices(again.find(old.entry.id)) == [CHANGED]


def test_rules_that_are_edited_back_are_those_of_before(house: House) -> None:
    tables = house.start()
    old = house.make(tables)
    house.edit(FIVE)
    house.make(tables)
    house.edit()
    assert left(house.make(tables)) == 3 and tables.notices(old) == []


def test_words_that_no_hash_holds_are_new_too(house: House) -> None:
    """A table that is opened later has them, too: they are the same rules."""
    tables = house.start()
    old = house.make(tables)
    house.edit(("enough", "so many"))
    for table in (house.make(tables), house.start().find(old.entry.id)):
        copied = table.match.state.clone()
        copied.apply_action(copied.legal_actions()[1])
        (reason,) = why_not(copied, 1, "take 3", Names(())).clauses
        assert "so many" in reason.told
    assert len(house.said) == 1 and tables.notices(old) == []


def test_a_mistake_keeps_the_last_good_rules_and_says_where_it_is(house: House) -> None:
    tables = house.start()
    client = TestClient(application(tables, ("localhost",)), base_url="http://localhost")
    house.make(tables)
    house.edit(FIVE, BROKEN)
    new = house.make(tables)
    assert left(new) == 3 and tables.notices(new) == []
    house.make(tables)
    assert len(house.said) == 1 and f"{house.file}:12:17" in house.said[0], "told once, with the place"
    told = client.get("/api/game", params={"name": str(house.file)}).json()
    assert told["title"] == "Take three" and "takes.yaml:12:17: error[" in told["problem"]
    house.edit(FIVE)
    assert left(house.make(tables)) == 5
    assert client.get("/api/game", params={"name": str(house.file)}).json()["problem"] is None
    house.edit()
    house.make(tables)
    house.edit(BROKEN)
    house.make(tables)
    house.edit()
    house.make(tables)
    assert house.said[-1].endswith("is right again")


def test_what_gives_secrets_away_is_a_mistake_too(house: House) -> None:
    """As `croupier check` says, not only what stops a game."""
    tables = house.start()
    house.make(tables)
    house.edit(("= 3 seen by everybody", "= 3"))
    croupier.load(str(house.file))
    house.make(tables)
    assert len(house.said) == 1 and "error[" in house.said[0]


def test_after_a_restart_with_a_mistake_the_rules_are_those_that_were_kept(house: House) -> None:
    tables = house.start()
    old = house.make(tables)
    house.edit(FIVE)
    house.make(tables)
    house.edit(BROKEN)
    again = house.start()
    assert left(house.make(again)) == 5 and left(again.find(old.entry.id)) == 3
    house.store.unlink()
    with pytest.raises(RulesetError):
        house.make(house.start())


@pytest.mark.parametrize("gone", ["the file", "the offer"])
def test_a_table_outlives_its_ruleset(gone: str, house: House) -> None:
    """It is played to its end, watched and saved without the file."""
    tables = house.start()
    id, tokens = tables.make(str(house.file), 2, [0, 1], ["first"], [])
    table = tables.find(id)
    tables.choose(table, 0, table.match.state.legal_actions(0)[0])
    if gone == "the file":
        house.file.unlink()
        after = house.start()
    else:
        after = Tables(TableStore(house.store), ["tic_tac_toe"], croupier.load)
    found = after.find(id)
    assert after.notices(found) == ([] if gone == "the file" else [GONE])
    after.choose(found, 1, found.match.state.legal_actions(1)[0])  # then there is one option, which is taken
    assert found.is_over
    client = TestClient(application(after, ("localhost",)), base_url="http://localhost")
    client.headers["cookie"] = f"seat={tokens[1]}"
    saved = client.get(f"/api/t/{id}/saved")
    assert len(saved.json()["actions"]) == 3
    assert b"octet-stream" in client.get(f"/api/t/{id}/watch").content
    assert client.get(f"/api/t/{id}/at/1").json()["steps"] == 3
    forked = after.find(after.fork(found, 1, [0, 1], [])[0])
    assert left(forked) == 2


def test_a_game_goes_on_at_a_new_table_with_its_own_rules(house: House) -> None:
    tables = house.start()
    old = house.make(tables)
    for seat in (0, 1):
        tables.choose(old, seat, old.match.state.legal_actions(seat)[0])
    assert old.is_over
    house.edit(FIVE)
    forked = tables.find(tables.fork(old, 1, [0, 1], [])[0])
    assert left(forked) == 2 and tables.notices(forked) == [CHANGED]


def test_tables_of_an_earlier_version_keep_their_rules_from_when_they_are_opened(house: House) -> None:
    tables = house.start()
    opened_before, not_opened = house.make(tables), house.make(tables)
    with sqlite3.connect(house.store) as file:
        file.execute("DROP TABLE rules")
    again = house.start()
    again.find(opened_before.entry.id)
    with sqlite3.connect(house.store) as file:
        assert file.execute("SELECT count(*) FROM rules").fetchone() == (1,)
        file.execute("DROP TABLE rules")
    house.edit(FIVE)
    with pytest.raises(RefusedRequest, match="did not keep them") as refused:
        house.start().find(not_opened.entry.id)
    assert refused.value.status == 409


def test_rules_of_no_table_are_forgotten_but_for_the_last(house: House) -> None:
    tables = house.start()
    house.make(tables)
    for changes in ((FIVE,), (("= 3 seen", "= 4 seen"),), (("= 3 seen", "= 2 seen"),)):
        house.edit(*changes)
        tables.ruleset(str(house.file))
    with sqlite3.connect(house.store) as file:
        assert file.execute("SELECT count(*) FROM rules").fetchone() == (4,)
        house.start()
        assert file.execute("SELECT count(*) FROM rules").fetchone() == (2,)


def test_whoever_looks_at_combinations_of_variants_fills_no_disk(house: House) -> None:
    """Their rules are kept for tables, and go when these have gone."""
    game, variants = "two_dice_pig", ["sixes_are_safe"]
    tables = Tables(TableStore(house.store), [game], croupier.load)

    def kept() -> list[str]:
        with sqlite3.connect(house.store) as file:
            return [name for (name,) in file.execute("SELECT name FROM rules ORDER BY name")]

    tables.ruleset(game)
    tables.ruleset(game, variants)
    assert kept() == [game]
    id, _ = tables.make(game, 2, [0, 1], ["first"], [], variants=variants)
    later = Sweeper(tables, clock=lambda: time.time() + 2 * UNUSED)
    later.sweep()
    assert kept() == [game, f"{game}/{variants[0]}"]
    tables.uses.remove([id])
    Sweeper(tables).sweep()
    assert len(kept()) == 2, "a table may be about to be made"
    later.sweep()
    assert kept() == [game]


KILLED = """
import sys
from pathlib import Path
from croupier.server.rules import load_checked
from croupier.server.store import TableStore
from croupier.server.tables import Tables
store, rules = sys.argv[1:]
tables = Tables(TableStore(store), [rules], load_checked)
text = Path(rules).read_text()
while True:
    for pile in "345":
        Path(rules).write_text(text.replace("= 3 seen", f"= {pile} seen"))
        table = tables.find(tables.make(rules, 2, [0, 1], ["first"], [])[0])
        print(table.entry.id, pile, 0, flush=True)
        for n in range(2):
            tables.choose(table, n, table.match.state.legal_actions(n)[0])
            print(table.entry.id, pile, n + 1, flush=True)
"""


def test_no_acknowledged_table_or_choice_is_lost_while_rules_are_edited(house: House) -> None:
    """The server is killed between edits; then the file is gone, too."""
    arguments = [sys.executable, "-c", KILLED, str(house.store), str(house.file)]
    ours = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": ours}
    child = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=environment)
    assert child.stdout is not None
    lines = [child.stdout.readline() for _ in range(20)]
    child.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    lines += child.stdout.read().splitlines(keepends=True)
    child.wait()
    house.file.unlink()
    known = {
        id: (int(pile), int(n)) for id, pile, n in (line.split() for line in lines if line.endswith("\n"))
    }
    assert len({pile for pile, _ in known.values()}) == 3
    again = house.start()
    for id, (pile, chosen) in known.items():
        table = again.find(id)
        steps = len(table.match.steps)
        assert steps - chosen in (0, 1) and left(table) == pile - steps


# ------------------------------------------------------------ the files of a ruleset
def restored(name: str, folder: Path) -> tuple[RuleSources, Any, Any]:
    with recorded() as reads:
        ruleset = croupier.load(name)
    found = gathered(name, reads)
    assert found is not None
    sources = RuleSources.unpacked(found.packed())
    assert sources == found
    return sources, ruleset, opened(sources, folder, croupier.load)


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "wednesday_hyde/expert",
        "wednesday_hyde/expert+closed",
        "takes.yaml",
        "game",
        "game/short",
        "link.yaml",
        "first.yaml+second.yaml",
        "mine.yaml",
    ],
)
def test_a_ruleset_is_opened_again_from_its_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "takes.yaml").write_text(TAKES, encoding="utf-8")
    variants = tmp_path / "game" / "variants"
    variants.mkdir(parents=True)
    (tmp_path / "game" / "ruleset.yaml").write_text(TAKES, encoding="utf-8")
    change = "croupier: 1\nextends: {}\ntitle: Other\n"
    (variants / "short.yaml").write_text(change.format("../ruleset.yaml"), encoding="utf-8")
    (tmp_path / "first.yaml").write_text(change.format("takes.yaml"), encoding="utf-8")
    more = "croupier: 1\nextends: takes.yaml\ndoc: A game of taking.\n"
    (tmp_path / "second.yaml").write_text(more, encoding="utf-8")
    (tmp_path / "mine.yaml").write_text(change.format("tic_tac_toe"), encoding="utf-8")
    (tmp_path / "link.yaml").symlink_to(tmp_path / "game" / "ruleset.yaml")
    with tempfile.TemporaryDirectory() as folder:
        _, before, after = restored(name, Path(folder))
        assert (after.ruleset_hash, after.name) == (before.ruleset_hash, before.name)


def test_shipped_rules_that_a_ruleset_uses_are_kept_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("croupier: 1\nextends: tic_tac_toe\ntitle: Mine\n", encoding="utf-8")
    folder = tmp_path / "kept"
    folder.mkdir()
    sources, before, _ = restored(str(mine), folder)
    (path,) = sources.shipped
    was = sources.shipped[path]
    assert was == (rulesets_folder() / path).read_bytes()
    then = was.replace(b"grid.lines(3)", b"grid.lines(2)")
    assert then != was
    former = RuleSources(sources.names, sources.own, sources.links, {path: then})
    other = tmp_path / "other"
    other.mkdir()
    found = opened(former, other, croupier.load)
    assert found.ruleset_hash != before.ruleset_hash
    assert found.program.resolved.doc == before.program.resolved.doc


@pytest.mark.parametrize("path", ["../out.yaml", "/tmp/out.yaml", "a/../../out.yaml"])
def test_files_that_lead_out_of_their_folder_are_refused(path: str, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    for sources in (RuleSources((path,), {path: b""}, {}, {}), RuleSources((path,), {}, {"a": path}, {})):
        with pytest.raises(ValueError, match="leads out"):
            opened(sources, inner, croupier.load)
    assert [file.name for file in tmp_path.iterdir()] == ["inner"]


@pytest.mark.parametrize("data", [b"", b"no", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_bytes_that_are_no_files_of_a_ruleset(data: bytes) -> None:
    with pytest.raises(ValueError):
        RuleSources.unpacked(data)


def test_whoever_runs_the_server_reads_what_is_wrong_with_an_edit(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In lines, as `check` tells it."""

    def edited(_: object, tables: Tables) -> None:
        house.edit(BROKEN)
        house.make(tables)

    monkeypatch.setattr("croupier.server.app.ServerProcess.listen", edited)
    assert main(["serve", str(house.file)]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert any(line.endswith("is wrong; new tables have the rules of before:") for line in lines)
    assert any(line.startswith("error[N001 unknown-name]") for line in lines)
    assert any(line.endswith(":12:17") for line in lines)
