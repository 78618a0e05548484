"""Rulebooks of all shipped rulesets: whole, in words, well-formed; and of hostile ones: nothing of them
becomes markup.
"""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from math import dist
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.authoring.rulebook import render_html, render_markdown, rulebook
from croupier.authoring.rulebook.contents import names_of_cards, titled
from croupier.authoring.rulebook.document import (
    Block,
    Example,
    HeadingBlock,
    Line,
    ListBlock,
    ListItem,
    Paragraph,
    PictureBlock,
    RuleTextBlock,
    TableBlock,
)
from croupier.authoring.rulebook.listed import reached
from croupier.authoring.rulebook.pictures import (
    MOST,
    column_of,
    first_decision,
    table_set_up,
    where_on,
    zones_of,
)
from croupier.authoring.rulebook.wording import name
from croupier.cli import main
from croupier.diagnostics.markup import escaped
from croupier.resources import rulesets_folder, shipped
from croupier.runtime.state import SPECTATOR
from croupier.schema import RecordType
from croupier.table import view

GAMES = [name for name in shipped() if "/" not in name]
NAMES = [*GAMES, "lantern/stern", "baron_voodoo/balanced"]
# those with a list of rules
FIVE = sorted(path.parent.name for path in rulesets_folder().glob("*/rules.csv"))


def together(games: list[str]) -> list[Any]:
    """Parameters that one process plays for each game: its rulebook is made once."""
    return [pytest.param(game, marks=pytest.mark.xdist_group(f"rulebook {game}")) for game in games]


ORDER = (
    "What this variant changes",
    "In the box",
    "On the table",
    "Set-up",
    "The course of the game",
    "Play",
    "The rules one by one",
    "What players may say",
    "Cards and powers",
    "The end of the game",
    "What you may agree on",
    "Variants",
    "What is kept track of",
    "Words of the game",
    "What always holds",
    "Further rules",
    "What does not hold in this variant",
    "Index of rules",
)
QUESTIONS = Path(__file__).parents[3] / "data" / "rulebook_questions.yaml"
VOID = {"meta", "br", "hr"}


@cache
def load(game: str) -> croupier.Ruleset:
    return croupier.load(game)


@cache
def document(game: str) -> tuple[Block, ...]:
    return rulebook(load(game))


def lines(blocks: tuple[Block, ...]) -> list[Line]:
    found: list[Line] = []

    def items(some: tuple[ListItem, ...]) -> None:
        for item in some:
            found.append(item.line)
            items(item.items)

    for block in blocks:
        match block:
            case Paragraph():
                found.append(block.line)
            case ListBlock():
                items(block.items)
            case TableBlock():
                found.extend(cell for row in block.rows for cell in row)
    return found


