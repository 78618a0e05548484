"""The outputs for programs: a model of every JSON output of the command line, and the JSON Schema that is
made from it.

What comes in are the values that a command found, as a dict; what goes out is the text of one JSON object,
checked by its model, and the schema of that object. Every object begins with one header (`header.py`): which
program wrote it, by which schema, and what it is of.

    header     who wrote it, by which schema, of which rules and of which games
    documents  a document of a command: made, checked, as text; the tables of schemas
    schemas    the JSON Schema of an output, and its keys with their meanings

    games       what `run` and `replay` write
    simulations what `simulate` writes
    lab         what `compare`, `sweep`, `skill` and `ablate` write
    tables      what `collect` and `merge` write, and the header of a table
    rules       what `coverage`, `hunt`, `mutate` and `explain-move` write
    findings    what `check`, `diff`, `explain`, `list`, `cache`, `tables` and `test` write (also with
                `--under`), and errors
    statistics  a figure with its interval

Seats count from 0 in all of it: a key or name that ends in `_seatN` is of seat N. Times stand apart, under
`timing`, so that equal calls give equal bytes but for that key. Models are imported where they are used:
pydantic takes a tenth of a second.
"""
