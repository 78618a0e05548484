"""Passes: functions from the core to the core.

A program comes in as lowering emits it, and goes out ready for a printer.

The order of passes:

    pipeline.py            the pipelines of Python, C and the interpreter
    native.py              the pipeline of native code

Transformations:

    legalization.py        operations that a target lacks, in terms of others
    states.py              the coroutine transform: functions are cut at their waits
    inlining.py            short functions at their calls
    constants.py           constant propagation and folding, loop unrolling
    constant_functions.py  functions that always return the same array, as tables
    locals.py              forward substitution, dead store elimination, early exits of searches
    arrays.py              scalar replacement of arrays, copy elision
    loop_tables.py         loops over parts of tables, as loops over precomputed rows
    memoization.py         expensive offers, kept by the words that they depend on
    bitsets.py             small maps as bitsets
    fuel_bounds.py         payments that a static bound covers, prepaid
    fuel.py                payments merged; always last

Analyses:

    liveness.py  live variables
    ranges.py    intervals of expressions
    effects.py   read and write sets
    offers.py    the order in which actions are offered; flags that something is on offer
    lists.py     arrays that are growing lists
    zones.py     zones that may have an unordered part
"""