class Balance(HTMLParser):
    """Reads a page and keeps what is open; anything that should not be in a rulebook fails."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "img", "iframe", "object", "link", "image", "use", "foreignobject")
        assert not any(key.startswith("on") for key, _ in attrs)
        assert not any(key in ("src", "href") and not str(value).startswith("#") for key, value in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(page: str) -> str:
    parser = Balance()
    parser.feed(page)
    parser.close()
    assert not parser.open
    return "".join(parser.text)


@pytest.mark.parametrize("game", together(NAMES))
def test_every_shipped_ruleset_has_a_rulebook(game: str) -> None:
    text = render_markdown(document(game))
    page = read(render_html(document(game)))
    assert text.startswith("# ") and text.count("\n## ") >= 3
    assert load(game).title in page


@pytest.mark.parametrize("game", together(GAMES))
def test_nothing_is_left_out(game: str) -> None:
    ruleset = load(game)
    doc = ruleset.program.resolved
    text = " ".join("".join(run.text for run in line) for line in lines(document(game)))
    headings = {b.text for b in document(game) if isinstance(b, HeadingBlock)}
    for section in (doc.parameters, doc.zones, doc.boards):
        for title, _ in section:
            assert name(title.text).lower() in text.lower()
    assert {name(title.text) for title, _ in doc.components} <= headings
    assert {name(title.text) for title, form in doc.types if not isinstance(form, RecordType)} <= headings
    called = names_of_cards(doc)
    for rule, (_, words) in ruleset.rule_ids.items():
        assert rule in text and re.sub(r"\w+", lambda m: called.get(m[0], m[0]), words) in text
    for title, component in doc.components:
        for row in component.table.rows if component.table is not None else ():
            assert row.id is None or name(row.id.text) in text or titled(component, row.id) in text, title
    texts = {
        row.strip() for b in document(game) if isinstance(b, RuleTextBlock) for row in b.text.splitlines()
    }
    rules = [item.text for section in reached(doc) for item in section.items]
    missing = [row for part in rules for row in map(str.strip, part.splitlines()) if row not in texts]
    assert not [row for row in missing if row and not row.startswith("#")]


@pytest.mark.parametrize("game", together(NAMES))
def test_sections_stand_in_the_order_in_which_one_learns_a_game(game: str) -> None:
    sections = [b.text for b in document(game) if isinstance(b, HeadingBlock) and b.level == 2]
    assert set(sections) <= set(ORDER)
    assert sections == [title for title in ORDER if title in sections]


@pytest.mark.parametrize("game", together(FIVE))
def test_how_one_wins_is_told_first_and_examples_are_there(game: str) -> None:
    before = render_markdown(document(game)).partition("\n## ")[0].splitlines()
    assert any(row.startswith("**How one wins:**") for row in before) and len(before) < 40
    assert any(isinstance(b, Example) for b in document(game))


UNITS = {"a whole turn", "a whole round", "a whole game"}


@pytest.mark.parametrize("game", together(GAMES))
def test_a_turn_and_the_end_are_played_and_examples_stand_with_what_they_need(game: str) -> None:
    section, titles, plain = "", dict[str, str](), list[str]()
    for block in document(game):
        if isinstance(block, HeadingBlock) and block.level == 2:
            section = block.text
        if isinstance(block, Example):
            unit = block.title.partition(" of ")[0]
            titles[unit if unit in UNITS else block.title] = section
            assert not block.agreed or section == "What you may agree on", block.title
            plain += [
                "".join(run.text for run in one) for one in (*block.given, *block.course, *block.result)
            ]
    assert [titles[unit] for unit in UNITS & titles.keys()] == ["The course of the game"]
    assert titles["the end of a game"] == "The end of the game"
    cards = {row for row in names_of_cards(load(game).program.resolved) if "-" not in row}
    assert not [text for text in plain if cards & set(re.findall(r"\w+", text)) or "to act: " in text]


@pytest.mark.parametrize("game", together(NAMES))
def test_every_link_leads_to_a_heading(game: str) -> None:
    page = render_html(document(game))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))
    text = re.sub(r"```.*?```", "", render_markdown(document(game)), flags=re.DOTALL)
    words = [
        re.sub(r"[^\w\- ]", "", title.replace("\\", "").lower()).replace(" ", "-")
        for title in re.findall(r"(?m)^##+ (.*)$", text)
    ]
    before = [words[:k].count(word) for k, word in enumerate(words)]
    anchors = [f"{word}-{n}" if n else word for word, n in zip(words, before, strict=True)]
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)


@pytest.mark.parametrize("game", together(GAMES))
def test_it_reads_like_prose(game: str) -> None:
    for line in lines(document(game)):
        text = "".join(run.text for run in line)
        assert (
            "None" not in text.split()
            and "Span(" not in text
            and "  " not in text.strip()
            and "\n" not in text
        ), text
    steps = [b for b in document(game) if isinstance(b, ListBlock)]
    for items in steps:
        for item in items.items:
            plain = "".join(run.text for run in item.line if run.mark != "code")
            assert not re.search(r"\w\(\w*\)|==|!=|\+=|:=|\w\[\w", plain), plain


@pytest.mark.parametrize("game", together(GAMES))
def test_every_rule_is_told_where_it_is_first_cited(game: str) -> None:
    known = load(game).rule_ids
    told = [
        run.text
        for b in document(game)
        if isinstance(b, ListBlock)
        for item in b.items
        for run in item.line[:1]
        if run.mark == "rule"
    ]
    assert len(told) == len(set(told)) and set(told) == set(known)


@pytest.mark.parametrize("game", together(FIVE))
def test_what_phases_do_is_told_in_them_and_examples_follow_those_that_they_go_on_from(game: str) -> None:
    pages = render_markdown(document(game))
    before = pages.partition("\n## Set-up\n")[0].partition("\n## In the box\n")[2]
    told = set(re.findall(r"(?m)^- ([A-Z]{2}-\d+) ", before))
    acting = set(
        re.findall(r"(?m)@([A-Z]{2}-\d+)$", pages.partition("\n## Play\n")[2].partition("\n## The rules")[0])
    )
    assert not told & acting
    seen: set[str] = set()
    for block in document(game):
        if isinstance(block, Example):
            assert (
                block.after is None
                or block.after in seen
                or block.after not in {b.title for b in document(game) if isinstance(b, Example)}
            )
            seen.add(block.title)


@pytest.mark.parametrize("game", together(FIVE))
def test_the_rules_behind_what_players_ask_are_told_in_a_section_of_theirs(game: str) -> None:
    questions = YAML(typ="safe").load(QUESTIONS.read_text(encoding="utf-8"))[game]
    assert len(questions) == 20
    body = (
        render_markdown(document(game))
        .partition("\n## Index of rules\n")[0]
        .partition("\n## Further rules\n")[0]
    )
    told = set(re.findall(r"(?m)^- ([A-Z]{2}-\d+) ", body))
    assert not [(q["question"], rule) for q in questions for rule in q["rules"] if rule not in told]


def test_a_trick_of_a_module_is_told_in_the_phase_that_plays_it() -> None:
    played = (
        render_markdown(document("witches_of_blackmore"))
        .partition("#### Play a trick")[2]
        .partition("####")[0]
    )
    assert "- WB-13 Then each other player plays exactly one card" in played and "- WB-16 " in played


EVIL = "<script>alert(1)</script>"
HOSTILE = f"""croupier: 1
ruleset: evil
title: "{EVIL} [a](javascript:b)*"
doc: "{EVIL} ![x](http://x) | # `{EVIL}`"
players: 2
rule_list: rules.csv
components:
  Card: {{ids: [a, b], doc: "{EVIL}"}}
