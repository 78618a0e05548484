"""Playing by hand, with what is typed written down: choosing, asking why, taking back, saving, going on,
leaving.
"""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from croupier.cli import main

RULES = """\
croupier: 1
ruleset: parlour
title: Parlour
players: 2
types:
  Colour: [red, green]
components:
  Card:
    attributes: {colour: Colour, value: 1..3}
    each: [colour, value]
    label: "{colour} {value}"
zones:
  hand: {holds: Card, per: Player, seen_by: owner}
  deck: {holds: Card, order: pile, start: all}
  row: {holds: Card, order: sequence, seen_by: everybody}
state:
  secret: 0..9 = 3
  known: bool = false seen by everybody
  points: 0..9 per Player = 0 seen by everybody
phases:
  deal: |
    for p in players:
        draw 2 from deck to hand[p]
  turns: |
    let p = players.first
    choose 1..2 cs from hand[p] by p as "lay"
    for c in cs:
        move c to row
    choose by p:
        option "count":
            points[p] += row.size
        option "guess":
            known = secret == 3
        option "look":
            draw 1 from deck to hand[p]
        option "ask":
            tell p that "it is {secret}"
        option "die" if known: pass
    choose n from 1..3 by p
        only if "not two": n != 2
    choose v from 1..2 by every q in players
    choose m from 1..3 by p
    finish win p
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "parlour.yaml").write_text(RULES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@dataclass(frozen=True)
class Sat:
    code: int
    out: str
    err: str


@pytest.fixture
def sit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Sat]:
    def run(typed: str, *arguments: str) -> Sat:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        given = arguments or ("parlour.yaml", "--seed", "1")
        bots = () if {"--bots", "--from"} & {*given} else ("--bots", "random")
        code = main(["play", *given, *bots])
        captured = capsys.readouterr()
        return Sat(code, captured.out, captured.err)

    return run


def actions(path: Path) -> list[tuple[int, int]]:
    saved = json.loads(path.read_text())
    steps = [step.get("actions", [step]) for step in saved["actions"]]
    return [(choice["seat"], choice["action"]) for step in steps for choice in step]


WHOLE = "lay: green 2\ndone\ncount\n1\n1\n3\n"


def test_a_whole_game(sit: Callable[..., Sat]) -> None:
    sat = sit(WHOLE)
    assert sat.code == 0 and "player 1 wins" in sat.out and not list(Path().glob("*.json"))
    assert "points of player 1 is now 1" in sat.out
    assert "player 1: done" not in sat.out, "what was chosen was told when it was"


def test_numbers_and_words_come_to_the_same(sit: Callable[..., Sat]) -> None:
    sit("lay: green 2\ndone\nCOUNT\n3\n1\n3\n", "parlour.yaml", "--seed", "1", "--save", "words.json")
    sit("1\n1\n1\n3\n1\n3\n", "parlour.yaml", "--seed", "1", "--save", "numbers.json")
    assert actions(Path("words.json")) == actions(Path("numbers.json"))


AUCTION = """\
croupier: 1
ruleset: auction
title: Auction
players: 2
state:
  paid: 0..9 seen by everybody
phases:
  p: |
    choose n from 3..6 by players.first
    choose b from 3..6 by players.first as "bid"
    may choose m from 3..6 by players.first:
        paid = m
    choose by players.first:
        option "take {x}" for x in [7, 2]: paid = x
        option "2": pass
    finish draw
