"""What newcomers write: one diagnostic each, at its column, with help that says how it is written here; and
the fix, where there is one, mends it.

Rows of `mistakes/slips.csv`: a statement in a loop over players `p`, the code, the column in the statement, a
part of the message, the help or the fix's title, and what a safe fix makes of it.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from croupier.authoring.fixing import fix_whole
from croupier.authoring.verdicts import Verdicts
from findings import ROOT, findings

BASE = """\
croupier: 1
ruleset: slips
title: Slips
players: 2..4
types:
  Colour: [red, blue]
components:
  Card: {ids: [sun, moon]}
  Dye: {attributes: {shade: 1..3}, each: [shade]}
zones:
  hand: {holds: Card, per: Player, seen_by: owner}
  deck: {holds: Card, order: pile, start: all}
  pots: {holds: Dye, start: all}
state:
  score: 0..99 per Player = 0 seen by everybody
  leader: Player = players.first seen by everybody
  trump: Colour? seen by everybody
phases:
  play: |
    for p in turns():
        %s
"""
LINE, COLUMN = 21, 9
ROWS = list(csv.DictReader((ROOT / "tests" / "language" / "mistakes" / "slips.csv").open(encoding="utf-8")))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["statement"])
def test_slip(row: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "slips.yaml"
    path.write_text(BASE % row["statement"], encoding="utf-8")
    found = [d for d in findings(path) if d.is_error]
    assert [d.code for d in found] == [row["code"]]
    (only,) = found
    assert only.span is not None and (only.span.line, only.span.column - COLUMN + 1) == (
        LINE,
        int(row["column"]),
    )
    assert row["help"] in f"{only.message} {only.help} {only.fix.title if only.fix else ''}"
    fixed = [file.after for file in fix_whole(str(path), Verdicts(None)).files]
    assert fixed == ([BASE % row["mended"]] if row["mended"] else [])
