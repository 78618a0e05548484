"""The lowered form: a ruleset as typed routines that can stop and go on.

What comes in is the typed tree of a program without errors; what goes out is a `Module`, which a compiled back end reads and nothing executes.
The tree is the meaning (the reference evaluator reads it directly), so a back end that agrees with the evaluator has tested the lowering too.

Why this form. A tree says what a rule means; a machine wants to know what to do next and what to remember. So expressions are taken apart into
instructions of one operation each over numbered, typed slots (`instructions.py`, `operations.py`, `slots.py`), and control into basic blocks
that end in exactly one terminator (`terminators.py`, `routines.py`). Short-circuit conditions, comprehensions and aggregates become branches
and loops; nothing is left to be looked up when it runs: names are numbers, and hooks lie in dispatch tables by what they listen to (`module.py`).

Where it stops. Only statements that suspend cut a routine: a choice, a menu, a draw, a roll, an opened window, a claim, and a call that may do
one of these (`suspensions.py`). A suspension is a terminator with a block to go on at for each thing that can happen. While it waits it answers
questions (who chooses, what may be chosen, how it is called) by queries: blocks that change nothing and may be asked again and again. What a
routine must remember at a suspension is the slots that are live there, which `semantics/liveness.py` found on the tree; everything else is
gone when it goes on. A position is therefore the state, the zones, and one suspension per frame, and `layout/` puts all that into one flat
array of small integers, with offsets computed for a set-up.

What holds. `lower/` makes modules; `verify.py` checks, without trusting it, that jumps lead somewhere, that every slot is assigned before it is
read on every path, that operands have the types of the table, that suspensions have all their ways on, that the live slots found on the blocks
are those found on the tree, that no way back is free of charge, that queries only ask, and that read and write sets cover what is done.
Fuel is part of the meaning: `burn` stands where the evaluator charges a step, and walks of lists are paid for when they begin.

What it is not: optimised. It has no value numbering, no fusing of loops over zones, no merging of slots; that is for a back end that measures.
Set-up (parameters, components, boards, start values) is not lowered: it is done once, by the evaluator, for every back end.

Beside these: `dataflow.py` says which slots are live and which are assigned, `rewire.py` changes the numbers of blocks, `signatures.py` reads those
of the table, `problems.py` is what the verifier finds, `text.py` and `dump.py` show it all to people.
"""

from croupier.ir.lower import lower
from croupier.ir.module import Module
from croupier.ir.verify import verify

__all__ = ["Module", "lower", "verify"]
