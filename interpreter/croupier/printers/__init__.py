"""Printers: code generators that write the core as the source of another language.

A printer has a case for each operation, and decides little else.

In: a core program after the passes for the target. Out: text, and for the targets that run here the layout of
positions. Words are defined in the head of `execution/`. A program is printed as a *state machine* (functions
that wait are cut into states, so that a game can stop at any wait), or in *direct style* (nothing is cut, and
a wait draws an action in place: only for playouts).

Python:

    python.py            entry point: state machine, and frames of functions that wait
    python_direct.py     direct style, for playouts
    python_code.py       expressions and statements
    python_iteration.py  counted loops as iteration over slices and constant rows
    python_idioms.py     loop idioms as one statement: comprehensions, slice assignments
    python_checker.py    allow-list of constructs, applied to printed text before it is compiled

C:

    c.py                 direct style: one file that plays random games
    c_runtime.py         its runtime library: zones, random streams, digest, main

LLVM assembly:

    llvm.py              entry point: state machine, driver, module
    llvm_direct.py       direct style, for playouts
    llvm_builder.py      builder of functions as text
    llvm_layout.py       memory layout of positions
    llvm_expressions.py  addresses, expressions, returns
    llvm_statements.py   statements, trials
    llvm_calls.py        calling convention; the fuel cached in an alloca
    llvm_offers.py       legal actions: offers, sorting, formats
    llvm_memos.py        memo table of legal actions
    llvm_runtime.py      runtime library: zones, sorting of rows
    llvm_lookahead.py    the search behind `so that`
    llvm_streams.py      random numbers
    llvm_playouts.py     games between random players
    llvm_search.py       rounds of a tree search
    llvm_replay.py       histories played anew, and walks over them
    llvm_probes.py       what is watched of these: measures, turns, phases
    llvm_rows.py         digests and histograms of their results
    llvm_steps.py        step API for Python; llvm_cpython.py builder of built-in functions
    llvm_batch.py        vectorised environment
    function_effects.py  effect analysis over the call graph, recursion, inlining
"""
