"""Codes K: scenarios that are wrong, fail or check nothing.

K0xx  a scenario that is wrong        K1xx  a scenario that fails
"""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

_POSITION = "A declared position names what lies where and what state holds; the rest is as at the start of the game."
_STEPS = "A scenario plays its steps one after another. Decisions that leave no choice may be left out."
_VALUES = "What a scenario declares and expects is written as in a ruleset: words for what has a name, seats by their names or numbers from 1."

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "K001", "checks nothing", "scenario `{id}` checks nothing",
        "A scenario without a check passes whatever the rules say. A refused action is a check, too.",
        bad="do:\n  - Anna: yellow-2\n", good="do:\n  - Anna: yellow-2\nthen:\n  - leader == Anna\n",
        help="say under `then` what must be true",
    ),
    Entry(
        "K002", "id given twice", "there is another scenario `{id}`",
        "Scenarios are told apart by their ids, within all scenario files of a ruleset.",
        help="give it another id",
    ),
    Entry(
        "K003", "unknown rule", "`{name}` is not in the ruleset's rule list",
        "A scenario cites the rules that it checks by their ids in the ruleset's `rule_list`.",
    ),
    Entry(
        "K004", "too many rules", "scenario `{id}` cites {count} rules, more than {limit}",
        "A scenario that checks everything shows nothing when it fails. Examples from a rulebook may cite more: their ids begin with `EX-`, or they"
        " say `example: true`.",
        help="split it, or mark it with `example: true` if it is an example of the rulebook",
    ),
    Entry(
        "K005", "no ruleset", "no ruleset lies beside this file",
        "A scenario file stands in the folder `scenarios` of a ruleset, or names its ruleset with `ruleset:`.",
        good="croupier: 1\nruleset: name_of_the_game\nscenarios: []\n", help="add `ruleset: NAME`",
    ),
    Entry(
        "K006", "not a step", "this is not one step",
        "A step is a seat with its choice, or one of `chance`, `all`, `refused`, `forced` and `expect`; every step is an entry of the list.",
        bad="do:\n  - Anna: yellow-2\n    Brian: red-3\n", good="do:\n  - Anna: yellow-2\n  - Brian: red-3\n",
        help="write one seat and its choice in each entry; seats that choose at the same time stand under `all:`",
    ),
    Entry(
        "K007", "seat name", "a seat cannot be called `{name}`: {reason}",
        "The names of seats are used in steps and facts, so they must not mean anything else there.",
        help="use another name",
    ),
    Entry(
        "K008", "unknown seat", "there is no seat `{name}`",
        "Seats are named in `players`, or are `P1`, `P2` and so on; their numbers from 1 may be used, too.",
    ),
    Entry("K009", "players", "`players` is a number, or a list of names in the order of play", _VALUES, good="players: [Anna, Brian]\n"),
    Entry("K010", "unknown phase", "there is no phase `{name}`", "A declared position stands before one of the ruleset's phases."),
    Entry(
        "K011", "loop variable", "the phase `{phase}` is repeated for `{name}`, {problem}",
        "A phase inside a `for:` is called with the loop's variable, so a position before it says which value that has.",
        help="add `with: {{{name}: …}}`",
    ),
    Entry("K012", "unknown zone", "there is no zone `{name}`", _POSITION),
    Entry("K013", "unknown component", "there is no component called `{name}`", _POSITION),
    Entry("K014", "component twice", "`{name}` lies somewhere already{all}", _POSITION + " A component lies in one place."),
    Entry("K015", "cannot lie there", "`{zone}` cannot hold this: {reason}", _POSITION),
    Entry(
        "K016", "where the rest lies", "{count} not named would lie in `{zone}`, which is listed",
        "What no zone names stays where the game's set-up puts it. If that zone is listed too, it is unclear whether the list is all of it.",
        help="say with `rest: …` where the others lie; in `{zone}` itself they lie under those that are listed",
    ),
    Entry("K017", "wrong value", "`{value}` is no {wanted}", _VALUES),
    Entry("K018", "unknown name", "there is no {kind} `{name}`", _VALUES),
    Entry(
        "K020", "no earlier scenario", "there is no scenario `{id}` before this one in the file",
        "`after` begins where another scenario of the same file has ended; it has to stand before.",
    ),
    Entry("K021", "not a declared position", "`{key}` belongs to a declared position", _POSITION, help="add `at: PHASE`, or `call: DEFINITION(…)`"),
    Entry(
        "K023", "not a fact", "a fact is true or false, this is {type}", "A fact is a condition in the rule language.",
        bad="then:\n  - leader\n", good="then:\n  - leader == Anna\n",
    ),
    Entry("K024", "not a check", "{what}", "Checks are written in a few forms only, so that nothing is checked by accident."),
    Entry(
        "K025", "no game to check", "`{key}` has no game: it is refused",
        "The scenario says that the game cannot be set up (`outcome: {status: refused}`). Then nothing happens and nothing but the reason can be"
        " checked.",
    ),
    Entry("K101", "step not possible", "{who} cannot do this here: {reason}", _STEPS),
    Entry("K102", "not to act", "{who} is not to act here: {reason}", _STEPS),
    Entry("K103", "game is over", "the game is over before this step: {reason}", _STEPS),
    Entry("K104", "not refused", "{who} may do this, it is not refused", "The scenario says that the rules forbid this action here."),
    Entry(
        "K105", "refused but unknown", "nothing that could be chosen here reads `{text}`",
        "An action that is misspelt is refused for the wrong reason, so a refused action has to read like an option of the decision, whether or"
        " not that is offered: a value of what is chosen (any number, any component), or the fixed words of a label or of an option of a menu with"
        " other values in it: `bid: 99`, `(4,3) to (5,2)`, `keep a 6`. Of a seat that is not to act it may be any component, cell or value.",
    ),
    Entry("K106", "refused for another reason", "this is refused, but not because {because}", "`because` gives the words of a named condition."),
    Entry("K107", "fault", "the rules fault here: {reason}", "A fault ends the game; the scenario does not expect one."),
    Entry(
        "K108", "invariant", "invariant `{name}` does not hold {when}",
        "The invariants of the ruleset are checked at the beginning of a scenario and after every decision and chance event of it.",
    ),
    Entry("K111", "fact does not hold", "this does not hold", "The scenario says that this is true."),
    Entry("K112", "zone differs", "`{zone}` holds something else", "The scenario says what lies in the zone, bottom to top."),
    Entry("K113", "state differs", "`{name}` is {found}, not {wanted}", "The scenario says what the value is."),
    Entry("K114", "legal actions differ", "the legal actions of {who} differ", "The scenario says which actions are legal."),
    Entry("K115", "other seats act", "{found} to act, not {wanted}", "The scenario says who is to act."),
    Entry("K116", "does not see", "{who} does not see this: {reason}", "The scenario says what a seat sees of the position."),
    Entry("K117", "sees what is hidden", "{who} sees `{name}`", "The scenario says that a seat does not see this."),
    Entry("K118", "event missing", "no event reads `{text}`{place}", "The scenario says that these events happen, in this order."),
    Entry("K119", "event not wanted", "an event reads `{text}`", "The scenario says that no such event happens."),
    Entry("K120", "outcome differs", "the {what} is {found}, not {wanted}", "The scenario says how the game stands."),
)
