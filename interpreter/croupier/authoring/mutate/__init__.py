"""Mutation of rules: change one clause at a time and see which changes no scenario notices.

`mutants.py` says which changes there are and finds them in the parsed rule text, `trial.py` makes the changed ruleset without writing or reading
a file and runs the scenarios that execute the clause, `running.py` does so for all of them, in several processes, and reads which mutants are
known to be equivalent. `report.py` is what comes out.
"""

from croupier.authoring.mutate.mutants import OPERATORS, Mutant
from croupier.authoring.mutate.report import Mutation, Verdict
from croupier.authoring.mutate.running import Plan, mutate

__all__ = ["OPERATORS", "Mutant", "Mutation", "Plan", "Verdict", "mutate"]
