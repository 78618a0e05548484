import time

import pytest

from croupier.diagnostics import did_you_mean
from croupier.diagnostics.diagnostic import edit_distance


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("playrs", ["players", "play"], "players"),
        ("Players", ["player", "players"], "players"),
        ("player", ["place", "players"], "players"),
        ("companies", ["company"], "company"),
        ("seen-by", ["seen_by"], "seen_by"),
        ("hnad", ["hand", "had"], "had"),
        ("hand", ["hand"], None),
        ("x", ["y"], None),
        ("deck", ["hand", "box"], None),
        ("", ["a"], None),
        ("a" * 1000, ["a" * 999], None),
    ],
)
def test_nearest(name: str, candidates: list[str], expected: str | None) -> None:
    assert did_you_mean(name, candidates) == expected


def test_the_order_of_candidates_does_not_matter() -> None:
    assert did_you_mean("cat", ["car", "bat"]) == did_you_mean("cat", ["bat", "car"]) == "bat"


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "xyz", 3), ("", "ab", 2)],
)
def test_edit_distance(first: str, second: str, distance: int) -> None:
    assert edit_distance(first, second, 3) == edit_distance(second, first, 3) == distance


def test_edit_distance_gives_up_beyond_the_limit() -> None:
    assert edit_distance("abcdef", "uvwxyz", 3) is None


def test_many_long_candidates_take_little_time() -> None:
    started = time.process_time()
    did_you_mean("a" * 64, ("b" * 63 + str(number % 10) for number in range(100_000)))
    assert time.process_time() - started < 2
