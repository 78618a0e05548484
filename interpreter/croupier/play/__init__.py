"""Playing games: what drives a state from its first decision to its result.

    agents/         who decides: one kind of agent a file, and what makes them of specifications; measure.py what the greedy one looks at
    script.py       decisions and chance outcomes that somebody wrote down
    match.py        one game: asks agents, draws chance, applies, until the game is over
    outcome.py      how a game ended, whether the rules or the driver ended it
    setup.py        what it takes to play: players, parameters, seed, agents; tried.py the values of parameters that are worth trying
    session.py      a game in which a person plays some seats; interrupt.py stops it between two steps; look.py what a seat sees, for people
    record.py       what is kept of a game: a value that is also the saved file
    saved.py        the saved file: written whole or not at all (files.py), read with positions for diagnostics (located_json.py); plain.py its values
    skeleton.py     a scenario to start from; alike.py means one of several actions that read alike
    replay.py       applies the recorded actions again and compares every hash
    simulate.py     many games, always with the same result: here (single.py), in several processes (sharing.py), in native code (natively.py)
    game.py         what is kept of a simulated game; tally.py what is counted of many; digest.py one text for all of them
    statistics.py   what many games say; summary.py all of it as one value

The rules know nothing of this package: a state says who must act, and everything random comes from the streams of
`runtime.streams`, keyed by seed, game and purpose.  So a game depends on its seed and its number alone, never on the games
around it, and a replay does not depend on the streams at all, because chance outcomes are recorded.
"""
