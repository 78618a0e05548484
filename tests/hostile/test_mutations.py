"""Shipped rulesets with tokens and lines deleted, doubled, swapped and replaced: whatever comes of it, checking answers with diagnostics."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.diagnostics.render import render_human
from findings import ROOT, findings

TOKEN = re.compile(r"\w+|[^\w\s]+|\n\s*|[^\S\n]+")
TEXTS = {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in sorted((ROOT / "rulesets").rglob("ruleset.yaml"))}
SHORT = {name: text for name, text in TEXTS.items() if len(text) < 10_000}
WORDS = sorted({t for text in TEXTS.values() for t in TOKEN.findall(text) if not t.isspace()} | {
    "none", "[]", "{}", "()", "..", "-1", "9" * 20, '"{', '"', "!", "?", "@WB-1", "per", "list of", "otherwise", "==", "=", "self", "owner",
    "original()",
    "nested 3", "is none", "\n", "    ", "\t", ":", "#", "&a", "*a", "<<",
})  # fmt: skip

KINDS = ["delete", "double", "swap", "replace", "insert", "delete line", "double line"]
change = st.tuples(st.sampled_from(KINDS), st.integers(0, 10**6), st.integers(0, 10**6))


def mutate(text: str, changes: list[tuple[str, int, int]]) -> str:
    """The text after some changes, each of a token or a line."""
    for kind, at, other in changes:
        parts = text.splitlines(keepends=True) if kind.endswith("line") else TOKEN.findall(text)
        if not parts:
            break
        i = at % len(parts)
        match kind.split()[0]:
            case "delete":
                del parts[i]
            case "double":
                parts.insert(i, parts[i])
            case "swap":
                j = other % len(parts)
                parts[i], parts[j] = parts[j], parts[i]
            case "replace":
                parts[i] = WORDS[other % len(WORDS)]
            case "insert":
                parts.insert(i, WORDS[other % len(WORDS)])
        text = "".join(parts)
    return text


def judge(text: str, path: Path) -> None:
    path.write_text(text, encoding="utf-8", newline="")
    render_human(findings(path))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(name=st.sampled_from(sorted(SHORT)), changes=st.lists(change, min_size=1, max_size=5))
def test_nothing_raises(name: str, changes: list[tuple[str, int, int]], tmp_path: Path) -> None:
    judge(mutate(TEXTS[name], changes), tmp_path / "ruleset.yaml")


@pytest.mark.soak
@settings(max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(TEXTS)), changes=st.lists(change, min_size=1, max_size=8))
def test_nothing_raises_for_long(name: str, changes: list[tuple[str, int, int]], tmp_path: Path) -> None:
    judge(mutate(TEXTS[name], changes), tmp_path / "ruleset.yaml")
