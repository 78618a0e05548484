"""Execution: which back end plays a game, positions of the core as values of the game, and what plays them.

Compiled code is made of a game that has been set up: `lowering/` expands each construct of the language to the core, `passes/` make it faster,
`printers/` write it as Python or LLVM assembly, this package plays it. It tests what the evaluator tests and says nothing of it in words: whatever
fails is unusual, and the evaluator takes that action again. So a test in compiled code may be stricter than the meaning, never laxer.
What is not compiled is refused, with the construct in words (`Refused`, X601): never played by other rules, never silently by the evaluator.

    backends.py       `reference`, `python`, `native` or `auto`: what plays, and why another does not
    codec.py          a position of the core as the reference evaluator writes it
    lookahead.py      whether a block can still end as it must
    python_engine.py  the core as compiled Python: positions that take actions; whole games by it alone
    python_state.py   the public state over such a position
    native_engine.py  the core as native code: positions, as tests hold them against others
    llvm_compiler.py  the only module that knows the compiler
    native_games.py   a game in native code: whole games between random players, many at once; rows.py what they leave behind
    batch.py          many games side by side, as arrays of NumPy
    native_state.py   the public state over a position in native code; native_desk.py the memory of a thread
    native_code.py    what is kept of a compilation; object_cache.py the folder of the user where it is kept
"""
