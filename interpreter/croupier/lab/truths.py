"""Measures that are true or false: what is printed of them is a share of games, not a mean."""

from __future__ import annotations

from croupier.kernel.types import Bool
from croupier.lab.rows import value_names
from croupier.lab.workers import RunConfig, load_ruleset, players_of
from croupier.play.measure import Measure


def truths_of(run: RunConfig) -> set[str]:
    """Return the names of the values of those measures of a run that are expressions of true and false.

    Raises RulesetError for measures that the ruleset does not know.
    """
    players = players_of(run)
    engine = load_ruleset(run.source).engine(players, run.setup.parameters)
    found = set[str]()
    for text in run.watch.measures:
        measure = Measure(engine, text)
        if isinstance(measure.tree.type, Bool):
            found |= {text, *value_names(text, players if measure.of_players else 1)}
    return found
