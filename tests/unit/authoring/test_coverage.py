"""Coverage: what never happened is found, counted and shown, whatever it is called."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import croupier
from croupier.authoring.coverage.games import CoveragePlan
from croupier.authoring.coverage.measure import measure
from croupier.authoring.coverage.page import html_page
from croupier.authoring.coverage.results import Coverage
from croupier.cli import main
from croupier.ruleset import Ruleset
from croupier.runtime.operations import BeginOp

RULES = """\
croupier: 1
ruleset: little
title: "Little <script>alert(1)</script> game"
players: 2..3
rule_list: rules.csv
types:
  Colour: [red, green]
parameters:
  mode: {one_of: [calm, wild]}
components:
  Card:
    ids: [fox, owl]
    powers:
      fox: |
        after turn(p):                        @LT-3
          points[p] += 1
      owl: |
        after turn(p) if mode == wild:        @LT-4
          points[p] += 2
zones:
  table: {holds: Card, start: all, live: true, seen_by: everybody}
state:
  points: 0..99 per Player = 0 seen by everybody
  rounds: 0..9 = 0 seen by everybody
definitions: |
  def turn(p: Player):                        @LT-1
      if points[p] > 50:                      @LT-2
          points[p] = 0
      rounds += 1
phases:
  play: |
    for p in players:
        choose by p:
            option "go on": turn(p)
            option "wait </pre>" if mode == wild: pass
        choose colour from Colour by p where colour == red
scoring: |
  finish rank {p: points[p] for p in players}
"""
LIST = 'id,tag,text\nLT-1,[a],a turn\nLT-2,[a],too many\nLT-3,[a],fox\nLT-4,[a],owl\nLT-5,[a],"<b>bold</b>"\n'
SCENARIOS = """\
croupier: 1
scenarios:
  - id: one
    do: [{until: end}]
    then: [rounds == 2]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ruleset.yaml").write_text(RULES)
    (tmp_path / "rules.csv").write_text(LIST)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "some.yaml").write_text(SCENARIOS)
    return tmp_path


def never(found: Coverage) -> set[tuple[str, str, int]]:
    return {(p.kind, p.words, p.span.line) for p in found.never()}


def test_what_never_happens_is_found(folder: Path) -> None:
    found = measure(folder, CoveragePlan(games=6, seed=1))
    assert (
        found.games == 6 and found.statuses == {"finished": 6} and found.scenarios == 1 and not found.failed
    )
    # LT-4's guard was read, but its power never ran
    assert {r.id for r in found.rules if not r.count} == {"LT-5"}
    assert never(found) == {
        ("branch", "holds", 18),
        ("power", "Card owl", 18),
        ("branch", "holds", 27),
        ("statement", "", 28),
        ("branch", "holds", 35),
        ("option", "wait </pre>", 35),
    }
    assert {(v.name, v.value) for v in found.values if not v.count} == {("mode", "wild")}
    assert not found.complete


def test_counts_are_those_of_the_games_and_scenarios(folder: Path) -> None:
    found = measure(folder, CoveragePlan(games=4, players=3, seed=1))
    turn = next(p for p in found.places if p.kind == "procedure" and p.words == "turn")
    assert (turn.games, turn.scenarios) == (12, 2)
    fox = next(r for r in found.rules if r.id == "LT-3")
    assert (fox.games, fox.scenarios) == (4, 1)
    players = {v.value: (v.games, v.scenarios) for v in found.values if v.name is None}
    assert players == {2: (0, 1), 3: (4, 0)}


def test_varied_parameters_reach_what_the_defaults_do_not(folder: Path) -> None:
    found = measure(folder, CoveragePlan(games=30, seed=1, vary=True))
    assert never(found) == {("branch", "holds", 27), ("statement", "", 28)}