"""


def test_the_number_in_front_is_what_is_typed(sit: Callable[..., Sat], folder: Path) -> None:
    (folder / "auction.yaml").write_text(AUCTION)
    sat = sit("4\n1\n4\nno\n2\n", "auction.yaml", "--save", "game.json")
    assert (
        "  4  4\n" in sat.out
        and "  4  bid: 4\n" in sat.out
        and "     no\n" in sat.out
        and "  2  take 7\n  3  2\n" in sat.out
    )
    assert "paid is now 7" in sat.out and "`1` cannot be chosen:\n  it must be from 3 to 6" in sat.out
    chosen = [step["choice"] for step in json.loads(Path("game.json").read_text())["actions"]]
    assert [c.get("value") for c in chosen[:2]] == [4, 4]


def test_the_command_that_goes_on_works_in_any_folder(
    sit: Callable[..., Sat], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = sit("1\nquit\n").out
    command = shlex.split(left.split("continue with: ")[1].splitlines()[0])
    assert command[:2] == ["croupier", "play"]
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert "player 1 wins" in sit(WHOLE.partition("\n")[2], *command[2:]).out
    assert sit("", "--from", command[-1]).code == 2


def test_a_conversation_is_on_one_stream(sit: Callable[..., Sat]) -> None:
    assert sit("why\n99\nundo\nhelp\n" + WHOLE).err == ""


def test_only_what_the_seat_may_see(sit: Callable[..., Sat]) -> None:
    out = sit("look\nlog\n").out
    assert (
        "everybody draws 2 Cards from the deck, player 1 green 3 and green 2" in out and "secret" not in out
    )
    hidden = {"red 1", "red 2", "red 3", "green 1", "green 2", "green 3"} - {"green 2", "green 3"}
    assert not [name for name in hidden if name in out]


def test_why(sit: Callable[..., Sat]) -> None:
    sat = sit("why red 1\nwhy done\nwhy\nwhy lay: green 3\nwhy lay\nnonsense\n99\n1\n1\ncount\nwhy 2\n2\n")
    assert sat.out.count("“not two” does not hold") == 2
    assert "`red 1` cannot be chosen:\n  you do not see where it is; this chooses from " in sat.out
    assert "something must be chosen" in sat.out and "why what?" in sat.out
    assert "`lay: green 3` can be chosen: it is number 2" in sat.out
    assert "what `lay` may mean can be chosen: `lay: green 2`, `lay: green 3`" in sat.out
    assert (
        "nothing here is called `nonsense`" in sat.out and "there is no number 99: choose 1 to 2" in sat.out
    )
    assert "“not two” does not hold" in sat.out


def test_words_of_one_of_several_alike(sit: Callable[..., Sat], tmp_path: Path) -> None:
    """The mere words of an option choose it where its label says more, whichever of several that are alike is
    offered.
    """
    ruleset = tmp_path / "alike.yaml"
    ruleset.write_text(
        "croupier: 1\nruleset: alike\ntitle: Copies\nplayers: 2\ntypes: {Kind: [fan, lamp]}\n"
        'components: {Card: {attributes: {kind: Kind}, each: [kind], copies: 3, label: "{kind}"}}\n'
        "zones: {row: {holds: Card, order: sequence, seen_by: everybody, start: all}}\n"
        "phases:\n  play: |\n    move row[3] to row at bottom\n"
        '    choose c from row by players.first merging kind as "lay"\n    choose b from row by '
        'players.first as "take"\n'
    )
    sat = sit("why lamp\nlamp\nquit\n", str(ruleset))
    assert "`lay: lamp` can be chosen: it is number 2" in sat.out and "player 1 lays lamp" in sat.out
    assert "continue with" in sat.out


def test_a_game_that_is_over_is_not_gone_on_with(sit: Callable[..., Sat]) -> None:
    out = sit(WHOLE, "parlour.yaml", "--seed", "1", "--save", "whole.json").out
    assert "seed" not in out[: out.rindex(" win")] and "seed 1" in out, (
        "before the end, it would tell what is hidden"
    )
    assert "saved as whole.json" in out and "continue with" not in out


@pytest.mark.parametrize(
    ("typed", "possible"),
    [
        ("1\nundo\n", True),  # one of one's own cards, chosen but not played yet
        ("1\n1\nundo\n", True),  # and played: everybody sees only what this seat saw before
        ("1\n1\ncount\nundo\n", False),  # the rules announce something while a hand is hidden
        ("1\n1\nguess\nundo\n", False),  # reads what is hidden
        ("1\n1\nlook\nundo\n", False),  # a card that nobody saw
        ("1\n1\nask\nundo\n", False),  # told
        ("1\n1\ncount\n1\n1\nundo\n", False),  # somebody else chose at the same time
    ],
)
def test_undo(sit: Callable[..., Sat], typed: str, possible: bool) -> None:
    sat = sit(typed)
    assert "taken back" in sat.out and ("cannot be taken back" not in sat.out) == possible


def test_what_is_taken_back_may_be_done_otherwise(sit: Callable[..., Sat]) -> None:
    sat = sit("2\nundo\n1\n1\ncount\n1\n1\n3\n", "parlour.yaml", "--seed", "1", "--save", "game.json")
    straight = sit("1\n1\ncount\n1\n1\n3\n", "parlour.yaml", "--seed", "1", "--save", "straight.json")
    assert sat.code == straight.code == 0
    assert Path("game.json").read_text() == Path("straight.json").read_text()


def test_leaving_saves_and_going_on_is_the_same_game(sit: Callable[..., Sat]) -> None:
    sit(WHOLE, "parlour.yaml", "--seed", "1", "--save", "whole.json")
    parts = WHOLE.splitlines(keepends=True)
    for at in range(1, len(parts)):
        left = sit(
            "".join(parts[:at]) + ("quit\n" if at % 2 else ""),
            "parlour.yaml",
            "--seed",
            "1",
            "--save",
            f"left{at}.json",
        )
        assert left.code == 0 and f"saved as left{at}.json" in left.out
        on = sit("".join(parts[at:]), "parlour.yaml", "--from", f"left{at}.json", "--save", f"on{at}.json")
        assert on.code == 0
        assert actions(Path(f"on{at}.json")) == actions(Path("whole.json"))
        assert (
            json.loads(Path(f"on{at}.json").read_text())["final_hash"]
            == json.loads(Path("whole.json").read_text())["final_hash"]
        )


def test_a_saved_game_can_be_replayed(sit: Callable[..., Sat]) -> None:
    sit("1\nsave mine.json\nsave mine.json\n")
    assert json.loads(Path("mine.json").read_text())["bots"] == ["person", "random"]
    assert main(["replay", "mine.json", "--ruleset", "parlour.yaml"]) == 0


def test_nothing_is_overwritten(sit: Callable[..., Sat]) -> None:
    Path("parlour-1.json").write_text("mine")
    Path("other.json").write_text("mine")
    sat = sit("1\nsave other.json\n")
    assert "X530" in sat.out and "saved as parlour-2.json" in sat.out
    assert Path("parlour-1.json").read_text() == Path("other.json").read_text() == "mine"
    assert sit("", "parlour.yaml", "--save", "other.json").code == 2


def test_a_typed_save_takes_the_file_that_was_named(sit: Callable[..., Sat]) -> None:
    sat = sit(
        "save\n1\nsave /no/folder/x\nsave parlour.yaml\n", "parlour.yaml", "--save", "mine.json", "--force"
    )
    assert Path("mine.json").exists() and not Path("parlour-1.json").exists()
    assert (
        "there is no such folder" in sat.out
        and "X533" in sat.out
        and "ruleset: " in Path("parlour.yaml").read_text()
    )


@pytest.mark.parametrize(
    "typed", ["save other.json", "save --force other.json", "save other.json --force", "save --other"]
)
def test_saving_advises_what_can_be_typed(sit: Callable[..., Sat], typed: str) -> None:
    Path("other.json").write_text("mine")
    sat = sit(f"1\n{typed}\n")
    answered = sat.out.partition("player 1> ")[2].partition("player 1> ")[2].partition("player 1> ")[0]
    assert ("--" in typed or "help: choose another name\n" in answered) and "--force" not in answered
    assert (
        sorted(path.name for path in Path().glob("*other*")) == ["other.json"]
        and Path("other.json").read_text() == "mine"
    )


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("1\nundo\n2\n2\n2\n", 1),
        ("1\n1\nundo\nundo\n2\n2\n2\n", 2),
        ("1\nundo\nundo\n2\n2\n2\n", 1),
        ("2\n2\n2\n", 0),
    ],
)
def test_a_decision_with_one_option_is_taken_back_with_the_one_before(
    sit: Callable[..., Sat], typed: str, taken: int
) -> None:
    sources = ("[7]", "1..2", "[7]", "[7]", "1..2", "[7]", "1..2")
    play = (
        "".join(f"    choose d{i} from {source} by players.first\n" for i, source in enumerate(sources))
        + "    finish draw\n"
    )
    Path("one.yaml").write_text(
        f"croupier: 1\nruleset: one\ntitle: One\nplayers: 2\nphases:\n  play: |\n{play}"
    )
    sat = sit(typed, "one.yaml", "--seed", "1", "--save", "one.json")
    assert sat.code == 0 and sat.out.count("taken back") == taken
    actions = json.loads(Path("one.json").read_text())["actions"]
    assert [step["choice"]["value"] for step in actions] == [7, 2, 7, 7, 2, 7, 2]


@pytest.mark.parametrize("typed", ["undo\n", "1\nundo\nundo\n"])
def test_there_is_nothing_to_take_back(sit: Callable[..., Sat], typed: str) -> None:
    assert "there is no decision of yours left to take back" in sit(typed).out


def test_what_was_decided_before_a_game_went_on_is_not_taken_back(sit: Callable[..., Sat]) -> None:
    sit("1\n", "parlour.yaml", "--seed", "1", "--save", "left.json")
    out = sit("undo\n", "parlour.yaml", "--from", "left.json").out
    assert "what was decided before you went on with this game cannot be taken back" in out


@pytest.mark.parametrize(
    ("answers", "code", "name"),
    [
        ("no/x.json\nfolder/mine.json\n", 0, "folder/mine.json"),
        ("folder\n", 0, "folder/parlour-1.json"),
        ("\n", 2, ""),
        ("", 0, "last/parlour-1.json"),
    ],
)
def test_where_nothing_can_be_written(
    sit: Callable[..., Sat], folder: Path, answers: str, code: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = tempfile.mkstemp

    def refuse(dir: Path, **more: str) -> tuple[int, str]:
        if dir == Path():
            raise PermissionError(13, "Permission denied")
        return write(dir=dir, **more)

    (folder / "folder").mkdir()
    (folder / "last").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder / "last"))
    monkeypatch.setattr("tempfile.mkstemp", refuse)
    sat = sit("1\nquit\n" + answers)
    assert sat.code == code and "permission denied" in sat.out and "another file or folder" in sat.out
    assert [path.relative_to(folder).as_posix() for path in folder.rglob("*.json")] == (
        [name] if name else []
    )


@pytest.mark.parametrize(
    ("answers", "name"), [("folder\n", "folder/parlour-1.json"), ("", "last/parlour-1.json")]
)
def test_where_the_file_of_before_cannot_be_written_any_more(
    sit: Callable[..., Sat], folder: Path, answers: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, drafts = tempfile.mkstemp, list[Path]()

    def refuse(dir: Path, **more: str) -> tuple[int, str]:
        drafts.append(dir)
        if dir.name == "gone" and len(drafts) > 1:
            raise PermissionError(13, "Permission denied")
        return write(dir=dir, **more)

    for inner in ("gone", "folder", "last"):
        (folder / inner).mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder / "last"))
    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert sit("1\nsave gone/kept.json\nquit\n" + answers).code == 0
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.json")) == sorted(
        ["gone/kept.json", name]
    )


def test_the_file_that_was_saved_last_is_written_at_the_end(sit: Callable[..., Sat]) -> None:
    sat = sit("save z.json\nsave a.json\n1\nquit\n")
    assert sat.out.count("saved as a.json") == 2 and sat.out.count("saved as z.json") == 1


def test_ctrl_c_saves(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Keyboard(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            line = super().readline(-1 if size is None else size)
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr(sys, "stdin", Keyboard("1\n"))
    assert main(["play", "parlour.yaml", "--seed", "1"]) == 130
    assert "saved as parlour-1.json" in capsys.readouterr().out and Path("parlour-1.json").exists()


def test_an_end_before_anything_was_played(sit: Callable[..., Sat], folder: Path) -> None:
    (folder / "at_once.yaml").write_text(
        "croupier: 1\nruleset: at_once\ntitle: At Once\nplayers: 2\nphases:\n  p: |\n    choose n from "
        "1..2 by players.first\n    finish draw\n"
    )
    sat = sit("", "at_once.yaml")
    assert sat.code == 0 and "nothing is saved" in sat.out and not list(folder.glob("*.json"))


@pytest.mark.parametrize(
    "typed",
    [
        "\x1b[31m\n",
        "\u202e\n",
        "\n" * 50,
        "9" * 5_000 + "\n",
        "x" * 5_000 + "\n",
        "save /nowhere/at/all.json\n",
        "0\n-1\n",
        "²\n",
    ],
)
def test_odd_input_is_answered_in_words(sit: Callable[..., Sat], typed: str) -> None:
    sat = sit(typed + WHOLE)
    assert sat.code == 0 and "player 1 wins" in sat.out
    assert "\x1b" not in sat.out + sat.err and "\u202e" not in sat.out + sat.err


def test_several_seats(sit: Callable[..., Sat]) -> None:
    sat = sit("1\n1\ncount\n1\n1\n2\n3\n", "parlour.yaml", "--seed", "1", "--seat", "1,2")
    assert sat.code == 0 and "you are players 1 and 2 of 2" in sat.out and "player 2 decides" in sat.out


def test_single_options_are_taken_unless_asked_for(sit: Callable[..., Sat], folder: Path) -> None:
    (folder / "one.yaml").write_text(
        "croupier: 1\nruleset: one\ntitle: One\nplayers: 2\nphases:\n  p: |\n    choose n from 1..1 by "
        "players.first\n    finish draw\n"
    )
    assert "has one thing to do: 1" in sit("", "one.yaml").out
    assert "player 1 decides" in sit("1\n", "one.yaml", "--every-decision").out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["parlour.yaml", "--seat", "3"],
        ["parlour.yaml", "--seat", "0"],
        ["parlour.yaml", "--seat", "one"],
        ["parlour.yaml", "--bots", "clever"],
        ["--from", "game.json", "--seed", "1"],
    ],
)
def test_wrong_usage(
    sit: Callable[..., Sat], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    sit("1\n", "parlour.yaml", "--save", "game.json")
    assert main(["play", *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "{}", "[", '{"croupier": 1}', "\x00"])
def test_a_saved_game_that_is_none(sit: Callable[..., Sat], text: str) -> None:
    Path("bad.json").write_text(text)
    assert sit("", "parlour.yaml", "--from", "bad.json").code == 2


ROUNDS = """\
croupier: 1
ruleset: rounds
title: Rounds
players: 3
state:
  paid: 0..99 = 0 seen by everybody
