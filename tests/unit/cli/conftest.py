"""The command line with a fake game behind it, in this process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

import croupier
import croupier.authoring.folder_check  # noqa: F401 - with the real `load`, before the fake one takes its place
from croupier.cli import main
from croupier.table import Value, View
from fake_cli import fake_load_module

COUNTERS = (Value("counters", "1"),)
_NAMES = ("load", "check", "Ruleset", "CheckResult")


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def fake_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`croupier.load` and its companions are the fake ones."""
    kept = {name: vars(croupier).pop(name) for name in _NAMES if name in vars(croupier)}
    monkeypatch.setitem(sys.modules, "croupier.pipeline", fake_load_module())
    monkeypatch.setattr(
        "croupier.table.view",
        lambda state, seat, events=(): View(
            "fake", seat, state.players, (), (), (), COUNTERS, None, None, "running"
        ),
    )
    yield
    for name in _NAMES:
        vars(croupier).pop(name, None)
    vars(croupier).update(kept)


@pytest.fixture
def cli(fake_rules: None, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs the command line with arguments."""

    def run(*arguments: object) -> Ran:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
