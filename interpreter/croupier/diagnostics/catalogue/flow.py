"""Codes F: statements in the wrong place, ends that are missing."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import SIDES, Entry, play

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "F001", "unreachable", "this is never reached",
        "The statement above surely leaves the block (`return`, `finish`, `break`, `continue`, or a condition or a menu whose ways all do), so"
        " nothing below it in the same block ever happens. Either it stands in the wrong place, or it is left over.",
        bad=play('finish draw\nannounce "over"'), good=play('announce "over"\nfinish draw'),
        severity="warning", help="move it up, or remove it",
    ),
    Entry(
        "F002", "no effect", "this statement does nothing",
        "A statement acts: it moves, asks, assigns, calls a definition. An expression alone is worked out and thrown away, which is never meant."
        " Perhaps something stands before it that is missing here: `let x =`, `announce`, a call.",
        bad=play("players.reversed"), good=play('announce "{players.reversed}"'),
    ),
    Entry(
        "F003", "outside a loop", "`{word}` stands in no loop",
        "`break` ends the innermost `for` or `repeat` around it, `continue` goes on with its next round. Outside a loop, `return` leaves a definition"
        " or a phase.",
        bad=play("if players.size == 2: break"), good=play("for p in players:\n    if p.seat == 2: break"),
    ),
    Entry(
        "F004", "case twice", "this case was already covered",
        "The first case that fits is taken, so a second one for the same value would never be."
        " Most often one of the two was meant to name another value.",
        bad=SIDES + play("match side:\n    case left: side = right\n    case left, right: side = left"),
        good=SIDES + play("match side:\n    case left: side = right\n    case right: side = left"),
        help="leave it out",
    ),
    Entry(
        "F005", "cases missing", "not covered: {missing}",
        "Every value of the type needs a case, or there is an `else` for the rest. So a value that is added to the type later is not forgotten.",
        bad=SIDES + play("match side:\n    case left: side = right"),
        good=SIDES + play("match side:\n    case left: side = right\n    case right: pass"),
        help="add a case for each, or `else:`",
    ),
    Entry(
        "F006", "nobody chooses", "it is not said who makes this choice",
        "A choice is made by one player (`by p`), by several at the same time (`by every p in ps`), or by chance (`by chance`). Nothing is assumed.",
        bad=play('choose n from 1..6\nannounce "{n}"'), good=play('choose n from 1..6 by chance\nannounce "{n}"'),
        help="add `by …`",
    ),
    Entry(
        "F007", "no claims", "the ruleset declares no claims",
        "`claim by p` lets a player make one of the claims that the ruleset declares under `claims`. There are none, so there would be nothing to"
        " say.",
        bad=play("claim by players.first"),
        good="claims:\n  ready: {says: I am ready}\n" + play("claim by players.first"),
        help="declare what can be said under `claims`",
    ),
    Entry(
        "F008", "no result on some way", "`{name}` can end without a result of type `{returns}`",
        "A definition that promises a result gives one on every way through it. Here its last statement can be passed without `return`: a condition"
        " without `else`, a loop that ends, a menu with an option that goes on, a choice that may be declined without `else`.",
        bad="definitions: |\n  def sign(n: int) -> int:\n      if n < 0: return -1\n" + play('announce "{sign(3)}"'),
        good="definitions: |\n  def sign(n: int) -> int:\n      if n < 0: return -1\n      return 1\n" + play('announce "{sign(3)}"'),
        help="end with `return …`",
    ),
    Entry(
        "F009", "nothing to adjust", "`{name}` gives no result to adjust",
        "`adjust name(…) as x` changes what a definition gives back, so it needs a definition with a type after `->`. To do something besides, use"
        " `before` or `after`.",
        bad="definitions: |\n  def greet(): announce \"hello\"\n  adjust greet() as x: return x\n" + play("greet()"),
        good="definitions: |\n  def worth() -> int: return 3\n  adjust worth() as x: return x + 1\n" + play('announce "{worth()}"'),
    ),
    Entry(
        "F010", "end that does not end", "`end when` must end the game",
        "The block of an `end when` runs as soon as its condition holds, in the middle of whatever happens, and ends the game there: its last"
        " statement is `finish`. To do something without ending the game, use `watch`.",
        bad=SIDES + "definitions: |\n  end when side == right:\n      announce \"over\"\n" + play("side = right"),
        good=SIDES + "definitions: |\n  end when side == right:\n      finish draw\n" + play("side = right"),
        help="end with `finish …`",
    ),
    Entry(
        "F011", "watcher that waits", "a watcher cannot ask, draw or roll",
        "Watchers (`watch`, `end when`) run in the middle of other rules, each time something they look at changes, and must be done at once. A"
        " decision or chance there would interrupt rules that know nothing of it. Let the watcher set a state, and act on that in a phase.",
        bad=SIDES + "definitions: |\n  watch side:\n      choose n from 1..2 by players.first\n      announce \"{n}\"\n" + play("side = right"),
        good=SIDES + "definitions: |\n  watch side: announce \"{side}\"\n" + play("side = right"),
    ),
    Entry(
        "F012", "circle", "these call each other in a circle: {circle}",
        "Definitions that call each other in a circle may never come to an end. Where a rule really happens inside itself (a gain that causes a"
        " gain), one of them says how deep that may go: `def gain(…) nested 4:`. Hooks and reactions in windows count as calls.",
        bad="definitions: |\n  def even(n: 0..9) -> bool: return true if n == 0 else odd(n - 1)\n"
        "  def odd(n: 0..9) -> bool: return false if n == 0 else even(n - 1)\n" + play('announce "{even(4)}"'),
        good="definitions: |\n  def even(n: 0..9) -> bool nested 10: return true if n == 0 else odd(n - 1)\n"
        "  def odd(n: 0..9) -> bool: return false if n == 0 else even(n - 1)\n" + play('announce "{even(4)}"'),
        help="bound one of them with `nested n`, or count in a loop",
    ),
    Entry(
        "F013", "scoring without result", "scoring can end without a result",
        "The section `scoring` says what the game comes to: every way through it ends with `finish`,"
        " every option of a menu too."
        " If the game can end without a result, the winner is known to nobody.",
        bad="scoring: |\n  announce \"over\"\n", good="scoring: |\n  finish rank {p: p.seat for p in players}\n",
        help="end with `finish …`",
    ),
    Entry(
        "F014", "look-ahead that cannot look", "this look-ahead reaches {what}",
        "`so that` tries its block on copies of the game, to offer only what can still end well. Chance cannot be tried, and neither can the"
        " decisions of other players. The check follows calls, hooks and windows.",
        bad=SIDES + play("so that side == right:\n    choose n from 1..2 by chance\n    if n == 2: side = right"),
        good=SIDES + play("so that side == right:\n    choose n from 1..2 by players.first\n    if n == 2: side = right"),
        help="keep it out of the block, or make it happen after the block",
    ),
    Entry(
        "F015", "reaction without words", "this reaction needs words: nobody could choose it",
        "A reaction is offered in words. Those of a component are called like the component unless they say otherwise; one that stands among the"
        " definitions says what it is called with `as`.",
        bad="definitions: |\n  window start(p: Player)\n  in start(p) if p == owner: announce \"{p} is ready\"\n"
        + play("open start(players.first) to players"),
        good="definitions: |\n  window start(p: Player)\n  in start(p) if p == owner as \"be ready\": announce \"{p} is ready\"\n"
        + play("open start(players.first) to players"),
        help="add `as \"…\"`",
    ),
)
