"""The lab: what many games say about a ruleset, with how sure one may be of it.

What comes in are rulesets, set-ups and numbers of games; what goes out are values: rows of figures, estimates
with an interval and its method, and pages that show them. The games are those of `play`; the bots that play
them live there too (`play/agents/`), because a match asks them.

    games       rows.py a game as a row of figures, watched while it is played; course.py who led in it;
                workers.py rows of many games, in game order, in any number of processes; shards.py rows in a
                folder that a run adds to, and takes up again after whatever ended it; ray_cluster.py shards
                that the machines of a Ray cluster play; tables.py rows as a table, with types and meanings of
                its columns; names.py names of measures and columns for people, and for programs; truths.py
                measures that are true or false
    logs        logs.py games with rows of their decisions and events, and how a folder keeps them;
                row_files.py files that are written row by row; log_files.py those of a run
    statistics  statistics.py estimates with intervals; clusters.py shares of what a game has several of, with
                the game as the unit; sequences.py intervals that may be watched all the time; planned.py
                tests for a planned number of games; bounds.py the bounds of measures by the rules
    questions   compare.py two rulesets, variants, parameters or bots, what a variant is worth; plan.py how
                many games that needs, and how long they take; option_worth.py what an option is worth;
                ladder.py how much thinking helps; sweep.py a parameter over its values; crossings.py where
                the curve passes a target
    pages       pictures.py drawings as SVG; page_frame.py the frame of HTML pages, and their sections;
                report.py pages about a ruleset, answers.py those with the answer to one question

A row depends on the ruleset, the set-up, the seed and the game's number alone. Estimates are made of rows in
game order. So whatever is printed is the same for any number of processes.
"""
