"""Lowering: from the typed tree to blocks. `lower(program)` gives the module of a program without errors.

One class per concern, each a layer on the one before: `builder.py` makes slots and blocks, `expressions.py` values, `collections.py` comprehensions
and aggregates, `writes.py` places that are written, `table.py` what happens on the table, `statements.py` what happens in order, `decisions.py` what
waits, `program.py` the whole. `slots.py` says what the slots of a procedure are for, `effects.py` what it reads and writes.
"""

from croupier.ir.lower.program import lower

__all__ = ["lower"]
