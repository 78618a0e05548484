"""Execution: positions of the core as values of the game, and what plays them.

    codec.py          a position of the core as the reference evaluator writes it
    lookahead.py      whether a block can still end as it must
    python_engine.py  the core as compiled Python: positions that take actions
    python_state.py   the public state over such a position
    rollouts.py       whole games between random players, by compiled Python alone
    native_engine.py  the core as native code: positions; llvm_compiler.py, the only module that knows the compiler
    native_games.py   whole games between random players, many at once, by native code alone; rows.py what they leave behind
"""
