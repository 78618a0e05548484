"""What a failed scenario says of an `if` that hides an option, and of a decision with one option that nobody
has made yet.
"""

from __future__ import annotations

import re
from pathlib import Path

from croupier.scenarios import run_scenarios

FOLDER = Path(__file__).parent / "hidden_by"
MARK = re.compile(r"#! ([A-Z][0-9]{3}) (.*)")


def test_the_if_that_hides_an_option_is_shown() -> None:
    path = FOLDER / "scenarios" / "a.yaml"
    wanted = [
        match.groups()
        for line in path.read_text(encoding="utf-8").splitlines()
        if (match := MARK.search(line)) is not None
    ]
    found = [
        (d.code, label.span.text)
        for result in run_scenarios(path)
        for d in result.diagnostics
        for label in d.labels
    ]
    assert found == wanted


def test_a_decision_with_one_option_is_named_where_a_check_fails() -> None:
    both, nobody = run_scenarios(FOLDER / "scenarios" / "pending.yaml")
    notes = [note for d in both.diagnostics for note in d.notes]
    assert notes == ["Brian is still to choose `pass`: write it in `do:`"]
    assert not any("still to choose" in note for d in nobody.diagnostics for note in d.notes)
