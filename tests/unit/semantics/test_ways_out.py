"""The help of a leak names a way out, and the statement that it names is one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier.diagnostics import Diagnostic
from findings import FIXTURES, findings

LEAKS = ("L030", "L031", "L032", "L033", "L034", "L035", "L036")
RULESETS = sorted(path for code in LEAKS for path in FIXTURES.glob(f"{code}*.yaml"))
STATEMENT = re.compile(r"`((?:show|tell|announce) [^`…]*)` (?:before|behind)|`((?:announce) [^`…]*)` before")


def statement_of(found: Diagnostic) -> str | None:
    """The statement that the help says to write before the decision."""
    named = STATEMENT.search(found.help or "")
    return None if named is None else named[1] or named[2]


def disclosing(path: Path) -> list[tuple[Diagnostic, str]]:
    """What is found in a ruleset, with the statement that is to mend it."""
    return [(found, said) for found in findings(path) if (said := statement_of(found)) is not None]


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_every_leak_has_a_way_out(path: Path) -> None:
    assert all(found.help for found in findings(path))


@pytest.mark.parametrize("path", [path for path in RULESETS if disclosing(path)], ids=lambda path: path.stem)
def test_the_statement_is_one(path: Path, tmp_path: Path) -> None:
    """Written before the decision, where the help says so, it leaves nothing to report there."""
    for found, statement in disclosing(path):
        lines = path.read_text(encoding="utf-8").split("\n")
        assert found.span is not None
        at = decision_line(lines, found.span.line)
        indent = len(lines[at]) - len(lines[at].lstrip())
        mended = tmp_path / "ruleset.yaml"
        mended.write_text("\n".join([*lines[:at], " " * indent + statement, *lines[at:]]), encoding="utf-8")
        left = [d for d in findings(mended) if d.code == found.code and d.span is not None]
        assert [d.message for d in left if d.span.line == found.span.line + 1] == []


def decision_line(lines: list[str], line: int) -> int:
    """The index of the line in which the decision begins that holds a line."""
    at = line - 1
    while lines[at].lstrip().startswith("option "):
        at -= 1
    return at


def test_most_kinds_of_leaks_name_the_statement() -> None:
    named = {path.stem for path in RULESETS if disclosing(path)}
    kinds = ("count", "every", "face", "local", "look_ahead", "secret", "unseen", "words")
    assert named >= {"L030", "L036", *(f"L030-{kind}" for kind in kinds)}
