"""The page: whole, without network or script, escaped; its pictures have their numbers behind them."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from croupier.cli.guard import guarded
from croupier.cli.lab import interval
from croupier.lab import pictures
from croupier.lab.bounds import SHARE
from croupier.lab.compare import Comparison, Line
from croupier.lab.page_frame import interval_text
from croupier.lab.report import Asked, page, summarise
from croupier.lab.rows import Watch
from croupier.lab.statistics import Estimate, share
from croupier.lab.workers import RunConfig
from croupier.play.match import MatchConfig

EMPTY = {"meta", "line", "circle", "rect", "polyline"}


class Tags(HTMLParser):
    """Counts elements, and tells whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> Tags:
    tags = Tags()
    tags.feed(text)
    assert not tags.open
    return tags


def test_a_page_about_a_ruleset() -> None:
    run = RunConfig("kuhn_poker", MatchConfig(seed=1, backend="auto"), Watch(("stake[me]",)))
    made = page(Asked(run, 50, "Kuhn <poker>", version="1"), jobs=1)
    assert made == page(Asked(run, 50, "Kuhn <poker>", version="1"), jobs=1)
    tags = read(made)
    assert tags.seen.count("svg") == 5 and tags.seen.count("details") == 5 and "script" not in tags.seen
    assert "Kuhn &lt;poker&gt;" in made and "<poker>" not in made
    assert "default-src &#x27;none&#x27;" in made and not re.search(r"(?:src|href)=|url\(|@import", made)
    for words in (
        "Who wins",
        "How long it takes",
        "How it goes: stake[me]",
        "What is chosen",
        "Wilson",
        "player 2",
        "place 2 in turn order",
    ):
        assert words in made
    axes = (
        "share of the wins",
        "share of the games",
        "decisions of a game",
        "how much of the game is over",
        "share of their games that they win",
    )
    for axis in axes:
        assert f">{axis}</text>" in made


@pytest.mark.parametrize(
    ("other", "games", "words", "never"),
    [
        ("leduc_poker", 3000, "More games are longer than not", "Games are longer"),
        ("leduc_poker", 5, "Games were not found to be longer or shorter", "are longer"),
        (
            "kuhn_poker",
            20,
            "B changes nothing that was measured: all 20 games came out the same under both",
            "too few",
        ),
    ],
)
def test_a_page_about_two(other: str, games: int, words: str, never: str) -> None:
    run = RunConfig("kuhn_poker", MatchConfig(seed=1, backend="auto"))
    made = page(Asked(run, games, "A", RunConfig(other, run.setup), "B"), jobs=1)
    read(made)
    told = made.split("What differs")[1].split("<table>")[0]
    assert words in told and never not in told


HOSTILE = """
croupier: 1
ruleset: hostile
title: <script>alert(1)</script>
players: 2
state: {left: 0..40 = 9 seen by everybody, kept: int per Player = 0 seen by everybody}
phases:
  play: |
    for p in turns():
        choose n from 1..3 by p as "<b>{n}</b>"
        left -= min(n, left)
        kept[p] += n
        if left == 0: finish win p as "<img src=x> by {p}"
        if left == 1: finish draw as "</style>'"
"""


def test_a_page_of_simulated_games_is_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "hostile.yaml").write_text(HOSTILE)
    command = [
        "simulate",
        str(tmp_path / "hostile.yaml"),
        "--games",
        "40",
        "--seed",
        "1",
        "--jobs",
        "1",
        "--format",
        "html",
    ]
    assert guarded([*command, "--by", '"<u>{left}</u>"', "--by-turn-order"]) == 0
    made = capsys.readouterr().out
    assert not re.search(
        r"<(?:script|b|u|img)\b|(?:src|href)=|url\(|@import", made.replace("&lt;img src=x&gt;", "")
    )
    assert (
        read(made).seen.count("svg") == read(made).seen.count("details") == 4
        and "default-src &#x27;none&#x27;" in made
    )
    for words in (
        "&lt;script&gt;",
        "&lt;u&gt;0&lt;/u&gt;: player 2",
        "place 2 in turn order",
        "&lt;/style&gt;&#x27;",
        "that somebody won",
        "digest",
    ):
        assert words in made
    assert guarded([*command, "--measure", "kept[me] - left"]) == 0
    made = capsys.readouterr().out
    assert (
        "kept[me] - left of player 2" in made
        and "The games by kept[me] - left of player 1" in made
        and "95 % interval" in made
    )
    stopped = ["simulate", "kuhn_poker", "--games", "3", "--bots", "first", "--format", "html"]
    assert guarded(stopped) == 0 and "the same in every game" in capsys.readouterr().out


HALF = """croupier: 1
ruleset: half
title: Half
players: 2
limits: {decisions: 20}
phases:
  play: |
    choose n from 1..2 by chance
    if n == 1: finish draw as "even"
    repeat:
        choose k from 1..2 by players.first
"""


