"""What `tools/load` makes of what it measured. What it measures is no test."""

from __future__ import annotations

import sys
from argparse import Namespace
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module."""
    monkeypatch.syspath_prepend(str(TOOLS))
    loader = SourceFileLoader("load_tool", str(TOOLS / "load"))
    spec = spec_from_loader("load_tool", loader)
    assert spec is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "load_tool", module)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("memory", "percent"),
    [
        ([], 0),
        ([50, 70, 90], 0),
        ([50, 100, 100, 100], 0),
        ([50, 100, 100, 110], 10),
        ([50, 80, 100, 100, 100, 100, 90, 90], -10),
        ([0.0] * 8, 0),
    ],
)
def test_memory_grows_from_the_second_quarter_to_the_last(
    memory: list[float], percent: float, load: ModuleType
) -> None:
    assert load.growth(memory) == pytest.approx(percent)


@pytest.mark.parametrize(
    ("p95", "growth", "exceeded"),
    [
        (None, None, []),
        (150, 5, []),
        (99, 5, ["95 % of the pages take up to 100 ms, more than 99"]),
        (150, 1, ["the memory grew by 2.0 %, more than 1.0"]),
        (99, 1, ["95 %", "the memory"]),
    ],
)
def test_what_is_exceeded(
    p95: float | None,
    growth: float | None,
    exceeded: list[str],
    load: ModuleType,
    capsys: pytest.CaptureFixture[str],
) -> None:
    figures = load.Figures(clicks=[0.02] * 100, views=[0.01] * 94 + [0.1] * 6, memory=[1, 100, 100, 102])
    assert load.told(Namespace(p95=p95, growth=growth), figures) == bool(exceeded)
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == len(exceeded)
    assert all(words in line for words, line in zip(exceeded, shown, strict=True))


def test_a_run_without_pages_holds_no_goal(load: ModuleType) -> None:
    assert load.told(Namespace(p95=150, growth=None), load.Figures()) == 1
