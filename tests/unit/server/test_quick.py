"""A change that takes little processor time is made at once, however busy the machine is."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("starlette", reason="games in the browser need starlette")

from croupier.server.tables import NEW, QUICK, OpenTable


@pytest.fixture
def table() -> Any:
    return SimpleNamespace(seconds=0.0)


def test_waiting_is_not_counted(table: Any) -> None:
    assert OpenTable.timed(table, lambda: time.sleep(0.2)) is None
    assert table.seconds < QUICK * NEW


def test_work_is_counted(table: Any) -> None:
    def work() -> int:
        end = time.thread_time() + 2 * QUICK
        while time.thread_time() < end:
            pass
        return 7

    assert OpenTable.timed(table, work) == 7
    assert table.seconds >= 2 * QUICK * NEW
