"""Lowering: from the typed tree of a game with a given set-up to the core.

A `Game` comes in: the checked program with players, parameters, boards and components. A `CoreProgram` goes
out, with what is needed to decode its positions. Each construct of the language is lowered once, for all back
ends. Whatever depends on the set-up alone is a constant or a table, and the builder folds it.

Three decisions. *A source is a loop*: `walk` turns the players, the components of a zone or a comprehension
into loops around a body; a list is only built where a value must be stored. *There is one way to wait*: each
decision is an ask, which offers actions and waits; what was chosen is decoded from the action. *Frame maps*
say at each wait where the evaluator's locals are stored, so that positions can be compared after each step.

The whole:

    program.py      memory, zones and all functions of a game
    context.py      the state of one lowering: core program, current function, slots
    costs.py        upper bounds of the fuel that rules take

Values:

    shapes.py       layout of values in words
    positions.py    frame maps
    operands.py     the table of expressions
    expressions.py  conditions, optionals, state, attributes
    numbers.py      arithmetic
    compare.py      equality and order of values
    sources.py      loops over sources
    aggregates.py   comprehensions and aggregates
    lists.py        lists and maps
    texts.py        texts
    zones.py        zones
    boards.py       boards
    grades.py       the words of an end

Statements:

    statements.py  the table of statements, control flow
    assignment.py  assignment
    procedures.py  definitions as functions
    calls.py       calls
    hooks.py       hooks around calls; reactions of windows
    watchers.py    watchers, invariants
    results.py     how a game ends
    telling.py     what is told to a seat, as a number
    probes.py      functions for what is watched
    progress.py    phases of games that are watched
    prelude.py     functions of every game: move, shuffle, swap
    lookahead.py   `so that` and `suppose`

Decisions:

    asks.py        of a seat, of several seats at once, of chance; windows
    candidates.py  sources and sets: what may be chosen, which of it is one option, and its actions
"""

from croupier.lowering.program import Lowered, lower
from croupier.lowering.shapes import NotLowered

__all__ = ["Lowered", "NotLowered", "lower"]
