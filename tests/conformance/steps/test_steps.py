"""The count of steps is part of the meaning: what each rule takes, recorded, and the same limit on every back
end.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.execution import llvm_compiler as engine

HERE = Path(__file__).parent
BASE = (HERE / "base.yaml").read_text(encoding="utf-8")
CASES: list[dict[str, Any]] = (
    YAML(typ="safe", pure=True).load((HERE / "cases.yaml").read_text(encoding="utf-8")) or []
)
BACKENDS = ["python", *(["native"] if engine.is_installed() else [])]


def ruleset(rules: str, fuel: int, folder: Path) -> croupier.Ruleset:
    """The base with these rules in its phase and this limit."""
    path = folder / f"steps-{fuel}.yaml"
    path.write_text(
        BASE.replace("FUEL", str(fuel)).replace("RULES\n", indent(rules, "    ") + "\n"), encoding="utf-8"
    )
    return croupier.load(path)


def ends(rules: str, fuel: int, folder: Path, backend: str = "reference") -> bool:
    """Does a game end with this limit? Chance takes its first outcome, which begins another count."""
    state = ruleset(rules, fuel, folder).new_initial_state(3, backend=backend)
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    outcome = state.outcome()
    if outcome["status"] == "faulted":
        assert outcome["fault"]["code"] == "R010", outcome
    return bool(outcome["status"] == "finished")


def least(rules: str, folder: Path) -> int:
    """The least limit with which it ends."""
    low, high = 1, 1024
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if ends(rules, middle, folder) else (middle + 1, high)
    return low


@pytest.mark.parametrize("case", CASES, ids=[case["rules"].split("\n")[0] for case in CASES])
def test_a_rule_takes_these_steps(case: dict[str, Any], tmp_path: Path) -> None:
    rules, steps = case["rules"], case["steps"]
    assert ends(rules, steps, tmp_path)
    assert not ends(rules, steps - 1, tmp_path)


@pytest.mark.parametrize("backend", BACKENDS)
def test_back_ends_stop_at_the_same_step(backend: str, tmp_path: Path) -> None:
    for case in CASES[::6]:
        assert ends(case["rules"], case["steps"], tmp_path, backend), case
        assert not ends(case["rules"], case["steps"] - 1, tmp_path, backend), case


def main() -> None:
    """Record the cases anew."""
    path = HERE / "cases.yaml"
    head = "".join(
        line + "\n" for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")
    )
    written = (
        [line.replace("|", "\n") for line in sys.stdin.read().splitlines()]
        if not sys.stdin.isatty()
        else [case["rules"] for case in CASES]
    )
    with tempfile.TemporaryDirectory() as folder:
        for rules in written:
            try:
                steps = least(rules, Path(folder))
            except (croupier.RulesetError, AssertionError) as wrong:
                print(rules, "->", str(wrong)[:300], file=sys.stderr)
                continue
            text = f"- rules: |-\n{indent(rules, '    ')}\n" if "\n" in rules else f"- rules: '{rules}'\n"
            head += f"{text}  steps: {steps}\n"
    path.write_text(head, encoding="utf-8")


if __name__ == "__main__":
    main()
