"""What checking finds in a ruleset: for tests of diagnostics, and for `tools/record-diagnostics`."""

from __future__ import annotations

import re
from pathlib import Path

import croupier
from croupier.diagnostics import Diagnostic
from croupier.diagnostics.render import render_human
from croupier.resolve import open_ruleset
from croupier.semantics import check

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests" / "diagnostics"
HEAD = {
    "croupier": "croupier: 1\n",
    "ruleset": "ruleset: example\n",
    "title": "title: Example\n",
    "players": "players: 2..4\n",
}
BODY = "phases:\n  play: pass\n"
# what the examples of the catalogue and some fixtures find beside them
BASE = """\
croupier: 1
ruleset: base
title: Base
players: 2..4
definitions: |
  def price() -> int: return 3
phases:
  play: |
    announce "{price()}"
    finish draw
"""
HOOKED = """\
croupier: 1
ruleset: hooked
title: Hooked
players: 2..4
state:
  score: 0..99 per Player = 0 seen by everybody
definitions: |
  def gain(p: Player, n: 1..3):
      score[p] += n
  after gain(p, n) if n > 2: announce "{p} gains a lot"
  after gain(p, n) if n < 2: announce "{p} gains little"
phases:
  play: |
    choose n from 1..3 by players.first
    gain(players.first, n)
    finish draw
"""
RULES = "id,tag,text\nAB-1,rule,the first\nAB-2,rule,the second\nAB-3,rule,the third\n"


def complete(fragment: str) -> str:
    """A whole ruleset from some of its sections; a variant stays what it is."""
    keys = set(re.findall(r"(?m)^(\w+):", fragment))
    if "extends" in keys:
        return fragment
    head = "".join(line for key, line in HEAD.items() if key not in keys)
    cited = " @AB-1" if "rule_list" in keys else ""
    end = "" if "scoring" in keys or "finish" in fragment else f"scoring: |\n  finish draw{cited}\n"
    return head + fragment + ("" if "phases" in keys else BODY) + end


def findings(path: Path) -> list[Diagnostic]:
    """All diagnostics of a ruleset, in the order of `croupier check`."""
    document, found = open_ruleset(path)
    if document is None:
        return found
    if any(parameter.variants for _, parameter in document.parameters):
        return list(croupier.check(path).diagnostics)  # the variants that parameters switch on, too
    return found + check(document)[1]


def findings_of(fragment: str, folder: Path) -> list[Diagnostic]:
    """The same of a fragment, with bases to extend and a rule list beside it."""
    (folder / "base.yaml").write_text(BASE, encoding="utf-8")
    (folder / "hooked.yaml").write_text(HOOKED, encoding="utf-8")
    (folder / "rules.csv").write_text(RULES, encoding="utf-8")
    path = folder / "example.yaml"
    path.write_text(complete(fragment), encoding="utf-8")
    return findings(path)


def rendered(path: Path) -> str:
    """What a person is shown, without colours; paths as seen from the root of the repository."""
    return render_human(findings(path))
