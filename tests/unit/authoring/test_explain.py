"""Explained moves: for each kind of clause that keeps a move from being offered, its place, words and rules;
and what a legal one did.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import croupier
from cases import LANGUAGE
from croupier.authoring.explain import Explanation, explain_move
from croupier.cli import main
from croupier.cli.commands.explain_move import explanation
from croupier.diagnostics import Source
from croupier.runtime.clauses import Clause
from croupier.runtime.legality import NOT_SEEN, NOT_USED

RULES = """\
croupier: 1
ruleset: odds
title: Odds and Ends
players: 2
rule_list: rules.csv
types:
  Colour: [red, green]
components:
  Card:
    attributes: {colour: Colour, value: 1..3}
    each: [colour, value]
    label: "{colour} {value}"
  Charm:
    ids: [ring, wand]
    powers:
      ring: |
        in pause(n) if n > 1 as "rub the ring":          @OD-7
            score[owner] += n
zones:
  hand: {holds: Card, per: Player, seen_by: owner}
  deck: {holds: Card, order: pile, start: all}
  row: {holds: Card, order: sequence, seen_by: everybody}
  charms: {holds: Charm, per: Player, live: true, seen_by: owner}
state:
  score: 0..99 per Player = 0 seen by everybody
claims:
  have:
    says: "I have {c}"
    fields: {c: Colour}
    only if: c == red
    cites: OD-8
  want:
    says: "{n} more"
    fields: {n: 1..3}
definitions: |
  window pause(n: 0..9)
phases:
  one: |
    move deck to row
    choose c from row by players.first where c.value < 3            @OD-1
        only if "it is red": c.colour == red                        @OD-2
    move c to deck                                                  @OD-3
  several: |
    choose 2 cs from row by players.first such that cs.first!.colour == cs.last!.colour     @OD-4
    choose 1 ds from row by players.first merging colour
  menu: |
    choose by players.first:
        option "bid {n}" for n in 1..2:                             @OD-5
            only if "it is even": n == 2
            score[players.first] += n
        option "pass" if score[players.first] > 0: pass
  look: |
    so that score[players.first] == 2:                              @OD-6
        choose n from 0..2 by players.first
        score[players.first] = n
  charm: |
    move ring to charms[players.first]
    open pause(1) to players
    open pause(2) to players
  talk: |
    claim by players.first
    finish draw
