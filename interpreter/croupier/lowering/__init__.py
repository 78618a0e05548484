"""Lowering: the typed tree of a game that is set up, as the core.

What comes in is a `Game`: the checked program, with players, parameters, boards and components known. What goes out is a `Program` of the core and
what is needed to read its positions. Each construct of the language is expanded here, once, for every back end. Since the set-up is known, what
depends on it is a constant or a table, and the builder folds it.

A *source is a loop*: `walk` turns the players in order, the components of a zone or a comprehension into loops around a body; a list is made only
where a value must live. *One way to wait*: whatever asks somebody puts offers down and waits; what was chosen is worked out from the number.
*Frame maps* say at each wait where the evaluator's locals lie, so that positions can be compared step by step.

    program.py      a whole game                              texts.py        texts as values
    costs.py        what rules cost in fuel
    context.py      what all of them work with: functions, values, slots
    shapes.py       how values lie in words                   positions.py    frame maps
    operands.py     the table of expressions                  expressions.py  conditions, optionals, what is held
    numbers.py      arithmetic                                compare.py      equality and order of values
    sources.py      walking                                   aggregates.py   what is walked with an accumulator
    lists.py        lists and maps as values
    zones.py        zones                                     boards.py       boards
    statements.py   the table of statements, control          writing.py      targets
    procedures.py   definitions as functions                  calls.py        calls of them
    hooks.py        hooks around calls
    choices.py      choices of one thing; candidates.py what may be chosen, merging.py what is one option; sets.py several things; menus.py
    simultaneous.py everybody at once                         chance.py       draws and rolls
    windows.py      windows and reactions                     claims.py       claims
    watchers.py     watchers, invariants                      lookahead.py    what is tried before it is done, or supposed
    results.py      how a game ends
    prelude.py      moving, shuffling, swapping
"""

from croupier.lowering.program import Lowered, lower
from croupier.lowering.shapes import NotLowered

__all__ = ["Lowered", "NotLowered", "lower"]
