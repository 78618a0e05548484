"""The lints that refuse a ruleset are known: whoever asks only these finds every error that all lints
find.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.semantics.check import Checker
from croupier.semantics.lints import LINTS, REFUSING, Lint

FIXTURES = sorted((Path(__file__).parents[2] / "diagnostics").glob("L*.yaml"))


def errors(doc: ResolvedRuleset, lints: Sequence[Lint]) -> list[str]:
    checker = Checker(doc)
    checker.run()
    checker.lint(lints)
    return [d.code for d in checker.found if d.is_error]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_no_other_lint_finds_an_error(path: Path) -> None:
    doc, _ = open_ruleset(str(path))
    assert doc is not None
    alone, all_together = errors(doc, REFUSING), errors(doc, LINTS)
    # which says why, in the place of the leaks that follow from it
    assert alone == all_together or (alone != [] and all_together == ["L037"])


def test_each_of_them_finds_an_error() -> None:
    docs = [doc for path in FIXTURES if (doc := open_ruleset(str(path))[0]) is not None]
    assert all(any(errors(doc, (lint,)) for doc in docs) for lint in REFUSING)
