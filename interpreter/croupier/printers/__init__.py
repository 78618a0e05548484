"""Printers: the core as the source of something that runs. A printer has a case for each operation, and no ideas.

    python.py        Python: a function of the position for each state, and one for each function that does not wait
    python_whole.py  Python that plays whole games between random players: functions that wait are not cut
    python_code.py   what both share: expressions and statements
    python_rows.py   loops that count, as walks over rows of tables and parts of arrays; python_loops.py loops that do one thing as one statement
    python_checker.py  reads printed Python again and refuses whatever is not on its list
    c.py             C: one file that plays random games; c_support.py what every such file begins and ends with
    llvm.py          LLVM assembly: a function for each function, its states as blocks
    llvm_values.py   expressions, and how functions end; llvm_layout.py where everything lies; llvm_effects.py what functions may do
    llvm_body.py     statements, trials on a copy; llvm_calls.py calls, and fuel and offers in slots of functions
    llvm_memos.py    what was offered before, offered again
    llvm_support.py  zones, sorting, offers in order; llvm_lookahead.py
    llvm_whole.py    functions that wait, not cut; llvm_games.py whole games; llvm_streams.py random numbers
    llvm_steps.py    functions that Python calls to take steps; llvm_lines.py digests; llvm_batch.py games side by side
    assembly.py assembly as text; python_calls.py functions that Python calls as its own
"""
