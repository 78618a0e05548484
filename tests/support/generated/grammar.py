"""A grammar of expressions and of statements without blocks, by type, of what every world has; `parts.py`
adds to it.

`<int>` stands for any expression of that type. A rule after `card:` has a name of its own, `$`, for a card:
where it is known stands a star, `<int*>`. Rules without `<` are what is left when an expression is deep
enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from generated.parts import Part

TYPES = {"int": "int", "bool": "bool", "colour": "Colour", "player": "Player", "card": "Card",
"list": "list of Card", "maybe": "Player?",
         "pair": "Pair", "cell": "Cell", "ints": "list of int"}  # fmt: skip
SOURCES = (
    ("int", "0..4"), ("int", "1..3"), ("int", "notes"), ("int", "size..4"), ("colour", "Colour"),
    ("card", ""), ("card", "row"), ("card", "hand"),
    ("player", "players"), ("player", "others(leader)"), ("colour", "{red: 2, green: 1}.list"),
    ("pair", "pairs"), ("cell", "grid"),
)  # fmt: skip

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
int!    | (<int> * <int>)
int     | (<int> // 2)
int     | (<int> mod 3)
int!    | (<int> mod <int>)
int     | -<int>
int     | abs(<int>)
int     | min(<int>, <int>)
int     | max(<int>, <int>)
int     | (<int> if <bool> else <int>)
int     | score[<player>]
int     | sum(score)
int     | max(score - {<player>: 1})
int     | sum([c.colour for c in <cards>].counts * 2 - {<colour>: <int>})
int     | {<colour>: 2, blue: <int> mod 4}.list.size
int     | card: [$.colour for $ in <cards>].counts[<colour>]
int     | <player>.seat
int     | <card>.n
int     | <card>.face
int     | <colour>.rank
int     | <pair>.a
int     | <cell>.row
int     | <cell>.column
int     | <cards>.size
int     | <ints>.size
int     | (notes + <ints>).times(<int>)
int     | (notes.first otherwise 1)
int     | (notes.last otherwise <int>)
int     | ((notes + <ints>).position(<int>) otherwise 0)
int!    | <ints>[<int>]
int     | pile.size
int     | hand.size
bool    | hand.empty
int     | hand[<player>].size
int     | card: sum(<int*> for $ in <cards><if*>)
int     | card: count(<bool*> for $ in <cards>)
int     | card: (max(<int*> for $ in <cards><if*>) otherwise 2)
int     | card: (min(<int*> for $ in <cards><if*>) otherwise <int>)
int     | player: sum(<int*> for $ in <players>)
int     | cell: count(<bool*> for $ in grid)
int     | (grid.directions.size - 1)
int     | row.room
int     | (row.position(<card>) otherwise 0)
int     | row.times(<card>)
int     | (hand.position(<card>) otherwise 7)
int     | hand.times(<card>)
bool    | hand.all_equal
int     | (grid.columns.size + grid.size)
int     | (row[1].n if row.size > 0 else 2)
bool    | discard.all_equal
card    | (discard.bottom otherwise ace)
card    | (row[2] if row.size > 1 else king)
int     | number: (first($ for $ in notes if <bool*>) otherwise 4)
int     | pile.above(1).size
int     | player: max(<int*> for $ in players)
int     | number: sum($ for $ in <ints> if <bool*>)
int     | number: (last($ for $ in <ints> if <bool*>) otherwise 3)
int     | (sum(<ints>) mod 100)
int     | (max(notes) otherwise 0)
int     | card: sum(<int*> for $ in row for $k in 1..2 if $k <= $.n)
int     | card: sum(1 for $ in Card if $.n > 2 for $q in players if $q != leader)
bool    | true
bool    | <cards>.empty
bool    | <cards>.all_different
bool    | (<colour> >= <colour>)
bool    | (<int> in 1..max(3, <int>))
bool    | (<int> not in (notes + <ints>))
bool    | (notes == <ints>)
bool    | (<list> != <list>)
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
colour  | blue
colour  | Colour.first
colour  | <colour>.next
colour  | <colour>.previous
colour  | red
colour  | green
colour  | <card>.colour
colour  | (trump otherwise <colour>)
colour  | <pair>.c
colour  | (<colour> if <bool> else <colour>)
player  | players[1]
player! | next(<player>, <players>)
player  | leader
player  | players.last
player  | next(<player>)
player  | previous(<player>)
player  | (rival otherwise <player>)
player  | (<maybe> otherwise <player>)
player  | (<player> if <bool> else <player>)
player  | player: best($ for $ in players by <int*>)
player  | player: (first($ for $ in <players> if <bool*>) otherwise leader)
maybe   | only(<players>)
maybe   | player: last($ for $ in players if <bool*>)
maybe   | rival
maybe   | mark[<cell>]
maybe   | <card>.owner
maybe   | hand.key(<card>)
maybe   | player: only($ for $ in players if <bool*>)
card    | ace
card    | jack
card    | (<cards>.first otherwise ace)
card    | (<cards>.last otherwise jack)
card!   | <cards>.first!
card    | (pile.top otherwise ace)
card    | card: (best($ for $ in <cards> by <int*>) otherwise ace)
card    | card: (worst($ for $ in <cards><if*> by <int*>) otherwise jack)
cell    | grid.at(1, 1)!
cell    | (grid.at(<int>, <int>) otherwise grid.at(2, 2)!)
pair    | Pair(3, red)
pair    | Pair(min(9, abs(<int>)), <colour>)
pair    | (pairs.first otherwise Pair(1, <colour>))
list    | card: ties($ for $ in <cards> by <int*>)
list    | card: sorted($ for $ in <cards> by [$.colour.rank, -<int*>])
list    | row.list
list    | row.reversed
list    | row.take(2)
list    | pile.drop(1)
list    | discard.distinct
list    | hand.reversed
list    | hand.take(<int>)
list    | hand.drop(1)
list    | hand.distinct
list    | card: [$ for $ in <cards> if <bool*>]
list    | card: sorted($ for $ in <cards> by <int*>)
list    | <list>.reversed
list    | <list>.drop(1)
list    | (<list> - <list>)
list    | (row.list otherwise <list>)
list    | <list>.distinct
list    | pile.above(1)
list    | (<list> + <list>)
zone    | row
zone    | pile
zone    | discard
zone    | hand[<player>]
zone    | grid[<cell>]
cards   | row
cards   | <zone>
cards   | pile
cards   | discard
cards   | hand[<player>]
cards   | grid[<cell>]
cards   | hand
cards   | Card
cards   | <list>
players | rival.list
players | clockwise(<player>, <players>)
players | <players>.reversed
players | players
players | clockwise(<player>)
players | others(<player>)
players | player: [$ for $ in players if <bool*>]
players | player: ties($ for $ in players by <int*>)
ints    | number: [$ + level for $ in 1..3]
ints    | notes
ints    | [1, level, 3]
ints    | [<int>, <int>]
ints    | (<ints> + <ints>)
ints    | <ints>.reversed
ints    | (<ints> - <ints>)
ints    | number: [$ * $k for $ in <ints> for $k in 1..2]
ints    | <ints>.distinct
ints    | <ints>.take(2)
ints    | card: [<int*> for $ in <cards><if*>]
ints    | number: [<int*> for $ in 1..<int>]
acts!   | total = <int>
acts    | total = abs(<int>) mod 100
acts    | total = (total + 5) mod 90
acts    | if row.room > 0: move <card> to row
acts    | if row.room > 0: move <card> to row at bottom
acts    | cell: let $ = <cell>;if grid[$].room > 0: move <card> to grid[$] at bottom
acts    | if score[leader] < 50: score[leader] += 1
acts    | if score[leader] > 0: score[leader] -= 1
acts    | total = min(99, max(0, <int>))
acts    | total -= min(total, 2)
acts    | level += 1
acts    | level = <int>
acts    | if notes.size > 1: notes[2] = <int>
acts    | move <list> to discard
acts    | move hand to discard at bottom
acts    | swap row with discard
acts    | pass hand to next
acts    | pass hand to previous as "all pass on"
acts    | reveal <card>
acts    | reveal hand[<player>]
acts    | tell <player> that "{total} and {<card>}"
acts    | tell <players> that "{notes}"
acts    | show row to <players>
acts    | pass
acts!   | score[<player>] += 1
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
acts!   | move <card> to row
acts    | move <card> to hand[<player>]
acts    | move <card> to discard at bottom
acts!   | move <card> to grid[<cell>]
acts    | move row to discard
acts    | move <zone> to discard
acts    | move discard to pile at bottom
acts    | swap <card> with <card>
acts    | swap hand[<player>] with hand[<player>]
acts    | shuffle pile
acts    | show <card> to <player>
acts    | announce "{total}"
acts    | score = {p: 2 for p in players}
acts    | score = score // 2 + {<player>: 1}
acts    | if score <= {p: 40 for p in players}: score += {leader: 1, players.last: 2}
acts    | if score >= {<player>: 1}: score -= {leader: 0}
waits   | draw max(1, <int>) from deck to hand[<player>]
waits   | draw 1 from deck to row
waits   | draw 2 from sack to discard
waits   | draw 1 from pile to row
waits   | draw 1 from pile at bottom to row
waits   | draw <int> from deck at bottom to discard
acts    | if pile.shuffled: total = 1
waits   | list: draw 2 from pile to discard as $;total = $.size
waits   | list: draw <int> from sack to row as $;level = $.size
waits   | move row to pile;shuffle pile;draw 1 from pile to row
waits   | roll <card>
waits   | roll row
waits   | roll <list>
"""


