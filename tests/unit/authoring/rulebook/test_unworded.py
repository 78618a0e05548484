"""No shipped rulebook shows rule text that players would have to read as code; what does is reported at its
place.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import croupier
from croupier.authoring.rulebook import find_unworded
from croupier.cli import main
from croupier.resources import shipped

TITLED = """croupier: 1
ruleset: unworded
title: Unworded
players: 2
state:
  pearls: 0..99 per Player = 99 seen by everybody
phases:
  play: |
    for p in turns():
        {condition}
        choose n from 1..3 by p
        pearls[p] -= n
        if pearls[p] < 50: finish win p
"""
LONG = " + ".join(["pearls[p]"] * 30)


RULESETS = [name for name in shipped() if "/" not in name]
VARIANTS = [name for name in shipped() if "/" in name]


def shown_as_code(name: str) -> list[tuple[str, str]]:
    """What the rulebook of a shipped ruleset shows as code, with its place."""
    return [(str(d.span), d.message) for d in find_unworded(croupier.load(name))]


@pytest.mark.parametrize("name", RULESETS)
def test_no_shipped_rulebook_shows_code(name: str) -> None:
    assert shown_as_code(name) == []


@pytest.mark.parametrize("name", VARIANTS)
def test_no_rulebook_of_a_shipped_variant_shows_code(name: str) -> None:
    assert shown_as_code(name) == []


def test_code_in_a_rulebook_is_reported_where_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "unworded.yaml"
    file.write_text(TITLED.replace("{condition}", f"if {LONG} == 9: finish draw"), encoding="utf-8")
    (found,) = find_unworded(croupier.load(file))
    assert (found.code, found.severity) == ("L044", "warning")
    assert found.span is not None and found.span.text == f"{LONG} == 9"
    assert main(["check", str(file), "--strict"]) == 0
    capsys.readouterr()
    assert main(["check", str(file), "--rulebook"]) == 0
    assert "L044 not-in-words" in capsys.readouterr().out
    assert main(["check", str(file), "--rulebook", "--strict", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["code"] == "L044"


def test_a_doc_mends_it(tmp_path: Path) -> None:
    file = tmp_path / "unworded.yaml"
    definition = (
        "definitions: |\n  def most(p: Player) -> 0..999:\n"
        f'      doc "thirty times the pearls of `p`"\n      return {LONG}\n'
    )
    text = TITLED.replace("{condition}", "if most(p) == 9: finish draw") + definition
    file.write_text(text, encoding="utf-8")
    assert find_unworded(croupier.load(file)) == []
