"""The words of the story: labels of zones, variables and attributes, for the referee and for each seat."""

from __future__ import annotations

import random
from pathlib import Path

import croupier
from trees import random_game

RULES = """croupier: 1
ruleset: story
title: Story
players: 2
types:
  Face: [down, up]
components:
  Card:
    attributes: {n: 1..1}
    mutable:
      face: Face = down as "{self} turns {value}"
    each: [n]
    label: "the {n}"
boards:
  grid: {shape: rectangle, rows: 1, columns: 2, cell: Cell}
zones:
  deck: {holds: Card, order: pile, start: all, label: "the stack"}
  side_hand: {holds: Card, per: Player, label: "{key}'s hand", seen_by: owner}
  odd_place: {holds: Card}
state:
  wheel: 0..4 = 0 seen by everybody as "the wheel shows {value} of {hidden}"
  hidden: 0..9 = 7
  gold: 0..9 per Player = 0 seen by owner as "{key} has {value} gold"
  book: 0..9 = 0 seen by everybody as ""
  pages: {type: 0..9, seen_by: everybody, label: ""}
  plain_name: {type: 0..9 per Player, seen_by: everybody}
  stone: Player? per Cell seen by everybody
  lead: Face? seen by everybody
  named: {type: 0..9, start: 0, seen_by: everybody, label: "named {value}"}
phases:
  nothing: |
    hidden = 7
  play: |
    for c in deck:
        move c to side_hand[players.first]
        c.face = up
        gold[players.first] = 3
        wheel = 2
        book = 1
        pages = 2
        plain_name[players.last] = 4
        stone[grid.cells.last] = players.last
        stone[grid.cells.last] = none
        lead = up
        lead = none
        named = 5
        move c to odd_place
    finish draw
"""


def told(tmp_path: Path, seat: int | None, rules: str = RULES) -> list[str]:
    path = tmp_path / "story.yaml"
    path.write_text(rules, encoding="utf-8")
    state = random_game(croupier.load(path).new_initial_state(2), random.Random(1))
    return [e.text for e in state.events(seat) if not e.quiet and e.kind not in ("phase", "end")]


def test_the_referee_reads_all_of_it(tmp_path: Path) -> None:
    assert told(tmp_path, None) == [
        "the 1 goes from the stack to player 1's hand",
        "the 1 turns up",
        "player 1 has 3 gold",
        "the wheel shows 2 of 7",
        "plain name of player 2 is now 4",
        "stone at (1,2) is now player 2",
        "no stone at (1,2) any more",
        "lead is now up",
        "no lead any more",
        "named 5",
        "the 1 goes from player 1's hand to odd place",
    ]


def test_a_seat_reads_what_it_may_see(tmp_path: Path) -> None:
    assert told(tmp_path, 1) == [
        "a Card goes from the stack to player 1's hand",
        "the wheel shows 2 of …",
        "plain name of player 2 is now 4",
        "stone at (1,2) is now player 2",
        "no stone at (1,2) any more",
        "lead is now up",
        "no lead any more",
        "named 5",
        "a Card goes from player 1's hand to odd place",
    ]


def test_bookkeeping_is_in_the_information_state_but_in_no_story(tmp_path: Path) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(RULES, encoding="utf-8")
    state = random_game(croupier.load(path).new_initial_state(2), random.Random(1))
    quiet = [e for e in state.events(1) if e.quiet]
    assert [(e.kind, e.text) for e in quiet] == [("state", "book is now 1"), ("state", "pages is now 2")]
    assert "book is now 1" in state.information_state(1)


VEILED = """croupier: 1
ruleset: veiled
title: Veiled
players: 2
components:
  Card: {attributes: {n: 1..3}, each: [n], label: "the {n}"}
zones:
  deck: {holds: Card, order: sequence, start: all}
  hand: {holds: Card, per: Player, seen_by: owner}
  table: {holds: Card, seen_by: everybody}
  pile: {holds: Card, order: sequence}
state:
  turns: 0..9 = 0 seen by everybody as "turn {value}"
phases:
  play: |
    for c in deck:
        move c to hand[players.first]
    choose c from hand[players.first] by players.first
        only if "the first": c.n == 1
    move c to table
    choose d from hand[players.first] by players.first as "hide {d}"
        only if "the second": d.n == 2
    move d to pile
    choose e from hand[players.first] by players.first
    turns += 1
    move e to pile
    finish draw
"""


def test_a_choice_that_reads_like_nothing_is_left_out_where_the_move_follows(tmp_path: Path) -> None:
    assert told(tmp_path, 1, VEILED)[3:] == [
        "the 1 goes from hand of player 1 to table",
        "player 1: hide a Card",
        "a Card goes from hand of player 1 to pile",
        "player 1: a Card",
        "turn 1",
        "a Card goes from hand of player 1 to pile",
    ]
    for seat in (None, 0):
        assert told(tmp_path, seat, VEILED)[3:] == [
            "the 1 goes from hand of player 1 to table",
            "player 1: hide the 2",
            "the 2 goes from hand of player 1 to pile",
            "player 1: the 3",
            "turn 1",
            "the 3 goes from hand of player 1 to pile",
        ]


