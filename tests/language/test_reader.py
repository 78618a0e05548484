"""The reader of documents is itself held to account: what an example does not do must fail, and what it does
must not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from documents import Runner, Wrong, expectations, overlay, put_in, read_document

BASE = """\
<!-- name: coins -->
```yaml ruleset
croupier: 1
ruleset: coins
title: Coins
players: 2..3
components:
  Coin: {count: 4}
zones:
  pot: {holds: Coin, seen_by: everybody, start: all}
  purse: {holds: Coin, per: Player, seen_by: owner}
state:
  score: 0..9 per Player = 0 seen by everybody
phases:
  pay: |
    for p in players:
        choose c from pot by p
        move c to purse[p]
        score[p] += 1
scoring: |
  finish rank {p: score[p] for p in players}
```
"""

HEAD = "```yaml ruleset\ncroupier: 1\nruleset: small\ntitle: Small\nplayers: 2\n"


def run(text: str, folder: Path, base: str = BASE) -> None:
    """Run the blocks of a document that begins with the base."""
    document = read_document("doc.md", base + text)
    runner = Runner(document, folder)
    for block in document.blocks:
        runner.run(block)


def part(kind: str, text: str) -> str:
    return f"\n<!-- base: coins -->\n```{kind}\n{text}```\n"


GOOD = {
    "rules": part("rules", "score[players.first] += 2\n"),
    "rules with a definition": part(
        "rules", "def two() -> 0..9:\n    return 2\n\nscore[players.first] += two()\n"
    ),
    "a mistake at its place": part("rules", "score[players.first] = red    #! N001:24\n"),
    "a mistake in its line": part("rules", "score[players.first] = red    #! N001\n"),
    "two mistakes in a line": part("rules", "score[red] = blue    #! N001:7 N001:14\n"),
    "a mistake in a definition": part("rules", "def two() -> 0..9:\n    return tow    #! N001:12\n"),
    "a fault": part("rules", "score[players.first] = pot.size * 10    #! R002\n"),
    "a fragment": part("yaml fragment", "zones:\n  box: {holds: Coin}\n"),
    "an entry replaced": part("yaml fragment", "zones:\n  pot: {holds: Coin, start: all}\n"),
    "a mistake in a fragment": part("yaml fragment", "zones:\n  box: {holds: Coyn}    #! N001:16\n"),
    "phases replaced": part("yaml fragment", "phases:\n  nothing: pass\n"),
    "values": part("values", "pot.size → 4 : 0..…\npot.size + → P001:11\nplayers.size // 0 → T021:17\n"),
    "scenarios": part(
        "yaml scenarios", "croupier: 1\nscenarios:\n  - id: start\n    then:\n      - pot.size == 4\n"
    ),
    "a scenario that fails as told": part(
        "yaml scenarios",
        "croupier: 1\nscenarios:\n  - id: s\n    then:\n      - pot.size == 5    #! K111:9\n",
    ),
    "what is only shown": "```text\nnot run\n```\n",
    "what a command prints": (
        "```console\n$ croupier explain N016\nerror[N016 nothing…\n…\n"
        "fix: a fix is proposed; apply it by hand\n…\n$ croupier explain N017\n…\n```\n"
    ),
    "python": "```python\n>>> 1 + 1\n2\n```\n",
}
BAD = {
    "a missing mistake": (part("rules", "score[players.first] = 2    #! N001:24\n"), "not found: N001"),
    "a wrong column": (part("rules", "score[players.first] = red    #! N001:23\n"), "unexpected N001"),
    "a wrong line": (
        part("rules", "score[players.first] = red\nscore[players.last] = 1    #! N001:24\n"),
        "unexpected N001",
    ),
    "a wrong code": (part("rules", "score[players.first] = red    #! T001:24\n"), "unexpected N001"),
    "an unexpected mistake": (part("rules", "score[players.first] = red\n"), "unexpected N001"),
    "a second mistake": (part("rules", "score[red] = blue    #! N001:7\n"), "unexpected N001"),
    "a mistake expected twice": (
        part("rules", "score[players.first] = red    #! N001:24 N001:24\n"),
        "not found: N001",
    ),
    "a fault that does not come": (
        part("rules", "score[players.first] = pot.size    #! R002\n"),
        "not found: R002",
    ),
    "a fault at another place": (
        part("rules", "score[players.first] = pot.size * 10\nscore[players.last] = 1    #! R002\n"),
        "unexpected R002",
    ),
    "a fault nobody expects": (part("rules", "score[players.first] = pot.size * 10\n"), "ends so"),
    "a fault beside a mistake": (
        part(
            "rules", "score[players.first] = pot.size * 10    #! R002\nscore[players.last] = red    #! N001\n"
        ),
        "cannot have faults too",
    ),
    "a game without end": (part("rules", "choose c from pot by players.first where false\n"), "ends so"),
    "a mistake in the base": (
        part("yaml fragment", "components:\n  Coin: {ids: [a]}\nzones:\n  pot: {holds: Coin, start: b}\n"),
        "unexpected N001",
    ),
    "a false invariant": (part("yaml fragment", "invariants:\n  four: pot.size == 4\n"), "four"),
    "a wrong value": (part("values", "pot.size → 3 : 0..…\n"), "`pot.size` is 4 : 0..…"),
    "a wrong type": (part("values", "pot.size → 4 : int\n"), "`pot.size` is 4 : 0..…"),
    "true is not 1": (part("values", "pot.empty → 0 : bool\n"), "`pot.empty` is false"),
    "a value where a mistake was expected": (part("values", "pot.size → N002:5\n"), "`pot.size` is 4"),
    "a mistake where a value was expected": (
        part("values", "pot.sise → 4 : int\n"),
        "`pot.sise` gives N002:5",
    ),
    "a mistake at another column": (part("values", "pot.sise → N002:1\n"), "`pot.sise` gives N002:5"),
    "values without an arrow": (part("values", "pot.size\n"), "no `→`"),
    "a scenario that fails": (
        part("yaml scenarios", "croupier: 1\nscenarios:\n  - id: s\n    then:\n      - pot.size == 5\n"),
        "unexpected K111",
    ),
    "a scenario that passes": (
        part(
            "yaml scenarios",
            "croupier: 1\nscenarios:\n  - id: s\n    then:\n      - pot.size == 4    #! K111\n",
        ),
        "not found: K111",
    ),
    "an unknown base": ("<!-- base: cards -->\n```rules\nfinish draw\n```\n", "no base `cards`"),
    "no base": ("```rules\nfinish draw\n```\n", "no base ``"),
    "a block that nothing runs": ("```yaml\nplayers: 2\n```\n", "nothing runs"),
    "an open block": ("```text\nnever ends\n", "never closed"),
    "a comment above no block": ("<!-- base: coins -->\nwords\n", "stands above none"),
    "a misspelt comment": (part("rules", "finish draw    #! finish\n"), "codes like"),
    "python that says something else": ("```python\n>>> 1 + 1\n3\n```\n", "Expected"),
    "python without examples": ("```python\n1 + 1\n```\n", "no `>>>`"),
    "what no command prints": (
        "```console\n$ croupier explain N016\n…\nerror[N017\n…\n```\n",
        "does not print, at this place: error[N017",
    ),
    "what a command prints later": (
        "```console\n$ croupier explain N016\nfix: a fix is proposed; apply it by hand\n…\n```\n",
        "at this place: fix",
    ),
    "what a command prints besides": (
        "```console\n$ croupier explain N016\nerror[N016…\n```\n",
        "an end, before A variant replaces",
    ),
    "words before a command": ("```console\nerror[N016…\n```\n", "begins with no command"),
    "a ruleset with a warning": (
        f"{HEAD}state: {{n: 0..1}}\nphases:\n  p: finish draw\n```\n",
        "unexpected L001",
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_is_right_passes(name: str, tmp_path: Path) -> None:
    run(GOOD[name], tmp_path)


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_fails(name: str, tmp_path: Path) -> None:
    text, words = BAD[name]
    with pytest.raises(Wrong, match=".*") as caught:
        run(text, tmp_path)
    assert words in str(caught.value)


def test_places_are_those_of_the_document() -> None:
    document = read_document("doc.md", "words\n\n```rules\na\nb\n```\n")
    assert [(b.line, b.kind, b.text) for b in document.blocks] == [(4, "rules", "a\nb\n")]


def test_expectations_are_read() -> None:
    assert expectations("a\nb    #! T001:9 N001\nc # words\n") == [(2, "T001", 9), (2, "N001", None)]


def test_files_serve_the_blocks_below(tmp_path: Path) -> None:
    table = "<!-- file: dogs.csv -->\n```csv\nid\nrex\n```\n"
    dogs = (
        "components:\n  Dog: {table: dogs.csv}\nzones:\n  den: {holds: Dog, start: all}\nphases:\n  p: "
        "finish draw\n```\n"
    )
    run(table + HEAD + dogs, tmp_path, base="")


def test_sections_are_laid_over_each_other() -> None:
    base = "zones:\n  a: 1\n  b: 2\nphases:\n  p: x\nscoring: y\n"
    rows = overlay(base, "zones:\n  b: 3\n  c: 4\nphases:\n  q: z\nstate:\n  s: 5\n")
    assert [(r.text, r.line) for r in rows] == [
        ("zones:", None), ("  a: 1", None), ("  b: 3", 2), ("  c: 4", 3), ("phases:", 4), ("  q: z", 5),
        ("scoring: y", None),
        ("state:", 6), ("  s: 5", 7),
    ]  # fmt: skip


def test_rule_text_is_put_in() -> None:
    rows = put_in("phases:\n  p: x\nscoring: y\n", "# words\ndef f():\n    pass\n\nf()\n")
    assert [(r.text, r.line, r.moved) for r in rows] == [
        ("phases:", None, 0), ("  p: x", None, 0), ("  example: |", None, 0), ("", 4, 4), ("    f()", 5, 4),
        ("scoring: y", None, 0),
        ("definitions:", None, 0), ("  Example: |", None, 0), ("    # words", 1, 4), ("    def f():", 2, 4),
        ("        pass", 3, 4),
    ]  # fmt: skip
