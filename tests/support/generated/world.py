"""The document that random rules stand in."""

from __future__ import annotations

from dataclasses import dataclass

from generated.rules import Rules, Where
from generated.values import Pick

HEAD = """\
croupier: 1
ruleset: generated
title: Generated
players: 2..3
limits: {LIMITS}
types:
  Colour: [red, green, blue]
  Pair: {record: {a: 0..9, c: Colour}}
parameters:
  size: {type: 1..4, default: 2}
components:
  Card:
    attributes: {n: 1..4, colour: Colour}
    mutable: {face: 1..6 = 1}
    rolls: face
    columns: [id, n, colour]
    table: [[ace, 1, red], [two, 2, red], [jack, 3, green], [five, 4, green], [six, 1, blue], [king, 2, blue], [wolf, 3, red], [moon, 4, blue]]
zones:
  deck:
    holds: Card
    order: pile
    seen_by: {SEEN}
    start: |
      [c for c in Card if c.n <= 2]
  sack:
    holds: Card
    order: bag
    seen_by: everybody
    start: |
      [c for c in Card if c.n == 3]
  pile:
    holds: Card
    order: pile
    seen_by: everybody
    start: |
      [c for c in Card if c.n == 4]
  row: {holds: Card, order: sequence, seen_by: everybody, capacity: 7}
  discard: {holds: Card, order: pile, seen_by: everybody}
  hand: {holds: Card, per: Player, seen_by: everybody}
boards:
  grid: {shape: rectangle, rows: 2, columns: 3, stack: {holds: Card, order: pile, capacity: 4, seen_by: everybody}}
state:
  total: 0..99 = 3 seen by everybody
  level: int = 1 seen by everybody
  score: 0..50 per Player = 1 seen by everybody
  leader: Player = players.first seen by everybody
  rival: Player? seen by everybody
  trump: Colour? seen by everybody
  flag: bool = false seen by everybody
  mark: Player? per Cell seen by everybody
  notes: list of int up to 6 seen by everybody
  pairs: list of Pair up to 3 seen by everybody
  round: 0..9 = 0 seen by everybody
"""


@dataclass(frozen=True)
class Program:
    """A document, and the features that its rules use."""

    text: str
    used: frozenset[str]

    def __repr__(self) -> str:
        return f"Program(\n{self.text})"


def program(pick: Pick) -> Program:
    """A program, made of what `pick` gives."""
    r = Rules(pick)
    limits = ("{decisions: 60}", "{decisions: 60, fuel: 400}", "{decisions: 60, fuel: 100}")[pick(3)]
    definitions = []
    for _ in range(pick(5)):
        definitions += r.definition()
    if pick(100) < 50:
        definitions += r.window()
    for _ in range(pick(4)):
        definitions += r.hook()
    for _ in range(pick(2)):
        definitions += r.watcher()
    text = HEAD.replace("{LIMITS}", limits).replace("{SEEN}", "nobody" if pick(100) < 30 else "everybody")
    if definitions:
        text += "definitions: |\n" + "".join(f"  {line}\n" for line in definitions)
    text += f"phases:\n  rounds:\n    repeat until: round >= {1 + pick(6)}\n    phases:\n      count: round += 1\n"
    for k in range(1 + pick(3)):
        text += f"      phase {k}: |\n" + "".join(f"        {line}\n" for line in r.block([], Where(waits=True), 3, 5))
    text += "scoring: |\n  finish rank {p: score[p] for p in players}\n"
    return Program(text, frozenset(r.used))
