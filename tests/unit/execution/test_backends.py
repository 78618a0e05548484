"""Choosing a back end: what is there, what is refused in words, what `auto` takes."""

from __future__ import annotations

from pathlib import Path

import pytest

import croupier
from croupier.diagnostics import RulesetError
from croupier.execution.backends import BackEnds, UnsupportedConstruct
from croupier.execution.python_state import PythonState

CHAIN = "".join(
    f"  def d{i}(b: bool) -> bool: return {'not (' * 20}d{i + 1}(b){')' * 20}\n" for i in range(60)
)
DEEP = f"""\
croupier: 1
ruleset: deep
title: Deep
players: 2
definitions: |
{CHAIN}  def d60(b: bool) -> bool: return b
phases:
  play: |
    if d0(true): announce "deep"
    finish draw
"""


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    """A ruleset of more depth than compiled code can have."""
    (tmp_path / "ruleset.yaml").write_text(DEEP, "utf-8")
    return tmp_path


def test_the_evaluator_unless_asked_otherwise() -> None:
    assert not isinstance(croupier.load("tic_tac_toe").new_initial_state(), PythonState)


def test_auto_compiles_what_it_can() -> None:
    ruleset = croupier.load("tic_tac_toe")
    assert isinstance(ruleset.new_initial_state(backend="auto"), PythonState)
    ruleset.engine(None, None).kept(BackEnds).python = UnsupportedConstruct("a thing", None)
    assert not isinstance(ruleset.new_initial_state(backend="auto"), PythonState)


def test_what_is_not_compiled_is_refused_in_words() -> None:
    ruleset = croupier.load("tic_tac_toe")
    ruleset.engine(None, None).kept(BackEnds).python = UnsupportedConstruct("a thing", None)
    with pytest.raises(RulesetError) as e:
        ruleset.new_initial_state(backend="python")
    (found,) = e.value.diagnostics
    assert found.code == "X601" and "a thing" in found.message


def test_what_is_far_too_deep_ends_as_on_the_evaluator(deep: Path) -> None:
    ruleset = croupier.load(deep)
    assert ruleset.new_initial_state(backend="auto").outcome() == ruleset.new_initial_state().outcome()


def test_an_unknown_back_end() -> None:
    with pytest.raises(ValueError, match="reference"):
        croupier.load("tic_tac_toe").new_initial_state(backend="fast")