phases:
  quiet: |
    pass
  rounds:
    for: r in 1..2
    phases:
      bid {r}: |
        choose n from 1..2 by players.first as "bid"
        paid += n
  team: |
    choose 2 team from players by players.first
    choose 1..2 more from [5, 7] by players.first
    choose any rest from [3, 4] by players.first
    announce "{team[1]} and {team[2]}"
  vote: |
    choose v from 1..2 by every p in players
    announce "voted"
scoring: finish draw
"""


def test_where_one_stands_and_how_many_are_chosen(sit: Callable[..., Sat], folder: Path) -> None:
    (folder / "rounds.yaml").write_text(ROUNDS)
    out = sit("1\nlog\n2\nwhy player 3\n2\n1\n5\n7\ndone\n1\n", "rounds.yaml", "--seed", "1").out
    for wanted in (
        "bid 1\n\npaid: 0\n", "\n\nplayer 1 decides · bid 1: bid\n", "bid 2\n\npaid: 1\n",
        "\n\nplayer 1 decides · bid 2",
        "bid 1\n  player 1 bids 1, paid is now 1\nbid 2\nplayer 1> ",
        "\n\nplayer 1 decides · team  (undo is possible)\n  choose 2, one by one in this order\n"
        "  1  player 1\n  2  player 2\n",
        "2 are chosen, in this order, and too few come after it: take others first, then it",
        "choose 1 to 2, one by one in this order\n", "choose any number, one by one in this order\n",
    ):  # fmt: skip
        assert wanted in out, wanted
    assert "choose 1 to 2, one by one in this order; taken so far: 5\n" in out and "quiet" not in out


def test_several_are_taken_at_once_and_the_table_is_drawn(sit: Callable[..., Sat], folder: Path) -> None:
    (folder / "rounds.yaml").write_text(ROUNDS)
    sit("1\n1\n1\n1\n5\n7\n3\ndone\n1\n", "rounds.yaml", "--seed", "1", "--save", "single.json")
    sit("1\n1\n2 1\n7, 5\n3 Done\n1\n", "rounds.yaml", "--seed", "1", "--save", "several.json")
    assert actions(Path("single.json")) == actions(Path("several.json"))
    out = sit("table\nquit\n", "parlour.yaml", "--seed", "1", "--names", "Anna,Ben").out
    assert 2 == out.count("Anna (you, to act)\n") and "[1] " in out and "face down" in out, (
        "above the question, and when it is asked for"
    )


MARKET = """\
croupier: 1
ruleset: market
title: Market
players: 1
types:
  Good: [wool, salt, tin]
