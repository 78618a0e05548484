"""Rulebooks of all shipped rulesets: whole, in words, well-formed; and of hostile ones: nothing of them becomes markup."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

import croupier
from croupier.authoring.rulebook import render_html, render_markdown, rulebook
from croupier.authoring.rulebook.blocks import Block, Heading, Item, Items, Line, Paragraph, Table
from croupier.authoring.rulebook.phrases import PLAIN
from croupier.authoring.rulebook.sentences import Sentences
from croupier.authoring.rulebook.vocabulary import name
from croupier.cli import main
from croupier.diagnostics import Source
from croupier.source.ruletext import whole
from croupier.syntax import parse_block, parse_expression
from samples import sample

NAMES = sample()
GAMES = [n for n in NAMES if "/" not in n]
VOID = {"meta", "br", "hr"}


@cache
def load(game: str) -> croupier.Ruleset:
    return croupier.load(game)


@cache
def document(game: str) -> tuple[Block, ...]:
    return rulebook(load(game))


def lines(blocks: tuple[Block, ...]) -> list[Line]:
    found: list[Line] = []

    def items(some: tuple[Item, ...]) -> None:
        for item in some:
            found.append(item.line)
            items(item.items)

    for block in blocks:
        match block:
            case Paragraph():
                found.append(block.line)
            case Items():
                items(block.items)
            case Table():
                found.extend(cell for row in block.rows for cell in row)
    return found


class Balance(HTMLParser):
    """Reads a page and keeps what is open; anything that should not be in a rulebook fails."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "img", "iframe", "object", "link", "svg") and not any(key.startswith("on") for key, _ in attrs)
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


@pytest.mark.parametrize("game", NAMES)
def test_every_shipped_ruleset_has_a_rulebook(game: str) -> None:
    text = render_markdown(document(game))
    page = read(render_html(document(game)))
    assert text.startswith("# ") and text.count("\n## ") >= 5
    assert load(game).title in page


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_left_out(game: str) -> None:
    ruleset = load(game)
    doc = ruleset.program.resolved
    text = " ".join("".join(run.text for run in line) for line in lines(document(game)))
    headings = {b.text for b in document(game) if isinstance(b, Heading)}
    for section in (doc.parameters, doc.zones, doc.boards):
        for title, _ in section:
            assert name(title.text) in text
    assert {name(title.text) for title, _ in doc.components} <= headings
    assert {name(title.text) for title, _ in doc.types} <= headings
    for rule, (_, words) in ruleset.rule_ids.items():
        assert rule in text and words in text
    for title, component in doc.components:
        for row in component.table.rows if component.table is not None else ():
            assert row.id is None or name(row.id.text) in text, title
    decisions = [b for b in document(game) if isinstance(b, Heading) and b.text == "All decisions"]
    assert len(decisions) == 1


