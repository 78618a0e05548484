"""What is done again after an edit: counted, and compared with what is found when everything is."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.diagnostics import Source
from croupier.resolve import open_ruleset
from croupier.semantics.canonical import outline
from croupier.semantics.check import Checker
from croupier.semantics.context import FileReader
from croupier.semantics.infoflow.incremental import AnalysisMemory, IncrementalAnalysis
from croupier.source.files import buffers
from croupier.source.ruletext import plain
from croupier.syntax import parse_expression

GAME = """\
croupier: 1
ruleset: circle
title: Circle
players: 2
state:
  tally: 0..9 = 0 seen by everybody
definitions: |
  def leaf():
      tally = 1
  def ping(k: 0..9):
      leaf()
      if k > 0: pong(k - 1)
  def pong(k: 0..9) nested 3:
      tally = 3
      ping(k)
  def above():
      ping(2)
  def beside():
      tally = 2
phases:
  play: |
    above()
    beside()
    choose n from 1..2 by players.first
    finish win players.first if n == 1 else players.last
"""


def analysed(text: str, memory: AnalysisMemory) -> tuple[IncrementalAnalysis, list[str]]:
    """The analysis of a ruleset, and the names of the procedures that were analysed for it, each once."""
    path = Path("circle.yaml").absolute()
    with buffers({path: text}):
        doc, found = open_ruleset(path)
    assert doc is not None and not found
    checker = Checker(doc)
    program = checker.run()
    assert not checker.found
    names: list[str] = []
    summary = IncrementalAnalysis._summary
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            IncrementalAnalysis, "_summary", lambda self, proc: names.append(proc.name) or summary(self, proc)
        )
        return memory.analyse(program), sorted(set(names))


@pytest.mark.parametrize(
    ("old", "new", "again"),
    [
        ("tally = 2", "tally = 3", ["beside"]),
        ("tally = 3", "tally = 4", ["ping", "pong"]),  # its circle, and nobody above it
        ("tally = 1", "# nothing\n      tally = 1", []),
        ("0..9 = 0", "0..8 = 0", []),
        ("      leaf()\n", "      leaf()\n      announce \"x\"\n", ["ping", "pong"]),
    ],
)  # fmt: skip
def test_what_is_analysed_again(old: str, new: str, again: list[str]) -> None:
    memory = AnalysisMemory()
    analysed(GAME, memory)
    text = GAME.replace(old, new)
    assert text != GAME
    found, names = analysed(text, memory)
    assert found.carried and names == again
    assert outline(found.summaries) == outline(analysed(text, AnalysisMemory())[0].summaries)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ping(k) if k > 2", "ping(k) if k > 3"),
        ("ping(k) if k > 2", "ping(k) if k > hidden"),
        ("ping(k) if k > 2", "ping(2) if tally > 2"),
    ],
)
def test_where_a_hook_listens_to_something_else_everything_is_analysed_again(old: str, new: str) -> None:
    hooked = GAME.replace("state:\n", "state:\n  hidden: 0..9 = 0 seen by nobody\n")
    hooked = hooked.replace("phases:\n", "  after ping(k) if k > 2: tally = 5\nphases:\n")
    memory = AnalysisMemory()
    analysed(hooked, memory)
    text = hooked.replace(f"after {old}", f"after {new}")
    assert text != hooked
    found, _ = analysed(text, memory)
    assert not found.carried
    assert outline(found.summaries) == outline(analysed(text, AnalysisMemory())[0].summaries)


def test_texts_of_a_file_are_parsed_again_when_the_file_is_another_one() -> None:
    read: list[str] = []

    def parse(text: object) -> tuple[object, list[object]]:
        read.append(text.text)  # type: ignore[attr-defined]
        return parse_expression(text)  # type: ignore[arg-type]

    reader, source, other = FileReader(), Source("a", "1 + 2"), Source("b", "1 + 2")
    first = reader(parse, plain(source, 0, "1 + 2"))  # type: ignore[arg-type]
    assert reader(parse, plain(source, 0, "1 + 2")) is first  # type: ignore[arg-type]
    reader(parse, plain(other, 0, "1 + 2"))  # type: ignore[arg-type]
    reader(parse, plain(source, 4, "2"))  # type: ignore[arg-type]
    assert read == ["1 + 2", "1 + 2", "2"]
    changed = Source("a", "1 + 2 ")
    reader(parse, plain(changed, 0, "1 + 2"))  # type: ignore[arg-type]
    assert reader(parse, plain(other, 0, "1 + 2")) is not first and read == ["1 + 2", "1 + 2", "2", "1 + 2"]  # type: ignore[arg-type]
