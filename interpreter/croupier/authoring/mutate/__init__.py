"""Mutation of rules: change one clause at a time and see which changes no scenario notices.

`operators.py` says which changes there are, `sites.py` finds them in the parsed rule text, `subject.py` makes the changed ruleset without
writing or reading a file, `trial.py` runs the scenarios that execute the clause, `running.py` does so for all of them, in several processes.
"""

from croupier.authoring.mutate.operators import OPERATORS, Mutant
from croupier.authoring.mutate.report import Mutation, Verdict
from croupier.authoring.mutate.running import Plan, mutate

__all__ = ["OPERATORS", "Mutant", "Mutation", "Plan", "Verdict", "mutate"]