"""
LIST = "id,tag,text\n" + "".join(f"OD-{i},[a],rule {i}\n" for i in range(1, 9))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ruleset.yaml").write_text(RULES)
    (tmp_path / "rules.csv").write_text(LIST)
    return tmp_path


def state_after(folder: Path, *moves: str) -> croupier.State:
    state = croupier.load(folder).new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(0, move))
    return state


ONE = ("red 1",)
TWO = (*ONE, "green 1", "green 2")
THREE = (*TWO, "red 2")
FOUR = (*THREE, "bid 2")
FIVE = (*FOUR, "2")
SIX = (*FIVE, "rub the ring")


Found = tuple[str, str, tuple[str, ...], str]  # kind, words, rules, what stands in its line


def line(words: str) -> int:
    """The first line of the rules that holds some words."""
    return next(i for i, text in enumerate(RULES.splitlines(), 1) if words in text)


def why(found: Explanation) -> list[tuple[str, str, tuple[str, ...], int]]:
    assert not found.legal
    return [(c.kind, c.words, c.rules, 0 if c.span is None else c.span.line) for c in found.forbidden]


NOT_SMALL = "value of green 3 is at least 3: value of green 3 is 3"
SCORE = "score of the first player is"
ALIKE = "never such that “colour of the first of cs is colour of the last of cs”"
CASES: list[tuple[tuple[str, ...], str, list[Found]]] = [
    ((), "green 1", [("condition", "it is red", ("OD-2",), "it is red")]),
    (
        (),
        "GREEN  3",
        [
            ("condition", "it is red", ("OD-2",), "it is red"),
            ("where", NOT_SMALL, ("OD-1",), "choose c from"),
        ],
    ),
    ((), "no", [("how many", "something must be chosen", ("OD-1",), "choose c from")]),
    (
        ONE,
        "red 1",
        [("source", "you do not see where it is; this chooses from “row”", ("OD-4",), "choose 2 cs")],
    ),
    (
        ONE,
        "green 3",
        [("such that", f"what may be chosen with it is {ALIKE}", ("OD-4",), "choose 2 cs")],
    ),
    (ONE, "done", [("how many", "something must be chosen", ("OD-4",), "choose 2 cs")]),
    ((*ONE, "green 1"), "green 1", [("order", "it is taken already", ("OD-4",), "choose 2 cs")]),
    (
        (*ONE, "green 1"),
        "red 2",
        [
            (
                "order",
                "what was taken last comes after it: things are taken in order",
                ("OD-4",),
                "choose 2 cs",
            )
        ],
    ),
    (TWO, "red 3", [("alike", "another one that is alike stands for it", (), "choose 1 ds")]),
    (THREE, "bid 1", [("condition", "it is even", ("OD-5",), "it is even")]),
    (THREE, "pass", [("option", f"{SCORE} at most 0: {SCORE} 0", (), "pass")]),
    (THREE, "bid 7", [("source", "it must be from 1 to 2", ("OD-5",), "bid {n}")]),
    (
        FOUR,
        "1",
        [("look-ahead", f"after it “{SCORE} 2” could not come true any more", ("OD-6",), "so that")],
    ),
    (SIX, "I have green", [("claim", "c is not red: c is green", ("OD-8",), "only if: c")]),
    (SIX, "12 more", [("source", "it must be from 1 to 3", (), "want:")]),
]


@pytest.mark.parametrize(("moves", "move", "wanted"), CASES, ids=[f"{len(m)}-{a}" for m, a, _ in CASES])
def test_what_forbids_a_move(folder: Path, moves: tuple[str, ...], move: str, wanted: list[Found]) -> None:
    found = explain_move(state_after(folder, *moves), move)
    assert (why(found), found.known) == ([(*clause, line(words)) for *clause, words in wanted], True)


def test_reactions(folder: Path) -> None:
    state = state_after(folder, *FIVE)
    assert explain_move(state, "rub the ring").legal
    found = explain_move(state, "rub the ring", seat=1)
    assert [c.kind for c in found.forbidden] == ["turn"]


def test_why_a_reaction_is_not_offered_is_said_where_its_component_is_seen(folder: Path) -> None:
    """The part of its `if` that does not hold; of a component that lies elsewhere nothing else."""
    others = '      wand: |\n        in pause(_) as "wave the wand": pass\n'
    rules = RULES.replace("zones:\n", f"{others}zones:\n", 1).replace(
        "    move ring to charms[", "    move Charm to charms["
    )
    (folder / "ruleset.yaml").write_text(rules)
    found = explain_move(state_after(folder, *FIVE), "rub the ring")
    assert [(c.words, c.span.text if c.span is not None else "") for c in found.forbidden] == [
        ("n is at most 1", "n > 1")
    ]
    assert "  n is at most 1  [OD-7]\n" in explanation(found).plain
    (folder / "ruleset.yaml").write_text(
        rules.replace("move Charm to", "move ring to charms[players.last]\n    move wand to")
    )
    found = explain_move(state_after(folder, *FIVE), "rub the ring")
    assert [c.words for c in found.forbidden] == [NOT_SEEN]
    assert f"  {NOT_SEEN}  [OD-7]\n" in explanation(found).plain


def test_what_nobody_knows(folder: Path) -> None:
    found = explain_move(state_after(folder), "a hammer")
    assert not found.known and not found.legal and found.offered == ("red 1", "red 2")
    assert "did you mean" not in explanation(found).plain
    assert not explain_move(state_after(folder, *THREE), "bid 7x").known
    assert (
        "nothing that could be done here is called so\n  did you mean `red 1`?\n"
        in explanation(explain_move(state_after(folder), "rde 1")).plain
    )


def test_a_finished_game(folder: Path) -> None:
    state = state_after(folder, *SIX, "I have red")
    assert state.is_terminal()
    assert why(explain_move(state, "red 1")) == [("turn", "the game is over", (), 0)]


def test_the_command_explains_the_last_action_and_says_that_a_game_is_over(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = folder / "game.json"
    main(["run", str(folder), "--seed", "1", "--save", str(saved)])
    capsys.readouterr()
    many = len(json.loads(saved.read_text())["actions"])
    assert main(["explain-move", str(saved), "--ruleset", str(folder)]) == 0
    assert f"(after {many - 1} actions)" in capsys.readouterr().out
    assert main(["explain-move", str(saved), "--ruleset", str(folder), "--at", str(many)]) == 2
    assert "the game is over after" in " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert main(["explain-move", str(saved), "--ruleset", str(folder), "--at", "0", "--action", " "]) == 2
    assert "write the words of the move" in capsys.readouterr().err


LAID = """\
croupier: 1
ruleset: laid
title: Laid
players: 2
types: {Kind: [fan, lamp]}
components: {Card: {attributes: {kind: Kind}, each: [kind], copies: 3, label: "{kind}"}}
zones: {row: {holds: Card, order: sequence, seen_by: everybody, start: all}}
state:
  moves: 0..9 = 0 seen by everybody as ""
