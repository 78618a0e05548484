"""Mutation of rules: change one clause at a time and see which changes no scenario notices.

`mutants.py` says which changes there are and finds them in the parsed rule text. `running.py` makes each changed ruleset without writing or reading
a file, runs the scenarios that execute the clause, in several processes, reads which mutants are known to be equivalent, and reports.
"""

from croupier.authoring.mutate.mutants import OPERATORS, Mutant
from croupier.authoring.mutate.running import Mutation, MutationPlan, Verdict, mutate

__all__ = ["OPERATORS", "Mutant", "Mutation", "MutationPlan", "Verdict", "mutate"]
