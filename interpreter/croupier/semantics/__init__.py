"""Semantics: resolve the names of a ruleset, check its types, and report mistakes.

What comes in: a resolved document (declarations) and its rule text (nodes). What goes out: a `Program` —
declarations with types, procedures as typed trees (`kernel`) — and diagnostics. Evaluator and lowering read
only the typed tree, so it defines what a rule means. `builtins.py` is the table of the words that the
language has.

The checker is a context (`context.py`: the program, diagnostics, local names, known facts, an observer) and
parts that receive it. Each part calls parts named before it; nested nodes are checked by a table with one
rule for each class of nodes.

    names.py              names; reserved words; help
    expressions.py        expressions
    amounts.py            maps of numbers, entry by entry
    builder.py            typed trees that the checker writes itself
    desugaring.py         members that are rewritten with others
    members.py            attributes, methods, indices
    calls.py              calls and aggregates
    expansions.py         statements that are written as others before they are checked
    statements.py         statements, with locals
    zone_statements.py    statements that act on zones
    decisions.py          choices, menus, windows, ends
    declaration_parts.py  written types, what declarations are made of
    components.py         components, boards, zones
    declarations.py       declarations, in order
    definitions.py        definitions, hooks, watchers
    policies.py           policies, measures, looks
    check.py              all of it, in order
    assignable.py         why something cannot be given a new value
    suggestions.py        what an unknown name was meant to be
    type_words.py         types in words, for messages

    procedures.py, program.py     procedures; hooks and watchers, which run them; the program
    ranking.py                    by what players are ranked, where it can be read at any time
    narrowing.py                  facts about values, and what may change them
    walk.py                       walks over the typed tree
    ranges.py                     what is known of values without playing: intervals, names, whether there is
                                  a value
    decision_sites.py             the places in the rules where somebody is asked, each with a name of its own
    settled.py                    which procedures set-up has to settle
    elaborate.py                  from the checked program to forms of the kernel: sugar is expanded
    rewrites.py                   conditions that ask or act, blocks `at once`
    any_time.py                   `at any time`: options of every decision, as menus in loops
    claims.py                     claims, as menus of what may be said
    call_effects.py, liveness.py  effects and calls, what may stand in a look-ahead; which locals live while a
                                  procedure waits
    timed_blocks.py               what may stand in a block that takes its time, and how long it takes
    lints/                        checks for code that is useless or wrong
    canonical.py                  the canonical text for the hash of a ruleset; shapes of equal parts; the
                                  typed tree as text
    meaning.py                    the text for the hash that says whether a game that was begun may go on: the
                                  rules without their words
    symbol_index.py, texts.py     for editors and formatters: the symbols of names; every rule text, hooks by
                                  name
"""

from croupier.semantics.check import check, check_expression
from croupier.semantics.program import Program

__all__ = ["Program", "check", "check_expression"]
