"""Every clause of every shipped ruleset has one place in its rulebook: phases, definitions, hooks, windows,
watchers, ends, powers, statements, options and parameters.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import croupier
from croupier.authoring.rulebook.clauses import Clause
from croupier.authoring.rulebook.document import HeadingBlock, ListBlock
from croupier.authoring.rulebook.places import Places, places_in, tellings
from croupier.authoring.rulebook.sections import bare_book
from croupier.authoring.rulebook.steps import END
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
    assert END in headings
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


def test_what_a_book_leaves_out_has_no_place() -> None:
    """A book without its last passage on the rules leaves clauses without a place."""
    ruleset = croupier.load("hex")
    book = bare_book(ruleset)
    last = max(k for k, block in enumerate(book) if isinstance(block, ListBlock) and block.items[0].tells)
    found = places_in((*book[:last], *book[last + 1 :]), ruleset)
    assert [clause for clause in walk(found) if found.of(clause) is None]


def test_a_place_says_what_tells_the_clause(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(
        """croupier: 2
ruleset: told
title: Told
players: 2
rule_list: rules.csv
state:
  gold: 0..9 per Player = 0 seen by everybody
definitions:
  Gains: |
    def worth(p: Player) -> 0..9:
        doc "what somebody is worth"
        return gold[p]
phases:
  gains: |
    for p in players:
        gold[p] += 1                                              @TO-1
        gold[p] += worth(p)
  end: finish rank gold
""",
        encoding="utf-8",
    )
    (tmp_path / "rules.csv").write_text("id,tag,text\nTO-1,gains,Everybody gains one\n", encoding="utf-8")
    found = places_in(bare_book(ruleset := croupier.load(tmp_path)), ruleset)
    told = {clause.span.text: found.of(clause) for clause in walk(found)}
    gains = next(place for text, place in told.items() if text.startswith("gold[p] += 1"))
    assert gains is not None and (str(gains), gains.by) == ("Play › Gains (TO-1)", "rule")
    places = {text: (str(place), place.by) for text, place in told.items() if place is not None}
    assert places["gold[p] += worth(p)"] == ("Play › Gains", "step")
    assert places["return gold[p]"] == ("Play › Gains", "doc")
    assert places["finish rank gold"] == (END, "step")