state:
  money: 0..99 per Player = 7 seen by everybody
  tide: 0..9 = 3 seen by everybody as "the tide stands at {value}"
phases:
  sale: |
    choose by players.first:
        option "sell {g} for {n}" for g in Good for n in 1..60: pass
        option "leave": pass
    finish win players.first
"""


def test_many_options_stand_together_and_are_filtered(sit: Callable[..., Sat], folder: Path) -> None:
    (folder / "market.yaml").write_text(MARKET)
    out = sit(
        "/salt for 5\nsell tin\nsell salt for 61\noptions all\nsell tin for 60\n",
        "market.yaml",
        "--seed",
        "1",
    ).out
    first, filtered, begun, refused, every = out.split("player 1> ")[:5]
    assert "at the start: money of player 1: 7, the tide stands at 3\n" in first
    assert "\n  sell wool for: 1 1 · 2 2 ·" in first and "\n  sell salt for: 61 1 ·" in first
    assert (
        "\n  … and 61 more: `/WORDS`" in first
        and "tin" not in first
        and max(map(len, first.splitlines())) <= 100
    )
    assert next(int(line[:4]) for line in filtered.splitlines() if "sell salt for 5" in line) == 65
    assert "wool" not in filtered and "tin" not in filtered
    assert "sell tin for: 121 1 ·" in begun and "wool" not in begun, "words that several options begin with"
    assert "salt" in refused and "sell wool for" not in refused
    assert "sell tin for: 121 1 ·" in every and "leave" in every and "player 1 wins" in out


@pytest.mark.parametrize("seats", [("--seat", "1,2"), ("--seat", "1", "--seat", "2")])
def test_what_two_seats_perceive_alike_is_told_once(
    sit: Callable[..., Sat], folder: Path, seats: tuple[str, ...]
) -> None:
    (folder / "rounds.yaml").write_text(ROUNDS)
    out = sit("1\n1\n1\n1\n5\n7\ndone\n1\n2\n", "rounds.yaml", "--seed", "1", *seats).out
    assert "you are players 1 and 2 of 3" in out
    told = [
        "paid is now 1\n",
        "paid is now 2\n",
        "player 1 and player 2\n",
        "voted\n",
        "  a draw\n",
        "bid 2\n\n",
        "player 2 chooses 2\n",
    ]
    assert {words: out.count(words) for words in told} == dict.fromkeys(told, 1)


def test_whose_view_begins_is_told(sit: Callable[..., Sat]) -> None:
    """Two seats: each is told the beginning whole, behind a heading; who decides comes last.

    One seat needs no heading.
    """
    begun = sit("1\n1\ncount\nquit\n", "parlour.yaml", "--seed", "1", "--seat", "1,2").out.partition(
        "player 1 decides"
    )[0]
    first, second, rest = begun.split(" sees\n")
    assert first.endswith("\nplayer 2") and second.endswith("\nplayer 1")
    for text, seat, other in ((second, 2, 1), (rest, 1, 2)):
        assert text.count(f"everybody draws 2 Cards from the deck, player {seat} ") == 1
        assert f"player {other} red" not in text and f"player {other} green" not in text
    assert second.startswith("deal\n") and rest.startswith("deal\n")
    sat = sit("1\n1\ncount\n3\n2\n1\n3\n", "parlour.yaml", "--seed", "1", "--seat", "1,2")
    later = sat.out.partition("player 1 decides")[2]
    assert "\nplayer 2 sees\n  player 1 lays a Card\n\n" in later
    assert " sees\n" not in sit("1\n1\nquit\n").out


def test_a_game_that_goes_on_is_told_to_each_seat(sit: Callable[..., Sat]) -> None:
    sit("1\n1\ncount\nquit\n", "parlour.yaml", "--seed", "1", "--seat", "1,2", "--save", "game.json")
    out = sit("", "parlour.yaml", "--seat", "1,2", "--from", "game.json").out
    assert out.count("points of player 1 is now 1") == 2 and out.count(" sees\n") == 2


def test_who_chooses_at_the_same_time_reads_its_own_choice_first(sit: Callable[..., Sat]) -> None:
    """As in the log of that seat; the referee's log has the order of the seats."""
    sit("1\n1\ncount\n1\n1\n2\nquit\n", "parlour.yaml", "--seed", "1", "--seat", "1,2", "--save", "game.json")
    for seat, first, second in (
        ("1", "player 1 chooses 1", "player 2 chooses 2\n"),
        ("2", "player 2 chooses 2", "player 1 chooses 1\n"),
    ):
        told = sit("log\n", "parlour.yaml", "--seat", seat, "--from", "game.json").out
        assert told.rindex(first) < told.rindex(second)


