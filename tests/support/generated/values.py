"""A grammar of expressions and of statements without blocks, by type, and what makes text of it.

`<int>` stands for any expression of that type. A rule after `card:` has a name of its own, `$`, for a card: where it is known stands a star,
`<int*>`. Rules without `<` are what is left when an expression is deep enough.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

Pick = Callable[[int], int]  # a whole number from 0, below this one

GRAMMAR = """
int     | 0
int     | 1
int     | 2
int     | 3
int     | 7
int     | size
int     | total
int     | level
int     | (<int> + <int>)
int     | (<int> - <int>)
int     | (<int> * <int>)
int     | (<int> // 2)
int     | (<int> mod 3)
int     | (<int> mod <int>)
int     | -<int>
int     | abs(<int>)
int     | min(<int>, <int>)
int     | max(<int>, <int>)
int     | (<int> if <bool> else <int>)
int     | score[<player>]
int     | <player>.seat
int     | <card>.n
int     | <card>.face
int     | <colour>.rank
int     | <pair>.a
int     | <cell>.row
int     | <cell>.column
int     | <cards>.size
int     | <ints>.size
int     | <ints>.times(<int>)
int     | (notes.first otherwise 1)
int     | (notes.last otherwise <int>)
int     | (<ints>.position(<int>) otherwise 0)
int     | <ints>[<int>]
int     | pile.size
int     | hand[<player>].size
int     | card: sum(<int*> for $ in <cards><if*>)
int     | card: count(<bool*> for $ in <cards>)
int     | card: (max(<int*> for $ in <cards><if*>) otherwise 2)
int     | card: (min(<int*> for $ in <cards><if*>) otherwise <int>)
int     | player: sum(<int*> for $ in <players>)
int     | cell: count(<bool*> for $ in grid)
bool    | true
bool    | flag
bool    | trump is none
bool    | rival is not none
bool    | pile.empty
bool    | (<int> < <int>)
bool    | (<int> <= <int>)
bool    | (<int> == <int>)
bool    | (<int> != <int>)
bool    | (<colour> == <colour>)
bool    | (<player> != <player>)
bool    | (<card> == <card>)
bool    | (<cell> in <cell>.adjacent)
bool    | (not <bool>)
bool    | (<bool> and <bool>)
bool    | (<bool> or <bool>)
bool    | (<card> in <cards>)
bool    | (<player> not in <players>)
bool    | (<int> in 1..4)
bool    | <cards>.empty
bool    | (<maybe> == <player>)
bool    | (<maybe> is none)
bool    | (trump == <colour>)
bool    | [<int>, <int>].all_equal
bool    | <ints>.all_different
bool    | (mark[<cell>] is none)
bool    | card: any(<bool*> for $ in <cards>)
bool    | card: all(<bool*> for $ in <cards><if*>)
bool    | player: any(<bool*> for $ in <players>)
colour  | red
colour  | green
colour  | <card>.colour
colour  | (trump otherwise <colour>)
colour  | <pair>.c
colour  | (<colour> if <bool> else <colour>)
player  | leader
player  | players.last
player  | next(<player>)
player  | previous(<player>)
player  | (rival otherwise <player>)
player  | (<maybe> otherwise <player>)
player  | (<player> if <bool> else <player>)
player  | player: best($ for $ in players by <int*>)
player  | player: (first($ for $ in <players> if <bool*>) otherwise leader)
maybe   | rival
maybe   | mark[<cell>]
maybe   | <card>.owner
maybe   | hand.key(<card>)
maybe   | player: only($ for $ in players if <bool*>)
card    | ace
card    | jack
card    | (<cards>.first otherwise ace)
card    | (<cards>.last otherwise jack)
card    | <cards>.first!
card    | (pile.top otherwise ace)
card    | card: (best($ for $ in <cards> by <int*>) otherwise ace)
card    | card: (worst($ for $ in <cards><if*> by <int*>) otherwise jack)
cell    | grid.at(1, 1)!
cell    | (grid.at(<int>, <int>) otherwise grid.at(2, 2)!)
pair    | Pair(3, red)
pair    | Pair(min(9, abs(<int>)), <colour>)
pair    | (pairs.first otherwise Pair(1, <colour>))
list    | row.list
list    | card: [$ for $ in <cards> if <bool*>]
list    | card: sorted($ for $ in <cards> by <int*>)
list    | <list>.reversed
list    | <list>.drop(1)
list    | (<list> + <list>)
cards   | row
cards   | pile
cards   | discard
cards   | hand[<player>]
cards   | grid[<cell>]
cards   | hand
cards   | Card
cards   | <list>
players | players
players | clockwise(<player>)
players | others(<player>)
players | player: [$ for $ in players if <bool*>]
players | player: ties($ for $ in players by <int*>)
ints    | notes
ints    | [1, 3]
ints    | [<int>, <int>]
ints    | (<ints> + <ints>)
ints    | <ints>.reversed
ints    | <ints>.distinct
ints    | <ints>.take(2)
ints    | card: [<int*> for $ in <cards><if*>]
ints    | number: [<int*> for $ in 1..<int>]
acts    | total = <int>
acts    | total = abs(<int>) mod 100
acts    | total = (total + 5) mod 90
acts    | level = <int>
acts    | score[<player>] += 1
acts    | score[<player>] = abs(<int>) mod 40
acts    | leader = <player>
acts    | rival = <maybe>
acts    | trump = <colour>
acts    | trump = none
acts    | flag = <bool>
acts    | mark[<cell>] = <maybe>
acts    | <card>.face = 1 + abs(<int>) mod 6
acts    | if notes.size < 6: add <int> to notes
acts    | remove <int> from notes
acts    | notes = <ints>.take(4)
acts    | if pairs.size < 3: add <pair> to pairs
acts    | move <card> to row
acts    | move <card> to hand[<player>]
acts    | move <card> to discard at bottom
acts    | move <card> to grid[<cell>]
acts    | move row to discard
acts    | move discard to pile at bottom
acts    | swap <card> with <card>
acts    | swap hand[<player>] with hand[<player>]
acts    | shuffle pile
acts    | show <card> to <player>
acts    | announce "{total}"
acts    | score = {p: 2 for p in players}
waits   | draw max(1, <int>) from deck to hand[<player>]
waits   | draw 1 from deck to row
waits   | draw 2 from sack to discard
waits   | draw 1 from pile to row
waits   | roll <card>
waits   | roll row
waits   | roll <list>
"""


@dataclass(frozen=True)
class Name:
    """Something that can be named where an expression stands; `kind` is a type of the grammar."""

    text: str
    kind: str
    settable: bool = False


@dataclass(frozen=True)
class Function:
    """A definition that may be called: the types of its parameters and of its result (empty: it has none), and its colour."""

    name: str
    takes: tuple[str, ...]
    gives: str
    colour: str = "pure"


def read(grammar: str) -> dict[str, list[tuple[str, str]]]:
    """The rules of each type: the type of the name of its own, if it has one, and the text."""
    rules: dict[str, list[tuple[str, str]]] = {}
    for line in grammar.strip().splitlines():
        kind, _, text = (part.strip() for part in line.partition("|"))
        own = re.match(r"(\w+): ", text)
        rules.setdefault(kind, []).append(("int" if own and own[1] == "number" else own[1] if own else "", text[own.end() :] if own else text))
    return rules


RULES = read(GRAMMAR)
LEAVES = {kind: [rule for rule in found if "<" not in rule[1]] for kind, found in RULES.items()}


@dataclass
class Values:
    """Text over some names and functions. `made` counts the names that were made up."""

    pick: Pick
    names: list[Name] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    made: list[int] = field(default_factory=lambda: [0])

    def chance(self, percent: int) -> bool:
        return self.pick(100) < percent

    def new(self) -> str:
        self.made[0] += 1
        return f"v{self.made[0]}"

    def value(self, kind: str, depth: int = 2) -> str:
        """Text of a type: a name, a call, or a rule of the grammar."""
        known = [n.text for n in self.names if n.kind == kind]
        if known and (depth <= 0 or self.chance(45)):
            return known[self.pick(len(known))]
        if depth > 0 and self.chance(20):
            calls = [f for f in self.functions if f.gives == kind and f.colour == "pure"]
            if calls:
                return self.call(calls[self.pick(len(calls))], depth - 1)
        rules = (LEAVES if depth <= 0 else RULES).get(kind) or RULES[kind]
        return self.rule(*rules[self.pick(len(rules))], depth - 1)

    def call(self, f: Function, depth: int) -> str:
        return f"{f.name}({', '.join(self.value(k, depth) for k in f.takes)})"

    def rule(self, own: str, text: str, depth: int) -> str:
        """The text of a rule, with something in every place."""
        x = self.new() if own else ""
        inner = Values(self.pick, [*self.names, Name(x, own)], self.functions, self.made) if own else self

        def place(m: re.Match[str]) -> str:
            if m[1] == "if":
                return f" if {inner.value('bool', depth)}" if self.chance(50) else ""
            return (inner if m[2] else self).value(m[1], depth)

        return re.sub(r"<(\w+)(\*?)>", place, text).replace("$", x)
