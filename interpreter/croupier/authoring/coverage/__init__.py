"""Coverage of rules: what of a ruleset happened in random games and in its scenarios, and what never did.

A game that is compiled with a trace (`runtime/trace.py`) counts what it executes; without one nothing is added to it. `measuring.py` plays
the games and adds the counts of each up; `report.py` is what comes out, in words, and as a page of the coloured source.
"""

from croupier.authoring.coverage.measuring import CoveragePlan, measure
from croupier.authoring.coverage.report import Counted, Coverage, RuleCount, ValueCount, html_page

__all__ = ["Counted", "Coverage", "CoveragePlan", "RuleCount", "ValueCount", "html_page", "measure"]
