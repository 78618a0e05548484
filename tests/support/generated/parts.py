"""Parts of a world that a program may have or not: declarations, and what the grammar of expressions gains by
them.

A line of a grammar whose type ends with `!` is left out of careful programs: it faults often, and a fault
ends a game early.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """YAML by section, lines of the grammar, types in words, and what may be chosen from (a kind, and the
    text of the source).
    """

    document: str
    grammar: str
    types: tuple[tuple[str, str], ...] = ()
    sources: tuple[tuple[str, str], ...] = ()


PARTS = {
    "columns": Part(
        """\
types:
  Prize:
    attributes: {points: 0..5 = 1, tint: Colour = blue}
    values: {goblet: [5, red], medal: [2], ribbon: {tint: blue}, crown: []}
    labels: {goblet: the cup, crown: "★"}
  Award: {record: {what: Prize, who: Player?, parts: list of int up to 2}}
state:
  prize: Prize = goblet seen by everybody
  award: Award = Award(medal, none, []) seen by everybody
""",
        """
int     | <prize>.points
int     | <prize>.rank
int     | <award>.parts.size
colour  | <prize>.tint
maybe   | <award>.who
prize   | prize
prize   | medal
prize   | <award>.what
prize   | prize: best($ for $ in Prize by <int*>)
prize   | (<prize> if <bool> else <prize>)
award   | award
award   | Award(ribbon, none, [])
award   | Award(<prize>, <maybe>, <ints>.take(2))
award   | Award(what=<prize>, who=<player>, parts=[<int>])
bool    | (<prize> < <prize>)
bool    | (<prize> == <prize>)
bool    | (<award> == <award>)
acts    | prize = <prize>
acts    | award = <award>
""",
        (("prize", "Prize"),), (("prize", "Prize"),),
    ),
    "switches": Part(
        """\
parameters:
  mode: {one_of: [calm, wild], default: {MODE}}
  extra: {type: bool, default: {EXTRA}}
  start_at: {type: 0..size, default: 1}
""",
        """
int     | start_at
int     | (size if mode == wild else start_at)
bool    | extra
bool    | (mode == wild)
""",
    ),
    "maps": Part(
        """\
types:
  Purse: 0..9 per Colour
state:
  purse: Purse per Player = 3 seen by everybody
  tally: 0..99 per Colour = 1 seen by everybody
  taken: 0..9 per Colour per bool = 2 seen by everybody
  worn: Colour? per 1..3 seen by everybody
  prices: {type: 0..9 per Colour, start: [3, 1, 2], seen_by: everybody}
  depth: {type: 0..9 per Cell, start: [[1, 2, 3], [4, 5, 6]], seen_by: everybody}
  past: list of Purse up to 3 seen by everybody
""",
        """
int     | tally[<colour>]
int     | purse[<player>][<colour>]
int     | prices[<colour>]
int     | depth[<cell>]
int     | <purse>[<colour>]
int     | taken[<bool>][<colour>]
int     | {red: 1, green: 2, blue: <int>}[<colour>]
int     | colour: sum(tally[$] for $ in Colour if <bool*>)
int     | past.times(<purse>)
colour  | (worn[2] otherwise <colour>)
bool    | worn[1] is none
bool    | (<purse> == <purse>)
bool    | (<purse> in past)
purse   | purse[<player>]
purse   | {red: 1, green: 2, blue: 3}
purse   | colour: {$: abs(<int*>) mod 10 for $ in Colour}
purse   | (past.last otherwise <purse>)
acts    | tally[<colour>] = abs(<int>) mod 100
acts    | purse[<player>][<colour>] = abs(<int>) mod 10
acts    | purse[<player>] = <purse>
acts    | taken[<bool>][<colour>] = 4
acts    | worn[1] = <colour>
acts    | worn[2] = none
acts    | if past.size < 3: add <purse> to past
acts!   | tally[<colour>] -= 1
acts    | colour: tally = {$: abs(<int*>) mod 100 for $ in Colour}
acts    | if past.size > 0: past[1] = <purse>
""",
        (("purse", "0..9 per Colour"),),
    ),
    "missing": Part(
        """\
types:
  Maybe: Pair?
  Maybes: list of Maybe up to 5
  Held: Pair? per Player
  Box: {record: {lid: Colour, inside: Held, beside: Maybes, last: Pair?}}
state:
  held: Held seen by everybody
  shelves: Pair? per Player per Colour seen by everybody
  maybes: Maybes seen by everybody
  box: Box? seen by everybody
  past_held: list of Held up to 2 seen by everybody
""",
        """
