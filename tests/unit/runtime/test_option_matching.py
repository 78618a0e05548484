"""What somebody typed and the options that it means: a table of cases.

Options stand between bars: `{1}` is the first player, `{#10}` a number, `[BAT]` a thing of the game by its
words. `meant` are the options as they are shown, `names` those of the players.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from croupier.narration import Names
from croupier.runtime.option_matching import Meant, containing, meant, seat_number
from croupier.text import Number, Part, Seat, Text, Thing

with Path(__file__).with_name("option_matching.csv").open(encoding="utf-8", newline="") as file:
    CASES = list(csv.DictReader(file))


def option(written: str) -> Text:
    """The text of an option of the table."""
    return Text.of(*map(part, re.split(r"(\{.*?\}|\[.*?\])", written)))


def part(written: str) -> Part:
    if written.startswith("{#"):
        return Number(int(written[2:-1]))
    if written.startswith("{"):
        return Seat(int(written[1:-1]) - 1)
    if written.startswith("["):
        inner = re.split(r"(\{.*?\})", written[1:-1])
        return Thing("component", Text.of(*map(part, inner)), 0)
    return written


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_what_is_meant(case: dict[str, str]) -> None:
    names = Names(case["names"].split(";") if case["names"] else ())
    options = [option(written) for written in case["options"].split("|")]
    found = meant(case["typed"], options, names)
    assert "|".join(names(options[i]) for i in found.options) == case["meant"]
    assert found.is_exact == (case["exact"] == "yes")


def test_the_nearest_is_named_where_none_is_meant() -> None:
    options = [option("discard [BAT]"), option("rob {1}")]
    assert meant("dicsard bat", options) == Meant((), nearest=0)
    assert meant("rob Ana", options, Names(["Anna"])) == Meant((), nearest=1)
    assert meant("something else", options) == Meant(())


def test_options_are_filtered_by_what_is_in_them() -> None:
    options = [option("rob {1}"), option("rob {2}"), option("probe")]
    names = Names(["Anna", "Ben"])
    assert containing("ob", options, names) == [0, 1, 2]
    assert containing("Ben", options, names) == [1]
    assert containing("player 1", options, names) == [0]
    assert containing("an ro", options, names) == [0]
    assert containing("", options, names) == [0, 1, 2]


def test_the_number_of_a_player() -> None:
    typed = ("2", "P2", "player 2", "0", "P0", "player two", "player  2", "02", "p2", "٢")
    assert [seat_number(each) for each in typed] == [2, 2, 2, *[None] * 7]
