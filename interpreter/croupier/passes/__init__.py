"""Passes: functions from the core to the core.

    pipeline.py   which passes run, in which order
    states.py     functions that wait, cut at their waits
"""
