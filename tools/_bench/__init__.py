"""The measurements of `tools/bench`: every system that can play a game, side by side in one run.

    measuring.py  rows, rounds in turn, medians
    systems.py    hand-written Python, the back ends, plain C, OpenSpiel: what each can be asked for
    latency.py    times of whole commands and of compiling, in processes of their own
    commands.py   whole commands on copies of folders, with empty and full caches and after edits
    tables.py     what is printed
    aims.py       what was aimed at, and what came of it
    run.py        which games and which things, in which order
    readme.py     the parts of documents that `tools/bench --readme` writes

Times are for people to read: none of them is a failure.
"""
