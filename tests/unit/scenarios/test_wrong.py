"""Scenarios that must fail: a comment `#! CODE` stands on every line that a diagnostic points at, and nowhere
else.

Words in quotes behind it stand in the message or in its help.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from textwrap import indent

import pytest

from croupier.diagnostics import CODES, CatalogueEntry
from croupier.scenarios import ScenarioResult, run_scenarios

HERE = Path(__file__).parent
FILES = sorted((HERE / "wrong").glob("*.yaml"))
MARK = re.compile(r"#!((?: [A-Z][0-9]{3})+)")
WORDS = re.compile(r"#! ([A-Z][0-9]{3}) \"(.*)\"")


def marked(path: Path) -> list[tuple[int, str]]:
    """Lines and codes that the comments of a file promise."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return sorted(
        (number, code)
        for number, line in enumerate(lines, 1)
        if (m := MARK.search(line))
        for code in m.group(1).split()
    )


def reported(results: list[ScenarioResult], path: Path) -> list[tuple[int, str]]:
    """Lines and codes of the diagnostics in a file."""
    found = [
        d
        for result in results
        for d in result.diagnostics
        if d.span is not None and Path(d.span.source.name).name == path.name
    ]
    return sorted((d.span.line, d.code) for d in found if d.span is not None)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_mistake_is_reported_at_its_line(path: Path) -> None:
    assert reported(run_scenarios(path), path) == marked(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_scenario_with_a_mark_passes(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for result in run_scenarios(path):
        text = "\n".join(lines[result.line - 1 :]).split("\n  - ")[0]
        assert not (MARK.search(text) and result.passed), result.id


@pytest.mark.parametrize("name", ["helpful", "named", "seated", "silenced"])
def test_the_words_that_help(name: str) -> None:
    path = HERE / "wrong" / f"{name}.yaml"
    found = {
        d.span.line: d for result in run_scenarios(path) for d in result.diagnostics if d.span is not None
    }
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if promised := WORDS.search(line):
            code, words = promised.groups()
            assert found[number].code == code and words in f"{found[number].message} {found[number].help}", (
                line
            )


def test_every_code_of_scenarios_has_a_case() -> None:
    promised = {code for path in FILES for _, code in marked(path)}
    in_test_files = {"K005"}
    assert {code for code in CODES if code.startswith("K")} - promised == in_test_files


HEAD = """\
croupier: 1
ruleset: game/ruleset.yaml
given:
  players: [Anna, Brian]
  at: play
  with: {p: Anna}
  zones: {hand: {Anna: [hearts-1, hearts-2, hearts-3], Brian: [clubs-4]}, table: [clubs-5, clubs-6]}
scenarios:
  - id: example
"""


@pytest.mark.parametrize(
    "entry",
    [entry for entry in CODES.values() if entry.code[0] == "K" and entry.bad],
    ids=lambda entry: entry.code,
)
def test_the_example_of_the_catalogue(entry: CatalogueEntry, tmp_path: Path) -> None:
    shutil.copytree(HERE / "game", tmp_path / "game")
    file = tmp_path / "example.yaml"
    found = []
    for text in (entry.bad, entry.good):
        file.write_text(HEAD + indent(text, "    "), encoding="utf-8")
        found.append([d.code for result in run_scenarios(file) for d in result.diagnostics])
    assert found == [[entry.code], []]
