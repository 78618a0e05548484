"""What a seat may choose as it is shown: numbers in front, words for choosing nothing."""

from __future__ import annotations

from croupier.cli.views.interactive import OptionPrompt, beginnings
from croupier.narration import Names
from croupier.text import Seat, Text


def offer(*labels: str, nothing: str = "pass") -> OptionPrompt:
    """A choice of a number that may be declined; action 0 is to decline."""
    structs = [
        {"choose": "n", "value": None},
        *({"choose": "n", "value": int(label.split()[-1])} for label in labels),
    ]
    return OptionPrompt(range(len(structs)), [nothing, *labels], structs)


def test_numbers_stay_numbers_beside_words_for_saying_no() -> None:
    bids = offer("bid: 5", "bid: 7")
    assert bids.by_value and bids.numbers == (None, 5, 7)
    assert [bids.action_of(typed) for typed in ("5", "7", "pass", "no", "1")] == [1, 2, 0, 0, None]


def test_no_is_understood_in_whatever_words_one_says_no() -> None:
    assert offer("take 1", nothing="no").action_of("no") == 0
    taken = OptionPrompt(
        [0, 2], ["done", "take card 1"], [{"choose": "c", "item": None}, {"choose": "c", "item": "card 1"}]
    )
    assert taken.action_of("done") == 0 and taken.action_of("no") is None


def menu(*options: tuple[str, int | None]) -> OptionPrompt:
    """A menu: words and the number that they are about; actions count from 0."""
    structs = [
        {"option": "pass" if n is None else "bid {n}", "with": [] if n is None else [n]} for _, n in options
    ]
    return OptionPrompt(range(len(structs)), [words for words, _ in options], structs)


def test_options_of_a_menu_that_differ_in_a_number_stand_behind_it() -> None:
    bids = menu(("bid 61", 61), ("bid 62", 62), ("pass", None))
    assert bids.numbers == (61, 62, None) and [bids.action_of(typed) for typed in ("61", "2", "pass")] == [
        0,
        None,
        2,
    ]
    assert (
        bids.option_words("7") == "bid 7"
        and bids.option_words("pass") == "pass"
        and bids.how_to(1) == ("bid 62", "it is number 62")
    )
    assert menu(("bid 61", 61), ("pass", None)).numbers == (1, 2)
    assert menu(("bid 61", 61), ("bid 62", 62), ("pass", None), ("stop", None)).numbers == (1, 2, 3, 4)
    assert menu(("bid five", 5), ("bid six", 6)).numbers == (1, 2)


def test_a_player_is_not_torn_apart_where_options_begin_alike() -> None:
    labels = [Text.of("rob ", Seat(p), f" and take {n}") for p in (1, 2) for n in range(14)]
    assert [begin for begin, _ in beginnings(labels, Names())] == [
        "rob player 2 and take ",
        "rob player 3 and take ",
    ]
    names = Names(["", "Anna Maria", "Anna Karla"])
    assert [begin for begin, _ in beginnings(labels, names)] == [
        "rob Anna Maria and take ",
        "rob Anna Karla and take ",
    ]
    labels = [Text.of("as Robber I did rob ", Seat(p)) for p in range(30)]
    assert [begin for begin, _ in beginnings(labels, Names())] == ["as Robber I did rob "]
