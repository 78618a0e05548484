"""How often intervals and tests of `croupier compare` err: a quick look at all, and the published table."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

import _calibration as calibration  # noqa: E402
import _calibration_table as published  # noqa: E402
from croupier.lab.sequences import bounded_mean  # noqa: E402

CASES = {case.name: case for case in calibration.CASES}
QUICK, QUICK_PLANNED = 100, 10


def test_what_is_simulated_is_what_compare_says() -> None:
    """The truth is outside of the interval after some numbers just if the capital against it was large."""
    rng = random.Random(3)
    numbers = [float(rng.random() < 0.7) for _ in range(60)]
    outside = []
    for mean in (0.35, 0.45, 0.5, 0.55, 0.62, 0.7, 0.8, 0.9):
        more = calibration.log_capital(np.array(numbers), 0.0, mean)
        less = calibration.log_capital(-np.array(numbers), -1.0, -mean)
        for n in (1, 5, 20, 40, 60):
            found = bounded_mean(Counter(numbers[:n]), 0, 1)
            is_outside = bool(max(more[n - 1], less[n - 1]) >= np.log(2 / 0.05))
            assert is_outside == (not found.low <= mean <= found.high), (mean, n)
            outside.append(is_outside)
    assert 5 < sum(outside) < 35


@pytest.mark.parametrize("name", CASES)
def test_at_most_as_many_errors_as_promised(name: str) -> None:
    case = CASES[name]
    watched = calibration.errors_watched(case, QUICK, looks=500)
    planned = calibration.errors_planned(case, QUICK_PLANNED)
    del planned["told"]
    assert max(watched.values()) <= calibration.most_errors(QUICK)
    assert max(planned.values()) <= calibration.most_errors(QUICK_PLANNED)


def test_errors_are_found_where_they_are() -> None:
    """A sequence that believes narrower bounds than there are errs, and so is noticed."""
    case = CASES["+1 in 99 pairs of 100, else -99"]
    wrong = calibration.Case(
        case.name, lambda rng, shape: rng.choice((1.0, 1.0, -1.0), shape), 0.0, 0.0, (-1, 1)
    )
    assert max(calibration.errors_watched(wrong, QUICK, looks=500).values()) > 90


def test_the_published_table_holds() -> None:
    found = published.read()
    assert [one.case for one in found] == list(CASES)
    for one in found:
        assert one.repetitions == calibration.REPETITIONS
        assert max(one.errors) <= calibration.most_errors(one.repetitions), one
        assert (one.mean is None) == (CASES[one.case].bounds is None)


@pytest.mark.parametrize("name", CASES)
def test_the_published_table_is_what_is_found(name: str) -> None:
    """Other versions of NumPy and SciPy may round a few numbers otherwise."""
    (one,) = (row for row in published.read() if row.case == name)
    found = calibration.calibrate(CASES[name])
    assert max(found.errors) <= calibration.most_errors(found.repetitions)
    for a, b in zip(found.errors, one.errors, strict=True):
        assert abs(a - b) <= 3, (found, one)
