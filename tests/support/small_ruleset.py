"""A small ruleset that uses every section and every shape, for tests that change one thing in it."""

from __future__ import annotations

TEXT = """\
croupier: 1
ruleset: small
title: Small
doc: A game that nobody plays.
players: [2, 4..5]
limits: {decisions: 200, chance: 100, fuel: 10000}
types:
  Colour: [red, blue]
  Role: {attributes: {copies: 0..3, side: Colour}, values: {seer: [2, red], wolf: {copies: 1, side: blue, doc: alone, cites: AB-2}}}
  Bid: {record: {number: 0..30}}
parameters:
  hand_size:
    type: 1..26
    default: 6
    valid: players.size * hand_size < 30
    tried: [1, 6, 26]
    doc: cards in a hand
    cites: [AB-1, AB-4..6]
  side: {one_of: [left, right], cites: "AB-1, AB-3,5"}
components:
  Card:
    attributes: {colour: Colour, number: 1..3}
    each: [colour, number]
    copies: 2
    label: "{colour}-{number}"
    powers: |
      end when false: finish draw
  Piece:
    attributes: {colour: Colour}
    mutable: {face: 1..6 = 1}
    columns: [id, colour]
    table:
      - [a, red]
      - {id: b, colour: blue, powers: end when false, cites: AB-1}
    rolls: face
    live: anywhere
    powers:
      a: |
        end when false: finish draw
  Token:
    ids: [sun, moon]
  Cube: {count: 8}
zones:
  deck: {holds: Card, order: pile, seen_by: nobody, start: all}
  hand:
    holds: Card
    per: Player
    capacity: hand_size
    seen_by: {by: side, left: owner, right: {by: side, left: nobody, right: others}}
    counted_by: everybody
    live: true
boards:
  grid: {shape: rectangle, rows: 3, columns: 3, adjacency: orthogonal, cell: Cell, stack: {holds: Piece, order: pile}}
  map: {shape: graph, cells: [a, b, c], links: [[a, b], [b, c]]}
  wheel: {shape: ring, size: 9}
state:
  leader: Player = players.first seen by everybody
  score: {type: 0..9 per Player, start: 0, seen_by: owner}
definitions:
  Who wins: |
    def best() -> Player: return leader
claims:
  role: {says: "I am {who}", fields: {who: Player}, only if: true}
phases:
  set up: |
    shuffle deck
  play:
    repeat until: false
    doc: the game
    phases:
      turns:
        for: p in players
        phases:
          take a card: pass
  more: {repeat: true, phases: {end: pass}}
scoring: |
  rank players
invariants:
  nothing is wrong: true
"""  # noqa: E501 the text as it is read
