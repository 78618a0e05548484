"""One mistake, one finding, at the narrowest place: statements and definitions over the base of the
conformance tables.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.diagnostics import Source, apply_fixes
from findings import ROOT, findings

BASE = (ROOT / "tests" / "conformance" / "base.yaml").read_text(encoding="utf-8")

STATEMENTS = [
    ("let x = scor[leader]", "N001", "scor"),
    ("score[leder] += 1", "N001", "leder"),
    ("score[1] += 1", "T001", "1"),
    ("score += 1", "T006", "score"),
    ("let x = score < score", "T006", "score"),
    ("score[leader] = 100", "T017", "100"),
    ("score[leader] = true", "T001", "true"),
    ("leader = none", "T001", "none"),
    ("leader = left", "T001", "left"),
    ("lead = up", "T001", "up"),
    ("if lead == up: pass", "T003", "lead == up"),
    ("if leader: pass", "T001", "leader"),
    ("if lead is Card: pass", "T061", "lead is Card"),
    ("for p in leader: pass", "T004", "leader"),
    ("for leader in players: pass", "N005", "leader"),
    ("move deck to hand", "T047", "hand"),
    ("move deck.top to hand[leader]", "T002", "deck.top"),
    ("move leader to deck", "T049", "leader"),
    ("move deck to hand[leader] at top", "T051", "top"),
    ("draw 1 from cup to deck", "T050", "cup"),
    ("draw -1 from deck to hand[leader]", "T017", "-1"),
    ("shuffle cup", "T053", "cup"),
    ("roll deck", "T055", "deck"),
    ("add 1 to said", "T001", "1"),
    ('tell leader that "{xx}"', "N001", "xx"),
    ('announce "{deck.topp}"', "N002", "topp"),
    ('announce "{twice(1, 2)}"', "T005", "2"),
    ('announce "{twice()}"', "T007", "twice()"),
    ('announce "{twice(m = 1)}"', "N009", "m"),
    ('announce "{twice(1, n = 1)}"', "N021", "n"),
    ('announce "{twice(11)}"', "T017", "11"),
    ("finish win left", "T001", "left"),
    ("finish rank players", "T046", "players"),
    ("choose c from deck by 3", "T001", "3"),
    ("choose c from deck by leader where c.sidee == left", "N002", "sidee"),
    ("choose any c from deck by leader merging colour", "N002", "colour"),
    ("choose (leader) c from deck by leader", "T001", "leader"),
    ("match lead:\n    case left: pass", "F005", "lead"),
    ("match leader.seat:\n    case 1: pass", "T039", "leader.seat"),
    ("break", "F003", "break"),
    ("return 3", "T037", "3"),
    ("so that flag within 0: pass", "T017", "0"),
    ("let n: Sied = left", "N003", "Sied"),
    ("let n: 0..3 = 9", "T017", "9"),
    ("var n = []\nadd 3 to n", "T033", "[]"),
    ("let n = {leader: 1, 2: 3}", "T014", "2"),
    ("let x = deck[0]", "T017", "0"),
    ("let x = grid.at(1)", "T007", "grid.at(1)"),
    ("let x = leader.foo", "N002", "foo"),
    ("let x = Bid(3)", "T007", "Bid(3)"),
    ("let x = 7 mod (3 - 3)", "T021", "3 - 3"),
    ('let x = "a" + "b"', "T066", '"a" + "b"'),
    ("let x = players(3)", "T015", "players"),
    ("let x = self", "N001", "self"),
    ("size = 3", "T035", "size"),
    ("for p in players at once:\n    break", "F003", "break"),
    ("let x = leader\nx = leader", "T034", "x"),
    ("leader = ([] if flag else players).first", "T002", "([] if flag else players).first"),
    ("let m = {count(c for c in deck): 1}", "T031", "count(c for c in deck)"),
]
HELPS = [  # a statement, the code, the place, and what the help, the fix or a label says
    (
        "if flag:\n    var letter = 1\n    flag = letter == 1\nletter = 2",
        "N001",
        "letter",
        "before that block",
    ),
    (
        "choose k from 1..3 by leader\nlet x = card.number + k",
        "N001",
        "card",
        "a `Card` gets a name where it comes from",
    ),
    (
        "var x = leader\nx = none",
        "T001",
        "none",
        "to let `x` hold none, write its type: `var x: Player? = …`",
    ),
    ("if (flag or flag) == 3: pass", "T003", "(flag or flag) == 3", "`c` is a condition already"),
    ("let scorer = 1\nlet x = scorers[leader] + scorer", "N001", "scorers", "did you mean `score`?"),
    ("if 2 < score[leader] < 4: pass", "P044", "<", "write `a < b and b < c`"),
    ("for q in players if score[q] = 2: pass", "P026", "=", "write `==`"),
    (
        "let x = nested[left][leader]",
        "T001",
        "left",
        "`per Side per Player` is read from its end: `nested[leader][left]`",
    ),
    ("said += [leader]", "T006", "said", "write `add leader to said`"),
    ("said -= [leader]", "T006", "said", "write `remove leader from said`"),
    ("said += others(leader)", "T006", "said", "for x in others(leader): add x to said"),
    (
        "let x = count(c.number > 2)",
        "N001",
        "c",
        "say what `c` goes through: `count(c.number > 2 for c in …)`",
    ),
    (
        "let x = sum(hand[leader].number)",
        "N002",
        "number",
        "their sum is `sum(c.number for c in hand[leader])`",
    ),
    ("let x = deck.list.side", "N002", "side", "each of them has its own: `[c.side for c in deck.list]`"),
    ("let x = sum(deck)", "T006", "deck", "`sum(x.number for x in deck)`"),
    (
        "choose 1 cs from hand[q] by every q in players\nmove cs to deck",
        "T049",
        "cs",
        "`for q in players: move cs[q] to …`",
    ),
    ("choose n from 1..3 by each q in players", "P001", "q", "`choose … by every p in players`"),
    (
        "for q in players if score[q] > 2 at once:\n    choose n from 1..3 by q",
        "P001",
        "at once",
        "`for p in players at once if …:`",
    ),
    ("score[players] += 1", "T001", "players", "`for one in players:`"),
    ("leader wins", "P011", "leader", "`finish win leader`"),
    ("leader chooses c from deck", "P011", "leader", "`choose … from … by leader`"),
    ("roll 2 dice", "P001", "dice", "`roll tray`"),
    ("let x = score[next player]", "P001", "player", "`next(p)`"),
    ("let x = previous(left(leader))", "N006", "left", "`next(p)`"),
    ("finish win leader with score[leader]", "P001", "with", "`finish rank {p: score[p] for p in players}`"),
    ("if score[leader] between 2 and 4: pass", "P001", "between", "`n in 2..4`"),
    ("let x = subsets(deck)", "N006", "subsets", "`[… for a in xs for b in xs]`"),
    ("let x = product(c.number for c in deck)", "N006", "product", "`for x in xs: n = n * x`"),
    ("let x = len(deck)", "N006", "len", "`xs.size`"),
    ("let x = notable(leader)", "N006", "notable", "`def notable():`"),
    ("let x = returnany(leader)", "P070", "returnany", "write `return any`"),
    ("leader = sad", "N001", "sad", "did you mean `said`?"),
    ("let x = said * 2", "T001", "said", "`said.size`"),
    ("if leader in [players]: pass", "T001", "players", "`for one in players:`"),
    (
        "var q: Player? = none\nq = leader\nfor p in players:\n    q = next(q) if flag else none",
        "T002",
        "q",
        "it may be none again, the next time around",
    ),
    ("for c in deck:\n    if c > 3: pass", "T006", "c", "`c.number`"),
    ("if deck.top! > 3: pass", "T006", "deck.top!", "`c.number`"),
]
DEFINITIONS = [
    ("def g(n: Foo): pass", "N003", "Foo"),
    ("def g(deck: int): pass", "N005", "deck"),
    ("def g() -> int: pass", "F008", "g"),
    ("def count(): pass", "N014", "count"),
    ("def g() -> int:\n    if flag: return 3", "F008", "g"),
    ("def g(): return 3", "T037", "3"),
    ("def g() nested 0: pass", "T017", "0"),
    ("def twice(): pass", "N004", "twice"),
    ("def g(): h()\ndef h(): g()", "F012", "def g()"),
    ("instead of twice(_): pass", "F008", "instead of twice(_)"),
    ("instead of twice(_, _): return 3", "T005", "_"),
    ("instead of twice(m = 3): return 3", "N009", "m"),
    ("instead of twicee(_): return 3", "N018", "twicee"),
    ("adjust twice(_) as deck: return 3", "N005", "deck"),
    ("adjust twice(_) as r: r += 1", "T034", "r"),
    ("watch flag as deck: pass", "N005", "deck"),
    ('end when flag: announce "x"', "F010", "end when flag"),
    ("def g(var n: int = 3): n += 1", "T057", "3"),
    ("end when flg: finish draw", "N001", "flg"),
    ("def g() -> int:\n    if flag: pass\n    else: return 3", "F008", "g"),
    (
        "watch flag:\n    let x = twice(3)\n    choose n from 1..x by leader",
        "F011",
        "choose n from 1..x by leader",
    ),
]


def errors(text: str, folder: Path) -> list[tuple[str, str]]:
    path = folder / "mistake.yaml"
    path.write_text(text, encoding="utf-8")
    return [(d.code, d.span.text) for d in findings(path) if d.is_error and d.span is not None]


@pytest.mark.parametrize(("text", "code", "place"), STATEMENTS, ids=[row[0] for row in STATEMENTS])
def test_statement(text: str, code: str, place: str, tmp_path: Path) -> None:
    block = "".join(f"    {line}\n" for line in text.split("\n"))
    assert errors(BASE.replace("  play: pass\n", f"  play: |\n{block}"), tmp_path) == [(code, place)]


@pytest.mark.parametrize(("text", "code", "place", "help"), HELPS, ids=[row[0] for row in HELPS])
def test_help(text: str, code: str, place: str, help: str, tmp_path: Path) -> None:
    block = "".join(f"    {line}\n" for line in text.split("\n"))
    path = tmp_path / "mistake.yaml"
    path.write_text(BASE.replace("  play: pass\n", f"  play: |\n{block}"), encoding="utf-8")
    (found,) = [d for d in findings(path) if d.is_error and d.span is not None]
    assert (found.code, found.span and found.span.text) == (code, place)
    fix = found.fix.title if found.fix is not None else ""
    assert help in " ".join([found.message, found.help or "", fix, *(label.text for label in found.labels)])


@pytest.mark.parametrize(("text", "code", "place"), DEFINITIONS, ids=[row[0] for row in DEFINITIONS])
def test_definition(text: str, code: str, place: str, tmp_path: Path) -> None:
    block = "".join(f"  {line}\n" for line in text.split("\n"))
    assert errors(BASE.replace("phases:\n", f"{block}phases:\n"), tmp_path) == [(code, place)]


def test_a_replace_that_replaces_nothing_is_left_out(tmp_path: Path) -> None:
    text = BASE.replace("phases:\n", "  replace after twice(_): pass\nphases:\n")
    path = tmp_path / "mistake.yaml"
    path.write_text(text, encoding="utf-8")
    found = [d for d in findings(path) if d.is_error]
    assert [d.code for d in found] == ["N019"]
    assert apply_fixes(Source(str(path), text), found, unsafe=True)[0] == text.replace(
        "replace after", "after"
    )
