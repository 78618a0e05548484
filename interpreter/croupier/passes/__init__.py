"""Passes: functions from the core to the core.

    pipeline.py   which passes run, in which order
    states.py     functions that wait, cut at their waits; states that are gone to from one place only
    liveness.py   which locals count where a state begins
    offers.py     whether what is on offer at a wait is in order already; marks that something is on offer
    values.py     what is known is worked out: tables, short loops, rounds that a word picks
    locals.py     words read once where they are read, words that nobody reads not at all
    rows.py       loops over parts of tables as walks over rows that are worked out before; what is done after a search, where it is found
    ranges.py     between which bounds a word lies
    zones.py      which zones may have an unordered part
    arrays.py     small arrays as locals, arrays that are only copied as their copies
    constant.py   functions that always give the same array, as tables
    lists.py      which arrays are lists that grow
    inline.py     short functions where they are called
    free.py       payments that a bound covers, left out
    memo.py       offers kept by the words that they depend on
    expand.py     what some targets have of their own, for those that do not
    effects.py    what an expression reads and a statement changes
    fuel.py       payments of fuel put together; last of all
    native.py     what native code goes through beside that, and bitsets.py small maps as bits
"""