def test_a_page_says_that_its_shares_are_of_finished_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "half.yaml").write_text(HALF)
    assert (
        guarded(
            [
                "simulate",
                str(tmp_path / "half.yaml"),
                "--games",
                "20",
                "--seed",
                "1",
                "--jobs",
                "1",
                "--format",
                "html",
            ]
        )
        == 1
    )
    made = capsys.readouterr().out
    finished = int(re.search(r"is told of the (\d+) finished games", made)[1])  # type: ignore[index]
    assert 0 < finished < 20 and "share of the finished games" in made


def test_what_is_drawn_is_escaped_and_stays_inside() -> None:
    drawn = pictures.forest([('<b>"&', share(1, 2)), ("x" * 60, share(0, 3))], 0.0, 1.0, "<label>", mark=0.5)
    assert "<b>" not in drawn and "&lt;b&gt;" in drawn and 'aria-label="&lt;label&gt;"' in drawn
    assert all(0 <= float(x) <= pictures.WIDTH for x in re.findall(r' (?:x|x1|x2|cx)="([^"]+)"', drawn))
    assert pictures.histogram([("a", [1.0, 1.0, 9.0]), ("b", [2.0])], "two").count("<rect") == 2 * 3 + 2
    assert (
        pictures.histogram([("a", [])], "none") == ""
        and pictures.percent(-0.0001) == "0.0%"
        and pictures.number(-0.0) == "0"
    )
    two = pictures.forest(
        [("as the Seer I saw the Werewolf and the Villager at the centre", share(1, 2))],
        0.0,
        1.0,
        "two lines",
    )
    assert two.count("<tspan") == 2 and "…" not in two
    read(pictures.rising([0.0, 1.0], "rising", "decided", band=0.1))


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    arguments = ["report", "tic_tac_toe", "--games", "10", "--seed", "1", "--jobs", "1", "--out", str(out)]
    assert guarded(arguments) == 0 and out.read_text().startswith("<!doctype html>")
    assert guarded(arguments) == 2 and "page.html" in capsys.readouterr().err


RACE = Path(__file__).parent / "race"
PLANTED = {
    "unfair": ("favours player 1, who wins", "More games are shorter than not", "changes nothing"),
    "longer": ("No player was found to win more or less", "More games are longer than not", "favours"),
    "same": (
        "The race, same changes nothing that was measured: all 150 games came out the same under both.",
        "",
        "favours",
    ),
}


@pytest.mark.parametrize("variant", PLANTED)
def test_what_was_planted_in_a_variant_is_said_in_words(variant: str) -> None:
    """One variant gives a player points to begin with, one has twice as far to go, one writes a six down as
    two threes.
    """
    run = RunConfig(str(RACE / "ruleset.yaml"), MatchConfig(seed=1, backend="auto"))
    against = replace(run, source=str(RACE / "variants" / f"{variant}.yaml"))
    words = (
        page(Asked(run, 150, "The race", against, f"The race, {variant}"), jobs=1)
        .split("What differs")[1]
        .split("<table>")[0]
    )
    first, second, never = PLANTED[variant]
    assert first in words and second in words and never not in words


@pytest.mark.parametrize(("calls", "head"), [(40, "Half: "), (170, "Nothing here is about The race, same")])
def test_a_page_that_was_interrupted_says_so_at_its_head(calls: int, head: str) -> None:
    """Told to stop while the first games are played, and while those of the other ruleset are."""
    run = RunConfig(str(RACE / "ruleset.yaml"), MatchConfig(seed=1, backend="auto"))
    against = replace(run, source=str(RACE / "variants" / "same.yaml"))
    asked = [0]

    def should_stop() -> bool:
        asked[0] += 1
        return asked[0] > calls

    made = page(Asked(run, 150, "The race", against, "The race, same"), jobs=1, should_stop=should_stop)
    assert head in made.split("<h2>")[0]
    assert "Half: " not in page(Asked(run, 20, "The race", None, ""), jobs=1)


@pytest.mark.parametrize(
    ("low", "high", "shares", "words"),
    [
        (456.12, 456.31, False, "456.1 to 456.3"),
        (455.0, 457.0, False, "455 to 457"),
        (12345.2, 12345.4, False, "12,345.2 to 12,345.4"),
        (0.50001, 0.50012, True, "50.00% to 50.01%"),
        (0.4, 0.6, True, "40.0% to 60.0%"),
    ],
)
def test_an_interval_never_looks_as_if_it_had_no_width(
    low: float, high: float, shares: bool, words: str
) -> None:
    found = Estimate((low + high) / 2, low, high, 1000, "normal")
    assert interval_text(found, shares) == words
    assert len(set(interval(found, shares).split(" to "))) == 2


def test_words_about_a_planned_comparison_go_by_its_tests() -> None:
    """The probability (Holm) finds a difference that the wider interval (Bonferroni) just does not."""
    line = Line("wins of player 1", SHARE.differences(SHARE), 0.99, is_share=True, is_planned=True)
    for pair, times in {(0, 1): 20, (1, 0): 8, (0, 0): 72}.items():
        for _ in range(times):
            line.add(*pair)
    found = Comparison("rules", 2, [line], pairs=100, is_planned=True)
    found.test()
    assert line.is_found and not line.difference.excludes_zero
    assert (
        summarise(found, "A", "B")
        == "B favours player 1, who wins 20.0% of its games, and 8.0% of those of A."
    )
