"""What a seat may choose as it is shown: numbers in front, words for choosing nothing."""

from __future__ import annotations

from croupier.cli.offer import Offer


def offer(*labels: str, nothing: str = "pass") -> Offer:
    """A choice of a number that may be declined; action 0 is to decline."""
    structs = [{"choose": "n", "value": None}, *({"choose": "n", "value": int(label.split()[-1])} for label in labels)]
    return Offer(range(len(structs)), [nothing, *labels], structs)


def test_numbers_stay_numbers_beside_words_for_saying_no() -> None:
    bids = offer("bid: 5", "bid: 7")
    assert bids.by_value and bids.numbers == (None, 5, 7)
    assert [bids.meant(typed) for typed in ("5", "7", "pass", "no", "1")] == [1, 2, 0, 0, None]


def test_no_is_understood_in_whatever_words_one_says_no() -> None:
    assert offer("take 1", nothing="no").meant("no") == 0
    taken = Offer([0, 2], ["done", "take card 1"], [{"choose": "c", "item": None}, {"choose": "c", "item": "card 1"}])
    assert taken.meant("done") == 0 and taken.meant("no") is None
