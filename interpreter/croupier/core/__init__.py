"""The core: structured code over words, for a game that is set up.

The core is the intermediate representation of the compiled back ends. A `CoreProgram` has arrays of 64-bit
words, zones, and functions whose bodies consist of some fifty operations. `lowering/` has expanded the
meaning of every rule by then; `passes/` and `printers/` decide what a target needs. So a back end has to know
these operations and nothing else.

Three decisions. *Control flow is structured*: bodies nest; there is no graph of basic blocks to analyse.
*There is one way to wait*: actions are offered, then `Wait` ends the current action; a function that may wait
is entered on a frame of its own and returns. *The unusual fails*: a `Guard` that does not hold ends the
action silently; the reference evaluator repeats the action and reports the fault.

    operations.py   expressions and statements, one class each
    types.py        programs, functions, arrays, zones
    rewriting.py    copies of operations with other parts, folded
    builder.py      constructors that fold, and a writer
    walk.py         traversal: the parts of any operation
    text.py         a text form, written and read
    verify.py       the invariants of every program
    search_tree.py  the tree of a search, as functions that every target prints
    exchanges.py    exchanges of components in a history, as such functions
"""

from croupier.core.types import CodeState, CoreProgram, Function, FunctionParameter, Memory, Zones

__all__ = ["Function", "Memory", "FunctionParameter", "CoreProgram", "CodeState", "Zones"]