int     | player: count(<hd>[$] is not none for $ in players)
int     | player: sum((<hd>[$]!.a if held[$] is not none else 1) for $ in players)
int     | player: count({k: none for k in players}[$] is none for $ in players)
int     | <maybes>.size
int     | count(x is not none for x in <ms>)
int     | <ms>.times(<maybepair>)
int     | (<ms>.position(none) otherwise 0)
int     | past_held.times(<held>)
int     | (<bx>!.inside[<player>] otherwise Pair(2, red)).a
bool    | (<hd> == <held>)
bool    | (<ms> == <maybes>)
bool    | (<ms> != [none, none])
bool    | (<hd> == {p: none for p in players})
bool    | (<maybepair> in <ms>)
bool    | (none in <ms>)
bool    | <mp> is none
bool    | box is none
bool    | (<held> in past_held)
bool    | (<bx> == <box>)
bool    | <ms>.all_different
pair    | (<mp> otherwise <pair>)
maybepair | none
maybepair | <pair>
maybepair | <mp>
mp      | held[<player>]
mp      | shelves[<colour>][<player>]
mp      | (<mp> if <bool> else none)
mp      | (<maybepair> if <bool> else <mp>)
mp      | <hd>[<player>]
mp      | first(x for x in pairs if x.a > 2)
mp      | <bx>!.last
held    | player: {$: none for $ in players}
held    | player: {$: <maybepair*> for $ in players}
held    | player: {$: none for $ in players if <bool*>}
held    | {players.first: none, players[2]: <maybepair>}
held    | <hd>
hd      | held
hd      | shelves[<colour>]
hd      | (<hd> if <bool> else {p: none for p in players})
hd      | ({p: none for p in players} if <bool> else <hd>)
hd      | (past_held.first otherwise <hd>)
hd      | <bx>!.inside
hd      | player: {$: <mp*> for $ in players}
maybes  | [none]
maybes  | [none, none]
maybes  | []
maybes  | [none, <mp>]
maybes  | ([none, none] - <ms>)
maybes  | <ms>
ms      | maybes
ms      | [<mp>, none]
ms      | (<ms> + [none]).take(5)
ms      | ([none] + <ms>).take(5)
ms      | (<ms> - [none])
ms      | (<ms> if <bool> else [none, none])
ms      | <ms>.reversed
ms      | <ms>.distinct
ms      | <bx>!.beside
box     | Box(red, {p: none for p in players}, [none, none], none)
box     | Box(<colour>, <held>, <maybes>, <maybepair>)
box     | <bx>
bx      | box
bx      | (<box> if <bool> else none)
acts    | held = <held>
acts    | player: held = {$: none for $ in players}
acts    | held[<player>] = <maybepair>
acts    | shelves[<colour>] = <held>
acts    | player: shelves[<colour>] = {$: none for $ in players}
acts    | colour: shelves = {$: {q: none for q in players} for $ in Colour}
acts    | colour: shelves = {$: <held*> for $ in Colour}
acts    | shelves[<colour>][<player>] = <maybepair>
acts    | maybes = <maybes>
acts    | maybes = [none, none]
acts    | if maybes.size > 0: maybes[1] = <maybepair>
acts    | if maybes.size < 5: add <maybepair> to maybes
acts    | if maybes.size < 5: add none to maybes
acts    | remove <maybepair> from maybes
acts    | box = <box>
acts    | if past_held.size < 2: add <held> to past_held
acts    | if past_held.size < 2: add {p: none for p in players} to past_held
acts    | if past_held.size > 0: past_held[1] = {p: none for p in players}
acts    | player: let $n = {q: none for q in players};held = $n;if held == $n: level += 1
""",
        (("hd", "Held"), ("ms", "Maybes"), ("mp", "Pair?"), ("bx", "Box?"), ("held", "Held"),
        ("maybes", "Maybes"), ("box", "Box?")),
    ),
    "sets": Part(
        """\
state:
  tints: set of Colour seen by everybody
  heap: bag of int up to 6 seen by everybody
  seats: set of Player seen by everybody
""",
        """
