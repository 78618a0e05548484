"""The document that random rules stand in: what every world has, and parts that it may have."""

from __future__ import annotations

from dataclasses import dataclass

from generated.defining import Definitions
from generated.grammar import Grammar, grammar
from generated.parts import PARTS
from generated.rules import Lines, Where
from generated.values import Name, Pick

HEAD = """\
croupier: 1
ruleset: generated
title: Generated
players: 2..3
limits: {LIMITS}
"""
BASE = """\
types:
  Colour: {COLOURS}
  Pair: {record: {a: 0..9, c: Colour}}
parameters:
  size: {type: 1..4, default: {SIZE}}
components:
  Card:
    attributes: {n: 1..4, colour: Colour = green}
    mutable: {face: 1..6 = 1}
    rolls: face
    columns: [id, n, colour]
    table: [[ace, 1, red], [two, 2, red], [jack, 3, green], [five, 4], [six, 1, blue], [king, 2, blue], [wolf, 3, red], [moon, 4, blue]]
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
  hand: {holds: Card, per: Player, seen_by: {HANDS}}
boards:
  grid: {shape: rectangle, rows: 2, columns: 3, cell: Cell, stack: {holds: Card, order: pile, capacity: 3 + key.row, seen_by: everybody}}
state:
  total: 0..99 = 3 seen by everybody
  level: int = 1 seen by everybody
  score: 0..50 per Player = key.seat seen by everybody as "{key} has {value}"
  leader: Player = players.first seen by everybody
  rival: Player? seen by everybody
  trump: Colour? seen by everybody
  flag: bool = false seen by everybody
  mark: Player? per Cell seen by everybody
  notes: list of int up to 6 seen by everybody
  pairs: list of Pair up to 3 seen by everybody
  round: 0..9 = 0 seen by everybody
"""  # noqa: E501 the text as it is read
SECTIONS = ("uses", "types", "parameters", "components", "zones", "boards", "state", "claims", "definitions")
RARE = {  # percent of programs; others have 35
    "labels": 8, "growing": 15, "copies": 20, "amounts": 20, "texts": 20, "orders": 20, "modules": 15,
    "places": 20, "audiences": 20,
}  # fmt: skip
# parts that programs have without a number of their own: where the other's is high
INSTEAD = {"growing": "texts"}
LIMITS = (
    "{decisions: 60}", "{decisions: 60, chance: 40}", "{decisions: 12}", "{decisions: 60, chance: 6}",
    "{decisions: 40, fuel: 5000}", "{decisions: 60, fuel: 400}", "{decisions: 60, fuel: 100}",
)  # fmt: skip
SCORING = (
    "finish rank {p: score[p] for p in players}",
    "finish rank {p: [score[p], hand[p].size] for p in players}",
    "finish pay {p: score[p] - hand[p].size for p in players}",
)


@dataclass(frozen=True)
class Program:
    """A document, and the features that its rules use."""

    text: str
    used: frozenset[str]

    def __repr__(self) -> str:
        return f"Program(\n{self.text})"


def sections(documents: list[str]) -> dict[str, Lines]:
    """The lines under each key, of some texts put together; of definitions as they are indented there."""
    found: dict[str, Lines] = {name: [] for name in SECTIONS}
    key = ""
    for text in documents:
        for line in text.splitlines():
            if line.startswith(" ") or line.startswith("{"):
                found[key].append(line[2:] if key == "definitions" else line)
            else:
                key = line.rstrip(":")
    return found


def block(lines: Lines, spaces: int) -> str:
    return "".join(f"{' ' * spaces}{line}\n" for line in lines)


