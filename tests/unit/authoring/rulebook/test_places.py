"""Every clause of every shipped ruleset has one place in its rulebook: phases, definitions, hooks, windows,
watchers, ends, powers, statements, options and parameters.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import croupier
from croupier.authoring.rulebook.clauses import Clause
from croupier.authoring.rulebook.document import HeadingBlock
from croupier.authoring.rulebook.places import Places, places_in, tellings
from croupier.authoring.rulebook.sections import bare_book
from croupier.resources import shipped

GAMES = [name for name in shipped() if "/" not in name]
VARIANTS = [name for name in shipped() if "/" in name]


def walk(found: Places) -> list[Clause]:
    return [clause for outer in found.clauses for clause in outer.walk()]


def check(game: str | Path) -> None:
    """Check that each clause is told, by rules or by one passage and never by both."""
    ruleset = croupier.load(game)
    book = bare_book(ruleset)
    found = places_in(book, ruleset)
    clauses = walk(found)
    assert [c.span.text for c in clauses if found.of(c) is None] == []
    by_passages = Counter(span for span, _ in tellings(book))
    assert [span.text for span, times in by_passages.items() if times > 1] == []
    by_rules = {c.span for c in clauses if c.ids}
    assert [span.text for span in by_passages if span in by_rules] == []
    headings = {block.text for block in book if isinstance(block, HeadingBlock)}
    for clause in clauses:
        place = found.of(clause)
        assert place is not None and set(place.headings) <= headings
        assert not clause.ids or place.rule in clause.ids
    assert by_passages.keys() <= {c.span for c in clauses}


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_told_once(game: str) -> None:
    check(game)


@pytest.mark.parametrize("game", VARIANTS)
def test_every_clause_of_a_variant_is_told_once(game: str) -> None:
    check(game)