def test_a_choice_is_told_where_the_move_does_not_say_whose_it_was(tmp_path: Path) -> None:
    rules = VEILED.replace(
        "zones:", "zones:\n  bowl: {holds: Card, order: sequence, seen_by: everybody}"
    ).replace("move c to hand", "move c to bowl")
    rules = rules.replace("hand[players.first] by", "bowl by").replace("bowl[players.first]", "bowl")
    assert told(tmp_path, None, rules)[3:5] == ["player 1: the 1", "the 1 goes from bowl to table"]


SHOWN = """croupier: 1
ruleset: shown
title: Shown
players: 2
components:
  Card:
    attributes: {name: text}
    label: "{name}"
    table:
      - {id: sun, name: Sun}
      - id: moon
        name: Moon
        powers: |
          in called(by) if by == owner:
            uses += 1
            move self to pile at bottom
      - id: star
        name: Star
        powers: |
          in called(by) if by == owner:
            announce "a star shines"
            move self to row at bottom
zones:
  hand: {holds: Card, per: Player, seen_by: owner, label: "the hand of {key}", live: true}
  deck: {holds: Card, start: all}
  pile: {holds: Card, order: pile, seen_by: everybody, label: the pile}
  row: {holds: Card, order: sequence, seen_by: everybody, label: the row}
state:
  uses: 0..9 = 0 seen by everybody as ""
definitions: |
  window called(by: Player)
phases:
  play: |
    let me = players.first
    show hand[me] to players.last
    show [c for c in hand[me]] to players.last
    move sun to pile
    for c in [moon, star]:
        move c to hand[me]
        open called(me) to me
    finish draw
"""


def chosen(tmp_path: Path, seat: int | None) -> list[str]:
    path = tmp_path / "shown.yaml"
    path.write_text(SHOWN, encoding="utf-8")
    state = croupier.load(path).new_initial_state(2)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    return [e.text for e in state.events(seat) if not e.quiet and e.kind not in ("phase", "end")]


def test_nothing_is_shown_where_it_is_not_and_the_end_of_a_pile_is_named(tmp_path: Path) -> None:
    assert chosen(tmp_path, 1) == [
        "you see nothing (the hand of player 1)",
        "you see nothing",
        "Sun goes from deck to the pile",
        "a Card goes from deck to the hand of player 1",
        "Moon goes from the hand of player 1 to the bottom of the pile",
        "a Card goes from deck to the hand of player 1",
        "player 1: a Card",
        "a star shines",
        "Star goes from the hand of player 1 to the front of the row",
    ]


def test_a_reaction_of_which_a_seat_reads_nothing_is_left_out_where_the_move_follows(tmp_path: Path) -> None:
    assert [text for text in chosen(tmp_path, 0) if text.startswith("player 1: ")] == [
        "player 1: Moon",
        "player 1: Star",
    ]


TITLED = """croupier: 1
ruleset: titled
title: Titled
players: 2
types:
  Role: [seer, wolf_man]
components:
  Card: {attributes: {n: 1..2}, each: [n], label: "the {n}"}
zones:
  deck: {holds: Card, order: pile, start: all, seen_by: nobody}
state:
  secret: 0..9 = 7
phases:
  night:
    for: r in Role
    phases:
      roles:
        for: c in deck
        phases:
          "{r} looks at {c}, {secret}": |
            announce "{r.rank}"
  after {players.size} nights: |
    for p in players:
        choose n from 1..2 by p
    finish draw
"""


def test_titles_of_phases_name_the_variables_of_their_loops(tmp_path: Path) -> None:
    path = tmp_path / "titled.yaml"
    path.write_text(TITLED, encoding="utf-8")
    state = random_game(croupier.load(path).new_initial_state(2), random.Random(1))
    told = [[e.text for e in state.events(seat) if e.kind == "phase"] for seat in (None, 0)]
    looks = [f"{role} looks at {{}}, {{}}" for role in ("seer", "wolf_man") for _ in (1, 2)]
    assert told[0] == [*(x.format(f"the {i % 2 + 1}", 7) for i, x in enumerate(looks)), "after 2 nights"]
    assert told[1] == [*(x.format("a Card", "…") for x in looks), "after 2 nights"]


