"""The drawing of the pages, run without a browser: names of players stand there, and nowhere else."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.play.match import GameMatch, MatchConfig
from croupier.runtime.state import State
from croupier.server.page import Log, page_of

NODE = shutil.which("node")
PAGES = Path(croupier.__file__).parent / "server" / "pages"
if NODE is None:
    pytest.skip("no program runs JavaScript here", allow_module_level=True)

# As much of a document as the drawing uses: elements with attributes, texts and children.
STUB = """
class Made {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [], own: "" });
    this.classList = { add() {}, toggle() {} };
    this.style = { setProperty() {} };
  }
  set textContent(text) { this.own = text; }
  get textContent() { return this.own + this.children.map((one) => one.textContent ?? String(one)).join(""); }
  get childElementCount() { return this.children.filter((one) => one instanceof Made).length; }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  append(...more) { this.children.push(...more); }
  addEventListener() {}
}
const made = (tag) => new Made(tag);
globalThis.document = { createElement: made, createElementNS: (space, tag) => made(tag) };
"""
# What is drawn of a page: the texts and the labels of its elements by their tags.
DRAW = """
import { readFileSync } from "node:fs";
const { Drawing, begun, namer, scores, standing, told } = await import(process.argv[2]);
const page = JSON.parse(readFileSync(0, "utf-8"));
const name = namer(page.names);
const found = [];
const walk = (one) => {
  if (!(one instanceof Made)) return;
  found.push([one.tag, one.attributes.class ?? "", one.attributes["aria-label"] ?? "", one.textContent]);
  one.children.forEach(walk);
};
new Drawing(name, () => {}, () => {}).table(page.view).forEach(walk);
begun(page.start, name).forEach(walk);
told(page.log, {}, name, false).forEach(walk);
scores(page.ended, name).forEach(walk);
const options = (page.view.decision?.options ?? []).map((one) => name(one.label));
console.log(JSON.stringify({ found, options, status: standing(page.view, page.ended, name) }));
"""


def drawn(state: State, names: tuple[str, ...], tmp_path: Path) -> Any:  # noqa: ANN401 - JSON
    """What the pages draw of a position for the first seat."""
    module = tmp_path / "draw.mjs"
    module.write_text((PAGES / "draw.js").read_text(encoding="utf-8"), encoding="utf-8")
    script = tmp_path / "run.mjs"
    script.write_text(STUB + DRAW, encoding="utf-8")
    sent = page_of(state, 0, names, Log()).since()
    assert NODE is not None
    run = subprocess.run([NODE, str(script), str(module)], input=sent, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return json.loads(run.stdout)


def played(name: str, steps: int) -> State:
    match = GameMatch(croupier.load(name), MatchConfig(None, {}, 7, ("random",), False, "reference"))
    match.play(lambda: len(match.steps) >= steps)
    return match.state


def test_names_stand_for_players_and_for_nothing_else(tmp_path: Path) -> None:
    """Players are called like zones, options and numbered players of the game."""
    found = drawn(played("go_fish", 24), ("hand", "player 1"), tmp_path)
    other, own = [text for tag, _, _, text in found["found"] if tag == "h2"]
    assert own.startswith("hand you") and other.startswith("player 1")
    titles = [text for tag, _, _, text in found["found"] if tag == "h3"]
    assert [title.partition(" ")[0] for title in titles if title.startswith("hand")] == ["hand", "hand"]
    lines = [text for tag, kind, _, text in found["found"] if tag == "li" and kind != "start"]
    assert any(line.startswith("hand ") for line in lines), lines


def test_a_mark_of_a_player_on_a_board(tmp_path: Path) -> None:
    found = drawn(played("tic_tac_toe", 3), ("Anna", "Ben"), tmp_path)["found"]
    pieces = [kind for tag, kind, _, _ in found if tag == "circle"]
    assert sorted(pieces) == ["piece p1", "piece p1", "piece p2"]
    labels = [label for tag, _, label, _ in found if tag == "g"]
    assert sum("Anna" in label for label in labels) == 2 and sum("Ben" in label for label in labels) == 1


def test_what_the_seat_was_shown_stands_beside_its_own_things(tmp_path: Path) -> None:
    found = drawn(played("una_notte_da_lupi", 24), ("Anna", "Ben", "Cleo", "Dora", "Emil"), tmp_path)["found"]
    (own,) = [text for tag, kind, _, text in found if tag == "section" and kind.startswith("seat own")]
    facts = [text for tag, kind, _, text in found if kind == "known"]
    assert len(facts) == 1 and facts[0] in own
    assert re.match(r"You knowthe deal: you see [\w-]+ \(Anna's place\)", facts[0]), facts


def test_the_end_says_who_won_and_the_scores(tmp_path: Path) -> None:
    told = drawn(played("vudu", 10_000), ("Anna", "reroll", "Cleo"), tmp_path)
    rows = [text for tag, _, _, text in told["found"] if tag == "tr"]
    assert rows[0] == "score" and [row.rstrip("0123456789") for row in rows[1:]] == ["Anna", "reroll", "Cleo"]
    status = r"finished: (Anna|reroll|Cleo) wins\. VU-152: A player whose score .*"
    assert re.fullmatch(status, told["status"])