zones:
  deck: {{holds: Card, start: all, doc: "{EVIL}"}}
claims:
  one: {{says: "{EVIL}"}}
phases:
  "{EVIL}": |
    choose c from deck by players.first as "{EVIL}"
        only if "{EVIL}": true
    announce "{EVIL}"                                                      @EV-1
scoring: finish draw
invariants:
  "{EVIL}": true
"""


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(HOSTILE, encoding="utf-8")
    (tmp_path / "rules.csv").write_text(f'id,tag,text\nEV-1,"{EVIL}","{EVIL}|a"\n', encoding="utf-8")
    blocks = rulebook(croupier.load(tmp_path / "ruleset.yaml"))
    page, text = render_html(blocks), render_markdown(blocks)
    assert EVIL in read(page) and "<script" not in page and "\u202e" not in page
    outside = re.sub(r"```croupier\n.*?\n```\n", "", text, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)<(?!/?(?:details|summary|code)>)", outside) and "\u202e" not in text
    assert not re.search(r"(?<!\\)\]\(javascript", text)
    assert not re.search(r"(?<!\\)!\[", text)


def test_what_differs_in_a_variant_has_a_bar_in_the_margin_of_the_page() -> None:
    page = render_html(rulebook(croupier.load("baron_voodoo/chaos")))
    assert '<li class="new">' in page and '<span class="sign"></span>' in page
    assert 'class="new"' not in render_html(rulebook(croupier.load("baron_voodoo")))


def test_the_command_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["rulebook", "tic_tac_toe"]) == 0
    assert capsys.readouterr().out.startswith("# Tic-tac-toe")
    assert main(["rulebook", "tic_tac_toe", "--format", "html", "-o", "rules.html"]) == 0
    assert (tmp_path / "rules.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["rulebook", "tic_tac_toe", "-o", "rules.html"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["rulebook", "tic_tac_toe", "-o", "rules.html", "--force"]) == 0
    assert main(["rulebook", "no_such_thing"]) == 2


def test_edges_and_corners_are_drawn_on_their_board() -> None:
    """Where three hexagons meet is as far from the middle of each, and half as far from an edge between two
    of them.
    """
    rules = load("homesteads")
    (laid,) = table_set_up(rules)
    assert laid.svg.count("<polygon") == 7 and "land edges" not in laid.svg
    land, edges, corners = view(rules.new_initial_state(), None).boards
    cell, far = {c.name: (column_of(c, is_hex=True), c.row * 3**0.5 / 2) for c in land.cells}, 1 / 3**0.5
    for part, where, distance in (
        (corners, "(2,2) right/down", far),
        (corners, "(1,2) down/down_left", far),
        (edges, "(1,2)-(2,2)", 0.5),
    ):
        x, y = where_on(land, part.shape, next(one for one in part.cells if one.name == where))
        assert dist((x, y * 3**0.5 / 2), cell["(2,2)"]) == pytest.approx(distance, abs=1e-3), where


@pytest.mark.parametrize("game", together(FIVE))
def test_pictures_show_the_box_and_the_table_as_everybody_sees_it(game: str) -> None:
    """Every component once, nothing that lies face down."""
    rules = load(game)
    box, laid = [block for block in document(game) if isinstance(block, PictureBlock)]
    every = view(rules.new_initial_state(), None)
    labels = {thing.label for zone in zones_of(every) for thing in zone.things or ()}
    assert all(escaped(label) in box.svg for label in sorted(labels)[:MOST])
    for picture in (box, laid):
        texts = [
            element.text or ""
            for element in ElementTree.fromstring(picture.svg).iter()
            if element.tag.endswith("}text")
        ]
        assert texts and all(len(text) < 100 for text in texts)
    state = first_decision(rules)
    assert state is not None
    hidden = {thing.label for zone in zones_of(view(state, None)) for thing in zone.things or ()} - {
        thing.label for zone in zones_of(view(state, SPECTATOR)) for thing in zone.things or ()
    }
    assert not any(f">{escaped(label)}<" in laid.svg for label in hidden)
