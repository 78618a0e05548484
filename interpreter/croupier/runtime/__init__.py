"""The reference evaluator: a game set up, its positions, and what rules do to them.

What comes in is a checked program (`semantics/program.py`), a number of players and values of parameters;
what goes out are states that offer actions, take them, and tell what everybody sees. The typed tree is read
directly: each expression becomes a function, each statement that may wait an operation. So this is where the
meaning of a rule is defined; compiled back ends are held against it, and hand back to it whatever is unusual.

Two parts of a state. The *position* is zones, state and a stack of frames, each with a numbered place to go
on at and the locals that live there: canonical bytes, equality and hashes are of the position alone. The
*history* is the actions and chance outcomes that led there.

    set-up         setup.py puts a game together of parameters (parameters.py), components (plain_rows.py,
                   equal_components.py which are called alike), boards (boards.py) and start values; game.py
                   is what comes out and never changes
    the engine     engine.py what plays a game: its compiled rules, and what other packages keep of it
    the machine    machine.py is what changes, what compiled code is to it, and what it tells; zones.py moves
                   components, zone_contents.py what lies in zones as values; results.py the results of
                   games, faults.py the errors of rules, arguments.py tests of what callers give
    compiling      compiler.py what compiling needs to know; compiled_rules.py the tables, an operation of
                   the typed tree a row, and all procedures
    expressions    values.py, operators.py, aggregates.py, members.py, functions.py
    statements     statements.py those that never wait; resumable.py links those that may into operations
                   (operations.py: asking.py a decision, candidates.py what may be chosen in it, sets.py
                   several of that, chance.py, windows.py, lookahead.py, timing.py the ends of blocks that
                   take their time at a table); wording.py what events say of them
    hooks          hooks.py which are live, in which order they run, and how around a call
    looking ahead  lookahead.py blocks that hold while control is in them, the search, and the copies it is
                   made on
    what is told   visibility.py who sees what, and texts for those who do not see all of it; telling.py who
                   learns of decisions and of chance, disclosure.py what answers say about that; recorder.py
                   words each kind of event (events.py) for a reader, event_log.py holds them, event_cache.py
                   keeps them for several readers, and of a history that grows
    states         state_view.py who acts, what may be done and how the game stands, state.py the public state
                   over both and games that random players play to their end, position.py the canonical bytes,
                   restoring.py the way back, declared_positions.py those that nobody has played to
    chance         streams.py random numbers that are the same everywhere
    explanations   trace.py what was executed and where it stands, legality.py why something may not be done
                   (clauses.py), reasons.py the first clause that a value fails, rule_words.py rules in words
                   with what their names hold, readings.py what a text could mean, option_matching.py which
                   options somebody means by what they typed, false_parts.py which part of a condition is
                   false; chosen.py what an action stands for, as data
"""
