"""For all tests: compiled objects are kept in a folder of the run, never in that of whoever runs the tests.

What collecting the tests has made stays to the end: the garbage collector need not look through it again and
again, which took a seventh of the time of all tests.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence

import pytest

import slow_tests
from published import validate_all

COLLECT_EVERY = 100_000  # new objects, between two collections of garbage

gc.set_threshold(COLLECT_EVERY, 20, 20)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-slow", action="store_true", help="write tests/slow.txt anew from the durations of this run"
    )


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    slow = slow_tests.read()
    for item in items:
        if slow_tests.function_of(item.nodeid) in slow:
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """What is left goes with the process: the last search for garbage, five times over, finds little."""
    gc.freeze()


class Durations:
    """What each test of a run took, in the process that all tests report to."""

    def __init__(self) -> None:
        self.found: list[tuple[str, float]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.found.append((report.nodeid, report.duration))

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        if exitstatus in (0, 1):
            slow_tests.write(slow_tests.totals(self.found))


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--record-slow") and "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(Durations())


@pytest.fixture(scope="session", autouse=True)
def _objects(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    base = tmp_path_factory.getbasetemp()
    # what one worker compiled, the others take
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "objects"
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_CACHE", str(folder))
        yield


@pytest.fixture(scope="session", autouse=True)
def _any_width() -> Iterator[None]:
    """Nothing asks for a width: readline, which pytest imports, writes that of a terminal into the
    environment of every process that starts later.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _published() -> Iterator[None]:
    """Every JSON document that is written in a test fits its published schema."""
    with pytest.MonkeyPatch.context() as patch:
        validate_all(patch)
        yield
