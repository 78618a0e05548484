"""Printers: the core as the source of something that runs. A printer has a case for each operation, and no ideas.

    python.py        Python: a function of the position for each state, and one for each function that does not wait
    python_whole.py  Python that plays whole games between random players: functions that wait are not cut
    python_code.py   what both share: expressions and statements
    python_rows.py   loops that count, as walks over rows of tables and parts of arrays
"""
