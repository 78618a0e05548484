"""What back ends refuse is said: by `explain X601` in full, by `simulate` and by `auto` in a line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier.backends.unsupported import Refused
from croupier.cli import main
from croupier.diagnostics import CODES
from needs import compiler

BACKENDS = Path(croupier.__file__).parent / "backends"
FIXTURES = Path(__file__).parents[2] / "diagnostics"


def refused() -> Iterator[tuple[str, str]]:
    """Every construct that a back end refuses in words, by the place that does."""
    for path in sorted(BACKENDS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                what = node.args[0]
                if isinstance(what, ast.Constant):
                    yield f"{path.name}:{node.lineno}", str(what.value)
                elif isinstance(what, ast.JoinedStr):
                    yield f"{path.name}:{node.lineno}", next(v.value for v in what.values if isinstance(v, ast.Constant) and len(str(v.value)) > 3)


def test_the_list_is_complete() -> None:
    text = " ".join(CODES["X601"].explanation.split())
    known = {
        "`, which has no fields": "has no fields",
        "` that may be missing, with a first field that may be missing": "one that may be missing",
        "` that may be missing": "one that may be missing",
        "`finish ": "`finish`",
        "`finish rank` by `": "`finish rank`",
        "sorting by `": "sorting",
    }
    missing = {place: what for place, what in refused() if known.get(what, what) not in text}
    assert len(list(refused())) > 25 and missing == {}


@compiler
def test_simulate_says_what_plays_and_why(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("croupier.play.simulate.worth_compiling", lambda played, seconds, games: True)  # it depends on the machine
    assert main(["simulate", str(FIXTURES / "L050.yaml"), "--games", "300", "--jobs", "1", "--seed", "1"]) == 0
    said = capsys.readouterr().err
    assert said.count("`python` plays, because `native` does not compile a component by its label") == 1 and "L050.yaml:11:47" in said


def test_auto_says_it_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ruleset = croupier.load(FIXTURES / "L050.yaml")
    ruleset.game(None, None).compiled = Refused("what it does not", None)
    assert [ruleset.new_initial_state(backend="auto").backend for _ in range(2)] == ["reference", "reference"]
    assert capsys.readouterr().err == "croupier: `reference` plays, because `python` does not compile what it does not: see `croupier explain X601`\n"