int     | tints.size
int     | <heap>.size
int     | tints.times(<colour>)
int     | (tints.position(<colour>) otherwise 0)
int     | (heap.position(<int>) otherwise 0)
int     | (heap.first otherwise 3)
int     | (<heap>.last otherwise 2)
bool    | tints.all_different
bool    | <tints>.all_equal
bool    | <heap>.all_different
bool    | heap.all_equal
bool    | heap.empty
colour  | (tints.first otherwise <colour>)
colour  | (<tints>.last otherwise red)
colour  | (tints.drop(1).first otherwise green)
colour  | (tints.reversed.first otherwise blue)
colour  | (tints.distinct.first otherwise blue)
colour  | (tints.take(1).last otherwise blue)
ints    | heap.reversed
ints    | heap.distinct
ints    | heap.drop(1)
ints    | heap.take(2)
int     | heap.times(<int>)
int     | number: sum($ for $ in <heap>)
bool    | (<colour> in <tints>)
bool    | (<tints> == <tints>)
bool    | (<heap> == <heap>)
bool    | (<player> in seats)
bool    | seats.empty
tints   | tints
tints   | card: set($.colour for $ in <cards>)
tints   | player: set(<colour*> for $ in <players>)
heap    | heap
heap    | card: bag(<int*> for $ in <cards><if*>)
ints    | number: sorted($ for $ in heap by -$)
ints    | number: list($ for $ in <heap>)
players | player: list($ for $ in seats)
acts    | add <colour> to tints
acts    | remove <colour> from tints
acts    | tints = <tints>
acts    | add <player> to seats
acts    | remove <player> from seats
acts    | if heap.size < 6: add <int> to heap
acts    | remove <int> from heap
""",
        (("tints", "set of Colour"),), (("colour", "tints"), ("int", "heap"), ("player", "seats")),
    ),
    "tokens": Part(
        """\
components:
  Token:
    attributes: {weight: 1..3}
    columns: [id, weight]
    table: [[sun, 1], [star, 2], [comet, 3]]
    label: "the {id}"
{POWERS}
zones:
  shelf: {holds: Token, seen_by: everybody, start: all}
  pocket: {holds: Token, per: Player, seen_by: everybody, live: true}
  pot: {holds: Card or Token, order: sequence, seen_by: everybody}
""",
        """
int     | <token>.weight
int     | thing: sum($.n if $ is Card else 2 for $ in <things>)
int     | thing: count($ is Token for $ in <things>)
int     | pocket[<player>].size
maybe   | <token>.owner
maybe   | pocket.key(<token>)
bool    | (<token> == <token>)
bool    | (<token> in shelf)
bool    | thing: any($ is not Token for $ in <things>)
token   | sun
token   | star
token   | (shelf.first otherwise comet)
token   | (pocket[<player>].first otherwise sun)
token   | token: best($ for $ in Token by <int*>)!
things  | pot
things  | pot.list
things  | thing: [$ for $ in pot if <bool*>]
acts    | move <token> to pocket[<player>]
acts    | move <token> to shelf
acts    | move <token> to pot
acts    | move <card> to pot at bottom
acts    | swap <token> with <token>
acts    | swap pocket[<player>] with pocket[<player>]
acts    | thing: let $ = pot.first;if $ is not none and $ is Card: move $ to discard
""",
        (("token", "Token"),),
        (("token", "shelf"), ("token", "Token"), ("thing", "pot"), ("token", "pocket")),
    ),
    "dice": Part(
        """\
components:
  Die: {mutable: {pips: 1..3 = 1}, count: 3, label: "a die of {pips}"}
zones:
  tray: {holds: Die, seen_by: everybody, start: all}
  bowl: {holds: Die, order: bag, seen_by: everybody}
  purses: {holds: Die, order: bag, per: Player, seen_by: owner}
  mixed: {holds: Die, order: bag, seen_by: nobody}
""",
        """
int     | <die>.pips
int     | die: sum($.pips for $ in tray)
int     | die: count($.pips == <int*> for $ in Die)
int     | bowl.size
bool    | die: [$.pips for $ in tray].all_different
bool    | (<die> in tray)
die     | Die.first!
die     | Die.last!
die     | (tray.first otherwise Die.last!)
die     | die: best($ for $ in Die by <int*>)!
acts    | <die>.pips = 2
acts    | <die>.pips = 1 + abs(<int>) mod 3
acts    | move <die> to bowl
acts    | move <die> to tray
acts    | move bowl to tray
acts    | move <die> to purses[<player>]
acts    | move bowl to mixed
waits   | roll <die>
waits   | roll tray
waits   | die: roll [$ for $ in Die if <bool*>]
waits   | draw 1 from bowl to tray
waits   | draw <int> from bowl to tray
waits   | draw 1 from purses[<player>] to tray
waits   | draw 1 from mixed to purses[<player>]
""",
        (("die", "Die"),), (("die", "tray"), ("die", "bowl"), ("die", "Die")),
    ),
    "boards": Part(
        """\
