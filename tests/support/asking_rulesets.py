"""Random small rulesets in which much is asked about hidden hands: of players and of chance, once, several
times, or not at all.

Whoever decides sees what they decide about; the other two see nothing of it. So nothing that is asked may
tell them what lies in a hand.
"""

from __future__ import annotations

import random

HEAD = """\
croupier: 1
ruleset: asking
title: Asking
players: 3
components:
  Card: {attributes: {colour: Colour, number: 1..3}, each: [colour, number]}
  Good: {ids: [wood, clay], copies: 3}
  Die: {ids: [white, black, grey], mutable: {face: 1..3 = 1}, rolls: face}
types: {Colour: [red, blue]}
zones:
  deck: {holds: Card, order: pile, start: all}
  store: {holds: Good, order: bag, start: all}
  hand: {holds: Card, per: Player, seen_by: owner}
  goods: {holds: Good, per: Player, order: bag, seen_by: owner}
  box: {holds: Die, start: all}
  cup: {holds: Die, per: Player, seen_by: owner}
  away: {holds: Card, seen_by: nobody}
  sold: {holds: Good, seen_by: nobody}
state:
  marks: {type: 0..99 per Player, start: 0, seen_by: owner}
  quiet: 0..99 = 0
definitions: |
  window after(p: Player)
  in after(p) if p != owner and any(c.number == 3 for c in hand[owner]) as "answer":
      marks[owner] += 1
phases:
  play: |
    let a = players.first
    let b = next(a)
    let last = players.last
    shuffle deck
    for p in players: draw 2 from deck to hand[p]
    for p in players:
        draw 2 from store to goods[p]
        move box.first! to cup[p]
"""


class Maker:
    """Makes up the statements of one ruleset."""

    def __init__(self, chosen: random.Random) -> None:
        self.random, self.made = chosen, 0

    def one(self, *of: str) -> str:
        return self.random.choice(of)

    def name(self) -> str:
        self.made += 1
        return f"x{self.made}"

    def filter(self, x: str) -> str:
        return self.one(
            "",
            f" where {x}.colour == red",
            f" where {x}.number > 1",
            f" where {x}.number == {self.one('1', '2', '3')}",
        )

    def fate(self, x: str, who: str) -> str:
        """What happens to a card that was chosen: unseen by most."""
        return self.one(
            f"move {x} to away",
            f"move {x} to hand[next({who})]",
            f"marks[{who}] += {x}.number",
            f"marks[{who}] += 1",
            "quiet += 1",
        )

    def statement(self) -> list[str]:
        who, x = self.one("a", "b"), self.name()
        kinds = [
            self.by_chance, self.by_chance, self.weighed, self.several_by_chance, self.may, self.may,
            self.several, self.menu, self.window,
            self.draw, self.roll, self.asked_with_else, self.goods, self.at_once,
        ]  # fmt: skip
        return self.random.choice(kinds)(who, x)

    def by_chance(self, who: str, x: str) -> list[str]:
        merged = self.one("", " merging colour", " merging number")
        lines = [f"choose {x} from hand[{who}] by chance{merged}{self.filter(x)}", "else: pass"]
        return [*lines, f"if {x} is not none: {self.fate(x, who)}"]

    def weighed(self, who: str, x: str) -> list[str]:
        return [
            f"if not hand[{who}].empty:",
            f"    choose {x} from hand[{who}] by chance weighing {x}.number * {x}.number - 1 + 1",
            "    quiet += 1",
        ]

    def several_by_chance(self, who: str, x: str) -> list[str]:
        count = self.one("1..2", "any", "some", "2")
        return [
            f"choose {count} {x} from hand[{who}] by chance",
            "else: pass",
            f"move {x} to {self.one('away', f'hand[next({who})]')}",
        ]

    def may(self, who: str, x: str) -> list[str]:
        head = (
            f"may choose {x} from hand[{who}]{self.filter(x)} by {who}"
            + self.one("", ' as "use"', ' as "use" or "keep all"')
            + ":"
        )
        return [head, f"    {self.fate(x, who)}", *self.random.choice(([], ["else:", "    quiet += 1"]))]

    def several(self, who: str, x: str) -> list[str]:
        count = self.one("any", "0..2", "1..2", "some")
        rest = self.one(
            "", f" such that sum(c.number for c in {x}) < 5", f" such that all(c.colour == red for c in {x})"
        )
        return [f"choose {count} {x} from hand[{who}] by {who}{rest}", "else: pass", f"move {x} to away"]

    def menu(self, who: str, x: str) -> list[str]:
        return [
            f"choose by {who}:",
            f'    option "one" if any(c.colour == red for c in hand[{who}]): marks[{who}] += 1',
            f'    option "two": marks[{who}] += 2',
        ]

    def window(self, who: str, x: str) -> list[str]:
        return [f"open after({who}) to others({who})"]

    def draw(self, who: str, x: str) -> list[str]:
        return [f"if deck.size > 1: draw {self.one('1', '2')} from deck to hand[{who}]"]

    def roll(self, who: str, x: str) -> list[str]:
        return [f"roll cup[{who}]"]

    def asked_with_else(self, who: str, x: str) -> list[str]:
        return [
            f"choose {x} from hand[{who}] by {who}",
            "else: pass",
            f"if {x} is not none: {self.fate(x, who)}",
        ]

    def goods(self, who: str, x: str) -> list[str]:
        return self.random.choice([
            [f"if store.size > 0: draw 1 from store to goods[{who}]"],
            [f"choose {x} from goods[{who}] by chance", "else: pass",
            f"if {x} is not none: move {x} to sold"],
            [f"may choose {x} from goods[{who}] by {who}: move {x} to sold"],
            [f"choose 1..2 {x} from goods[{who}] by {who}", "else: pass", f"move {x} to goods[next({who})]"],
        ])  # fmt: skip

    def at_once(self, who: str, x: str) -> list[str]:
        return [
            "for p in players at once:",
            f"    may choose {x} from hand[p]{self.filter(x)} by p:",
            f"        move {x} to away",
        ]


def ruleset(seed: int) -> str:
    """A random ruleset as text; equal for equal seeds."""
    maker = Maker(random.Random(seed))
    lines = [line for _ in range(maker.random.randint(2, 5)) for line in maker.statement()]
    lines += [
        'choose n1 from 1..2 by last as "go on"',
        *maker.statement(),
        'choose n2 from 1..2 by last as "go on"',
        "finish draw",
    ]
    return HEAD + "".join(f"    {line}\n" for line in lines)
