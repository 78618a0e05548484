"""Coverage of rules: what of a ruleset happened in random games and in its scenarios, and what never did.

What comes in is the name of a ruleset and a plan; what comes out is everything that can happen, with how
often it did, in words and as a page of the coloured source.

    measure.py  plays the games and scenarios, and counts
    games.py    the plan, what a trace has counted, random games in several processes
    results.py  what was counted, as values, JSON and words
    page.py     the same as an HTML page
"""
