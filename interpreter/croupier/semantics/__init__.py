"""Semantics: what the names of a ruleset mean, what type everything has, and what is wrong.

What comes in: a resolved document (declarations) and its rule text (nodes). What goes out: a `Program` — declarations with types, procedures as
typed trees (`tree.py`) — and diagnostics. The reference evaluator reads the typed tree and nothing else, so the typed tree is where a rule's
meaning is fixed; `builtins.py` is the table of the words everybody has.

The checker is a context (`context.py`: the program, what is wrong, local names, what is known so far, who observes) and parts that receive it. Each
part calls those named before it; what stands inside of what is reached by a table with a rule for each class of nodes.

    names.py              names; reserved words; help          zone_statements.py    statements that act on zones
    expressions.py        expressions                          decisions.py          choices, windows, ends
    amounts.py            maps of numbers, entry by entry      menus.py              menus, groups, what is possible at all
    derived.py            words said with others               declaration_parts.py  written types, what declarations are made of
    members.py            attributes, methods, indices         components.py         components, boards, zones
    calls.py              calls and aggregates                 declarations.py       declarations, in order
    statements.py         statements, with locals              definitions.py        definitions, hooks, watchers
    policies.py           policies, measures, looks            check.py              all of it, in order

    types.py, tree.py                           what they work with: types and the typed tree
    procedures.py, program.py                   what has a body, and what runs it: hooks, watchers; the whole
    narrowing.py                                what may change a value that the text has shown something about
    walk.py                                     walks over the typed tree
    rewrites.py                                 conditions that ask or act, blocks at once: as other statements
    any_time.py                                 options that stand open at every decision: put into the decisions, as menus in loops
    flow.py, liveness.py                        effects and calls, what may stand in a look-ahead; which locals live while a procedure waits
    lints/                                      what is certainly useless or wrong
    canonical.py                                the text that the hash of a ruleset is made of; shapes of equal parts; the typed tree as text
    symbol_index.py, texts.py                   for editors and formatters: what names mean; every rule text, hooks by name
"""

from croupier.semantics.check import check, check_expression
from croupier.semantics.program import Program

__all__ = ["Program", "check", "check_expression"]