class World:
    """Makes up a document; a `short` one has about half as many rules."""

    def __init__(self, pick: Pick, short: bool = False) -> None:
        self.pick, self.short = pick, short
        drawn = {name: pick(100) for name in PARTS if name not in INSTEAD}
        chosen = [
            name
            for name in PARTS
            if (drawn[name] if name in drawn else 99 - drawn[INSTEAD[name]])
            < RARE.get(name, 25 if short else 35)
        ]
        self.parts = [PARTS[name] for name in chosen]
        self.tokens = "tokens" in chosen
        self.careful = pick(100) < 70
        self.grammar: Grammar = grammar(self.parts, self.careful)
        self.hides, self.hands = pick(100) < 30, self.one("everybody", "everybody", "everybody", "owner")
        hidden = self.hides or self.hands == "owner" or "hidden" in chosen or "audiences" in chosen
        self.rules = Definitions(pick, self.grammar, leaks=' leaks "it is meant to"' if hidden else "")

    def one(self, *of: str) -> str:
        return of[self.pick(len(of))]

    def definitions(self) -> Lines:
        lines: Lines = []
        for _ in range(self.pick(3 if self.short else 5)):
            lines += self.rules.definition()
        for _ in range(self.pick(2 if self.short else 3)):
            lines += self.rules.window()
        for _ in range(self.pick(3 if self.short else 4)):
            lines += self.rules.hook()
        if self.rules.chance(12):
            lines += self.rules.any_time()
        for _ in range(self.pick(2)):
            lines += self.rules.watcher()
        return lines

    def powers(self) -> str:
        """Powers of all tokens, or of some of them."""
        if not self.tokens or self.pick(100) < 30:
            return ""
        made = [self.rules.power() for _ in range(1 + self.pick(3))]
        if self.pick(2):
            lines = [line for power in made for line in power]
            return f"    powers: |\n{block(lines, 6)}" if lines else ""
        own = [(name, power) for name, power in zip(("sun", "star", "comet"), made, strict=False) if power]
        return (
            "    powers:\n" + "".join(f"      {name}: |\n{block(power, 8)}" for name, power in own)
            if own
            else ""
        )

    def phases(self) -> str:
        """Rounds of some phases, each of which may be one for each player, or one for each number, or until
        something holds.
        """
        text = "phases:\n"
        if self.pick(4) == 0:
            text += "  set up: |\n" + block(self.rules.block([], Where(waits=True), 1, 2), 4)
        asks = (
            f"        choose pace from 0..2 by leader{self.rules.leaks}\n        level = pace\n"
            if self.pick(4)
            else ""
        )
        text += (
            f"  rounds:\n    repeat until: round >= {2 + self.pick(6)}\n    phases:\n      count: |\n    "
            f"    round += 1\n{asks}"
        )
        for k in range(1 + self.pick(2 if self.short else 3)):
            text += self.phase(k)
        return text

    def phase(self, k: int) -> str:
        name = f"p{k}v"
        loops = (("", ""), ("", ""), ("player", f"{name} in players"),
        ("player", f"{name} in clockwise(leader) if not hand[{name}].empty or flag"),
                 ("int", f"{name} in 1..2"), ("", ""))  # fmt: skip
        kind, loop = loops[self.pick(len(loops))]
        lines = self.rules.block(
            [Name(name, kind)] if kind else [], Where(waits=True), *((2, 4) if self.short else (3, 5))
        )
        if not loop:
            return f"      {self.one(f'phase {k}', f'phase {k} of round {{round}}')}: |\n" + block(lines, 8)
        title = self.one(f"part {k}", f"part {k} of {{{name}}}")
        return f"      turns {k}:\n        for: {loop}\n        phases:\n          {title}: |\n" + block(
            lines, 12
        )

    def text(self) -> str:
        definitions = self.definitions()
        documents = sections([BASE, *(part.document for part in self.parts)])
        definitions = documents.pop("definitions") + definitions
        powers = self.powers()
        text = HEAD.replace("{LIMITS}", self.one(*LIMITS))
        places = {"SEEN": "nobody" if self.hides else "everybody", "HANDS": self.hands}
        places["COLOURS"] = self.one(
            "[red, green, blue]", "{labels: {green: the leaf, blue: ♠}, values: [red, green, blue]}"
        )
        places |= {
            "SIZE": str(1 + self.pick(4)),
            "MODE": self.one("calm", "wild"),
            "EXTRA": self.one("true", "false"),
        }
        for name, lines in documents.items():
            if lines:
                text += f"{name}:\n" + "".join(line + "\n" for line in lines)
        for name, value in places.items():
            text = text.replace("{" + name + "}", value)
        text = text.replace("{POWERS}\n", powers)
        if definitions:
            text += "definitions: |\n" + block(definitions, 2)
        text += self.phases()
        text += f"scoring: |\n  {self.one(*SCORING)}\n"
        values = self.rules.values([])
        return (
            text
            + f"invariants:\n  it holds: |\n    total < {50 + self.pick(50)} or {values.value('bool', 1)}\n"
        )


def program(pick: Pick, short: bool = False) -> Program:
    """A program, made of what `pick` gives."""
    world = World(pick, short)
    text = world.text()
    return Program(text, frozenset(world.rules.used))