boards:
  track: {shape: ring, size: 5, cell: Step}
  town: {shape: graph, cell: Place, cells: [inn, mill, gate, well], links: [[inn, mill], [mill, gate], [gate, well]]}
  comb: {shape: hex, rows: 2, columns: size, cell: Hex, stack: {holds: Card, order: sequence, capacity: 2, seen_by: everybody}}
  wheel: {shape: hub, size: 5, cell: Spoke}
state:
  at: Step = track.cells.first seen by everybody
  home: Place = mill seen by everybody
  spoke: Spoke? seen by everybody
  height: 0..9 per Hex = 1 seen by everybody
""",  # noqa: E501 the text as it is read
        """
int     | height[<hex>]
int     | <hex>.adjacent.size
int     | <hex>.row
int     | (track.cells.position(<step>) otherwise 0)
int     | hex: sum(height[$] for $ in comb if <bool*>)
int     | comb[<hex>].size
int     | <cells>.size
int     | cell: sum(grid[$].size for $ in <cells>)
int     | grid.lines(2).size
int     | cell: groups(($.adjacent if <bool*> else []) for $ from <cells>).size
int     | grid.between(<cell>, grid.at(1, 3)!).size
bool    | (<step> == <step>)
bool    | (<place> in <place>.adjacent)
bool    | (home == inn)
bool    | spoke is none
bool    | place: any(<bool*> for $ in town)
bool    | cell: all(<bool*> for $ in <cells>)
bool    | comb[<hex>].empty
bool    | (comb.key(<card>) is none)
step    | at
step    | at.step(clockwise)!
step    | (<step>.step(anticlockwise) otherwise at)
place   | home
place   | inn
place   | (<place>.adjacent.first otherwise gate)
place   | place: best($ for $ in town by <int*>)
hex     | comb.at(1, 1)!
hex     | (comb.at(<int>, <int>) otherwise comb.cells.last)
hex     | (<hex>.step(<hexway>) otherwise <hex>)
hexway  | up_right
hexway  | down
hexway  | (comb.directions.last if <bool> else left)
cell    | (<cell>.step(<way>) otherwise <cell>)
way     | up
way     | down_left
way     | (right if <bool> else down)
cells   | grid.row(1)
cells   | grid.at(2, 2)!.ray(left)
cells   | grid.column(2)
cells   | <cell>.ray(<way>)
cells   | <cell>.adjacent
cells   | cell: reached(($.adjacent if <bool*> else []) for $ from <cell>)
cell    | (<cell>.offset(<int>, <int>) otherwise <cell>)
way     | <way>.opposite
hexway  | comb.turned(<hexway>, <int>)
cells   | grid.between(<cell>, <cell>)
cells   | cell: [$ for $ in grid if <bool*>]
acts    | at = <step>
acts    | home = <place>
acts    | spoke = wheel.cells.first.step(clockwise)
acts    | spoke = wheel.cells[3].step(inward)
acts    | spoke = none
acts    | height[<hex>] = abs(<int>) mod 10
acts!   | move <card> to comb[<hex>]
acts    | hex: for $ in comb: height[$] = 2
acts    | card: for $ in comb.list: $.face = 3
""",
        (("step", "Step"), ("place", "Place"), ("hex", "Hex")),
        (("step", "track"), ("place", "town"), ("cell", "grid"), ("hex", "comb"), ("cells", "grid.rows")),
    ),
    "growing": Part(
        """\
boards:
  land: {shape: rectangle, grows: 2, adjacency: all, cell: Spot, edge: Hedge, edge_attributes: {thorn: 0..3 = 1, tint: Colour?},
    edge_values: {"(0,0)-(0,1)": [2, red], "(-1,0)-(0,0)": {tint: blue}}, stack: {holds: Card, order: pile, seen_by: everybody}}
  bush: {shape: hex, grows: 2, cell: Leaf, corner: Bud, corner_attributes: {ripe: bool = false},
    corner_values: {"(0,0) up/up_right": true}, stack: {holds: Card, capacity: 1, seen_by: {SEEN}}}
state:
  grown: Player? per Leaf seen by everybody
""",  # noqa: E501 the text as it is read
        """
