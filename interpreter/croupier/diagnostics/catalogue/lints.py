"""Codes L: certainly useless, certainly wrong, though every type fits."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry, play

_ZONES = (
    "types:\n  Colour: [red, blue]\ncomponents:\n  Card:\n    attributes: {colour: Colour}\n    each: [colour]\n    copies: 5\n"
    "zones:\n  deck: {holds: Card, order: pile, start: all}\n  hand: {holds: Card, per: Player%s}\n  out: {holds: Card, seen_by: everybody}\n"
)
_LEAD = play(
    "shuffle deck\nfor p in players: draw 2 from deck to hand[p]\n"
    "for p in players:\n    choose c from hand[p] by p where c.colour == red or hand[p].size > 1\n    move c to out"
)

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
        severity="warning", help="leave the loop with `break`, or remove the phase",
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
        "L030", "choice by what nobody sees", "players choose from `{zone}`, but nobody can see what is in it",
        "What a player may choose depends here on components that are declared (or left) to be seen by nobody, and nothing in the rules ever shows"
        " them. The player would have to choose among hidden things by what they are. Most often `seen_by` was forgotten; where a player looks"
        " through a hidden pile, the rules say so with `show … to p`.",
        bad=_ZONES % "" + _LEAD, good=_ZONES % ", seen_by: owner" + _LEAD,
        severity="warning", help="declare who sees it: `seen_by: owner`, or `show` it before",
    ),
)
