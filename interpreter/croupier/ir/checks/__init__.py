"""The checks of the verifier, one concern a file. Each takes a module or a routine and yields problems."""
