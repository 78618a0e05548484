"""Codes L: certainly useless, certainly wrong, though every type fits."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry, play

_ZONES = (
    "types:\n  Colour: [red, blue]\ncomponents:\n  Card:\n    attributes: {colour: Colour}\n    each: [colour]\n    copies: 5\n"
    "zones:\n  deck: {holds: Card, order: pile, start: all}\n  hand: {holds: Card, per: Player%s}\n  out: {holds: Card, seen_by: everybody}\n"
)
_DEAL = "shuffle deck\nfor p in players: draw 2 from deck to hand[p]\n"
_OWN = play(_DEAL + "for p in players:\n    choose c from hand[p] by p\n    move c to out")
_HIGHER = play(
    _DEAL + "for p in players:\n    choose c from hand[p] by p where any(d.colour == c.colour for d in hand[next(p)])%s\n    else: break\n"
    "    move c to out"
)

_GAIN = (
    "state:\n  score: 0..99 per Player = 0 seen by everybody\ndefinitions: |\n  def gain(p: Player, n: 0..9): score[p] += n\n"
)
_CARD = (
    "components:\n  Card:\n    ids: [lucky]\n    powers: |\n      after gain(p, _): announce \"{p} is lucky\"\n"
    "zones:\n  table: {holds: Card, start: all%s}\n"
)
_POWER = _GAIN + play("gain(players.first, 2)\nfinish draw")

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "L001", "never used", "{kind} `{name}` is never used",
        "Nothing in the ruleset names it, so the game would be the same without it. Most often a rule that should use it was forgotten, or uses"
        " something else by mistake.",
        bad="parameters:\n  rounds: {type: 1..9, default: 3}\n", good="parameters:\n  rounds: {type: 1..9, default: 3}\n"
        + play("for n in 1..rounds:\n    announce \"round {n}\""),
        severity="warning", help="use it or remove it",
    ),
    Entry(
        "L002", "state that is never read", "state `{name}` is set, but never read, and nobody sees it",
        "State is there to be looked at, by rules or by players. This one is given values, but no condition, choice, text or result depends"
        " on it, and"
        " it is declared (or left) to be seen by nobody.",
        bad="state:\n  passes: 0..99 = 0\n" + play("passes += 1"),
        good="state:\n  passes: 0..99 = 0 seen by everybody\n" + play("passes += 1"),
        severity="warning", help="read it, show it (`seen by everybody`) or remove it",
    ),
    Entry(
        "L003", "local that is never read", "`{name}` is never read",
        "The value is worked out and given a name, and the name is not used. An expression has no effect of its own, so the line can go.",
        bad=play("let n = players.size\nannounce \"begin\""), good=play("let n = players.size\nannounce \"begin with {n}\""),
        severity="warning", help="use it or remove it",
    ),
    Entry(
        "L010", "phase that is never reached", "phase `{name}` is never reached",
        "The phase before it never comes to its end: every way through it ends the game, or it is a loop without end (`repeat`, `for p in turns()`)"
        " that nothing leaves with `break`. What comes after it never happens, scoring included.",
        bad="phases:\n  play: |\n    for p in turns():\n        choose n from 1..6 by p\n        if n == 6: finish win p\n  score: |\n"
        "    announce \"over\"\n",
        good="phases:\n  play: |\n    for p in turns():\n        choose n from 1..6 by p\n        if n == 6: break\n  score: |\n"
        "    announce \"over\"\n",
        severity="warning", help="remove it, or let what stands before it come to its end: `finish` ends the game, and `break` leaves a loop",
    ),
    Entry(
        "L011", "rule that is never reached", "{kind} `{name}` is never {verb}",
        "It is named somewhere, but only in rules that no game ever comes to: in definitions that nobody calls, or by hooks that wait for it. So"
        " what it says never happens, and what hangs on it neither.",
        bad=_GAIN + "  after gain(_, _): announce \"more\"\n" + play("finish draw"),
        good=_GAIN + "  after gain(_, _): announce \"more\"\n" + play("gain(players.first, 2)\nfinish draw"),
        severity="warning", help="let a phase lead to it, or remove it",
    ),
    Entry(
        "L012", "game that cannot end", "nothing ends this game",
        "No `finish` stands in the phases, in scoring, in what they call or in the hooks and watchers that may act. Every game would come to the end"
        " of its phases without a result, and be stuck there.",
        bad=play('announce "when shall we finish?"'), good=play('announce "now"\nfinish draw'),
        severity="warning", help="end it with `finish …`, in a phase or in `scoring`",
    ),
    Entry(
        "L013", "loop that nothing leaves", "nothing leaves this loop",
        "The loop has no end of its own (`repeat:`, `for p in turns():`), and there is no `break`, `return` or `finish` in it, in what it calls, or"
        " in a hook or watcher. The game goes on until the machine stops it, without a result.",
        bad=play("if players.size == 2:\n    repeat:\n        choose n from 1..6 by players.first\n        announce \"{n}\"\nfinish draw"),
        good=play("repeat:\n    choose n from 1..6 by players.first\n    if n == 6: break\nfinish draw"),
        severity="warning", help="leave it with `break`, or end the game in it with `finish`",
    ),
    Entry(
        "L014", "loop that waits in vain", "nothing ever changes this",
        "The loop ends when this holds. It depends on state alone, and no rule gives that state another value, so the loop ends after the first time"
        " or never.",
        bad="state:\n  rounds: 0..9 = 0 seen by everybody\n" + play("repeat until rounds == 3:\n    announce \"a round\"\nfinish draw"),
        good="state:\n  rounds: 0..9 = 0 seen by everybody\n" + play("repeat until rounds == 3:\n    rounds += 1\nfinish draw"),
        severity="warning", help="change it in the loop",
    ),
    Entry(
        "L020", "choice without options", "this choice never has an option: there is {why}",
        "A decision needs something to decide. What is offered here is empty, or too little, in every position of every game, so the choice would"
        " always be skipped (with `else`) or stop the game.",
        bad=play('choose n from 6..1 by players.first\nannounce "{n}"'), good=play('choose n from 1..6 by players.first\nannounce "{n}"'),
        severity="warning",
    ),
    Entry(
        "L021", "condition that never changes", "this condition is always {value}",
        "The bounds of the numbers in it show that it has the same result in every position: a number is compared with one that it can"
        " never reach, or"
        " always passes. So one side of it never happens. A condition that is simply written `true` or `false` is meant so and not reported.",
        bad=play("if players.size > 4: announce \"a full table\""), good=play("if players.size == 4: announce \"a full table\""),
        severity="warning",
    ),
    Entry(
        "L022", "watching what never changes", "this never changes during a game",
        "A watcher acts when what it watches changes: state, the contents of zones, changeable attributes. What stands here depends on none of these,"
        " so it has one value from beginning to end.",
        bad="definitions: |\n  end when players.size == 3: finish draw\n",
        good="state:\n  round: 0..9 = 0 seen by everybody\ndefinitions: |\n  end when round == 9: finish draw\n" + play("repeat: round += 1"),
        severity="warning",
    ),
    Entry(
        "L023", "choice without options for a parameter", "with {setting} there is nothing to choose here",
        "The bounds of what is offered come from a parameter, and for a value that its type allows the lower bound lies above the upper one. A game"
        " with that value would stop here.",
        bad="parameters:\n  most: {type: 0..5, default: 3}\n" + play('choose n from 1..most by players.first\nannounce "{n}"\nfinish draw'),
        good="parameters:\n  most: {type: 1..5, default: 3}\n" + play('choose n from 1..most by players.first\nannounce "{n}"\nfinish draw'),
        severity="warning", help="narrow the type of the parameter, or write `else:`",
    ),
    Entry(
        "L024", "option that can never be chosen", "this option can never be chosen",
        "Its condition is false in every position, by the bounds of the numbers and the values in it, or there is nothing that it could be offered"
        " for.",
        bad=play('choose by players.first:\n    option "one" if players.size > 4: finish draw\n    option "two": finish win players.first'),
        good=play('choose by players.first:\n    option "one" if players.size > 3: finish draw\n    option "two": finish win players.first'),
        severity="warning", help="correct the condition, or remove the option",
    ),
    Entry(
        "L025", "effect that cannot trigger", "{what} can never happen: {why}",
        "The powers of a component are in force where it lies: in zones that are `live`, or everywhere if it says `live: anywhere`. If it never lies"
        " in such a zone, or if the condition of its power is always false, the power is idle.",
        bad=_CARD % "" + _POWER, good=_CARD % ", live: true" + _POWER,
        severity="warning", help="make a zone live that it lies in (`live: true`), or the component (`live: anywhere`)",
    ),
    Entry(
        "L026", "too many sets for chance", "chance would have to weigh {sets} sets ({chosen}): too many",
        "A set that chance chooses is one of all sets that there are, every one alike, and they are gone through one by one; beyond a limit the game"
        " stops with a fault (R016). How many lie in a zone is taken to be as many as there are components for it, or as its `capacity` allows."
        " Chosen one after another, every set is as likely, too.",
        bad="components:\n  Card: {attributes: {n: 1..25}, each: [n]}\nzones:\n  deck: {holds: Card, start: all, seen_by: everybody}\n"
        "  row: {holds: Card, seen_by: everybody}\n" + play("choose 10 cs from deck by chance\nmove cs to row"),
        good="components:\n  Card: {attributes: {n: 1..25}, each: [n]}\nzones:\n  deck: {holds: Card, start: all, seen_by: everybody}\n"
        "  row: {holds: Card, seen_by: everybody}\n" + play("for i in 1..10:\n    choose c from deck by chance\n    move c to row"),
        help="let chance choose one after another: `for i in 1..…:` with `choose {item} from {source} by chance` and what happens to it;"
        " from a pile or bag, `draw`",
    ),
    Entry(
        "L030", "leak", "{how} {what}, which the one who chooses may not see",
        "Whoever is offered a choice sees what is offered and what is not. If that depends on something hidden, the offer gives it away, and a"
        " player at the table could not know what is allowed. The words of an option show him all that they name."
        " Usually `seen_by` was forgotten, or somebody else's things were named by mistake."
        " What was shown or told to the chooser counts where a statement above, in the same block or one around it, names all of it and nothing"
        " has changed it since; what only an owner sees has to be the chooser's own by its name. Where it is meant - a referee sorts out what is"
        " possible, everybody could have counted it, it is his though its name does not show it - the decision says so with `leaks` and the reason:"
        " `choose … by p leaks \"everybody may count the discards\"`. Merely choosing from a hidden zone is no leak: to be offered a"
        " component is to be shown it.",
        bad=_ZONES % ", seen_by: owner" + _HIGHER % "", good=_ZONES % ", seen_by: owner" + _HIGHER % ' leaks "nobody has to say whose card it is"',
        help="declare who sees it, `show` it before, or say why this is meant: `leaks \"…\"`",
    ),
    Entry(
        "L031", "leaks without a leak", "nothing leaks here",
        "`leaks` excuses a decision that depends on what its chooser may not see. This one does not, or not any more, so the excuse only hides a"
        " later mistake.",
        bad=play('choose n from 1..6 by players.first leaks "no reason"\nannounce "{n}"'),
        good=play('choose n from 1..6 by players.first\nannounce "{n}"'),
        severity="warning", help="leave out `leaks …`",
    ),
    Entry(
        "L032", "hand that its owner does not see", "players choose from their own `{zone}`, but {who} can see what is in it",
        "The components are somebody's own, and he chooses among them, but they are declared (or left) to be seen by nobody, or by the others only,"
        " and nothing in the rules ever shows them. To be offered a component is to be shown it, by its name. Most often `seen_by: owner` was"
        " forgotten. Where a player takes one without looking, let him choose a number, the place it lies at.",
        bad=_ZONES % "" + _OWN, good=_ZONES % ", seen_by: owner" + _OWN,
        severity="warning", help="declare who sees it: `seen_by: owner`, `show` it before, or let them choose a number, the place it lies at",
    ),
    Entry(
        "L033", "shown or told outside of secretly", "`{word}` reaches nobody outside of this `secretly`",
        "What happens in a `secretly` is perceived by its players alone, and so is what is shown and told in its block. Here it is addressed to"
        " somebody who may be none of them: he would learn nothing. Outside of the block `show` and `tell` reach those who are"
        " addressed and nobody else either, so that the statement can simply stand behind it.",
        bad=_ZONES % ", seen_by: owner"
        + play(_DEAL + "let p = players.first\nsecretly p:\n    show hand[p] to next(p)\nmove hand[p] to out\nfinish draw"),
        good=_ZONES % ", seen_by: owner" + play(_DEAL + "let p = players.first\nshow hand[p] to next(p)\nmove hand[p] to out\nfinish draw"),
        severity="warning",
        help="put it behind the block, where only those who are addressed learn of it, too; or let the block be theirs: `secretly [p, q]:`",
    ),
    Entry(
        "L040", "rule text without a citation", "no rule is cited in {what}",
        "The ruleset names a rule list, so that readers and tests can tell which rule stands where. This text cites none of them: either it is a rule"
        " of its own, or the citation was forgotten. One citation in the text, or a `cites:` on its declaration, is enough.",
        bad="rule_list: rules.csv\n" + play("finish draw"), good="rule_list: rules.csv\n" + play("finish draw    @AB-1"),
        severity="warning", help="cite the rule that it states at the end of a line: `@` and its id in the rule list",
    ),
    Entry(
        "L050", "not for the native back end", "the native back end does not compile {what}",
        "The rules are right, and `reference` and `python` play them. Many games take far longer than they could, because the native back end"
        " refuses the whole ruleset. `croupier explain X601` lists all that it does not compile.",
        bad="components:\n  Token: {ids: [sun, moon]}\nzones:\n  deck: {holds: Token, order: pile, start: all, seen_by: everybody}\n"
        + play("finish win players.first if deck.top! == \"sun\" else players.last"),
        good="components:\n  Token: {ids: [sun, moon]}\nzones:\n  deck: {holds: Token, order: pile, start: all, seen_by: everybody}\n"
        + play("finish win players.first if deck.top! == sun else players.last"),
        severity="warning", help="write it in another way if speed matters: name a component by its id, or ask for its attributes",
    ),
)
