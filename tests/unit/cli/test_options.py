"""Each option of each command is obeyed: as data in `options.cases.yaml`.

An option without a row there is a mistake.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from croupier.cli import main
from croupier.cli.app import COMMANDS, command
from server_files import make_store

DATA = YAML(typ="safe").load(Path(__file__).with_name("options.cases.yaml").read_text(encoding="utf-8"))
Row = dict[str, Any]
REFUSED = 2  # exit code

GAME = """croupier: 1
ruleset: game
title: High card
players: 2..4
parameters:
  hand_size: {type: 1..5, default: 3, doc: cards that everybody is dealt}
  swaps: {type: bool, default: false, doc: whether the lowest card wins}
components:
  Card: {attributes: {number: 1..20}, each: [number]}
zones:
  deck: {holds: Card, order: pile, seen_by: nobody, start: all}
  hand: {holds: Card, per: Player, order: set, seen_by: owner}
  shown: {holds: Card, per: Player, order: set, seen_by: everybody}
state:
  points: 0..5 per Player = 0 seen by everybody
phases:
  deal: |
    shuffle deck
    for p in players: draw hand_size from deck to hand[p]
  rounds:
    repeat until: all(hand[p].empty for p in players)
    phases:
      play: |
        for p in players:
            choose c from hand[p] by p
            move c to shown[p]
        for p in players:
            if all(c.number <= d.number if swaps else c.number >= d.number for c in shown[p] for q in players for d in shown[q]): points[p] += 1
        for p in players: move shown[p] to deck at bottom
scoring: |
  finish rank {p: points[p] for p in players}
"""  # noqa: E501 the text as it is read
SCENARIO = """croupier: 1
given: {{players: [Anna, Ben], rest: deck}}
scenarios:
  - id: points
    title: points are kept
    given:
      at: play
      zones: {{hand: {{Anna: ["3"], Ben: ["5"]}}}}
    do:
      - Anna: "3"
      - Ben: "5"
    then: {{facts: ["points[Ben] == {points}"]}}
"""
FORCED = """croupier: 1
ruleset: forced
title: Forced
players: 2
state:
  points: 0..9 = 0 seen by everybody
phases:
  play: |
    for p in players:
        choose n from 1..1 by p
        points += n
        choose k from 1..2 by p
        points += k
scoring: finish draw
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the rows name: rulesets, a saved game, shards, files that are there already."""
    home = tmp_path_factory.mktemp("options")
    for name, points in (("game", 1), ("wrong", 2)):
        for part in ("variants", "scenarios"):
            (home / name / part).mkdir(parents=True)
        (home / name / "ruleset.yaml").write_text(GAME.replace("ruleset: game", f"ruleset: {name}"))
        (home / name / "variants" / "short.yaml").write_text(
            "croupier: 1\nextends: ../ruleset.yaml\nset: {hand_size: 1, swaps: true}\n"
        )
        (home / name / "scenarios" / "points.yaml").write_text(SCENARIO.format(points=points))
    (home / "other.yaml").write_text(
        GAME.replace("ruleset: game", "ruleset: other").replace("default: 3", "default: 1")
    )
    invariant = "invariants:\n  none has points: all(points[p] == 0 for p in players)\n"
    (home / "broken.yaml").write_text(GAME.replace("ruleset: game", "ruleset: broken") + invariant)
    (home / "lint.yaml").write_text(
        FORCED.replace("ruleset: forced", "ruleset: lint")
        + "definitions: |\n  def never() -> int: return 1\n"
    )
    long = " + ".join(["points"] * 60)
    (home / "unworded.yaml").write_text(
        FORCED.replace("ruleset: forced", "ruleset: unworded").replace(
            "    points += k", f"    points += k\n        if {long} == 7: points = 0"
        )
    )
    (home / "mend.yaml").write_text(
        FORCED.replace("ruleset: forced", "ruleset: mend").replace(
            "    points += k", "    if k = 2: points += k"
        )
    )
    (home / "ugly.yaml").write_text(
        GAME.replace("ruleset: game", "ruleset: ugly").replace(
            "for p in players: draw", "for  p in  players: draw"
        )
    )
    (home / "forced.yaml").write_text(FORCED)
    (home / "opening.yaml").write_text('croupier: 1\nactions:\n  - 1: "8"\n')
    (home / "folder").mkdir()
    (home / "folder" / "far.yaml").write_text(FORCED.replace("ruleset: forced", "ruleset: far"))
    for name in ("taken.html", "taken.csv", "taken.json"):
        (home / name).write_text("taken")
    with pytest.MonkeyPatch.context() as there:
        there.chdir(home)
        assert main(["run", "game", "--seed", "1", "--save", "game.json"]) == 0
        make_store(home / "tables.db")
        (home / "games").mkdir()
        (home / "games" / "over.json").write_text("taken")
        assert main(["run", "folder/far.yaml", "--seed", "1", "--save", "far.json"]) == 0
        assert main(["collect", "game", "--games", "3", "--seed", "1", "--jobs", "1", "--out", "shards"]) == 0
    return home


class Runner:
    """Runs commands, each in a copy of the folder; what came of it: exit code, output, files."""

    def __init__(
        self,
        folder: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self.folder, self.tmp_path, self.monkeypatch, self.capsys = folder, tmp_path, monkeypatch, capsys
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def __call__(self, arguments: list[str]) -> tuple[object, str, dict[str, bytes]]:
        copy = self.tmp_path / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder, copy)
        self.monkeypatch.chdir(copy)
        self.monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n1\n1\n1\n1\n"))
        code = main(arguments)
        captured = self.capsys.readouterr()
        text = re.sub(
            r"\d[\d.,]* (seconds|games a second|bytes|files?)|(?<=\n)\s+\d+ %.*",
            "",
            captured.out + captured.err,
        )
        return code, text, dict(_files(copy))


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(folder)), path.read_bytes()


@pytest.fixture
def run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Runner:
    return Runner(folder, tmp_path, monkeypatch, capsys)


def rows_of(name: str) -> dict[str, Row]:
    """The row of each option of a command."""
    own = DATA["commands"][name].get("options", {})
    return {option: own.get(option) or DATA["common"].get(option) for option in options_of(name)}


def options_of(name: str) -> list[str]:
    """The options of a command as its function names them, without arguments."""
    return [str(p.name) for p in command(name).params if any(word.startswith("-") for word in p.opts)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_row(name: str) -> None:
    rows = rows_of(name)
    assert not [option for option, row in rows.items() if row is None], (
        "each option needs a row in options.cases.yaml"
    )
    assert set(DATA["commands"][name].get("options", {})) <= set(rows), "there are no such options"
    for option, row in rows.items():
        assert "with" in row or row.get("why"), f"{option}: nothing is said"


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in COMMANDS
        if any("with" in row or "same" in row for row in rows_of(name).values() if row)
    ],
)
def test_every_option_is_obeyed(name: str, run: Runner) -> None:
    bases: dict[tuple[str, ...], object] = {}
    ignored, refused = [], []
    for option, row in rows_of(name).items():
        base = row.get("base", DATA["commands"][name]["base"])
        if "with" not in row and "same" not in row:
            continue
        if tuple(base) not in bases:
            bases[tuple(base)] = run(base)
        found = run([*base, *row.get("with", row.get("same"))])
        if (found == bases[tuple(base)]) != ("same" in row):
            ignored.append(option)
        if (found[0] == REFUSED) != ("refused" in row) or row.get("refused", "") not in found[1]:
            refused.append((option, found[1]))
    assert not ignored, ignored
    assert not refused, refused
