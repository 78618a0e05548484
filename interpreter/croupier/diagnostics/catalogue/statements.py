"""Codes T, statements: what is assigned, chosen, moved, rolled, declared or ends a game has the wrong type."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import CARDS, HANDS, RACE, SIDES, Entry, play

_DICE = "components:\n  Die:\n    mutable: {face: 1..6 = 1}\n    count: 2\nzones:\n  cup: {holds: Die, start: all}\n"
_SPLIT = "definitions: |\n  def split(var small: 0..9, var large: 0..9):\n      small -= 1\n      large += 1\n"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "T023", "var argument", "`{name}` is changed by the call: give it a variable",
        "A `var` parameter is written back when the call ends. So its argument must be something that can be written: a `var` local, or state.",
        bad="definitions: |\n  def double(var n: int): n = n * 2\n" + play("double(3)"),
        good="definitions: |\n  def double(var n: int): n = n * 2\n" + play('var n = 3\ndouble(n)\nannounce "{n}"'),
        help="put the value into a `var` first",
    ),
    Entry(
        "T034", "fixed name", "`{name}` cannot change",
        "`let`, parameters, loop variables and choices keep their value. Only what is declared with `var`, and state, can be given a new one.",
        bad=play('let n = 1\nn += 1\nannounce "{n}"'), good=play('var n = 1\nn += 1\nannounce "{n}"'),
        help="declare it with `var`",
    ),
    Entry(
        "T035", "not a place", "this cannot be assigned to",
        "State, `var` locals and changeable attributes of components can be given a new value. Parameters of the game, attributes that are fixed,"
        " sizes and the like cannot; the contents of zones change by moving components.",
        bad=CARDS + play("deck.size = 2"), good=CARDS + "  out: {holds: Card}\n" + play("for c in deck.list.take(1): move c to out"),
    ),
    Entry(
        "T036", "result missing", "a result of type `{wanted}` is needed",
        "The definition promises a result after `->`, so `return` gives a value."
        " A `return` alone ends only a definition without one.",
        bad="definitions: |\n  def half(n: int) -> int:\n      return\n" + play('announce "{half(4)}"'),
        good="definitions: |\n  def half(n: int) -> int:\n      return n // 2\n" + play('announce "{half(4)}"'),
        help="write `return` and a value",
    ),
    Entry(
        "T037", "result not promised", "this gives a result that was not promised",
        "A definition that gives a result says its type after `->`. Phases, hooks on definitions without a result, and watchers give none.",
        bad="definitions: |\n  def half(n: int):\n      return n // 2\n" + play("half(4)"),
        good="definitions: |\n  def half(n: int) -> int:\n      return n // 2\n" + play('announce "{half(4)}"'),
        help="write `-> Type` before the `:` of the definition, or leave out the value",
    ),
    Entry(
        "T038", "case", "a case must be a fixed value",
        "Cases are values of an enumeration, numbers, true, false, none, cells or ids of components, so that it can be checked that each is covered"
        " once. A condition on other values is written with `if`.",
        bad=SIDES + play("match side:\n    case side: pass\n    else: side = right"),
        good=SIDES + play("match side:\n    case left: pass\n    else: side = right"),
    ),
    Entry(
        "T039", "match without else", "a `match` on `{given}` needs `else`",
        "Only the values of an enumeration and of `bool`, and cells that the board names under `cells`, can all be named by cases. Anything else"
        " needs an `else` for the values that no case names.",
        bad=play("match players.size:\n    case 2: pass"), good=play("match players.size:\n    case 2: pass\n    else: pass"),
        help="add `else:`",
    ),
    Entry(
        "T040", "not a choice", "`{given}` cannot be chosen",
        "A choice is made among players, components, cells, numbers, values of an enumeration or lists and records of those. Texts are labels: choose"
        " the thing and label it (`as \"…\"`), or write a menu (`choose by p:` with options).",
        bad=play('choose t from ["a", "b"] by players.first\nannounce "{t}"'),
        good=play('choose n from 1..2 by players.first as "number {n}"\nannounce "{n}"'),
    ),
    Entry(
        "T041", "condition on a set", "a choice of several has no `where` or `only if`",
        "Where several things are chosen together, two questions must not be mixed up: which may be taken at all, and which sets are allowed. The"
        " first is answered by the source (`from [c for c in hand if …]`), the second by `such that`.",
        bad=CARDS + play('choose 2 cs from deck.list by players.first where cs == cs\nannounce "{cs}"'),
        good=CARDS + play('choose 2 cs from deck.list by players.first such that cs.all_different\nannounce "{cs}"'),
    ),
    Entry(
        "T042", "condition on chance", "chance has no `only if`",
        "`only if` tells a player why something is not allowed. Chance asks no questions: what cannot happen is left out with `where`, or has the"
        " weight 0.",
        bad=play('choose n from 1..6 by chance\n    only if "high": n > 3\nannounce "{n}"'),
        good=play('choose n from 1..6 by chance where n > 3\nannounce "{n}"'),
        help="write `where`",
    ),
    Entry(
        "T043", "such that on one", "`such that` judges a choice of several",
        "`such that` is a condition on everything that was chosen together. A choice of one thing is limited with `where` (not offered) or `only if`"
        " (offered, refused with a reason).",
        bad=play('choose n from 1..6 by players.first such that n > 3\nannounce "{n}"'),
        good=play('choose n from 1..6 by players.first where n > 3\nannounce "{n}"'),
        help="write `where`",
    ),
    Entry(
        "T044", "several at once", "in a choice by everybody each player chooses exactly one thing",
        "When all choose at the same time, each chooses one thing. For several, ask once for each, or let the players choose one after the other.",
        bad=CARDS + play('choose 2 cs from deck.list by every p in players\nannounce "{cs}"'),
        good=CARDS + play('choose c from deck.list by every p in players\nannounce "{c}"'),
        help="leave out the number, or let the players choose one after the other: `for p in players: choose {number} … by p`",
    ),
    Entry(
        "T045", "optional for everybody", "a choice by everybody cannot be optional",
        "In a choice that all make at the same time each makes one. Whoever may abstain needs a value that means so among what is offered.",
        bad=play('may choose q from players by every p in players:\n    announce "{q}"'),
        good=play('choose n from 0..3 by every p in players\nannounce "{n}"'),
        help="offer a value that means no",
    ),
    Entry(
        "T046", "result of the game", "`finish {result}` needs {wanted}, not `{given}`",
        "`finish pay` gives each player a number, `finish rank` a number or a list of numbers that are compared in order: a map such as"
        " `{p: score[p] for p in players}`. `finish win` needs the players who win.",
        bad=RACE + play('score[players.first] += 1\nannounce "{winner}"\nfinish rank players'),
        good=RACE + play('score[players.first] += 1\nannounce "{winner}"\nfinish rank {p: score[p] for p in players}'),
        help="write `{{p: … for p in players}}`",
    ),
    Entry(
        "T047", "which zone", "`{name}` is one zone for each `{key}`: say which",
        "A zone declared `per` something is a family. All of it can be looked at (`hand.size` counts everything), but components are moved into,"
        " drawn from and shuffled in one of them.",
        bad=HANDS + play("draw 1 from deck to hand"), good=HANDS + play("draw 1 from deck to hand[players.first]"),
        help="write `{name}[…]`",
    ),
    Entry(
        "T048", "not a zone", "this is `{given}`, not a zone",
        "Components move, are drawn and shuffled between zones, and zones are declared under `zones` (or as the `stack` of a board). Lists are"
        " values: changing them moves nothing.",
        bad=HANDS + play("draw 1 from deck to players.first"), good=HANDS + play("draw 1 from deck to hand[players.first]"),
    ),
    Entry(
        "T049", "not components", "this is `{given}`, not components",
        "Only components can be moved, shown and rolled: one, a list of them, or a whole zone. Values of state are assigned to; counts of anonymous"
        " things are numbers.",
        bad=HANDS + play("move 2 to hand[players.first]"), good=HANDS + play("move deck.list.take(2) to hand[players.first]"),
    ),
    Entry(
        "T050", "wrong zone", "`{given}` does not belong in `{wanted}`",
        "A zone holds the kinds of component that its declaration names after `holds`, several with `or` between them."
        " What it does not name can never lie there.",
        bad="components:\n  Card: {count: 3}\n  Die: {count: 2}\nzones:\n  deck: {holds: Card, start: all}\n  cup: {holds: Die, start: all}\n"
        + play("move deck to cup"),
        good="components:\n  Card: {count: 3}\n  Die: {count: 2}\nzones:\n  deck: {holds: Card, start: all}\n  cup: {holds: Die or Card}\n"
        "  box: {holds: Die, start: all}\n" + play("move deck to cup\nmove box to cup"),
    ),
    Entry(
        "T051", "no top", "a {order} has no top and bottom",
        "Only piles and sequences have an order, and so two ends (`order: pile`, `order: sequence`). In a set or a bag nothing lies above anything.",
        bad=HANDS + play("for c in deck.list: move c to hand[players.first] at bottom"),
        good=HANDS + play("for c in deck.list: move c to hand[players.first]"),
        help="declare the zone with `order: pile` or `order: sequence`",
    ),
    Entry(
        "T052", "drawing from a set", "nothing is drawn from a {order}: it has no order",
        "Drawing takes the next component of a pile or sequence, or any of a bag by chance. What lies in a set is chosen, by a player or by chance,"
        " and then moved.",
        bad=HANDS + play("draw 1 from hand[players.first] to deck"),
        good=HANDS + play("choose c from hand[players.first] by chance\nmove c to deck"),
    ),
    Entry(
        "T053", "shuffling", "a {order} cannot be shuffled",
        "Only piles are shuffled. A set or a bag has no order that could change, and the order of a sequence means something.",
        bad=HANDS + play("shuffle hand[players.first]"), good=CARDS + play("shuffle deck"),
    ),
    Entry(
        "T054", "adding to what is no list", "`{given}` is not a list, set or bag",
        "`add x to xs` and `remove x from xs` change a list, set or bag held in state or in a `var`. Numbers change with `+=`, zones by moving"
        " components.",
        bad=RACE + play('add 1 to score[players.first]\nannounce "{winner}"'),
        good=RACE + play('score[players.first] += 1\nannounce "{winner}"'),
    ),
    Entry(
        "T055", "rolling", "`{kind}` has nothing to roll",
        "Rolling gives a changeable attribute a value by chance. A component with one changeable attribute can be rolled; one with several says which"
        " under `rolls`.",
        bad=CARDS + play("roll deck"), good=_DICE + play("roll cup\nannounce \"{sum(d.face for d in cup)}\""),
    ),
    Entry(
        "T056", "swap", "`{left}` and `{right}` cannot change places",
        "Two components change places, or two zones their contents. To exchange values of state, keep one of them in a `let`.",
        bad=HANDS + play("swap deck with players.first"), good=HANDS + play("swap hand[players.first] with hand[players.last]"),
    ),
    Entry(
        "T057", "start value", "only a type can stand here, no {what}",
        "State and changeable attributes begin with a value, written after their type. The other declarations need only a type: parameters have a"
        " `default`, attributes get their values from a table.",
        bad="parameters:\n  rounds:\n    type: 1..5 = 3\n    default: 3\n" + play('announce "{rounds}"'),
        good="parameters:\n  rounds:\n    type: 1..5\n    default: 3\n" + play('announce "{rounds}"'),
        help="leave it out",
    ),
    Entry(
        "T058", "not known at set-up", "this is not known yet when the game is set up",
        "Sizes, capacities, start values and defaults are worked out before the game begins: from numbers, parameters, the players and the"
        " components. What changes during the game does not exist then.",
        bad=RACE + CARDS + "  hand:\n    holds: Card\n    capacity: score[players.first]\n"
        + play('score[players.first] += 1\nannounce "{winner}"\nmove deck to hand'),
        good=RACE + CARDS + "  hand: {holds: Card, capacity: players.size * 2}\n"
        + play('score[players.first] += 1\nannounce "{winner}"\nmove deck to hand'),
    ),
    Entry(
        "T059", "signature", "`{name}` must keep its parameters and its result",
        "What a variant replaces is still called by the rest of the rules, and hooks may listen to it. So the names and types of its parameters and"
        " its result stay what they were.",
        bad="croupier: 1\nextends: base.yaml\ndefinitions: |\n  replace def price(p: Player) -> int: return p.seat\n",
        good="croupier: 1\nextends: base.yaml\ndefinitions: |\n  replace def price() -> int: return 4\n",
    ),
    Entry(
        "T068", "turns kept", "turns have no end: only a `for` can walk them",
        "`turns()` gives the players in turn, again and again. There is no list of that. `clockwise(p)` is the list of all players, once.",
        bad=play("let order = turns(players.last)\nfor p in order: announce \"{p}\""),
        good=play("let order = clockwise(players.last)\nfor p in order: announce \"{p}\""),
        help="write `for p in turns():`, or keep `clockwise(p)`",
    ),
    Entry(
        "T063", "chance of several", "a choice of several by chance has no `{what}`",
        "`choose 2 cs from xs by chance` takes every possible set with the same chance. Weights belong to a choice of one; several such choices one"
        " after another give a set.",
        bad=HANDS + play("choose 2 cs from deck by chance weighing 2\nmove cs to hand[players.first]"),
        good=HANDS + play("choose 2 cs from deck by chance\nmove cs to hand[players.first]"),
    ),
    Entry(
        "T064", "one variable twice", "two `var` arguments are the same variable",
        "What a `var` parameter holds at the end of a call is written back to the variable that was given. Of two that are the same variable, one"
        " would be lost.",
        bad=_SPLIT + play('var coins: 0..9 = 3\nsplit(coins, coins)\nannounce "{coins}"'),
        good=_SPLIT + play('var coins: 0..9 = 3\nvar stones: 0..9 = 3\nsplit(coins, stones)\nannounce "{coins} {stones}"'),
    ),
)