def test_a_window_that_only_menus_name_is_no_definition_that_never_runs(folder: Path) -> None:
    rules = RULES.replace(
        "definitions: |\n",
        "definitions: |\n  window chance(p: Player)\n  window never(p: Player)\n  in chance(p) as "
        '"twice":\n      points[p] += 1\n',
    )
    rules = rules.replace("        choose by p:\n", "        choose by p with chance(p):\n").replace(
        "phases:\n",
        "phases:\n  first: |\n    if rounds == 9:\n        open never(players.first) to players\n",
    )
    (folder / "ruleset.yaml").write_text(rules)
    found = {
        p.words: p.count
        for p in measure(folder, CoveragePlan(games=10, seed=1)).places
        if p.kind == "procedure"
    }
    assert "chance" not in found and found["never"] == 0 and found["reaction chance"] > 0


def test_the_same_seed_gives_the_same_report(folder: Path) -> None:
    plan = CoveragePlan(games=10, seed=7, vary=True)
    assert measure(folder, plan).to_json() == measure(folder, plan).to_json()


def test_several_processes_give_the_same_report(folder: Path) -> None:
    plan = CoveragePlan(games=6, seed=4, vary=True)
    alone = measure(folder, plan, jobs=1)
    assert measure(folder, plan, jobs=2).to_json() == alone.to_json() and alone.games == 6


def test_each_set_up_is_made_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int | None] = []
    set_up = Ruleset.set_up

    def counted(
        self: Ruleset,
        players: int | None,
        parameters: dict[str, object],
        trace: object = None,
        **options: bool,
    ) -> object:
        made.extend([players] if trace is not None else [])
        return set_up(self, players, parameters, trace, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Ruleset, "set_up", counted)
    measure(folder, CoveragePlan(games=8, seed=1, scenarios=False))
    assert made == [2, 3]


def test_the_ruleset_is_loaded_once_for_games_and_scenarios(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "croupier.scenarios.loaded.load", lambda path, shared: pytest.fail(f"{path} is loaded again")
    )
    assert measure(folder, CoveragePlan(games=2, seed=1)).scenarios > 0


def test_the_report_is_json(folder: Path) -> None:
    report = json.loads(json.dumps(measure(folder, CoveragePlan(games=2, seed=1)).to_json()))
    place = next(p for p in report["places"] if p["words"] == "Card owl")
    assert (place["place"]["line"], place["place"]["column"], place["rules"]) == (18, 9, ["LT-4"])
    assert place["told"] == "Cards and powers › Card › Owl (LT-4)"
    assert {p["text"]: p["told"] for p in report["places"] if p["kind"] == "option"} == {
        'option "go on": turn(p)': "Play",
        'option "wait </pre>" if mode == wild: pass': "Play",
    }
    assert report["totals"]["numbers of players"] == {"happened": 2, "of": 2}


