"""What differs between two resolved rulesets, thing by thing.

Layout, comments, the order of keys and documentation make no difference; rule text is compared as it is parsed. Each difference says what was
there, what is there now, and where both stand.

    model.py      one difference                       things.py    declarations, field by field, row by row
    rules.py      phases, definitions, powers          compare.py   everything, in the order of a ruleset
"""

from croupier.authoring.diff.compare import diff_rulesets
from croupier.authoring.diff.model import Difference
from croupier.authoring.diff.rules import in_force

__all__ = ["Difference", "diff_rulesets", "in_force"]
