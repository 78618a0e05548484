"""The commands: each is a function, whose docstring is its help.

`cli.app` imports its module when it is used.
"""