class Reader(HTMLParser):
    """Which elements a page has; hostile text must add none."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)


def test_names_do_not_become_markup(folder: Path) -> None:
    text = html_page(measure(folder, CoveragePlan(games=2, seed=1)), "half: 2 of 9 games")
    assert "<p><strong>Half: 2 of 9 games</strong></p>" in text
    reader = Reader()
    reader.feed(text)
    assert "script" not in reader.tags and "b" not in reader.tags
    assert "&lt;script&gt;" in text
    assert "default-src &#x27;none&#x27;" in text


def test_the_page_colours_lines(folder: Path) -> None:
    text = html_page(measure(folder, CoveragePlan(games=2, seed=1)))
    rows = dict(re.findall(r'<tr id="s0-(\d+)" class="(\w*)">', text))
    assert rows["15"] == "happened" and rows["27"] == "partly" and rows["28"] == "never" and rows["1"] == ""


def test_a_game_that_is_not_traced_has_nothing_added(folder: Path) -> None:
    engine = croupier.load(folder).engine(2, None)
    assert engine.trace is None
    for code in engine.rules.procs:
        assert not isinstance(code.entry, BeginOp)
        assert all("run" not in vars(op) and "resume" not in vars(op) for op in code.points.values())


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["coverage", str(folder), "--games", "2", "--seed", "1"]
    assert main(arguments) == 0
    captured = capsys.readouterr()
    out = captured.out
    assert "`--vary` gives each game values of its own" in captured.err
    assert "never happened" in out and "`Card owl` is never run" in out and "LT-5" in out
    assert main([*arguments, "--strict"]) == 1
    assert main([*arguments, "--format", "html", "--out", str(folder / "page.html")]) == 0
    assert (folder / "page.html").read_text().startswith("<!doctype html>")
    assert main([*arguments, "--format", "html", "--out", str(folder / "page.html")]) == 2
    capsys.readouterr()
    assert main([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == {"wanted": 2, "played": 2}
    assert main(["coverage", str(folder), "--games", "2", "--players", "9"]) == 2
    assert "G012" in capsys.readouterr().err
    (folder / "scenarios" / "some.yaml").write_text(SCENARIOS.replace("rounds == 2", "rounds == 3"))
    assert main(arguments) == 1


def test_a_value_that_a_condition_always_excludes_is_not_asked_for() -> None:
    found = measure(Path(__file__).parent / "coverage_values.yaml", CoveragePlan(games=40, seed=1))
    assert [
        (place.span.line, place.words) for place in found.places if place.kind == "value" and not place.games
    ] == []
    assert {place.words for place in found.places if place.kind == "value" and place.span.line == 8} == {
        "blue",
        "green",
    }


REFUSED = Path(__file__).parent / "coverage_refused.yaml"


def test_values_that_the_ruleset_refuses_are_not_asked_for() -> None:
    found = measure(REFUSED, CoveragePlan(games=30, seed=1, vary=True))
    asked: dict[str | None, list[object]] = {}
    for value in found.values:
        asked.setdefault(value.name, []).append(value.value)
    assert asked == {
        None: [2, 3, 4],
        "rounds": [2, 1],
        "mode": ["calm", "wild"],
        "low": [1, 0],
        "high": [2, 1, 3],
    }
    assert found.complete is False  # `n > 8` is asked for, and never holds


def test_numbers_of_players_that_a_set_value_refuses_are_neither_played_nor_asked_for() -> None:
    found = measure(REFUSED, CoveragePlan(games=6, seed=1, parameters={"mode": "wild"}))
    assert [(value.value, value.games) for value in found.values if value.name is None] == [(4, 6)]


def test_what_something_else_always_stands_for_is_not_asked_for() -> None:
    found = measure(REFUSED, CoveragePlan(games=6, seed=1))
    assert [place.words for place in found.places if place.kind == "procedure"] == [
        "instead step",
        "other",
        "instead other",
        "play",
    ]
    assert [(place.kind, place.words) for place in found.never()] == [
        ("procedure", "instead other"),
        ("branch", "holds"),
    ]
    assert [rule.id for rule in found.rules] == ["RF-2", "RF-3", "RF-4"], (
        "RF-1 is cited by what is replaced alone; RF-4 nowhere"
    )


def test_games_that_do_not_finish_are_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    endless = tmp_path / "endless.yaml"
    endless.write_text(
        "croupier: 1\nruleset: endless\ntitle: Endless\nplayers: 2\nlimits: {decisions: 5}\nphases:\n"
        '  play: |\n    for p in turns():\n        choose n from 1..2 by p as "{n}"\n        if n == 3: '
        "finish draw\n",
        encoding="utf-8",
    )
    assert main(["coverage", str(endless), "--games", "2", "--seed", "1"]) == 1
    assert "unfinished: game 1 with 2 players, and 1 more (" in capsys.readouterr().out


def test_a_game_that_faults_is_named_with_its_set_up_and_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    narrow = tmp_path / "narrow.yaml"
    narrow.write_text(
        "croupier: 1\nruleset: narrow\ntitle: Narrow\nplayers: 2\nparameters:\n  size: {type: 2..4, "
        "default: 2, doc: how much}\n"
        "state:\n  score: 0..9 per Player = 0 seen by everybody\nphases:\n"
        "  play: |\n    for n in 1..3: score[players.first] += size\n    finish win players.first\n",
        encoding="utf-8",
    )
    assert main(["coverage", str(narrow), "--games", "20", "--seed", "1", "--vary"]) == 1
    assert (
        f"with 2 players, size = 4, and 7 more (12 is not in 0..9; R002 at {narrow}:11)"
        in capsys.readouterr().out.replace("\n", "")
    )
