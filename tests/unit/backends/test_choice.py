"""Choosing a back end: what is there, what is refused in words, what `auto` takes."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.backends.python.state import PythonState
from croupier.diagnostics import RulesetError

AHEAD = Path(croupier.__file__).resolve().parents[2] / "tests" / "language" / "look_ahead.yaml"


def test_the_evaluator_unless_asked_otherwise() -> None:
    assert not isinstance(croupier.load("tic_tac_toe").new_initial_state(), PythonState)


def test_auto_compiles_what_it_can() -> None:
    assert isinstance(croupier.load("tic_tac_toe").new_initial_state(backend="auto"), PythonState)
    assert not isinstance(croupier.load(AHEAD).new_initial_state(backend="auto"), PythonState)


def test_what_is_not_compiled_is_refused_at_its_place() -> None:
    with pytest.raises(RulesetError) as e:
        croupier.load(AHEAD).new_initial_state(backend="python")
    (found,) = e.value.diagnostics
    assert found.code == "X601" and "looking ahead" in found.message and found.span is not None


def test_an_unknown_back_end() -> None:
    with pytest.raises(ValueError, match="reference"):
        croupier.load("tic_tac_toe").new_initial_state(backend="fast")