@pytest.mark.parametrize("game", GAMES)
def test_it_reads_like_prose(game: str) -> None:
    for line in lines(document(game)):
        text = "".join(run.text for run in line)
        assert "None" not in text and "Span(" not in text and "  " not in text.strip() and "\n" not in text, text
    steps = [b for b in document(game) if isinstance(b, Items)]
    for items in steps:
        for item in items.items:
            plain = "".join(run.text for run in item.line)
            assert not re.search(r"\w\(\w*\)|==|!=|\+=|:=|\w\[\w", plain), plain


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_told_where_it_is_first_cited(game: str) -> None:
    known = load(game).rule_ids
    told = [run.text for b in document(game) if isinstance(b, Items) for item in b.items for run in item.line[:1] if run.mark == "rule"]
    assert len(told) == len(set(told)) and set(told) <= set(known)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("hand[p].size >= 3", "the number of hand of p is at least 3"),
        ("not deck.empty and lead is none", "deck is not empty and there is no lead"),
        ("any(c.value == 3 for c in hand[p])", "there is c of hand of p with: the value of c is 3"),
        ("all(c.value < 3 for c in row)", "for every c of row: the value of c is less than 3"),
        ("count(c for c in row if c.value > 2)", "how many c of row where the value of c is more than 2 there are"),
        ("best(c for c in row by c.value)", "the best c of row, by the value of c"),
        ("[c for c in row if c != d]", "all c of row where c is not d"),
        ("a + b * (c - 1)", "a plus (b times (c minus 1))"),
        ("x if y else z", "x if y is yes, otherwise z"),
        ("-3..max_bid", "−3 to max bid"),
        ("follows(p, c)", "“follows” (p, c)"),
        ("others(p).size", "the number of everybody but p"),
        ("played.key(c)!", "the one whose played holds c"),
        ("ready == true", "ready is yes"),
        ("rows[1]", "rows number 1"),
        ("only(living)", "the only one of living"),
        ("min(a, 20)", "the smallest of a and 20"),
        ("max(a, b)", "the largest of a and b"),
        ("max(a, b) - 1", "(the largest of a and b) minus 1"),
        ("max(a, b - 1)", "the largest of a and (b minus 1)"),
        ("max(m[p], m[next(p)]) - 1 + 1", "((the largest of m of p and m of the player after p) minus 1) plus 1"),
        ("n - (n - 1)", "n minus (n minus 1)"),
        ("n - n - 1", "n minus n minus 1"),
        ("n - (n + 1)", "n minus (n plus 1)"),
        ("a + (b + c)", "a plus b plus c"),
        ("-(n + 1)", "−(n plus 1)"),
        ("-hand[p].size", "−(the number of hand of p)"),
        ("a // b", "a divided by b, rounded down"),
        ("a // b // c", "(a divided by b, rounded down) divided by c, rounded down"),
        ("many(p, fan) // 3 * 10", "(“many” (p, fan) divided by 3, rounded down) times 10"),
        ("(a + b) // 2 >= c", "((a plus b) divided by 2, rounded down) is at least c"),
        ("f(a // 2, b)", "“f” ((a divided by 2, rounded down), b)"),
        ("f(c, extra=2)", "“f” (c, extra: 2)"),
        ("sum(d.v for d in row if d.lit) mod 7", "(the sum of the v of d for each d of row where the lit of d is yes) modulo 7"),
        ("sum(2 if c.doubled else 1 for c in row)", "the sum of (2 if the doubled of c is yes, otherwise 1) for each c of row"),
        ("sum(a * b for a in 1..3 if a > 1 for b in x)", "the sum of (a times b) for each a of 1 to 3 where a is more than 1, for each b of x"),
        ("any(c.up for c in [d for d in row if d.v > 1])", "there is c of (all d of row where the v of d is more than 1) with: the up of c is yes"),
        ("best(c for c in row by [c.v, -c.n])", "the best c of row, first by the v of c, then by the n of c (the lower the better)"),
        ("sorted(k for k in Kind by -sold[k])", "all k of Kind in order, by sold of k from high to low"),
        ("ties(p for p in players by score[p])", "all best players p, by score of p"),
        ("count(q for q in others(p))", "how many players q other than p there are"),
        ("x.size > 1 and best(c for c in row by c.v) == c", "the number of x is more than 1 and (the best c of row, by the v of c) is c"),
        ("x is none or a in [1, 2]", "there is no x or (a is among 1 and 2)"),
        ("field[c].top is not none", "there is a top of field of c"),
        ("owner_of(c) is none", "“owner of” (c) is none"),
        ("not (a in b)", "a is not among b"),
        ("best(c for c in xs otherwise ys by rank(c))", "the best c of (xs, or if there is none ys), by “rank” (c)"),
        ("x otherwise (a if b else c)", "x, or if there is none (a if b is yes, otherwise c)"),
        ("a if b else (c otherwise d)", "a if b is yes, otherwise (c, or if there is none d)"),
        ("not (a < b)", "a is at least b"),
        ("x == [a, b]", "x is the list a and b"),
        ("{q: m[q] for q in others(p)}", "m of q for each player q other than p"),
        ("[m[q] for q in others(p)]", "m of q for each other player q clockwise from the player after p"),
        ("set(q for q in qs)", "the different ones of qs"),
        ("[q for q in players - ps]", "all q of (the players minus ps)"),
        ("[q for q in clockwise(p)]", "all players q clockwise from p"),
        ("clockwise(p, ps)", "those of ps clockwise from p"),
        ("next(p, ps)", "the next of ps after p"),
        ("town.cells[i + 1]", "number (i plus 1) of all cells of town"),
        ("town.cells.drop(1)", "all cells of town without the first"),
        ("[l for s in cells for l in town[s]]", "all l for each s of cells and for each l of town of s"),
        ("[l for l in [pawn[p]] if ok(l)]", "all l of pawn of p alone where “ok” (l)"),
        ("source == hand_or_thing and pool_is_set", "source is ‘hand or thing’ and ‘pool is set’ is yes"),
        ("field[a].above(1)", "what lies above the lowest of field of a"),
        ("here.of == s.to", "the ‘of’ of here is the ‘to’ of s"),
        ("xs.take(ys.size)", "the first (the number of ys) of xs"),
        ("field.row(a.row)", "row (the row of a) of field"),
        ("xs.times(f) - 1", "(how often f is in xs) minus 1"),
        ("players[3]", "player number 3"),
        ("Duty(card=c, owner=p)", "a Duty (card: c, owner: p)"),
        ("f(p, g(p, q))", "“f” (p, “g” (p, q))"),
        ("not (a == b or c == d) and e == f", "it is not so that (a is b or c is d) and e is f"),
        ("{q: m[q] for q in players}", "m of q for each player q"),
        ("{next(q): m[q] for q in players}", "m of q for the player after q, for each player q"),
        ("(a if b else c) - 1", "(a if b is yes, otherwise c) minus 1"),
        ("[c for c in row if c.v > 2].size - 1", "(the number of all c of row where the v of c is more than 2) minus 1"),
        ("(who otherwise p).seat", "the seat of (who, or if there is none p)"),
        ("known[p][i + 1]", "known of p number (i plus 1)"),
        ("card[p.seat - 1]", "card number (the seat of p minus 1)"),
        ("not used[p] and a == b", "used of p is no and a is b"),
        ("not (a == b and c)", "it is not so that (a is b and c is yes)"),
    ],
)
def test_expressions_in_words(written: str, said: str) -> None:
    node, found = parse_expression(whole(Source("x", written)))
    assert not found and PLAIN.phrase(node) == said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("shuffle deck", ["Shuffle deck."]),
        ("draw 2 from deck to hand[p]", ["Draw 2 from deck to hand of p."]),
        ("move c to row at top", ["c goes to row, on top."]),
        ("move [c for c in row if c.n == 1] to deck", ["All c of row where the n of c is 1 go to deck."]),
        ("secretly []:\n    move c to deck", ["Noticed by nobody:", "  c goes to deck."]),
        ("score[p] += 2", ["Score of p rises by 2."]),
        ("lead = none", ["There is no lead any more."]),
        ("may choose c from row by p:\n    move c to deck", ["p may choose c from row:", "  c goes to deck."]),
        ("choose 2 cs from row by p such that ok(cs)", ["p chooses 2 cs from row, together such that “ok” (cs)."]),
        ("choose v from 1..3 by every q in players", ["At the same time and in secret each player q chooses v from 1 to 3."]),
        ("choose n from 1..6 by chance", ["Chance chooses n from 1 to 6."]),
        ("if a:\n    pass\nelif b:\n    roll d", ["If a is yes:", "Otherwise, if b is yes:", "  Roll d."]),
        ("for p in turns(q):\n    shuffle deck", ["The players take turns, beginning with q. Whose turn it is: p:", "  Shuffle deck."]),
        (
            "for p in turns(q) if p in still:\n    x()",
            ["The players take turns, beginning with q. Whose turn it is: p (passed over unless p is among still):", "  Do “x”."],
        ),
        ("for i in 1..3 if i != 2:\n    x()", ["For each i of 1 to 3 where i is not 2:", "  Do “x”."]),
        ("let k = best(q for q in qs by v[q])", ["Let k be the best q of qs, by v of q."]),
        (
            'choose by p:\n    option "{a} to {b}" for a in field if mine(a) for b in go(a) if b != a:\n        x()',
            [
                "p chooses one of these:",
                "  “‹a› to ‹b›”, for each a of field where “mine” (a), for each b of “go” (a) where b is not a:",
                "    Do “x”.",
            ],
        ),
        ('choose by p:\n    option "wait" if not a: x()', ["p chooses one of these:", "  “wait”, if a is no:", "    Do “x”."]),
        ("choose (2)..(ones(p).size) cs from xs by p", ["p chooses 2 to (the number of “ones” (p)) cs from xs."]),
        ("choose d from tray by p merging face", ["p chooses d from tray (those alike in face are not told apart)."]),
        ("finish rank {p: points[p] for p in players}", ["The game is over: of all players p, whoever has the highest points of p wins."]),
        ("finish rank {p: -points[p] for p in players}", ["The game is over: of all players p, whoever has the lowest points of p wins."]),
        (
            "finish rank {p: [m[p], -h[p].size] for p in players}",
            [
                "The game is over: of all players p, whoever has the highest m of p wins,"
                " and of those equal whoever has the lowest number of h of p wins."
            ],
        ),
        (
            "finish pay {p: m[p] - (m[next(p)] - 1) for p in players}",
            ["The game is over, everybody gets: (m of p minus (m of the player after p minus 1)) for each player p."],
        ),
        ("finish win p", ["The game is over, p wins."]),
        ("finish rank {p: n[p] for p in players}", ["The game is over: of all players p, whoever has the highest n of p wins."]),
        (
            "finish rank {p: [n[p], -m[p]] for p in ps if a}",
            [
                "The game is over: of all p of ps where a is yes, whoever has the highest n of p wins,"
                " and of those equal whoever has the lowest m of p wins."
            ],
        ),
        ("finish win players", ["The game is over, the players win."]),
        ("draw hand_size from deck to hand[p]", ["Draw from deck to hand of p, as many as hand size."]),
        ("draw 2 from deck to hand[p] as new", ["Draw 2 from deck to hand of p (called new)."]),
        ('choose by p with mine(p):\n    option "pass": pass', ["p chooses one of these (or what “mine” (p) lets p do):", "  “pass”."]),
        ('choose by p:\n    option "pass": shuffle deck', ["p chooses one of these:", "  “pass”:", "    Shuffle deck."]),
    ],
)
def test_statements_in_words(written: str, said: list[str]) -> None:
    body, found = parse_block(whole(Source("x", written + "\n")))

    def flat(items: tuple[Item, ...], indent: str = "") -> list[str]:
        return [x for i in items for x in (indent + "".join(r.text for r in i.line), *flat(i.items, indent + "  "))]

    assert not found and flat(Sentences().block(body)) == said


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
    assert not re.search(r"(?<!\\)<", text) and "\u202e" not in text and not re.search(r"(?<!\\)\]\(javascript", text)
    assert not re.search(r"(?<!\\)!\[", text)


