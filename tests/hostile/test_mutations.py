"""Shipped rulesets with tokens and lines deleted, doubled, swapped and replaced: whatever comes of it,
checking answers with diagnostics.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.diagnostics.render import render_human
from findings import findings
from mutations import TEXTS, change, mutate

SHORT = {name: text for name, text in TEXTS.items() if len(text) < 10_000}


def judge(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8", newline="")
    render_human(findings(path))


@settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(name=st.sampled_from(sorted(SHORT)), changes=st.lists(change, min_size=1, max_size=5))
def test_nothing_raises(name: str, changes: list[tuple[str, int, int]], tmp_path: Path) -> None:
    judge(mutate(TEXTS[name], changes), tmp_path / "ruleset.yaml")


@pytest.mark.soak
@settings(max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(TEXTS)), changes=st.lists(change, min_size=1, max_size=8))
def test_nothing_raises_for_long(name: str, changes: list[tuple[str, int, int]], tmp_path: Path) -> None:
    judge(mutate(TEXTS[name], changes), tmp_path / "ruleset.yaml")
