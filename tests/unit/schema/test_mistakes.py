"""What is said about each mistake of shape, and where."""

from __future__ import annotations

from croupier.diagnostics import CODES, Diagnostic, Source, apply_fixes
from croupier.schema import parse, read_document
from croupier.source import read
from small_ruleset import TEXT

HEAD = "croupier: 1\nruleset: small\ntitle: Small\nplayers: 2\nphases:\n  play: pass\n"


def problems(text: str) -> list[Diagnostic]:
    root, found = read(Source("small.yaml", text))
    assert root is not None and not found
    return parse(root)[1]


def places(text: str) -> list[tuple[str, int, int]]:
    return [
        (problem.code, problem.span.line, problem.span.column)
        for problem in problems(text)
        if problem.span is not None
    ]


def only(text: str) -> Diagnostic:
    found = problems(text)
    assert len(found) == 1, [str(problem) for problem in found]
    return found[0]


def test_every_example_of_the_catalogue() -> None:
    for code, entry in CODES.items():
        if code.startswith("D"):
            assert entry.bad and entry.good
            assert [problem.code for problem in problems(entry.bad)] == [code], code
            assert problems(entry.good) == [], code


def test_ten_mistakes_in_one_run() -> None:
    text = """\
croupier: 1
ruleset: my-game
title: [a]
players: two
zone:
  deck: {holds: Card, order: pyle}
types:
  Colour: [red, red]
  Role: {attributes: {copies: 0..3}, values: {seer: [2, red]}}
parameters:
  rounds: {type: 1..3, defualt: 2}
phases:
  play: >
    pass
  more: {phases: {x: pass}, repeat: maybe}
scoring: "rank players"
"""
    assert places(text) == [
        ("D101", 2, 10), ("D003", 3, 8), ("D108", 4, 10), ("D001", 5, 1), ("D104", 6, 30), ("D201", 8, 17),
        ("D202", 9, 53), ("D001", 11, 24), ("Y311", 13, 9), ("D003", 15, 37), ("Y310", 16, 10),
    ]  # fmt: skip


def test_unknown_keys_say_what_was_meant() -> None:
    found = only(HEAD + "parameter:\n  rounds: {type: 1..3, default: 2}\n")
    assert found.message == "unknown key `parameter`" and found.help == "did you mean `parameters`?"
    assert found.fix is not None and found.fix.replacement == "parameters"
    text = HEAD + "zoness: {deck: {holds: Card}}\n"
    fixed, _ = apply_fixes(Source("small.yaml", text), problems(text), unsafe=True)
    assert "\nzones: {" in fixed
    assert only(HEAD + "params: {rounds: {type: 1..3, default: 2}}\n").help == "did you mean `parameters`?"
    assert "the keys here are `decisions` (the most decisions in one game" in (
        only(HEAD + "limits: {xyzzy: 1}\n").help or ""
    )
    assert "only a variant sets parameters" in (only(HEAD + "set: {rounds: 1}\n").help or "")


def test_a_misspelt_section_is_read_all_the_same() -> None:
    assert places(HEAD + "zonse:\n  deck: {holds: Card, oder: pile}\n") == [("D001", 7, 1), ("D001", 8, 23)]


def test_the_short_form_has_no_key() -> None:
    assert only(HEAD.replace("play: pass", "play: {text: pass, phases: {x: pass}}")).code == "D001"
    assert only(HEAD + "state: {leader: {declaration: Player, type: Player}}\n").code == "D001"


def test_what_is_fine_is_kept() -> None:
    root, _ = read(
        Source(
            "small.yaml",
            HEAD
            + "zones:\n  deck: {order: pile}\n  hand: {holds: Card, capacity: [1]}\n  pool: {holds: Card}\n",
        )
    )
    assert root is not None
    parsed = read_document(root)
    assert parsed.document is not None
    assert [name.text for name, _ in parsed.document.zones] == ["hand", "pool"]
    assert [(drop.section, drop.name) for drop in parsed.dropped] == [("zones", "deck")]
    assert [problem.code for problem in parsed.diagnostics] == ["D002", "D003"]


def test_another_version_is_one_diagnostic() -> None:
    found = only("croupier: 3\nnothing: here\n")
    assert found.code == "D009" and "version `3`" in found.message
    assert only("croupier:\n" + HEAD.removeprefix("croupier: 1\n")).code == "D003"
    assert only(HEAD.removeprefix("croupier: 1\n")).help == "add `croupier: 1`"


def test_wrong_kinds_are_named_in_words() -> None:
    def said(section: str) -> str:
        return only(HEAD + section).message

    assert said("limits: 3\n") == "`limits` takes a group of keys, not the number `3`"
    assert said("limits: {fuel: [1]}\n") == "`fuel` takes a whole number, not a list"
    assert said("limits: {fuel: true}\n") == "`fuel` takes a whole number, not the switch `true`"
    assert said("zones: [a]\n") == "`zones` takes a group of named entries, not a list"
    assert said("zones:\n") == "`zones` has no entries"
    assert said("types: {Colour: [red, 3]}\n") == "this place takes a name, not the number `3`"
    assert (
        said("types: {Colour: {red: 1, blue: 2}}\n")
        == "`Colour` needs `values` (for a choice of names) or `record` (for fields)"
    )
    assert (
        said("zones: {deck: {holds: Card, live: on}}\n")
        == "`live` takes `true` or `false`, not the word `on`"
    )
    assert said("boards: {grid: {shape: graph, links: [[a]]}}\n") == "a link joins two cells"
    assert said("definitions: [a]\n") == "`definitions` takes rule text, not a list"
    assert said("parameters: {x: {one_of: [a, true]}}\n").startswith(
        "this place takes a name, not the switch `true`"
    )


def test_rule_text_that_would_lose_its_place() -> None:
    assert only(HEAD + "scoring: 'rank players'\n").code == "Y310"
    assert only(HEAD + "scoring: >\n  rank players\n").code == "Y311"
    assert only(HEAD + "scoring: rank\n  players\n").code == "Y312"
    assert only(HEAD + "zones: {deck: {holds: Card, capacity: (2)}}\n").code == "Y313"
    assert problems(HEAD + "components: {Die: {mutable: {face: 1..6 = 1}, count: 5}}\n") == []
    assert only(HEAD + "components: {Die: {mutable: {face: (1)..6 = 1}, count: 5}}\n").code == "Y313"


def test_names_that_deceive() -> None:
    assert only(HEAD + "zones: {d\u0435ck: {holds: Card}}\n").code == "D102"  # a Cyrillic letter
    assert only(HEAD + "zones: {d\ufb01: {holds: Card}}\n").code == "D102"  # a ligature
    assert only(HEAD + "zones: {cafe\u0301: {holds: Card}}\n").code == "D101"  # two characters for one letter
    assert problems(HEAD + "zones: {caff\u00e8: {holds: Card}}\n") == []


def test_loops_exclude_each_other() -> None:
    found = only(HEAD + "  more:\n    for: p in players\n    repeat: true\n    phases: {x: pass}\n")
    assert found.code == "D005" and found.labels[0].span.text == "for"


def test_no_follow_up_for_a_second_look() -> None:
    text = TEXT.replace(
        "holds: Card, order: pile, seen_by: nobody", "holds: Card, order: pile, seen_by: nobdy"
    )
    found = only(text)
    assert found.code == "D104" and found.help is not None and found.help.startswith("did you mean `nobody`?")