phases:
  play: |
    choose n from 1..5 by players.first
        only if "it is odd": n mod 2 == 1
    move row[3] to row at bottom
    choose c from row by players.first merging kind as "lay"
    choose v from row by every p in players merging kind as "lay"
    moves += 1
    announce "both laid"
"""


@pytest.fixture
def laid(tmp_path: Path) -> croupier.Ruleset:
    (tmp_path / "laid.yaml").write_text(LAID)
    return croupier.load(tmp_path / "laid.yaml")


def test_digits_are_the_words_of_an_option_before_they_are_an_integer(laid: croupier.Ruleset) -> None:
    state = laid.new_initial_state()
    assert (
        why(explain_move(state, "2")) == [("condition", "it is odd", (), 13)]
        and explain_move(state, "2").label == "2"
    )
    assert (explain_move(state, "3").label, explain_move(state, 2).label) == ("3", "3")
    assert why(explain_move(state, "6"))[0][:2] == ("source", "it must be from 1 to 5")
    state.apply_action(0)
    assert explain_move(state, "0").label == "lay: fan"  # nothing is called 0


def test_the_mere_words_of_one_of_several_alike(laid: croupier.Ruleset) -> None:
    """The one in front in the row is not the one that is offered, which has the lowest number."""
    state = laid.new_initial_state()
    state.apply_action(0)
    for words in ("lamp", "lay: lamp", "fan"):
        found = explain_move(state, words)
        assert found.legal and found.label in found.offered
    state.apply_action(state.legal_actions()[0])
    assert explain_move(state, "lamp", seat=1).label == "lay: lamp"


def test_what_was_chosen_at_the_same_time(laid: croupier.Ruleset) -> None:
    state = laid.new_initial_state()
    state.apply_action(0)
    state.apply_action(state.legal_actions()[0])
    alone = [e.text for e in explain_move(state, "fan", seat=0).events]
    assert alone == ["player 1: lay: fan"]
    found = explain_move(state, "fan", 0, {1: state.string_to_action(1, "lay: lamp")})
    told = [e.text for e in found.events]
    assert told[:2] == ["player 1: lay: fan", "player 2: lay: lamp"] and "both laid" in told
    assert "moves" not in explanation(found).plain


def test_what_a_legal_move_did(folder: Path) -> None:
    state = state_after(folder)
    before = state.hash()
    found = explain_move(state, "red 1")
    assert (
        found.legal
        and found.decision is not None
        and found.decision.span is not None
        and found.decision.span.line == line("choose c from")
    )
    assert [(c.words, c.rules) for c in found.passed] == [("it is red", ("OD-2",))]
    told = [(e.text, e.rules, None if e.span is None else e.span.line) for e in found.events]
    assert ("red 1 goes from row to deck", ("OD-3",), line("move c to deck")) in told
    assert state.hash() == before


def test_what_a_reaction_did(folder: Path) -> None:
    """Who opens the window asks, and the reaction is offered by its clause; to say no is offered by none."""
    state = state_after(folder, *FIVE)
    for move, passed in (
        ("rub the ring", [("reaction", "rub the ring", ("OD-7",), line("in pause(n)"))]),
        ("no", []),
    ):
        found = explain_move(state, move)
        assert found.legal and found.decision is not None and found.decision.span is not None
        assert (found.decision.kind, found.decision.span.line) == ("decision", line("open pause(2)"))
        assert [
            (c.kind, c.words, c.rules, c.span.line if c.span is not None else 0) for c in found.passed
        ] == passed
        assert ("the reaction “rub the ring”" in explanation(found).plain) == bool(passed)
    assert found.to_json()["decision"]["place"]["line"] == line("open pause(2)")


def test_a_legal_option_of_a_menu_names_the_option(folder: Path) -> None:
    found = explain_move(state_after(folder, *THREE), "bid 2")
    assert [(c.kind, c.words, c.rules) for c in found.passed] == [
        ("option", "bid …", ("OD-5",)),
        ("condition", "it is even", ("OD-5",)),
    ]
    assert "the option “bid …”  [OD-5]" in explanation(found).plain


def test_moves_by_number_and_structure(folder: Path) -> None:
    state = state_after(folder)
    assert (
        explain_move(state, 0).label
        == explain_move(state, {"choose": "c", "value": "red 1"}).label
        == "red 1"
    )
    assert explain_move(state, 3).label == "green 1" and not explain_move(state, 3).legal
    assert not explain_move(state, 999).known
    assert croupier.explain_move is explain_move


def test_events_of_seats_do_not_tell_the_clause(folder: Path) -> None:
    state = state_after(folder, *THREE)
    assert any(e.span is not None for e in state.events())
    assert all(e.span is None for seat in (0, 1) for e in state.events(seat))


def test_every_legal_move_of_a_game_is_explained(folder: Path) -> None:
    for name in (str(folder), "witches_of_blackmore"):
        state = croupier.load(name).new_initial_state()
        for _ in range(60):
            if state.is_terminal():
                break
            for action in state.legal_actions()[:3]:
                assert explain_move(state, action).legal
            state.apply_action(state.legal_actions()[-1])


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = str(folder / "game.json")
    assert main(["run", str(folder), "--seed", "1", "--save", game]) == 0
    capsys.readouterr()
    asked = ["explain-move", game, "--ruleset", str(folder), "--at", "0"]
    assert main([*asked, "--action", "green 1"]) == 0
    out = capsys.readouterr().out
    assert (
        "“it is red” does not hold  [OD-2]" in out
        and f":{line('it is red')}:" in out
        and "is not legal" in out
    )
    assert main(asked) == 0
    assert "what happens" in capsys.readouterr().out
    assert main([*asked, "--action", "a hammer"]) == 0
    assert "nothing that could be done here is called so" in capsys.readouterr().out
    assert main([*asked, "--seat", "2", "--action", "red 1", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["forbidden"][0]["words"] == "player 1 must act now"
    assert main([*asked, "--seat", "3"]) == 2
    assert main(["explain-move", game, "--ruleset", str(folder), "--at", "999"]) == 2
    assert main(["explain-move", game, "--ruleset", str(folder)]) == 0


@pytest.mark.parametrize(
    ("first", "move", "kinds"),
    [
        ("", "take card 2", ["it is odd"]),
        ("", "4", ["there are as many"]),
        ("", "take card 4", ["there are only take card 1 and take card 3 to choose from"]),
        ("take card 1", "4", ["n is more than the number in row: n is 4 and the number in row is 3"]),
    ],
)
def test_what_is_not_offered_needs_neither_label_nor_later_conditions(
    first: str, move: str, kinds: list[str]
) -> None:
    state = croupier.load(LANGUAGE / "why_not_faults.yaml").new_initial_state()
    if first:
        state.apply_action(state.string_to_action(0, first))
    found = explain_move(state, move)
    assert not found.legal
    assert [clause.words for clause in found.forbidden] == kinds


def test_what_was_supposed_is_said() -> None:
    state = croupier.load(LANGUAGE.parent / "data" / "programs" / "suppositions.yaml").new_initial_state()
    (clause,) = explain_move(state, "take 4").forbidden
    assert (
        clause.told == f"“{clause.words}” does not hold: after `take(p, n)`, `taken[p] mod 7 != 4` is false"
    )
    assert clause.to_json()["supposed"] == clause.supposed


def test_what_is_not_there_is_not_said_to_be_unusable() -> None:
    there = Clause("reaction", NOT_USED, (), Source("game.yaml", "in w").span(0, 1))
    for clause, said in ((Clause("reaction", NOT_USED), "is called so"), (there, NOT_USED)):
        text = str(explanation(Explanation(0, "stand", False, False, (clause,))))
        assert [words for words in ("is called so", NOT_USED) if words in text] == [said]


FIRST = """\
croupier: 1
ruleset: first
title: What goes first
players: 2
phases:
  one: |
    choose n from 1..3 by players.first
        only if possible "even is taken": n == 2
    choose by players.first:
        option "one":
            only this if possible "one goes first"
            pass
        option "two": pass
    finish draw
"""


def test_what_goes_first_is_said_to_be_possible(tmp_path: Path) -> None:
    """What stands behind `possible` holds: that is why something else is not offered."""
    (tmp_path / "ruleset.yaml").write_text(FIRST, encoding="utf-8")
    state = croupier.load(tmp_path / "ruleset.yaml").new_initial_state()
    for move, words in (("1", "even is taken"), ("two", "one goes first")):
        (clause,) = explain_move(state, move).forbidden
        assert (clause.kind, clause.told) == ("priority", f"“{words}” comes first: something else meets it")
        state.apply_action(state.legal_actions()[0])
