"""Rule text without its `|` is told as that; titles, groups of phases and prose that only look like it are
left alone.
"""

from __future__ import annotations

import pytest

from croupier.diagnostics import Source, apply_fixes
from croupier.source import read

FORGOTTEN = [
    "phases:\n  play:\n    for p in turns():\n        choose n from 1..3 by p\n",
    "phases:\n  set up:\n    shuffle deck\n    draw 1 from deck to hand[p]\n",
    'phases:\n  play:\n    choose n from 1..3 by players.first\n        only if "x": n > 1\n    finish '
    "draw\n",
    "scoring:\n  finish rank {p: score[p] for p in players}\n",
    "definitions:\n  def f() -> int:\n      return 3\n",
    "definitions:\n  Cards:\n    after f(x) if x > 2: g()\n",
    "phases:\n  play:   # the game\n\n    let n = 3    @AB-1\n    if n == 3: finish draw\n",
    "phases:\n  play:\n    if n == 3:\n        finish draw\n",
    "phases:\n  play:\n    n += 1\n    repeat until n == 3:\n        n += 1\n",
]
FINE = [
    "phases:\n  choose a dog: |\n    choose d from house by p\n  move on: leader = next(leader)\n",
    "phases:\n  draw from the deck: draw 1 from deck to row\n  if tied: finish draw\n",
    "phases:\n  rounds:\n    for each player:\n      for: p in players\n      phases:\n        play: pass\n",
    "phases:\n  if somebody is out:\n    repeat: true\n    phases: {a: pass}\n",
    "phases:\n  play:\n    shuffle deck\n",
    "doc:\n  draw cards from the deck\n  and so on\n",
    'phases:\n  play: |\n    choose by p:\n        option "x": pass\n    if a:\n        move b to c\n',
    "state:\n  shuffle: 0..9 = 3\n  draw: {type: 0..9, start: 3}\n",
    "do:\n  - Anna: sun-1\n  - Brian: draw\n",
]


@pytest.mark.parametrize("text", FORGOTTEN)
def test_forgotten(text: str) -> None:
    source = Source("x.yaml", text)
    root, found = read(source)
    assert root is None and [d.code for d in found] == ["Y021"]
    mended, count = apply_fixes(source, found)
    assert count == 1 and read(Source("x.yaml", mended))[1] == []


@pytest.mark.parametrize("text", FINE)
def test_left_alone(text: str) -> None:
    root, found = read(Source("x.yaml", text))
    assert root is not None and found == []