def test_a_full_screen_needs_a_terminal(sit: Callable[..., Sat]) -> None:
    sat = sit("1\n", "parlour.yaml", "--screen")
    assert (sat.code, sat.out) == (
        2,
        "",
    ) and sat.err == "croupier: `--screen` needs a terminal; without it the game is played line by line\n"


def test_a_name_may_be_a_word_of_the_game(sit: Callable[..., Sat]) -> None:
    """Kuhn poker has an option `bet`; who is called so can take it, and is refused by the words that were
    typed.
    """
    sat = sit("bet\nquit\n", "kuhn_poker", "--names", "Bet,Ann", "--seed", "1", "--save", "kuhn.json")
    assert "Bet bets" in sat.out and "nothing here is called" not in sat.out
    assert (
        "`bet` cannot be chosen"
        in sit(
            "check\nbet\nquit\n", "kuhn_poker", "--names", "Bet,Ann", "--seed", "1", "--save", "two.json"
        ).out
    )


def test_a_symbol_that_stands_in_the_label_is_drawn_once(sit: Callable[..., Sat]) -> None:
    out = sit("quit\n", "hearts", "--seed", "1").out
    assert "♣ 4" in out and "♣ ♣" not in out


MATCHES = """\
croupier: 1
ruleset: matches
title: Matches
players: 2
state:
  left: 0..20 = 6 seen by everybody
  luck: 0..9 = 3 HIDDEN
phases:
  play: |
    for p in turns():
        choose n from 1..3 by p as "take {n}"
            only if "as many are left": n <= left
        left -= n
        if left == 0: finish win p
"""


