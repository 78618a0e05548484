"""Semantics: what the names of a ruleset mean, what type everything has, and what is wrong.

What comes in: a resolved document (declarations) and its rule text (nodes). What goes out: a `Program` — declarations with types, procedures as
typed trees (`tree.py`) — and diagnostics. The reference evaluator reads the typed tree and nothing else, so the typed tree is where a rule's
meaning is fixed; `builtins.py` is the table of the words everybody has.

The checker is one object in layers, each a class over the one before: what it may call lies below it.

    names.py         names, and how a mistake is reported            statements.py    statements, with locals
    expressions.py   expressions; collections.py lists and maps      literals.py      values written in YAML
    operators.py     operators; access.py what follows a value       written.py       what declarations are made of
    aggregates.py    aggregates; calls.py calls                      wording.py       words for the story
    typing.py        written types                                   things.py        components, boards, zones; state.py state, claims
    verbs.py         the verbs of the table                          declare.py       declarations
    decisions.py     choices, menus, windows, ends                   modules.py       definitions, hooks, watchers
                                                                     check.py         all of it, in order

    types/, tree.py, program.py, scope.py       what they work with: types, the typed tree, the whole, local names
    arithmetic.py, narrowing.py                 intervals; what may change a value that the text has shown something about
    ways_out.py                                 which blocks control never comes out of at the end
    flow.py, horizon.py, copies.py, liveness.py who calls whom, what may stand in a look-ahead, which locals live while a procedure waits
    citations.py, lints/                        rules that are cited; what is certainly useless or wrong
    refused.py                                  what a condition of a parameter was refused with
    habits.py                                   help for those who know other languages
    reserved.py                                 words that nothing can be called
    shapes.py                                   what parts of a ruleset are but for their places: equal ones need not be looked at again
    canonical.py                                the text that the hash of a ruleset is made of
    noting.py, texts.py, listeners.py, dump.py  for editors, formatters and people: what names mean, every rule text, hooks by name, the tree
"""

from croupier.semantics.check import check, check_expression
from croupier.semantics.program import Program

__all__ = ["Program", "check", "check_expression"]
