"""Codes T, expressions: the wrong type of value."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import CARDS, HANDS, RACE, SIDES, Entry, play

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "T001", "wrong type", "this is `{given}`, but `{wanted}` is needed",
        "Every place in a rule expects a type of value: a condition needs true or false, a chooser a player, an assignment what its target holds."
        " The value that stands here is of another type, whatever the game does.",
        bad=RACE + play("winner = 1\nscore[players.first] += 1\nannounce \"{winner}\""),
        good=RACE + play("winner = players.first\nscore[players.first] += 1\nannounce \"{winner}\""),
    ),
    Entry(
        "T002", "perhaps none", "this may be none: it is `{given}`, but `{wanted}` is needed",
        "An optional value (`T?`) may be missing, and a rule that needs the value must say what happens then. After `if x is not none:` it counts as"
        " present, as long as nothing can have changed it; `x otherwise y` gives another value; `x!` insists, and stops the game with a message if"
        " there is none.",
        bad=HANDS + play("move deck.top to hand[players.first]"),
        good=HANDS + play("if deck.top is not none:\n    move deck.top to hand[players.first]"),
        help="test it with `is not none`, give a value for none with `otherwise`, or insist with `!`",
    ),
    Entry(
        "T003", "never equal", "`{left}` and `{right}` can never be {how}",
        "Values of different types are always different, so the comparison would always have the same result. Most often one side lacks something:"
        " an attribute after a dot, or an index.",
        bad=SIDES + play("if side == 2:\n    side = right"), good=SIDES + play("if side == left:\n    side = right"),
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
        bad=RACE + play('score[players.first] += 1\nannounce "{max(p for p in players)} {winner}"'),
        good=RACE + play('score[players.first] += 1\nannounce "{max(score[p] for p in players)} {winner}"'),
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
        bad=RACE + play('score[players.first] += 1\nannounce "{players.size[1]} {winner}"'),
        good=RACE + play('score[players.first] += 1\nannounce "{players[1]} {winner}"'),
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
        bad=RACE + play('if score[players.first] is none:\n    score[players.first] = 1\nannounce "{winner}"'),
        good=RACE + play('if score[players.first] == 0:\n    score[players.first] = 1\nannounce "{winner}"'),
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
        bad=RACE + play('score[players.first] = 11\nannounce "{winner}"'), good=RACE + play('score[players.first] = 10\nannounce "{winner}"'),
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
        bad=CARDS + play('announce "{deck.take}"'), good=CARDS + play('announce "{deck.take(2)}"'),
    ),
    Entry(
        "T020", "changeable attribute of several kinds", "`{name}` is a changeable attribute of several kinds of component",
        "Each kind of component keeps its changeable attributes for itself. Of a component that may be of one kind or another, only the fixed"
        " attributes that all of them have can be read, and it cannot be rolled. `is` asks for the kind; after that it is one of a single kind.",
        bad="components:\n  Die: {mutable: {face: 1..6 = 1}, count: 1}\n  Coin: {mutable: {face: 1..2 = 1}, count: 1}\n"
        "zones:\n  cup: {holds: Die or Coin, start: all}\n" + play('announce "{sum(x.face for x in cup)}"'),
        good="components:\n  Die: {mutable: {face: 1..6 = 1}, count: 1}\n  Coin: {mutable: {face: 1..2 = 1}, count: 1}\n"
        "zones:\n  cup: {holds: Die or Coin, start: all}\n"
        + play('announce "{sum(x.face if x is Die else x.face for x in cup)}"'),
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
        "T024", "attribute called", "`{name}` takes no arguments",
        "This is an attribute, not a method: it is read without brackets."
        " Brackets would promise arguments, and it has none.",
        bad=CARDS + play('announce "{deck.size()}"'), good=CARDS + play('announce "{deck.size}"'),
        help="leave out the brackets",
    ),
    Entry(
        "T025", "by missing", "`{name}` needs `by` and what is compared",
        "`best`, `worst` and `ties` compare keys: a number for each element, or a list of numbers that are compared in order. The key stands after"
        " `by`.",
        bad=RACE + play('score[players.first] += 1\nannounce "{best(p for p in players)} {winner}"'),
        good=RACE + play('score[players.first] += 1\nannounce "{best(p for p in players by score[p])} {winner}"'),
    ),
    Entry(
        "T026", "by not allowed", "`{name}` takes no `by`",
        "Only `best`, `worst`, `ties` and `sorted` compare keys."
        " The others take the values themselves, so what is compared or added up stands before `for`.",
        bad=RACE + play('score[players.first] += 1\nannounce "{max(score[p] for p in players by p.seat)} {winner}"'),
        good=RACE + play('score[players.first] += 1\nannounce "{max(score[p] for p in players)} {winner}"'),
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
        "T028", "aggregate", "`{name}` takes one list, or a value `for` each of some",
        "An aggregate walks a collection (`sum(n for n in xs)`) or takes one list (`sum(xs)`). Only `max` and `min` may take several numbers. The"
        " note shows the form.",
        bad=play('announce "{sum(1, 2)}"'), good=play('announce "{sum([1, 2])}"'),
    ),
    Entry(
        "T029", "empty range", "this range is empty",
        "A range of a type runs from the smaller number to the larger. No number lies in this one, so nothing could ever have this type.",
        bad=RACE + "  round: 5..1 = 5\n" + play('score[players.first] += 1\nannounce "{winner} {round}"'),
        good=RACE + "  round: 1..5 = 5\n" + play('score[players.first] += 1\nannounce "{winner} {round}"'),
        help="write the smaller number first",
    ),
    Entry(
        "T030", "wrong value in YAML", "{problem} of type `{wanted}`",
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
        help="{instead}",
        bad="state:\n  score: int per int = 0 seen by everybody\n" + play("score[3] += 1"),
        good="state:\n  score: int per 1..6 = 0 seen by everybody\n" + play("score[3] += 1"),
    ),
    Entry(
        "T032", "zone of something", "`zone of` needs a kind of component",
        "Zones hold components, so the type of a zone names a kind of component that the ruleset declares."
        " For players, numbers and other values there are lists, sets and bags.",
        bad=CARDS + "definitions: |\n  def top(z: zone of Player): announce \"{z.size}\"\n",
        good=CARDS + "definitions: |\n  def top(z: zone of Card): announce \"{z.size}\"\n" + play("top(deck)"),
    ),
    Entry(
        "T033", "none without a type", "`{name}` needs a type: it begins {how}",
        "`none`, or an empty list, does not say what else the name may hold. The type stands after the name: `var best: Card? = none`,"
        " `var seen: list of Card = []`.",
        bad=CARDS + play('var best = none\nbest = deck.top\nannounce "{best}"'),
        good=CARDS + play('var best: Card? = none\nbest = deck.top\nannounce "{best}"'),
        help="write `{name}: Type = …`",
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
        "T061", "kind known already", "`{given}` is {how} a `{kind}`",
        "`x is Kind` asks which of several kinds a component is of. Where its type leaves no choice, the answer never changes.",
        bad=HANDS + play("for c in deck:\n    if c is Card: move c to hand[players.first]"),
        good=HANDS + play("for c in deck: move c to hand[players.first]"),
    ),
    Entry(
        "T069", "one of several copies", "there may be several `{name}`: this names one of them alone",
        "`copies` gives several components one id. Compared (`c == ace`, `ace in hand[p]`, `!=`, `not in`) an id means every one of them, and"
        " so do powers by id; they have the same attributes. Everywhere else one component is wanted, and the rules have to find it.",
        help="find it where it lies: `first(c for c in deck if c == {name})`",
        bad="components:\n  Card: {ids: [two, ace], copies: 3}\nzones:\n  deck: {holds: Card, start: all}\n  row: {holds: Card}\n"
        + play("move ace to row"),
        good="components:\n  Card: {ids: [two, ace], copies: 3}\nzones:\n  deck: {holds: Card, start: all}\n  row: {holds: Card}\n"
        + play("for c in deck:\n    if c == ace: move c to row"),
    ),
    Entry(
        "T062", "not a kind of component", "`{given}` is no kind of component",
        "`A or B` is the type of components of several kinds. Values of other types do not mix; a value that may be missing has the type `T?`.",
        bad=CARDS + "state:\n  last: Card or int seen by everybody\n" + play('announce "{last}"'),
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
        help="keep what tells which zone is meant (a `Player`, a cell, a number), or what lies in it (`list of …`)",
        bad=CARDS + "state:\n  current: zone of Card\n" + play('announce "{current.size}"'),
        good=CARDS + "definitions: |\n  def tell_size(z: zone of Card): announce \"{z.size}\"\n" + play("tell_size(deck)"),
    ),
)
