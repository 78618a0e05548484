"""Rulesets that are checked with what is known of others are told the same as each by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier import check, shipped_names
from croupier.diagnostics import Diagnostic
from croupier.pipeline import Shared
from croupier.semantics.infoflow.incremental import IncrementalAnalysis

BASE = """\
croupier: 2
ruleset: hands
title: Hands
players: 2..4
parameters:
  largest: {type: 2..9, default: 5}
components:
  Card: {each: [number], attributes: {number: 1..9}, copies: 2, label: "{number}"}
zones:
  deck: {holds: Card, order: pile, start: all, seen_by: nobody}
  hand: {holds: Card, per: Player, seen_by: owner}
  pile: {holds: Card, seen_by: everybody}
state:
  bid: 0..9 per Player = 0 seen by everybody
definitions: |
  def play(p: Player):
      choose c from hand[p] by p as "play {c}"
      move c to pile
  def offer(p: Player):
      choose n from 1..largest by p as "bid {n}"
      bid[p] = n
phases:
  deal: |
    shuffle deck
    for p in players: draw 2 from deck to hand[p]
  bidding: |
    for p in players: offer(p)
  playing: |
    for p in players: play(p)
scoring: finish win players.first
"""
VARIANTS = {
    "more": "set: {largest: 7}\n",
    "leak": "definitions: |\n  replace def offer(p: Player):\n"
    '      choose n from 1..sum(c.number for c in hand[next(p)]) by p as "bid {n}"\n      bid[p] = 1\n',
    "hidden": "zones:\n  hand: {holds: Card, per: Player, seen_by: nobody}\n",
    "secret": "state:\n  bid: 0..9 per Player = 0 seen by owner\n",
    "longer": "add:\n  state:\n    last: 0..9 = 0 seen by nobody\n"
    "phases:\n  playing: |\n    for p in players:\n        play(p)\n        last = hand[p].size\n"
    '        choose n from 0..last by next(p) as "{n}"\n',
    "other": 'definitions: |\n  replace def play(p: Player):\n      choose c from hand[p] by p as "throw '
    '{c}"\n      move c to pile\n',
}


def told(found: tuple[Diagnostic, ...]) -> list[str]:
    return [f"{d} {d.help} {[str(label.span) + label.text for label in d.labels]}" for d in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "variants").mkdir()
    (tmp_path / "ruleset.yaml").write_text(BASE)
    for name, text in VARIANTS.items():
        (tmp_path / "variants" / f"{name}.yaml").write_text(
            f"croupier: 2\nextends: ../ruleset.yaml\ntitle: {name}\n{text}"
        )
    return tmp_path


def test_variants_are_told_what_they_are_told_alone(folder: Path) -> None:
    shared = Shared()
    assert not any(d.is_error for d in check(folder / "ruleset.yaml", shared).diagnostics)
    codes = set()
    for path in sorted((folder / "variants").iterdir()):
        alone, together = check(path).diagnostics, check(path, shared).diagnostics
        assert told(together) == told(alone), path.name
        codes |= {d.code for d in alone}
    assert "L030" in codes, "a leak that only a variant has"


def test_what_is_shared_is_analysed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared, analysed = Shared(), list[str]()
    summary = IncrementalAnalysis._summary

    def counted(self: IncrementalAnalysis, proc: object) -> object:
        analysed.append(proc.name)
        return summary(self, proc)

    monkeypatch.setattr(IncrementalAnalysis, "_summary", counted)
    check(folder / "ruleset.yaml", shared)
    assert "play" in analysed
    analysed.clear()
    check(folder / "variants" / "more.yaml", shared)
    assert not analysed
    check(folder / "variants" / "other.yaml", shared)
    assert set(analysed) == {"play"}


@pytest.mark.parametrize("name", ["vudu", "wednesday_hyde", "baron_voodoo"])
def test_decisions_of_shipped_variants(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What their decisions depend on is the same, carried over or not; but for places, which are those of
    former texts.
    """
    kept: list[IncrementalAnalysis] = []
    solve = IncrementalAnalysis._solve

    def noted(self: IncrementalAnalysis) -> None:
        solve(self)
        kept.append(self)

    monkeypatch.setattr(IncrementalAnalysis, "_solve", noted)
    shared, carried = Shared(), 0
    for one in [name, *(n for n in shipped_names() if n.startswith(f"{name}/"))]:
        kept.clear()
        check(one, shared)
        for analysis in kept:
            afresh = IncrementalAnalysis(analysis.program, None)
            carried += analysis.carried
            decisions, others = (
                [(d.span, d.chooser, d.reads, d.words) for d in of.decisions()] for of in (analysis, afresh)
            )
            assert decisions == others
            assert analysis.entries == afresh.entries
            kept.remove(afresh)
    assert carried
