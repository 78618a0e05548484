"""What `croupier dump` shows of a ruleset: nothing that its author has written is missing."""

from __future__ import annotations

from pathlib import Path

from croupier.resolve import open_ruleset
from croupier.semantics import check
from croupier.semantics.canonical import dump_typed
from croupier.semantics.texts import dump_ast

TEXT = """\
croupier: 1
ruleset: shown
title: Shown
players: 2
definitions: |
  def gain(n: 0..9): announce "{n}"
  after gain(n) if n > 2: announce "much"
phases:
  rounds:
    for: p in players
    phases:
      "turn of {p}": gain(p.seat)
"""


def test_hooks_and_titles_of_phases_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "shown.yaml"
    path.write_text(TEXT, encoding="utf-8")
    document, found = open_ruleset(path)
    assert document is not None and not found
    program, _ = check(document)
    assert "hook 0 of the rules: after gain" in dump_typed(program)
    assert "phases / rounds / turn of {p} / title" in dump_ast(document).splitlines()
