"""Semantics: what the names of a ruleset mean, what type everything has, and what is wrong.

What comes in: a resolved document (declarations) and its rule text (nodes). What goes out: a `Program` — declarations with types, procedures as
typed trees (`tree.py`) — and diagnostics. The reference evaluator reads the typed tree and nothing else, so the typed tree is where a rule's
meaning is fixed; `builtins.py` is the table of the words everybody has.
"""

from croupier.semantics.check import check, check_expression
from croupier.semantics.program import Program

__all__ = ["Program", "check", "check_expression"]