Rule = tuple[str, str]  # the type of the name of its own, if it has one, and the text


@dataclass(frozen=True)
class Grammar:
    """The rules of each type, those that are left when an expression is deep enough, and the types that a
    local may have, in words.
    """

    rules: dict[str, list[Rule]]
    leaves: dict[str, list[Rule]]
    types: dict[str, str]
    sources: tuple[tuple[str, str], ...]


def grammar(parts: Sequence[Part], careful: bool) -> Grammar:
    """What may stand in a world with these parts; in a careful one nothing that faults often."""
    rules: dict[str, list[Rule]] = {}
    for line in "\n".join((GRAMMAR, *(part.grammar for part in parts))).splitlines():
        kind, _, text = (part.strip() for part in line.partition("|"))
        if not kind or (careful and kind.endswith("!")):
            continue
        own = re.match(r"(\w+): ", text)
        rule = (
            "int" if own and own[1] == "number" else own[1] if own else "",
            text[own.end() :] if own else text,
        )
        rules.setdefault(kind.rstrip("!"), []).append(rule)
    leaves = {kind: [rule for rule in found if "<" not in rule[1]] for kind, found in rules.items()}
    more = [(kind, text) for part in parts for kind, text in part.types]
    return Grammar(
        rules,
        leaves,
        {**TYPES, **dict(more)},
        (*SOURCES, *(source for part in parts for source in part.sources)),
    )
