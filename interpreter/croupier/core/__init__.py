"""The core: structured code over words, for a game that is set up.

What comes in are calls of the builder; what goes out is a `CoreProgram`: arrays of words, zones, and functions whose bodies are made of some fifty
operations. Everything that a rule may mean was expanded before, in `lowering/`; everything that a machine wants is decided later, in `passes/`
and `printers/`. So this is all that a back end has to know, and it is small on purpose.

Three ideas carry it. *Structure stays*: bodies nest, and nothing has to be found again in a graph of blocks. *One way to wait*: offers are put
down, then `Wait` ends the action; a function that may wait is entered in a frame of its own and returns. *Unusual means fail*: a `Guard` that
does not hold ends the action without a word, and the reference evaluator, which takes it again, says what is the matter.

    operations.py   the operations, one class each          types.py     programs, functions, arrays, zones
    expressions.py  those that are expressions               change.py    operations made anew with other parts
    builder.py      constructors that fold, and a writer     walk.py      the parts of an operation, whatever it is
    text.py         a text form, written and read            verify.py    what must hold of every program
"""

from croupier.core.types import CodeState, CoreProgram, Function, FunctionParameter, Memory, Zones

__all__ = ["Function", "Memory", "FunctionParameter", "CoreProgram", "CodeState", "Zones"]