CITING = """croupier: 1
ruleset: citing
title: Citing
players: 2
state:
  a: 0..9 = 0 seen by everybody
definitions: |
  def give(n: 0..9):               @QQ-1
      a += n
      if n > 0:                    @QQ-2
          a += 1
          a += 1                   @QQ-3
  def bare(n: 0..9):
      a += n
  after bare(_):                   @QQ-6
      a += 1
phases:
  play: |
    give(1)                        @QQ-4
    bare(1)                        @QQ-5
    for p in players.take(1):      @QQ-7
        a += 1
    choose by players.first:       @QQ-8
        option "go":               @QQ-9
            a += 1
            a = 0                  @QQ-10
    if a > 0:
        a += 2                     @QQ-11
    elif a == 0:                   @QQ-12
        a += 3
    finish draw
"""


def test_an_event_cites_what_the_innermost_citing_clause_around_it_cites(tmp_path: Path) -> None:
    """An option is such a clause, an `elif` too; a definition that cites nothing is told with what calls it
    (scenarios.md, section 1).
    """
    (tmp_path / "citing.yaml").write_text(CITING, encoding="utf-8")
    state = croupier.load(tmp_path / "citing.yaml").new_initial_state()
    state.apply_action(0)
    told = [event.rules for event in state.events() if event.kind in ("state", "decision")]
    assert [" ".join(rules) for rules in told] == [
        "QQ-1",
        "QQ-2",
        "QQ-3",
        "QQ-5",
        "QQ-6",
        "QQ-7",
        "QQ-9",
        "QQ-9",
        "QQ-10",
        "QQ-12",
    ]


HELPING = """croupier: 1
ruleset: helping
title: Helping
players: 2
state:
  a: 0..99 = 0 seen by everybody
  b: 0..99 = 0 seen by everybody
definitions: |
  watch b as n:
      a = 50 + n
  def help(n: 0..9):
      inner(n)
      if n > 5:                    @QQ-1
          a += 1
      a += 1
  def inner(n: 0..9): a += n
  def ask(p: Player):
      choose n from 1..2 by p
      a += n
      inner(1)
      b += 1
  def own(p: Player):              @QQ-2
      ask(p)
  def double(n: 0..9) -> 0..9:
      a += 1
      return n
phases:
  play: |
    help(1)                        @QQ-3
    help(6)                        @QQ-4
    for p in players.take(1):      @QQ-5
        ask(p)
    own(players.first)             @QQ-6
    ask(players.last)
    let n = double(2)              @QQ-7
    finish draw                    @QQ-8
"""


def test_what_helps_several_rules_is_told_with_the_one_that_called_it(tmp_path: Path) -> None:
    """Also through several calls, where it asks and where it gives a value; a watcher is called by nobody."""
    (tmp_path / "helping.yaml").write_text(HELPING, encoding="utf-8")
    state = croupier.load(tmp_path / "helping.yaml").new_initial_state()
    for _ in range(3):
        state.apply_action(0)
    told = [event.rules for event in state.events() if event.kind in ("state", "decision", "end")]
    once = ["QQ-3", "QQ-3", "QQ-4", "QQ-1", "QQ-4"]
    # the choice, a and once more, b, and what watches b
    asked = [[rule, rule, rule, rule, ""] for rule in ("QQ-5", "QQ-2", "")]
    assert [" ".join(rules) for rules in told] == [
        *once,
        *(rule for rules in asked for rule in rules),
        "QQ-7",
        "QQ-8",
    ]


NAMING = """croupier: 1
ruleset: naming
title: Naming
players: 2
components:
  Card:
    attributes: {name: text}
    mutable: {worn: bool = false}
    label: "{name}"
    columns: [id, name]
    table: [[ace, The Ace], [king, The King]]
zones:
  deck: {holds: Card, start: all}
state:
  wanted: Card = ace seen by everybody as "{value} is wanted, {value.name}, worn {value.worn}"
  own: {type: Card per Player, start: ace, seen_by: owner, label: "{key} takes {value}"}
phases:
  play: |
    wanted = king
    own[players.first] = king
    for q in players:
        choose by q:
            option "{wanted}, {wanted.name}, {own[q]}, {own[q].name}": pass
  the {wanted} round: |
    choose n from 1..2 by players.first
    finish draw
"""


def test_a_component_that_a_variable_names_is_told_to_whoever_sees_the_variable(tmp_path: Path) -> None:
    """What never changes in it is known then, too; what changes, where it lies and other components of the
    zone are not.
    """
    (tmp_path / "naming.yaml").write_text(NAMING, encoding="utf-8")
    state = croupier.load(tmp_path / "naming.yaml").new_initial_state()
    state.apply_action(0)
    state.apply_action(0)
    first, second = ([e.text for e in state.events(seat)][1:] for seat in (0, 1))
    wanted, king, ends = "The King is wanted, The King, worn …", "The King, The King", "the The King round"
    assert first == [
        wanted,
        "player 1 takes The King",
        f"player 1: {king}, {king}",
        f"player 2: {king}, …, …",
        ends,
    ]
    assert second == [wanted, f"player 1: {king}, …, …", f"player 2: {king}, The Ace, The Ace", ends]