int     | <spot>.row
int     | (<leaf>.row - <leaf>.column)
int     | land.occupied.size
int     | bush.frontier.size
int     | land.row(<spot>.row).size
int     | sum(h.thorn for h in <spot>.edges)
bool    | <leaf>.corners.first.ripe
bool    | any(h.tint == <colour> for h in <spot>.edges)
int     | land[<spot>].size
int     | leaf: count(grown[$] == leader for $ in bush if <bool*>)
int     | spot: groups($.adjacent for $ from land.occupied).size
bool    | (<spot> in land.frontier)
bool    | (<leaf> in bush.occupied)
bool    | spot: any(<bool*> for $ in land.frontier)
spot    | land.origin
spot    | land.at(-1, 2)!
spot    | (land.at(<int>, <int>) otherwise land.origin)
spot    | (land.frontier.last otherwise land.origin)
spot    | (<spot>.offset(<int>, -1) otherwise <spot>)
spot    | (<spot>.step(<way>) otherwise <spot>)
leaf    | bush.origin
leaf    | (bush.frontier.first otherwise bush.origin)
leaf    | (bush.at(<int>, <int>) otherwise bush.origin)
way     | (up_left if <bool> else down)
acts    | move <card> to land[<spot>]
acts    | grown[<leaf>] = leader
acts    | leaf: let $ = bush.frontier.first otherwise bush.origin;if bush[$].room > 0: move <card> to bush[$]
""",
        (("spot", "Spot"), ("leaf", "Leaf")),
        (("spot", "land.frontier"), ("leaf", "bush.frontier"), ("spot", "land.occupied")),
    ),
    "hidden": Part(
        """\
zones:
  safe: {holds: Card, per: Player, seen_by: owner, label: "the safe of {key}"}
  vault: {holds: Card, per: Colour, order: pile, seen_by: nobody, counted_by: nobody}
  back: {holds: Card, per: Player, order: sequence, seen_by: others}
state:
  secret: 0..99 = 4
  wish: Colour? per Player seen by owner
  plan: 0..9 per Player = 1 seen by others as "{key} plans {value}"
""",
        """
acts    | secret = abs(<int>) mod 100
acts    | total = secret
acts    | plan[<player>] = abs(<int>) mod 10
acts    | wish[<player>] = <colour>
acts    | if secret > 50: total = <int>
acts    | move <card> to safe[<player>]
acts    | move <card> to back[<player>]
acts    | move <card> to vault[<colour>]
acts    | move safe[<player>] to vault[<colour>] at bottom
acts    | move vault to pile
acts    | shuffle vault[<colour>]
acts    | show safe[<player>] to <players>
acts    | reveal back[<player>]
acts    | tell <player> that "the secret is {secret}, {safe[leader]}"
acts    | announce "{wish[leader]} and {plan[players.last]}"
waits   | draw 1 from vault[<colour>] to safe[<player>]
waits   | draw 2 from pile to safe[<player>]
waits   | draw 1 from vault[<colour>] to hand[<player>]
""",
    ),
    "copies": Part(
        """\
components:
  Coin:
    attributes: {worth: 1..3 = 2, metal: Colour = red}
    ids: [copper, silver, gold]
    back: "a coin of {metal}"
    copies: size if worth == 2 else 1
zones:
  mint: {holds: Coin, order: bag, seen_by: everybody, start: all}
  pouch: {holds: Coin, per: Player, seen_by: everybody}
  till: {holds: Coin, order: sequence, seen_by: everybody}
  chest: {holds: Coin, order: pile, seen_by: nobody}
""",
        """
int     | copper.worth
int     | <coin>.worth
int     | coin: count($ == copper for $ in pouch)
int     | coin: sum($.worth for $ in <coins><if*>)
int     | till.times(<coin>)
int     | pouch[<player>].size
int     | pouch.size
colour  | <coin>.metal
bool    | (copper in pouch[<player>])
bool    | (silver not in till)
bool    | (gold in mint)
bool    | (<coin> == copper)
bool    | (silver != <coin>)
bool    | (<coin> == <coin>)
bool    | pouch.empty
maybe   | pouch.key(<coin>)
coin    | Coin.first!
coin    | Coin.last!
coin    | (till.first otherwise Coin.first!)
coin    | (pouch[<player>].first otherwise Coin.last!)
coin    | coin: best($ for $ in Coin by <int*>)!
coin    | (<coin> if <bool> else Coin.first!)
coins   | till
coins   | pouch[<player>]
coins   | pouch
coins   | mint
coins   | coin: [$ for $ in <coins> if <bool*>]
acts    | move <coin> to till
acts    | move <coin> to mint
acts    | move <coin> to chest
acts    | move <coin> to pouch[<player>]
acts    | move till to mint
acts    | move pouch[<player>] to chest at bottom
acts    | swap pouch[<player>] with pouch[<player>]
acts    | swap <coin> with <coin>
acts    | shuffle chest
acts    | coin: let $ = pouch[leader].first;if $ is not none and $ != copper: move $ to till
waits   | draw 1 from mint to pouch[<player>]
waits   | draw <int> from mint to till
waits   | draw 1 from chest to pouch[<player>]
""",
        (("coin", "Coin"),),
        (("coin", "pouch"), ("coin", "till"), ("coin", "mint"), ("coin", "pouch[leader]")),
    ),
    "amounts": Part(
        """\
