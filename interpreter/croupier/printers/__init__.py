"""Printers: the core as the source of something that runs. A printer has a case for each operation, and no ideas.

    python.py   Python: a function of the position for each state, and one for each function that does not wait
"""
