"""Why something may not be done: the clauses that keep it from being offered, each with its place, its rules and its words.

An action is named as people write it. It is looked for among everything that the decision could offer, whether it does or not; what is
found is put to each clause of the decision. `why.py` asks; `clause.py` holds what comes out, `wording.py` how things are written,
`choosing.py` and `menus.py` a kind of decision each. `several.py` says how many are chosen.
"""

from croupier.runtime.reasons.clause import Clause, WhyNot, folded
from croupier.runtime.reasons.several import Several, several
from croupier.runtime.reasons.why import could_read, why_not

__all__ = ["Clause", "Several", "WhyNot", "could_read", "folded", "several", "why_not"]
