"""What back ends refuse is said: by `explain X601` in full, by `simulate` and by `auto` in a line."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import croupier
from croupier.cli import main
from croupier.diagnostics import CODES, RulesetError
from croupier.execution.backends import BackEnds, UnsupportedConstruct
from needs import compiler

PACKAGES = [Path(croupier.__file__).parent / name for name in ("execution", "lowering")]
FIXTURES = Path(__file__).parents[2] / "diagnostics"


SAID = {
    "`lines` of a large board": "`lines` of a length that the game decides, on a board so large",
}
"""How what is refused is said in the explanation, where that is another way."""
INNER = (
    "a list", "what is walked", "a call without a value", "an `original` without a value",
    "a word as several", "a family of zones as a value",
    "an offer outside of a question",
)  # fmt: skip
"""What no ruleset that checks comes to."""


def refused() -> Iterator[tuple[str, str]]:
    """Every construct that a back end refuses in words, by the place that does."""
    for path in sorted(path for package in PACKAGES for path in package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("UnsupportedConstruct", "NotLowered")
            ):
                what = node.args[0]
                if isinstance(what, ast.Constant) and what.value not in INNER:
                    yield f"{path.name}:{node.lineno}", str(what.value)


def test_the_list_is_complete() -> None:
    text = " ".join(CODES["X601"].explanation.split())
    missing = {
        place: what
        for place, what in refused()
        if SAID.get(what, what).replace("`", "") not in text.replace("`", "")
    }
    assert len(list(refused())) > 4 and missing == {}


@compiler
def test_simulate_says_what_plays_and_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # it depends on the machine
    monkeypatch.setattr("croupier.play.simulate.worth_compiling", lambda played, seconds, games: True)
    assert (
        main(["simulate", str(FIXTURES / "L050.yaml"), "--games", "300", "--jobs", "1", "--seed", "1"]) == 0
    )
    said = capsys.readouterr().err
    assert (
        said.count("`reference` plays, because `native` does not compile `lines` of a large board") == 1
        and "L050.yaml:10:33" in said
    )


def test_auto_says_it_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ruleset = croupier.load(FIXTURES / "L050.yaml")
    ruleset.engine(None, None).kept(BackEnds).python = UnsupportedConstruct("what it does not", None)
    assert [ruleset.new_initial_state(backend="auto").backend for _ in range(2)] == ["reference", "reference"]
    assert (
        capsys.readouterr().err
        == "croupier: `reference` plays, because `python` does not compile what it does not: see `croupier "
        "explain X601`\n"
    )


def test_a_batch_without_a_compiler_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    monkeypatch.setattr("croupier.execution.llvm_compiler.is_installed", lambda: False)
    with pytest.raises(RulesetError, match="`native` is not part of this installation"):
        croupier.Batch(croupier.load("kuhn_poker"), 4)