MENAGERIE = """\
croupier: 1
ruleset: menagerie
title: Menagerie
players: 2
types:
  Kind: [fox, hen]
components:
  Beast: {count: 5}
boards:
  field: {shape: rectangle, rows: 2, columns: 3, adjacency: diagonal, cell: Cell, stack: {holds: Beast, capacity: 1, seen_by: everybody}}
zones:
  pen: {holds: Beast, start: all}
claims:
  role: {says: "I am {kind}", fields: {kind: Kind}}
phases:
  p: |
    for p in players:
        claim by p
scoring: |
  finish draw
"""


def test_what_a_rulebook_tells_of_boards_claims_and_variants(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(MENAGERIE, encoding="utf-8")
    (tmp_path / "variants").mkdir()
    text = "croupier: 1\nextends: ../ruleset.yaml\ntitle: Hard\nscoring: |\n  finish lose\n"
    (tmp_path / "variants" / "hard.yaml").write_text(text, encoding="utf-8")
    told = [str("".join(run.text for run in some)) for some in lines(rulebook(croupier.load(tmp_path)))]
    assert "“I am ‹kind›”" in told and any(words.startswith("5 pieces.") for words in told)
    assert "field: a board (rectangle, 2 by 3); neighbours are corner to corner; on each cell room for Beast, at most 1, open to all" in told
    assert told[told.index("This is changed to:") + 1] == "The end of the game:"


def test_the_command_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["rulebook", "tic_tac_toe"]) == 0
    assert capsys.readouterr().out.startswith("# Tic-tac-toe")
    assert main(["rulebook", "tic_tac_toe", "--format", "html", "-o", "rules.html"]) == 0
    assert (tmp_path / "rules.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert main(["rulebook", "tic_tac_toe", "-o", "rules.html"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["rulebook", "tic_tac_toe", "-o", "rules.html", "--force"]) == 0
    assert main(["rulebook", "no_such_thing"]) == 2


TABLE = """\
croupier: 1
ruleset: table
title: Table
players: 2
components:
  Meeple: {count: 1}
boards:
  map: {shape: graph, cell: Town, cells: [inn, mill, gate], links: [[inn, mill], [mill, gate]], stack: {holds: Meeple, seen_by: everybody}}
zones:
  box: {holds: Meeple, start: all}
state:
  coins: {type: 0..99 per Player, start: {else: 7}, seen_by: owner, doc: what everybody has}
  known: 0..5 per 1..4 per Player = 1 seen by everybody
  dark: bool = true
definitions: |
  def nothing(p: Player):
      pass
  after nothing(_):
      dark = false
phases:
  play: |
    for p in players:
        nothing(p)
    finish draw
"""


def test_what_is_kept_count_of_and_the_ways_of_a_map(tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text(TABLE, encoding="utf-8")
    text = ["".join(run.text for run in line) for line in lines(rulebook(croupier.load(tmp_path / "table.yaml")))]
    assert "1 piece." in text
    assert "coins: 0 to 99 for each player, at first 7, seen by its owner alone. What everybody has" in text
    assert "known: 0 to 5 for each 1 to 4 for each player, at first 1, open to all" in text
    assert "dark: yes or no, at first yes, hidden from all" in text
    assert any("the ways: inn – mill, mill – gate" in one for one in text)
    assert text[text.index("Nothing (given p: Player):") + 1] == "Nothing happens."


SHOP = """\
croupier: 1
ruleset: shop
title: Shop
doc: A shop.
players: 2
rule_list: rules.csv
parameters:
  dues:
    type: list of 0..9 up to 3
    default: [3, 2]
    doc: what is due
    valid:
      they fall: dues.empty or dues.first! >= dues.last!
definitions:
  Prices: |
    def price(n: 1..3) -> 0..9:                                                  @SH-1
        return n
  Paying: |
    def pay(p: Player): spent[p] += 2
    after pay(p): spent[p] += 1
state:
  spent: 0..99 per Player = 0 seen by everybody
phases:
  play: |
    choose n from 1..3 by players.first
    spent[players.first] += price(n)
    pay(players.first)
scoring: |
  finish rank {p: -spent[p] for p in players}
"""
DEAR = """\
croupier: 1
extends: ../ruleset.yaml
title: Dear
set: {dues: [5, 4]}
definitions: |
  replace def price(n: 1..3) -> 0..9:                                            @SH-1
      return 9
  replace after pay(p): spent[p] += 3
  before pay(p): spent[p] += 4
scoring: |
  finish rank {p: spent[p] for p in players}
"""


def test_what_a_variant_changes_is_told_in_its_words_and_what_it_replaced_is_gone(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(SHOP, encoding="utf-8")
    (tmp_path / "rules.csv").write_text("id,tag,text\nSH-1,price,A thing has a price\n", encoding="utf-8")
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "dear.yaml").write_text(DEAR, encoding="utf-8")
    base = render_markdown(rulebook(croupier.load(tmp_path / "ruleset.yaml")))
    assert "- **dear** (Dear)\n  - dues is 5, 4\n  - This is new:\n    - Before **“pay”** (p):\n      - Spent of p rises by 4.\n" in base
    assert "  - This is changed to:\n    - **Price** (given n: 1 to 3): \\[SH-1\\]\n      - The answer: 9.\n    - After **“pay”** (p):\n" in base
    assert "    - **The end of the game**:\n      - The game is over: of all players p, whoever has the highest spent of p wins.\n" in base
    assert "| **dues** | list of 0 to 9 up to 3 | 3 and 2 | what is due; it must be so that they fall |" in base
    variant = render_markdown(rulebook(croupier.load(tmp_path / "variants" / "dear.yaml")))
    _, changed, detail = variant.partition("## What this variant changes")[2].partition("## The rules in detail")
    assert changed and "The answer: n." not in variant and "rises by 1" not in variant
    assert detail.count("After **“pay”**") == 1 and "### Prices\n\n- SH-1 A thing has a price" in detail and "- dues is 5, 4" in variant


DRAUGHTS = """\
croupier: 1
ruleset: draughts
title: Draughts
players: [2, 3]
types:
  Kind: {attributes: {number: 1..9}, values: {man: [3], king: [1]}}
components:
  Piece: {attributes: {kind: Kind}, each: [kind], copies: kind.number}
  Coin: {count: 2 * players.size}
  Token: {ids: [sun, moon], copies: 2}
zones:
  box: {holds: Piece, start: all, seen_by: everybody}
  purse: {holds: Coin, start: all, seen_by: everybody}
  tokens: {holds: Token, start: all}
  hand: {holds: Piece, per: Player, seen_by: owner, counted_by: owner}
boards:
  field: {shape: rectangle, rows: 2, columns: 3, stack: {holds: Piece, seen_by: everybody}}
state:
  layout:
    type: Kind? per Cell
    start:
      - [man, none, man]
      - [none, king, man]
phases:
  set up: |
    for c in field:
        let k = layout[c]
        if k is not none: move first(x for x in box if x.kind == k)! to field[c]
scoring: finish draw
"""


def test_rows_of_a_layout_and_how_many_pieces_there_are(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(DRAUGHTS, encoding="utf-8")
    text = render_markdown(rulebook(croupier.load(tmp_path / "ruleset.yaml")))
    assert "|  | 1 | 2 | 3 |\n|---|---|---|---|\n| 1 | man | · | man |\n| 2 | · | king | man |\n" in text
    assert "\n4 pieces: 3 × man and 1 × king.\n" in text and "\nWith 2 players 4 pieces; with 3 players 6.\n" in text
    assert "\n4 pieces, 2 of each.\n" in text and "seen by its owner alone, counted by its owner alone" in text
    assert "at first as in the table below" in text