@pytest.mark.parametrize(("hidden", "family"), [("seen by everybody", "mcts"), ("", "ismcts")])
def test_a_bot_is_asked_what_it_would_do(
    sit: Callable[..., Sat], folder: Path, hidden: str, family: str
) -> None:
    """From 6 matches 2 leave 4, which loses whatever is taken. It looks at nothing that is hidden."""
    (folder / "matches.yaml").write_text(MATCHES.replace("HIDDEN", hidden))
    asked = f"bot {family}:200\nbot mcts:200\nbot\nquit\n"
    sat = sit(asked, "matches.yaml", "--seed", "1", "--bots", "random")
    exact, second, moment = (part.splitlines() for part in sat.out.split("player 1> ")[1:4])
    headline, heading, *rows = exact
    assert re.fullmatch(rf"{family}:200, after \d\.\d+ s: take 2", headline)
    assert heading.split() == ["option", "visits", "worth"]
    figures = [re.fullmatch(r" +(\d) take (\d) +(\d+) %   (\d\.\d\d)", row) for row in rows[:3]]
    assert [found and found[1] == found[2] for found in figures] == [True] * 3
    assert rows[3:] == ["worth: from about 0 (bad for you) to about 1 (good)"]
    shares = [int(found[3]) for found in figures if found]
    assert figures[0] and figures[0][1] == "2" and 99 <= sum(shares) <= 101 and shares[0] == max(shares)
    refused = ["`mcts:200` would look at what is hidden from you: ask `ismcts`"]
    assert (second == refused) == (family == "ismcts")
    assert re.fullmatch(rf"{family}:\d+, after \d\.\d+ s: take 2", moment[0])
    assert "nothing was played" in sat.out


def test_what_is_no_bot_that_searches_is_told(sit: Callable[..., Sat]) -> None:
    sat = sit("bot random\nbot a b\nbot ismcts:x\nbot ismcts:4\nbot ismcts:1\nquit\n")
    assert "`random` does not search: write `mcts:N` or `ismcts:N`" in sat.out
    assert "`bot` knows one bot at a time" in sat.out and "the bot `ismcts` wants a number" in sat.out
    assert "4 rounds for 2 options say little: `bot ismcts:20` takes longer" in sat.out
    assert "1 round for 2 options says little" in sat.out


def test_a_screen_reader_is_told_option_by_option(sit: Callable[..., Sat]) -> None:
    sat = sit("bot ismcts:20\nquit\n", "parlour.yaml", "--seed", "1", "--spoken")
    assert re.search(r"^1 lay: green 2: \d+ % of the visits, worth \d\.\d\d$", sat.out, re.MULTILINE)