state:
  stock: 0..30 per Colour per Player = 3 seen by everybody
  bank: 0..99 per Colour = 20 seen by everybody
definitions:
  def price(s: Colour) -> int per Colour:
      match s:
          case red: return {red: 1, blue: 1}
          case green, blue: return {green: 2}
  def pays(p: Player, cost: int per Colour):
      if stock[p] >= cost:
          stock[p] -= cost
          if bank + cost <= {k: 99 for k in Colour}: bank += cost
""",
        """
int     | sum(<amount>)
int     | max(<amount> - {<colour>: 1})
int     | min(<amount>)
int     | <amount>[<colour>]
int     | stock[<player>].list.size
bool    | (<amount> >= <amount>)
bool    | (<amount> <= <amount> + {<colour>: 1})
bool    | (<amount> == <amount>)
amount  | bank
amount  | stock[<player>]
amount  | {red: 1, blue: 2}
amount  | price(<colour>)
amount  | {<colour>: abs(<int>) mod 4}
amount  | (<amount> + {<colour>: 1})
amount  | (<amount> - {red: 1})
amount  | (<amount> * 2)
amount  | (<amount> // 2)
amount  | card: [$.colour for $ in <cards>].counts
amount  | colour: {$: abs(<int*>) mod 10 for $ in Colour if <bool*>}
acts    | pays(<player>, <amount>)
acts    | if stock[leader] >= price(<colour>): stock[leader] -= price(<colour>)
acts    | stock[<player>] = {k: 2 for k in Colour}
acts!   | stock[<player>] += {<colour>: 1}
acts!   | bank -= {<colour>: abs(<int>) mod 3}
acts    | if bank >= {red: 2, green: 1}: bank -= {red: 2, green: 1}
""",
        (("amount", "int per Colour"),), (("colour", "stock[leader].list"), ("colour", "price(red).list")),
    ),
    "texts": Part(
        """\
types:
  Note: {record: {n: 0..9, words: text}}
state:
  saying: text = "nothing" seen by everybody
  memo: Note? seen by everybody
""",
        """
text    | "now {level}"
text    | saying
text    | "{total} and {<colour>}"
text    | "{<card>}, {<players>}"
text    | ("{memo}" if <bool> else <text>)
text    | (memo!.words if memo is not none else "no memo")
text    | "{hand[<player>]}"
bool    | (memo is not none and memo!.words == saying)
bool    | memo is none
note    | Note(2, <text>)
note    | (memo otherwise Note(1, "one"))
bool    | (<note> == <note>)
acts    | saying = <text>
acts    | memo = <note>
acts    | memo = none
acts    | text: let $ = <text>;announce "{saying}: {$}"
acts    | text: let $ = <text>;tell <player> that "{$}"
""",
        (("text", "text"), ("note", "Note")),
    ),
    "orders": Part(
        """\
types:
  Several: {record: {ns: list of int up to 3, who: Player?}}
state:
  kinds: set of Several seen by everybody
  rows: bag of Several up to 5 seen by everybody
  marks: set of Pair seen by everybody
""",
        """
several | Several([1, 2], none)
several | Several([], leader)
several | Several(<ints>.take(3), <maybe>)
several | Several([<int>], <player>)
several | (kinds.first otherwise Several([], none))
several | (rows.last otherwise Several([3], leader))
int     | kinds.size
int     | rows.times(<several>)
int     | (rows.position(<several>) otherwise 0)
int     | <several>.ns.size
int     | (sum(<several>.ns) mod 50)
maybe   | <several>.who
bool    | (<several> in kinds)
bool    | (<several> == <several>)
bool    | (<pair> in marks)
bool    | player: (kinds == set(Several([], $) for $ in <players>))
pair    | (marks.first otherwise <pair>)
acts    | add <several> to kinds
acts    | remove <several> from kinds
acts    | if rows.size < 5: add <several> to rows
acts    | remove <several> from rows
acts    | add <pair> to marks
acts    | number: kinds = set(Several([$, 1], none) for $ in <ints>)
acts    | player: rows = bag(Several([<int*>], $) for $ in players)
""",
        (("several", "Several"),),
    ),
    "modules": Part(
        """\
uses:
  tracks: {}
  voting: {}
  shuffling_back: {deck: crate, discard: waste, hand: tickets, Card: Ticket}
  drafting: {hand: tickets, Card: Ticket}
components:
  Ticket: {attributes: {number: 1..3}, each: [number], copies: 2, label: "ticket {number}"}
zones:
  crate: {holds: Ticket, order: pile, start: all}
  waste: {holds: Ticket, order: pile, seen_by: everybody}
  tickets: {holds: Ticket, per: Player, seen_by: owner}
""",
        """
int     | space[<player>]
int     | tickets[<player>].size
int     | waste.size
bool    | is_home(<player>)
player  | ahead().first!
players | ahead()
acts    | advance(<player>, abs(<int>) mod 4)
acts    | fall_back(<player>, abs(<int>) mod 3)
acts    | pass_hands()
acts    | move tickets[<player>] to waste
waits   | draw_cards(<player>, 2)
waits   | draw_cards(<player>, abs(<int>) mod 4)
""",
        (), (),
    ),
    "places": Part(
        """\
boards:
  yard:
    shape: rectangle
    rows: 2
    columns: 2
    cell: Plot
    edge: Fence
    corner: Post
    attributes: {height: 0..3 = 1, tone: Colour?}
    values: {height: [[0, 1], [2, 3]], tone: [[red, none], [none, red]]}
  isle: {shape: hex, size: 2, cell: Land, edge: Shore, corner: Site}
  coast: {shape: graph, cell: Port, cells: [bay, cape, cove], link: Lane, kind: By, link_attributes: {miles: 1..9 = 4, tint: Colour?},
    links: {sea: [[bay, cape, 2, red], [cape, cove]], road: [[bay, cove, 7]]},
    attributes: {deep: bool, berths: 1..4 = 2}, values: {bay: [true, 4], cape: {deep: false}, cove: [true]}}
parameters:
  toll: {type: 1..3 per Lane, default: [1, 2, 3]}
state:
  fenced: Player? per Fence seen by everybody
  built: 0..9 per Site = 1 seen by everybody
  sailed: bool per Lane seen by everybody
  last_built: Post? seen by everybody
  ship: Port = bay seen by everybody
""",  # noqa: E501 the text as it is read
        """
int     | built[<site>]
int     | toll[<lane>]
int     | yard.edges.size
int     | isle.corners.size
int     | <plot>.height
int     | <port>.berths
bool    | <port>.deep
bool    | (<plot>.tone == <colour>)
int     | coast.links.size
int     | <fences>.size
int     | <plot>.edges.size
int     | (<plot>.edges.position(<fence>) otherwise 0)
int     | <site>.cells.size
int     | <post>.adjacent.size
int     | <shore>.corners.size
int     | fence: count(fenced[$] == leader for $ in Fence if <bool*>)
int     | site: sum(built[$] for $ in isle.corners if <bool*>)
int     | lane: sum(toll[$] for $ in coast.links if not sailed[$])
int     | fence: groups(($.adjacent if <bool*> else []) for $ from <fences>).size
int     | fence: (groups($.adjacent for $ from <fences>).last otherwise []).size
bool    | (<fence> in <plot>.edges)
bool    | (<fence> == <fence>)
bool    | fenced[<fence>] is none
bool    | sailed[<lane>]
int     | <lane>.miles
bool    | (<lane>.tint == <colour>)
bool    | (<lane>.kind == sea)
bool    | (last_built == <post>)
bool    | last_built is none
bool    | (<port> in <port>.linked(sea))
bool    | site: all(<bool*> for $ in <site>.adjacent)
bool    | shore: any(<bool*> for $ in <land>.edges)
plot    | yard.at(1, 2)!
plot    | (yard.at(<int>, <int>) otherwise yard.cells.last)
plot    | <fence>.cells.first
land    | isle.cells.first
land    | (<land>.adjacent.first otherwise isle.cells.last)
land    | <shore>.cells.last
fence   | <plot>.edges.first
fence   | Fence.last
fence   | (<fence>.adjacent.first otherwise Fence.first)
fence   | <post>.edges.first
fence   | fence: (first($ for $ in Fence if <bool*>) otherwise Fence.first)
fence   | fence: best($ for $ in yard.edges by <int*>)
fences  | <plot>.edges
fences  | <post>.edges
fences  | fence: [$ for $ in Fence if fenced[$] is not none]
fences  | fence: reached(($.adjacent if <bool*> else []) for $ from <fence>)
post    | <plot>.corners.first
post    | <fence>.corners.last
post    | (last_built otherwise Post.first)
shore   | <land>.edges.first
shore   | <site>.edges.last
site    | <land>.corners.last
site    | <shore>.corners.first
site    | site: best($ for $ in Site by <int*>)
lane    | <port>.links.first!
lane    | Lane.last
lane    | (<lane>.adjacent.first otherwise Lane.first)
port    | ship
port    | cape
port    | <lane>.cells.last
port    | (<port>.linked(road).first otherwise cove)
port    | (<lane>.across(<port>) otherwise ship)
acts    | fenced[<fence>] = <player>
acts    | fenced[<fence>] = none
acts    | built[<site>] = abs(<int>) mod 10
acts    | sailed[<lane>] = <bool>
acts    | last_built = <post>
acts    | ship = <port>
acts    | site: for $ in <site>.adjacent: built[$] = 2
acts    | fence: fenced = {$: (leader if <bool*> else none) for $ in Fence}
acts    | lane: announce "{<lane>}, {<fence>} and {<site>}"
""",
        (("fence", "Fence"), ("site", "Site"), ("lane", "Lane"), ("post", "Post"), ("port", "Port"),
        ("plot", "Plot"), ("fences", "list of Fence")),
        (("fence", "Fence"), ("site", "isle.corners"), ("lane", "bay.links"),
        ("post", "yard.at(2, 2)!.corners"), ("port", "coast")),
    ),
    "audiences": Part(
        """\
components:
  Tile:
    attributes: {worth: 1..3}
    mutable: {up: bool = false, lord: Player? = none, grade: 0..9 = 1}
    each: [worth]
    copies: 2
    label: "tile {worth}"
zones:
  supply: {holds: Tile, start: all, seen_by: everybody}
  path: {holds: Tile, order: sequence, seen_by: everybody if self.up else leader, counted_by: leader}
  nest: {holds: Tile, per: Player, seen_by: owner or everybody if self.up}
  pit:
    holds: Tile
    order: pile
    seen_by: everybody if self == pit.top
  lair:
    holds: Tile
    per: Player
    seen_by: q if q == key or spy[q]
    counted_by: owner or leader
  tower: {holds: Tile, seen_by: everybody if self.up else leader}
state:
  spy: bool per Player seen by everybody
  order: 1..9 = 3 seen by q if spy[q]
  route: 1..9 = 3 seen by leader
  oath: 1..9 per Player = 2 seen by owner or leader
""",
        """
int     | <tile>.worth
int     | <tile>.grade
int     | nest[<player>].size
int     | lair[<player>].size
int     | pit.size
int     | tile: count($.up for $ in <tiles>)
int     | tile: sum($.grade for $ in tower)
bool    | <tile>.up
bool    | spy[<player>]
bool    | (<tile> in tower)
bool    | (<tile>.lord == <player>)
maybe   | <tile>.lord
maybe   | nest.key(<tile>)
tile    | Tile.first!
tile    | (supply.first otherwise Tile.last!)
tile    | (path.first otherwise Tile.first!)
tile    | (nest[<player>].first otherwise Tile.first!)
tile    | (pit.top otherwise Tile.first!)
tiles   | supply
tiles   | path
tiles   | nest[<player>]
tiles   | tower
acts    | <tile>.up = <bool>
acts    | <tile>.grade = abs(<int>) mod 10
acts    | spy[<player>] = <bool>
acts    | order = 1 + abs(<int>) mod 9
acts    | route = 1 + abs(<int>) mod 9
acts    | oath[<player>] = 1 + abs(<int>) mod 9
acts    | if not supply.empty: move supply.first! to tower with grade: 3
acts    | if not supply.empty: move supply.first! to nest[<player>] with lord: <player>, grade: abs(<int>) mod 10
acts    | move <tile> to path with up: <bool>
acts    | move tower to supply with up: false, lord: none
acts    | move <tile> to lair[<player>]
acts    | move <tile> to pit
acts    | move nest[<player>] to supply with grade: 0 as "{<player>} gives back"
acts    | show path to <players>
acts    | reveal nest[<player>]
""",  # noqa: E501 the text as it is read
        (("tile", "Tile"),),
        (("tile", "tower"), ("tile", "path"), ("tile", "nest[leader]"), ("tile", "supply")),
    ),
    "labels": Part(
        "",
        """
bool    | card: any($ == "jack" for $ in <cards>)
bool    | (pile.top == "five")
""",
    ),
    "claims": Part(
        """\
claims:
  strong:
    says: "at least {n}"
    fields: {n: 1..3}
    only if: total + n < 90
  accuse:
    says: "{whom} has {what}"
    fields: {whom: Player, what: Colour}
    only if: whom != claimant
  call: {says: "red", only if: flag}
""",
        """
waits   | claim by <player>
""",
    ),
}  # fmt: skip
