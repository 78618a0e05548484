"""Information flow: what the options of decisions depend on, and whether whoever decides may know that.

In comes a checked program, out come its decisions, each with the policies of what its options and their words
were worked out from. The lint about leaks compares these with what the chooser may know.

The method is that of Denning (1976; with Denning, 1977) and of Volpano, Smith and Irvine (1996),
flow-sensitive as in Hunt and Sands (2006): an abstract store gives every local a label at every point of a
procedure; conditions raise the label of the program counter; where paths meet, what was given other values on
them takes the label of what decided between them, the *gate*. `break`, `continue` and `return` keep the
program counter raised until the construct is left that they leave. Loops are fixed points. Labels are sets of
policies in the sense of the decentralised label model (Myers and Liskov 1997): a source and its readers;
`show`, `tell`, public choices, moves to where somebody sees them, and writes to what everybody sees
declassify. They declassify a value with all that was worked out from it, earlier or later: a policy keeps the
numbers of the values that it came through. Whether the same player is meant is a question of values, not of
names: values have numbers, and equal numbers are equal values; what a zone holds has another number after
each change. Definitions have summaries with symbols for what they are given.

Noninterference, here: two games in which a player has the same information state, remembers the same
decisions of their own, and stands at the same decision offer the same options. It holds but for faults and
ends of the game (termination-insensitive), for whether there is a decision at all, and for what words are
given; information.md, section 6, says so to authors.

    store.py        policies, labels, observers: the lattice; the abstract store, joins with their gates
    effects.py      what procedures may change, before all analysis
    expressions.py  labels of expressions
    interfaces.py   what the parts ask of each other, what they exchange and what they find
    statements.py   what statements do to the store: the transfer functions, in a table
    loops.py        loops: fixed points
    decisions.py    what the options of decisions and their words depend on, and who comes to know what
    instances.py    a summary at a call, and what the called is given there
    summaries.py    the analysis of a whole program
    incremental.py  the same, for a program that differs little from the last one
"""

from __future__ import annotations

from croupier.semantics.infoflow.interfaces import DecisionFlow, ExcludedReceiver, SecretTurn
from croupier.semantics.infoflow.store import Label, Observer, Policy
from croupier.semantics.infoflow.summaries import FlowAnalysis
from croupier.semantics.program import Program

__all__ = [
    "ExcludedReceiver",
    "DecisionFlow",
    "FlowAnalysis",
    "Label",
    "Observer",
    "Policy",
    "SecretTurn",
    "analyse",
    "forget",
]


def analyse(program: Program) -> FlowAnalysis:
    """The information flow of a checked program without errors.

    It is worked out once for a program; `forget` drops it.
    """
    if program.flow is None:
        program.flow = FlowAnalysis(program)
    found: FlowAnalysis = program.flow
    return found


def forget(program: Program) -> None:
    """Drop what `analyse` has worked out: nothing needs it after the lints."""
    program.flow = None
