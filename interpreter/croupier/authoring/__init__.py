"""Tools for authors of rulesets, besides playing.  Values in, values out.

    folder_check.py        all files of a ruleset, checked
    fmt/                   one canonical layout
    fixing.py              their safe fixes, applied
    trial.py               a few games, for what no reading finds
    verdicts.py            what was found before, kept by what it depends on
    listing.py             what is said of a shipped ruleset before it is loaded
    new.py                 a ruleset to begin with
    diff.py                what differs between two rulesets
    coverage/              what never happens in games and scenarios
    matrix.py              values of parameters worth trying
    mutation/              which changes no scenario notices
    new_variant.py         a variant to begin with
    variant_scenarios.py   which scenarios hold under a variant
    difference_details.py  what a difference says and reaches
    explain.py             why a move is not legal, or what it does
    rulebook/              a book of the rules for players

Every page takes checked rulesets and gives values; the command line prints them.
"""
