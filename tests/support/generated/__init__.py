"""Random well-typed programs: a world that is always the same, and rules in it that a grammar makes up.

`values` holds the grammar of expressions and of statements without blocks, `rules` the statements and
definitions, `world` the whole document, `running` what is done with a program.
"""
