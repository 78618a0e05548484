"""Codes G: games that cannot be set up, and values that components and state lack."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry, play

_SIZE = (
    "Games have limits, so that setting one up never takes long and never fills a computer's memory. This one is beyond them with these parameters"
    " and this number of players."
)

_ROLES = (
    "types:\n  Region:\n    attributes: {copies: 0..3, cost: 0..9}\n    values:\n      north: {copies: 1, cost: 2}\n      south: {copies: 2%s}\n"
    "state:\n  region: Region = north\n"
)
_DECK = "zones:\n  deck: {holds: Card, start: all}\n"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "G001", "value missing", "`{name}` has no value for `{column}`",
        "Every row of a table, and every value of an enumeration with columns, gives each attribute a value. Nothing is filled in where one is"
        " missing.",
        bad=_ROLES % "" + play('region = south\nannounce "{region.cost}"'),
        good=_ROLES % ", cost: 3" + play('region = south\nannounce "{region.cost}"'),
    ),
    Entry(
        "G002", "values that cannot be listed", "`{name}` is `{given}`: its values cannot be listed",
        "Components are made for `each` value of some attributes, and claims are offered for each value of their fields. So these have types with"
        " finitely many values, known when the game is set up: enumerations, players, cells, `bool`, ranges with both ends.",
        bad=_DECK + "components:\n  Card:\n    attributes: {number: int}\n    each: [number]\n",
        good=_DECK + "components:\n  Card:\n    attributes: {number: 1..9}\n    each: [number]\n",
    ),
    Entry(
        "G003", "attributes without values", "`{name}` gives no values to {missing}",
        "Each component has a value for each of its attributes: one for `each` value of a type, or what its row of the `table` says. Components that"
        " are only counted (`count`) or named (`ids`) have no attributes.",
        bad=_DECK + "components:\n  Card:\n    attributes: {number: 1..9}\n    count: 9\n",
        good=_DECK + "components:\n  Card:\n    attributes: {number: 1..9}\n    each: [number]\n",
        help="use `each`, or a `table` with a row for each component",
    ),
    Entry(
        "G004", "size missing", "board `{name}` is a {shape} and needs `{missing}`",
        "The shape of a board says which sizes it has: a rectangle or a field of hexagons has `rows` and `columns`, a ring or a hub a `size`, a graph"
        " its `cells`."
        " Without it nobody could say how many cells there are.",
        bad="boards:\n  track: {shape: ring}\n" + play('announce "{track.size}"'),
        good="boards:\n  track: {shape: ring, size: 12}\n" + play('announce "{track.size}"'),
        help="write `{missing}: {example}`",
    ),
    Entry(
        "G005", "start missing", "state `{name}` needs a start value of type `{type}`",
        "State exists from the beginning, so it begins with something. Only optionals (none), lists and sets (empty), `bool` (false) and numbers that"
        " may be 0 have a start of their own.",
        bad="state:\n  leader: Player seen by everybody\n" + play("leader = players.last"),
        good="state:\n  leader: Player = players.first seen by everybody\n" + play("leader = players.last"),
        help="add `= …`",
    ),
    Entry(
        "G006", "capacity missing", "state `{name}` is `{type}` and needs a capacity",
        "A list or bag in state says how much it may hold, so that the size of every position is known when the game is set up. A set cannot hold"
        " more than its type has values.",
        bad="state:\n  said: list of Player seen by everybody\n" + play("add players.first to said"),
        good="state:\n  said: list of Player up to 20 seen by everybody\n" + play("add players.first to said"),
        help="write `{type} up to n`",
    ),
    Entry(
        "G007", "no components", "nothing says how many components `{name}` has",
        "Components come from `each` (one for each value of some attributes), `ids` (one for each name), a `table` (one for each row), or just a"
        " `count`. Without any of these there would be none.",
        bad=_DECK + "components:\n  Card: {attributes: {}}\n", good=_DECK + "components:\n  Card: {count: 9}\n",
        help="add `count: n`, `ids: […]`, `each: […]` or a `table`",
    ),
    Entry(
        "G008", "key without meaning", "board `{name}` is a {shape}: `{key}` means nothing",
        "A rectangle or a field of hexagons has `rows` and `columns`, a ring or a hub a `size`, a graph `cells` and `links`; only a rectangle has a"
        " choice of `adjacency`. A key that nothing reads is refused, because it would look as if it did something.",
        bad="boards:\n  track: {shape: ring, size: 12, rows: 3}\n" + play('announce "{track.size}"'),
        good="boards:\n  track: {shape: ring, size: 12}\n" + play('announce "{track.size}"'),
        help="leave it out, or choose another shape",
    ),
    Entry(
        "G009", "record without end", "a `{name}` would hold another `{name}`",
        "A value of a record has a size that is known, so a record cannot hold another of its own kind, neither directly nor through other records or"
        " lists. Keep several records in a list, or refer to a component or a player.",
        bad="types:\n  Bid: {record: {number: 0..9, before: Bid?}}\nstate:\n  bid: Bid? seen by everybody\n" + play("bid = none"),
        good="types:\n  Bid: {record: {number: 0..9}}\nstate:\n  bids: list of Bid up to 9 seen by everybody\n" + play("add Bid(3) to bids"),
        help="keep several of them in a list of the state, or refer to a component or a player",
    ),
    Entry(
        "G010", "unknown parameter", "there is no parameter called `{name}`",
        "The parameters of a ruleset are those that it declares; `croupier rulebook NAME` shows them with what they may be."
        " A misspelt name is refused, because the game would silently be played without the setting.",
    ),
    Entry(
        "G011", "parameter out of range", "`{value}` is not a value of parameter `{name}`",
        "The parameter has a type, and only values of that type can be set. `croupier rulebook NAME` shows what they are.",
    ),
    Entry(
        "G012", "number of players", "{title} is for {wanted} players, not {given}",
        "The ruleset says for how many players it is (`players`)."
        " Other numbers are refused, because the rules were not written for them.",
    ),
    Entry(
        "G013", "refused combination", "parameter `{name}` = {value} is refused here{reason}",
        "The ruleset states a condition (`valid`) that a parameter must meet, together with the others and with the number of players. These do not"
        " meet it.",
    ),
    Entry("G014", "too many components", "`{name}` would have {count} components, more than {limit}", _SIZE),
    Entry("G015", "too many cells", "board `{name}` would have {count} cells, more than {limit}", _SIZE),
    Entry("G016", "too large", "`{name}` would need {count} entries, more than {limit}", _SIZE),
    Entry(
        "G017", "set-up", "the game cannot be set up: {reason}",
        "An expression of the set-up (a size, a capacity, a start value) cannot be worked out for this number of players and these parameters."
        " The message says what failed; the place is the expression.",
    ),
    Entry(
        "G018", "label twice", "two components are called `{label}`",
        "Labels name components in actions, logs and scenarios, so those of one kind are different, unless the components are alike in everything."
        " Give the label an attribute that tells them apart, or leave it out.",
    ),
    Entry(
        "G019", "in two zones", "`{label}` begins in two zones, one of them `{zone}`",
        "A component is in exactly one zone. Two zones begin with it, by `start: all` or by a list that names it.",
    ),
    Entry(
        "G020", "call at set-up", "definitions cannot be called at set-up",
        "Sizes, start values, labels and the like are worked out before the rules are read, so they use parameters, players and components, but no"
        " definitions."
        " Where a value needs a rule, give it a simple start and set it in the first phase.",
        bad="state:\n  rounds: 1..9 = most() seen by everybody\ndefinitions: |\n  def most() -> int: return 3\n" + play("rounds = most()"),
        good="state:\n  rounds: 1..9 = 3 seen by everybody\ndefinitions: |\n  def most() -> int: return 3\n" + play("rounds = most()"),
        help="write the value itself, or set it in the first phase",
    ),
    Entry(
        "G021", "default missing", "parameter `{name}` has no value",
        "A parameter without a default must be set whenever the game is set up."
        " Give it one with `default`, or name a value when the game is started.",
    ),
    Entry(
        "G022", "too small", "{name} would be {count}, less than {least}",
        "Sizes of boards are at least 1, numbers of components and capacities at least 0. An expression of parameters or players gives less here.",
    ),
    Entry(
        "G023", "number of cells", "board `{name}` has {count} cells, but {given} names",
        "A board has at least one cell. Where its cells have names, there are as many names as cells.",
    ),
    Entry(
        "G024", "not known yet", "the value of `{name}` is not known here yet",
        "Parameters get their values in the order in which they are written, so the default of one may name only those above it.",
        help="write `{name}` above it",
        bad="parameters:\n  first_hand: {type: 1..9, default: hand_size}\n  hand_size: {type: 1..9, default: 3}\n"
        + play('announce "{first_hand} {hand_size}"'),
        good="parameters:\n  hand_size: {type: 1..9, default: 3}\n  first_hand: {type: 1..9, default: hand_size}\n"
        + play('announce "{first_hand} {hand_size}"'),
    ),
    Entry(
        "G025", "start of several zones", "there is a zone `{name}` for each `{key}`: this does not say what begins in which",
        "A zone with `per` is as many zones as there are keys. Its `start` is worked out for each of them and calls its key `key`, so that it can say"
        " what lies where. The same for all would put one component into several zones.",
        help="name the key: `start: list(c for c in Card if c.kind == key)`",
        bad="types:\n  Kind: [red, blue]\ncomponents:\n  Card: {attributes: {kind: Kind}, each: [kind], copies: 3}\n"
        "zones:\n  boxes: {holds: Card, per: Kind, start: all}\n" + play("move boxes[red] to boxes[blue]\nfinish draw"),
        good="types:\n  Kind: [red, blue]\ncomponents:\n  Card: {attributes: {kind: Kind}, each: [kind], copies: 3}\n"
        "zones:\n  boxes:\n    holds: Card\n    per: Kind\n    start: list(c for c in Card if c.kind == key)\n"
        + play("move boxes[red] to boxes[blue]\nfinish draw"),
    ),
    Entry(
        "G026", "not a value for every key", "{wanted} are needed here, not {given}",
        "A map may be written as the list of its values, one for every key, in the order of the keys. For the cells of a board these stand row by"
        " row, as one list or as a list of the rows.",
    ),
    Entry(
        "G030", "value that cannot be set up", "the game cannot be set up with {setting} and {players}",
        "`croupier check --matrix` tries every number of players with every value of every parameter that is worth trying: all words of an"
        " enumeration, both ends of a range and one between, and what stands under `tried`. Each game is set up and played to its first decision. A"
        " value that cannot work is refused in words, by a condition under `valid`, or it is not in the type.",
        help="refuse it with `valid`, narrow the type of the parameter, or mend the rule",
    ),
)
