"""Codes N: names that mean nothing, or two things."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import CARDS, Entry, play

_CHARM = "zones:\n  pool: {holds: Charm, start: all}\ncomponents:\n  Charm:\n    ids: [rat, toad]\n"
_GAIN = "definitions: |\n  def gain(p: Player, n: int): announce \"{p} gains {n}\"\n"
_SIDES = "types:\n  Side: [left, right]\n  Hand: [left, right]\nstate:\n  hand: Hand = left seen by everybody\n"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "N001", "unknown name", "there is no {kind} called `{name}`",
        "Every name is declared somewhere: in a section of the ruleset, as a parameter of a definition, or by `let`, `var`, `for`, `choose` and the"
        " like above the place where it is used. A local name is known to the end of the block it is declared in, and not outside it."
        " Upper and lower case are different.",
        bad=CARDS + play("shuffle dekc"), good=CARDS + play("shuffle deck"),
    ),
    Entry(
        "N002", "unknown attribute", "`{type}` has no `{name}`",
        "After a dot stand the attributes that the ruleset declares for this type (of components, records, enumerations with columns), or those"
        " that the language gives it, such as `size` of a list or `owner` of a component."
        " A misspelt name, or one that another type has, is not guessed.",
        bad=CARDS + play('announce "{deck.length}"'), good=CARDS + play('announce "{deck.size}"'),
    ),
    Entry(
        "N003", "unknown type", "there is no type called `{name}`",
        "Types are `bool`, `int`, ranges such as `0..10`, `Player`, `Direction`, the ruleset's own types and components, the cells of its boards;"
        " and of these `list of T`, `set of T`, `bag of T`, `T?` (perhaps none) and `T per K` (one for each)."
        " Names of types are written exactly as they are declared, capital letters included.",
        bad="state:\n  score: integer per Player = 0 seen by everybody\n" + play("score[players.first] += 1"),
        good="state:\n  score: int per Player = 0 seen by everybody\n" + play("score[players.first] += 1"),
    ),
    Entry(
        "N004", "declared twice", "there is already a {kind} called `{name}`",
        "A name stands for one thing, so that whoever reads it need not guess. Types, components, boards, parameters, zones, state, definitions"
        " and windows share their names; phases have names of their own, all different.",
        bad=CARDS + "state:\n  deck: int = 0 seen by everybody\n" + play("deck += 1"),
        good=CARDS + "state:\n  cards: int = 0 seen by everybody\n" + play("cards += 1"),
        help="choose another name",
    ),
    Entry(
        "N005", "hidden name", "`{name}` already names {other}",
        "A local name may not hide anything that is known at the same place: whoever reads the rule would think of the other. That holds for"
        " `let`, `var`, `for`, `choose`, parameters and the names bound by hooks.",
        bad=CARDS + play("for deck in 1..3:\n    announce \"{deck}\""), good=CARDS + play("for n in 1..3:\n    announce \"{n}\""),
        help="choose another name",
    ),
    Entry(
        "N006", "unknown function", "there is no definition or function called `{name}`",
        "What is called is built in (`count`, `max`, `others`, …), a record that is put together, or defined by the ruleset with `def`."
        " Definitions are found wherever they stand under `definitions`; their order does not matter.",
        bad=CARDS + play('announce "{len(deck)}"'), good=CARDS + play('announce "{count(c for c in deck)}"'),
    ),
    Entry(
        "N007", "ambiguous value", "several types have a value `{name}`",
        "Where a value of one type is needed, its bare name is enough. Here nothing says which type is meant, so the type is written before the"
        " value, with a dot between.",
        bad=_SIDES + play('let s = left\nannounce "{s} {hand}"'),
        good=_SIDES + play('let s = Side.left\nannounce "{s} {hand}"'),
    ),
    Entry(
        "N008", "unknown rule", "the rule list has no `{name}`",
        "A citation names rules of the rule list (`rule_list:`), so that it can be checked which rules a ruleset implements. An id that the list"
        " does not have is a slip of the pen, or the list is incomplete.",
        bad="rule_list: rules.csv\n" + play("pass  @AB-7"), good="rule_list: rules.csv\n" + play("pass  @AB-1"),
    ),
    Entry(
        "N009", "unknown argument", "`{of}` has no parameter `{name}`",
        "Arguments may be given by name, in any order after those without: `gain(p, n = 2)`. The name is that of a parameter of what is called;"
        " in the pattern of a hook, that of a parameter of what the hook listens to. Built-in functions take no names.",
        bad=_GAIN + play("gain(players.first, amount = 2)"), good=_GAIN + play("gain(players.first, n = 2)"),
    ),
    Entry(
        "N010", "unused binding", "`{name}` is bound here but never used",
        "In the pattern of a hook a name that means nothing else stands for any argument. A misspelt `owner` would therefore fit everybody; so a"
        " name that is bound and not used is refused.",
        bad=_GAIN + "  after gain(_, n):\n      announce \"more\"\n" + play("gain(players.first, 2)"),
        good=_GAIN + "  after gain(_, _):\n      announce \"more\"\n" + play("gain(players.first, 2)"),
        help="write `_` for any argument, or correct the name",
    ),
    Entry(
        "N011", "definition without call", "`{name}` is a definition: call it",
        "A definition is used by calling it, with brackets even where it has no parameters. Definitions are no values: they cannot be kept or"
        " handed on.",
        bad="definitions: |\n  def total() -> int: return 3\n" + play('announce "{total}"'),
        good="definitions: |\n  def total() -> int: return 3\n" + play('announce "{total()}"'),
        help="write `{name}(…)`",
    ),
    Entry(
        "N012", "window called", "`{name}` is a window: open it",
        "A window is a moment in which players may react. It is not called but opened, for players who are then asked in turn:"
        " `open hit(…) to ps`.",
        bad="definitions: |\n  window hit(p: Player)\n" + play("hit(players.first)"),
        good="definitions: |\n  window hit(p: Player)\n" + play("open hit(players.first) to players"),
        help="write `open {name}(…) to …`",
    ),
    Entry(
        "N013", "unknown window", "there is no window called `{name}`",
        "Windows are declared under `definitions`: `window name(parameters)`. Only what is declared can be opened, used by a menu (`choose by p"
        " with name(…):`) or reacted to.",
        bad="definitions: |\n  window hit(p: Player)\n" + play("open hits(players.first) to players"),
        good="definitions: |\n  window hit(p: Player)\n" + play("open hit(players.first) to players"),
    ),
    Entry(
        "N014", "reserved name", "`{name}` has a meaning of its own",
        "A few words would be read as something else where the name is used. Nothing is called `none`, `true`, `false` or `not`; nothing declared"
        " is called `players` or like a type that every ruleset has; no type is called `list`, `set`, `bag` or `zone`. State, a `var` and a"
        " definition without a result stand at the beginning of lines, so that no word that begins a statement can be their name: `draw = 3` would"
        " be read as drawing. State or a parameter that holds a direction is not called like one: `c.step(left)` would go left, whatever it holds."
        " Everything else may be called as the game calls it: a zone `draw`, a value `pass`.",
        bad="zones:\n  players: {holds: Card}\ncomponents:\n  Card: {count: 3}\n",
        good="components:\n  Card: {count: 3}\nzones:\n  seats: {holds: Card, start: all}\n" + play('announce "{seats.size}"'),
        help="choose another name",
    ),
    Entry(
        "N015", "definition on a component", "a {kind} cannot stand among the powers of a component",
        "Powers hold hooks: `instead of`, `before`, `after`, `adjust`, `in window`. They are live while the component is; a definition or a watcher"
        " holds for the whole game and stands under `definitions`, where the hook can call it.",
        bad=_CHARM + "    powers:\n      rat: |\n        def worth() -> int: return 3\n",
        good=_CHARM + "definitions: |\n  def worth() -> int: return 3\n" + play('announce "{worth()}"'),
        help="put it under `definitions`",
    ),
    Entry(
        "N016", "nothing to replace", "the base has no {what} to replace",
        "A variant replaces definitions of its base by name, hooks and watchers by what they listen to."
        " Replacing something that does not exist would do nothing and look as if it did.",
        bad="croupier: 1\nextends: base.yaml\ndefinitions: |\n  replace def pirce() -> int: return 4\n",
        good="croupier: 1\nextends: base.yaml\ndefinitions: |\n  replace def price() -> int: return 4\n",
    ),
    Entry(
        "N017", "definition exists", "the base already has a definition `{name}`",
        "A variant may add definitions and replace those of its base. One that means to replace says so, so that nothing is replaced by accident.",
        bad="croupier: 1\nextends: base.yaml\ndefinitions: |\n  def price() -> int: return 4\n",
        good="croupier: 1\nextends: base.yaml\ndefinitions: |\n  replace def price() -> int: return 4\n",
        help="write `replace def {name}`",
    ),
    Entry(
        "N018", "hook on nothing", "there is no {kind} called `{name}` to hook",
        "`instead of`, `before`, `after` and `adjust` listen to a definition, `in …` to a window. A hook on a name that does not exist would never"
        " happen.",
        bad=_GAIN + "  after gian(_, _): announce \"more\"\n" + play("gain(players.first, 2)"),
        good=_GAIN + "  after gain(_, _): announce \"more\"\n" + play("gain(players.first, 2)"),
    ),
    Entry(
        "N019", "replace in a base", "`replace` belongs into a variant: there is nothing to replace here",
        "Only a variant (`extends: …`) replaces definitions, those of its base. In a ruleset that stands on its own each definition exists once.",
        bad="definitions: |\n  replace def price() -> int: return 4\n" + play('announce "{price()}"'),
        good="definitions: |\n  def price() -> int: return 4\n" + play('announce "{price()}"'),
        help="leave out `replace`",
    ),
    Entry(
        "N022", "several to replace", "the base has several of `{what}`",
        "A hook or a watcher has no name. `replace` before it takes the place of the only one that listens to the same, or of the one whose head"
        " (what stands before the colon) is the same. Here there are several, and none or more than one has this head.",
        bad="croupier: 1\nextends: hooked.yaml\ndefinitions: |\n  replace after gain(p, n): announce \"more\"\n",
        good="croupier: 1\nextends: hooked.yaml\ndefinitions: |\n  replace after gain(p, n) if n > 2: announce \"{p} gains {n}\"\n",
        help="write the same head as in the base",
    ),
    Entry(
        "N021", "argument twice", "`{name}` is given twice",
        "An argument is given by its place or by its name, not both. The first arguments belong to the first parameters, in their order.",
        bad=_GAIN + play("gain(players.first, p = players.last, n = 2)"), good=_GAIN + play("gain(players.first, n = 2)"),
        help="leave out one of the two",
    ),
    Entry(
        "N020", "empty range of rules", "`{name}` names no rules",
        "A range of rule ids runs from the smaller number to the larger, within one prefix: `@WB-17..20`. It may hold at most 500 ids.",
        bad=play("pass  @AB-3..1"), good=play("pass  @AB-1..3"),
        help="write the smaller number first",
    ),
)
