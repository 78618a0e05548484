"""Passes: functions from the core to the core.

    pipeline.py   which passes run, in which order
    states.py     functions that wait, cut at their waits
    joining.py    states that are gone to from one place only
    liveness.py   which locals count where a state begins
    offers.py     whether what is on offer at a wait is in order already
"""
