"""Codes T: the wrong type of value."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry, play

_CARDS = "components:\n  Card: {count: 3}\nzones:\n  deck: {holds: Card, order: pile, start: all}\n"
_HANDS = _CARDS + "  hand: {holds: Card, per: Player}\n"
_RACE = "state:\n  winner: Player? = none seen by everybody\n  score: 0..10 per Player = 0 seen by everybody\n"
_SIDES = "types:\n  Side: [left, right]\nstate:\n  side: Side = left seen by everybody\n"
_DICE = "components:\n  Die:\n    mutable: {face: 1..6 = 1}\n    count: 2\nzones:\n  cup: {holds: Die, start: all}\n"
_SPLIT = "definitions: |\n  def split(var small: 0..9, var large: 0..9):\n      small -= 1\n      large += 1\n"
_FLIP = play('side = right if side == left else left\nannounce "{side}"')

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "T001", "wrong type", "this is `{given}`, but `{wanted}` is needed",
        "Every place in a rule expects a type of value: a condition needs true or false, a chooser a player, an assignment what its target holds."
        " The value that stands here is of another type, whatever the game does.",
        bad=_RACE + play("winner = 1\nscore[players.first] += 1\nannounce \"{winner}\""),
        good=_RACE + play("winner = players.first\nscore[players.first] += 1\nannounce \"{winner}\""),
    ),
    Entry(
        "T002", "perhaps none", "this may be none: it is `{given}`, but `{wanted}` is needed",
        "An optional value (`T?`) may be missing, and a rule that needs the value must say what happens then. After `if x is not none:` it counts as"
        " present, as long as nothing can have changed it; `x otherwise y` gives another value; `x!` insists, and stops the game with a message if"
        " there is none.",
        bad=_HANDS + play("move deck.top to hand[players.first]"),
        good=_HANDS + play("if deck.top is not none:\n    move deck.top to hand[players.first]"),
        help="test it with `is not none`, give a value for none with `otherwise`, or insist with `!`",
    ),
    Entry(
        "T003", "never equal", "`{left}` and `{right}` can never be equal",
        "Values of different types are always different, so the comparison would always have the same result. Most often one side lacks something:"
        " an attribute after a dot, or an index.",
        bad=_SIDES + play("if side == 2:\n    side = right"), good=_SIDES + play("if side == left:\n    side = right"),
    ),
    Entry(
        "T004", "not a collection", "`{given}` cannot be walked",
        "A `for`, a choice or an aggregate walks a collection: a list, set, bag or zone, a board, an enumeration, all components of a kind, a range"
        " such as `1..3`, or an optional (which has one element or none)."
        " A single value, such as a number or a player, has nothing in it to go through.",
        bad=play("for p in players.size:\n    pass"), good=play("for p in players:\n    pass"),
    ),
    Entry(
        "T005", "too many arguments", "`{name}` takes {wanted}, not {given}",
        "A call gives each parameter one value, in their order or by name."
        " What they are is shown beside, or where it is declared.",
        bad=play('announce "{next(players.first, players, 2)}"'), good=play('announce "{next(players.first, players)}"'),
    ),
    Entry(
        "T006", "not a number", "`{op}` needs numbers, not `{given}`",
        "Arithmetic, sums and order are for whole numbers; `<` and its like also for the values of an enumeration, which are ordered as they are"
        " declared. What is counted or compared is usually an attribute of the value.",
        bad=_RACE + play('score[players.first] += 1\nannounce "{max(p for p in players)} {winner}"'),
        good=_RACE + play('score[players.first] += 1\nannounce "{max(score[p] for p in players)} {winner}"'),
    ),
    Entry(
        "T007", "argument missing", "`{name}` needs a value for {missing}",
        "A call gives a value to every parameter that has no default."
        " Values stand in the order of the parameters, or are given by name (`n = 2`).",
        bad="definitions: |\n  def pay(p: Player, n: int): announce \"{p} pays {n}\"\n" + play("pay(players.first)"),
        good="definitions: |\n  def pay(p: Player, n: int): announce \"{p} pays {n}\"\n" + play("pay(players.first, 2)"),
    ),
    Entry(
        "T008", "no index", "`{given}` has no elements to point at",
        "Maps (`T per K`) and families of zones take a key in square brackets; lists and zones a place, counted from 1. Nothing else has elements.",
        bad=_RACE + play('score[players.first] += 1\nannounce "{players.size[1]} {winner}"'),
        good=_RACE + play('score[players.first] += 1\nannounce "{players[1]} {winner}"'),
    ),
    Entry(
        "T009", "insisting on what is there", "`!` insists on a value, but `{given}` is never none",
        "`x!` is the value of an optional and stops the game if there is none. Here there always is one, so the mark says something untrue.",
        bad=play('announce "{players.first!}"'), good=play('announce "{players.first}"'),
        help="leave out the `!`",
    ),
    Entry(
        "T010", "asking what is never none", "this is `{given}`: it is never none",
        "`is none` and `is not none` ask an optional whether there is a value. Here there always is one, so the answer is known.",
        bad=_RACE + play('if score[players.first] is none:\n    score[players.first] = 1\nannounce "{winner}"'),
        good=_RACE + play('if score[players.first] == 0:\n    score[players.first] = 1\nannounce "{winner}"'),
    ),
    Entry(
        "T011", "otherwise on a sure value", "this is `{given}`: it is never none or empty",
        "`x otherwise y` gives a value where an optional has none, or a list where a list is empty. Here neither can happen, so what follows would"
        " never be used.",
        bad=play('announce "{players.size otherwise 0}"'), good=play('announce "{players.size}"'),
        help="leave out `otherwise …`",
    ),
    Entry(
        "T012", "call without result", "`{name}` gives no result",
        "Only a definition with a type after `->` gives a value. One without is called in a statement of its own.",
        bad="definitions: |\n  def greet(p: Player): announce \"hello {p}\"\n" + play("let x = greet(players.first)"),
        good="definitions: |\n  def greet(p: Player): announce \"hello {p}\"\n" + play("greet(players.first)"),
        help="call it on a line of its own, or let it return something",
    ),
    Entry(
        "T014", "no common type", "`{first}` and `{second}` have no common type",
        "Both sides of `if … else` and of `otherwise`, and all items of a list or map, must fit one type, so that it is known what can be done with"
        " the result."
        " Components of several kinds do fit one type, and so do a value and `none`.",
        bad=play('announce "{[1, true]}"'), good=play('announce "{[1, 2]}"'),
    ),
    Entry(
        "T015", "not callable", "this cannot be called",
        "Brackets after a name call a definition, a built-in function or a method. The result of something else cannot be called.",
        bad=play('announce "{players[1](2)}"'), good=play('announce "{players[1]}"'),
    ),
    Entry(
        "T017", "number out of range", "this is {given}, but only {wanted} is allowed",
        "Numbers have ranges, and the checker works out between which bounds an expression lies. Here none of the possible values is allowed. Where"
        " only some are, the value is tested when the rule runs.",
        bad=_RACE + play('score[players.first] = 11\nannounce "{winner}"'), good=_RACE + play('score[players.first] = 10\nannounce "{winner}"'),
    ),
    Entry(
        "T018", "number too large", "this number is too large",
        "Numbers lie between -2^53 and 2^53, so that every program that reads a result can hold them exactly."
        " Products that may grow beyond that are stopped when the rule runs.",
        bad=play('announce "{9007199254740993}"'), good=play('announce "{9007199254740992}"'),
    ),
    Entry(
        "T019", "method without arguments", "`{name}` needs arguments",
        "This is a method: its arguments stand in brackets after the name. The note shows what they are.",
        bad=_CARDS + play('announce "{deck.take}"'), good=_CARDS + play('announce "{deck.take(2)}"'),
    ),
    Entry(
        "T020", "changeable attribute of several kinds", "`{name}` is a changeable attribute of several kinds of component",
        "Each kind of component keeps its changeable attributes for itself. Of a component that may be of one kind or another, only the fixed"
        " attributes that all of them have can be read.",
        bad="components:\n  Die: {mutable: {face: 1..6 = 1}, count: 1}\n  Coin: {mutable: {face: 1..2 = 1}, count: 1}\n"
        "zones:\n  cup: {holds: Die or Coin, start: all}\n" + play('announce "{sum(x.face for x in cup)}"'),
        good="components:\n  Die: {mutable: {face: 1..6 = 1}, count: 1}\n  Coin: {mutable: {face: 1..2 = 1}, count: 1}\n"
        "zones:\n  dice: {holds: Die, start: all}\n  coins: {holds: Coin, start: all}\n"
        + play('announce "{sum(x.face for x in dice) + sum(x.face for x in coins)}"'),
    ),
    Entry(
        "T021", "division by zero", "this divides by zero",
        "The divisor is always zero, and nothing can be divided by it. Where a divisor may be zero in some game, test it before.",
        bad=play('announce "{players.size // 0}"'), good=play('announce "{players.size // 2}"'),
    ),
    Entry(
        "T022", "texts compared", "texts cannot be compared",
        "Texts are for people: they are shown and never decide anything. What a text says about something is known from the thing itself, so compare"
        " that.",
        bad=play('if "a" == "b":\n    pass'), good=play("if players.size == 2:\n    pass"),
    ),
    Entry(
        "T023", "var argument", "`{name}` is changed by the call: give it a variable",
        "A `var` parameter is written back when the call ends. So its argument must be something that can be written: a `var` local, or state.",
        bad="definitions: |\n  def double(var n: int): n = n * 2\n" + play("double(3)"),
        good="definitions: |\n  def double(var n: int): n = n * 2\n" + play('var n = 3\ndouble(n)\nannounce "{n}"'),
        help="put the value into a `var` first",
    ),
    Entry(
        "T024", "attribute called", "`{name}` takes no arguments",
        "This is an attribute, not a method: it is read without brackets."
        " Brackets would promise arguments, and it has none.",
        bad=_CARDS + play('announce "{deck.size()}"'), good=_CARDS + play('announce "{deck.size}"'),
        help="leave out the brackets",
    ),
    Entry(
        "T025", "by missing", "`{name}` needs `by` and what is compared",
        "`best`, `worst` and `ties` compare keys: a number for each element, or a list of numbers that are compared in order. The key stands after"
        " `by`.",
        bad=_RACE + play('score[players.first] += 1\nannounce "{best(p for p in players)} {winner}"'),
        good=_RACE + play('score[players.first] += 1\nannounce "{best(p for p in players by score[p])} {winner}"'),
    ),
    Entry(
        "T026", "by not allowed", "`{name}` takes no `by`",
        "Only `best`, `worst`, `ties` and `sorted` compare keys."
        " The others take the values themselves, so what is compared or added up stands before `for`.",
        bad=_RACE + play('score[players.first] += 1\nannounce "{max(score[p] for p in players by p.seat)} {winner}"'),
        good=_RACE + play('score[players.first] += 1\nannounce "{max(score[p] for p in players)} {winner}"'),
        help="leave out `by …`",
    ),
    Entry(
        "T027", "key", "a key is a number or a list of numbers, not `{given}`",
        "Keys put things in order, so they are whole numbers, values of an enumeration, true and false (true is greater), or lists of numbers that"
        " are compared place by place."
        " Players, components and the like have no order of their own; take an attribute that is a number.",
        bad=play('announce "{best(p for p in players by p)}"'), good=play('announce "{best(p for p in players by p.seat)}"'),
    ),
    Entry(
        "T028", "aggregate", "`{name}` is not used like this",
        "An aggregate walks a collection (`sum(n for n in xs)`) or takes one list (`sum(xs)`). Only `max` and `min` may take several numbers. The"
        " note shows the form.",
        bad=play('announce "{sum(1, 2)}"'), good=play('announce "{sum([1, 2])}"'),
    ),
    Entry(
        "T029", "empty range", "this range is empty",
        "A range of a type runs from the smaller number to the larger. No number lies in this one, so nothing could ever have this type.",
        bad=_RACE + "  round: 5..1 = 5\n" + play('score[players.first] += 1\nannounce "{winner} {round}"'),
        good=_RACE + "  round: 1..5 = 5\n" + play('score[players.first] += 1\nannounce "{winner} {round}"'),
        help="write the smaller number first",
    ),
    Entry(
        "T030", "wrong value in YAML", "this cannot be a value of type `{wanted}`",
        "A value in the YAML part must have the type that is declared for it: a single value where one is needed, a YAML list for a list, a group of"
        " keys for a map or a record."
        " Expressions of the rule language may be used where the value is a single word or a number.",
        bad="parameters:\n  rounds: {type: 1..5, default: [3]}\n" + play('announce "{rounds}"'),
        good="parameters:\n  rounds: {type: 1..5, default: 3}\n" + play('announce "{rounds}"'),
    ),
    Entry(
        "T031", "endless keys", "`{given}` cannot be a key",
        "`per` gives one value to each key, so there must be finitely many: players, values of an enumeration, cells, components, `bool`, or a range"
        " of numbers with both ends."
        " Then the number of values is known when the game is set up.",
        bad="state:\n  score: int per int = 0 seen by everybody\n" + play("score[3] += 1"),
        good="state:\n  score: int per 1..6 = 0 seen by everybody\n" + play("score[3] += 1"),
    ),
    Entry(
        "T032", "zone of something", "`zone of` needs a kind of component",
        "Zones hold components, so the type of a zone names a kind of component that the ruleset declares."
        " For players, numbers and other values there are lists, sets and bags.",
        bad=_CARDS + "definitions: |\n  def top(z: zone of Player): announce \"{z.size}\"\n",
        good=_CARDS + "definitions: |\n  def top(z: zone of Card): announce \"{z.size}\"\n" + play("top(deck)"),
    ),
    Entry(
        "T033", "none without a type", "`{name}` needs a type: it begins {how}",
        "`none`, or an empty list, does not say what else the name may hold. The type stands after the name: `var best: Card? = none`,"
        " `var seen: list of Card = []`.",
        bad=_CARDS + play('var best = none\nbest = deck.top\nannounce "{best}"'),
        good=_CARDS + play('var best: Card? = none\nbest = deck.top\nannounce "{best}"'),
        help="write `{name}: Type = …`",
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
        bad=_CARDS + play("deck.size = 2"), good=_CARDS + "  out: {holds: Card}\n" + play("for c in deck.list.take(1): move c to out"),
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
        bad=_SIDES + play("match side:\n    case side: pass\n    else: side = right"),
        good=_SIDES + play("match side:\n    case left: pass\n    else: side = right"),
    ),
    Entry(
        "T039", "match without else", "a `match` on `{given}` needs `else`",
        "Only the values of an enumeration and of `bool` can all be named by cases. Anything else needs an `else` for the values that no case names.",
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
        bad=_CARDS + play('choose 2 cs from deck.list by players.first where cs == cs\nannounce "{cs}"'),
        good=_CARDS + play('choose 2 cs from deck.list by players.first such that cs.all_different\nannounce "{cs}"'),
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
        "T044", "several at once", "a choice by everybody is of one thing each",
        "When all choose at the same time, each chooses one thing. For several, ask once for each, or let the players choose one after the other.",
        bad=_CARDS + play('choose 2 cs from deck.list by every p in players\nannounce "{cs}"'),
        good=_CARDS + play('choose c from deck.list by every p in players\nannounce "{c}"'),
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
        bad=_RACE + play('score[players.first] += 1\nannounce "{winner}"\nfinish rank players'),
        good=_RACE + play('score[players.first] += 1\nannounce "{winner}"\nfinish rank {p: score[p] for p in players}'),
        help="write `{{p: … for p in players}}`",
    ),
    Entry(
        "T047", "which zone", "`{name}` is one zone for each `{key}`: say which",
        "A zone declared `per` something is a family. All of it can be looked at (`hand.size` counts everything), but components are moved into,"
        " drawn from and shuffled in one of them.",
        bad=_HANDS + play("draw 1 from deck to hand"), good=_HANDS + play("draw 1 from deck to hand[players.first]"),
        help="write `{name}[…]`",
    ),
    Entry(
        "T048", "not a zone", "this is `{given}`, not a zone",
        "Components move, are drawn and shuffled between zones, and zones are declared under `zones` (or as the `stack` of a board). Lists are"
        " values: changing them moves nothing.",
        bad=_HANDS + play("draw 1 from deck to players.first"), good=_HANDS + play("draw 1 from deck to hand[players.first]"),
    ),
    Entry(
        "T049", "not components", "this is `{given}`, not components",
        "Only components can be moved, shown and rolled: one, a list of them, or a whole zone. Values of state are assigned to; counts of anonymous"
        " things are numbers.",
        bad=_HANDS + play("move 2 to hand[players.first]"), good=_HANDS + play("move deck.list.take(2) to hand[players.first]"),
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
        bad=_HANDS + play("for c in deck.list: move c to hand[players.first] at bottom"),
        good=_HANDS + play("for c in deck.list: move c to hand[players.first]"),
    ),
    Entry(
        "T052", "drawing from a set", "nothing is drawn from a {order}: it has no order",
        "Drawing takes the next component of a pile or sequence, or any of a bag by chance. What lies in a set is chosen, by a player or by chance,"
        " and then moved.",
        bad=_HANDS + play("draw 1 from hand[players.first] to deck"),
        good=_HANDS + play("choose c from hand[players.first] by chance\nmove c to deck"),
    ),
    Entry(
        "T053", "shuffling", "a {order} cannot be shuffled",
        "Only piles are shuffled. A set or a bag has no order that could change, and the order of a sequence means something.",
        bad=_HANDS + play("shuffle hand[players.first]"), good=_CARDS + play("shuffle deck"),
    ),
    Entry(
        "T054", "adding to what is no list", "`{given}` is not a list, set or bag",
        "`add x to xs` and `remove x from xs` change a list, set or bag held in state or in a `var`. Numbers change with `+=`, zones by moving"
        " components.",
        bad=_RACE + play('add 1 to score[players.first]\nannounce "{winner}"'),
        good=_RACE + play('score[players.first] += 1\nannounce "{winner}"'),
    ),
    Entry(
        "T055", "rolling", "`{kind}` has nothing to roll",
        "Rolling gives a changeable attribute a value by chance. A component with one changeable attribute can be rolled; one with several says which"
        " under `rolls`.",
        bad=_CARDS + play("roll deck"), good=_DICE + play("roll cup\nannounce \"{sum(d.face for d in cup)}\""),
    ),
    Entry(
        "T056", "swap", "`{left}` and `{right}` cannot change places",
        "Two components change places, or two zones their contents. To exchange values of state, keep one of them in a `let`.",
        bad=_HANDS + play("swap deck with players.first"), good=_HANDS + play("swap hand[players.first] with hand[players.last]"),
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
        bad=_RACE + _CARDS + "  hand:\n    holds: Card\n    capacity: score[players.first]\n"
        + play('score[players.first] += 1\nannounce "{winner}"\nmove deck to hand'),
        good=_RACE + _CARDS + "  hand: {holds: Card, capacity: players.size * 2}\n"
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
        "T060", "call inside an expression", "`{name}` {does}: it cannot be called inside an expression",
        "Expressions change nothing and wait for nobody, so they can be worked out at any time. A call that acts stands on a line of its own, or is"
        " the whole right side of `let`, `var`, `=` or `return`; so a reader sees each place where the game may stop.",
        bad="definitions: |\n  def pick(p: Player) -> int:\n      choose n from 1..3 by p\n      return n\n"
        + play('announce "{pick(players.first)}"'),
        good="definitions: |\n  def pick(p: Player) -> int:\n      choose n from 1..3 by p\n      return n\n"
        + play('let n = pick(players.first)\nannounce "{n}"'),
        help="call it in a statement of its own: `let x = {name}(…)`",
    ),
    Entry(
        "T061", "kind known already", "`{given}` is never, or always, a `{kind}`",
        "`x is Kind` asks which of several kinds a component is of. Where its type leaves no choice, the answer never changes.",
        bad=_HANDS + play("for c in deck:\n    if c is Card: move c to hand[players.first]"),
        good=_HANDS + play("for c in deck: move c to hand[players.first]"),
    ),
    Entry(
        "T062", "not a kind of component", "`{given}` is no kind of component",
        "`A or B` is the type of components of several kinds. Values of other types do not mix; a value that may be missing has the type `T?`.",
        bad=_CARDS + "state:\n  last: Card or int seen by everybody\n" + play('announce "{last}"'),
        good="state:\n  last: Player? seen by everybody\n" + play('announce "{last}"'),
    ),
    Entry(
        "T066", "texts joined", "texts cannot be joined",
        "Texts are only shown, so there is no arithmetic with them. One text may show several values, each in braces.",
        bad=play('let s = "players: " + "{players.size}"'),
        good=play('announce "players: {players.size}"'),
        help="write one text: `\"… {{value}} …\"`",
    ),
    Entry(
        "T067", "zone kept as a value", "`{given}` cannot be kept: a zone is a place",
        "Zones are declared once and stay where they are, so state, attributes, parameters of the game and fields cannot hold one. Keep the key"
        " of the zone, or the components. A definition may take a zone as an argument.",
        bad=_CARDS + "state:\n  current: zone of Card\n" + play('announce "{current.size}"'),
        good=_CARDS + "definitions: |\n  def tell_size(z: zone of Card): announce \"{z.size}\"\n" + play("tell_size(deck)"),
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
        bad=_HANDS + play("choose 2 cs from deck by chance weighing 2\nmove cs to hand[players.first]"),
        good=_HANDS + play("choose 2 cs from deck by chance\nmove cs to hand[players.first]"),
    ),
    Entry(
        "T064", "one variable twice", "two `var` arguments are the same variable",
        "What a `var` parameter holds at the end of a call is written back to the variable that was given. Of two that are the same variable, one"
        " would be lost.",
        bad=_SPLIT + play('var coins: 0..9 = 3\nsplit(coins, coins)\nannounce "{coins}"'),
        good=_SPLIT + play('var coins: 0..9 = 3\nvar stones: 0..9 = 3\nsplit(coins, stones)\nannounce "{coins} {stones}"'),
    ),
)
