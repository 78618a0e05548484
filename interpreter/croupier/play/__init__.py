"""Playing games: what drives a state from its first decision to its result.

    agents/        who decides: kinds of agents, and what makes them of specifications; measure.py what the
                   greedy one looks at; thinking.py what a bot that searches finds, for
                   programs; table_bots.py those of a table, and what one would do in a player's place;
                   compiled_twin.py where they play in thought
    match.py       one game: players, parameters, seed and agents; asks agents, draws chance, applies, until
                   the game is over; session.py the same with a person at some seats
    script.py      decisions and chance outcomes that somebody wrote down; action_refs.py one of several
                   actions that read alike; scenario_template.py a scenario to start from
    interrupt.py   stops a game between two steps
    record.py      what is kept of a game: a value that is also the saved file; plain.py makes JSON of values,
                   outcome.py is how it ended, start_and_end.py says both in words, score_parts.py what a
                   score is made of, digest.py is one text of many games
    decisions.py   decisions and events as rows of tables, with names, types and meanings of their columns
    saved.py       the saved file: written whole or not at all (atomic_write.py), read with positions for
                   diagnostics (located_json.py); replay.py applies the recorded actions again and compares
                   every hash
    watching.py    what native code watches of whole games: measures and groups that go in, figures that come
                   out
    simulate.py    many games, always with the same result: one_game.py plays one, processes.py many here or
                   in several processes, native_games.py many in native code
    left_games.py  games that compiled code left to the evaluator: how many, and why
    results.py     what is kept of a simulated game; tally.py what is counted of many, summary.py all of it as
                   one value; statistics.py intervals and quantiles, clusters.py with the game as the unit

The rules know nothing of this package: a state says who must act, and everything random comes from the
streams of `runtime.streams`, keyed by seed, game and purpose.  So a game depends on its seed and its number
alone, never on the games around it, and a replay does not depend on the streams at all, because chance
outcomes are recorded.
"""
