"""Execution: selects a back end, and runs compiled games.

Compiled code is made for one set-up: `lowering/` expands the constructs of the language to the core,
`passes/` optimise it, `printers/` write it as Python or LLVM assembly, and this package runs it. Compiled
code makes the same checks as the evaluator but reports nothing: it *bails out*, and the evaluator applies
that action again and finds the fault. So a check in compiled code may be stricter than the language, never
laxer. A construct that is not compiled is refused in words (`UnsupportedConstruct`, X601): it is never played
by other rules, never silently by the evaluator.

In this package and in `printers/` a *word* is a signed 64-bit integer, a *position* the memory that describes
where a game stands, a *frame* the saved locals of a function that waits, a *playout* a game between random
players, *fuel* the steps that an action may still take.

    backends.py          selection of `reference`, `python` or `native`, with fallback
    bailouts.py          why compiled code left an action to the evaluator: resource, rule, line
    codec.py             positions of the core from and to positions of the evaluator
    lookahead.py         the search behind `so that`, over positions of compiled Python
    python_program.py    a core program as compiled Python: positions and playouts
    python_state.py      the public state on compiled Python
    llvm_compiler.py     LLVM driver: assembly to object files, object files to functions
    compiler_threads.py  threads inside the compiler: interruptions, the end of a process
    object_cache.py      compiled objects and verdicts on disk
    native_code.py       cache entries, and tiered compilation
    native_game.py       the programs of a set-up in native code, and playouts
    native_workspace.py  memory of a thread in which native states take steps
    native_state.py      the public state on native code
    native_replays.py    histories played anew in native code, for `inference/`
    search.py            tree search of a state: the same on every back end; search_start.py where it begins
    rows.py              results of playouts, by rows and by columns
    batch.py             vectorised environment: many games side by side as NumPy arrays
"""
